//! Packed operands of register tiles: which blocks of iterations, points and rows are packed when, and where they lie.
//!
//! The blocks are those of K. Goto and R. A. van de Geijn, "Anatomy of high-performance matrix multiplication" (2008). What rows share at their
//! points is packed into [`Panels`], a tile's width of points each, of which one stays in the first-level cache for some iterations while rows
//! pass; the numbers that each row has of its own are packed into [`Numbers`], a block of rows that stays in the second. What tiles
//! have summed up at the end of a block of iterations waits in [`Sums`] for the next. Each tile goes through the iterations in order, so
//! blocks of any size give the same bits.

use std::mem::MaybeUninit;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use megha_base::memory::reserve;

use crate::launch::{Chunk, Row};
use crate::memory::Buf;
use crate::wide::{SHORT, Wide};

mod span;

pub use span::{Few, Span};

/// Rows for which nothing is packed.
const FEW: usize = 3;
/// Points of panels that are packed together, so that whole lines are read of arrays that lie along the points.
const TOGETHER: usize = 64;
/// Iterations that are packed together where a point's elements are neighbours in memory: a line.
const LINE: usize = 8;
/// Bytes of a line of memory.
const ALIGNED: usize = 64;

/// How much is packed at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Blocks {
    /// All iterations.
    all: usize,
    /// Iterations of a block.
    steps: usize,
    /// Rows of which the numbers are packed together.
    pub rows: usize,
    /// Points of which the panels are packed together.
    pub points: usize,
}

/// Sizes that a test asks for; 0 for the usual ones.
static ASKED: [AtomicUsize; 3] = [const { AtomicUsize::new(0) }; 3];

/// Runs `body`, in which blocks have about so many iterations, and at most so many rows and points: for tests. Results do not change, so it does not matter that
/// other threads' blocks are as small.
pub fn within<R>([steps, rows, points]: [usize; 3], body: impl FnOnce() -> R) -> R {
    struct Restore;
    impl Drop for Restore {
        fn drop(&mut self) {
            ASKED.iter().for_each(|asked| asked.store(0, Ordering::Relaxed));
        }
    }
    let _restore = Restore;
    ASKED.iter().zip([steps, rows, points]).for_each(|(asked, size)| asked.store(size, Ordering::Relaxed));
    body()
}

impl Blocks {
    /// Bytes of a panel, an eighth more at most: half of a first-level cache or, where registers are so wide that this were few iterations, two of them, which pass through it from the second.
    const PANEL: usize = 64 << 10;
    /// Iterations that pay for loading and storing sums.
    const STEPS: usize = 256;
    /// Bytes of the numbers of rows: less than half of a second-level cache.
    const NUMBERS: usize = 192 << 10;
    /// Bytes of panels: a part of the third.
    const PANELS: usize = 1 << 20;

    /// The blocks of a loop of so many iterations, for tiles of so many rows. Without `parted` all iterations are in one: a tile has more than sums that
    /// lives from one to the next.
    pub fn of<T, V: Wide<T>>(all: usize, tile: usize, parted: bool) -> Self {
        let limit = |size: usize, which: usize| match ASKED[which].load(Ordering::Relaxed) {
            0 => size,
            asked => size.min(asked),
        };
        let bytes = size_of::<T>();
        let steps = if parted { limit((Self::PANEL / (V::LEN * bytes)).min(Self::STEPS), 0) } else { all };
        // No block is much shorter than the others: it would cost as much for its sums and panels as a long one. For that blocks may be an eighth longer.
        let steps = all.div_ceil(all.div_ceil(steps.max(1) + steps / 8).max(1)).max(1);
        let fit = |room: usize, unit: usize, which: usize| {
            limit(room / (steps * bytes) / unit * unit, which).max(1).next_multiple_of(unit)
        };
        Self { all, steps, rows: fit(Self::NUMBERS, tile, 1), points: fit(Self::PANELS, V::LEN, 2) }
    }

