//! `exp` and `expm1` of singles.
//!
//! Method: as in `exp`, in single precision: range reduction by `ln 2` in the manner of W. J. Cody and W. Waite, a minimax polynomial, and
//! scaling by `2^k` in two factors.
//!
//! Generated from `megha-core/src/math/single_exp.mir`, where changes belong.
#![cfg_attr(rustfmt, rustfmt_skip)]

use super::single_arithmetic::{SHIFTER_SINGLE, exp2_of_shifted_single, scale_one_plus_single};
use super::single_coefficients::{INV_LN2_HI_SINGLE, LN2_HI_SINGLE, LN2_LO_SINGLE, exp_tail_single};

/// `x` confined to where `exp` neither overflows nor vanishes, and a little beyond. NaN stays.
#[inline(always)]
pub(super) fn clamp_to_exp_range_single(x: f32) -> f32 {
    let below = if x > 89.0 { 89.0 } else { x };
    if below < -105.0 { -105.0 } else { below }
}

/// `k`, held as `k + shifter` too, and `r` where `x = k ln 2 + r`, for `|x| < 200`.
#[inline(always)]
pub(super) fn reduce_exponent_single(x: f32) -> (f32, f32, f32) {
    let shifted = x.mul_add(INV_LN2_HI_SINGLE, SHIFTER_SINGLE);
    let k = shifted - SHIFTER_SINGLE;
    // Exact: the product fits in one fused operation and the difference cancels.
    let t = k.mul_add(-LN2_HI_SINGLE, x);
    (shifted, k, k.mul_add(-LN2_LO_SINGLE, t))
}

/// `exp(x + x_lo) - 1` for `-50 < x <= 0`, where nothing special happens; accurate near zero too, as `k` is zero there.
#[inline(always)]
pub(super) fn expm1_of_negative_single(x: f32, x_lo: f32) -> f32 {
    let (shifted, _, r) = reduce_exponent_single(x);
    let rest = (r * r).mul_add(exp_tail_single(r), x_lo);
    let factor = exp2_of_shifted_single(shifted);
    (r + rest).mul_add(factor, factor - 1.0)
}

/// The exponential of `x`, within 1.1 ulp.
///
/// `exp(-Inf) = 0`, `exp(Inf) = Inf`, NaN stays NaN; overflows to Inf, underflows gradually to zero.
#[inline(always)]
pub fn exp_single(x: f32) -> f32 {
    let (shifted, _, r) = reduce_exponent_single(clamp_to_exp_range_single(x));
    let minor = (r * r).mul_add(exp_tail_single(r), r);
    scale_one_plus_single(minor, shifted)
}

/// `exp(x) - 1` without cancellation, within 1.6 ulp.
///
/// `expm1(-Inf) = -1`, `expm1(Inf) = Inf`, `expm1(-0) = -0`, NaN stays NaN.
#[inline(always)]
pub fn expm1_single(x: f32) -> f32 {
    let in_range = clamp_to_exp_range_single(x);
    // Below -20 the result is -1 to the last bit.
    let saturated = in_range < -20.0;
    let clamped = if saturated { -20.0 } else { in_range };
    let (shifted, _, r) = reduce_exponent_single(clamped);
    let minor = (r * r).mul_add(exp_tail_single(r), r);
    // e^x - 1 = 2^k minor + (2^k - 1), with half of 2^k, which alone may overflow.
    let shifted_half = shifted - 1.0;
    let half_power = exp2_of_shifted_single(shifted_half);
    let half = minor.mul_add(half_power, half_power - 0.5);
    // Half of a subnormal would lose a bit, and half of zero the sign.
    let magnitude = x.abs();
    if magnitude < 9.313226e-10 { x } else { half + half }
}
