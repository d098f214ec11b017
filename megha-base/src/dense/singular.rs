//! Singular value decompositions in the way and with the signs of LAPACK's `dgesvd` (Anderson and others, LAPACK Users' Guide, 3rd edition,
//! 1999): of a long matrix first a triangle is made, then reflections make it bidiagonal, and rotations diagonal.
//!
//! The signs of singular vectors follow from the signs of reflections and from which way is taken where there are several, so these
//! choices are LAPACK's; how sums are rounded matters only where a matrix is singular or nearly so (`unblocked.rs`).

use super::bidiagonal::bidiagonal;
use super::bidiagonal_qr::{descending, diagonalise, raise};
use super::qd::qd_values;
use super::qr::{Block, multiply, orthogonal, reflect};
use super::turned::{Turned, Vectors};
use super::unblocked::{Matrix, Reduced};
use super::{Machine, Work};
use crate::memory;

/// Numbers that need no scaling.
const MODERATE: std::ops::Range<f64> = 1e-138..1e138;
/// The longer side of the largest matrix that is reduced without blocks.
const UNBLOCKED: usize = 24;
/// A matrix this many times as long as wide becomes a triangle first.
const LONG: f32 = 1.6;

/// The singular values of a matrix, in descending order, and if there is more room, behind them the columns of U and of V of
/// `A = U * S * V'`: all of them, or as many as there are values. All is NaN if an element is not finite, or the iterations do not converge.
pub fn singular_values(a: &[f64], [rows, columns]: [usize; 2], out: &mut [f64], machine: &impl Machine) {
    let count = rows.min(columns);
    let Some((scaled, factor)) = moderate(a) else { return out.fill(f64::NAN) };
    let (values, vectors) = out.split_at_mut(count);
    let sides = if vectors.len() == count * (rows + columns) { [count; 2] } else { [rows, columns] };
    let problem = Problem { rows, columns, sides, machine };
    let done = match (count, vectors.is_empty()) {
        (0, _) => {
            let (u, v) = vectors.split_at_mut(rows * sides[0]);
            unit_columns(u, rows);
            unit_columns(v, columns);
            true
        }
        (_, true) => problem.values(scaled, values),
        (_, false) => problem.vectors(scaled, values, vectors),
    };
    if done {
        values.iter_mut().for_each(|value| *value *= factor);
    } else {
        out.fill(f64::NAN);
    }
}

/// A copy whose squares neither overflow nor vanish, and the power of two that was taken out; `None` if an element is not finite.
fn moderate(a: &[f64]) -> Option<(Vec<f64>, f64)> {
    let largest = a.iter().fold(0.0, |largest: f64, x| if x.abs() <= largest { largest } else { x.abs() });
    if !largest.is_finite() || a.iter().any(|x| x.is_nan()) {
        return None;
    }
    if largest == 0.0 || MODERATE.contains(&largest) {
        return Some((memory::copied(a), 1.0));
    }
    let exponent = largest.log2().floor().clamp(-1022.0, 1022.0) as i32;
    let (down, up) = (2f64.powi(-exponent), 2f64.powi(exponent));
    Some((memory::gathered(a.iter().map(|x| x * down)), up))
}

/// The first columns of the identity.
fn unit_columns(q: &mut [f64], rows: usize) {
    q.fill(0.0);
    q.chunks_exact_mut(rows.max(1)).enumerate().for_each(|(j, column)| column[j] = 1.0);
}

/// A matrix of these sizes with as many columns of U and V as wanted.
struct Problem<'a, M> {
    rows: usize,
    columns: usize,
    sides: [usize; 2],
    machine: &'a M,
}

