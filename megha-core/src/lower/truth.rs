//! Conditions.

use super::facts::Facts;
use super::{Lower, Lowered, control};
use crate::ir::{Binary, Class, Op, ReduceOp, Terminator, Type, Unary, Value};
use crate::matlab::ast::{BinaryOp, Expr, ExprKind, ShortCircuitOp};
use crate::source::Span;

impl Lower<'_> {
    /// A condition as a `Logical` scalar: an array is true if it is not empty and all its elements are non-zero.
    pub fn condition(&mut self, expr: &Expr) -> Lowered<Value> {
        if let ExprKind::ShortCircuit { op, lhs, rhs } = &expr.kind {
            return self.short_circuit(*op, lhs, rhs);
        }
        let value = self.condition_operand(expr)?;
        self.truth(value, expr.span)
    }

    /// A condition, or an operand of `|` or `&` in one. There these two are short-circuit if the left operand is a single value:
    /// in `if k > n | x(k) == 0` the subscript need not be inside.
    fn condition_operand(&mut self, expr: &Expr) -> Lowered<Value> {
        let ExprKind::Binary { op: op @ (BinaryOp::And | BinaryOp::Or), lhs, rhs } = &expr.kind else {
            return self.expr_value(expr);
        };
        let a = self.condition_operand(lhs);
        if !a.as_ref().is_ok_and(|a| self.is_scalar(*a)) {
            let b = self.condition_operand(rhs);
            return self.binary_op(*op, a?, b?, expr.span);
        }
        let a = self.truth(a?, lhs.span)?;
        let short = if *op == BinaryOp::And { ShortCircuitOp::And } else { ShortCircuitOp::Or };
        self.unless_decided(short, a, &mut |this| {
            let b = this.condition_operand(rhs)?;
            this.truth(b, rhs.span)
        })
    }

    /// The truth of numbers, element-wise: NaN is an error.
    pub fn tested_logical(&mut self, value: Value, span: Span) -> Lowered<Value> {
        let parts = match self.is_complex(value) {
            true => <[Value; 2]>::from(self.parts(value)).to_vec(),
            false => vec![value],
        };
        for part in parts {
            let known = self.constant_of(part).is_some_and(|c| !c.is_nan()) || self.whole_of(part).is_some();
            if self.class(part).is_float() && !known {
                let nan = self.unary(Unary::IsNan, part, span)?;
                let fine = self.not(nan);
                self.assert_all(fine, "NaN is neither true nor false (isnan finds it)", span);
            }
        }
        Ok(self.logical(value))
    }

    /// The truth of a value as a condition.
    pub fn truth(&mut self, value: Value, span: Span) -> Lowered<Value> {
        let logical = self.tested_logical(value, span)?;
        Ok(self.all_of_some(logical))
    }

    /// What `assert` asks: that there are elements and all are true, as NaN is for `all`.
    pub fn asserted(&mut self, expr: &Expr) -> Lowered<Value> {
        let value = self.expr_value(expr)?;
        let logical = self.logical(value);
        Ok(self.all_of_some(logical))
    }

    /// Whether there are truth values, and all are true.
    fn all_of_some(&mut self, logical: Value) -> Value {
        let ty = self.builder.func.ty(logical).clone();
        if ty.is_scalar() {
            return logical;
        }
        let axes = (0..ty.dims.len()).collect();
        let scalar = Type::scalar(Class::Logical);
        let all = self.emit(Op::Reduce(ReduceOp::All, logical, axes), scalar.clone(), Facts::default());
        let numel = ty.numel();
        if self.never_negative(&numel.add_const(-1)) {
            return all;
        }
        let count = self.index_value(&numel);
        let zero = self.builder.int(0);
        let some = self.emit(Op::Binary(Binary::Gt, count, zero), scalar.clone(), Facts::default());
        self.emit(Op::Binary(Binary::And, all, some), scalar, Facts::default())
    }

    /// `a && b`, `a || b`: the right operand is evaluated only if the left one does not decide.
    pub fn short_circuit(&mut self, op: ShortCircuitOp, lhs: &Expr, rhs: &Expr) -> Lowered<Value> {
        let a = self.condition(lhs)?;
        self.unless_decided(op, a, &mut |this| this.condition(rhs))
    }

    /// `a && b`, `a || b` for a condition `a` and what makes the condition `b`.
    fn unless_decided(
        &mut self,
        op: ShortCircuitOp,
        a: Value,
        rhs: &mut dyn FnMut(&mut Self) -> Lowered<Value>,
    ) -> Lowered<Value> {
        let decides = op == ShortCircuitOp::Or;
        if let Some(known) = self.constant_of(a) {
            if (known != 0.0) == decides {
                return Ok(self.truth_constant(decides));
            }
            return rhs(self);
        }
        let scalar = Type::scalar(Class::Logical);
        let start = self.checkpoint();
        let mark = self.open_region(Vec::new());
        self.frames.iter_mut().rev().take(1).for_each(|f| f.conditions += 1);
        let b = rhs(self);
        self.frames.iter_mut().rev().take(1).for_each(|f| f.conditions -= 1);
        let ending = self.ending.take();
        if b.is_err() && ending.as_ref().is_some_and(|e| e.raised == Some(self.builder.depth())) {
            // What the right operand does before its error stands.
            self.unreachable = false;
            self.leave_calls(start);
            let fails = self.close_region(mark.0, Terminator::Unreachable);
            let evaluates = if decides { self.not(a) } else { a };
            self.push_if(evaluates, fails, control::empty_region(), ending.map(|e| e.at).unwrap_or_default());
            return Ok(a);
        }
        if b.is_err() && self.abandon(start).is_some() {
            // Where the left operand decides, the right one need not return.
            let evaluates = if decides { self.not(a) } else { a };
            self.fails_where(evaluates, ending);
            return Ok(a);
        }
        let evaluated = self.close_region(mark.0, Terminator::Yield(b.into_iter().collect()));
        let b = b?;
        let cheap = evaluated.stmts.iter().all(|s| !s.op.has_effect() && s.op.regions().is_empty())
            && evaluated.stmts.len() < 12;
        if cheap {
            for stmt in evaluated.stmts {
                self.builder.push_stmt(stmt);
            }
            let op = if decides { Binary::Or } else { Binary::And };
            return Ok(self.emit(Op::Binary(op, a, b), scalar, Facts::default()));
        }
        let mark = self.open_region(Vec::new());
        let known = self.truth_constant(decides);
        let decided = self.close_region(mark.0, Terminator::Yield(vec![known]));
        let (then, els) = if decides { (decided, evaluated) } else { (evaluated, decided) };
        Ok(self.emit(Op::If { cond: a, then: Box::new(then), els: Box::new(els) }, scalar, Facts::default()))
    }

    /// The opposite of a `Logical` value.
    pub fn not(&mut self, value: Value) -> Value {
        if let Some(c) = self.constant_of(value) {
            return self.truth_constant(c == 0.0);
        }
        let ty = self.builder.func.ty(value).with_class(Class::Logical);
        self.emit(Op::Unary(Unary::Not, value), ty, Facts { nonnegative: true, integral: true, ..Facts::default() })
    }
}
