//! `/` and `%` of whole numbers, which truncate. What Rust panics at (a divisor of zero, the least number by -1) is tested.

use crate::ir::{Binary, Op, Size, Value};
use crate::offload::ast::{BinaryOp, Scalar};
use crate::offload::lower::Lower;

impl Lower<'_> {
    /// Quotient or remainder.
    pub(super) fn quotient(&mut self, op: BinaryOp, (a, b): (Value, Value), of: Scalar) -> Value {
        let by = self.known_size(b).and_then(Size::as_constant).filter(|by| *by > 0);
        if by.is_some() && self.is_never_negative(a, of) {
            return self.known_quotient(op, a, b).unwrap_or_else(|| self.floored(op, a, b));
        }
        let is_small = of.is_wide_unsigned() && self.is_natural_pair(a, b);
        let b = if self.is_positive(b) { b } else { self.tested_divisor(op, (a, b), of) };
        if is_small {
            return self.floored(op, a, b);
        }
        if of.is_wide_unsigned() {
            return self.index(if op == BinaryOp::Div { Binary::Divu } else { Binary::Remu }, a, b);
        }
        self.truncated(op, a, b)
    }

    /// Whether a divisor is more than zero wherever it is reached: a loop around it has an iteration.
    fn is_positive(&self, divisor: Value) -> bool {
        let Some(size) = self.known_size(divisor) else { return false };
        let (symbols, before) = (&self.builder.func.symbols, size.add_const(-1));
        let known = self.reached.iter().chain(&self.entry);
        symbols.never_negative(&before) || known.into_iter().any(|known| symbols.never_negative(&before.sub(known)))
    }

    /// The quotient, rounded up.
    pub(super) fn quotient_up(&mut self, a: Value, b: Value, of: Scalar) -> Value {
        if let Some(size) = self.size_rounded_up(a, b, of) {
            return self.whole(size);
        }
        let quotient = self.quotient(BinaryOp::Div, (a, b), of);
        let rest = self.quotient(BinaryOp::Rem, (a, b), of);
        let (zero, one) = (self.int(0), self.int(1));
        let even = self.logic(Binary::Eq, rest, zero);
        let more = self.index(Binary::Add, quotient, one);
        self.select(even, quotient, more)
    }

    /// The same as a size, of a number that is known to be zero or more, by a positive one.
    fn size_rounded_up(&mut self, a: Value, b: Value, of: Scalar) -> Option<Size> {
        let (size, by) = (self.known_size(a)?.clone(), self.known_size(b)?.as_constant().filter(|by| *by > 0)?);
        let more = size.add_const(by - 1);
        let is_whole = self.is_decided(&size) && self.is_never_negative(a, of) && self.fits(&more, Scalar::I64);
        is_whole.then(|| self.floor_quotient(more, by))
    }

    /// Whether a number is known to be zero or more, and below 2^63.
    fn is_never_negative(&mut self, value: Value, of: Scalar) -> bool {
        if of.is_wide_unsigned() {
            return self.is_natural(value);
        }
        let size = self.known_size(value).cloned();
        size.is_some_and(|size| self.builder.func.symbols.never_negative(&size))
    }

    /// The divisor, or 1 in the place of one that Rust panics at.
    fn tested_divisor(&mut self, op: BinaryOp, (a, b): (Value, Value), of: Scalar) -> Value {
        let (zero, one) = (self.int(0), self.int(1));
        let what = if op == BinaryOp::Div { "divide" } else { "calculate the remainder" };
        let by = if op == BinaryOp::Div { "by zero" } else { "with a divisor of zero" };
        let is_zero = self.logic(Binary::Eq, b, zero);
        let is_fine = self.logic(Binary::Ne, b, zero);
        self.builder.effect(Op::Assert(is_fine, format!("attempt to {what} {by}").into()));
        let mut divisor = self.select(is_zero, one, b);
        if let Some((least, _)) = of.range().filter(|_| !of.is_unsigned())
            && self.known_size(b).and_then(Size::as_constant).is_none_or(|by| by == -1)
        {
            let (least, minus_one) = (self.int(least as i64), self.int(-1));
            let (not_least, not_minus) = (self.logic(Binary::Ne, a, least), self.logic(Binary::Ne, b, minus_one));
            let is_fine = self.logic(Binary::Or, not_least, not_minus);
            self.builder.effect(Op::Assert(is_fine, format!("attempt to {what} with overflow").into()));
            divisor = self.select(is_fine, divisor, one);
        }
        divisor
    }

    /// Of numbers without sign, or by a positive number of one that is not negative: the IR's own.
    fn floored(&mut self, op: BinaryOp, a: Value, b: Value) -> Value {
        self.index(if op == BinaryOp::Div { Binary::Div } else { Binary::Mod }, a, b)
    }

    fn truncated(&mut self, op: BinaryOp, a: Value, b: Value) -> Value {
        let rest = self.index(Binary::Rem, a, b);
        if op == BinaryOp::Rem {
            return rest;
        }
        let multiple = self.index(Binary::Sub, a, rest);
        self.index(Binary::Div, multiple, b)
    }

    /// Quotient or remainder, as a size, of what the arguments decide.
    fn known_quotient(&mut self, op: BinaryOp, a: Value, b: Value) -> Option<Value> {
        let (size, by) = (self.known_size(a)?.clone(), self.known_size(b)?.as_constant().filter(|by| *by > 0)?);
        if !self.is_decided(&size) {
            return None;
        }
        let quotient = self.floor_quotient(size.clone(), by);
        if op == BinaryOp::Div {
            return Some(self.whole(quotient));
        }
        let rest = size.plus(-by, &quotient);
        self.fits(&rest, Scalar::I64).then(|| self.whole(rest))
    }
}
