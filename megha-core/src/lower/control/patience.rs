//! What a loop's attempt leaves out because its assumption may be too strong: statements that make no sense for what the
//! variables were before the loop, and ways that read a variable which only later iterations have.
//!
//! In `if k > 1, p = r + b * p; else p = r; end` the second way says what `p` is. If an attempt that left something out finds
//! nothing to correct, the loop is lowered once more with nothing left out, which reports the mistakes.

use crate::lower::Lower;
use crate::lower::checkpoint::Checkpoint;
use crate::lower::env::Binding;

use crate::matlab::ast::Stmt;
use crate::source::Span;

/// A variable, what it is bound to and where it was assigned.
pub(super) type Bound = (String, Option<Binding>, Span);

impl Lower<'_> {
    /// The variables that a statement assigns, as they are before it.
    pub(super) fn bindings_of(&self, stmt: &Stmt) -> Vec<Bound> {
        let mut names = Default::default();
        crate::lower::live::assigned(std::slice::from_ref(stmt), &mut names);
        let binding = |name: String| {
            let (old, at) = (self.env.get(&name).cloned(), self.env.span(&name).unwrap_or(stmt.span));
            (name, old, at)
        };
        names.into_iter().map(binding).collect()
    }

    /// Leaves out a statement that is wrong under the current assumption about a loop, which may be too strong.
    pub(super) fn skip(&mut self, to: Checkpoint, before: Vec<Bound>) {
        self.take_back(to);
        for (name, old, at) in before {
            match old {
                Some(binding) => self.env.set(&name, binding, at),
                None => self.env.remove(&name),
            }
        }
        self.wait();
    }

    /// Notes that something was left out.
    pub fn wait(&mut self) {
        if let Some(frame) = self.patient_frame() {
            self.frames[frame].waits = true;
        }
    }

    /// The innermost loop around the current statement, in its function, whose attempt leaves out what is wrong.
    pub fn patient_frame(&self) -> Option<usize> {
        let own = self.frames.iter().enumerate().rev().take_while(|(_, f)| f.is_of_loop());
        own.filter(|(_, f)| f.patient).map(|(index, _)| index).next()
    }

    /// Whether a name without a value is a variable that an earlier iteration of a loop around it may assign: then the way on
    /// which it is read is left out until the other ways have said what the variable is.
    pub fn waits_for(&mut self, name: &str) -> bool {
        let own = self.frames.iter_mut().rev().take_while(|f| f.is_of_loop());
        let Some(frame) = own.filter(|f| f.patient).find(|f| f.watched.iter().any(|n| n == name)) else { return false };
        frame.waits = true;
        self.unreachable = true;
        true
    }
}
