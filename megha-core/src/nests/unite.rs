//! Fusion of index sets: two groups of statements that a time of a turned nest does are one over the union of their iterations.
//!
//! ```text
//! for i > t { for j in t+1..i { S(i, j, t) } }  for i > t { for j in i..n { S(i, j, t) } }     becomes     for i > t { for j > t { S(i, j, t) } }
//! ```
//!
//! It is what splitting an index set (M. Griebl, P. Feautrier, C. Lengauer, "Index Set Splitting", 2000) does, taken back: an elimination is written with one loop for what
//! lies below the diagonal and one for what lies above it, and looks right ([`super::imperfect`]) with the same update for both. The two triangles are one square, whose rows are
//! of one length.
//!
//! The statements must be the same up to the numbers of iterations: each loop of the one counts what the loop in its place counts in the other, by a
//! shift that may depend on the loops around it. No dependence may lead from one group to the other within a time. The innermost loops must
//! go on where the other one's end; of the loops around them one may leave iterations out, in which its inner loop has none.

use super::points::is_known;
use super::ranges::{Placed, Range, facts, within};
use super::tree::{Frame, Loop, Node};
use crate::affine::{LinExpr, System, Var};
use crate::hash::HashMap;
use crate::ir::{Class, Op, Stmt, Value};
use crate::kernels::accesses::{AffineView, Atom, Counted};

/// The groups in which the first one is both, if that may be; no dependence leads from one to the other within a time.
pub(super) fn united(
    frame: &Frame<'_>,
    around: (&[Counted], &Loop),
    first: &Placed,
    second: &Placed,
) -> Option<Placed> {
    let mut found = frame.found.borrow_mut();
    let mut pair = Pair::new(frame, &mut found.view, first, second)?;
    if !pair.are_equal() {
        return None;
    }
    let ranges = pair.union(around)?;
    let Placed { loops, nodes, time, .. } = first;
    Some(Placed { loops: loops.clone(), nodes: nodes.clone(), time: *time, ranges })
}

/// A group of statements.
struct Side<'p> {
    nodes: &'p [Node],
    /// The counter of the time, and those of the other loops.
    time: Var,
    others: Vec<Var>,
    made: HashMap<Value, &'p Stmt>,
}

impl<'p> Side<'p> {
    fn new(view: &mut AffineView<'_>, placed: &'p Placed) -> Option<Self> {
        let vars: Vec<Var> = placed.loops.iter().map(|head| view.var(Atom::Value(head.counter))).collect();
        let others = (0..vars.len()).filter(|at| *at != placed.time).map(|at| vars[at]).collect();
        let mut made = HashMap::default();
        for node in &placed.nodes {
            let Node::Stmt(stmt) = node else { return None };
            if !stmt.op.regions().is_empty() {
                return None;
            }
            made.extend(stmt.results.iter().map(|result| (*result, stmt)));
        }
        Some(Self { nodes: &placed.nodes, time: vars[placed.time], others, made })
    }

    /// The store that is the last of the statements, if it is the only one.
    fn store(&self) -> Option<&'p Stmt> {
        let is_store = |node: &&Node| matches!(node, Node::Stmt(Stmt { op: Op::Store { .. }, .. }));
        match self.nodes.last()? {
            Node::Stmt(stmt) if is_store(&self.nodes.last()?) && self.nodes.iter().filter(is_store).count() == 1 => {
                Some(stmt)
            }
            Node::Stmt(_) | Node::Loop(_) => None,
        }
    }
}

/// Where a loop begins and ends.
type Ends = (LinExpr, LinExpr);

