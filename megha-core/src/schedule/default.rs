//! The schedule that a kernel gets where nobody asks for another.
//!
//! The order of the loops is MEGHA's (section 3.2.2, [`super::order`]). On the CPU the loop with most locality is the one along vectors.
//! Loops of the body that are the same at all points go outside of it, through tiles in which what they carry stays in the first-level
//! cache or in registers ([`super::sweep`]). On a device the loop with most locality lies along neighbouring threads; reductions go by warps or by neighbours, and
//! kernels that walk along memory by tiles ([`super::lines`]). Other loops of the body read some iterations ahead ([`super::ahead`]).

use super::ahead::Ahead;
use super::cost::{Form, REGISTERS};
use super::latency::LONG;
use super::levels::{Axis, Fission, Level, LoopId, Place, Schedule, Space, Stage, Staged, Sweep, Target};
use super::lines::Lines;
use super::optimisation::{Optimisation, Optimisations};
use super::order::{self, Memory};
use super::panels::{POINTS, Packed, Panels, ROWS};
use super::subject::{BodyLoop, Subject, has_checks};
use super::sweep::Sweeps;
use super::weight;
use super::windows::{self, Windows};
use crate::ir::{Class, Kind, Op, Out, Region};
use megha_base::plan::{THREADS, TILE as LINES_TILE};
use megha_base::tree::{CHUNK, LANES};

/// Iterations of a tile that lies in the first-level cache.
pub const TILE: u32 = 128;
/// Elements of a chunk of a reduction (`megha_base::tree`).
pub const CHUNKS: u32 = CHUNK as u32;
/// Lanes of a chunk.
pub const WARP: u32 = LANES as u32;

/// How long bodies are parted.
///
/// What a processor's window of some 250 instructions overlaps hides a chain of 90 cycles and no longer ones; parts are so short that
/// the window holds several iterations. With 48 operations instead of 96 more values go through memory: Black-Scholes with a polynomial took
/// 8 to 13 % longer with registers of 64 bytes, with those of 32 as long.
pub const FISSION: Fission = Fission { above: LONG, cycles: 60, operations: 96, tile: TILE };

/// Terms that a thread computes at once where they are light: enough loads are under way together.
const AHEAD: u32 = 4;
/// The most operations of a body that is computed for several elements at once.
const LIGHT: u32 = 16;
/// Shared memory for tiles with several rows for each warp: with more, too few blocks are on a processor at once.
const TILES: u32 = 24 << 10;
/// Shared memory of a block.
pub const SHARED: u32 = 48 << 10;

/// The schedule of a kernel.
pub fn default(subject: &Subject<'_>, target: Target, memory: Memory) -> Schedule {
    scheduled(subject, (target, memory), Optimisations::ALL)
}

/// The same with only these optimisations of the code for devices.
pub(super) fn scheduled(subject: &Subject<'_>, (target, memory): (Target, Memory), on: Optimisations) -> Schedule {
    match target {
        Target::Cpu => cpu(subject, memory),
        Target::Gpu => gpu(subject, memory, on),
    }
}

/// Whether a kernel packs what its rows share, on a processor.
pub fn packs(subject: &Subject<'_>, memory: Memory) -> bool {
    !cpu(subject, memory).stages.is_empty()
}

fn cpu_order(subject: &Subject<'_>, memory: Memory) -> Vec<usize> {
    let mut order = order::cpu(subject.kernel, &subject.accesses, &|mem| subject.ty(mem), memory);
    // Loops of the body run alike along the innermost loop if there is one along which they do.
    let is_short = |axis: usize| subject.kernel.domain[axis].as_constant().is_some_and(super::cost::is_short);
    let is_even = |axis: &usize| subject.is_even(*axis) && !is_short(*axis);
    if let Some(at) =
        order.iter().rposition(is_even).filter(|_| order.last().is_some_and(|last| !subject.is_even(*last)))
    {
        let even = order.remove(at);
        order.push(even);
    }
    order
}

