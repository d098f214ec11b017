//! Diagnostics: what is wrong, where, why, and what to do about it.
//!
//! Every message has a number from one [`Code`] catalogue. A [`Diagnostics`] sink takes all mistakes of
//! all files, and [`render`] shows them with the source line and a caret.

mod catalogue;
mod render;

pub use catalogue::Code;
pub use render::{render, render_all};

use crate::source::Span;

/// After this many errors further ones are dropped: they rarely help.
pub const MAX_ERRORS: usize = 50;

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

    /// Takes a diagnostic, unless the same code was reported at the same place or there are [`MAX_ERRORS`] already.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let same = |d: &Diagnostic| d.code == diagnostic.code && d.span == diagnostic.span;
        if self.list.iter().any(same) {
            return;
        }
        if self.list.len() >= MAX_ERRORS {
            self.dropped += 1;
        } else {
            self.list.push(diagnostic.clone());
        }
        self.errors += usize::from(diagnostic.severity == Severity::Error);
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

    /// The diagnostics, by file and position.
    pub fn sorted(&self) -> Vec<&Diagnostic> {
        let mut sorted: Vec<&Diagnostic> = self.list.iter().collect();
        sorted.sort_by_key(|d| (d.span, d.code));
        sorted
    }
}
