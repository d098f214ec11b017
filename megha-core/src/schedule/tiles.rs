//! Kernels whose points share what a sequential loop reads, on a device: block tiles, staged operands and register tiles.
//!
//! A product of matrices is the simplest: points with one row read the same row of the left factor, points with one column the same column of
//! the right one. A block computes a tile of points along two loops of the domain. While the loop of the body goes through a few of its iterations,
//! the block copies what these read into shared memory, each element once, and every thread computes several points along both loops of the tile from
//! registers (Bondhugula et al., 2007: reuse by the rank of the access, sections 5.1 to 5.4; the rows in shared memory are padded as their Algorithm 2 has
//! it). The loop of the body keeps its order at each point, so bits do not change.
//!
//! Staged is what moves with the loop of the body and with one of the two loops of the tile only. Both of these must share something, and arrays that
//! are staged are only read. The body is straight but for the loop, which carries a few floating-point numbers, or updates an element
//! of its point that is one in all iterations and so stays in a register.

use super::access::{Access, Affine};
use super::default::{SHARED, in_memory};
use super::levels::{Axis, Level, LoopId, Place, Schedule, Space, Stage, Staged, Target};
use super::lines::Lines;
use super::optimisation::{Optimisation, Optimisations};
use super::order::{self, Memory, is_consecutive};
use super::subject::Subject;
use super::sweep::kept;
use super::weight;
use crate::ir::{Class, Kind, Mem, Op, Stmt, Terminator, Value};
use megha_base::plan::Element;

/// Threads of a block along each loop of a tile.
const SIDE: u32 = 16;
/// Most operations of the loop's body, and of what stands around it: both are written out for each point of a register tile.
const LIGHT: u32 = 16;
/// Most values that the loop carries, each in a register for every point of a register tile.
const CARRIED: usize = 2;

/// Which loop of a tile something moves with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The one along neighbouring threads.
    Across,
    /// The other one.
    Down,
}

/// A kernel that runs in tiles.
pub struct Tiles<'f> {
    /// The loop of the body,
    pub of: LoopId,
    /// and the statement that it is.
    pub stmt: &'f Stmt,
    /// What is staged: different accesses.
    pub shared: Vec<Shared<'f>>,
    /// The out-variables of which the loop updates one element at each point, with its subscripts.
    pub kept: Vec<(usize, &'f [Value])>,
}

/// Elements that points share.
pub struct Shared<'f> {
    /// Of which array.
    pub mem: Mem,
    /// The loads of them.
    pub loads: Vec<&'f Op>,
    /// Which loop of the tile they move with.
    pub side: Side,
    /// Whether neighbours in memory belong to iterations of the body's loop that follow each other, and not to neighbouring points.
    pub turned: bool,
}

impl<'f> Tiles<'f> {
    /// The tiles of a kernel along two loops of its domain, the first of them along neighbouring threads.
    pub fn of(subject: &Subject<'f>, memory: Memory, [across, down]: [usize; 2]) -> Option<Self> {
        let [of] = subject.body_ids().collect::<Vec<_>>()[..] else { return None };
        let inner = subject.direct_loop(of).filter(|l| l.is_uniform())?;
        if subject.reduced().is_some() || subject.maps.is_narrowed() || across == down {
            return None;
        }
        let nest = Nest { subject, memory, counter: inner.counter, sides: [across, down] };
        let kept = nest.kept(inner.stmt)?;
        (nest.is_straight(inner.stmt, &kept) && nest.carries(inner.stmt, &kept)).then_some(())?;
        let shared = nest.shared(inner.stmt);
        let has = |side: Side| shared.iter().any(|s| s.side == side);
        (has(Side::Across) && has(Side::Down)).then_some(Self { of, stmt: inner.stmt, shared, kept })
    }

