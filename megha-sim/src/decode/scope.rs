//! Declarations: registers, variables, parameters.

use std::collections::HashMap;

use super::{Decoder, Result};
use crate::form::{Fixed, Parameter, Place, Slot};
use crate::ptx::syntax::{Formal, RegisterType, Space, Variable};
use crate::ptx::types::Type;

/// What a name of a function means.
#[derive(Clone, Copy, Debug)]
pub(super) enum Binding {
    Register {
        slot: Slot,
        ty: Type,
    },
    Pred(u32),
    /// A variable of the module, by number.
    Variable(usize),
    /// A variable in the frame.
    Local {
        offset: u32,
        bytes: u32,
        space: Space,
    },
    /// A parameter of the entry.
    Parameter {
        offset: u32,
        bytes: u32,
    },
}

/// Names by nesting.
#[derive(Default)]
pub(super) struct Scopes {
    outer: HashMap<String, Binding>,
    inner: Vec<HashMap<String, Binding>>,
}

impl Scopes {
    pub(super) fn open(&mut self) {
        self.inner.push(HashMap::new());
    }

    pub(super) fn close(&mut self) {
        self.inner.pop();
    }

    pub(super) fn get(&self, name: &str) -> Option<Binding> {
        self.inner.iter().rev().find_map(|scope| scope.get(name)).or_else(|| self.outer.get(name)).copied()
    }

    fn insert(&mut self, name: &str, binding: Binding) -> bool {
        self.inner.last_mut().unwrap_or(&mut self.outer).insert(name.to_string(), binding).is_none()
    }
}

impl Decoder<'_> {
    fn declare(&mut self, name: &str, binding: Binding) -> Result<()> {
        if self.scopes.insert(name, binding) { Ok(()) } else { Err(self.error(format!("`{name}` is declared twice"))) }
    }

    pub(super) fn declare_register(&mut self, name: &str, ty: RegisterType) -> Result<()> {
        if super::operand::special(&format!("{name}.x")).is_some() {
            return Err(self.error(format!("`{name}` is a special register")));
        }
        match ty {
            RegisterType::Pred => {
                let index = self.predicates;
                self.predicates += 1;
                self.declare(name, Binding::Pred(index))
            }
            RegisterType::Value(ty) => {
                let slot = self.registers;
                self.registers += 1;
                self.declare(name, Binding::Register { slot, ty })
            }
        }
    }

    pub(super) fn declare_variable(&mut self, variable: &Variable) -> Result<()> {
        match variable.space {
            Space::Local | Space::Param => {
                let offset = self.reserve(variable)?;
                let bytes = variable.bytes as u32;
                self.declare(&variable.name, Binding::Local { offset, bytes, space: variable.space })
            }
            _ => {
                self.variables.push(variable.clone());
                self.declare(&variable.name, Binding::Variable(self.variables.len() - 1))
            }
        }
    }

    fn reserve(&mut self, variable: &Variable) -> Result<u32> {
        let offset = self.local.next_multiple_of(variable.align as u32);
        let end = u32::try_from(variable.bytes).ok().and_then(|bytes| offset.checked_add(bytes));
        self.local = end
            .filter(|end| *end <= crate::exec::LOCAL_LIMIT)
            .ok_or_else(|| self.error(format!("`{}` exceeds the local memory of a thread", variable.name)))?;
        Ok(offset)
    }

    /// The parameters of an entry, in a block whose layout follows their alignments.
    pub(super) fn parameter_block(&mut self, params: &[Formal]) -> Result<Vec<Parameter>> {
        let mut block = Vec::new();
        let mut end = 0u32;
        for formal in params {
            let Formal::Memory(variable) = formal else {
                return Err(self.error("the parameters of an entry are `.param`, not registers"));
            };
            let offset = end.next_multiple_of(variable.align as u32);
            end = offset.saturating_add(u32::try_from(variable.bytes).unwrap_or(u32::MAX));
            if end > crate::exec::PARAMETER_LIMIT {
                return Err(self.error("the parameters of this entry take more than 4096 bytes"));
            }
            let bytes = variable.bytes as u32;
            block.push(Parameter { name: variable.name.clone(), ty: variable.ty, offset, bytes });
            self.declare(&variable.name, Binding::Parameter { offset, bytes })?;
        }
        Ok(block)
    }

    /// The parameters or results of a `.func`.
    pub(super) fn formals(&mut self, formals: &[Formal]) -> Result<Vec<Place>> {
        let mut places = Vec::new();
        for formal in formals {
            places.push(match formal {
                Formal::Register { name, ty } => {
                    let slot = self.registers;
                    self.declare_register(name, RegisterType::Value(*ty))?;
                    Place::Slot(slot)
                }
                Formal::Memory(variable) => {
                    let offset = self.reserve(variable)?;
                    let bytes = variable.bytes as u32;
                    self.declare(&variable.name, Binding::Local { offset, bytes, space: Space::Param })?;
                    Place::Local { offset, bytes }
                }
            });
        }
        Ok(places)
    }

    /// The slot that holds `value` in every lane.
    pub(super) fn fixed(&mut self, value: Fixed) -> Slot {
        if let Fixed::Variable(number) = value
            && self.variables[number].space == Space::Shared
        {
            self.shared.insert(number);
        }
        *self.fixed_slots.entry(value).or_insert_with(|| {
            self.fixed.push(value);
            self.total_registers + self.fixed.len() as Slot - 1
        })
    }

    pub(super) fn constant(&mut self, bits: u64) -> Slot {
        self.fixed(Fixed::Bits(bits))
    }
}
