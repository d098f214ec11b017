//! `asinh`, `acosh` and `atanh`.
//!
//! Method: each is the logarithm of a number that is known as a double-double: `a + sqrt(a^2 + 1)`, `x + sqrt(x^2 - 1)` and
//! `1 + 2a / (1 - a)` (half of it). Near one, where the logarithm is small, the low part holds what the
//! high part cannot, so nothing cancels (compare W. Kahan, "Branch cuts for complex elementary functions", 1987, for the forms).
//!
//! Generated from `megha-core/src/math/inverse_hyperbolic.mir`, where changes belong.
#![cfg_attr(rustfmt, rustfmt_skip)]

use super::double_double::{divide, fast_two_sum, two_prod, two_sum, with_sign_of};
use super::log::log_of_double_double;

/// The square root of the double-double `x + x_lo`, zero at zero; the remainder gives the low part.
#[inline(always)]
fn sqrt_double_double(x: f64, x_lo: f64) -> (f64, f64) {
    let hi = x.sqrt();
    let correction = ((-hi).mul_add(hi, x) + x_lo) / (hi + hi);
    let lo = if x == 0.0 { 0.0 } else { correction };
    (hi, lo)
}

/// The inverse hyperbolic sine of `x`, within 1 ulp.
///
/// `asinh(-0) = -0`, infinities and NaN stay.
#[inline(always)]
pub fn asinh(x: f64) -> f64 {
    let magnitude = x.abs();
    // From 2^32 on `asinh(a)` is `log(2a)` to the last bit.
    let large = magnitude >= 4294967296.0;
    let a = if large { 4294967296.0 } else { magnitude };
    // a + sqrt(1 + a^2) - 1 = a + a^2 / (1 + sqrt(1 + a^2)): no difference of near numbers.
    let (square, square_lo) = two_prod(a, a);
    let (w, w_rest) = two_sum(1.0, square);
    let (root, root_lo) = sqrt_double_double(w, w_rest + square_lo);
    let (d, d_rest) = fast_two_sum(root, 1.0);
    let (bend, bend_lo) = divide(square, square_lo, d, d_rest + root_lo);
    let (t, t_rest) = two_sum(a, bend);
    let (u, u_rest) = two_sum(1.0, t);
    // A large argument takes the place of `u`, and its double the place of its logarithm.
    let argument = if large { magnitude } else { u };
    let argument_lo = if large { 0.0 } else { u_rest + (t_rest + bend_lo) };
    let halvings = if large { -1.0_f64 } else { 0.0 };
    let value = log_of_double_double(argument, argument_lo, halvings);
    // A tiny argument is its own value; infinity and NaN are too.
    let tiny = magnitude < 7.888609052210118e-31;
    let ordinary = if tiny { magnitude } else { value };
    let positive = if magnitude < f64::INFINITY { ordinary } else { magnitude };
    with_sign_of(positive, x)
}

/// The inverse hyperbolic cosine of `x`, within 1 ulp.
///
/// `acosh(1) = 0`, `acosh(Inf) = Inf`; NaN below 1, where MATLAB's value is complex.
#[inline(always)]
pub fn acosh(x: f64) -> f64 {
    // From 2^32 on `acosh(x)` is `log(2x)` to the last bit.
    let large = x >= 4294967296.0;
    let a = if large { 4294967296.0 } else { x };
    // x^2 - 1 as (x - 1) (x + 1), each exact.
    let (below, below_lo) = two_sum(a, -1.0);
    let (above, above_lo) = two_sum(a, 1.0);
    let (product, product_rest) = two_prod(below, above);
    let cross = below.mul_add(above_lo, below_lo * above);
    let (root, root_lo) = sqrt_double_double(product, product_rest + cross);
    let (u, u_rest) = two_sum(a, root);
    let argument = if large { x } else { u };
    let argument_lo = if large { 0.0 } else { u_rest + root_lo };
    let halvings = if large { -1.0_f64 } else { 0.0 };
    let value = log_of_double_double(argument, argument_lo, halvings);
    let ordinary = if x < f64::INFINITY { value } else { x };
    if x >= 1.0 { ordinary } else { f64::NAN }
}

/// The inverse hyperbolic tangent of `x`, within 1 ulp.
///
/// `atanh(-0) = -0`, `atanh(1) = Inf`, `atanh(-1) = -Inf`; NaN outside `[-1, 1]`, where MATLAB's value is complex.
#[inline(always)]
pub fn atanh(x: f64) -> f64 {
    let a = x.abs();
    let (d, d_lo) = fast_two_sum(1.0, -a);
    let (q, q_lo) = divide(2.0 * a, 0.0, d, d_lo);
    let (u, u_rest) = two_sum(1.0, q);
    let log = log_of_double_double(u, u_rest + q_lo, 0.0);
    // A tiny argument is its own value.
    let tiny = a < 7.888609052210118e-31;
    let ordinary = if tiny { a } else { 0.5 * log };
    let end = if a == 1.0 { f64::INFINITY } else { f64::NAN };
    let positive = if a < 1.0 { ordinary } else { end };
    with_sign_of(positive, x)
}
