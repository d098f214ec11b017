//! All schedules that a kernel may have on a device, within bounds.
//!
//! They are listed by the kinds of nest that devices know ([`Nest`]), each in all the ways in which its loops, tiles and counts can be. What is listed is
//! legal ([`verify`](fn@super::verify)); whether a back end carries it out the back end says, as of any schedule. From the list tests take schedules at random, which
//! must change no bit, and the model's choice is held against the best of it.
//!
//! The list ends somewhere ([`Bounds`]): beyond four loops of a domain the others stay together, counts are those that are given, and the points of a thread
//! in tiles carry no more than fits its registers.

use super::ahead::Ahead;
use super::default::{grid, inside, is_light, lines, neighbours, warps};
use super::levels::{Axis, Level, LoopId, Place, Schedule, Target};
use super::lines::Lines;
use super::order::{self, Memory};
use super::subject::Subject;
use super::tiles::{self, Shape, Tiles};
use super::vectors::{FEWEST, Vectors};
use super::{halos, turned};

/// The kinds of nest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Nest {
    /// A thread for each point.
    Points,
    /// Neighbouring points for each thread.
    Neighbouring,
    /// A reduction by the warps of a block.
    Warps,
    /// A reduction of neighbouring results.
    Neighbours,
    /// Lines that a block walks along.
    Lines,
    /// Tiles of points that share what a loop of the body reads.
    Tiles,
    /// Tiles for what is read across memory.
    Turned,
    /// Tiles for what neighbours read too.
    Halos,
}

/// Where the list ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// Loops of the domain that go anywhere.
    pub loops: usize,
    /// Whether nests are listed that differ in the order of what lies along the axes of the grid, or in which axes these are.
    pub orders: bool,
    /// Iterations of a loop of the body that are written out,
    pub unrolls: &'static [u32],
    /// and terms of a reduction, or partial results, of a thread at once.
    pub terms: &'static [u32],
    /// Threads of a block of tiles across and down,
    pub threads: &'static [[u32; 2]],
    /// points of each along both,
    pub points: &'static [u32],
    /// iterations that are staged, and how many of them are written out,
    pub depths: &'static [[u32; 2]],
    /// elements that are left free behind a row,
    pub pads: &'static [u32],
    /// and whether parts of what can be staged are too.
    pub parts: bool,
}

impl Bounds {
    /// Whatever may make a difference to what is computed.
    pub const ALL: Self = Self {
        loops: 4,
        orders: true,
        unrolls: &[1, 2, 3, 4, 8, 16],
        terms: &[1, 2, 3, 4, 8],
        threads: &[[4, 4], [8, 8], [16, 16], [32, 8], [8, 32], [16, 4], [2, 16]],
        points: &[1, 2, 4, 8],
        depths: &[[4, 4], [8, 1], [8, 4], [16, 2], [16, 16], [32, 4]],
        pads: &[0, 1],
        parts: true,
    };
    /// What may make one to its time.
    pub const TIMED: Self = Self {
        loops: 4,
        orders: false,
        unrolls: &[1, 2, 4, 8, 16],
        terms: &[1, 2, 4, 8],
        threads: &[[16, 16], [8, 8]],
        points: &[1, 2, 4, 8],
        depths: &[[8, 4], [16, 8]],
        pads: &[1],
        parts: false,
    };
}

/// Words of 32 bits in which the points of a thread carry what the loop of the body hands on.
const WORDS: u32 = 64;

/// The schedules of a kernel on a device, by kinds; only kinds of which there are some.
pub fn candidates(subject: &Subject<'_>, memory: Memory, bounds: &Bounds) -> Vec<(Nest, Vec<Schedule>)> {
    let list = List { subject, memory, bounds };
    let reduces = subject.reduced().is_some() && !subject.is_tested();
    let all = if reduces {
        vec![(Nest::Warps, list.reductions(warps)), (Nest::Neighbours, list.neighbours())]
    } else {
        vec![
            (Nest::Points, list.points()),
            (Nest::Neighbouring, list.neighbouring()),
            (Nest::Lines, list.lines()),
            (Nest::Tiles, list.tiles()),
            (Nest::Turned, turned::every(subject, memory)),
            (Nest::Halos, halos::every(subject, memory)),
        ]
    };
    all.into_iter().filter(|(_, all)| !all.is_empty()).collect()
}

