//! Loops of the body whose reads can begin some iterations ahead, and how many of these are written out.
//!
//! A thread that goes through memory in a loop waits for each read before it begins the next: some 600 cycles an iteration, whatever is
//! computed. Where several iterations are written out one after the other, with the reads of all of them in front (modulo scheduling without
//! a pipeline: Lam, "Software Pipelining", 1988), it waits once for all of these. The order of what is computed and stored stays, so no bit changes.
//!
//! Reads move over what stands before them, so they must not depend on it:
//! - what they read is written by nobody in the loop, or only behind the read of the same iteration and nowhere else: each iteration stores the
//!   element that it has read, and another than all others;
//! - the addresses take nothing that the loop carries or reads late;
//! - an iteration comes to its end and cannot fail, so no element is read that the program would not have read.

use crate::hash::HashSet;

use super::access::Affine;
use super::levels::LoopId;
use super::subject::{BodyLoop, Subject, has_checks};
use super::weight;
use crate::ir::{Class, Kind, Mem, Op, Region, Size, Stmt, Terminator, Value};
use crate::kernels::dead::leaves;

/// The most iterations that are written out,
const MOST: u32 = 16;
/// registers of 32 bits that hold what is read ahead,
const WORDS: u32 = 32;
/// and operations of the iterations together.
const WORK: u32 = 96;

/// An iteration of a loop: what may stand before all that the iterations in front of it do, and the rest.
pub struct Ahead<'f> {
    /// The loop's body.
    pub body: &'f Region,
    /// Reads, and what their addresses take, in the order of the program.
    pub early: Vec<&'f Stmt>,
    /// All else, in this order.
    pub late: Vec<&'f Stmt>,
    /// How many iterations are worth it.
    pub times: u32,
}

impl<'f> Ahead<'f> {
    /// The iterations of a loop of the body; `None` if no read can begin ahead.
    pub fn of(subject: &Subject<'f>, of: LoopId) -> Option<Self> {
        let inner = subject.body_loop(of)?;
        let Op::For { body, .. } = &inner.stmt.op else { return None };
        let is_loop = |op: &Op| matches!(op, Op::For { .. } | Op::While { .. });
        let ends = matches!(body.term, Terminator::Yield(_)) && !leaves(body, 0) && !body.any(is_loop);
        if !ends || has_checks(&subject.kernel.body) {
            return None;
        }
        let around = Around { subject, inner, body };
        let carried = body.params[1..].iter().copied().collect();
        let early = early(&body.stmts, carried, &|stmt| around.may_stand_ahead(stmt));
        let reads = || early.iter().filter(|stmt| matches!(stmt.op, Op::Load(..)));
        let words: u32 = reads().map(|stmt| words(subject.func.ty(stmt.results[0]).class)).sum();
        let moves = reads().any(|stmt| around.moves(stmt));
        let work = work(body);
        let known = subject.maps.fixed_trips(inner.trip);
        let fits = |times: &u32| {
            times * words <= WORDS && times * work <= WORK && known.is_none_or(|known| known >= i64::from(*times))
        };
        let times = [MOST, MOST / 2, MOST / 4, MOST / 8].into_iter().find(fits).filter(|_| moves)?;
        let late = body.stmts.iter().filter(|stmt| !early.iter().any(|other| std::ptr::eq(*other, *stmt))).collect();
        Some(Self { body, early, late, times })
    }
}

/// Registers of 32 bits that hold a value.
pub fn words(class: Class) -> u32 {
    match class {
        Class::Double | Class::Int64 | Class::UInt64 | Class::Index => 2,
        _ => 1,
    }
}

/// The operations of a region and of those in it, with the jumps and moves around these.
fn work(region: &Region) -> u32 {
    let inner = |region: &Region| 2 + work(region);
    let own = |stmt: &Stmt| weight(&stmt.op) + stmt.op.regions().into_iter().map(inner).sum::<u32>();
    region.stmts.iter().map(own).sum()
}

