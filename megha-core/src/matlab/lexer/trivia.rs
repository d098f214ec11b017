//! Blanks, continuation lines and comments.

use super::Lexer;
use crate::diag::Code;

impl Lexer<'_> {
    /// Skips blanks, continuations and comments up to the next token or line break; true if anything was skipped.
    pub(super) fn skip_trivia(&mut self) -> bool {
        let start = self.pos;
        while let Some(c) = self.peek() {
            match c {
                ' ' | '\t' | '\r' | '\x0b' | '\x0c' => self.pos += 1,
                '%' | '#' => self.comment(),
                '.' if self.rest().starts_with("...") => {
                    self.skip_line();
                    self.pos += usize::from(self.pos < self.text.len());
                }
                '/' if self.rest().starts_with("//") => {
                    self.foreign_comment(2, "`//` does not start a comment");
                    self.skip_line();
                }
                '/' if self.rest().starts_with("/*") => self.foreign_block_comment(),
                _ => break,
            }
        }
        self.pos > start
    }

    /// Moves to the line break.
    fn skip_line(&mut self) {
        self.pos = self.rest().find('\n').map_or(self.text.len(), |len| self.pos + len);
    }

    /// `% …` to the end of the line, or a block comment if `%{` has the line to itself.
    fn comment(&mut self) {
        if self.line_is_only("{") {
            self.block_comment();
        } else {
            self.skip_line();
        }
    }

    /// True if the line at the current position holds only `%` or `#`, followed by `brace`.
    fn line_is_only(&self, brace: &str) -> bool {
        let before = self.text[..self.pos].bytes().rev().take_while(|&b| b != b'\n');
        let mut before = before.skip_while(|b| b.is_ascii_whitespace());
        let line = self.rest().split('\n').next().unwrap_or("");
        before.next().is_none() && line.get(1..).is_some_and(|rest| rest.trim() == brace)
    }

    /// Skips a block comment; others may be nested in it.
    fn block_comment(&mut self) {
        let start = self.pos;
        let mut depth = 0usize;
        loop {
            let line = self.rest().split('\n').next().unwrap_or("").trim();
            depth += usize::from(matches!(line, "%{" | "#{"));
            depth -= usize::from(matches!(line, "%}" | "#}"));
            self.skip_line();
            if depth == 0 {
                return;
            }
            if self.pos == self.text.len() {
                let help = "end it with a line that holds only `%}`";
                let opener = self.span(start, start + 2);
                let message = "this block comment is never closed";
                return self.error(Code::UnterminatedBlockComment, opener, message, help);
            }
            self.pos += 1;
        }
    }

    fn foreign_comment(&mut self, len: usize, message: &str) {
        let span = self.span(self.pos, self.pos + len);
        self.error(Code::ForeignComment, span, message, "start comments with `%`");
    }

    fn foreign_block_comment(&mut self) {
        self.foreign_comment(2, "`/*` does not start a comment");
        match self.rest().find("*/") {
            Some(len) => self.pos += len + 2,
            None => self.skip_line(),
        }
    }
}
