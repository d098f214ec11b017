//! The modifiers of an instruction, taken away one by one until none may be left.

use super::Result;
use crate::ptx::SyntaxError;
use crate::ptx::syntax::{Instruction, Operand};
use crate::ptx::types::Type;

pub(super) struct Modifiers<'a> {
    instruction: &'a Instruction,
    rest: Vec<&'a str>,
}

impl<'a> Modifiers<'a> {
    pub(super) fn new(instruction: &'a Instruction) -> Modifiers<'a> {
        Modifiers { instruction, rest: instruction.modifiers.iter().map(String::as_str).collect() }
    }

    /// The name without modifiers.
    pub(super) fn name(&self) -> &'a str {
        &self.instruction.name
    }

    /// The name with all modifiers.
    pub(super) fn full_name(&self) -> String {
        let mut name = self.instruction.name.clone();
        for modifier in &self.instruction.modifiers {
            name.push('.');
            name.push_str(modifier);
        }
        name
    }

    pub(super) fn error(&self, message: impl Into<String>) -> SyntaxError {
        SyntaxError::new(self.instruction.line, message)
    }

    /// Takes `.word` if it is there.
    pub(super) fn flag(&mut self, word: &str) -> bool {
        self.one_of(&[word]).is_some()
    }

    /// Takes the first modifier that is one of `words`.
    pub(super) fn one_of(&mut self, words: &[&str]) -> Option<&'a str> {
        let at = self.rest.iter().position(|modifier| words.contains(modifier))?;
        Some(self.rest.remove(at))
    }

    /// Takes the first modifier that is one of `words`, one of which must be there.
    pub(super) fn required(&mut self, words: &[&str]) -> Result<&'a str> {
        self.one_of(words).ok_or_else(|| {
            self.error(format!("`{}` needs one of the modifiers .{}", self.full_name(), words.join(" .")))
        })
    }

    /// Takes the next modifier, which must name a type.
    pub(super) fn ty(&mut self) -> Result<Type> {
        let at = self.rest.iter().position(|modifier| Type::named(modifier).is_some());
        let at = at.ok_or_else(|| self.error(format!("`{}` names no type that is simulated", self.full_name())))?;
        Ok(Type::named(self.rest.remove(at)).expect("just found"))
    }

    /// The number of values of a vector load or store.
    pub(super) fn vector(&mut self) -> usize {
        match self.one_of(&["v2", "v4"]) {
            Some("v2") => 2,
            Some(_) => 4,
            None => 1,
        }
    }

    /// The operands, which must be `N`.
    pub(super) fn operands<const N: usize>(&self) -> Result<[&'a Operand; N]> {
        let operands: Vec<&Operand> = self.instruction.operands.iter().collect();
        let count = operands.len();
        operands.try_into().map_err(|_| self.error(format!("`{}` takes {N} operands, not {count}", self.full_name())))
    }

    /// The operands, whatever their number.
    pub(super) fn all_operands(&self) -> &'a [Operand] {
        &self.instruction.operands
    }

    /// The error for a name and type that PTX does not combine.
    pub(super) fn no_such(&self, ty: Type) -> SyntaxError {
        self.error(format!("`{}` does not exist for .{}, or is not simulated", self.full_name(), ty.name()))
    }

    /// An error if a modifier is left.
    pub(super) fn finish(&self) -> Result<()> {
        match self.rest.first() {
            Some(modifier) => {
                Err(self.error(format!("the modifier `.{modifier}` of `{}` is not simulated", self.full_name())))
            }
            None => Ok(()),
        }
    }
}
