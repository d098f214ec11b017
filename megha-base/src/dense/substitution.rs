//! Solution of systems whose matrix has been factored, by forward and back substitution.
//!
//! A few right sides at a time take the tiles of all rows of the factor, so that what is left of substitution are triangles of `TALL` rows. Single
//! right sides go column by column.

use super::tile::{TALL, WIDE, put_back, reduce_row, subtract_packed, tile, transpose};
use super::{Machine, Work};
use crate::memory;

/// A triangular matrix of order n, in panels of `TALL` rows: of the lower one in each the columns up to the diagonal, of the
/// upper one those from the diagonal on.
pub(super) struct Triangle {
    n: usize,
    elements: Vec<f64>,
    /// Where each panel begins, and where the last ends.
    starts: Vec<usize>,
}

impl Triangle {
    /// A lower triangle without rows.
    pub(super) fn new() -> Self {
        Self { n: 0, elements: Vec::new(), starts: vec![0] }
    }

    /// Appends rows to a lower triangle: those of the transpose of columns of `rows` elements. Earlier panels must be full.
    #[inline(always)]
    pub(super) fn append_columns(&mut self, columns: &[f64], rows: usize) {
        for columns in columns.chunks(TALL * rows) {
            self.n += columns.len() / rows;
            let start = self.elements.len();
            memory::reserve(&mut self.elements, self.n * TALL);
            self.elements.resize(start + self.n * TALL, 0.0);
            transpose::<TALL>(columns, rows, 0..self.n, &mut self.elements[start..]);
            memory::push(&mut self.starts, self.elements.len());
        }
    }

    /// One of the triangles of a matrix of order n.
    #[inline(always)]
    fn of(a: &[f64], n: usize, lower: bool) -> Self {
        let mut triangle = Self { n, elements: memory::with_room(n * (n + TALL) / 2 + n * TALL), starts: vec![0] };
        for top in (0..n).step_by(TALL) {
            let bottom = (top + TALL).min(n);
            for k in if lower { 0..bottom } else { top..n } {
                let mut rows = [0.0; TALL];
                rows[..bottom - top].copy_from_slice(&a[k * n + top..k * n + bottom]);
                memory::extend(&mut triangle.elements, rows);
            }
            memory::push(&mut triangle.starts, triangle.elements.len());
        }
        triangle
    }

    /// How many rows there are.
    pub(super) fn order(&self) -> usize {
        self.n
    }

    fn panels(&self) -> usize {
        self.starts.len() - 1
    }

    #[inline(always)]
    fn panel(&self, p: usize) -> &[f64] {
        &self.elements[self.starts[p]..self.starts[p + 1]]
    }

    /// Solves with a lower triangle in place from panel `first` on, above which the right sides are zero. The diagonal is
    /// one, or divides.
    #[inline(always)]
    pub(super) fn forward(&self, packed: &mut [f64], first: usize, unit: bool) {
        for p in first..self.panels() {
            let (left, top) = (self.panel(p), p * TALL);
            let (known, rest) = packed.split_at_mut(top * WIDE);
            subtract_packed(&tile(&left[first * TALL * TALL..top * TALL], &known[first * TALL * WIDE..]), rest);
            for i in 0..TALL.min(self.n - top) {
                let diagonal = (!unit).then_some(left[(top + i) * TALL + i]);
                reduce_row(rest, i, (0..i).map(|k| (k, left[(top + k) * TALL + i])), diagonal);
            }
        }
    }

    /// Solves with an upper triangle in place.
    #[inline(always)]
    fn backward(&self, packed: &mut [f64]) {
        for p in (0..self.panels()).rev() {
            let (left, top) = (self.panel(p), p * TALL);
            let height = TALL.min(self.n - top);
            let (rest, known) = packed.split_at_mut((top + height) * WIDE);
            let rest = &mut rest[top * WIDE..];
            subtract_packed(&tile(&left[height * TALL..], known), rest);
            for i in (0..height).rev() {
                reduce_row(rest, i, (i + 1..height).map(|k| (k, left[k * TALL + i])), Some(left[i * TALL + i]));
            }
        }
    }
}

/// Replaces right sides by the solutions, given the factors of a matrix of order n and the order of its rows.
pub fn solve(factors: &[f64], order: &[usize], right: &mut [f64], machine: &impl Machine) {
    let n = order.len();
    let sides = right.len() / n.max(1);
    if sides < WIDE {
        let single = Single { factors, order };
        machine.each(memory::gathered(right.chunks_mut(n.max(1))), 0, &single);
        return;
    }
    let many = Factors::new(factors, order);
    machine.each(memory::gathered(right.chunks_mut(WIDE * n)), 2 * n * n * sides, &many);
}

/// One right side.
struct Single<'a> {
    factors: &'a [f64],
    order: &'a [usize],
}

impl Work<&mut [f64]> for Single<'_> {
    #[inline(always)]
    fn run(&self, side: &mut [f64]) {
        let n = side.len();
        let mut x: Vec<f64> = memory::gathered(self.order.iter().map(|&i| side[i]));
        for (k, column) in self.factors.chunks_exact(n).enumerate() {
            let value = x[k];
            x[k + 1..].iter_mut().zip(&column[k + 1..]).for_each(|(x, l)| *x -= l * value);
        }
        for (k, column) in self.factors.chunks_exact(n).enumerate().rev() {
            x[k] /= column[k];
            let value = x[k];
            x[..k].iter_mut().zip(column).for_each(|(x, u)| *x -= u * value);
        }
        side.copy_from_slice(&x);
    }
}

/// Both triangles, and the order of the rows that they are of.
pub(super) struct Factors<'a> {
    lower: Triangle,
    upper: Triangle,
    order: &'a [usize],
}

impl<'a> Factors<'a> {
    pub(super) fn new(factors: &[f64], order: &'a [usize]) -> Self {
        let n = order.len();
        Self { lower: Triangle::of(factors, n, true), upper: Triangle::of(factors, n, false), order }
    }

    /// Solves for right sides that lie row by row and are zero in the panels before `first`.
    #[inline(always)]
    pub(super) fn solve(&self, packed: &mut [f64], first: usize) {
        self.lower.forward(packed, first, true);
        self.upper.backward(packed);
    }
}

impl Work<&mut [f64]> for Factors<'_> {
    #[inline(always)]
    fn run(&self, sides: &mut [f64]) {
        let n = self.order.len();
        let mut packed = memory::zeros(n * WIDE);
        for sides in sides.chunks_mut(WIDE * n) {
            for (row, &i) in packed.chunks_exact_mut(WIDE).zip(self.order) {
                row.iter_mut().zip(sides.chunks_exact(n)).for_each(|(x, side)| *x = side[i]);
            }
            self.solve(&mut packed, 0);
            put_back(&packed, sides, n, 0);
        }
    }
}
