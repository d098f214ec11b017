//! Diagnostics: what is wrong, where, why, and what to do about it.
//!
//! Every message has a number from one [`Code`] catalogue. A [`Diagnostics`] sink takes all mistakes of
//! all files, and [`render`] shows them with the source line and a caret.

mod catalogue;
mod render;

pub use catalogue::Code;
pub use render::{render, render_all, render_dropped};

use crate::source::Span;

/// After this many diagnostics further ones are only counted: they rarely help.
pub const MAX_DIAGNOSTICS: usize = 50;

/// Whether a diagnostic stops compilation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// No code is made.
    Error,
    /// Code is made.
    Warning,
}

/// One message about one place in the source.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// Its entry in the catalogue.
    pub code: Code,
    /// Whether it stops compilation.
    pub severity: Severity,
    /// The place where the caret goes.
    pub span: Span,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// Further facts, each with the place it speaks of if there is one.
    pub notes: Vec<(Option<Span>, String)>,
    /// What the user can do.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error at `span`.
    pub fn error(code: Code, span: Span, message: impl Into<String>) -> Self {
        let message = message.into();
        Diagnostic { code, severity: Severity::Error, span, message, notes: Vec::new(), help: None }
    }

    /// A warning at `span`.
    pub fn warning(code: Code, span: Span, message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Warning, ..Self::error(code, span, message) }
    }

    /// Adds a fact without a place.
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push((None, text.into()));
        self
    }

    /// Adds a fact about another place.
    pub fn note_at(mut self, span: Span, text: impl Into<String>) -> Self {
        self.notes.push((Some(span), text.into()));
        self
    }

    /// Says what the user can do.
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }
}

/// Collects the diagnostics of a compilation.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    errors: usize,
    dropped: usize,
}

impl Diagnostics {
    /// An empty sink.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes a diagnostic, unless the same code was reported at the same place or there are [`MAX_DIAGNOSTICS`] already.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let same = |d: &Diagnostic| d.code == diagnostic.code && d.span == diagnostic.span;
        if self.list.iter().any(same) {
            return;
        }
        self.errors += usize::from(diagnostic.severity == Severity::Error);
        if self.list.len() < MAX_DIAGNOSTICS {
            self.list.push(diagnostic);
        } else {
            self.dropped += 1;
        }
    }

    /// True if compilation cannot succeed.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// How many diagnostics were dropped because there were too many.
    pub fn dropped(&self) -> usize {
        self.dropped
    }

    /// True if nothing was reported.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Whether something was reported at this place.
    pub fn speak_of(&self, span: Span) -> bool {
        self.list.iter().any(|d| d.span == span)
    }

    /// The diagnostics, by file and position.
    pub fn sorted(&self) -> Vec<&Diagnostic> {
        let mut sorted: Vec<&Diagnostic> = self.list.iter().collect();
        sorted.sort_by_key(|d| (d.span, d.code));
        sorted
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::FileId;

    fn at(start: u32) -> Diagnostic {
        Diagnostic::error(Code::StrayCharacter, Span::new(FileId(0), start, start + 1), "odd")
    }

    #[test]
    fn sorted_without_repetition() {
        let mut sink = Diagnostics::new();
        for start in [7, 3, 7, 5] {
            sink.push(at(start));
        }
        let starts: Vec<u32> = sink.sorted().iter().map(|d| d.span.start).collect();
        assert_eq!(starts, [3, 5, 7]);
    }

    #[test]
    fn too_many_are_counted() {
        let mut sink = Diagnostics::new();
        (0..60).for_each(|start| sink.push(at(start)));
        assert_eq!((sink.sorted().len(), sink.dropped()), (MAX_DIAGNOSTICS, 10));
    }

    #[test]
    fn warnings_are_no_errors() {
        let mut sink = Diagnostics::new();
        sink.push(Diagnostic::warning(Code::UnknownEscape, Span::default(), "odd"));
        assert!(!sink.has_errors() && !sink.is_empty());
    }

    #[test]
    fn catalogue_is_complete_and_ordered() {
        assert!(Code::ALL.windows(2).all(|pair| pair[0].number() < pair[1].number()));
        assert!(Code::ALL.iter().all(|code| code.explanation().len() > code.title().len()));
        assert_eq!(Code::UnclosedBracket.to_string(), "M0007");
    }
}
