//! Diagnostics as messages of the Rust compiler.

use super::recover::Input;
use crate::diag::{Diagnostic, Diagnostics, Severity, render};
use crate::source::{FileId, LineCol, SourceMap, Span};

/// A message about some tokens of the macro's input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The text, without `error:`.
    pub text: String,
    /// It is only a warning.
    pub warning: bool,
    /// The first and the last token that it is about; `None` for a call without tokens.
    pub tokens: Option<(usize, usize)>,
}

/// All messages in order. Those about tokens leave the source line to rustc; the others show it themselves.
pub fn messages(
    diags: &Diagnostics,
    sources: &SourceMap,
    input: &Input,
    exact: bool,
    inline: &[FileId],
) -> Vec<Message> {
    let sorted = diags.sorted();
    let mut list: Vec<Message> = sorted
        .into_iter()
        .map(|d| {
            let place = sources.get(d.span.file).map(|f| (f.line_col(d.span.start), f.line_col(d.span.end)));
            let place = place.filter(|_| exact && inline.contains(&d.span.file));
            let tokens = place.and_then(|(from, to)| covered(input, from, to));
            let shown = tokens.is_some() || input.tokens.is_empty();
            let text = if shown { short(d, sources, inline) } else { long(d, sources) };
            Message { text, warning: d.severity == Severity::Warning, tokens: tokens.or_else(|| start(input)) }
        })
        .collect();
    if diags.dropped() > 0
        && let Some(last) = list.last_mut()
    {
        last.text += &format!("\n\n{} more messages are not shown", diags.dropped());
    }
    list
}

/// The string or `file "path"` at the start of the call.
fn start(input: &Input) -> Option<(usize, usize)> {
    let names_file = input.tokens.first()?.text == "file" && input.tokens.len() > 1;
    Some((0, usize::from(names_file)))
}

/// The tokens from one place to another; for a place without tokens, the one before it on its line.
fn covered(input: &Input, from: LineCol, to: LineCol) -> Option<(usize, usize)> {
    let key = |at: LineCol| (at.line, at.col);
    let tokens = || input.tokens.iter().enumerate();
    let first = tokens().find(|(_, t)| key(t.end) > key(from) && key(t.start) < key(to)).map(|(at, _)| at);
    let Some(first) = first else {
        let before = tokens().rfind(|(_, t)| key(t.start) <= key(from) && t.end.line == from.line);
        return before.map(|(at, _)| (at, at));
    };
    let last = tokens().rfind(|(at, t)| *at >= first && key(t.start) < key(to)).map_or(first, |(at, _)| at);
    // Only the first line of a long stretch is shown.
    let line = input.tokens[first].start.line;
    let last = tokens().rfind(|(at, t)| (first..=last).contains(at) && t.end.line == line).map_or(first, |(at, _)| at);
    Some((first, last))
}

/// The text for a place that rustc shows.
fn short(diagnostic: &Diagnostic, sources: &SourceMap, inline: &[FileId]) -> String {
    let mut text = format!("{} [{}]", diagnostic.message, diagnostic.code);
    for (at, note) in &diagnostic.notes {
        match at {
            Some(at) if inline.contains(&at.file) => text += &format!("\nnote: {note}: `{}`", line(sources, *at)),
            Some(at) => text += &format!("\nnote: {note}: `{}` ({})", line(sources, *at), prose(sources, *at)),
            None => text += &format!("\nnote: {note}"),
        }
    }
    if let Some(help) = &diagnostic.help {
        text += &format!("\nhelp: {help}");
    }
    text
}

/// The text for a place that rustc cannot show: with the source line, and the place in words.
fn long(diagnostic: &Diagnostic, sources: &SourceMap) -> String {
    let rendered = render(diagnostic, sources, false);
    let mut text = format!("{} [{}]\n{}:", diagnostic.message, diagnostic.code, prose(sources, diagnostic.span));
    for line in rendered.lines().skip(1) {
        match line.trim_start().strip_prefix("--> ") {
            Some(_) if text.ends_with(':') => {}
            Some(place) => text += &format!("\nin {place}"),
            None => {
                text.push('\n');
                text += line;
            }
        }
    }
    text
}

/// `in line 3, column 5 of fdtd.m`
fn prose(sources: &SourceMap, span: Span) -> String {
    match sources.get(span.file) {
        Some(file) => {
            let LineCol { line, col } = file.line_col(span.start);
            format!("in line {line}, column {col} of {}", file.name())
        }
        None => "at an unknown place".to_owned(),
    }
}

fn line(sources: &SourceMap, span: Span) -> String {
    let file = sources.get(span.file);
    file.map(|f| f.line_text(f.line_col(span.start).line).trim().to_owned()).unwrap_or_default()
}
