//! Operands: names and literals to slots, with the type rules of PTX.

use super::scope::Binding;
use super::{Decoder, Result};
use crate::form::{Address, Fixed, Pred, Slot, Special};
use crate::ptx::syntax::{Operand, Space};
use crate::ptx::types::Type;

/// How wide the register of an operand may be.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Width {
    Same,
    /// Loads, stores and conversions.
    SameOrWider,
}

impl Decoder<'_> {
    fn lookup(&self, name: &str) -> Result<Binding> {
        self.scopes
            .get(name)
            .or_else(|| self.names.variables.get(name).copied().map(Binding::Variable))
            .ok_or_else(|| self.error(format!("`{name}` is not declared")))
    }

    /// The slot of a register operand, and the type that it was declared with.
    fn register(&self, name: &str, ty: Type, width: Width) -> Result<(Slot, Type)> {
        match self.lookup(name)? {
            Binding::Register { slot, ty: declared } => {
                let fits = match width {
                    Width::Same => declared.agrees(ty),
                    Width::SameOrWider => declared.agrees_or_wider(ty),
                };
                if !fits {
                    let (declared, ty) = (declared.name(), ty.name());
                    return Err(
                        self.error(format!("the register `{name}` is .{declared}, the instruction wants .{ty}"))
                    );
                }
                Ok((slot, declared))
            }
            Binding::Pred(_) => {
                Err(self.error(format!("`{name}` is a predicate, the instruction wants .{}", ty.name())))
            }
            _ => Err(self.error(format!("`{name}` is a variable, not a register"))),
        }
    }

    /// A register that is written.
    pub(super) fn target(&mut self, operand: &Operand, ty: Type) -> Result<Slot> {
        self.wide_target(operand, ty, Width::Same).map(|(slot, _)| slot)
    }

    /// A register that is written, and its width in bits.
    pub(super) fn wide_target(&mut self, operand: &Operand, ty: Type, width: Width) -> Result<(Slot, u32)> {
        match operand {
            Operand::Name(name) => self.register(name, ty, width).map(|(slot, ty)| (slot, ty.bits())),
            _ => Err(self.error("the result of an instruction goes to a register")),
        }
    }

    /// A value that is read.
    pub(super) fn value(&mut self, operand: &Operand, ty: Type) -> Result<Slot> {
        self.wide_value(operand, ty, Width::Same)
    }

    /// A value that is read, perhaps from a wider register.
    pub(super) fn wide_value(&mut self, operand: &Operand, ty: Type, width: Width) -> Result<Slot> {
        match operand {
            Operand::Name(name) => match special(name) {
                Some(special) => self.special(name, special, ty),
                None => self.register(name, ty, width).map(|(slot, _)| slot),
            },
            _ => {
                let bits = self.literal(operand, ty)?;
                Ok(self.constant(bits))
            }
        }
    }

    fn special(&mut self, name: &str, special: Special, ty: Type) -> Result<Slot> {
        let declared = if name == "%gridid" { Type::U64 } else { Type::U32 };
        if !self.reads_special {
            return Err(self.error(format!("`{name}` is a special register, which only `mov` and `cvt` read")));
        }
        // the low half of a special register may be taken
        let half = ty.bytes() == 2 && !ty.is_float();
        if !half && !declared.agrees(ty) {
            return Err(self.error(format!("`{name}` is .{}, the instruction wants .{}", declared.name(), ty.name())));
        }
        Ok(self.fixed(Fixed::Special(special)))
    }

    /// The bits of a literal as a value of type `ty`.
    fn literal(&self, operand: &Operand, ty: Type) -> Result<u64> {
        match (operand, ty) {
            (Operand::Int(value), _) if !ty.is_float() => {
                let bits = ty.bits();
                let (signed, unsigned) = (*value as i64, *value);
                let fits = bits == 64 || unsigned >> bits == 0 || signed < 0 && signed >= -1 << (bits - 1);
                if !fits {
                    return Err(self.error(format!("`{signed}` does not fit .{}", ty.name())));
                }
                Ok(if bits == 64 { unsigned } else { unsigned & ((1 << bits) - 1) })
            }
            (Operand::Float(value), Type::F64) => Ok(value.to_bits()),
            (Operand::Float(value), Type::F32) => Ok(u64::from((*value as f32).to_bits())),
            (Operand::Single(value), Type::F32) => Ok(u64::from(value.to_bits())),
            (Operand::Int(value), _) => Err(self.error(format!(
                "the integer `{}` is not a value of type .{}; floating-point literals are written as `0d3FF0000000000000` or `1.0`",
                *value as i64,
                ty.name()
            ))),
            (Operand::Float(_) | Operand::Single(_), _) => {
                Err(self.error(format!("a floating-point literal is not a value of type .{}", ty.name())))
            }
            _ => Err(self.error("this operand must be a register or a literal")),
        }
    }

    pub(super) fn predicate_named(&self, name: &str, negated: bool) -> Result<Pred> {
        match self.lookup(name)? {
            Binding::Pred(index) => Ok(Pred { index, negated }),
            _ => Err(self.error(format!("`{name}` is not a predicate"))),
        }
    }

    /// A predicate that is read.
    pub(super) fn predicate(&self, operand: &Operand) -> Result<Pred> {
        match operand {
            Operand::Name(name) => self.predicate_named(name, false),
            Operand::Not(name) => self.predicate_named(name, true),
            Operand::Int(value @ (0 | 1)) => Ok(Pred { index: 0, negated: *value == 0 }),
            _ => Err(self.error("this operand must be a predicate")),
        }
    }

    /// A predicate that is written; `_` is none.
    pub(super) fn predicate_target(&self, name: &str) -> Result<Option<u32>> {
        if name == "_" {
            return Ok(None);
        }
        self.predicate_named(name, false).map(|pred| Some(pred.index))
    }

    /// `[name + offset]` and the space of the variable, if the name is one.
    pub(super) fn address(&mut self, operand: &Operand, space: Space) -> Result<Address> {
        let (name, offset) = match operand {
            Operand::Absolute(address) if space == Space::Local => {
                return Ok(Address { base: self.constant(*address), offset: 0 });
            }
            Operand::Absolute(_) => return Err(self.error("an address as a number exists in local memory only")),
            Operand::Address(name, offset) => (name, *offset),
            _ => return Err(self.error("a memory operand is written in brackets, as `[%rd1+8]`")),
        };
        match self.lookup(name)? {
            Binding::Register { slot, ty } => {
                let narrow = ty.bytes() == 4 && matches!(space, Space::Shared | Space::Local | Space::Const);
                if ty.is_float() || !(ty.bytes() == 8 || narrow) {
                    return Err(self.error(format!("the register `{name}` is .{}, an address has 64 bits", ty.name())));
                }
                if space == Space::Param {
                    return Err(self.error("parameters are read by name; an address in a register is not simulated"));
                }
                Ok(Address { base: slot, offset })
            }
            Binding::Variable(number) => {
                let declared = self.variables[number].space;
                let wanted = if space == Space::Generic { Space::Global } else { space };
                if declared != wanted {
                    return Err(self.wrong_space(name, declared, space));
                }
                Ok(Address { base: self.fixed(Fixed::Variable(number)), offset })
            }
            Binding::Local { offset: start, space: declared, .. } => {
                if declared != space {
                    return Err(self.wrong_space(name, declared, space));
                }
                Ok(Address { base: self.fixed(Fixed::Local(start)), offset })
            }
            Binding::Parameter { .. } => Err(self.wrong_space(name, Space::Param, space)),
            Binding::Pred(_) => Err(self.error(format!("`{name}` is a predicate, not an address"))),
        }
    }

    fn wrong_space(&self, name: &str, declared: Space, space: Space) -> crate::ptx::SyntaxError {
        self.error(format!("`{name}` is in .{} memory, the instruction goes to .{}", declared.name(), space.name()))
    }

    /// The slot with the address of a variable, for `mov` and `cvta`.
    pub(super) fn address_of(&mut self, name: &str) -> Result<Option<(Slot, Space)>> {
        if special(name).is_some() {
            return Ok(None);
        }
        match self.lookup(name)? {
            Binding::Variable(number) => {
                let space = self.variables[number].space;
                Ok(Some((self.fixed(Fixed::Variable(number)), space)))
            }
            Binding::Local { offset, space, .. } => Ok(Some((self.fixed(Fixed::Local(offset)), space))),
            Binding::Parameter { .. } => {
                Err(self.error(format!("the address of the parameter `{name}` is not simulated")))
            }
            Binding::Register { .. } | Binding::Pred(_) => Ok(None),
        }
    }

    /// The parameter of the entry that a `ld.param` reads: its offset and bytes.
    pub(super) fn entry_parameter(&self, operand: &Operand) -> Result<Option<(u32, u32, i64)>> {
        let Operand::Address(name, at) = operand else { return Ok(None) };
        match self.lookup(name)? {
            Binding::Parameter { offset, bytes } => Ok(Some((offset, bytes, *at))),
            _ => Ok(None),
        }
    }

    /// What stands for an argument or result of a call.
    pub(super) fn binding(&self, name: &str) -> Result<Binding> {
        self.lookup(name)
    }
}

