//! Variables that get their class in a loop: `total = 0` before a loop that adds numbers of class `single` or `int32`.
//!
//! The first addition makes a number of that class of the variable. Where it is zero or one before and the body mentions it in
//! that one statement only, which every iteration executes (no `break` or `continue` leaves it before), it may as well be
//! converted before the loop. That there is an iteration is tested: a total that stays a double would be divided as one.

use super::control::{Carried, Form, FrameKind};
use super::env::Binding;
use super::facts::Facts;
use super::hoist::jumps;
use super::loops::Loop;
use super::{Lower, Operand};
use crate::ir::{Binary, Class, Op, Size, Type};
use crate::matlab::ast::{BinaryOp, Expr, ExprKind, Stmt, StmtKind};
use crate::matlab::mentions;

impl Lower<'_> {
    /// Whether the variable of this binding before a loop may be converted to a class that the loop's body gives it.
    pub fn may_become(&self, lp: &Loop<'_>, name: &str, binding: Option<&Binding>, class: Class) -> bool {
        let Some(Binding::Is(Operand::Value(old))) = binding else { return false };
        let start = self.constant_of(*old);
        (class.is_integer() || class == Class::Single)
            && self.class(*old) == Class::Double
            && lp.kind == FrameKind::Loop
            && lp.trip().is_some()
            && !jumps(lp.body)
            && start.is_some_and(|c| c == 0.0 || c == 1.0)
            && accumulations(lp.body, name) == Some(1)
    }

    /// Converts the variable before the loop, which carries it as it is from then on.
    pub fn become_before(&mut self, lp: &mut Loop<'_>, name: &str, class: Class) {
        let (Some(Binding::Is(Operand::Value(old))), Some(trip)) = (self.env.get(name).cloned(), lp.trip().cloned())
        else {
            return;
        };
        if !self.never_negative(&trip.add_const(-1)) {
            let (trip, none) = (self.index_value(&trip), self.index_value(&Size::constant(0)));
            let fine = self.emit(Op::Binary(Binary::Gt, trip, none), Type::scalar(Class::Logical), Facts::default());
            let message = format!("`{name}` becomes {} in this loop, which has no iteration", class.matlab_name());
            self.assert_all(fine, message.as_str(), lp.span);
        }
        let converted = self.convert(old, class);
        self.give_name(converted, name);
        self.env.set_value(name, converted, lp.span);
        let shape = self.shape_of(name, self.builder.func.ty(converted), |_| true);
        lp.carried.retain(|c| c.name != name);
        lp.carried.push(Carried { name: name.to_owned(), form: Form::Value(shape) });
    }
}

/// How many statements `x = x + e` there are; `None` if the variable is mentioned otherwise, or changed where a condition
/// decides or in a loop inside, which may have no iteration.
fn accumulations(body: &[Stmt], name: &str) -> Option<usize> {
    body.iter().try_fold(0, |count, stmt| match &stmt.kind {
        StmtKind::Assign { target, op, value } if target.name.text == name => {
            (target.accesses.is_empty() && accumulates(*op, value, name)).then_some(count + 1)
        }
        StmtKind::Continue | StmtKind::Break => None,
        _ => {
            let mut assigned = Default::default();
            super::live::assigned(std::slice::from_ref(stmt), &mut assigned);
            let mentioned = mentions::of_block(std::slice::from_ref(stmt)).contains(name) || assigned.contains(name);
            (!mentioned).then_some(count)
        }
    })
}

/// Whether `x = value`, or `x op= value`, adds to the variable or multiplies it.
fn accumulates(op: Option<BinaryOp>, value: &Expr, name: &str) -> bool {
    let combines = |op: BinaryOp| matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::MatMul);
    let itself = |e: &Expr| matches!(&e.kind, ExprKind::Ident(n) if n == name);
    match (op, &value.kind) {
        (Some(op), _) => combines(op) && !reads(value, name),
        (None, ExprKind::Binary { op, lhs, rhs }) => {
            combines(*op) && (itself(lhs) && !reads(rhs, name) || itself(rhs) && !reads(lhs, name))
        }
        (None, _) => false,
    }
}

/// Whether an expression mentions the variable.
fn reads(expr: &Expr, name: &str) -> bool {
    let mut found = matches!(&expr.kind, ExprKind::Ident(n) if n == name);
    if let ExprKind::Apply { callee, args } = &expr.kind {
        return reads(callee, name) || args.iter().any(|arg| reads(arg, name));
    }
    if let ExprKind::AnonFn { body, .. } = &expr.kind {
        return reads(body, name);
    }
    super::live::each_child(expr, &mut |e| found |= reads(e, name));
    found
}
