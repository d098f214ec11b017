//! The order of complex numbers, which is Octave's: by absolute value, among equal ones by angle.
//!
//! Octave narrows an array without imaginary parts to a real one, whose order is that of the numbers; so the values decide.

use crate::ir::{Binary, ReduceOp, Value};
use crate::lower::{Lower, Lowered};
use crate::source::Span;

impl Lower<'_> {
    /// `a < b` and the like, where an operand is complex.
    pub(super) fn complex_order(&mut self, op: Binary, a: Value, b: Value, span: Span) -> Lowered<Value> {
        let (size_a, size_b) = (self.modulus(a, span)?, self.modulus(b, span)?);
        let (angle_a, angle_b) = (self.argument(a, span)?, self.argument(b, span)?);
        let by_size = self.real(op, size_a, size_b, span)?;
        let by_angle = self.real(op, angle_a, angle_b, span)?;
        let tie = self.real(Binary::Eq, size_a, size_b, span)?;
        let complex = self.choose(tie, by_angle, by_size, span)?;
        let ((re_a, _), (re_b, _)) = (self.parts(a), self.parts(b));
        let real = self.real(op, re_a, re_b, span)?;
        let (some_a, some_b) = (self.has_imaginary(a, span)?, self.has_imaginary(b, span)?);
        let either = self.real(Binary::Or, some_a, some_b, span)?;
        self.choose(either, complex, real, span)
    }

    /// Whether an element has an imaginary part that is not zero, as a `Logical` scalar.
    pub fn has_imaginary(&mut self, value: Value, span: Span) -> Lowered<Value> {
        if !self.is_complex(value) {
            return Ok(self.truth_constant(false));
        }
        let (_, im) = self.parts(value);
        if self.facts(im).zero || self.constant_of(im) == Some(0.0) {
            return Ok(self.truth_constant(false));
        }
        let zero = self.number(0.0);
        let some = self.real(Binary::Ne, im, zero, span)?;
        let axes: Vec<usize> = (0..self.builder.func.ty(some).dims.len()).collect();
        Ok(self.reduce(ReduceOp::Any, some, &axes))
    }
}
