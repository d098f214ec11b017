//! Tokens to syntax tree, by recursive descent.
//!
//! Errors: a statement reports at most one mistake, lexical ones included; parsing then goes on behind the
//! statement. A block whose header is wrong is still parsed to its `end`, and left out of the tree.

mod balance;
mod block;
mod expression;
mod function;
mod statement;
mod value;

use super::ast::{Name, Program};
use super::lexer::{Lexed, lex};
use super::token::{Keyword, Token, TokenKind};
use crate::diag::{Code, Diagnostic, Diagnostics};
use crate::source::{SourceFile, Span};
use balance::Block;

/// The largest file that is read.
const MAX_SOURCE_BYTES: usize = 16 << 20;

/// How deep brackets and prefix operators may nest. With the next bound, this bounds the parser's recursion.
const MAX_DEPTH: u32 = 200;

/// How deep blocks and functions may nest.
const MAX_BLOCKS: usize = 100;

/// How high an expression's tree may be; bounds the recursion of everything that walks it.
const MAX_HEIGHT: u32 = 500;

/// Parses a file, reporting all its syntax errors to `diagnostics`.
///
/// The result lacks the statements that were wrong, so it has its full meaning only if no error was reported.
/// Takes time linear in the length of the text and never panics.
pub fn parse(file: &SourceFile, diagnostics: &mut Diagnostics) -> Program {
    parse_from(file, 0, diagnostics)
}

/// [`parse`] of what stands from this byte on, which is the start of a line.
pub(crate) fn parse_from(file: &SourceFile, start: usize, diagnostics: &mut Diagnostics) -> Program {
    if file.text().len() > MAX_SOURCE_BYTES {
        let message = format!("this file has more than {} MiB", MAX_SOURCE_BYTES >> 20);
        let span = Span::new(file.id(), 0, 0);
        diagnostics.push(Diagnostic::error(Code::SourceTooLarge, span, message));
        return Program::default();
    }
    let Lexed { tokens, errors } = lex(file, start);
    let first = tokens.iter().find(|t| !matches!(t.kind, TokenKind::Newline | TokenKind::Semi));
    if let Some(t) = first.filter(|t| t.kind == TokenKind::Keyword(Keyword::Classdef)) {
        diagnostics.push(class_definition(t.span(file.id())));
        return Program::default();
    }
    let mut lexical: Vec<u32> = errors.iter().map(|error| error.span.start).collect();
    lexical.sort_unstable();
    for error in errors {
        diagnostics.push(error);
    }
    let mut parser = Parser::new(file, tokens, lexical, diagnostics);
    parser.program()
}

fn class_definition(span: Span) -> Diagnostic {
    Diagnostic::error(Code::ClassDefinition, span, "class definitions are not compiled")
        .help("keep the numeric part in functions of ordinary .m files")
}

/// The statement cannot be completed; the mistake has been reported.
#[derive(Debug)]
struct Failed;

type Parsed<T> = Result<T, Failed>;

struct Parser<'a> {
    file: &'a SourceFile,
    tokens: Vec<Token>,
    pos: usize,
    /// Offsets of the lexical errors, ascending.
    lexical: Vec<u32>,
    diagnostics: &'a mut Diagnostics,
    /// Index of the token that starts the current statement or block header.
    statement: usize,
    depth: u32,
    /// How many index brackets enclose the current position, counted within the current anonymous function.
    index_depth: u32,
    /// The blocks that are open, outermost first.
    blocks: Vec<Block>,
    /// A block whose `end` (the span) stands further left than its opener: a likely culprit for a missing `end`.
    suspect: Option<(Block, Span)>,
    /// Where a missing `end` was reported last: one report is enough for all blocks open there.
    end_missing_at: Option<usize>,
    /// Functions of this file end in `end`.
    functions_end: bool,
    /// `end`s and block openers are in balance over the whole file.
    balanced: bool,
}

impl<'a> Parser<'a> {
    fn new(file: &'a SourceFile, tokens: Vec<Token>, lexical: Vec<u32>, diagnostics: &'a mut Diagnostics) -> Self {
        let count = |counts: fn(Keyword) -> bool| {
            let counted = |t: &&Token| matches!(t.kind, TokenKind::Keyword(k) if counts(k));
            tokens.iter().filter(counted).count()
        };
        let (ends, blocks) = (count(Keyword::is_end), count(Keyword::opens_block));
        let functions = count(|k| k == Keyword::Function);
        Parser {
            functions_end: ends > blocks,
            balanced: ends == blocks + functions,
            file,
            tokens,
            pos: 0,
            lexical,
            diagnostics,
            statement: 0,
            depth: 0,
            index_depth: 0,
            blocks: Vec::new(),
            suspect: None,
            end_missing_at: None,
        }
    }

