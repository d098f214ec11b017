//! Comparisons of `setp` and `set`, classes of `testp`, and the selection of `slct`.

use super::{Fn3, Lanes, Scalar, Test, WARP, for_int, map};
use crate::ptx::types::Type;

macro_rules! test {
    ($t:ty: $a:ident, $b:ident => $e:expr) => {
        (|x: &Lanes, y: &Lanes| {
            let mut bits = 0;
            for l in 0..WARP {
                let ($a, $b) = (<$t as Scalar>::of(x[l]), <$t as Scalar>::of(y[l]));
                bits |= u32::from($e) << l;
            }
            bits
        }) as Test
    };
}

macro_rules! float_test {
    ($name:expr, $t:ty) => {
        match $name {
            "eq" => Some(test!($t: a, b => a == b)),
            "ne" => Some(test!($t: a, b => a != b && !a.is_nan() && !b.is_nan())),
            "lt" => Some(test!($t: a, b => a < b)),
            "le" => Some(test!($t: a, b => a <= b)),
            "gt" => Some(test!($t: a, b => a > b)),
            "ge" => Some(test!($t: a, b => a >= b)),
            "equ" => Some(test!($t: a, b => a == b || a.is_nan() || b.is_nan())),
            "neu" => Some(test!($t: a, b => a != b)),
            "ltu" => Some(test!($t: a, b => a < b || a.is_nan() || b.is_nan())),
            "leu" => Some(test!($t: a, b => a <= b || a.is_nan() || b.is_nan())),
            "gtu" => Some(test!($t: a, b => a > b || a.is_nan() || b.is_nan())),
            "geu" => Some(test!($t: a, b => a >= b || a.is_nan() || b.is_nan())),
            "num" => Some(test!($t: a, b => !a.is_nan() && !b.is_nan())),
            "nan" => Some(test!($t: a, b => a.is_nan() || b.is_nan())),
            _ => None,
        }
    };
}

/// The comparison `name` (`lt`, `neu`, ...) of operands of type `ty`.
pub(crate) fn test(name: &str, ty: Type) -> Option<Test> {
    match (name, ty) {
        (_, Type::F32) => float_test!(name, f32),
        (_, Type::F64) => float_test!(name, f64),
        ("eq", _) => for_int!(ty, T => test!(T: a, b => a == b)),
        ("ne", _) => for_int!(ty, T => test!(T: a, b => a != b)),
        _ if ty.is_bits() => None,
        ("lt", _) => for_int!(ty, T => test!(T: a, b => a < b)),
        ("le", _) => for_int!(ty, T => test!(T: a, b => a <= b)),
        ("gt", _) => for_int!(ty, T => test!(T: a, b => a > b)),
        ("ge", _) => for_int!(ty, T => test!(T: a, b => a >= b)),
        _ if ty.is_signed() => None,
        ("lo", _) => test("lt", ty),
        ("ls", _) => test("le", ty),
        ("hi", _) => test("gt", ty),
        ("hs", _) => test("ge", ty),
        _ => None,
    }
}

macro_rules! class_test {
    ($name:expr, $t:ty) => {
        match $name {
            "finite" => Some(test!($t: a, _b => a.is_finite())),
            "infinite" => Some(test!($t: a, _b => a.is_infinite())),
            "number" => Some(test!($t: a, _b => !a.is_nan())),
            "notanumber" => Some(test!($t: a, _b => a.is_nan())),
            "normal" => Some(test!($t: a, _b => a.is_normal())),
            "subnormal" => Some(test!($t: a, _b => a.is_subnormal())),
            _ => None,
        }
    };
}

/// `testp`, which looks at its first operand only.
pub(crate) fn class(name: &str, ty: Type) -> Option<Test> {
    match ty {
        Type::F32 => class_test!(name, f32),
        Type::F64 => class_test!(name, f64),
        _ => None,
    }
}

/// `slct`: `a` where the third operand, of type `ty`, is at least 0.
pub(crate) fn by_sign(ty: Type) -> Option<Fn3> {
    Some(match ty {
        Type::S32 => map!(u64, u64, i32: a, b, c => if c >= 0 { a } else { b }),
        Type::F32 => map!(u64, u64, f32: a, b, c => if c >= 0.0 { a } else { b }),
        _ => return None,
    })
}
