//! `pow` of singles.
//!
//! Method: as in `power`, `x^y = exp(y log x)` with the logarithm as a float-float good to about 2^-36.
//!
//! Generated from `megha-core/src/math/single_power.mir`, where changes belong.
#![cfg_attr(rustfmt, rustfmt_skip)]

use super::single_arithmetic::{
    fast_two_sum_single, scale_one_plus_single, two_prod_single, with_sign_of_single,
};
use super::single_coefficients::{
    LN2_LOWER_SINGLE, LN2_UPPER_SINGLE, THIRD_HI_SINGLE, THIRD_LO_SINGLE, exp_tail_single, log_far_tail_single,
};
use super::single_exp::{clamp_to_exp_range_single, reduce_exponent_single};
use super::single_log::decompose_single;

/// `z/3 + z^2 T(z)` for `z + z_lo = s^2`, so that `log m = 2 s (1 + c)`.
#[inline(always)]
fn atanh_factor_single(z: f32, z_lo: f32) -> (f32, f32) {
    let (third, third_rest) = two_prod_single(z, THIRD_HI_SINGLE);
    let of_z_lo = z_lo.mul_add(THIRD_HI_SINGLE, third_rest);
    let minor_third = z.mul_add(THIRD_LO_SINGLE, of_z_lo);
    let higher = (z * z).mul_add(log_far_tail_single(z), minor_third);
    fast_two_sum_single(third, higher)
}

/// `log x` for positive finite `x`, to about 2^-36 relative.
#[inline(always)]
fn log_extended_single(x: f32) -> (f32, f32) {
    let (e, m) = decompose_single(x);
    let f = m - 1.0;
    // s = f / (2 + f) by one division and a correction.
    let (d, d_lo) = fast_two_sum_single(2.0, f);
    let reciprocal = 1.0 / d;
    let s = f * reciprocal;
    let minus_s = -s;
    let whole_remainder = minus_s.mul_add(d_lo, minus_s.mul_add(d, f));
    let s_lo = whole_remainder * reciprocal;
    let (square, square_lo) = two_prod_single(s, s);
    let twice = s + s;
    let twice_lo = s_lo + s_lo;
    let (c, c_lo) = atanh_factor_single(square, twice.mul_add(s_lo, square_lo));
    // 2 s + 2 s c
    let (product, product_rest) = two_prod_single(twice, c);
    let cross = twice.mul_add(c_lo, product_rest);
    let (lead, lead_rest) = fast_two_sum_single(twice, product);
    let minor = twice_lo + twice_lo.mul_add(c, cross);
    // and the exponent's share, of which the upper part is exact.
    let (sum, sum_lo) = fast_two_sum_single(e * LN2_UPPER_SINGLE, lead);
    let exponent_lo = e.mul_add(LN2_LOWER_SINGLE, lead_rest + minor);
    fast_two_sum_single(sum, sum_lo + exponent_lo)
}

/// Whether `y` is an integer, and whether it is odd. Infinities count as even integers.
#[inline(always)]
fn parity_single(y: f32) -> (bool, bool) {
    let integral = y.round_ties_even() == y;
    let half = 0.5 * y;
    let odd = integral & (half.round_ties_even() != half);
    (integral, odd)
}

/// `x^y` for positive finite `x`: `exp(y log x)`.
#[inline(always)]
fn power_of_positive_single(x: f32, y: f32) -> f32 {
    let (log, log_lo) = log_extended_single(x);
    // Beyond 2^32 every `x^y`, `x` other than one, over- or underflows: even `1 - 2^-24` does at `2^31`.
    let too_large = y > 4294967300.0;
    let capped = if too_large { 4294967300.0 } else { y };
    let exponent = if capped < -4294967300.0 { -4294967300.0 } else { capped };
    let (product, product_lo) = two_prod_single(exponent, log);
    let clamped = clamp_to_exp_range_single(product);
    let whole_lo = exponent.mul_add(log_lo, product_lo);
    let low = if clamped == product { whole_lo } else { 0.0 };
    let (shifted, _, reduced) = reduce_exponent_single(clamped);
    let (r, r_lo) = fast_two_sum_single(reduced, low);
    let rest = (r * r).mul_add(exp_tail_single(r), r_lo);
    scale_one_plus_single(r + rest, shifted)
}

/// `x` to the power `y`, within 1.1 ulp, with the special values of IEEE 754-2019, section 9.2.1.
///
/// `pow(x, 0) = 1` and `pow(1, y) = 1` for every argument, NaN included. A negative `x` to an integral power has the
/// sign that the parity of `y` gives (signed zeros and infinities likewise); to any other finite power it is NaN.
#[inline(always)]
pub fn pow_single(x: f32, y: f32) -> f32 {
    let magnitude = x.abs();
    let finite = power_of_positive_single(magnitude, y);
    // Zero and infinity to any power are one or the other.
    let zero_base = magnitude == 0.0;
    let degenerate = zero_base | (magnitude == f32::INFINITY);
    let extreme = if zero_base == (y < 0.0) { f32::INFINITY } else { 0.0 };
    let absolute = if degenerate { extreme } else { finite };
    let (integral, odd) = parity_single(y);
    let signed = if odd { with_sign_of_single(absolute, x) } else { absolute };
    // A negative finite base needs an integral power.
    let below_zero = x < 0.0;
    let negative = below_zero & (x > f32::NEG_INFINITY);
    let complex_or_nan = negative & !integral | x.is_nan();
    let defined = if complex_or_nan | y.is_nan() { f32::NAN } else { signed };
    if (y == 0.0) | (x == 1.0) { 1.0 } else { defined }
}
