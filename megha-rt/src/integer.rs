//! MATLAB's integer arithmetic: saturating, division rounds half away from zero.

/// One of the eight integer classes.
pub trait Integer: Copy + Ord + 'static {
    /// The smallest value.
    const LEAST: i128;
    /// The largest value.
    const MOST: i128;
    /// The value in a class that holds all of them.
    fn wide(self) -> i128;
    /// The nearest value of the class.
    fn narrow(wide: i128) -> Self;
}

macro_rules! integer {
    ($($t:ty)*) => {$(
        impl Integer for $t {
            const LEAST: i128 = <$t>::MIN as i128;
            const MOST: i128 = <$t>::MAX as i128;
            #[inline(always)]
            fn wide(self) -> i128 {
                self as i128
            }
            #[inline(always)]
            fn narrow(wide: i128) -> Self {
                wide.clamp(Self::LEAST, Self::MOST) as $t
            }
        }
    )*};
}
integer!(i8 i16 i32 i64 u8 u16 u32 u64);

/// The value in another class, or the nearest there.
#[inline(always)]
pub fn saturate<A: Integer, B: Integer>(a: A) -> B {
    B::narrow(a.wide())
}

/// `-a`.
#[inline(always)]
pub fn neg<T: Integer>(a: T) -> T {
    T::narrow(-a.wide())
}

/// `abs(a)`.
#[inline(always)]
pub fn abs<T: Integer>(a: T) -> T {
    T::narrow(a.wide().abs())
}

/// `sign(a)`.
#[inline(always)]
pub fn sign<T: Integer>(a: T) -> T {
    T::narrow(a.wide().signum())
}

/// `a / b`, rounded half away from zero; by zero the extreme of the dividend's sign, and 0 for `0 / 0`.
#[inline(always)]
pub fn div<T: Integer>(a: T, b: T) -> T {
    let (a, b) = (a.wide(), b.wide());
    if b == 0 {
        return T::narrow(a.signum() * T::MOST.max(-T::LEAST));
    }
    let (quotient, rest) = (a / b, a % b);
    let away = if 2 * rest.abs() >= b.abs() { (a * b).signum() } else { 0 };
    T::narrow(quotient + away)
}

/// `mod(a, b)`: with the divisor's sign; `a` for a divisor of 0.
#[inline(always)]
pub fn modulo<T: Integer>(a: T, b: T) -> T {
    let (a, b) = (a.wide(), b.wide());
    if b == 0 {
        return T::narrow(a);
    }
    let rest = a % b;
    T::narrow(if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest })
}

/// `rem(a, b)`: with the dividend's sign; `a` for a divisor of 0.
#[inline(always)]
pub fn rem<T: Integer>(a: T, b: T) -> T {
    let (a, b) = (a.wide(), b.wide());
    T::narrow(if b == 0 { a } else { a % b })
}

/// `a ^ b` for integers, saturating; a negative power is the rounded reciprocal.
pub fn pow<T: Integer>(a: T, b: T) -> T {
    let (base, exponent) = (a.wide(), b.wide());
    if exponent < 0 {
        return match base {
            0 => T::narrow(T::MOST),
            1 => T::narrow(1),
            -1 => T::narrow(1 - 2 * (exponent & 1)),
            2 if exponent == -1 => T::narrow(1),
            -2 if exponent == -1 => T::narrow(-1),
            _ => T::narrow(0),
        };
    }
    let mut power: i128 = 1;
    for _ in 0..exponent.min(128) {
        power = T::narrow(power.saturating_mul(base)).wide();
    }
    if base == -1 && exponent & 1 == 0 { T::narrow(1) } else { T::narrow(power) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_rounds_half_away_from_zero() {
        for (a, b, q) in [(7i32, 2, 4), (-7, 2, -4), (6, 4, 2), (5, 4, 1), (1, 0, i32::MAX), (-1, 0, i32::MIN), (0, 0, 0)] {
            assert_eq!(div(a, b), q, "{a} / {b}");
        }
        assert_eq!(div(i32::MIN, -1), i32::MAX);
        assert_eq!(div(7u8, 2), 4);
    }

    #[test]
    fn everything_saturates() {
        assert_eq!(neg(-128i8), 127);
        assert_eq!(abs(i64::MIN), i64::MAX);
        assert_eq!(saturate::<i32, u8>(-5), 0);
        assert_eq!(pow(2i32, 40), i32::MAX);
        assert_eq!(pow(-2i8, 7), -128);
        assert_eq!((modulo(-7i32, 3), rem(-7i32, 3), modulo(7, -3)), (2, -1, -2));
    }
}
