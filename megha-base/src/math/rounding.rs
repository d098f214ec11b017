//! `round`, `fix`, `mod`, `rem`, `sign` and `hypot`: what MATLAB defines and the hardware does not.
//!
//! Generated from `megha-core/src/math/rounding.mir`, where changes belong.
#![cfg_attr(rustfmt, rustfmt_skip)]

use super::double_double::{SIGN_BIT, fast_two_sum, two_prod};

/// `magnitude` (not negative) with the sign bit of `sign`.
#[inline(always)]
fn copy_sign(magnitude: f64, sign: f64) -> f64 {
    let cleared = (magnitude.to_bits() as i64) & (SIGN_BIT ^ -1);
    let sign_only = (sign.to_bits() as i64) & SIGN_BIT;
    f64::from_bits((cleared | sign_only) as u64)
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
    let raised = x.abs() + 0.49999999999999994;
    copy_sign(raised.floor(), x)
}

/// `-1`, `0` or `1` by the sign of `x`; zero of either sign gives `0`, NaN stays NaN.
#[inline(always)]
pub fn sign(x: f64) -> f64 {
    let not_positive = if x < 0.0 { -1.0_f64 } else { 0.0 };
    let signed = if x > 0.0 { 1.0 } else { not_positive };
    if x.is_nan() { x } else { signed }
}

/// Whether `q = x / y` is an integer up to rounding while `y` itself is none; MATLAB and Octave then call the remainder zero.
#[inline(always)]
fn divides(q: f64, y: f64) -> bool {
    let nearest = (q + 0.5).floor();
    let integral = ((q - nearest) / nearest).abs() < 2.220446049250313e-16;
    (y.round_ties_even() != y) & integral
}

/// MATLAB's `mod`: `x - y floor(x / y)`, with the sign of the divisor `y`, evaluated as Octave does, to the same bits.
///
/// `mod(x, 0) = x`, `mod(x, x) = 0`. Where `y` is no integer and `x / y` is within rounding of one, the result is zero.
/// An infinite `x` or `y` gives NaN, as in Octave.
#[inline(always)]
pub fn modulo(x: f64, y: f64) -> f64 {
    let q = x / y;
    let value = if divides(q, y) { 0.0 } else { x - y * q.floor() };
    let signed = if x == y { value } else { copy_sign(value, y) };
    if y == 0.0 { x } else { signed }
}

/// MATLAB's `rem`: `x - y fix(x / y)`, with the sign of the dividend `x`, evaluated as Octave does, to the same bits.
///
/// `rem(x, 0) = NaN`. Zero by the rule of [`modulo`]. An infinite `x` or `y` gives NaN, as in Octave.
#[inline(always)]
pub fn remainder(x: f64, y: f64) -> f64 {
    let q = x / y;
    let value = if divides(q, y) { 0.0 } else { x - y * fix(q) };
    let signed = if x == y { value } else { copy_sign(value, x) };
    if y == 0.0 { f64::NAN } else { signed }
}

/// `sqrt(x^2 + y^2)` without overflow or underflow on the way, within 1 ulp.
///
/// Method: both arguments scaled by a power of two, the squares summed as a double-double, one Newton correction of the
/// square root (C. F. Borges, "An improved algorithm for hypot(a, b)", ACM TOMS 47 (2021)). `Inf` if either argument is
/// infinite, even where the other is NaN; else NaN if either is.
#[inline(always)]
pub fn hypot(x: f64, y: f64) -> f64 {
    let a = x.abs();
    let b = y.abs();
    let a_larger = a > b;
    let large = if a_larger { a } else { b };
    let small = if a_larger { b } else { a };
    // Below 2^-400 both go up by 2^600, above 2^400 down.
    let up = large < 3.8725919148493183e-121;
    let down = large > 2.5822498780869086e120;
    let lowered = if down { 2.409919865102884e-181_f64 } else { 1.0 };
    let factor = if up { 4.149515568880993e180 } else { lowered };
    let raised_back = if down { 4.149515568880993e180_f64 } else { 1.0 };
    let back = if up { 2.409919865102884e-181 } else { raised_back };
    let p = large * factor;
    let q = small * factor;
    let (p_square, p_lo) = two_prod(p, p);
    let (q_square, q_lo) = two_prod(q, q);
    let (sum, sum_lo) = fast_two_sum(p_square, q_square);
    let root = sum.sqrt();
    // Newton's step: (sum + rest - root^2) / (2 root).
    let minus_root = -root;
    let whole_excess = minus_root.mul_add(root, sum) + (sum_lo + (p_lo + q_lo));
    let corrected = root + whole_excess / (root + root);
    let scaled = if sum == 0.0 { 0.0 } else { corrected };
    let defined = if a.is_nan() | b.is_nan() { f64::NAN } else { scaled * back };
    let infinite = (a == f64::INFINITY) | (b == f64::INFINITY);
    if infinite { f64::INFINITY } else { defined }
}
