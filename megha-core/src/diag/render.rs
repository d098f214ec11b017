//! Diagnostics as text, in the manner of rustc.

use super::{Diagnostic, Diagnostics, Severity};
use crate::source::{SourceMap, Span};

/// A tab is shown as so many blanks, so that carets stand where they should.
const TAB: &str = "    ";

/// Longer lines are shown around the caret only.
const MAX_LINE: usize = 160;

/// ANSI escape sequences.
const BOLD_RED: &str = "\x1b[1;31m";
const BOLD_YELLOW: &str = "\x1b[1;33m";
const BOLD_BLUE: &str = "\x1b[1;34m";
const BOLD: &str = "\x1b[1m";
const PLAIN: &str = "\x1b[0m";

/// One diagnostic as text that ends in a line break; with ANSI colours if `colour`.
///
/// A span that `sources` does not know is shown without source line.
pub fn render(diagnostic: &Diagnostic, sources: &SourceMap, colour: bool) -> String {
    let Diagnostic { code, severity, span, message, notes, help } = diagnostic;
    let (word, shade) = match severity {
        Severity::Error => ("error", BOLD_RED),
        Severity::Warning => ("warning", BOLD_YELLOW),
    };
    let spans = notes.iter().filter_map(|(at, _)| at.as_ref()).chain([span]);
    let last_line = spans.map(|&at| last_shown_line(at, sources)).max().unwrap_or(1);
    let gutter = last_line.to_string().len();
    let mut page = Page { out: String::new(), sources, colour, gutter };
    page.painted(shade, &format!("{word}[{code}]"));
    page.painted(BOLD, &format!(": {message}"));
    page.out.push('\n');
    page.excerpt(*span, shade, '^');
    for (at, text) in notes {
        page.remark("note", text);
        if let Some(at) = at {
            page.excerpt(*at, BOLD_BLUE, '-');
        }
    }
    if let Some(text) = help {
        page.remark("help", text);
    }
    page.out
}

/// All diagnostics in order, each followed by an empty line; says at the end how many were left out.
pub fn render_all(diagnostics: &Diagnostics, sources: &SourceMap, colour: bool) -> String {
    let out: String = diagnostics.sorted().iter().map(|d| render(d, sources, colour) + "\n").collect();
    out + &render_dropped(diagnostics)
}

/// How many diagnostics were left out, as a line; nothing if none was.
pub fn render_dropped(diagnostics: &Diagnostics) -> String {
    match diagnostics.dropped() {
        0 => String::new(),
        dropped => format!("{dropped} more messages are not shown\n"),
    }
}

fn last_shown_line(span: Span, sources: &SourceMap) -> u32 {
    sources.get(span.file).map_or(1, |file| file.line_col(span.start).line)
}

struct Page<'a> {
    out: String,
    sources: &'a SourceMap,
    colour: bool,
    /// Width of the line numbers.
    gutter: usize,
}

impl Page<'_> {
    fn painted(&mut self, shade: &str, text: &str) {
        if self.colour {
            self.out.push_str(shade);
            self.out.push_str(text);
            self.out.push_str(PLAIN);
        } else {
            self.out.push_str(text);
        }
    }

    fn remark(&mut self, kind: &str, text: &str) {
        let width = self.gutter;
        self.painted(BOLD_BLUE, &format!("{:width$} = ", ""));
        self.painted(BOLD, kind);
        self.out.push_str(": ");
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// The place, its line and carets under it; only the first line of a span is shown.
    fn excerpt(&mut self, span: Span, shade: &str, mark: char) {
        let width = self.gutter;
        self.painted(BOLD_BLUE, &format!("{:width$}--> ", ""));
        self.out.push_str(&self.sources.describe(span));
        self.out.push('\n');
        // Of an empty file there is nothing to show.
        let Some(file) = self.sources.get(span.file).filter(|file| !file.text().is_empty()) else {
            return;
        };
        let from = file.line_col(span.start);
        let to = file.line_col(span.end);
        let line = file.line_text(from.line);
        let chars: Vec<char> = line.chars().collect();
        let first = (from.col as usize - 1).min(chars.len());
        let stop = if to.line == from.line { to.col as usize - 1 } else { chars.len() };
        let stop = stop.clamp(first, chars.len());
        let (shown, lead, marks) = window(&chars, first, stop);
        self.painted(BOLD_BLUE, &format!("{:width$} |\n{:>width$} | ", "", from.line));
        self.out.push_str(&shown);
        self.out.push('\n');
        self.painted(BOLD_BLUE, &format!("{:width$} | ", ""));
        self.out.push_str(&" ".repeat(lead));
        let carets: String = std::iter::repeat_n(mark, marks).collect();
        self.painted(shade, &carets);
        self.out.push('\n');
    }
}

