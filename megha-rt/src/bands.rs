//! Launches of a time loop that run band by band: time skewing (M. Wolfe, "More iteration space tiling", SC 1989; D. Wonnacott,
//! "Achieving scalable locality with time skewing", IJPP 30, 2002).
//!
//! A loop over time steps launches the same kernels in each step. Its arrays are larger than the caches, so each step would bring them from memory
//! again. Instead the loop only notes its launches, with all that they work on, and they run later, a band of rows of each at a time: in band `b`, of
//! `W` rows, a launch computes the rows from `b W - s` to before `(b + 1) W - s`, where `s` is its *shift*. The compiler chooses the shifts such that
//! every element that a row needs, from launches before, is there when the band reaches it, and none is overwritten that a row before still needs
//! (`megha_core::schedule::bands`): if row `k` of a launch depends on row `r` of an earlier one, `r` plus its shift is at most `k` plus its own, so `r`
//! is in the same band, where launches run in order, or in one before.
//!
//! Several threads share the steps out in blocks of some steps: who has a block follows the one who has the block before it, a band behind, so that a
//! band goes through all steps of a block in one thread's cache, and from there to the next thread. Blocks are taken in order, so whoever waits
//! waits for a block that a running thread has: any number of threads come to the end.
//!
//! A device through which the loop goes some steps at once runs the same launches in bands of its own (`on_device.rs`).
//!
//! What the launches compute does not depend on any of this (see [`launch_parts`](crate::launch_parts)).

mod on_device;
mod spare;

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crossbeam_utils::CachePadded;
use megha_base::cuts::Cuts;

use crate::isa::Kernel;
use crate::launch::{self, Domain, PARALLEL_WORK, whole};
use crate::layout::{Layout, Order};
use crate::noted::{Noted, Notes, RANK, Subject};
use crate::{Site, crew, cuts, device, trace};

pub use spare::Spare;

/// Launches that are noted at most before they run.
const NOTED: usize = 2048;
/// What a band should take of a core's own cache, in bytes.
const NEAR: usize = 768 << 10;
/// What all bands that are worked on should take of the cache that cores share, where a few rows are more than [`NEAR`].
const FAR: usize = 16 << 20;
/// So many rows should fit that cache, for each thread.
const LARGE: usize = 4;
/// Bands for each thread at least: who follows another one waits for its first band.
const BANDS: usize = 8;
/// The same where nobody follows anybody: enough for threads of which one is held up.
const BANDS_APART: usize = 4;
/// Arrays of so many bytes or fewer stay in cache from one step to the next. Bands of them pay if no row waits for another one: threads then meet once in many steps.
const SMALL: usize = 256 << 10;
/// Work (elements times weight) of launches that are not worth a division into bands.
const LITTLE: u64 = 1 << 15;
/// Steps below which nothing is gained.
const FEW: usize = 4;
/// What a band that is apart takes at least, in bytes: where rows are single elements, some vectors of them.
const LEAST: usize = 512;

/// Where the rows of a launch are, for both orders of memory (columns first, then rows first).
#[derive(Debug, Clone, Copy)]
pub struct Rows {
    /// Which loop goes over the rows, the outermost being 0; `usize::MAX` if all of the launch belongs to one row.
    pub axis: [usize; 2],
    /// The row of the arrays that belongs to the loop's first iteration.
    pub first: [i64; 2],
    /// By how many rows the launch is behind the first of the step.
    pub offset: [i64; 2],
}

/// How far a step is behind the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slope {
    /// Not at all: no row depends on another one, so a band goes through all steps whatever others do.
    Apart,
    /// By so many rows.
    Rows(u32),
}

impl Slope {
    fn rows(self) -> i64 {
        match self {
            Slope::Apart => 0,
            Slope::Rows(rows) => i64::from(rows),
        }
    }
}

/// When a launch runs.
#[derive(Clone, Copy)]
struct Turn {
    /// The step's number times the slope, and the launch's own offset.
    shift: i64,
    step: usize,
}

