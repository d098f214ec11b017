//! Failures on demand.

use std::fmt;

use crate::Error;

/// A kind of operation that can be made to fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// `alloc`
    Allocate,
    /// Copies and fills of all kinds.
    Copy,
    /// `load`
    Load,
    /// `launch`
    Launch,
    /// `synchronize` of a stream, an event or the device.
    Synchronize,
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Operation::Allocate => "allocation",
            Operation::Copy => "copy",
            Operation::Load => "module load",
            Operation::Launch => "launch",
            Operation::Synchronize => "synchronisation",
        })
    }
}

/// Counts operations and fails those that were asked to.
#[derive(Debug, Default)]
pub(crate) struct Injection {
    done: [u64; 5],
    planned: Vec<(Operation, u64)>,
}

impl Injection {
    /// Plans the failure of the `nth` operation of this kind from now on, 1 being the next.
    pub(crate) fn plan(&mut self, operation: Operation, nth: u64) {
        self.planned.push((operation, self.done[operation as usize] + nth));
    }

    /// Counts an operation, which fails if that was planned.
    pub(crate) fn begin(&mut self, operation: Operation) -> Result<(), Error> {
        let done = &mut self.done[operation as usize];
        *done += 1;
        let number = *done;
        match self.planned.iter().position(|planned| *planned == (operation, number)) {
            Some(at) => {
                self.planned.swap_remove(at);
                Err(Error::Injected { operation, number })
            }
            None => Ok(()),
        }
    }

    /// How many operations of this kind were begun.
    pub(crate) fn count(&self, operation: Operation) -> u64 {
        self.done[operation as usize]
    }
}
