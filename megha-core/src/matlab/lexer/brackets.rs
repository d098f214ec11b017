//! Brackets: which are open, what blanks mean inside them, and what to do when one is missing.

use super::{Lexer, word_len};
use crate::diag::{Code, Diagnostic};
use crate::matlab::token::{Keyword, Token, TokenKind};

/// A bracket that is open.
pub(super) struct Open {
    kind: OpenKind,
    /// Offset of the bracket.
    at: usize,
    /// An anonymous function's body is being read in it, where blanks do not separate.
    pub(super) in_anonymous_body: bool,
}

/// Reading stops at a bracket inside this many others, which bounds the work per closing bracket.
const MAX_OPEN: usize = 1000;

#[derive(Clone, Copy, PartialEq, Eq)]
enum OpenKind {
    /// `(` of an index, a call or a group
    Paren,
    /// `(` after `@`
    AnonymousParams,
    /// `[`, or `{` of a cell: blanks and line breaks separate
    Matrix { brace: bool },
    /// `{` of an index
    BraceIndex,
}

impl OpenKind {
    fn closer(self) -> (char, TokenKind) {
        match self {
            OpenKind::Paren | OpenKind::AnonymousParams => (')', TokenKind::RParen),
            OpenKind::Matrix { brace: false } => (']', TokenKind::RBracket),
            OpenKind::Matrix { brace: true } | OpenKind::BraceIndex => ('}', TokenKind::RBrace),
        }
    }

    fn opener(self) -> char {
        match self.closer().0 {
            ')' => '(',
            ']' => '[',
            _ => '{',
        }
    }
}

