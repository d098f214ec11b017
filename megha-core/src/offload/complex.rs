//! Complex numbers: `num_complex::Complex<f64>`.
//!
//! As in MATLAB's front end a complex value is one value of class `Complex` while a function is lowered, and the split, which ends lowering,
//! makes two real ones of it ([`crate::ir::complex`]). Arithmetic is what `num_complex` writes, part by part and in its order, so results
//! have its bits; where one operand is a real number it has formulas of its own.

use super::ast::{BinaryOp, Function, ParamType, Scalar};
use super::lower::Lower;
use super::types::ComplexMethod;
use crate::ir::{Binary, Class, Func, Op, Part, Unary, Value};

impl Lower<'_> {
    /// The complex number of two parts.
    pub(super) fn complex(&mut self, re: Value, im: Value) -> Value {
        self.scalar(Op::Complex(re, im), Class::Complex)
    }

    /// A part of a complex number.
    pub(super) fn part(&mut self, part: Part, z: Value) -> Value {
        self.scalar(Op::Part(part, z), Class::Double)
    }

    fn parts(&mut self, z: Value) -> (Value, Value) {
        (self.part(Part::Real, z), self.part(Part::Imag, z))
    }

    fn is_complex(&self, value: Value) -> bool {
        self.class_of(value) == Class::Complex
    }

    fn double(&mut self, op: Binary, a: Value, b: Value) -> Value {
        self.scalar(Op::Binary(op, a, b), op.class(Class::Double))
    }

    /// An operator between two numbers, if one of them is complex.
    pub(super) fn complex_binary(&mut self, op: BinaryOp, a: Value, b: Value) -> Option<Value> {
        match (self.is_complex(a), self.is_complex(b)) {
            (true, true) => Some(self.between(op, a, b)),
            (true, false) => Some(self.with_real(op, a, b)),
            (false, true) => Some(self.of_real(op, a, b)),
            (false, false) => None,
        }
    }

    /// Two complex numbers.
    fn between(&mut self, op: BinaryOp, a: Value, b: Value) -> Value {
        let ((a, b), (c, d)) = (self.parts(a), self.parts(b));
        match op {
            BinaryOp::Mul => {
                let (ac, bd) = (self.double(Binary::Mul, a, c), self.double(Binary::Mul, b, d));
                let (ad, bc) = (self.double(Binary::Mul, a, d), self.double(Binary::Mul, b, c));
                let (re, im) = (self.double(Binary::Sub, ac, bd), self.double(Binary::Add, ad, bc));
                self.complex(re, im)
            }
            BinaryOp::Div => {
                let norm = self.norm_sqr((c, d));
                let (ac, bd) = (self.double(Binary::Mul, a, c), self.double(Binary::Mul, b, d));
                let (bc, ad) = (self.double(Binary::Mul, b, c), self.double(Binary::Mul, a, d));
                let (re, im) = (self.double(Binary::Add, ac, bd), self.double(Binary::Sub, bc, ad));
                self.both(Binary::Div, (re, im), (norm, norm))
            }
            BinaryOp::Eq | BinaryOp::Ne => {
                let op = super::expr::plain(op);
                let (re, im) = (self.double(op, a, c), self.double(op, b, d));
                let join = if op == Binary::Eq { Binary::And } else { Binary::Or };
                self.scalar(Op::Binary(join, re, im), Class::Logical)
            }
            // Sums and differences; there is nothing else that types let through.
            other => self.both(super::expr::plain(other), (a, b), (c, d)),
        }
    }

    /// The operation on both parts.
    fn both(&mut self, op: Binary, (a, b): (Value, Value), (c, d): (Value, Value)) -> Value {
        let (re, im) = (self.double(op, a, c), self.double(op, b, d));
        self.complex(re, im)
    }

    /// A complex number and a real one.
    fn with_real(&mut self, op: BinaryOp, z: Value, x: Value) -> Value {
        let (re, im) = self.parts(z);
        match op {
            BinaryOp::Mul | BinaryOp::Div => self.both(super::expr::plain(op), (re, im), (x, x)),
            other => {
                let re = self.double(super::expr::plain(other), re, x);
                self.complex(re, im)
            }
        }
    }

    /// A real number and a complex one.
    fn of_real(&mut self, op: BinaryOp, x: Value, z: Value) -> Value {
        let (re, im) = self.parts(z);
        match op {
            BinaryOp::Mul => self.both(Binary::Mul, (x, x), (re, im)),
            BinaryOp::Div => {
                let norm = self.norm_sqr((re, im));
                let (re, im) = (self.double(Binary::Mul, x, re), self.double(Binary::Mul, x, im));
                let (re, im) = (self.double(Binary::Div, re, norm), self.double(Binary::Div, im, norm));
                let zero = self.float(0.0, Scalar::F64);
                let im = self.double(Binary::Sub, zero, im);
                self.complex(re, im)
            }
            BinaryOp::Sub => {
                let zero = self.float(0.0, Scalar::F64);
                self.both(Binary::Sub, (x, zero), (re, im))
            }
            other => {
                let re = self.double(super::expr::plain(other), x, re);
                self.complex(re, im)
            }
        }
    }

    /// The number with the other sign.
    pub(super) fn complex_negation(&mut self, z: Value) -> Value {
        let (re, im) = self.parts(z);
        let (re, im) = (self.unary(Unary::Neg, re), self.unary(Unary::Neg, im));
        self.complex(re, im)
    }

    fn norm_sqr(&mut self, (re, im): (Value, Value)) -> Value {
        let (a, b) = (self.double(Binary::Mul, re, re), self.double(Binary::Mul, im, im));
        self.double(Binary::Add, a, b)
    }

    /// A method of a complex number.
    pub(super) fn complex_method(&mut self, method: ComplexMethod, z: Value, args: &[Value]) -> Value {
        let (re, im) = self.parts(z);
        match method {
            ComplexMethod::Conj => {
                let im = self.unary(Unary::Neg, im);
                self.complex(re, im)
            }
            ComplexMethod::NormSqr => self.norm_sqr((re, im)),
            ComplexMethod::Norm => self.double(Binary::Hypot, re, im),
            ComplexMethod::L1Norm => {
                let (re, im) = (self.unary(Unary::Abs, re), self.unary(Unary::Abs, im));
                self.double(Binary::Add, re, im)
            }
            ComplexMethod::Arg => self.double(Binary::Atan2, im, re),
            ComplexMethod::Inv => {
                let norm = self.norm_sqr((re, im));
                let im = self.unary(Unary::Neg, im);
                self.both(Binary::Div, (re, im), (norm, norm))
            }
            ComplexMethod::Scale => self.both(Binary::Mul, (re, im), (args[0], args[0])),
            ComplexMethod::Unscale => self.both(Binary::Div, (re, im), (args[0], args[0])),
            ComplexMethod::IsNan => self.of_both(Unary::IsNan, Binary::Or, (re, im)),
            ComplexMethod::IsFinite => self.of_both(Unary::IsFinite, Binary::And, (re, im)),
        }
    }

    /// A question about both parts.
    fn of_both(&mut self, question: Unary, join: Binary, (re, im): (Value, Value)) -> Value {
        let (re, im) = (self.unary(question, re), self.unary(question, im));
        self.scalar(Op::Binary(join, re, im), Class::Logical)
    }
}

/// The parameter of the function that each parameter of the IR is, or is a part of. `class` gives the types of parameters.
pub(super) fn owners(function: &Function, class: &dyn Fn(usize) -> Scalar) -> Vec<usize> {
    let parts = |number: usize| if class(number) == Scalar::C64 { 2 } else { 1 };
    (0..function.params.len()).flat_map(|number| vec![number; parts(number)]).collect()
}

/// Whether a parameter is an array of complex numbers.
pub(super) fn is_complex_array(ty: ParamType) -> bool {
    matches!(ty, ParamType::Array { class: Scalar::C64, .. })
}

/// Gives the parts of what the program names its name: it has no other for them.
pub(super) fn name_parts(func: &mut Func) {
    let whole = |name: &mut String| {
        let found = [Part::Real, Part::Imag].into_iter().find_map(|part| part.whole(name));
        if let Some(found) = found.map(str::to_owned) {
            *name = found;
        }
    };
    func.names.iter_mut().flatten().for_each(whole);
    func.params.iter_mut().for_each(|param| whole(&mut param.name));
    func.result_names.iter_mut().for_each(whole);
}
