//! `x % y` and its kin of floats, exactly as Rust has them, and cube roots.
//!
//! Of `|x|` multiples of `s = |y| * 2^(52 k)` are taken away, `s` the largest that leaves a quotient below `2^52`: that quotient, truncated, is at most
//! one too large, and what is left is a multiple of the last bit of `s` and less than it in size, so one fused multiplication and subtraction gives it
//! without rounding. Nearly all remainders take one round.

use super::ast::Scalar;
use super::lower::{Lower, class};
use crate::ir::{Binary, Class, Op, Terminator, Type, Unary, Value};

/// 2^52, above which quotients lose their last bit.
const WHOLE: f64 = 4_503_599_627_370_496.0;

/// Below this, 2^-700, cube roots are taken of a multiple.
const TINY: f64 = 1.901_091_566_295_16e-211;

impl Lower<'_> {
    /// `x % y`, with the sign of `x`.
    pub(super) fn float_rest(&mut self, x: Value, y: Value, of: Scalar) -> Value {
        if of == Scalar::F32 {
            // The remainder of two singles is a single.
            let [x, y] = [x, y].map(|value| self.scalar(Op::Convert(value), Class::Double));
            let rest = self.float_rest(x, y, Scalar::F64);
            return self.scalar(Op::Convert(rest), class(of));
        }
        let (size, by) = (self.unary(Unary::Abs, x), self.unary(Unary::Abs, y));
        let (zero, one, infinity) = (self.constant(0.0), self.constant(1.0), self.constant(f64::INFINITY));
        let (divides, finite) = (self.logic(Binary::Gt, by, zero), self.logic(Binary::Lt, size, infinity));
        let defined = self.logic(Binary::And, divides, finite);
        let (size, by) = (self.select(defined, size, zero), self.select(defined, by, one));
        let rest = self.rounds(size, by);
        let signed = self.copysign(rest, x, of);
        let nan = self.constant(f64::NAN);
        self.select(defined, signed, nan)
    }

    /// `x.rem_euclid(y)`: the remainder, by `|y|` more where it is negative.
    pub(super) fn euclidean_float_rest(&mut self, x: Value, y: Value, of: Scalar) -> Value {
        let (rest, zero, by) = (self.float_rest(x, y, of), self.float(0.0, of), self.unary(Unary::Abs, y));
        let (below, more) =
            (self.logic(Binary::Lt, rest, zero), self.scalar(Op::Binary(Binary::Add, rest, by), class(of)));
        self.select(below, more, rest)
    }

    /// `x.div_euclid(y)`: the truncated quotient, one further from zero where the remainder is negative.
    pub(super) fn euclidean_float_quotient(&mut self, x: Value, y: Value, of: Scalar) -> Value {
        let quotient = self.scalar(Op::Binary(Binary::Div, x, y), class(of));
        let quotient = self.unary(Unary::Fix, quotient);
        let (rest, zero, one) = (self.float_rest(x, y, of), self.float(0.0, of), self.float(1.0, of));
        let (below, positive) = (self.logic(Binary::Lt, rest, zero), self.logic(Binary::Gt, y, zero));
        let [less, more] = [Binary::Sub, Binary::Add].map(|op| self.scalar(Op::Binary(op, quotient, one), class(of)));
        let moved = self.select(positive, less, more);
        self.select(below, moved, quotient)
    }

    /// What is left of a finite number that is not negative, divided by a positive one.
    fn rounds(&mut self, size: Value, by: Value) -> Value {
        let double = || Type::scalar(Class::Double);
        let rest = self.builder.open(vec![double()])[0];
        let more = self.logic(Binary::Ge, rest, by);
        let cond = Box::new(self.builder.close(Terminator::Yield(vec![more])));
        let rest = self.builder.open(vec![double()])[0];
        let scaled = self.scaled(rest, by);
        let quotient = self.scalar(Op::Binary(Binary::Div, rest, scaled), Class::Double);
        let count = self.unary(Unary::Fix, quotient);
        let count = self.unary(Unary::Neg, count);
        let left = self.scalar(Op::Fma(count, scaled, rest), Class::Double);
        let zero = self.constant(0.0);
        let (below, back) =
            (self.logic(Binary::Lt, left, zero), self.scalar(Op::Binary(Binary::Add, left, scaled), Class::Double));
        let left = self.select(below, back, left);
        let body = Box::new(self.builder.close(Terminator::Yield(vec![left])));
        self.builder.push_many(Op::While { init: vec![size], cond, body }, vec![double()])[0]
    }

    /// The divisor by the largest power of `2^52` that is not above a number.
    fn scaled(&mut self, rest: Value, by: Value) -> Value {
        let double = || Type::scalar(Class::Double);
        let scaled = self.builder.open(vec![double()])[0];
        let next = self.next_power(scaled);
        let fits = self.logic(Binary::Le, next, rest);
        let cond = Box::new(self.builder.close(Terminator::Yield(vec![fits])));
        let scaled = self.builder.open(vec![double()])[0];
        let next = self.next_power(scaled);
        let body = Box::new(self.builder.close(Terminator::Yield(vec![next])));
        self.builder.push_many(Op::While { init: vec![by], cond, body }, vec![double()])[0]
    }

    fn next_power(&mut self, scaled: Value) -> Value {
        let whole = self.constant(WHOLE);
        self.scalar(Op::Binary(Binary::Mul, scaled, whole), Class::Double)
    }

    /// `x.cbrt()`: a power, and Newton's step from there, whose residual is not rounded away.
    pub(super) fn cube_root(&mut self, x: Value, of: Scalar) -> Value {
        if of == Scalar::F32 {
            let wide = self.scalar(Op::Convert(x), Class::Double);
            let root = self.cube_root(wide, Scalar::F64);
            return self.scalar(Op::Convert(root), class(of));
        }
        let binary = |this: &mut Self, op, a, b| this.scalar(Op::Binary(op, a, b), Class::Double);
        let all = self.unary(Unary::Abs, x);
        // The residual of a tiny number would be none: 2^300 times the number has 2^100 times the root.
        let (least, one) = (self.constant(TINY), self.constant(1.0));
        let tiny = self.logic(Binary::Lt, all, least);
        let [up, down] = [300, -100].map(|power| self.constant(2f64.powi(power)));
        let (up, down) = (self.select(tiny, up, one), self.select(tiny, down, one));
        let (size, third) = (binary(self, Binary::Mul, all, up), self.constant(1.0 / 3.0));
        let root = binary(self, Binary::Pow, size, third);
        let square = binary(self, Binary::Mul, root, root);
        let negative = self.unary(Unary::Neg, size);
        let residual = self.scalar(Op::Fma(square, root, negative), Class::Double);
        let three = self.constant(3.0);
        let slope = binary(self, Binary::Mul, three, square);
        let step = binary(self, Binary::Div, residual, slope);
        let better = binary(self, Binary::Sub, root, step);
        let better = binary(self, Binary::Mul, better, down);
        // Of zero and infinity there is no slope.
        let (zero, infinity) = (self.constant(0.0), self.constant(f64::INFINITY));
        let (above, finite) = (self.logic(Binary::Gt, all, zero), self.logic(Binary::Lt, all, infinity));
        let within = self.logic(Binary::And, above, finite);
        let root = self.select(within, better, all);
        self.copysign(root, x, of)
    }

    fn constant(&mut self, x: f64) -> Value {
        self.float(x, Scalar::F64)
    }
}
