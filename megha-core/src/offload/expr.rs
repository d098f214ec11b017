//! Expressions of the loop AST as IR.

use super::ast::{BinaryOp, Expr, ExprKind, Ident, Scalar};
use super::lower::{Lower, class, loc};
use super::types::Method;
use crate::ir::{Binary, Class, Const, Op, Region, Size, Sub, Terminator, Type, Unary, Value};

impl Lower<'_> {
    pub(super) fn expr(&mut self, expr: &Expr) -> Value {
        let outer = self.builder.set_loc(loc(expr.span));
        let value = self.expr_kind(expr);
        self.builder.set_loc(outer);
        value
    }

    fn expr_kind(&mut self, expr: &Expr) -> Value {
        let scalar = self.types.scalar(expr.span);
        match &expr.kind {
            ExprKind::Float(x, _) => self.float(*x, scalar),
            ExprKind::Int(x, _) => self.whole(Size::constant(*x)),
            ExprKind::Bool(x) => self.scalar(Op::Const(Const::Bool(*x)), Class::Logical),
            ExprKind::Variable(_) => self.env[&self.types.variable(expr.span)],
            ExprKind::Element { array, subs } => {
                let subs: Vec<Value> = subs.iter().map(|s| self.expr(s)).collect();
                self.load(array, &subs)
            }
            ExprKind::Extent { array, axis } => {
                let ty = self.builder.func.ty(self.env[&self.types.variable(array.span)]);
                let size = axis.map_or_else(|| ty.numel(), |axis| ty.dim(axis));
                self.whole(size)
            }
            ExprKind::Neg(operand) => {
                let operand = self.expr(operand);
                match self.known_size(operand) {
                    Some(size) => {
                        let negative = size.scale(-1);
                        self.whole(negative)
                    }
                    None => self.unary(Unary::Neg, operand),
                }
            }
            ExprKind::Not(operand) => {
                let operand = self.expr(operand);
                self.unary(Unary::Not, operand)
            }
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => self.logical(*op, a, b),
            ExprKind::Binary(op, a, b) => {
                let of = self.types.scalar(a.span);
                let (a, b) = (self.expr(a), self.expr(b));
                self.binary(*op, a, b, of)
            }
            ExprKind::Method { receiver, method, args } => self.method(receiver, method, args),
            ExprKind::Cast(operand, to) => {
                let from = self.types.scalar(operand.span);
                let operand = self.expr(operand);
                self.cast(operand, from, *to)
            }
            ExprKind::If(cond, then, els) => {
                let cond = self.expr(cond);
                self.selection(cond, then, els, scalar)
            }
        }
    }

    pub(super) fn scalar(&mut self, op: Op, class: Class) -> Value {
        self.builder.push(op, Type::scalar(class))
    }

    pub(super) fn float(&mut self, x: f64, scalar: Scalar) -> Value {
        let x = if scalar == Scalar::F32 { f64::from(x as f32) } else { x };
        self.scalar(Op::Const(Const::Float(x)), class(scalar))
    }

    pub(super) fn class_of(&self, value: Value) -> Class {
        self.builder.func.ty(value).class
    }

    pub(super) fn unary(&mut self, op: Unary, operand: Value) -> Value {
        let class = op.class(self.class_of(operand));
        self.scalar(Op::Unary(op, operand), class)
    }

    /// An operator between two numbers of type `of`, or two `bool`s.
    pub(super) fn binary(&mut self, op: BinaryOp, a: Value, b: Value, of: Scalar) -> Value {
        if matches!(of, Scalar::Usize | Scalar::I64) {
            return self.whole_binary(op, a, b, of);
        }
        let class = op.ir().class(self.class_of(a));
        self.scalar(Op::Binary(op.ir(), a, b), class)
    }

    /// `&&` and `||`; the right side is evaluated only where it decides if it reads an array, whose bounds the left side
    /// may guard.
    fn logical(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> Value {
        let left = self.expr(a);
        if !reads_array(b) {
            let right = self.expr(b);
            return self.binary(op, left, right, Scalar::Bool);
        }
        let right = self.region(|lower| lower.expr(b));
        let known = self.region(|lower| lower.scalar(Op::Const(Const::Bool(op == BinaryOp::Or)), Class::Logical));
        let (then, els) = if op == BinaryOp::And { (right, known) } else { (known, right) };
        self.scalar(Op::If { cond: left, then: Box::new(then), els: Box::new(els) }, Class::Logical)
    }

    fn region(&mut self, value: impl FnOnce(&mut Self) -> Value) -> Region {
        self.builder.open(Vec::new());
        let value = value(self);
        self.builder.close(Terminator::Yield(vec![value]))
    }

    fn selection(&mut self, cond: Value, then: &super::ast::Block, els: &super::ast::Block, scalar: Scalar) -> Value {
        let joined = self.carried(&[then, els]);
        let mut types: Vec<Type> = joined.iter().map(|v| self.builder.func.ty(self.env[v]).clone()).collect();
        let (then, ty) = self.arm(then, &joined);
        let (els, _) = self.arm(els, &joined);
        types.push(ty.unwrap_or_else(|| Type::scalar(class(scalar))));
        let results = self.builder.push_many(Op::If { cond, then: Box::new(then), els: Box::new(els) }, types);
        for (variable, value) in joined.iter().zip(&results) {
            self.env.insert(*variable, *value);
        }
        results[joined.len()]
    }

    fn subscripts(&mut self, array: Value, subs: &[Value]) -> Vec<Value> {
        let rank = self.builder.func.ty(array).dims.len();
        let mut subs = subs.to_vec();
        while subs.len() < rank {
            subs.push(self.whole(Size::constant(0)));
        }
        subs
    }

    pub(super) fn load(&mut self, array: &Ident, subs: &[Value]) -> Value {
        let array = self.env[&self.types.variable(array.span)];
        let subs = self.subscripts(array, subs);
        self.builder.element(array, subs, true)
    }

    pub(super) fn store(&mut self, array: &Ident, subs: Vec<Value>, value: Value) {
        let variable = self.types.variable(array.span);
        let before = self.env[&variable];
        let subs = self.subscripts(before, &subs).into_iter().map(Sub::At).collect();
        let ty = self.builder.func.ty(before).clone();
        let after = self.builder.push(Op::Store { array: before, subs, value, checked: true }, ty);
        self.builder.func.names[after.index()] = Some(array.text.clone());
        self.env.insert(variable, after);
    }

    fn method(&mut self, receiver: &Expr, method: &Ident, args: &[Expr]) -> Value {
        let of = self.types.scalar(receiver.span);
        let x = self.expr(receiver);
        let Some(method) = Method::from_name(&method.text) else { return x };
        if method == Method::Powi {
            return self.power(x, &args[0], of);
        }
        let args: Vec<Value> = args.iter().map(|a| self.expr(a)).collect();
        match method {
            Method::Unary(op) | Method::Predicate(op) => self.unary(op, x),
            Method::Abs => self.unary(Unary::Abs, x),
            Method::Binary(op) => self.scalar(Op::Binary(op, x, args[0]), class(of)),
            Method::Extremum(op) if matches!(of, Scalar::Usize | Scalar::I64) => {
                self.whole_extremum(op == Binary::Max, x, args[0], of)
            }
            Method::Extremum(op) => self.scalar(Op::Binary(op, x, args[0]), class(of)),
            Method::MulAdd => self.scalar(Op::Fma(x, args[0], args[1]), class(of)),
            Method::Recip => self.reciprocal(x, of),
            Method::SaturatingSub => self.saturating_difference(x, args[0]),
            Method::Powi => x,
        }
    }

    fn reciprocal(&mut self, x: Value, of: Scalar) -> Value {
        let one = self.float(1.0, of);
        self.binary(BinaryOp::Div, one, x, of)
    }

    /// `x.powi(n)` in the order of compiler-rt's `__powidf2`, which Rust calls: squares of `x`, multiplied together from the
    /// lowest bit of the exponent.
    fn power(&mut self, x: Value, exponent: &Expr, of: Scalar) -> Value {
        let (mut bits, negative) = match &exponent.kind {
            ExprKind::Int(n, _) => (n.unsigned_abs(), *n < 0),
            ExprKind::Neg(inner) => match inner.kind {
                ExprKind::Int(n, _) => (n.unsigned_abs(), n > 0),
                _ => (0, false),
            },
            _ => (0, false),
        };
        let (mut square, mut product) = (x, None);
        while bits > 0 {
            if bits & 1 == 1 {
                product = Some(product.map_or(square, |p| self.binary(BinaryOp::Mul, p, square, of)));
            }
            bits >>= 1;
            if bits > 0 {
                square = self.binary(BinaryOp::Mul, square, square, of);
            }
        }
        let product = product.unwrap_or_else(|| self.float(1.0, of));
        if negative { self.reciprocal(product, of) } else { product }
    }
}

/// Whether an expression reads an element of an array.
fn reads_array(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Element { .. } | ExprKind::If(..) => true,
        ExprKind::Neg(a) | ExprKind::Not(a) | ExprKind::Cast(a, _) => reads_array(a),
        ExprKind::Binary(_, a, b) => reads_array(a) || reads_array(b),
        ExprKind::Method { receiver, args, .. } => reads_array(receiver) || args.iter().any(reads_array),
        _ => false,
    }
}
