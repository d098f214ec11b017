//! `asinh`, `acosh` and `atanh` of singles.
//!
//! Method: `asinh(a) = log(1 + a + a^2 / (1 + sqrt(1 + a^2)))`, `acosh(1 + t) = log(1 + t + sqrt(t (2 + t)))` and
//! `atanh(a) = log(1 + 2a / (1 - a)) / 2`, with what the argument of the logarithm lost.
//!
//! Generated from `megha-core/src/math/single_inverse_hyperbolic.mir`, where changes belong.
#![cfg_attr(rustfmt, rustfmt_skip)]

use super::single_arithmetic::{fast_two_sum_single, two_prod_single, two_sum_single, with_sign_of_single};
use super::single_coefficients::LN2_HI_SINGLE;
use super::single_log::log_one_plus_single;

/// The inverse hyperbolic sine of `x`, within 2 ulp.
///
/// `asinh(-0) = -0`, infinities and NaN stay.
#[inline(always)]
pub fn asinh_single(x: f32) -> f32 {
    let a = x.abs();
    // The fraction is a / (1/a + sqrt(1 + 1/a^2)), which neither overflows nor loses anything near zero.
    let inverse = 1.0 / a;
    let root = inverse.mul_add(inverse, 1.0).sqrt();
    // Beyond 2^30 the sum is 2a, of which the logarithm is that of a and that of 2.
    let large = a > 1073741800.0;
    let added = if large { 0.0 } else { a / (inverse + root) };
    let (sum, sum_lo) = fast_two_sum_single(a, added);
    let known_lo = if large { 0.0 } else { sum_lo };
    let log = log_one_plus_single(sum, known_lo);
    let offset = if large { LN2_HI_SINGLE } else { 0.0 };
    with_sign_of_single(log + offset, x)
}

/// The inverse hyperbolic cosine of `x`, within 2 ulp.
///
/// NaN below one, where MATLAB's value is complex; `acosh(Inf) = Inf`.
#[inline(always)]
pub fn acosh_single(x: f32) -> f32 {
    // Beyond 2^30 the sum is 2x, as for the sine.
    let large = x > 1073741800.0;
    let t = x - 1.0;
    let (product, product_lo) = two_prod_single(t, t + 2.0);
    let root = product.sqrt();
    // What the root lost: (product - root^2) / (2 root).
    let minus_root = -root;
    let excess = minus_root.mul_add(root, product);
    let correction = (excess + product_lo) / (root + root);
    let added = if large { 0.0 } else { root };
    let (sum, sum_lo) = two_sum_single(t, added);
    let known_lo = if large | (t == 0.0) { 0.0 } else { sum_lo + correction };
    let log = log_one_plus_single(sum, known_lo);
    let offset = if large { LN2_HI_SINGLE } else { 0.0 };
    if x < 1.0 { f32::NAN } else { log + offset }
}

/// The inverse hyperbolic tangent of `x`, within 2 ulp.
///
/// `atanh(-0) = -0`, `atanh(1) = Inf`, `atanh(-1) = -Inf`; NaN outside `[-1, 1]`, where MATLAB's value is complex.
#[inline(always)]
pub fn atanh_single(x: f32) -> f32 {
    let a = x.abs();
    let n = a + a;
    let (d, d_lo) = fast_two_sum_single(1.0, -a);
    let q = n / d;
    // What the quotient lost, against a denominator of which two digits suffice.
    let minus_q = -q;
    let remainder = minus_q.mul_add(d_lo, minus_q.mul_add(d, n));
    let known_lo = if d == 0.0 { 0.0 } else { remainder / d };
    let half = 0.5 * log_one_plus_single(q, known_lo);
    // Twice a subnormal is exact, and so is half of it again.
    with_sign_of_single(half, x)
}
