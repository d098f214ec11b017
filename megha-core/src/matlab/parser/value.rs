//! Values without operators around them: literals, names, groups, matrices and function handles.

use super::expression::Tall;
use super::{Failed, Parsed, Parser, dotted};
use crate::diag::{Code, Diagnostic};
use crate::matlab::ast::{ExprKind, Param};
use crate::matlab::token::TokenKind;

impl Parser<'_> {
    /// A value without operators around it.
    pub(super) fn primary(&mut self) -> Parsed<Tall> {
        let span = self.span();
        let kind = match self.kind().clone() {
            TokenKind::Number { value, imaginary } => ExprKind::Number { value, imaginary },
            TokenKind::Wide(value) => ExprKind::Wide(value),
            TokenKind::Integer { value, bits, signed } => ExprKind::Integer { value, bits, signed },
            TokenKind::Str { text, quote } => ExprKind::Str { text, quote },
            TokenKind::Ident => ExprKind::Ident(self.file.slice(span).to_owned()),
            TokenKind::EndIndex if self.index_depth > 0 => ExprKind::End,
            TokenKind::LParen => return self.group(),
            TokenKind::LBracket => return self.matrix(&TokenKind::RBracket),
            TokenKind::LBrace => return self.matrix(&TokenKind::RBrace),
            TokenKind::At => return self.handle(),
            _ => return Err(self.no_value()),
        };
        self.bump();
        self.build(kind, span, 0)
    }

    /// `( … )`; the span of what it holds grows by the parentheses.
    fn group(&mut self) -> Parsed<Tall> {
        let start = self.pos;
        self.bump();
        let mut inner = self.tall()?;
        if self.at(&TokenKind::Assign) {
            return Err(self.assignment_as_value());
        }
        self.expect(&TokenKind::RParen, "`)` or an operator")?;
        inner.expr.span = self.span_since(start);
        Ok(inner)
    }

    /// `[…]` or `{…}`, at its opening bracket.
    fn matrix(&mut self, close: &TokenKind) -> Parsed<Tall> {
        let start = self.pos;
        self.bump();
        let mut rows = Vec::new();
        let mut row = Vec::new();
        let mut height = 0;
        while !self.at(close) {
            if self.at(&TokenKind::Semi) || self.at(&TokenKind::Newline) {
                self.bump();
                rows.extend(Some(std::mem::take(&mut row)).filter(|row| !row.is_empty()));
                continue;
            }
            // A comma in front of a row separates nothing.
            if row.is_empty() && !rows.is_empty() && self.at(&TokenKind::Comma) {
                self.bump();
                continue;
            }
            let element = self.tall()?;
            height = height.max(element.height);
            row.push(element.expr);
            let ends = |k: &TokenKind| matches!(k, TokenKind::Semi | TokenKind::Newline) || k == close;
            if !ends(self.kind()) {
                if self.at(&TokenKind::Assign) {
                    return Err(self.assignment_as_value());
                }
                self.expect(&TokenKind::Comma, "an operator, `,`, `;` or the closing bracket")?;
            }
        }
        self.bump();
        rows.extend(Some(row).filter(|row| !row.is_empty()));
        let kind = match close {
            TokenKind::RBracket => ExprKind::Matrix { rows },
            _ => ExprKind::Cell { rows },
        };
        self.build(kind, self.span_since(start), height)
    }

    /// `@name` or `@(params) body`, at the `@`.
    fn handle(&mut self) -> Parsed<Tall> {
        let start = self.pos;
        self.bump();
        if !self.at(&TokenKind::LParen) {
            let mut name = self.name("the name of a function or `(` after `@`")?;
            while self.eat(&TokenKind::Dot) {
                let part = self.name("a name after `.`")?;
                name = dotted(name, &part);
            }
            return self.build(ExprKind::FuncHandle(name), self.span_since(start), 0);
        }
        let params = self.params()?;
        let outer = std::mem::take(&mut self.index_depth);
        let body = self.tall()?;
        self.index_depth = outer;
        let kind = ExprKind::AnonFn { params, body: Box::new(body.expr) };
        self.build(kind, self.span_since(start), body.height)
    }

    /// `(a, ~, b)`, at its `(`.
    pub(super) fn params(&mut self) -> Parsed<Vec<Param>> {
        let (params, defaults) = self.params_with_defaults()?;
        match defaults.into_iter().next() {
            None => Ok(params),
            Some((_, name, _)) => {
                let message = "a parameter of an anonymous function cannot have a default value";
                let help = "write a function in a file, or pass the value";
                Err(self.fail(Diagnostic::error(Code::BadSignature, name.span, message).help(help)))
            }
        }
    }

    /// `(a, ~, b = 2)`, at its `(`: the parameters, and Octave's default values with the numbers of their parameters.
    pub(super) fn params_with_defaults(&mut self) -> Parsed<(Vec<Param>, Vec<super::function::DefaultValue>)> {
        self.bump();
        let (mut params, mut defaults) = (Vec::new(), Vec::new());
        while !self.at(&TokenKind::RParen) {
            let span = self.span();
            if self.eat(&TokenKind::Not) {
                params.push(Param::Ignored(span));
            } else {
                params.push(Param::Named(self.name("the name of a parameter")?));
            }
            if self.at(&TokenKind::Assign)
                && let Some(Param::Named(name)) = params.last().cloned()
            {
                self.bump();
                defaults.push((params.len(), name, self.tall()?.expr));
            }
            if !self.at(&TokenKind::RParen) {
                self.expect(&TokenKind::Comma, "`,` or `)`")?;
            }
        }
        self.bump();
        Ok((params, defaults))
    }

    /// Reports `=` where only a value can stand.
    pub(super) fn assignment_as_value(&mut self) -> Failed {
        let message = "an assignment has no value in MATLAB";
        let help = "to compare, write `==`; to assign, use a statement of its own";
        let error = Diagnostic::error(Code::AssignmentInExpression, self.span(), message);
        self.fail(error.help(help))
    }

    pub(super) fn missing_value(&mut self, what: &str) -> Failed {
        let span = if self.span().start == self.span().end { self.previous_span() } else { self.span() };
        let message = format!("expected {what}, found {}", self.found());
        self.fail(Diagnostic::error(Code::ExpectedExpression, span, message))
    }

    /// Reports that no value starts at the current token.
    fn no_value(&mut self) -> Failed {
        match self.kind() {
            TokenKind::EndIndex => {
                let message = "`end` stands for the last element only inside an index";
                let help = "write the variable it belongs to: `x(end)`";
                let error = Diagnostic::error(Code::EndOutsideIndex, self.span(), message);
                self.fail(error.help(help))
            }
            TokenKind::Colon => {
                let message = "`:` needs limits here";
                let help = "write `first:last`; `:` alone means all elements in an index, `x(:, 1)`";
                let error = Diagnostic::error(Code::ColonOutsideIndex, self.span(), message);
                self.fail(error.help(help))
            }
            TokenKind::Keyword(_) => {
                let failed = self.unexpected("a value");
                // It stands where a value should, so it opens or closes no block.
                self.bump();
                failed
            }
            TokenKind::Newline | TokenKind::Eof => self.unexpected("a value"),
            _ => self.missing_value("a value"),
        }
    }
}
