//! Balancing before eigenvalues are computed (B. N. Parlett and C. Reinsch 1969; LAPACK's `gebal` and, for two matrices, `ggbal`, whose order
//! of exchanges decides the order of eigenvalues).

use super::reflection::length;
use super::square::Square;
use crate::memory;

/// A scaling that does not make row and column shorter than this is not worth it.
const WORTH: f64 = 0.95;
const SMALLEST: f64 = f64::MIN_POSITIVE / f64::EPSILON;
const LARGEST: f64 = 1.0 / SMALLEST;

/// What was done to a matrix.
pub(super) struct Balance {
    /// Rows and columns from `low` to `high` are left after those that show an eigenvalue have been moved to the ends.
    pub low: usize,
    pub high: usize,
    /// With which row and column each outside of these changed places.
    places: Vec<usize>,
    scales: Vec<f64>,
}

impl Balance {
    fn none(n: usize) -> Self {
        Self { low: 0, high: n.saturating_sub(1), places: memory::gathered(0..n), scales: memory::copies(1.0, n) }
    }

    /// Moves rows and columns that show an eigenvalue to the ends of the matrix, and scales the others by powers of two to about the same
    /// lengths.
    pub fn of(a: &mut Square) -> Self {
        let mut out = Self::none(a.n);
        while let Some(row) = (0..=out.high).rev().find(|&j| out.high > 0 && out.is_alone_in_row(a, j)) {
            out.places[out.high] = row;
            a.exchange(row, out.high);
            out.high -= 1;
        }
        while let Some(column) = (out.low..=out.high).find(|&j| out.high > out.low && out.is_alone_in_column(a, j)) {
            out.places[out.low] = column;
            a.exchange(column, out.low);
            out.low += 1;
        }
        if out.high > out.low {
            while out.scale(a) {}
        }
        out
    }

    /// Whether the diagonal's element is the only one of a row that is left.
    fn is_alone_in_row(&self, a: &Square, row: usize) -> bool {
        (0..=self.high).all(|i| i == row || a[(row, i)] == 0.0)
    }

    fn is_alone_in_column(&self, a: &Square, column: usize) -> bool {
        (self.low..=self.high).all(|i| i == column || a[(i, column)] == 0.0)
    }

    /// Scales each row and column once; tells whether any was.
    fn scale(&mut self, a: &mut Square) -> bool {
        let (n, low, high) = (a.n, self.low, self.high);
        let mut changed = false;
        for i in low..=high {
            let row: Vec<f64> = memory::gathered((low..n).map(|j| a[(i, j)]));
            let lengths = [length(&a.column(i)[low..=high]), length(&row[..=high - low])];
            if lengths.contains(&0.0) {
                continue;
            }
            let most = |x: &[f64]| x.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
            let Some(factor) = factor(lengths, [most(&a.column(i)[..=high]), most(&row)]) else { continue };
            let scaled = self.scales[i] * factor;
            if factor < 1.0 && self.scales[i] < 1.0 && scaled <= SMALLEST
                || factor > 1.0 && self.scales[i] > 1.0 && self.scales[i] >= LARGEST / factor
            {
                continue;
            }
            changed = true;
            self.scales[i] = scaled;
            (low..n).for_each(|j| a[(i, j)] /= factor);
            a.column_mut(i)[..=high].iter_mut().for_each(|x| *x *= factor);
        }
        changed
    }

    /// Takes the vectors of the balanced matrix back to those of the matrix.
    pub fn undo(&self, vectors: &mut Square) {
        for i in self.low..=self.high.min(vectors.n.wrapping_sub(1)) {
            if self.scales[i] != 1.0 {
                (0..vectors.n).for_each(|j| vectors[(i, j)] *= self.scales[i]);
            }
        }
        let outside = (0..self.low).rev().chain(self.high + 1..vectors.n);
        outside.for_each(|i| vectors.exchange_rows(i, self.places[i]));
    }
}

/// The power of two by which a column is multiplied, and its row divided, given their lengths and largest elements, if it is worth it.
fn factor([mut column, mut row]: [f64; 2], [mut most_in_column, mut most_in_row]: [f64; 2]) -> Option<f64> {
    let before = column + row;
    let mut factor = 1.0_f64;
    while column < row / 2.0
        && factor.max(column).max(most_in_column) < LARGEST / 2.0
        && row.min(most_in_row) > SMALLEST * 2.0
    {
        factor *= 2.0;
        (column, most_in_column) = (column * 2.0, most_in_column * 2.0);
        (row, most_in_row) = (row / 2.0, most_in_row / 2.0);
    }
    while column / 2.0 >= row
        && row.max(most_in_row) < LARGEST / 2.0
        && factor.min(column / 2.0).min(most_in_column) > SMALLEST * 2.0
    {
        factor /= 2.0;
        (column, most_in_column) = (column / 2.0, most_in_column / 2.0);
        (row, most_in_row) = (row * 2.0, most_in_row * 2.0);
    }
    (column + row < WORTH * before).then_some(factor)
}
