//! `sinh`, `cosh` and `tanh`.
//!
//! Method: `|x| = k ln 2 + r`; with `b = 2^-2k`, `2 sinh = 2^k ((1 - b) cosh r + (1 + b) sinh r)` and
//! `2 cosh = 2^k ((1 + b) cosh r + (1 - b) sinh r)`, from one pair of minimax polynomials (J.-M. Muller, Elementary
//! Functions, 3rd ed., section 10.5, without its table). No subtraction of exponentials, so nothing cancels near zero.

use super::coefficients::{COSH_TAIL, SINH_TAIL};
use super::double_double::{
    DoubleDouble, divide, fast_two_sum, polynomial, scale, select, two_prod, two_sum, with_sign_of,
};
use super::exp::{Reduced, reduce};

/// Beyond this `sinh` and `cosh` overflow.
const OVERFLOW: f64 = 711.0;
/// Beyond this `tanh` rounds to one.
const SATURATION: f64 = 20.0;

/// `a cosh r + b sinh r` for double-doubles `a` and `b` near one or zero.
#[inline(always)]
fn combine(a: DoubleDouble, b: DoubleDouble, r: DoubleDouble) -> DoubleDouble {
    let z = r.hi * r.hi;
    let minor_cosh = z.mul_add(0.5, (z * z) * polynomial(z, &COSH_TAIL));
    let minor_sinh = (z * r.hi).mul_add(polynomial(z, &SINH_TAIL), r.lo);
    let product = two_prod(b.hi, r.hi);
    let sum = two_sum(a.hi, product.hi);
    let lost = sum.lo + (product.lo + b.lo.mul_add(r.hi, a.lo));
    // The derivative of a cosh r towards r.lo is a sinh r.
    let minor = a.hi.mul_add(r.hi.mul_add(r.lo, minor_cosh), b.hi * minor_sinh);
    fast_two_sum(sum.hi, lost + minor)
}

/// `k`, `2^(1-k) sinh(a)` and `2^(1-k) cosh(a)` for `0 <= a <= OVERFLOW`.
#[inline(always)]
fn sinh_cosh(a: f64) -> (f64, DoubleDouble, DoubleDouble) {
    let Reduced { k, r } = reduce(DoubleDouble { hi: a, lo: 0.0 });
    // Beyond k = 60 the term b is beyond notice.
    let b = scale(1.0, -2.0 * select(k > 60.0, 60.0, k));
    let (minus, plus) = (fast_two_sum(1.0, -b), fast_two_sum(1.0, b));
    (k, combine(minus, plus, r), combine(plus, minus, r))
}

/// `|x|`, no larger than `limit`; NaN stays.
#[inline(always)]
fn capped_magnitude(x: f64, limit: f64) -> f64 {
    let magnitude = x.abs();
    select(magnitude > limit, limit, magnitude)
}

/// The hyperbolic sine of `x`, within 1 ulp.
///
/// `sinh(-0) = -0`, infinities and NaN stay.
#[inline(always)]
pub fn sinh(x: f64) -> f64 {
    let (k, sinh, _) = sinh_cosh(capped_magnitude(x, OVERFLOW));
    with_sign_of(scale(sinh.hi, k - 1.0), x)
}

/// The hyperbolic cosine of `x`, within 1 ulp.
///
/// Infinities give Inf, NaN stays.
#[inline(always)]
pub fn cosh(x: f64) -> f64 {
    let (k, _, cosh) = sinh_cosh(capped_magnitude(x, OVERFLOW));
    scale(cosh.hi, k - 1.0)
}

/// The hyperbolic tangent of `x`, within 1 ulp.
///
/// `tanh(-0) = -0`, `tanh(Inf) = 1`, `tanh(-Inf) = -1`, NaN stays NaN.
#[inline(always)]
pub fn tanh(x: f64) -> f64 {
    let (_, sinh, cosh) = sinh_cosh(capped_magnitude(x, SATURATION));
    let value = divide(sinh, cosh).hi;
    with_sign_of(select(x.abs() < TINY, x.abs(), value), x)
}

/// Below this `tanh(x)` rounds to `x`, and the remainder of a division could underflow.
const TINY: f64 = 1e-30;
