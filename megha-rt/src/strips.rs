//! Consecutive launches that run strip by strip: loop fusion across launches by strip mining (M. Wolfe, "Iteration space tiling for memory
//! hierarchies", 1987), with the program's order inside a strip.
//!
//! `d = a - mean(a, 2); y = d ./ sqrt(mean(d .* d, 2))` is five launches, three of which go through whole matrices. A reduction along a row must be complete
//! before its result is used, so the loops do not fuse; but of each row nothing is needed except that row. Such launches are noted, and then
//! all of them compute the rows of one strip, which stays in the cache, before those of the next. The compiler proves that what a launch
//! does for a row touches, of all arrays that any of them changes, only the elements of this row and such as none of them changes (`megha_core::schedule::strips`), so strips
//! are independent of each other and threads share them out.
//!
//! A sequential loop may launch in each iteration, a *step*, for rows from a first one on that grows, and read beside them rows before the first, which no later step changes: an
//! elimination reads the row that the step before has made last. Then the strips of several steps are gone through together (unroll and jam of the loop over steps, as in blocked
//! factorisations): a first strip that holds the first rows of them all, step by step, and then the others, each through all steps while it is in the nearest cache.
//!
//! What the launches compute does not depend on any of this (see [`launch_parts`](crate::launch_parts)): the tree of a reduction is that of its row. The results of the
//! chunks of a long row are combined within the strip.

use std::cell::Cell;
use std::marker::PhantomData;

use crate::isa::{Isa, Kernel};
use crate::launch::{Chunk, Domain, is_parallel, share, whole};
use crate::layout::{Layout, Order};
use crate::noted::{Noted, Notes, RANK, Subject};
use crate::reduce::{Op, Partials, PartialsOut, Space, combined};
use crate::view::Out;
use crate::{Array, Result, Site, cuts, device, trace};

/// What a strip should take of a core's own cache, in bytes.
const NEAR: usize = 256 << 10;
/// Arrays of so many bytes or fewer stay there from one launch to the next.
const SMALL: usize = 256 << 10;
/// Rows of a strip at least, where neighbouring rows lie next to each other: shorter pieces of columns are slow to read.
const RUN: usize = 512;
/// What a core keeps in a cache of its own from one launch to the next, in bytes.
const OWN: usize = 2 << 20;
/// Neighbouring rows of such a strip at least,
const PIECE: usize = 64;
/// and doubles in a cache line: two strips share few.
const LINE: usize = 8;
/// What a strip that goes through several steps should take of the nearest cache, in bytes.
const NEAREST: usize = 24 << 10;
/// Steps whose launches are noted together at most: the rows that all strips read are as many.
const STEPS: usize = 16;
/// Launches that are noted together at most, where first rows stay where they are.
const NOTED: usize = 256;
/// Rows of a strip at most: their numbers can be added.
const WIDEST: usize = 1 << 40;
/// Groups of strips for each thread. Strips of a group follow each other, so that no two threads are the first to touch the same huge page.
const GROUPS: usize = 16;

/// Where the rows of a launch are, for both orders of memory (columns first, then rows first).
#[derive(Debug, Clone, Copy)]
pub struct Rows {
    /// Which loop goes over the rows, the outermost being 0.
    pub axis: [usize; 2],
    /// The row of the arrays that belongs to the loop's first iteration.
    pub first: [i64; 2],
}

/// Where the rows of a reduction are in its space.
#[derive(Debug, Clone, Copy)]
pub enum Along {
    /// They are the neighbours.
    Neighbours,
    /// They are positions outside the reduced extent: each of so many others holds so many rows.
    Outer {
        /// Positions along the loops outside that over rows.
        before: usize,
        /// Rows.
        rows: usize,
    },
}

/// Rows of arrays that launches share.
#[derive(Debug, Clone, Copy)]
pub struct Shared {
    /// How many.
    pub rows: usize,
    /// Whether neighbouring rows lie next to each other in memory.
    pub adjacent: bool,
}

/// Launches that run strip by strip, or as they come where that does not pay.
pub struct Strips {
    /// Rows of a strip; none if launches run as they come. Of several steps it is the first one's.
    width: Option<usize>,
    /// Rows of the strips behind the first, where the launches are those of several steps.
    behind: Option<usize>,
    memory: usize,
    is_forced: bool,
    work: u64,
    notes: Notes<()>,
}

