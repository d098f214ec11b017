//! Loops that points leave one by one, in the form in which many go through them together (`kernels/masked.rs` makes it).
//!
//! Such a loop carries, last, a mark that is one while the point still goes round. What something behind the loop needs changes only where the
//! mark is one, and a point that has no mark gets none again: so points that have left may go on with those that have not, and the loop
//! ends when no mark is one, or behind its last iteration.

use super::access::Maps;
use crate::hash::HashSet;
use crate::ir::{Binary, Class, Const, Kernel, Op, Stmt, Terminator, Value};

/// The number of iterations of a loop that ends by its mark alone: a number that nothing reaches.
pub const ENDLESS: i64 = i64::MAX;

/// The mark of a loop of this form, as the loop carries it.
pub fn mark(maps: &Maps<'_>, kernel: &Kernel, stmt: &Stmt) -> Option<Value> {
    let Op::For { body, .. } = &stmt.op else { return None };
    let (end, before) = body.stmts.split_last()?;
    let Op::If { cond, then, els } = &end.op else { return None };
    let (Terminator::Yield(next), Terminator::Break(0, given)) = (&body.term, &els.term) else { return None };
    let stays = then.stmts.is_empty() && els.stmts.is_empty() && then.term == Terminator::Yield(Vec::new());
    let straight = before.iter().all(|s| s.op.regions().is_empty() && !s.op.has_effect());
    let mark = *body.params.last()?;
    if !stays || !straight || next != given || body.params.len() < 2 || maps.class(mark) != Class::Index {
        return None;
    }
    let marks = Marks { maps, mark };
    let last = next.len() - 1;
    let Some(Op::Select(go, one, zero)) = maps.def(next[last]) else { return None };
    let mut used = HashSet::default();
    kernel.body.for_each_use(&mut |v| used.extend([v]));
    let kept = |at: usize| match maps.def(next[at]) {
        Some(Op::Select(c, _, old)) if *old == body.params[at + 1] && marks.implies(*c) => true,
        _ => !used.contains(&stmt.results[at]),
    };
    let settles = go == cond && marks.implies(*go) && marks.is(*one, 1) && marks.is(*zero, 0);
    (settles && (0..last).all(kept)).then_some(mark)
}

struct Marks<'m, 'f> {
    maps: &'m Maps<'f>,
    mark: Value,
}

impl Marks<'_, '_> {
    fn is(&self, value: Value, number: i64) -> bool {
        self.maps.def(value) == Some(&Op::Const(Const::Int(number)))
    }

    /// Whether a condition holds only where the mark is set.
    fn implies(&self, cond: Value) -> bool {
        match self.maps.def(cond) {
            Some(Op::Binary(Binary::Ne, a, zero)) => *a == self.mark && self.is(*zero, 0),
            Some(Op::Binary(Binary::And, a, b)) => self.implies(*a) || self.implies(*b),
            _ => false,
        }
    }
}