    /// The blocks of iterations, one even if there are none.
    #[inline(always)]
    pub fn steps(self) -> impl Iterator<Item = Steps> {
        (0..self.all.max(1)).step_by(self.steps).map(move |first| {
            let end = self.all.min(first + self.steps);
            Steps { first, len: end - first, begins: first == 0, ends: end == self.all }
        })
    }
}

/// A block of a loop's iterations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Steps {
    /// The first one's number.
    pub first: usize,
    /// How many.
    pub len: usize,
    /// Whether the loop begins.
    pub begins: bool,
    /// Whether it ends.
    pub ends: bool,
}

/// Rows that differ in the innermost loop over rows alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slab<const N: usize> {
    /// The first row.
    pub first: Row<N>,
    /// How many there are.
    pub rows: usize,
}

impl<const N: usize> Slab<N> {
    /// The rows one by one.
    #[inline(always)]
    pub fn each(self) -> impl Iterator<Item = Row<N>> {
        (0..self.rows).map(move |row| self.from(row).first)
    }

    /// In slabs of at most so many rows.
    #[inline(always)]
    pub fn pieces(self, most: usize) -> impl Iterator<Item = Slab<N>> {
        (0..self.rows).step_by(most).map(move |row| Slab { rows: most.min(self.rows - row), ..self.from(row) })
    }

    /// Whether there are so few rows that packing does not pay.
    #[inline(always)]
    pub fn is_little(&self) -> bool {
        self.rows <= FEW
    }

    #[inline(always)]
    fn from(self, row: usize) -> Slab<N> {
        let Slab { mut first, rows } = self;
        first.at[N - 2] += row;
        Slab { first, rows: rows - row }
    }

    /// The rows' points of a panel of a chunk.
    #[inline(always)]
    pub fn at(self, panel: &Range<usize>) -> Slab<N> {
        let Slab { mut first, rows } = self;
        first.at[N - 1] = panel.start;
        first.len = panel.len();
        Slab { first, rows }
    }
}

impl Chunk {
    /// How many points of each row register tiles take: all but a last few, for which a tile would mostly compute in vain.
    #[inline(always)]
    fn tiled(&self, width: usize) -> usize {
        let (all, last) = (self.inner.len(), self.inner.len() % width);
        if last * 4 < width { all - last } else { all }
    }

    /// What register tiles of `width` points take of the chunk, in parts of at most `most` points of all rows.
    #[inline(always)]
    pub fn parts(&self, width: usize, most: usize) -> impl Iterator<Item = Chunk> {
        let (outer, first) = (self.outer.clone(), self.inner.start);
        let end = first + self.tiled(width);
        (first..end).step_by(most).map(move |at| Chunk { outer: outer.clone(), inner: at..end.min(at + most) })
    }

    /// The points of a part's panels, and their numbers; the last has those that are left.
    #[inline(always)]
    pub fn panels(&self, width: usize) -> impl Iterator<Item = (usize, Range<usize>)> {
        let Range { start, end } = self.inner;
        (start..end).step_by(width).map(move |at| at..end.min(at + width)).enumerate()
    }

    /// What they leave: the last points of rows.
    #[inline(always)]
    pub fn beside_panels<const N: usize>(&self, extents: [usize; N], width: usize) -> impl Iterator<Item = Row<N>> {
        let left = self.inner.start + self.tiled(width)..self.inner.end;
        let rest = Chunk { outer: if left.is_empty() { 0..0 } else { self.outer.clone() }, inner: left };
        rest.rows(extents).flat_map(Row::tiles)
    }

    /// The rows of the chunk in slabs.
    #[inline(always)]
    pub fn slabs<const N: usize>(&self, extents: [usize; N]) -> impl Iterator<Item = Slab<N>> {
        let (mut rows, many) = (self.rows(extents), extents[N - 2].max(1));
        let mut left = self.outer.len();
        std::iter::from_fn(move || {
            let first = rows.next()?;
            let count = left.min(many - first.at[N - 2]);
            (1..count).for_each(|_| _ = rows.next());
            left -= count;
            Some(Slab { first, rows: count })
        })
    }
}

