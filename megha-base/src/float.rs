//! MATLAB's functions on `double` and `single` that have exact answers.

/// `double` or `single`.
pub trait Float: Copy + PartialOrd + std::fmt::Debug {
    /// `mod(x, y)`: the remainder with the divisor's sign. It is the exact one, as `fmod`'s, whatever the quotient; only where
    /// the divisor is not whole and the quotient is within a relative rounding error of a whole number is it zero, so
    /// `mod(5.3, 0.1)` is 0. `mod(x, 0)` is x; an infinite divisor leaves x or, if the signs differ, is itself the result.
    fn modulo(self, divisor: Self) -> Self;
    /// `rem(x, y)`: the remainder with the dividend's sign, exact as [`Float::modulo`]. `rem(x, 0)` is NaN.
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

macro_rules! floats {
    ($($t:ident)*) => {$(
        impl Float for $t {
            #[inline]
            fn modulo(self, y: Self) -> Self {
                if y == 0.0 {
                    return if self == 0.0 { 0.0 } else { self };
                }
                if !self.is_finite() || y.is_nan() {
                    return $t::NAN;
                }
                if y.is_infinite() {
                    return if self == 0.0 { 0.0 / y } else if (self < 0.0) == (y < 0.0) { self } else { y };
                }
                // The sign of a zero result is the divisor's.
                let zero = y * 0.0;
                if whole_quotient(f64::from(y), f64::from(self / y), f64::from($t::EPSILON)) {
                    return zero;
                }
                let r = self % y;
                if r == 0.0 { zero } else if (r < 0.0) != (y < 0.0) { r + y } else { r }
            }

            #[inline]
            fn rem(self, y: Self) -> Self {
                if y.is_finite() && y != 0.0 && self.is_finite()
                    && whole_quotient(f64::from(y), f64::from(self / y), f64::from($t::EPSILON))
                {
                    return (0.0 as $t).copysign(self);
                }
                self % y
            }

            #[inline(always)]
            fn round(self) -> Self { $t::round(self) }
            #[inline(always)]
            fn rint(self) -> Self { self.round_ties_even() }
            #[inline(always)]
            fn fix(self) -> Self { self.trunc() }

            #[inline(always)]
            fn sign(self) -> Self {
                let one = if self > 0.0 { 1.0 } else if self < 0.0 { -1.0 } else { 0.0 };
                if self.is_nan() { self } else { one }
            }

            #[inline(always)]
            fn min(self, other: Self) -> Self { if (other < self) | self.is_nan() { other } else { self } }
            #[inline(always)]
            fn max(self, other: Self) -> Self { if (other > self) | self.is_nan() { other } else { self } }
        }
    )*};
}
floats!(f64 f32);

/// Whether a divisor with a fractional part counts as dividing: the quotient is a whole number up to a relative rounding error.
#[inline]
fn whole_quotient(y: f64, quotient: f64, epsilon: f64) -> bool {
    y.fract() != 0.0 && (quotient - quotient.round()).abs() <= epsilon * quotient.abs() && quotient.abs() >= 0.5
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
            // x, y, mod, rem
            (5.0, 3.0, 2.0, 2.0),
            (-1.0, 3.0, 2.0, -1.0),
            (1.0, -3.0, -2.0, 1.0),
            (-6.0, 3.0, 0.0, -0.0),
            (6.0, -3.0, -0.0, 0.0),
            (5.0, 0.0, 5.0, f64::NAN),
            (0.0, 0.0, 0.0, f64::NAN),
            (-0.0, 5.0, 0.0, -0.0),
            (5.3, 0.1, 0.0, 0.0),
            (1e-20, 0.1, 1e-20, 1e-20),
            (2f64.powi(60), 3.0, 1.0, 1.0),
            (5.0, inf, 5.0, 5.0),
            (-5.0, inf, inf, -5.0),
            (inf, 3.0, f64::NAN, f64::NAN),
            (3.0, f64::NAN, f64::NAN, f64::NAN),
        ];
        for (x, y, modulo, rem) in cases {
            assert!(same(x.modulo(y), modulo), "mod({x}, {y}) = {}", x.modulo(y));
            assert!(same(Float::rem(x, y), rem), "rem({x}, {y}) = {}", Float::rem(x, y));
        }
        assert_eq!(5.3f32.modulo(0.1), 0.0);
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

        #[test]
        fn the_remainder_lies_between_zero_and_the_divisor(x in -1e6f64..1e6, y in 1e-3f64..1e3) {
            let r = x.modulo(y);
            prop_assert!((0.0..y).contains(&r), "{r}");
        }
    }
}
