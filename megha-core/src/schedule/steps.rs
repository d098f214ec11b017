//! Loops over time on a device, some steps at once: which kernels, and how (overlapped tiles with a window in registers; K. Matsumura et al., "AN5D", CGO 2020).
//!
//! A loop that does nothing but launch one kernel, which makes the next state of an array from the last one, reads and writes that array once a step.
//! Instead a block takes a strip of the array and walks along its slowest dimension. It loads each row once, as state 0; a row of state 1 follows as soon
//! as the rows of state 0 are there that it needs, and so on: in each round a row of each state, each [`Steps::lag`] rows behind the state before. The last state is stored. What a thread
//! needs of its own column stays in its registers, what it needs of others they leave in shared memory. At its sides each state of a strip is narrower than the one before
//! by what the kernel reaches, so neighbouring strips overlap and compute some points twice: by the same operations, so to the same bits.
//!
//! ```text
//! round r     state 0: row r   state 1: row r - lag   ..   state S: row r - S lag, stored
//! ```
//! Where the kernel stores nothing, the borders, a state has what the one before has.

use super::access::{Access, Affine};
use super::bands::{TimeLoop, time_loops};
use super::cost::is_short;
use super::order::Memory;
use super::subject::{Subject, has_checks};
use super::weight;
use crate::hash::HashMap;
use crate::ir::{Class, Func, Mem, Op, Out, Size, Terminator, Value};
use megha_base::plan::THREADS;

/// How far a kernel may reach along a dimension.
const FARTHEST: i64 = 4;
/// Steps at once, those that are tried first first: along strips of a row of threads,
const OF_STRIPS: [u32; 2] = [8, 4];
/// and along those of a square of threads, which lose more at their sides.
const OF_BEAMS: [u32; 1] = [3];
/// Threads of a block along both dimensions of a square.
const SQUARE: [u32; 2] = [32, 32];
/// Along a dimension of a block at most one in so many threads stores nothing.
const SIDES: u32 = 4;
/// Registers of a thread for windows, in words of 32 bits: strips, beams.
const WINDOWS: [i64; 2] = [96, 32];
/// Operations of a point beyond which arithmetic is the limit, not memory.
const HEAVY: u32 = 64;
/// The most shared memory of a block.
const SHARED: u64 = 48 << 10;

/// A read of the array that the steps change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Read {
    /// What is read.
    pub value: Value,
    /// How far it is from the point, along [`Steps::across`] and then along [`Steps::along`].
    pub at: [i64; 3],
}

/// How steps go at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Steps {
    /// The array of the last state, as the kernel reads it.
    pub state: Value,
    /// The loops along the threads of a block, the fastest in memory first,
    pub across: Vec<usize>,
    /// and the one along which it walks, if there is another.
    pub along: Option<usize>,
    /// What the kernel reads of the last state.
    pub reads: Vec<Read>,
    /// How far the rows of a state are behind those of the one before.
    pub lag: i64,
    /// How far the kernel reaches down and up along each of these dimensions.
    pub reach: [[i64; 2]; 3],
    /// Threads of a block.
    pub threads: [u32; 2],
}

/// The kernels of a function that are all of a loop over time, by their numbers, with the array that the loop hands on.
pub fn in_time(func: &Func) -> HashMap<u32, Value> {
    time_loops(func).iter().filter_map(|time_loop| only_kernel(func, time_loop)).collect()
}

/// The kernel of a loop that launches no other and hands on what that makes and nothing else that it changes, and whose steps differ in nothing else.
fn only_kernel(func: &Func, time_loop: &TimeLoop<'_>) -> Option<(u32, Value)> {
    let Op::For { body, .. } = &time_loop.stmt.op else { return None };
    let launches = time_loop.bands.iter().flatten().map(|bands| bands.launches.len());
    let [(stmt, kernel)] = body.kernels()[..] else { return None };
    let Terminator::Yield(yielded) = &body.term else { return None };
    let [result] = stmt.results[..] else { return None };
    let mut arrays = body.params[1..].iter().zip(yielded).filter(|(param, _)| !func.ty(**param).is_scalar());
    let (state, next) = arrays.next()?;
    let alone = arrays.next().is_none() && launches.clone().next().is_some() && launches.into_iter().all(|n| n == 1);
    let moves = |value: &Value| *value != *state && time_loop.moves(*value);
    let mut stays = !kernel.body.free_values().iter().any(moves);
    let mut sizes = |size: &Size| stays &= time_loop.stays(func, size);
    kernel.domain.iter().for_each(&mut sizes);
    kernel.body.walk(&mut |stmt| stmt.op.for_each_size(&mut sizes));
    (alone && *next == result && stays).then_some((kernel.id, *state))
}

