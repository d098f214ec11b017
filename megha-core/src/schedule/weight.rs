//! What operations cost where many are under way at once: in units of an addition.

use crate::ir::{Binary, Op, Unary};

/// The weight of an operation; those with regions count as one.
pub fn weight(op: &Op) -> u32 {
    match op {
        Op::Unary(Unary::Sqrt, _)
        | Op::Binary(Binary::Div | Binary::Mod | Binary::Rem | Binary::Divu | Binary::Remu, ..) => 6,
        Op::Unary(op, _) if (Unary::Exp..=Unary::Gamma).contains(op) => 20,
        Op::Binary(Binary::Pow | Binary::Atan2 | Binary::Hypot, ..) => 40,
        Op::Const(_) | Op::Size(_) => 0,
        _ => 1,
    }
}
