//! `erf` and `erfc` of singles.
//!
//! Method: as in `erf`, with one polynomial for the exponent `-ln(erfc a)`, without a division.
//!
//! Generated from `megha-core/src/math/single_erf.mir`, where changes belong.
#![cfg_attr(rustfmt, rustfmt_skip)]

use super::single_arithmetic::{
    divide_single, fast_two_sum_single, scale_single, two_prod_single, two_sum_single, with_sign_of_single,
};
use super::single_coefficients::{
    ERFC_SCALED_CONSTANT_HI_SINGLE, ERFC_SCALED_CONSTANT_LO_SINGLE, erf_exponent_single, erf_near_single,
    erfc_scaled_slope_single, exp_tail_single,
};
use super::single_exp::{expm1_of_negative_single, reduce_exponent_single};

/// The error function of `x`, within 1.6 ulp.
///
/// `erf(-0) = -0`, `erf(Inf) = 1`, `erf(-Inf) = -1`, NaN stays NaN.
#[inline(always)]
pub fn erf_single(x: f32) -> f32 {
    let magnitude = x.abs();
    // From 3.93 on the result rounds to one.
    let saturated = magnitude > 3.93;
    let a = if saturated { 3.93 } else { magnitude };
    // The logarithm of `erfc a`, with what its last step lost.
    let ratio = erf_exponent_single(a);
    let minus_a = -a;
    let exponent = minus_a.mul_add(ratio, minus_a);
    let exponent_lo = minus_a.mul_add(ratio, minus_a - exponent);
    let minus_erf = expm1_of_negative_single(exponent, exponent_lo);
    with_sign_of_single(minus_erf.abs(), x)
}

/// The complementary error function `1 - erf(x)`, within 2 ulp over its whole range, subnormal results included.
///
/// `erfc(Inf) = 0`, `erfc(-Inf) = 2`, NaN stays NaN; zero from 10.1 on.
#[inline(always)]
pub fn erfc_single(x: f32) -> f32 {
    let magnitude = x.abs();
    let a = if magnitude > 10.1 { 10.1 } else { magnitude };
    let t = (a - 3.0) / (a + 3.0);
    let q_minor = erfc_scaled_slope_single(t).mul_add(t, ERFC_SCALED_CONSTANT_LO_SINGLE);
    let (q, q_lo) = fast_two_sum_single(ERFC_SCALED_CONSTANT_HI_SINGLE, q_minor);
    // exp(-a^2) = 2^k (1 + minor), with what rounding the square lost.
    let (square, square_lo) = two_prod_single(a, a);
    let (shifted, _, reduced) = reduce_exponent_single(-square);
    let (r, r_lo) = fast_two_sum_single(reduced, -square_lo);
    let rest = (r * r).mul_add(exp_tail_single(r), r_lo);
    // q (1 + minor) / (1 + 2a), each as a float-float.
    let product = q * (r + rest);
    let (numerator, sum_lo) = fast_two_sum_single(q, product);
    let (denominator, denominator_lo) = two_sum_single(2.0 * a, 1.0);
    let (quotient, _) = divide_single(numerator, sum_lo + q_lo, denominator, denominator_lo);
    let far = scale_single(quotient, shifted);
    let signed_far = if x < 0.0 { 2.0 - far } else { far };
    // Below 0.75 `1 - erf(x)` cancels little, while the fraction `t` is too coarse near zero.
    let minus_x = -x;
    let (lead, lead_lo) = fast_two_sum_single(1.0, minus_x);
    let near_minor = minus_x.mul_add(erf_near_single(x * x), lead_lo);
    if magnitude < 0.75 { lead + near_minor } else { signed_far }
}
