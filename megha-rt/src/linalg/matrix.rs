//! The product of two matrices, on any strides.
//!
//! Each element of the result is a chain of fused multiply-adds in the order of the inner index, from +0 on. However the work is divided, each
//! chain is whole: a block of the inner extent goes on from what the one before has left in the result. So results have the same
//! bits on any number of threads, with any instruction set, in either memory order and for any strides. (Which of several NaNs comes
//! out is the processor's choice.)
//!
//! The blocks are those of K. Goto and R. A. van de Geijn, "Anatomy of high-performance matrix multiplication" (2008): `WIDE` columns of the
//! right factor stay in the first-level cache while rows of the left one pass, a block of these stays in the second, and the sums of a tile
//! of the result in registers. Both factors are packed, in the order in which tiles read them. Threads have parts of the result, for which each
//! packs what it needs itself: nobody waits for another. Of `A' * A` and `A * A'` only one half is computed and copied to the other, which it equals: `fma(a, b, c)`
//! is `fma(b, a, c)`.

mod pack;
mod tile;

use std::ops::Range;

use super::Real;
use super::lanes::{Lanes, Plain};
use crate::isa::{Isa, Kernel, Level, dispatch};
use crate::launch::{Chunk, Domain, launch, repeated, shares};
use crate::memory::Buf;
use crate::trace;
use pack::{Panel, pack};

/// Multiplications up to which nothing is packed.
const DIRECT_WORK: usize = 1 << 10;
/// Multiplications that weigh as much as a simple operation.
const AT_ONCE: usize = 4;
/// Rows, and columns, of the result that parts for threads are multiples of.
const UNIT: [usize; 2] = [16, 8];
/// Rows below which the result is made transposed, so that registers hold elements of a column.
const FEW: usize = 8;
/// Registers of rows of a tile.
const TALL: usize = 3;
/// Columns of a part of a symmetric result, at least.
const BAND: usize = 96;
/// Rows and columns that are copied to the other half at a time.
const SQUARE: usize = 16;
/// Elements that fill a line of memory at least.
const LINE: usize = 64;

/// The rows of a left factor, or the columns of a right one.
#[derive(Clone, Copy)]
pub struct Lines<T> {
    /// The first element of the first one.
    pub start: *const T,
    /// How many.
    pub count: usize,
    /// The distance of neighbours.
    pub apart: isize,
    /// The distance of the elements of one.
    pub inward: isize,
}

impl<T> Lines<T> {
    /// Where an element lies.
    #[inline(always)]
    pub fn at(&self, line: usize, k: usize) -> *const T {
        self.start.wrapping_offset(line as isize * self.apart + k as isize * self.inward)
    }
}

/// Where the result lies, and the distance of its rows and columns.
pub type Place<T> = (*mut T, [isize; 2]);

/// How much is packed at a time.
#[derive(Clone, Copy)]
struct Blocks {
    /// Rows of the left factor.
    rows: usize,
    /// Columns of the right factor.
    columns: usize,
    /// Terms of a chain.
    terms: usize,
}

impl Blocks {
    /// Rows by terms fill less than half of a second-level cache of 1 MiB, the columns of a tile a first-level one; all columns are a part of the third.
    const fn of<T>() -> Self {
        Blocks { rows: 96, columns: 2048, terms: 4096 / size_of::<T>() }
    }
}

