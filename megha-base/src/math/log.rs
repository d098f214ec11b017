//! `log`, `log2`, `log10` and `log1p`.
//!
//! Method: `x = 2^e m` with `m` in `[sqrt 1/2, sqrt 2)`, `f = m - 1`, `s = f / (2 + f)`, and
//! `log(1 + f) = f - f^2/2 + s (f^2/2 + R(s^2))`, the form of FDLIBM's `e_log.c` (K. C. Ng, Sun
//! Microsystems, 1993). For all but `log` the leading part `f - f^2/2` is kept as a double-double,
//! because another factor or term follows. `log` does without the division, which a vector unit takes as long for as for sixteen
//! multiplications: `s` is a factor of terms below `f^2/2` only, so Newton's iteration from a polynomial is exact enough.
//!
//! Generated from `megha-core/src/math/log.mir`, where changes belong.
#![cfg_attr(rustfmt, rustfmt_skip)]

use super::coefficients::{
    INV_LN10_HI, INV_LN10_LO, INV_LN2_HI, INV_LN2_LO, LN2_HI, LN2_LO, LOG10_2_HI, LOG10_2_LO, log_reciprocal,
    log_tail,
};
use super::double_double::{MANTISSA_MASK, ONE_BITS, fast_two_sum, scale, two_sum};

/// The bits of `sqrt(1/2)`, rounded up.
const SQRT_HALF_BITS: i64 = 0x3fe6_a09e_667f_3bcd;

/// Exponent `e` and significand `m` of a positive finite `x`: `x = m 2^e`, `m` in `[sqrt 1/2, sqrt 2)`. Any other `x`
/// gives a meaningless, but finite, pair.
#[inline(always)]
pub(super) fn decompose(x: f64) -> (f64, f64) {
    let subnormal = x < 2.2250738585072014e-308;
    let normal = if subnormal { x * 1.8014398509481984e16 } else { x };
    // Biased so that the difference stays positive and a logical shift will do.
    let difference = (normal.to_bits() as i64).wrapping_sub(SQRT_HALF_BITS);
    let offset = difference.wrapping_add(ONE_BITS);
    // The exponent becomes a double in the low bits of 2^52.
    let exponent = (offset as u64).wrapping_shr(52) as i64;
    let place = 4503599627370496.0_f64.to_bits() as i64;
    let biased = f64::from_bits((exponent | place) as u64);
    // 2^52 + 1023, and 54 more if `x` was raised.
    let bias = if subnormal { 4503599627371573.0_f64 } else { 4503599627371519.0 };
    let significand = (offset & MANTISSA_MASK).wrapping_add(SQRT_HALF_BITS);
    let m = f64::from_bits(significand as u64);
    (biased - bias, m)
}

/// `log(1 + f)` for `1 + f` in `[sqrt 1/2, sqrt 2)`, to about 2^-60 relative.
#[inline(always)]
fn log_of_significand(f: f64) -> (f64, f64) {
    let s = f / (2.0 + f);
    let z = s * s;
    let half_f = 0.5 * f;
    let half_square = half_f * f;
    let minus_half_square = -half_square;
    // What rounding f^2/2 lost.
    let lost = half_f.mul_add(f, minus_half_square);
    let (hi, lead_lo) = fast_two_sum(f, minus_half_square);
    let inner = z.mul_add(log_tail(z), half_square);
    (hi, s.mul_add(inner, lead_lo - lost))
}

/// The values that the logarithms to any base share outside the positive finite numbers.
#[inline(always)]
fn with_special_values(x: f64, value: f64) -> f64 {
    let finite = if x < f64::INFINITY { value } else { x };
    let positive = if x > 0.0 { finite } else { f64::NAN };
    if x == 0.0 { f64::NEG_INFINITY } else { positive }
}

/// `f / d` for `1 + sqrt 1/2 <= d <= 1 + sqrt 2`, within 2 ulp: one step of Halley's and one of Newton's iteration for `1 / d`
/// (J.-M. Muller, Elementary Functions, 3rd ed., section 4.7), the second with the factor `f` in it.
#[inline(always)]
fn divide_by_near_two(f: f64, d: f64) -> f64 {
    let start = log_reciprocal(d);
    let minus_d = -d;
    let error = minus_d.mul_add(start, 1.0);
    let reciprocal = start.mul_add(error.mul_add(error, error), start);
    let quotient = f * reciprocal;
    quotient.mul_add(minus_d.mul_add(reciprocal, 1.0), quotient)
}

