//! Functions of one complex number, from real functions of its parts.

use crate::ir::{Binary, Unary, Value};
use crate::lower::{Lower, Lowered};
use crate::source::Span;

impl Lower<'_> {
    /// An element-wise function of a complex value.
    pub fn complex_unary(&mut self, op: Unary, z: Value, span: Span) -> Lowered<Value> {
        match op {
            Unary::Neg | Unary::Floor | Unary::Ceil | Unary::Round | Unary::Fix | Unary::Rint => {
                self.each_part(op, z, span)
            }
            Unary::Abs => self.modulus(z, span),
            Unary::Sign => self.complex_sign(z, span),
            Unary::IsNan | Unary::IsInf => self.of_parts(op, Binary::Or, z, span),
            Unary::IsFinite => self.of_parts(op, Binary::And, z, span),
            Unary::Not => {
                let logical = self.logical(z);
                Ok(self.not(logical))
            }
            Unary::Sqrt => self.complex_sqrt(z, span),
            Unary::Exp => self.complex_exp(z, span),
            Unary::Log => self.complex_log(z, span),
            Unary::Log2 => self.log_to_base(z, std::f64::consts::LN_2, span),
            Unary::Log10 => self.log_to_base(z, std::f64::consts::LN_10, span),
            Unary::Sin | Unary::Cos | Unary::Sinh | Unary::Cosh => self.addition_theorem(op, z, span),
            Unary::Tanh => self.complex_tanh(z, span),
            Unary::Tan => self.complex_tan(z, span),
            Unary::Atan => self.complex_atan(z, span),
            _ => self.not_for_complex(
                &format!("`{}`", op.name()),
                "write it with exp, log and sqrt, which take complex numbers",
                span,
            ),
        }
    }

    fn each_part(&mut self, op: Unary, z: Value, span: Span) -> Lowered<Value> {
        let (re, im) = self.parts(z);
        let (re, im) = (self.unary(op, re, span)?, self.unary(op, im, span)?);
        self.complex(re, im, span)
    }

    fn of_parts(&mut self, op: Unary, join: Binary, z: Value, span: Span) -> Lowered<Value> {
        let (re, im) = self.parts(z);
        let (re, im) = (self.unary(op, re, span)?, self.unary(op, im, span)?);
        self.real(join, re, im, span)
    }

    /// `z / abs(z)`, and 0 of 0.
    fn complex_sign(&mut self, z: Value, span: Span) -> Lowered<Value> {
        let size = self.modulus(z, span)?;
        let (zero, one) = (self.number(0.0), self.number(1.0));
        let nothing = self.real(Binary::Eq, size, zero, span)?;
        let divisor = self.choose(nothing, one, size, span)?;
        self.complex_binary(Binary::Div, z, divisor, "`sign`", span)
    }

    /// The root with a real part that is not negative: with t = sqrt((abs(z) + abs(re)) / 2), the parts are t and im / 2t, in
    /// the order that the sign of the real part says. No difference cancels.
    pub(super) fn complex_sqrt(&mut self, z: Value, span: Span) -> Lowered<Value> {
        let (re, im) = self.parts(z);
        let im = self.unsigned_zero(z, im, span)?;
        let (zero, half, two) = (self.number(0.0), self.number(0.5), self.number(2.0));
        let size = self.real(Binary::Hypot, re, im, span)?;
        let width = self.unary(Unary::Abs, re, span)?;
        let sum = self.real(Binary::Add, size, width, span)?;
        let mean = self.real(Binary::Mul, half, sum, span)?;
        let t = self.unary(Unary::Sqrt, mean, span)?;
        let twice = self.real(Binary::Mul, two, t, span)?;
        let other = self.real(Binary::Div, im, twice, span)?;
        // Of a real number the other part is its zero; 0/0 does not occur.
        let flat = self.real(Binary::Eq, im, zero, span)?;
        let other = self.choose(flat, im, other, span)?;
        let right = self.real(Binary::Ge, re, zero, span)?;
        let other_size = self.unary(Unary::Abs, other, span)?;
        let real = self.choose(right, t, other_size, span)?;
        let below = self.is_negative(im, span)?;
        let opposite = self.unary(Unary::Neg, t, span)?;
        let signed = self.choose(below, opposite, t, span)?;
        let imaginary = self.choose(right, other, signed, span)?;
        self.complex(real, imaginary, span)
    }

    /// Whether the sign bit is set, also that of -0, whose reciprocal is negative.
    fn is_negative(&mut self, x: Value, span: Span) -> Lowered<Value> {
        let (zero, one) = (self.number(0.0), self.number(1.0));
        let below = self.real(Binary::Lt, x, zero, span)?;
        let reciprocal = self.real(Binary::Div, one, x, span)?;
        let zero_below = self.real(Binary::Lt, reciprocal, zero, span)?;
        self.real(Binary::Or, below, zero_below, span)
    }

    fn complex_exp(&mut self, z: Value, span: Span) -> Lowered<Value> {
        let (re, im) = self.parts(z);
        let size = self.unary(Unary::Exp, re, span)?;
        self.polar(size, im, span)
    }

    /// The number of this absolute value and angle; an angle of zero leaves an infinite one real.
    pub(super) fn polar(&mut self, size: Value, angle: Value, span: Span) -> Lowered<Value> {
        let (cos, sin) = (self.unary(Unary::Cos, angle, span)?, self.unary(Unary::Sin, angle, span)?);
        let (re, im) = (self.real(Binary::Mul, size, cos, span)?, self.real(Binary::Mul, size, sin, span)?);
        let zero = self.number(0.0);
        let flat = self.real(Binary::Eq, angle, zero, span)?;
        let im = self.choose(flat, angle, im, span)?;
        self.complex(re, im, span)
    }

    fn complex_log(&mut self, z: Value, span: Span) -> Lowered<Value> {
        let size = self.modulus(z, span)?;
        let (re, im) = (self.unary(Unary::Log, size, span)?, self.argument(z, span)?);
        self.complex(re, im, span)
    }

    fn log_to_base(&mut self, z: Value, base: f64, span: Span) -> Lowered<Value> {
        let log = self.complex_log(z, span)?;
        let base = self.number(base);
        self.complex_binary(Binary::Div, log, base, "`log`", span)
    }

    /// sin(x + iy) = sin x cosh y + i cos x sinh y, and its like.
    fn addition_theorem(&mut self, op: Unary, z: Value, span: Span) -> Lowered<Value> {
        let (x, y) = self.parts(z);
        let (first, second, third, fourth) = match op {
            Unary::Sin => (Unary::Sin, Unary::Cosh, Unary::Cos, Unary::Sinh),
            Unary::Cos => (Unary::Cos, Unary::Cosh, Unary::Sin, Unary::Sinh),
            Unary::Sinh => (Unary::Sinh, Unary::Cos, Unary::Cosh, Unary::Sin),
            _ => (Unary::Cosh, Unary::Cos, Unary::Sinh, Unary::Sin),
        };
        let (a, b) = (self.unary(first, x, span)?, self.unary(second, y, span)?);
        let (c, d) = (self.unary(third, x, span)?, self.unary(fourth, y, span)?);
        let (re, im) = (self.real(Binary::Mul, a, b, span)?, self.real(Binary::Mul, c, d, span)?);
        let im = if op == Unary::Cos { self.unary(Unary::Neg, im, span)? } else { im };
        self.complex(re, im, span)
    }

    /// With T = tanh x and t = tan y, tanh(x + iy) = (T (1 + t^2) + i t / cosh(x)^2) / (1 + T^2 t^2): every factor stays finite.
    fn complex_tanh(&mut self, z: Value, span: Span) -> Lowered<Value> {
        let (x, y) = self.parts(z);
        let one = self.number(1.0);
        let (tanh, tan) = (self.unary(Unary::Tanh, x, span)?, self.unary(Unary::Tan, y, span)?);
        let cosh = self.unary(Unary::Cosh, x, span)?;
        let square = |this: &mut Self, v| this.real(Binary::Mul, v, v, span);
        let (tan_2, cosh_2) = (square(self, tan)?, square(self, cosh)?);
        let both = self.real(Binary::Mul, tanh, tan, span)?;
        let both_2 = square(self, both)?;
        let divisor = self.real(Binary::Add, one, both_2, span)?;
        let wide = self.real(Binary::Add, one, tan_2, span)?;
        let re = self.real(Binary::Mul, tanh, wide, span)?;
        let im = self.real(Binary::Div, tan, cosh_2, span)?;
        let re = self.real(Binary::Div, re, divisor, span)?;
        let im = self.real(Binary::Div, im, divisor, span)?;
        self.complex(re, im, span)
    }

    /// tan z = -i tanh(iz)
    fn complex_tan(&mut self, z: Value, span: Span) -> Lowered<Value> {
        let (re, im) = self.parts(z);
        let opposite = self.unary(Unary::Neg, im, span)?;
        let turned = self.complex(opposite, re, span)?;
        let tanh = self.complex_tanh(turned, span)?;
        let (re, im) = self.parts(tanh);
        let opposite = self.unary(Unary::Neg, re, span)?;
        self.complex(im, opposite, span)
    }

    /// atan(x + iy) = atan2(2x, (1 + r)(1 - r)) / 2 + i log1p(4y / (x^2 + (1 - y)^2)) / 4, where r is the absolute value; atan x of
    /// real numbers.
    fn complex_atan(&mut self, z: Value, span: Span) -> Lowered<Value> {
        let (x, y) = self.parts(z);
        let [zero, half, one, two] = [0.0, 0.5, 1.0, 2.0].map(|c| self.number(c));
        let r = self.real(Binary::Hypot, x, y, span)?;
        let (above, below) = (self.real(Binary::Add, one, r, span)?, self.real(Binary::Sub, one, r, span)?);
        let cosine = self.real(Binary::Mul, above, below, span)?;
        let sine = self.real(Binary::Mul, two, x, span)?;
        let angle = self.real(Binary::Atan2, sine, cosine, span)?;
        let angle = self.real(Binary::Mul, half, angle, span)?;
        let off = self.real(Binary::Sub, one, y, span)?;
        let (x_2, off_2) = (self.real(Binary::Mul, x, x, span)?, self.real(Binary::Mul, off, off, span)?);
        let divisor = self.real(Binary::Add, x_2, off_2, span)?;
        let (four, quarter) = (self.number(4.0), self.number(0.25));
        let ratio = self.real(Binary::Mul, four, y, span)?;
        let ratio = self.real(Binary::Div, ratio, divisor, span)?;
        let log = self.unary(Unary::Log1p, ratio, span)?;
        let im = self.real(Binary::Mul, quarter, log, span)?;
        let flat = self.real(Binary::Eq, y, zero, span)?;
        let atan = self.unary(Unary::Atan, x, span)?;
        let (re, im) = (self.choose(flat, atan, angle, span)?, self.choose(flat, y, im, span)?);
        self.complex(re, im, span)
    }
}
