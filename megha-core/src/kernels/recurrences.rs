//! Scalar replacement across iterations: what a loop of a kernel reads where it stored a few iterations ago, it hands on in scalars
//! (D. Callahan, S. Carr, K. Kennedy, "Improving Register Allocation for Subscripted Variables", PLDI 1990, section 3).
//!
//! ```text
//! p(i, 0) = t;  for j { p(i, j) = f(p(i, j-1)) }     becomes     p(i, 0) = t;  for j, carrying t { t' = f(t); p(i, j) = t'; hand on t' }
//! ```
//!
//! The store stays, the load goes: a chain of operations then waits for no memory, and several points go through it in registers. The compiler of the
//! generated code cannot do that, for it does not know that other stores reach other elements; here the loop has one store to the array, whose element moves in each
//! iteration, so the element of some iterations ago still has what was stored then.
//!
//! What the first iterations read must be a value that the body stores before the loop. It is not loaded there: the element exists only if the loop has
//! so many iterations, and behind a test a load is one of single elements, which keeps all that touch the array from being rows.

use super::accesses::{AffineView, Definitions};
use super::dead::leaves;
use crate::affine::LinExpr;
use crate::hash::HashMap;
use crate::ir::{Func, Mem, Op, Region, Stmt, Terminator, Value};

/// How many iterations an element is handed on at most: each takes a register of every point.
const FARTHEST: i64 = 2;

/// Rewrites the loops in a function's kernels; tells whether there were any.
pub fn run(func: &mut Func) -> bool {
    let is_loop =
        |op: &Op| matches!(op, Op::For { body, .. } if body.stmts.iter().any(|s| matches!(s.op, Op::Put(..))));
    if !func.body.any(is_loop) {
        return false;
    }
    let defs = Definitions::of(func);
    let mut body = std::mem::take(&mut func.body);
    let mut pass = Pass { func, defs: &defs, changed: false };
    body.walk_mut(&mut |stmt| {
        if let Op::Kernel(kernel) = &mut stmt.op {
            pass.region(&mut kernel.body);
        }
    });
    let changed = pass.changed;
    func.body = body;
    changed
}

/// An array that a loop stores to, and reads where it stored before.
struct Recurrence {
    /// What the loop stores.
    stored: Value,
    /// Results of loads, and how many iterations ago the element was stored.
    reads: Vec<(Value, i64)>,
    /// What was stored one iteration before the first, and so on, as far as it is read.
    firsts: Vec<Value>,
}

struct Pass<'f> {
    func: &'f mut Func,
    defs: &'f Definitions,
    changed: bool,
}

impl Pass<'_> {
    fn region(&mut self, region: &mut Region) {
        for mut stmt in std::mem::take(&mut region.stmts) {
            stmt.op.regions_mut().into_iter().for_each(|nested| self.region(nested));
            // One by one: what one hands on another may store.
            while let Some(recurrence) = self.recurrence(&stmt, &region.stmts) {
                self.rewrite(&mut stmt, &recurrence);
                self.changed = true;
            }
            region.stmts.push(stmt);
        }
    }

    /// An array of a loop, which stands behind these statements, that still reads what it stored.
    fn recurrence(&self, stmt: &Stmt, before: &[Stmt]) -> Option<Recurrence> {
        let Op::For { body, .. } = &stmt.op else { return None };
        if leaves(body, 0) || !matches!(body.term, Terminator::Yield(_)) {
            return None;
        }
        body.stmts.iter().find_map(|stmt| match &stmt.op {
            Op::Put(out, subs, stored) => self.of_store(body, (*out, subs, *stored), before),
            _ => None,
        })
    }

    fn of_store(
        &self,
        body: &Region,
        (out, subs, stored): (usize, &[Value], Value),
        before: &[Stmt],
    ) -> Option<Recurrence> {
        if body.count(|op| matches!(op, Op::Put(o, ..) if *o == out)) > 1 {
            return None;
        }
        let mut place = Place::of(self, body, subs)?;
        let reads = body.stmts.iter().filter_map(|stmt| match &stmt.op {
            Op::Load(Mem::Out(from), subs) if *from == out => Some((stmt.results[0], place.distance(subs)?)),
            _ => None,
        });
        let mut reads: Vec<(Value, i64)> = reads.filter(|(_, distance)| (1..=FARTHEST).contains(distance)).collect();
        let farthest = reads.iter().map(|(_, distance)| *distance).max()?;
        let first = |distance| place.stored_before(out, distance, before);
        let firsts: Vec<Value> = (1..=farthest).map_while(first).collect();
        reads.retain(|(_, distance)| *distance <= firsts.len() as i64);
        (!reads.is_empty()).then_some(Recurrence { stored, reads, firsts })
    }

    /// Makes a loop hand on what it stores.
    fn rewrite(&mut self, stmt: &mut Stmt, recurrence: &Recurrence) {
        let Op::For { init, body, .. } = &mut stmt.op else { return };
        let farthest = recurrence.reads.iter().map(|(_, distance)| *distance as usize).max().unwrap_or(0);
        let mut new = || -> Vec<Value> { (0..farthest).map(|_| self.func.new_like(recurrence.stored)).collect() };
        let (handed, results) = (new(), new());
        init.extend(&recurrence.firsts[..farthest]);
        stmt.results.extend(results);
        body.params.extend(&handed);
        if let Terminator::Yield(values) = &mut body.term {
            values.push(recurrence.stored);
            values.extend(&handed[..handed.len() - 1]);
        }
        let new: HashMap<Value, Value> =
            recurrence.reads.iter().map(|(read, distance)| (*read, handed[*distance as usize - 1])).collect();
        replace(body, &new);
    }
}

