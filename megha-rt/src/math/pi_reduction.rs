//! Reduction of an angle modulo `pi / 2`.
//!
//! Up to [`MODERATE_LIMIT`]: W. J. Cody and W. Waite's subtraction (Software Manual for the Elementary Functions, 1980,
//! ch. 8) with a three-part `pi / 2` of 159 bits, where a fused multiply-add makes the first subtraction exact (J.-M. Muller,
//! Elementary Functions, 3rd ed., section 11.2). Beyond: M. Payne and R. Hanek, "Radian reduction for trigonometric
//! functions", SIGNUM Newsletter 18 (1983), on 192 bits of `2 / pi` that a barrel shifter picks, in 32-bit limbs, without a
//! branch or an indexed load.

use super::coefficients::{HALF_PI_1, HALF_PI_2, HALF_PI_3, TWO_OVER_PI, TWO_OVER_PI_WORDS};
use super::double_double::{DoubleDouble, SHIFTER, fast_two_sum, select, two_prod, two_sum};

/// The largest `|x|` that the subtraction serves: `2^40`. The reduced argument is then wrong by at most `2^-120`, while no
/// double comes nearer to a multiple of `pi / 2` than `2^-62`.
pub const MODERATE_LIMIT: f64 = 1099511627776.0;

const MANTISSA_MASK: u64 = 0x000f_ffff_ffff_ffff;
const LOW_32: u64 = 0xffff_ffff;

/// `x = index * pi/2 + r` with `|r|` at most a hair above `pi / 4`; only the low two bits of `index` count.
#[derive(Clone, Copy)]
pub(super) struct Quadrant {
    pub index: u64,
    pub r: DoubleDouble,
}

/// Reduces `|x| <= MODERATE_LIMIT`.
#[inline(always)]
pub(super) fn reduce_moderate(x: f64) -> Quadrant {
    let shifted = x.mul_add(TWO_OVER_PI, SHIFTER);
    let k = shifted - SHIFTER;
    let first = k.mul_add(-HALF_PI_1, x);
    let second = two_prod(k, HALF_PI_2);
    let sum = two_sum(first, -second.hi);
    let r = fast_two_sum(sum.hi, k.mul_add(-HALF_PI_3, sum.lo - second.lo));
    Quadrant { index: shifted.to_bits(), r }
}

/// Reduces any `x`; infinities and NaN become NaN.
#[inline(always)]
pub(super) fn reduce(x: f64) -> Quadrant {
    let near = reduce_moderate(x);
    let far = reduce_huge(x);
    let moderate = x.abs() <= MODERATE_LIMIT;
    let hi = select(moderate, near.r.hi, far.r.hi);
    Quadrant {
        index: if moderate { near.index } else { far.index },
        r: DoubleDouble {
            hi: select(x.abs() < f64::INFINITY, hi, f64::NAN),
            lo: select(moderate, near.r.lo, far.r.lo),
        },
    }
}

/// Reduces `MODERATE_LIMIT < |x| < Inf`.
#[inline(always)]
fn reduce_huge(x: f64) -> Quadrant {
    let bits = x.abs().to_bits();
    let mantissa = (bits & MANTISSA_MASK) | (MANTISSA_MASK + 1);
    // |x| = mantissa * 2^(exponent - 1075). Bits of 2/pi before this offset (in a stream that starts with 64 zeros)
    // contribute multiples of four quadrants.
    let offset = (bits >> 52).wrapping_sub(1075 + 2 - 64);
    let fraction = multiply(mantissa, window(offset));
    // The product is in quadrants, modulo 4, with 30 fraction bits in the first limb.
    let index = (fraction[0].wrapping_add(1 << 29)) >> 30;
    let signed = small_to_f64(fraction[0].wrapping_sub(index << 30).wrapping_add(1 << 31)) - 2147483648.0;
    let top = fast_two_sum(signed * EXP2_M30, small_to_f64(fraction[1]) * EXP2_M62);
    let bottom = two_sum(small_to_f64(fraction[2]) * EXP2_M94, small_to_f64(fraction[3]) * EXP2_M126);
    let sum = two_sum(top.hi, bottom.hi);
    let sum = fast_two_sum(sum.hi, sum.lo + (top.lo + bottom.lo));
    let r = two_prod(sum.hi, HALF_PI_1);
    let r = fast_two_sum(r.hi, sum.lo.mul_add(HALF_PI_1, sum.hi.mul_add(HALF_PI_2, r.lo)));
    let negative = x < 0.0;
    Quadrant {
        index: if negative { index.wrapping_neg() } else { index },
        r: DoubleDouble { hi: select(negative, -r.hi, r.hi), lo: select(negative, -r.lo, r.lo) },
    }
}

const EXP2_M30: f64 = 1.0 / (1u64 << 30) as f64;
const EXP2_M62: f64 = 1.0 / (1u64 << 62) as f64;
const EXP2_M94: f64 = EXP2_M62 / (1u64 << 32) as f64;
const EXP2_M126: f64 = EXP2_M94 / (1u64 << 32) as f64;

/// An integer below `2^52` as a double, by placing it in the mantissa of `2^52`.
#[inline(always)]
fn small_to_f64(n: u64) -> f64 {
    const TWO_52: f64 = 4503599627370496.0;
    f64::from_bits(n | TWO_52.to_bits()) - TWO_52
}

/// The 192 bits of [`TWO_OVER_PI_WORDS`] from bit `offset` on, as six 32-bit limbs, the most significant first.
#[inline(always)]
fn window(offset: u64) -> [u64; 6] {
    let mut words = TWO_OVER_PI_WORDS;
    let mut stage = 16;
    // A barrel shifter: each stage shifts by `stage` words or not; four words survive to the end.
    while stage > 0 {
        let shift = (offset >> 6) & stage as u64 != 0;
        let mut i = 0;
        while i < 3 + stage {
            let far = if i + stage < 20 { words[i + stage] } else { 0 };
            words[i] = if shift { far } else { words[i] };
            i += 1;
        }
        stage /= 2;
    }
    let (left, right) = (offset & 63, 63 - (offset & 63));
    let mut limbs = [0; 6];
    let mut i = 0;
    while i < 3 {
        let word = (words[i] << left) | ((words[i + 1] >> 1) >> right);
        limbs[2 * i] = word >> 32;
        limbs[2 * i + 1] = word & LOW_32;
        i += 1;
    }
    limbs
}

/// The top four limbs of `mantissa * window` modulo `2^192`; the carry out of what is left out is at most a few units
/// of the last limb.
#[inline(always)]
fn multiply(mantissa: u64, window: [u64; 6]) -> [u64; 4] {
    let (low, high) = (mantissa & LOW_32, mantissa >> 32);
    let mut limbs = [0; 4];
    let mut carry = 0;
    let mut i = 4;
    while i > 0 {
        i -= 1;
        let by_low = low * window[i];
        let next_by_low = low * window[i + 1];
        let by_high = high * window[i + 1];
        let column = (by_low & LOW_32) + (by_high & LOW_32) + (next_by_low >> 32) + carry;
        let next_by_high = if i + 2 < 6 { (high * window[i + 2]) >> 32 } else { 0 };
        let column = column + next_by_high;
        limbs[i] = column & LOW_32;
        carry = column >> 32;
    }
    limbs
}
