//! Matrix products and linear systems.

use super::array::array;
use super::datum::{Datum, Elements};
use super::failure::{ErrorKind, Failure, Run};
use crate::ir::Class;

/// A matrix of doubles, columns first.
#[derive(Clone)]
struct Matrix {
    rows: usize,
    columns: usize,
    elements: Vec<f64>,
}

impl Matrix {
    fn of(datum: &Datum) -> Run<Self> {
        let (&[rows, columns], Some(elements)) = (datum.dims(), datum.to_doubles()) else {
            return Err(Failure::malformed("a product or system of what are no matrices"));
        };
        Ok(Self { rows, columns, elements })
    }

    fn zeros(rows: usize, columns: usize) -> Self {
        Self { rows, columns, elements: vec![0.0; rows * columns] }
    }

    fn at(&self, i: usize, j: usize) -> f64 {
        self.elements[i + j * self.rows]
    }

    fn at_mut(&mut self, i: usize, j: usize) -> &mut f64 {
        &mut self.elements[i + j * self.rows]
    }

    fn transposed(&self) -> Self {
        let mut out = Self::zeros(self.columns, self.rows);
        for i in 0..self.rows {
            for j in 0..self.columns {
                *out.at_mut(j, i) = self.at(i, j);
            }
        }
        out
    }

    fn swap_rows(&mut self, a: usize, b: usize) {
        for j in 0..self.columns {
            self.elements.swap(a + j * self.rows, b + j * self.rows);
        }
    }

    /// As a value of a class.
    fn into_datum(self, class: Class) -> Run<Datum> {
        let dims = vec![self.rows, self.columns];
        match class {
            Class::Single => array(dims, Elements::Single(self.elements.into_iter().map(|x| x as f32).collect())),
            _ => array(dims, Elements::Double(self.elements)),
        }
    }
}

/// Multiplications in a matrix product.
pub(super) fn product_work(operands: &[Datum]) -> u64 {
    match operands {
        [a, b] => (a.numel() as u64).saturating_mul(b.dims().get(1).copied().unwrap_or(1) as u64),
        _ => 0,
    }
}

/// Multiplications in a solve, to an order of magnitude.
pub(super) fn solve_work(operands: &[Datum]) -> u64 {
    let largest = operands.iter().flat_map(|d| d.dims()).copied().max().unwrap_or(0) as u64;
    operands.iter().map(|d| (d.numel() as u64).saturating_mul(largest)).fold(0, u64::saturating_add)
}

/// The matrix product, each element summed in the order of the inner index, in the operands' class.
pub(super) fn product(a: &Datum, b: &Datum) -> Run<Datum> {
    let class = a.class();
    if !class.is_float() || b.class() != class {
        return Err(Failure::malformed("a matrix product of classes that are not one float class"));
    }
    let (a, b) = (Matrix::of(a)?, Matrix::of(b)?);
    if a.columns != b.rows {
        return Err(Failure::malformed(format!(
            "the inner sizes {} and {} of a matrix product differ",
            a.columns, b.rows
        )));
    }
    let mut out = Matrix::zeros(a.rows, b.columns);
    for j in 0..b.columns {
        for i in 0..a.rows {
            // Elements of single matrices are singles; their arithmetic must be, too.
            let sum = match class {
                Class::Single => (0..a.columns).fold(0f32, |sum, k| sum + a.at(i, k) as f32 * b.at(k, j) as f32).into(),
                _ => (0..a.columns).fold(0.0, |sum, k| sum + a.at(i, k) * b.at(k, j)),
            };
            *out.at_mut(i, j) = sum;
        }
    }
    out.into_datum(class)
}

/// `a \ b`
pub(super) fn left_divide(a: &Datum, b: &Datum) -> Run<Datum> {
    let class = a.class();
    solve(Matrix::of(a)?, Matrix::of(b)?)?.into_datum(class)
}

/// `b / a`, which is `(a' \ b')'`.
pub(super) fn right_divide(a: &Datum, b: &Datum) -> Run<Datum> {
    let class = a.class();
    let solution = solve(Matrix::of(a)?.transposed(), Matrix::of(b)?.transposed())?;
    solution.transposed().into_datum(class)
}

fn solve(a: Matrix, b: Matrix) -> Run<Matrix> {
    if a.rows != b.rows {
        return Err(Failure::malformed(format!("a system of {} equations has {} right sides", a.rows, b.rows)));
    }
    if a.rows == a.columns { gauss(a, b) } else { least_squares(a, b) }
}

