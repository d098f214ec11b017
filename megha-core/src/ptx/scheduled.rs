//! What the schedule of a kernel asks of its entry.
//!
//! Seven nests can be carried out. Blocks and threads share what stands at `block` and at `thread` of one axis; how many there are of each is
//! decided at the launch.
//! ```text
//! points      loops of the domain, each at block and thread of an axis
//! warps       a reduction: results, chunks, rows of 32 elements for the warps, lanes
//! neighbours  a reduction: neighbouring results, the others, chunks, lanes
//! lines       the iterations as lines, tiles of their loop, its elements
//! tiles       layers, tiles of points along two loops, tiles of the loop of the body, its iterations, the points of a tile
//! turned      layers, tiles of points along two loops, the points of a tile
//! halos       layers, several points of a thread, its neighbours
//! ```
//! All but the first and the last three keep terms in shared memory, and inside of each nest but these stand the loops of the body. They keep
//! arrays there.

use crate::ir::{Mem, Out};
use crate::schedule::ahead::Ahead;
use crate::schedule::default::{CHUNKS, SHARED, WARP, in_memory, is_light, tile_bytes};
use crate::schedule::tiles::{Shared, Side, Tiles};
use crate::schedule::vectors::{FEWEST, Vectors};
use crate::schedule::{Axis, Level, LoopId, Place, Schedule, Space, Stage, Staged, Subject};
use megha_base::plan::{Element, THREADS, TILE};

/// A nest of loops on threads. Loops that count as one are given fastest first; those of one iteration are left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Form {
    /// Independent points.
    Points(Points),
    /// The same with neighbouring points for each thread.
    Neighbouring(Neighbours),
    /// A reduction by the warps of a block.
    Warps(Reduced),
    /// A reduction of neighbouring results: the first of those that are kept lies along threads.
    Neighbours(Reduced),
    /// Lines that a block walks along together.
    Lines(Vec<usize>),
    /// Tiles of points that share what a loop of the body reads.
    Tiles(Tiled),
    /// Tiles of points for what is read across memory.
    Turned(TurnedTiles),
    /// Tiles of points that read neighbours of each other: so many of each thread.
    Halos([u32; 2]),
}

/// The loops of independent points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Points {
    /// Those along the grid, outermost first.
    pub nest: Vec<(Axis, Vec<usize>)>,
    /// Loops of the body of which some iterations are written out, and how many.
    pub unrolled: Vec<(LoopId, u32)>,
}

/// The loops of points of which each thread has neighbours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Neighbours {
    /// Those along the grid, outermost first.
    pub nest: Vec<(Axis, Vec<usize>)>,
    /// The one along which neighbours lie,
    pub axis: usize,
    /// and how many a thread has.
    pub each: u32,
}

/// The loops of tiles of points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tiled {
    /// The two loops of a tile: along neighbouring threads, and the other one.
    pub sides: [usize; 2],
    /// The loops around them.
    pub others: Vec<usize>,
    /// Points of a tile along both loops,
    pub tile: [u32; 2],
    /// and those of a thread.
    pub each: [u32; 2],
    /// Iterations of the body's loop that are staged at a time,
    pub depth: u32,
    /// and written out one after the other.
    pub unroll: u32,
    /// What is staged, with the elements that are left free behind each row.
    pub staged: Vec<(Mem, u32)>,
}

impl Tiled {
    /// Threads of a block along both loops.
    pub fn threads(&self) -> [u32; 2] {
        [0, 1].map(|side| self.tile[side] / self.each[side])
    }
}

/// The loops of tiles for what is read across memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnedTiles {
    /// The two loops of a tile: along neighbouring threads, and the other one.
    pub sides: [usize; 2],
    /// The loops around them.
    pub others: Vec<usize>,
}

/// The loops of a reduction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reduced {
    /// Those that are reduced.
    pub reduced: Vec<usize>,
    /// The others.
    pub kept: Vec<usize>,
    /// Terms that a thread computes at once.
    pub ahead: usize,
    /// Partial results that one reads at once where they are combined.
    pub combine: usize,
}

