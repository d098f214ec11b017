//! Points that read arrays at constant distances from themselves (stencils), on a device: what a block reads of such an array comes from memory once.
//!
//! A thread for each point reads what its neighbours read too, and the caches are the limit. Such kernels have another entry, in which a thread has several points along
//! one or two loops (a register tile, "coarsening") and first loads what they read of its own column into registers. What is read from
//! other columns their threads leave in shared memory. At its sides a block has threads that only load: the halo. So an element is loaded once for each block, and
//! a second time at its edges (overlapped tiles, as in J. Holewinski et al., "High-Performance Code Generation for Stencil Computations on GPU Architectures", ICS 2012, of one step).
//!
//! ```text
//! threads     halo | x x x .. x | halo        each loads rows below - 1 .. of the tile and leaves those in shared memory that others read
//!                    x x x .. x               points of a thread, one below the other
//! ```

mod loads;

use super::access::Access;
use super::default::{SHARED, inside};
use super::levels::{Axis, Level, LoopId, Place, Schedule, Space, Stage, Staged, Target};
use super::lines::Lines;
use super::order::{self, Memory};
use super::subject::{BodyLoop, Subject, has_checks};
use super::weight;
use crate::ir::{Class, Mem, Op, Region, Stmt, Terminator, Value};
use crate::kernels::old_state::OldState;
use loads::groups;
use megha_base::plan::{Element, THREADS};

/// Points of a thread along two loops and along one, those that are tried first first.
const OF_TWO: [[u32; 2]; 3] = [[4, 4], [4, 2], [2, 2]];
const OF_ONE: [[u32; 2]; 3] = [[8, 1], [4, 1], [2, 1]];
const OF_NONE: [[u32; 2]; 1] = [[1, 1]];
/// Registers of a thread for the elements of its column, in words of 32 bits.
const WORDS: u64 = 72;
/// Operations of a thread's points together.
const WORK: u32 = 512;
/// Loads of a point that the entry spares at least.
const SPARED: f64 = 2.0;

/// A load at a constant distance, or in loops of the body at distances that their counters make.
#[derive(Debug, Clone)]
pub struct Read<'f> {
    /// The load.
    pub op: &'f Op,
    /// What it gives.
    pub value: Value,
    /// How far its element is from that of [`Halo::subs`] where counters are zero, along the loop of the threads and those of a thread's points,
    pub at: [i64; 3],
    /// by how much it moves along which of these with which counter,
    pub counters: Vec<(usize, Value, i64)>,
    /// and so the least and the largest distance.
    pub reach: [[i64; 2]; 3],
}

impl Read<'_> {
    /// Whether it is of another thread's column, or only the run says of which.
    fn is_of_others(&self) -> bool {
        self.at[0] != 0 || !self.counters.is_empty()
    }

    /// The elements that it reads.
    fn elements(&self) -> usize {
        self.reach.iter().map(|[low, high]| (high - low + 1) as usize).product()
    }
}

/// What a kernel reads of an array at constant distances.
#[derive(Debug, Clone)]
pub struct Halo<'f> {
    /// The array,
    pub array: Value,
    /// the subscripts from which distances are counted: those of a load of the thread's column,
    pub subs: &'f [Value],
    /// what is read,
    pub reads: Vec<Read<'f>>,
    /// the least and the largest distance,
    pub reach: [[i64; 2]; 3],
    /// and the counters of all loads.
    pub counters: Vec<Value>,
    /// Whether the loops of a thread's points move the element.
    moves: [bool; 2],
}

/// A kernel's loops in such an entry, and what it stages.
#[derive(Debug, Clone)]
pub struct Halos<'f> {
    /// How the loops lie.
    pub tile: Tile,
    /// The arrays.
    pub list: Vec<Halo<'f>>,
    /// Whether the body has loops, through which the points of a thread go together.
    pub has_loops: bool,
}