    /// Bytes of shared memory of tiles of this shape.
    fn bytes(&self, subject: &Subject<'_>, shape: &Shape) -> u32 {
        let [wide, high] = shape.points();
        let of = |shared: &Shared<'_>| {
            let points = if shared.side == Side::Across { wide } else { high };
            let element = subject.ty(shared.mem).class.element().map_or(8, Element::bytes) as u32;
            shape.depth * (points + shape.pad) * element
        };
        self.shared.iter().map(of).sum()
    }

    /// Words of 32 bits that the loop carries at a point.
    pub(super) fn carried_words(&self, subject: &Subject<'_>) -> u32 {
        let word = if self.class(subject) == Class::Single { 1 } else { 2 };
        word * (self.stmt.results.len() + self.kept.len()) as u32
    }

    /// The class of what the loop carries.
    fn class(&self, subject: &Subject<'_>) -> Class {
        let kept = || self.kept.first().map_or(Class::Double, |(out, _)| subject.ty(Mem::Out(*out)).class);
        self.stmt.results.first().map_or_else(kept, |value| subject.func.ty(*value).class)
    }
}

struct Nest<'s, 'f> {
    subject: &'s Subject<'f>,
    memory: Memory,
    counter: Value,
    sides: [usize; 2],
}

impl<'s, 'f> Nest<'s, 'f> {
    /// The elements that the loop updates.
    fn kept(&self, inner: &'f Stmt) -> Option<Vec<(usize, &'f [Value])>> {
        let Op::For { body, .. } = &inner.op else { return None };
        let element = |mem: Mem| {
            let access = body.stmts.iter().filter_map(|stmt| self.access(&stmt.op)).find(|access| access.mem == mem)?;
            let (Mem::Out(out), Op::Load(_, subs) | Op::Put(_, subs, _)) = (mem, access.op) else { return None };
            let is_counted = access.map.iter().flatten().any(|affine| self.is_counted(affine));
            (self.is_known(access) && !is_counted).then_some((out, &subs[..]))
        };
        kept(&self.subject.maps, &self.subject.accesses, body).into_iter().map(element).collect()
    }

    fn access(&self, op: &Op) -> Option<&'s Access<'f>> {
        self.subject.accesses.iter().find(|access| std::ptr::eq(access.op, op))
    }

    /// Whether the body is straight but for its loop, and little of it.
    fn is_straight(&self, inner: &Stmt, kept: &[(usize, &[Value])]) -> bool {
        let Op::For { body, .. } = &inner.op else { return false };
        let pure = |op: &Op| op.kind() == Kind::Elementwise || matches!(op, Op::Const(_) | Op::Size(_));
        let around = |stmt: &&Stmt| !std::ptr::eq(*stmt, inner);
        let work = |stmts: &mut dyn Iterator<Item = &Stmt>| stmts.map(|s| weight(&s.op)).sum::<u32>() <= LIGHT;
        let outer = &self.subject.kernel.body.stmts;
        let is_kept = |out: &usize| kept.iter().any(|(own, _)| own == out);
        let touches = |op: &Op| match op {
            // Points outside go through the loop too: their numbers are clamped, and nothing else is computed for them before it.
            Op::Load(Mem::In(array), _) => {
                self.subject.is_constant(*array) && self.access(op).is_some_and(|access| self.is_known(access))
            }
            Op::Load(Mem::Out(out), _) => is_kept(out) && self.access(op).is_some_and(|access| !access.unwritten),
            Op::Put(out, ..) => is_kept(out),
            _ => false,
        };
        outer.iter().filter(around).all(|s| pure(&s.op) || matches!(s.op, Op::Load(..) | Op::Put(..)))
            && body.stmts.iter().all(|s| pure(&s.op) || touches(&s.op))
            && work(&mut outer.iter().filter(around))
            && work(&mut body.stmts.iter())
    }

    /// Whether the loop carries a few floating-point numbers and nothing else.
    fn carries(&self, inner: &Stmt, kept: &[(usize, &[Value])]) -> bool {
        let Op::For { body, .. } = &inner.op else { return false };
        let results = inner.results.iter().map(|value| self.subject.func.ty(*value).class);
        let mut classes = results.chain(kept.iter().map(|(out, _)| self.subject.ty(Mem::Out(*out)).class));
        let count = (1..=CARRIED).contains(&(inner.results.len() + kept.len()));
        count && classes.all(Class::is_float) && matches!(body.term, Terminator::Yield(_))
    }