/// The blocks and the threads along an axis.
fn grid(axis: Axis) -> [Place; 2] {
    [Place::Block(axis), Place::Thread(axis)]
}

/// Axes of the domain, fastest first.
fn axes(subject: &Subject<'_>, loops: &[LoopId]) -> Vec<usize> {
    loops.iter().rev().filter_map(|id| subject.axis(*id)).filter(|axis| subject.is_long(*axis)).collect()
}

impl Form {
    /// The nest that a schedule asks for.
    ///
    /// # Errors
    /// What is not carried out.
    pub fn of(schedule: &Schedule, subject: &Subject<'_>) -> Result<Self, String> {
        let form = Self::found(schedule, subject);
        form.map_err(|why| format!("{why}: not carried out by the code for devices"))
    }

    fn found(schedule: &Schedule, subject: &Subject<'_>) -> Result<Self, String> {
        if schedule.stages.iter().any(|stage| matches!(stage.what, Staged::Array(_))) {
            if let Some(form) = with_halos(schedule, subject) {
                return Ok(form);
            }
            let has_loops = schedule.levels.iter().any(|level| level.places.is_empty());
            return if has_loops { tiled(schedule, subject) } else { turned(schedule, subject) };
        }
        let body =
            |level: &Level| level.places.is_empty() && level.single().is_some_and(|id| subject.axis(id).is_none());
        let inside = schedule.levels.iter().rev().take_while(|level| body(level)).count();
        let (nest, loops) = schedule.levels.split_at(schedule.levels.len() - inside);
        let unrolled = unrolled(nest, loops, subject)?;
        let at_once = nest.iter().find(|l| l.jam != 1);
        match (nest, at_once) {
            (_, None) if !unrolled.is_empty() => points(schedule, (nest, unrolled), subject),
            _ if subject.reduced().is_some() && !subject.is_tested() => reduction(schedule, nest, subject),
            (_, Some(level)) if level.single().is_some() && level.places == grid(Axis::X) => {
                neighbouring(schedule, (nest, level), subject)
            }
            (_, Some(level)) => Err(format!("iterations of `{level}` at once")),
            ([lines, tiles, _], None) if tiles.tile.is_some() && subject.body_loop(tiles.loops[0]).is_some() => {
                along_lines(schedule, lines, nest, subject)
            }
            _ => points(schedule, (nest, unrolled), subject),
        }
    }
}

/// The loops of the body of which some iterations are written out: those with reads that can begin ahead.
fn unrolled(nest: &[Level], loops: &[Level], subject: &Subject<'_>) -> Result<Vec<(LoopId, u32)>, String> {
    let is_fit = |level: &Level| level.single().is_some_and(|id| Ahead::of(subject, id).is_some());
    let mut written_out = nest.iter().chain(loops).filter(|level| level.unroll != 1);
    if let Some(level) = written_out.find(|level| !loops.contains(level) || !is_fit(level)) {
        return Err(format!("written out iterations of `{level}`"));
    }
    let several = loops.iter().filter(|level| level.unroll != 1);
    Ok(several.flat_map(|level| level.single().map(|id| (id, level.unroll))).collect())
}

fn points(
    schedule: &Schedule,
    (nest, unrolled): (&[Level], Vec<(LoopId, u32)>),
    subject: &Subject<'_>,
) -> Result<Form, String> {
    if subject.reduced().is_some() && !subject.is_tested() {
        return Err("written out iterations in a reduction".into());
    }
    staged(schedule, None)?;
    Ok(Form::Points(Points { nest: on_axes(nest, subject)?, unrolled }))
}

/// Points of which each thread has neighbours along one level.
fn neighbouring(schedule: &Schedule, (nest, x): (&[Level], &Level), subject: &Subject<'_>) -> Result<Form, String> {
    staged(schedule, None)?;
    let axis = x.single().and_then(|id| subject.axis(id)).filter(|axis| subject.is_long(*axis));
    let most = |axis: &usize| Vectors::of(subject, schedule.memory, *axis).map_or(0, |vectors| vectors.most);
    let may = |axis: &usize| x.jam.is_power_of_two() && (FEWEST..=most(axis)).contains(&x.jam);
    let others = nest.iter().filter(|level| *level != x).all(|level| level.jam == 1);
    match axis.filter(may) {
        Some(axis) if others => Ok(Form::Neighbouring(Neighbours { nest: on_axes(nest, subject)?, axis, each: x.jam })),
        _ => Err(format!("iterations of `{x}` at once")),
    }
}

