//! Householder's reflections 1 - tau v v' with LAPACK's choice of signs (Golub and Van Loan, Matrix Computations, 4th edition, 5.1).

use crate::math::hypot;

/// Sums that are added up beside each other.
pub(super) const LANES: usize = 16;

/// The inner product, in an order of its own: sixteen sums, then these from first to last.
#[inline(always)]
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; LANES];
    let (a, a_rest) = a.as_chunks::<LANES>();
    let (b, b_rest) = b.as_chunks::<LANES>();
    for (a, b) in a.iter().zip(b) {
        (0..LANES).for_each(|i| sums[i] += a[i] * b[i]);
    }
    sums.iter_mut().zip(a_rest.iter().zip(b_rest)).for_each(|(sum, (a, b))| *sum += a * b);
    added(&sums)
}

/// The sum of all lanes.
#[inline(always)]
pub(super) fn added(sums: &[f64; LANES]) -> f64 {
    let half: [f64; LANES / 2] = std::array::from_fn(|i| sums[i] + sums[i + LANES / 2]);
    let quarter: [f64; LANES / 4] = std::array::from_fn(|i| half[i] + half[i + LANES / 4]);
    (quarter[0] + quarter[2]) + (quarter[1] + quarter[3])
}

/// `y -= factor * x`
#[inline(always)]
pub(super) fn subtract_multiple(y: &mut [f64], factor: f64, x: &[f64]) {
    y.iter_mut().zip(x).for_each(|(y, x)| *y -= factor * x);
}

/// The 2-norm, without overflow on the way.
#[inline(always)]
pub(super) fn length(x: &[f64]) -> f64 {
    let square = dot(x, x);
    if square > 1e-280 && square < 1e290 || square.is_nan() {
        return square.sqrt();
    }
    let most = x.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    if most == 0.0 || most == f64::INFINITY {
        return most;
    }
    let scaled = x.iter().fold(0.0, |sum, x| sum + (x / most) * (x / most));
    most * scaled.sqrt()
}

/// The reflection that maps `x` to a multiple of the first unit vector: `x` becomes v, whose first element is one, and the result
/// is that multiple and tau, which is zero where nothing is below the first element.
#[inline(always)]
pub(super) fn reflector(x: &mut [f64]) -> (f64, f64) {
    let Some((head, below)) = x.split_first_mut() else { return (0.0, 0.0) };
    let first = std::mem::replace(head, 1.0);
    let rest = length(below);
    if rest == 0.0 {
        return (first, 0.0);
    }
    let value = -hypot(first, rest).copysign(first);
    let divisor = first - value;
    below.iter_mut().for_each(|x| *x /= divisor);
    (value, (value - first) / value)
}

/// Applies a reflection.
#[inline(always)]
pub(super) fn reflect(v: &[f64], tau: f64, x: &mut [f64]) {
    subtract_multiple(x, tau * dot(v, x), v);
}