/// Where a loop stores.
struct Place<'p> {
    view: AffineView<'p>,
    /// The subscripts,
    subs: Vec<LinExpr>,
    /// and by how much each moves from one iteration to the next; one does.
    steps: Vec<i64>,
    counter: LinExpr,
}

impl<'p> Place<'p> {
    fn of(pass: &'p Pass<'_>, body: &Region, subs: &[Value]) -> Option<Self> {
        let counter = body.params[0];
        let mut view = AffineView::new(&pass.func.symbols, pass.defs, [pass.defs.scope_of(counter)?]);
        let counter = view.expr(counter)?;
        let (var, _) = counter.terms().next()?;
        let subs: Vec<LinExpr> = subs.iter().map(|sub| view.expr(*sub)).collect::<Option<_>>()?;
        let steps: Vec<i64> = subs.iter().map(|sub| sub.coefficient(var)).collect();
        steps.iter().any(|step| *step != 0).then_some(Self { view, subs, steps, counter })
    }

    /// How many iterations ago the loop stored what it reads under these subscripts, if that is one number.
    fn distance(&mut self, subs: &[Value]) -> Option<i64> {
        let read: Vec<LinExpr> = subs.iter().map(|sub| self.view.expr(*sub)).collect::<Option<_>>()?;
        match Stored::of(&self.subs, &read, &self.steps) {
            Stored::Ago(distance) => Some(distance),
            Stored::Never | Stored::Unknown => None,
        }
    }

    /// The value that statements before the loop store last where it would have stored so many iterations before the first, if they
    /// store to no other place that may be the same.
    fn stored_before(&mut self, array: usize, distance: i64, before: &[Stmt]) -> Option<Value> {
        let wanted = self.before_first(distance)?;
        for stmt in before.iter().rev() {
            match &stmt.op {
                Op::Put(out, subs, value) if *out == array => {
                    // Another way to number elements is not compared.
                    (subs.len() == wanted.len()).then_some(())?;
                    let mut apart = |(sub, wanted): (&Value, &LinExpr)| self.view.expr(*sub)?.checked_sub(wanted);
                    let far: Option<Vec<LinExpr>> = subs.iter().zip(&wanted).map(&mut apart).collect();
                    let far: Vec<Option<i64>> = far?.iter().map(LinExpr::as_constant).collect();
                    if far.iter().all(|far| *far == Some(0)) {
                        return Some(*value);
                    }
                    far.iter().any(|far| far.is_some_and(|far| far != 0)).then_some(())?;
                }
                op if op
                    .regions()
                    .into_iter()
                    .any(|region| region.any(|op| matches!(op, Op::Put(o, ..) if *o == array))) =>
                {
                    return None;
                }
                _ => {}
            }
        }
        None
    }

    /// The subscripts so many iterations before the first.
    fn before_first(&self, distance: i64) -> Option<Vec<LinExpr>> {
        let at_zero = |(sub, step): (&LinExpr, &i64)| sub.checked_sub(&self.counter.checked_scale(*step)?);
        let back = |(sub, step): (&LinExpr, &i64)| at_zero((sub, step))?.checked_offset(-distance.checked_mul(*step)?);
        self.subs.iter().zip(&self.steps).map(back).collect()
    }
}

/// When a store of a loop has stored an element that the loop reads.
pub(crate) enum Stored {
    Never,
    /// So many iterations before; after, if negative.
    Ago(i64),
    Unknown,
}

impl Stored {
    /// Of subscripts of a store and of a read, if those of the store move by so much from one iteration to the next.
    pub(crate) fn of(stored: &[LinExpr], read: &[LinExpr], steps: &[i64]) -> Self {
        // Another way to number elements is not compared.
        if stored.len() != read.len() {
            return Self::Unknown;
        }
        let mut distance = None;
        for ((stored, read), step) in stored.iter().zip(read).zip(steps) {
            let Some(behind) = stored.checked_sub(read).and_then(|behind| behind.as_constant()) else {
                return Self::Unknown;
            };
            match (behind.checked_rem(*step), behind.checked_div(*step)) {
                (Some(0), Some(ago)) if distance.is_none_or(|known| known == ago) => distance = Some(ago),
                (Some(_), Some(_)) => return Self::Never,
                // The step is zero, or what it divides the least number.
                _ if *step != 0 => return Self::Unknown,
                _ if behind != 0 => return Self::Never,
                _ => {}
            }
        }
        distance.map_or(Self::Unknown, Self::Ago)
    }
}

/// Puts values in the place of what statements read, which go, in all of a region.
pub(crate) fn replace(region: &mut Region, new: &HashMap<Value, Value>) {
    region.stmts.retain(|stmt| !stmt.results.iter().any(|result| new.contains_key(result)));
    let mut put = |value: &mut Value| {
        // What is handed on may itself have been read.
        while let Some(other) = new.get(value) {
            *value = *other;
        }
    };
    for stmt in &mut region.stmts {
        stmt.op.for_each_operand_mut(&mut put);
        stmt.op.regions_mut().into_iter().for_each(|nested| replace(nested, new));
    }
    region.term.values_mut().iter_mut().for_each(put);
}

#[cfg(test)]
mod tests;
