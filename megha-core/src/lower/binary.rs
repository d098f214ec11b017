//! Element-wise operators and functions: classes, sizes, facts.

use super::brackets::Hollow;
use super::facts::{Facts, Progression};
use super::{Lower, Lowered};
use crate::diag::{Code, Diagnostic};
use crate::ir::{Binary, Class, Op, Size, Type, Unary, Value};
use crate::source::Span;
use megha_base::float::Float;

/// Polynomials of a higher degree stay ordinary numbers.
const MAX_DEGREE: usize = 3;

impl Lower<'_> {
    /// A `Double` constant.
    pub fn number(&mut self, value: f64) -> Value {
        self.emit(Op::Const(crate::ir::Const::Float(value)), Type::scalar(Class::Double), Facts::constant(value))
    }

    /// A `Logical` constant.
    pub fn truth_constant(&mut self, value: bool) -> Value {
        let facts = Facts::constant(f64::from(u8::from(value)));
        self.emit(Op::Const(crate::ir::Const::Bool(value)), Type::scalar(Class::Logical), facts)
    }

    /// The value converted to a class, as MATLAB converts.
    pub fn convert(&mut self, value: Value, class: Class) -> Value {
        let ty = self.builder.func.ty(value).clone();
        if ty.class == class {
            return value;
        }
        if class == Class::Complex {
            return self.complex_of_real(value);
        }
        if ty.class == Class::Complex {
            let real = self.narrowed(value);
            return self.convert(real, class);
        }
        if let (Some(c), Class::Double) = (self.constant_of(value), class) {
            return self.number(c);
        }
        if let Some(constant) = self.integer_constant(value, class) {
            return constant;
        }
        let old = self.facts(value);
        let exact = class == Class::Double
            || (class == Class::Single && old.constant.is_some_and(|c| c == f64::from(c as f32)));
        let mut facts =
            Facts { nonnegative: old.nonnegative, integral: old.integral || class.is_integer(), ..Facts::default() };
        if exact {
            // The elements are of the old class.
            facts = Facts { elements: None, ..old };
        }
        facts.nonnegative |= ty.class == Class::Logical;
        facts.integral |= ty.class.is_integer() || ty.class == Class::Logical;
        self.emit(Op::Convert(value), ty.with_class(class), facts)
    }

    /// The constant of an integer class that a known number becomes.
    fn integer_constant(&mut self, value: Value, class: Class) -> Option<Value> {
        let (bits, signed) = class.int_bits()?;
        // Facts know doubles, which have gaps above 2^53, and constants of the IR are signed.
        let bits = bits.min(if signed { 54 } else { 53 });
        let known = self.constant_of(value).filter(|c| c.abs() < 2f64.powi(53) && self.is_scalar(value))?;
        let (low, high) = if signed { (-1 << (bits - 1), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) };
        let number = (Float::round(known) as i64).clamp(low, high);
        let facts =
            Facts { constant: Some(number as f64), nonnegative: number >= 0, integral: true, ..Facts::default() };
        Some(self.emit(Op::Const(crate::ir::Const::Int(number)), Type::scalar(class), facts))
    }

    /// The class of an arithmetic operation on two operands (MATLAB: integers win over floats, single over double).
    fn arithmetic_class(&mut self, a: Value, b: Value, what: &str, span: Span) -> Lowered<Class> {
        let classes = (self.class(a), self.class(b));
        Ok(match classes {
            (x, y) if x.is_integer() && y.is_integer() && x != y => {
                let message = format!("{what} cannot combine {} and {}", x.matlab_name(), y.matlab_name());
                return self.report(
                    Diagnostic::error(Code::MixedIntegers, span, message)
                        .help("convert one operand first, for example with double(..)"),
                );
            }
            (x, _) if x.is_integer() => x,
            (_, y) if y.is_integer() => y,
            (Class::Single, _) | (_, Class::Single) => Class::Single,
            _ => Class::Double,
        })
    }

    /// Whether the operands are of two integer classes whose numbers are all doubles, so that these compare them.
    fn narrow_integers(&self, a: Value, b: Value) -> bool {
        let classes = [self.class(a), self.class(b)];
        classes[0] != classes[1] && classes.iter().all(|c| c.int_bits().is_some_and(|(bits, _)| bits < 64))
    }

    /// An element-wise operation on two operands of any class and size.
    pub fn binary(&mut self, op: Binary, a: Value, b: Value, what: &str, span: Span) -> Lowered<Value> {
        let class = match op {
            Binary::And | Binary::Or | Binary::Xor => {
                let truths = [self.tested_logical(a, span)?, self.tested_logical(b, span)?];
                return self.real_binary(op, Class::Logical, truths, what, span);
            }
            _ if self.is_complex(a) || self.is_complex(b) => return self.complex_binary(op, a, b, what, span),
            _ if op.is_logical() && self.narrow_integers(a, b) => Class::Double,
            _ => match self.arithmetic_class(a, b, what, span)? {
                class if class.is_integer() && !op.accepts(class) => Class::Double,
                class => class,
            },
        };
        self.real_binary(op, class, [a, b], what, span)
    }

    fn real_binary(&mut self, op: Binary, class: Class, [a, b]: [Value; 2], what: &str, span: Span) -> Lowered<Value> {
        let before = self.here(span);
        let result = self.binary_in(op, class, a, b, what, span);
        self.builder.set_loc(before);
        result
    }

    fn binary_in(&mut self, op: Binary, class: Class, a: Value, b: Value, what: &str, span: Span) -> Lowered<Value> {
        if let Some(folded) = self.fold(op, class, a, b) {
            return Ok(folded);
        }
        let mixed = class.is_integer() && self.class(a) != self.class(b);
        let wide = matches!(class, Class::Int64 | Class::UInt64);
        if mixed
            && wide
            && let Some(result) = self.wide_binary(op, class, [a, b], what, span)?
        {
            return Ok(result);
        }
        // A narrower integer class computes with a double by way of double, and rounds and saturates once.
        let through_double = mixed && !wide;
        let inner = if through_double { Class::Double } else { class };
        let mut operands = [self.convert(a, inner), self.convert(b, inner)];
        let hollow = operands.map(|v| self.hollow(v));
        let dims = self.expand(&mut operands, what, span)?;
        let [a, b] = operands;
        let logical = op.is_logical() || matches!(op, Binary::And | Binary::Or | Binary::Xor);
        let ty = Type { class: if logical { Class::Logical } else { inner }, dims };
        let facts = self.binary_facts(op, &ty, a, b);
        let value = self.emit(Op::Binary(op, a, b), ty, facts);
        self.moved_likewise(value, op, [a, b]);
        if hollow[0].join(hollow[1]) == Hollow::Brackets {
            self.is_brackets_if_empty(value);
        }
        Ok(if through_double && !logical { self.convert(value, class) } else { value })
    }

    /// Element-wise `~= 0`.
    pub fn logical(&mut self, value: Value) -> Value {
        if self.class(value) == Class::Logical {
            return value;
        }
        if self.is_complex(value) {
            let (re, im) = self.parts(value);
            let (re, im) = (self.logical(re), self.logical(im));
            let ty = self.builder.func.ty(re).clone();
            return self.emit(Op::Binary(Binary::Or, re, im), ty, Facts::default());
        }
        if let Some(c) = self.constant_of(value) {
            return self.truth_constant(c != 0.0);
        }
        let ty = self.builder.func.ty(value).with_class(Class::Logical);
        self.emit(Op::Convert(value), ty, Facts { nonnegative: true, integral: true, ..Facts::default() })
    }

    /// The result of an operation on two known numbers.
    fn fold(&mut self, op: Binary, class: Class, a: Value, b: Value) -> Option<Value> {
        let (x, y) = (self.constant_of(a)?, self.constant_of(b)?);
        if !self.is_scalar(a) || !self.is_scalar(b) {
            return None;
        }
        let truth = match op {
            Binary::Eq => Some(x == y),
            Binary::Ne => Some(x != y),
            Binary::Lt => Some(x < y),
            Binary::Le => Some(x <= y),
            Binary::Gt => Some(x > y),
            Binary::Ge => Some(x >= y),
            Binary::And => Some(x != 0.0 && y != 0.0),
            Binary::Or => Some(x != 0.0 || y != 0.0),
            Binary::Xor => Some((x != 0.0) != (y != 0.0)),
            _ => None,
        };
        if let Some(truth) = truth {
            return Some(self.truth_constant(truth));
        }
        if class != Class::Double {
            return None;
        }
        let value = match op {
            Binary::Add => x + y,
            Binary::Sub => x - y,
            Binary::Mul => x * y,
            Binary::Div => x / y,
            Binary::Max => Float::max(x, y),
            Binary::Min => Float::min(x, y),
            Binary::Mod => Float::modulo(x, y),
            Binary::Rem => Float::rem(x, y),
            Binary::Pow if x >= 0.0 => megha_base::math::pow(x, y),
            _ => return None,
        };
        Some(self.number(value))
    }

    fn binary_facts(&self, op: Binary, ty: &Type, a: Value, b: Value) -> Facts {
        let (fa, fb) = (self.facts(a), self.facts(b));
        let mut facts = Facts::default();
        let both_nonnegative = fa.nonnegative && fb.nonnegative;
        facts.integral = fa.integral
            && fb.integral
            && matches!(
                op,
                Binary::Add | Binary::Sub | Binary::Mul | Binary::Min | Binary::Max | Binary::Mod | Binary::Rem
            );
        facts.nonnegative = match op {
            Binary::Add | Binary::Div | Binary::Pow | Binary::Rem => both_nonnegative,
            Binary::Mul => both_nonnegative || a == b,
            Binary::Mod => fb.nonnegative,
            Binary::Min => both_nonnegative,
            Binary::Max => fa.nonnegative || fb.nonnegative,
            Binary::Hypot => true,
            _ => ty.class == Class::Logical,
        };
        facts.at_most = bound(op, &fa, &fb).filter(|_| ty.is_scalar());
        facts.nonnegative |= op == Binary::Pow && fb.constant.is_some_and(|c| c.rem_euclid(2.0) == 0.0);
        let doubles = self.class(a) == Class::Double && self.class(b) == Class::Double;
        if ty.is_scalar() && doubles && matches!(op, Binary::Add | Binary::Sub) {
            facts.offset = self.offset(op == Binary::Sub, a, b);
        }
        if ty.is_scalar()
            && ty.class == Class::Double
            && let (Some(x), Some(y)) = (fa.whole, fb.whole)
        {
            facts.whole = match op {
                Binary::Add => Some(x.add(&y)),
                Binary::Sub => Some(x.sub(&y)),
                // A product may be -0; it is a whole number as a polynomial only if neither factor is negative.
                Binary::Mul if self.never_negative(&x) && self.never_negative(&y) => Some(x.mul(&y)),
                _ => None,
            }
            .filter(|s| s.degree() <= MAX_DEGREE);
            if op == Binary::Div
                && let Some(d) = y.as_constant().filter(|d| *d > 0)
            {
                facts.quotient = Some((x, d));
            }
            if let Some(whole) = &facts.whole {
                facts.nonnegative = self.never_negative(whole);
                facts.integral = true;
            }
        }
        if !ty.is_scalar() && doubles {
            facts.progression = self.moved(op, a, b);
        }
        facts
    }

    /// Equally spaced whole numbers and a whole number: `k + (1:n)`, `n - (0:3)`, `2 * (1:n)`.
    fn moved(&self, op: Binary, a: Value, b: Value) -> Option<Progression> {
        let (fa, fb) = (self.facts(a), self.facts(b));
        let (range, number, negative) = match (fa.progression, fb.progression) {
            (Some(range), None) => (range, fb.whole?, false),
            (None, Some(range)) => (range, fa.whole?, op == Binary::Sub),
            _ => return None,
        };
        let Progression { start, step, len, undefined } = range;
        let (start, step) = match op {
            Binary::Add => (start.add(&number), step),
            Binary::Sub if negative => (number.sub(&start), step.checked_neg()?),
            Binary::Sub => (start.sub(&number), step),
            Binary::Mul => {
                let factor = number.as_constant().filter(|c| *c != 0)?;
                (start.scale(factor), step.checked_mul(factor)?)
            }
            _ => return None,
        };
        (start.degree() <= MAX_DEGREE).then_some(Progression { start, step, len, undefined })
    }

    /// How a sum or difference is a whole number and a scalar of which nothing is known.
    fn offset(&self, minus: bool, a: Value, b: Value) -> Option<(Size, bool, Value)> {
        let (fa, fb) = (self.facts(a), self.facts(b));
        let signed = |size: Size| if minus { size.scale(-1) } else { size };
        match (fa.whole, fb.whole) {
            (None, Some(y)) => {
                let (x, less, rest) = fa.offset.unwrap_or((Size::constant(0), false, a));
                Some((x.add(&signed(y)), less, rest))
            }
            (Some(x), None) => {
                let (y, less, rest) = fb.offset.unwrap_or((Size::constant(0), false, b));
                Some((x.add(&signed(y)), less != minus, rest))
            }
            _ => None,
        }
        .filter(|(size, ..)| size.degree() <= MAX_DEGREE)
    }

    /// An element-wise function of one operand; integer classes stay what they are where that is exact.
    pub fn unary(&mut self, op: Unary, value: Value, span: Span) -> Lowered<Value> {
        if self.is_complex(value) {
            return self.complex_unary(op, value, span);
        }
        let before = self.here(span);
        let result = self.unary_in(op, value);
        self.builder.set_loc(before);
        Ok(result)
    }

    fn unary_in(&mut self, op: Unary, value: Value) -> Value {
        let class = self.class(value);
        let rounding = matches!(op, Unary::Floor | Unary::Ceil | Unary::Round | Unary::Fix | Unary::Rint);
        if rounding && class.is_integer() {
            return value;
        }
        if let Some(result) = self.round_whole(op, value) {
            return result;
        }
        if let Some(c) = self.constant_of(value).filter(|_| class == Class::Double)
            && let Some(folded) = fold_unary(op, c)
        {
            return self.number(folded);
        }
        let operand = match class {
            Class::Logical | Class::Char if op != Unary::Not => self.convert(value, Class::Double),
            // As in Octave, the functions of real numbers give doubles for integers.
            _ if class.is_integer() && !op.accepts(class) => self.convert(value, Class::Double),
            _ => value,
        };
        let ty = self.builder.func.ty(operand).clone();
        let result = op.class(ty.class);
        let facts = self.unary_facts(op, operand, &ty);
        self.emit(Op::Unary(op, operand), ty.with_class(result), facts)
    }

    fn unary_facts(&self, op: Unary, operand: Value, ty: &Type) -> Facts {
        let old = self.facts(operand);
        let rounding = matches!(op, Unary::Floor | Unary::Ceil | Unary::Round | Unary::Fix | Unary::Rint);
        let mut facts = Facts {
            nonnegative: matches!(op, Unary::Abs | Unary::Sqrt | Unary::Exp | Unary::Cosh | Unary::Erfc)
                || op.is_logical()
                || (old.nonnegative
                    && (rounding
                        || matches!(
                            op,
                            Unary::Sign
                                | Unary::Erf
                                | Unary::Tanh
                                | Unary::Sinh
                                | Unary::Atan
                                | Unary::Log1p
                                | Unary::Expm1
                        ))),
            integral: rounding
                || op == Unary::Sign
                || op.is_logical()
                || (old.integral && matches!(op, Unary::Neg | Unary::Abs)),
            ..Facts::default()
        };
        if let Some(whole) = old.whole.filter(|_| ty.is_scalar()) {
            match op {
                // -x is -0 where x is 0.
                Unary::Neg
                    if self.never_negative(&whole.add_const(-1))
                        || self.never_negative(&whole.scale(-1).add_const(-1)) =>
                {
                    facts.whole = Some(whole.scale(-1));
                }
                Unary::Abs if self.never_negative(&whole) => facts.whole = Some(whole),
                _ => {}
            }
        }
        facts
    }

    /// Rounding of whole numbers and of their quotients.
    fn round_whole(&mut self, op: Unary, value: Value) -> Option<Value> {
        if !self.is_scalar(value) || self.class(value) != Class::Double {
            return None;
        }
        let facts = self.facts(value);
        let rounding = matches!(op, Unary::Floor | Unary::Ceil | Unary::Round | Unary::Fix | Unary::Rint);
        if rounding && facts.whole.is_some() {
            return Some(value);
        }
        let (numerator, by) = facts.quotient?;
        let size = match op {
            Unary::Floor => self.size_div(numerator, by),
            Unary::Fix if self.never_negative(&numerator) => self.size_div(numerator, by),
            // ceil(a/b) = floor((a + b - 1)/b); a result of -0 (a in -b+1..0) must not be taken for 0.
            Unary::Ceil if self.never_negative(&numerator) => self.size_div(numerator.add_const(by - 1), by),
            _ => return None,
        };
        Some(self.double_of_size(&size))
    }
}

fn fold_unary(op: Unary, x: f64) -> Option<f64> {
    Some(match op {
        Unary::Neg => -x,
        Unary::Abs => x.abs(),
        Unary::Floor => x.floor(),
        Unary::Ceil => x.ceil(),
        Unary::Fix => x.trunc(),
        Unary::Round => x.round(),
        Unary::Sqrt if x >= 0.0 => x.sqrt(),
        _ => return None,
    })
}

/// What a remainder by a known number, or the smaller of one and another, is meant to be at most if it is a whole number.
fn bound(op: Binary, a: &Facts, b: &Facts) -> Option<i64> {
    /// Below it, whole numbers and those next to them are exact.
    const LARGE: f64 = 1e15;
    let known = |facts: &Facts| facts.constant.filter(|c| c.abs() < LARGE).map(f64::floor);
    match op {
        // The remainder of -1e-20 by 5 rounds to 5.
        Binary::Mod | Binary::Rem => {
            let modulus = b.constant.filter(|c| (1.0..LARGE).contains(c))?;
            Some(if a.integral && b.integral { modulus - 1.0 } else { modulus.ceil() })
        }
        Binary::Min => known(a).or(known(b)),
        _ => None,
    }
    .map(|most| most as i64)
}
