//! Mistakes on ways that the run may not take, as in `if n > 1, y = a * b; else y = c * d; end`.
//!
//! Octave complains when it gets there, so such a mistake is a warning, and the way ends in the error. Only what stands in a
//! branch of the function itself counts: a function that fails wherever it is called is wrong.

use super::{Lower, Lowered, Stop, control, prelude};
use crate::diag::{Code, Diagnostic, Severity};
use crate::ir::{Op, Terminator, Value};
use crate::source::Span;

/// What Octave's error is called, of mistakes that are errors there too.
fn identifier(code: Code) -> Option<&'static str> {
    match code {
        Code::SizeMismatch | Code::InnerSizes => Some("Octave:nonconformant-args"),
        Code::IndexOutOfBounds => Some("Octave:index-out-of-bounds"),
        Code::ConcatMismatch | Code::AlwaysFails => Some(""),
        _ => None,
    }
}

/// The error that ends a way.
pub(super) struct Ending {
    pub identifier: &'static str,
    pub message: String,
    pub at: Span,
    /// The number of open regions where what has been lowered of the statement ends in an error already.
    pub raised: Option<usize>,
}

impl Lower<'_> {
    /// Whether a condition of the innermost function decides if the current statement is executed.
    pub fn is_conditional(&self) -> bool {
        let mut conditional = false;
        for frame in self.frames.iter().rev() {
            conditional |= frame.conditions > 0;
            if !frame.is_of_loop() {
                break;
            }
        }
        // What an attempt to lower a loop leaves out is looked at once more.
        conditional && self.patient_frame().is_none()
    }

    /// Whether a mistake is one that Octave sees only when it gets there, and that is not certain.
    fn may_not_be_reached(&self, diagnostic: &Diagnostic) -> bool {
        identifier(diagnostic.code).is_some()
            && match &self.prelude_call {
                Some(call) if prelude::contains(diagnostic.span) => call.conditional,
                _ => self.is_conditional(),
            }
    }

    /// The error that ends the current way.
    pub fn end_in(&mut self, Ending { identifier, message, at, .. }: Ending) {
        let before = self.here(at);
        let (identifier, format) = (identifier.to_owned(), message.replace('%', "%%"));
        self.builder.effect(Op::Raise { identifier, format, args: Vec::new() });
        self.builder.set_loc(before);
    }

    /// The same on the way that a condition leads to.
    pub fn fails_where(&mut self, condition: Value, ending: Option<Ending>) {
        let Some(ending) = ending else { return };
        let (mark, _) = self.open_region(Vec::new());
        let at = ending.at;
        self.end_in(ending);
        let fails = self.close_region(mark, Terminator::Unreachable);
        self.push_if(condition, fails, control::empty_region(), at);
    }

    /// Whether any condition decides if the current statement is executed.
    pub fn is_in_branch(&self) -> bool {
        self.frames.iter().any(|frame| frame.conditions > 0)
    }

    /// Reports a mistake of which Octave complains, with this error, when it gets there: as a warning in any branch.
    pub fn report_if_reached<T>(
        &mut self,
        mistake: Diagnostic,
        identifier: &'static str,
        message: String,
    ) -> Lowered<T> {
        if !self.is_in_branch() {
            return self.report(mistake);
        }
        self.unreachable = true;
        self.ending = Some(Ending { identifier, message, at: mistake.span, raised: None });
        let warning = Diagnostic { severity: Severity::Warning, ..mistake };
        self.report(warning.note("the program ends in an error if it comes here"))
    }

    /// Reports a mistake: as a warning where the run may not reach it; then the way ends in the error.
    pub fn report<T>(&mut self, diagnostic: Diagnostic) -> Lowered<T> {
        let conditional = self.may_not_be_reached(&diagnostic);
        let diagnostic = self.at_program(diagnostic);
        if !conditional {
            self.diags.push(diagnostic);
            return Err(Stop);
        }
        let (identifier, message, at) = (identifier(diagnostic.code), diagnostic.message.clone(), diagnostic.span);
        self.unreachable = true;
        self.ending = Some(Ending { identifier: identifier.unwrap_or_default(), message, at, raised: None });
        // That a function of the library always fails follows from what has been said of the call.
        if !self.diags.speak_of(at) {
            let warning = Diagnostic { severity: Severity::Warning, ..diagnostic };
            self.diags.push(warning.note("the program ends in an error if it comes here"));
        }
        Err(Stop)
    }
}
