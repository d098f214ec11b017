//! MATLAB's integer classes: every operation gives the exact result rounded half away from zero and clamped to the class;
//! and the compiler's `Index`, a wrapping 64-bit integer whose division floors.

/// One of MATLAB's eight integer classes.
pub trait Integer: Copy + Ord + std::fmt::Debug {
    /// The least value.
    const MIN: Self;
    /// The greatest value.
    const MAX: Self;

    /// Rounded half away from zero and clamped; NaN gives 0.
    fn from_f64(x: f64) -> Self;
    /// Clamped; between any two integer classes.
    fn from_wide(x: i128) -> Self;
    /// Clamped.
    fn from_index(x: i64) -> Self;
    /// Exact.
    fn to_wide(self) -> i128;
    /// The nearest double.
    fn to_f64(self) -> f64;
    /// The nearest single, rounded once.
    fn to_f32(self) -> f32;
    /// `a + b`, clamped.
    fn add(self, other: Self) -> Self;
    /// `a - b`, clamped.
    fn sub(self, other: Self) -> Self;
    /// `a * b`, clamped.
    fn mul(self, other: Self) -> Self;
    /// `a / b`, rounded half away from zero; by zero: the end of the class on the dividend's side, and `0 / 0` is 0.
    fn div(self, other: Self) -> Self;
    /// `-a`, clamped.
    fn neg(self) -> Self;
    /// `abs`, clamped.
    fn abs(self) -> Self;
    /// -1, 0 or 1.
    fn sign(self) -> Self;
    /// `a ^ b`, clamped; a negative exponent gives one divided by the power, rounded as [`Integer::div`] rounds.
    fn pow(self, exponent: Self) -> Self;
    /// The remainder with the sign of the divisor; the dividend if that is 0.
    fn modulo(self, divisor: Self) -> Self;
    /// The remainder with the sign of the dividend; 0 if the divisor is 0 (as Octave has it).
    fn rem(self, divisor: Self) -> Self;
    /// Bitwise and.
    fn bit_and(self, other: Self) -> Self;
    /// Bitwise or.
    fn bit_or(self, other: Self) -> Self;
    /// Bitwise exclusive or.
    fn bit_xor(self, other: Self) -> Self;
    /// The bits moved up, those that leave the class lost. The amount counts as unsigned; as many as the class has bits, or more, give 0.
    fn shl(self, by: Self) -> Self;
    /// The bits moved down, with copies of the sign where the class has one. The amount counts as unsigned; as many as the class has bits,
    /// or more, leave only the sign.
    fn shr(self, by: Self) -> Self;
}