/// The bytes of arrays: of each what all elements with the same subscripts take, and the extents.
pub fn bytes(arrays: &[(usize, &[usize])]) -> usize {
    let of = |(each, extents): &(usize, &[usize])| extents.iter().fold(*each, |bytes, n| bytes.saturating_mul(*n));
    arrays.iter().map(of).fold(0, usize::saturating_add)
}

/// The launches of a loop over time.
pub struct Steps {
    /// By how many rows a step is behind the one before, if its launches may wait.
    proven: Option<i64>,
    /// The same; none if launches run as they come.
    slope: Option<i64>,
    /// Whether no row depends on another one.
    apart: bool,
    /// The place in the source of the last launch that was offered to a device which has room for all.
    site: Option<Site>,
    /// The launches that wait for a device.
    later: Option<device::Later>,
    memory: usize,
    /// What a test asks for.
    forced: Option<Shape>,
    /// The slope along the dimension inside of the outermost one, if launches can run in bands so,
    inside: Option<Slope>,
    /// and whether they do.
    goes_inside: bool,
    rows: usize,
    bytes: usize,
    work: u64,
    step: usize,
    notes: Notes<Turn>,
}

thread_local! {
    static FORCED: Cell<Option<Shape>> = const { Cell::new(None) };
    /// Launches of this thread that were noted.
    static NOTES: Cell<u64> = const { Cell::new(0) };
    /// Those of them that were noted along the dimension inside of the outermost one.
    static INSIDE: Cell<u64> = const { Cell::new(0) };
}

/// How bands go through a loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// How many rows a band has,
    pub width: usize,
    /// and how many steps a block.
    pub height: usize,
    /// Whether rows are those along the dimension inside of the outermost one, where that is possible.
    pub inside: bool,
}

/// Runs `body`, in which all loops over time of this thread run in bands of this shape: for tests. Results do not
/// change. Also gives how many launches ran so, and how many of them along the dimension inside.
pub fn within<R>(shape: Shape, body: impl FnOnce() -> R) -> (R, [u64; 2]) {
    struct Restore(Option<Shape>);
    impl Drop for Restore {
        fn drop(&mut self) {
            FORCED.set(self.0);
        }
    }
    let _restore = Restore(FORCED.replace(Some(shape)));
    let count = || [NOTES.get(), INSIDE.get()];
    let before = count();
    let result = body();
    let after = count();
    (result, [after[0] - before[0], after[1] - before[1]])
}

fn forced() -> Option<Shape> {
    let draw = |cuts: &mut Cuts| {
        let mut below = |most| cuts.below(most) as usize;
        Shape { width: 1 + below(6), height: 1 + below(5), inside: below(2) == 1 }
    };
    FORCED.get().or_else(|| cuts::drawn(draw))
}

impl Steps {
    /// For a loop of so many iterations whose kernels touch arrays of so many bytes; `slopes` are those for both orders of memory, if
    /// its launches can run in bands there: of rows along the outermost dimension, and then of those along the one inside of it.
    pub fn new<L: Layout>(slopes: &[[Option<Slope>; 2]], iterations: i64, bytes: usize) -> Self {
        let memory = match L::ORDER {
            Order::ColMajor => 0,
            Order::RowMajor => 1,
        };
        let forced = forced();
        let [outermost, inside] = [0, 1].map(|along| slopes.get(along).and_then(|slopes| slopes[memory]));
        let proven = outermost.map(Slope::rows);
        let apart = outermost == Some(Slope::Apart);
        let pays = iterations >= FEW as i64 && (bytes > SMALL || apart);
        let slope = proven.filter(|_| !device::active() && (pays || forced.is_some()));
        let (later, notes) = (None, Notes::default());
        let (rows, work, step, goes_inside) = (0, 0, 0, false);
        Self {
            proven,
            slope,
            apart,
            site: None,
            later,
            memory,
            forced,
            inside,
            goes_inside,
            rows,
            bytes,
            work,
            step,
            notes,
        }
    }

