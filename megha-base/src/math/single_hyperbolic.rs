//! `sinh`, `cosh` and `tanh` of singles.
//!
//! Method: `sinh` and `cosh` as in `hyperbolic`, in single precision. `tanh` is a minimax polynomial near zero, and `1 - 2 / (exp(2a) + 1)`
//! beyond.
//!
//! Generated from `megha-core/src/math/single_hyperbolic.mir`, where changes belong.
#![cfg_attr(rustfmt, rustfmt_skip)]

use super::single_arithmetic::{
    SHIFTER_SINGLE, exp2_of_shifted_single, fast_two_sum_single, scale_single, with_sign_of_single,
};
use super::single_coefficients::{cosh_tail_single, exp_tail_single, sinh_tail_single, tanh_near_single};
use super::single_exp::reduce_exponent_single;

/// `|x|`, no larger than `limit`; NaN stays.
#[inline(always)]
fn capped_magnitude_single(x: f32, limit: f32) -> f32 {
    let magnitude = x.abs();
    if magnitude > limit { limit } else { magnitude }
}

/// The hyperbolic tangent of `x`, within 1.5 ulp.
///
/// `tanh(-0) = -0`, `tanh(Inf) = 1`, `tanh(-Inf) = -1`, NaN stays NaN.
#[inline(always)]
pub fn tanh_single(x: f32) -> f32 {
    // Beyond 10 it rounds to one.
    let a = capped_magnitude_single(x, 10.0);
    let z = a * a;
    let near = (z * a).mul_add(tanh_near_single(z), a);
    let (shifted, _, r) = reduce_exponent_single(a + a);
    let minor = (r * r).mul_add(exp_tail_single(r), r);
    let power = exp2_of_shifted_single(shifted);
    let denominator = minor.mul_add(power, power + 1.0);
    let magnitude = if a < 0.55 { near } else { 1.0 - 2.0 / denominator };
    with_sign_of_single(magnitude, x)
}

/// `k - 1`, held as `k - 1 + shifter`, `2^(1-k) sinh(a)` and `2^(1-k) cosh(a)` for `0 <= a <= 90`.
#[inline(always)]
fn sinh_cosh_single(a: f32) -> (f32, f32, f32) {
    let (shifted_k, k, r) = reduce_exponent_single(a);
    // Beyond k = 30 the term b = 2^-2k is beyond notice.
    let large = k > 30.0;
    let capped = if large { 30.0 } else { k };
    let shifted_b = (-2.0_f32).mul_add(capped, SHIFTER_SINGLE);
    let b = exp2_of_shifted_single(shifted_b);
    let minus = 1.0 - b;
    let (plus, plus_lo) = fast_two_sum_single(1.0, b);
    let z = r * r;
    let minor_cosh = z.mul_add(0.5, z * z * cosh_tail_single(z));
    let minor_sinh = z * r * sinh_tail_single(z);
    // minus cosh r + plus sinh r, and the reverse; the leading terms with what their sums lose.
    let sinh_lead = plus.mul_add(r, minus);
    let sinh_lost = plus.mul_add(r, minus - sinh_lead);
    let sinh_low = minus.mul_add(minor_cosh, sinh_lost);
    let sinh_rest = plus.mul_add(minor_sinh, sinh_low);
    let cosh_lead = minus.mul_add(r, plus);
    let cosh_lost = minus.mul_add(r, plus - cosh_lead);
    let cosh_low = minus.mul_add(minor_sinh, cosh_lost + plus_lo);
    let cosh_rest = plus.mul_add(minor_cosh, cosh_low);
    (shifted_k - 1.0, sinh_lead + sinh_rest, cosh_lead + cosh_rest)
}

/// The hyperbolic sine of `x`, within 1.1 ulp.
///
/// `sinh(-0) = -0`, infinities and NaN stay.
#[inline(always)]
pub fn sinh_single(x: f32) -> f32 {
    // Beyond 90 it overflows.
    let a = capped_magnitude_single(x, 90.0);
    let (shifted, sinh, _) = sinh_cosh_single(a);
    with_sign_of_single(scale_single(sinh, shifted), x)
}

/// The hyperbolic cosine of `x`, within 1.1 ulp.
///
/// Infinities give Inf, NaN stays.
#[inline(always)]
pub fn cosh_single(x: f32) -> f32 {
    // Beyond 90 it overflows.
    let a = capped_magnitude_single(x, 90.0);
    let (shifted, _, cosh) = sinh_cosh_single(a);
    scale_single(cosh, shifted)
}