/// Memory whose elements begin a line, in equal pieces that are packed when they are needed first.
struct Pieces<T: Copy> {
    memory: Buf<MaybeUninit<T>>,
    /// Elements in front of the first, which begins a line.
    skipped: usize,
    /// Elements of a piece.
    size: usize,
    packed: Vec<bool>,
}

impl<T: Copy> Pieces<T> {
    fn new() -> Self {
        Pieces { memory: Buf::<T>::uninit(0), skipped: 0, size: 0, packed: Vec::new() }
    }

    /// Has room for so many pieces of so many elements, none of them packed; without memory the work unwinds to the function's entry.
    fn begin(&mut self, count: usize, size: usize) {
        let len = count.saturating_mul(size).saturating_add(ALIGNED);
        if self.memory.len() < len {
            self.memory = Buf::<T>::uninit(len);
            self.skipped = self.memory.as_slice().as_ptr().align_offset(ALIGNED).min(ALIGNED);
        }
        self.size = size;
        self.packed.clear();
        reserve(&mut self.packed, count);
        self.packed.resize(count, false);
    }

    /// The memory of a piece, which counts as packed from now on.
    #[inline(always)]
    fn piece(&mut self, number: usize) -> &mut [MaybeUninit<T>] {
        self.packed[number] = true;
        let start = self.skipped + number * self.size;
        &mut self.memory.as_mut_slice()[start..start + self.size]
    }

    #[inline(always)]
    fn start(&self, number: usize) -> *const T {
        debug_assert!(self.packed[number]);
        self.memory.as_slice()[self.skipped + number * self.size..].as_ptr().cast()
    }
}

/// What the rows of register tiles share: for each panel of points, and for each iteration of a block, an element for each point.
pub struct Panels<T: Copy> {
    pieces: Pieces<T>,
    steps: usize,
    points: usize,
}

/// A panel.
#[derive(Clone, Copy)]
pub struct Panel<T>(*const T);

impl<T: Copy + Default> Panels<T> {
    /// Without memory.
    #[allow(clippy::new_without_default, reason = "generated code calls it by its name")]
    pub fn new() -> Self {
        Panels { pieces: Pieces::new(), steps: 0, points: 0 }
    }

    /// Begins the panels of so many points for a block of so many iterations.
    pub fn begin<V: Wide<T>>(&mut self, points: usize, steps: usize) {
        (self.steps, self.points) = (steps, points);
        self.pieces.begin(points.div_ceil(V::LEN), steps * V::LEN);
    }

    /// The panels that are packed with this one: those of some points, if all rows have them, else it alone.
    #[inline(always)]
    pub fn wanted<V: Wide<T>>(&self, panel: usize, all: bool) -> Option<Range<usize>> {
        if self.pieces.packed[panel] {
            return None;
        }
        let together = if all { (TOGETHER / V::LEN).max(1) } else { 1 };
        let first = panel / together * together;
        Some(first * V::LEN..self.points.min((first + together) * V::LEN))
    }

