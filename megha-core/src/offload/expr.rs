//! Expressions of the loop AST as IR.

use super::ast::{BinaryOp, Block, Expr, ExprKind, Ident, Neutral, Scalar, shown};
use super::lower::{Lower, class, loc, stored};
use super::types::Method;
use crate::ir::{Binary, Class, Const, Op, Size, Sub, Terminator, Type, Unary, Value};

/// Literals of a larger magnitude are no sizes.
const LARGE: u128 = 1 << 40;

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
            ExprKind::Float(_, x, _) if scalar == Scalar::F32 => self.float(f64::from(*x), scalar),
            ExprKind::Float(x, ..) => self.float(*x, scalar),
            ExprKind::Int(x, _) if scalar.is_float() => self.float(*x as f64, scalar),
            ExprKind::Int(x, _) => self.literal(*x, scalar),
            ExprKind::Bool(x) => self.scalar(Op::Const(Const::Bool(*x)), Class::Logical),
            ExprKind::Variable(_) => self.env[&self.types.variable(expr.span)],
            ExprKind::Element { array, subs } => {
                let subs: Vec<Value> = subs.iter().map(|s| self.expr(s)).collect();
                self.load(array, &subs)
            }
            ExprKind::Extent { array, axis } => self.extent_of(array, *axis),
            ExprKind::Neg(operand) => self.negation(operand, scalar),
            ExprKind::Not(operand) => {
                let operand = self.expr(operand);
                if scalar == Scalar::Bool { self.unary(Unary::Not, operand) } else { self.complement(operand, scalar) }
            }
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => self.logical(*op, a, b),
            ExprKind::Binary(op, a, b) => {
                let of = (self.types.scalar(a.span), self.types.scalar(b.span));
                let operands = (self.expr(a), self.expr(b));
                self.binary(*op, operands, of)
            }
            ExprKind::Method { receiver, method, args } => self.method(receiver, method, args),
            ExprKind::Cast(operand, to) => {
                let from = self.types.scalar(operand.span);
                let operand = self.expr(operand);
                self.cast(operand, from, *to)
            }
            ExprKind::Complex(re, im) => {
                let (re, im) = (self.expr(re), self.expr(im));
                self.complex(re, im)
            }
            ExprKind::Part(part, z) => {
                let z = self.expr(z);
                self.part(*part, z)
            }
            ExprKind::If(cond, then, els) => {
                let cond = self.expr(cond);
                self.selection(cond, then, els, scalar)
            }
            ExprKind::Block(block) => {
                let (value, left) = self.block(block);
                if let Some(left) = left {
                    self.leave(left);
                }
                value.unwrap_or_else(|| self.zero(scalar))
            }
            ExprKind::Never => self.zero(scalar),
            ExprKind::Neutral(which) => self.neutral(*which, scalar),
            ExprKind::Typed(inner, _) => self.expr(inner),
        }
    }

    fn neutral(&mut self, which: Neutral, scalar: Scalar) -> Value {
        match (which, scalar.is_float()) {
            (Neutral::Zero, _) | (Neutral::Sum, false) => self.zero(scalar),
            (Neutral::Sum, true) => self.float(-0.0, scalar),
            (Neutral::One, _) if scalar == Scalar::C64 => {
                let (re, im) = (self.float(1.0, Scalar::F64), self.float(0.0, Scalar::F64));
                self.complex(re, im)
            }
            (Neutral::One, true) => self.float(1.0, scalar),
            (Neutral::One, false) => self.whole(Size::constant(1)),
        }
    }

    /// Leaves from within an expression, which goes on nowhere.
    fn leave(&mut self, left: Terminator) {
        let cond = self.scalar(Op::Const(Const::Bool(true)), Class::Logical);
        self.builder.open(Vec::new());
        let els = Box::new(self.builder.close(Terminator::Yield(Vec::new())));
        self.builder.open(Vec::new());
        // What cannot be reached stays within an arm of its own.
        let then = match left {
            Terminator::Unreachable => Terminator::Yield(Vec::new()),
            left => left,
        };
        let then = Box::new(self.builder.close(then));
        self.builder.effect(Op::If { cond, then, els });
    }

    /// A literal with the bits of its type.
    fn literal(&mut self, x: i128, of: Scalar) -> Value {
        match of.bits() {
            Some((64, _)) | None if x.unsigned_abs() > LARGE => self.int(x as i64),
            Some((64, _)) | None => self.whole(Size::constant(x as i64)),
            Some((bits, signed)) => {
                let low = x & ((1 << bits) - 1);
                let wraps = signed && low >> (bits - 1) == 1;
                self.whole(Size::constant((if wraps { low - (1 << bits) } else { low }) as i64))
            }
        }
    }

    fn extent_of(&mut self, array: &Ident, axis: Option<usize>) -> Value {
        let number = self.types.variable(array.span);
        let ty = self.builder.func.ty(self.env[&number]);
        let size = match (self.dims.get(&number), axis) {
            (Some(dims), Some(axis)) => dims[axis].clone(),
            (Some(dims), None) => dims.iter().fold(Size::constant(1), |product, dim| product.mul(dim)),
            (None, Some(axis)) => ty.dim(axis),
            (None, None) => ty.numel(),
        };
        self.whole(size)
    }

    fn negation(&mut self, operand: &Expr, of: Scalar) -> Value {
        if let (ExprKind::Int(x, _), true) = (&operand.kind, of.is_whole()) {
            return self.literal(-x, of);
        }
        let value = self.expr(operand);
        if of.is_whole() {
            let zero = self.whole(Size::constant(0));
            return self.whole_binary(BinaryOp::Sub, zero, value, of);
        }
        if of == Scalar::C64 { self.complex_negation(value) } else { self.unary(Unary::Neg, value) }
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

    /// An operator between two numbers or `bool`s of these types.
    pub(super) fn binary(&mut self, op: BinaryOp, (a, b): (Value, Value), (of, by): (Scalar, Scalar)) -> Value {
        if of.is_whole() {
            return match op.is_shift() {
                true => self.shift(op, (a, b), (of, by)),
                false => self.whole_binary(op, a, b, of),
            };
        }
        if let Some(value) = self.complex_binary(op, a, b) {
            return value;
        }
        if op == BinaryOp::Rem {
            return self.float_rest(a, b, of);
        }
        let op = plain(op);
        let class = op.class(self.class_of(a));
        self.scalar(Op::Binary(op, a, b), class)
    }

    /// `&&` and `||`; the right side is evaluated only where it decides if it reads an array, whose bounds the left side
    /// may guard.
    fn logical(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> Value {
        let left = self.expr(a);
        if !b.any(&must_wait) {
            let right = self.expr(b);
            return self.binary(op, (left, right), (Scalar::Bool, Scalar::Bool));
        }
        let arm = |value: Expr| Block { stmts: Vec::new(), value: Some(Box::new(value)) };
        let known = Expr { kind: ExprKind::Bool(op == BinaryOp::Or), span: b.span };
        let (right, known) = (arm(b.clone()), arm(known));
        let (then, els) = if op == BinaryOp::And { (right, known) } else { (known, right) };
        self.selection(left, &then, &els, Scalar::Bool)
    }

    fn selection(&mut self, cond: Value, then: &Block, els: &Block, scalar: Scalar) -> Value {
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

    /// Subscripts as the IR has them: as many as the array's type has dimensions.
    fn subscripts(&mut self, (number, array): (usize, Value), subs: &[Value]) -> Vec<Value> {
        let rank = self.builder.func.ty(array).dims.len();
        let mut subs = subs.to_vec();
        let one = self.dims.get(&number).is_some_and(|dims| dims.iter().all(Size::is_one));
        let left_out = if one { subs.clone() } else { subs.split_off(rank.min(subs.len())) };
        for sub in left_out {
            let zero = self.whole(Size::constant(0));
            let is_zero = self.scalar(Op::Binary(Binary::Eq, sub, zero), Class::Logical);
            let name = shown(&self.types.variables()[number].name);
            let text = format!("a subscript of `{name}` is not below 1, its size there");
            self.builder.effect(Op::Assert(is_zero, crate::ir::Check::bounds(text)));
        }
        if one {
            subs.iter_mut().for_each(|sub| *sub = self.whole(Size::constant(0)));
        }
        while subs.len() < rank {
            subs.push(self.whole(Size::constant(0)));
        }
        subs.truncate(rank);
        subs
    }

    pub(super) fn load(&mut self, array: &Ident, subs: &[Value]) -> Value {
        let number = self.types.variable(array.span);
        let array = self.env[&number];
        let subs = self.subscripts((number, array), subs);
        let element = self.builder.element(array, subs, true);
        let class = class(self.types.class(number));
        if self.class_of(element) == class { element } else { self.scalar(Op::Convert(element), class) }
    }

    /// A number as an array of its type holds it.
    pub(super) fn stored_form(&mut self, value: Value, of: Scalar) -> Value {
        let class = stored(of);
        if self.class_of(value) == class { value } else { self.scalar(Op::Convert(value), class) }
    }

    pub(super) fn store(&mut self, array: &Ident, subs: &[Value], value: Value) {
        let variable = self.types.variable(array.span);
        let before = self.env[&variable];
        let subs = self.subscripts((variable, before), subs).into_iter().map(Sub::At).collect();
        let value = self.stored_form(value, self.types.class(variable));
        let ty = self.builder.func.ty(before).clone();
        let after = self.builder.push(Op::Store { array: before, subs, value, checked: true }, ty);
        self.assign(variable, after);
    }
}

/// The operation of the IR, of numbers that it has as Rust has them.
pub(super) fn plain(op: BinaryOp) -> Binary {
    match op {
        BinaryOp::Add => Binary::Add,
        BinaryOp::Sub => Binary::Sub,
        BinaryOp::Mul => Binary::Mul,
        BinaryOp::Div => Binary::Div,
        BinaryOp::Rem => Binary::Rem,
        BinaryOp::BitAnd | BinaryOp::And => Binary::And,
        BinaryOp::BitOr | BinaryOp::Or => Binary::Or,
        BinaryOp::BitXor => Binary::Xor,
        BinaryOp::Shl => Binary::Shl,
        BinaryOp::Shr => Binary::Shr,
        BinaryOp::Eq => Binary::Eq,
        BinaryOp::Ne => Binary::Ne,
        BinaryOp::Lt => Binary::Lt,
        BinaryOp::Le => Binary::Le,
        BinaryOp::Gt => Binary::Gt,
        BinaryOp::Ge => Binary::Ge,
    }
}

/// What is evaluated only where the left side of `&&` or `||` says so: it may fail, or do more than give a value.
fn must_wait(kind: &ExprKind) -> bool {
    match kind {
        ExprKind::Element { .. } | ExprKind::If(..) | ExprKind::Block(_) => true,
        ExprKind::Method { method, .. } => Method::from_name(&method.text).is_some_and(Method::may_fail),
        ExprKind::Binary(op, ..) => matches!(op, BinaryOp::Div | BinaryOp::Rem),
        ExprKind::Float(..)
        | ExprKind::Int(..)
        | ExprKind::Bool(_)
        | ExprKind::Variable(_)
        | ExprKind::Extent { .. }
        | ExprKind::Neg(_)
        | ExprKind::Not(_)
        | ExprKind::Cast(..)
        | ExprKind::Complex(..)
        | ExprKind::Part(..)
        | ExprKind::Never
        | ExprKind::Neutral(_)
        | ExprKind::Typed(..) => false,
    }
}
