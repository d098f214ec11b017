//! `exp`, `exp2` and `expm1`.
//!
//! Method: additive range reduction `x = k ln 2 + r`, `|r| <= ln 2 / 2`, in the manner of W. J. Cody and W. Waite
//! (Software Manual for the Elementary Functions, 1980, ch. 6), a minimax polynomial for the tail of `e^r`, and scaling by
//! `2^k` in two factors (J.-M. Muller, Elementary Functions, 3rd ed., section 11.1).

use super::coefficients::{EXP_TAIL, INV_LN2_HI, LN2_HI, LN2_LO};
use super::double_double::{
    DoubleDouble, SHIFTER, exp2_of_shifted, fast_two_sum, polynomial, scale, scale_one_plus, select, two_prod, two_sum,
};

/// Above this `exp` overflows, by a margin that leaves `k` in range.
const OVERFLOW: f64 = 710.0;
/// Below this `exp` is zero.
const UNDERFLOW: f64 = -746.0;

/// `x = k ln 2 + r.hi + r.lo` with integral `k`.
#[derive(Clone, Copy)]
pub(super) struct Reduced {
    pub k: f64,
    pub r: DoubleDouble,
}

/// Reduces `x.hi + x.lo`, `|x.hi| < 800`. `k * LN2_HI` is exact, so only the second step rounds, and `r.lo` keeps what it loses.
#[inline(always)]
pub(super) fn reduce(x: DoubleDouble) -> Reduced {
    let k = x.hi.mul_add(INV_LN2_HI, SHIFTER) - SHIFTER;
    let t = k.mul_add(-LN2_HI, x.hi);
    let hi = k.mul_add(-LN2_LO, t);
    let lo = k.mul_add(-LN2_LO, t - hi) + x.lo;
    Reduced { k, r: DoubleDouble { hi, lo } }
}

/// `e^(r.hi + r.lo) - 1 - r.hi`, without the leading terms, for `|r.hi| <= ln 2 / 2`.
#[inline(always)]
pub(super) fn tail(r: DoubleDouble) -> f64 {
    (r.hi * r.hi).mul_add(polynomial(r.hi, &EXP_TAIL), r.hi.mul_add(r.lo, r.lo))
}

/// `e^(x.hi + x.lo)` as `m * 2^k` with `m` a double-double near one; `x.hi` must lie within `[-800, 800]`.
#[inline(always)]
pub(super) fn exp_unscaled(x: DoubleDouble) -> (DoubleDouble, f64) {
    let Reduced { k, r } = reduce(x);
    // x.lo may be as large as 2^-44; the tail counts on |r.lo| <= ulp(r.hi) / 2.
    let r = fast_two_sum(r.hi, r.lo);
    let one_plus_r = fast_two_sum(1.0, r.hi);
    (fast_two_sum(one_plus_r.hi, one_plus_r.lo + tail(r)), k)
}

/// `x` confined to where `exp` neither overflows nor vanishes, and a little beyond. NaN stays.
#[inline(always)]
pub(super) fn clamp_to_exp_range(x: f64) -> f64 {
    let below = select(x > OVERFLOW, OVERFLOW, x);
    select(below < UNDERFLOW, UNDERFLOW, below)
}

/// `exp(x) - 1` for `-50 < x < -1`, where nothing special happens and the result is near `-1`.
#[inline(always)]
pub(super) fn expm1_of_negative(x: f64) -> f64 {
    let shifted = x.mul_add(INV_LN2_HI, SHIFTER);
    let k = shifted - SHIFTER;
    let r = k.mul_add(-LN2_LO, k.mul_add(-LN2_HI, x));
    let minor = (r * r).mul_add(polynomial(r, &EXP_TAIL), r);
    let factor = exp2_of_shifted(shifted);
    minor.mul_add(factor, factor - 1.0)
}

/// The exponential of `x`, within 1 ulp.
///
/// `exp(-Inf) = 0`, `exp(Inf) = Inf`, NaN stays NaN; overflows to Inf, underflows gradually to zero.
#[inline(always)]
pub fn exp(x: f64) -> f64 {
    let x = clamp_to_exp_range(x);
    let k = x.mul_add(INV_LN2_HI, SHIFTER) - SHIFTER;
    let r = k.mul_add(-LN2_LO, k.mul_add(-LN2_HI, x));
    scale_one_plus((r * r).mul_add(polynomial(r, &EXP_TAIL), r), k)
}

/// Two to the power `x`, within 1 ulp; exact for integral `x`.
///
/// `exp2(-Inf) = 0`, `exp2(Inf) = Inf`, NaN stays NaN.
#[inline(always)]
pub fn exp2(x: f64) -> f64 {
    let below = select(x > 1025.0, 1025.0, x);
    let x = select(below < -1076.0, -1076.0, below);
    let k = (x + SHIFTER) - SHIFTER;
    let product = two_prod(x - k, LN2_HI);
    let r = fast_two_sum(product.hi, (x - k).mul_add(LN2_LO, product.lo));
    scale_one_plus(r.hi + tail(r), k)
}

/// `exp(x) - 1` without cancellation, within 1.1 ulp.
///
/// `expm1(-Inf) = -1`, `expm1(Inf) = Inf`, `expm1(-0) = -0`, NaN stays NaN.
#[inline(always)]
pub fn expm1(x: f64) -> f64 {
    let clamped = clamp_to_exp_range(x);
    let clamped = select(clamped < -50.0, -50.0, clamped);
    let Reduced { k, r } = reduce(DoubleDouble { hi: clamped, lo: 0.0 });
    // e^x - 1 = 2^k ((1 - 2^-k) + r + tail); for k > 64 the 2^-k is beyond notice.
    let inverse = scale(1.0, select(k > 64.0, -64.0, -k));
    let offset = fast_two_sum(select(k < 0.0, -inverse, 1.0), select(k < 0.0, 1.0, -inverse));
    let sum = two_sum(offset.hi, r.hi);
    let value = scale(sum.hi + (sum.lo + (offset.lo + tail(r))), k);
    select(x == 0.0, x, value)
}
