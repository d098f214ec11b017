//! Error-free transformations and the building blocks that every function shares.
//!
//! A *double-double* is an unevaluated sum `hi + lo` with `|lo| <= ulp(hi) / 2`; it carries about 106 bits.
//! Sources: T. J. Dekker, "A floating-point technique for extending the available precision", Numer. Math. 18 (1971);
//! D. E. Knuth, The Art of Computer Programming, vol. 2, section 4.2.2; J.-M. Muller et al., Handbook of
//! Floating-Point Arithmetic, 2nd ed., chapter 4.
//!
//! Generated from `megha-core/src/math/double_double.mir`, where changes belong.
#![cfg_attr(rustfmt, rustfmt_skip)]

/// `1.5 * 2^52`: adding it to `x`, `|x| < 2^51`, rounds `x` to the nearest integer (ties to even) and leaves that
/// integer, in two's complement, in the low 51 bits of the sum.
pub(super) const SHIFTER: f64 = 6755399441055744.0;

/// The bits of `1.0`, that is the exponent bias in its place.
pub(super) const ONE_BITS: i64 = 0x3ff0_0000_0000_0000;

/// Everything but the sign bit is zero.
pub(super) const SIGN_BIT: i64 = 0x8000_0000_0000_0000_u64 as i64;

/// The mantissa of a double, without the leading one.
pub(super) const MANTISSA_MASK: i64 = 0xf_ffff_ffff_ffff;

/// `2^52`, whose low mantissa bits can hold an integer.
pub(super) const EXP2_52: f64 = 4503599627370496.0;

/// `a + b` exactly (Knuth's TwoSum: six operations, any order of magnitude).
#[inline(always)]
pub(super) fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let hi = a + b;
    let t = hi - a;
    (hi, a - (hi - t) + (b - t))
}

/// `a + b` exactly, given `|a| >= |b|` or `a == 0` (Dekker's Fast2Sum).
#[inline(always)]
pub(super) fn fast_two_sum(a: f64, b: f64) -> (f64, f64) {
    let hi = a + b;
    (hi, b - (hi - a))
}

/// `a * b` exactly, unless the low part underflows.
#[inline(always)]
pub(super) fn two_prod(a: f64, b: f64) -> (f64, f64) {
    let hi = a * b;
    (hi, a.mul_add(b, -hi))
}

/// `(n + n_lo) / (d + d_lo)` with one division: a quotient from the reciprocal, then one Newton correction with
/// the exact remainder. The result is good to about 2^-100 relative; neither `1 / d` nor the quotient may leave the
/// range of normal numbers.
#[inline(always)]
pub(super) fn divide(n: f64, n_lo: f64, d: f64, d_lo: f64) -> (f64, f64) {
    let reciprocal = 1.0 / d;
    let q = n * reciprocal;
    let remainder = (-q).mul_add(d, n) + q.mul_add(-d_lo, n_lo);
    fast_two_sum(q, remainder * reciprocal)
}

/// `2^n` for the integer `n` held as `n + shifter`, `-1022 <= n <= 1023`.
#[inline(always)]
pub(super) fn exp2_of_shifted(shifted: f64) -> f64 {
    // The shift drops all but the low bits of `n`, which land in the exponent's place.
    let exponent = (shifted.to_bits() as i64).wrapping_shl(52);
    f64::from_bits(exponent.wrapping_add(ONE_BITS) as u64)
}

/// The integral `k`, `|k| <= 2044`, as two summands of about equal size, each held as `n + shifter`.
#[inline(always)]
fn halves(k: f64) -> (f64, f64) {
    let half = k.mul_add(0.5, SHIFTER);
    (half, k - (half - SHIFTER) + SHIFTER)
}

/// `value * 2^k` for an integral `k`, `|k| <= 2044`, in two steps, so that only the last one rounds and results may
/// overflow or be subnormal.
#[inline(always)]
pub(super) fn scale(value: f64, k: f64) -> f64 {
    let (half, rest) = halves(k);
    value * exp2_of_shifted(half) * exp2_of_shifted(rest)
}

/// `(1 + value) * 2^k`, the sum rounded once, for `|value| < 1` and `k` as for `scale`.
#[inline(always)]
pub(super) fn scale_one_plus(value: f64, k: f64) -> f64 {
    let (half, rest) = halves(k);
    let factor = exp2_of_shifted(half);
    value.mul_add(factor, factor) * exp2_of_shifted(rest)
}

/// `magnitude` with the sign of `x` flipped into it: for odd functions computed on `|x|`.
#[inline(always)]
pub(super) fn with_sign_of(magnitude: f64, x: f64) -> f64 {
    let flipped = (magnitude.to_bits() as i64) ^ (x.to_bits() as i64) & SIGN_BIT;
    f64::from_bits(flipped as u64)
}