impl<M: Machine> Problem<'_, M> {
    fn values(&self, a: Vec<f64>, values: &mut [f64]) -> bool {
        let (mut reduced, upper) = if self.is_long() {
            let (triangle, _) = self.triangle(a);
            (reduced(triangle, [values.len(); 2], self.machine), true)
        } else {
            (reduced(a, [self.rows, self.columns], self.machine), self.rows >= self.columns)
        };
        let (d, e) = (&mut reduced.diagonal, &mut reduced.beside);
        if !upper {
            raise(d, e, &mut ());
        }
        if let Some(found) = qd_values(d, e) {
            *d = found;
        } else if !diagonalise(d, e, &mut ()) {
            return false;
        }
        d.iter_mut().for_each(|d| *d = d.abs());
        d.sort_by(|a, b| b.total_cmp(a));
        values.copy_from_slice(d);
        true
    }

    fn vectors(&self, a: Vec<f64>, values: &mut [f64], vectors: &mut [f64]) -> bool {
        let order = values.len();
        let (u, v) = vectors.split_at_mut(self.rows * self.sides[0]);
        if !self.is_long() {
            return self.core(a, [self.rows, self.columns], self.sides, values, [u, v]);
        }
        let (triangle, blocks) = self.triangle(a);
        let square = |this: &Self, u: &mut [f64], v: &mut [f64], values: &mut [f64]| {
            this.core(triangle, [order, order], [order, order], values, [u, v])
        };
        let mut inner = memory::zeros(order * order);
        let (done, long, rows) = if self.rows >= self.columns {
            (square(self, &mut inner, v, values), u, self.rows)
        } else {
            (square(self, u, &mut inner, values), v, self.columns)
        };
        unit_columns(long, rows);
        for (column, inner) in long.chunks_exact_mut(rows).zip(inner.chunks_exact(order)) {
            column[..order].copy_from_slice(inner);
        }
        multiply(&blocks, rows, long, self.machine);
        done
    }

    /// Whether LAPACK makes a triangle first.
    fn is_long(&self) -> bool {
        let (short, long) = (self.rows.min(self.columns), self.rows.max(self.columns));
        long >= (short as f32 * LONG) as usize
    }

    /// The triangle that reflections of the longer side leave.
    fn triangle(&self, mut a: Vec<f64>) -> (Vec<f64>, Vec<Block>) {
        let (short, long) = (self.rows.min(self.columns), self.rows.max(self.columns));
        if long <= UNBLOCKED {
            let mut found = None;
            let matrix = Matrix { elements: &mut a, rows: self.rows, columns: self.columns };
            self.machine.each(vec![(matrix, &mut found)], 0, &Triangle);
            return found.unwrap_or_default();
        }
        let tall = self.rows >= self.columns;
        let mut a = if tall { a } else { transposed(&a, self.rows) };
        let blocks = reflect(&mut a, long, self.machine);
        let triangle: Vec<f64> = memory::gathered(a.chunks_exact(long).flat_map(|column| &column[..short]).copied());
        (if tall { triangle } else { transposed(&triangle, short) }, blocks)
    }

    /// Without a triangle.
    fn core(
        &self,
        a: Vec<f64>,
        shape: [usize; 2],
        sides: [usize; 2],
        values: &mut [f64],
        out: [&mut [f64]; 2],
    ) -> bool {
        let [rows, columns] = shape;
        let mut reduced = reduced(a, shape, self.machine);
        let [u, v] = out;
        orthogonal(&reduced.left.blocks(), rows, u, self.machine);
        orthogonal(&reduced.right.blocks(), columns, v, self.machine);
        debug_assert_eq!([u.len(), v.len()], [rows * sides[0], columns * sides[1]]);
        let (left, right) = (Turned::of(u, rows), Turned::of(v, columns));
        let mut vectors = Vectors { left, right, machine: self.machine };
        let (d, e) = (&mut reduced.diagonal, &mut reduced.beside);
        if rows < columns {
            raise(d, e, &mut vectors);
        }
        if !diagonalise(d, e, &mut vectors) {
            return false;
        }
        vectors.finish();
        let sizes: Vec<f64> = memory::gathered(d.iter().map(|d| d.abs()));
        for (k, &from) in descending(&sizes).iter().enumerate() {
            values[k] = sizes[from];
            vectors.left.column(from, false, &mut u[k * rows..(k + 1) * rows]);
            vectors.right.column(from, reduced.diagonal[from] < 0.0, &mut v[k * columns..(k + 1) * columns]);
        }
        true
    }
}

fn transposed(a: &[f64], rows: usize) -> Vec<f64> {
    memory::gathered((0..rows).flat_map(|i| a.iter().skip(i).step_by(rows)).copied())
}

/// The bidiagonal form.
fn reduced(mut a: Vec<f64>, [rows, columns]: [usize; 2], machine: &impl Machine) -> Reduced {
    let mut found = None;
    if rows.max(columns) <= UNBLOCKED {
        let matrix = Matrix { elements: &mut a, rows, columns };
        machine.each(vec![(matrix, &mut found)], 0, &Small);
    } else if rows >= columns {
        machine.each(vec![(&mut a[..], &mut found)], 0, &Large(rows));
    } else {
        let mut a = transposed(&a, rows);
        machine.each(vec![(&mut a[..], &mut found)], 0, &Large(columns));
        found = found.map(Reduced::transposed);
    }
    found.unwrap_or_else(|| Reduced::new(rows, columns))
}

struct Triangle;

impl Work<(Matrix<'_>, &mut Option<(Vec<f64>, Vec<Block>)>)> for Triangle {
    #[inline(always)]
    fn run(&self, (mut a, found): (Matrix<'_>, &mut Option<(Vec<f64>, Vec<Block>)>)) {
        let (triangle, reflections) = a.triangle();
        *found = Some((triangle, reflections.blocks()));
    }
}

struct Small;

impl Work<(Matrix<'_>, &mut Option<Reduced>)> for Small {
    #[inline(always)]
    fn run(&self, (mut a, found): (Matrix<'_>, &mut Option<Reduced>)) {
        *found = Some(a.bidiagonal());
    }
}

/// A matrix with so many rows and at most as many columns.
struct Large(usize);

impl Work<(&mut [f64], &mut Option<Reduced>)> for Large {
    #[inline(always)]
    fn run(&self, (a, found): (&mut [f64], &mut Option<Reduced>)) {
        *found = Some(bidiagonal(a, self.0));
    }
}
