//! `sin`, `cos` and `tan` of singles.
//!
//! Method: as in `trig`, in single precision. Up to `MODERATE_LIMIT_SINGLE` the angle is reduced by Cody and Waite's subtraction with a
//! three-part `pi / 2`, beyond by Payne and Hanek's method (see `pi_reduction`) on 96 bits of `2 / pi`, with one 64-bit number as
//! result; both without a branch, and the `_moderate` functions without the second. A reduced angle is
//! `x = index * pi/2 + r` with `r` within 1 ulp, which serves the sine and the cosine, or `+ r + r_lo`, for the tangent; only the low two
//! bits of `index` count.
//!
//! Generated from `megha-core/src/math/single_trig.mir`, where changes belong.
#![cfg_attr(rustfmt, rustfmt_skip)]

use super::single_arithmetic::{
    SHIFTER_SINGLE, divide_single, fast_two_sum_single, two_prod_single, two_sum_single,
};
use super::single_coefficients::{
    HALF_PI_1_SINGLE, HALF_PI_2_SINGLE, HALF_PI_3_SINGLE, TWO_OVER_PI_SINGLE, cos_tail_single, sin_tail_single,
    two_over_pi_window_single,
};

/// The largest `|x|` that the subtraction serves: `2^17`. Three parts of `pi / 2` leave out no more than `2^-57` of
/// the product then, and no single up to there comes nearer to a multiple of `pi / 2` than `2^-31`.
pub const MODERATE_LIMIT_SINGLE: f32 = 131072.0;

/// Reduces `|x| <= MODERATE_LIMIT_SINGLE`.
#[inline(always)]
fn reduce_moderate_single(x: f32) -> (i64, f32) {
    let shifted = x.mul_add(TWO_OVER_PI_SINGLE, SHIFTER_SINGLE);
    let k = shifted - SHIFTER_SINGLE;
    // Exact: the product fits in one fused operation and the difference cancels.
    let first = k.mul_add(-HALF_PI_1_SINGLE, x);
    let second = k.mul_add(-HALF_PI_2_SINGLE, first);
    let r = k.mul_add(-HALF_PI_3_SINGLE, second);
    (shifted.to_bits() as i64, r)
}

/// [`reduce_moderate_single`] with what its steps lost.
#[inline(always)]
fn reduce_moderate_exactly_single(x: f32) -> (i64, f32, f32) {
    let shifted = x.mul_add(TWO_OVER_PI_SINGLE, SHIFTER_SINGLE);
    let k = shifted - SHIFTER_SINGLE;
    let (second, second_lo) = two_prod_single(k, HALF_PI_2_SINGLE);
    let (sum, sum_lo) = two_sum_single(k.mul_add(-HALF_PI_1_SINGLE, x), -second);
    let minor = k.mul_add(-HALF_PI_3_SINGLE, sum_lo - second_lo);
    let (r, r_lo) = fast_two_sum_single(sum, minor);
    (shifted.to_bits() as i64, r, r_lo)
}

/// An integer below `2^23` as a single, by placing it in the mantissa of `2^23`.
#[inline(always)]
fn small_to_f32(n: i64) -> f32 {
    let raised = f32::from_bits((n | 0x4b00_0000) as u32);
    raised - 8388608.0
}

/// 32 bits of two neighbouring words, from bit `left` of the first on.
#[inline(always)]
fn word_at(word: i64, next: i64, left: i64) -> i64 {
    let shifted = (word.wrapping_shl(32) | next).wrapping_shl(left as u32);
    (shifted as u64).wrapping_shr(32) as i64
}