fn singular(order: usize, pivot: usize) -> Failure {
    let message = format!("the matrix of this linear system is singular: pivot {} of {order} is zero", pivot + 1);
    Failure::error(ErrorKind::Singular, message)
}

/// Gaussian elimination with partial pivoting (Golub and Van Loan, Matrix Computations, section 3.4).
fn gauss(mut a: Matrix, mut b: Matrix) -> Run<Matrix> {
    let n = a.rows;
    for k in 0..n {
        let mut pivot = k;
        for i in k + 1..n {
            if a.at(i, k).abs() > a.at(pivot, k).abs() {
                pivot = i;
            }
        }
        if a.at(pivot, k) == 0.0 {
            return Err(singular(n, k));
        }
        a.swap_rows(k, pivot);
        b.swap_rows(k, pivot);
        for i in k + 1..n {
            let factor = a.at(i, k) / a.at(k, k);
            for j in k + 1..n {
                *a.at_mut(i, j) -= factor * a.at(k, j);
            }
            for j in 0..b.columns {
                *b.at_mut(i, j) -= factor * b.at(k, j);
            }
        }
    }
    back_substitute(&a, &b, n)
}

/// Solves the upper triangle of the first `n` rows and columns.
fn back_substitute(a: &Matrix, b: &Matrix, n: usize) -> Run<Matrix> {
    let mut x = Matrix::zeros(n, b.columns);
    for j in 0..b.columns {
        for i in (0..n).rev() {
            let known = (i + 1..n).fold(0.0, |sum, k| sum + a.at(i, k) * x.at(k, j));
            if a.at(i, i) == 0.0 {
                return Err(singular(n, i));
            }
            *x.at_mut(i, j) = (b.at(i, j) - known) / a.at(i, i);
        }
    }
    Ok(x)
}

/// The solution of least squares by Householder's QR (Golub and Van Loan, sections 5.2 and 5.3); of an underdetermined system
/// the one of least norm, by the QR of the transpose (section 5.6).
fn least_squares(a: Matrix, b: Matrix) -> Run<Matrix> {
    if a.rows > a.columns {
        let n = a.columns;
        let (r, b) = triangularise(a, b);
        return back_substitute(&r, &b, n);
    }
    // a' = q r: solve r' y = b forwards, then x = q [y; 0].
    let (m, n) = (a.rows, a.columns);
    let (r, reflectors) = triangularise(a.transposed(), identity(n));
    let mut y = Matrix::zeros(n, b.columns);
    for j in 0..b.columns {
        for i in 0..m {
            let known = (0..i).fold(0.0, |sum, k| sum + r.at(k, i) * y.at(k, j));
            if r.at(i, i) == 0.0 {
                return Err(singular(m, i));
            }
            *y.at_mut(i, j) = (b.at(i, j) - known) / r.at(i, i);
        }
    }
    // The reflections of the identity are q', so x = (q')' y.
    let mut x = Matrix::zeros(n, b.columns);
    for j in 0..b.columns {
        for i in 0..n {
            *x.at_mut(i, j) = (0..n).fold(0.0, |sum, k| sum + reflectors.at(k, i) * y.at(k, j));
        }
    }
    Ok(x)
}

fn identity(n: usize) -> Matrix {
    let mut out = Matrix::zeros(n, n);
    (0..n).for_each(|i| *out.at_mut(i, i) = 1.0);
    out
}

/// Householder reflections that make the first matrix upper triangular, applied to both.
fn triangularise(mut a: Matrix, mut b: Matrix) -> (Matrix, Matrix) {
    for k in 0..a.columns.min(a.rows) {
        let norm = (k..a.rows).fold(0.0f64, |sum, i| sum.hypot(a.at(i, k)));
        if norm == 0.0 {
            continue;
        }
        let alpha = -norm.copysign(a.at(k, k));
        let mut v: Vec<f64> = (k..a.rows).map(|i| a.at(i, k)).collect();
        v[0] -= alpha;
        let squared = v.iter().fold(0.0, |sum, x| sum + x * x);
        for matrix in [&mut a, &mut b] {
            for j in 0..matrix.columns {
                let dot = v.iter().enumerate().fold(0.0, |sum, (i, x)| sum + x * matrix.at(k + i, j));
                let factor = 2.0 * dot / squared;
                v.iter().enumerate().for_each(|(i, x)| *matrix.at_mut(k + i, j) -= factor * x);
            }
        }
    }
    (a, b)
}
