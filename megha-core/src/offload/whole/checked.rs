//! Whether `checked_add` and its like give a number.

use crate::ir::{Binary, Unary, Value};
use crate::offload::ast::{BinaryOp, Scalar};
use crate::offload::lower::Lower;

impl Lower<'_> {
    /// Whether `a op b` is a number of the type.
    pub(in crate::offload) fn is_number(&mut self, op: BinaryOp, a: Value, b: Value, of: Scalar) -> Value {
        match op {
            BinaryOp::Sub if of.is_unsigned() => self.whole_binary(BinaryOp::Ge, a, b, of),
            BinaryOp::Add | BinaryOp::Sub => {
                // What wraps is never the end of the range at which the other one stops.
                let wrapping = self.whole_binary(op, a, b, of);
                let saturating = match op {
                    BinaryOp::Add => self.saturating_sum(a, b, of),
                    _ => self.saturating_sub(a, b, of),
                };
                self.logic(Binary::Eq, wrapping, saturating)
            }
            BinaryOp::Mul => {
                let product = self.index(Binary::Mul, a, b);
                let wraps = self.product_wraps((a, b), product, of);
                self.unary(Unary::Not, wraps)
            }
            _ => self.divides(a, b, of),
        }
    }

    /// Whether there are a quotient and a remainder: not by zero, and not of the least number by -1.
    fn divides(&mut self, a: Value, b: Value, of: Scalar) -> Value {
        let zero = self.int(0);
        let counts = self.logic(Binary::Ne, b, zero);
        let Some((least, _)) = of.range().filter(|_| !of.is_unsigned()) else { return counts };
        let (least, minus_one) = (self.int(least as i64), self.int(-1));
        let (is_least, is_minus_one) = (self.logic(Binary::Eq, a, least), self.logic(Binary::Eq, b, minus_one));
        let wraps = self.logic(Binary::And, is_least, is_minus_one);
        let stays = self.unary(Unary::Not, wraps);
        self.logic(Binary::And, counts, stays)
    }
}