thread_local! {
    static FORCED: Cell<Option<usize>> = const { Cell::new(None) };
    /// Launches of this thread that were noted.
    static NOTES: Cell<u64> = const { Cell::new(0) };
}

/// Runs `body`, in which all launches of this thread that may run in strips run in strips of `width` rows: for tests. Results do not change.
/// Also gives how many launches ran so.
pub fn within<R>(width: usize, body: impl FnOnce() -> R) -> (R, u64) {
    struct Restore(Option<usize>);
    impl Drop for Restore {
        fn drop(&mut self) {
            FORCED.set(self.0);
        }
    }
    let _restore = Restore(FORCED.replace(Some(width.clamp(1, WIDEST))));
    counted(body)
}

/// Runs `body` and gives how many launches of this thread ran in strips: for tests.
pub fn counted<R>(body: impl FnOnce() -> R) -> (R, u64) {
    let before = NOTES.get();
    (body(), NOTES.get() - before)
}

fn forced() -> Option<usize> {
    FORCED.get().or_else(|| cuts::drawn(|cuts| 1 + cuts.below(6) as usize))
}

impl Strips {
    /// For launches that share these rows, if there are any in this order of memory, of arrays of so many bytes.
    #[inline]
    pub fn new<L: Layout>(shared: [Option<Shared>; 2], bytes: usize) -> Self {
        Self::of::<L>(shared, bytes, width)
    }

    /// The same where a launch combines what lies along its rows. If no strip stays in a cache each thread has the same rows in all launches, which stay in its own: shared out by
    /// themselves, launches that combine would divide the arrays in another way than the others, which divide them alike anyway.
    #[inline]
    pub fn combining<L: Layout>(shared: [Option<Shared>; 2], bytes: usize) -> Self {
        Self::of::<L>(shared, bytes, |shared, bytes| width(shared, bytes).or_else(|| own_width(shared, bytes)))
    }

    fn of<L: Layout>(
        shared: [Option<Shared>; 2],
        bytes: usize,
        width: impl Fn(Shared, usize) -> Option<usize>,
    ) -> Self {
        let memory = match L::ORDER {
            Order::ColMajor => 0,
            Order::RowMajor => 1,
        };
        let forced = shared[memory].and_then(|_| forced());
        let shared = shared[memory].filter(|_| (bytes > SMALL || forced.is_some()) && !device::active());
        let width = shared.and_then(|shared| forced.or_else(|| width(shared, bytes)));
        Self { width, behind: None, memory, is_forced: forced.is_some(), work: 0, notes: Notes::default() }
    }

    /// The same for the launches of a sequential loop, of which [`Strips::step`] ends the steps.
    #[inline]
    pub fn over_steps<L: Layout>(shared: [Option<Shared>; 2], bytes: usize) -> Self {
        let mut strips = Self::of::<L>(shared, bytes, width);
        if let (Some(width), Some(shared)) = (strips.width, shared[strips.memory]) {
            let near = NEAREST / (bytes / shared.rows.max(1) + 1);
            strips.width = if strips.is_forced { Some(width) } else { Some(width.min(STEPS)) };
            strips.behind = Some(if strips.is_forced { width } else { near.max(1) });
        }
        strips
    }

    /// Ends a step: where its first row is a strip behind that of the first step noted, or much is noted, all that is noted runs.
    #[inline]
    pub fn step(&mut self) {
        if let (Some(width), Some(last)) = (self.width, self.notes.launches.last()) {
            let low = self.notes.launches.iter().map(|launch| launch.first).min().unwrap_or(last.first);
            if last.first - low + 1 >= width as i64 || self.notes.launches.len() >= NOTED {
                self.run_strips(width);
            }
        }
    }

    /// Whether launches are noted, and run later: what is computed at once would be too early.
    #[inline]
    pub fn defers(&self) -> bool {
        self.width.is_some()
    }

