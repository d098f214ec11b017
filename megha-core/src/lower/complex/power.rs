//! Powers.

use crate::ir::{Binary, Class, Unary, Value};
use crate::lower::{Lower, Lowered};
use crate::source::Span;

/// Larger exponents go by logarithms.
const MAX_PRODUCT: f64 = 1024.0;

impl Lower<'_> {
    /// Whether `a .^ b` is complex: an operand is, or a negative number has a fractional power.
    pub fn power_is_complex(&self, a: Value, b: Value) -> bool {
        let fractional = !self.facts(b).integral && self.class(a) == Class::Double;
        self.is_complex(a) || self.is_complex(b) || (fractional && self.has_complex_root(a))
    }

    /// Whether the root of a value is taken to be complex: it is so itself, is known to be negative, or may be negative where
    /// the program's results are complex.
    pub fn has_complex_root(&self, value: Value) -> bool {
        let negative = self.constant_of(value).is_some_and(|c| c < 0.0);
        let may_be = self.complex_roots && !self.facts(value).nonnegative && self.class(value) == Class::Double;
        self.is_complex(value) || negative || may_be
    }

    /// `a .^ b` as a complex value.
    pub fn complex_power(&mut self, a: Value, b: Value, what: &str, span: Span) -> Lowered<Value> {
        self.only_doubles(a, b, what, span)?;
        let a = self.convert(a, Class::Complex);
        match self.constant_of(b) {
            Some(k) if k.fract() == 0.0 && k.abs() <= MAX_PRODUCT => return self.whole_power(a, k, span),
            Some(0.5) => return self.complex_sqrt(a, span),
            _ => {}
        }
        if self.is_complex(b) { self.power_by_log(a, b, span) } else { self.power_of_polar(a, b, span) }
    }

    /// A known whole power: squarings and products, as Octave computes it.
    fn whole_power(&mut self, a: Value, k: f64, span: Span) -> Lowered<Value> {
        let one = self.number(1.0);
        let (mut left, mut base, mut result) = (k.abs() as u32, a, None);
        while left > 0 {
            if left & 1 == 1 {
                result = Some(match result {
                    None => base,
                    Some(r) => self.complex_binary(Binary::Mul, r, base, "`^`", span)?,
                });
            }
            left >>= 1;
            if left > 0 {
                base = self.complex_binary(Binary::Mul, base, base, "`^`", span)?;
            }
        }
        match result {
            Some(power) if k < 0.0 => self.complex_binary(Binary::Div, one, power, "`^`", span),
            Some(power) => Ok(power),
            None => {
                let dims = self.builder.func.ty(a).dims.clone();
                Ok(self.filled(1.0, Class::Complex, dims))
            }
        }
    }

    /// A real power: the power of the absolute value, and the multiple of the angle.
    fn power_of_polar(&mut self, a: Value, b: Value, span: Span) -> Lowered<Value> {
        let (size, angle) = (self.modulus(a, span)?, self.argument(a, span)?);
        let size = self.real(Binary::Pow, size, b, span)?;
        let angle = self.real(Binary::Mul, angle, b, span)?;
        self.polar(size, angle, span)
    }

    /// exp(b log a); of 0 the real power, to which 0 has no logarithm.
    fn power_by_log(&mut self, a: Value, b: Value, span: Span) -> Lowered<Value> {
        let (size, angle) = (self.modulus(a, span)?, self.argument(a, span)?);
        let (br, bi) = self.parts(b);
        let zero = self.number(0.0);
        let nothing = self.real(Binary::Eq, size, zero, span)?;
        let log = self.unary(Unary::Log, size, span)?;
        let (rl, ia) = (self.real(Binary::Mul, br, log, span)?, self.real(Binary::Mul, bi, angle, span)?);
        let (il, ra) = (self.real(Binary::Mul, bi, log, span)?, self.real(Binary::Mul, br, angle, span)?);
        let exponent = self.real(Binary::Sub, rl, ia, span)?;
        let turn = self.real(Binary::Add, il, ra, span)?;
        let grown = self.unary(Unary::Exp, exponent, span)?;
        let flat = self.real(Binary::Pow, size, br, span)?;
        let grown = self.choose(nothing, flat, grown, span)?;
        let turn = self.choose(nothing, zero, turn, span)?;
        self.polar(grown, turn, span)
    }
}
