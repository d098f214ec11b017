//! `exp`, `exp2` and `expm1`.
//!
//! Method: additive range reduction `x = k ln 2 + r`, `|r| <= ln 2 / 2`, in the manner of W. J. Cody and W. Waite
//! (Software Manual for the Elementary Functions, 1980, ch. 6), a minimax polynomial for the tail of `e^r`, and scaling by
//! `2^k` in two factors (J.-M. Muller, Elementary Functions, 3rd ed., section 11.1).
//!
//! Generated from `megha-core/src/math/exp.mir`, where changes belong.
#![cfg_attr(rustfmt, rustfmt_skip)]

use super::coefficients::{INV_LN2_HI, LN2_HI, LN2_LO, exp_tail};
use super::double_double::{SHIFTER, exp2_of_shifted, fast_two_sum, scale, scale_one_plus, two_prod, two_sum};

/// `x + x_lo = k ln 2 + r + r_lo` with integral `k`, for `|x| < 800`.
#[inline(always)]
pub(super) fn reduce_exponent(x: f64, x_lo: f64) -> (f64, f64, f64) {
    let k = x.mul_add(INV_LN2_HI, SHIFTER) - SHIFTER;
    // `k * ln2_hi` is exact, so only the second step rounds, and `r_lo` keeps what it loses.
    let t = k.mul_add(-LN2_HI, x);
    let minus_lo = -LN2_LO;
    let r = k.mul_add(minus_lo, t);
    let r_lo = k.mul_add(minus_lo, t - r) + x_lo;
    (k, r, r_lo)
}

/// `e^(r + r_lo) - 1 - r`, without the leading terms, for `|r| <= ln 2 / 2`.
#[inline(always)]
fn exp_rest(r: f64, r_lo: f64) -> f64 {
    (r * r).mul_add(exp_tail(r), r.mul_add(r_lo, r_lo))
}

/// `e^(x + x_lo)` as `(m + m_lo) * 2^k` with `m` near one; `x` must lie within `[-800, 800]`.
#[inline(always)]
pub(super) fn exp_unscaled(x: f64, x_lo: f64) -> (f64, f64, f64) {
    let (k, reduced, reduced_lo) = reduce_exponent(x, x_lo);
    // `x_lo` may be as large as 2^-44; the rest counts on `|r_lo| <= ulp(r) / 2`.
    let (r, r_lo) = fast_two_sum(reduced, reduced_lo);
    let (lead, lead_lo) = fast_two_sum(1.0, r);
    let (m, m_lo) = fast_two_sum(lead, lead_lo + exp_rest(r, r_lo));
    (m, m_lo, k)
}

/// `x` confined to where `exp` neither overflows nor vanishes, and a little beyond. NaN stays.
#[inline(always)]
pub(super) fn clamp_to_exp_range(x: f64) -> f64 {
    let below = if x > 710.0 { 710.0 } else { x };
    if below < -746.0 { -746.0 } else { below }
}

/// `k`, held as `k + shifter` too, and `r` where `x = k ln 2 + r`, in single doubles.
#[inline(always)]
fn reduce_to_single(x: f64) -> (f64, f64, f64) {
    let shifted = x.mul_add(INV_LN2_HI, SHIFTER);
    let k = shifted - SHIFTER;
    let r = k.mul_add(-LN2_LO, k.mul_add(-LN2_HI, x));
    (shifted, k, r)
}

/// `exp(x + x_lo) - 1` for `-50 < x <= 0`, where nothing special happens; accurate near zero too, as `k` is zero there.
#[inline(always)]
pub(super) fn expm1_of_negative(x: f64, x_lo: f64) -> f64 {
    let (shifted, _, r) = reduce_to_single(x);
    let rest = (r * r).mul_add(exp_tail(r), x_lo);
    let factor = exp2_of_shifted(shifted);
    (r + rest).mul_add(factor, factor - 1.0)
}

/// The exponential of `x`, within 1 ulp.
///
/// `exp(-Inf) = 0`, `exp(Inf) = Inf`, NaN stays NaN; overflows to Inf, underflows gradually to zero.
#[inline(always)]
pub fn exp(x: f64) -> f64 {
    let (_, k, r) = reduce_to_single(clamp_to_exp_range(x));
    scale_one_plus((r * r).mul_add(exp_tail(r), r), k)
}

/// Two to the power `x`, within 1 ulp; exact for integral `x`.
///
/// `exp2(-Inf) = 0`, `exp2(Inf) = Inf`, NaN stays NaN.
#[inline(always)]
pub fn exp2(x: f64) -> f64 {
    let below = if x > 1025.0 { 1025.0 } else { x };
    let clamped = if below < -1076.0 { -1076.0 } else { below };
    let k = clamped + SHIFTER - SHIFTER;
    // The fraction is exact; in units of `ln 2` it becomes a double-double.
    let fraction = clamped - k;
    let (product, product_lo) = two_prod(fraction, LN2_HI);
    let minor = fraction.mul_add(LN2_LO, product_lo);
    let (r, r_lo) = fast_two_sum(product, minor);
    scale_one_plus(r + exp_rest(r, r_lo), k)
}

/// `exp(x) - 1` without cancellation, within 1.1 ulp.
///
/// `expm1(-Inf) = -1`, `expm1(Inf) = Inf`, `expm1(-0) = -0`, NaN stays NaN.
#[inline(always)]
pub fn expm1(x: f64) -> f64 {
    let in_range = clamp_to_exp_range(x);
    // Below -50 the result is -1 to the last bit.
    let saturated = in_range < -50.0;
    let clamped = if saturated { -50.0 } else { in_range };
    let (k, r, r_lo) = reduce_exponent(clamped, 0.0);
    // e^x - 1 = 2^k ((1 - 2^-k) + r + rest); for k > 64 the 2^-k is beyond notice.
    let minus_k = -k;
    let capped = if k > 64.0 { -64.0 } else { minus_k };
    let minus_inverse = -scale(1.0, capped);
    // Of `1` and `-2^-k` the larger comes first.
    let negative = k < 0.0;
    let larger = if negative { minus_inverse } else { 1.0 };
    let smaller = if negative { 1.0 } else { minus_inverse };
    let (offset, offset_lo) = fast_two_sum(larger, smaller);
    let (sum, sum_lo) = two_sum(offset, r);
    let minor = sum_lo + (offset_lo + exp_rest(r, r_lo));
    if x == 0.0 { x } else { scale(sum + minor, k) }
}