fn cpu(subject: &Subject<'_>, memory: Memory) -> Schedule {
    let order = cpu_order(subject, memory);
    let schedule = cpu_ordered(subject, memory, &order);
    // Where neighbouring points have not the same iterations rows do not run as tiles either, and those of the other order of memory do not.
    let is_outside = |of: LoopId| schedule.levels.last().is_some_and(|level| !level.loops.contains(&of));
    match Panels::of(subject, memory, &order).filter(|panels| is_outside(panels.of)) {
        Some(panels) => in_panels(subject, &panels, &order, schedule),
        None => match Windows::of(subject, memory, &order).filter(|windows| is_outside(windows.of)) {
            Some(windows) => in_windows(&windows, cpu_ordered(subject, memory, &windows.order)),
            None => schedule,
        },
    }
}

/// The schedule whose loops of the domain stand in this order, without register tiles.
fn cpu_ordered(subject: &Subject<'_>, memory: Memory, order: &[usize]) -> Schedule {
    let (mut levels, sweeps) = match subject.reduced() {
        Some(_) => (cpu_reduction(subject, memory, order), Vec::new()),
        None => cpu_points(subject, memory, order),
    };
    inside(subject, &mut levels);
    let fission = (!has_checks(&subject.kernel.body)).then_some(FISSION);
    Schedule { levels, sweeps, fission, ..Schedule::empty(Target::Cpu, memory) }
}

/// The schedule with register tiles: panels outside, then rows, a few at a time.
fn in_panels(subject: &Subject<'_>, panels: &Panels, order: &[usize], schedule: Schedule) -> Schedule {
    let one = |axis: &usize| Level::sequential(vec![LoopId(*axis)]);
    let Some((along, outer)) = order.split_last() else { return schedule };
    let mut levels = vec![one(along).tiles(POINTS).at(&[Place::Core])];
    levels.extend(outer.iter().map(|axis| one(axis).at(&[Place::Core])));
    levels.last_mut().into_iter().for_each(|rows| rows.jam = ROWS);
    levels.extend([Level::sequential(vec![panels.of]), one(along).at(&[Place::Vector])]);
    let arrays = subject.arrays();
    let number = |packed: &Packed| arrays.iter().position(|mem| *mem == packed.mem);
    let stage = |number| Stage { what: Staged::Array(number), level: 0, space: Space::Cache, pad: 0, vector: 1 };
    let stages = panels.packed.iter().filter_map(number).map(stage).collect();
    Schedule { levels, stages, ..schedule }
}

/// The schedule with rows that go through the loop together, a few points at a time.
fn in_windows(windows: &Windows, schedule: Schedule) -> Schedule {
    let (mut levels, sweeps) = (schedule.levels, vec![Sweep { of: windows.of, form: Form::Points(REGISTERS) }]);
    let tiles = levels.iter().position(|level| level.tile.is_some());
    let rows = tiles.and_then(|tiles| tiles.checked_sub(1)).and_then(|at| levels.get_mut(at));
    rows.into_iter().for_each(|rows| rows.jam = windows::TOGETHER);
    Schedule { levels, sweeps, ..schedule }
}

/// The loops of the body that go outside the loop along vectors, if that is one of these.
fn outside(subject: &Subject<'_>, along: &[LoopId]) -> Vec<Level> {
    let may = |l: &BodyLoop<'_>| along.iter().filter_map(|id| subject.axis(*id)).all(|axis| l.may_go_outside(axis));
    let outside = subject.body_ids().filter(|id| subject.body_loop(*id).is_some_and(may));
    outside.map(|id| Level::sequential(vec![id])).collect()
}

/// The loops of the body that stand nowhere yet.
pub(super) fn inside(subject: &Subject<'_>, levels: &mut Vec<Level>) {
    let is_there = |id: LoopId| levels.iter().any(|level| level.loops.contains(&id));
    let rest: Vec<LoopId> = subject.body_ids().filter(|id| !is_there(*id)).collect();
    levels.extend(rest.into_iter().map(|id| Level::sequential(vec![id])));
}

