//! What an entry costs for a point ([`megha_base::plan::Cost`]): what it asks of the caches by the access maps, what it computes by its instructions.
//!
//! Of a loop of the body whose number of iterations only the run knows one iteration counts, and nothing around it. Of a reduction the round in which threads
//! compute elements counts for these, and all around it for each thread: there is much of it, and with few elements for each thread it takes most of the time.

use super::inst::{Arith, Axis, Inst, Space, Ty};
use super::print::EntryCode;
use super::rows;
use super::scheduled::Form;
use crate::ir::{Kind, Mem, Op, Region, Stmt};
use crate::schedule::access::Access;
use crate::schedule::halos::Halos;
use crate::schedule::lines::Lines;
use crate::schedule::order::is_neighbouring;
use crate::schedule::tiles::{Side, Tiles};
use crate::schedule::turned::{EACH, Turned};
use crate::schedule::{Memory, Subject};
use megha_base::plan::{Computation, Cost, Element};
use std::ops::Range;

/// Bytes of a sector, of which a thread asks for one where its neighbours ask for others,
const SECTOR: f64 = 32.0;
/// and threads that ask together.
const WARP: f64 = 32.0;

/// The cost of an entry of this form; `None` of forms that have no others beside them.
pub fn cost(subject: &Subject<'_>, memory: Memory, form: &Form, code: &EntryCode) -> Option<Cost> {
    let (points, unrolled, under_way) = match form {
        Form::Points(points) => (1, points.unrolled.iter().map(|(_, times)| *times).max().unwrap_or(1), 1),
        Form::Neighbouring(neighbours) => (neighbours.each, 1, under_way(subject, neighbours.each)),
        Form::Tiles(tiled) => (tiled.each[0] * tiled.each[1], tiled.unroll, 1),
        Form::Turned(_) => (EACH, 1, 1),
        Form::Halos([y, z]) => (y * z, 1, 1),
        Form::Warps(loops) | Form::Neighbours(loops) => (loops.ahead as u32, 1, 1),
        Form::Lines(_) => (1, 1, 1),
    };
    let nest = Loops::of(subject);
    let asked = Asked { subject, memory, nest: &nest }.bytes(form)?;
    let insts = &code.insts[..];
    let (own, around) = match form {
        Form::Warps(_) | Form::Neighbours(_) => {
            let round = round(insts, matches!(form, Form::Warps(_)));
            (if nest.has_loops { innermost(insts) } else { &insts[round.clone()] }, outside(insts, round))
        }
        Form::Lines(_) => return Some(lines(insts, asked)),
        _ => (if nest.has_loops { innermost(insts) } else { insts }, Vec::new()),
    };
    // points that go together may have the iterations of a loop written out too
    let copies = f64::from(points * unrolled).max(if matches!(form, Form::Halos(_)) { nest.copies(own) } else { 0.0 });
    let computed = computed(own).map(|amount| amount / copies * nest.trips);
    let [computed, begun] = [computed, self::computed(&around)].map(computation);
    Some(Cost { asked: rounded(asked * 16.0), computed, begun, under_way, repeated: nest.repeats })
}

/// The cost of an element of lines: a round computes some for each thread, of which the threads of a warp then combine some at once.
fn lines(insts: &[Inst], asked: f64) -> Cost {
    let round = round(insts, true);
    let combined = innermost(&insts[round.clone()]);
    let together =
        combined.iter().filter(|inst| matches!(inst, Inst::Load { space: Space::Shared, .. })).count().max(1);
    let (all, combined) = (computed(&insts[round]), computed(combined));
    let each = |at: usize| (all[at] - combined[at]) / rows::EACH as f64 + combined[at] / together as f64;
    let computed = computation(std::array::from_fn(each));
    Cost { asked: rounded(asked * 16.0), computed, begun: Computation::default(), under_way: 1, repeated: true }
}

/// In the form of a plan.
fn computation(amounts: Amounts) -> Computation {
    let [instructions, doubles, singles, shared] = amounts.map(|amount| (amount * 1000.0).ceil().max(0.0) as u64);
    Computation { instructions, doubles, singles, shared }
}

fn rounded(x: f64) -> u32 {
    x.ceil().clamp(0.0, f64::from(u32::MAX)) as u32
}

/// The round of a reduction in which its threads compute elements: the innermost loop that goes through tiles, or that adds up a lane.
fn round(insts: &[Inst], in_tiles: bool) -> Range<usize> {
    let has_barrier = |own: &&Range<usize>| insts[(*own).clone()].iter().any(|inst| matches!(inst, Inst::Barrier));
    let all = loops(insts);
    let tiles = all.iter().filter(has_barrier).min_by_key(|own| own.len());
    match tiles.filter(|_| in_tiles) {
        Some(tiles) => tiles.clone(),
        None => innermost_of(&all).unwrap_or(0..0),
    }
}

