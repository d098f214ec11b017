//! The sequential loops inside a kernel: the elements that each keeps for its points, its traffic and so its form.

use super::access::{Access, Maps};
use super::cost::{Form, JAM, Traffic};
use super::order::{Memory, is_consecutive};
use super::weight;
use crate::ir::{Kernel, Mem, Op, Region, Type, Value};

/// A kernel with what decides how its loops run.
pub struct Subject<'s, 'f> {
    /// The kernel.
    pub kernel: &'s Kernel,
    /// What its values are.
    pub maps: &'s Maps<'f>,
    /// Its loads and stores.
    pub accesses: &'s [Access<'f>],
    /// The types of its arrays.
    pub ty: &'s dyn Fn(Mem) -> Type,
    /// The loop along which the points of a row lie: columns first, rows first.
    pub along: [usize; 2],
    /// The loop over rows next to it, if there is one.
    pub rows: [Option<usize>; 2],
}

/// A loop that is the same at every point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sweep {
    /// Its counter.
    pub counter: Value,
    /// How it runs: columns first, rows first.
    pub forms: [Form; 2],
    /// The out-variables of which it touches one element for each point, the same in every iteration.
    pub kept: Vec<Mem>,
}

/// How the loops of a kernel run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sweeps {
    /// The loops that stand directly in its body.
    pub list: Vec<Sweep>,
    /// How many rows run at a time: columns first, rows first.
    pub rows: [usize; 2],
}

impl Sweeps {
    /// Decides how loops run.
    pub fn of(subject: &Subject<'_, '_>) -> Self {
        let loops = subject.maps.inside(subject.kernel).stmts.iter().filter_map(|stmt| match &stmt.op {
            Op::For { body, .. } if subject.maps.is_counter(body.params[0]) => Some(body),
            _ => None,
        });
        let found: Vec<(Sweep, [bool; 2])> = loops.map(|body| subject.sweep(body)).collect();
        let together = |layout: usize| {
            let shares = subject.rows[layout].is_some() && !found.is_empty();
            if shares && found.iter().all(|(_, shares)| shares[layout]) { JAM } else { 1 }
        };
        let rows = [together(0), together(1)];
        Self { list: found.into_iter().map(|(sweep, _)| sweep).collect(), rows }
    }

    /// The loop with this counter.
    pub fn get(&self, counter: Value) -> Option<&Sweep> {
        self.list.iter().find(|sweep| sweep.counter == counter)
    }
}

