//! Integer arithmetic.

use super::{Fn1, Fn2, Fn3, for_int, map};
use crate::ptx::types::Type;

/// Instructions of one integer operand.
pub(crate) fn unary(name: &str, ty: Type) -> Option<Fn1> {
    match (name, ty) {
        ("neg", Type::S16) => Some(map!(i16: a => a.wrapping_neg())),
        ("neg", Type::S32) => Some(map!(i32: a => a.wrapping_neg())),
        ("neg", Type::S64) => Some(map!(i64: a => a.wrapping_neg())),
        ("abs", Type::S16) => Some(map!(i16: a => a.wrapping_abs())),
        ("abs", Type::S32) => Some(map!(i32: a => a.wrapping_abs())),
        ("abs", Type::S64) => Some(map!(i64: a => a.wrapping_abs())),
        _ => None,
    }
}

/// Instructions of two integer operands whose result has their type.
pub(crate) fn binary(name: &str, ty: Type) -> Option<Fn2> {
    if ty.is_bits() {
        return None;
    }
    match name {
        "add" => for_int!(ty, T => map!(T: a, b => a.wrapping_add(b))),
        "sub" => for_int!(ty, T => map!(T: a, b => a.wrapping_sub(b))),
        "mul.lo" => for_int!(ty, T => map!(T: a, b => a.wrapping_mul(b))),
        "mul.hi" => multiply_high(ty),
        "mul.wide" => multiply_wide(ty),
        "min" => for_int!(ty, T => map!(T: a, b => a.min(b))),
        "max" => for_int!(ty, T => map!(T: a, b => a.max(b))),
        _ => None,
    }
}

/// `add.sat.s32` and `sub.sat.s32`.
pub(crate) fn saturating(name: &str, ty: Type) -> Option<Fn2> {
    match (name, ty) {
        ("add", Type::S32) => Some(map!(i32: a, b => a.saturating_add(b))),
        ("sub", Type::S32) => Some(map!(i32: a, b => a.saturating_sub(b))),
        _ => None,
    }
}

/// `div` and `rem`. PTX leaves a zero divisor open; the executor reports it, and inactive lanes may hold one, so 0 has a result here.
pub(crate) fn divide(name: &str, ty: Type) -> Option<Fn2> {
    if ty.is_bits() {
        return None;
    }
    match name {
        "div" => for_int!(ty, T => map!(T: a, b => if b == 0 { T::MAX } else { a.wrapping_div(b) })),
        "rem" => for_int!(ty, T => map!(T: a, b => if b == 0 { a } else { a.wrapping_rem(b) })),
        _ => None,
    }
}

fn multiply_high(ty: Type) -> Option<Fn2> {
    match ty {
        Type::U16 => Some(map!(u16: a, b => ((u32::from(a) * u32::from(b)) >> 16) as u16)),
        Type::S16 => Some(map!(i16: a, b => ((i32::from(a) * i32::from(b)) >> 16) as i16)),
        Type::U32 => Some(map!(u32: a, b => ((u64::from(a) * u64::from(b)) >> 32) as u32)),
        Type::S32 => Some(map!(i32: a, b => ((i64::from(a) * i64::from(b)) >> 32) as i32)),
        Type::U64 => Some(map!(u64: a, b => ((u128::from(a) * u128::from(b)) >> 64) as u64)),
        Type::S64 => Some(map!(i64: a, b => ((i128::from(a) * i128::from(b)) >> 64) as i64)),
        _ => None,
    }
}

fn multiply_wide(ty: Type) -> Option<Fn2> {
    match ty {
        Type::U16 => Some(map!(u16: a, b => u32::from(a) * u32::from(b))),
        Type::S16 => Some(map!(i16: a, b => i32::from(a) * i32::from(b))),
        Type::U32 => Some(map!(u32: a, b => u64::from(a) * u64::from(b))),
        Type::S32 => Some(map!(i32: a, b => i64::from(a) * i64::from(b))),
        _ => None,
    }
}

/// `mad` and `sad`, of three integer operands.
pub(crate) fn ternary(name: &str, ty: Type) -> Option<Fn3> {
    if ty.is_bits() {
        return None;
    }
    match name {
        "mad.lo" => for_int!(ty, T => map!(T: a, b, c => a.wrapping_mul(b).wrapping_add(c))),
        "mad.hi" => match ty {
            Type::U32 => Some(map!(u32: a, b, c => (((u64::from(a) * u64::from(b)) >> 32) as u32).wrapping_add(c))),
            Type::S32 => Some(map!(i32: a, b, c => (((i64::from(a) * i64::from(b)) >> 32) as i32).wrapping_add(c))),
            Type::U64 => Some(map!(u64: a, b, c => (((u128::from(a) * u128::from(b)) >> 64) as u64).wrapping_add(c))),
            Type::S64 => Some(map!(i64: a, b, c => (((i128::from(a) * i128::from(b)) >> 64) as i64).wrapping_add(c))),
            Type::U16 => Some(map!(u16: a, b, c => (((u32::from(a) * u32::from(b)) >> 16) as u16).wrapping_add(c))),
            Type::S16 => Some(map!(i16: a, b, c => (((i32::from(a) * i32::from(b)) >> 16) as i16).wrapping_add(c))),
            _ => None,
        },
        "mad.wide" => match ty {
            Type::U16 => Some(map!(u16, u16, u32: a, b, c => (u32::from(a) * u32::from(b)).wrapping_add(c))),
            Type::S16 => Some(map!(i16, i16, i32: a, b, c => (i32::from(a) * i32::from(b)).wrapping_add(c))),
            Type::U32 => Some(map!(u32, u32, u64: a, b, c => (u64::from(a) * u64::from(b)).wrapping_add(c))),
            Type::S32 => Some(map!(i32, i32, i64: a, b, c => (i64::from(a) * i64::from(b)).wrapping_add(c))),
            _ => None,
        },
        "sad" => for_int!(ty, T => map!(T: a, b, c => {
            let (low, high) = if a < b { (a, b) } else { (b, a) };
            high.wrapping_sub(low).wrapping_add(c)
        })),
        _ => None,
    }
}