macro_rules! integers {
    // $wide holds the double of every value of $t with a sign.
    ($($t:ident $wide:ident),*) => {$(
        impl Integer for $t {
            const MIN: Self = $t::MIN;
            const MAX: Self = $t::MAX;

            #[inline(always)]
            fn from_f64(x: f64) -> Self { x.round() as $t }
            #[inline(always)]
            fn from_wide(x: i128) -> Self { x.clamp($t::MIN as i128, $t::MAX as i128) as $t }
            // In 64 bits, where vectors have instructions.
            #[inline(always)]
            fn from_index(x: i64) -> Self {
                const LEAST: i64 = if $t::MIN as i128 > i64::MIN as i128 { $t::MIN as i64 } else { i64::MIN };
                const MOST: i64 = if ($t::MAX as i128) < i64::MAX as i128 { $t::MAX as i64 } else { i64::MAX };
                x.clamp(LEAST, MOST) as $t
            }
            #[inline(always)]
            fn to_wide(self) -> i128 { self as i128 }
            #[inline(always)]
            fn to_f64(self) -> f64 { self as f64 }
            #[inline(always)]
            fn to_f32(self) -> f32 { self as f32 }
            #[inline(always)]
            fn add(self, other: Self) -> Self { self.saturating_add(other) }
            #[inline(always)]
            fn sub(self, other: Self) -> Self { self.saturating_sub(other) }
            #[inline(always)]
            fn mul(self, other: Self) -> Self { self.saturating_mul(other) }

            #[inline]
            fn div(self, other: Self) -> Self {
                if other == 0 {
                    return if self == 0 { 0 } else if self > 0 { $t::MAX } else { $t::MIN };
                }
                let (n, d) = ($wide::from(self), $wide::from(other));
                let (q, r) = (n / d, n % d);
                let away = if (n < 0) == (d < 0) { 1 } else { -1 };
                let rounded = if 2 * r.abs() >= d.abs() { q + away } else { q };
                rounded.clamp($wide::from($t::MIN), $wide::from($t::MAX)) as $t
            }

            #[inline(always)]
            fn neg(self) -> Self { (0 as $t).saturating_sub(self) }
            #[inline(always)]
            fn abs(self) -> Self { self.max(Integer::neg(self)) }
            #[inline(always)]
            fn sign(self) -> Self { Integer::from_wide((self as i128).signum()) }

            #[inline]
            fn pow(self, exponent: Self) -> Self {
                // Exponents beyond 2^31 differ in their parity only.
                let magnitude = exponent.to_wide().unsigned_abs();
                let steps = if magnitude > 1 << 31 { (1 << 31) | (magnitude & 1) as u32 } else { magnitude as u32 };
                let power = self.saturating_pow(steps);
                if exponent.to_wide() >= 0 { power } else { Integer::div(1, power) }
            }

            #[inline]
            fn modulo(self, divisor: Self) -> Self {
                if divisor == 0 {
                    return self;
                }
                let (n, d) = ($wide::from(self), $wide::from(divisor));
                let r = n % d;
                (if r != 0 && (r < 0) != (d < 0) { r + d } else { r }) as $t
            }

            #[inline]
            fn rem(self, divisor: Self) -> Self {
                if divisor == 0 { 0 } else { ($wide::from(self) % $wide::from(divisor)) as $t }
            }

            #[inline(always)]
            fn bit_and(self, other: Self) -> Self { self & other }
            #[inline(always)]
            fn bit_or(self, other: Self) -> Self { self | other }
            #[inline(always)]
            fn bit_xor(self, other: Self) -> Self { self ^ other }
            #[inline(always)]
            fn shl(self, by: Self) -> Self {
                let by = by as u64;
                if by < $t::BITS as u64 { self << by } else { 0 }
            }
            #[inline(always)]
            fn shr(self, by: Self) -> Self {
                let by = by as u64;
                if by < $t::BITS as u64 { self >> by } else { self >> ($t::BITS - 1) >> 1 }
            }
        }
    )*};
}
integers!(i8 i32, i16 i32, i32 i64, i64 i128, u8 i32, u16 i32, u32 i64, u64 i128);

/// The quotient of two `Index` values, rounded down; `None` by zero. `i64::MIN / -1` wraps.
#[inline]
pub fn index_div(a: i64, b: i64) -> Option<i64> {
    (b != 0).then(|| {
        let q = a.wrapping_div(b);
        if a.wrapping_rem(b) != 0 && (a < 0) != (b < 0) { q - 1 } else { q }
    })
}

/// The remainder that belongs to [`index_div`]: zero or of the divisor's sign.
#[inline]
pub fn index_mod(a: i64, b: i64) -> Option<i64> {
    (b != 0).then(|| {
        let r = a.wrapping_rem(b);
        if r != 0 && (r < 0) != (b < 0) { r + b } else { r }
    })
}

/// Quotient of two numbers without sign; `None` by zero.
#[inline(always)]
pub fn index_divu(a: i64, b: i64) -> Option<i64> {
    (a as u64).checked_div(b as u64).map(|quotient| quotient as i64)
}

/// Remainder of two numbers without sign; `None` by zero.
#[inline(always)]
pub fn index_remu(a: i64, b: i64) -> Option<i64> {
    (a as u64).checked_rem(b as u64).map(|rest| rest as i64)
}

/// Shift to the left. The amount counts as unsigned; 64 and more give 0.
#[inline(always)]
pub fn shl(a: i64, by: i64) -> i64 {
    if (by as u64) < 64 { a << by } else { 0 }
}

/// Shift to the right that copies the sign. The amount counts as unsigned; 64 and more leave only the sign.
#[inline(always)]
pub fn shr(a: i64, by: i64) -> i64 {
    a >> (by as u64).min(63)
}