    /// Packs `element(iteration, point)` of the panels of these points, and zeros for those that are missing of the last. `turned` says that a point's
    /// elements are neighbours in memory from one iteration to the next.
    #[inline(always)]
    pub fn pack<V: Wide<T>>(&mut self, points: Range<usize>, turned: bool, element: impl Fn(usize, usize) -> T) {
        let steps = self.steps;
        let width = |first: usize| (points.end - first).min(V::LEN);
        for first in points.clone().step_by(V::LEN) {
            let (panel, width) = (self.pieces.piece(first / V::LEN), width(first));
            if width < V::LEN {
                panel.fill(MaybeUninit::new(T::default()));
            }
            if turned {
                for (block, rows) in panel.chunks_mut(LINE * V::LEN).enumerate() {
                    for l in 0..width {
                        for (step, row) in rows.chunks_exact_mut(V::LEN).enumerate() {
                            row[l].write(element(block * LINE + step, first - points.start + l));
                        }
                    }
                }
            }
        }
        if turned {
            return;
        }
        for step in 0..steps {
            for first in points.clone().step_by(V::LEN) {
                let from = first - points.start;
                let row = &mut self.pieces.piece(first / V::LEN)[step * V::LEN..][..V::LEN];
                if width(first) < V::LEN {
                    (0..width(first)).for_each(|l| _ = row[l].write(element(step, from + l)));
                    continue;
                }
                // All are read before one is written, so that LLVM may read them at once.
                let mut values = [const { MaybeUninit::uninit() }; SHORT];
                (0..V::LEN).for_each(|l| _ = values[l].write(element(step, from + l)));
                row.copy_from_slice(&values[..V::LEN]);
            }
        }
    }

    /// A panel that is packed.
    #[inline(always)]
    pub fn of(&self, panel: usize) -> Panel<T> {
        Panel(self.pieces.start(panel))
    }
}

impl<T> Panel<T> {
    /// The elements of an iteration of the block.
    ///
    /// # Safety
    /// The panel is packed for `V`, has the iteration, and its memory lives; the machine has the instruction set.
    #[inline(always)]
    pub unsafe fn at<V: Wide<T>>(self, step: usize) -> V {
        // SAFETY: the caller's promise.
        unsafe { V::load(self.0.add(step * V::LEN)) }
    }
}

/// The numbers that the rows of register tiles have of their own: for each band of rows, and for each iteration of a block, `COUNT` numbers of each row.
pub struct Numbers<T: Copy, const COUNT: usize, const ROWS: usize> {
    pieces: Pieces<T>,
    steps: usize,
}

/// The numbers of a band.
#[derive(Clone, Copy)]
pub struct OfBand<T, const COUNT: usize, const ROWS: usize>(*const T);

impl<T: Copy + Default, const COUNT: usize, const ROWS: usize> Numbers<T, COUNT, ROWS> {
    /// Without memory.
    #[allow(clippy::new_without_default, reason = "generated code calls it by its name")]
    pub fn new() -> Self {
        Numbers { pieces: Pieces::new(), steps: 0 }
    }

    /// Begins the numbers of so many rows for a block of so many iterations.
    pub fn begin(&mut self, rows: usize, steps: usize) {
        self.steps = steps;
        self.pieces.begin(rows.div_ceil(ROWS), steps * ROWS * COUNT);
    }

    /// Whether those of a band are not packed.
    #[inline(always)]
    pub fn lacks(&self, band: usize) -> bool {
        !self.pieces.packed[band]
    }

    /// Packs `numbers(iteration, row)` of a band, and zeros for rows that are missing. `turned` says that a row's are neighbours in memory from one iteration
    /// to the next.
    #[inline(always)]
    pub fn pack(&mut self, band: usize, rows: usize, turned: bool, numbers: impl Fn(usize, usize) -> [T; COUNT]) {
        let steps = self.steps;
        let to = self.pieces.piece(band);
        if rows < ROWS {
            to.fill(MaybeUninit::new(T::default()));
        }
        Self::put(to, (rows, turned, steps), |_| 0..steps, numbers);
    }

    /// The same for rows that have some of the iterations each, with zeros for the others.
    pub fn pack_some(&mut self, band: usize, few: Few, turned: bool, numbers: impl Fn(usize, usize) -> [T; COUNT]) {
        let steps = self.steps;
        let to = self.pieces.piece(band);
        to.fill(MaybeUninit::new(T::default()));
        Self::put(to, (few.rows(), turned, steps), |row| few.of(row), numbers);
    }

