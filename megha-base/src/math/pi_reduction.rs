//! Reduction of an angle modulo `pi / 2`.
//!
//! Up to `MODERATE_LIMIT`: W. J. Cody and W. Waite's subtraction (Software Manual for the Elementary Functions, 1980,
//! ch. 8) with a three-part `pi / 2` of 159 bits, where a fused multiply-add makes the first subtraction exact (J.-M. Muller,
//! Elementary Functions, 3rd ed., section 11.2). Beyond: M. Payne and R. Hanek, "Radian reduction for trigonometric
//! functions", SIGNUM Newsletter 18 (1983), on 192 bits of `2 / pi` that a barrel shifter picks, in 32-bit limbs, without a
//! branch or an indexed load.
//!
//! A reduced angle is `x = index * pi/2 + r + r_lo` with `|r|` at most a hair above `pi / 4`; only the low two bits of `index` count.
//!
//! Generated from `megha-core/src/math/pi_reduction.mir`, where changes belong.
#![cfg_attr(rustfmt, rustfmt_skip)]

use super::coefficients::{HALF_PI_1, HALF_PI_2, HALF_PI_3, TWO_OVER_PI, two_over_pi_window};
use super::double_double::{EXP2_52, MANTISSA_MASK, SHIFTER, fast_two_sum, two_prod, two_sum};

/// The largest `|x|` that the subtraction serves: `2^40`. The reduced argument is then wrong by at most `2^-120`, while no
/// double comes nearer to a multiple of `pi / 2` than `2^-62`.
pub const MODERATE_LIMIT: f64 = 1099511627776.0;

/// A limb of the products: its low half is kept, its high half is carried.
const LOW_32: i64 = 0xffff_ffff;

/// Reduces `|x| <= MODERATE_LIMIT`.
#[inline(always)]
pub(super) fn reduce_moderate(x: f64) -> (i64, f64, f64) {
    let shifted = x.mul_add(TWO_OVER_PI, SHIFTER);
    let k = shifted - SHIFTER;
    // Exact: the product fits in one fused operation and the difference cancels.
    let first = k.mul_add(-HALF_PI_1, x);
    let (second, second_lo) = two_prod(k, HALF_PI_2);
    let (sum, sum_lo) = two_sum(first, -second);
    let minor = k.mul_add(-HALF_PI_3, sum_lo - second_lo);
    let (r, r_lo) = fast_two_sum(sum, minor);
    (shifted.to_bits() as i64, r, r_lo)
}

/// An integer below `2^52` as a double, by placing it in the mantissa of `2^52`.
#[inline(always)]
fn small_to_f64(n: i64) -> f64 {
    let raised = f64::from_bits((n | (EXP2_52.to_bits() as i64)) as u64);
    raised - EXP2_52
}

/// Bits `64 word + bit` on of the stream of four words, as a high and a low limb; `left = 63 - right` bits are passed over.
#[inline(always)]
fn limbs(word: i64, next: i64, left: i64, right: i64) -> (i64, i64) {
    // In two steps, because a shift by 64 has no meaning.
    let next_half = (next as u64).wrapping_shr(1) as i64;
    let rest = (next_half as u64).wrapping_shr(right as u32) as i64;
    let bits = word.wrapping_shl(left as u32) | rest;
    let high = (bits as u64).wrapping_shr(32) as i64;
    (high, bits & LOW_32)
}

/// One column of a product of limbs: the low halves of two products, the high halves of the two of the next column, and
/// what that column carried.
#[inline(always)]
fn column(a: i64, b: i64, next_a: i64, next_b: i64, carry: i64) -> (i64, i64) {
    let low = (a & LOW_32).wrapping_add(b & LOW_32);
    let next_a_high = (next_a as u64).wrapping_shr(32) as i64;
    let with_carry = low.wrapping_add(next_a_high).wrapping_add(carry);
    let next_b_high = (next_b as u64).wrapping_shr(32) as i64;
    let sum = with_carry.wrapping_add(next_b_high);
    let carry_out = (sum as u64).wrapping_shr(32) as i64;
    (sum & LOW_32, carry_out)
}

