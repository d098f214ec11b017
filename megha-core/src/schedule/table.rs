//! The schedules of a module's kernels.

use super::default::default;
use super::levels::{Schedule, Target};
use super::order::Memory;
use super::subject::{Subject, subjects};
use super::verify::verify;
use crate::hash::HashMap;
use crate::ir::{FuncId, Module};

/// A kernel of a module: its function, and its number there.
pub type Key = (FuncId, u32);

/// The schedules of all kernels of a module, for each target and order of memory.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Schedules {
    of: HashMap<(Key, Target, Memory), Schedule>,
}

impl Schedules {
    /// Those that kernels get where nobody asks for others.
    pub fn of(module: &Module) -> Self {
        let mut table = Self::default();
        for (at, func) in module.funcs.iter().enumerate() {
            for subject in subjects(func) {
                for (target, memory) in Target::ALL.into_iter().flat_map(|t| Memory::ALL.map(|m| (t, m))) {
                    let key = ((FuncId::new(at), subject.kernel.id), target, memory);
                    table.of.insert(key, default(&subject, target, memory));
                }
            }
        }
        table
    }

    /// The schedule of a kernel.
    pub fn get(&self, kernel: Key, target: Target, memory: Memory) -> Option<&Schedule> {
        self.of.get(&(kernel, target, memory))
    }

    /// Both schedules of a kernel: columns first, rows first.
    pub fn both(&self, kernel: Key, target: Target) -> Option<[&Schedule; 2]> {
        let [columns, rows] = Memory::ALL.map(|memory| self.get(kernel, target, memory));
        Some([columns?, rows?])
    }

    /// Gives a kernel another schedule, for the target and the order of memory that this one names.
    ///
    /// # Errors
    /// What is wrong with it; then nothing changes.
    pub fn set(&mut self, module: &Module, kernel: Key, schedule: Schedule) -> Result<(), Vec<String>> {
        let (func, number) = kernel;
        let subjects = module.funcs.get(func.index()).map(subjects).unwrap_or_default();
        let Some(subject) = subjects.iter().find(|s: &&Subject<'_>| s.kernel.id == number) else {
            return Err(vec![format!("there is no kernel {number}")]);
        };
        verify(&schedule, subject)?;
        self.of.insert((kernel, schedule.target, schedule.memory), schedule);
        Ok(())
    }
}