/// Loops of the body go through tiles in the forms that cost least ([`super::cost`]).
fn cpu_points(subject: &Subject<'_>, memory: Memory, order: &[usize]) -> (Vec<Level>, Vec<Sweep>) {
    let one = |axis: &usize| Level::sequential(vec![LoopId(*axis)]);
    let Some((inner, outer)) = order.split_last() else {
        // There is one point only: what a sequential loop hands on stays in a register if the loop is inside.
        return (vec![one(&0).at(&[Place::Core, Place::Vector])], Vec::new());
    };
    let mut levels: Vec<Level> = outer.iter().map(|axis| one(axis).at(&[Place::Core])).collect();
    // The same ones in both orders of memory.
    let along = Memory::ALL.iter().filter_map(|memory| cpu_order(subject, *memory).last().copied().map(LoopId));
    let (outside, inner) = (outside(subject, &along.collect::<Vec<_>>()), one(inner));
    if outside.is_empty() {
        levels.push(inner.at(&[Place::Core, Place::Vector]));
        return (levels, Vec::new());
    }
    let Sweeps { list, rows } = Sweeps::of(subject, memory, order);
    levels.last_mut().into_iter().for_each(|row| row.jam = rows);
    levels.push(inner.tiles(TILE).at(&[Place::Core]));
    let list = list.into_iter().filter(|sweep| outside.iter().any(|level| level.loops == [sweep.of])).collect();
    levels.extend(outside);
    levels.push(inner.at(&[Place::Vector]));
    (levels, list)
}

/// The loops that count the results of a reduction, as one.
fn results(ids: Vec<LoopId>, memory: Memory) -> Option<Level> {
    (!ids.is_empty()).then(|| Level::sequential(in_memory(ids, memory)))
}

/// Loops, given first axis first, such that the last is the fastest in memory.
pub fn in_memory(mut ids: Vec<LoopId>, memory: Memory) -> Vec<LoopId> {
    if memory == Memory::ColumnMajor {
        ids.reverse();
    }
    ids
}

fn cpu_reduction(subject: &Subject<'_>, memory: Memory, order: &[usize]) -> Vec<Level> {
    let (kept, reduced) = (subject.kept_ids(), Level::sequential(subject.reduced_ids()));
    // The loop along vectors differs by the order of memory, and what stands outside of it must not.
    let outside = outside(subject, &(0..subject.depth()).map(LoopId).collect::<Vec<_>>());
    let fastest = in_memory(kept.clone(), memory).last().copied();
    let is_one_loop = reduced.loops.len() == 1 && subject.is_long(reduced.loops[0].0);
    let along = fastest.filter(|f| is_one_loop && Some(f.0) == order.last().copied());
    let others = kept.into_iter().filter(|id| along != Some(*id)).collect();
    let mut levels: Vec<Level> = results(others, memory).map(|l| l.at(&[Place::Core])).into_iter().collect();
    levels.push(reduced.tiles(CHUNKS).at(&[Place::Core]));
    match along {
        Some(along) => {
            let along = Level::sequential(vec![along]);
            levels.extend([along.tiles(TILE).at(&[Place::Core]), reduced]);
            levels.extend(outside);
            levels.push(along.at(&[Place::Vector]));
        }
        None => {
            levels.push(reduced.tiles(TILE));
            levels.extend(outside);
            levels.push(reduced.at(&[Place::Vector]));
        }
    }
    levels
}

/// The loops of the domain, the one along neighbouring threads first.
fn gpu_order(subject: &Subject<'_>, memory: Memory, on: Optimisations) -> Vec<usize> {
    match on.has(Optimisation::Coalescing) {
        true => order::gpu(subject.kernel, &subject.accesses, &|mem| subject.ty(mem), memory),
        false => (0..subject.depth()).collect(),
    }
}

fn gpu(subject: &Subject<'_>, memory: Memory, on: Optimisations) -> Schedule {
    let order = gpu_order(subject, memory, on);
    let mut schedule = if subject.reduced().is_some() && !subject.is_tested() {
        reduced(subject, (memory, is_side_by_side(subject, memory, &order)), on)
    } else if on.has(Optimisation::Lines) && Lines::of(subject, memory).is_some() {
        lines(subject, memory)
    } else {
        a_thread_each(subject, memory, &order)
    };
    inside(subject, &mut schedule.levels);
    schedule
}

