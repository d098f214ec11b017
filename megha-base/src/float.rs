//! MATLAB's functions on `double` and `single` that have exact answers.

use crate::math;

/// `double` or `single`.
pub trait Float: Copy + PartialOrd + std::fmt::Debug {
    /// `mod(x, y)`: the remainder with the divisor's sign, as Octave evaluates it ([`math::modulo`]).
    fn modulo(self, divisor: Self) -> Self;
    /// `rem(x, y)`: the remainder with the dividend's sign, as Octave evaluates it ([`math::remainder`]).
    fn rem(self, divisor: Self) -> Self;
    /// To the nearest whole number, half away from zero.
    fn round(self) -> Self;
    /// To the nearest whole number, half to even.
    fn rint(self) -> Self;
    /// Towards zero.
    fn fix(self) -> Self;
    /// -1, 0 or 1; 0 for either zero; NaN for NaN.
    fn sign(self) -> Self;
    /// The lesser, the first if they are equal, the other if one is NaN.
    fn min(self, other: Self) -> Self;
    /// The greater, the first if they are equal, the other if one is NaN.
    fn max(self, other: Self) -> Self;
}

macro_rules! common {
    () => {
        #[inline(always)]
        fn rint(self) -> Self {
            self.round_ties_even()
        }
        #[inline(always)]
        fn min(self, other: Self) -> Self {
            if (other < self) | self.is_nan() { other } else { self }
        }
        #[inline(always)]
        fn max(self, other: Self) -> Self {
            if (other > self) | self.is_nan() { other } else { self }
        }
    };
}

impl Float for f64 {
    common!();

    #[inline(always)]
    fn modulo(self, divisor: Self) -> Self {
        math::modulo(self, divisor)
    }
    #[inline(always)]
    fn rem(self, divisor: Self) -> Self {
        math::remainder(self, divisor)
    }
    #[inline(always)]
    fn round(self) -> Self {
        math::round(self)
    }
    #[inline(always)]
    fn fix(self) -> Self {
        math::fix(self)
    }
    #[inline(always)]
    fn sign(self) -> Self {
        math::sign(self)
    }
}

/// Where `double` rounds, `single` rounds likewise and with its own tolerance, so remainders are not those of `double` rounded.
impl Float for f32 {
    common!();

    #[inline(always)]
    fn modulo(self, y: Self) -> Self {
        let q = self / y;
        let value = if divides(q, y) { 0.0 } else { self - y * q.floor() };
        let signed = if self == y { value } else { value.copysign(y) };
        if y == 0.0 { self } else { signed }
    }
    #[inline(always)]
    fn rem(self, y: Self) -> Self {
        let q = self / y;
        let value = if divides(q, y) { 0.0 } else { self - y * q.trunc() };
        let signed = if self == y { value } else { value.copysign(self) };
        if y == 0.0 { f32::NAN } else { signed }
    }
    #[inline(always)]
    fn round(self) -> Self {
        math::round_single(self)
    }
    #[inline(always)]
    fn fix(self) -> Self {
        self.trunc()
    }
    #[inline(always)]
    fn sign(self) -> Self {
        math::sign_single(self)
    }
}

/// Whether a quotient by a divisor with a fractional part is a whole number up to rounding.
#[inline(always)]
fn divides(q: f32, y: f32) -> bool {
    let nearest = (q + 0.5).floor();
    (y.round_ties_even() != y) & (((q - nearest) / nearest).abs() < f32::EPSILON)
}

#[cfg(test)]
mod tests {
    use super::Float;
    use proptest::prelude::*;

    fn same(a: f64, b: f64) -> bool {
        a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
    }

    #[test]
    fn remainders() {
        let inf = f64::INFINITY;
        let cases = [
            // x, y, mod, rem: Octave's.
            (5.0, 3.0, 2.0, 2.0),
            (-1.0, 3.0, 2.0, -1.0),
            (1.0, -3.0, -2.0, 1.0),
            (-6.0, 3.0, 0.0, -0.0),
            (5.0, 0.0, 5.0, f64::NAN),
            (-0.0, 5.0, 0.0, -0.0),
            (5.3, 0.1, 0.0, 0.0),
            (inf, 3.0, f64::NAN, f64::NAN),
            (3.0, f64::NAN, f64::NAN, f64::NAN),
        ];
        for (x, y, modulo, rem) in cases {
            assert!(same(x.modulo(y), modulo), "mod({x}, {y}) = {}", x.modulo(y));
            assert!(same(Float::rem(x, y), rem), "rem({x}, {y}) = {}", Float::rem(x, y));
            let single = (x as f32).modulo(y as f32);
            assert!(same(single.into(), modulo), "mod({x}, {y}) = {single} in single");
        }
    }

    #[test]
    fn roundings() {
        assert_eq!((Float::round(-2.5), Float::round(0.49999999999999994), Float::rint(2.5)), (-3.0, 0.0, 2.0));
        assert!(same(Float::fix(-0.5), -0.0) && same(Float::round(-0.3), -0.0) && same(Float::sign(-0.0), 0.0));
        assert!(Float::sign(f64::NAN).is_nan());
        assert_eq!(Float::sign(-3.0f32), -1.0);
    }

    #[test]
    fn extremes_skip_nan() {
        assert_eq!((Float::min(f64::NAN, 1.0), Float::max(1.0, f64::NAN)), (1.0, 1.0));
        assert!(Float::max(f64::NAN, f64::NAN).is_nan());
        assert!(same(Float::min(0.0, -0.0), 0.0) && same(Float::max(-0.0, 0.0), -0.0));
    }

    proptest! {
        #[test]
        fn whole_numbers_as_integers(a in -1_000_000i64..1_000_000, b in -1000i64..1000) {
            prop_assume!(b != 0);
            prop_assert_eq!((a as f64).modulo(b as f64), a.rem_euclid(b) as f64 + if b < 0 && a.rem_euclid(b) != 0 { b as f64 } else { 0.0 });
            prop_assert_eq!(Float::rem(a as f64, b as f64), (a % b) as f64);
        }
    }
}
