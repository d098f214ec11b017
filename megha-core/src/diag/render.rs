//! Diagnostics as text, in the manner of rustc.

use super::{Diagnostic, Diagnostics};
use crate::source::SourceMap;

/// One diagnostic as text that ends in a line break; with ANSI colours if `colour`.
pub fn render(diagnostic: &Diagnostic, sources: &SourceMap, _colour: bool) -> String {
    let Diagnostic { code, span, message, .. } = diagnostic;
    format!("error[{code}]: {message}\n --> {}\n", sources.describe(*span))
}

/// All diagnostics in order, each followed by an empty line.
pub fn render_all(diagnostics: &Diagnostics, sources: &SourceMap, colour: bool) -> String {
    diagnostics.sorted().iter().map(|d| render(d, sources, colour) + "\n").collect()
}
