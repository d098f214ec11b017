//! Complex numbers: every operation on them is written here as operations on their real and imaginary parts.
//!
//! A complex value is made by [`Op::Complex`] and read by [`Op::Part`]; in between it only travels: through variables,
//! branches, loops, subscripts, stores and brackets. [`split`] then replaces it by its two parts.
//!
//! **Class.** MATLAB and Octave narrow a complex result whose imaginary parts are all zero to a real one when the program
//! runs. Here a value is complex by type: whatever has met `2i`, `complex(..)` or a complex argument. Where a real number is
//! needed (a subscript, a real result), imaginary parts are tested to be zero, so the values are those of Octave; `isreal`
//! looks at the values; the order of numbers, which differs between real and complex ones, is chosen by the values too.
//!
//! **Formulas.** Products and sums are rounded as Octave rounds them. Quotients follow Smith (Algorithm 116, 1962). An
//! infinite operand of a product or quotient may give NaN where Annex G of C recovers an infinity, as in MATLAB.

mod arithmetic;
mod elementary;
mod matrices;
mod order;
mod power;
mod reductions;
pub(crate) mod split;

use super::facts::Facts;
use super::{Lower, Lowered, Operand};
use crate::diag::{Code, Diagnostic};
use crate::ir::{Binary, Check, Class, Op, Part, Type, Unary, Value};
use crate::source::Span;

impl Lower<'_> {
    /// Whether the value is complex.
    pub fn is_complex(&self, value: Value) -> bool {
        self.class(value) == Class::Complex
    }

    /// `2i`
    pub fn imaginary(&mut self, value: f64) -> Value {
        let (re, im) = (self.number(0.0), self.number(value));
        self.paired(re, im)
    }

    /// The complex numbers with these parts, which expand to each other.
    pub fn complex(&mut self, re: Value, im: Value, span: Span) -> Lowered<Value> {
        let mut parts = [self.convert(re, Class::Double), self.convert(im, Class::Double)];
        let dims = self.expand(&mut parts, "the parts of a complex number", span)?;
        let ty = Type { class: Class::Double, dims };
        let [re, im] = parts.map(|part| self.spread(part, &ty));
        Ok(self.paired(re, im))
    }

    /// What a function of the library gives.
    pub fn all_computed(&mut self, results: Vec<Operand>) -> Vec<Operand> {
        let one = |operand| match operand {
            Operand::Value(value) => Operand::Value(self.computed(value)),
            other => other,
        };
        results.into_iter().map(one).collect()
    }

    /// A number that an operation gives back unchanged: of complex numbers that `complex(..)` made, no longer those.
    pub fn computed(&mut self, value: Value) -> Value {
        if !self.is_complex(value) || !self.facts(value).paired {
            return value;
        }
        let (re, im) = self.parts(value);
        self.paired(re, im)
    }

    /// The complex numbers with these parts, two `Double` values of one type.
    pub fn paired(&mut self, re: Value, im: Value) -> Value {
        let ty = self.builder.func.ty(re).with_class(Class::Complex);
        let z = self.emit(Op::Complex(re, im), ty, Facts::default());
        self.learn(z, Facts { parts: Some((z, re, im)), ..Facts::default() });
        z
    }

    /// The value repeated to these sizes.
    fn spread(&mut self, value: Value, ty: &Type) -> Value {
        if self.builder.func.ty(value) == ty {
            return value;
        }
        let zero = self.constant_of(value) == Some(0.0);
        self.emit(Op::Fill(value), ty.clone(), Facts { zero, ..Facts::default() })
    }

    /// A real value as a complex one.
    pub fn complex_of_real(&mut self, value: Value) -> Value {
        let re = self.convert(value, Class::Double);
        let dims = self.builder.func.ty(re).dims.clone();
        let im = self.filled(0.0, Class::Double, dims);
        self.paired(re, im)
    }

    /// The real and the imaginary parts; of a real value the scalar 0 stands for the latter.
    pub fn parts(&mut self, value: Value) -> (Value, Value) {
        if !self.is_complex(value) {
            let re = self.convert(value, Class::Double);
            return (re, self.number(0.0));
        }
        match self.facts(value).parts {
            Some((owner, re, im)) if owner == value => (re, im),
            _ => {
                let ty = self.builder.func.ty(value).with_class(Class::Double);
                let part = |this: &mut Self, part| this.emit(Op::Part(part, value), ty.clone(), Facts::default());
                (part(self, Part::Real), part(self, Part::Imag))
            }
        }
    }

    /// The real part of a value whose imaginary part must be zero: an error at run time if it is not.
    pub fn narrowed(&mut self, value: Value) -> Value {
        let (re, im) = self.parts(value);
        let zero = self.number(0.0);
        let span = self.spans.span(self.builder.loc()).unwrap_or_default();
        // The sizes are those of one value, so the comparison cannot fail.
        if let Ok(fine) = self.binary(Binary::Eq, im, zero, "a complex number", span) {
            self.assert_all(fine, Check::complex("a complex number stands where a real one is needed"), span);
        }
        re
    }

    /// `a op b` on real values of sizes that fit.
    fn real(&mut self, op: Binary, a: Value, b: Value, span: Span) -> Lowered<Value> {
        self.binary(op, a, b, "an operation on complex numbers", span)
    }

    /// Element-wise `a` where the condition holds, else `b`; both real.
    pub fn choose(&mut self, cond: Value, a: Value, b: Value, span: Span) -> Lowered<Value> {
        if let Some(known) = self.constant_of(cond) {
            return Ok(if known != 0.0 { a } else { b });
        }
        let mut operands = [cond, a, b];
        let dims = self.expand(&mut operands, "a choice", span)?;
        let [cond, a, b] = operands;
        let ty = Type { class: self.class(a), dims };
        Ok(self.emit(Op::Select(cond, a, b), ty, Facts::default()))
    }

    /// The absolute value.
    pub fn modulus(&mut self, value: Value, span: Span) -> Lowered<Value> {
        if !self.is_complex(value) {
            return self.unary(Unary::Abs, value, span);
        }
        let (re, im) = self.parts(value);
        self.real(Binary::Hypot, re, im, span)
    }

    /// The angle in -pi .. pi. Octave narrows a scalar whose imaginary part is -0 to a real number before it takes the angle,
    /// so that part counts as +0.
    pub fn argument(&mut self, value: Value, span: Span) -> Lowered<Value> {
        let (re, im) = self.parts(value);
        let im = self.unsigned_zero(value, im, span)?;
        self.real(Binary::Atan2, im, re, span)
    }

    /// The imaginary part with -0 made +0 if it is that of a scalar: -0 + 0 is +0, and nothing else changes.
    fn unsigned_zero(&mut self, of: Value, im: Value, span: Span) -> Lowered<Value> {
        if !self.is_scalar(of) {
            return Ok(im);
        }
        let zero = self.number(0.0);
        self.real(Binary::Add, im, zero, span)
    }

    /// The complex conjugate.
    pub fn conjugate(&mut self, value: Value, span: Span) -> Lowered<Value> {
        if !self.is_complex(value) {
            return Ok(self.convert_number(value));
        }
        let (re, im) = self.parts(value);
        let im = self.unary(Unary::Neg, im, span)?;
        self.complex(re, im, span)
    }

    /// Reports an operation that complex numbers do not have here.
    pub fn not_for_complex<T>(&mut self, what: &str, help: &str, span: Span) -> Lowered<T> {
        let message = format!("{what} of complex numbers is not supported");
        self.report(Diagnostic::error(Code::Complex, span, message).help(help))
    }
}
