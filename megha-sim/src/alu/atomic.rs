//! The updates of `atom` and `red`.

use super::Scalar;
use crate::form::Update;
use crate::ptx::types::Type;

macro_rules! update {
    ($t:ty: $old:ident, $b:ident => $e:expr) => {
        (|old, b, _| {
            let ($old, $b) = (<$t as Scalar>::of(old), <$t as Scalar>::of(b));
            Scalar::bits($e)
        }) as Update
    };
}

/// The update `name` of a location of type `ty`; `cas` alone uses both operands.
pub(crate) fn update(name: &str, ty: Type) -> Option<Update> {
    Some(match (name, ty) {
        ("exch", Type::B32 | Type::B64) => |_, b, _| b,
        ("cas", Type::B32 | Type::B64) => |old, b, c| if old == b { c } else { old },
        ("and", Type::B32 | Type::B64) => |old, b, _| old & b,
        ("or", Type::B32 | Type::B64) => |old, b, _| old | b,
        ("xor", Type::B32 | Type::B64) => |old, b, _| old ^ b,
        ("add", Type::U32) => update!(u32: old, b => old.wrapping_add(b)),
        ("add", Type::S32) => update!(i32: old, b => old.wrapping_add(b)),
        ("add", Type::U64) => update!(u64: old, b => old.wrapping_add(b)),
        ("add", Type::F32) => update!(f32: old, b => old + b),
        ("add", Type::F64) => update!(f64: old, b => old + b),
        ("min", Type::U32) => update!(u32: old, b => old.min(b)),
        ("min", Type::S32) => update!(i32: old, b => old.min(b)),
        ("min", Type::U64) => update!(u64: old, b => old.min(b)),
        ("min", Type::S64) => update!(i64: old, b => old.min(b)),
        ("max", Type::U32) => update!(u32: old, b => old.max(b)),
        ("max", Type::S32) => update!(i32: old, b => old.max(b)),
        ("max", Type::U64) => update!(u64: old, b => old.max(b)),
        ("max", Type::S64) => update!(i64: old, b => old.max(b)),
        ("inc", Type::U32) => update!(u32: old, b => if old >= b { 0 } else { old + 1 }),
        ("dec", Type::U32) => update!(u32: old, b => if old == 0 || old > b { b } else { old - 1 }),
        _ => return None,
    })
}
