//! Tests of the front end as a whole.

mod errors;
mod generate;
mod grouping;
mod random;
mod statements;

use super::ast::Program;
use super::parse;
use crate::diag::{Diagnostics, render_all};
use crate::source::{SourceFile, SourceMap};

/// Parses `text` as file `t.m`; the diagnostics as text.
fn parse_text(text: &str) -> (Program, Diagnostics, SourceMap) {
    let mut sources = SourceMap::new();
    let file = sources.add("t.m", text);
    let mut diagnostics = Diagnostics::new();
    let program = sources.get(file).map(|f: &SourceFile| parse(f, &mut diagnostics));
    (program.unwrap_or_default(), diagnostics, sources)
}

/// Parses `text`, which must be correct.
fn parse_correct(text: &str) -> Program {
    let (program, diagnostics, sources) = parse_text(text);
    assert!(diagnostics.is_empty(), "{text}\n{}", render_all(&diagnostics, &sources, false));
    program
}

/// The tree as text without its spans, so that trees from different texts can be compared.
fn without_spans(program: &Program) -> String {
    let text = format!("{program:?}");
    let mut parts = text.split('@');
    let mut out = parts.next().unwrap_or("").to_owned();
    for part in parts {
        out.push_str(part.trim_start_matches(|c: char| c.is_ascii_digit() || c == ':' || c == '.'));
    }
    out
}
