//! Scalar replacement across iterations: what a loop of a kernel reads where it stored a few iterations ago, it hands on in scalars
//! (D. Callahan, S. Carr, K. Kennedy, "Improving Register Allocation for Subscripted Variables", PLDI 1990, section 3).
//!
//! ```text
//! for j { p(i, j) = f(p(i, j-1)) }     becomes     t = p(i, 0);  for j, carrying t { t' = f(t); p(i, j) = t'; hand on t' }
//! ```
//!
//! The store stays, the load goes: a chain of operations then waits for no memory, and several points go through it in registers. The compiler of the
//! generated code cannot do that, for it does not know that other stores reach other elements; here the loop has one store to the array, whose element moves in each
//! iteration, so the element of some iterations ago still has what was stored then.
//!
//! What the first iterations read is a value that was stored right before the loop, or is loaded there, behind a test of whether the loop
//! has so many iterations: the element exists only then.

use super::accesses::{AffineView, Definitions};
use super::dead::leaves;
use crate::affine::LinExpr;
use crate::hash::HashMap;
use crate::ir::{Binary, Class, Const, Func, Mem, Op, Region, Stmt, Terminator, Type, Value};

/// How many iterations an element is handed on at most: each takes a register of every point.
const FARTHEST: i64 = 4;

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
    out: usize,
    /// The subscripts of the store, and what is stored.
    subs: Vec<Value>,
    stored: Value,
    /// Loads, and how many iterations ago the element was stored.
    reads: Vec<Read>,
}