/// Shift to the right that fills with zeros. The amount counts as unsigned; 64 and more give 0.
#[inline(always)]
pub fn shru(a: i64, by: i64) -> i64 {
    if (by as u64) < 64 { ((a as u64) >> by) as i64 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn conversions_round_and_clamp() {
        let cases =
            [(2.5, 3), (-2.5, -3), (f64::NAN, 0), (f64::INFINITY, 127), (-1e300, -128), (0.49999999999999994, 0)];
        for (x, want) in cases {
            assert_eq!(i8::from_f64(x), want, "{x}");
        }
        assert_eq!(i64::from_f64(9223372036854775808.0), i64::MAX);
        assert_eq!(u64::from_f64(-1.0), 0);
        assert_eq!(<u8 as Integer>::from_wide(i64::MIN.into()), 0);
    }

    #[test]
    fn division_by_octave() {
        assert_eq!(Integer::div(7i32, 2), 4);
        assert_eq!(Integer::div(-7i32, 2), -4);
        assert_eq!(Integer::div(5i32, 0), i32::MAX);
        assert_eq!(Integer::div(-5i32, 0), i32::MIN);
        assert_eq!(Integer::div(0i32, 0), 0);
        assert_eq!(Integer::div(-128i8, -1), 127);
        assert_eq!(Integer::div(u64::MAX, 2), 1 << 63);
    }

    #[test]
    fn powers_and_remainders_by_octave() {
        assert_eq!(Integer::pow(-3i8, 5), -128);
        assert_eq!(Integer::pow(2i32, 31), i32::MAX);
        assert_eq!(Integer::pow(-1i64, i64::MIN + 1), -1);
        assert_eq!(Integer::pow(-1i64, i64::MAX), -1);
        assert_eq!(Integer::pow(2u64, u64::MAX), u64::MAX);
        assert_eq!(Integer::pow(2i32, -1), 1);
        assert_eq!(Integer::pow(3i32, -1), 0);
        assert_eq!(Integer::pow(0i32, -1), i32::MAX);
        assert_eq!((Integer::modulo(-7i8, 3), Integer::modulo(-7i8, -3), Integer::modulo(7i8, -3)), (2, -1, -2));
        assert_eq!((Integer::modulo(5i8, 0), Integer::rem(5i8, 0), Integer::rem(-7i8, 3)), (5, 0, -1));
        assert_eq!((Integer::modulo(-128i8, -1), Integer::rem(i64::MIN, -1)), (0, 0));
    }

    #[test]
    fn shifts_stay_in_the_class() {
        assert_eq!((Integer::shl(127i8, 1), Integer::shl(-128i8, 1), Integer::shl(3u8, 7)), (-2, 0, 128));
        assert_eq!((Integer::shl(1i8, 8), Integer::shl(1i8, -1), Integer::shl(u64::MAX, 63)), (0, 0, 1 << 63));
        assert_eq!((Integer::shr(-8i8, 1), Integer::shr(-8i8, 100), Integer::shr(-8i8, -1)), (-4, -1, -1));
        assert_eq!((Integer::shr(200u8, 7), Integer::shr(200u8, 8), Integer::shr(u64::MAX, 64)), (1, 0, 0));
        assert_eq!(Integer::shr(i64::MIN, 63), -1);
    }

    #[test]
    fn negation_clamps() {
        assert_eq!((Integer::neg(-128i8), Integer::abs(-128i8), Integer::neg(3u8)), (127, 127, 0));
        assert_eq!((Integer::sign(-5i16), Integer::sign(9u64)), (-1, 1));
    }

    #[test]
    fn index_edges() {
        assert_eq!((index_div(-7, 2), index_mod(-7, 2)), (Some(-4), Some(1)));
        assert_eq!((index_div(7, -2), index_mod(7, -2)), (Some(-4), Some(-1)));
        assert_eq!((index_div(1, 0), index_mod(1, 0)), (None, None));
        assert_eq!((index_div(i64::MIN, -1), index_mod(i64::MIN, -1)), (Some(i64::MIN), Some(0)));
        assert_eq!(
            (shl(1, 64), shr(-8, 100), shr(-8, 1), shru(-1, 63), shru(-1, 64), shl(3, -1)),
            (0, -1, -4, 1, 0, 0)
        );
    }

    proptest! {
        #[test]
        fn small_classes_agree_with_rounded_doubles(a: i16, b: i16) {
            let exact = |x: f64| i16::from_f64(x);
            let (x, y) = (f64::from(a), f64::from(b));
            prop_assert_eq!(Integer::add(a, b), exact(x + y));
            prop_assert_eq!(Integer::mul(a, b), exact(x * y));
            prop_assert_eq!(Integer::div(a, b), exact(x / y));
        }

        #[test]
        fn index_division_identity(a: i64, b: i64) {
            prop_assume!(b != 0);
            let (q, r) = (index_div(a, b).unwrap(), index_mod(a, b).unwrap());
            prop_assert_eq!(q.wrapping_mul(b).wrapping_add(r), a);
            prop_assert!(r == 0 || (r < 0) == (b < 0));
        }
    }
}
