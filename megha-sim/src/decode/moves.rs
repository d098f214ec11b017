//! `mov`, conversions, comparisons, selections and logic of predicates.

use super::modifiers::Modifiers;
use super::operand::Width;
use super::{Decoder, Flops, Result};
use crate::alu::convert::{self, Rounding};
use crate::alu::{Fn1, compare, map};
use crate::exec::{LOCAL_WINDOW, SHARED_WINDOW};
use crate::form::{Logic, Op, Pred};
use crate::ptx::syntax::{Operand, Space};
use crate::ptx::types::Type;

fn copy() -> Fn1 {
    map!(u64: a => a)
}

fn logic_named(word: &str) -> Logic {
    match word {
        "and" => Logic::And,
        "or" => Logic::Or,
        _ => Logic::Xor,
    }
}

impl Decoder<'_> {
    pub(super) fn mov(&mut self, m: &mut Modifiers) -> Result<()> {
        let [to, from] = m.operands()?;
        let name = m.full_name();
        if m.flag("pred") {
            let Operand::Name(to) = to else { return Err(m.error("the result of `mov.pred` is a predicate")) };
            let a = self.predicate(from)?;
            let Some(d) = self.predicate_target(to)? else { return Ok(()) };
            self.emit(&name, Op::Logic { op: Logic::And, d, a, b: Pred::TRUE }, Flops::default());
            return Ok(());
        }
        let ty = m.ty()?;
        let op = match (to, from) {
            (Operand::Vector(parts), from) => self.unpack(m, ty, parts, from)?,
            (to, Operand::Vector(parts)) => self.pack(m, ty, to, parts)?,
            (to, Operand::Name(clock)) if matches!(clock.as_str(), "%clock64" | "%clock" | "%globaltimer") => {
                let wanted = if clock == "%clock" { Type::U32 } else { Type::U64 };
                if !ty.agrees(wanted) {
                    return Err(m.error(format!("`{clock}` is .{}", wanted.name())));
                }
                Op::Clock { d: self.target(to, ty)?, bits: ty.bits() }
            }
            (to, Operand::Name(variable) | Operand::Offset(variable, _)) => {
                let d = self.target(to, ty)?;
                match self.address_of(variable)? {
                    Some((address, _)) => {
                        let offset = if let Operand::Offset(_, offset) = from { *offset } else { 0 };
                        let offset = self.constant(offset as u64);
                        Op::Map2 { f: map!(u64: a, b => a.wrapping_add(b)), d, a: address, b: offset }
                    }
                    None => Op::Map1 { f: copy(), d, a: self.value(from, ty)? },
                }
            }
            (to, from) => {
                let d = self.target(to, ty)?;
                Op::Map1 { f: copy(), d, a: self.value(from, ty)? }
            }
        };
        self.emit(&name, op, Flops::default());
        Ok(())
    }

    /// The type of each of `count` parts of a value of type `ty`.
    fn part(&self, m: &Modifiers, ty: Type, count: usize) -> Result<Type> {
        match (ty.bits() as usize).checked_div(count) {
            Some(32) => Ok(Type::B32),
            Some(16) => Ok(Type::B16),
            Some(8) => Ok(Type::B8),
            _ => Err(m.error(format!("a .{} value does not have {count} parts", ty.name()))),
        }
    }

    fn unpack(&mut self, m: &Modifiers, ty: Type, parts: &[Operand], from: &Operand) -> Result<Op> {
        let part = self.part(m, ty, parts.len())?;
        let a = self.value(from, ty)?;
        let parts = self.vector_targets(parts, part)?;
        Ok(Op::Unpack { parts, a, bits: part.bits() })
    }

    fn pack(&mut self, m: &Modifiers, ty: Type, to: &Operand, parts: &[Operand]) -> Result<Op> {
        let part = self.part(m, ty, parts.len())?;
        let d = self.target(to, ty)?;
        let parts = parts.iter().map(|operand| self.value(operand, part)).collect::<Result<_>>()?;
        Ok(Op::Pack { d, parts, bits: part.bits() })
    }

    /// Registers of a vector, in which `_` takes nothing.
    pub(super) fn vector_targets(&mut self, parts: &[Operand], ty: Type) -> Result<Box<[Option<u32>]>> {
        let target = |part: &Operand| match part {
            Operand::Name(name) if name == "_" => Ok(None),
            part => self.wide_target(part, ty, Width::SameOrWider).map(|(slot, _)| Some(slot)),
        };
        parts.iter().map(target).collect()
    }

    pub(super) fn convert(&mut self, m: &mut Modifiers) -> Result<()> {
        let rounding = m.one_of(&["rn", "rz", "rm", "rp", "rni", "rzi", "rmi", "rpi"]);
        let whole = rounding.is_some_and(|word| word.len() == 3);
        let mode = rounding.map(|word| match &word[..2] {
            "rn" => Rounding::Nearest,
            "rz" => Rounding::Zero,
            "rm" => Rounding::Down,
            _ => Rounding::Up,
        });
        let (flush, sat) = (m.flag("ftz"), m.flag("sat"));
        let (to, from) = (m.ty()?, m.ty()?);
        let needs = |what: &str| m.error(format!("`{}` must say how it rounds, as `{what}`", m.full_name()));
        let f = match (to.is_float(), from.is_float(), mode) {
            (false, false, None) => convert::int_to_int(to, from, sat),
            (false, true, Some(mode)) if whole => convert::float_to_int(to, from, mode),
            (false, true, _) => return Err(needs(".rzi")),
            (true, false, Some(mode)) if !whole => convert::int_to_float(to, from, mode),
            (true, false, _) => return Err(needs(".rn")),
            (true, true, None) if to.bytes() < from.bytes() => return Err(needs(".rn")),
            (true, true, _) => convert::float_to_float(to, from, mode.map(|mode| (mode, whole))),
            (false, false, Some(_)) => None,
        };
        let f = f.ok_or_else(|| m.no_such(to))?;
        let [target, source] = m.operands()?;
        let (d, width) = self.wide_target(target, to, Width::SameOrWider)?;
        let mut a = self.wide_value(source, from, Width::SameOrWider)?;
        if flush && from == Type::F32 {
            self.emit_silent(Op::Map1 { f: crate::alu::float::flush32(), d: 0, a });
            a = 0;
        }
        self.emit(&m.full_name(), Op::Map1 { f, d, a }, Flops::default());
        if flush && to == Type::F32 {
            self.emit_silent(Op::Map1 { f: crate::alu::float::flush32(), d, a: d });
        }
        if sat && to.is_float() {
            let f = crate::alu::float::saturate(to).ok_or_else(|| m.no_such(to))?;
            self.emit_silent(Op::Map1 { f, d, a: d });
        }
        if let Some(f) = convert::extend(to, width) {
            self.emit_silent(Op::Map1 { f, d, a: d });
        }
        Ok(())
    }

    /// `cvta`: between a space and generic addresses.
    pub(super) fn convert_address(&mut self, m: &mut Modifiers) -> Result<()> {
        let to_space = m.flag("to");
        let space = m.required(&["global", "shared", "local", "const"])?;
        let ty = m.ty()?;
        if ty != Type::U64 {
            return Err(m.error("addresses have 64 bits: `cvta` takes .u64"));
        }
        let [target, source] = m.operands()?;
        let d = self.target(target, ty)?;
        let named = match source {
            Operand::Name(name) => self.address_of(name)?,
            _ => None,
        };
        let a = match named {
            Some((address, of)) if of == Space::named(space).expect("one of the four") && !to_space => address,
            Some((_, of)) => return Err(m.error(format!("the variable is in .{} memory", of.name()))),
            None => self.value(source, ty)?,
        };
        let window = match space {
            "shared" => SHARED_WINDOW,
            "local" => LOCAL_WINDOW,
            _ => 0,
        };
        let b = self.constant(if to_space { window.wrapping_neg() } else { window });
        self.emit(&m.full_name(), Op::Map2 { f: map!(u64: a, b => a.wrapping_add(b)), d, a, b }, Flops::default());
        Ok(())
    }

    /// `setp`, `set` and `testp`.
    pub(super) fn compare(&mut self, m: &mut Modifiers) -> Result<()> {
        let (name, full) = (m.name(), m.full_name());
        let tests: &[&str] = match name {
            "testp" => &["finite", "infinite", "number", "notanumber", "normal", "subnormal"],
            _ => &[
                "eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs", "equ", "neu", "ltu", "leu", "gtu", "geu",
                "num", "nan",
            ],
        };
        let test = m.required(tests)?;
        let combine = m.one_of(&["and", "or", "xor"]).map(logic_named);
        let flush = m.flag("ftz");
        let result = if name == "set" { Some(m.ty()?) } else { None };
        let ty = m.ty()?;
        let f = if name == "testp" { compare::class(test, ty) } else { compare::test(test, ty) };
        let f = f.ok_or_else(|| m.no_such(ty))?;
        let (target, sources): (&Operand, &[Operand]) =
            m.all_operands().split_first().ok_or_else(|| m.error(format!("`{full}` takes operands")))?;
        let expected = if name == "testp" { 1 } else { 2 + usize::from(combine.is_some()) };
        if sources.len() != expected {
            return Err(m.error(format!("`{full}` takes {} operands, not {}", expected + 1, sources.len() + 1)));
        }
        let mut a = self.value(&sources[0], ty)?;
        let mut b = if expected > 1 { self.value(&sources[1], ty)? } else { a };
        let combine = match combine {
            Some(logic) => Some((logic, self.predicate(&sources[2])?)),
            None => None,
        };
        if flush && ty == Type::F32 {
            self.emit_silent(Op::Map1 { f: crate::alu::float::flush32(), d: 0, a });
            self.emit_silent(Op::Map1 { f: crate::alu::float::flush32(), d: 1, a: b });
            (a, b) = (0, 1);
        }
        let op = match (result, target) {
            (Some(result), target) => {
                let yes = match result {
                    Type::F32 => u64::from(1f32.to_bits()),
                    Type::U32 | Type::S32 => u64::from(u32::MAX),
                    _ => return Err(m.no_such(result)),
                };
                Op::Set { f, a, b, combine, d: self.target(target, result)?, yes }
            }
            (None, Operand::Name(p)) => Op::Test { f, a, b, combine, p: self.predicate_target(p)?, q: None },
            (None, Operand::Pair(p, q)) => {
                Op::Test { f, a, b, combine, p: self.predicate_target(p)?, q: self.predicate_target(q)? }
            }
            _ => return Err(m.error(format!("the result of `{full}` is a predicate"))),
        };
        self.emit(&full, op, Flops::default());
        Ok(())
    }

    /// `selp` and `slct`.
    pub(super) fn select(&mut self, m: &mut Modifiers) -> Result<()> {
        let ty = m.ty()?;
        let [target, a, b, c] = m.operands()?;
        let d = self.target(target, ty)?;
        let (a, b) = (self.value(a, ty)?, self.value(b, ty)?);
        let op = if m.name() == "selp" {
            Op::Select { d, a, b, p: self.predicate(c)? }
        } else {
            let sign = m.ty()?;
            let f = compare::by_sign(sign).ok_or_else(|| m.no_such(sign))?;
            Op::Map3 { f, d, a, b, c: self.value(c, sign)? }
        };
        self.emit(&m.full_name(), op, Flops::default());
        Ok(())
    }

    /// `and.pred` and its like.
    pub(super) fn predicate_logic(&mut self, m: &mut Modifiers) -> Result<()> {
        let (target, a, b, op) = if m.name() == "not" {
            let [target, a] = m.operands()?;
            (target, self.predicate(a)?, Pred::TRUE, Logic::Xor)
        } else {
            let [target, a, b] = m.operands()?;
            (target, self.predicate(a)?, self.predicate(b)?, logic_named(m.name()))
        };
        let Operand::Name(target) = target else {
            return Err(m.error(format!("the result of `{}` is a predicate", m.full_name())));
        };
        if let Some(d) = self.predicate_target(target)? {
            self.emit(&m.full_name(), Op::Logic { op, d, a, b }, Flops::default());
        }
        Ok(())
    }
}
