//! Matrix products and linear systems.

use super::array::array;
use super::datum::{Datum, Elements};
use super::failure::{Failure, Run};
use crate::ir::{Class, Lib};
use megha_base::dense::{self, Plain};
use std::io::Write;
use std::ops::{Add, Mul};

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

/// The matrix product in the operands' class, each element added up as compiled code does ([`element`]).
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
    let with_vector = a.rows == 1 || b.columns == 1;
    for j in 0..b.columns {
        for i in 0..a.rows {
            // Elements of single matrices are singles; their arithmetic must be, too.
            let terms = (0..a.columns).map(|k| (a.at(i, k), b.at(k, j)));
            let sum = match class {
                Class::Single => {
                    f64::from(element(terms.map(|(a, b)| (a as f32, b as f32)), with_vector, 0.0, f32::mul_add))
                }
                _ => element(terms, with_vector, 0.0, f64::mul_add),
            };
            *out.at_mut(i, j) = sum;
        }
    }
    out.into_datum(class)
}

/// An element of a product: a chain of fused multiply-adds from `zero` on; in products with a vector the sum of eight lanes, of which term `k`
/// goes to lane `k % 8`.
fn element<T: Copy + Add<Output = T> + Mul<Output = T>>(
    terms: impl Iterator<Item = (T, T)>,
    with_vector: bool,
    zero: T,
    fused: impl Fn(T, T, T) -> T,
) -> T {
    if !with_vector {
        return terms.fold(zero, |sum, (a, b)| fused(a, b, sum));
    }
    let mut lanes = [zero; 8];
    for (k, (a, b)) in terms.enumerate() {
        lanes[k % 8] = lanes[k % 8] + a * b;
    }
    let pairs: [T; 4] = std::array::from_fn(|l| lanes[l] + lanes[l + 4]);
    (pairs[0] + pairs[2]) + (pairs[1] + pairs[3])
}

/// `a \ b`
pub(super) fn left_divide(a: &Datum, b: &Datum) -> Run<Datum> {
    solve(Matrix::of(a)?, Matrix::of(b)?)?.into_datum(Class::Double)
}

/// `b / a`, which is `(a' \ b')'`.
pub(super) fn right_divide(a: &Datum, b: &Datum) -> Run<Datum> {
    solve(Matrix::of(a)?.transposed(), Matrix::of(b)?.transposed())?.transposed().into_datum(Class::Double)
}

fn solve(mut a: Matrix, mut b: Matrix) -> Run<Matrix> {
    if a.rows != b.rows {
        return Err(Failure::malformed(format!("a system of {} equations has {} right sides", a.rows, b.rows)));
    }
    if a.rows == a.columns {
        let mut factors = a.clone();
        if let Some(order) = factors.factor() {
            dense::solve(&factors.elements, &order, &mut b.elements, &Plain);
            return Ok(b);
        }
    }
    let mut x = Matrix::zeros(a.columns, b.columns);
    dense::least_squares(&mut a.elements, &mut b.elements, a.rows, &mut x.elements, &Plain);
    Ok(x)
}

impl Matrix {
    /// Factors a square matrix; the order of its rows. `None`, and a warning, where a pivot is zero; a single number divides as numbers do.
    fn factor(&mut self) -> Option<Vec<usize>> {
        let n = self.rows;
        let pivots = dense::factor(&mut self.elements, n, &Plain);
        if n > 1 && dense::zero_pivot(&self.elements, n).is_some() {
            drop(writeln!(std::io::stderr(), "warning: matrix singular to machine precision"));
            return None;
        }
        Some(dense::row_order(&pivots, n))
    }
}

/// What the library makes of one matrix, of the sizes that are given.
pub(super) fn factors(lib: Lib, a: &Datum, dims: &[usize]) -> Run<Datum> {
    let a = Matrix::of(a)?;
    let square = a.rows == a.columns;
    match lib {
        Lib::Lu => lu(a),
        Lib::Qr => qr(a, dims),
        Lib::SingularValues => singular_values(&a, dims),
        Lib::Inverse if square => inverse(a),
        Lib::Cholesky if square => cholesky(a),
        Lib::Eigenvalues | Lib::Eigenvectors if square => eigen(lib, &a, dims),
        _ => Err(Failure::malformed(format!("{} of a {}-by-{} matrix", lib.name(), a.rows, a.columns))),
    }
}