impl Lexer<'_> {
    pub(super) fn open_bracket(&mut self, c: char, blank: bool) {
        let after_at = matches!(self.tokens.last(), Some(Token { kind: TokenKind::At, .. }));
        let index = self.after_operand && !(blank && self.blanks_separate());
        let (kind, token) = match c {
            '(' if after_at => (OpenKind::AnonymousParams, TokenKind::LParen),
            '(' => (OpenKind::Paren, TokenKind::LParen),
            '[' => (OpenKind::Matrix { brace: false }, TokenKind::LBracket),
            _ if self.is_block_brace() => return self.block_brace(),
            _ if index => (OpenKind::BraceIndex, TokenKind::LBrace),
            _ => (OpenKind::Matrix { brace: true }, TokenKind::LBrace),
        };
        if self.open.len() == MAX_OPEN {
            let outermost = self.open[0].at;
            let span = self.span(outermost, outermost + 1);
            let help = "give parts of the expression a name";
            self.error(Code::NestingTooDeep, span, "brackets are nested too deep here", help);
            self.put_closers(0);
            self.pos = self.text.len();
            return;
        }
        self.open.push(Open { kind, at: self.pos, in_anonymous_body: false });
        self.take(token, 1);
    }

    pub(super) fn close_bracket(&mut self, c: char) {
        let matching = self.open.iter().rposition(|open| open.kind.closer().0 == c);
        let Some(matching) = matching else {
            return self.unmatched(c);
        };
        if matching + 1 < self.open.len() {
            self.report_unclosed(self.open.len() - 1, Some(c));
            self.put_closers(matching + 1);
        }
        if let Some(open) = self.open.pop() {
            self.take(open.kind.closer().1, 1);
            if open.kind == OpenKind::AnonymousParams {
                self.after_operand = false;
                if let Some(outer) = self.open.last_mut() {
                    outer.in_anonymous_body = true;
                }
            }
        }
    }

    /// A `{` that ends a line which starts with `if`, `for`, …: C's block.
    fn is_block_brace(&self) -> bool {
        let after = self.rest()[1..].trim_start_matches([' ', '\t', '\r']);
        let header = |t: &Token| match t.kind {
            TokenKind::Keyword(k) => {
                k.opens_block() && k != Keyword::Arguments
                    || matches!(k, Keyword::Else | Keyword::ElseIf | Keyword::Function)
            }
            _ => false,
        };
        let statement = self.tokens.get(self.statement);
        let first = if self.at_statement { self.tokens.last() } else { statement };
        self.open.is_empty() && after.starts_with('\n') && first.is_some_and(header)
    }

    fn block_brace(&mut self) {
        let span = self.span(self.pos, self.pos + 1);
        let help = "leave out the braces and close the block with `end`";
        self.error(Code::UnmatchedBracket, span, "MATLAB has no `{ }` around blocks", help);
        self.block_braces += 1;
        self.pos += 1;
    }

    /// A closer without an opener. Where it closes a C-style block it stands for `end`.
    fn unmatched(&mut self, c: char) {
        if c == '}' && self.open.is_empty() && self.block_braces > 0 {
            self.block_braces -= 1;
            let after = self.rest()[1..].trim_start();
            if after.starts_with("else") {
                self.pos += 1;
            } else {
                self.take_keyword(Keyword::End, 1);
            }
            return;
        }
        let span = self.span(self.pos, self.pos + 1);
        let message = format!("no bracket is open that this `{c}` could close");
        let mut diagnostic = Diagnostic::error(Code::UnmatchedBracket, span, message);
        if let Some(open) = self.open.last() {
            let at = self.span(open.at, open.at + 1);
            diagnostic = diagnostic.note_at(at, format!("`{}` is open here", open.kind.opener()));
        }
        self.report(diagnostic);
        self.pos += 1;
    }

    /// Reports the bracket `index` as unclosed; `found` is the closer of another one that came instead.
    fn report_unclosed(&mut self, index: usize, found: Option<char>) {
        let Open { kind, at, .. } = self.open[index];
        let (open, close) = (kind.opener(), kind.closer().0);
        let message = format!("this `{open}` has no closing `{close}`");
        let mut error = Diagnostic::error(Code::UnclosedBracket, self.span(at, at + 1), message);
        if let Some(found) = found {
            let here = self.span(self.pos, self.pos + 1);
            error = error.note_at(here, format!("`{found}` comes first"));
        } else if close == ')' {
            error = error.help(format!("add `{close}`, or end the line in `...` if the next line continues it"));
        } else {
            error = error.help(format!("add `{close}`"));
        }
        self.report(error);
    }

    /// Closes the open brackets from `keep` on.
    fn put_closers(&mut self, keep: usize) {
        while self.open.len() > keep {
            if let Some(open) = self.open.pop() {
                self.put(open.kind.closer().1, self.pos);
            }
        }
    }

    /// Whether a parenthesis is open that the next line goes on in: something is missing before the break, or an operator follows.
    pub(super) fn line_continues(&self) -> bool {
        let matrix = |open: &Open| matches!(open.kind, OpenKind::Matrix { .. });
        let rest = &self.rest()[1..];
        let goes_on = !self.after_operand || rest.trim_start().starts_with(|c| "+-*/\\^&|<>=~!,):.".contains(c));
        self.open.last().is_some_and(|open| !matrix(open)) && goes_on && !starts_statement(rest)
    }

    /// Parentheses which the next line does not go on in are reported and closed.
    pub(super) fn close_parentheses_at_line_end(&mut self) {
        let in_matrix = |open: &Open| matches!(open.kind, OpenKind::Matrix { .. });
        let keep = self.open.iter().rposition(in_matrix).map_or(0, |at| at + 1);
        if keep < self.open.len() {
            self.report_unclosed(self.open.len() - 1, None);
            self.put_closers(keep);
        }
    }

    /// At a line break inside `[` or `{`: if the next line can only be a statement, the bracket was forgotten.
    pub(super) fn close_brackets_before_statement(&mut self) {
        if !self.open.is_empty() && starts_statement(&self.rest()[1..]) {
            self.report_unclosed(self.open.len() - 1, None);
            self.put_closers(0);
        }
    }

    pub(super) fn close_all_at_end(&mut self) {
        if !self.open.is_empty() {
            self.report_unclosed(self.open.len() - 1, None);
            self.put_closers(0);
        }
    }

    /// Blanks separate again in the innermost bracket.
    pub(super) fn leave_anonymous_body(&mut self) {
        if let Some(open) = self.open.last_mut() {
            open.in_anonymous_body = false;
        }
    }

    /// True directly inside `[ ]` or a cell's `{ }`.
    pub(super) fn blanks_separate(&self) -> bool {
        let separates = |o: &Open| matches!(o.kind, OpenKind::Matrix { .. }) && !o.in_anonymous_body;
        self.open.last().is_some_and(separates)
    }

    /// Whether the blank before `c` separates two elements of a matrix.
    ///
    /// It does if a value ends before it and one starts after it. A sign starts a value if it has a blank
    /// before it but none behind: `[a -b]` are two elements, `[a - b]` is one.
    pub(super) fn element_ends_here(&self, c: char) -> bool {
        let in_matrix = |o: &Open| matches!(o.kind, OpenKind::Matrix { .. });
        if !self.after_operand || !self.open.last().is_some_and(in_matrix) {
            return false;
        }
        let next = self.peek_at(1);
        let plain = match c {
            'a'..='z' | 'A'..='Z' | '_' | '0'..='9' | '"' | '@' => true,
            '.' => next.is_some_and(|n| n.is_ascii_digit()),
            _ => false,
        };
        let value_or_operator = match c {
            '\'' | '(' | '[' | '{' => true,
            '~' | '!' => next != Some('='),
            '+' | '-' => !matches!(next, None | Some(' ' | '\t' | '\n' | '\r')),
            _ => false,
        };
        plain || (value_or_operator && self.blanks_separate())
    }
}

/// True if a line can only be a statement: it starts with a keyword or assigns to a name.
fn starts_statement(text: &str) -> bool {
    let line = text.split('\n').next().unwrap_or("").trim_start_matches([' ', '\t']);
    let word = &line[..word_len(line)];
    let after = line[word.len()..].trim_start_matches([' ', '\t', '\r']);
    match Keyword::from_text(word) {
        Some(Keyword::End) => after.is_empty() || after.starts_with([';', ',', '%', '#']),
        Some(Keyword::Arguments | Keyword::Do | Keyword::Until) | None => {
            let name = word.starts_with(|c: char| !c.is_ascii_digit());
            name && after.starts_with('=') && !after.starts_with("==")
        }
        Some(_) => true,
    }
}
