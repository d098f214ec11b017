//! Expressions as text, with the parentheses that precedence asks for.

use std::fmt::Write;

use super::params;
use crate::matlab::ast::{BinaryOp, Expr, ExprKind, Quote, ShortCircuitOp};

/// How tightly an expression holds together, loosest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Tightness {
    AnonymousFunction,
    OrOr,
    AndAnd,
    Or,
    And,
    Compare,
    Range,
    Add,
    Mul,
    Prefix,
    Power,
    Value,
}

/// An expression as MATLAB text.
pub fn print_expression(expr: &Expr) -> String {
    expression(expr)
}

/// Which parentheses are printed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Parentheses {
    Needed,
    /// Around every operation.
    #[cfg(test)]
    All,
}

/// The expression with parentheses around every operation, to show how it was grouped.
#[cfg(test)]
pub(in crate::matlab) fn grouped(expr: &Expr) -> String {
    let mut out = String::new();
    Writer { out: &mut out, parentheses: Parentheses::All }.expr(expr);
    out
}

pub(super) fn expression(expr: &Expr) -> String {
    let mut out = String::new();
    Writer { out: &mut out, parentheses: Parentheses::Needed }.expr(expr);
    out
}

/// Expressions separated by commas.
pub(super) fn arguments(args: &[Expr]) -> String {
    let mut out = String::new();
    Writer { out: &mut out, parentheses: Parentheses::Needed }.list(args);
    out
}

struct Writer<'a> {
    out: &'a mut String,
    parentheses: Parentheses,
}

impl Writer<'_> {
    /// `expr` as an operand that must hold together at least as tightly as `least`.
    fn operand(&mut self, expr: &Expr, least: Tightness) {
        // A quote behind a string would become part of it: `2 ^ ('a')'`.
        let swallows = least == Tightness::Value && matches!(expr.kind, ExprKind::Str { .. });
        let enclose = match self.parentheses {
            Parentheses::Needed => swallows || tightness(&expr.kind) < least,
            #[cfg(test)]
            Parentheses::All => tightness(&expr.kind) < Tightness::Value,
        };
        if enclose {
            self.out.push('(');
        }
        self.expr(expr);
        if enclose {
            self.out.push(')');
        }
    }

    /// What is indexed, called or transposed: numbers, strings and handles would swallow what follows them.
    fn base(&mut self, expr: &Expr, least: Tightness) {
        use ExprKind::{FuncHandle, Integer, Number, Str, Wide};
        if matches!(expr.kind, Number { .. } | Wide(_) | Integer { .. } | Str { .. } | FuncHandle(_)) {
            self.out.push('(');
            self.expr(expr);
            self.out.push(')');
        } else {
            self.operand(expr, least);
        }
    }

    fn list(&mut self, items: &[Expr]) {
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.out.push_str(", ");
            }
            self.expr(item);
        }
    }

    fn rows(&mut self, rows: &[Vec<Expr>]) {
        for (index, row) in rows.iter().enumerate() {
            if index > 0 {
                self.out.push_str("; ");
            }
            self.list(row);
        }
    }

    fn infix(&mut self, lhs: &Expr, symbol: &str, rhs: &Expr, level: Tightness, next: Tightness) {
        self.operand(lhs, level);
        self.out.push(' ');
        self.out.push_str(symbol);
        self.out.push(' ');
        self.operand(rhs, next);
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Number { value, imaginary } => {
                self.number(*value);
                self.out.push_str(if *imaginary { "i" } else { "" });
            }
            ExprKind::Wide(value) => self.out.push_str(&value.to_string()),
            ExprKind::Integer { value, bits, signed } => {
                let class = if *signed { 's' } else { 'u' };
                // Writing to a String cannot fail.
                let _ = write!(self.out, "0x{value:X}{class}{bits}");
            }
            ExprKind::Str { text, quote: Quote::Single } => self.out.push_str(&quoted(text)),
            ExprKind::Str { text, quote: Quote::Double } => self.out.push_str(&escaped(text)),
            ExprKind::Ident(name) => self.out.push_str(name),
            ExprKind::Colon => self.out.push(':'),
            ExprKind::End => self.out.push_str("end"),
            ExprKind::Unary { op, operand } => {
                self.out.push_str(op.symbol());
                self.operand(operand, Tightness::Power);
            }
            ExprKind::Binary { op, lhs, rhs } => {
                let (level, next) = binary_levels(*op);
                self.infix(lhs, op.symbol(), rhs, level, next);
            }
            ExprKind::ShortCircuit { op, lhs, rhs } => {
                let (level, next) = match op {
                    ShortCircuitOp::Or => (Tightness::OrOr, Tightness::AndAnd),
                    ShortCircuitOp::And => (Tightness::AndAnd, Tightness::Or),
                };
                self.infix(lhs, op.symbol(), rhs, level, next);
            }
            ExprKind::Transpose { operand, conjugate } => {
                self.base(operand, Tightness::Power);
                self.out.push_str(if *conjugate { "'" } else { ".'" });
            }
            ExprKind::Range { start, step, stop } => {
                for part in [Some(start), step.as_ref()].into_iter().flatten() {
                    self.operand(part, Tightness::Add);
                    self.out.push(':');
                }
                self.operand(stop, Tightness::Add);
            }
            _ => self.composite(&expr.kind),
        }
    }

    /// What has brackets, dots or `@`.
    fn composite(&mut self, kind: &ExprKind) {
        match kind {
            ExprKind::Matrix { rows } => self.enclosed('[', ']', |w| w.rows(rows)),
            ExprKind::Cell { rows } => self.enclosed('{', '}', |w| w.rows(rows)),
            ExprKind::Apply { callee, args } => {
                self.base(callee, Tightness::Value);
                self.enclosed('(', ')', |w| w.list(args));
            }
            ExprKind::BraceIndex { callee, args } => {
                self.base(callee, Tightness::Value);
                self.enclosed('{', '}', |w| w.list(args));
            }
            ExprKind::Field { object, name } => {
                self.base(object, Tightness::Value);
                self.out.push('.');
                self.out.push_str(&name.text);
            }
            ExprKind::DynamicField { object, field } => {
                self.base(object, Tightness::Value);
                self.out.push('.');
                self.enclosed('(', ')', |w| w.expr(field));
            }
            ExprKind::AnonFn { params: names, body } => {
                self.out.push_str("@(");
                self.out.push_str(&params(names));
                self.out.push_str(") ");
                self.expr(body);
            }
            ExprKind::FuncHandle(name) => {
                self.out.push('@');
                self.out.push_str(&name.text);
            }
            _ => {}
        }
    }

    fn enclosed(&mut self, open: char, close: char, inner: impl FnOnce(&mut Self)) {
        self.out.push(open);
        inner(self);
        self.out.push(close);
    }

    /// The shortest digits that give the value back.
    fn number(&mut self, value: f64) {
        if value.is_infinite() {
            return self.out.push_str("1e999");
        }
        let digits = format!("{value:?}");
        self.out.push_str(digits.strip_suffix(".0").unwrap_or(&digits));
    }
}

