//! `log`, `log2`, `log10` and `log1p`.
//!
//! Method: `x = 2^e m` with `m` in `[sqrt 1/2, sqrt 2)`, `f = m - 1`, `s = f / (2 + f)`, and
//! `log(1 + f) = f - f^2/2 + s (f^2/2 + R(s^2))`, the form of FDLIBM's `e_log.c` (K. C. Ng, Sun
//! Microsystems, 1993). For all but `log` the leading part `f - f^2/2` is kept as a double-double,
//! because another factor or term follows.

use super::coefficients::{
    INV_LN2_HI, INV_LN2_LO, INV_LN10_HI, INV_LN10_LO, LN2_HI, LN2_LO, LOG_TAIL, LOG10_2_HI, LOG10_2_LO,
};
use super::double_double::{DoubleDouble, ONE_BITS, fast_two_sum, polynomial, scale, select, two_sum};

/// The bits of `sqrt(1/2)`, rounded up.
const SQRT_HALF_BITS: u64 = 0x3fe6_a09e_667f_3bcd;
const MANTISSA_MASK: u64 = 0x000f_ffff_ffff_ffff;
/// `2^52`, whose low mantissa bits can hold an integer.
const TWO_52: f64 = 4503599627370496.0;
/// `2^54`, which makes any subnormal number normal.
const TWO_54: f64 = 18014398509481984.0;

/// Exponent `e` and significand `m` of a positive finite `x`: `x = m 2^e`, `m` in `[sqrt 1/2, sqrt 2)`. Any other `x`
/// gives a meaningless, but finite, pair.
#[inline(always)]
pub(super) fn decompose(x: f64) -> (f64, f64) {
    let subnormal = x < f64::MIN_POSITIVE;
    let bits = select(subnormal, x * TWO_54, x).to_bits();
    // Biased so that the difference stays positive and a logical shift will do.
    let offset = bits.wrapping_sub(SQRT_HALF_BITS).wrapping_add(ONE_BITS);
    let biased = f64::from_bits((offset >> 52) | TWO_52.to_bits());
    let e = biased - select(subnormal, TWO_52 + 1023.0 + 54.0, TWO_52 + 1023.0);
    let m = f64::from_bits((offset & MANTISSA_MASK).wrapping_add(SQRT_HALF_BITS));
    (e, m)
}

/// `log(1 + f)` for `1 + f` in `[sqrt 1/2, sqrt 2)`, to about 2^-60 relative.
#[inline(always)]
fn log_of_significand(f: f64) -> DoubleDouble {
    let s = f / (2.0 + f);
    let z = s * s;
    let half_f = 0.5 * f;
    let half_square = half_f * f;
    let lost = half_f.mul_add(f, -half_square);
    let lead = fast_two_sum(f, -half_square);
    let tail = s.mul_add(z.mul_add(polynomial(z, &LOG_TAIL), half_square), lead.lo - lost);
    DoubleDouble { hi: lead.hi, lo: tail }
}

/// The values that the logarithms to any base share outside the positive finite numbers.
#[inline(always)]
fn with_special_values(x: f64, value: f64) -> f64 {
    let finite = select(x < f64::INFINITY, value, x);
    let positive = select(x > 0.0, finite, f64::NAN);
    select(x == 0.0, f64::NEG_INFINITY, positive)
}

/// The natural logarithm of `x`, within 1 ulp.
///
/// `log(0) = -Inf` for either zero, `log(Inf) = Inf`, negative numbers and NaN give NaN.
#[inline(always)]
pub fn log(x: f64) -> f64 {
    let (e, m) = decompose(x);
    let f = m - 1.0;
    let s = f / (m + 1.0);
    let z = s * s;
    let half_square = 0.5 * f * f;
    let tail = s.mul_add(z.mul_add(polynomial(z, &LOG_TAIL), half_square), e * LN2_LO);
    with_special_values(x, e.mul_add(LN2_HI, f - (half_square - tail)))
}

/// `lead + d * (hi + lo)` with one visible rounding, for the other bases.
#[inline(always)]
fn to_base(lead: f64, lead_lo: f64, d: DoubleDouble, hi: f64, lo: f64) -> f64 {
    let product = d.hi * hi;
    let rest = d.hi.mul_add(hi, -product) + d.hi.mul_add(lo, d.lo * hi);
    let sum = fast_two_sum(lead, product);
    sum.hi + (sum.lo + (rest + lead_lo))
}

/// The logarithm of `x` to base 2, within 1 ulp; exact for powers of two.
///
/// `log2(0) = -Inf`, `log2(Inf) = Inf`, negative numbers and NaN give NaN.
#[inline(always)]
pub fn log2(x: f64) -> f64 {
    let (e, m) = decompose(x);
    with_special_values(x, to_base(e, 0.0, log_of_significand(m - 1.0), INV_LN2_HI, INV_LN2_LO))
}

/// The logarithm of `x` to base 10, within 1 ulp; exact for powers of ten up to 1e22.
///
/// `log10(0) = -Inf`, `log10(Inf) = Inf`, negative numbers and NaN give NaN.
#[inline(always)]
pub fn log10(x: f64) -> f64 {
    let (e, m) = decompose(x);
    let significand = log_of_significand(m - 1.0);
    with_special_values(x, to_base(e * LOG10_2_HI, e * LOG10_2_LO, significand, INV_LN10_HI, INV_LN10_LO))
}

/// `log(1 + x)` without cancellation, within 1 ulp.
///
/// `log1p(-1) = -Inf`, `log1p(-0) = -0`, `log1p(Inf) = Inf`, numbers below -1 and NaN give NaN.
#[inline(always)]
pub fn log1p(x: f64) -> f64 {
    let u = two_sum(1.0, x);
    let (e, m) = decompose(u.hi);
    // 1 + x = 2^e (m + c), where c is what rounding 1 + x to u lost; beyond 2^60 it is nothing.
    let c = scale(select(u.hi < f64::INFINITY, u.lo, 0.0), -e);
    let f = two_sum(m - 1.0, c);
    let significand = log_of_significand(f.hi);
    // log(1 + f + c) - log(1 + f) = c / (1 + f), and c is tiny against f.
    let correction = f.lo * f.hi.mul_add(f.hi - 1.0, 1.0);
    let sum = fast_two_sum(e * LN2_HI, significand.hi);
    let value = sum.hi + (sum.lo + (e.mul_add(LN2_LO, significand.lo) + correction));
    select(x == 0.0, x, with_special_values(u.hi, value))
}
