//! The text inside a macro call, exactly as written, with the place of each token.
//!
//! Tokens do not hold blanks, line breaks and `%` comments, all of which mean something in MATLAB. The text is taken from the
//! first of these that agrees with the tokens: what rustc gives for the call; the file at the tokens' positions; the tokens
//! themselves, laid out by their positions, or, where all of these are the same and so unknown, as they are printed.

use std::path::PathBuf;

use super::search::is_unplaced;
use crate::source::LineCol;

/// A token of the macro's input (brackets count as two).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// As rustc prints it.
    pub text: String,
    /// Where it starts.
    pub start: LineCol,
    /// Just behind it.
    pub end: LineCol,
}

/// What rustc tells of a macro call.
#[derive(Debug, Clone, Default)]
pub struct Input {
    /// The source text of the whole call, if rustc has it.
    pub call: Option<String>,
    /// Where the call starts.
    pub start: Option<LineCol>,
    /// The file that holds the call, if it is one.
    pub file: Option<PathBuf>,
    /// The name of that file, for people.
    pub name: String,
    /// All tokens inside the call's brackets.
    pub tokens: Vec<Token>,
    /// The tokens as rustc prints them together.
    pub printed: String,
    /// The folder of the package that is compiled, if it is known.
    pub package: Option<PathBuf>,
}

/// The text inside the call's brackets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recovered {
    /// The text.
    pub text: String,
    /// The place of its first character in the file.
    pub origin: LineCol,
    /// Whether lines and columns are those of the file.
    pub exact: bool,
}

impl Recovered {
    /// The text behind as many line breaks and blanks as stand before it in the file, so that positions in it are positions
    /// in the file; and where it starts.
    pub fn padded(&self) -> (String, usize) {
        let lines = self.origin.line.saturating_sub(1) as usize;
        let columns = self.origin.col.saturating_sub(1) as usize;
        let text = "\n".repeat(lines) + &" ".repeat(columns) + &self.text;
        (text, lines + columns)
    }
}

/// Finds the text.
pub fn recover(input: &Input) -> Recovered {
    from_call(input).or_else(|| from_file(input)).unwrap_or_else(|| from_tokens(input))
}

/// `path!{ text }` without what is around the text.
fn from_call(input: &Input) -> Option<Recovered> {
    let call = input.call.as_deref()?;
    let bang = call.find('!')?;
    let open = bang + call[bang..].find(['(', '[', '{'])?;
    if !call[bang + 1..open].trim().is_empty() || !call.trim_end().ends_with([')', ']', '}']) {
        return None;
    }
    let text = call[open + 1..call.trim_end().len() - 1].to_owned();
    let origin = advance(input.start?, &call[..=open]);
    let first = text.len() - after_gap(&text).len();
    let placed = input.tokens.first().is_none_or(|token| token.start == advance(origin, &text[..first]));
    (placed && agrees(&text, &input.tokens)).then_some(Recovered { text, origin, exact: true })
}

const ORIGIN: LineCol = LineCol { line: 1, col: 1 };

/// The place behind a text that starts at `from`.
fn advance(from: LineCol, text: &str) -> LineCol {
    let breaks = text.matches('\n').count() as u32;
    let columns = text.rsplit('\n').next().map_or(0, |line| line.chars().count()) as u32;
    LineCol { line: from.line + breaks, col: if breaks == 0 { from.col + columns } else { columns + 1 } }
}

/// The lines of the file between the first and the last token.
fn from_file(input: &Input) -> Option<Recovered> {
    let file = std::fs::read_to_string(input.file.as_ref()?).ok()?;
    let (first, last) = (input.tokens.first()?, input.tokens.last()?);
    let (from, to) = (offset(&file, first.start)?, offset(&file, last.end)?);
    let text = file.get(from..to)?.to_owned();
    agrees(&text, &input.tokens).then_some(Recovered { text, origin: first.start, exact: true })
}

/// The byte at which a line and column of a text stand.
fn offset(text: &str, at: LineCol) -> Option<usize> {
    let line = at.line.checked_sub(1)? as usize;
    let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    let rest = text.get(start..)?;
    let column = at.col.checked_sub(1)? as usize;
    let in_line = rest.char_indices().map(|(i, _)| i).chain([rest.len()]).nth(column)?;
    Some(start + in_line)
}

/// Whether the text holds the tokens in order, with nothing but blanks and Rust comments between them.
fn agrees(text: &str, tokens: &[Token]) -> bool {
    let mut rest = text;
    for token in tokens {
        match after_gap(rest).strip_prefix(token.text.as_str()) {
            Some(behind) => rest = behind,
            None => return false,
        }
    }
    after_gap(rest).is_empty()
}