    /// Whether launches are noted, and run later: what is computed at once would be too early.
    #[inline]
    pub fn defers(&self) -> bool {
        self.slope.is_some()
    }

    /// A launch: noted if the loop runs in bands. `number` is its place among the launches of a step, `extents` are the trip counts of `domain`,
    /// outermost first.
    ///
    /// # Safety
    /// Until [`Steps::run`] returns the memory of the kernel's arrays is not freed and nothing but launches noted here touches it, and `rows`, one for each list of slopes, and the
    /// slopes are right: if two launches touch an element, one of them writing, the row of the earlier plus its shift is at most that of the later plus its own.
    pub unsafe fn launch<K: Kernel, const N: usize>(
        &mut self,
        number: usize,
        (extents, domain, weight): ([usize; N], Domain, u32),
        rows: &[Rows],
        kernel: K,
    ) {
        // SAFETY: the caller's promise.
        unsafe { self.take(number, (&extents, domain, weight), rows, Subject::of(&kernel)) };
    }

    /// # Safety
    /// As for [`Steps::launch`].
    unsafe fn take(
        &mut self,
        number: usize,
        (extents, domain, weight): (&[usize], Domain, u32),
        rows: &[Rows],
        subject: Subject<'_>,
    ) {
        let waits = self.later.is_some();
        match self.note(number, (extents, domain, weight), rows, subject) {
            // SAFETY: the place is for this kernel; the caller's promise.
            Some(place) => unsafe { subject.put(place) },
            None if waits => {}
            None => whole(subject.kernel, domain, weight),
        }
    }

    /// Notes a launch and gives the place of its kernel, to be written; `None` if it cannot be noted, and then all that was has run, or the device alone
    /// knows of it.
    fn note(
        &mut self,
        number: usize,
        (extents, domain, weight): (&[usize], Domain, u32),
        rows: &[Rows],
        subject: Subject<'_>,
    ) -> Option<&mut [u64]> {
        self.choose(extents, rows);
        let rows = rows[usize::from(self.goes_inside)];
        let axis = Some(rows.axis[self.memory]).filter(|axis| *axis < extents.len());
        let work = (domain.len() as u64).saturating_mul(u64::from(weight));
        let fits = |slope: &i64| self.fits(*slope, axis.map(|axis| extents[axis]), extents.len()) && self.pays(work);
        let Some(slope) = self.slope.filter(fits) else {
            if !self.is_lost_to_device() {
                self.slope = None;
                self.run();
            }
            return None;
        };
        if number == 0 && !self.notes.launches.is_empty() {
            self.step += 1;
            if self.notes.launches.len() >= NOTED {
                self.run();
            }
        }
        if !self.notes.reserve(subject) {
            // Without memory for notes the launches so far run, and this one.
            if !self.is_lost_to_device() {
                self.run();
            }
            return None;
        }
        self.rows = self.rows.max(axis.map_or(1, |axis| extents[axis]));
        self.work = self.work.saturating_add(work);
        if self.later.is_none() {
            NOTES.set(NOTES.get() + 1);
            INSIDE.set(INSIDE.get() + u64::from(self.goes_inside));
            trace::kernel(domain.elements(), 1);
        }
        let pick = |of: [i64; 2]| of[self.memory];
        let turn = Turn { shift: slope * self.step as i64 + pick(rows.offset), step: self.step };
        Some(self.notes.push(extents, (axis, pick(rows.first)), turn, subject))
    }

