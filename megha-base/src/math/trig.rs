//! `sin`, `cos` and `tan`.
//!
//! Method: reduction by `pi / 2` (see `pi_reduction`) to a double-double in `[-pi/4, pi/4]`, then minimax
//! polynomials for the tails of sine and cosine, both evaluated and one selected by the quadrant (K. C. Ng's kernels in FDLIBM, with
//! fused multiply-adds keeping the leading terms exact). The tangent divides the two as double-doubles.
//!
//! Every function exists twice. The plain one is right for every argument. The `_moderate` one leaves out the
//! reduction for `|x| > MODERATE_LIMIT`, is several times as fast in a vectorised loop, and gives the same bits up to that limit; code
//! that processes a tile of elements first asks whether all of them are moderate.
//!
//! Generated from `megha-core/src/math/trig.mir`, where changes belong.
#![cfg_attr(rustfmt, rustfmt_skip)]

use super::coefficients::{cos_tail, sin_tail};
use super::double_double::{divide, fast_two_sum};
use super::pi_reduction::{reduce_angle, reduce_moderate};

/// The sine of `r + r_lo`, `|r| <= pi / 4` and a little more, but for the leading `r`.
#[inline(always)]
pub(super) fn sin_minor(r: f64, r_lo: f64) -> f64 {
    let z = r * r;
    // sin(r + r_lo) = sin r + r_lo cos r, and cos r is 1 - z/2 as far as r_lo can tell.
    let half_lo = -0.5 * r_lo;
    (z * r).mul_add(sin_tail(z), z.mul_add(half_lo, r_lo))
}

/// The cosine of `r + r_lo`, likewise, as leading term and tail.
#[inline(always)]
pub(super) fn cos_parts(r: f64, r_lo: f64) -> (f64, f64) {
    let z = r * r;
    // 1 - r^2/2 and what rounding it lost.
    let minus_half = -0.5 * r;
    let hi = minus_half.mul_add(r, 1.0);
    // The derivative of the cosine is minus the sine, which is `r` as far as r_lo can tell.
    let minus_r_lo = -r_lo;
    let first_order = r.mul_add(minus_r_lo, minus_half.mul_add(r, 1.0 - hi));
    let lo = (z * z).mul_add(cos_tail(z), first_order);
    (hi, lo)
}

/// Sine (`turn` 0) or cosine (`turn` 1) of the reduced argument, that is the sine `turn` quadrants further on.
#[inline(always)]
fn sine_of(quadrant: i64, r: f64, r_lo: f64, turn: i64) -> f64 {
    let index = quadrant.wrapping_add(turn);
    let (c, c_lo) = cos_parts(r, r_lo);
    let magnitude = if index & 1 == 0 { r + sin_minor(r, r_lo) } else { c + c_lo };
    // The upper two quadrants turn the sign: bit 1 of the index goes to bit 63.
    let bits = magnitude.to_bits() as i64;
    let signed = bits ^ (index & 2).wrapping_shl(62);
    f64::from_bits(signed as u64)
}

/// The tangent of the reduced argument: sine over cosine, or minus the inverse in odd quadrants.
#[inline(always)]
fn tangent_of(quadrant: i64, r: f64, r_lo: f64) -> f64 {
    let (c_lead, c_minor) = cos_parts(r, r_lo);
    let (s, s_lo) = fast_two_sum(r, sin_minor(r, r_lo));
    let (c, c_lo) = fast_two_sum(c_lead, c_minor);
    let even = quadrant & 1 == 0;
    let n = if even { s } else { -c };
    let n_lo = if even { s_lo } else { -c_lo };
    let d = if even { c } else { s };
    let d_lo = if even { c_lo } else { s_lo };
    let (value, _) = divide(n, n_lo, d, d_lo);
    value
}

/// The sine of `x` radians, within 1 ulp for every argument.
///
/// `sin(-0) = -0`; infinities and NaN give NaN.
#[inline(always)]
pub fn sin(x: f64) -> f64 {
    let (index, r, r_lo) = reduce_angle(x);
    if x == 0.0 { x } else { sine_of(index, r, r_lo, 0) }
}

/// The cosine of `x` radians, within 1 ulp for every argument.
///
/// Infinities and NaN give NaN.
#[inline(always)]
pub fn cos(x: f64) -> f64 {
    let (index, r, r_lo) = reduce_angle(x);
    sine_of(index, r, r_lo, 1)
}

/// The tangent of `x` radians, within 1 ulp for every argument.
///
/// `tan(-0) = -0`; infinities and NaN give NaN. No double is a pole, so the value is always finite.
#[inline(always)]
pub fn tan(x: f64) -> f64 {
    let (index, r, r_lo) = reduce_angle(x);
    if x == 0.0 { x } else { tangent_of(index, r, r_lo) }
}

/// [`sin`] for `|x| <= MODERATE_LIMIT`, to the same bits; meaningless beyond, NaN for infinities and NaN.
#[inline(always)]
pub fn sin_moderate(x: f64) -> f64 {
    let (index, r, r_lo) = reduce_moderate(x);
    if x == 0.0 { x } else { sine_of(index, r, r_lo, 0) }
}

/// [`cos`] for `|x| <= MODERATE_LIMIT`, to the same bits; meaningless beyond, NaN for infinities and NaN.
#[inline(always)]
pub fn cos_moderate(x: f64) -> f64 {
    let (index, r, r_lo) = reduce_moderate(x);
    sine_of(index, r, r_lo, 1)
}

/// [`tan`] for `|x| <= MODERATE_LIMIT`, to the same bits; meaningless beyond, NaN for infinities and NaN.
#[inline(always)]
pub fn tan_moderate(x: f64) -> f64 {
    let (index, r, r_lo) = reduce_moderate(x);
    if x == 0.0 { x } else { tangent_of(index, r, r_lo) }
}
