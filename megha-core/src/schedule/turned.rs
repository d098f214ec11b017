//! Element-wise kernels that read an array across memory, on a device: transpositions, and all that meets a transposed array.
//!
//! Neighbouring threads take neighbours in memory of most arrays. An array that lies the other way round they read a row apart, a sector for each
//! element. Such kernels have another entry, in which a block takes square tiles of points and first brings what these read of such arrays into shared memory, with
//! its threads along the other loop (Ruetsch and Micikevicius, Optimizing Matrix Transpose in CUDA, 2009). Rows there are one element longer than the tile, so that threads meet
//! different banks both ways.

use super::access::Access;
use super::default::{SHARED, in_memory};
use super::levels::{Axis, Level, LoopId, Place, Schedule, Space, Stage, Staged, Target};
use super::lines::Lines;
use super::order::{self, Memory, is_consecutive};
use super::subject::{Subject, has_checks};
use super::tiles::is_known;
use crate::ir::{Mem, Op};
use megha_base::plan::Element;

/// Points of a tile along both loops: the threads of a warp.
pub const SIDE: u32 = 32;
/// Points of a thread, which lie apart along the second loop.
pub const EACH: u32 = 4;
/// Elements that are left free behind a row of a tile in shared memory.
pub const PAD: u32 = 1;

/// What a kernel reads across memory.
pub struct Turned<'f> {
    /// The loads, which stand in no branch.
    pub loads: Vec<&'f Op>,
}

impl<'f> Turned<'f> {
    /// The loads of which neighbours along memory belong to the second of two loops, with neighbouring threads along the first; `None` if there are none.
    pub fn of(subject: &Subject<'f>, memory: Memory, [across, down]: [usize; 2]) -> Option<Self> {
        let (kernel, reduces) = (subject.kernel, subject.reduced().is_some() && !subject.is_tested());
        let has_loops = kernel.body.any(|op| matches!(op, Op::For { .. } | Op::While { .. }));
        // points outside read too, at clamped numbers: what they read the kernel reads only if nothing ends an iteration
        if reduces || has_loops || subject.maps.is_narrowed() || has_checks(&kernel.body) || across == down {
            return None;
        }
        let own = |op: &Op| kernel.body.stmts.iter().any(|stmt| std::ptr::eq(&stmt.op, op));
        let is_turned = |access: &&Access<'f>| {
            let Mem::In(array) = access.mem else { return false };
            let ty = subject.ty(access.mem);
            let moves = |axis: usize| access.step(axis).is_some_and(|step| step.iter().any(|by| *by != 0));
            let along = |axis| access.step(axis).is_some_and(|step| is_consecutive(&step, &ty.dims, memory));
            own(access.op)
                && subject.is_constant(array)
                && ty.class.is_float()
                && is_known(subject, access, None)
                && moves(across)
                && along(down)
        };
        let loads: Vec<&Op> = subject.accesses.iter().filter(is_turned).map(|access| access.op).collect();
        (!loads.is_empty()).then_some(Self { loads })
    }

    /// Bytes of shared memory that the tiles take.
    fn bytes(&self, subject: &Subject<'_>) -> u64 {
        let of = |op: &&Op| match op {
            Op::Load(mem, _) => subject.ty(*mem).class.element().map_or(0, Element::bytes),
            _ => 0,
        };
        u64::from(SIDE * (SIDE + PAD)) * self.loads.iter().map(of).sum::<u64>()
    }

    /// Whether a load is one of them.
    pub fn has(&self, op: &Op) -> bool {
        self.loads.iter().any(|own| std::ptr::eq(*own, op))
    }
}

/// The schedules in such tiles, along any two loops, for which a block has shared memory, whether the kernel gains by them or not.
pub fn every(subject: &Subject<'_>, memory: Memory) -> Vec<Schedule> {
    let order = order::gpu(subject.kernel, &subject.accesses, &|mem| subject.ty(mem), memory);
    let pairs = order.iter().flat_map(|x| order.iter().map(move |y| [*x, *y]));
    let fits = |sides: &[usize; 2]| {
        let turned = Turned::of(subject, memory, *sides);
        turned.is_some_and(|turned| turned.bytes(subject) <= u64::from(SHARED))
    };
    pairs.filter(fits).filter_map(|sides| schedule(subject, memory, sides)).collect()
}

/// The schedule in such tiles, if the kernel gains by it.
pub fn schedules(subject: &Subject<'_>, memory: Memory) -> Vec<Schedule> {
    if Lines::of(subject, memory).is_some() {
        return Vec::new();
    }
    let order = order::gpu(subject.kernel, &subject.accesses, &|mem| subject.ty(mem), memory);
    let Some(first) = order.first() else { return Vec::new() };
    let along = |axis: usize| {
        let is_along = |access: &&Access<'_>| {
            let dims = &subject.ty(access.mem).dims;
            access.step(axis).is_some_and(|step| is_consecutive(&step, dims, memory))
        };
        subject.accesses.iter().filter(is_along).count()
    };
    let plain = along(*first);
    // accesses that go along memory, in shared memory or not
    let gain = |sides: [usize; 2]| {
        let turned = Turned::of(subject, memory, sides)?;
        let fits = turned.bytes(subject) <= u64::from(SHARED);
        fits.then_some(along(sides[0]) + turned.loads.len()).filter(|count| *count > plain)
    };
    let pairs = order.iter().flat_map(|x| order.iter().map(move |y| [*x, *y]));
    let mut found: Vec<(usize, [usize; 2])> = pairs.filter_map(|sides| Some((gain(sides)?, sides))).collect();
    // of several that are as good, the first
    found.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    found.first().and_then(|(_, sides)| schedule(subject, memory, *sides)).into_iter().collect()
}

fn schedule(subject: &Subject<'_>, memory: Memory, [across, down]: [usize; 2]) -> Option<Schedule> {
    let turned = Turned::of(subject, memory, [across, down])?;
    let one = |axis: usize| Level::sequential(vec![LoopId(axis)]);
    // what is tested has no order, so its loops are as the others
    let others = |axis: &usize| subject.is_long(*axis) && *axis != across && *axis != down;
    let others = (0..subject.depth()).filter(others).map(LoopId).collect();
    let others = in_memory(others, memory);
    let mut levels = Vec::new();
    if !others.is_empty() {
        levels.push(Level::sequential(others).at(&[Place::Block(Axis::Z)]));
    }
    levels.push(one(down).tiles(SIDE).at(&[Place::Block(Axis::Y)]));
    levels.push(one(across).tiles(SIDE).at(&[Place::Block(Axis::X)]));
    let level = levels.len();
    levels.push(one(down).at(&[Place::Thread(Axis::Y)]).jammed(EACH));
    levels.push(one(across).at(&[Place::Thread(Axis::X)]));
    let arrays = subject.arrays();
    let mut stages: Vec<Stage> = Vec::new();
    for load in turned.loads {
        let Op::Load(mem, _) = load else { continue };
        let number = arrays.iter().position(|array| array == mem)?;
        let stage = Stage { what: Staged::Array(number), level, space: Space::Shared, pad: PAD, vector: 1 };
        if !stages.contains(&stage) {
            stages.push(stage);
        }
    }
    Some(Schedule { levels, stages, ..Schedule::empty(Target::Gpu, memory) })
}