    /// Before the first launch: which rows bands have. Those along the outermost dimension lie together, and go through a thread's own cache one by one, or some of them
    /// through the cache that threads share; if they are too large for that, those along the dimension inside are taken.
    fn choose(&mut self, extents: &[usize], rows: &[Rows]) {
        let is_first = self.step == 0 && self.notes.launches.is_empty();
        let (Some(_), None, Some(inside), [outermost, inner]) = (self.slope, &self.later, self.inside, rows) else {
            return;
        };
        if !is_first || self.goes_inside {
            return;
        }
        let count = |rows: &Rows| extents.get(rows.axis[self.memory]).copied();
        let (Some(outer), Some(lines)) = (count(outermost), count(inner)) else { return };
        let threads = rayon::current_num_threads();
        let is_large = self.bytes / outer.max(1) > FAR / threads / LARGE && lines > outer;
        // No row waits for another one along the outermost only.
        let is_worse = self.apart && inside != Slope::Apart;
        let fits = self.fits(inside.rows(), Some(lines), extents.len());
        if fits && self.forced.map_or(is_large && !is_worse, |shape| shape.inside) {
            self.goes_inside = true;
            self.apart = inside == Slope::Apart;
            self.slope = Some(inside.rows());
        }
    }

    /// Whether a launch of so many rows, of a kernel with so many loops, can be noted, and threads have rows enough to follow each other.
    fn fits(&self, slope: i64, rows: Option<usize>, loops: usize) -> bool {
        let least = || BANDS * rayon::current_num_threads() * slope as usize;
        let waits = self.forced.is_some() || self.later.is_some();
        (1..=RANK).contains(&loops) && (waits || rows.is_none_or(|rows| rows >= least()))
    }

    /// Whether a launch of so much work is worth a note; of small arrays the first one tells.
    fn pays(&self, work: u64) -> bool {
        let is_first = self.step == 0 && self.notes.launches.is_empty();
        let asked = is_first && self.bytes <= SMALL && self.forced.is_none() && self.later.is_none();
        !asked || work >= LITTLE && rayon::current_num_threads() > 1
    }

    /// Runs what is noted.
    pub fn run(&mut self) {
        let notes = std::mem::take(&mut self.notes);
        let steps = self.step + 1;
        self.step = 0;
        if notes.launches.is_empty() {
            return;
        }
        let threads = if self.work < PARALLEL_WORK && self.forced.is_none() { 1 } else { rayon::current_num_threads() };
        let given = self.forced.map(|shape| (shape.width.max(1), shape.height.max(1)));
        let (width, height) = given.unwrap_or_else(|| self.shape(steps, threads));
        let begun = trace::begin();
        let little = self.forced.is_none() && self.work / (notes.launches.len() as u64) < LITTLE;
        match Tiles::new(&notes, (width, height)).filter(|_| !little) {
            Some(tiles) if self.apart => tiles.run_apart(threads),
            Some(tiles) => tiles.run(threads),
            // Little work, or no memory for the blocks.
            None => {
                let all = |launch| notes.compute(launch, (0, launch.rows() as usize));
                notes.launches.iter().for_each(all);
            }
        }
        if let Some(begun) = begun {
            trace::ran(begun, "bands", notes.launches.len(), threads);
        }
        self.work = 0;
    }

    /// How wide bands are, and how many steps a block has.
    fn shape(&self, steps: usize, threads: usize) -> (usize, usize) {
        let row = self.bytes / self.rows.max(1) + 1;
        let slope = self.slope.unwrap_or(0) as usize;
        let near = NEAR / row;
        let rows = if near >= 4 { near } else { (FAR / row / threads).max(2) };
        let most = (rows / 2).checked_div(slope).map_or(steps, |most| most.max(2));
        // As many blocks for each thread as for the others.
        let turns = steps.div_ceil(most * threads);
        let height = steps.div_ceil(turns * threads);
        let (bands, least) = if self.apart { (BANDS_APART, LEAST / row) } else { (BANDS, 1) };
        let share = (self.rows / (bands * threads)).max(least);
        (rows.saturating_sub(height * slope).max(rows / 4).min(share).max(1), height)
    }
}

