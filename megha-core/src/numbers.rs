//! Minima and maxima of what is never NaN, outside of kernels.
//!
//! MATLAB's `min(a, b)` and Rust's leave out NaN, so each tests whether `a` is one, and a processor of the oldest kind needs six instructions for what is one
//! if nothing is NaN. Dynamic programs over counts take little but minima. Which values are never NaN is found optimistically, through loops and arrays: none is NaN until something
//! shows that it may be (as constants are propagated: M. Wegman, F. K. Zadeck, "Constant propagation with conditional branches", 1991). Arguments may be; a sum of a number and
//! a finite constant is a number, and so is a minimum one of whose operands is.
//!
//! Kernels keep their minima: there the test is part of a vector's comparison, and passes look for minima that combine.

use crate::hash::HashSet;
use crate::ir::{Binary, Class, Const, Func, Kernel, Mem, Op, Out, Region, Stmt, Terminator, Type, Unary, Value};
use crate::kernels::dead::leaves;

/// Rewrites such minima and maxima of a function.
pub fn run(func: &mut Func) {
    let is_extreme = |stmt: &Stmt| matches!(stmt.op, Op::Binary(Binary::Min | Binary::Max, ..));
    let mut body = std::mem::take(&mut func.body);
    if has(&body, &|stmt| is_extreme(stmt) && is_float(func, stmt.results[0])) {
        let maybe = Search::of(func, &body);
        rewrite(func, &mut body, &maybe);
    }
    func.body = body;
}

/// Whether a statement of a region outside of kernels is such a one.
fn has(region: &Region, is_it: &dyn Fn(&Stmt) -> bool) -> bool {
    let within = |stmt: &Stmt| match &stmt.op {
        Op::Kernel(_) => false,
        op => op.regions().into_iter().any(|nested| has(nested, is_it)),
    };
    region.stmts.iter().any(|stmt| is_it(stmt) || within(stmt))
}

fn is_float(func: &Func, value: Value) -> bool {
    matches!(func.ty(value).class, Class::Double | Class::Single | Class::Complex)
}

/// The search for values that may be NaN, or hold one.
struct Search<'f> {
    func: &'f Func,
    maybe: HashSet<Value>,
    /// Finite constants other than zero, and whether a value is one.
    finite: HashSet<Value>,
    has_changed: bool,
}

impl<'f> Search<'f> {
    fn of(func: &'f Func, body: &Region) -> HashSet<Value> {
        let mut search = Self { func, maybe: HashSet::default(), finite: HashSet::default(), has_changed: true };
        func.params.iter().for_each(|param| search.mark(param.value));
        while std::mem::take(&mut search.has_changed) {
            search.region(body, &[]);
        }
        search.maybe
    }

    fn mark(&mut self, value: Value) {
        self.has_changed |= is_float(self.func, value) && self.maybe.insert(value);
    }

    fn mark_if(&mut self, value: Value, of: &[Value]) {
        if of.iter().any(|of| self.maybe.contains(of)) {
            self.mark(value);
        }
    }

    /// A region; `outs` are the results of the kernel around it.
    fn region(&mut self, region: &Region, outs: &[Value]) {
        for stmt in &region.stmts {
            match &stmt.op {
                Op::If { then, els, .. } => {
                    for arm in [then, els] {
                        self.region(arm, outs);
                        if let Terminator::Yield(values) = &arm.term {
                            self.hand(values, &stmt.results);
                        }
                    }
                }
                Op::For { init, body, .. } => self.repeated(stmt, init, &[(body, &body.params[1..])], outs),
                Op::While { init, cond, body } => {
                    self.repeated(stmt, init, &[(cond, &cond.params), (body, &body.params)], outs);
                }
                Op::Kernel(kernel) => self.kernel(stmt, kernel),
                Op::Put(out, _, value) => self.mark_if(outs[*out], &[*value]),
                Op::Load(Mem::Out(out), _) => self.mark_if(stmt.results[0], &[outs[*out]]),
                op => {
                    if let [result] = stmt.results[..]
                        && is_float(self.func, result)
                    {
                        self.computed(op, result);
                    } else {
                        stmt.results.iter().for_each(|result| self.mark(*result));
                    }
                }
            }
        }
    }