/// Writes the product of the rows of `left` and the columns of `right`, which have `inner` elements each, to `out`.
///
/// # Safety
/// The factors reach all their elements; `out` reaches as many rows and columns, overlaps no factor, and nothing else refers to it.
pub unsafe fn multiply<T: Real>(out: Place<T>, left: Lines<T>, right: Lines<T>, inner: usize) {
    if left.count == 0 || right.count == 0 {
        return;
    }
    let work = left.count.saturating_mul(right.count).saturating_mul(inner);
    // Tiles are wide along rows: these should be neighbours in memory, and some.
    let [down, along] = out.1;
    let turn = if left.count.min(right.count) < FEW { left.count < right.count } else { along.abs() < down.abs() };
    let (out, left, right) = if turn { ((out.0, [along, down]), right, left) } else { (out, left, right) };
    if work <= DIRECT_WORK {
        trace::kernel(left.count * right.count, 1);
        let product = Product { out, left, right, inner, blocks: Blocks::of::<T>(), parts: Parts::Grid([1, 1]) };
        return dispatch(&Direct(product), &Domain::nest([1, 1]).whole());
    }
    let parts = Parts::of([&left, &right], shares((work / AT_ONCE) as u64));
    let product = Product { out, left, right, inner, blocks: Blocks::of::<T>(), parts };
    product.launch(work);
}

/// How a result is divided.
#[derive(Clone, Copy)]
enum Parts {
    /// Into so many parts of the rows and of the columns.
    Grid([usize; 2]),
    /// A symmetric one, of which so many parts have two bands of columns each, down to the diagonal: one as much shorter as the other is longer.
    Triangle(usize),
}

impl Parts {
    /// For factors, and so many threads at most.
    fn of<T>([left, right]: [&Lines<T>; 2], threads: usize) -> Self {
        let same = left.start == right.start && (left.apart, left.inward) == (right.apart, right.inward);
        let pairs = right.count / (2 * BAND);
        if same && left.count == right.count && pairs >= threads {
            return Self::Triangle(pairs / threads * threads);
        }
        Self::Grid(grid([left, right], threads))
    }

    fn count(self) -> usize {
        match self {
            Self::Grid([rows, columns]) => rows * columns,
            Self::Triangle(count) => count,
        }
    }
}

struct Product<T> {
    out: Place<T>,
    left: Lines<T>,
    right: Lines<T>,
    inner: usize,
    blocks: Blocks,
    parts: Parts,
}

// SAFETY: the memory of the factors is only read, and each thread writes to its own parts of the result.
unsafe impl<T: Real> Sync for Product<T> {}

/// A product without packing.
struct Direct<T>(Product<T>);

impl<T: Real> Kernel for Direct<T> {
    #[inline(always)]
    fn run<I: Isa>(&self, _: &Chunk) {
        tile::direct(&self.0);
    }
}

impl<T: Real> Kernel for Product<T> {
    #[inline(always)]
    fn run<I: Isa>(&self, chunk: &Chunk) {
        for part in chunk.outer.clone() {
            match self.parts {
                Parts::Grid([down, across]) => {
                    let rows = share(self.left.count, down, UNIT[0], part % down);
                    self.by_level::<I>(rows, share(self.right.count, across, UNIT[1], part / down));
                }
                Parts::Triangle(count) => {
                    for band in [part, 2 * count - 1 - part] {
                        let columns = share(self.right.count, 2 * count, SQUARE, band);
                        self.by_level::<I>(0..columns.end, columns.clone());
                        // SAFETY: nobody else has what is left of these rows up to the diagonal.
                        unsafe { self.mirror(columns) };
                    }
                }
            }
        }
    }
}

impl<T: Real> Product<T> {
    #[inline(always)]
    fn by_level<I: Isa>(&self, rows: Range<usize>, columns: Range<usize>) {
        match I::LEVEL {
            Level::Baseline => self.part::<Plain<T>, 4>(rows, columns),
            Level::Avx2 => self.part::<T::Avx2, 4>(rows, columns),
            Level::Avx512 => self.part::<T::Avx512, 8>(rows, columns),
        }
    }

    /// Copies what is above the square of these columns at the diagonal to the same rows.
    ///
    /// # Safety
    /// The columns have been computed; nobody else has their rows up to the diagonal.
    unsafe fn mirror(&self, columns: Range<usize>) {
        let (out, [down, along]) = self.out;
        let at = |row: usize, column: usize| out.wrapping_offset(row as isize * down + column as isize * along);
        for rows in pieces(0..columns.start, SQUARE) {
            for columns in pieces(columns.clone(), SQUARE) {
                for column in columns {
                    for row in rows.clone() {
                        // SAFETY: both are elements of the result.
                        unsafe { *at(column, row) = *at(row, column) };
                    }
                }
            }
        }
    }

