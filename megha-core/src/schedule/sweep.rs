//! The sequential loops inside a kernel: the elements that each keeps for its points, its traffic and so its form.

use super::access::{Access, Affine, Maps};
use super::cost::{JAM, Traffic};
use super::levels::{LoopId, Sweep};
use super::order::{Memory, is_neighbouring};
use super::subject::{BodyLoop, Subject};
use super::weight;
use crate::ir::{Mem, Op, Out, Region, Type, Value};

/// How the loops of a kernel's body go through tiles in one order of memory.
pub struct Sweeps {
    /// The loops that may stand around the loop over points, directly in the body.
    pub list: Vec<Sweep>,
    /// How many rows run at a time.
    pub rows: u32,
}

impl Sweeps {
    /// What costs least where the loops of the domain stand in this order.
    pub fn of(subject: &Subject<'_>, memory: Memory, order: &[usize]) -> Self {
        let Some((along, outer)) = order.split_last() else { return Self { list: Vec::new(), rows: 1 } };
        // Rows of a domain with bounds have lengths of their own, and so may have the loops at each.
        let rows = outer.last().copied().filter(|axis| subject.is_even(*axis) && !subject.maps.is_narrowed());
        let walk = Walk { subject, memory, along: *along, rows };
        let direct =
            |id: LoopId| subject.direct_loop(id).filter(|l| subject.maps.is_counter(l.counter)).map(|l| (id, l));
        let found: Vec<(LoopId, &BodyLoop<'_>, Traffic, bool)> = subject
            .body_ids()
            .filter_map(direct)
            .filter_map(|(id, l)| {
                let (traffic, shares) = walk.sweep(region(l)?);
                Some((id, l, traffic, shares))
            })
            .collect();
        let together = walk.rows.is_some() && !found.is_empty() && found.iter().all(|(.., shares)| *shares);
        let outside = found.into_iter().filter(|(_, l, ..)| l.may_go_outside(*along));
        let list = outside.map(|(of, _, traffic, _)| Sweep { of, form: traffic.form() }).collect();
        Self { list, rows: if together { JAM as u32 } else { 1 } }
    }
}

/// The body of a counted loop.
fn region<'f>(of: &BodyLoop<'f>) -> Option<&'f Region> {
    if let Op::For { body, .. } = &of.stmt.op { Some(body) } else { None }
}

/// Whether a loop cannot run a few iterations at a time: not all points do the same in all of them, or it stores elements of an array of
/// which it reaches others as a row, which is the only way to them while it lives.
pub fn runs_alone(subject: &Subject<'_>, of: &BodyLoop<'_>) -> bool {
    region(of).is_none_or(|body| {
        let mut inside = Inside::default();
        inside.region(body, 0);
        is_alone(subject, body, &inside)
    })
}

fn is_alone(subject: &Subject<'_>, body: &Region, inside: &Inside<'_>) -> bool {
    let Subject { maps, accesses, kernel, .. } = subject;
    // An update may be in place.
    let array = |mem: Mem| match mem {
        Mem::Out(out) => match kernel.outs[out] {
            Out::Update(array) => Mem::In(array),
            Out::Fresh | Out::Reduce(..) => mem,
        },
        Mem::In(_) => mem,
    };
    let kept = kept(maps, accesses, body);
    let is_kept = |access: &Access<'_>| kept.contains(&access.mem) && !access.unwritten;
    let touching = || inside.inner.iter().filter_map(|op| access_of(accesses, op)).filter(|access| !is_kept(access));
    let stands = |access: &&Access<'_>| {
        let uniform = |map: &Vec<Affine>| map.iter().flat_map(|a| &a.uniform).map(|(v, _)| *v).collect::<Vec<_>>();
        access.map.as_ref().is_some_and(|map| uniform(map).iter().all(|v| !moves(maps, *v, &inside.counters)))
    };
    let stored = |mem: Mem| touching().any(|a| matches!(a.op, Op::Put(..)) && array(a.mem) == array(mem));
    inside.is_irregular(maps) || touching().filter(stands).any(|access| stored(access.mem))
}

