//! The four forms of macro input.

use std::ops::Range;

use super::recover::after_gap;
use crate::diag::{Code, Diagnostic, Diagnostics};
use crate::driver::signature::{Failed, Scanner, Signature};
use crate::matlab::ast::Name;
use crate::source::{SourceFile, Span};

/// What the macro was given.
#[derive(Debug, PartialEq)]
pub enum Form {
    /// MATLAB functions: the whole text.
    Functions,
    /// MATLAB statements over Rust variables.
    Statements {
        /// Parameters and results.
        signature: Signature,
        /// The bytes of the statements.
        body: Range<usize>,
    },
    /// MATLAB functions in a string.
    Text {
        /// The characters meant.
        content: String,
        /// Line breaks and blanks that put the content at its place in the Rust file; `None` if escapes make its lines
        /// others than those of the file.
        padding: Option<String>,
        /// Which functions Rust gets.
        signatures: Vec<Signature>,
    },
    /// A file.
    File {
        /// As written.
        path: String,
        /// Where the path stands.
        span: Span,
        /// Which functions Rust gets.
        signatures: Vec<Signature>,
    },
}

/// The name of the function that statements become.
const STATEMENTS: &str = "statements";

/// Reads the macro's input, which starts at byte `start`; `None` if mistakes were reported.
pub fn parse(file: &SourceFile, start: usize, diags: &mut Diagnostics) -> Option<Form> {
    let text = file.text();
    let at = text.len() - after_gap(&text[start..]).len();
    let rest = &text[at..];
    if rest.is_empty() {
        let message = "there is no MATLAB here";
        let help = "write functions, |x: f64| -> y { statements }, file \"path.m\", or a string";
        diags.push(Diagnostic::error(Code::MacroForm, Span::new(file.id(), at as u32, at as u32), message).help(help));
        return None;
    }
    let mut scanner = Scanner::new(file, at..text.len(), diags);
    let is_literal = |text: &str| Literal::parse(after_gap(text)).is_some();
    if rest.starts_with('|') {
        return statements(&mut scanner, file).ok();
    }
    if is_literal(rest) {
        let (literal, span) = literal(&mut scanner, file).ok()?;
        let signatures = signatures(&mut scanner).ok()?;
        let before = &text[..span.start as usize + literal.lead];
        let columns = before.rsplit('\n').next().map_or(0, |line| line.chars().count());
        let padding = "\n".repeat(before.matches('\n').count()) + &" ".repeat(columns);
        let padding = file.slice(span).contains(&literal.content).then_some(padding);
        return Some(Form::Text { content: literal.content, padding, signatures });
    }
    if rest.strip_prefix("file").is_some_and(is_literal) {
        scanner.eat_word("file");
        let (literal, span) = literal(&mut scanner, file).ok()?;
        let signatures = signatures(&mut scanner).ok()?;
        return Some(Form::File { path: literal.content, span, signatures });
    }
    Some(Form::Functions)
}

fn statements(scanner: &mut Scanner<'_>, file: &SourceFile) -> Result<Form, Failed> {
    let start = scanner.position();
    scanner.expect("|")?;
    let params = scanner.entries("|")?;
    scanner.expect("->")?;
    let results = scanner.results()?;
    let span = Span::new(file.id(), start as u32, scanner.position() as u32);
    scanner.expect("{")?;
    let from = scanner.position();
    let text = scanner.rest().trim_end();
    let to = from + text.len();
    if !text.ends_with('}') {
        scanner.seek(to);
        return scanner.expected("`}` after the statements");
    }
    let function = Name { text: STATEMENTS.into(), span };
    let results = Some(results);
    let signature = Signature { visibility: "pub".into(), function, rename: None, params, results, span };
    Ok(Form::Statements { signature, body: from..to - 1 })
}

/// `, signature, signature`
fn signatures(scanner: &mut Scanner<'_>) -> Result<Vec<Signature>, Failed> {
    let mut list = Vec::new();
    while scanner.eat(",") {
        scanner.blanks();
        if scanner.rest().is_empty() {
            break;
        }
        list.push(scanner.signature()?);
    }
    scanner.finish("expected `,` and a signature, found")?;
    Ok(list)
}

fn literal(scanner: &mut Scanner<'_>, file: &SourceFile) -> Result<(Literal, Span), Failed> {
    scanner.blanks();
    let start = scanner.position();
    match Literal::parse(scanner.rest()) {
        Some(literal) => {
            scanner.seek(start + literal.length);
            let span = Span::new(file.id(), start as u32, (start + literal.length) as u32);
            Ok((literal, span))
        }
        None => scanner.expected("a string"),
    }
}

