//! Regions, statements and control flow.

use super::{Checker, Rule};
use crate::ir::{Class, Effect, Op, Pipelined, Region, Results, Size, Stmt, SymDef, Terminator, Type, Value};

/// An enclosing loop.
pub(super) struct Loop<'m> {
    /// What `Break` gives.
    results: &'m [Value],
    /// What `Continue` gives: parameters of the body.
    carried: &'m [Value],
}

/// What a region belongs to.
#[derive(Clone, Copy)]
pub(super) enum End<'m> {
    Func,
    /// An arm of an `If` with these results.
    Arm(&'m [Value]),
    /// The body of a loop with these carried values.
    Body(&'m [Value]),
    /// The condition of a `While`.
    Cond,
    Kernel,
}

impl<'m> Checker<'m> {
    pub(super) fn region(&mut self, region: &'m Region, end: End<'m>) {
        let outside = self.scope.len();
        region.params.iter().for_each(|v| self.define(*v));
        for stmt in &region.stmts {
            self.stmt(stmt);
        }
        self.terminator(region, end);
        for value in self.scope.drain(outside..) {
            self.visible[value.index()] = false;
        }
    }

    fn stmt(&mut self, stmt: &'m Stmt) {
        let outer = self.current.replace(stmt);
        stmt.op.for_each_operand(&mut |v| self.used(v));
        stmt.op.for_each_size(&mut |s| self.size_in_scope(s));
        self.kernel_op(&stmt.op);
        if self.arity(stmt) {
            match &stmt.op {
                Op::If { cond, then, els } => self.if_op(stmt, *cond, [then, els]),
                Op::For { trip, init, body } => self.for_op(stmt, *trip, init, body),
                Op::While { init, cond, body } => self.while_op(stmt, init, cond, body),
                Op::Kernel(kernel) => self.kernel(stmt, kernel),
                _ => self.op(stmt),
            }
        }
        self.current = Some(stmt);
        stmt.results.iter().for_each(|v| self.define(*v));
        self.current = outer;
    }

    /// The number of results.
    fn arity(&mut self, stmt: &'m Stmt) -> bool {
        let expected = match (stmt.op.results(), &stmt.op) {
            (Results::Count(count), _) => count,
            (Results::OfCallee, Op::Call(id, _)) => self.module.funcs[id.index()].results.len(),
            (Results::OfCallee | Results::Free, _) => stmt.results.len(),
        };
        let found = stmt.results.len();
        self.require(found == expected, Rule::Arity, || {
            format!("the statement defines {found} values instead of {expected}")
        })
    }

    /// Checks that `values` are as many as `expected` and of these types.
    pub(super) fn agree<'t>(
        &mut self,
        values: &[Value],
        expected: impl ExactSizeIterator<Item = &'t Type>,
        what: &str,
    ) {
        let (found, wanted) = (values.len(), expected.len());
        if !self.require(found == wanted, Rule::Arity, || format!("{found} values instead of {wanted} {what}")) {
            return;
        }
        for (value, wanted) in values.iter().zip(expected) {
            self.same_type(*value, self.ty(*value), wanted, what);
        }
    }

    fn same_type(&mut self, value: Value, ty: &Type, wanted: &Type, what: &str) {
        if ty != wanted {
            let rule = if ty.class == wanted.class { Rule::Shape } else { Rule::Class };
            let (ty, wanted) = (self.show(ty), self.show(wanted));
            self.fail(rule, format!("{value} is {ty} where {what} is {wanted}"));
        }
    }

    /// Checks that the given tuple agrees with the receiving one.
    fn agree_with(&mut self, given: &[Value], receiving: &[Value], what: &str) {
        let (found, wanted) = (given.len(), receiving.len());
        if !self.require(found == wanted, Rule::Arity, || format!("{found} values instead of {wanted} {what}")) {
            return;
        }
        for (value, receiver) in given.iter().zip(receiving) {
            let (ty, wanted) = (self.ty(*value), self.ty(*receiver));
            wanted.dims.iter().for_each(|d| self.plain_symbols(d, receiving));
            let own = ty.dims.iter().map(|d| self.held.settled(d)).collect();
            let theirs = wanted.dims.iter().map(|d| self.held.received(d, receiving, given)).collect();
            let own = Type { class: ty.class, dims: own };
            self.same_type(*value, &own, &Type { class: wanted.class, dims: theirs }, what);
        }
    }

    /// The size of a receiving tuple may mention an index of the tuple itself, not something computed from it: nothing would
    /// say what that is on the given side.
    fn plain_symbols(&mut self, size: &Size, receiving: &[Value]) {
        for sym in size.symbols() {
            let derived = !matches!(self.func.symbols.get(sym).def, SymDef::Value(_));
            let inside = derived && self.sym_values[sym.index()].iter().any(|v| receiving.contains(v));
            self.require(!inside, Rule::Shape, || {
                let size = self.func.show_size(size);
                format!("the size {size} is computed from an index of its own tuple")
            });
        }
    }

    /// A scalar of this class.
    pub(super) fn scalar(&mut self, value: Value, class: Class, what: &str) {
        let ty = self.ty(value);
        if !ty.is_scalar() || ty.class != class {
            let rule = if ty.class == class { Rule::Shape } else { Rule::Class };
            self.fail(rule, format!("{what} is {}, not a scalar {}", self.show(ty), class.name()));
        }
    }

    fn if_op(&mut self, stmt: &'m Stmt, cond: Value, arms: [&'m Region; 2]) {
        self.scalar(cond, Class::Logical, "the condition");
        for arm in arms {
            self.require(arm.params.is_empty(), Rule::Arity, || "an arm of an `if` has no parameters".into());
            self.region(arm, End::Arm(&stmt.results));
        }
    }

    fn for_op(&mut self, stmt: &'m Stmt, trip: Value, init: &'m [Value], body: &'m Region) {
        self.scalar(trip, Class::Index, "the number of iterations");
        let Some((counter, carried)) = body.params.split_first() else {
            return self.fail(Rule::Arity, "the body has no parameter for the iteration number".into());
        };
        self.scalar(*counter, Class::Index, "the iteration number");
        self.agree_with(init, carried, "carried value");
        self.agree_with(carried, &stmt.results, "result of the loop");
        if self.kernel.is_none() {
            self.counters.push(*counter);
            self.pipelined(*counter, body);
        }
        self.loop_body(stmt, carried, body);
    }

    /// What is said of a loop whose iterations overlap, if this is one.
    fn pipelined(&mut self, counter: Value, body: &Region) {
        let Some(Pipelined { starts, work }) = self.func.pipelined.get(&counter) else { return };
        let says = !starts.is_empty() && !work.is_empty();
        self.require(says, Rule::Pipeline, || "the loop has no first step, or no work".into());
        work.iter().for_each(|size| self.size_in_scope(size));
        let (mut defined, mut starts) = (body.params.clone(), starts.iter());
        for stmt in &body.stmts {
            if let (Op::For { .. }, Some(start)) = (&stmt.op, starts.as_slice().first()) {
                self.size_in_scope_with(start, &defined);
                starts.next();
            }
            defined.extend(&stmt.results);
        }
        starts.for_each(|start| self.size_in_scope_with(start, &defined));
    }

    /// That nothing else is marked as such a loop.
    pub(super) fn marked_loops(&mut self) {
        self.current = None;
        for marked in self.func.pipelined.keys() {
            let defined = self.defined.get(marked.index()).copied().unwrap_or(true);
            self.require(!defined || self.counters.contains(marked), Rule::Pipeline, || {
                format!("{marked} is marked as the counter of a loop, but is none")
            });
        }
    }

    fn while_op(&mut self, stmt: &'m Stmt, init: &'m [Value], cond: &'m Region, body: &'m Region) {
        self.agree_with(init, &body.params, "carried value");
        self.agree_with(&body.params, &stmt.results, "result of the loop");
        self.agree_with(&body.params, &cond.params, "carried value");
        let outer = std::mem::take(&mut self.loops);
        self.region(cond, End::Cond);
        self.loops = outer;
        self.current = Some(stmt);
        self.loop_body(stmt, &body.params, body);
    }

    fn loop_body(&mut self, stmt: &'m Stmt, carried: &'m [Value], body: &'m Region) {
        self.loops.push(Loop { results: &stmt.results, carried });
        self.region(body, End::Body(carried));
        self.loops.pop();
    }

    /// The terminator of a region; messages show the statement around it.
    fn terminator(&mut self, region: &'m Region, end: End<'m>) {
        region.term.values().iter().for_each(|v| self.used(*v));
        match &region.term {
            Terminator::Yield(values) => self.yields(values, end),
            Terminator::Break(depth, values) => {
                if let Some(target) = self.target(*depth) {
                    self.agree_with(values, target.0, "result of the loop");
                }
            }
            Terminator::Continue(depth, values) => {
                if let Some(target) = self.target(*depth) {
                    self.agree_with(values, target.1, "carried value");
                }
            }
            Terminator::Return(_) if self.kernel.is_some() => {
                self.fail(Rule::KernelOp, "`return` stands in a kernel".into());
            }
            Terminator::Return(values) => self.agree(values, self.func.results.iter(), "result of the function"),
            Terminator::Unreachable => {
                let left = region.stmts.iter().any(never_goes_on);
                self.require(left, Rule::Terminator, || "`unreachable` stands where control arrives".into());
            }
        }
    }

    fn yields(&mut self, values: &'m [Value], end: End<'m>) {
        match end {
            End::Func => self.fail(Rule::Terminator, "a function ends with `return`, not `yield`".into()),
            End::Arm(results) => self.agree_with(values, results, "result"),
            End::Body(carried) => self.agree_with(values, carried, "carried value"),
            End::Cond => match values {
                [cond] => self.scalar(*cond, Class::Logical, "the condition"),
                _ => self.fail(Rule::Arity, format!("a condition yields one value, not {}", values.len())),
            },
            End::Kernel => {
                self.require(values.is_empty(), Rule::Terminator, || "the body of a kernel yields nothing".into());
            }
        }
    }

    /// Results and carried values of the loop that many levels out.
    fn target(&mut self, depth: u32) -> Option<(&'m [Value], &'m [Value])> {
        let target = self.loops.iter().rev().nth(depth as usize).map(|l| (l.results, l.carried));
        if target.is_none() {
            self.fail(
                Rule::Terminator,
                format!("there is no loop {depth} levels out that control may leave from here"),
            );
        }
        target
    }
}

/// Whether control never gets past a statement. Whether calls and loops come to an end is not known.
fn never_goes_on(stmt: &Stmt) -> bool {
    match &stmt.op {
        Op::If { then, els, .. } => [then, els].iter().all(|arm| !matches!(arm.term, Terminator::Yield(_))),
        op => op.effect() == Effect::Ends,
    }
}
