//! Which small arrays can be scalars: those of which every use names its elements when compiling.

use super::{Known, MOST, count, shape};
use crate::hash::HashSet;
use crate::ir::{Func, Lib, Op, Region, Stmt, Sub, Terminator, Value};

/// The arrays of a function that become scalars. A loop's carried array is one if the parameter of its body is; the loop's
/// result need not be: it is put together after the loop.
pub(super) fn find(func: &Func, known: &Known) -> HashSet<Value> {
    let mut search = Search { func, known, split: HashSet::default(), changed: true };
    search.made(&func.body);
    while std::mem::take(&mut search.changed) {
        search.region(&func.body, &[], &mut Vec::new());
    }
    search.split
}

struct Search<'f> {
    func: &'f Func,
    known: &'f Known,
    split: HashSet<Value>,
    changed: bool,
}

impl<'f> Search<'f> {
    /// Starts with everything that an operation makes element by element.
    fn made(&mut self, region: &Region) {
        region.walk(&mut |stmt| {
            let made = match &stmt.op {
                Op::If { .. } | Op::For { .. } | Op::While { .. } => true,
                op => self.makes(op),
            };
            let inside = stmt.op.regions().into_iter().flat_map(|r| r.params.iter());
            let all = stmt.results.iter().filter(|_| made).chain(inside);
            self.split.extend(all.filter(|v| shape(self.func.ty(**v)).is_some()));
        });
    }

    fn makes(&self, op: &Op) -> bool {
        let small = |v: &Value| self.func.ty(*v).is_scalar() || shape(self.func.ty(*v)).is_some();
        match op {
            Op::Unary(..) | Op::Binary(..) | Op::Select(..) | Op::Convert(_) | Op::Fill(_) => true,
            Op::Transpose(a) | Op::Reshape(a) | Op::Reduce(_, a, _) => small(a),
            Op::Concat(_, parts) => parts.iter().all(small),
            Op::Index { array, subs, checked } => {
                let from = self.func.ty(*array);
                shape(from).is_some_and(|s| self.known.selected(s, subs).is_some())
                    || (!checked
                        && subs.len() == from.dims.len()
                        && subs.iter().zip(&from.dims).all(|(s, d)| few(s, d)))
            }
            Op::Store { array, subs, .. } => self.stores_known(*array, subs),
            Op::Lib(Lib::MatMul, factors) => factors.iter().all(small),
            _ => false,
        }
    }

    fn stores_known(&self, array: Value, subs: &[Sub]) -> bool {
        shape(self.func.ty(array)).is_some_and(|s| self.known.selected(s, subs).is_some())
    }

    /// Withdraws the arrays that a region uses whole. `results` are those of an `If` or a condition around it; `loops` has the
    /// parameters of the bodies around it, innermost last.
    fn region(&mut self, region: &'f Region, results: &[Value], loops: &mut Vec<&'f [Value]>) {
        for stmt in &region.stmts {
            self.stmt(stmt, loops);
        }
        let depth = |d: u32| loops.len().checked_sub(1 + d as usize).map(|at| loops[at]);
        let to: &[Value] = match &region.term {
            Terminator::Yield(_) => results,
            Terminator::Break(d, _) | Terminator::Continue(d, _) => depth(*d).unwrap_or(&[]),
            Terminator::Return(_) | Terminator::Unreachable => &[],
        };
        for (at, value) in region.term.values().iter().enumerate() {
            let kept = to.get(at).is_some_and(|t| self.split.contains(t));
            self.keep_if(*value, kept);
        }
    }

    fn stmt(&mut self, stmt: &'f Stmt, loops: &mut Vec<&'f [Value]>) {
        match &stmt.op {
            Op::If { then, els, .. } => {
                self.region(then, &stmt.results, loops);
                self.region(els, &stmt.results, loops);
            }
            Op::For { init, body, .. } => self.carried(init, None, body, &body.params[1..], loops),
            Op::While { init, cond, body } => self.carried(init, Some(cond), body, &body.params, loops),
            op => {
                let mut operands = Vec::new();
                op.for_each_operand(&mut |v| operands.push(v));
                for value in operands {
                    let kept = self.allows(stmt, value);
                    self.keep_if(value, kept);
                }
                // What a kernel uses stays an array.
                for body in op.regions() {
                    body.walk(&mut |stmt| stmt.op.for_each_operand(&mut |v| self.keep_if(v, false)));
                }
            }
        }
    }

    fn carried(
        &mut self,
        init: &[Value],
        cond: Option<&'f Region>,
        body: &'f Region,
        params: &'f [Value],
        loops: &mut Vec<&'f [Value]>,
    ) {
        if let Some(cond) = cond {
            for (a, b) in cond.params.iter().zip(params) {
                let both = self.split.contains(a) && self.split.contains(b);
                self.keep_if(*a, both);
                self.keep_if(*b, both);
            }
            self.region(cond, &[], &mut Vec::new());
        }
        for (value, param) in init.iter().zip(params) {
            let kept = self.split.contains(param);
            self.keep_if(*value, kept);
        }
        loops.push(params);
        self.region(body, params, loops);
        loops.pop();
    }

    /// Whether a statement without regions can use this array element by element.
    fn allows(&self, stmt: &Stmt, value: Value) -> bool {
        let result = stmt.results.first().copied();
        let fits = result.is_some_and(|r| self.func.ty(r).is_scalar() || self.split.contains(&r));
        match &stmt.op {
            // The array itself, or a list of subscripts.
            Op::Index { array, subs, .. } => {
                fits && shape(self.func.ty(*array)).is_some_and(|s| self.known.selected(s, subs).is_some())
            }
            Op::Store { array, subs, checked, .. } if *array != value && !fits => {
                let to = self.func.ty(*array);
                !checked && subs.len() == to.dims.len() && subs.iter().zip(&to.dims).all(|(s, d)| few(s, d))
            }
            op => fits && self.makes(op),
        }
    }

    fn keep_if(&mut self, value: Value, keep: bool) {
        if !keep && self.split.remove(&value) {
            self.changed = true;
        }
    }
}

/// Whether a subscript along a dimension selects a known small number of elements.
fn few(sub: &Sub, extent: &crate::ir::Size) -> bool {
    match sub {
        Sub::At(_) => true,
        Sub::All => count(extent).is_some_and(|n| n <= MOST),
        Sub::Range { len, .. } => count(len).is_some_and(|n| n <= MOST),
        Sub::Vector(_) => false,
    }
}
