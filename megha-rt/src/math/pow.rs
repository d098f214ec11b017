//! `pow`.
//!
//! Method: `x^y = exp(y log x)` with the logarithm as a double-double good to about 2^-66 (the series of
//! `2 atanh(f / (2 + f))` with its first two terms in double-double), and the product fed to the exponential with its low
//! part. Compare FDLIBM's `e_pow.c` and J.-M. Muller et al., Handbook of Floating-Point Arithmetic, 2nd ed., section 10.

use super::coefficients::{LN2_HI, LN2_LO, LOG_FAR_TAIL, THIRD_HI, THIRD_LO};
use super::double_double::{DoubleDouble, fast_two_sum, polynomial, scale, select, two_prod, with_sign_of};
use super::exp::{clamp_to_exp_range, exp_unscaled};
use super::log::decompose;

/// Beyond this every `x^y`, `x` other than one, over- or underflows: even `1 - 2^-53` does at `2^63`.
const LARGEST_EXPONENT: f64 = 18446744073709551616.0;

/// `log x` for positive finite `x`, to about 2^-66 relative.
#[inline(always)]
fn log_double_double(x: f64) -> DoubleDouble {
    let (e, m) = decompose(x);
    let f = m - 1.0;
    let d = fast_two_sum(2.0, f);
    let reciprocal = 1.0 / d.hi;
    let s = f * reciprocal;
    let s_lo = s.mul_add(-d.lo, (-s).mul_add(d.hi, f)) * reciprocal;
    let z = two_prod(s, s);
    let z_lo = (2.0 * s).mul_add(s_lo, z.lo);
    // c = z/3 + z^2 T(z), so that log m = 2 s (1 + c).
    let third = two_prod(z.hi, THIRD_HI);
    let third_lo = third.lo + z.hi.mul_add(THIRD_LO, z_lo * THIRD_HI);
    let c = fast_two_sum(third.hi, (z.hi * z.hi).mul_add(polynomial(z.hi, &LOG_FAR_TAIL), third_lo));
    let product = two_prod(2.0 * s, c.hi);
    let product_lo = product.lo + (2.0 * s).mul_add(c.lo, 2.0 * s_lo * c.hi);
    let lead = fast_two_sum(2.0 * s, product.hi);
    let lead_lo = lead.lo + (2.0f64.mul_add(s_lo, product_lo));
    let sum = fast_two_sum(e * LN2_HI, lead.hi);
    fast_two_sum(sum.hi, sum.lo + e.mul_add(LN2_LO, lead_lo))
}

/// Whether `y` is an integer, and whether it is odd. Infinities count as even integers.
#[inline(always)]
fn parity(y: f64) -> (bool, bool) {
    let half = 0.5 * y;
    let integral = y.round_ties_even() == y;
    (integral, integral & (half.round_ties_even() != half))
}

/// `x` to the power `y`, within 1 ulp, with the special values of IEEE 754-2019, section 9.2.1.
///
/// `pow(x, 0) = 1` and `pow(1, y) = 1` for every argument, NaN included. A negative `x` to an integral power has the
/// sign that the parity of `y` gives (signed zeros and infinities likewise); to any other finite power it is NaN.
#[inline(always)]
pub fn pow(x: f64, y: f64) -> f64 {
    let magnitude = x.abs();
    let log = log_double_double(magnitude);
    let capped = select(y > LARGEST_EXPONENT, LARGEST_EXPONENT, y);
    let exponent = select(capped < -LARGEST_EXPONENT, -LARGEST_EXPONENT, capped);
    let product = two_prod(exponent, log.hi);
    let clamped = clamp_to_exp_range(product.hi);
    let low = select(clamped == product.hi, exponent.mul_add(log.lo, product.lo), 0.0);
    let (value, k) = exp_unscaled(DoubleDouble { hi: clamped, lo: low });
    let finite = scale(value.hi, k);

    let degenerate = (magnitude == 0.0) | (magnitude == f64::INFINITY);
    let extreme = select((magnitude == 0.0) == (y < 0.0), f64::INFINITY, 0.0);
    let absolute = select(degenerate, extreme, finite);
    let (integral, odd) = parity(y);
    let signed = select(odd, with_sign_of(absolute, x), absolute);
    let undefined = ((x < 0.0) & (x > f64::NEG_INFINITY) & !integral) | x.is_nan() | y.is_nan();
    let defined = select(undefined, f64::NAN, signed);
    select((y == 0.0) | (x == 1.0), 1.0, defined)
}