/// The loops of tiles with halos.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tile {
    /// The loop along neighbouring threads,
    pub across: usize,
    /// the loop of the points of a thread, if there is another loop,
    pub down: Option<usize>,
    /// and the other loops, the fastest first: one, if a thread has several points along it.
    pub others: Vec<usize>,
    /// Points of a thread along both.
    pub each: [u32; 2],
    /// Threads of a row of a block that only load: before its points, and behind them.
    pub sides: [i64; 2],
}

impl Tile {
    /// The points of a thread.
    pub fn points(&self) -> impl Iterator<Item = [i64; 2]> + use<> {
        let [high, deep] = self.each.map(i64::from);
        (0..deep).flat_map(move |z| (0..high).map(move |y| [y, z]))
    }
}

impl Halo<'_> {
    /// The rows of the thread's column, and whether others read them: distances along both loops of its points. Where counters number them they are a box.
    pub fn rows(&self, tile: &Tile) -> Vec<([i64; 2], bool)> {
        if !self.counters.is_empty() {
            let [ys, zs] = [0, 1].map(|k| {
                let points = if self.moves[k] { i64::from(tile.each[k]) } else { 1 };
                self.reach[k + 1][0]..self.reach[k + 1][1] + points
            });
            return ys.flat_map(|y| zs.clone().map(move |z| ([y, z], true))).collect();
        }
        let mut rows: Vec<([i64; 2], bool)> = Vec::new();
        for point in tile.points() {
            for read in &self.reads {
                let (row, others) = (self.row_of(point, read), read.is_of_others());
                match rows.iter_mut().find(|(known, _)| *known == row) {
                    Some((_, shared)) => *shared |= others,
                    None => rows.push((row, others)),
                }
            }
        }
        rows.sort_unstable();
        rows
    }

    /// By how many rows a row is behind the one before along each loop of the points, where counters number them.
    pub fn apart(&self, tile: &Tile) -> [i64; 2] {
        let points = if self.moves[1] { i64::from(tile.each[1]) } else { 1 };
        [self.reach[2][1] - self.reach[2][0] + points, 1]
    }

    /// The row that a point of the thread reads, where counters are zero.
    pub fn row_of(&self, point: [i64; 2], read: &Read<'_>) -> [i64; 2] {
        [0, 1].map(|k| if self.moves[k] { point[k] } else { 0 } + read.at[k + 1])
    }

    /// Different elements that a point reads.
    fn elements(&self) -> usize {
        let first = |(k, read): &(usize, &Read<'_>)| self.reads[..*k].iter().all(|other| other.at != read.at);
        self.reads.iter().enumerate().filter(first).map(|(_, read)| read.elements()).sum()
    }
}

impl<'f> Halos<'f> {
    /// What such an entry of these points does; `None` if the kernel has none.
    pub fn of(subject: &Subject<'f>, memory: Memory, each: [u32; 2]) -> Option<Self> {
        all(subject, memory).into_iter().find(|halos| halos.tile.each == each)
    }

    /// What a load of the body reads, and of which array, if it is one of these.
    pub fn read(&self, op: &Op) -> Option<(usize, &Read<'f>)> {
        let of = |halo: &'_ Halo<'f>| halo.reads.iter().position(|read| std::ptr::eq(read.op, op));
        self.list.iter().enumerate().find_map(|(at, halo)| Some((at, &halo.reads[of(halo)?])))
    }