/// A thread for each point.
fn a_thread_each(subject: &Subject<'_>, memory: Memory, order: &[usize]) -> Schedule {
    let mut levels = points(order);
    inside(subject, &mut levels);
    levels.iter_mut().for_each(|level| level.unroll = written_out(subject, level));
    Schedule { levels, ..Schedule::empty(Target::Gpu, memory) }
}

/// The iterations of a level that are written out: of a loop of the body so many as read ahead together.
fn written_out(subject: &Subject<'_>, level: &Level) -> u32 {
    level.single().and_then(|id| Ahead::of(subject, id)).map_or(1, |ahead| ahead.times)
}

/// The blocks and the threads along an axis.
pub(super) const fn grid(axis: Axis) -> [Place; 2] {
    [Place::Block(axis), Place::Thread(axis)]
}

/// The outermost loop lies along neighbouring threads; then the innermost have most locality.
fn points(order: &[usize]) -> Vec<Level> {
    let of = |axes: &[usize], axis: Axis| {
        let level = Level::sequential(axes.iter().copied().map(LoopId).collect());
        (!axes.is_empty()).then(|| level.at(&grid(axis)))
    };
    let (x, rest) = order.split_at(usize::from(!order.is_empty()));
    let (z, y) = rest.split_at(rest.len().saturating_sub(1));
    let x = if x.is_empty() { &[0][..] } else { x };
    [of(z, Axis::Z), of(y, Axis::Y), of(x, Axis::X)].into_iter().flatten().collect()
}

fn terms(level: usize, pad: u32) -> Stage {
    Stage { what: Staged::Terms, level, space: Space::Shared, pad, vector: 1 }
}

/// The other schedule of lines. Of a few that lie side by side all of a device's threads read, and not one for each. Of many along memory, where all lines read
/// the same elements, a thread for each reads them once for its whole warp.
pub(super) fn other_lines(subject: &Subject<'_>, memory: Memory, on: Optimisations) -> Option<Schedule> {
    let found = Lines::in_tiles(subject, memory)?;
    if !found.along {
        return Some(lines(subject, memory));
    }
    let order = gpu_order(subject, memory, on);
    let axis = *order.first()?;
    found.are_read_together(subject, memory, axis).then(|| a_thread_each(subject, memory, &order))
}

/// Lines that a block walks along ([`Lines`]), in tiles.
pub(super) fn lines(subject: &Subject<'_>, memory: Memory) -> Schedule {
    let mut all = in_memory(subject.kept_ids(), memory);
    if all.is_empty() {
        all.push(LoopId(0));
    }
    let along = Level::sequential(subject.body_ids().collect());
    let levels =
        vec![Level::sequential(all).at(&grid(Axis::X)), along.tiles(LINES_TILE), along.at(&[Place::Thread(Axis::Y)])];
    Schedule { levels, stages: vec![terms(1, 1)], ..Schedule::empty(Target::Gpu, memory) }
}

/// Whether the results of a reduction lie side by side along the loop with most locality.
fn is_side_by_side(subject: &Subject<'_>, memory: Memory, order: &[usize]) -> bool {
    let fastest = in_memory(subject.kept_ids(), memory).last().map(|id| id.0);
    fastest.is_some() && fastest == order.first().copied()
}

/// A reduction of neighbouring results, or by the warps of blocks.
fn reduced(subject: &Subject<'_>, (memory, side_by_side): (Memory, bool), on: Optimisations) -> Schedule {
    let several = on.has(Optimisation::Terms);
    let most = if several && is_light(&subject.kernel.body) { AHEAD } else { 1 };
    // There are few blocks that combine, so each has as many loads under way as it can.
    let combine = if several { rows_at_once(subject, 2 * AHEAD, SHARED) } else { 1 };
    if side_by_side {
        neighbours(subject, memory, [most, combine])
    } else {
        warps(subject, memory, [rows_at_once(subject, most, TILES), combine])
    }
}

