//! The low 32 bits of 64-bit numbers, computed in 32 bits.
//!
//! The IR holds the bits of a single in an `Index` of 64 bits ([`crate::ir::Op::Bits`]). Devices have registers of 32 bits, and take two
//! instructions for what one would do. Sums, products, logic and shifts to the left need the low halves of their operands only; so
//! does a shift to the right where the high half of its operand is zero. The operations on 64 bits go if nothing else reads them
//! ([`super::dead`]).

use super::emit::Emitter;
use super::inst::{Arith, Inst, Operand, Ty};
use crate::schedule::Optimisation;

/// How many operations are followed, one after the other: chains of them in the functions of singles are no longer.
const DEPTH: u32 = 8;

impl Emitter {
    /// The low half of a 64-bit integer.
    pub fn low_half(&mut self, a: Operand) -> Operand {
        if !self.optimisations.has(Optimisation::LowHalves) {
            return self.convert(Ty::U32, Ty::S64, a);
        }
        self.low_within(a, DEPTH)
    }

    fn low_within(&mut self, a: Operand, depth: u32) -> Operand {
        if let Operand::Int(known) = a {
            return Operand::Int((known as u32).into());
        }
        let narrow = match self.definition(a).cloned() {
            Some(Inst::Convert { from: Ty::U32, a, .. }) => Some(a.into()),
            Some(Inst::Arith { op, args, .. }) if depth > 0 => self.low_arith(op, &args, depth - 1),
            _ => None,
        };
        narrow.unwrap_or_else(|| self.convert(Ty::U32, Ty::S64, a))
    }

    /// The low half of a result, if those of the operands determine it.
    fn low_arith(&mut self, op: Arith, args: &[Operand], depth: u32) -> Option<Operand> {
        let ty = match (op, args) {
            (Arith::Add | Arith::Sub | Arith::Mul, _) => Ty::U32,
            (Arith::And | Arith::Or | Arith::Xor, _) => Ty::B32,
            (Arith::Shl, [_, Operand::Int(0..=31)]) => Ty::B32,
            (Arith::Shr, [a, Operand::Int(0..=31)]) if self.fits_low(*a, depth) => Ty::U32,
            _ => return None,
        };
        let args: Vec<Operand> = args.iter().map(|a| self.low_within(*a, depth)).collect();
        Some(self.arith(op, ty, &args))
    }

    /// Whether the high half of a 64-bit integer is known to be zero.
    fn fits_low(&self, a: Operand, depth: u32) -> bool {
        let small = |x: &Operand| matches!(x, Operand::Int(0..=0xffff_ffff));
        match self.definition(a) {
            None => small(&a),
            Some(Inst::Convert { from: Ty::U32, .. }) => true,
            Some(Inst::Arith { op: Arith::And, args, .. }) => args.iter().any(small),
            Some(Inst::Arith { op: Arith::Shr, ty: Ty::U64, args, .. }) => match args[..] {
                [_, Operand::Int(32..=63)] => true,
                [a, Operand::Int(_)] => depth > 0 && self.fits_low(a, depth - 1),
                _ => false,
            },
            Some(_) => false,
        }
    }
}
