//! What the instructions compute: functions over the 32 lanes of a warp.
//!
//! An instruction computes all lanes and the executor keeps those that are active, which lets the loops vectorise. The tables
//! ([`int`], [`float`], [`convert`], [`compare`]) say for each operation and type which function that is, and `None` where PTX
//! has no such instruction.

pub(crate) mod atomic;
pub(crate) mod bits;
pub(crate) mod compare;
pub(crate) mod convert;
pub(crate) mod float;
pub(crate) mod int;

/// Threads in a warp.
pub(crate) const WARP: usize = 32;

/// The values of a register in the lanes of a warp.
pub(crate) type Lanes = [u64; WARP];

/// A function of one register.
pub(crate) type Fn1 = fn(&Lanes, &mut Lanes);
/// A function of two registers.
pub(crate) type Fn2 = fn(&Lanes, &Lanes, &mut Lanes);
/// A function of three registers.
pub(crate) type Fn3 = fn(&Lanes, &Lanes, &Lanes, &mut Lanes);
/// A comparison of two registers.
pub(crate) type Test = fn(&Lanes, &Lanes) -> u32;

/// A value that a register holds in its low bits.
pub(crate) trait Scalar: Copy {
    fn of(bits: u64) -> Self;
    fn bits(self) -> u64;
}

macro_rules! scalar_ints {
    ($($t:ty, $unsigned:ty;)*) => {$(
        impl Scalar for $t {
            #[inline(always)]
            fn of(bits: u64) -> $t {
                bits as $t
            }
            #[inline(always)]
            fn bits(self) -> u64 {
                u64::from(self as $unsigned)
            }
        }
    )*};
}
scalar_ints! { u8, u8; u16, u16; u32, u32; u64, u64; i8, u8; i16, u16; i32, u32; i64, u64; }

impl Scalar for f32 {
    #[inline(always)]
    fn of(bits: u64) -> f32 {
        f32::from_bits(bits as u32)
    }
    #[inline(always)]
    fn bits(self) -> u64 {
        u64::from(self.to_bits())
    }
}

impl Scalar for f64 {
    #[inline(always)]
    fn of(bits: u64) -> f64 {
        f64::from_bits(bits)
    }
    #[inline(always)]
    fn bits(self) -> u64 {
        self.to_bits()
    }
}

/// `map!(f64: a, b => a + b)`: the function over lanes that computes an expression in each.
macro_rules! map {
    ($t:ty: $a:ident => $e:expr) => {
        (|x, d| {
            for l in 0..$crate::alu::WARP {
                let $a = <$t as $crate::alu::Scalar>::of(x[l]);
                d[l] = $crate::alu::Scalar::bits($e);
            }
        }) as $crate::alu::Fn1
    };
    ($t:ty: $a:ident, $b:ident => $e:expr) => {
        map!($t, $t: $a, $b => $e)
    };
    ($t:ty, $u:ty: $a:ident, $b:ident => $e:expr) => {
        (|x, y, d| {
            for l in 0..$crate::alu::WARP {
                let $a = <$t as $crate::alu::Scalar>::of(x[l]);
                let $b = <$u as $crate::alu::Scalar>::of(y[l]);
                d[l] = $crate::alu::Scalar::bits($e);
            }
        }) as $crate::alu::Fn2
    };
    ($t:ty: $a:ident, $b:ident, $c:ident => $e:expr) => {
        map!($t, $t, $t: $a, $b, $c => $e)
    };
    ($t:ty, $u:ty, $v:ty: $a:ident, $b:ident, $c:ident => $e:expr) => {
        (|x, y, z, d| {
            for l in 0..$crate::alu::WARP {
                let $a = <$t as $crate::alu::Scalar>::of(x[l]);
                let $b = <$u as $crate::alu::Scalar>::of(y[l]);
                let $c = <$v as $crate::alu::Scalar>::of(z[l]);
                d[l] = $crate::alu::Scalar::bits($e);
            }
        }) as $crate::alu::Fn3
    };
}
pub(crate) use map;

/// `for_int!(ty, T => expression in T)`: the expression for the integer type of 16, 32 or 64 bits that `ty` is, untyped bits as
/// unsigned; `None` for other types.
macro_rules! for_int {
    ($ty:expr, $T:ident => $e:expr) => {{
        use $crate::ptx::types::Type;
        match $ty {
            Type::U16 | Type::B16 => {
                type $T = u16;
                Some($e)
            }
            Type::S16 => {
                type $T = i16;
                Some($e)
            }
            Type::U32 | Type::B32 => {
                type $T = u32;
                Some($e)
            }
            Type::S32 => {
                type $T = i32;
                Some($e)
            }
            Type::U64 | Type::B64 => {
                type $T = u64;
                Some($e)
            }
            Type::S64 => {
                type $T = i64;
                Some($e)
            }
            _ => None,
        }
    }};
}
pub(crate) use for_int;
