//! Error-free transformations and the building blocks that every function shares.
//!
//! A *double-double* is an unevaluated sum `hi + lo` with `|lo| <= ulp(hi) / 2`; it carries about 106 bits.
//! Sources: T. J. Dekker, "A floating-point technique for extending the available precision", Numer. Math. 18 (1971);
//! D. E. Knuth, The Art of Computer Programming, vol. 2, section 4.2.2; J.-M. Muller et al., Handbook of
//! Floating-Point Arithmetic, 2nd ed., chapter 4.

/// `1.5 * 2^52`: adding it to `x`, `|x| < 2^51`, rounds `x` to the nearest integer (ties to even) and leaves that
/// integer, in two's complement, in the low 51 bits of the sum.
pub(super) const SHIFTER: f64 = 6755399441055744.0;

/// The bits of `1.0`, that is the exponent bias in its place.
pub(super) const ONE_BITS: u64 = 0x3ff0_0000_0000_0000;

/// Everything but the sign bit is zero.
pub(super) const SIGN_BIT: u64 = 1 << 63;

/// An unevaluated sum `hi + lo`.
#[derive(Clone, Copy)]
pub(super) struct DoubleDouble {
    /// The sum rounded to double.
    pub hi: f64,
    /// What `hi` lacks.
    pub lo: f64,
}

/// `a` or `b` as `condition` says; both are values, so nothing is skipped and nothing branches.
#[inline(always)]
pub(super) fn select(condition: bool, a: f64, b: f64) -> f64 {
    if condition { a } else { b }
}

/// `a + b` exactly (Knuth's TwoSum: six operations, any order of magnitude).
#[inline(always)]
pub(super) fn two_sum(a: f64, b: f64) -> DoubleDouble {
    let hi = a + b;
    let t = hi - a;
    DoubleDouble { hi, lo: (a - (hi - t)) + (b - t) }
}

/// `a + b` exactly, given `|a| >= |b|` or `a == 0` (Dekker's Fast2Sum).
#[inline(always)]
pub(super) fn fast_two_sum(a: f64, b: f64) -> DoubleDouble {
    let hi = a + b;
    DoubleDouble { hi, lo: b - (hi - a) }
}

/// `a * b` exactly, unless the low part underflows.
#[inline(always)]
pub(super) fn two_prod(a: f64, b: f64) -> DoubleDouble {
    let hi = a * b;
    DoubleDouble { hi, lo: a.mul_add(b, -hi) }
}

/// `(n.hi + n.lo) / (d.hi + d.lo)` with one division: a quotient from the reciprocal, then one Newton correction with
/// the exact remainder. The result is good to about 2^-100 relative; neither `1 / d` nor the quotient may leave the
/// range of normal numbers.
#[inline(always)]
pub(super) fn divide(n: DoubleDouble, d: DoubleDouble) -> DoubleDouble {
    let reciprocal = 1.0 / d.hi;
    let q = n.hi * reciprocal;
    let remainder = (-q).mul_add(d.hi, n.hi) + q.mul_add(-d.lo, n.lo);
    fast_two_sum(q, remainder * reciprocal)
}

/// The polynomial with coefficients `c`, lowest first and at most 24, at `x`, by Estrin's scheme in fused steps
/// (G. Estrin, Proc. Western Joint Computer Conf. 1960; J.-M. Muller, Elementary Functions, 3rd ed., section 5.5): as
/// many multiplications as Horner's rule and a few squarings, but a chain of only `log2 N` steps. A vectorised loop keeps few
/// iterations in flight, so this latency is what it pays. Every condition on `N` is constant.
#[inline(always)]
pub(super) fn polynomial<const N: usize>(x: f64, c: &[f64; N]) -> f64 {
    const { assert!(N > 1 && N <= 24) };
    let x2 = x * x;
    let x4 = x2 * x2;
    let x8 = x4 * x4;
    let low = eight(x, x2, x4, c, 0);
    if N <= 8 {
        return low;
    }
    let middle = eight(x, x2, x4, c, 8).mul_add(x8, low);
    if N <= 16 {
        return middle;
    }
    eight(x, x2, x4, c, 16).mul_add(x8 * x8, middle)
}

/// The polynomial with up to eight coefficients from `first` on.
#[inline(always)]
fn eight<const N: usize>(x: f64, x2: f64, x4: f64, c: &[f64; N], first: usize) -> f64 {
    let low = four(x, x2, c, first);
    if N <= first + 4 { low } else { four(x, x2, c, first + 4).mul_add(x4, low) }
}

/// The polynomial with up to four coefficients from `first` on.
#[inline(always)]
fn four<const N: usize>(x: f64, x2: f64, c: &[f64; N], first: usize) -> f64 {
    match N - first {
        1 => c[first],
        2 => c[first + 1].mul_add(x, c[first]),
        3 => c[first + 2].mul_add(x2, c[first + 1].mul_add(x, c[first])),
        _ => c[first + 3].mul_add(x, c[first + 2]).mul_add(x2, c[first + 1].mul_add(x, c[first])),
    }
}

/// `2^n` for the integer `n` held as `n + SHIFTER`, `-1022 <= n <= 1023`.
#[inline(always)]
pub(super) fn exp2_of_shifted(shifted: f64) -> f64 {
    f64::from_bits((shifted.to_bits() << 52).wrapping_add(ONE_BITS))
}

/// `value * 2^k` for an integral `k`, `|k| <= 2044`, in two steps, so that only the last one rounds and results may
/// overflow or be subnormal.
#[inline(always)]
pub(super) fn scale(value: f64, k: f64) -> f64 {
    let half = k.mul_add(0.5, SHIFTER);
    let rest = (k - (half - SHIFTER)) + SHIFTER;
    value * exp2_of_shifted(half) * exp2_of_shifted(rest)
}

/// `(1 + value) * 2^k`, the sum rounded once, for `|value| < 1` and `k` as for [`scale`].
#[inline(always)]
pub(super) fn scale_one_plus(value: f64, k: f64) -> f64 {
    let half = k.mul_add(0.5, SHIFTER);
    let rest = (k - (half - SHIFTER)) + SHIFTER;
    let factor = exp2_of_shifted(half);
    value.mul_add(factor, factor) * exp2_of_shifted(rest)
}

/// `magnitude` with the sign of `x` flipped into it: for odd functions computed on `|x|`.
#[inline(always)]
pub(super) fn with_sign_of(magnitude: f64, x: f64) -> f64 {
    f64::from_bits(magnitude.to_bits() ^ (x.to_bits() & SIGN_BIT))
}
