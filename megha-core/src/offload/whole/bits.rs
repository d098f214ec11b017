//! Shifts, complements and counts of bits.

use crate::ir::{Binary, Size, Value};
use crate::offload::ast::{BinaryOp, Scalar};
use crate::offload::lower::Lower;

/// Masks for the sums of neighbouring pairs, fours and bytes (*Hacker's Delight*, 5-1).
const PAIRS: i64 = 0x5555_5555_5555_5555;
const FOURS: i64 = 0x3333_3333_3333_3333;
const BYTES: i64 = 0x0f0f_0f0f_0f0f_0f0f;
const ONES: i64 = 0x0101_0101_0101_0101;
/// Masks for the halves of neighbouring words that change places (*Hacker's Delight*, 7-1).
const WORDS: i64 = 0x00ff_00ff_00ff_00ff;
const DOUBLE_WORDS: i64 = 0x0000_ffff_0000_ffff;
const HALF: i64 = 0xffff_ffff;

impl Lower<'_> {
    /// `a << b` and `a >> b`; of the second operand the bits count that can move all of the first, as in a release build.
    pub(in crate::offload) fn shift(
        &mut self,
        op: BinaryOp,
        (a, b): (Value, Value),
        (of, _): (Scalar, Scalar),
    ) -> Value {
        let bits = of.bits().map_or(64, |(bits, _)| bits);
        let by = self.known_size(b).and_then(Size::as_constant).map(|by| by & i64::from(bits - 1));
        if let (BinaryOp::Shl, Some(by @ 0..=40)) = (op, by) {
            let factor = self.whole(Size::constant(1 << by));
            return self.whole_binary(BinaryOp::Mul, a, factor, of);
        }
        if let (BinaryOp::Shr, Some(by @ 0..=40), true) = (op, by, of.is_unsigned()) {
            let divisor = self.whole(Size::constant(1 << by));
            return self.quotient(BinaryOp::Div, (a, divisor), of);
        }
        let by = match by {
            Some(by) => self.int(by),
            None => {
                let mask = self.int(i64::from(bits - 1));
                self.index(Binary::BitAnd, b, mask)
            }
        };
        if op == BinaryOp::Shl {
            let moved = self.index(Binary::Shl, a, by);
            return self.narrow(moved, of);
        }
        self.index(if of.is_unsigned() { Binary::Shru } else { Binary::Shr }, a, by)
    }

    /// `!a`
    pub(in crate::offload) fn complement(&mut self, a: Value, of: Scalar) -> Value {
        let ones = self.int(-1);
        let flipped = self.index(Binary::BitXor, a, ones);
        self.narrow(flipped, of)
    }

    /// How many bits of a number of 64 bits are one.
    pub(super) fn ones(&mut self, x: Value) -> Value {
        let masked = |lower: &mut Self, x: Value, by: i64, mask: i64| {
            let (by, mask) = (lower.int(by), lower.int(mask));
            let moved = lower.index(Binary::Shru, x, by);
            lower.index(Binary::BitAnd, moved, mask)
        };
        let odd = masked(self, x, 1, PAIRS);
        let x = self.index(Binary::Sub, x, odd);
        let (low, high) = (masked(self, x, 0, FOURS), masked(self, x, 2, FOURS));
        let x = self.index(Binary::Add, low, high);
        let four = self.int(4);
        let moved = self.index(Binary::Shru, x, four);
        let sum = self.index(Binary::Add, x, moved);
        let (bytes, ones, by) = (self.int(BYTES), self.int(ONES), self.int(56));
        let sum = self.index(Binary::BitAnd, sum, bytes);
        let sum = self.index(Binary::Mul, sum, ones);
        self.index(Binary::Shru, sum, by)
    }

    /// A number of a type with zeros in front.
    pub(super) fn unsigned_bits(&mut self, x: Value, of: Scalar) -> Value {
        match of.bits() {
            Some((bits, true)) if bits < 64 => {
                let mask = self.int((1 << bits) - 1);
                self.index(Binary::BitAnd, x, mask)
            }
            _ => x,
        }
    }

    /// How many zeros are in front of the first one.
    pub(super) fn leading_zeros(&mut self, x: Value, of: Scalar) -> Value {
        let mut x = self.unsigned_bits(x, of);
        for by in [1, 2, 4, 8, 16, 32] {
            let by = self.int(by);
            let moved = self.index(Binary::Shru, x, by);
            x = self.index(Binary::BitOr, x, moved);
        }
        let ones = self.ones(x);
        let bits = self.int(of.bits().map_or(64, |(bits, _)| i64::from(bits)));
        self.index(Binary::Sub, bits, ones)
    }

    /// How many zeros are behind the last one.
    pub(super) fn trailing_zeros(&mut self, x: Value, of: Scalar) -> Value {
        let (zero, one) = (self.int(0), self.int(1));
        let negative = self.index(Binary::Sub, zero, x);
        let last = self.index(Binary::BitAnd, x, negative);
        let below = self.index(Binary::Sub, last, one);
        let ones = self.ones(below);
        let bits = self.int(of.bits().map_or(64, |(bits, _)| i64::from(bits)));
        self.index(Binary::Min, ones, bits)
    }

    /// The bits in the opposite order.
    pub(super) fn reversed_bits(&mut self, x: Value, of: Scalar) -> Value {
        self.in_other_order(x, &[(1, PAIRS), (2, FOURS), (4, BYTES), (8, WORDS), (16, DOUBLE_WORDS), (32, HALF)], of)
    }

    /// The bytes in the opposite order.
    pub(super) fn swapped_bytes(&mut self, x: Value, of: Scalar) -> Value {
        self.in_other_order(x, &[(8, WORDS), (16, DOUBLE_WORDS), (32, HALF)], of)
    }

    /// Neighbouring groups of so many bits changed, for each number of bits; the mask has every other group.
    fn in_other_order(&mut self, mut x: Value, groups: &[(i64, i64)], of: Scalar) -> Value {
        for (by, mask) in groups {
            let (by, mask) = (self.int(*by), self.int(*mask));
            let high = self.index(Binary::Shru, x, by);
            let (high, low) = (self.index(Binary::BitAnd, high, mask), self.index(Binary::BitAnd, x, mask));
            let low = self.index(Binary::Shl, low, by);
            x = self.index(Binary::BitOr, high, low);
        }
        // The bits of a narrow number are in front now.
        let front = self.int(64 - of.bits().map_or(64, |(bits, _)| i64::from(bits)));
        let x = self.index(Binary::Shru, x, front);
        self.narrow(x, of)
    }
}
