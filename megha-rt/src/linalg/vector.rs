//! The product of a matrix and a vector.
//!
//! Each element of the result is the sum of its terms by eight lanes: term `k` goes to lane `k % 8`, lanes take their terms in order, and
//! are added in pairs in the end. Terms are rounded before they are added. So results have the same bits on any number of
//! threads, with any instruction set and in either memory order, and both orders read the matrix once, along memory:
//! that is what takes the time.

use std::mem::MaybeUninit;

use super::Real;
use crate::input::Strided;
use crate::isa::{Isa, Kernel};
use crate::launch::{Chunk, Domain, launch, repeated};
use crate::layout::ColMajor;
use crate::view::Out;

/// Partial sums of an element.
const LANES: usize = 8;
/// Terms that a lane takes at once, so that it is read and written once for all of them.
const TERMS: usize = 8;
/// Neighbouring rows that are read at a time: their lanes (64 KiB) stay in the second-level cache, and of a column they are two pages of memory. Of order 4096
/// two threads of a Zen 3 took 10.5 ms with 128 rows, 6.7 so, where to read the matrix alone takes 6.3.
const TILE: usize = 1024;
/// So many rows or fewer do not pay for clearing as many lanes.
const NARROW: usize = 128;
/// Rows that neighbour each other and stay with one thread: two lines of memory.
const NEIGHBOURS: usize = 16;
/// Rows that are added up at once along memory: the next sum of a lane waits for the last one.
const ROWS: usize = 4;

/// Writes `matrix * vector` to the elements of `out`, in memory order.
///
/// # Panics
/// Other lengths than the matrix has columns and rows.
pub fn multiply<T: Real>(out: &mut [MaybeUninit<T>], matrix: Strided<'_, T, 2>, vector: &[T]) {
    let [rows, columns] = matrix.shape();
    assert!(columns == vector.len() && rows == out.len(), "a product of other shapes");
    // SAFETY: the memory is borrowed here only, and the launch writes all of it before anything reads it.
    let out = unsafe { Out::<ColMajor, T, 2>::from_raw(out.as_mut_ptr().cast(), [rows, 1]) };
    let weight = u32::try_from(columns).unwrap_or(u32::MAX).clamp(1, 1 << 24);
    // Neighbours in memory are best added up in many rows at once, but a matrix of few rows has work for several threads too.
    let neighbours = matrix.strides()[0] == 1;
    let step = if neighbours { NEIGHBOURS } else { ROWS };
    let domain = Domain::nest([rows.div_ceil(step), 1]);
    // So chunks hold as many rows as are read at a time, unless threads would get none.
    let domain = if neighbours { domain.shared() } else { domain };
    launch(&Product { out, matrix, vector, step }, domain, repeated(weight, step));
}

/// Terms up to which a sum of products is made where it is.
pub const SHORT: usize = 128;

/// The product of a row and a column of as many elements, as [`multiply`] makes it.
#[inline]
pub fn dot<T: Real>(row: &[T], column: &[T]) -> T {
    let mut lanes = [T::ZERO; LANES];
    let ((groups, rest), (factors, others)) = (row.as_chunks::<LANES>(), column.as_chunks::<LANES>());
    for (terms, factors) in groups.iter().zip(factors) {
        lanes = std::array::from_fn(|l| lanes[l] + terms[l] * factors[l]);
    }
    for ((lane, &element), &factor) in lanes.iter_mut().zip(rest).zip(others) {
        *lane = *lane + element * factor;
    }
    folded(lanes)
}

struct Product<'a, T> {
    out: Out<'a, ColMajor, T, 2>,
    matrix: Strided<'a, T, 2>,
    vector: &'a [T],
    /// Rows of each point of the launch.
    step: usize,
}

impl<T: Real> Kernel for Product<'_, T> {
    #[inline(always)]
    fn run<I: Isa>(&self, chunk: &Chunk) {
        let rows = chunk.outer.start * self.step..(chunk.outer.end * self.step).min(self.matrix.shape()[0]);
        // SAFETY: the rows are some of the result's, and no other chunk has them.
        let out = unsafe { self.out.flat(rows.start, rows.len()) };
        match self.matrix.strides() {
            // One row's lanes are in registers, those of a tile in memory.
            [1, along] if along != 1 || rows.len() > 1 => {
                for (out, first) in out.chunks_mut(TILE).zip(rows.step_by(TILE)) {
                    if out.len() <= NARROW { self.tile::<NARROW>(first, out) } else { self.tile::<TILE>(first, out) }
                }
            }
            [_, 1] => {
                let (groups, rest) = out.as_chunks_mut::<ROWS>();
                let alone = rows.end - rest.len()..rows.end;
                for (sums, first) in groups.iter_mut().zip(rows.step_by(ROWS)) {
                    *sums = self.along(std::array::from_fn(|r| first + r));
                }
                for (sum, row) in rest.iter_mut().zip(alone) {
                    [*sum] = self.along([row]);
                }
            }
            _ => out.iter_mut().zip(rows).for_each(|(sum, row)| *sum = self.across(row)),
        }
    }
}