/// The part of a line to show around characters `first..stop`, with the columns before the caret and the caret's width.
fn window(chars: &[char], first: usize, stop: usize) -> (String, usize, usize) {
    let start = if chars.len() > MAX_LINE { first.saturating_sub(MAX_LINE / 2) } else { 0 };
    let end = chars.len().min(start + MAX_LINE);
    let stop = stop.clamp(first, end.max(first));
    let show = |part: &[char]| -> String {
        let cell = |c: &char| match c {
            '\t' => TAB.to_owned(),
            c if c.is_control() => String::from("\u{fffd}"),
            c => c.to_string(),
        };
        part.iter().map(cell).collect()
    };
    let columns = |part: &[char]| part.iter().map(|&c| if c == '\t' { TAB.len() } else { 1 }).sum::<usize>();
    let cut = if start > 0 { "…" } else { "" };
    let more = if end < chars.len() { "…" } else { "" };
    let shown = format!("{cut}{}{more}", show(&chars[start..end]));
    let lead = usize::from(start > 0) + columns(&chars[start..first]);
    (shown, lead, columns(&chars[first..stop]).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::Code;
    use crate::source::FileId;

    fn shown(text: &str, start: u32, end: u32) -> String {
        let mut sources = SourceMap::new();
        let file = sources.add("f.m", text);
        let span = Span::new(file, start, end);
        render(&Diagnostic::error(Code::UnexpectedToken, span, "odd"), &sources, false)
    }

    #[test]
    fn caret_stands_under_its_text() {
        let text = shown("a = 1;\nb = 22;\n", 11, 13);
        assert_eq!(text, "error[M0010]: odd\n --> f.m:2:5\n  |\n2 | b = 22;\n  |     ^^\n");
    }

    #[test]
    fn tabs_and_multibyte_characters_keep_the_caret_in_place() {
        let text = shown("\té = ü + 1", 6, 8);
        assert!(text.ends_with("1 |     é = ü + 1\n  |         ^\n"), "{text}");
    }

    #[test]
    fn empty_and_long_spans_still_get_a_caret() {
        assert!(shown("ab", 2, 2).ends_with("1 | ab\n  |   ^\n"));
        assert!(shown("if x\n y\nend", 0, 11).ends_with("1 | if x\n  | ^^^^\n"));
        assert!(shown("x", 90, 99).contains('^'));
    }

    #[test]
    fn long_lines_are_cut_around_the_caret() {
        let line = "x".repeat(5000) + "!" + &"y".repeat(5000);
        let text = shown(&line, 5000, 5001);
        let caret = text.lines().last().and_then(|l| l.find('^')).unwrap();
        assert_eq!(text.lines().nth(3).unwrap().chars().nth(caret), Some('!'));
        assert!(text.len() < 500);
    }

    #[test]
    fn notes_help_and_colours() {
        let mut sources = SourceMap::new();
        let file = sources.add("f.m", "x = [1\n");
        let diagnostic = Diagnostic::error(Code::UnclosedBracket, Span::new(file, 4, 5), "open")
            .note_at(Span::new(file, 0, 1), "this")
            .note("fact")
            .help("close");
        let plain = render(&diagnostic, &sources, false);
        assert!(plain.contains("  = note: this\n --> f.m:1:1\n"), "{plain}");
        assert!(plain.ends_with("  = note: fact\n  = help: close\n"), "{plain}");
        let coloured = render(&diagnostic, &sources, true);
        assert!(coloured.starts_with("\x1b[1;31merror[M0007]\x1b[0m"));
        let unknown = Diagnostic::error(Code::UnclosedBracket, Span::new(FileId(9), 0, 1), "lost");
        assert!(render(&unknown, &sources, false).contains("<unknown>"));
    }
}