/// Bands of blocks of steps.
struct Tiles<'n> {
    notes: &'n Notes<Turn>,
    /// For each block where its launches begin and end.
    blocks: Vec<(usize, usize)>,
    width: i64,
    bands: (i64, i64),
    next: AtomicUsize,
    /// For each block the first band that is not done.
    done: Vec<CachePadded<AtomicUsize>>,
    failed: AtomicBool,
}

impl<'n> Tiles<'n> {
    /// None if there is no memory for it.
    fn new(notes: &'n Notes<Turn>, (width, height): (usize, usize)) -> Option<Self> {
        let width = width as i64;
        let noted = &notes.launches;
        let count = noted.last()?.turn.step / height + 1;
        let (mut blocks, mut done): (Vec<(usize, usize)>, Vec<_>) = (Vec::new(), Vec::new());
        blocks.try_reserve_exact(count).ok()?;
        done.try_reserve_exact(count).ok()?;
        done.resize_with(count, || CachePadded::new(AtomicUsize::new(0)));
        for (at, launch) in noted.iter().enumerate() {
            let block = launch.turn.step / height;
            match blocks.get_mut(block) {
                Some(block) => block.1 = at + 1,
                None => blocks.push((at, at + 1)),
            }
        }
        // A launch without rows may begin anywhere.
        let some = || noted.iter().filter(|n| n.rows() > 0);
        let rows = || some().map(|n| (n.first + n.turn.shift, n.first + n.turn.shift + n.rows()));
        let low = rows().map(|(low, _)| low).min().unwrap_or(0).div_euclid(width);
        let high = rows().map(|(_, high)| high).max().unwrap_or(0).div_euclid(width) + 1;
        Some(Self {
            notes,
            blocks,
            width,
            bands: (low, high),
            next: AtomicUsize::new(0),
            done,
            failed: AtomicBool::new(false),
        })
    }

    fn run(&self, threads: usize) {
        let others = threads.min(self.blocks.len()).saturating_sub(1);
        crew::together(others, &|member| self.share(member));
    }

    /// Takes bands through all steps, where none depends on another one.
    fn run_apart(&self, threads: usize) {
        launch::share((self.bands.1 - self.bands.0) as usize, threads, &|band| {
            self.notes.launches.iter().for_each(|launch| self.band(launch, self.bands.0 + band as i64));
        });
    }

    /// Takes blocks until none is left.
    fn share(&self, member: &crew::Member<'_>) {
        while let Some(block) = Some(self.next.fetch_add(1, Ordering::Relaxed)).filter(|b| *b < self.blocks.len()) {
            let alarm = Alarm(&self.failed);
            let (from, to) = self.blocks[block];
            for band in 0..(self.bands.1 - self.bands.0) as usize {
                if block > 0 && !self.wait(&self.done[block - 1], band, member) {
                    break;
                }
                member.keep_apart();
                for launch in &self.notes.launches[from..to] {
                    self.band(launch, self.bands.0 + band as i64);
                }
                self.done[block].store(band + 1, Ordering::Release);
            }
            std::mem::forget(alarm);
        }
    }

    /// Waits until the band is done; false if it never will be.
    fn wait(&self, done: &AtomicUsize, band: usize, member: &crew::Member<'_>) -> bool {
        while done.load(Ordering::Acquire) <= band {
            if self.failed.load(Ordering::Relaxed) {
                return false;
            }
            member.wait();
        }
        true
    }

    /// Computes the rows of a launch that belong to a band.
    fn band(&self, launch: &Noted<Turn>, band: i64) {
        let rows = launch.rows();
        let number = |row: i64| (row - launch.turn.shift - launch.first).clamp(0, rows) as usize;
        let (low, high) = (number(band * self.width), number((band + 1) * self.width));
        self.notes.compute(launch, (low, high));
    }
}

/// Tells those that wait if a thread unwinds.
struct Alarm<'a>(&'a AtomicBool);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests;
