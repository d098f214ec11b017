//! Methods of whole numbers.

use crate::ir::{Binary, Op, Size, Unary, Value};
use crate::offload::ast::{BinaryOp, Scalar};
use crate::offload::lower::Lower;
use crate::offload::types::{NumberMethod, WholeMethod};

/// The number of bits of a type.
fn width(of: Scalar) -> i64 {
    of.bits().map_or(64, |(bits, _)| i64::from(bits))
}

impl Lower<'_> {
    /// A method that only whole numbers have.
    pub(in crate::offload) fn whole_method(
        &mut self,
        method: WholeMethod,
        x: Value,
        args: &[Value],
        of: Scalar,
    ) -> Value {
        match method {
            WholeMethod::Pow => self.whole_power(x, args[0], of),
            WholeMethod::SaturatingAdd => self.saturating_sum(x, args[0], of),
            WholeMethod::SaturatingSub if of == Scalar::Usize => self.saturating_difference(x, args[0]),
            WholeMethod::SaturatingSub => self.saturating_sub(x, args[0], of),
            WholeMethod::SaturatingMul => self.saturating_product(x, args[0], of),
            WholeMethod::AbsDiff => {
                let less = self.whole_binary(BinaryOp::Lt, x, args[0], of);
                let (up, down) = (self.index(Binary::Sub, args[0], x), self.index(Binary::Sub, x, args[0]));
                self.select(less, up, down)
            }
            WholeMethod::DivCeil => self.quotient_up(x, args[0], of),
            WholeMethod::DivEuclid if of.is_unsigned() => self.quotient(BinaryOp::Div, (x, args[0]), of),
            WholeMethod::RemEuclid if of.is_unsigned() => self.quotient(BinaryOp::Rem, (x, args[0]), of),
            WholeMethod::DivEuclid => self.euclidean_quotient(x, args[0], of),
            WholeMethod::RemEuclid => self.euclidean_rest(x, args[0], of),
            WholeMethod::CountOnes => {
                let x = self.unsigned_bits(x, of);
                self.ones(x)
            }
            WholeMethod::CountZeros => {
                let x = self.complement(x, of);
                let x = self.unsigned_bits(x, of);
                self.ones(x)
            }
            WholeMethod::LeadingZeros => self.leading_zeros(x, of),
            WholeMethod::TrailingZeros => self.trailing_zeros(x, of),
            WholeMethod::LeadingOnes => {
                let x = self.complement(x, of);
                self.leading_zeros(x, of)
            }
            WholeMethod::TrailingOnes => {
                let x = self.complement(x, of);
                self.trailing_zeros(x, of)
            }
            WholeMethod::RotateLeft => self.rotated(x, args[0], of),
            WholeMethod::RotateRight => {
                let zero = self.int(0);
                let by = self.index(Binary::Sub, zero, args[0]);
                self.rotated(x, by, of)
            }
            WholeMethod::ReverseBits => self.reversed_bits(x, of),
            WholeMethod::SwapBytes => self.swapped_bytes(x, of),
            // The absolute value of the least number is one without sign.
            WholeMethod::UnsignedAbs => self.unary(Unary::Abs, x),
            WholeMethod::WrappingNeg => {
                let zero = self.int(0);
                self.whole_binary(BinaryOp::Sub, zero, x, of)
            }
            // As `abs` in a release build.
            WholeMethod::WrappingAbs => self.whole_number_method(NumberMethod::Abs, x, &[], of),
            // A release build moves by the bits of the distance that count.
            WholeMethod::WrappingShl => self.shift(BinaryOp::Shl, (x, args[0]), (of, Scalar::U32)),
            WholeMethod::WrappingShr => self.shift(BinaryOp::Shr, (x, args[0]), (of, Scalar::U32)),
            WholeMethod::IsPositive => {
                let zero = self.int(0);
                self.logic(Binary::Gt, x, zero)
            }
            WholeMethod::IsNegative => {
                let zero = self.int(0);
                self.logic(Binary::Lt, x, zero)
            }
            WholeMethod::Ilog2 => {
                let zero = self.int(0);
                let positive = match of.is_unsigned() {
                    true => self.logic(Binary::Ne, x, zero),
                    false => self.logic(Binary::Gt, x, zero),
                };
                let text = "argument of integer logarithm must be positive";
                self.builder.effect(Op::Assert(positive, text.into()));
                let (zeros, last) = (self.leading_zeros(x, of), self.int(width(of) - 1));
                self.index(Binary::Sub, last, zeros)
            }
            WholeMethod::IsPowerOfTwo => {
                let (ones, one) = (self.ones(x), self.int(1));
                self.logic(Binary::Eq, ones, one)
            }
        }
    }

    /// A method that numbers of all kinds have.
    pub(in crate::offload) fn whole_number_method(
        &mut self,
        method: NumberMethod,
        x: Value,
        args: &[Value],
        of: Scalar,
    ) -> Value {
        match method {
            NumberMethod::Abs => {
                let value = self.unary(Unary::Abs, x);
                self.narrow(value, of)
            }
            NumberMethod::Signum => self.unary(Unary::Sign, x),
            NumberMethod::Clamp => {
                let ordered = self.whole_binary(BinaryOp::Le, args[0], args[1], of);
                self.builder.effect(Op::Assert(ordered, "assertion failed: min <= max".into()));
                let above = self.whole_extremum(true, x, args[0], of);
                self.whole_extremum(false, above, args[1], of)
            }
        }
    }

    /// The bits of a number moved to the left, those that leave it coming in at the right.
    fn rotated(&mut self, x: Value, by: Value, of: Scalar) -> Value {
        let (bits, mask) = (self.unsigned_bits(x, of), self.int(width(of) - 1));
        let left = self.index(Binary::BitAnd, by, mask);
        let zero = self.int(0);
        let right = self.index(Binary::Sub, zero, left);
        let right = self.index(Binary::BitAnd, right, mask);
        let (high, low) = (self.index(Binary::Shl, bits, left), self.index(Binary::Shru, bits, right));
        let both = self.index(Binary::BitOr, high, low);
        self.narrow(both, of)
    }

    fn euclidean_quotient(&mut self, x: Value, by: Value, of: Scalar) -> Value {
        let quotient = self.quotient(BinaryOp::Div, (x, by), of);
        let rest = self.quotient(BinaryOp::Rem, (x, by), of);
        let (zero, one, minus_one) = (self.int(0), self.int(1), self.int(-1));
        let (below, positive) = (self.logic(Binary::Lt, rest, zero), self.logic(Binary::Gt, by, zero));
        let step = self.select(positive, minus_one, one);
        let moved = self.index(Binary::Add, quotient, step);
        self.select(below, moved, quotient)
    }

    fn euclidean_rest(&mut self, x: Value, by: Value, of: Scalar) -> Value {
        let rest = self.quotient(BinaryOp::Rem, (x, by), of);
        let zero = self.int(0);
        let size = self.unary(Unary::Abs, by);
        let (below, moved) = (self.logic(Binary::Lt, rest, zero), self.index(Binary::Add, rest, size));
        self.select(below, moved, rest)
    }

    fn whole_power(&mut self, x: Value, exponent: Value, of: Scalar) -> Value {
        let known = self.known_size(exponent).and_then(Size::as_constant);
        match known {
            Some(0) => self.whole(Size::constant(1)),
            Some(exponent @ 1..=4) => {
                (1..exponent).fold(x, |product, _| self.whole_binary(BinaryOp::Mul, product, x, of))
            }
            _ => {
                let power = self.index(Binary::Pow, x, exponent);
                self.narrow(power, of)
            }
        }
    }

    pub(super) fn saturating_sum(&mut self, a: Value, b: Value, of: Scalar) -> Value {
        let sum = self.index(Binary::Add, a, b);
        match (of.is_wide_unsigned(), of.bits()) {
            (true, _) => {
                let over = self.unsigned_comparison(BinaryOp::Lt, sum, a);
                let most = self.int(-1);
                self.select(over, most, sum)
            }
            (false, Some((64, _))) => self.saturated(sum, a, (a, sum), (b, sum)),
            (false, _) => self.clamped(sum, of),
        }
    }

    pub(super) fn saturating_sub(&mut self, a: Value, b: Value, of: Scalar) -> Value {
        let difference = self.index(Binary::Sub, a, b);
        match (of.is_wide_unsigned(), of.bits()) {
            (true, _) => {
                let under = self.unsigned_comparison(BinaryOp::Lt, a, b);
                let zero = self.int(0);
                self.select(under, zero, difference)
            }
            (false, Some((64, _))) => self.saturated(difference, a, (a, b), (a, difference)),
            (false, _) => self.clamped(difference, of),
        }
    }

    fn saturating_product(&mut self, a: Value, b: Value, of: Scalar) -> Value {
        let product = self.index(Binary::Mul, a, b);
        match (of.is_unsigned(), of.bits().map_or(64, |(bits, _)| bits)) {
            (true, 32 | 64) => {
                let most = self.int(if of.is_wide_unsigned() { -1 } else { i64::from(u32::MAX) });
                let over = self.product_wraps((a, b), product, of);
                self.select(over, most, product)
            }
            (false, 64) => {
                let wrapped = self.product_wraps((a, b), product, of);
                let (zero, least, most) = (self.int(0), self.int(i64::MIN), self.int(i64::MAX));
                let signs = self.index(Binary::BitXor, a, b);
                let below = self.logic(Binary::Lt, signs, zero);
                let end = self.select(below, least, most);
                self.select(wrapped, end, product)
            }
            _ => self.clamped(product, of),
        }
    }

    /// Whether a product, here of 64 bits, is not one of the type.
    pub(super) fn product_wraps(&mut self, (a, b): (Value, Value), product: Value, of: Scalar) -> Value {
        match (of.is_unsigned(), of.bits().map_or(64, |(bits, _)| bits)) {
            (true, 64) => {
                // The quotient by zero is not asked for: that by one is never too small.
                let (zero, one, most) = (self.int(0), self.int(1), self.int(-1));
                let is_zero = self.logic(Binary::Eq, b, zero);
                let by = self.select(is_zero, one, b);
                let largest = self.quotient(BinaryOp::Div, (most, by), Scalar::U64);
                let over = self.unsigned_comparison(BinaryOp::Lt, largest, a);
                let counts = self.logic(Binary::Ne, b, zero);
                self.logic(Binary::And, counts, over)
            }
            // It may be too large for a number with sign.
            (true, 32) => {
                let most = self.int(i64::from(u32::MAX));
                self.unsigned_comparison(BinaryOp::Lt, most, product)
            }
            (false, 64) => self.signed_product_wraps((a, b), product),
            _ => {
                let clamped = self.clamped(product, of);
                self.logic(Binary::Ne, clamped, product)
            }
        }
    }

    /// A product of numbers of 64 bits with sign wrapped if it divided by one of them is not the other.
    fn signed_product_wraps(&mut self, (a, b): (Value, Value), product: Value) -> Value {
        let (zero, one, minus_one) = (self.int(0), self.int(1), self.int(-1));
        let least = self.int(i64::MIN);
        let (is_zero, is_minus_one) = (self.logic(Binary::Eq, a, zero), self.logic(Binary::Eq, a, minus_one));
        // Quotients by zero, and of the least number by -1, are not asked for.
        let is_plain = self.logic(Binary::Or, is_zero, is_minus_one);
        let by = self.select(is_plain, one, a);
        let quotient = self.quotient(BinaryOp::Div, (product, by), Scalar::I64);
        let differs = self.logic(Binary::Ne, quotient, b);
        let is_least = self.logic(Binary::Eq, b, least);
        let wraps = self.logic(Binary::And, is_minus_one, is_least);
        let is_checked = self.logic(Binary::Eq, by, a);
        let wrapped = self.logic(Binary::And, is_checked, differs);
        self.logic(Binary::Or, wrapped, wraps)
    }

    /// A sum with sign that wrapped if the numbers of both pairs have different signs: the end of the range on the side of `a`.
    fn saturated(&mut self, sum: Value, a: Value, first: (Value, Value), second: (Value, Value)) -> Value {
        let (first, second) =
            (self.index(Binary::BitXor, first.0, first.1), self.index(Binary::BitXor, second.0, second.1));
        let both = self.index(Binary::BitAnd, first, second);
        let zero = self.int(0);
        let wrapped = self.logic(Binary::Lt, both, zero);
        let below = self.logic(Binary::Lt, a, zero);
        let (least, most) = (self.int(i64::MIN), self.int(i64::MAX));
        let end = self.select(below, least, most);
        self.select(wrapped, end, sum)
    }

    fn clamped(&mut self, value: Value, of: Scalar) -> Value {
        let Some((least, most)) = of.range() else { return value };
        let (least, most) = (self.int(least as i64), self.int(most as i64));
        let value = self.index(Binary::Max, value, least);
        self.index(Binary::Min, value, most)
    }

    /// `a.saturating_sub(b)` of `usize`.
    fn saturating_difference(&mut self, a: Value, b: Value) -> Value {
        let difference = self.whole_binary(BinaryOp::Sub, a, b, Scalar::Usize);
        let natural = self.is_natural_pair(a, b);
        if let Some(size) = self.known_size(difference).cloned().filter(|_| natural) {
            let size = self.extremum(true, Size::constant(0), size);
            return self.whole(size);
        }
        let less = self.unsigned_comparison(BinaryOp::Lt, a, b);
        let zero = self.int(0);
        self.select(less, zero, difference)
    }
}
