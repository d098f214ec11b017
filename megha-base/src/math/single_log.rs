//! `log`, `log2`, `log10` and `log1p` of singles.
//!
//! Method: `x = 2^e m` with `m` in `[sqrt 1/2, sqrt 2)`, `f = m - 1`, and `log(1 + f) = f - f^2/2 + f^3 P(f)` with a minimax polynomial
//! `P`, which short as it is spares the division of the double's method. For the other bases `f` times the constant stands in place of `f`.
//!
//! Generated from `megha-core/src/math/single_log.mir`, where changes belong.
#![cfg_attr(rustfmt, rustfmt_skip)]

use super::single_arithmetic::{SHIFTER_SINGLE, exp2_of_shifted_single, two_sum_single};
use super::single_coefficients::{
    INV_LN10_HI_SINGLE, INV_LN10_LO_SINGLE, INV_LN2_HI_SINGLE, INV_LN2_LO_SINGLE, LN2_HI_SINGLE, LN2_LO_SINGLE,
    LOG10_2_HI_SINGLE, LOG10_2_LO_SINGLE, log10_tail_single, log2_tail_single, log_tail_single,
};

/// The bits of `sqrt(1/2)`, rounded up.
const SQRT_HALF_BITS_SINGLE: i64 = 0x3f35_04f4;

/// Exponent `e` and significand `m` of a positive finite `x`: `x = m 2^e`, `m` in `[sqrt 1/2, sqrt 2)`. Any other `x`
/// gives a meaningless, but finite, pair.
#[inline(always)]
pub(super) fn decompose_single(x: f32) -> (f32, f32) {
    let subnormal = x < 1.1754944e-38;
    let normal = if subnormal { x * 33554432.0 } else { x };
    // The difference of the bits of one and of `sqrt(1/2)`.
    let offset = (normal.to_bits() as i64).wrapping_add(0x4a_fb0c);
    // The exponent becomes a single in the low bits of 2^23. Of a positive number the sign bit is zero; to say so keeps 32 bits.
    let unsigned = offset & 0x7fff_ffff;
    let exponent = (unsigned as u64).wrapping_shr(23) as i64;
    let biased = f32::from_bits((exponent | 0x4b00_0000) as u32);
    // 2^23 + 127, and 25 more if `x` was raised.
    let bias = if subnormal { 8388760.0_f32 } else { 8388735.0 };
    let significand = (offset & 0x7f_ffff).wrapping_add(SQRT_HALF_BITS_SINGLE);
    let m = f32::from_bits(significand as u32);
    (biased - bias, m)
}

/// The values that the logarithms to any base share outside the positive finite numbers.
#[inline(always)]
fn with_special_values_single(x: f32, value: f32) -> f32 {
    let finite = if x < f32::INFINITY { value } else { x };
    let positive = if x > 0.0 { finite } else { f32::NAN };
    if x == 0.0 { f32::NEG_INFINITY } else { positive }
}

/// The natural logarithm of `x`, within 1 ulp.
///
/// `log(0) = -Inf` for either zero, `log(Inf) = Inf`, negative numbers and NaN give NaN.
#[inline(always)]
pub fn log_single(x: f32) -> f32 {
    let (e, m) = decompose_single(x);
    let f = m - 1.0;
    let square = f * f;
    // From the smallest term to the largest.
    let tail = (square * f).mul_add(log_tail_single(f), e * LN2_LO_SINGLE);
    let value = e.mul_add(LN2_HI_SINGLE, f + square.mul_add(-0.5, tail));
    with_special_values_single(x, value)
}

/// The logarithm of `x` to base 2, within 1.3 ulp; exact for powers of two.
///
/// `log2(0) = -Inf`, `log2(Inf) = Inf`, negative numbers and NaN give NaN.
#[inline(always)]
pub fn log2_single(x: f32) -> f32 {
    let (e, m) = decompose_single(x);
    let f = m - 1.0;
    let minor = (f * f).mul_add(log2_tail_single(f), f * INV_LN2_LO_SINGLE);
    let of_significand = f.mul_add(INV_LN2_HI_SINGLE, minor);
    with_special_values_single(x, e + of_significand)
}

/// The logarithm of `x` to base 10, within 1.2 ulp; exact for the powers of ten that are singles.
///
/// `log10(0) = -Inf`, `log10(Inf) = Inf`, negative numbers and NaN give NaN.
#[inline(always)]
pub fn log10_single(x: f32) -> f32 {
    let (e, m) = decompose_single(x);
    let f = m - 1.0;
    let low = f.mul_add(INV_LN10_LO_SINGLE, e * LOG10_2_LO_SINGLE);
    let minor = (f * f).mul_add(log10_tail_single(f), low);
    let of_significand = f.mul_add(INV_LN10_HI_SINGLE, minor);
    let value = e.mul_add(LOG10_2_HI_SINGLE, of_significand);
    with_special_values_single(x, value)
}

/// `log(1 + x + x_lo)` without cancellation, for `x` above -1, `|x_lo|` at most about `ulp(x)`.
#[inline(always)]
pub(super) fn log_one_plus_single(x: f32, x_lo: f32) -> f32 {
    let (u, rounded_off) = two_sum_single(1.0, x);
    // What u lacks of 1 + x + x_lo; beyond 2^26 it is nothing against u.
    let is_moderate = u < 67108864.0;
    let u_lo = if is_moderate { rounded_off + x_lo } else { 0.0 };
    let (e, m) = decompose_single(u);
    // u + u_lo = 2^e (m + c).
    let bounded = if is_moderate { e } else { 0.0 };
    let factor = exp2_of_shifted_single(SHIFTER_SINGLE - bounded);
    let f = m - 1.0;
    // log(1 + f + c) - log(1 + f) = c / (1 + f), and 1 / (1 + f) is 1 - f + f^2 to first orders.
    let f_minus_one = f - 1.0;
    let correction = (u_lo * factor).mul_add(f.mul_add(f_minus_one, 1.0), e * LN2_LO_SINGLE);
    let square = f * f;
    let tail = (square * f).mul_add(log_tail_single(f), correction);
    let value = e.mul_add(LN2_HI_SINGLE, f + square.mul_add(-0.5, tail));
    with_special_values_single(u, value)
}

/// `log(1 + x)` without cancellation, within 1.5 ulp.
///
/// `log1p(-1) = -Inf`, `log1p(-0) = -0`, `log1p(Inf) = Inf`, numbers below -1 and NaN give NaN.
#[inline(always)]
pub fn log1p_single(x: f32) -> f32 {
    if x == 0.0 { x } else { log_one_plus_single(x, 0.0) }
}
