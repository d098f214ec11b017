//! Expressions.

use super::env::{Binding, Handle};
use super::facts::Facts;
use super::{Lower, Lowered, Operand, Stop, live, prelude};
use crate::diag::{Code, Diagnostic};
use crate::ir::{Binary, Cause, Check, Class, Op, Size, Type, Unary, Value};
use crate::matlab::ast::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::source::Span;

impl Lower<'_> {
    /// An expression that must give a number or an array.
    pub fn expr_value(&mut self, expr: &Expr) -> Lowered<Value> {
        let operand = self.expr(expr)?;
        self.operand_value(operand, expr.span)
    }

    /// An operand that must be a number or an array; of a text its codes.
    pub fn operand_value(&mut self, operand: Operand, span: Span) -> Lowered<Value> {
        match operand {
            Operand::Value(value) => Ok(value),
            Operand::Text(text) => self.codes(&text, span),
            Operand::Message(pieces) => Ok(self.message_codes(&pieces, span)),
            Operand::List(_) => self.report(
                Diagnostic::error(Code::Cell, span, "a list is no number; its elements are c{1}, c{2}, …")
                    .help("use a numeric array, whose elements are x(1), x(2), …"),
            ),
            Operand::Struct(_) => self.struct_refused(span),
            Operand::Function(_) | Operand::Chosen(_) => {
                self.stop(Code::FunctionValue, span, "a function cannot be used as a number; call it with (..)")
            }
        }
    }

    /// An expression.
    pub fn expr(&mut self, expr: &Expr) -> Lowered<Operand> {
        match self.expr_or_choice(expr)? {
            Operand::Chosen(_) => self.chosen_refused(expr.span),
            operand => Ok(operand),
        }
    }

    /// An expression, which may be a text or function that depends on the way taken.
    pub fn expr_or_choice(&mut self, expr: &Expr) -> Lowered<Operand> {
        let span = expr.span;
        let value = match &expr.kind {
            ExprKind::Number { value, imaginary: false } => self.number(*value),
            ExprKind::Number { value, imaginary: true } => self.imaginary(*value),
            ExprKind::Wide(value) => self.number(*value as f64),
            ExprKind::Integer { value, bits, signed } => self.integer_literal(*value, *bits, *signed),
            ExprKind::Str { text, .. } => return Ok(Operand::Text(text.clone())),
            ExprKind::Ident(name) => return self.name(name, span),
            ExprKind::Colon => {
                return self.stop(Code::Unsupported, span, "`:` alone has a meaning only as a subscript");
            }
            ExprKind::End => self.end_value(span)?,
            ExprKind::Unary { op, operand } => self.unary_expr(*op, operand, span)?,
            ExprKind::Binary { op, lhs, rhs } => self.binary_expr(*op, lhs, rhs, span)?,
            ExprKind::ShortCircuit { op, lhs, rhs } => self.short_circuit(*op, lhs, rhs)?,
            ExprKind::Transpose { operand, conjugate } => {
                let (value, characters) = match self.expr(operand)? {
                    Operand::Text(text) if text.chars().count() == 1 => return Ok(Operand::Text(text)),
                    Operand::Text(text) => (self.codes(&text, operand.span)?, true),
                    Operand::Value(value) => (value, self.facts(value).characters),
                    _ => (self.expr_value(operand)?, false),
                };
                let conjugate = *conjugate && self.is_complex(value);
                let value = if conjugate { self.conjugate(value, span)? } else { value };
                let result = self.transpose(value, span)?;
                self.stored_by_transpose(value, result);
                if characters {
                    self.learn(result, Facts { characters, ..self.facts(result) });
                }
                result
            }
            ExprKind::Range { start, step, stop } => {
                let bounds = self.range_bounds(start, step.as_deref(), stop, span)?;
                let before = self.here(span);
                let value = self.range_array(&bounds);
                let is_text = |e: &Expr| matches!(e.kind, ExprKind::Str { .. });
                let characters = is_text(start) && is_text(stop);
                self.learn(value, Facts { limit: Some(bounds.stop), characters, ..self.facts(value) });
                self.builder.set_loc(before);
                value
            }
            ExprKind::Matrix { rows } => return self.matrix(rows, span),
            ExprKind::Apply { callee, args } => return self.apply(callee, args, span),
            ExprKind::AnonFn { params, body } => {
                // All variables would be twice as much with each line that makes a function.
                let mut mentioned = live::Names::new();
                live::uses(body, &mut mentioned);
                let captured = self.env.only(&mentioned);
                let handle = Handle::Anonymous { params: params.clone(), body: (**body).clone(), captured };
                return Ok(Operand::Function(Box::new(handle)));
            }
            ExprKind::FuncHandle(name) => return Ok(Operand::Function(Box::new(Handle::Named(name.clone())))),
            ExprKind::Cell { rows } => return self.list(rows, span),
            ExprKind::BraceIndex { callee, args } => return self.list_element(callee, args, span),
            ExprKind::DynamicField { object, field } => return self.dynamic_field(object, field, span),
            ExprKind::Field { object, name } => return self.field_of_call(object, &name.text, span),
        };
        Ok(Operand::Value(value))
    }

    fn integer_literal(&mut self, value: u64, bits: u8, signed: bool) -> Value {
        let class = match (bits, signed) {
            (8, true) => Class::Int8,
            (16, true) => Class::Int16,
            (32, true) => Class::Int32,
            (64, true) => Class::Int64,
            (8, false) => Class::UInt8,
            (16, false) => Class::UInt16,
            (32, false) => Class::UInt32,
            _ => Class::UInt64,
        };
        self.wide_constant(value, class)
    }

    /// A constant of an integer class that holds it. Constants of the IR are signed: beyond them it is a sum.
    fn wide_constant(&mut self, value: u64, class: Class) -> Value {
        // Facts know doubles, which have gaps above 2^53.
        let exact = Some(value as f64).filter(|_| value <= 1 << 53);
        let facts = Facts { constant: exact, nonnegative: true, integral: true, ..Facts::default() };
        let Ok(constant) = i64::try_from(value) else {
            let high = self.wide_constant(value >> 1, class);
            let low = self.wide_constant(value - (value >> 1), class);
            return self.emit(Op::Binary(Binary::Add, high, low), Type::scalar(class), facts);
        };
        self.emit(Op::Const(crate::ir::Const::Int(constant)), Type::scalar(class), facts)
    }

    /// `int64(9007199254740993)`, `uint64(-9007199254740993)`: the literal keeps all its digits.
    pub fn wide_literal(&mut self, class: Class, literal: &Expr) -> Option<Value> {
        let (value, negative) = match &literal.kind {
            ExprKind::Wide(value) => (*value, false),
            ExprKind::Unary { op: UnaryOp::Minus, operand } => match operand.kind {
                ExprKind::Wide(value) => (value, true),
                _ => return None,
            },
            _ => return None,
        };
        match (class, negative) {
            (Class::UInt64, false) => Some(self.wide_constant(value, class)),
            (Class::Int64, false) => Some(self.wide_constant(value.min(i64::MAX as u64), class)),
            (Class::Int64, true) => {
                let constant = 0i64.saturating_sub_unsigned(value);
                let facts = Facts { integral: true, ..Facts::default() };
                Some(self.emit(Op::Const(crate::ir::Const::Int(constant)), Type::scalar(class), facts))
            }
            _ => None,
        }
    }

    /// The value of a name: a variable, or a function called without arguments.
    pub fn name(&mut self, name: &str, span: Span) -> Lowered<Operand> {
        match self.env.get(name).cloned() {
            Some(binding) => self.variable(name, binding, span),
            None if self.env.is_struct(name) => self.whole_struct(name, span).map(Operand::Struct),
            None => self.call_name(name, &[], span, 1).and_then(|mut results| {
                if results.is_empty() {
                    return self.gives_no_value(span, format!("`{name}` gives no value"));
                }
                Ok(results.swap_remove(0))
            }),
        }
    }

    fn variable(&mut self, name: &str, binding: Binding, span: Span) -> Lowered<Operand> {
        match binding {
            Binding::Is(operand) => Ok(operand),
            Binding::Poison => Err(Stop),
            Binding::Maybe(value, defined) => {
                let before = self.here(span);
                let text = format!("`{name}` has no value here: it was not assigned on the way");
                self.builder.effect(Op::Assert(defined, Check { cause: Cause::Undefined, text }));
                self.builder.set_loc(before);
                let assigned = self.env.span(name).unwrap_or(span);
                self.env.set_value(name, value, assigned);
                Ok(Operand::Value(value))
            }
            Binding::Ambiguous(kind) => self.ambiguous(name, kind, span),
            Binding::Lost(kind) => self.number_on_some_ways(name, kind, span),
            Binding::Conflict(types) => {
                let (a, b) = *types;
                let mut diagnostic = Diagnostic::error(
                    Code::TypeConflict,
                    span,
                    format!("`{name}` may be {a} or {b} here, depending on the way taken"),
                )
                .help("give it one class on all ways, or use a different name");
                if let Some(assigned) = self.env.span(name) {
                    diagnostic = diagnostic.note_at(assigned, "assigned here");
                }
                self.report(diagnostic)
            }
        }
    }

    fn unary_expr(&mut self, op: UnaryOp, operand: &Expr, span: Span) -> Lowered<Value> {
        let value = self.expr_value(operand)?;
        let result = match op {
            UnaryOp::Plus if self.class(value) == Class::Logical => self.convert(value, Class::Double),
            UnaryOp::Plus => value,
            UnaryOp::Minus => self.unary(Unary::Neg, value, span)?,
            UnaryOp::Not => {
                let logical = self.tested_logical(value, span)?;
                self.not(logical)
            }
        };
        self.stored_by_sign(op, value, result);
        Ok(result)
    }

    fn binary_expr(&mut self, op: BinaryOp, lhs: &Expr, rhs: &Expr, span: Span) -> Lowered<Value> {
        // Both sides are lowered before either failure counts, so that mistakes on both are reported.
        let (a, b) = (self.expr_value(lhs), self.expr_value(rhs));
        let (a, b) = (a?, b?);
        let result = self.binary_op(op, a, b, span)?;
        self.stored_by_binary(op, a, b, result);
        Ok(result)
    }

    /// A binary operator on values.
    pub fn binary_op(&mut self, op: BinaryOp, a: Value, b: Value, span: Span) -> Lowered<Value> {
        self.maybe_scaling(op, a, b, &[true, false], span)
    }

    /// The operator where these operands (`true`: the left one) may be single numbers when it runs, which scale.
    fn maybe_scaling(&mut self, op: BinaryOp, a: Value, b: Value, sides: &[bool], span: Span) -> Lowered<Value> {
        let Some((left, rest)) = sides.split_first() else { return self.matrix_op(op, a, b, span) };
        let scales = match op {
            BinaryOp::MatMul => true,
            BinaryOp::MatLeftDiv => *left,
            BinaryOp::MatRightDiv => !*left,
            _ => false,
        };
        let value = if *left { a } else { b };
        if !scales || self.is_scalar(a) || self.is_scalar(b) {
            return self.maybe_scaling(op, a, b, rest, span);
        }
        let (inner, outer) = self.meeting_sizes(op, a, b);
        if inner.sub(&outer).as_constant().is_some_and(|d| d != 0) {
            let number = self.only_element(value, op.symbol(), span);
            let (a, b) = if *left { (number, b) } else { (a, number) };
            return self.maybe_scaling(op, a, b, rest, span);
        }
        let Some(single) = self.may_be_number(value) else { return self.maybe_scaling(op, a, b, rest, span) };
        if op == BinaryOp::MatMul && self.same_size(&inner, &outer) {
            // The product by a number is then what scales.
            return self.matrix_op(op, a, b, span);
        }
        self.either(
            single,
            &mut |this| {
                let number = this.first_element(value, span);
                let (a, b) = if *left { (number, b) } else { (a, number) };
                this.matrix_op(op, a, b, span).map(|v| vec![v])
            },
            &mut |this| this.maybe_scaling(op, a, b, rest, span).map(|v| vec![v]),
            span,
        )
        .map(|mut made| made.swap_remove(0))
    }

    /// The two sizes that are equal where both operands of a product or quotient are matrices.
    fn meeting_sizes(&self, op: BinaryOp, a: Value, b: Value) -> (Size, Size) {
        let (a, b) = (self.builder.func.ty(a), self.builder.func.ty(b));
        match op {
            BinaryOp::MatLeftDiv => (a.dim(0), b.dim(0)),
            BinaryOp::MatRightDiv => (a.dim(1), b.dim(1)),
            _ => (a.dim(1), b.dim(0)),
        }
    }

    fn matrix_op(&mut self, op: BinaryOp, a: Value, b: Value, span: Span) -> Lowered<Value> {
        let what = format!("`{}`", op.symbol());
        let scalars = self.is_scalar(a) || self.is_scalar(b);
        let element = match op {
            BinaryOp::Add => Binary::Add,
            BinaryOp::Sub => Binary::Sub,
            BinaryOp::Mul => Binary::Mul,
            BinaryOp::MatMul if scalars => Binary::Mul,
            BinaryOp::RightDiv => Binary::Div,
            BinaryOp::MatRightDiv if self.is_scalar(b) => Binary::Div,
            BinaryOp::LeftDiv => return self.binary(Binary::Div, b, a, &what, span),
            BinaryOp::MatLeftDiv if self.is_scalar(a) => return self.binary(Binary::Div, b, a, &what, span),
            BinaryOp::Pow => return self.power(a, b, &what, span),
            BinaryOp::MatPow if self.is_scalar(a) && self.is_scalar(b) => return self.power(a, b, &what, span),
            BinaryOp::MatMul => return self.matrix_product(a, b, span),
            BinaryOp::MatLeftDiv | BinaryOp::MatRightDiv => return self.matrix_division(op, a, b, span),
            BinaryOp::MatPow => return self.matrix_power(a, b, span),
            BinaryOp::Eq => Binary::Eq,
            BinaryOp::Ne => Binary::Ne,
            BinaryOp::Lt => Binary::Lt,
            BinaryOp::Le => Binary::Le,
            BinaryOp::Gt => Binary::Gt,
            BinaryOp::Ge => Binary::Ge,
            BinaryOp::And => Binary::And,
            BinaryOp::Or => Binary::Or,
        };
        self.binary(element, a, b, &what, span)
    }

    /// `a .^ b`. A small whole power is a product; a negative base with a fractional power would be complex, which is an error
    /// unless complex numbers are in play.
    pub fn power(&mut self, a: Value, b: Value, what: &str, span: Span) -> Lowered<Value> {
        if self.power_is_complex(a, b) {
            return self.complex_power(a, b, what, span);
        }
        // The class of the result is then that of `a`.
        let is_like_a = match self.class(b) {
            Class::Single => self.class(a) == Class::Single,
            class => !class.is_integer(),
        };
        let is_real = self.class(a).is_float() || self.class(a) == Class::Logical;
        let whole = self.constant_of(b).filter(|_| is_like_a && is_real);
        match whole {
            Some(1.0) => return Ok(self.convert_number(a)),
            Some(2.0) => return self.binary(Binary::Mul, a, a, what, span),
            Some(3.0) => {
                let square = self.binary(Binary::Mul, a, a, what, span)?;
                return self.binary(Binary::Mul, square, a, what, span);
            }
            Some(4.0) => {
                let square = self.binary(Binary::Mul, a, a, what, span)?;
                return self.binary(Binary::Mul, square, square, what, span);
            }
            Some(-1.0) => {
                let one = self.number(1.0);
                return self.binary(Binary::Div, one, a, what, span);
            }
            Some(0.5) if self.class(a).is_float() => return self.real_function(Unary::Sqrt, a, span),
            _ => {}
        }
        if !self.facts(a).nonnegative && !self.facts(b).integral && self.class(a).is_float() {
            self.power_is_real(a, b, what, span)?;
        }
        // Within 1.3 ulp.
        if whole == Some(1.5) && self.class(a).is_float() {
            let root = self.unary(Unary::Sqrt, a, span)?;
            return self.binary(Binary::Mul, a, root, what, span);
        }
        self.binary(Binary::Pow, a, b, what, span)
    }

    /// Tests at run time that no power of a negative number with a fractional exponent occurs.
    fn power_is_real(&mut self, a: Value, b: Value, what: &str, span: Span) -> Lowered<()> {
        let zero = self.number(0.0);
        let base = self.binary(Binary::Ge, a, zero, what, span)?;
        let whole = self.unary(Unary::Fix, b, span)?;
        let exponent = self.binary(Binary::Eq, whole, b, what, span)?;
        let nan = self.unary(Unary::IsNan, a, span)?;
        let fine = self.binary(Binary::Or, base, exponent, what, span)?;
        let fine = self.binary(Binary::Or, fine, nan, what, span)?;
        self.assert_all(fine, Check::complex("a negative number to a fractional power is complex"), span);
        Ok(())
    }

    /// An array or scalar of a number class: logicals become doubles.
    pub fn convert_number(&mut self, value: Value) -> Value {
        if self.class(value) == Class::Logical { self.convert(value, Class::Double) } else { value }
    }

    /// A function that is real only where its argument is not negative (`sqrt`, `log`, …): tested at run time.
    pub fn real_function(&mut self, op: Unary, value: Value, span: Span) -> Lowered<Value> {
        let integer = self.class(value).is_integer();
        let value = if integer { self.convert(value, Class::Double) } else { self.convert_number(value) };
        // In the prelude what is not complex has real roots.
        let complex = self.is_complex(value) || !prelude::contains(span) && self.has_complex_root(value);
        if op != Unary::Log1p && complex {
            let z = self.convert(value, Class::Complex);
            return self.unary(op, z, span);
        }
        self.tested_real_function(op, value, span)
    }

    /// The same where a complex result is an error in any case.
    pub fn tested_real_function(&mut self, op: Unary, value: Value, span: Span) -> Lowered<Value> {
        let value = self.convert_number(value);
        if !self.facts(value).nonnegative {
            let limit = if op == Unary::Log1p { -1.0 } else { 0.0 };
            let bound = self.number(limit);
            let below = self.binary(Binary::Lt, value, bound, op.name(), span)?;
            let fine = self.not(below);
            self.assert_all(fine, Check::complex(format!("{} of a negative number is complex", op.name())), span);
        }
        self.unary(op, value, span)
    }

    /// Tests at run time that all elements are true.
    pub fn assert_all(&mut self, fine: Value, check: impl Into<Check>, span: Span) {
        if self.constant_of(fine).is_some_and(|c| c != 0.0) {
            return;
        }
        let before = self.here(span);
        let ty = self.builder.func.ty(fine).clone();
        let fine = if ty.is_scalar() {
            fine
        } else {
            let axes = (0..ty.dims.len()).collect();
            self.emit(Op::Reduce(crate::ir::ReduceOp::All, fine, axes), Type::scalar(Class::Logical), Facts::default())
        };
        self.builder.effect(Op::Assert(fine, check.into()));
        self.builder.set_loc(before);
    }

    /// The transposed matrix.
    pub fn transpose(&mut self, value: Value, span: Span) -> Lowered<Value> {
        let ty = self.builder.func.ty(value).clone();
        match ty.dims.len() {
            0 => Ok(self.computed(value)),
            2 => {
                let old = self.facts(value);
                let brackets = old.brackets;
                let facts =
                    Facts { nonnegative: old.nonnegative, integral: old.integral, brackets, ..Facts::default() };
                let dims = vec![ty.dims[1].clone(), ty.dims[0].clone()];
                let before = self.here(span);
                let op = if ty.is_vector() { Op::Reshape(value) } else { Op::Transpose(value) };
                let result = self.emit(op, Type { class: ty.class, dims }, facts);
                self.builder.set_loc(before);
                Ok(result)
            }
            n => self.stop(
                Code::Transpose,
                span,
                format!("an array of {n} dimensions has no transpose; permute(..) orders its dimensions"),
            ),
        }
    }

    fn gives_no_value<T>(&mut self, span: Span, message: String) -> Lowered<T> {
        self.report(Diagnostic::error(Code::NoValue, span, message).help("write it as a statement of its own"))
    }

    /// `f(args)` or `a(args)`.
    fn apply(&mut self, callee: &Expr, args: &[Expr], span: Span) -> Lowered<Operand> {
        let mut results = self.apply_many(callee, args, span, 1)?;
        if results.is_empty() {
            return self.gives_no_value(span, "this call gives no value".to_owned());
        }
        Ok(results.swap_remove(0))
    }
}
