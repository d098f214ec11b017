//! Householder's reduction of large matrices to an upper bidiagonal one (Golub and Kahan 1965; Golub and Van Loan, Matrix Computations, 4th
//! edition, 5.4.8).
//!
//! It passes over what is left of the matrix twice for each column: a reflection from the right changes a column when the next one from the
//! left needs it.

use super::reflection::{LANES, added, reflector, subtract_multiple};
use super::unblocked::Reduced;
use crate::memory;

/// Columns that are added up together.
const GROUP: usize = 4;

/// The bidiagonal form of a matrix with so many rows and at most as many columns, which is consumed.
#[inline(always)]
pub(super) fn bidiagonal(a: &mut [f64], rows: usize) -> Reduced {
    let n = a.len() / rows.max(1);
    let mut reduced = Reduced::new(rows, n);
    // The last reflection from the right changes the matrix by x v'.
    let (mut x, mut v) = (memory::zeros(rows), memory::zeros(n));
    for k in 0..n {
        let (left, rest) = a[k * rows..].split_at_mut(rows);
        let u = &mut left[k..];
        subtract_multiple(u, v[k], &x[k..]);
        let (value, tau) = reflector(u);
        memory::push(&mut reduced.diagonal, value);
        reduced.left.push(u, tau);
        for (v, column) in v[k + 1..].iter_mut().zip(rest.chunks_exact_mut(rows)) {
            let product = tau * changed(&mut column[k..], *v, &x[k..], u);
            subtract_multiple(&mut column[k..], product, u);
            *v = column[k];
        }
        if k + 1 < n {
            let (value, tau) = reflector(&mut v[k + 1..]);
            memory::push(&mut reduced.beside, value);
            reduced.right.push(&v[k + 1..], tau);
            x[k + 1..].fill(0.0);
            for (columns, v) in rest.chunks(GROUP * rows).zip(v[k + 1..].chunks(GROUP)) {
                add_columns(&mut x[k + 1..], columns, rows, k + 1, v);
            }
            x[k + 1..].iter_mut().for_each(|x| *x *= tau);
        }
    }
    reduced
}

/// `column -= factor * x`, and the product of the result with `u`.
#[inline(always)]
fn changed(column: &mut [f64], factor: f64, x: &[f64], u: &[f64]) -> f64 {
    let mut sums = [0.0; LANES];
    let (column, column_rest) = column.as_chunks_mut::<LANES>();
    let ((x, x_rest), (u, u_rest)) = (x.as_chunks::<LANES>(), u.as_chunks::<LANES>());
    for ((column, x), u) in column.iter_mut().zip(x).zip(u) {
        for i in 0..LANES {
            column[i] -= factor * x[i];
            sums[i] += column[i] * u[i];
        }
    }
    for (((y, x), u), sum) in column_rest.iter_mut().zip(x_rest).zip(u_rest).zip(&mut sums) {
        *y -= factor * x;
        *sum += *y * u;
    }
    added(&sums)
}

/// Adds multiples of columns from row `top` on, in their order.
#[inline(always)]
fn add_columns(sum: &mut [f64], columns: &[f64], rows: usize, top: usize, factors: &[f64]) {
    let column = |j: usize| &columns[j * rows + top..(j + 1) * rows];
    if let &[a, b, c, d] = factors {
        let columns = column(0).iter().zip(column(1)).zip(column(2).iter().zip(column(3)));
        for (sum, ((x, y), (z, w))) in sum.iter_mut().zip(columns) {
            *sum = *sum + a * x + b * y + c * z + d * w;
        }
        return;
    }
    for (j, factor) in factors.iter().enumerate() {
        sum.iter_mut().zip(column(j)).for_each(|(sum, x)| *sum += factor * x);
    }
}
