//! Pairs of matrices on the way to their eigenvalues: the rows and columns that show one are moved to the ends (LAPACK's `ggbal`), B becomes
//! triangular by reflections, then A gets the form of Hessenberg by rotations that leave B triangular (Golub and Van Loan, Matrix
//! Computations, 4th edition, 7.7.4).

use crate::memory;
use std::ops::Range;

use super::reflection::{reflect, reflector};
use super::rotation::Rotation;
use super::square::{Square, turn};

/// Two matrices, and the product of what was done to their columns if vectors are wanted.
pub(super) struct Pencil {
    pub a: Square,
    pub b: Square,
    pub right: Option<Square>,
    /// Rows and columns from `low` to `high` are left after those that show an eigenvalue have been moved to the ends.
    pub low: usize,
    pub high: usize,
    /// With which column each outside of these changed places.
    places: Vec<usize>,
}

impl Pencil {
    /// The reduced form of a pair of the same order, which is not zero.
    #[inline(always)]
    pub fn reduced(a: Square, b: Square, with_vectors: bool) -> Self {
        let n = a.n;
        let right = with_vectors.then(|| Square::identity(n));
        let mut out = Self { a, b, right, low: 0, high: n - 1, places: memory::gathered(0..n) };
        out.permute();
        out.triangular_b();
        out.hessenberg_a();
        out
    }

    fn permute(&mut self) {
        while self.high > 0 {
            let Some((row, column)) = (0..=self.high).rev().find_map(|i| Some((i, self.only_in_row(i)?))) else {
                break;
            };
            self.exchange(row, column, self.high);
            self.high -= 1;
        }
        while self.low < self.high {
            let Some((row, column)) = (self.low..=self.high).find_map(|j| Some((self.only_in_column(j)?, j))) else {
                break;
            };
            self.exchange(row, column, self.low);
            self.low += 1;
        }
    }

    fn is_zero(&self, i: usize, j: usize) -> bool {
        self.a[(i, j)] == 0.0 && self.b[(i, j)] == 0.0
    }

    /// The column of the only element that a row has left; the last where it has none.
    fn only_in_row(&self, i: usize) -> Option<usize> {
        let column = (0..self.high).find(|&j| !self.is_zero(i, j)).unwrap_or(self.high);
        (column + 1..=self.high).all(|j| self.is_zero(i, j)).then_some(column)
    }

    fn only_in_column(&self, j: usize) -> Option<usize> {
        let row = (self.low..self.high).find(|&i| !self.is_zero(i, j)).unwrap_or(self.high);
        (row + 1..=self.high).all(|i| self.is_zero(i, j)).then_some(row)
    }

    /// Moves an element to the diagonal.
    fn exchange(&mut self, row: usize, column: usize, to: usize) {
        self.places[to] = column;
        for m in [&mut self.a, &mut self.b] {
            m.exchange_rows(row, to);
            m.exchange_columns(column, to);
        }
    }

    /// Takes vectors of the reduced pair back to those of the pair.
    pub fn undo(&self, vectors: &mut Square) {
        let outside = (0..self.low).rev().chain(self.high + 1..vectors.n);
        outside.for_each(|i| vectors.exchange_rows(i, self.places[i]));
    }

    /// The columns that matter: without vectors only those of the block.
    fn columns(&self) -> usize {
        if self.right.is_some() { self.a.n } else { self.high + 1 }
    }

    #[inline(always)]
    fn triangular_b(&mut self) {
        let (n, end, high) = (self.a.n, self.columns(), self.high);
        for k in self.low..high {
            let (column, rest) = self.b.column_and_rest(k);
            let direction = &mut column[k..=high];
            let (value, scale) = reflector(direction);
            let apply = |column: &mut [f64]| reflect(direction, scale, &mut column[k..=high]);
            rest[..(end - k - 1) * n].chunks_exact_mut(n).for_each(apply);
            self.a.elements[self.low * n..end * n].chunks_exact_mut(n).for_each(apply);
            direction.fill(0.0);
            direction[0] = value;
        }
    }

    #[inline(always)]
    fn hessenberg_a(&mut self) {
        let (low, high, end) = (self.low, self.high, self.columns());
        for column in low..high.saturating_sub(1) {
            for row in (column + 2..=high).rev() {
                let rotation = make_zero_below(&mut self.a, row - 1, column);
                turn_rows(&mut self.a, row - 1, column + 1..end, rotation);
                turn_rows(&mut self.b, row - 1, row - 1..end, rotation);
                self.clear_b(row, 0, high + 1);
            }
        }
    }

    /// Makes the element of B left of the diagonal zero in a row by a rotation of columns, in rows from `top`, of A as far as `end`.
    #[inline(always)]
    pub fn clear_b(&mut self, row: usize, top: usize, end: usize) {
        let (rotation, r) = Rotation::onto_first(self.b[(row, row)], self.b[(row, row - 1)]);
        (self.b[(row, row)], self.b[(row, row - 1)]) = (r, 0.0);
        turn_columns_back(&mut self.a, row, top..end, rotation);
        turn_columns_back(&mut self.b, row, top..row, rotation);
        self.turn_right(row, rotation);
    }

    /// Turns a column and that before it of what collects rotations.
    #[inline(always)]
    pub fn turn_right(&mut self, column: usize, rotation: Rotation) {
        if let Some(right) = &mut self.right {
            turn_columns_back(right, column, 0..right.n, rotation);
        }
    }
}

/// The rotation of a row and the next that makes the latter's element in a column zero; only that column is turned.
#[inline(always)]
pub(super) fn make_zero_below(m: &mut Square, row: usize, column: usize) -> Rotation {
    let (rotation, r) = Rotation::onto_first(m[(row, column)], m[(row + 1, column)]);
    (m[(row, column)], m[(row + 1, column)]) = (r, 0.0);
    rotation
}

/// Turns a row and the next in these columns.
#[inline(always)]
pub(super) fn turn_rows(m: &mut Square, row: usize, columns: Range<usize>, Rotation { cosine, sine }: Rotation) {
    for j in columns {
        let (x, y) = (m[(row, j)], m[(row + 1, j)]);
        (m[(row, j)], m[(row + 1, j)]) = (cosine * x + sine * y, cosine * y - sine * x);
    }
}

/// Turns a column and that before it in these rows.
#[inline(always)]
pub(super) fn turn_columns_back(m: &mut Square, column: usize, rows: Range<usize>, rotation: Rotation) {
    let (before, this) = m.two_columns(column - 1, column);
    turn(&mut this[rows.clone()], &mut before[rows], rotation);
}
