//! Least squares by Householder's reflections with column pivoting (Businger and Golub 1965; lengths of columns brought up to date as
//! by Drmac and Bujanovic 2008), and of several solutions the shortest, by reflections of the rows of R (Golub and Van Loan,
//! Matrix Computations, 4th edition, 5.5.2).

use super::reflection::{dot, length, reflect as reflect_column, reflector, subtract_multiple};
use super::{Machine, Work, orthogonal, reflect};
use crate::memory;

/// Columns that are one item of work.
const BLOCK: usize = 16;

/// Puts the x that make `a * x - b` shortest into `x`, for matrices `a` and `b` of so many rows; the shortest where there are several. The
/// rank counts the diagonal elements of R above `max(rows, columns) * eps * |R(1,1)|`. `a` and `b` are consumed as work space.
pub fn least_squares(a: &mut [f64], b: &mut [f64], rows: usize, x: &mut [f64], machine: &impl Machine) {
    let columns = a.len() / rows.max(1);
    x.fill(0.0);
    if columns == 0 {
        return;
    }
    let (order, rank) = triangle(a, b, rows, machine);
    let rows_of_r = (rank < columns).then(|| Rows::of(a, [rows, columns], rank, machine));
    for (x, b) in x.chunks_exact_mut(columns).zip(b.chunks_exact_mut(rows)) {
        let y = match &rows_of_r {
            Some(rows_of_r) => rows_of_r.shortest(&b[..rank]),
            None => back_substituted(a, rows, memory::copied(&b[..rank])),
        };
        order.iter().zip(y).for_each(|(&place, value)| x[place] = value);
    }
}

/// Reduces `a` to R and applies the reflections to `b`; the order of the columns and the rank.
fn triangle(a: &mut [f64], b: &mut [f64], rows: usize, machine: &impl Machine) -> (Vec<usize>, usize) {
    let columns = a.len() / rows;
    let mut order: Vec<usize> = memory::gathered(0..columns);
    let mut lengths: Vec<Length> = memory::gathered(a.chunks_exact(rows).map(Length::of));
    let mut tolerance = 0.0;
    for k in 0..rows.min(columns) {
        let longest = (k + 1..columns).fold(k, |best, j| if lengths[j].now > lengths[best].now { j } else { best });
        exchange(a, rows, k, longest);
        order.swap(k, longest);
        lengths.swap(k, longest);
        let (left, right) = a.split_at_mut((k + 1) * rows);
        let column = &mut left[k * rows + k..];
        let (diagonal, tau) = reflector(column);
        if k == 0 {
            tolerance = rows.max(columns) as f64 * f64::EPSILON * diagonal.abs();
        }
        if diagonal.abs() <= tolerance {
            return (order, k);
        }
        let pairs = right.chunks_mut(BLOCK * rows).zip(lengths[k + 1..].chunks_mut(BLOCK));
        let sides = b.chunks_mut(BLOCK * rows).map(|b| (b, &mut [][..]));
        let operations = 4 * (rows - k) * (columns - k);
        machine.each(memory::gathered(pairs.chain(sides)), operations, &Reflection { v: column, tau, rows });
        column[0] = diagonal;
    }
    (order, rows.min(columns))
}

fn exchange(a: &mut [f64], rows: usize, j: usize, k: usize) {
    if j != k {
        let (left, right) = a.split_at_mut(k * rows);
        left[j * rows..(j + 1) * rows].swap_with_slice(&mut right[..rows]);
    }
}

/// The length of what is left of a column, and what it was when it was last computed from the elements.
struct Length {
    now: f64,
    computed: f64,
}

impl Length {
    #[inline(always)]
    fn of(column: &[f64]) -> Self {
        let length = length(column);
        Self { now: length, computed: length }
    }

    /// Without the first element; computed anew where too few digits would be left.
    #[inline(always)]
    fn shorten(&mut self, column: &[f64]) {
        if self.now == 0.0 {
            return;
        }
        let ratio = column[0].abs() / self.now;
        let left = ((1.0 + ratio) * (1.0 - ratio)).max(0.0);
        if left * (self.now / self.computed).powi(2) <= 1.5e-8 {
            *self = Self::of(&column[1..]);
        } else {
            self.now *= left.sqrt();
        }
    }
}

/// Applies one reflection to the last rows of columns.
struct Reflection<'a> {
    v: &'a [f64],
    tau: f64,
    rows: usize,
}

impl Work<(&mut [f64], &mut [Length])> for Reflection<'_> {
    #[inline(always)]
    fn run(&self, (columns, lengths): (&mut [f64], &mut [Length])) {
        let top = self.rows - self.v.len();
        let mut lengths = lengths.iter_mut();
        for column in columns.chunks_exact_mut(self.rows) {
            reflect_column(self.v, self.tau, &mut column[top..]);
            if let Some(length) = lengths.next() {
                length.shorten(&column[top..]);
            }
        }
    }
}

/// Solves with R, whose rank is full.
fn back_substituted(r: &[f64], rows: usize, mut y: Vec<f64>) -> Vec<f64> {
    for k in (0..y.len()).rev() {
        let column = &r[k * rows..];
        y[k] /= column[k];
        let value = y[k];
        subtract_multiple(&mut y[..k], value, column);
    }
    y
}

/// The rows of R up to its rank as the product of a lower triangle and orthonormal rows.
struct Rows {
    /// The transpose of the triangle, in columns of `length` elements.
    triangle: Vec<f64>,
    /// The orthonormal rows, one after the other.
    directions: Vec<f64>,
    length: usize,
}

impl Rows {
    fn of(r: &[f64], [rows, length]: [usize; 2], rank: usize, machine: &impl Machine) -> Self {
        let mut triangle = memory::zeros(length * rank);
        for (i, row) in triangle.chunks_exact_mut(length).enumerate() {
            (i..length).for_each(|j| row[j] = r[j * rows + i]);
        }
        let mut directions = memory::zeros(length * rank);
        let blocks = reflect(&mut triangle, length, machine);
        orthogonal(&blocks, length, &mut directions, machine);
        Self { triangle, directions, length }
    }

    /// The shortest y whose products with the rows are these.
    fn shortest(&self, products: &[f64]) -> Vec<f64> {
        let mut parts: Vec<f64> = memory::with_room(products.len());
        let mut y = memory::zeros(self.length);
        let rows = self.triangle.chunks_exact(self.length).zip(self.directions.chunks_exact(self.length));
        for (i, ((column, direction), product)) in rows.zip(products).enumerate() {
            parts.push((product - dot(&column[..i], &parts)) / column[i]);
            subtract_multiple(&mut y, -parts[i], direction);
        }
        y
    }
}