    /// A whole file: functions and script statements in any order.
    fn program(&mut self) -> Program {
        let mut program = Program::default();
        loop {
            self.statements(&mut program.script);
            match self.kind() {
                TokenKind::Eof => return program,
                TokenKind::Keyword(Keyword::Function) => {
                    program.functions.extend(self.function());
                }
                _ => self.misplaced_closer(),
            }
        }
    }

    fn kind(&self) -> &TokenKind {
        &self.tokens[self.pos].kind
    }

    /// The kind of the token `ahead` tokens on.
    fn kind_at(&self, ahead: usize) -> &TokenKind {
        let last = self.tokens.len() - 1;
        &self.tokens[(self.pos + ahead).min(last)].kind
    }

    fn keyword(&self) -> Option<Keyword> {
        match self.kind() {
            TokenKind::Keyword(keyword) => Some(*keyword),
            _ => None,
        }
    }

    fn span(&self) -> Span {
        self.tokens[self.pos].span(self.file.id())
    }

    /// The span of the token before the current one.
    fn previous_span(&self) -> Span {
        self.tokens[self.pos.saturating_sub(1)].span(self.file.id())
    }

    /// From the token at index `start` to the one before the current.
    fn span_since(&self, start: usize) -> Span {
        self.tokens[start].span(self.file.id()).to(self.previous_span())
    }

    /// Moves to the next token; stays at the end of the file.
    fn bump(&mut self) {
        if self.pos + 1 < self.tokens.len() {
            self.pos += 1;
        }
    }

    fn at(&self, kind: &TokenKind) -> bool {
        self.kind() == kind
    }

    /// Moves past the current token if it is `kind`.
    fn eat(&mut self, kind: &TokenKind) -> bool {
        let found = self.at(kind);
        if found {
            self.bump();
        }
        found
    }

    /// Moves past a token that must be `kind`; `what` says what for.
    fn expect(&mut self, kind: &TokenKind, what: &str) -> Parsed<()> {
        if self.eat(kind) { Ok(()) } else { Err(self.unexpected(what)) }
    }

    /// The current token's text if it is a name.
    fn name(&mut self, what: &str) -> Parsed<Name> {
        if !self.at(&TokenKind::Ident) {
            return Err(self.unexpected(what));
        }
        let span = self.span();
        self.bump();
        Ok(Name { text: self.file.slice(span).to_owned(), span })
    }

    /// Reports that something else was expected at the current token.
    fn unexpected(&mut self, what: &str) -> Failed {
        let (code, span) = match self.kind() {
            TokenKind::Newline | TokenKind::Eof => (Code::ExpectedExpression, self.previous_span().after()),
            TokenKind::Keyword(_) => (Code::MisplacedKeyword, self.span()),
            _ => (Code::UnexpectedToken, self.span()),
        };
        let message = format!("expected {what}, found {}", self.found());
        self.fail(Diagnostic::error(code, span, message))
    }

    /// The current token in words.
    fn found(&self) -> String {
        let text = self.file.slice(self.span());
        match self.kind() {
            TokenKind::Newline => String::from("the end of the line"),
            TokenKind::Eof => String::from("the end of the file"),
            TokenKind::Keyword(_) => format!("the keyword `{text}`"),
            TokenKind::Ident => format!("the name `{text}`"),
            TokenKind::Str { .. } => String::from("a string"),
            TokenKind::Comma if text.is_empty() => String::from("a blank that separates elements"),
            _ => format!("`{text}`"),
        }
    }

    /// Reports a mistake in the current statement, unless the statement has had one.
    fn fail(&mut self, diagnostic: Diagnostic) -> Failed {
        let from = self.tokens[self.statement].start;
        let to = self.tokens[self.pos].end;
        let first = self.lexical.partition_point(|&at| at < from);
        if self.lexical.get(first).is_none_or(|&at| at > to) {
            self.diagnostics.push(diagnostic);
        }
        Failed
    }

    /// Skips what is left of a statement that failed: to its separator, or to a keyword that ends it.
    fn recover(&mut self) {
        let mut depth = 0usize;
        let mut at = self.statement;
        loop {
            let done = at >= self.pos;
            match &self.tokens[at].kind {
                TokenKind::LParen | TokenKind::LBracket | TokenKind::LBrace => depth += 1,
                TokenKind::RParen | TokenKind::RBracket | TokenKind::RBrace => {
                    depth = depth.saturating_sub(1);
                }
                TokenKind::Eof => break,
                TokenKind::Newline | TokenKind::Semi | TokenKind::Comma if done && depth == 0 => {
                    break;
                }
                TokenKind::Keyword(k)
                    if done
                        && depth == 0
                        && at > self.statement
                        && (k.closes_part() || k.opens_block() || *k == Keyword::Function) =>
                {
                    break;
                }
                _ => {}
            }
            at += 1;
        }
        self.pos = at;
        self.index_depth = 0;
    }
}

/// `a.b` as one name.
fn dotted(outer: Name, part: &Name) -> Name {
    Name { text: format!("{}.{}", outer.text, part.text), span: outer.span.to(part.span) }
}