impl Steps {
    /// How a kernel that is all of a loop over time runs some of its steps at once; `None` if it does not.
    pub fn of(subject: &Subject<'_>, memory: Memory, state: Value) -> Option<Self> {
        let kernel = subject.kernel;
        let [out] = &kernel.outs[..] else { return None };
        let is_next = match out {
            Out::Fresh => true,
            Out::Update(from) => *from == state,
            Out::Reduce(..) => false,
        };
        // garbage at the sides of a strip must neither fail nor go round for ever
        let is_plain =
            !has_checks(&kernel.body) && !kernel.body.any(|op| matches!(op, Op::For { .. } | Op::While { .. }));
        let ty = subject.ty(Mem::Out(0));
        let class = ty.class != Class::Logical && ty.class.element().is_some();
        if !is_next || !is_plain || subject.maps.is_narrowed() || !class || work(subject) > HEAVY {
            return None;
        }
        let loops = loops(subject, memory)?;
        let reads = reads(subject, state, &loops)?;
        Some(Self::with(state, &loops, reads))
    }

    fn with(state: Value, loops: &[(usize, Affine)], reads: Vec<Read>) -> Self {
        let beams = loops.len() > 2;
        let axis = |at: usize| loops[at].0;
        let (across, along) = match loops.len() {
            1 => (vec![axis(0)], None),
            2 => (vec![axis(0)], Some(axis(1))),
            _ => (vec![axis(0), axis(1)], Some(axis(2))),
        };
        let reach = [0, 1, 2].map(|at| {
            let all = || reads.iter().map(|read| read.at[at]);
            [all().map(|by| -by).max().unwrap_or(0).max(0), all().max().unwrap_or(0).max(0)]
        });
        // what others have left is there a round later; where there is one row, a barrier later
        let later = |read: &Read| i64::from(read.is_of_others() && along.is_some());
        let lag = reads.iter().map(|read| read.at[2] + later(read)).max().unwrap_or(0).max(0);
        let threads = if beams { SQUARE } else { [THREADS, 1] };
        Self { state, across, along, reads, lag, reach, threads }
    }

    /// The numbers of steps that go at once, the largest first.
    pub fn counts(&self, bytes: u64) -> Vec<u32> {
        let beams = self.across.len() > 1;
        let list: &[u32] = if beams { &OF_BEAMS } else { &OF_STRIPS };
        let words = bytes.div_ceil(4) as i64;
        let fits = |steps: &u32| {
            let sides = (0..self.across.len()).all(|at| {
                let lost = self.lost(at, *steps);
                lost <= self.threads[at] / SIDES
            });
            let windows = i64::from(*steps) * self.window() * words <= WINDOWS[usize::from(beams)];
            sides && windows && self.shared(*steps, bytes) <= SHARED
        };
        list.iter().copied().filter(fits).collect()
    }

    /// Threads along a dimension of a block that store nothing.
    pub fn lost(&self, at: usize, steps: u32) -> u32 {
        (self.reach[at][0] + self.reach[at][1]) as u32 * steps
    }

    /// Bytes of shared memory: the rows of each state but the last.
    pub fn shared(&self, steps: u32, bytes: u64) -> u64 {
        let each = u64::from(self.threads[0] * self.threads[1]) * bytes.max(4);
        each * self.slots() as u64 * u64::from(steps)
    }

    /// The rows of a state that a thread keeps of its own column.
    pub fn window(&self) -> i64 {
        let own = self.reads.iter().filter(|read| !read.is_of_others());
        own.map(|read| self.lag - read.at[2]).max().unwrap_or(0).max(self.lag) + 1
    }

