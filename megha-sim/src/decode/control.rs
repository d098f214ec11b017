//! Branches, calls, barriers and exchange within a warp.

use super::modifiers::Modifiers;
use super::scope::Binding;
use super::{Decoder, Flops, Result};
use crate::form::{NEVER, Op, Place, Shuffle, Vote};
use crate::ptx::syntax::Operand;
use crate::ptx::types::Type;

impl Decoder<'_> {
    pub(super) fn control(&mut self, m: &mut Modifiers) -> Result<()> {
        let uniform = m.flag("uni");
        let op = match m.name() {
            "bra" => {
                let [Operand::Name(label)] = m.operands::<1>()? else {
                    return Err(m.error("`bra` goes to a label"));
                };
                self.branches.push((self.code.len(), label.clone(), self.line));
                Op::Branch { target: 0, meet: NEVER, uniform }
            }
            "call" => self.call(m)?,
            "nanosleep" => {
                m.required(&["u32"])?;
                Op::Nothing
            }
            name => {
                let [] = m.operands()?;
                match name {
                    "ret" => Op::Return,
                    "exit" => Op::Exit,
                    _ => Op::Trap,
                }
            }
        };
        self.emit(&m.full_name(), op, Flops::default());
        Ok(())
    }

    fn call(&mut self, m: &Modifiers) -> Result<Op> {
        let (results, name, args): (&[Operand], &str, &[Operand]) = match m.all_operands() {
            [Operand::Name(name)] => (&[], name, &[]),
            [Operand::Name(name), Operand::List(args)] => (&[], name, args),
            [Operand::List(results), Operand::Name(name)] => (results, name, &[]),
            [Operand::List(results), Operand::Name(name), Operand::List(args)] => (results, name, args),
            _ => {
                return Err(
                    m.error("`call` takes (results), a function and (arguments); calls by address are not simulated")
                );
            }
        };
        let names = self.names;
        let Some(signature) = names.functions.get(name) else {
            return Err(m.error(format!("there is no function `{name}` in this module")));
        };
        if signature.entry {
            return Err(m.error(format!("`{name}` is an entry, which the host launches")));
        }
        if (args.len(), results.len()) != (signature.params.len(), signature.results.len()) {
            return Err(m.error(format!(
                "`{name}` takes {} arguments and returns {}, the call has {} and {}",
                signature.params.len(),
                signature.results.len(),
                args.len(),
                results.len()
            )));
        }
        let args = args.iter().zip(&signature.params).map(|(arg, bytes)| self.place(m, arg, *bytes));
        let args: Vec<Place> = args.collect::<Result<_>>()?;
        let results = results.iter().zip(&signature.results).map(|(result, bytes)| self.place(m, result, *bytes));
        let results: Vec<Place> = results.collect::<Result<_>>()?;
        self.calls.insert(signature.index);
        Ok(Op::Call { function: signature.index, args: args.into(), results: results.into() })
    }

    /// Where an argument or result of `bytes` is.
    fn place(&mut self, m: &Modifiers, operand: &Operand, bytes: u32) -> Result<Place> {
        let place = match operand {
            Operand::Name(name) if name == "_" => return Ok(Place::Nowhere),
            Operand::Name(name) => match self.binding(name)? {
                Binding::Register { slot, ty } if ty.bytes() as u32 == bytes => Place::Slot(slot),
                Binding::Local { offset, bytes: own, .. } if own == bytes => Place::Local { offset, bytes },
                _ => return Err(m.error(format!("`{name}` does not match the parameter, which has {bytes} bytes"))),
            },
            Operand::Int(value) => Place::Slot(self.constant(*value)),
            Operand::Float(value) if bytes == 8 => Place::Slot(self.constant(value.to_bits())),
            Operand::Single(value) if bytes == 4 => Place::Slot(self.constant(u64::from(value.to_bits()))),
            _ => return Err(m.error("an argument is a register, a `.param` variable or a literal")),
        };
        Ok(place)
    }

    pub(super) fn barrier(&mut self, m: &mut Modifiers) -> Result<()> {
        let warp = m.flag("warp");
        m.flag("cta");
        if !m.flag("sync") {
            return Err(m.error(format!("of the barriers only `.sync` is simulated, not `{}`", m.full_name())));
        }
        m.flag("aligned");
        let op = match m.all_operands() {
            [members] if warp => Op::WarpBarrier { members: self.value(members, Type::U32)? },
            [id] if !warp => Op::Barrier { id: self.value(id, Type::U32)?, count: None },
            [id, count] if !warp => {
                let count = Some(self.value(count, Type::U32)?);
                Op::Barrier { id: self.value(id, Type::U32)?, count }
            }
            operands => return Err(m.error(format!("`{}` does not take {} operands", m.full_name(), operands.len()))),
        };
        self.emit(&m.full_name(), op, Flops::default());
        Ok(())
    }

    pub(super) fn shuffle(&mut self, m: &mut Modifiers) -> Result<()> {
        if !m.flag("sync") {
            return Err(m.error("`shfl` needs `.sync`: targets from sm_70 have no other"));
        }
        let mode = match m.required(&["up", "down", "bfly", "idx"])? {
            "up" => Shuffle::Up,
            "down" => Shuffle::Down,
            "bfly" => Shuffle::Butterfly,
            _ => Shuffle::Index,
        };
        m.required(&["b32"])?;
        let [target, a, b, c, members] = m.operands()?;
        let (target, p) = match target {
            Operand::Pair(d, p) => (Operand::Name(d.clone()), self.predicate_target(p)?),
            other => (other.clone(), None),
        };
        let d = self.target(&target, Type::B32)?;
        let a = self.value(a, Type::B32)?;
        let (b, c) = (self.value(b, Type::U32)?, self.value(c, Type::U32)?);
        let members = self.value(members, Type::U32)?;
        self.emit(&m.full_name(), Op::Shuffle { mode, d, p, a, b, c, members }, Flops::default());
        Ok(())
    }

    /// `vote.sync` and `activemask`.
    pub(super) fn vote(&mut self, m: &mut Modifiers) -> Result<()> {
        let name = m.full_name();
        if m.name() == "activemask" {
            m.required(&["b32"])?;
            let [target] = m.operands()?;
            let d = self.target(target, Type::B32)?;
            self.emit(&name, Op::ActiveMask { d }, Flops::default());
            return Ok(());
        }
        if !m.flag("sync") {
            return Err(m.error("`vote` needs `.sync`: targets from sm_70 have no other"));
        }
        let mode = match m.required(&["all", "any", "uni", "ballot"])? {
            "all" => Vote::All,
            "any" => Vote::Any,
            "uni" => Vote::Uniform,
            _ => Vote::Ballot,
        };
        m.required(&[if mode == Vote::Ballot { "b32" } else { "pred" }])?;
        let [target, a, members] = m.operands()?;
        let a = self.predicate(a)?;
        let members = self.value(members, Type::U32)?;
        let op = match (mode, target) {
            (Vote::Ballot, target) => Op::Vote { d: self.target(target, Type::B32)?, a, members },
            (_, Operand::Name(target)) => match self.predicate_target(target)? {
                Some(d) => Op::VotePred { mode, d, a, members },
                None => return Ok(()),
            },
            _ => return Err(m.error(format!("the result of `{name}` is a predicate"))),
        };
        self.emit(&name, op, Flops::default());
        Ok(())
    }
}