/// `x * 2 / pi` modulo 4 in units of `2^-62`, in two's complement, for `MODERATE_LIMIT_SINGLE < |x| < Inf`.
#[inline(always)]
fn quadrants_of_huge(x: f32) -> i64 {
    let bits = x.to_bits() as i64;
    let mantissa = bits & 0x7f_ffff | 0x80_0000;
    // |x| = mantissa * 2^(exponent - 150). Bits of 2/pi before this offset (in a stream that starts with 8 zeros)
    // contribute multiples of four quadrants: 144 = 150 + 2 - 8.
    let exponent = ((bits & 0x7fff_ffff) as u64).wrapping_shr(23) as i64;
    let offset = exponent.wrapping_sub(144);
    let word = (offset as u64).wrapping_shr(5) as i64;
    let (word0, word1, word2, word3) = two_over_pi_window_single(word);
    let left = offset & 31;
    // The product modulo 2^96, without its low word.
    let p0 = mantissa.wrapping_mul(word_at(word0, word1, left));
    let p1 = mantissa.wrapping_mul(word_at(word1, word2, left));
    let p2 = mantissa.wrapping_mul(word_at(word2, word3, left));
    let bottom = (p2 as u64).wrapping_shr(32) as i64;
    let upper = p0.wrapping_shl(32).wrapping_add(p1);
    let sum = upper.wrapping_add(bottom);
    // The reduction is odd.
    let minus_sum = sum.wrapping_neg();
    if x < 0.0 { minus_sum } else { sum }
}

/// Reduces `MODERATE_LIMIT_SINGLE < |x| < Inf`.
#[inline(always)]
fn reduce_huge_single(x: f32) -> (i64, f32, f32) {
    let raised = quadrants_of_huge(x).wrapping_add(1_i64.wrapping_shl(61));
    let index = (raised as u64).wrapping_shr(62) as i64;
    // The rest, raised by half a quadrant: 62 bits in pieces of 21, 21 and 20, each exact as a single.
    let high = (raised as u64).wrapping_shr(41) as i64;
    let middle = (raised as u64).wrapping_shr(20) as i64;
    let d0 = small_to_f32(high & 0x1f_ffff) - 1048576.0;
    let t1 = small_to_f32(middle & 0x1f_ffff) * 2.2737368e-13;
    let (lead, lead_lo) = fast_two_sum_single(d0 * 4.7683716e-7, t1);
    let minor = small_to_f32(raised & 0xf_ffff).mul_add(2.1684043e-19, lead_lo);
    let (sum, sum_lo) = fast_two_sum_single(lead, minor);
    // Quadrants to radians.
    let (product, product_lo) = two_prod_single(sum, HALF_PI_1_SINGLE);
    let second = sum.mul_add(HALF_PI_2_SINGLE, product_lo);
    let rest = sum_lo.mul_add(HALF_PI_1_SINGLE, second);
    let (r, r_lo) = fast_two_sum_single(product, rest);
    (index, r, r_lo)
}

/// Reduces any `x`; infinities and NaN become NaN.
#[inline(always)]
fn reduce_angle_single(x: f32) -> (i64, f32) {
    let (near_index, near) = reduce_moderate_single(x);
    let (far_index, far, _) = reduce_huge_single(x);
    let magnitude = x.abs();
    let moderate = magnitude <= MODERATE_LIMIT_SINGLE;
    let index = if moderate { near_index } else { far_index };
    let angle = if moderate { near } else { far };
    let r = if magnitude < f32::INFINITY { angle } else { f32::NAN };
    (index, r)
}

/// [`reduce_angle_single`] with what its steps lost.
#[inline(always)]
fn reduce_angle_exactly_single(x: f32) -> (i64, f32, f32) {
    let (near_index, near, near_lo) = reduce_moderate_exactly_single(x);
    let (far_index, far, far_lo) = reduce_huge_single(x);
    let magnitude = x.abs();
    let moderate = magnitude <= MODERATE_LIMIT_SINGLE;
    let index = if moderate { near_index } else { far_index };
    let angle = if moderate { near } else { far };
    let r_lo = if moderate { near_lo } else { far_lo };
    let r = if magnitude < f32::INFINITY { angle } else { f32::NAN };
    (index, r, r_lo)
}

/// The sine of `r`, `|r| <= pi / 4` and a little more.
#[inline(always)]
fn sin_kernel_single(r: f32) -> f32 {
    let z = r * r;
    (z * r).mul_add(sin_tail_single(z), r)
}

/// The cosine of `r`, likewise.
#[inline(always)]
fn cos_kernel_single(r: f32) -> f32 {
    let z = r * r;
    let minor = z.mul_add(-0.5, z * z * cos_tail_single(z));
    minor + 1.0
}

