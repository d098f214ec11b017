//! Least squares by Householder QR with column pivoting (Golub and Van Loan, Matrix Computations, 4th edition, 5.4.2; Businger and Golub 1965).

use super::Real;
use crate::array::Array;
use crate::layout::ColMajor;
use crate::{Result, Site};

type Matrix<T> = Array<ColMajor, T, 2>;

/// The basic least-squares solution of `a * x = b`: at most `rank(a)` rows of `x` differ from 0, as MATLAB's `\` has it. The rank
/// counts the diagonal elements of R above `max(m, n) * eps * |R(1,1)|`.
///
/// # Errors
/// No memory for the solution.
pub(super) fn least_squares<T: Real>(mut a: Matrix<T>, mut b: Matrix<T>, site: &Site) -> Result<Matrix<T>> {
    let [m, n] = a.shape();
    let columns = b.shape()[1];
    let mut x = Matrix::<T>::filled([n, columns], T::ZERO, site)?;
    if m == 0 || n == 0 {
        return Ok(x);
    }
    let mut order: Vec<usize> = (0..n).collect();
    let mut rank = 0;
    let mut tolerance = T::ZERO;
    for k in 0..m.min(n) {
        bring_longest_forward(a.as_mut_slice(), m, k, &mut order);
        let (left, right) = a.as_mut_slice().split_at_mut((k + 1) * m);
        let column = &mut left[k * m + k..];
        let diagonal = reflector(column);
        if k == 0 {
            tolerance = T::from_count(m.max(n)) * T::EPSILON * diagonal.abs();
        }
        if diagonal.abs() <= tolerance {
            break;
        }
        for other in right.chunks_exact_mut(m).chain(b.as_mut_slice().chunks_exact_mut(m)) {
            reflect(column, &mut other[k..]);
        }
        column[0] = diagonal;
        rank = k + 1;
    }
    for (x, b) in x.as_mut_slice().chunks_exact_mut(n).zip(b.as_slice().chunks_exact(m)) {
        let y = back_substitute(a.as_slice(), m, &b[..rank]);
        for (&place, value) in order.iter().zip(y) {
            x[place] = value;
        }
    }
    Ok(x)
}

/// Exchanges column `k` with the one whose part below row `k` is longest.
fn bring_longest_forward<T: Real>(a: &mut [T], m: usize, k: usize, order: &mut [usize]) {
    let length = |j: usize| dot(&a[j * m + k..(j + 1) * m], &a[j * m + k..(j + 1) * m]);
    let mut best = (k, length(k));
    for j in k + 1..order.len() {
        let candidate = length(j);
        if candidate > best.1 {
            best = (j, candidate);
        }
    }
    if best.0 != k {
        let (left, right) = a.split_at_mut(best.0 * m);
        left[k * m..(k + 1) * m].swap_with_slice(&mut right[..m]);
        order.swap(k, best.0);
    }
}

/// Turns `column` into the vector `v` of the reflection `1 - 2 v v' / (v' v)` that maps it to a multiple of the first unit
/// vector, and returns that multiple. The sign avoids cancellation.
fn reflector<T: Real>(column: &mut [T]) -> T {
    let length = dot(column, column).sqrt();
    let diagonal = if column[0] > T::ZERO { -length } else { length };
    column[0] = column[0] - diagonal;
    diagonal
}

/// Applies the reflection of `v` to `x`.
fn reflect<T: Real>(v: &[T], x: &mut [T]) {
    let square = dot(v, v);
    if square == T::ZERO {
        return;
    }
    let factor = (dot(v, x) + dot(v, x)) / square;
    for (x, &v) in x.iter_mut().zip(v) {
        *x = *x - v * factor;
    }
}

/// Solves with the leading upper triangle of R.
fn back_substitute<T: Real>(r: &[T], m: usize, b: &[T]) -> Vec<T> {
    let mut y = b.to_vec();
    for k in (0..y.len()).rev() {
        y[k] = y[k] / r[k * m + k];
        for i in 0..k {
            y[i] = y[i] - r[k * m + i] * y[k];
        }
    }
    y
}

fn dot<T: Real>(a: &[T], b: &[T]) -> T {
    a.iter().zip(b).fold(T::ZERO, |sum, (&a, &b)| sum + a * b)
}