/// The other form of a reduction that has several results: memory is read across, but of few results more threads are at work, and of results of few elements
/// fewer. Which one is faster the sizes decide.
pub(super) fn other_reductions(subject: &Subject<'_>, memory: Memory, on: Optimisations) -> Vec<Schedule> {
    let reduces = subject.reduced().is_some() && !subject.is_tested();
    if !reduces || subject.kept_ids().is_empty() {
        return Vec::new();
    }
    let order = gpu_order(subject, memory, on);
    let mut schedule = reduced(subject, (memory, !is_side_by_side(subject, memory, &order)), on);
    inside(subject, &mut schedule.levels);
    vec![schedule]
}

/// A reduction of neighbouring results, with so many terms of a thread at once, and so many partial results where these are combined.
pub(super) fn neighbours(subject: &Subject<'_>, memory: Memory, [ahead, combine]: [u32; 2]) -> Schedule {
    let (kept, reduced) = (subject.kept_ids(), Level::sequential(subject.reduced_ids()));
    let fastest = in_memory(kept.clone(), memory).last().copied();
    let others = kept.into_iter().filter(|id| Some(*id) != fastest).collect();
    let mut levels = vec![Level::sequential(fastest.into_iter().collect()).at(&grid(Axis::X))];
    levels.extend(results(others, memory).map(|l| l.at(&[Place::Block(Axis::Z)])));
    let stages = vec![terms(levels.len(), 0)];
    let chunks = reduced.tiles(CHUNKS).at(&[Place::Block(Axis::Y)]);
    levels.extend([chunks, reduced.at(&[Place::Thread(Axis::Y)]).jammed(ahead)]);
    Schedule { levels, stages, combine: Some(combine), ..Schedule::empty(Target::Gpu, memory) }
}

/// The same by the warps of blocks, each of which takes so many rows of terms at once.
pub(super) fn warps(subject: &Subject<'_>, memory: Memory, [ahead, combine]: [u32; 2]) -> Schedule {
    let reduced = Level::sequential(subject.reduced_ids());
    let points = results(subject.kept_ids(), memory);
    let mut levels: Vec<Level> =
        points.map(|l| l.at(&[Place::Block(Axis::X), Place::Thread(Axis::Z)])).into_iter().collect();
    let stages = vec![terms(levels.len(), 0)];
    let chunks = reduced.tiles(CHUNKS).at(&[Place::Block(Axis::Y)]);
    let rows = reduced.tiles(WARP).at(&[Place::Thread(Axis::Y)]).jammed(ahead);
    levels.extend([chunks, rows, reduced.at(&[Place::Thread(Axis::X)])]);
    Schedule { levels, stages, combine: Some(combine), ..Schedule::empty(Target::Gpu, memory) }
}

/// As many rows for each warp as there is room for, at most so many.
fn rows_at_once(subject: &Subject<'_>, most: u32, room: u32) -> u32 {
    let fits = |ahead: &u32| *ahead > 1 && tile_bytes(subject, *ahead) <= room;
    [most, most / 2, most / 4].into_iter().find(fits).unwrap_or(1)
}

/// Shared memory of the tiles of a kernel's reductions, two for each, with so many rows for each warp.
pub fn tile_bytes(subject: &Subject<'_>, ahead: u32) -> u32 {
    let reduces = |out: &usize| matches!(subject.kernel.outs[*out], Out::Reduce(..));
    let bytes = |out: usize| match subject.func.ty(subject.stmt.results[out]).class {
        Class::Double | Class::Int64 | Class::UInt64 | Class::Index => 8,
        _ => 4,
    };
    (0..subject.kernel.outs.len()).filter(reduces).map(|out| 2 * THREADS * ahead * bytes(out)).sum()
}

/// Whether a body computes little and does nothing else, so that a thread computes it for several elements without branches, for those
/// behind the last in vain.
pub fn is_light(body: &Region) -> bool {
    let memory = |op: &Op| matches!(op, Op::Load(..) | Op::Accumulate(..) | Op::Const(_) | Op::Size(_));
    let number = |op: &Op| op.kind() == Kind::Elementwise;
    let work: u32 = body.stmts.iter().map(|s| weight(&s.op)).sum();
    body.stmts.iter().all(|s| memory(&s.op) || number(&s.op)) && work <= LIGHT
}