struct Read {
    result: Value,
    subs: Vec<Value>,
    distance: i64,
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
            while let Some(recurrence) = self.recurrence(&stmt) {
                self.rewrite(&mut stmt, &recurrence, &mut region.stmts);
                self.changed = true;
            }
            region.stmts.push(stmt);
        }
    }

    /// An array of a loop that still reads what it stored.
    fn recurrence(&self, stmt: &Stmt) -> Option<Recurrence> {
        let Op::For { body, .. } = &stmt.op else { return None };
        if leaves(body, 0) || !matches!(body.term, Terminator::Yield(_)) {
            return None;
        }
        body.stmts.iter().find_map(|stmt| match &stmt.op {
            Op::Put(out, subs, stored) => self.of_store(body, *out, subs, *stored),
            _ => None,
        })
    }

    fn of_store(&self, body: &Region, out: usize, subs: &[Value], stored: Value) -> Option<Recurrence> {
        if body.count(|op| matches!(op, Op::Put(o, ..) if *o == out)) > 1 {
            return None;
        }
        let mut place = Place::of(self, body, subs)?;
        let reads = body.stmts.iter().filter_map(|stmt| match &stmt.op {
            Op::Load(Mem::Out(from), subs) if *from == out => {
                let distance = place.distance(subs).filter(|distance| (1..=FARTHEST).contains(distance))?;
                Some(Read { result: stmt.results[0], subs: subs.clone(), distance })
            }
            _ => None,
        });
        let reads: Vec<Read> = reads.collect();
        (!reads.is_empty()).then(|| Recurrence { out, subs: subs.to_vec(), stored, reads })
    }

    /// Makes a loop, which stands behind these statements, hand on what it stores.
    fn rewrite(&mut self, stmt: &mut Stmt, recurrence: &Recurrence, before: &mut Vec<Stmt>) {
        let farthest = recurrence.reads.iter().map(|read| read.distance).max().unwrap_or(0);
        for distance in 1..=farthest {
            let first = self.first(stmt, recurrence, distance, before);
            if let Op::For { init, .. } = &mut stmt.op {
                init.push(first);
            }
            stmt.results.push(self.func.new_like(recurrence.stored));
        }
        let Op::For { body, .. } = &mut stmt.op else { return };
        let handed: Vec<Value> = (0..farthest).map(|_| self.func.new_like(recurrence.stored)).collect();
        body.params.extend(&handed);
        if let Terminator::Yield(values) = &mut body.term {
            values.push(recurrence.stored);
            values.extend(&handed[..handed.len() - 1]);
        }
        let new: HashMap<Value, Value> =
            recurrence.reads.iter().map(|read| (read.result, handed[read.distance as usize - 1])).collect();
        body.stmts.retain(|stmt| !stmt.results.iter().any(|result| new.contains_key(result)));
        replace(body, &new);
    }

    /// What was stored so many iterations before the first one.
    fn first(&mut self, stmt: &Stmt, recurrence: &Recurrence, distance: i64, before: &mut Vec<Stmt>) -> Value {
        let Op::For { trip, body, .. } = &stmt.op else { unreachable!("recurrences are those of loops") };
        if let Some(value) = self.stored_before(body, recurrence, distance, before) {
            return value;
        }
        // The read of so many iterations ago or more, in the iteration that reads this element.
        let reads = recurrence.reads.iter().filter(|read| read.distance >= distance);
        let read = reads.min_by_key(|read| read.distance).expect("the farthest read is as far");
        let iteration = read.distance - distance;
        let number = self.func.new_value(Type::scalar(Class::Index));
        let runs = self.func.new_value(Type::scalar(Class::Logical));
        let loc = stmt.loc;
        before.push(Stmt { results: vec![number], op: Op::Const(Const::Int(iteration)), loc });
        before.push(Stmt { results: vec![runs], op: Op::Binary(Binary::Lt, number, *trip), loc });
        let mut copy = Copy { func: self.func, body, known: HashMap::default(), stmts: Vec::new() };
        copy.known.insert(body.params[0], number);
        let subs: Vec<Value> = read.subs.iter().map(|sub| copy.value(*sub)).collect();
        let mut stmts = copy.stmts;
        let [loaded, none, first] = [(); 3].map(|()| self.func.new_like(recurrence.stored));
        stmts.push(Stmt { results: vec![loaded], op: Op::Load(Mem::Out(recurrence.out), subs), loc });
        let then = Region { params: Vec::new(), stmts, term: Terminator::Yield(vec![loaded]) };
        let zero = match self.func.ty(none).class {
            Class::Double | Class::Single => Const::Float(0.0),
            Class::Logical => Const::Bool(false),
            _ => Const::Int(0),
        };
        let zero = vec![Stmt { results: vec![none], op: Op::Const(zero), loc }];
        let els = Region { params: Vec::new(), stmts: zero, term: Terminator::Yield(vec![none]) };
        let op = Op::If { cond: runs, then: Box::new(then), els: Box::new(els) };
        before.push(Stmt { results: vec![first], op, loc });
        first
    }

    /// The value that statements before the loop store there last, if they store to no other place that may be the same.
    fn stored_before(&self, body: &Region, recurrence: &Recurrence, distance: i64, before: &[Stmt]) -> Option<Value> {
        let mut place = Place::of(self, body, &recurrence.subs)?;
        let wanted = place.before_first(distance)?;
        for stmt in before.iter().rev() {
            match &stmt.op {
                Op::Put(out, subs, value) if *out == recurrence.out => {
                    let apart: Vec<LinExpr> = subs
                        .iter()
                        .zip(&wanted)
                        .map(|(sub, wanted)| place.view.expr(*sub)?.checked_sub(wanted))
                        .collect::<Option<_>>()?;
                    let far: Vec<Option<i64>> = apart.iter().map(LinExpr::as_constant).collect();
                    if far.iter().all(|far| *far == Some(0)) {
                        return Some(*value);
                    }
                    far.iter().any(|far| far.is_some_and(|far| far != 0)).then_some(())?;
                }
                op if op
                    .regions()
                    .into_iter()
                    .any(|r| r.any(|op| matches!(op, Op::Put(o, ..) if *o == recurrence.out))) =>
                {
                    return None;
                }
                _ => {}
            }
        }
        None
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
        if subs.len() != self.subs.len() {
            return None;
        }
        let mut distance = None;
        for ((sub, stored), step) in subs.iter().zip(&self.subs).zip(&self.steps) {
            let behind = stored.checked_sub(&self.view.expr(*sub)?)?.as_constant()?;
            match step {
                0 if behind == 0 => {}
                0 => return None,
                step if behind % step == 0 && distance.is_none_or(|known| known == behind / step) => {
                    distance = Some(behind / step);
                }
                _ => return None,
            }
        }
        distance
    }

    /// The subscripts so many iterations before the first.
    fn before_first(&self, distance: i64) -> Option<Vec<LinExpr>> {
        let at_zero = |(sub, step): (&LinExpr, &i64)| sub.checked_sub(&self.counter.checked_scale(*step)?);
        let back = |(sub, step): (&LinExpr, &i64)| at_zero((sub, step))?.checked_offset(-distance.checked_mul(*step)?);
        self.subs.iter().zip(&self.steps).map(back).collect()
    }
}

/// Copies what subscripts are computed from in a loop's body to where the loop's counter is a number.
struct Copy<'c> {
    func: &'c mut Func,
    body: &'c Region,
    /// What stands for values of the body.
    known: HashMap<Value, Value>,
    stmts: Vec<Stmt>,
}

impl Copy<'_> {
    fn value(&mut self, value: Value) -> Value {
        if let Some(known) = self.known.get(&value) {
            return *known;
        }
        let Some(stmt) = self.body.stmts.iter().find(|stmt| stmt.results[..] == [value]) else { return value };
        let mut op = stmt.op.clone();
        op.for_each_operand_mut(&mut |operand| *operand = self.value(*operand));
        let new = self.func.new_like(value);
        self.stmts.push(Stmt { results: vec![new], op, loc: stmt.loc });
        self.known.insert(value, new);
        new
    }
}

/// Puts values in the place of others, in all of a region.
fn replace(region: &mut Region, new: &HashMap<Value, Value>) {
    let mut put = |value: &mut Value| *value = new.get(value).copied().unwrap_or(*value);
    for stmt in &mut region.stmts {
        stmt.op.for_each_operand_mut(&mut put);
        stmt.op.regions_mut().into_iter().for_each(|nested| replace(nested, new));
    }
    region.term.values_mut().iter_mut().for_each(put);
}

#[cfg(test)]
mod tests;