/// The text without the blanks and Rust comments at its start: what rustc drops between tokens.
pub fn after_gap(text: &str) -> &str {
    let mut rest = text.trim_start();
    loop {
        let skipped = match rest.get(..2) {
            Some("//") => rest.find('\n').unwrap_or(rest.len()),
            Some("/*") => rest.find("*/").map_or(rest.len(), |at| at + 2),
            _ => return rest,
        };
        rest = rest[skipped..].trim_start();
    }
}

/// The tokens at their lines and columns, as far as these are known.
fn from_tokens(input: &Input) -> Recovered {
    let in_order = input.tokens.windows(2).all(|t| order(t[0].end) <= order(t[1].start)) && input.tokens.len() > 1;
    if !in_order || is_unplaced(&input.tokens) {
        return Recovered { text: input.printed.clone(), origin: ORIGIN, exact: false };
    }
    let origin = input.tokens[0].start;
    let (mut text, mut at) = (String::new(), origin);
    for token in &input.tokens {
        let breaks = token.start.line - at.line;
        let blanks = if breaks > 0 { token.start.col - 1 } else { token.start.col - at.col };
        text.extend(std::iter::repeat_n('\n', breaks as usize));
        text.extend(std::iter::repeat_n(' ', blanks as usize));
        text.push_str(&token.text);
        at = token.end;
    }
    Recovered { text, origin, exact: true }
}

fn order(at: LineCol) -> (u32, u32) {
    (at.line, at.col)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words of a text as tokens, placed as in a file whose call starts at line 3, column 5.
    fn input(call: &str, body: &str) -> Input {
        let start = call.find(body).unwrap();
        let mut tokens = Vec::new();
        let mut at = start;
        for word in body.split_whitespace() {
            at += call[at..].find(word).unwrap();
            tokens.push(Token { text: word.into(), start: place(call, at), end: place(call, at + word.len()) });
            at += word.len();
        }
        let printed = body.split_whitespace().collect::<Vec<_>>().join(" ");
        let start = Some(LineCol { line: 3, col: 5 });
        Input { call: Some(call.to_owned()), start, tokens, printed, ..Input::default() }
    }

    fn place(call: &str, at: usize) -> LineCol {
        let before = &call[..at];
        let line = before.matches('\n').count() as u32;
        let col = before.rsplit('\n').next().unwrap().chars().count() as u32;
        LineCol { line: 3 + line, col: if line == 0 { col + 5 } else { col + 1 } }
    }

    #[test]
    fn the_text_of_the_call_is_taken_as_it_is() {
        let found = recover(&input("megha::matlab! {  y = 1\n\tz = ü \n}", "y = 1\n\tz = ü"));
        assert_eq!(found.text, "  y = 1\n\tz = ü \n");
        assert!(found.exact);
        let (padded, start) = found.padded();
        assert_eq!(padded.lines().nth(2).unwrap().find('y'), Some(4 + 18), "the column in the file");
        assert_eq!(&padded[start..start + 3], "  y");
    }

    #[test]
    fn a_call_that_starts_on_a_later_line_keeps_its_lines() {
        let found = recover(&input("matlab!(\n  a = 2\n)", "a = 2"));
        assert_eq!(found.origin, LineCol { line: 3, col: 13 });
        assert_eq!(found.padded().0.lines().nth(3), Some("  a = 2"));
    }

    #[test]
    fn another_text_than_the_tokens_is_not_believed() {
        let mut input = input("matlab!(\n  a = 2\n  b = 3)", "a = 2\n  b = 3");
        input.call = Some("wrapper!(f)".into());
        let found = recover(&input);
        assert_eq!(found.text, "a = 2\n  b = 3", "laid out by positions");
        input.call = None;
        input.tokens.iter_mut().for_each(|t| (t.start, t.end) = (ORIGIN, ORIGIN));
        let found = recover(&input);
        assert_eq!((found.text.as_str(), found.exact), ("a = 2 b = 3", false));
    }

    #[test]
    fn the_file_is_the_second_choice() {
        let folder = std::env::temp_dir().join(format!("megha-recover-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("a.rs");
        let call = "\n\n    m!(a = 1 // one\n b = 2)";
        std::fs::write(&path, call).unwrap();
        let mut input = input(call, "a = 1 // one\n b = 2");
        input.tokens.retain(|t| t.text != "//" && t.text != "one");
        input.tokens.iter_mut().for_each(|t| (t.start.line, t.end.line) = (t.start.line - 2, t.end.line - 2));
        input.call = None;
        input.file = Some(path);
        assert_eq!(recover(&input).text, "a = 1 // one\n b = 2");
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn nothing_is_no_problem() {
        assert_eq!(recover(&Input::default()).text, "");
        assert_eq!(recover(&Input { call: Some("matlab!{}".into()), ..Input::default() }).text, "");
        assert_eq!(recover(&Input { call: Some("x!".into()), ..Input::default() }).text, "");
    }
}
