//! `x as T` with Rust's exact meaning.

use crate::ir::{Binary, Class, Op, Size, Unary, Value};
use crate::offload::ast::{BinaryOp, Scalar};
use crate::offload::lower::{Lower, class};

/// 2^63 as a `Double`.
const TWO_63: f64 = 9_223_372_036_854_775_808.0;

impl Lower<'_> {
    /// `x as to`.
    pub(in crate::offload) fn cast(&mut self, x: Value, from: Scalar, to: Scalar) -> Value {
        match (from, to) {
            _ if from == to => x,
            (Scalar::Bool, _) => {
                let (zero, one) = (self.whole(Size::constant(0)), self.whole(Size::constant(1)));
                self.select(x, one, zero)
            }
            _ if from.is_whole() && to.is_whole() => self.cast_whole(x, from, to),
            _ if from.is_wide_unsigned() => self.unsigned_to_float(x, to),
            _ if from.is_float() && to.is_wide_unsigned() => self.float_to_unsigned(x, from),
            _ if from.is_float() && to.is_whole() => self.float_to_signed(x, to),
            _ => self.scalar(Op::Convert(x), class(to)),
        }
    }

    /// The low bits. A number that fits anyway stays what it is.
    fn cast_whole(&mut self, x: Value, from: Scalar, to: Scalar) -> Value {
        let ((a, b), (c, d)) = match (from.range(), to.range()) {
            (Some(from), Some(to)) => (from, to),
            _ => return x,
        };
        let contained = c <= a && b <= d;
        if contained || to.bits().is_some_and(|(bits, _)| bits == 64) {
            return x;
        }
        match self.known_size(x).cloned() {
            Some(size) if self.fits(&size, to) => x,
            _ => self.narrow(x, to),
        }
    }

    /// Truncated towards zero, what is out of range at its ends, NaN to zero.
    fn float_to_signed(&mut self, x: Value, to: Scalar) -> Value {
        let nan = self.unary(Unary::IsNan, x);
        let (zero, whole) = (self.int(0), self.scalar(Op::Convert(x), Class::Index));
        let whole = self.select(nan, zero, whole);
        match to.range() {
            Some((least, largest)) if to.bits().is_some_and(|(bits, _)| bits < 64) => {
                let (least, largest) = (self.int(least as i64), self.int(largest as i64));
                let whole = self.index(Binary::Max, whole, least);
                self.index(Binary::Min, whole, largest)
            }
            _ => whole,
        }
    }

    /// The nearest float; of a number from 2^63 on twice that of its half, whose last bit stands for all that is lost.
    fn unsigned_to_float(&mut self, x: Value, to: Scalar) -> Value {
        let class = class(to);
        let signed = self.scalar(Op::Convert(x), class);
        if self.is_natural(x) {
            return signed;
        }
        let (zero, one) = (self.int(0), self.int(1));
        let (half, last) = (self.index(Binary::Shru, x, one), self.index(Binary::BitAnd, x, one));
        let half = self.index(Binary::BitOr, half, last);
        let half = self.scalar(Op::Convert(half), class);
        let twice = self.scalar(Op::Binary(Binary::Add, half, half), class);
        let large = self.logic(Binary::Lt, x, zero);
        self.select(large, twice, signed)
    }

    /// Truncated towards zero, what is out of range at its ends, NaN to zero.
    fn float_to_unsigned(&mut self, x: Value, from: Scalar) -> Value {
        let zero = self.int(0);
        let low = self.scalar(Op::Convert(x), Class::Index);
        let low = self.index(Binary::Max, low, zero);
        let two_63 = self.float(TWO_63, from);
        let large = self.logic(Binary::Ge, x, two_63);
        let above = self.binary(BinaryOp::Sub, (x, two_63), (from, from));
        let above = self.scalar(Op::Convert(above), Class::Index);
        let least = self.int(i64::MIN);
        let high = self.index(Binary::Add, above, least);
        self.select(large, high, low)
    }
}