fn access_of<'a, 'f>(accesses: &'a [Access<'f>], op: &Op) -> Option<&'a Access<'f>> {
    accesses.iter().find(|access| std::ptr::eq(access.op, op))
}

/// The out-variables of which every access in a loop is to one element of the point, but for loads of elements that nothing stores, and
/// one access stands directly in the loop's body: so the element exists if the loop runs at all.
pub fn kept(maps: &Maps<'_>, accesses: &[Access<'_>], body: &Region) -> Vec<Mem> {
    let mut inside = Inside::default();
    inside.region(body, 0);
    let of = |op: &Op| access_of(accesses, op).filter(|access| !access.unwritten);
    let touching = || inside.touching.iter().filter_map(|op| of(op));
    let direct = |mem: Mem| body.stmts.iter().filter_map(|s| of(&s.op)).any(|a| a.mem == mem);
    let mut kept = Vec::new();
    for access in touching() {
        let Mem::Out(_) = access.mem else { continue };
        let mut same = touching().filter(|a| a.mem == access.mem);
        let fixed = is_fixed(maps, access, &inside.counters);
        let one = same.all(|other| other.map == access.map);
        if fixed && one && direct(access.mem) && !kept.contains(&access.mem) {
            kept.push(access.mem);
        }
    }
    kept
}

/// Whether an access is to one element of each point in all iterations of these loops.
fn is_fixed(maps: &Maps<'_>, access: &Access<'_>, counters: &[Value]) -> bool {
    let stands = |map: &Vec<Affine>| map.iter().flat_map(|a| &a.uniform).all(|(v, _)| !moves(maps, *v, counters));
    access.map.as_ref().is_some_and(stands)
}

/// Whether a value depends on one of these counters.
pub fn moves(maps: &Maps<'_>, value: Value, counters: &[Value]) -> bool {
    let mut within = Vec::new();
    maps.counters_in(value, &mut within);
    within.iter().any(|counter| counters.contains(counter))
}

/// A kernel whose points lie along one of its loops.
struct Walk<'s, 'f> {
    subject: &'s Subject<'f>,
    memory: Memory,
    along: usize,
    /// The loop over rows next to it, if there is one.
    rows: Option<usize>,
}

impl<'f> Walk<'_, 'f> {
    /// The traffic of a loop, and whether rows share what it loads.
    fn sweep(&self, body: &Region) -> (Traffic, bool) {
        let mut inside = Inside::default();
        inside.region(body, 0);
        let traffic = self.traffic(body, &inside);
        (traffic, traffic.shares_rows() && self.reuses(&inside))
    }

    fn touching(&self, inside: &Inside<'_>) -> Vec<&Access<'f>> {
        inside.inner.iter().filter_map(|op| access_of(&self.subject.accesses, op)).collect()
    }

    fn traffic(&self, body: &Region, inside: &Inside<'_>) -> Traffic {
        let Subject { maps, accesses, .. } = self.subject;
        let kept = kept(maps, accesses, body);
        let mut traffic = Traffic { operations: operations(body), nested: has_loops(body), ..Traffic::default() };
        // Control flow, and loops whose length depends on the point, are left to registers.
        traffic.stores = is_alone(self.subject, body, inside);
        let mut seen: Vec<&Access<'f>> = Vec::new();
        for access in self.touching(inside) {
            let is_kept = kept.contains(&access.mem) && !access.unwritten;
            if is_kept || seen.iter().any(|a| a.mem == access.mem && a.map == access.map) {
                continue;
            }
            seen.push(access);
            if matches!(access.op, Op::Load(..)) && is_fixed(maps, access, &inside.counters) {
                continue;
            }
            traffic.stores |= matches!(access.op, Op::Put(..));
            let Type { dims, .. } = self.subject.ty(access.mem);
            let points = access.step(self.along);
            let steps = inside.innermost.and_then(|counter| step_of(access, counter));
            let is_next =
                |step: &Option<Vec<i64>>| step.as_ref().is_some_and(|s| is_neighbouring(s, &dims, self.memory));
            let is_still = points.as_ref().is_some_and(|step| step.iter().all(|by| *by == 0));
            match (is_still, is_next(&points), is_next(&steps)) {
                (true, ..) => {}
                (_, true, slides) => {
                    traffic.along += 1;
                    traffic.windows += usize::from(slides);
                }
                (.., true) => traffic.turned += 1,
                _ => traffic.scattered += 1,
            }
        }
        traffic
    }

    /// Whether the loop reads rows of elements that do not move with the loop over rows.
    fn reuses(&self, inside: &Inside<'_>) -> bool {
        let Some(rows) = self.rows else { return false };
        let moves =
            |access: &Access<'_>, axis: usize| access.step(axis).is_none_or(|step| step.iter().any(|by| *by != 0));
        self.touching(inside).into_iter().any(|access| moves(access, self.along) && !moves(access, rows))
    }
}

