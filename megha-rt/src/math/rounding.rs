//! `round`, `fix`, `mod`, `rem`, `sign` and `hypot`: what MATLAB defines and the hardware does not.

use super::double_double::{SIGN_BIT, fast_two_sum, select, two_prod};

/// `magnitude` (not negative) with the sign bit of `sign`.
#[inline(always)]
fn copy_sign(magnitude: f64, sign: f64) -> f64 {
    f64::from_bits((magnitude.to_bits() & !SIGN_BIT) | (sign.to_bits() & SIGN_BIT))
}

/// `x` without its fraction (towards zero); keeps the sign of zero. Exact.
#[inline(always)]
pub fn fix(x: f64) -> f64 {
    copy_sign(x.abs().floor(), x)
}

/// The integer nearest to `x`, halves away from zero, as MATLAB's `round`; keeps the sign of zero. Exact.
#[inline(always)]
pub fn round(x: f64) -> f64 {
    // The largest double below one half: adding it never carries 0.49999999999999994 up to one.
    const BELOW_HALF: f64 = 0.49999999999999994;
    copy_sign((x.abs() + BELOW_HALF).floor(), x)
}

/// `-1`, `0` or `1` by the sign of `x`; zero of either sign gives `0`, NaN stays NaN.
#[inline(always)]
pub fn sign(x: f64) -> f64 {
    let signed = select(x > 0.0, 1.0, select(x < 0.0, -1.0, 0.0));
    select(x.is_nan(), x, signed)
}

/// Whether `q = x / y` is an integer up to rounding while `y` itself is none; MATLAB and Octave then call the remainder zero.
#[inline(always)]
fn divides(q: f64, y: f64) -> bool {
    let nearest = (q + 0.5).floor();
    (y.round_ties_even() != y) & (((q - nearest) / nearest).abs() < f64::EPSILON)
}

/// MATLAB's `mod`: `x - y floor(x / y)`, with the sign of the divisor `y`, evaluated as Octave does, to the same bits.
///
/// `mod(x, 0) = x`, `mod(x, x) = 0`. Where `y` is no integer and `x / y` is within rounding of one, the result is zero.
/// An infinite `x` or `y` gives NaN, as in Octave.
#[inline(always)]
pub fn modulo(x: f64, y: f64) -> f64 {
    let q = x / y;
    let plain = x - y * q.floor();
    let value = select(divides(q, y), 0.0, plain);
    let signed = select(x == y, value, copy_sign(value, y));
    select(y == 0.0, x, signed)
}

/// MATLAB's `rem`: `x - y fix(x / y)`, with the sign of the dividend `x`, evaluated as Octave does, to the same bits.
///
/// `rem(x, 0) = NaN`. Zero by the rule of [`modulo`]. An infinite `x` or `y` gives NaN, as in Octave.
#[inline(always)]
pub fn remainder(x: f64, y: f64) -> f64 {
    let q = x / y;
    let plain = x - y * fix(q);
    let value = select(divides(q, y), 0.0, plain);
    let signed = select(x == y, value, copy_sign(value, x));
    select(y == 0.0, f64::NAN, signed)
}

/// `sqrt(x^2 + y^2)` without overflow or underflow on the way, within 1 ulp.
///
/// Method: both arguments scaled by a power of two, the squares summed as a double-double, one Newton correction of the
/// square root (C. F. Borges, "An improved algorithm for hypot(a, b)", ACM TOMS 47 (2021)). `Inf` if either argument is
/// infinite, even where the other is NaN; else NaN if either is.
#[inline(always)]
pub fn hypot(x: f64, y: f64) -> f64 {
    const EXP2_600: f64 = f64::from_bits((1023 + 600) << 52);
    const EXP2_M600: f64 = f64::from_bits((1023 - 600) << 52);
    const TINY: f64 = f64::from_bits((1023 - 400) << 52);
    const HUGE: f64 = f64::from_bits((1023 + 400) << 52);
    let (a, b) = (x.abs(), y.abs());
    let (large, small) = (select(a > b, a, b), select(a > b, b, a));
    let (up, down) = (large < TINY, large > HUGE);
    let factor = select(up, EXP2_600, select(down, EXP2_M600, 1.0));
    let back = select(up, EXP2_M600, select(down, EXP2_600, 1.0));
    let (large, small) = (large * factor, small * factor);
    let (p, q) = (two_prod(large, large), two_prod(small, small));
    let sum = fast_two_sum(p.hi, q.hi);
    let rest = sum.lo + (p.lo + q.lo);
    let root = sum.hi.sqrt();
    let correction = ((-root).mul_add(root, sum.hi) + rest) / (root + root);
    let value = select(sum.hi == 0.0, 0.0, root + correction) * back;
    let infinite = (a == f64::INFINITY) | (b == f64::INFINITY);
    let defined = select(a.is_nan() | b.is_nan(), f64::NAN, value);
    select(infinite, f64::INFINITY, defined)
}
