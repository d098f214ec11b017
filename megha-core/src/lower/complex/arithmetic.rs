//! Element-wise operators. A real operand takes part as it is, without a zero imaginary part, as in Octave and C++: 0 times infinity is
//! no part of it. Octave narrows what an operation gives to real numbers where no imaginary part is left; here the class is static, so a
//! scalar whose imaginary part turns out to be 0 counts as real where it is multiplied or divided by a real one and where it divides.

use crate::diag::{Code, Diagnostic};
use crate::ir::{Binary, Class, Unary, Value};
use crate::lower::{Lower, Lowered};
use crate::source::Span;

impl Lower<'_> {
    /// An operation of which an operand is complex; the result is complex or, of comparisons, logical.
    pub fn complex_binary(&mut self, op: Binary, a: Value, b: Value, what: &str, span: Span) -> Lowered<Value> {
        self.only_doubles(a, b, what, span)?;
        match op {
            Binary::Add | Binary::Sub => self.complex_sum(op, a, b, span),
            Binary::Mul => self.complex_product(a, b, span),
            Binary::Div => self.complex_quotient(a, b, span),
            Binary::Eq | Binary::Ne => self.complex_equal(op, a, b, span),
            Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge => self.complex_order(op, a, b, span),
            _ => self.not_for_complex(what, "use real(..), imag(..) or abs(..)", span),
        }
    }

    /// Reports a real operand of a class that does not mix with complex numbers.
    pub(super) fn only_doubles(&mut self, a: Value, b: Value, what: &str, span: Span) -> Lowered<()> {
        let other = [self.class(a), self.class(b)].into_iter().find(|c| c.is_integer() || *c == Class::Single);
        let Some(class) = other else { return Ok(()) };
        let message = format!("{what} of complex numbers and {} is not supported", class.matlab_name());
        let error = Diagnostic::error(Code::Complex, span, message);
        self.report(error.help("convert the other operand first, with double(..)"))
    }

    fn complex_sum(&mut self, op: Binary, a: Value, b: Value, span: Span) -> Lowered<Value> {
        let ((ar, ai), (br, bi)) = (self.parts(a), self.parts(b));
        let re = self.real(op, ar, br, span)?;
        let im = match (self.is_complex(a), self.is_complex(b)) {
            (true, true) => self.real(op, ai, bi, span)?,
            (true, false) => ai,
            _ if op == Binary::Sub => self.unary(Unary::Neg, bi, span)?,
            _ => bi,
        };
        self.complex(re, im, span)
    }

    fn complex_product(&mut self, a: Value, b: Value, span: Span) -> Lowered<Value> {
        let ((ar, ai), (br, bi)) = (self.parts(a), self.parts(b));
        let times = |this: &mut Self, x, y| this.real(Binary::Mul, x, y, span);
        let (re, im) = match (self.is_complex(a), self.is_complex(b)) {
            (true, true) => {
                let (rr, ii) = (times(self, ar, br)?, times(self, ai, bi)?);
                let (ri, ir) = (times(self, ar, bi)?, times(self, ai, br)?);
                (self.real(Binary::Sub, rr, ii, span)?, self.real(Binary::Add, ri, ir, span)?)
            }
            (true, false) => (times(self, ar, br)?, self.imaginary_by_real(Binary::Mul, a, br, span)?),
            _ => (times(self, ar, br)?, self.imaginary_by_real(Binary::Mul, b, ar, span)?),
        };
        self.complex(re, im, span)
    }

    /// The imaginary part of `z op x` for a real `x`.
    fn imaginary_by_real(&mut self, op: Binary, z: Value, x: Value, span: Span) -> Lowered<Value> {
        let (_, im) = self.parts(z);
        let part = self.real(op, im, x, span)?;
        let harmless = self.constant_of(x).is_some_and(|x| x.is_finite() && (op == Binary::Mul || x != 0.0));
        match self.without_imaginary(z, span)? {
            Some(real) if !harmless => self.zero_where(real, part, span),
            _ => Ok(part),
        }
    }

    /// Whether a scalar is one that Octave would have narrowed; `None` of an array, or of what `complex(..)` made, which stays complex.
    fn without_imaginary(&mut self, z: Value, span: Span) -> Lowered<Option<Value>> {
        if !self.is_scalar(z) || self.facts(z).paired {
            return Ok(None);
        }
        let ((_, im), zero) = (self.parts(z), self.number(0.0));
        self.real(Binary::Eq, im, zero, span).map(Some)
    }

    /// 0 where the condition holds, else the number.
    fn zero_where(&mut self, condition: Value, x: Value, span: Span) -> Lowered<Value> {
        let zero = self.number(0.0);
        self.choose(condition, zero, x, span)
    }

    fn complex_quotient(&mut self, a: Value, b: Value, span: Span) -> Lowered<Value> {
        if self.is_complex(b) {
            return self.smith(a, b, span);
        }
        let (ar, _) = self.parts(a);
        let re = self.real(Binary::Div, ar, b, span)?;
        let im = self.imaginary_by_real(Binary::Div, a, b, span)?;
        self.complex(re, im, span)
    }

    /// Smith's quotient: both parts of the divisor are scaled by the larger one, so that no square overflows. A divisor without imaginary
    /// part divides both parts, as the real number does to which Octave narrows it.
    fn smith(&mut self, a: Value, b: Value, span: Span) -> Lowered<Value> {
        let ((ar, ai), (br, bi)) = (self.parts(a), self.parts(b));
        let (size_r, size_i) = (self.unary(Unary::Abs, br, span)?, self.unary(Unary::Abs, bi, span)?);
        let upright = self.real(Binary::Ge, size_r, size_i, span)?;
        let large = self.choose(upright, br, bi, span)?;
        let small = self.choose(upright, bi, br, span)?;
        let zero = self.number(0.0);
        let by_real = self.real(Binary::Eq, bi, zero, span)?;
        let ratio = self.real(Binary::Div, small, large, span)?;
        let scaled = self.real(Binary::Mul, small, ratio, span)?;
        let divisor = self.real(Binary::Add, large, scaled, span)?;
        let divisor = self.choose(by_real, br, divisor, span)?;
        // With p, q = a's parts, the one beside the divisor's larger part first: (p + q r, ±(q - p r)) / divisor.
        let p = self.choose(upright, ar, ai, span)?;
        let q = self.choose(upright, ai, ar, span)?;
        let qr = self.real(Binary::Mul, q, ratio, span)?;
        let pr = self.real(Binary::Mul, p, ratio, span)?;
        let sum = self.real(Binary::Add, p, qr, span)?;
        let sum = self.choose(by_real, ar, sum, span)?;
        let difference = self.real(Binary::Sub, q, pr, span)?;
        let opposite = self.real(Binary::Sub, pr, q, span)?;
        let difference = self.choose(upright, difference, opposite, span)?;
        let difference = self.choose(by_real, ai, difference, span)?;
        let re = self.real(Binary::Div, sum, divisor, span)?;
        let im = self.real(Binary::Div, difference, divisor, span)?;
        let im = self.imaginary_of_quotient(a, b, im, span)?;
        self.complex(re, im, span)
    }

    /// The imaginary part of `a / b`, which is that of real numbers if both are.
    fn imaginary_of_quotient(&mut self, a: Value, b: Value, im: Value, span: Span) -> Lowered<Value> {
        let Some(real) = self.without_imaginary(b, span)? else { return Ok(im) };
        if !self.is_complex(a) {
            return self.zero_where(real, im, span);
        }
        let Some(dividend) = self.without_imaginary(a, span)? else { return Ok(im) };
        let both = self.real(Binary::And, real, dividend, span)?;
        self.zero_where(both, im, span)
    }

    fn complex_equal(&mut self, op: Binary, a: Value, b: Value, span: Span) -> Lowered<Value> {
        let ((ar, ai), (br, bi)) = (self.parts(a), self.parts(b));
        let re = self.real(op, ar, br, span)?;
        let im = self.real(op, ai, bi, span)?;
        self.real(if op == Binary::Eq { Binary::And } else { Binary::Or }, re, im, span)
    }
}