    /// Whether a load finds the same element at all points of a thread.
    pub fn is_alike(&self, subject: &Subject<'_>, op: &Op) -> bool {
        let Tile { down, others, each, .. } = &self.tile;
        let loops = [(*down, each[0]), (others.first().copied(), each[1])];
        let moves = |access: &Access<'_>| {
            let several = loops.iter().filter(|(_, each)| *each > 1).filter_map(|(axis, _)| *axis);
            several.into_iter().any(|axis| access.step(axis).is_none_or(|by| by.iter().any(|by| *by != 0)))
        };
        subject.accesses.iter().any(|access| std::ptr::eq(access.op, op) && !moves(access))
    }

    /// Bytes of shared memory.
    pub fn shared(&self, subject: &Subject<'_>) -> u64 {
        let of = |halo: &Halo<'_>| {
            let rows = halo.rows(&self.tile).iter().filter(|(_, shared)| *shared).count() as u64;
            rows * bytes(subject, halo.array).max(4) * u64::from(THREADS)
        };
        self.list.iter().map(of).sum()
    }

    /// Whether it spares loads.
    fn gains(&self) -> bool {
        let rows = |halo: &Halo<'_>| halo.rows(&self.tile).len();
        let points = self.tile.each[0] * self.tile.each[1];
        let before: usize = self.list.iter().map(Halo::elements).sum();
        let now = self.list.iter().map(rows).sum::<usize>() as f64 / f64::from(points);
        before as f64 - now >= SPARED
    }

    /// Whether it fits registers and shared memory, and is not much code.
    fn fits(&self, subject: &Subject<'_>) -> bool {
        let rows = |halo: &Halo<'_>| halo.rows(&self.tile).len();
        let words = self.list.iter().map(|halo| rows(halo) as u64 * bytes(subject, halo.array).div_ceil(4));
        let points = self.tile.each[0] * self.tile.each[1];
        // subscripts cost little: most are in the instructions
        let is_value = |stmt: &Stmt| stmt.results.iter().any(|value| subject.func.ty(*value).class != Class::Index);
        let mut work = 0;
        subject.kernel.body.walk(&mut |stmt| work += if is_value(stmt) { weight(&stmt.op) } else { 0 });
        words.sum::<u64>() <= WORDS && self.shared(subject) <= u64::from(SHARED) && work * points <= WORK
    }

    /// The schedule.
    fn schedule(&self, subject: &Subject<'_>, memory: Memory) -> Option<Schedule> {
        let Tile { across, down, others, each, .. } = &self.tile;
        // those of a level stand outermost first
        let ids = |list: &[usize]| list.iter().rev().map(|axis| LoopId(*axis)).collect::<Vec<_>>();
        let mut levels = Vec::new();
        if !others.is_empty() {
            levels.push(Level::sequential(ids(others)).at(&[Place::Block(Axis::Z)]).jammed(each[1]));
        }
        let grid = |axis: Axis| [Place::Block(axis), Place::Thread(axis)];
        levels.extend(down.map(|axis| Level::sequential(ids(&[axis])).at(&grid(Axis::Y)).jammed(each[0])));
        levels.push(Level::sequential(ids(&[*across])).at(&grid(Axis::X)));
        let arrays = subject.arrays();
        let level = levels.len() - 1;
        let stage = |halo: &Halo<'_>| {
            let number = arrays.iter().position(|array| *array == Mem::In(halo.array))?;
            Some(Stage { what: Staged::Array(number), level, space: Space::Shared, pad: 0, vector: 1 })
        };
        let mut stages: Vec<Stage> = self.list.iter().map(stage).collect::<Option<_>>()?;
        stages.dedup();
        inside(subject, &mut levels);
        Some(Schedule { levels, stages, ..Schedule::empty(Target::Gpu, memory) })
    }
}

fn bytes(subject: &Subject<'_>, array: Value) -> u64 {
    subject.ty(Mem::In(array)).class.element().map_or(8, Element::bytes)
}

/// The schedules with halos by which the kernel gains, the one of most points first.
pub fn schedules(subject: &Subject<'_>, memory: Memory) -> Vec<Schedule> {
    let all = all(subject, memory).into_iter().filter(|halos| halos.fits(subject) && halos.gains());
    all.filter_map(|halos| halos.schedule(subject, memory)).collect()
}

/// The schedules with halos for which there is room, whether the kernel gains by them or not.
pub fn every(subject: &Subject<'_>, memory: Memory) -> Vec<Schedule> {
    let all = all(subject, memory).into_iter().filter(|halos| halos.fits(subject));
    all.filter_map(|halos| halos.schedule(subject, memory)).collect()
}

