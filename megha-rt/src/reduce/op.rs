//! What a reduction combines with.

/// A reduction's operation over values of class `T`. All reductions of the language are one of these after an element-wise
/// step before (`abs`, a square, a comparison) or after (a division by the count).
pub trait Op<T: Copy>: Copy + Send + Sync + 'static {
    /// The value that combines with any other to give that other; the result over no elements.
    const IDENTITY: T;
    /// The value of two, the earlier in the tree first.
    fn combine(a: T, b: T) -> T;
    /// Whether there is a shorter way to combine with values that are settled.
    const SETTLES: bool = false;
    /// Whether a value is no NaN, as nothing that it is combined with makes it one.
    #[inline(always)]
    fn is_settled(_: T) -> bool {
        true
    }
    /// [`Op::combine`] where the first is settled.
    #[inline(always)]
    fn combine_settled(a: T, b: T) -> T {
        Self::combine(a, b)
    }
}

/// `sum`. Integers saturate.
#[derive(Debug, Clone, Copy)]
pub struct Sum;
/// `prod`. Integers saturate.
#[derive(Debug, Clone, Copy)]
pub struct Prod;
/// `min`: skips NaN; NaN over nothing else.
#[derive(Debug, Clone, Copy)]
pub struct Min;
/// `max`: skips NaN; NaN over nothing else.
#[derive(Debug, Clone, Copy)]
pub struct Max;
/// `any`, over values already compared with zero.
#[derive(Debug, Clone, Copy)]
pub struct Any;
/// `all`, over values already compared with zero.
#[derive(Debug, Clone, Copy)]
pub struct All;

/// A value with its zero-based position along the reduced extent, for `[m, i] = min(x)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Indexed<T> {
    /// The element.
    pub value: T,
    /// Its position.
    pub index: usize,
}

macro_rules! float_ops {
    ($($t:ty)*) => {$(
        impl Op<$t> for Sum {
            const IDENTITY: $t = 0.0;
            #[inline(always)]
            fn combine(a: $t, b: $t) -> $t { a + b }
        }
        impl Op<$t> for Prod {
            const IDENTITY: $t = 1.0;
            #[inline(always)]
            fn combine(a: $t, b: $t) -> $t { a * b }
        }
        impl Op<$t> for Min {
            const IDENTITY: $t = <$t>::NAN;
            #[inline(always)]
            fn combine(a: $t, b: $t) -> $t { if (b < a) | a.is_nan() { b } else { a } }
            const SETTLES: bool = true;
            #[inline(always)]
            fn is_settled(a: $t) -> bool { !a.is_nan() }
            // One instruction, where with the test for NaN it is four.
            #[inline(always)]
            fn combine_settled(a: $t, b: $t) -> $t { if b < a { b } else { a } }
        }
        impl Op<$t> for Max {
            const IDENTITY: $t = <$t>::NAN;
            #[inline(always)]
            fn combine(a: $t, b: $t) -> $t { if (b > a) | a.is_nan() { b } else { a } }
            const SETTLES: bool = true;
            #[inline(always)]
            fn is_settled(a: $t) -> bool { !a.is_nan() }
            #[inline(always)]
            fn combine_settled(a: $t, b: $t) -> $t { if b > a { b } else { a } }
        }
        impl Op<Indexed<$t>> for Min {
            const IDENTITY: Indexed<$t> = Indexed { value: <$t>::NAN, index: usize::MAX };
            #[inline(always)]
            fn combine(a: Indexed<$t>, b: Indexed<$t>) -> Indexed<$t> {
                let nan = a.value.is_nan() & b.value.is_nan();
                let better = (b.value < a.value) | (a.value.is_nan() & !b.value.is_nan());
                let tie = (a.value == b.value) | nan;
                if better | (tie & (b.index < a.index)) { b } else { a }
            }
        }
        impl Op<Indexed<$t>> for Max {
            const IDENTITY: Indexed<$t> = <Min as Op<Indexed<$t>>>::IDENTITY;
            #[inline(always)]
            fn combine(a: Indexed<$t>, b: Indexed<$t>) -> Indexed<$t> {
                let negated = |x: Indexed<$t>| Indexed { value: -x.value, ..x };
                negated(Min::combine(negated(a), negated(b)))
            }
        }
    )*};
}
float_ops!(f64 f32);

macro_rules! integer_ops {
    ($($t:ty)*) => {$(
        impl Op<$t> for Sum {
            const IDENTITY: $t = 0;
            #[inline(always)]
            fn combine(a: $t, b: $t) -> $t { a.saturating_add(b) }
        }
        impl Op<$t> for Prod {
            const IDENTITY: $t = 1;
            #[inline(always)]
            fn combine(a: $t, b: $t) -> $t { a.saturating_mul(b) }
        }
        impl Op<$t> for Min {
            const IDENTITY: $t = <$t>::MAX;
            #[inline(always)]
            fn combine(a: $t, b: $t) -> $t { a.min(b) }
        }
        impl Op<$t> for Max {
            const IDENTITY: $t = <$t>::MIN;
            #[inline(always)]
            fn combine(a: $t, b: $t) -> $t { a.max(b) }
        }
    )*};
}
integer_ops!(i8 i16 i32 i64 u8 u16 u32 u64);

impl Op<bool> for Any {
    const IDENTITY: bool = false;
    #[inline(always)]
    fn combine(a: bool, b: bool) -> bool {
        a | b
    }
}

impl Op<bool> for All {
    const IDENTITY: bool = true;
    #[inline(always)]
    fn combine(a: bool, b: bool) -> bool {
        a & b
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn min_and_max_skip_nan() {
        assert_eq!(Min::combine(f64::NAN, 2.0), 2.0);
        assert_eq!(Min::combine(2.0, f64::NAN), 2.0);
        assert_eq!(Max::combine(Max::combine(<Max as Op<f64>>::IDENTITY, -1.0), f64::NAN), -1.0);
        assert!(Min::combine(f64::NAN, <Min as Op<f64>>::IDENTITY).is_nan());
    }

    #[test]
    fn the_first_of_equal_extremes_wins() {
        let at = |value: f64, index| Indexed { value, index };
        assert_eq!(Min::combine(at(1.0, 7), at(1.0, 3)).index, 3);
        assert_eq!(Max::combine(at(1.0, 3), at(1.0, 7)).index, 3);
        assert_eq!(Max::combine(at(1.0, 3), at(2.0, 7)), at(2.0, 7));
        assert_eq!(Max::combine(at(f64::NAN, 0), at(f64::NEG_INFINITY, 7)), at(f64::NEG_INFINITY, 7));
        let nan = Min::combine(Min::combine(at(f64::NAN, 4), at(f64::NAN, 0)), <Min as Op<Indexed<f64>>>::IDENTITY);
        assert!(nan.value.is_nan() && nan.index == 0);
    }

    #[test]
    fn integers_saturate() {
        assert_eq!(Sum::combine(100i8, 100), 127);
        assert_eq!(Prod::combine(-100i8, 100), -128);
    }
}
