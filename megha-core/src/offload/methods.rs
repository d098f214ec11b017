//! Methods of numbers as IR.

use super::ast::{BinaryOp, Expr, ExprKind, Ident, Scalar};
use super::lower::{Lower, class};
use super::types::{ComplexMethod, FloatMethod, MAX_POWER, Method, NumberMethod, WholeMethod};
use crate::ir::{Binary, Class, Op, Size, Terminator, Type, Unary, Value};

impl Lower<'_> {
    pub(super) fn method(&mut self, receiver: &Expr, method: &Ident, args: &[Expr]) -> Value {
        let of = self.types.scalar(receiver.span);
        let x = self.expr(receiver);
        if let (Scalar::C64, Some(method)) = (of, ComplexMethod::from_name(&method.text)) {
            let args: Vec<Value> = args.iter().map(|a| self.expr(a)).collect();
            return self.complex_method(method, x, &args);
        }
        let Some(method) = Method::from_name(&method.text) else { return x };
        if method == Method::Powi {
            return self.power(x, &args[0], of);
        }
        let args: Vec<Value> = args.iter().map(|a| self.expr(a)).collect();
        match method {
            Method::Unary(op) | Method::Predicate(op) => self.unary(op, x),
            Method::Binary(op) => self.scalar(Op::Binary(op, x, args[0]), class(of)),
            Method::Extremum(op) if of.is_whole() => self.whole_extremum(op == Binary::Max, x, args[0], of),
            Method::Extremum(op) => self.scalar(Op::Binary(op, x, args[0]), class(of)),
            Method::MulAdd => self.scalar(Op::Fma(x, args[0], args[1]), class(of)),
            Method::Wrapping(op) => self.whole_binary(op, x, args[0], of),
            Method::Fits(op) => self.is_number(op, x, args[0], of),
            Method::Whole(WholeMethod::RemEuclid) if of.is_float() => self.euclidean_float_rest(x, args[0], of),
            Method::Whole(WholeMethod::DivEuclid) if of.is_float() => self.euclidean_float_quotient(x, args[0], of),
            Method::Whole(method) => self.whole_method(method, x, &args, of),
            Method::Number(method) if of.is_whole() => self.whole_number_method(method, x, &args, of),
            Method::Number(method) => self.float_number_method(method, x, &args, of),
            Method::Float(method) => self.float_method(method, x, &args, of),
            Method::Powi => x,
        }
    }

    fn float_binary(&mut self, op: BinaryOp, a: Value, b: Value, of: Scalar) -> Value {
        self.binary(op, (a, b), (of, of))
    }

    fn reciprocal(&mut self, x: Value, of: Scalar) -> Value {
        let one = self.float(1.0, of);
        self.float_binary(BinaryOp::Div, one, x, of)
    }

    fn float_method(&mut self, method: FloatMethod, x: Value, args: &[Value], of: Scalar) -> Value {
        match method {
            FloatMethod::Recip => self.reciprocal(x, of),
            FloatMethod::Copysign => self.copysign(x, args[0], of),
            FloatMethod::Fract => {
                let whole = self.unary(Unary::Fix, x);
                self.float_binary(BinaryOp::Sub, x, whole, of)
            }
            FloatMethod::Cbrt => self.cube_root(x, of),
            FloatMethod::Log => {
                let [x, base] = [x, args[0]].map(|x| self.unary(Unary::Log, x));
                self.float_binary(BinaryOp::Div, x, base, of)
            }
            FloatMethod::Exp2 => {
                let two = self.float(2.0, of);
                self.scalar(Op::Binary(Binary::Pow, two, x), class(of))
            }
            FloatMethod::ToRadians => {
                let factor = match of {
                    Scalar::F32 => f64::from(std::f32::consts::PI / 180.0),
                    _ => std::f64::consts::PI / 180.0,
                };
                let factor = self.float(factor, of);
                self.float_binary(BinaryOp::Mul, x, factor, of)
            }
            FloatMethod::ToDegrees => {
                let factor = match of {
                    Scalar::F32 => f64::from(1f32.to_degrees()),
                    _ => 180.0 / std::f64::consts::PI,
                };
                let factor = self.float(factor, of);
                self.float_binary(BinaryOp::Mul, x, factor, of)
            }
            FloatMethod::IsSignNegative => self.sign_bit(x, Binary::Ne, of),
            FloatMethod::IsSignPositive => self.sign_bit(x, Binary::Eq, of),
        }
    }

    fn bits(&mut self, x: Value) -> Value {
        self.scalar(Op::Bits(x), Class::Index)
    }

    /// Tests the sign bit: whether it is set or not (`Binary::Ne`, `Binary::Eq`).
    fn sign_bit(&mut self, x: Value, op: Binary, of: Scalar) -> Value {
        let (bits, mask, zero) = (self.bits(x), self.int(sign_mask(of)), self.int(0));
        let sign = self.index(Binary::BitAnd, bits, mask);
        self.logic(op, sign, zero)
    }

    pub(super) fn copysign(&mut self, x: Value, sign: Value, of: Scalar) -> Value {
        let (x, sign) = (self.bits(x), self.bits(sign));
        let (rest, first) = (self.int(sign_mask(of).wrapping_sub(1)), self.int(sign_mask(of)));
        let (rest, first) = (self.index(Binary::BitAnd, x, rest), self.index(Binary::BitAnd, sign, first));
        let bits = self.index(Binary::BitOr, rest, first);
        self.scalar(Op::FromBits(bits), class(of))
    }

    fn float_number_method(&mut self, method: NumberMethod, x: Value, args: &[Value], of: Scalar) -> Value {
        match method {
            NumberMethod::Abs => self.unary(Unary::Abs, x),
            NumberMethod::Signum => {
                let (one, nan) = (self.float(1.0, of), self.unary(Unary::IsNan, x));
                let sign = self.copysign(one, x, of);
                self.select(nan, x, sign)
            }
            NumberMethod::Clamp => self.clamp(x, args, of),
        }
    }

    fn clamp(&mut self, x: Value, args: &[Value], of: Scalar) -> Value {
        let ordered = self.float_binary(BinaryOp::Le, args[0], args[1], of);
        let text = "min > max, or either was NaN";
        self.builder.effect(Op::Assert(ordered, text.into()));
        let below = self.float_binary(BinaryOp::Lt, x, args[0], of);
        let x = self.select(below, args[0], x);
        let above = self.float_binary(BinaryOp::Gt, x, args[1], of);
        self.select(above, args[1], x)
    }

    /// `x.powi(n)` in the order of compiler-rt's `__powidf2`, which Rust calls: squares of `x`, multiplied together from the
    /// lowest bit of the exponent.
    fn power(&mut self, x: Value, exponent: &Expr, of: Scalar) -> Value {
        match literal(exponent) {
            Some(n) if n.abs() <= MAX_POWER => self.known_power(x, n, of),
            _ => self.variable_power(x, exponent, of),
        }
    }

    fn known_power(&mut self, x: Value, exponent: i128, of: Scalar) -> Value {
        let (mut bits, negative) = (exponent.unsigned_abs(), exponent < 0);
        let (mut square, mut product) = (x, None);
        while bits > 0 {
            if bits & 1 == 1 {
                product = Some(product.map_or(square, |p| self.float_binary(BinaryOp::Mul, p, square, of)));
            }
            bits >>= 1;
            if bits > 0 {
                square = self.float_binary(BinaryOp::Mul, square, square, of);
            }
        }
        let product = product.unwrap_or_else(|| self.float(1.0, of));
        if negative { self.reciprocal(product, of) } else { product }
    }

    /// The loop of `__powidf2`, as often as the exponent has bits.
    fn variable_power(&mut self, x: Value, exponent: &Expr, of: Scalar) -> Value {
        let exponent = self.expr(exponent);
        let (zero, one) = (self.int(0), self.int(1));
        let negative = self.logic(Binary::Lt, exponent, zero);
        let bits = self.unary(Unary::Abs, exponent);
        let init = vec![self.float(1.0, of), x, bits];
        let types = vec![Type::scalar(class(of)), Type::scalar(class(of)), Type::scalar(Class::Index)];
        let carried = self.builder.open([vec![Type::scalar(Class::Index)], types.clone()].concat());
        let [_, product, square, bits] = carried[..] else { return x };
        let low = self.index(Binary::BitAnd, bits, one);
        let odd = self.logic(Binary::Ne, low, zero);
        let more = self.float_binary(BinaryOp::Mul, product, square, of);
        let product = self.select(odd, more, product);
        let square = self.float_binary(BinaryOp::Mul, square, square, of);
        let rest = self.index(Binary::Shru, bits, one);
        let body = Box::new(self.builder.close(Terminator::Yield(vec![product, square, rest])));
        // An `i32` has 32 bits; what is multiplied behind the last one that is set is not used.
        let trip = self.whole(Size::constant(32));
        let product = self.builder.push_many(Op::For { trip, init, body }, types)[0];
        let inverse = self.reciprocal(product, of);
        self.select(negative, inverse, product)
    }
}

/// The sign bit among the bits of a number.
fn sign_mask(of: Scalar) -> i64 {
    if of == Scalar::F32 { 1 << 31 } else { i64::MIN }
}

/// The whole number that an expression is.
fn literal(expr: &Expr) -> Option<i128> {
    match &expr.kind {
        ExprKind::Int(n, _) => Some(*n),
        ExprKind::Neg(inner) => match inner.kind {
            ExprKind::Int(n, _) => Some(-n),
            _ => None,
        },
        _ => None,
    }
}