/// The natural logarithm of `x`, within 1 ulp.
///
/// `log(0) = -Inf` for either zero, `log(Inf) = Inf`, negative numbers and NaN give NaN.
#[inline(always)]
pub fn log(x: f64) -> f64 {
    let (e, m) = decompose(x);
    let f = m - 1.0;
    let s = divide_by_near_two(f, m + 1.0);
    let z = s * s;
    let half_square = 0.5 * f * f;
    let inner = z.mul_add(log_tail(z), half_square);
    // From the smallest term to the largest.
    let minor = half_square - s.mul_add(inner, e * LN2_LO);
    with_special_values(x, e.mul_add(LN2_HI, f - minor))
}

/// `lead + lead_lo + (d + d_lo) * (b + b_lo)` with one visible rounding, for the other bases.
#[inline(always)]
fn to_base(lead: f64, lead_lo: f64, d: f64, d_lo: f64, b: f64, b_lo: f64) -> f64 {
    let product = d * b;
    let rest = d.mul_add(b, -product) + d.mul_add(b_lo, d_lo * b);
    let (sum, sum_lo) = fast_two_sum(lead, product);
    sum + (sum_lo + (rest + lead_lo))
}

/// The logarithm of `x` to base 2, within 1 ulp; exact for powers of two.
///
/// `log2(0) = -Inf`, `log2(Inf) = Inf`, negative numbers and NaN give NaN.
#[inline(always)]
pub fn log2(x: f64) -> f64 {
    let (e, m) = decompose(x);
    let (d, d_lo) = log_of_significand(m - 1.0);
    let value = to_base(e, 0.0, d, d_lo, INV_LN2_HI, INV_LN2_LO);
    with_special_values(x, value)
}

/// The logarithm of `x` to base 10, within 1 ulp; exact for powers of ten up to 1e22.
///
/// `log10(0) = -Inf`, `log10(Inf) = Inf`, negative numbers and NaN give NaN.
#[inline(always)]
pub fn log10(x: f64) -> f64 {
    let (e, m) = decompose(x);
    let (d, d_lo) = log_of_significand(m - 1.0);
    let value = to_base(e * LOG10_2_HI, e * LOG10_2_LO, d, d_lo, INV_LN10_HI, INV_LN10_LO);
    with_special_values(x, value)
}

/// The logarithm of the double-double `u + u_lo` times `2^-shift`, for positive finite `u` and integral `shift`. Relative accuracy
/// holds near one too, as far as `u_lo` knows how much `u` differs from one.
#[inline(always)]
pub(super) fn log_of_double_double(u: f64, u_lo: f64, shift: f64) -> f64 {
    let (exponent, m) = decompose(u);
    // u + u_lo = 2^exponent (m + c).
    let minus_exponent = -exponent;
    let (f, f_lo) = two_sum(m - 1.0, scale(u_lo, minus_exponent));
    let (d, d_lo) = log_of_significand(f);
    // log(1 + f + f_lo) - log(1 + f) = f_lo / (1 + f), and f_lo is tiny against f; 1 / (1 + f) is 1 - f + f^2 to first orders.
    let f_minus_one = f - 1.0;
    let correction = f_lo * f.mul_add(f_minus_one, 1.0);
    let e = exponent - shift;
    let (sum, sum_lo) = fast_two_sum(e * LN2_HI, d);
    let low = e.mul_add(LN2_LO, d_lo) + correction;
    sum + (sum_lo + low)
}

/// `log(1 + x)` without cancellation, within 1 ulp.
///
/// `log1p(-1) = -Inf`, `log1p(-0) = -0`, `log1p(Inf) = Inf`, numbers below -1 and NaN give NaN.
#[inline(always)]
pub fn log1p(x: f64) -> f64 {
    let (u, lost) = two_sum(1.0, x);
    // What rounding 1 + x to u lost; beyond 2^60 it is nothing.
    let is_finite = u < f64::INFINITY;
    let u_lo = if is_finite { lost } else { 0.0 };
    let value = log_of_double_double(u, u_lo, 0.0);
    if x == 0.0 { x } else { with_special_values(u, value) }
}