/// Sine (`turn` 0) or cosine (`turn` 1) of the reduced argument, that is the sine `turn` quadrants further on.
#[inline(always)]
fn sine_of_single(quadrant: i64, r: f32, turn: i64) -> f32 {
    let index = quadrant.wrapping_add(turn);
    let magnitude = if index & 1 == 0 { sin_kernel_single(r) } else { cos_kernel_single(r) };
    // The upper two quadrants turn the sign: bit 1 of the index goes to bit 31.
    let bits = magnitude.to_bits() as i64;
    let signed = bits ^ (index & 2).wrapping_shl(30);
    f32::from_bits(signed as u32)
}

/// The tangent of the reduced argument: sine over cosine, or minus the inverse in odd quadrants.
#[inline(always)]
fn tangent_of_single(quadrant: i64, r: f32, r_lo: f32) -> f32 {
    let z = r * r;
    // sin(r + r_lo) = sin r + r_lo cos r, and cos r is 1 - z/2 as far as r_lo can tell.
    let half_lo = -0.5 * r_lo;
    let s_minor = (z * r).mul_add(sin_tail_single(z), z.mul_add(half_lo, r_lo));
    let (s, s_lo) = fast_two_sum_single(r, s_minor);
    let higher = (z * z).mul_add(cos_tail_single(z), r * -r_lo);
    let (c, c_lo) = fast_two_sum_single(1.0, z.mul_add(-0.5, higher));
    let even = quadrant & 1 == 0;
    let n = if even { s } else { -c };
    let n_lo = if even { s_lo } else { -c_lo };
    let d = if even { c } else { s };
    let d_lo = if even { c_lo } else { s_lo };
    let (value, _) = divide_single(n, n_lo, d, d_lo);
    value
}

/// The sine of `x` radians, within 1.6 ulp for every argument.
///
/// `sin(-0) = -0`; infinities and NaN give NaN.
#[inline(always)]
pub fn sin_single(x: f32) -> f32 {
    let (index, r) = reduce_angle_single(x);
    if x == 0.0 { x } else { sine_of_single(index, r, 0) }
}

/// The cosine of `x` radians, within 1.6 ulp for every argument.
///
/// Infinities and NaN give NaN.
#[inline(always)]
pub fn cos_single(x: f32) -> f32 {
    let (index, r) = reduce_angle_single(x);
    sine_of_single(index, r, 1)
}

/// [`sin_single`] for `|x| <= MODERATE_LIMIT_SINGLE`, to the same bits; meaningless beyond, NaN for infinities and NaN.
#[inline(always)]
pub fn sin_moderate_single(x: f32) -> f32 {
    let (index, r) = reduce_moderate_single(x);
    if x == 0.0 { x } else { sine_of_single(index, r, 0) }
}

/// [`cos_single`] for `|x| <= MODERATE_LIMIT_SINGLE`, to the same bits; meaningless beyond, NaN for infinities and NaN.
#[inline(always)]
pub fn cos_moderate_single(x: f32) -> f32 {
    let (index, r) = reduce_moderate_single(x);
    sine_of_single(index, r, 1)
}

/// The tangent of `x` radians, within 2 ulp for every argument.
///
/// `tan(-0) = -0`; infinities and NaN give NaN. No single is a pole, so the value is always finite.
#[inline(always)]
pub fn tan_single(x: f32) -> f32 {
    let (index, r, r_lo) = reduce_angle_exactly_single(x);
    let value = tangent_of_single(index, r, r_lo);
    // A tiny argument is its own tangent, and the remainder of a division could underflow.
    let magnitude = x.abs();
    if magnitude < 1e-10 { x } else { value }
}

/// [`tan_single`] for `|x| <= MODERATE_LIMIT_SINGLE`, to the same bits; meaningless beyond, NaN for infinities and NaN.
#[inline(always)]
pub fn tan_moderate_single(x: f32) -> f32 {
    let (index, r, r_lo) = reduce_moderate_exactly_single(x);
    let value = tangent_of_single(index, r, r_lo);
    if x.abs() < 1e-10 { x } else { value }
}
