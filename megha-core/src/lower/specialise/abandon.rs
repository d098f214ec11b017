//! Ways through a body that call a function not known to return: they end at the statement that calls it.
//!
//! The round of lowering that meets such a call is never the last one, so what is left of the statement does not matter; but
//! the state must fit what follows.

use crate::ir::Terminator;
use crate::ir::build::Mark;
use crate::lower::control::Flow;
use crate::lower::{Lower, Lowered};

/// The state at the start of a statement.
#[derive(Debug, Clone, Copy)]
pub(in crate::lower) struct Place {
    mark: Mark,
    proven: usize,
    ends: usize,
    frames: usize,
    calls: usize,
}

impl Lower<'_> {
    /// The state to which [`Lower::abandon`] returns.
    pub fn place(&self) -> Place {
        Place {
            mark: self.builder.mark(),
            proven: self.proven.len(),
            ends: self.ends.len(),
            frames: self.frames.len(),
            calls: self.calls.len(),
        }
    }

    /// Whether the statement that stopped calls a function that is not known to return; then the way ends here.
    pub fn abandon(&mut self, place: Place) -> Option<Flow> {
        if !std::mem::take(&mut self.unreachable) {
            return None;
        }
        self.builder.rollback(place.mark);
        self.facts.truncate(self.builder.func.types.len());
        self.scoped.truncate(self.builder.depth());
        self.proven.truncate(place.proven);
        self.ends.truncate(place.ends);
        self.frames.truncate(place.frames);
        self.calls.truncate(place.calls);
        Some(Flow::Left(Terminator::Unreachable))
    }

    /// One way of a branch. After a mistake, which has been reported, it goes on.
    pub fn way(&mut self, lower: &mut dyn FnMut(&mut Self) -> Lowered<Flow>) -> Flow {
        let place = self.place();
        lower(self).unwrap_or_else(|_| self.abandon(place).unwrap_or(Flow::Through))
    }
}
