//! Text to tokens.
//!
//! What a character means depends on what stands around it: a quote is a transpose or opens a string, a
//! blank inside `[ ]` separates elements or not, `hold on` is a command. All of that is settled here, by
//! the rules of MATLAB and Octave. The tokens handed on have balanced brackets: a closer that is missing
//! is reported and put in, so that one slip does not swallow the rest of the file.

mod brackets;
mod command;
mod literals;
mod operators;
mod trivia;

use crate::hash::HashSet;

use super::ast::Quote;
use super::token::{Keyword, Token, TokenKind};
use crate::diag::{Code, Diagnostic};
use crate::source::{SourceFile, Span};
use brackets::Open;

/// The tokens of a file, ended by [`TokenKind::Eof`], and the mistakes found on the way.
pub(super) struct Lexed {
    pub tokens: Vec<Token>,
    pub errors: Vec<Diagnostic>,
}

/// Splits a file, from a byte on, into tokens, in time linear in its length.
pub(super) fn lex(file: &SourceFile, start: usize) -> Lexed {
    let mut lexer = Lexer {
        file,
        text: file.text(),
        pos: start,
        tokens: Vec::new(),
        errors: Vec::new(),
        open: Vec::new(),
        after_operand: false,
        at_statement: true,
        statement: 0,
        seen_assign: false,
        assigned: HashSet::default(),
        arguments: Arguments::Impossible,
        block_braces: 0,
    };
    lexer.run();
    Lexed { tokens: lexer.tokens, errors: lexer.errors }
}

/// Further lexical errors are dropped; far fewer are shown.
const MAX_LEXICAL_ERRORS: usize = 1000;

/// Whether the word `arguments` opens a block here, and whether the lexer is inside one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Arguments {
    Impossible,
    Possible,
    Inside,
}

struct Lexer<'a> {
    file: &'a SourceFile,
    text: &'a str,
    pos: usize,
    tokens: Vec<Token>,
    errors: Vec<Diagnostic>,
    /// The brackets that are open, outermost first.
    open: Vec<Open>,
    /// The last token ends a value, so that a quote transposes it and a blank may end an element.
    after_operand: bool,
    /// A statement starts with the next token.
    at_statement: bool,
    /// Index of the token that starts the current statement.
    statement: usize,
    /// The current statement has had its `=`.
    seen_assign: bool,
    /// Names that are variables somewhere in the file: `a -1` is no command if `a` is one of them.
    assigned: HashSet<&'a str>,
    arguments: Arguments,
    /// How many C-style `{` after a block header were reported and dropped.
    block_braces: usize,
}

impl<'a> Lexer<'a> {
    fn run(&mut self) {
        if self.pos == 0 && self.text.starts_with('\u{feff}') {
            self.pos = 3;
        }
        loop {
            let blank = self.skip_trivia();
            let Some(c) = self.peek() else { break };
            if c == '\n' {
                self.newline();
                continue;
            }
            if blank && self.element_ends_here(c) {
                self.put(TokenKind::Comma, self.pos);
                self.leave_anonymous_body();
            }
            self.token(c, blank);
        }
        self.close_all_at_end();
        self.put(TokenKind::Eof, self.pos);
    }

    /// Reads one token that starts with `c`; `blank` if a blank stands before it.
    fn token(&mut self, c: char, blank: bool) {
        let next = self.peek_at(1);
        match c {
            'a'..='z' | 'A'..='Z' | '_' => self.word(),
            '0'..='9' => self.number(),
            '.' if next.is_some_and(|n| n.is_ascii_digit()) => self.number(),
            '"' => self.string(Quote::Double),
            '\'' if self.after_operand && !(blank && self.blanks_separate()) => {
                self.take(TokenKind::CTranspose, 1);
            }
            '\'' => self.string(Quote::Single),
            '(' | '[' | '{' => self.open_bracket(c, blank),
            ')' | ']' | '}' => self.close_bracket(c),
            ',' | ';' => self.separator(c),
            _ => self.operator(c),
        }
    }

    /// A name, keyword or command.
    fn word(&mut self) {
        let len = word_len(self.rest());
        let text = &self.text[self.pos..self.pos + len];
        let after_dot = matches!(self.tokens.last(), Some(Token { kind: TokenKind::Dot, .. }));
        let keyword = if after_dot { None } else { self.keyword(text) };
        match keyword {
            Some(Keyword::End) if !self.open.is_empty() => self.take(TokenKind::EndIndex, len),
            Some(keyword) => self.take_keyword(keyword, len),
            None => {
                let command = self.at_statement && self.is_command(text);
                self.take(TokenKind::Ident, len);
                if command {
                    self.command_words();
                }
            }
        }
    }

    /// The keyword that `text` is here. `do`, `until` and `arguments` are names in other places.
    fn keyword(&self, text: &str) -> Option<Keyword> {
        let keyword = Keyword::from_text(text)?;
        let after = self.rest()[text.len()..].trim_start_matches([' ', '\t']);
        let assigned = after.starts_with('=') && !after.starts_with("==");
        let stands = match keyword {
            Keyword::Do | Keyword::Until => self.at_statement && self.open.is_empty() && !assigned,
            Keyword::Arguments => {
                let possible = self.at_statement && self.arguments == Arguments::Possible;
                possible && opens_arguments(after)
            }
            _ => true,
        };
        stands.then_some(keyword)
    }