struct List<'s, 'f> {
    subject: &'s Subject<'f>,
    memory: Memory,
    bounds: &'s Bounds,
}

/// Loops, outermost first.
type Loops = Vec<LoopId>;

impl List<'_, '_> {
    fn schedule(&self, mut levels: Vec<Level>) -> Schedule {
        inside(self.subject, &mut levels);
        Schedule { levels, ..Schedule::empty(Target::Gpu, self.memory) }
    }

    /// The loops of the domain in their usual order.
    fn order(&self) -> Vec<usize> {
        order::gpu(self.subject.kernel, &self.subject.accesses, &|mem| self.subject.ty(mem), self.memory)
    }

    /// All ways to lay the loops of the domain on axes of the grid.
    fn nests(&self) -> Vec<Vec<Level>> {
        let ids: Loops = self.order().into_iter().map(LoopId).collect();
        let ids = if ids.is_empty() { vec![LoopId(0)] } else { ids };
        let (free, rest) = ids.split_at(ids.len().min(self.bounds.loops));
        let mut units: Vec<Loops> = free.iter().map(|id| vec![*id]).collect();
        units.last_mut().into_iter().for_each(|last| last.extend(rest));
        let groups = permutations(&units).into_iter().flat_map(|order| cut(&order));
        let laid = |groups: Vec<Loops>| {
            let axes = axes(groups.len(), self.bounds.orders);
            axes.into_iter().map(move |axes| {
                let levels = groups.iter().zip(axes);
                levels.map(|(ids, axis)| Level::sequential(ids.clone()).at(&grid(axis))).collect()
            })
        };
        groups.flat_map(laid).collect()
    }

    fn points(&self) -> Vec<Schedule> {
        let is_fit = |level: &Level| level.single().is_some_and(|id| Ahead::of(self.subject, id).is_some());
        let mut all = Vec::new();
        for nest in self.nests() {
            let plain = self.schedule(nest);
            let fit: Vec<bool> = plain.levels.iter().map(is_fit).collect();
            let times = if fit.contains(&true) { self.bounds.unrolls } else { &[1] };
            all.extend(times.iter().map(|times| {
                let levels = plain.levels.iter().zip(&fit);
                let levels = levels.map(|(l, fit)| Level { unroll: if *fit { *times } else { 1 }, ..l.clone() });
                Schedule { levels: levels.collect(), ..plain.clone() }
            }));
        }
        all
    }

    fn neighbouring(&self) -> Vec<Schedule> {
        let mut all = Vec::new();
        for nest in self.nests() {
            let across = |level: &Level| level.is_at(Place::Thread(Axis::X));
            let Some(at) = nest.iter().position(across) else { continue };
            let axis = nest[at].single().and_then(|id| self.subject.axis(id));
            let Some(vectors) = axis.and_then(|axis| Vectors::of(self.subject, self.memory, axis)) else { continue };
            let counts = std::iter::successors(Some(FEWEST), |each| Some(2 * each));
            all.extend(counts.take_while(|each| *each <= vectors.most).map(|each| {
                let mut schedule = self.schedule(nest.clone());
                schedule.levels[at].jam = each;
                schedule
            }));
        }
        all
    }

