//! Loaded modules.

use std::sync::Arc;

use super::config::Config;
use super::launch::Ptr;
use crate::Error;
use crate::decode;
use crate::form::{Function, Program};
use crate::memory::Memory;
use crate::ptx::syntax::Space;

/// A module on a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    pub(super) number: usize,
    entries: Vec<String>,
}

impl Module {
    /// The names of its entries, in the order of the text.
    pub fn entries(&self) -> &[String] {
        &self.entries
    }
}

#[derive(Debug)]
pub(super) struct Loaded {
    pub program: Arc<Program>,
    /// The address of each `.global` and `.const` variable; 0 for others.
    addresses: Vec<u64>,
}

/// Where the variables of a launch lie.
pub(super) struct Layout {
    pub addresses: Vec<u64>,
    /// Bytes of shared memory.
    pub shared: u64,
}

fn in_memory(space: Space) -> bool {
    matches!(space, Space::Global | Space::Const)
}

impl Loaded {
    pub(super) fn new(ptx: &str, config: &Config, memory: &mut Memory) -> Result<Loaded, Error> {
        let program = decode::lately::program(ptx, config.checks.contraction)?;
        let device = config.compute_capability;
        if program.target > device {
            return Err(Error::Target { wanted: program.target, device });
        }
        let mut loaded = Loaded { addresses: Vec::new(), program };
        for variable in &loaded.program.clone().variables {
            let mut address = 0;
            if in_memory(variable.space) {
                let base = memory.place(variable.bytes as u64);
                let region = memory.regions.last_mut().expect("just placed");
                region.bytes[..variable.data.len()].copy_from_slice(&variable.data);
                region.constant = variable.space == Space::Const;
                // variables without initial values are zero
                region.written = None;
                address = base;
            }
            loaded.addresses.push(address);
        }
        Ok(loaded)
    }

    pub(super) fn handle(&self, number: usize) -> Module {
        let entries = self.program.functions.iter().filter(|function| function.entry);
        Module { number, entries: entries.map(|function| function.name.clone()).collect() }
    }

    pub(super) fn release(&self, memory: &mut Memory) {
        for (variable, address) in self.program.variables.iter().zip(&self.addresses) {
            if in_memory(variable.space) {
                memory.close(*address);
            }
        }
    }

    pub(super) fn symbol(&self, name: &str) -> Option<(Ptr, usize)> {
        let variables = self.program.variables.iter().zip(&self.addresses);
        let (variable, address) = variables.into_iter().find(|(v, _)| v.name == name && in_memory(v.space))?;
        Some((Ptr(*address), variable.bytes))
    }

    pub(super) fn entry(&self, name: &str) -> Result<(usize, &Function), Error> {
        let entry =
            self.program.functions.iter().enumerate().find(|(_, function)| function.entry && function.name == name);
        entry.ok_or_else(|| Error::Launch {
            kernel: name.to_string(),
            reason: "the module has no such entry".to_string(),
        })
    }

    /// Shared variables in the order of the text, then those without a size, which all start the dynamic part.
    pub(super) fn layout(&self, function: &Function, dynamic: u32) -> Layout {
        let mut addresses = self.addresses.clone();
        let (mut end, mut dynamic_align) = (0u64, 1);
        for &number in &function.shared {
            let variable = &self.program.variables[number];
            if variable.bytes == 0 {
                dynamic_align = dynamic_align.max(variable.align as u64);
            } else {
                addresses[number] = end.next_multiple_of(variable.align as u64);
                end = addresses[number] + variable.bytes as u64;
            }
        }
        end = end.next_multiple_of(dynamic_align);
        for &number in &function.shared {
            if self.program.variables[number].bytes == 0 {
                addresses[number] = end;
            }
        }
        Layout { addresses, shared: end + u64::from(dynamic) }
    }
}