/// The special register of that name.
pub(super) fn special(name: &str) -> Option<Special> {
    let component = |of: fn(usize) -> Special| match name.rsplit_once('.') {
        Some((_, "x")) => Some(of(0)),
        Some((_, "y")) => Some(of(1)),
        Some((_, "z")) => Some(of(2)),
        _ => None,
    };
    match name.split('.').next()? {
        "%tid" => component(Special::Tid),
        "%ntid" => component(Special::Ntid),
        "%ctaid" => component(Special::Ctaid),
        "%nctaid" => component(Special::Nctaid),
        "%laneid" => Some(Special::Lane),
        "%warpid" => Some(Special::Warp),
        "%nwarpid" => Some(Special::Warps),
        "%smid" | "%gridid" => Some(Special::Zero),
        "%lanemask_eq" => Some(Special::LanesBetween(0, 0)),
        "%lanemask_lt" => Some(Special::LanesBetween(-31, -1)),
        "%lanemask_le" => Some(Special::LanesBetween(-31, 0)),
        "%lanemask_gt" => Some(Special::LanesBetween(1, 31)),
        "%lanemask_ge" => Some(Special::LanesBetween(0, 31)),
        "%dynamic_smem_size" => Some(Special::DynamicShared),
        _ => None,
    }
}
