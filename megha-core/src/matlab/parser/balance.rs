//! Blocks and their ends: which are open, and what to say when one is left open or closed twice.

use super::{MAX_BLOCKS, Parser};
use crate::diag::{Code, Diagnostic};
use crate::matlab::token::{Keyword, TokenKind};
use crate::source::Span;

/// A block that is open.
#[derive(Clone, Copy)]
pub(super) struct Block {
    pub keyword: Keyword,
    pub span: Span,
    /// How many blanks stand before it, if nothing else does.
    pub indent: Option<usize>,
    /// It is the `if` of `else if`.
    after_else: bool,
}

impl Block {
    /// Whether `keyword` begins a further part of this block.
    pub(super) fn has_part(&self, keyword: Keyword) -> bool {
        use Keyword::*;
        match self.keyword {
            If => matches!(keyword, Else | ElseIf),
            Switch => matches!(keyword, Case | Otherwise),
            Try => keyword == Catch,
            UnwindProtect => keyword == UnwindProtectCleanup,
            Do => keyword == Until,
            _ => false,
        }
    }

    /// Whether `keyword` ends this block.
    pub(super) fn ends_with(&self, keyword: Keyword) -> bool {
        use Keyword::*;
        match keyword {
            End => self.keyword != Do,
            EndIf => self.keyword == If,
            EndFor => self.keyword == For,
            EndParfor => self.keyword == Parfor,
            EndWhile => self.keyword == While,
            EndSwitch => self.keyword == Switch,
            EndTryCatch => self.keyword == Try,
            EndUnwindProtect => self.keyword == UnwindProtect,
            EndFunction => self.keyword == Function,
            _ => false,
        }
    }
}

impl Parser<'_> {
    /// False if blocks are nested too deep; the rest of the file, which would only report blocks out of
    /// balance, is skipped then.
    pub(super) fn may_open_block(&mut self) -> bool {
        let may = self.blocks.len() < MAX_BLOCKS;
        if !may {
            let message = "blocks are nested too deep";
            let error = Diagnostic::error(Code::NestingTooDeep, self.span(), message);
            self.diagnostics.push(error.help("move inner blocks into functions of their own"));
            self.pos = self.tokens.len() - 1;
            self.end_missing_at = Some(self.pos);
        }
        may
    }

    pub(super) fn open_block(&mut self, keyword: Keyword) {
        let span = self.span();
        let after_else = self.pos > 0
            && self.tokens[self.pos - 1].kind == TokenKind::Keyword(Keyword::Else)
            && keyword == Keyword::If;
        self.blocks.push(Block { keyword, span, indent: self.indent(span), after_else });
        self.bump();
    }

    /// How many blanks stand before `span` on its line, if nothing else does.
    pub(super) fn indent(&self, span: Span) -> Option<usize> {
        let before = &self.file.text()[..span.start as usize];
        let blanks = before.len() - before.trim_end_matches([' ', '\t']).len();
        let line_starts = blanks == before.len() || before[..before.len() - blanks].ends_with('\n');
        line_starts.then_some(blanks)
    }

    /// Closes the innermost block at the current token, which should be its `end`; true if it is an end.
    pub(super) fn close_block(&mut self) -> bool {
        let Some(block) = self.blocks.pop() else {
            return false;
        };
        let span = self.span();
        match self.keyword().filter(|k| k.is_end()) {
            Some(keyword) if block.ends_with(keyword) => {
                let end_indent = self.indent(span);
                let outdented = end_indent.is_some() && end_indent < block.indent;
                if self.suspect.is_none() && (outdented || block.after_else) {
                    self.suspect = Some((block, span));
                }
                self.bump();
                true
            }
            Some(keyword) if !self.blocks.iter().any(|outer| outer.ends_with(keyword)) => {
                let message = format!("`{}` cannot close `{}`", keyword.text(), block.keyword.text());
                let opener = format!("the `{}` starts here", block.keyword.text());
                let error = Diagnostic::error(Code::WrongEnd, span, message).note_at(block.span, opener);
                self.diagnostics.push(error.help("write `end`"));
                self.bump();
                true
            }
            _ => {
                self.missing_end(block);
                false
            }
        }
    }

    /// Reports that `block` is not closed before the current token.
    pub(super) fn missing_end(&mut self, block: Block) {
        if self.end_missing_at.replace(self.pos) == Some(self.pos) {
            return;
        }
        let suspect = self.suspect.take().filter(|(inner, _)| inner.span.start > block.span.start);
        let culprit = suspect.map_or(block, |(inner, _)| inner);
        let word = culprit.keyword.text();
        let needs = if culprit.keyword == Keyword::Do { "until" } else { "end" };
        let message = format!("this `{word}` has no `{needs}`");
        let mut error = Diagnostic::error(Code::MissingEnd, culprit.span, message);
        error = match suspect {
            Some((_, end)) => {
                error.note_at(end, format!("this `end` closes the `{word}`, but seems meant for an outer block"))
            }
            None if self.at(&TokenKind::Eof) => error,
            None => error.note_at(self.span(), format!("it is still open at {}", self.found())),
        };
        if culprit.after_else {
            error = error.help("`else if` opens a block of its own; write `elseif`");
        }
        self.diagnostics.push(error);
    }

    /// Reports and skips a keyword that closes something where nothing of the kind is open.
    pub(super) fn misplaced_closer(&mut self) {
        let Some(keyword) = self.keyword() else {
            return;
        };
        let word = keyword.text();
        let diagnostic = if keyword.is_end() {
            let message = format!("this `{word}` has no block to close");
            Diagnostic::error(Code::UnmatchedEnd, self.span(), message)
        } else {
            let belongs = match keyword {
                Keyword::Else | Keyword::ElseIf => "an `if`",
                Keyword::Case | Keyword::Otherwise => "a `switch`",
                Keyword::Catch => "a `try`",
                Keyword::Until => "a `do`",
                _ => "an `unwind_protect`",
            };
            let message = format!("`{word}` is not inside {belongs}");
            Diagnostic::error(Code::MisplacedKeyword, self.span(), message)
        };
        self.diagnostics.push(diagnostic);
        self.bump();
        if matches!(keyword, Keyword::ElseIf | Keyword::Case | Keyword::Until) {
            self.statement = self.pos - 1;
            self.recover();
        }
    }
}
