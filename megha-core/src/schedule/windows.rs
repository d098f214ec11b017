//! Kernels whose rows share what sequential loops read, or windows of it: convolutions, filters across rows, contractions.
//!
//! ```text
//! y[i, j] = sum over k, l of h[k, l] * x[i + k, j + l]
//! ```
//! Row `i` reads in iteration `k` what row `i + 1` reads in iteration `k - 1`. So a few rows go through the loop together, each one an iteration later than the one
//! before it (unroll-and-jam of the skewed nest: M. Wolfe, "Loop skewing", IJPP 15, 1986; S. Carr and K. Kennedy, "Improving the ratio of memory operations to
//! floating-point operations in loops", TOPLAS 16, 1994): what they share is loaded once for all of them, and their sums stay in registers. Each row goes through its
//! iterations in order, so bits do not change. A load of a register at any place reaches two lines of the cache, which takes as long as two multiplications and additions.
//!
//! Where rows read the same in each iteration (`y[i, j, c] = sum over k, l of h[k, l, c] * x[i + k, j + l]`: rows along `j` read the same of `h`), they go through the loops
//! side by side; that is the first choice, of the innermost loop along which it is so. Rows of fewer points than a register tile has, and fewer rows, are tiles of fewer registers.
//!
//! Taken where one loop stands in the body, perhaps with others inside, each alone in the one around it, the innermost is straight-line arithmetic of one
//! floating-point class, and all that moves along the points is read by rows from arrays that the kernel does not write, unshifted or shifted by one of these loops.

use super::access::Access;
use super::levels::LoopId;
use super::order::{Memory, is_consecutive};
use super::panels::{Nest, ROWS};
use super::subject::Subject;
use super::sweep::{kept, moves};
use super::weight;
use crate::ir::{Class, Mem, Op, Region, Stmt, Terminator, Value};

/// The most operations that a point takes before and behind the loop: more are parted into loops of their own, which are better long.
const LIGHT: u32 = 32;

/// Rows that go through the loop together.
pub const TOGETHER: u32 = ROWS;

/// How a kernel goes through windows of rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Windows {
    /// The loop that stands in the body.
    pub of: LoopId,
    /// The counters of that loop and of those inside, and their numbers of iterations, outermost first.
    pub loops: Vec<(Value, Value)>,
    /// Which of them moves from one row to the next, unless rows read the same in the same iteration.
    pub moving: Option<usize>,
    /// The loops of the domain, outermost first: of rows the last but one, along their points the last.
    pub order: Vec<usize>,
    /// The class of all numbers in it.
    pub class: Class,
    /// The loads that rows share.
    pub shared: Vec<*const Op>,
}

impl Windows {
    /// The windows of a kernel whose loops stand in this order, if it has any.
    pub fn of(subject: &Subject<'_>, memory: Memory, order: &[usize]) -> Option<Self> {
        let [outer @ .., along] = order else { return None };
        let rows = *outer.last()?;
        let fits = |axis: usize| subject.is_long(axis) && subject.is_even(axis);
        let plain = subject.reduced().is_none() && !subject.maps.is_narrowed();
        let direct = subject.body_ids().filter(|id| subject.direct_loop(*id).is_some()).collect::<Vec<_>>();
        let [of] = direct[..] else { return None };
        (plain
            && fits(*along)
            && around(subject) <= LIGHT
            && subject.body_ids().all(|id| subject.body_loop(id).is_some_and(|l| l.is_uniform())))
        .then_some(())?;
        let (loops, innermost) = chain(subject, of)?;
        let class = subject.func.ty(*innermost.params.get(1)?).class;
        let nest = Nest { subject, memory, outer: &outer[..outer.len() - 1], rows, along: *along, class };
        (class.is_float() && nest.is_arithmetic(innermost, &[])).then_some(())?;
        let shared = shared(&nest, innermost)?;
        let is_same =
            |access: &&Access<'_>, rows: usize| access.step(rows).is_some_and(|step| step.iter().all(|by| *by == 0));
        let alike = |axis: &usize| fits(*axis) && shared.iter().all(|access| is_same(access, *axis));
        let alike = outer.iter().copied().rev().find(alike);
        let follows = |access: &&Access<'_>, counter: Value| {
            let step = access.step(rows).filter(|step| step.iter().any(|by| *by != 0));
            step.is_some() && step == access.body_step(counter) && is_shifted(subject, access, counter)
        };
        let follow = |at: &usize| shared.iter().all(|access| follows(access, loops[*at].0));
        let (rows, moving) = match alike {
            Some(alike) => (alike, None),
            None => (rows, Some((0..loops.len()).find(follow).filter(|_| fits(rows))?)),
        };
        let order = outer.iter().copied().filter(|axis| *axis != rows).chain([rows, *along]).collect();
        let shared = shared.iter().map(|access| std::ptr::from_ref(access.op)).collect();
        Some(Self { of, loops, moving, order, class, shared })
    }
}