    /// Reductions with all numbers of terms.
    fn reductions(&self, of: fn(&Subject<'_>, Memory, [u32; 2]) -> Schedule) -> Vec<Schedule> {
        let ahead = if is_light(&self.subject.kernel.body) { self.bounds.terms } else { &[1] };
        let pairs = ahead.iter().flat_map(|ahead| self.bounds.terms.iter().map(move |combine| [*ahead, *combine]));
        let with_loops = |terms| {
            let mut schedule = of(self.subject, self.memory, terms);
            inside(self.subject, &mut schedule.levels);
            schedule
        };
        pairs.map(with_loops).collect()
    }

    fn neighbours(&self) -> Vec<Schedule> {
        if self.subject.kept_ids().is_empty() { Vec::new() } else { self.reductions(neighbours) }
    }

    fn lines(&self) -> Vec<Schedule> {
        let lines = Lines::in_tiles(self.subject, self.memory).map(|_| lines(self.subject, self.memory));
        lines.into_iter().collect()
    }

    fn tiles(&self) -> Vec<Schedule> {
        let order = self.order();
        let pairs = order.iter().flat_map(|across| order.iter().map(move |down| [*across, *down]));
        let mut all = Vec::new();
        for sides in pairs {
            let Some(tiles) = Tiles::of(self.subject, self.memory, sides) else { continue };
            let words = tiles.carried_words(self.subject);
            for shape in self.shapes().filter(|shape| shape.each[0] * shape.each[1] * words <= WORDS) {
                let whole = tiles::schedule(self.subject, self.memory, (sides, &tiles), shape);
                all.extend(whole.into_iter().flat_map(|whole| self.parts(whole)));
            }
        }
        all
    }

    fn shapes(&self) -> impl Iterator<Item = Shape> {
        let Bounds { threads, points, depths, pads, .. } = *self.bounds;
        let each = move || points.iter().flat_map(move |x| points.iter().map(move |y| [*x, *y]));
        let shapes = threads.iter().flat_map(move |threads| each().map(move |each| (*threads, each)));
        let shapes = shapes.flat_map(move |of| depths.iter().map(move |depths| (of, *depths)));
        shapes.flat_map(move |((threads, each), [depth, unroll])| {
            pads.iter().map(move |pad| Shape { threads, each, depth, unroll, pad: *pad })
        })
    }

    /// A schedule in tiles, and those that stage less.
    fn parts(&self, whole: Schedule) -> Vec<Schedule> {
        let most = 1u32 << whole.stages.len().min(4);
        let some = |mask: u32| {
            let kept = whole.stages.iter().enumerate().filter(|(at, _)| *at >= 4 || mask >> at & 1 == 1);
            let stages: Vec<_> = kept.map(|(_, stage)| stage.clone()).collect();
            (!stages.is_empty()).then(|| Schedule { stages, ..whole.clone() })
        };
        if self.bounds.parts { (0..most).filter_map(some).collect() } else { vec![whole] }
    }
}

/// A list in all orders.
fn permutations(list: &[Loops]) -> Vec<Vec<Loops>> {
    if list.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for at in 0..list.len() {
        let mut rest = list.to_vec();
        let first = rest.remove(at);
        all.extend(permutations(&rest).into_iter().map(|rest| [vec![first.clone()], rest].concat()));
    }
    all
}

/// Loops cut into groups for one to three axes.
fn cut(list: &[Loops]) -> Vec<Vec<Loops>> {
    let cuts = (0..1u32 << list.len().saturating_sub(1)).filter(|cuts| cuts.count_ones() <= 2);
    let of = |cuts: u32| {
        let mut groups = vec![Loops::new()];
        for (at, loops) in list.iter().enumerate() {
            if at > 0 && cuts >> (at - 1) & 1 == 1 {
                groups.push(Loops::new());
            }
            groups.last_mut().into_iter().for_each(|last| last.extend(loops));
        }
        groups
    };
    cuts.map(of).collect()
}

/// The axes of so many levels, outermost first: all choices and orders of them, or the usual one.
fn axes(count: usize, all: bool) -> Vec<Vec<Axis>> {
    let usual = [Axis::Z, Axis::Y, Axis::X];
    if !all {
        return vec![usual[usual.len() - count..].to_vec()];
    }
    let mut found = vec![Vec::new()];
    for _ in 0..count {
        let longer = |list: &Vec<Axis>| {
            let free = usual.into_iter().filter(|axis| !list.contains(axis));
            free.map(|axis| [list.clone(), vec![axis]].concat()).collect::<Vec<_>>()
        };
        found = found.iter().flat_map(longer).collect();
    }
    found
}
