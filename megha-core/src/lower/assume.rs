//! What conditions say of sizes where they hold: behind `k <= numel(x)` the store `x(k) = ..` is inside.

use super::env::Binding;
use super::{Lower, Operand};
use crate::ir::{Class, Size};
use crate::matlab::ast::{BinaryOp, Expr, ExprKind, ShortCircuitOp, UnaryOp};

impl Lower<'_> {
    /// Remembers that a condition is true, or false, where the current statement stands.
    pub fn assume(&mut self, cond: &Expr, holds: bool) {
        match &cond.kind {
            ExprKind::Unary { op: UnaryOp::Not, operand } => self.assume(operand, !holds),
            ExprKind::ShortCircuit { op, lhs, rhs } if (*op == ShortCircuitOp::And) == holds => {
                self.assume(lhs, holds);
                self.assume(rhs, holds);
            }
            ExprKind::Binary { op, lhs, rhs } => match (op, holds) {
                (BinaryOp::And, true) | (BinaryOp::Or, false) => {
                    self.assume(lhs, holds);
                    self.assume(rhs, holds);
                }
                (BinaryOp::Le, true) | (BinaryOp::Gt, false) => self.assume_order(lhs, rhs, 0),
                (BinaryOp::Lt, true) | (BinaryOp::Ge, false) => self.assume_order(lhs, rhs, 1),
                (BinaryOp::Ge, true) | (BinaryOp::Lt, false) => self.assume_order(rhs, lhs, 0),
                (BinaryOp::Gt, true) | (BinaryOp::Le, false) => self.assume_order(rhs, lhs, 1),
                (BinaryOp::Eq, true) | (BinaryOp::Ne, false) => {
                    self.assume_order(lhs, rhs, 0);
                    self.assume_order(rhs, lhs, 0);
                }
                _ => {}
            },
            ExprKind::Apply { callee, args } if holds => self.assume_orientation(callee, args),
            _ => {}
        }
    }

    /// Remembers that `isrow(x)` or `iscolumn(x)` holds.
    fn assume_orientation(&mut self, callee: &Expr, args: &[Expr]) {
        let (ExprKind::Ident(name), [Expr { kind: ExprKind::Ident(array), .. }]) = (&callee.kind, args) else { return };
        let axis = match name.as_str() {
            "isrow" => 0,
            "iscolumn" => 1,
            _ => return,
        };
        let Some(Binding::Is(Operand::Value(v))) = self.env.get(array) else { return };
        if !self.env.contains(name) && self.own_function(name, callee.span).is_none() {
            self.passed(Size::constant(1).sub(&self.builder.func.ty(*v).dim(axis)));
        }
    }

    /// Remembers that one number is at least another one and a gap.
    fn assume_order(&mut self, small: &Expr, large: &Expr, gap: i64) {
        if let (Some(small), Some(large)) = (self.whole_of_expr(small), self.whole_of_expr(large)) {
            self.passed(large.sub(&small).add_const(-gap));
        }
    }

    /// The whole number that an expression is, where that can be seen without lowering it.
    fn whole_of_expr(&self, expr: &Expr) -> Option<Size> {
        match &expr.kind {
            ExprKind::Number { value, imaginary: false } if value.fract() == 0.0 && value.abs() < 1e9 => {
                Some(Size::constant(*value as i64))
            }
            ExprKind::Ident(name) => match self.env.get(name) {
                Some(Binding::Is(Operand::Value(v))) if self.class(*v) == Class::Double => self.whole_of(*v),
                _ => None,
            },
            ExprKind::Binary { op: BinaryOp::Add, lhs, rhs } => {
                Some(self.whole_of_expr(lhs)?.add(&self.whole_of_expr(rhs)?))
            }
            ExprKind::Binary { op: BinaryOp::Sub, lhs, rhs } => {
                Some(self.whole_of_expr(lhs)?.sub(&self.whole_of_expr(rhs)?))
            }
            ExprKind::Apply { callee, args } => {
                self.measure_of_expr(callee, args).or_else(|| self.element_of_expr(callee, args))
            }
            _ => None,
        }
    }

    /// `s(1)` of `s = size(x)`
    fn element_of_expr(&self, callee: &Expr, args: &[Expr]) -> Option<Size> {
        let (ExprKind::Ident(name), [subscript]) = (&callee.kind, args) else { return None };
        let Some(Binding::Is(Operand::Value(v))) = self.env.get(name) else { return None };
        let at = self.whole_of_expr(subscript)?.as_constant()?;
        let elements = self.facts(*v).elements?;
        self.whole_of(*elements.get(usize::try_from(at - 1).ok()?)?)
    }

    /// `numel(x)`, `length(x)` of a vector, `size(x, 1)`
    fn measure_of_expr(&self, callee: &Expr, args: &[Expr]) -> Option<Size> {
        let (ExprKind::Ident(name), ExprKind::Ident(array)) = (&callee.kind, &args.first()?.kind) else { return None };
        let Some(Binding::Is(Operand::Value(v))) = self.env.get(array) else { return None };
        let ty = self.builder.func.ty(*v);
        if self.env.contains(name) || self.own_function(name, callee.span).is_some() {
            return None;
        }
        match (name.as_str(), &args[1..]) {
            ("numel", []) => Some(ty.numel()),
            ("length", []) if ty.is_vector() => Some(ty.numel()),
            ("size", [axis]) => match self.whole_of_expr(axis)?.as_constant()? {
                axis @ 1..=8 => Some(ty.dim(axis as usize - 1)),
                _ => None,
            },
            _ => None,
        }
    }
}