    /// A launch over `domain`, whose trip counts are `extents`, outermost first.
    ///
    /// # Safety
    /// Until [`Strips::run`] returns the memory of the kernel's arrays is not freed and nothing but launches noted here touches it, and of the elements that any of them
    /// writes a launch touches for each row only such as no launch touches for another. Of several steps a launch may also read elements of rows before its first one, if first rows never
    /// fall from step to step.
    pub unsafe fn launch<K: Kernel, const N: usize>(
        &mut self,
        (extents, domain, weight): ([usize; N], Domain, u32),
        rows: Rows,
        kernel: K,
    ) {
        let place = (rows.axis[self.memory], rows.first[self.memory]);
        // SAFETY: the caller's promise.
        unsafe { self.note((&extents, domain, weight), place, Subject::of(&kernel)) };
    }

    /// The launch of a reduction whose elements weigh so much.
    ///
    /// # Safety
    /// As for [`Strips::launch`].
    pub unsafe fn reduce<K: Kernel>(&mut self, (space, weight): (Space, u32), along: Along, kernel: K) {
        let (extents, axis) = loops(space, along);
        // SAFETY: the caller's promise.
        unsafe { self.note((&extents, space.domain(), space.weight(weight)), (axis, 0), Subject::of(&kernel)) };
    }

    /// Room for the partial results over a space.
    #[inline]
    pub fn partials<T: Copy + Send + Sync>(&self, space: Space) -> Partials<T> {
        if self.defers() { Partials::apart(space) } else { Partials::new(space) }
    }

    /// The results of a reduction as an array ([`Partials::combine`]), which has them when its launch has run. Whether there was memory for lanes
    /// [`Partials::complete`] says then.
    ///
    /// # Errors
    /// No memory.
    ///
    /// # Safety
    /// As for [`Partials::combine`] and [`Strips::launch`]; the partial results stay where they are, and `along` is that of the reduction's launch.
    pub unsafe fn combine<O: Op<T>, T: Copy + Send + Sync, L: Layout, const N: usize>(
        &mut self,
        partials: &mut Partials<T>,
        along: Along,
        shape: [usize; N],
        site: &Site,
    ) -> Result<Array<L, T, N>> {
        if !self.defers() {
            let partials = std::mem::replace(partials, Partials::new(Space::all(0)));
            // SAFETY: the caller's promise.
            return unsafe { partials.combine::<O, L, N>(shape, site) };
        }
        // SAFETY: the array is read by launches that are noted behind the one that writes it.
        if let Some(whole) = unsafe { partials.whole::<O, L, N>(shape) } {
            return Ok(whole);
        }
        let mut totals = Array::<L, T, N>::uninit(shape, site)?;
        let space = partials.space();
        let kernel = Combine::<L, T, O, N> { space, partials: partials.out(), totals: totals.fill(), op: PhantomData };
        let (extents, axis) = loops(space, along);
        // SAFETY: positions of the reduction are positions of its results.
        unsafe { self.note((&extents, space.domain(), 1), (axis, 0), Subject::of(&kernel)) };
        // SAFETY: as above.
        Ok(unsafe { totals.assume_init() })
    }

    /// # Safety
    /// As for [`Strips::launch`].
    unsafe fn note(
        &mut self,
        (extents, domain, weight): (&[usize], Domain, u32),
        (axis, first): (usize, i64),
        subject: Subject<'_>,
    ) {
        match self.room((extents, domain, weight), (axis, first), subject) {
            // SAFETY: the place is for this kernel; the caller's promise.
            Some(place) => unsafe { subject.put(place) },
            None => whole(subject.kernel, domain, weight),
        }
    }

    /// Notes a launch and gives the place of its kernel, to be written; `None` if it is not noted, and then all that was has run.
    fn room(
        &mut self,
        (extents, domain, weight): (&[usize], Domain, u32),
        (axis, first): (usize, i64),
        subject: Subject<'_>,
    ) -> Option<&mut [u64]> {
        // One without points may still have more rows than can be gone through, and does nothing whenever it runs.
        if domain.is_empty() {
            return None;
        }
        if !self.defers() || axis >= extents.len() || extents.len() > RANK || !self.notes.reserve(subject) {
            // Without memory for notes too the launches so far run, and this one.
            self.run();
            return None;
        }
        self.work = self.work.saturating_add((domain.len() as u64).saturating_mul(u64::from(weight)));
        NOTES.set(NOTES.get() + 1);
        trace::kernel(domain.elements(), 1);
        Some(self.notes.push(extents, (Some(axis), first), (), subject))
    }

    /// Runs what is noted.
    #[inline]
    pub fn run(&mut self) {
        if let (Some(width), false) = (self.width, self.notes.launches.is_empty()) {
            self.run_strips(width);
        }
    }