struct Pair<'u, 'f> {
    frame: &'u Frame<'f>,
    view: &'u mut AffineView<'f>,
    sides: [Side<'u>; 2],
    placed: [&'u Placed; 2],
    /// What is added to the first one's counters to make the second one's, as far as it is known.
    shifts: Vec<Option<LinExpr>>,
}

impl<'u, 'f> Pair<'u, 'f> {
    fn new(frame: &'u Frame<'f>, view: &'u mut AffineView<'f>, first: &'u Placed, second: &'u Placed) -> Option<Self> {
        let sides = [Side::new(view, first)?, Side::new(view, second)?];
        let [a, b] = &sides;
        let same = |at: usize| a.others[at] == b.others[at];
        let shared = |var: &Var| b.others.contains(var) || b.time == *var;
        // A loop around both is in the same place of both.
        let are_alike = a.others.len() == b.others.len()
            && !a.others.is_empty()
            && (a.time == b.time || !shared(&a.time))
            && (0..a.others.len()).all(|at| same(at) || !shared(&a.others[at]));
        let shifts = (0..a.others.len()).map(|at| (are_alike && same(at)).then(LinExpr::default)).collect();
        are_alike.then_some(Self { frame, view, sides, placed: [first, second], shifts })
    }

    /// Whether both do the same; finds the shifts.
    fn are_equal(&mut self) -> bool {
        let (Some(a), Some(b)) = (self.sides[0].store(), self.sides[1].store()) else { return false };
        self.same_stmt(a, b) && self.shifts.iter().all(Option::is_some)
    }

    fn same_stmt(&mut self, a: &Stmt, b: &Stmt) -> bool {
        let operands = |stmt: &Stmt| {
            let (mut op, mut operands) = (stmt.op.clone(), Vec::new());
            op.for_each_operand_mut(&mut |value| operands.push(std::mem::replace(value, Value::new(0))));
            (op, operands)
        };
        let ((op, of_a), (other, of_b)) = (operands(a), operands(b));
        op == other && of_a.len() == of_b.len() && of_a.into_iter().zip(of_b).all(|(a, b)| self.same_value(a, b))
    }

    fn same_value(&mut self, a: Value, b: Value) -> bool {
        match (self.frame.array(a), self.frame.array(b)) {
            (None, None) => {}
            (one, other) => return one == other,
        }
        let [ty, other] = [a, b].map(|value| self.frame.func.ty(value));
        if ty != other {
            return false;
        }
        if ty.class == Class::Index
            && let (Some(a), Some(b)) = (self.view.expr(a), self.view.expr(b))
        {
            return self.same_sum(&a, &b);
        }
        match [self.sides[0].made.get(&a).copied(), self.sides[1].made.get(&b).copied()] {
            [Some(a), Some(b)] => self.same_stmt(a, b),
            [None, None] => a == b,
            [Some(_), None] | [None, Some(_)] => false,
        }
    }

    /// Whether two sums are the same, perhaps by a shift that is found here.
    fn same_sum(&mut self, a: &LinExpr, b: &LinExpr) -> bool {
        let unknown = |at: &usize| self.shifts[*at].is_none() && b.coefficient(self.sides[1].others[*at]) != 0;
        let unknown: Vec<usize> = (0..self.shifts.len()).filter(unknown).collect();
        let [at] = unknown[..] else {
            return unknown.is_empty() && self.translated(b).is_some_and(|b| b == *a);
        };
        let (own, other) = (self.sides[0].others[at], self.sides[1].others[at]);
        if (a.coefficient(own), b.coefficient(other)) != (1, 1) {
            return false;
        }
        let rest = |sum: &LinExpr, var: Var| sum.checked_sub(&LinExpr::var(var));
        let shift = rest(b, other).and_then(|b| rest(a, own)?.checked_sub(&self.translated(&b)?));
        // It may depend on loops around it only.
        self.shifts[at] = shift.filter(|s| self.sides[0].others[at..].iter().all(|var| s.coefficient(*var) == 0));
        self.shifts[at].is_some()
    }

    /// What is in terms of the second one's counters in terms of those of the first.
    fn translated(&self, sum: &LinExpr) -> Option<LinExpr> {
        let [a, b] = &self.sides;
        let mut new = LinExpr::constant(sum.constant_term());
        for (var, by) in sum.terms() {
            let value = match b.others.iter().position(|other| *other == var) {
                Some(at) => LinExpr::var(a.others[at]).checked_add(self.shifts[at].as_ref()?)?,
                None if var == b.time => LinExpr::var(a.time),
                None => LinExpr::var(var),
            };
            new = new.checked_add(&value.checked_scale(by)?)?;
        }
        Some(new)
    }

    /// The ends of the loops of each, in terms of the first one's counters.
    fn ends(&mut self) -> Option<[Vec<Ends>; 2]> {
        let [first, second] = self.placed;
        let mut of = |range: &Range| {
            let [start, trip] = [range.start.expr(self.view)?, range.trip.expr(self.view)?];
            let end = start.checked_add(&trip)?;
            Some((start, end))
        };
        let [a, b]: [Option<Vec<Ends>>; 2] = [first, second].map(|placed| placed.ranges.iter().map(&mut of).collect());
        let shifted = |((start, end), at): (Ends, usize)| {
            let shift = self.shifts[at].as_ref()?;
            let [start, end] = [start, end].map(|end| self.translated(&end)?.checked_sub(shift));
            Some((start?, end?))
        };
        Some([a?, b?.into_iter().zip(0..).map(shifted).collect::<Option<_>>()?])
    }

    /// The ranges of the first one's loops in which it goes through the iterations of both.
    fn union(&mut self, (outer, outermost): (&[Counted], &Loop)) -> Option<Vec<Range>> {
        let mut ends = self.ends()?;
        let times = outermost.trip.expr(self.view)?;
        let loops: Vec<Counted> =
            self.placed.iter().flat_map(|placed| placed.loops.iter().map(Loop::counted)).collect();
        let known = [outer, &loops].concat();
        let are_known = ends
            .iter()
            .flatten()
            .flat_map(|(start, end)| start.terms().chain(end.terms()))
            .all(|(var, _)| is_known(self.frame, self.view, &known, var));
        if !are_known {
            return None;
        }
        let mut system = facts(self.view, (outer, &loops), &times);
        within(&mut system, self.sides[0].time, (&LinExpr::default(), &times));
        let last = self.sides[0].others.len() - 1;
        let mut hull: Vec<Ends> = Vec::new();
        for at in 0..last {
            let candidates =
                [0, 1].into_iter().flat_map(|a| [0, 1].map(|b| (ends[a][at].0.clone(), ends[b][at].1.clone())));
            let own = self.sides[0].others[at];
            let both = candidates.into_iter().find(|both| {
                is_natural(&system, both)
                    && ends.iter().all(|side| is_as_good(&system, own, both, &side[at], &side[last]))
            })?;
            within(&mut system, own, (&both.0, &both.1));
            hull.push(both);
        }
        if ends[0][last].1 != ends[1][last].0 {
            ends.swap(0, 1);
        }
        let [a, b] = &ends;
        let is_whole = a[last].1 == b[last].0 && [a, b].into_iter().all(|side| is_natural(&system, &side[last]));
        hull.push((a[last].0.clone(), b[last].1.clone()));
        if !is_whole {
            return None;
        }
        hull.iter().map(|(start, end)| Range::of(self.view, start, &end.checked_sub(start)?)).collect()
    }
}

/// Whether a loop over one range does what it does over its own: in what is in the one of them alone, the innermost loop has no iterations.
fn is_as_good(system: &System, var: Var, new: &Ends, own: &Ends, innermost: &Ends) -> bool {
    [(new, own), (own, new)].into_iter().all(|(here, there)| {
        let var = LinExpr::var(var);
        let before = there.0.checked_sub(&var).and_then(|left| left.checked_offset(-1));
        [(here.0 == there.0, before), (here.1 == there.1, var.checked_sub(&there.1))].into_iter().all(
            |(is_same, edge)| {
                let mut outside = system.clone();
                let sides =
                    [var.checked_sub(&here.0), here.1.checked_sub(&var).and_then(|left| left.checked_offset(-1)), edge];
                let are_known =
                    sides.into_iter().all(|side| side.map(|side| outside.require_nonnegative(side)).is_some());
                let none = innermost.0.checked_sub(&innermost.1);
                is_same || are_known && none.is_some_and(|none| outside.implies(&none) == Some(true))
            },
        )
    })
}

fn is_natural(system: &System, (start, end): &Ends) -> bool {
    end.checked_sub(start).is_some_and(|trip| system.implies(&trip) == Some(true))
}