/// A string literal of Rust.
struct Literal {
    /// Bytes of the whole literal.
    length: usize,
    /// Bytes in front of the content.
    lead: usize,
    /// The characters meant.
    content: String,
}

impl Literal {
    /// The literal at the start of `text`.
    fn parse(text: &str) -> Option<Self> {
        match text.strip_prefix('r') {
            Some(rest) => Self::raw(rest),
            None => Self::cooked(text),
        }
    }

    fn raw(rest: &str) -> Option<Self> {
        let hashes = rest.len() - rest.trim_start_matches('#').len();
        let content = rest[hashes..].strip_prefix('"')?;
        let close = format!("\"{}", "#".repeat(hashes));
        let end = content.find(&close)?;
        let lead = hashes + 2;
        Some(Self { length: lead + end + close.len(), lead, content: content[..end].to_owned() })
    }

    fn cooked(text: &str) -> Option<Self> {
        let mut chars = text.char_indices().peekable();
        if chars.next()?.1 != '"' {
            return None;
        }
        let mut content = String::new();
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => return Some(Self { length: at + 1, lead: 1, content }),
                '\\' => match chars.next()?.1 {
                    'n' => content.push('\n'),
                    't' => content.push('\t'),
                    'r' => content.push('\r'),
                    '0' => content.push('\0'),
                    '\n' => while chars.next_if(|(_, c)| c.is_whitespace()).is_some() {},
                    'x' => content.push(code(&[chars.next()?.1, chars.next()?.1])?),
                    'u' => {
                        let digits: Vec<char> = chars.by_ref().map(|(_, c)| c).take_while(|c| *c != '}').collect();
                        content.push(code(digits.strip_prefix(&['{'])?)?);
                    }
                    c => content.push(c),
                },
                c => content.push(c),
            }
        }
        None
    }
}

/// The character of a hexadecimal escape.
fn code(digits: &[char]) -> Option<char> {
    let text: String = digits.iter().filter(|c| **c != '_').collect();
    u32::from_str_radix(&text, 16).ok().and_then(char::from_u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceMap;

    fn form(text: &str) -> Result<Form, String> {
        let mut sources = SourceMap::new();
        let id = sources.add("a.rs", text);
        let mut diags = Diagnostics::new();
        let form = parse(sources.get(id).unwrap(), 0, &mut diags);
        form.ok_or_else(|| crate::diag::render_all(&diags, &sources, false))
    }

    #[test]
    fn each_form_is_told_by_its_start() {
        assert_eq!(form(" % doc\nfunction y = f(x)\n"), Ok(Form::Functions));
        let text = "/* a */ |x: f64[n], k: usize| -> (y, z) { y = x; z = k; } ";
        let Ok(Form::Statements { signature, body }) = form(text) else { panic!("statements") };
        assert_eq!((signature.params.len(), signature.results.map(|r| r.len())), (2, Some(2)));
        assert_eq!(&text[body], " y = x; z = k; ");
        let Ok(Form::File { path, signatures, .. }) = form("file \"a/b.m\", fn f(x: f64) -> y, pub fn g(),") else {
            panic!("file")
        };
        assert_eq!((path.as_str(), signatures.len()), ("a/b.m", 2));
    }

    #[test]
    fn strings_keep_their_place() {
        let Ok(Form::Text { content, padding, .. }) = form("\n  r#\"x = 'it';\"#") else { panic!("text") };
        assert_eq!((content.as_str(), padding.as_deref()), ("x = 'it';", Some("\n     ")));
        let Ok(Form::Text { content, padding: None, .. }) = form("\"a\\n\\x41\\u{e9}\\\"\\\n   b\"") else {
            panic!("text")
        };
        assert_eq!(content, "a\nAé\"b");
    }

    #[test]
    fn what_is_missing_is_said() {
        for (text, words) in [
            ("  ", "no MATLAB here"),
            ("|x: f64 -> y { y = x; }", "expected `,` or `|`"),
            ("|x: f64| { y = x; }", "expected `->`"),
            ("|x: f64| -> y { y = x;", "expected `}`"),
            ("file \"a.m\" fn f()", "expected `,` and a signature"),
            ("\"a\", y", "expected `fn`"),
        ] {
            let message = form(text).unwrap_err();
            assert!(message.contains(words), "{text}: {message}");
        }
    }
}