/// What is not in a loop.
fn outside(insts: &[Inst], own: Range<usize>) -> Vec<Inst> {
    let rest = insts.iter().enumerate().filter(|(at, _)| !own.contains(at));
    rest.map(|(_, inst)| inst.clone()).collect()
}

/// Doubles that one request of neighbouring points moves.
fn under_way(subject: &Subject<'_>, each: u32) -> u32 {
    let bytes = |mem: &Mem| subject.ty(*mem).class.element().map_or(8, Element::bytes) as u32;
    subject.arrays().iter().map(|mem| (each * bytes(mem)).min(16) / 8).max().unwrap_or(1).max(1)
}

/// The loops of a kernel's body.
struct Loops {
    has_loops: bool,
    /// Whether only the run knows how many iterations one of them has.
    repeats: bool,
    /// The iterations that are known, of all of them.
    trips: f64,
    /// Operations on floating-point numbers in an iteration of those that have none inside of them.
    operations: usize,
}

impl Loops {
    fn of(subject: &Subject<'_>) -> Self {
        let known = subject.body_loops.iter().map(|inner| subject.maps.fixed_trips(inner.trip));
        let has_loops = subject.kernel.body.any(|op| matches!(op, Op::For { .. } | Op::While { .. }));
        let trips = known.clone().flatten().map(|trips| trips.max(1) as f64).product();
        let repeats = known.clone().any(|known| known.is_none()) || (has_loops && known.count() == 0);
        let operations = subject.body_loops.iter().map(|inner| operations(subject, inner.stmt)).max().unwrap_or(0);
        Self { has_loops, repeats, trips, operations }
    }

    /// How many iterations some code does.
    fn copies(&self, insts: &[Inst]) -> f64 {
        let is_of_floats = |inst: &&Inst| matches!(inst, Inst::Arith { ty: Ty::F64 | Ty::F32, .. });
        if !self.has_loops || self.operations == 0 {
            return 1.0;
        }
        insts.iter().filter(is_of_floats).count() as f64 / self.operations as f64
    }
}

/// The operations on floating-point numbers of a loop without loops inside of it.
fn operations(subject: &Subject<'_>, stmt: &Stmt) -> usize {
    let Op::For { body, .. } = &stmt.op else { return 0 };
    if body.any(|op| matches!(op, Op::For { .. } | Op::While { .. })) {
        return 0;
    }
    let is_float = |stmt: &&Stmt| stmt.results.iter().any(|value| subject.func.ty(*value).class.is_float());
    body.stmts.iter().filter(|stmt| stmt.op.kind() == Kind::Elementwise).filter(is_float).count()
}

struct Asked<'s, 'f> {
    subject: &'s Subject<'f>,
    memory: Memory,
    nest: &'s Loops,
}

impl Asked<'_, '_> {
    /// Bytes for a point.
    fn bytes(&self, form: &Form) -> Option<f64> {
        let subject = self.subject;
        let along = |axis: usize, other: &dyn Fn(&Access<'_>) -> Option<f64>| -> f64 {
            let of =
                |access: &Access<'_>| self.times(access.op) * other(access).unwrap_or_else(|| self.alone(access, axis));
            subject.accesses.iter().map(of).sum()
        };
        let first = |nest: &[(Axis, Vec<usize>)]| {
            let x = nest.iter().find(|(axis, _)| *axis == Axis::X);
            x.and_then(|(_, loops)| loops.first().copied()).unwrap_or(0)
        };
        Some(match form {
            Form::Points(points) => along(first(&points.nest), &|_| None),
            Form::Neighbouring(neighbours) => along(neighbours.axis, &|_| None),
            Form::Tiles(tiled) => {
                let tiles = Tiles::of(subject, self.memory, tiled.sides)?;
                along(tiled.sides[0], &|access| {
                    let shared = tiles.shared.iter().find(|s| s.loads.iter().any(|op| std::ptr::eq(*op, access.op)))?;
                    let points = tiled.tile[if shared.side == Side::Across { 1 } else { 0 }];
                    Some(self.element(access.mem) / f64::from(points))
                })
            }
            Form::Turned(tiles) => {
                let turned = Turned::of(subject, self.memory, tiles.sides)?;
                along(tiles.sides[0], &|access| turned.has(access.op).then(|| self.element(access.mem)))
            }
            Form::Halos(each) => {
                let halos = Halos::of(subject, self.memory, *each)?;
                let rows = halos.list.iter().map(|halo| {
                    halo.rows(&halos.tile).len() as f64 * self.element(Mem::In(halo.array))
                        / f64::from(each[0] * each[1])
                });
                rows.sum::<f64>() + along(halos.tile.across, &|access| halos.read(access.op).is_some().then_some(0.0))
            }
            Form::Warps(loops) => along(loops.reduced.first().copied().unwrap_or(0), &|_| None),
            Form::Neighbours(loops) => along(loops.kept.first().copied().unwrap_or(0), &|_| None),
            Form::Lines(loops) => {
                let is_along = Lines::of(subject, self.memory).is_some();
                along(loops.first().copied().unwrap_or(0), &|access| is_along.then(|| self.element(access.mem)))
            }
        })
    }

