//! Expressions: precedence climbing for binary operators, one loop for what follows a value.
//!
//! MATLAB's levels, loosest first: `||`, `&&`, `|`, `&`, comparisons, `:`, `+ -`, `* /` and their kin,
//! prefix `+ - ~`, then `^` and `'` on one level. All binary operators group to the left. The right
//! operand of `^` may carry prefix operators: `2^-1`.

use super::{Failed, MAX_DEPTH, MAX_HEIGHT, Parsed, Parser};
use crate::diag::{Code, Diagnostic};
use crate::matlab::ast::{BinaryOp, Expr, ExprKind, ShortCircuitOp, UnaryOp};
use crate::matlab::token::TokenKind;
use crate::source::Span;

/// An expression and the height of its tree.
pub(super) struct Tall {
    pub expr: Expr,
    pub height: u32,
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

    pub(super) fn tall(&mut self) -> Parsed<Tall> {
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

    pub(super) fn build(&mut self, kind: ExprKind, span: Span, below: u32) -> Parsed<Tall> {
        let height = below + 1;
        if height > MAX_HEIGHT {
            return Err(self.too_deep(span));
        }
        Ok(Tall { expr: Expr { kind, span }, height })
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
                let range = ExprKind::Range { start: lhs, step: Some(rhs), stop: Box::new(stop.expr) };
                return self.build(range, span, below.max(stop.height));
            }
            Infix::Range => ExprKind::Range { start: lhs, step: None, stop: rhs },
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
                MatMul | Mul | MatRightDiv | RightDiv | MatLeftDiv | LeftDiv => (Infix::Binary(op), Level::Mul),
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
        if let Some(signs) = self.doubled_sign() {
            let text = self.file.slice(signs);
            let message = format!("`{text}` before a variable changes it in Octave, and does not in MATLAB");
            let error = Diagnostic::error(Code::AssignmentInExpression, signs, message);
            return Err(self.fail(error.help("change the variable in a statement of its own, or leave out the signs")));
        }
        self.bump();
        let Tall { expr, height } = self.nested(operand)?;
        let span = start.to(expr.span);
        self.build(ExprKind::Unary { op, operand: Box::new(expr) }, span, height)
    }

    /// `++` or `--` right before a name.
    pub(super) fn doubled_sign(&self) -> Option<Span> {
        let [a, b, name] = self.tokens.get(self.pos..self.pos + 3)? else { return None };
        let signs = a.span(self.file.id()).to(b.span(self.file.id()));
        let step =
            name.kind == TokenKind::Ident && name.start == b.end && matches!(self.file.slice(signs), "++" | "--");
        step.then_some(signs)
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
                    (ExprKind::Apply { callee: Box::new(base.expr), args }, below.max(height))
                }
                TokenKind::LBrace => {
                    let (args, height) = self.indices(&TokenKind::RBrace)?;
                    (ExprKind::BraceIndex { callee: Box::new(base.expr), args }, below.max(height))
                }
                TokenKind::Dot => self.field(base)?,
                TokenKind::CTranspose | TokenKind::Transpose if powers => {
                    let conjugate = self.at(&TokenKind::CTranspose);
                    self.bump();
                    (ExprKind::Transpose { operand: Box::new(base.expr), conjugate }, below)
                }
                TokenKind::Binary(op @ (BinaryOp::MatPow | BinaryOp::Pow)) if powers => {
                    self.bump();
                    let rhs = self.exponent()?;
                    let (lhs, exponent) = (Box::new(base.expr), Box::new(rhs.expr));
                    (ExprKind::Binary { op, lhs, rhs: exponent }, below.max(rhs.height))
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
            return Ok((ExprKind::DynamicField { object, field: Box::new(field.expr) }, below));
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
        let closer = if *close == TokenKind::RParen { "`,` or `)`" } else { "`,` or `}`" };
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
}
