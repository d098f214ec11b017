//! Expressions: precedence climbing for binary operators, one loop for what follows a value.
//!
//! MATLAB's levels, loosest first: `||`, `&&`, `|`, `&`, comparisons, `:`, `+ -`, `* /` and their kin,
//! prefix `+ - ~`, then `^` and `'` on one level. All binary operators group to the left. The right
//! operand of `^` may carry prefix operators: `2^-1`.

use super::{Failed, MAX_DEPTH, MAX_HEIGHT, Parsed, Parser, dotted};
use crate::diag::{Code, Diagnostic};
use crate::matlab::ast::{BinaryOp, Expr, ExprKind, Param, ShortCircuitOp, UnaryOp};
use crate::matlab::token::TokenKind;
use crate::source::Span;

/// An expression and the height of its tree.
pub(super) struct Tall {
    pub expr: Expr,
    height: u32,
}

/// Loosest to tightest; an operand of a level is parsed at the next one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    OrOr,
    AndAnd,
    Or,
    And,
    Compare,
    Range,
    Add,
    Mul,
    Prefix,
}

impl Level {
    fn tighter(self) -> Level {
        use Level::*;
        match self {
            OrOr => AndAnd,
            AndAnd => Or,
            Or => And,
            And => Compare,
            Compare => Range,
            Range => Add,
            Add => Mul,
            Mul | Prefix => Prefix,
        }
    }
}

/// A binary operator on a level looser than `^`.
enum Infix {
    Binary(BinaryOp),
    ShortCircuit(ShortCircuitOp),
    Range,
}

