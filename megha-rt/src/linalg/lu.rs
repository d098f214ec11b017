//! Linear systems by LU factorisation with partial pivoting.
//!
//! Right-looking and blocked (Golub and Van Loan, Matrix Computations, 4th edition, 3.2.11 and 3.4): a panel of columns is factored by
//! rank-1 updates, then the rest of the matrix takes one matrix product.

use super::Real;
use super::product::accumulate;
use crate::array::Array;
use crate::layout::ColMajor;
use crate::{Error, ErrorKind, Result, Site};

/// Columns in a panel.
const PANEL: usize = 32;

type Matrix<T> = Array<ColMajor, T, 2>;

/// Solves `a * x = b` for a square `a`; both are consumed as work space.
///
/// # Errors
/// [`ErrorKind::Singular`] when no pivot of a column differs from 0.
pub(super) fn solve<T: Real>(mut a: Matrix<T>, mut b: Matrix<T>, site: &Site) -> Result<Matrix<T>> {
    let n = a.shape()[0];
    for from in (0..n).step_by(PANEL) {
        let to = (from + PANEL).min(n);
        factor_panel(&mut a, &mut b, from, to, site)?;
        let factors = a.as_slice()[from * n..to * n].to_vec(); // read while the rest of `a` changes
        eliminate(&factors, n, from, to, a.as_mut_slice(), to);
        eliminate(&factors, n, from, to, b.as_mut_slice(), 0);
    }
    back_substitute(&a, &mut b);
    Ok(b)
}

/// Factors columns `from..to` below row `from`, exchanging whole rows of `a` and `b`.
fn factor_panel<T: Real>(a: &mut Matrix<T>, b: &mut Matrix<T>, from: usize, to: usize, site: &Site) -> Result<()> {
    let n = a.shape()[0];
    for k in from..to {
        let column = &a.as_slice()[k * n..(k + 1) * n];
        let pivot = largest(&column[k..]) + k;
        if column[pivot] == T::ZERO {
            return Err(Error::new(ErrorKind::Singular { order: n, pivot: k + 1 }, site));
        }
        if pivot != k {
            exchange_rows(a.as_mut_slice(), n, k, pivot);
            exchange_rows(b.as_mut_slice(), n, k, pivot);
        }
        let (left, right) = a.as_mut_slice().split_at_mut((k + 1) * n);
        let column = &mut left[k * n..];
        let pivot = column[k];
        column[k + 1..].iter_mut().for_each(|x| *x = *x / pivot);
        for other in right.chunks_exact_mut(n).take(to - k - 1) {
            let factor = other[k];
            subtract_multiple(&mut other[k + 1..], &column[k + 1..], factor);
        }
    }
    Ok(())
}

/// Index of the element of largest magnitude; the first NaN counts as largest, so that it reaches the result.
fn largest<T: Real>(column: &[T]) -> usize {
    let mut best = 0;
    for (i, x) in column.iter().enumerate() {
        if x.partial_cmp(x).is_none() {
            return i;
        }
        if x.abs() > column[best].abs() {
            best = i;
        }
    }
    best
}

fn exchange_rows<T: Copy>(columns: &mut [T], rows: usize, i: usize, j: usize) {
    for column in columns.chunks_exact_mut(rows) {
        column.swap(i, j);
    }
}

/// `y -= x * factor`
fn subtract_multiple<T: Real>(y: &mut [T], x: &[T], factor: T) {
    for (y, &x) in y.iter_mut().zip(x) {
        *y = *y - x * factor;
    }
}

/// Applies the panel's elimination to the columns `first..` of `columns`: the rows of the panel by forward substitution, those
/// below by one product.
fn eliminate<T: Real>(panel: &[T], rows: usize, from: usize, to: usize, columns: &mut [T], first: usize) {
    let columns = &mut columns[first * rows..];
    for column in columns.chunks_exact_mut(rows) {
        for (k, factors) in (from..to).zip(panel.chunks_exact(rows)) {
            let factor = column[k];
            subtract_multiple(&mut column[k + 1..to], &factors[k + 1..to], factor);
        }
    }
    let count = columns.len() / rows;
    if to == rows || count == 0 {
        return;
    }
    let upper: Vec<T> = columns.chunks_exact(rows).flat_map(|c| &c[from..to]).copied().collect();
    let (height, width) = (rows as isize, (to - from) as isize);
    // SAFETY: below row `to`, `columns` is (rows - to) by count with columns `rows` apart; the panel is (rows - to) by width
    // likewise; `upper` is width by count and dense. The three are separate buffers.
    unsafe {
        accumulate(
            [rows - to, count, to - from],
            (columns.as_mut_ptr().add(to), [1, height]),
            T::ONE,
            (panel.as_ptr().add(to), [1, height]),
            (upper.as_ptr(), [1, width]),
            -T::ONE,
        );
    }
}

/// Solves with the upper triangle of `a` in place.
fn back_substitute<T: Real>(a: &Matrix<T>, b: &mut Matrix<T>) {
    let n = a.shape()[0];
    for x in b.as_mut_slice().chunks_exact_mut(n.max(1)) {
        for k in (0..n).rev() {
            let column = &a.as_slice()[k * n..(k + 1) * n];
            x[k] = x[k] / column[k];
            let value = x[k];
            subtract_multiple(&mut x[..k], &column[..k], value);
        }
    }
}