/// What entries of all numbers of points do.
fn all<'f>(subject: &Subject<'f>, memory: Memory) -> Vec<Halos<'f>> {
    let kernel = subject.kernel;
    let reduces = subject.reduced().is_some() && !subject.is_tested();
    let has_loops = kernel.body.any(|op| matches!(op, Op::For { .. } | Op::While { .. }));
    if has_loops && !may_go_together(subject) {
        return Vec::new();
    }
    // elements around what a thread's points read are loaded too: all of them the kernel reads only if nothing ends an iteration
    if reduces || subject.maps.is_narrowed() || has_checks(&kernel.body) || subject.depth() == 0 {
        return Vec::new();
    }
    let order = order::gpu(kernel, &subject.accesses, &|mem| subject.ty(mem), memory);
    let Some((across, rest)) = order.split_first() else { return Vec::new() };
    let groups = groups(subject, memory, *across);
    if groups.is_empty() || Lines::of(subject, memory).is_some() {
        return Vec::new();
    }
    // the loops along which most is read; what is read along more of them than a tile has stays with the caches
    let reach = |axis: &usize| groups.iter().map(|group| group.reach(*axis)).max().unwrap_or(0);
    let mut rest = rest.to_vec();
    rest.sort_by_key(|axis| std::cmp::Reverse(reach(axis)));
    let reaching = rest.iter().filter(|axis| reach(axis) > 0).count();
    let counts = match reaching {
        0 => &OF_NONE[..],
        // a tile of points along two loops leaves no place for a fourth
        2.. if rest.len() == 2 => &OF_TWO[..],
        _ => &OF_ONE[..],
    };
    let down = rest.first().copied();
    let mut others = rest.get(1..).unwrap_or(&[]).to_vec();
    others.sort_unstable();
    if memory == Memory::RowMajor {
        others.reverse();
    }
    let is_deep = counts.iter().any(|[_, deep]| *deep > 1);
    let loops = [Some(*across), down, others.first().copied().filter(|_| is_deep)];
    let list: Vec<Halo<'f>> = groups.iter().filter_map(|group| group.along(loops)).collect();
    let sides = [0, 1].map(|side| {
        let by = |halo: &Halo<'_>| if side == 0 { -halo.reach[0][0] } else { halo.reach[0][1] };
        list.iter().map(by).max().unwrap_or(0).max(0)
    });
    let with = |each: &[u32; 2]| {
        let tile = Tile { across: *across, down, others: others.clone(), each: *each, sides };
        Halos { tile, list: list.clone(), has_loops }
    };
    counts.iter().map(with).collect()
}

/// Whether the points of a thread can go through the body's loops together, those outside of the kernel's domain too, which are replaced by the last one: the loops are the
/// same for all, have iterations, and do nothing but compute from what the kernel does not write.
fn may_go_together(subject: &Subject<'_>) -> bool {
    let kernel = subject.kernel;
    let is_fit =
        |of: &BodyLoop<'_>| of.is_uniform() && subject.maps.fixed_trips(of.trip).is_some_and(|trips| trips > 0);
    let old = OldState::new(subject.func);
    let reads = |access: &Access<'_>| match access.mem {
        Mem::In(array) => subject.is_constant(array) || old.is_read(kernel, array),
        Mem::Out(_) => false,
    };
    subject.body_loops.iter().all(is_fit)
        && is_nested(&kernel.body, true)
        && subject.accesses.iter().filter(|access| access.result.is_some()).all(reads)
}

/// Whether loops stand directly in each other, and stores directly in the body.
fn is_nested(region: &Region, is_body: bool) -> bool {
    region.stmts.iter().all(|stmt| match &stmt.op {
        Op::For { body, .. } => matches!(body.term, Terminator::Yield(_)) && is_nested(body, false),
        Op::Put(..) => is_body,
        Op::Accumulate(..) | Op::While { .. } => false,
        op => op.regions().is_empty(),
    })
}