    #[inline(always)]
    fn put(
        to: &mut [MaybeUninit<T>],
        (rows, turned, steps): (usize, bool, usize),
        of: impl Fn(usize) -> Range<usize>,
        numbers: impl Fn(usize, usize) -> [T; COUNT],
    ) {
        let mut put = |step: usize, row: usize| {
            let numbers = numbers(step, row);
            (0..COUNT).for_each(|which| _ = to[(step * COUNT + which) * ROWS + row].write(numbers[which]));
        };
        if turned {
            for block in (0..steps).step_by(LINE) {
                for row in 0..rows {
                    let Range { start, end } = of(row);
                    (block.max(start)..end.min(block + LINE)).for_each(|step| put(step, row));
                }
            }
            return;
        }
        // Iterations that all rows have are packed without a question, so that several lines are under way at once.
        let common = if rows == ROWS { common((0..rows).map(&of)) } else { 0..0 };
        for step in (0..common.start).chain(common.end..steps) {
            (0..rows).filter(|row| of(*row).contains(&step)).for_each(|row| put(step, row));
        }
        for step in common {
            (0..ROWS).for_each(|row| put(step, row));
        }
    }

    /// The numbers of a band that are packed.
    #[inline(always)]
    pub fn of(&self, band: usize) -> OfBand<T, COUNT, ROWS> {
        OfBand(self.pieces.start(band))
    }
}

impl<T: Copy, const COUNT: usize, const ROWS: usize> OfBand<T, COUNT, ROWS> {
    /// A number of a row in an iteration of the block.
    ///
    /// # Safety
    /// It is packed, and its memory lives.
    #[inline(always)]
    pub unsafe fn at(self, step: usize, which: usize, row: usize) -> T {
        debug_assert!(which < COUNT && row < ROWS);
        // SAFETY: the caller's promise.
        unsafe { *self.0.add((step * COUNT + which) * ROWS + row) }
    }
}

/// What all of these have.
fn common(ranges: impl Iterator<Item = Range<usize>>) -> Range<usize> {
    let both = |a: Range<usize>, b: Range<usize>| a.start.max(b.start)..a.end.min(b.end);
    ranges.reduce(both).filter(|range| !range.is_empty()).unwrap_or(0..0)
}

/// What tiles of so many rows have summed up when a block of iterations ends.
pub struct Sums<V: Copy, const ROWS: usize> {
    memory: Buf<MaybeUninit<[V; ROWS]>>,
    next: usize,
}

impl<V: Copy, const ROWS: usize> Sums<V, ROWS> {
    /// Those of a part of a chunk, if its loop has several blocks.
    pub fn new<T, const N: usize>(part: &Chunk, extents: [usize; N], blocks: Blocks) -> Self
    where
        V: Wide<T>,
    {
        let bands = part.slabs(extents).map(|slab| slab.rows.div_ceil(ROWS)).sum::<usize>();
        let tiles = bands.saturating_mul(part.inner.len().div_ceil(V::LEN));
        Sums { memory: Buf::<[V; ROWS]>::uninit(if blocks.steps < blocks.all { tiles } else { 0 }), next: 0 }
    }

    /// Begins with the first tile again.
    #[inline(always)]
    pub fn rewind(&mut self) {
        self.next = 0;
    }

    /// The number of the next tile: tiles come in the same order in each block.
    #[inline(always)]
    pub fn tile(&mut self) -> usize {
        self.next += 1;
        self.next - 1
    }

    /// Keeps a tile's sums.
    #[inline(always)]
    pub fn put(&mut self, tile: usize, sums: [V; ROWS]) {
        self.memory.as_mut_slice()[tile].write(sums);
    }

    /// A tile's sums of the block before.
    ///
    /// # Safety
    /// They were put.
    #[inline(always)]
    pub unsafe fn of(&self, tile: usize) -> [V; ROWS] {
        // SAFETY: the caller's promise.
        unsafe { self.memory.as_slice()[tile].assume_init() }
    }
}

#[cfg(test)]
mod tests;
