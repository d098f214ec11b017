//! Ways through a body that call a function not known to return: they end at the statement that calls it.
//!
//! The round of lowering that meets such a call is never the last one, so what is left of the statement does not matter; but
//! the state must fit what follows. Ways that read a name which means nothing, or make another mistake that Octave sees only there, end likewise, in the error.

use crate::ir::Terminator;
use crate::lower::checkpoint::Checkpoint;
use crate::lower::control::Flow;
use crate::lower::reached::Ending;
use crate::lower::{Lower, Lowered};

impl Lower<'_> {
    /// Whether the statement that stopped calls a function that is not known to return; then the way ends here.
    pub fn abandon(&mut self, to: Checkpoint) -> Option<Flow> {
        if !std::mem::take(&mut self.unreachable) {
            return None;
        }
        match self.ending.take() {
            Some(Ending { raised: Some(depth), .. }) if depth == to.depth() && depth == self.builder.depth() => {
                self.leave_calls(to);
            }
            ending => {
                self.take_back(to);
                ending.into_iter().for_each(|ending| self.end_in(ending));
            }
        }
        Some(Flow::Left(Terminator::Unreachable))
    }

    /// One way of a branch. After a mistake, which has been reported, it goes on.
    pub fn way(&mut self, lower: &mut dyn FnMut(&mut Self) -> Lowered<Flow>) -> Flow {
        let start = self.checkpoint();
        lower(self).unwrap_or_else(|_| self.abandon(start).unwrap_or(Flow::Through))
    }
}
