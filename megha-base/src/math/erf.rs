//! `erf` and `erfc`.
//!
//! Method: `erf = 1 - exp(-P(|x|))` by `expm1`, with `P = -log(erfc)` as `a + a R(a)`, `R` a quotient of two polynomials with positive
//! coefficients only; the term `a` carries most of `P` where relative accuracy is wanted. One way for all arguments: a
//! second one near zero would be computed, and thrown away, for every element of a vectorised loop.
//! The complement near zero: a minimax polynomial for `erf(x) / x`. Over its whole range: `erfc(x) = exp(-x^2) Q(t) / (1 + 2x)`,
//! `t = (x - 3.75) / (x + 3.75)` (M. M. Shepherd and J. G. Laframboise, "Chebyshev approximation of
//! (1 + 2x) exp(x^2) erfc(x) in 0 <= x < infinity", Math. Comp. 36 (1981)), with `x^2`, `exp` and the quotient in
//! double-double, so that the tail keeps its relative accuracy.
//!
//! Generated from `megha-core/src/math/erf.mir`, where changes belong.
#![cfg_attr(rustfmt, rustfmt_skip)]

use super::coefficients::{
    ERFC_SCALED_CONSTANT, erf_exponent_denominator, erf_exponent_numerator, erf_near, erfc_scaled_slope,
};
use super::double_double::{divide, fast_two_sum, scale, two_prod, two_sum, with_sign_of};
use super::exp::{exp_unscaled, expm1_of_negative};

/// `log(erfc(a))` for `0 <= a <= 5.93`, with what its last step lost.
#[inline(always)]
fn log_of_complement(a: f64) -> (f64, f64) {
    let ratio = erf_exponent_numerator(a) / erf_exponent_denominator(a);
    let minus_a = -a;
    let hi = minus_a.mul_add(ratio, minus_a);
    let lo = minus_a.mul_add(ratio, minus_a - hi);
    (hi, lo)
}

/// The error function of `x`, within 1.7 ulp.
///
/// `erf(-0) = -0`, `erf(Inf) = 1`, `erf(-Inf) = -1`, NaN stays NaN.
#[inline(always)]
pub fn erf(x: f64) -> f64 {
    let magnitude = x.abs();
    // From 5.93 on the result rounds to one.
    let saturated = magnitude > 5.93;
    let a = if saturated { 5.93 } else { magnitude };
    let (exponent, exponent_lo) = log_of_complement(a);
    let minus_erf = expm1_of_negative(exponent, exponent_lo);
    with_sign_of(minus_erf.abs(), x)
}

/// `(1 + 2a) exp(a^2) erfc(a)` for `0 <= a <= 27.3`.
#[inline(always)]
fn scaled_complement(a: f64) -> (f64, f64) {
    let (n, n_lo) = two_sum(a, -3.75);
    let (d, d_lo) = two_sum(a, 3.75);
    let (t, t_lo) = divide(n, n_lo, d, d_lo);
    let slope = erfc_scaled_slope(t);
    let (product, product_lo) = two_prod(slope, t);
    let (hi, sum_lo) = fast_two_sum(ERFC_SCALED_CONSTANT, product);
    let lo = sum_lo + slope.mul_add(t_lo, product_lo);
    (hi, lo)
}

/// The complementary error function `1 - erf(x)`, within 2 ulp over its whole range, subnormal results included.
///
/// `erfc(Inf) = 0`, `erfc(-Inf) = 2`, NaN stays NaN; zero from 27.3 on.
#[inline(always)]
pub fn erfc(x: f64) -> f64 {
    let magnitude = x.abs();
    let a = if magnitude > 27.3 { 27.3 } else { magnitude };
    let (q, q_lo) = scaled_complement(a);
    let (square, square_lo) = two_prod(a, a);
    let (e, e_lo, k) = exp_unscaled(-square, -square_lo);
    let (product, product_lo) = two_prod(e, q);
    let n_lo = product_lo + e.mul_add(q_lo, e_lo * q);
    let (d, d_lo) = two_sum(2.0 * a, 1.0);
    let (quotient, _) = divide(product, n_lo, d, d_lo);
    let tail = scale(quotient, k);
    let far = if x < 0.0 { 2.0 - tail } else { tail };
    // Below 0.8 `1 - erf(x)` cancels little.
    let minus_x = -x;
    let (lead, lead_lo) = fast_two_sum(1.0, minus_x);
    let minor = x.mul_add(-erf_near(x * x), lead_lo);
    if magnitude < 0.8 { lead + minor } else { far }
}
