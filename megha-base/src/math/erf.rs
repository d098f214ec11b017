//! `erf` and `erfc`.
//!
//! Method: near zero a minimax polynomial for `erf(x) / x`; further out `erf = 1 - exp(-P(x))` with `P` a minimax
//! polynomial in `x - 1` for `-log(erfc x)`. The complement over its whole range: `erfc(x) = exp(-x^2) Q(t) / (1 + 2x)`,
//! `t = (x - 3.75) / (x + 3.75)` (M. M. Shepherd and J. G. Laframboise, "Chebyshev approximation of
//! (1 + 2x) exp(x^2) erfc(x) in 0 <= x < infinity", Math. Comp. 36 (1981)), with `x^2`, `exp` and the quotient in
//! double-double, so that the tail keeps its relative accuracy.

use super::coefficients::{ERF_FAR, ERF_NEAR, ERFC_SCALED};
use super::double_double::{
    DoubleDouble, divide, fast_two_sum, polynomial, scale, select, two_prod, two_sum, with_sign_of,
};
use super::exp::{exp_unscaled, expm1_of_negative};

/// From here on `erf` rounds to one.
const ERF_SATURATION: f64 = 5.93;
/// From here on `erfc` rounds to zero.
const ERFC_LIMIT: f64 = 27.3;
/// Below this `erfc(x)` is `1 - erf(x)` with little cancellation.
const NEAR_ONE: f64 = 0.8;
/// The pivot of the variable `t`.
const PIVOT: f64 = 3.75;

/// The error function of `x`, within 1.35 ulp.
///
/// `erf(-0) = -0`, `erf(Inf) = 1`, `erf(-Inf) = -1`, NaN stays NaN.
#[inline(always)]
pub fn erf(x: f64) -> f64 {
    let magnitude = x.abs();
    let near = x.mul_add(polynomial(x * x, &ERF_NEAR), x);
    let capped = select(magnitude > ERF_SATURATION, ERF_SATURATION, magnitude);
    let [constant, higher @ ..] = ERF_FAR;
    // The constant comes last, so that only one rounding of the whole exponent remains.
    let exponent = (1.0 - capped).mul_add(polynomial(capped - 1.0, &higher), -constant);
    let far = with_sign_of(-expm1_of_negative(exponent), x);
    select(magnitude < 1.0, near, far)
}

/// `(1 + 2a) exp(a^2) erfc(a)` for `0 <= a <= ERFC_LIMIT`.
#[inline(always)]
fn scaled_complement(a: f64) -> DoubleDouble {
    let t = divide(two_sum(a, -PIVOT), two_sum(a, PIVOT));
    let [constant, higher @ ..] = ERFC_SCALED;
    let slope = polynomial(t.hi, &higher);
    let product = two_prod(slope, t.hi);
    let sum = fast_two_sum(constant, product.hi);
    DoubleDouble { hi: sum.hi, lo: sum.lo + slope.mul_add(t.lo, product.lo) }
}

/// The complementary error function `1 - erf(x)`, within 2 ulp over its whole range, subnormal results included.
///
/// `erfc(Inf) = 0`, `erfc(-Inf) = 2`, NaN stays NaN; zero from 27.3 on.
#[inline(always)]
pub fn erfc(x: f64) -> f64 {
    let magnitude = x.abs();
    let a = select(magnitude > ERFC_LIMIT, ERFC_LIMIT, magnitude);
    let q = scaled_complement(a);
    let square = two_prod(a, a);
    let (e, k) = exp_unscaled(DoubleDouble { hi: -square.hi, lo: -square.lo });
    let product = two_prod(e.hi, q.hi);
    let n = DoubleDouble { hi: product.hi, lo: product.lo + e.hi.mul_add(q.lo, e.lo * q.hi) };
    let value = divide(n, two_sum(2.0 * a, 1.0));
    let tail = scale(value.hi, k);
    let far = select(x < 0.0, 2.0 - tail, tail);
    let lead = fast_two_sum(1.0, -x);
    let near = lead.hi + x.mul_add(-polynomial(x * x, &ERF_NEAR), lead.lo);
    select(magnitude < NEAR_ONE, near, far)
}
