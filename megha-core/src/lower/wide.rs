//! Operations of 64-bit integers with doubles, which no class holds both: `prelude/wide.m` says what they give.

use super::{Lower, Lowered, Operand};
use crate::diag::Code;
use crate::ir::{Binary, Class, Value};
use crate::source::Span;

impl Lower<'_> {
    /// The operation, if one operand is a double that may be no value of the other's class; else the double can be converted.
    pub(super) fn wide_binary(
        &mut self,
        op: Binary,
        class: Class,
        operands: [Value; 2],
        what: &str,
        span: Span,
    ) -> Lowered<Option<Value>> {
        let wide_first = self.class(operands[0]) == class;
        let name = name(op, wide_first);
        let number = operands[usize::from(wide_first)];
        let Some(name) = name.filter(|_| self.class(number).is_float() && !self.fits_wide(number, class)) else {
            return Ok(None);
        };
        let mut operands = operands.map(|v| if self.class(v) == class { v } else { self.convert(v, Class::Double) });
        self.expand(&mut operands, what, span)?;
        if !wide_first {
            operands.reverse();
        }
        match self.call_inner(name, operands.into(), span, 1)?[..] {
            [Operand::Value(result)] => Ok(Some(result)),
            _ => self.stop(Code::Internal, span, format!("`{name}` gives no value")),
        }
    }

    /// Whether a number is known to be a value of a 64-bit class.
    fn fits_wide(&self, number: Value, class: Class) -> bool {
        let facts = self.facts(number);
        let least = if class == Class::UInt64 { 0.0 } else { -2f64.powi(63) };
        match facts.constant {
            Some(c) => c.fract() == 0.0 && (least..least + 2f64.powi(64)).contains(&c),
            None => facts.whole.is_some() && (class == Class::Int64 || facts.nonnegative),
        }
    }
}

/// The prelude's function of the integer and the double; `None` if the operation converts the double in Octave too.
fn name(op: Binary, wide_first: bool) -> Option<&'static str> {
    Some(match (op, wide_first) {
        (Binary::Add, _) => "wide_plus",
        (Binary::Sub, true) => "wide_minus",
        (Binary::Sub, false) => "wide_minus_from",
        (Binary::Mul, _) => "wide_times",
        (Binary::Div, true) => "wide_rdivide",
        (Binary::Div, false) => "wide_ldivide",
        (Binary::Pow, true) => "wide_power",
        (Binary::Pow, false) => "wide_exponent",
        (Binary::Eq, _) => "wide_eq",
        (Binary::Ne, _) => "wide_ne",
        (Binary::Lt, true) | (Binary::Gt, false) => "wide_lt",
        (Binary::Le, true) | (Binary::Ge, false) => "wide_le",
        (Binary::Gt, true) | (Binary::Lt, false) => "wide_gt",
        (Binary::Ge, true) | (Binary::Le, false) => "wide_ge",
        _ => return None,
    })
}