    #[cold]
    #[inline(never)]
    fn run_strips(&mut self, width: usize) {
        let notes = std::mem::take(&mut self.notes);
        let threads = if !is_parallel(self.work) && !self.is_forced { 1 } else { rayon::current_num_threads() };
        let begun = trace::begin();
        let ends = || notes.launches.iter().map(|launch| (launch.first, launch.first + launch.rows()));
        let low = ends().map(|(low, _)| low).min().unwrap_or(0);
        let rows = ends().map(|(_, high)| high).max().unwrap_or(0) - low;
        let strip = |from: i64, width: usize| {
            for launch in &notes.launches {
                notes.compute(launch, numbers(launch, from, width as i64));
            }
        };
        // The rows that all strips read are before the last step's first row: the first strip has them.
        let (width, head) = match self.behind {
            None => (width, 0),
            Some(behind) => {
                let last = notes.launches.iter().map(|launch| launch.first).max().unwrap_or(low);
                (behind, (last - low).max(width as i64).min(rows))
            }
        };
        if head > 0 {
            strip(low, head as usize);
        }
        let (low, rows) = (low + head, rows - head);
        let strips = (rows as usize).div_ceil(width);
        let groups = strips.min(threads * GROUPS);
        share(groups, threads, &|group| {
            for number in group * strips / groups..(group + 1) * strips / groups {
                strip(low + (number * width) as i64, width);
            }
        });
        if let Some(begun) = begun {
            trace::ran(begun, "strips", notes.launches.len(), threads);
        }
        self.work = 0;
    }
}

/// The numbers of a launch's rows that are in a strip.
fn numbers(launch: &Noted<()>, from: i64, width: i64) -> (usize, usize) {
    let number = |row: i64| (row - launch.first).clamp(0, launch.rows()) as usize;
    (number(from), number(from + width))
}

/// How many rows a strip has, if strips pay.
fn width(Shared { rows, adjacent }: Shared, bytes: usize) -> Option<usize> {
    let least = if adjacent { RUN } else { 1 };
    let near = NEAR / (bytes / rows.max(1) + 1);
    // As many strips for each thread as let it wait little for the others.
    let share = rows / (rayon::current_num_threads() * 4);
    (near >= least).then(|| near.min(share).max(least))
}

/// How many rows a strip has where no strip stays in a cache, but each thread's rows stay in its own: it has the same ones in all launches.
fn own_width(Shared { rows, adjacent }: Shared, bytes: usize) -> Option<usize> {
    let threads = rayon::current_num_threads();
    let stays = adjacent && threads > 1 && rows >= threads * PIECE && bytes <= threads.saturating_mul(OWN);
    stays.then(|| (rows / (threads * 4)).next_multiple_of(LINE).max(PIECE))
}

/// The loops of a reduction's launch: the positions outside that over rows, rows, chunks with the positions inside, neighbours; and which goes over rows.
fn loops(space: Space, along: Along) -> ([usize; 4], usize) {
    let [outer, inner] = space.domain().extents();
    match along {
        Along::Neighbours => ([1, 1, outer, inner], 3),
        Along::Outer { before, rows } => ([before, rows, outer.checked_div(before * rows).unwrap_or(0), inner], 1),
    }
}

/// Combines the results of the chunks of each reduction.
struct Combine<'a, L: Layout, T, O, const N: usize> {
    space: Space,
    partials: PartialsOut<'a, T>,
    totals: Out<'a, L, T, N>,
    op: PhantomData<O>,
}

impl<L: Layout, T: Copy + Send + Sync, O: Op<T>, const N: usize> Kernel for Combine<'_, L, T, O, N> {
    #[inline(always)]
    fn run<I: Isa>(&self, chunk: &Chunk) {
        let (chunks, [_, inner]) = (self.space.chunks(), self.space.domain().extents());
        for outer in chunk.outer.start / chunks..chunk.outer.end / chunks {
            for at in chunk.inner.clone() {
                // SAFETY: these partial results and this total belong to the chunk.
                unsafe {
                    let partial = |c: usize| self.partials.get((outer * chunks + c) * inner + at);
                    self.totals.flat(outer * inner + at, 1)[0] = combined::<T, O>(chunks, partial);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