/// The loops of levels that lie along the axes of the grid.
fn on_axes(nest: &[Level], subject: &Subject<'_>) -> Result<Vec<(Axis, Vec<usize>)>, String> {
    let mut found = Vec::new();
    for level in nest {
        let axis = [Axis::X, Axis::Y, Axis::Z].into_iter().find(|axis| level.places == grid(*axis));
        let (Some(axis), None) = (axis, level.tile) else { return Err(format!("`{level}` at its place")) };
        found.push((axis, axes(subject, &level.loops)));
    }
    found.retain(|(_, list)| !list.is_empty());
    Ok(found)
}

/// That the terms are kept in shared memory while a level runs, or nothing is.
fn staged(schedule: &Schedule, terms: Option<(usize, u32)>) -> Result<(), String> {
    let stage = |(level, pad)| Stage { what: Staged::Terms, level, space: Space::Shared, pad, vector: 1 };
    let wanted: Vec<Stage> = terms.map(stage).into_iter().collect();
    if schedule.stages == wanted {
        return Ok(());
    }
    match schedule.stages.iter().find(|stage| !wanted.contains(stage)) {
        Some(stage) => Err(format!("{} in {} there", stage.what, stage.space)),
        None => Err("terms that are not kept in shared memory".into()),
    }
}

fn along_lines(schedule: &Schedule, lines: &Level, nest: &[Level], subject: &Subject<'_>) -> Result<Form, String> {
    let mut all = in_memory(subject.kept_ids(), schedule.memory);
    if all.is_empty() {
        all.push(LoopId(0));
    }
    let along = Level::sequential(nest[2].loops.clone());
    let wanted = [Level::sequential(all).at(&grid(Axis::X)), along.tiles(TILE), along.at(&[Place::Thread(Axis::Y)])];
    if nest != wanted {
        return Err(format!("lines in another nest than `{}`, `{}`, `{}`", wanted[0], wanted[1], wanted[2]));
    }
    if crate::schedule::lines::Lines::in_tiles(subject, schedule.memory).is_none() {
        return Err("lines of a loop that does not walk along them".into());
    }
    staged(schedule, Some((1, 1)))?;
    Ok(Form::Lines(axes(subject, &lines.loops)))
}

/// The places of the levels of tiles, from the inside out: points of a thread, iterations of the body's loop, tiles of them, tiles of points, layers.
const TILED: [&[Place]; 7] = [
    &[Place::Thread(Axis::X)],
    &[Place::Thread(Axis::Y)],
    &[],
    &[],
    &[Place::Block(Axis::X)],
    &[Place::Block(Axis::Y)],
    &[Place::Block(Axis::Z)],
];