    fn launch(&self, work: usize) {
        let parts = self.parts.count();
        let each = repeated(1, work / AT_ONCE / parts);
        launch(self, Domain::nest([parts, 1]), each);
    }

    /// A part of the result, in tiles of `TALL` registers of rows and of `WIDE` columns.
    #[inline(always)]
    fn part<V: Lanes<T>, const WIDE: usize>(&self, rows: Range<usize>, columns: Range<usize>) {
        let Blocks { rows: most_rows, columns: most_columns, terms: most_terms } = self.blocks;
        let depth = most_terms.min(self.inner);
        let tall = rows.len().min(most_rows).next_multiple_of(V::LEN) * depth;
        let wide = columns.len().min(most_columns).next_multiple_of(WIDE) * depth;
        let mut memory = Buf::<T>::uninit(tall + wide + 2 * LINE);
        let start = memory.as_mut_slice().as_mut_ptr().cast::<T>();
        // SAFETY: a line is longer than what is left out of it, twice.
        let (left, right) = unsafe {
            let left = start.add(start.align_offset(LINE).min(LINE));
            let right = left.add(tall);
            (left, right.add(right.align_offset(LINE).min(LINE)))
        };
        for columns in pieces(columns, most_columns) {
            for terms in pieces(0..self.inner, most_terms) {
                // SAFETY: there is room for so many columns, the factor's.
                unsafe { self.pack_right::<WIDE>(columns.clone(), terms.clone(), right) };
                for rows in pieces(rows.clone(), most_rows) {
                    // SAFETY: there is room for so many rows, the factor's; the part is this thread's.
                    unsafe { self.block::<V, WIDE>(rows, columns.clone(), terms.clone(), (left, right)) };
                }
            }
        }
    }

    /// Puts `WIDE` columns after `WIDE` columns into memory, term by term.
    #[inline(always)]
    unsafe fn pack_right<const WIDE: usize>(&self, columns: Range<usize>, terms: Range<usize>, to: *mut T) {
        for (panel, columns) in pieces(columns, WIDE).enumerate() {
            // SAFETY: the caller's promise.
            unsafe {
                pack::<T, Plain<T>>(&self.right, columns, terms.clone(), WIDE, to.add(panel * WIDE * terms.len()))
            };
        }
    }

    /// Adds some terms to a block of the result, or begins it.
    #[inline(always)]
    unsafe fn block<V: Lanes<T>, const WIDE: usize>(
        &self,
        rows: Range<usize>,
        columns: Range<usize>,
        terms: Range<usize>,
        (left, right): (*mut T, *mut T),
    ) {
        let depth = terms.len();
        // What is read once or twice need not be packed.
        let in_place = self.left.apart == 1 && columns.len() <= 2 * WIDE;
        let panel = |at: usize, rows: &Range<usize>| {
            let width = rows.len().next_multiple_of(V::LEN);
            if in_place && width == rows.len() {
                return Panel { start: self.left.at(rows.start, terms.start), step: self.left.inward, width };
            }
            // SAFETY: each panel has its own memory.
            Panel { start: unsafe { left.add(at * depth) }, step: width as isize, width }
        };
        for (at, rows) in panels::<T, V>(rows.clone()) {
            let panel = panel(at, &rows);
            if !in_place || panel.width != rows.len() {
                // SAFETY: the caller's promise.
                unsafe { pack::<T, V>(&self.left, rows, terms.clone(), panel.width, panel.start.cast_mut()) };
            }
        }
        for (at_right, columns) in pieces(columns, WIDE).enumerate() {
            // SAFETY: packed before.
            let right = unsafe { right.add(at_right * WIDE * depth) };
            for (at, rows) in panels::<T, V>(rows.clone()) {
                let panel = panel(at, &rows);
                // SAFETY: the caller's promise.
                unsafe { self.tile::<V, WIDE>(panel, right, rows, columns.clone(), terms.clone()) };
            }
        }
    }
}

