//! `sinh`, `cosh` and `tanh`.
//!
//! Method: `|x| = k ln 2 + r`; with `b = 2^-2k`, `2 sinh = 2^k ((1 - b) cosh r + (1 + b) sinh r)` and
//! `2 cosh = 2^k ((1 + b) cosh r + (1 - b) sinh r)`, from one pair of minimax polynomials (J.-M. Muller, Elementary
//! Functions, 3rd ed., section 10.5, without its table). No subtraction of exponentials, so nothing cancels near zero.
//!
//! Generated from `megha-core/src/math/hyperbolic.mir`, where changes belong.
#![cfg_attr(rustfmt, rustfmt_skip)]

use super::coefficients::{cosh_tail, sinh_tail};
use super::double_double::{divide, fast_two_sum, scale, two_prod, two_sum, with_sign_of};
use super::exp::reduce_exponent;

/// `cosh(r + r_lo) - 1` and `sinh(r + r_lo) - r`, but for the effect of `r_lo` on the cosine.
#[inline(always)]
fn minor_cosh_sinh(r: f64, r_lo: f64) -> (f64, f64) {
    let z = r * r;
    let minor_cosh = z.mul_add(0.5, z * z * cosh_tail(z));
    let minor_sinh = (z * r).mul_add(sinh_tail(z), r_lo);
    (minor_cosh, minor_sinh)
}

/// `(a + a_lo) cosh r + (b + b_lo) sinh r` for `a` and `b` near one or zero, given what [`minor_cosh_sinh`] says of `r + r_lo`.
#[inline(always)]
fn combine(a: f64, a_lo: f64, b: f64, b_lo: f64, r: f64, minor_cosh: f64, minor_sinh: f64) -> (f64, f64) {
    let (product, product_lo) = two_prod(b, r);
    let (sum, sum_lo) = two_sum(a, product);
    let minor_product = product_lo + b_lo.mul_add(r, a_lo);
    let minor = a.mul_add(minor_cosh, b * minor_sinh);
    fast_two_sum(sum, sum_lo + minor_product + minor)
}

/// `k`, `2^(1-k) sinh(a)` and `2^(1-k) cosh(a)` for `0 <= a <= 711`.
#[inline(always)]
fn sinh_cosh(a: f64) -> (f64, f64, f64, f64, f64) {
    let (k, r, r_lo) = reduce_exponent(a, 0.0);
    // Beyond k = 60 the term b is beyond notice.
    let large = k > 60.0;
    let capped = if large { 60.0 } else { k };
    let b = scale(1.0, -2.0 * capped);
    let (minus, minus_lo) = fast_two_sum(1.0, -b);
    let (plus, plus_lo) = fast_two_sum(1.0, b);
    let (even, minor_sinh) = minor_cosh_sinh(r, r_lo);
    // The derivative of the hyperbolic cosine towards r_lo is the sine, `r` as far as r_lo can tell.
    let minor_cosh = r.mul_add(r_lo, even);
    let (sinh, sinh_lo) = combine(minus, minus_lo, plus, plus_lo, r, minor_cosh, minor_sinh);
    let (cosh, cosh_lo) = combine(plus, plus_lo, minus, minus_lo, r, minor_cosh, minor_sinh);
    (k, sinh, sinh_lo, cosh, cosh_lo)
}

/// `|x|`, no larger than `limit`; NaN stays.
#[inline(always)]
fn capped_magnitude(x: f64, limit: f64) -> f64 {
    let magnitude = x.abs();
    if magnitude > limit { limit } else { magnitude }
}

/// The hyperbolic sine of `x`, within 1 ulp.
///
/// `sinh(-0) = -0`, infinities and NaN stay.
#[inline(always)]
pub fn sinh(x: f64) -> f64 {
    // Beyond 711 it overflows.
    let a = capped_magnitude(x, 711.0);
    let (k, sinh, _, _, _) = sinh_cosh(a);
    with_sign_of(scale(sinh, k - 1.0), x)
}

/// The hyperbolic cosine of `x`, within 1 ulp.
///
/// Infinities give Inf, NaN stays.
#[inline(always)]
pub fn cosh(x: f64) -> f64 {
    // Beyond 711 it overflows.
    let a = capped_magnitude(x, 711.0);
    let (k, _, _, cosh, _) = sinh_cosh(a);
    scale(cosh, k - 1.0)
}

/// The hyperbolic tangent of `x`, within 1 ulp.
///
/// `tanh(-0) = -0`, `tanh(Inf) = 1`, `tanh(-Inf) = -1`, NaN stays NaN.
#[inline(always)]
pub fn tanh(x: f64) -> f64 {
    // Beyond 20 it rounds to one.
    let a = capped_magnitude(x, 20.0);
    let (_, sinh, sinh_lo, cosh, cosh_lo) = sinh_cosh(a);
    let (quotient, _) = divide(sinh, sinh_lo, cosh, cosh_lo);
    // A tiny argument is its own value, and the remainder of a division could underflow.
    let magnitude = x.abs();
    let value = if magnitude < 1e-30 { magnitude } else { quotient };
    with_sign_of(value, x)
}