fn tiled(schedule: &Schedule, subject: &Subject<'_>) -> Result<Form, String> {
    let levels = &schedule.levels;
    let places = levels.iter().rev().zip(TILED).find(|(level, places)| level.places != *places);
    if let Some((level, _)) = places {
        return Err(format!("`{level}` at its place in tiles"));
    }
    let ([x, y, k, ks, xs, ys], others) = match &levels.iter().rev().collect::<Vec<_>>()[..] {
        [x, y, k, ks, xs, ys] => ([*x, *y, *k, *ks, *xs, *ys], Vec::new()),
        [x, y, k, ks, xs, ys, others] => ([*x, *y, *k, *ks, *xs, *ys], axes(subject, &others.loops)),
        _ => return Err(format!("tiles in {} levels", levels.len())),
    };
    let jams = levels.iter().filter(|level| level.jam != 1 && **level != *x && **level != *y);
    let unrolls = levels.iter().filter(|level| level.unroll != 1 && **level != *k);
    if let Some(level) = jams.chain(unrolls).next() {
        return Err(format!("several iterations of `{level}` at once in tiles"));
    }
    let sides = [x, y].map(|level| level.single().and_then(|id| subject.axis(id)));
    let ([Some(across), Some(down)], Some(of)) = (sides, k.single()) else {
        return Err("tiles of several loops that count as one".into());
    };
    let tiles = Tiles::of(subject, schedule.memory, [across, down]).filter(|tiles| tiles.of == of);
    let tiles = tiles.ok_or("tiles of points that do not share what one loop of the body reads")?;
    let [Some(wide), Some(high), Some(depth)] = [xs, ys, ks].map(|level| level.tile) else {
        return Err("tiles of points without a size".into());
    };
    let is_cut = |level: &Level, of: &Level| level.loops == of.loops;
    if !(is_cut(xs, x) && is_cut(ys, y) && is_cut(ks, k)) {
        return Err("tiles of other loops than those of the points".into());
    }
    let form = Tiled {
        sides: [across, down],
        others,
        tile: [wide, high],
        each: [x.jam, y.jam],
        depth,
        unroll: k.unroll,
        staged: staged_arrays(schedule, subject, &tiles, levels.len() - 4)?,
    };
    form.fits()?;
    let bytes = tiles.shared.iter().map(|shared| form.bytes(subject, shared)).sum::<u64>();
    if bytes > u64::from(SHARED) {
        return Err(format!("tiles of {bytes} bytes of shared memory, of which a block has {SHARED}"));
    }
    Ok(Form::Tiles(form))
}

/// Tiles for what is read across memory, in the forms in which they are written.
fn turned(schedule: &Schedule, subject: &Subject<'_>) -> Result<Form, String> {
    let wanted = crate::schedule::turned::every(subject, schedule.memory);
    if !wanted.contains(schedule) {
        return Err("tiles without a loop of the body, in another form than for arrays read across memory".into());
    }
    let loops = |level: Option<&Level>| level.map_or_else(Vec::new, |level| axes(subject, &level.loops));
    let [x, y, ..] = &schedule.levels.iter().rev().map(|level| loops(Some(level))).collect::<Vec<_>>()[..] else {
        return Err("tiles of one loop".into());
    };
    let ([across], [down]) = (&x[..], &y[..]) else { return Err("tiles of a loop of one iteration".into()) };
    let others = loops(schedule.levels.first().filter(|level| level.is_at(Place::Block(Axis::Z))));
    Ok(Form::Turned(TurnedTiles { sides: [*across, *down], others }))
}

/// Tiles with halos, in the forms in which they are written.
fn with_halos(schedule: &Schedule, subject: &Subject<'_>) -> Option<Form> {
    let jam = |place: Place| schedule.level_at(place).map_or(1, |at| schedule.levels[at].jam);
    let each = [jam(Place::Thread(Axis::Y)), jam(Place::Block(Axis::Z))];
    crate::schedule::halos::every(subject, schedule.memory).contains(schedule).then_some(Form::Halos(each))
}

impl Tiled {
    /// Bytes of shared memory of what is staged of elements that points share.
    fn bytes(&self, subject: &Subject<'_>, shared: &Shared<'_>) -> u64 {
        let Some((_, pad)) = self.staged.iter().find(|(mem, _)| *mem == shared.mem) else { return 0 };
        let points = self.tile[if shared.side == Side::Across { 0 } else { 1 }];
        u64::from(self.depth * (points + pad)) * subject.ty(shared.mem).class.element().map_or(8, Element::bytes)
    }