    /// What can be staged.
    fn shared(&self, inner: &'f Stmt) -> Vec<Shared<'f>> {
        let Op::For { body, .. } = &inner.op else { return Vec::new() };
        let mut found: Vec<(Shared<'f>, &Access<'f>)> = Vec::new();
        for stmt in body.stmts.iter().filter(|stmt| matches!(stmt.op, Op::Load(..))) {
            let Some((access, side)) = self.access(&stmt.op).and_then(|access| Some((access, self.side(access)?)))
            else {
                continue;
            };
            match found.iter_mut().find(|(_, other)| other.mem == access.mem && other.map == access.map) {
                Some((same, _)) => same.loads.push(access.op),
                None => {
                    let turned = self.is_turned(access);
                    found.push((Shared { mem: access.mem, loads: vec![access.op], side, turned }, access));
                }
            }
        }
        found.into_iter().map(|(shared, _)| shared).collect()
    }

    /// The loop of the tile that an access moves with beside the body's, if that is one, and its address takes nothing that only the loop computes.
    fn side(&self, access: &Access<'_>) -> Option<Side> {
        let map = access.map.as_ref()?;
        let is_staged = matches!(access.mem, Mem::In(_)) && self.subject.ty(access.mem).class.is_float();
        if !is_staged || !self.is_known(access) || !map.iter().any(|affine| self.is_counted(affine)) {
            return None;
        }
        match self.sides.map(|axis| map.iter().any(|affine| affine.coeffs[axis] != 0)) {
            [true, false] => Some(Side::Across),
            [false, true] => Some(Side::Down),
            [true, true] | [false, false] => None,
        }
    }

    /// Whether a subscript moves with the loop of the body.
    fn is_counted(&self, affine: &Affine) -> bool {
        affine.uniform.iter().any(|(value, _)| *value == self.counter)
    }

    fn is_known(&self, access: &Access<'_>) -> bool {
        is_known(self.subject, access, Some(self.counter))
    }

    /// Whether an access goes from one element to its neighbour in memory from one iteration of the body's loop to the next.
    fn is_turned(&self, access: &Access<'_>) -> bool {
        let dims = &self.subject.ty(access.mem).dims;
        access.body_step(self.counter).is_some_and(|step| is_consecutive(&step, dims, self.memory))
    }
}

/// Whether an address takes nothing but the numbers of loops, with that of a loop of the body if it is given, and what is there before the kernel.
pub fn is_known(subject: &Subject<'_>, access: &Access<'_>, counter: Option<Value>) -> bool {
    let (Op::Load(_, subs) | Op::Put(_, subs, _)) = access.op else { return false };
    let maps = &subject.maps;
    let outside = |value: Value| {
        maps.def(value).is_none() && maps.number(value).is_none() && maps.is_uniform(value) && Some(value) != counter
    };
    let is_known = |affine: &Affine| {
        affine.uniform.iter().all(|(value, _)| Some(*value) == counter || outside(*value))
            && subject.func.symbols.is_made_of(&affine.size, &outside)
    };
    let own = subs.len() == subject.ty(access.mem).dims.len();
    own && access.map.as_ref().is_some_and(|map| map.iter().all(is_known))
}

/// A tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shape {
    /// Threads of a block across and down,
    pub threads: [u32; 2],
    /// and points of each.
    pub each: [u32; 2],
    /// Iterations of the body's loop that are staged at a time,
    pub depth: u32,
    /// and written out.
    pub unroll: u32,
    /// Elements that are left free behind each row in shared memory.
    pub pad: u32,
}