    fn take_keyword(&mut self, keyword: Keyword, len: usize) {
        self.arguments = match (keyword, self.arguments) {
            (Keyword::Arguments, _) => Arguments::Inside,
            (Keyword::Function, _) => Arguments::Possible,
            (Keyword::End, Arguments::Inside) => Arguments::Possible,
            _ => Arguments::Impossible,
        };
        let depth_zero = self.open.is_empty();
        self.take(TokenKind::Keyword(keyword), len);
        if depth_zero && keyword.starts_statement_after() {
            self.start_statement();
        }
    }

    /// `,` or `;`
    fn separator(&mut self, c: char) {
        self.leave_anonymous_body();
        self.take(if c == ',' { TokenKind::Comma } else { TokenKind::Semi }, 1);
        if self.open.is_empty() {
            self.end_statement();
        }
    }

    /// A line break: ends a statement, or a row of the matrix that is open. Inside parentheses it is a blank, as in Octave.
    fn newline(&mut self) {
        if self.line_continues() {
            self.pos += 1;
            return;
        }
        self.close_parentheses_at_line_end();
        self.close_brackets_before_statement();
        self.leave_anonymous_body();
        self.take(TokenKind::Newline, 1);
        if self.open.is_empty() {
            self.end_statement();
        }
    }

    fn end_statement(&mut self) {
        let declares = |t: &Token| {
            use Keyword::{Function, Global, Persistent};
            matches!(t.kind, TokenKind::Keyword(Function | Global | Persistent))
        };
        if self.tokens.get(self.statement).is_some_and(declares) {
            self.assign_names(self.statement);
        }
        self.start_statement();
    }

    fn start_statement(&mut self) {
        self.at_statement = true;
        self.statement = self.tokens.len();
        self.seen_assign = false;
    }

    /// Remembers what the `=` just read makes a variable: the first name, or all names inside `[ ]`.
    fn note_assignment(&mut self) {
        if std::mem::replace(&mut self.seen_assign, true) {
            return;
        }
        let several = |t: &Token| t.kind == TokenKind::LBracket;
        if self.tokens.get(self.statement).is_some_and(several) {
            self.assign_names(self.statement);
        } else {
            let text = self.text;
            let mut names = self.tokens[self.statement..].iter().take(3);
            if let Some(t) = names.find(|t| t.kind == TokenKind::Ident) {
                self.assigned.insert(&text[t.start as usize..t.end as usize]);
            }
        }
    }

    fn assign_names(&mut self, from: usize) {
        let text = self.text;
        let names = self.tokens[from..].iter().filter(|t| t.kind == TokenKind::Ident);
        self.assigned.extend(names.map(|t| &text[t.start as usize..t.end as usize]));
    }

    fn rest(&self) -> &'a str {
        &self.text[self.pos..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// The byte `ahead` bytes on, as a character if it is ASCII.
    fn peek_at(&self, ahead: usize) -> Option<char> {
        self.text.as_bytes().get(self.pos + ahead).filter(|b| b.is_ascii()).map(|&b| b as char)
    }

    /// Appends a token of `len` bytes at the current position and moves past it.
    fn take(&mut self, kind: TokenKind, len: usize) {
        let start = self.pos;
        self.pos += len;
        self.put(kind, start);
    }

    /// Appends a token from `start` to the current position.
    fn put(&mut self, kind: TokenKind, start: usize) {
        use TokenKind::*;
        self.after_operand = matches!(
            kind,
            Ident
                | Number { .. }
                | Wide(_)
                | Integer { .. }
                | Str { .. }
                | CTranspose
                | Transpose
                | EndIndex
                | RParen
                | RBracket
                | RBrace
        );
        if self.at_statement && !matches!(kind, Newline | Semi | Comma | Keyword(_)) {
            self.arguments = match self.arguments {
                Arguments::Inside => Arguments::Inside,
                _ => Arguments::Impossible,
            };
        }
        self.at_statement = false;
        self.tokens.push(Token { kind, start: start as u32, end: self.pos as u32 });
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.file.id(), start as u32, end as u32)
    }

    fn error(&mut self, code: Code, span: Span, message: impl Into<String>, help: &str) {
        let diagnostic = Diagnostic::error(code, span, message);
        self.report(if help.is_empty() { diagnostic } else { diagnostic.help(help) });
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        if self.errors.len() < MAX_LEXICAL_ERRORS {
            self.errors.push(diagnostic);
        }
    }
}

/// Whether the text after the word `arguments` fits the head of a block.
fn opens_arguments(after: &str) -> bool {
    match after.strip_prefix('(') {
        Some(inner) => {
            let kind = inner.trim_start_matches([' ', '\t']);
            ["Input", "Output", "Repeating"].iter().any(|word| kind.starts_with(word))
        }
        None => after.is_empty() || after.starts_with(['\n', '\r', ',', ';', '%', '#']),
    }
}

/// The length of the name at the start of `text`; 0 if there is none.
fn word_len(text: &str) -> usize {
    let is_word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    text.bytes().position(|b| !is_word(b)).unwrap_or(text.len())
}
