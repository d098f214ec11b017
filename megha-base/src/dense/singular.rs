//! Singular values: Householder's reduction to an upper bidiagonal matrix, then implicit QR steps on it (Golub and Kahan 1965; Golub
//! and Van Loan, Matrix Computations, 4th edition, 8.6).
//!
//! The reduction passes over what is left of the matrix twice for each column: a reflection from the right changes a column when the next one
//! from the left needs it.

use super::reflection::{LANES, added, reflector, subtract_multiple};
use super::{Machine, Work};

/// QR steps for one singular value after which there is no hope.
const MOST_STEPS: usize = 100;
/// Columns that are added up together.
const GROUP: usize = 4;

/// The singular values in descending order of a matrix with so many rows and at most as many columns, which is consumed as work space;
/// `None` if the iterations do not converge. The squares of the elements must neither overflow nor vanish.
pub fn singular_values(a: &mut [f64], rows: usize, machine: &impl Machine) -> Option<Vec<f64>> {
    let mut found = None;
    machine.each(vec![(a, &mut found)], 0, &Values(rows));
    found
}

/// The singular values of a matrix with so many rows.
struct Values(usize);

impl Work<(&mut [f64], &mut Option<Vec<f64>>)> for Values {
    #[inline(always)]
    fn run(&self, (a, found): (&mut [f64], &mut Option<Vec<f64>>)) {
        let (mut d, mut f) = bidiagonal(a, self.0);
        if golub_kahan(&mut d, &mut f) {
            d.iter_mut().for_each(|d| *d = d.abs());
            d.sort_by(|a, b| b.total_cmp(a));
            *found = Some(d);
        }
    }
}

/// The diagonal and what is right of it.
#[inline(always)]
fn bidiagonal(a: &mut [f64], rows: usize) -> (Vec<f64>, Vec<f64>) {
    let n = a.len() / rows.max(1);
    let (mut d, mut f) = (vec![0.0; n], vec![0.0; n.saturating_sub(1)]);
    // The last reflection from the right changes the matrix by x v'.
    let (mut x, mut v) = (vec![0.0; rows], vec![0.0; n]);
    for k in 0..n {
        let (left, rest) = a[k * rows..].split_at_mut(rows);
        let u = &mut left[k..];
        subtract_multiple(u, v[k], &x[k..]);
        let (value, tau) = reflector(u);
        d[k] = value;
        for (v, column) in v[k + 1..].iter_mut().zip(rest.chunks_exact_mut(rows)) {
            let product = tau * changed(&mut column[k..], *v, &x[k..], u);
            subtract_multiple(&mut column[k..], product, u);
            *v = column[k];
        }
        if k + 1 < n {
            let (value, tau) = reflector(&mut v[k + 1..]);
            f[k] = value;
            x[k + 1..].fill(0.0);
            for (columns, v) in rest.chunks(GROUP * rows).zip(v[k + 1..].chunks(GROUP)) {
                add_columns(&mut x[k + 1..], columns, rows, k + 1, v);
            }
            x[k + 1..].iter_mut().for_each(|x| *x *= tau);
        }
    }
    (d, f)
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

/// Replaces the diagonal by the singular values, in no order and of any sign; tells whether that has ended.
fn golub_kahan(d: &mut [f64], f: &mut [f64]) -> bool {
    let most = d.iter().chain(f.iter()).fold(0.0, |most: f64, x| most.max(x.abs()));
    for last in (1..d.len()).rev() {
        let mut steps = 0;
        loop {
            let small = |i: &usize| d[*i].abs() + d[i + 1].abs() + f[*i].abs() == d[*i].abs() + d[i + 1].abs();
            let first = (0..last).rev().find(small).map_or(0, |i| i + 1);
            if first == last {
                break;
            }
            match (first..=last).rev().find(|&i| most + d[i].abs() == most) {
                Some(zero) if zero == last => without_last_column(&mut d[first..=last], &mut f[first..last]),
                Some(zero) => without_row(&mut d[zero..=last], &mut f[zero..last]),
                None if steps == MOST_STEPS => return false,
                None => {
                    steps += 1;
                    step(&mut d[first..=last], &mut f[first..last]);
                }
            }
        }
    }
    true
}

/// Cosine and sine of the rotation that makes the second of two numbers zero, and the first then.
#[inline(always)]
fn givens(a: f64, b: f64) -> (f64, f64, f64) {
    let r = (a * a + b * b).sqrt();
    if r > 0.0 { (a / r, b / r, r) } else { (1.0, 0.0, r) }
}

/// Where the last diagonal element is zero the element above it goes too, up along the column.
fn without_last_column(d: &mut [f64], f: &mut [f64]) {
    let last = f.len();
    d[last] = 0.0;
    let mut g = std::mem::take(&mut f[last - 1]);
    for i in (0..last).rev() {
        let (cosine, sine, r) = givens(d[i], g);
        d[i] = r;
        if i > 0 {
            g = -sine * f[i - 1];
            f[i - 1] *= cosine;
        }
    }
}

/// Where the first diagonal element is zero the element right of it goes, along the row.
fn without_row(d: &mut [f64], f: &mut [f64]) {
    d[0] = 0.0;
    let mut g = std::mem::take(&mut f[0]);
    for i in 1..d.len() {
        let (cosine, sine, r) = givens(d[i], g);
        d[i] = r;
        if i < f.len() {
            g = -sine * f[i];
            f[i] *= cosine;
        }
    }
}

/// One step whose shift is the eigenvalue of the last two rows of B' * B that is nearer to their last element.
#[inline(always)]
fn step(d: &mut [f64], f: &mut [f64]) {
    let last = f.len();
    let b = ((d[last - 1] + d[last]) * (d[last - 1] - d[last]) + f[last - 1] * f[last - 1]) / 2.0;
    let c = d[last] * f[last - 1];
    let root = (b * b + c * c).sqrt().copysign(b);
    let shift = if root == 0.0 { 0.0 } else { c * (c / (b + root)) };
    let mut p = (d[0] + d[last]) * (d[0] - d[last]) + shift;
    let mut q = d[0] * f[0];
    for k in 0..last {
        let (cosine, sine, r) = givens(p, q);
        if k > 0 {
            f[k - 1] = r;
        }
        p = cosine * d[k] + sine * f[k];
        f[k] = cosine * f[k] - sine * d[k];
        q = sine * d[k + 1];
        d[k + 1] *= cosine;
        let (cosine, sine, r) = givens(p, q);
        d[k] = r;
        p = cosine * f[k] + sine * d[k + 1];
        d[k + 1] = cosine * d[k + 1] - sine * f[k];
        if k + 1 < last {
            q = sine * f[k + 1];
            f[k + 1] *= cosine;
        }
    }
    f[last - 1] = p;
}