fn tightness(kind: &ExprKind) -> Tightness {
    match kind {
        ExprKind::AnonFn { .. } => Tightness::AnonymousFunction,
        ExprKind::ShortCircuit { op: ShortCircuitOp::Or, .. } => Tightness::OrOr,
        ExprKind::ShortCircuit { op: ShortCircuitOp::And, .. } => Tightness::AndAnd,
        ExprKind::Binary { op, .. } => binary_levels(*op).0,
        ExprKind::Range { .. } => Tightness::Range,
        ExprKind::Unary { .. } => Tightness::Prefix,
        ExprKind::Transpose { .. } => Tightness::Power,
        _ => Tightness::Value,
    }
}

/// The level of an operator, and the one its right operand needs.
fn binary_levels(op: BinaryOp) -> (Tightness, Tightness) {
    use BinaryOp::*;
    match op {
        Or => (Tightness::Or, Tightness::And),
        And => (Tightness::And, Tightness::Compare),
        Eq | Ne | Lt | Le | Gt | Ge => (Tightness::Compare, Tightness::Range),
        Add | Sub => (Tightness::Add, Tightness::Mul),
        MatMul | Mul | MatRightDiv | RightDiv | MatLeftDiv | LeftDiv => (Tightness::Mul, Tightness::Prefix),
        MatPow | Pow => (Tightness::Power, Tightness::Value),
    }
}

/// `text` in `'…'`.
pub(super) fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// `text` in `"…"`.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '"' => out.push_str("\\\""),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if c.is_ascii_control() => out.push_str(&format!("\\{:03o}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