/// What moves along the points of rows, if there is something and all of it is read by rows from arrays that stay.
fn shared<'s>(nest: &'s Nest<'_, '_>, innermost: &Region) -> Option<Vec<&'s Access<'s>>> {
    let Nest { subject, memory, along, .. } = *nest;
    let loads = innermost.stmts.iter().filter(|stmt| matches!(stmt.op, Op::Load(..)));
    let accesses = loads.map(|stmt| subject.accesses.iter().find(|access| std::ptr::eq(access.op, &stmt.op)));
    let accesses: Vec<&Access<'_>> = accesses.collect::<Option<_>>()?;
    let stays = |access: &&Access<'_>| !access.conditional && matches!(access.mem, Mem::In(_)) && nest.stays(access);
    if !accesses.iter().all(stays) {
        return None;
    }
    let shared: Vec<&Access<'_>> = accesses.into_iter().filter(|access| moves_along(access, along)).collect();
    let in_rows = |access: &&Access<'_>| {
        access.step(along).is_some_and(|step| is_consecutive(&step, &subject.ty(access.mem).dims, memory))
    };
    let is_whole = |access: &&Access<'_>| {
        let dims = &subject.ty(access.mem).dims;
        access.map.as_ref().is_some_and(|map| map.len() > 1 || dims.iter().filter(|dim| !dim.is_one()).count() <= 1)
    };
    let fits = !shared.is_empty() && shared.iter().all(|access| in_rows(access) && is_whole(access));
    fits.then_some(shared)
}

/// The weight of what stands around the loops.
fn around(subject: &Subject<'_>) -> u32 {
    let stmts = subject.maps.inside(subject.kernel).stmts.iter();
    stmts
        .filter(|stmt| !matches!(stmt.op, Op::For { .. } | Op::Load(..) | Op::Put(..)))
        .map(|stmt| weight(&stmt.op))
        .sum()
}

/// Whether an access moves from one point of a row to the next.
fn moves_along(access: &Access<'_>, along: usize) -> bool {
    access.step(along).is_none_or(|step| step.iter().any(|by| *by != 0))
}

/// Whether an access moves with a counter by its step alone.
fn is_shifted(subject: &Subject<'_>, access: &Access<'_>, counter: Value) -> bool {
    let others = access.map.iter().flatten().flat_map(|affine| &affine.uniform).map(|(value, _)| *value);
    others.filter(|value| *value != counter).all(|value| !moves(&subject.maps, value, &[counter]))
}

/// The counters and numbers of iterations of a loop and of those inside, each alone in the one around it, and the body of the innermost. All hand on one value, and run
/// as often whatever the others count.
fn chain<'f>(subject: &Subject<'f>, of: LoopId) -> Option<(Vec<(Value, Value)>, &'f Region)> {
    let mut stmt = subject.direct_loop(of)?.stmt;
    let (mut loops, mut counters) = (Vec::new(), Vec::new());
    loop {
        let Op::For { trip, init, body, .. } = &stmt.op else { return None };
        let ([counter, sum], [_]) = (&body.params[..], &init[..]) else { return None };
        let steady = !moves(&subject.maps, *trip, &counters);
        (steady && kept(&subject.maps, &subject.accesses, body).is_empty()).then_some(())?;
        loops.push((*counter, *trip));
        counters.push(*counter);
        let inner: Vec<&Stmt> = body.stmts.iter().filter(|stmt| matches!(stmt.op, Op::For { .. })).collect();
        match inner[..] {
            [] => return Some((loops, body)),
            [only] if hands_on(subject, body, only, *sum) => stmt = only,
            _ => return None,
        }
    }
}

/// Whether a loop's body does nothing but to hand its sum to the loop inside and on from there.
fn hands_on(subject: &Subject<'_>, body: &Region, inner: &Stmt, sum: Value) -> bool {
    let Op::For { init, .. } = &inner.op else { return false };
    let is_counting = |stmt: &Stmt| {
        stmt.results.iter().all(|result| subject.maps.class(*result) == Class::Index) && stmt.op.regions().is_empty()
    };
    let others = || body.stmts.iter().filter(|stmt| !std::ptr::eq(*stmt, inner));
    let Terminator::Yield(yielded) = &body.term else { return false };
    init[..] == [sum]
        && *yielded == inner.results
        && others().all(|stmt| is_counting(stmt) && !matches!(stmt.op, Op::Load(..) | Op::Put(..)))
}
