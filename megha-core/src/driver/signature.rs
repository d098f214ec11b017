//! Signatures on the side of Rust: the types of a MATLAB function that its file leaves out.
//!
//! ```text
//! signature := [ visibility ] "fn" NAME [ "as" NAME ] "(" [ entry { "," entry } ] ")" [ "->" results ]
//! results   := entry | "(" [ entry { "," entry } ] ")"
//! entry     := NAME [ ":" type ]
//! type      := class [ "[" dim { "," dim } "]" ]
//! class     := "f64" | "f32" | "bool" | "i8" … "u64" | "usize"
//! dim       := ":" | sum of products of numbers, names and sums in parentheses
//! ```
//! `usize` is a count: a number that is whole and not negative. In the program it is a `double` like any other, so
//! arithmetic with it is MATLAB's ordinary arithmetic; an `i32` is MATLAB's `int32`, whose arithmetic rounds and saturates.

use super::poly::Poly;
use crate::diag::{Code, Diagnostic, Diagnostics};
use crate::ir::Class;
use crate::lower::DimSpec;
use crate::matlab::ast::Name;
use crate::source::{SourceFile, Span};

/// `fn name as other(params) -> results`
#[derive(Debug, Clone, PartialEq)]
pub struct Signature {
    /// `pub`, `pub(crate)`, … or nothing, as written.
    pub visibility: String,
    /// The MATLAB function.
    pub function: Name,
    /// The name in Rust, if another one.
    pub rename: Option<Name>,
    /// The parameters, in order.
    pub params: Vec<Entry>,
    /// The results, in order; `None` for all that the function has.
    pub results: Option<Vec<Entry>>,
    /// All of it.
    pub span: Span,
}

impl Signature {
    /// The name in Rust.
    pub fn rust_name(&self) -> &Name {
        self.rename.as_ref().unwrap_or(&self.function)
    }
}

/// `name: type`
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The parameter's or result's name.
    pub name: Name,
    /// Its type, if given.
    pub ty: Option<Declared>,
}

/// A declared type.
#[derive(Debug, Clone, PartialEq)]
pub struct Declared {
    /// The class of the elements.
    pub class: Class,
    /// `usize`
    pub count: bool,
    /// The sizes; empty for a single number.
    pub dims: Vec<DimSpec>,
    /// Where it stands.
    pub span: Span,
}

/// Parses the one signature in `range` of `file`, which may be a comment of a MATLAB file with its `%` signs; `None` if
/// mistakes were reported.
pub fn parse(file: &SourceFile, range: std::ops::Range<usize>, diags: &mut Diagnostics) -> Option<Signature> {
    let mut scanner = Scanner::new(file, range, diags);
    scanner.percent = true;
    let signature = scanner.signature().ok()?;
    scanner.finish("the signature is complete before").ok()?;
    Some(signature)
}

/// A mistake that has been reported.
#[derive(Debug, Clone, Copy)]
pub struct Failed;

/// Reads the Rust side of macro input and signatures.
pub struct Scanner<'a> {
    file: &'a SourceFile,
    pos: usize,
    end: usize,
    /// In comments of a MATLAB file a `%` starts each line.
    percent: bool,
    diags: &'a mut Diagnostics,
}

/// How deep parentheses in sizes may nest.
const MAX_DEPTH: usize = 50;

impl<'a> Scanner<'a> {
    /// A reader of `range` of `file`, which reports to `diags`.
    pub fn new(file: &'a SourceFile, range: std::ops::Range<usize>, diags: &'a mut Diagnostics) -> Self {
        let end = range.end.min(file.text().len());
        Scanner { file, pos: range.start.min(end), end, percent: false, diags }
    }

    /// Where the next character stands.
    pub fn position(&self) -> usize {
        self.pos
    }

    /// Goes on at `pos`.
    pub fn seek(&mut self, pos: usize) {
        self.pos = pos.min(self.end);
    }

