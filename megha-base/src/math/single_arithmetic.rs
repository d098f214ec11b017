//! The building blocks that the functions of singles share: those of `double_double`, in single precision.
//!
//! The bits of a single are the low 32 of an index, so that every step below is one on 32 bits for a processor that has them. A
//! *float-float* is an unevaluated sum `hi + lo` of singles with `|lo| <= ulp(hi) / 2`; it carries about 48 bits.
//!
//! Generated from `megha-core/src/math/single_arithmetic.mir`, where changes belong.
#![cfg_attr(rustfmt, rustfmt_skip)]

/// `1.5 * 2^23`: adding it to `x`, `|x| < 2^22`, rounds `x` to the nearest integer (ties to even) and leaves that
/// integer, in two's complement, in the low 22 bits of the sum.
pub(super) const SHIFTER_SINGLE: f32 = 12582912.0;

/// The bits of `1.0`, that is the exponent bias in its place.
const ONE_BITS_SINGLE: i64 = 0x3f80_0000;

/// Everything but the sign bit is zero.
pub(super) const SIGN_BIT_SINGLE: i64 = 0x8000_0000;

/// `a + b` exactly (Knuth's TwoSum).
#[inline(always)]
pub(super) fn two_sum_single(a: f32, b: f32) -> (f32, f32) {
    let hi = a + b;
    let t = hi - a;
    (hi, a - (hi - t) + (b - t))
}

/// `a + b` exactly, given `|a| >= |b|` or `a == 0` (Dekker's Fast2Sum).
#[inline(always)]
pub(super) fn fast_two_sum_single(a: f32, b: f32) -> (f32, f32) {
    let hi = a + b;
    (hi, b - (hi - a))
}

/// `a * b` exactly, unless the low part underflows.
#[inline(always)]
pub(super) fn two_prod_single(a: f32, b: f32) -> (f32, f32) {
    let hi = a * b;
    (hi, a.mul_add(b, -hi))
}

/// `(n + n_lo) / (d + d_lo)` with one division and one Newton correction with the exact remainder, to about 2^-44 relative; neither
/// `1 / d` nor the quotient may leave the range of normal numbers.
#[inline(always)]
pub(super) fn divide_single(n: f32, n_lo: f32, d: f32, d_lo: f32) -> (f32, f32) {
    let reciprocal = 1.0 / d;
    let q = n * reciprocal;
    let remainder = (-q).mul_add(d, n) + q.mul_add(-d_lo, n_lo);
    fast_two_sum_single(q, remainder * reciprocal)
}

/// `2^n` for the integer `n` held as `n + shifter`, `-126 <= n <= 127`.
#[inline(always)]
pub(super) fn exp2_of_shifted_single(shifted: f32) -> f32 {
    // The shift drops all but the low bits of `n`, which land in the exponent's place.
    let exponent = (shifted.to_bits() as i64).wrapping_shl(23);
    let biased = exponent.wrapping_add(ONE_BITS_SINGLE);
    f32::from_bits(biased as u32)
}

/// `2^n` as two factors, so that only the product with the second rounds and results may overflow or be subnormal; the integer `n`,
/// `|n| <= 252`, held as `n + shifter`.
#[inline(always)]
fn factors_single(shifted: f32) -> (f32, f32) {
    let integer = shifted.to_bits() as i64;
    // Of halves of the shifter's bits, too, nothing reaches the exponent's place.
    let half = (integer as u64).wrapping_shr(1) as i64;
    let rest_exponent = integer.wrapping_sub(half).wrapping_shl(23);
    let half_biased = half.wrapping_shl(23).wrapping_add(ONE_BITS_SINGLE);
    let rest_biased = rest_exponent.wrapping_add(ONE_BITS_SINGLE);
    let first = f32::from_bits(half_biased as u32);
    let second = f32::from_bits(rest_biased as u32);
    (first, second)
}

/// `value * 2^n`, for `n` as for `factors_single`.
#[inline(always)]
pub(super) fn scale_single(value: f32, shifted: f32) -> f32 {
    let (first, second) = factors_single(shifted);
    value * first * second
}

/// `(1 + value) * 2^n`, the sum rounded once, for `|value| < 1` and `n` as for `factors_single`.
#[inline(always)]
pub(super) fn scale_one_plus_single(value: f32, shifted: f32) -> f32 {
    let (first, second) = factors_single(shifted);
    value.mul_add(first, first) * second
}

/// `magnitude` with the sign of `x` flipped into it: for odd functions computed on `|x|`.
#[inline(always)]
pub(super) fn with_sign_of_single(magnitude: f32, x: f32) -> f32 {
    let sign = (x.to_bits() as i64) & SIGN_BIT_SINGLE;
    let flipped = (magnitude.to_bits() as i64) ^ sign;
    f32::from_bits(flipped as u32)
}