impl Parser<'_> {
    /// An expression that must be there.
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        self.tall().map(|tall| tall.expr)
    }

    fn tall(&mut self) -> Parsed<Tall> {
        self.nested(|parser| parser.infix(Level::OrOr))
    }

    /// Runs `parse` one nesting level deeper.
    pub(super) fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            return Err(self.too_deep(self.span()));
        }
        self.depth += 1;
        let result = parse(self);
        self.depth = self.depth.saturating_sub(1);
        result
    }

    fn too_deep(&mut self, span: Span) -> Failed {
        let message = "this is nested too deep";
        let help = "give parts of it a name";
        self.fail(Diagnostic::error(Code::NestingTooDeep, span, message).help(help))
    }

    fn build(&mut self, kind: ExprKind, span: Span, below: u32) -> Parsed<Tall> {
        let height = below + 1;
        if height > MAX_HEIGHT {
            return Err(self.too_deep(span));
        }
        Ok(Tall {
            expr: Expr { kind, span },
            height,
        })
    }

    /// Operators of `level` and tighter.
    fn infix(&mut self, level: Level) -> Parsed<Tall> {
        let mut lhs = self.prefix()?;
        while let Some((operator, found)) = self.infix_operator().filter(|&(_, l)| l >= level) {
            self.bump();
            lhs = self.infix_step(lhs, operator, found)?;
        }
        Ok(lhs)
    }

    /// `lhs operator …`, the operator just read.
    fn infix_step(&mut self, lhs: Tall, operator: Infix, level: Level) -> Parsed<Tall> {
        let rhs = self.infix(level.tighter())?;
        let below = lhs.height.max(rhs.height);
        let span = lhs.expr.span.to(rhs.expr.span);
        let (lhs, rhs) = (Box::new(lhs.expr), Box::new(rhs.expr));
        let kind = match operator {
            Infix::Binary(op) => ExprKind::Binary { op, lhs, rhs },
            Infix::ShortCircuit(op) => ExprKind::ShortCircuit { op, lhs, rhs },
            Infix::Range if self.at(&TokenKind::Colon) => {
                self.bump();
                let stop = self.infix(Level::Add)?;
                let span = span.to(stop.expr.span);
                let range = ExprKind::Range {
                    start: lhs,
                    step: Some(rhs),
                    stop: Box::new(stop.expr),
                };
                return self.build(range, span, below.max(stop.height));
            }
            Infix::Range => ExprKind::Range {
                start: lhs,
                step: None,
                stop: rhs,
            },
        };
        self.build(kind, span, below)
    }

    fn infix_operator(&self) -> Option<(Infix, Level)> {
        use BinaryOp::*;
        Some(match *self.kind() {
            TokenKind::OrOr => (Infix::ShortCircuit(ShortCircuitOp::Or), Level::OrOr),
            TokenKind::AndAnd => (Infix::ShortCircuit(ShortCircuitOp::And), Level::AndAnd),
            TokenKind::Colon => (Infix::Range, Level::Range),
            TokenKind::Plus => (Infix::Binary(Add), Level::Add),
            TokenKind::Minus => (Infix::Binary(Sub), Level::Add),
            TokenKind::Binary(op) => match op {
                Or => (Infix::Binary(op), Level::Or),
                And => (Infix::Binary(op), Level::And),
                Eq | Ne | Lt | Le | Gt | Ge => (Infix::Binary(op), Level::Compare),
                Add | Sub => (Infix::Binary(op), Level::Add),
                MatMul | Mul | MatRightDiv | RightDiv | MatLeftDiv | LeftDiv => {
                    (Infix::Binary(op), Level::Mul)
                }
                MatPow | Pow => return None,
            },
            _ => return None,
        })
    }

    fn prefix_operator(&self) -> Option<UnaryOp> {
        match self.kind() {
            TokenKind::Plus => Some(UnaryOp::Plus),
            TokenKind::Minus => Some(UnaryOp::Minus),
            TokenKind::Not => Some(UnaryOp::Not),
            _ => None,
        }
    }

    /// `-a`, `~a`, or a value with powers and transposes.
    fn prefix(&mut self) -> Parsed<Tall> {
        match self.prefix_operator() {
            Some(op) => self.unary(op, Self::prefix),
            None => self.power(),
        }
    }

    /// The right operand of `^`: prefix operators, then a value with indices but without powers and transposes.
    fn exponent(&mut self) -> Parsed<Tall> {
        match self.prefix_operator() {
            Some(op) => self.unary(op, Self::exponent),
            None => {
                let start = self.pos;
                let base = self.primary()?;
                self.postfix(base, start, false)
            }
        }
    }

    fn unary(&mut self, op: UnaryOp, operand: fn(&mut Self) -> Parsed<Tall>) -> Parsed<Tall> {
        let start = self.span();
        self.bump();
        let Tall { expr, height } = self.nested(operand)?;
        let span = start.to(expr.span);
        self.build(
            ExprKind::Unary {
                op,
                operand: Box::new(expr),
            },
            span,
            height,
        )
    }

    /// A value with indices and fields.
    pub(super) fn value_with_postfix(&mut self) -> Parsed<Expr> {
        let start = self.pos;
        let base = self.primary()?;
        self.postfix(base, start, false).map(|tall| tall.expr)
    }

    fn power(&mut self) -> Parsed<Tall> {
        let start = self.pos;
        let base = self.primary()?;
        self.postfix(base, start, true)
    }

    /// Indices, fields and, if `powers`, transposes and `^` after `base`, which starts at token `start`.
    fn postfix(&mut self, mut base: Tall, start: usize, powers: bool) -> Parsed<Tall> {
        loop {
            let below = base.height;
            let (kind, below) = match *self.kind() {
                TokenKind::LParen => {
                    let (args, height) = self.indices(&TokenKind::RParen)?;
                    (
                        ExprKind::Apply {
                            callee: Box::new(base.expr),
                            args,
                        },
                        below.max(height),
                    )
                }
                TokenKind::LBrace => {
                    let (args, height) = self.indices(&TokenKind::RBrace)?;
                    (
                        ExprKind::BraceIndex {
                            callee: Box::new(base.expr),
                            args,
                        },
                        below.max(height),
                    )
                }
                TokenKind::Dot => self.field(base)?,
                TokenKind::CTranspose | TokenKind::Transpose if powers => {
                    let conjugate = self.at(&TokenKind::CTranspose);
                    self.bump();
                    (
                        ExprKind::Transpose {
                            operand: Box::new(base.expr),
                            conjugate,
                        },
                        below,
                    )
                }
                TokenKind::Binary(op @ (BinaryOp::MatPow | BinaryOp::Pow)) if powers => {
                    self.bump();
                    let rhs = self.exponent()?;
                    let (lhs, exponent) = (Box::new(base.expr), Box::new(rhs.expr));
                    (
                        ExprKind::Binary {
                            op,
                            lhs,
                            rhs: exponent,
                        },
                        below.max(rhs.height),
                    )
                }
                _ => return Ok(base),
            };
            base = self.build(kind, self.span_since(start), below)?;
        }
    }

    /// `.name` or `.(expression)`
    fn field(&mut self, base: Tall) -> Parsed<(ExprKind, u32)> {
        self.bump();
        let object = Box::new(base.expr);
        if self.eat(&TokenKind::LParen) {
            let field = self.tall()?;
            self.expect(&TokenKind::RParen, "`)`")?;
            let below = base.height.max(field.height);
            return Ok((
                ExprKind::DynamicField {
                    object,
                    field: Box::new(field.expr),
                },
                below,
            ));
        }
        let name = self.name("the name of a field after `.`")?;
        Ok((ExprKind::Field { object, name }, base.height))
    }

    /// `(…)` or `{…}` of an index or call, at its opening bracket.
    fn indices(&mut self, close: &TokenKind) -> Parsed<(Vec<Expr>, u32)> {
        self.bump();
        self.index_depth += 1;
        let mut args = Vec::new();
        let mut height = 0;
        while !self.at(close) {
            let argument = self.argument(close)?;
            height = height.max(argument.height);
            args.push(argument.expr);
            if self.at(close) {
                break;
            }
            self.after_argument(close)?;
        }
        self.bump();
        self.index_depth = self.index_depth.saturating_sub(1);
        Ok((args, height))
    }

    /// The comma between two arguments.
    fn after_argument(&mut self, close: &TokenKind) -> Parsed<()> {
        let closer = if *close == TokenKind::RParen {
            "`,` or `)`"
        } else {
            "`,` or `}`"
        };
        if self.at(&TokenKind::Assign) {
            let message = "arguments are passed by position, not by name";
            let help = "to compare, write `==`; to assign, use a statement of its own";
            let error = Diagnostic::error(Code::NamedArgument, self.span(), message).help(help);
            return Err(self.fail(error));
        }
        self.expect(&TokenKind::Comma, closer)?;
        if self.at(close) {
            return Err(self.missing_value("a value after `,`"));
        }
        Ok(())
    }

    /// One index or argument; `:` may stand alone.
    fn argument(&mut self, close: &TokenKind) -> Parsed<Tall> {
        let alone = self.kind_at(1) == &TokenKind::Comma || self.kind_at(1) == close;
        if self.at(&TokenKind::Colon) && alone {
            let span = self.span();
            self.bump();
            return self.build(ExprKind::Colon, span, 0);
        }
        self.tall()
    }

    /// A value without operators around it.
    fn primary(&mut self) -> Parsed<Tall> {
        let span = self.span();
        let kind = match self.kind().clone() {
            TokenKind::Number { value, imaginary } => ExprKind::Number { value, imaginary },
            TokenKind::Integer {
                value,
                bits,
                signed,
            } => ExprKind::Integer {
                value,
                bits,
                signed,
            },
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
            let element = self.tall()?;
            height = height.max(element.height);
            row.push(element.expr);
            let ends =
                |k: &TokenKind| matches!(k, TokenKind::Semi | TokenKind::Newline) || k == close;
            if !ends(self.kind()) {
                if self.at(&TokenKind::Assign) {
                    return Err(self.assignment_as_value());
                }
                self.expect(
                    &TokenKind::Comma,
                    "an operator, `,`, `;` or the closing bracket",
                )?;
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
        let kind = ExprKind::AnonFn {
            params,
            body: Box::new(body.expr),
        };
        self.build(kind, self.span_since(start), body.height)
    }

    /// `(a, ~, b)`, at its `(`.
    pub(super) fn params(&mut self) -> Parsed<Vec<Param>> {
        self.bump();
        let mut params = Vec::new();
        while !self.at(&TokenKind::RParen) {
            let span = self.span();
            if self.eat(&TokenKind::Not) {
                params.push(Param::Ignored(span));
            } else {
                params.push(Param::Named(self.name("the name of a parameter")?));
            }
            if self.at(&TokenKind::Assign) {
                let message = "a parameter cannot have a default value here";
                let help = "give it one in an `arguments` block, or test `nargin`";
                let error = Diagnostic::error(Code::BadSignature, self.span(), message).help(help);
                return Err(self.fail(error));
            }
            if !self.at(&TokenKind::RParen) {
                self.expect(&TokenKind::Comma, "`,` or `)`")?;
            }
        }
        self.bump();
        Ok(params)
    }

    /// Reports `=` where only a value can stand.
    pub(super) fn assignment_as_value(&mut self) -> Failed {
        let message = "an assignment has no value in MATLAB";
        let help = "to compare, write `==`; to assign, use a statement of its own";
        let error = Diagnostic::error(Code::AssignmentInExpression, self.span(), message);
        self.fail(error.help(help))
    }

    fn missing_value(&mut self, what: &str) -> Failed {
        let span = if self.span().start == self.span().end {
            self.previous_span()
        } else {
            self.span()
        };
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
                let help =
                    "write `first:last`; `:` alone means all elements in an index, `x(:, 1)`";
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