/// Tiles that are enough for a device's processors where results are some hundreds by some hundreds.
const SMALL: Shape = Shape { threads: [SIDE; 2], each: [4, 4], depth: 16, unroll: 8, pad: 1 };
/// Tiles that read as little as a thread's registers allow: sums of 64 words. For larger results.
const LARGE_SINGLE: Shape = Shape { each: [8, 8], depth: 8, unroll: 4, ..SMALL };
const LARGE_DOUBLE: Shape = Shape { each: [8, 4], depth: 8, unroll: 4, ..SMALL };
/// Tiles that give all processors a block where results are few: they read more, but a block that is alone on its processor is soon done.
const FEW: [Shape; 2] = [Shape { each: [2, 2], ..SMALL }, Shape { each: [1, 1], ..SMALL }];

/// The schedules in tiles of a kernel.
///
/// Doubles whose lines lie side by side go by [`super::lines`] too, where results are few. These take the place of the larger tiles: of a product of doubles in order these
/// spare a tenth of the time at most, and lines of a small one half of it and more.
pub fn schedules(subject: &Subject<'_>, memory: Memory, on: Optimisations) -> Vec<Schedule> {
    let order = order::gpu(subject.kernel, &subject.accesses, &|mem| subject.ty(mem), memory);
    let pairs = order.iter().flat_map(|x| order.iter().rev().map(move |y| [*x, *y]));
    let Some((sides, tiles)) = pairs.filter_map(|sides| Some((sides, Tiles::of(subject, memory, sides)?))).next()
    else {
        return Vec::new();
    };
    let is_single = tiles.class(subject) == Class::Single;
    let large = if is_single { LARGE_SINGLE } else { LARGE_DOUBLE };
    let carried = tiles.stmt.results.len() + tiles.kept.len();
    let has_lines = || on.has(Optimisation::Lines) && Lines::side_by_side(subject, memory).is_some();
    let has_large = carried == 1 && (is_single || !has_lines());
    let shapes = [large, SMALL].into_iter().chain(FEW).filter(|shape| has_large || *shape != large);
    let fits = |shape: &Shape| tiles.bytes(subject, shape) <= SHARED;
    shapes.filter(fits).filter_map(|shape| schedule(subject, memory, (sides, &tiles), shape)).collect()
}

/// One of them.
pub(super) fn schedule(
    subject: &Subject<'_>,
    memory: Memory,
    ([across, down], tiles): ([usize; 2], &Tiles<'_>),
    shape: Shape,
) -> Option<Schedule> {
    let one = |axis: usize| Level::sequential(vec![LoopId(axis)]);
    let ([wide, high], of) = (shape.points(), Level::sequential(vec![tiles.of]));
    let others = subject.kept_ids().into_iter().filter(|id| id.0 != across && id.0 != down).collect();
    let others = in_memory(others, memory);
    let mut levels = Vec::new();
    if !others.is_empty() {
        levels.push(Level::sequential(others).at(&[Place::Block(Axis::Z)]));
    }
    levels.push(one(down).tiles(high).at(&[Place::Block(Axis::Y)]));
    levels.push(one(across).tiles(wide).at(&[Place::Block(Axis::X)]));
    let staged = levels.len();
    levels.push(of.tiles(shape.depth));
    levels.push(Level { unroll: shape.unroll, ..of });
    levels.push(one(down).at(&[Place::Thread(Axis::Y)]).jammed(shape.each[1]));
    levels.push(one(across).at(&[Place::Thread(Axis::X)]).jammed(shape.each[0]));
    let arrays = subject.arrays();
    let mut stages: Vec<Stage> = Vec::new();
    for shared in &tiles.shared {
        let number = arrays.iter().position(|mem| *mem == shared.mem)?;
        let (what, pad) = (Staged::Array(number), shape.pad);
        let stage = Stage { what, level: staged, space: Space::Shared, pad, vector: 1 };
        if !stages.contains(&stage) {
            stages.push(stage);
        }
    }
    Some(Schedule { levels, stages, ..Schedule::empty(Target::Gpu, memory) })
}

impl Shape {
    /// The points of a tile across and down.
    fn points(&self) -> [u32; 2] {
        [0, 1].map(|side| self.threads[side] * self.each[side])
    }
}