impl<'f> Subject<'_, 'f> {
    /// A loop, and whether rows share what it loads.
    fn sweep(&self, body: &Region) -> (Sweep, [bool; 2]) {
        let mut inside = Inside::default();
        inside.region(body, 0);
        let kept = self.kept(body, &inside);
        let traffic = [0, 1].map(|layout| self.traffic(body, &inside, &kept, layout));
        let shares = [0, 1].map(|layout| traffic[layout].shares_rows() && self.reuses(&inside, layout));
        (Sweep { counter: body.params[0], forms: traffic.map(|t| t.form()), kept }, shares)
    }

    fn access(&self, op: &Op) -> Option<&Access<'f>> {
        self.accesses.iter().find(|access| std::ptr::eq(access.op, op))
    }

    /// The out-variables of which every access in the loop is to one element of the point, and one access stands directly in the loop's
    /// body: so the element exists if the loop runs at all.
    fn kept(&self, body: &Region, inside: &Inside<'_>) -> Vec<Mem> {
        let direct = |mem: Mem| body.stmts.iter().filter_map(|s| self.access(&s.op)).any(|a| a.mem == mem);
        let mut kept = Vec::new();
        for access in inside.touching.iter().filter_map(|op| self.access(op)) {
            let Mem::Out(_) = access.mem else { continue };
            let mut same = inside.touching.iter().filter_map(|op| self.access(op)).filter(|a| a.mem == access.mem);
            let fixed = access.map.as_ref().is_some_and(|map| {
                map.iter().flat_map(|a| &a.uniform).all(|(value, _)| !self.moves(*value, &inside.counters))
            });
            let one = same.all(|other| other.map == access.map);
            if fixed && one && direct(access.mem) && !kept.contains(&access.mem) {
                kept.push(access.mem);
            }
        }
        kept
    }

    fn moves(&self, value: Value, counters: &[Value]) -> bool {
        let mut within = Vec::new();
        self.maps.counters_in(value, &mut within);
        within.iter().any(|counter| counters.contains(counter))
    }

    fn traffic(&self, body: &Region, inside: &Inside<'_>, kept: &[Mem], layout: usize) -> Traffic {
        let memory = [Memory::ColumnMajor, Memory::RowMajor][layout];
        let mut traffic = Traffic { operations: operations(body), ..Traffic::default() };
        // Control flow, and loops whose length depends on the point, are left to registers.
        traffic.stores = inside.branches || inside.counters.iter().any(|counter| !self.maps.is_counter(*counter));
        let mut seen: Vec<&Access<'f>> = Vec::new();
        for access in inside.touching.iter().filter_map(|op| self.access(op)) {
            if kept.contains(&access.mem) || seen.iter().any(|a| a.mem == access.mem && a.map == access.map) {
                continue;
            }
            seen.push(access);
            traffic.stores |= matches!(access.op, Op::Put(..));
            let dims = (self.ty)(access.mem).dims;
            let points = access.step(self.along[layout]);
            let steps = inside.innermost.and_then(|counter| step_of(access, counter));
            let is_next = |step: &Option<Vec<i64>>| step.as_ref().is_some_and(|s| is_consecutive(s, &dims, memory));
            let is_still = points.as_ref().is_some_and(|step| step.iter().all(|by| *by == 0));
            match (is_still, is_next(&points), is_next(&steps)) {
                (true, ..) => {}
                (_, true, _) => traffic.along += 1,
                (.., true) => traffic.turned += 1,
                _ => traffic.scattered += 1,
            }
        }
        traffic
    }

    /// Whether the loop reads rows of elements that do not move with the loop over rows.
    fn reuses(&self, inside: &Inside<'_>, layout: usize) -> bool {
        let Some(rows) = self.rows[layout] else { return false };
        let moves =
            |access: &Access<'_>, axis: usize| access.step(axis).is_none_or(|step| step.iter().any(|by| *by != 0));
        inside
            .touching
            .iter()
            .filter_map(|op| self.access(op))
            .any(|access| moves(access, self.along[layout]) && !moves(access, rows))
    }
}

/// By how much an access moves from one iteration of the loop with this counter to the next.
fn step_of(access: &Access<'_>, counter: Value) -> Option<Vec<i64>> {
    let of = |uniform: &[(Value, i64)]| uniform.iter().find(|(value, _)| *value == counter).map_or(0, |(_, by)| *by);
    access.map.as_ref().map(|map| map.iter().map(|a| of(&a.uniform)).collect())
}

fn operations(region: &Region) -> u32 {
    let nested = |op: &Op| op.regions().into_iter().map(operations).sum::<u32>();
    let own = |op: &Op| if matches!(op, Op::Load(..) | Op::Put(..) | Op::For { .. }) { 0 } else { weight(op) };
    region.stmts.iter().map(|stmt| own(&stmt.op) + nested(&stmt.op)).sum()
}

/// What stands in a loop.
#[derive(Default)]
struct Inside<'r> {
    /// Loads and puts.
    touching: Vec<&'r Op>,
    /// The counters of the loop and of those inside it.
    counters: Vec<Value>,
    /// The counter of the innermost loop that was met last.
    innermost: Option<Value>,
    /// Whether something in it is not done in every iteration, or as often as data say.
    branches: bool,
    deepest: usize,
}

impl<'r> Inside<'r> {
    fn region(&mut self, region: &'r Region, depth: usize) {
        self.counters.push(region.params[0]);
        if depth >= self.deepest {
            (self.deepest, self.innermost) = (depth, Some(region.params[0]));
        }
        self.stmts(region, depth);
    }

    fn stmts(&mut self, region: &'r Region, depth: usize) {
        for stmt in &region.stmts {
            match &stmt.op {
                Op::Load(..) | Op::Put(..) => self.touching.push(&stmt.op),
                Op::For { body, .. } => self.region(body, depth + 1),
                op => {
                    self.branches |= !op.regions().is_empty();
                    op.regions().into_iter().for_each(|arm| self.stmts(arm, depth));
                }
            }
        }
    }
}