/// By how much a function of the iteration numbers grows with a counter, if by the same in each of its iterations; `inside` are the values
/// that the loop's body defines.
pub fn growth(
    subject: &Subject<'_>,
    affine: &Affine,
    (counter, inside): (Value, &dyn Fn(Value) -> bool),
) -> Option<i64> {
    let still = |value: Value| {
        let mut counters = Vec::new();
        subject.maps.counters_in(value, &mut counters);
        !counters.contains(&counter)
    };
    let of_size = subject.func.symbols.is_made_of(&affine.size, &|value| !inside(value) && value != counter);
    let others = affine.uniform.iter().filter(|(value, _)| *value != counter);
    let by = affine.uniform.iter().find(|(value, _)| *value == counter).map_or(0, |(_, by)| *by);
    (of_size && others.into_iter().all(|(value, _)| still(*value))).then_some(by)
}

/// The reads that may stand in front, and what they take; `late` are values that are not there yet, and those that statements give which may not.
pub fn early<'f>(stmts: &'f [Stmt], mut late: HashSet<Value>, may: &dyn Fn(&Stmt) -> bool) -> Vec<&'f Stmt> {
    let mut free = Vec::new();
    for stmt in stmts {
        let mut takes = false;
        stmt.op.for_each_operand(&mut |value| takes |= late.contains(&value));
        if !takes && may(stmt) {
            free.push(stmt);
        } else {
            late.extend(&stmt.results);
        }
    }
    let mut needed = HashSet::default();
    let mut list: Vec<&Stmt> = Vec::new();
    for stmt in free.into_iter().rev() {
        if matches!(stmt.op, Op::Load(..)) || stmt.results.iter().any(|value| needed.contains(value)) {
            stmt.op.for_each_operand(&mut |value| _ = needed.insert(value));
            list.push(stmt);
        }
    }
    list.reverse();
    list
}

struct Around<'s, 'f> {
    subject: &'s Subject<'f>,
    inner: &'s BodyLoop<'f>,
    body: &'f Region,
}

impl Around<'_, '_> {
    /// Whether a statement may stand ahead if what it takes does.
    fn may_stand_ahead(&self, stmt: &Stmt) -> bool {
        match &stmt.op {
            Op::Load(mem, subs) => self.may_read(stmt, *mem, subs),
            Op::Size(size) => self.is_still(size),
            op => op.kind() == Kind::Elementwise || matches!(op, Op::Const(_)),
        }
    }

    /// Whether a size takes nothing of the loop.
    fn is_still(&self, size: &Size) -> bool {
        self.subject.func.symbols.is_made_of(size, &|value| !self.is_inside(value))
    }

    fn is_inside(&self, value: Value) -> bool {
        let own = |stmt: &Stmt| stmt.results.contains(&value);
        self.body.params.contains(&value) || self.body.stmts.iter().any(own)
    }

    /// Whether a read finds the same before what earlier iterations do. An in-variable is read as it is before the kernel.
    fn may_read(&self, read: &Stmt, mem: Mem, subs: &[Value]) -> bool {
        let Mem::Out(out) = mem else { return true };
        let other = |op: &Op| matches!(op, Op::Put(to, at, _) if *to == out && at != subs);
        let own = |op: &Op| matches!(op, Op::Put(to, ..) if *to == out);
        let mut before = self.body.stmts.iter().take_while(|stmt| !std::ptr::eq(*stmt, read));
        let is_first = !before.any(|stmt| own(&stmt.op) || stmt.op.regions().into_iter().any(|inner| inner.any(own)));
        !self.body.any(own) || is_first && !self.body.any(other) && self.differs(subs)
    }

    /// Whether no two iterations of the loop have the same subscripts.
    fn differs(&self, subs: &[Value]) -> bool {
        let by = |sub: &Value| self.growth(*sub).filter(|by| *by != 0);
        subs.iter().any(|sub| by(sub).is_some())
    }

    fn growth(&self, sub: Value) -> Option<i64> {
        let affine = self.subject.maps.affine(sub)?;
        growth(self.subject, &affine, (self.inner.counter, &|value| self.is_inside(value)))
    }

    /// Whether a read finds another element in each iteration, as far as is known.
    fn moves(&self, stmt: &Stmt) -> bool {
        let Op::Load(_, subs) = &stmt.op else { return false };
        subs.iter().any(|sub| self.growth(*sub) != Some(0))
    }
}
