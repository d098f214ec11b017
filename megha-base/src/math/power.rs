//! `pow`.
//!
//! Method: `x^y = exp(y log x)` with the logarithm as a double-double good to about 2^-66 (the series of
//! `2 atanh(f / (2 + f))` with its first two terms in double-double), and the product fed to the exponential with its low
//! part. Compare FDLIBM's `e_pow.c` and J.-M. Muller et al., Handbook of Floating-Point Arithmetic, 2nd ed., section 10.
//!
//! Generated from `megha-core/src/math/power.mir`, where changes belong.
#![cfg_attr(rustfmt, rustfmt_skip)]

use super::coefficients::{LN2_HI, LN2_LO, THIRD_HI, THIRD_LO, log_far_tail};
use super::double_double::{fast_two_sum, scale, two_prod, with_sign_of};
use super::exp::{clamp_to_exp_range, exp_unscaled};
use super::log::decompose;

/// `z/3 + z^2 T(z)` for `z + z_lo = s^2`, so that `log m = 2 s (1 + c)`.
#[inline(always)]
fn atanh_factor(z: f64, z_lo: f64) -> (f64, f64) {
    let (third, third_rest) = two_prod(z, THIRD_HI);
    let cross = z.mul_add(THIRD_LO, z_lo * THIRD_HI);
    let higher = (z * z).mul_add(log_far_tail(z), third_rest + cross);
    fast_two_sum(third, higher)
}

/// `log x` for positive finite `x`, to about 2^-66 relative.
#[inline(always)]
pub(super) fn log_extended(x: f64) -> (f64, f64) {
    let (e, m) = decompose(x);
    let f = m - 1.0;
    // s = f / (2 + f) by one division and a correction.
    let (d, d_lo) = fast_two_sum(2.0, f);
    let reciprocal = 1.0 / d;
    let s = f * reciprocal;
    let whole_remainder = s.mul_add(-d_lo, (-s).mul_add(d, f));
    let s_lo = whole_remainder * reciprocal;
    let (square, square_lo) = two_prod(s, s);
    let twice = 2.0 * s;
    let (c, c_lo) = atanh_factor(square, twice.mul_add(s_lo, square_lo));
    // 2 s + 2 s c
    let (product, product_rest) = two_prod(twice, c);
    let cross = twice.mul_add(c_lo, 2.0 * s_lo * c);
    let (lead, lead_rest) = fast_two_sum(twice, product);
    let minor = 2.0_f64.mul_add(s_lo, product_rest + cross);
    // and the exponent's share.
    let (sum, sum_lo) = fast_two_sum(e * LN2_HI, lead);
    let exponent_lo = e.mul_add(LN2_LO, lead_rest + minor);
    fast_two_sum(sum, sum_lo + exponent_lo)
}

/// Whether `y` is an integer, and whether it is odd. Infinities count as even integers.
#[inline(always)]
pub(super) fn parity(y: f64) -> (bool, bool) {
    let integral = y.round_ties_even() == y;
    let half = 0.5 * y;
    let odd = integral & (half.round_ties_even() != half);
    (integral, odd)
}

/// `x^y` for positive finite `x`: `exp(y log x)`.
#[inline(always)]
fn power_of_positive(x: f64, y: f64) -> f64 {
    let (log, log_lo) = log_extended(x);
    // Beyond 2^64 every `x^y`, `x` other than one, over- or underflows: even `1 - 2^-53` does at `2^63`.
    let too_large = y > 1.8446744073709552e19;
    let capped = if too_large { 1.8446744073709552e19 } else { y };
    let exponent = if capped < -1.8446744073709552e19 { -1.8446744073709552e19 } else { capped };
    let (product, product_lo) = two_prod(exponent, log);
    let clamped = clamp_to_exp_range(product);
    let whole_lo = exponent.mul_add(log_lo, product_lo);
    let low = if clamped == product { whole_lo } else { 0.0 };
    let (value, _, k) = exp_unscaled(clamped, low);
    scale(value, k)
}

/// `x` to the power `y`, within 1 ulp, with the special values of IEEE 754-2019, section 9.2.1.
///
/// `pow(x, 0) = 1` and `pow(1, y) = 1` for every argument, NaN included. A negative `x` to an integral power has the
/// sign that the parity of `y` gives (signed zeros and infinities likewise); to any other finite power it is NaN.
#[inline(always)]
pub fn pow(x: f64, y: f64) -> f64 {
    let magnitude = x.abs();
    // Zero and infinity to any power are one or the other.
    let zero_base = magnitude == 0.0;
    let degenerate = zero_base | (magnitude == f64::INFINITY);
    let extreme = if zero_base == (y < 0.0) { f64::INFINITY } else { 0.0 };
    let absolute = if degenerate { extreme } else { power_of_positive(magnitude, y) };
    let (integral, odd) = parity(y);
    let signed = if odd { with_sign_of(absolute, x) } else { absolute };
    // A negative finite base needs an integral power.
    let below_zero = x < 0.0;
    let negative = below_zero & (x > f64::NEG_INFINITY);
    let complex_or_nan = negative & !integral | x.is_nan();
    let defined = if complex_or_nan | y.is_nan() { f64::NAN } else { signed };
    if (y == 0.0) | (x == 1.0) { 1.0 } else { defined }
}