    /// The rows of a state that lie in shared memory, the one that is made among them.
    pub fn slots(&self) -> i64 {
        let others = self.reads.iter().filter(|read| read.is_of_others());
        others.map(|read| self.lag - read.at[2] + 1).max().unwrap_or(0)
    }

    /// Iterations along the walk that a strip takes more than it stores.
    pub fn extra(&self, steps: u32) -> u32 {
        (self.lag + self.reach[2][0]) as u32 * steps
    }
}

impl Read {
    /// Whether it is an element of another thread's column.
    pub fn is_of_others(&self) -> bool {
        self.at[0] != 0 || self.at[1] != 0
    }
}

/// Operations of a point.
fn work(subject: &Subject<'_>) -> u32 {
    let mut sum = 0;
    subject.kernel.body.walk(&mut |stmt| sum += weight(&stmt.op));
    sum
}

/// The loops of the domain, the one along the fastest dimension of the state first, with the subscripts that stores have there; `None` unless each
/// dimension has its own loop.
fn loops(subject: &Subject<'_>, memory: Memory) -> Option<Vec<(usize, Affine)>> {
    let mut puts = subject.accesses.iter().filter(|access| matches!(access.op, Op::Put(..)));
    // only a state that is stored without a condition has memory of its own that is used again (`cpu::storage`)
    let (put, None) = (puts.next().filter(|put| !put.conditional)?, puts.next()) else { return None };
    let map = subscripts(subject, put)?;
    let (ty, depth) = (subject.ty(Mem::Out(0)), subject.depth());
    if !(1..=3).contains(&depth) {
        return None;
    }
    let long: Vec<&Size> = ty.dims.iter().filter(|dim| !dim.is_one()).collect();
    let dims = if map.len() == ty.dims.len() { ty.dims.iter().collect() } else { long };
    if dims.len() != map.len() {
        return None;
    }
    let mut found = Vec::new();
    for (sub, dim) in map.iter().zip(dims) {
        let moving: Vec<usize> = (0..depth).filter(|axis| sub.coeffs[*axis] != 0).collect();
        match moving[..] {
            [] if dim.is_one() => {}
            [axis] if sub.coeffs[axis] == 1 && !found.iter().any(|(own, _)| *own == axis) => {
                found.push((axis, sub.clone()));
            }
            _ => return None,
        }
    }
    if memory == Memory::RowMajor {
        found.reverse();
    }
    let is_small = |size: &Size| size.as_constant().is_some_and(is_short);
    let known = ty.dims.iter().filter(|dim| !dim.is_one()).any(is_small);
    (found.len() == depth && !known).then_some(found)
}

/// The subscripts of an access as functions of the numbers of iterations, with the numbers that the host knows as sizes.
fn subscripts(subject: &Subject<'_>, access: &Access<'_>) -> Option<Vec<Affine>> {
    let (Op::Load(_, subs) | Op::Put(_, subs, _)) = access.op else { return None };
    subs.iter().map(|sub| subject.maps.sized(*sub)).collect()
}

/// What the kernel reads of the state; `None` if some of it lies elsewhere than at constant distances that are short.
fn reads(subject: &Subject<'_>, state: Value, loops: &[(usize, Affine)]) -> Option<Vec<Read>> {
    let mut found = Vec::new();
    for access in subject.accesses.iter().filter(|access| !matches!(access.op, Op::Put(..))) {
        match access.mem {
            Mem::In(array) if array == state => {}
            // made before the loop, and read where the point is only
            Mem::In(_) if access.map.is_some() => continue,
            Mem::In(_) | Mem::Out(_) => return None,
        }
        let map = subscripts(subject, access)?;
        let mut at = [0; 3];
        for (number, (axis, own)) in loops.iter().enumerate() {
            let sub = map.iter().find(|sub| sub.coeffs[*axis] != 0)?;
            let by = sub.size.sub(&own.size).as_constant()?;
            if sub.coeffs != own.coeffs || sub.uniform != own.uniform || by.abs() > FARTHEST {
                return None;
            }
            // the last of two or three is the one of the walk
            at[if number > 0 && number + 1 == loops.len() { 2 } else { number }] = by;
        }
        found.push(Read { value: access.result?, at });
    }
    Some(found)
}
