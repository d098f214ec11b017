//! Ways through a body that call a function not known to return: they end at the statement that calls it.
//!
//! The round of lowering that meets such a call is never the last one, so what is left of the statement does not matter; but
//! the state must fit what follows. Ways that read a name which means nothing, or make another mistake that Octave sees only there, end likewise, in the error.

use crate::ir::Terminator;
use crate::ir::build::Mark;
use crate::lower::control::Flow;
use crate::lower::reached::Ending;
use crate::lower::{Lower, Lowered};

/// The state at the start of a statement.
#[derive(Debug, Clone, Copy)]
pub(in crate::lower) struct Place {
    mark: Mark,
    /// How many regions are open.
    depth: usize,
    proven: usize,
    /// Facts that are restored when the current region closes.
    learned: usize,
    ends: usize,
    frames: usize,
    calls: usize,
}

impl Lower<'_> {
    /// The state to which [`Lower::abandon`] returns.
    pub fn place(&self) -> Place {
        Place {
            mark: self.builder.mark(),
            depth: self.builder.depth(),
            proven: self.proven.len(),
            learned: self.scoped.last().map_or(0, Vec::len),
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
        match self.ending.take() {
            Some(Ending { raised: Some(depth), .. }) if depth == place.depth && depth == self.builder.depth() => {
                self.leave_calls(place);
            }
            ending => {
                self.take_back(place);
                ending.into_iter().for_each(|ending| self.end_in(ending));
            }
        }
        Some(Flow::Left(Terminator::Unreachable))
    }

    /// Undoes what has been lowered of a statement, but for the variables that it assigned.
    pub fn take_back(&mut self, place: Place) {
        self.builder.rollback(place.mark);
        while self.scoped.len() > self.builder.depth() {
            self.forget_learned(0);
            self.scoped.pop();
        }
        self.forget_learned(place.learned);
        self.facts.truncate(self.builder.func.types.len());
        self.proven.truncate(place.proven);
        self.leave_calls(place);
    }

    /// Back to the loops and calls around a statement.
    pub fn leave_calls(&mut self, place: Place) {
        self.ends.truncate(place.ends);
        self.frames.truncate(place.frames);
        self.calls.truncate(place.calls);
    }

    /// Restores the facts that held before all but the first so many were learned in the innermost region.
    fn forget_learned(&mut self, first: usize) {
        let Some(scope) = self.scoped.last_mut() else { return };
        let learned = scope.split_off(first.min(scope.len()));
        for (value, facts) in learned.into_iter().rev() {
            self.learn(value, facts);
        }
    }

    /// One way of a branch. After a mistake, which has been reported, it goes on.
    pub fn way(&mut self, lower: &mut dyn FnMut(&mut Self) -> Lowered<Flow>) -> Flow {
        let place = self.place();
        lower(self).unwrap_or_else(|_| self.abandon(place).unwrap_or(Flow::Through))
    }
}