/// A range in pieces of at most so many.
#[inline(always)]
fn pieces(range: Range<usize>, most: usize) -> impl Iterator<Item = Range<usize>> {
    range.clone().step_by(most).map(move |at| at..range.end.min(at + most))
}

/// Rows in pieces of at most `TALL` registers, about alike, and the numbers of their first rows among them.
#[inline(always)]
fn panels<T: Real, V: Lanes<T>>(rows: Range<usize>) -> impl Iterator<Item = (usize, Range<usize>)> {
    let registers = rows.len().div_ceil(V::LEN);
    let count = registers.div_ceil(TALL);
    (0..count).map(move |p| {
        let [at, end] = [p, p + 1].map(|p| registers * p / count * V::LEN);
        (at, rows.start + at..rows.end.min(rows.start + end))
    })
}

/// One of so many parts of a range, which are multiples of `unit`.
#[inline(always)]
fn share(count: usize, parts: usize, unit: usize, part: usize) -> Range<usize> {
    let units = count.div_ceil(unit);
    let at = |part: usize| (units * part / parts * unit).min(count);
    at(part)..at(part + 1)
}

/// Into how many parts the rows and columns of a result are divided, so that threads pack as little as can be.
fn grid<T>([left, right]: [&Lines<T>; 2], threads: usize) -> [usize; 2] {
    let most = [left.count.div_ceil(UNIT[0]), right.count.div_ceil(UNIT[1])];
    let divided = |across: usize| [threads.div_ceil(across).min(most[0]), across];
    let idle = |grid: &[usize; 2]| threads - threads.min(grid[0] * grid[1]);
    // Lines whose elements, not they themselves, are neighbours in memory are turned.
    let cost = |lines: &Lines<T>| lines.count.saturating_mul(if lines.apart == 1 { 1 } else { 2 });
    let packed =
        |grid: &[usize; 2]| grid[0].saturating_mul(cost(right)).saturating_add(grid[1].saturating_mul(cost(left)));
    let all = (1..=threads.min(most[1])).map(divided);
    all.min_by_key(|grid| (idle(grid), packed(grid))).unwrap_or([1, 1])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bits of the product of one matrix and another, columns first, by these blocks and parts.
    fn bits<T: Real + Into<f64>>(
        [m, n, p]: [usize; 3],
        [a, b]: [&[T]; 2],
        blocks: Blocks,
        grid: [usize; 2],
    ) -> Vec<u64> {
        let mut out = vec![T::ONE; m * n];
        let left = Lines { start: a.as_ptr(), count: m, apart: 1, inward: m as isize };
        let right = Lines { start: b.as_ptr(), count: n, apart: p as isize, inward: 1 };
        let parts = Parts::Grid(grid);
        let product = Product { out: (out.as_mut_ptr(), [1, m as isize]), left, right, inner: p, blocks, parts };
        product.launch(1 << 30);
        out.into_iter().map(|x| x.into().to_bits()).collect()
    }

    fn numbers<T>(count: usize, seed: usize, of: impl Fn(f64) -> T) -> Vec<T> {
        (0..count).map(|i| of(((i * 37 + i / 7 * seed * 13) % 101) as f64 / 97.0 - 0.5)).collect()
    }

    fn chains<T: Real + Into<f64>>([m, n, p]: [usize; 3], a: &[T], b: &[T]) -> Vec<u64> {
        let element = |i: usize, j: usize| (0..p).fold(T::ZERO, |sum, k| sum.plus_product(a[k * m + i], b[j * p + k]));
        (0..m * n).map(|e| element(e % m, e / m).into().to_bits()).collect()
    }

    /// Any blocks, parts and instruction set give the chains that the header says.
    #[test]
    fn results_do_not_depend_on_blocks() {
        let extents = [61, 37, 45];
        let [m, n, p] = extents;
        let (a, b) = (numbers(m * p, 1, |x| x), numbers(p * n, 2, |x| x));
        let (single_a, single_b) = (numbers(m * p, 1, |x| x as f32), numbers(p * n, 2, |x| x as f32));
        let (want, want_single) = (chains(extents, &a, &b), chains(extents, &single_a, &single_b));
        for level in Level::available() {
            level.limit();
            for (rows, columns, terms) in
                [(1, 1, 1), (5, 3, 2), (24, 8, 16), (48, 7, 44), (60, 36, 45), (500, 500, 500)]
            {
                for grid in [[1, 1], [2, 1], [1, 3], [3, 5], [4, 4]] {
                    let blocks = Blocks { rows, columns, terms };
                    assert_eq!(
                        bits(extents, [&a, &b], blocks, grid),
                        want,
                        "{level:?} {rows} {columns} {terms} {grid:?}"
                    );
                    assert_eq!(bits(extents, [&single_a, &single_b], blocks, grid), want_single);
                }
            }
        }
        Level::Avx512.limit();
    }

    /// Half of a symmetric product and a copy of it are the whole product.
    #[test]
    fn halves_are_alike() {
        let same = |n: usize, p: usize, threads: usize, columns_first: bool| {
            let a = numbers(n * p, 1, |x| x);
            let (apart, inward) = if columns_first { (1, n as isize) } else { (p as isize, 1) };
            let lines = Lines { start: a.as_ptr(), count: n, apart, inward };
            let made = |parts: Parts| {
                let mut out = vec![f64::NAN; n * n];
                let place = (out.as_mut_ptr(), [1, n as isize]);
                Product { out: place, left: lines, right: lines, inner: p, blocks: Blocks::of::<f64>(), parts }
                    .launch(1 << 30);
                out.into_iter().map(f64::to_bits).collect::<Vec<_>>()
            };
            let parts = Parts::of([&lines, &lines], threads);
            assert!(made(parts) == made(Parts::Grid([1, 1])), "{n} {p} {threads}");
            matches!(parts, Parts::Triangle(_))
        };
        assert!(!same(100, 7, 1, true), "too small");
        assert!(!same(300, 7, 2, true), "too small for two threads");
        for (n, p, threads) in [(192, 3, 1), (401, 33, 2), (500, 40, 2), (613, 1, 3), (977, 5, 1)] {
            assert!(same(n, p, threads, true) && same(n, p, threads, false));
        }
        let lines = |start: &f64, apart| Lines { start, count: 1000, apart, inward: 1 };
        let (x, y) = (0.0, 0.0);
        for other in [lines(&y, 1), lines(&x, 2)] {
            assert!(matches!(Parts::of([&lines(&x, 1), &other], 1), Parts::Grid(_)));
        }
    }

    #[test]
    fn parts_cover_the_result_once_and_are_enough() {
        for (count, parts) in [(1, 1), (7, 1), (100, 3), (33, 2), (4096, 7)] {
            let shares: Vec<_> = (0..parts).map(|part| share(count, parts, 16, part)).collect();
            assert_eq!((shares[0].start, shares[parts - 1].end), (0, count));
            assert!(shares.windows(2).all(|pair| pair[0].end == pair[1].start));
        }
        let lines = |count| Lines::<f64> { start: std::ptr::null(), count, apart: 1, inward: 1 };
        assert_eq!(grid([&lines(1000), &lines(1000)], 1), [1, 1]);
        assert_eq!(grid([&lines(4096), &lines(16)], 2), [2, 1]);
        assert_eq!(grid([&lines(16), &lines(4096)], 2), [1, 2]);
        assert_eq!(grid([&lines(1000), &lines(1000)], 16), [4, 4]);
        assert_eq!(grid([&lines(8), &lines(8)], 16), [1, 1]);
    }
}