    /// That threads share the points and the copies without rest, as far as they are written.
    fn fits(&self) -> Result<(), String> {
        let [wide, high] = self.threads();
        let threads = wide * high;
        let whole = (0..2).all(|side| self.tile[side].is_multiple_of(self.each[side]));
        if !whole || threads == 0 || threads > THREADS {
            return Err(format!("tiles of {} by {} points by {wide} by {high} threads", self.tile[0], self.tile[1]));
        }
        let is_shared = |n: u32| n.is_power_of_two() && threads.is_multiple_of(n);
        let copies = |n: u32| is_shared(n) && self.depth.is_multiple_of(threads / n);
        let turned = |n: u32| is_shared(self.depth) && n.is_multiple_of(threads / self.depth);
        if !self.tile.iter().all(|n| copies(*n) && turned(*n)) {
            return Err(format!("{threads} threads that copy tiles of {} iterations", self.depth));
        }
        if !self.depth.is_multiple_of(self.unroll) {
            return Err(format!("tiles of {} iterations, {} of them written out", self.depth, self.unroll));
        }
        Ok(())
    }
}

/// The arrays in shared memory, which are all staged while one level runs.
fn staged_arrays(
    schedule: &Schedule,
    subject: &Subject<'_>,
    tiles: &Tiles<'_>,
    at: usize,
) -> Result<Vec<(Mem, u32)>, String> {
    let arrays = subject.arrays();
    let mut list = Vec::new();
    for Stage { what, level, space, pad, vector } in &schedule.stages {
        let Staged::Array(number) = what else { return Err(format!("{what} in tiles")) };
        let shared = tiles.shared.iter().any(|shared| shared.mem == arrays[*number]);
        if !shared || *level != at || *space != Space::Shared || *vector != 1 {
            return Err(format!("{what} in {space} there"));
        }
        list.push((arrays[*number], *pad));
    }
    Ok(list)
}

fn reduction(schedule: &Schedule, nest: &[Level], subject: &Subject<'_>) -> Result<Form, String> {
    let reduced = Level::sequential(subject.reduced_ids());
    let kept = in_memory(subject.kept_ids(), schedule.memory);
    let at_once = |at: usize| nest.get(at).map_or(1, |level| level.jam);
    let lanes = nest.last().map_or(&[][..], |level| &level.places);
    let across = lanes == [Place::Thread(Axis::Y)];
    let (mut wanted, ahead) =
        (Vec::new(), if across { at_once(nest.len() - 1) } else { at_once(nest.len().saturating_sub(2)) });
    let results =
        |ids: &[LoopId], places: &[Place]| (!ids.is_empty()).then(|| Level::sequential(ids.to_vec()).at(places));
    if across {
        let (others, fastest) = kept.split_at(kept.len().saturating_sub(1));
        wanted.extend(results(fastest, &grid(Axis::X)));
        wanted.extend(results(others, &[Place::Block(Axis::Z)]));
    } else {
        wanted.extend(results(&kept, &[Place::Block(Axis::X), Place::Thread(Axis::Z)]));
    }
    staged(schedule, Some((wanted.len(), 0)))?;
    wanted.push(reduced.tiles(CHUNKS).at(&[Place::Block(Axis::Y)]));
    if across {
        wanted.push(reduced.clone().at(&[Place::Thread(Axis::Y)]).jammed(ahead));
    } else {
        wanted.push(reduced.tiles(WARP).at(&[Place::Thread(Axis::Y)]).jammed(ahead));
        wanted.push(reduced.clone().at(&[Place::Thread(Axis::X)]));
    }
    if nest != wanted || (across && kept.is_empty()) {
        let other = nest.iter().zip(&wanted).find(|(is, wanted)| is != wanted).map(|(is, _)| is.to_string());
        return Err(format!("`{}` at its place", other.unwrap_or_else(|| reduced.to_string())));
    }
    let combine = schedule.combine.unwrap_or(1);
    if ahead > 1 && !is_light(&subject.kernel.body) {
        return Err("terms at once that take branches or memory other than loads".into());
    }
    let most = if across { combine } else { ahead.max(combine) };
    let list = Reduced {
        reduced: axes(subject, &reduced.loops),
        kept: axes(subject, &kept),
        ahead: ahead as usize,
        combine: combine as usize,
    };
    if tile_bytes(subject, most) > SHARED {
        let n = subject.kernel.outs.iter().filter(|out| matches!(out, Out::Reduce(..))).count();
        return Err(format!("{n} reductions in one kernel, for which a block has too little shared memory"));
    }
    Ok(if across { Form::Neighbours(list) } else { Form::Warps(list) })
}