/// By how much an access moves from one iteration of the loop with this counter to the next.
fn step_of(access: &Access<'_>, counter: Value) -> Option<Vec<i64>> {
    let of = |uniform: &[(Value, i64)]| uniform.iter().find(|(value, _)| *value == counter).map_or(0, |(_, by)| *by);
    access.map.as_ref().map(|map| map.iter().map(|a| of(&a.uniform)).collect())
}

/// The weight of the operations of innermost loops.
fn operations(region: &Region) -> u32 {
    let nested = |op: &Op| op.regions().into_iter().map(operations).sum::<u32>();
    let is_outer = has_loops(region);
    let own = |op: &Op| match op {
        Op::Load(..) | Op::Put(..) | Op::For { .. } => 0,
        _ if is_outer => 0,
        op => weight(op),
    };
    region.stmts.iter().map(|stmt| own(&stmt.op) + nested(&stmt.op)).sum()
}

fn has_loops(region: &Region) -> bool {
    region.any(|op| matches!(op, Op::For { .. }))
}

/// What stands in a loop.
#[derive(Default)]
struct Inside<'r> {
    /// Loads and puts,
    touching: Vec<&'r Op>,
    /// and those of innermost loops: they alone are done often, and a few iterations at a time.
    inner: Vec<&'r Op>,
    /// The counters of the loop and of those inside it.
    counters: Vec<Value>,
    /// The counter of the innermost loop that was met last.
    innermost: Option<Value>,
    /// Whether something in it is not done in every iteration, or as often as data say.
    branches: bool,
    deepest: usize,
}

impl<'r> Inside<'r> {
    /// Whether not all points do the same in all iterations.
    fn is_irregular(&self, maps: &Maps<'_>) -> bool {
        self.branches || self.counters.iter().any(|counter| !maps.is_counter(*counter))
    }

    fn region(&mut self, region: &'r Region, depth: usize) {
        self.counters.push(region.params[0]);
        if depth >= self.deepest {
            (self.deepest, self.innermost) = (depth, Some(region.params[0]));
        }
        self.stmts(region, depth, !has_loops(region));
    }

    fn stmts(&mut self, region: &'r Region, depth: usize, is_inner: bool) {
        for stmt in &region.stmts {
            match &stmt.op {
                Op::Load(..) | Op::Put(..) => {
                    self.touching.push(&stmt.op);
                    self.inner.extend(is_inner.then_some(&stmt.op));
                }
                Op::For { body, .. } => self.region(body, depth + 1),
                op => {
                    self.branches |= !op.regions().is_empty();
                    op.regions().into_iter().for_each(|arm| self.stmts(arm, depth, is_inner));
                }
            }
        }
    }
}
