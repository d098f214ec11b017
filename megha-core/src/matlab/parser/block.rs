//! Statements that `end` closes.

use super::balance::Block;
use super::{Failed, Parsed, Parser};
use crate::diag::{Code, Diagnostic};
use crate::matlab::ast::{Expr, IfBranch, LValue, Name, Stmt, StmtKind, SwitchCase};
use crate::matlab::token::{Keyword, TokenKind};

impl Parser<'_> {
    /// A block, at its keyword; `None` if it had a mistake, which has been reported.
    pub(super) fn block_statement(&mut self, keyword: Keyword) -> Option<Stmt> {
        let start = self.pos;
        if !self.may_open_block() {
            return None;
        }
        self.open_block(keyword);
        let kind = match keyword {
            Keyword::If => self.if_block(),
            Keyword::For | Keyword::Parfor => self.for_block(keyword == Keyword::Parfor),
            Keyword::While => self.while_block(),
            Keyword::Do => self.do_block(),
            Keyword::Switch => self.switch_block(),
            Keyword::Try => self.try_block(),
            Keyword::UnwindProtect => self.unwind_block(),
            _ => self.foreign_block(keyword),
        };
        kind.map(|kind| Stmt { kind, prints: false, span: self.span_since(start) })
    }

    /// Parses a block's header behind its keyword; a mistake skips the header's line.
    fn header<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Option<T> {
        self.statement = self.pos.saturating_sub(1);
        let parsed = parse(self);
        if parsed.is_err() {
            self.recover();
        }
        parsed.ok()
    }

    /// A condition; `=` in it is a likely slip.
    fn condition(&mut self) -> Parsed<Expr> {
        let condition = self.expression()?;
        if self.at(&TokenKind::Assign) {
            return Err(self.assignment_as_value());
        }
        Ok(condition)
    }

    /// The statements of a part of the innermost block, up to its next part, its `end` or whatever cannot belong to it.
    fn body(&mut self) -> Vec<Stmt> {
        let mut body = Vec::new();
        loop {
            self.statements(&mut body);
            let Some(keyword) = self.keyword().filter(|&k| k != Keyword::Function) else {
                return body;
            };
            let takes = |b: &Block| b.has_part(keyword) || b.ends_with(keyword);
            let known = self.blocks.iter().any(takes);
            if known || keyword.is_end() {
                return body;
            }
            self.misplaced_closer();
        }
    }

    fn if_block(&mut self) -> Option<StmtKind> {
        let mut branches = Some(Vec::new());
        let mut otherwise = None;
        loop {
            let start = self.pos - 1;
            let cond = self.header(Self::condition);
            let body = self.body();
            let span = self.span_since(start);
            let branch = cond.map(|cond| IfBranch { cond, body, span });
            branches = branches.zip(branch).map(|(mut all, branch)| {
                all.push(branch);
                all
            });
            if !self.eat(&TokenKind::Keyword(Keyword::ElseIf)) {
                break;
            }
        }
        if self.eat(&TokenKind::Keyword(Keyword::Else)) {
            otherwise = Some(self.body());
            self.no_part_after("else");
        }
        self.close_block();
        branches.map(|branches| StmtKind::If { branches, otherwise })
    }

    /// Reports and skips parts that follow the last possible one.
    fn no_part_after(&mut self, last: &str) {
        while let Some(keyword) = self.keyword().filter(|&k| self.innermost_has_part(k)) {
            let message = format!("`{}` cannot follow `{last}`", keyword.text());
            self.diagnostics.push(Diagnostic::error(Code::MisplacedKeyword, self.span(), message));
            self.bump();
            if matches!(keyword, Keyword::ElseIf | Keyword::Case) {
                self.header(Self::expression);
            }
            self.body();
        }
    }

    fn innermost_has_part(&self, keyword: Keyword) -> bool {
        self.blocks.last().is_some_and(|block| block.has_part(keyword))
    }

    fn for_block(&mut self, parallel: bool) -> Option<StmtKind> {
        let header = self.header(|parser| parser.for_header(parallel));
        let body = self.body();
        self.close_block();
        header.map(|(target, range)| StmtKind::For { target, range, body, parallel })
    }

    /// `i = range` or `(i = range)`; `parfor` may name a number of workers, which changes no result.
    fn for_header(&mut self, parallel: bool) -> Parsed<(LValue, Expr)> {
        let parenthesised = self.eat(&TokenKind::LParen);
        let target = self.place()?;
        if !self.eat(&TokenKind::Assign) {
            return Err(self.bad_loop("the loop variable must be followed by `=`"));
        }
        let range = self.expression()?;
        if parallel && parenthesised && self.eat(&TokenKind::Comma) {
            self.expression()?;
        }
        if parenthesised && self.at(&TokenKind::Semi) {
            return Err(self.bad_loop("a MATLAB loop has no condition and no increment"));
        }
        if parenthesised {
            self.expect(&TokenKind::RParen, "`)`")?;
        }
        Ok((target, range))
    }

    fn bad_loop(&mut self, message: &str) -> Failed {
        let help = "write `for i = 1:n`, or `for i = n:-1:1` to count down";
        let error = Diagnostic::error(Code::BadLoop, self.span(), message).help(help);
        self.fail(error)
    }

    fn while_block(&mut self) -> Option<StmtKind> {
        let cond = self.header(Self::condition);
        let body = self.body();
        self.close_block();
        cond.map(|cond| StmtKind::While { cond, body })
    }

    fn do_block(&mut self) -> Option<StmtKind> {
        let body = self.body();
        if !self.eat(&TokenKind::Keyword(Keyword::Until)) {
            self.close_block();
            return None;
        }
        self.blocks.pop();
        let cond = self.header(Self::condition);
        cond.map(|cond| StmtKind::DoUntil { body, cond })
    }

    fn switch_block(&mut self) -> Option<StmtKind> {
        let subject = self.header(Self::expression);
        let before = self.body();
        if let Some(first) = before.first() {
            let message = "a statement in `switch` must follow a `case` or `otherwise`";
            self.diagnostics.push(Diagnostic::error(Code::UnexpectedToken, first.span, message));
        }
        let mut cases = Vec::new();
        while self.eat(&TokenKind::Keyword(Keyword::Case)) {
            let start = self.pos - 1;
            let pattern = self.header(Self::expression);
            let body = self.body();
            let span = self.span_since(start);
            cases.extend(pattern.map(|pattern| SwitchCase { pattern, body, span }));
        }
        let mut otherwise = None;
        if self.eat(&TokenKind::Keyword(Keyword::Otherwise)) {
            otherwise = Some(self.body());
            self.no_part_after("otherwise");
        }
        self.close_block();
        subject.map(|subject| StmtKind::Switch { subject, cases, otherwise })
    }

    fn try_block(&mut self) -> Option<StmtKind> {
        let body = self.body();
        let mut error = None;
        let mut handler = Vec::new();
        if self.eat(&TokenKind::Keyword(Keyword::Catch)) {
            error = self.caught_name();
            handler = self.body();
            self.no_part_after("catch");
        }
        self.close_block();
        Some(StmtKind::Try { body, error, handler })
    }

    /// The variable of `catch err`: a name alone on the rest of the line.
    fn caught_name(&mut self) -> Option<Name> {
        let alone = matches!(self.kind_at(1), TokenKind::Newline | TokenKind::Semi | TokenKind::Eof);
        if alone && self.at(&TokenKind::Ident) { self.name("a variable").ok() } else { None }
    }

    fn unwind_block(&mut self) -> Option<StmtKind> {
        let body = self.body();
        let mut cleanup = Vec::new();
        if self.eat(&TokenKind::Keyword(Keyword::UnwindProtectCleanup)) {
            cleanup = self.body();
            self.no_part_after("unwind_protect_cleanup");
        }
        self.close_block();
        Some(StmtKind::UnwindProtect { body, cleanup })
    }

    /// A block that cannot stand here at all.
    fn foreign_block(&mut self, keyword: Keyword) -> Option<StmtKind> {
        let span = self.previous_span();
        self.diagnostics.push(if keyword == Keyword::Spmd {
            let message = "`spmd` blocks are not compiled";
            let help = "write plain loops; those that can run in parallel do";
            Diagnostic::error(Code::ParallelBlock, span, message).help(help)
        } else {
            let message = format!("`{}` cannot stand here", keyword.text());
            Diagnostic::error(Code::MisplacedKeyword, span, message)
        });
        self.body();
        self.close_block();
        None
    }
}