    /// What is left to read.
    pub fn rest(&self) -> &'a str {
        self.file.text().get(self.pos..self.end).unwrap_or("")
    }

    fn span(&self, start: usize) -> Span {
        Span::new(self.file.id(), start as u32, self.pos as u32)
    }

    /// Skips blanks and Rust's comments.
    pub fn blanks(&mut self) {
        loop {
            let rest = self.rest();
            let skipped = match rest.chars().next() {
                Some(c) if c.is_whitespace() || (self.percent && c == '%') => c.len_utf8(),
                Some('/') if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
                Some('/') if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |at| at + 2),
                _ => return,
            };
            self.pos += skipped;
        }
    }

    /// Takes `sign` if it comes next.
    pub fn eat(&mut self, sign: &str) -> bool {
        self.blanks();
        let found = self.rest().starts_with(sign);
        if found {
            self.pos += sign.len();
        }
        found
    }

    /// Takes the word if it comes next.
    pub fn eat_word(&mut self, word: &str) -> bool {
        self.blanks();
        let found = self.word_ahead() == word;
        if found {
            self.pos += word.len();
        }
        found
    }

    /// The word that comes next; empty if none does.
    pub fn word_ahead(&self) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
        &rest[..end]
    }

    /// Reports that something else was expected here.
    pub fn expected<T>(&mut self, what: &str) -> Result<T, Failed> {
        let start = self.pos;
        let word = self.word_ahead();
        let found = if word.is_empty() { self.rest().chars().next().map(String::from) } else { Some(word.to_owned()) };
        let span = Span::new(self.file.id(), start as u32, (start + found.as_ref().map_or(0, String::len)) as u32);
        let found = found.map_or("the end".to_owned(), |f| format!("`{f}`"));
        let error = Diagnostic::error(Code::RustSignature, span, format!("expected {what}, found {found}"));
        self.diags.push(error.help("write `fn name(x: f64[n, 1], k: usize) -> (y: f64[n, k])`"));
        Err(Failed)
    }

    /// Takes `sign` or reports its absence.
    pub fn expect(&mut self, sign: &str) -> Result<(), Failed> {
        if self.eat(sign) { Ok(()) } else { self.expected(&format!("`{sign}`")) }
    }

    /// Reports what follows the end.
    pub fn finish(&mut self, what: &str) -> Result<(), Failed> {
        self.blanks();
        if self.rest().is_empty() {
            return Ok(());
        }
        let start = self.pos;
        self.pos += self.word_ahead().len().max(self.rest().chars().next().map_or(0, char::len_utf8));
        let span = self.span(start);
        let message = format!("{what} `{}`", self.file.slice(span));
        self.diags.push(Diagnostic::error(Code::RustSignature, span, message));
        Err(Failed)
    }

    fn name(&mut self, what: &str) -> Result<Name, Failed> {
        self.blanks();
        let word = self.word_ahead();
        if !word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            return self.expected(what);
        }
        let start = self.pos;
        self.pos += word.len();
        Ok(Name { text: word.to_owned(), span: self.span(start) })
    }

    /// A whole signature.
    pub fn signature(&mut self) -> Result<Signature, Failed> {
        self.blanks();
        let start = self.pos;
        let visibility = self.visibility()?;
        if !self.eat_word("fn") {
            return self.expected("`fn`");
        }
        let function = self.name("the name of a function")?;
        let rename = if self.eat_word("as") { Some(self.name("the name in Rust")?) } else { None };
        self.expect("(")?;
        let params = self.entries(")")?;
        let results = if self.eat("->") { Some(self.results()?) } else { None };
        Ok(Signature { visibility, function, rename, params, results, span: self.span(start) })
    }

    fn visibility(&mut self) -> Result<String, Failed> {
        let start = self.pos;
        if !self.eat_word("pub") {
            return Ok(String::new());
        }
        if self.eat("(") {
            match self.rest().find(['(', ')']) {
                Some(length) if self.rest()[length..].starts_with(')') => self.pos += length + 1,
                _ => return self.expected("`crate)` or another place"),
            }
        }
        Ok(self.file.slice(self.span(start)).to_owned())
    }

    /// `y`, `y: f64[n]`, `(a, b)`
    pub fn results(&mut self) -> Result<Vec<Entry>, Failed> {
        if self.eat("(") { self.entries(")") } else { Ok(vec![self.entry()?]) }
    }

    /// `x: f64, y: f64[n, 1]` up to `close`, which is taken.
    pub fn entries(&mut self, close: &str) -> Result<Vec<Entry>, Failed> {
        let mut list: Vec<Entry> = Vec::new();
        while !self.eat(close) {
            let entry = self.entry()?;
            if let Some(first) = list.iter().find(|e| e.name.text == entry.name.text) {
                let message = format!("`{}` occurs twice", entry.name.text);
                let error = Diagnostic::error(Code::RustSignature, entry.name.span, message);
                self.diags.push(error.note_at(first.name.span, "here first"));
                return Err(Failed);
            }
            list.push(entry);
            if !self.eat(",") {
                if self.eat(close) {
                    break;
                }
                return self.expected(&format!("`,` or `{close}`"));
            }
        }
        Ok(list)
    }

    fn entry(&mut self) -> Result<Entry, Failed> {
        let name = self.name("a name")?;
        let ty = if self.eat(":") { Some(self.declared()?) } else { None };
        Ok(Entry { name, ty })
    }

    fn declared(&mut self) -> Result<Declared, Failed> {
        self.blanks();
        let start = self.pos;
        let count = self.eat_word("usize");
        let class = if count { Class::Double } else { self.class()? };
        let mut dims = Vec::new();
        if self.eat("[") {
            while !self.eat("]") {
                dims.push(self.dim()?);
                if !self.eat(",") {
                    self.expect("]")?;
                    break;
                }
            }
            if dims.len() == 1 {
                // One size means a column, as for zeros(n, 1).
                dims.push(DimSpec::constant(1));
            }
        }
        let span = self.span(start);
        if count && !dims.is_empty() {
            let message = "`usize` is for single counts; arrays have one of the other classes";
            return self.bad_type(span, message);
        }
        if dims.iter().all(|d| *d == DimSpec::constant(1)) {
            dims.clear();
        }
        Ok(Declared { class, count, dims, span })
    }

    fn class(&mut self) -> Result<Class, Failed> {
        let start = self.pos;
        let word = self.word_ahead();
        let known =
            Class::NAMES.iter().find(|(class, name)| *name == word && !matches!(class, Class::Char | Class::Index));
        if let Some((class, _)) = known {
            self.pos += word.len();
            return Ok(*class);
        }
        if word.is_empty() {
            return self.expected("a type such as `f64[n, 1]`");
        }
        self.pos += word.len();
        let span = self.span(start);
        let message = match Class::from_matlab_name(word) {
            Some(class) => format!("`{word}` is called `{}` in Rust", class.name()),
            None => format!("`{word}` is not a type of numbers"),
        };
        self.bad_type(span, &message)
    }

    fn bad_type<T>(&mut self, span: Span, message: &str) -> Result<T, Failed> {
        let help = "types are f64, f32, bool, i8 to i64, u8 to u64 and usize, followed by sizes as in f64[n, 1]";
        self.diags.push(Diagnostic::error(Code::BadSignatureType, span, message).help(help));
        Err(Failed)
    }

    fn dim(&mut self) -> Result<DimSpec, Failed> {
        if self.eat(":") {
            return Ok(DimSpec::Any);
        }
        self.blanks();
        let start = self.pos;
        let size = self.sum(0)?.into_spec();
        if size.is_negative() {
            return self.bad_type(self.span(start), "a size is not negative");
        }
        Ok(size)
    }

    fn sum(&mut self, depth: usize) -> Result<Poly, Failed> {
        let mut sum = if self.eat("-") { Poly::default().add(self.product(depth)?, -1) } else { self.product(depth)? };
        loop {
            let sign = match (self.eat("+"), self.eat("-")) {
                (true, _) => 1,
                (_, true) => -1,
                _ => return Ok(sum),
            };
            sum = sum.add(self.product(depth)?, sign);
        }
    }

    fn product(&mut self, depth: usize) -> Result<Poly, Failed> {
        let mut product = self.factor(depth)?;
        while self.eat("*") {
            product = product.mul(&self.factor(depth)?);
        }
        Ok(product)
    }

    fn factor(&mut self, depth: usize) -> Result<Poly, Failed> {
        if depth < MAX_DEPTH && self.eat("(") {
            let inner = self.sum(depth + 1)?;
            self.expect(")")?;
            return Ok(inner);
        }
        self.blanks();
        let word = self.word_ahead();
        if let Ok(number) = word.parse::<i64>() {
            self.pos += word.len();
            return Ok(Poly::constant(number));
        }
        Ok(Poly::name(&self.name("a size")?.text))
    }
}

#[cfg(test)]
mod tests;