/// The top four limbs of `mantissa * w` modulo `2^192`, `w` given as limbs, the most significant first; the carry out of what is
/// left out is at most a few units of the last limb.
#[inline(always)]
fn multiply(mantissa: i64, w0: i64, w1: i64, w2: i64, w3: i64, w4: i64, w5: i64) -> (i64, i64, i64, i64) {
    let low = mantissa & LOW_32;
    let high = (mantissa as u64).wrapping_shr(32) as i64;
    let low1 = low.wrapping_mul(w1);
    let low2 = low.wrapping_mul(w2);
    let low3 = low.wrapping_mul(w3);
    let high2 = high.wrapping_mul(w2);
    let high3 = high.wrapping_mul(w3);
    let high4 = high.wrapping_mul(w4);
    // From the least significant column on.
    let (f3, carry3) = column(low3, high4, low.wrapping_mul(w4), high.wrapping_mul(w5), 0);
    let (f2, carry2) = column(low2, high3, low3, high4, carry3);
    let (f1, carry1) = column(low1, high2, low2, high3, carry2);
    let (f0, _) = column(low.wrapping_mul(w0), high.wrapping_mul(w1), low1, high2, carry1);
    (f0, f1, f2, f3)
}

/// The fraction `f0 + f1 2^-32 + ..` of a number of quadrants (modulo 4, 30 fraction bits in the first limb) as the
/// nearest whole quadrant and an angle in `[-pi/4, pi/4]`.
#[inline(always)]
fn angle_of_limbs(f0: i64, f1: i64, f2: i64, f3: i64) -> (i64, f64, f64) {
    let index = (f0.wrapping_add(0x2000_0000) as u64).wrapping_shr(30) as i64;
    let signed = f0.wrapping_sub(index.wrapping_shl(30));
    // Offset by 2^31 so that it is not negative while it becomes a double.
    let offset = signed.wrapping_add(0x8000_0000);
    let d0 = small_to_f64(offset) - 2147483648.0;
    let t1 = small_to_f64(f1) * 2.168404344971009e-19;
    let t2 = small_to_f64(f2) * 5.048709793414476e-29;
    let t3 = small_to_f64(f3) * 1.1754943508222875e-38;
    let (top, top_lo) = fast_two_sum(d0 * 9.313225746154785e-10, t1);
    let (bottom, bottom_lo) = two_sum(t2, t3);
    let (lead, lead_lo) = two_sum(top, bottom);
    let (sum, sum_lo) = fast_two_sum(lead, lead_lo + (top_lo + bottom_lo));
    // Quadrants to radians.
    let (product, product_lo) = two_prod(sum, HALF_PI_1);
    let second = sum.mul_add(HALF_PI_2, product_lo);
    let rest = sum_lo.mul_add(HALF_PI_1, second);
    let (r, r_lo) = fast_two_sum(product, rest);
    (index, r, r_lo)
}

/// Reduces `MODERATE_LIMIT < |x| < Inf`.
#[inline(always)]
fn reduce_huge(x: f64) -> (i64, f64, f64) {
    let bits = x.abs().to_bits() as i64;
    let mantissa = bits & MANTISSA_MASK | 0x10_0000_0000_0000;
    // |x| = mantissa * 2^(exponent - 1075). Bits of 2/pi before this offset (in a stream that starts with 64 zeros)
    // contribute multiples of four quadrants: 1013 = 1075 + 2 - 64.
    let exponent = (bits as u64).wrapping_shr(52) as i64;
    let offset = exponent.wrapping_sub(1013);
    let word = (offset as u64).wrapping_shr(6) as i64;
    let (word0, word1, word2, word3) = two_over_pi_window(word);
    let left = offset & 63;
    let right = 63_i64.wrapping_sub(left);
    let (w0, w1) = limbs(word0, word1, left, right);
    let (w2, w3) = limbs(word1, word2, left, right);
    let (w4, w5) = limbs(word2, word3, left, right);
    let (f0, f1, f2, f3) = multiply(mantissa, w0, w1, w2, w3, w4, w5);
    let (quadrant, angle, angle_lo) = angle_of_limbs(f0, f1, f2, f3);
    // The reduction is odd.
    let negative = x < 0.0;
    let index = if negative { quadrant.wrapping_neg() } else { quadrant };
    let r = if negative { -angle } else { angle };
    let r_lo = if negative { -angle_lo } else { angle_lo };
    (index, r, r_lo)
}

/// Reduces any `x`; infinities and NaN become NaN.
#[inline(always)]
pub(super) fn reduce_angle(x: f64) -> (i64, f64, f64) {
    let (near_index, near, near_lo) = reduce_moderate(x);
    let (far_index, far, far_lo) = reduce_huge(x);
    let magnitude = x.abs();
    let moderate = magnitude <= MODERATE_LIMIT;
    let index = if moderate { near_index } else { far_index };
    let angle = if moderate { near } else { far };
    let r_lo = if moderate { near_lo } else { far_lo };
    let r = if magnitude < f64::INFINITY { angle } else { f64::NAN };
    (index, r, r_lo)
}
