//! Eigenvalues of symmetric matrices: Householder's reduction to tridiagonal form (Golub and Van Loan, Matrix Computations, 4th edition,
//! 8.3.1), then QL steps without square roots (Pal, Walker and Kahan; in Parlett, The Symmetric Eigenvalue Problem, 1980, 8.15).
//!
//! The reduction passes over what is left of the matrix once for each column: while a column is updated by the last reflection, its part of
//! the product with the next one is taken.

use super::reflection::{LANES, added, dot, reflector, subtract_multiple};
use super::{Machine, Work};
use crate::memory;

/// QL steps for one eigenvalue after which there is no hope.
const MOST_STEPS: usize = 100;

/// The eigenvalues in ascending order, given the lower triangle of a symmetric matrix of order n, which is consumed as work space; `None`
/// if the iterations do not converge. The squares of the elements must neither overflow nor vanish.
pub fn symmetric_eigenvalues(a: &mut [f64], n: usize, machine: &impl Machine) -> Option<Vec<f64>> {
    let mut found = None;
    machine.each(vec![(a, &mut found)], 0, &Eigenvalues(n));
    found
}

/// The eigenvalues of a matrix of this order.
struct Eigenvalues(usize);

impl Work<(&mut [f64], &mut Option<Vec<f64>>)> for Eigenvalues {
    #[inline(always)]
    fn run(&self, (a, found): (&mut [f64], &mut Option<Vec<f64>>)) {
        let (mut d, mut squares, _) = tridiagonal(a, self.0);
        squares.iter_mut().for_each(|e| *e *= *e);
        if ql(&mut d, &mut squares) {
            d.sort_by(f64::total_cmp);
            *found = Some(d);
        }
    }
}

/// The diagonal and the subdiagonal of the tridiagonal form, given the lower triangle, and the scales of the reflections, whose directions
/// are then below the subdiagonal, and begin with a one on it.
#[inline(always)]
pub(super) fn tridiagonal(a: &mut [f64], n: usize) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
    let (mut d, mut e) = (memory::zeros(n), memory::zeros(n.saturating_sub(1)));
    let mut scales = memory::copied(&e);
    // The last reflection changes the matrix by v w' + w v'.
    let (mut v, mut w, mut products) = (memory::zeros(n), memory::zeros(n), memory::zeros(n));
    for k in 0..n {
        let (column, rest) = a[k * n..].split_at_mut(n);
        for i in k..n {
            column[i] -= v[i] * w[k] + w[i] * v[k];
        }
        d[k] = column[k];
        if k + 1 == n {
            break;
        }
        let u = &mut column[k + 1..];
        let (value, tau) = reflector(u);
        (e[k], scales[k]) = (value, tau);
        products.fill(0.0);
        for (j, other) in (k + 1..n).zip(rest.chunks_exact_mut(n)) {
            let at = j - k - 1;
            let change = Change { v: &v[j..], w: &w[j..], by_v: w[j], by_w: v[j] };
            products[j] += change.apply(&mut other[j..], &u[at..], &mut products[j + 1..]);
        }
        v[k + 1..].copy_from_slice(u);
        w[k + 1..].iter_mut().zip(&products[k + 1..]).for_each(|(w, p)| *w = tau * p);
        let half = tau / 2.0 * dot(&w[k + 1..], u);
        subtract_multiple(&mut w[k + 1..], half, u);
    }
    (d, e, scales)
}

/// What the last reflection does to a column from its diagonal on: multiples of two vectors are taken away.
struct Change<'a> {
    v: &'a [f64],
    w: &'a [f64],
    by_v: f64,
    by_w: f64,
}

impl Change<'_> {
    /// Changes a column, adds `u[0]` times what is below its first element to `products`, and gives its product with `u`.
    #[inline(always)]
    fn apply(&self, column: &mut [f64], u: &[f64], products: &mut [f64]) -> f64 {
        let (&[v, ..], &[w, ..], &[u_first, ..]) = (self.v, self.w, u) else { return 0.0 };
        let Some((first, below)) = column.split_first_mut() else { return 0.0 };
        *first -= v * self.by_v + w * self.by_w;
        let mut sums = [0.0; LANES];
        let (v, w, u) = (self.v[1..].chunks(LANES), self.w[1..].chunks(LANES), u[1..].chunks(LANES));
        for ((((x, y), v), w), u) in below.chunks_mut(LANES).zip(products.chunks_mut(LANES)).zip(v).zip(w).zip(u) {
            self.apply_part(u_first, [v, w, u], x, y, &mut sums);
        }
        *first * u_first + added(&sums)
    }

    #[inline(always)]
    fn apply_part(&self, factor: f64, [v, w, u]: [&[f64]; 3], x: &mut [f64], y: &mut [f64], sums: &mut [f64; LANES]) {
        let whole = (
            x.first_chunk_mut::<LANES>(),
            y.first_chunk_mut::<LANES>(),
            v.first_chunk(),
            w.first_chunk(),
            u.first_chunk(),
        );
        if let (Some(x), Some(y), Some(v), Some(w), Some(u)) = whole {
            let (v, w, u): (&[f64; LANES], &[f64; LANES], &[f64; LANES]) = (v, w, u);
            for i in 0..LANES {
                x[i] -= v[i] * self.by_v + w[i] * self.by_w;
                y[i] += x[i] * factor;
                sums[i] += x[i] * u[i];
            }
            return;
        }
        for i in 0..x.len() {
            x[i] -= v[i] * self.by_v + w[i] * self.by_w;
            y[i] += x[i] * factor;
            sums[i] += x[i] * u[i];
        }
    }
}

/// Replaces the diagonal by the eigenvalues, in no order, given the squares of the subdiagonal; tells whether that has ended.
fn ql(d: &mut [f64], squares: &mut [f64]) -> bool {
    for first in 0..d.len() {
        let mut steps = 0;
        loop {
            let last =
                (first..squares.len()).find(|&i| negligible(squares[i], d[i], d[i + 1])).unwrap_or(squares.len());
            if last == first {
                break;
            }
            if steps == MOST_STEPS {
                return false;
            }
            steps += 1;
            step(&mut d[first..=last], &mut squares[first..last]);
        }
    }
    true
}

/// Whether an element of the subdiagonal is no more than a rounding error of the diagonal next to it.
#[inline(always)]
fn negligible(square: f64, above: f64, below: f64) -> bool {
    let least = f64::EPSILON / 2.0 * (above.abs() + below.abs());
    square <= least * least
}

/// One step with Wilkinson's shift, from the last row to the first.
#[inline(always)]
fn step(d: &mut [f64], squares: &mut [f64]) {
    let root = squares[0].sqrt();
    let half = (d[1] - d[0]) / (2.0 * root);
    let shift = d[0] - root / (half + (half * half + 1.0).sqrt().copysign(half));
    let last = squares.len();
    let (mut cosine, mut sine) = (1.0, 0.0);
    let mut gamma = d[last] - shift;
    let mut p = gamma * gamma;
    for i in (0..last).rev() {
        let (square, before) = (squares[i], cosine);
        let r = p + square;
        if i + 1 < last {
            squares[i + 1] = sine * r;
        }
        // Both are zero only if nothing is left to turn.
        (cosine, sine) = if r == 0.0 { (1.0, 0.0) } else { (p / r, square / r) };
        let next = cosine * (d[i] - shift) - sine * gamma;
        d[i + 1] = gamma + (d[i] - next);
        gamma = next;
        p = if cosine == 0.0 { before * square } else { gamma * gamma / cosine };
    }
    squares[0] = sine * p;
    d[0] = shift + gamma;
}
