//! Loads, stores, atomics and fences.

use super::modifiers::Modifiers;
use super::operand::Width;
use super::{Decoder, Flops, Result};
use crate::alu::atomic;
use crate::form::{Element, Op, Slot};
use crate::ptx::syntax::{Operand, Space};
use crate::ptx::types::Type;

const SCOPES: [&str; 4] = ["cta", "cluster", "gpu", "sys"];

/// The modifiers of a load or store that say where and what.
struct Access {
    space: Space,
    /// Ordered with accesses of other threads, as `.volatile`, `.relaxed`, `.acquire` and `.release` are.
    strong: bool,
    count: usize,
    ty: Type,
}

fn access(m: &mut Modifiers) -> Result<Access> {
    m.flag("weak");
    let strong = m.one_of(&["volatile", "relaxed", "acquire", "release"]);
    if strong.is_some_and(|word| word != "volatile") {
        m.required(&SCOPES)?;
    }
    let space = m.one_of(&["global", "shared", "local", "const", "param"]).and_then(Space::named);
    m.flag("nc");
    m.one_of(&["ca", "cg", "cs", "cv", "lu", "wb", "wt"]);
    let count = m.vector();
    let ty = m.ty()?;
    if count * ty.bytes() > 16 {
        return Err(m.error(format!("`{}` moves more than 16 bytes", m.full_name())));
    }
    Ok(Access { space: space.unwrap_or(Space::Generic), strong: strong.is_some(), count, ty })
}

impl Decoder<'_> {
    /// The operands that a vector access moves: one, or those in braces.
    fn moved<'o>(&self, m: &Modifiers, operand: &'o Operand, count: usize) -> Result<&'o [Operand]> {
        let operands = match operand {
            Operand::Vector(operands) => operands,
            other => std::slice::from_ref(other),
        };
        if operands.len() != count {
            return Err(m.error(format!("`{}` moves {count} registers, not {}", m.full_name(), operands.len())));
        }
        Ok(operands)
    }

    /// Parameters of functions live in the frame, which is local memory.
    fn in_frame(&self, space: Space) -> Space {
        if space == Space::Param { Space::Local } else { space }
    }

    pub(super) fn load(&mut self, m: &mut Modifiers) -> Result<()> {
        let Access { space, strong, count, ty } = access(m)?;
        let [target, source] = m.operands()?;
        let targets = self.moved(m, target, count)?;
        let d = self.vector_targets(targets, ty)?;
        let register = self.register_bits(targets, ty)?;
        let element = Element { ty, register };
        let parameter = if space == Space::Param { self.entry_parameter(source)? } else { None };
        let op = match parameter {
            Some((offset, bytes, at)) => {
                let inside = at >= 0 && at as u64 + (count * ty.bytes()) as u64 <= u64::from(bytes);
                if !inside {
                    return Err(
                        m.error(format!("`{}` reads beyond the parameter, which has {bytes} bytes", m.full_name()))
                    );
                }
                Op::LoadParam { element, d, offset: offset + at as u32 }
            }
            None => {
                let address = self.address(source, space)?;
                Op::Load { space: self.in_frame(space), element, d, address, strong }
            }
        };
        self.emit(&m.full_name(), op, Flops::default());
        Ok(())
    }

    /// The width that the loaded registers share.
    fn register_bits(&mut self, targets: &[Operand], ty: Type) -> Result<u32> {
        let mut bits = ty.bits();
        for target in targets {
            if !matches!(target, Operand::Name(name) if name == "_") {
                let (_, width) = self.wide_target(target, ty, Width::SameOrWider)?;
                bits = bits.max(width);
            }
        }
        Ok(bits)
    }

    pub(super) fn store(&mut self, m: &mut Modifiers) -> Result<()> {
        let Access { space, strong, count, ty } = access(m)?;
        if space == Space::Const {
            return Err(m.error("constant memory cannot be written"));
        }
        if space == Space::Param && self.entry {
            // an entry may only fill the parameters of functions that it calls
            if let Some(Operand::Address(name, _)) = m.all_operands().first()
                && self.entry_parameter(&Operand::Address(name.clone(), 0))?.is_some()
            {
                return Err(m.error(format!("`{name}` is a parameter of the entry and cannot be written")));
            }
        }
        let [target, source] = m.operands()?;
        let values: Box<[Slot]> = self
            .moved(m, source, count)?
            .iter()
            .map(|operand| self.wide_value(operand, ty, Width::SameOrWider))
            .collect::<Result<_>>()?;
        let address = self.address(target, space)?;
        let element = Element { ty, register: ty.bits() };
        self.emit(
            &m.full_name(),
            Op::Store { space: self.in_frame(space), element, values, address, strong },
            Flops::default(),
        );
        Ok(())
    }

    pub(super) fn atomic(&mut self, m: &mut Modifiers) -> Result<()> {
        m.one_of(&["relaxed", "acquire", "release", "acq_rel"]);
        m.one_of(&SCOPES);
        let space = m.one_of(&["global", "shared"]).and_then(Space::named).unwrap_or(Space::Generic);
        let operation = m.required(&["add", "min", "max", "inc", "dec", "cas", "exch", "and", "or", "xor"])?;
        let ty = m.ty()?;
        let update = atomic::update(operation, ty).ok_or_else(|| m.no_such(ty))?;
        let (target, rest) = if m.name() == "atom" {
            let (target, rest) = m.all_operands().split_first().ok_or_else(|| m.error("`atom` takes operands"))?;
            (Some(target), rest)
        } else {
            (None, m.all_operands())
        };
        if m.name() == "red" && matches!(operation, "cas" | "exch") {
            return Err(m.no_such(ty));
        }
        let (address, b, c) = match rest {
            [address, b, c] if operation == "cas" => (address, b, c),
            [address, b] if operation != "cas" => (address, b, b),
            _ => {
                let full = m.full_name();
                return Err(m.error(format!("`{full}` does not take {} operands", m.all_operands().len())));
            }
        };
        let d = match target {
            Some(Operand::Name(name)) if name == "_" => None,
            Some(target) => Some(self.target(target, ty)?),
            None => None,
        };
        let (b, c) = (self.value(b, ty)?, self.value(c, ty)?);
        let address = self.address(address, space)?;
        let flops = match (operation, ty) {
            ("add", Type::F32) => Flops { single: 1, ..Flops::default() },
            ("add", Type::F64) => Flops { double: 1, ..Flops::default() },
            _ => Flops::default(),
        };
        self.emit(&m.full_name(), Op::Atomic { space, ty, update, d, address, b, c }, flops);
        Ok(())
    }

    pub(super) fn fence(&mut self, m: &mut Modifiers) -> Result<()> {
        let [] = m.operands()?;
        if m.name() == "fence" {
            m.one_of(&["sc", "acq_rel"]);
        }
        m.required(&["cta", "gl", "gpu", "sys"])?;
        self.emit(&m.full_name(), Op::Fence, Flops::default());
        Ok(())
    }
}