impl<T: Real> Product<'_, T> {
    /// Rows that are neighbours in memory.
    #[inline(always)]
    fn tile<const MOST: usize>(&self, first: usize, out: &mut [T]) {
        let mut lanes = [[T::ZERO; MOST]; LANES];
        let (blocks, rest) = self.vector.as_chunks::<{ LANES * TERMS }>();
        // SAFETY: `out.len()` rows from the first on are the matrix's, and neighbours; so is each column.
        let column = |k| unsafe { std::slice::from_raw_parts(self.at(first, k), out.len()) };
        for (factors, start) in blocks.iter().zip((0..).step_by(LANES * TERMS)) {
            for (l, lane) in lanes.iter_mut().enumerate() {
                let factors: [T; TERMS] = std::array::from_fn(|t| factors[t * LANES + l]);
                let columns: [&[T]; TERMS] = std::array::from_fn(|t| column(start + t * LANES + l));
                for (i, sum) in lane.iter_mut().take(out.len()).enumerate() {
                    *sum = (0..TERMS).fold(*sum, |sum, t| sum + columns[t][i] * factors[t]);
                }
            }
        }
        for (k, &factor) in (blocks.len() * LANES * TERMS..).zip(rest) {
            for (sum, &element) in lanes[k % LANES].iter_mut().zip(column(k)) {
                *sum = *sum + element * factor;
            }
        }
        for (i, sum) in out.iter_mut().enumerate() {
            *sum = folded(std::array::from_fn(|l| lanes[l][i]));
        }
    }

    /// Rows whose elements are neighbours in memory.
    #[inline(always)]
    fn along<const N: usize>(&self, rows: [usize; N]) -> [T; N] {
        // SAFETY: the rows are the matrix's, and neighbours their elements.
        let rows = rows.map(|row| unsafe { std::slice::from_raw_parts(self.at(row, 0), self.vector.len()) });
        let mut lanes = [[T::ZERO; LANES]; N];
        let (groups, rest) = self.vector.as_chunks::<LANES>();
        let whole = groups.len() * LANES;
        for (factors, first) in groups.iter().zip((0..).step_by(LANES)) {
            for (lanes, row) in lanes.iter_mut().zip(&rows) {
                let terms = &row[first..first + LANES];
                *lanes = std::array::from_fn(|l| lanes[l] + terms[l] * factors[l]);
            }
        }
        for (lanes, row) in lanes.iter_mut().zip(&rows) {
            for ((lane, &element), &factor) in lanes.iter_mut().zip(&row[whole..]).zip(rest) {
                *lane = *lane + element * factor;
            }
        }
        lanes.map(folded)
    }

    /// A row of any stride.
    #[inline(always)]
    fn across(&self, row: usize) -> T {
        let mut lanes = [T::ZERO; LANES];
        for (k, &factor) in self.vector.iter().enumerate() {
            // SAFETY: the element is the matrix's.
            lanes[k % LANES] = lanes[k % LANES] + unsafe { *self.at(row, k) } * factor;
        }
        folded(lanes)
    }

    /// Where an element lies, or would lie if there were any.
    #[inline(always)]
    fn at(&self, row: usize, column: usize) -> *const T {
        let [down, along] = self.matrix.strides();
        self.matrix.start().wrapping_offset(row as isize * down + column as isize * along)
    }
}

/// The sum of all lanes.
#[inline(always)]
fn folded<T: Real>(lanes: [T; LANES]) -> T {
    let [a, b, c, d, e, f, g, h] = lanes;
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Array, ColMajor, Site, linalg};

    const SITE: Site = Site { path: "", line: 0, column: 0, text: "a * b" };

    /// Whatever the length, and whether or not somebody watches, the bits are those of the product that is launched.
    #[test]
    fn short_sums_are_as_long_ones() {
        for len in [0, 1, 7, 8, 9, 31, 64, 100, SHORT, SHORT + 1, 300] {
            let numbers =
                |seed: usize| (0..len).map(|i| ((i * 37 + seed) % 101) as f64 / 97.0 - 0.5).collect::<Vec<_>>();
            let (a, b) = (numbers(1), numbers(50));
            let (row, column) = (crate::View::<ColMajor, _, 2>::new(&a, [1, len]), crate::View::new(&b, [len, 1]));
            let mut long = Array::<ColMajor, f64, 2>::uninit([1, 1], &SITE).unwrap();
            multiply(long.as_mut_slice(), row.strided(), &b);
            // SAFETY: written by `multiply`.
            let long = unsafe { long.assume_init() }.as_slice()[0];
            assert_eq!(dot(&a, &b).to_bits(), long.to_bits(), "{len}");
            let number = || linalg::dot(row, column, &SITE).unwrap().to_bits();
            assert_eq!((number(), crate::cuts::within(3, number)), (long.to_bits(), long.to_bits()), "{len}");
        }
        let other = crate::View::<ColMajor, _, 2>::new(&[1.0, 2.0], [2, 1]);
        assert!(linalg::dot(crate::View::new(&[1.0], [1, 1]), other, &SITE).is_err());
    }
}