    fn element(&self, mem: Mem) -> f64 {
        self.subject.ty(mem).class.element().map_or(8, Element::bytes) as f64
    }

    /// What a point asks for, with neighbouring threads along a loop.
    fn alone(&self, access: &Access<'_>, axis: usize) -> f64 {
        let dims = &self.subject.ty(access.mem).dims;
        match access.step(axis) {
            Some(step) if step.iter().all(|by| *by == 0) => SECTOR / WARP,
            Some(step) if is_neighbouring(&step, dims, self.memory) => self.element(access.mem),
            _ => SECTOR,
        }
    }

    /// How often an access is made at a point; those around a loop that repeats do not count.
    fn times(&self, op: &Op) -> f64 {
        let in_loops = times(&self.subject.kernel.body, op, (&|trip| self.subject.maps.fixed_trips(trip), 1.0, false));
        in_loops.filter(|(_, inside)| *inside || !self.nest.repeats).map_or(0.0, |(times, _)| times)
    }
}

/// How often an operation is done in a region, and whether in a loop of it.
fn times(
    region: &Region,
    op: &Op,
    (known, so_far, inside): (&dyn Fn(crate::ir::Value) -> Option<i64>, f64, bool),
) -> Option<(f64, bool)> {
    region.stmts.iter().find_map(|stmt| {
        if std::ptr::eq(&stmt.op, op) {
            return Some((so_far, inside));
        }
        let (more, is_loop) = match &stmt.op {
            Op::For { trip, .. } => (known(*trip).map_or(1.0, |trips| trips.max(1) as f64), true),
            op => (1.0, matches!(op, Op::While { .. })),
        };
        let mut regions = stmt.op.regions().into_iter();
        regions.find_map(|inner| times(inner, op, (known, so_far * more, inside || is_loop)))
    })
}

/// The loops of the code.
fn loops(insts: &[Inst]) -> Vec<Range<usize>> {
    let begins = |label: u32| insts.iter().position(|inst| matches!(inst, Inst::Label(own) if own.0 == label));
    let back = |(at, inst): (usize, &Inst)| match inst {
        Inst::Branch { to, .. } => begins(to.0).filter(|from| *from < at).map(|from| from..at),
        _ => None,
    };
    insts.iter().enumerate().filter_map(back).collect()
}

/// The longest loop that has none in it.
fn innermost_of(loops: &[Range<usize>]) -> Option<Range<usize>> {
    let has_none = |own: &&Range<usize>| {
        !loops.iter().any(|other| other != *own && other.start >= own.start && other.end <= own.end)
    };
    loops.iter().filter(has_none).max_by_key(|own| own.len()).cloned()
}

/// The longest loop of the code that has none in it.
fn innermost(insts: &[Inst]) -> &[Inst] {
    innermost_of(&loops(insts)).map_or(insts, |own| &insts[own])
}

/// Instructions, operations on doubles and on singles, and bytes of shared memory.
type Amounts = [f64; 4];

/// What some instructions are, each done once.
fn computed(insts: &[Inst]) -> Amounts {
    let mut amounts = [0.0; 4];
    for inst in insts.iter().filter(|inst| !matches!(inst, Inst::Label(_))) {
        amounts[0] += 1.0;
        match inst {
            Inst::Arith { op, ty: ty @ (Ty::F64 | Ty::F32), .. } => {
                let costly = matches!(op, Arith::Div | Arith::Sqrt);
                amounts[if *ty == Ty::F64 { 1 } else { 2 }] += if costly { 4.0 } else { 1.0 };
            }
            Inst::Load { space: Space::Shared, ty, .. } | Inst::Store { space: Space::Shared, ty, .. } => {
                amounts[3] += ty.bytes() as f64
            }
            _ => {}
        }
    }
    amounts
}
