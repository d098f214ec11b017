//! Conditions in loops that the loops decide: `if i > 1` in a loop from 2, `mod(i, 2) < 0`. The arm that is taken takes the place of the
//! `if`; what no iteration comes to keeps no loop in order.

use crate::hash::HashMap;
use crate::ir::{Func, Op, Region, Stmt, Terminator, Value};
use crate::kernels::accesses::{AffineView, Counted, Definitions, counted_loops};

/// Replaces such `if`s of a function.
pub(crate) fn run(func: &mut Func) {
    if !has_condition(&func.body, false) {
        return;
    }
    let defs = Definitions::of(func);
    let nothing = Region { params: Vec::new(), stmts: Vec::new(), term: Terminator::Unreachable };
    let mut body = std::mem::replace(&mut func.body, nothing);
    let view = AffineView::new(&func.symbols, &defs, []).with_locals();
    let mut pass = Pass { func, view, guards: Vec::new(), loops: Vec::new(), renamed: HashMap::default() };
    pass.region(&mut body);
    func.body = body;
}

/// Whether there is an `if` in a loop.
fn has_condition(region: &Region, in_loop: bool) -> bool {
    region.stmts.iter().any(|stmt| match &stmt.op {
        Op::If { .. } if in_loop => true,
        Op::Kernel(_) => false,
        op => {
            let in_loop = in_loop || matches!(op, Op::For { .. });
            op.regions().into_iter().any(|nested| has_condition(nested, in_loop))
        }
    })
}

struct Pass<'f> {
    func: &'f Func,
    /// At one moment every value is a fixed number, so nothing varies.
    view: AffineView<'f>,
    /// Conditions of the `if`s around, and whether they hold.
    guards: Vec<(Value, bool)>,
    /// The loops around, which have iterations.
    loops: Vec<Counted>,
    /// Results of `if`s that are gone.
    renamed: HashMap<Value, Value>,
}

impl Pass<'_> {
    fn region(&mut self, region: &mut Region) {
        let mut stmts = Vec::with_capacity(region.stmts.len());
        for stmt in std::mem::take(&mut region.stmts) {
            self.stmt(stmt, &mut stmts);
        }
        region.stmts = stmts;
        region.term.values_mut().iter_mut().for_each(|v| self.rename(v));
    }

    fn stmt(&mut self, mut stmt: Stmt, out: &mut Vec<Stmt>) {
        stmt.op.for_each_operand_mut(&mut |v| self.rename(v));
        match &mut stmt.op {
            Op::Kernel(_) => {}
            Op::If { cond, then, els } => {
                let settled =
                    if self.loops.is_empty() { None } else { self.view.settled((&self.loops, &self.guards), *cond) };
                if let Some(taken) =
                    settled.filter(|taken| self.is_replaceable(&stmt.results, if *taken { then } else { els }))
                {
                    let arm = if taken { then } else { els };
                    self.region(arm);
                    out.append(&mut arm.stmts);
                    self.renamed.extend(stmt.results.iter().copied().zip(arm.term.values().iter().copied()));
                    return;
                }
                for (arm, taken) in [(&mut *then, true), (&mut *els, false)] {
                    self.guards.push((*cond, taken));
                    self.region(arm);
                    self.guards.pop();
                }
                self.rename_equal(&stmt.results, then, els);
            }
            op => {
                let depth = self.loops.len();
                self.loops.extend(counted_loops(op));
                op.regions_mut().into_iter().for_each(|nested| self.region(nested));
                self.loops.truncate(depth);
            }
        }
        out.push(stmt);
    }

    /// A result that is the same in both arms is what both yield.
    fn rename_equal(&mut self, results: &[Value], then: &Region, els: &Region) {
        let (Terminator::Yield(a), Terminator::Yield(b)) = (&then.term, &els.term) else { return };
        for (result, (a, b)) in results.iter().zip(a.iter().zip(b)) {
            if a == b && self.can_stand_for(*a, *result) {
                self.renamed.insert(*result, *a);
            }
        }
    }

    /// Whether an arm goes on behind the `if`, with values that can stand for its results.
    fn is_replaceable(&self, results: &[Value], arm: &Region) -> bool {
        let Terminator::Yield(values) = &arm.term else { return false };
        results.iter().zip(values).all(|(result, value)| self.can_stand_for(*value, *result))
    }

    /// Whether a value can take the place of another one, of which no size is made.
    fn can_stand_for(&self, value: Value, old: Value) -> bool {
        self.func.ty(old) == self.func.ty(value) && !self.func.symbols.values().any(|v| v == old)
    }

    fn rename(&self, value: &mut Value) {
        while let Some(new) = self.renamed.get(value) {
            *value = *new;
        }
    }
}