    /// Each of these values may be what the value in the same place is.
    fn hand(&mut self, from: &[Value], to: &[Value]) {
        from.iter().zip(to).for_each(|(from, to)| self.mark_if(*to, &[*from]));
    }

    /// A loop, of which the last region is the one that hands on values.
    fn repeated(&mut self, stmt: &Stmt, init: &[Value], regions: &[(&Region, &[Value])], outs: &[Value]) {
        let Some((body, _)) = regions.last() else { return };
        for (region, params) in regions {
            self.hand(init, params);
            self.region(region, outs);
            match &body.term {
                Terminator::Yield(next) if !leaves(body, 0) => self.hand(next, params),
                _ => params.iter().for_each(|param| self.mark(*param)),
            }
            self.hand(params, &stmt.results);
        }
    }

    fn kernel(&mut self, stmt: &Stmt, kernel: &Kernel) {
        for (out, result) in kernel.outs.iter().zip(&stmt.results) {
            match out {
                Out::Fresh => {}
                Out::Update(array) => self.mark_if(*result, &[*array]),
                Out::Reduce(..) => self.mark(*result),
            }
        }
        self.region(&kernel.body, &stmt.results);
    }

    /// What an operation without regions computes.
    fn computed(&mut self, op: &Op, result: Value) {
        match op {
            Op::Const(Const::Float(number)) => {
                if number.is_nan() {
                    self.mark(result);
                } else if number.is_finite() && *number != 0.0 {
                    self.finite.insert(result);
                }
            }
            // An element that holds anything is stored before it is read.
            Op::FillAround { a, .. } => self.mark_if(result, &[*a]),
            Op::Convert(a) | Op::Fill(a) | Op::Transpose(a) | Op::Reshape(a) | Op::Resize(a) => {
                self.mark_if(result, &[*a])
            }
            Op::Unary(
                Unary::Neg
                | Unary::Abs
                | Unary::Sign
                | Unary::Floor
                | Unary::Ceil
                | Unary::Round
                | Unary::Fix
                | Unary::Rint
                | Unary::Exp,
                a,
            ) => self.mark_if(result, &[*a]),
            Op::Binary(Binary::Min | Binary::Max, a, b) => {
                if [a, b].iter().all(|operand| self.maybe.contains(operand)) {
                    self.mark(result);
                }
            }
            // A number and a finite one other than zero: no difference of infinities, no product of one and zero.
            Op::Binary(Binary::Add | Binary::Sub | Binary::Mul, a, b)
                if [a, b].iter().any(|operand| self.finite.contains(operand)) =>
            {
                self.mark_if(result, &[*a, *b]);
            }
            Op::Binary(Binary::Div, a, b) if self.finite.contains(b) => self.mark_if(result, &[*a]),
            Op::Select(_, a, b) => self.mark_if(result, &[*a, *b]),
            Op::Range { start, step } if !is_float(self.func, *start) && !is_float(self.func, *step) => {}
            Op::Eye => {}
            Op::Index { array, .. } | Op::Load(Mem::In(array), _) => self.mark_if(result, &[*array]),
            Op::Store { array, value, .. } => self.mark_if(result, &[*array, *value]),
            Op::Concat(_, parts) => self.mark_if(result, parts),
            _ => self.mark(result),
        }
    }
}

/// Puts a comparison in the place of each minimum and maximum of scalars whose first operand is a number.
fn rewrite(func: &mut Func, region: &mut Region, maybe: &HashSet<Value>) {
    for mut stmt in std::mem::take(&mut region.stmts) {
        if !matches!(stmt.op, Op::Kernel(_)) {
            stmt.op.regions_mut().into_iter().for_each(|nested| rewrite(func, nested, maybe));
        }
        if let Op::Binary(op @ (Binary::Min | Binary::Max), a, b) = stmt.op
            && is_float(func, a)
            && func.ty(a).is_scalar()
            && func.ty(b).is_scalar()
            && !maybe.contains(&a)
        {
            let is_nearer = func.new_value(Type::scalar(Class::Logical));
            let compare = if op == Binary::Min { Binary::Lt } else { Binary::Gt };
            region.stmts.push(Stmt { results: vec![is_nearer], op: Op::Binary(compare, b, a), loc: stmt.loc });
            stmt.op = Op::Select(is_nearer, b, a);
        }
        region.stmts.push(stmt);
    }
}

#[cfg(test)]
mod tests;
