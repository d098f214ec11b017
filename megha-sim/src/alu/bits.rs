//! Operations on bits: logic, shifts, fields, counts, permutations.

use super::{Fn1, Fn2, Fn3, for_int, map};
use crate::ptx::types::Type;

/// `not`, `cnot` and `brev` (result of their type), `popc`, `clz` and `bfind` (result of 32 bits).
pub(crate) fn unary(name: &str, ty: Type) -> Option<Fn1> {
    match name {
        "not" if ty.is_bits() => for_int!(ty, T => map!(T: a => !a)),
        "cnot" if ty.is_bits() => for_int!(ty, T => map!(T: a => T::from(a == 0))),
        _ => match (name, ty) {
            ("brev", Type::B32) => Some(map!(u32: a => a.reverse_bits())),
            ("brev", Type::B64) => Some(map!(u64: a => a.reverse_bits())),
            ("popc", Type::B32) => Some(map!(u32: a => a.count_ones())),
            ("popc", Type::B64) => Some(map!(u64: a => a.count_ones())),
            ("clz", Type::B32) => Some(map!(u32: a => a.leading_zeros())),
            ("clz", Type::B64) => Some(map!(u64: a => a.leading_zeros())),
            ("bfind", Type::U32) => Some(map!(u32: a => 31u32.wrapping_sub(a.leading_zeros()))),
            ("bfind", Type::U64) => Some(map!(u64: a => 63u32.wrapping_sub(a.leading_zeros()))),
            ("bfind", Type::S32) => {
                Some(map!(i32: a => 31u32.wrapping_sub((if a < 0 { !a } else { a }).leading_zeros())))
            }
            ("bfind", Type::S64) => {
                Some(map!(i64: a => 63u32.wrapping_sub((if a < 0 { !a } else { a }).leading_zeros())))
            }
            _ => None,
        },
    }
}

/// `and`, `or`, `xor`.
pub(crate) fn logic(name: &str, ty: Type) -> Option<Fn2> {
    if !ty.is_bits() {
        return None;
    }
    match name {
        "and" => for_int!(ty, T => map!(T: a, b => a & b)),
        "or" => for_int!(ty, T => map!(T: a, b => a | b)),
        "xor" => for_int!(ty, T => map!(T: a, b => a ^ b)),
        _ => None,
    }
}

/// `shl` and `shr`: the amount is a `.u32`; one that is too large is clamped to the width.
pub(crate) fn shift(name: &str, ty: Type) -> Option<Fn2> {
    match (name, ty.is_signed()) {
        ("shl", false) if ty.is_bits() => {
            for_int!(ty, T => map!(T, u32: a, b => a.checked_shl(b).unwrap_or(0)))
        }
        ("shr", false) => for_int!(ty, T => map!(T, u32: a, b => a.checked_shr(b).unwrap_or(0))),
        ("shr", true) => for_int!(ty, T => map!(T, u32: a, b => a >> b.min(T::BITS - 1))),
        _ => None,
    }
}

/// `bfe`, `lop3` aside the operations of three operands: `shf`, `prmt`, `bfe`.
pub(crate) fn ternary(name: &str, ty: Type) -> Option<Fn3> {
    match (name, ty) {
        ("bfe", Type::U32) => Some(map!(u32, u32, u32: a, b, c => extract(u64::from(a), b, c, 32, false) as u32)),
        ("bfe", Type::S32) => Some(map!(i32, u32, u32: a, b, c => extract(a as i64 as u64, b, c, 32, true) as u32)),
        ("bfe", Type::U64) => Some(map!(u64, u32, u32: a, b, c => extract(a, b, c, 64, false))),
        ("bfe", Type::S64) => Some(map!(u64, u32, u32: a, b, c => extract(a, b, c, 64, true))),
        ("prmt", Type::B32) => Some(map!(u32: a, b, c => permute(a, b, c))),
        ("shf.l.wrap", Type::B32) => Some(map!(u32: a, b, c => (wide(a, b) << (c & 31) >> 32) as u32)),
        ("shf.l.clamp", Type::B32) => Some(map!(u32: a, b, c => (wide(a, b) << c.min(32) >> 32) as u32)),
        ("shf.r.wrap", Type::B32) => Some(map!(u32: a, b, c => (wide(a, b) >> (c & 31)) as u32)),
        ("shf.r.clamp", Type::B32) => Some(map!(u32: a, b, c => (wide(a, b) >> c.min(32)) as u32)),
        _ => None,
    }
}

fn wide(low: u32, high: u32) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

/// The field of `length` bits from `start`, whose top bit (that of the word where the field reaches beyond it) fills the rest if `signed`.
fn extract(a: u64, start: u32, length: u32, width: u32, signed: bool) -> u64 {
    let (start, length) = (start & 0xff, length & 0xff);
    if length == 0 {
        return 0;
    }
    let top = (start + length - 1).min(width - 1);
    let fill = signed && a >> top & 1 == 1;
    let field = if start < width { a >> start } else { 0 };
    let kept = (width.saturating_sub(start)).min(length);
    let mask = if kept >= 64 { u64::MAX } else { (1 << kept) - 1 };
    if fill { field & mask | !mask } else { field & mask }
}

/// `bfi`: `b` with its field of `length` bits from `start` replaced by the low bits of `a`.
pub(crate) fn insert(a: u64, b: u64, start: u64, length: u64, width: u32) -> u64 {
    let (start, length) = (start as u32 & 0xff, length as u32 & 0xff);
    if start >= width || length == 0 {
        return b;
    }
    let mask = if length >= 64 { u64::MAX } else { (1 << length) - 1 } << start;
    let result = b & !mask | a << start & mask;
    if width == 32 { u64::from(result as u32) } else { result }
}

/// `prmt` in its default mode: each nibble of `selectors` chooses one of eight bytes, or the sign of it.
fn permute(a: u32, b: u32, selectors: u32) -> u32 {
    let bytes = wide(a, b).to_le_bytes();
    let mut result = [0; 4];
    for (i, byte) in result.iter_mut().enumerate() {
        let selector = selectors >> (4 * i) & 0xf;
        let chosen = bytes[selector as usize & 7];
        *byte = if selector & 8 == 0 { chosen } else { (chosen as i8 >> 7) as u8 };
    }
    u32::from_le_bytes(result)
}

/// `lop3`: bit by bit the entry of `table` that the three operands number.
pub(crate) fn lookup(a: u64, b: u64, c: u64, table: u64) -> u64 {
    let mut result = 0;
    for entry in (0..8).filter(|entry| table >> entry & 1 == 1) {
        let pick = |value: u64, bit: u64| if entry >> bit & 1 == 1 { value } else { !value };
        result |= pick(a, 2) & pick(b, 1) & pick(c, 0);
    }
    u64::from(result as u32)
}