/// Both factors in one matrix, and a column with the order of the rows.
fn lu(mut a: Matrix) -> Run<Datum> {
    let pivots = dense::factor(&mut a.elements, a.rows, &Plain);
    a.elements.extend(dense::row_order(&pivots, a.rows).iter().map(|row| (row + 1) as f64));
    a.columns += 1;
    a.into_datum(Class::Double)
}

/// The upper factor of a positive definite matrix.
fn cholesky(mut a: Matrix) -> Run<Datum> {
    dense::cholesky(&mut a.elements, a.rows, &Plain);
    a.into_datum(Class::Double)
}

/// So many columns of Q as the sizes of the result leave room for, and R.
fn qr(mut a: Matrix, dims: &[usize]) -> Run<Datum> {
    let columns = dims.get(1).and_then(|both| both.checked_sub(a.columns)).filter(|columns| *columns <= a.rows);
    let Some(columns) = columns else { return Err(Failure::malformed("there is no room for these columns of Q")) };
    let mut out = Matrix::zeros(a.rows, columns);
    let blocks = dense::reflect(&mut a.elements, a.rows, &Plain);
    dense::orthogonal(&blocks, a.rows, &mut out.elements, &Plain);
    out.columns += a.columns;
    out.elements.extend(a.elements);
    out.into_datum(Class::Double)
}

/// The inverse of a square matrix.
fn inverse(mut a: Matrix) -> Run<Datum> {
    let mut out = Matrix::zeros(a.rows, a.columns);
    match a.factor() {
        Some(order) => dense::inverse(&a.elements, &order, &mut out.elements, &Plain),
        None => out.elements.fill(f64::INFINITY),
    }
    out.into_datum(Class::Double)
}

/// Generalised eigenvalues of square matrices of one size, and eigenvectors if they are wanted, all NaN if they do not converge.
pub(super) fn pair(lib: Lib, a: &Datum, b: &Datum, dims: &[usize]) -> Run<Datum> {
    let (a, b) = (Matrix::of(a)?, Matrix::of(b)?);
    if [a.columns, b.rows, b.columns].iter().any(|size| *size != a.rows) {
        return Err(Failure::malformed("eigenvalues of a pair of other than square matrices of one size"));
    }
    let of = if lib == Lib::Eigenvalues { dense::pair_eigenvalues } else { dense::pair_eigenvectors };
    let columns = dims.get(1).copied().unwrap_or(0);
    let found = of(&a.elements, &b.elements, a.rows, &Plain);
    let elements = found.unwrap_or_else(|| vec![f64::NAN; a.rows * columns]);
    Matrix { rows: a.rows, columns, elements }.into_datum(Class::Double)
}

/// Eigenvalues, and eigenvectors if they are wanted, all NaN if they do not converge.
fn eigen(lib: Lib, a: &Matrix, dims: &[usize]) -> Run<Datum> {
    let of = if lib == Lib::Eigenvalues { dense::eigenvalues } else { dense::eigenvectors };
    let columns = dims.get(1).copied().unwrap_or(0);
    let elements = of(&a.elements, a.rows, &Plain).unwrap_or_else(|| vec![f64::NAN; a.rows * columns]);
    Matrix { rows: a.rows, columns, elements }.into_datum(Class::Double)
}

/// The values, and the vectors that the result has room for.
fn singular_values(a: &Matrix, dims: &[usize]) -> Run<Datum> {
    let (&[length, 1], [m, n]) = (dims, [a.rows, a.columns]) else {
        return Err(Failure::malformed("singular values are no column"));
    };
    let count = m.min(n);
    if ![count, count * (m + n + 1), count + m * m + n * n].contains(&length) {
        return Err(Failure::malformed("there is no room for singular vectors"));
    }
    let mut out = Matrix::zeros(length, 1);
    dense::singular_values(&a.elements, [m, n], &mut out.elements, &Plain);
    out.into_datum(Class::Double)
}
