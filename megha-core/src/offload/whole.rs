//! Whole numbers: Rust's types of them on the IR's `Index`.
//!
//! A narrower number is held with its sign or with zeros in front, and what an operation gives is brought back into its type. Numbers of 64
//! bits have the bits that Rust gives them in a release build; where signs matter (comparisons, quotients, extremes, conversions
//! to floats, lengths of ranges), one without sign that is not known to be below 2^63 is treated as the unsigned number it is
//! (H. S. Warren, *Hacker's Delight*, 2-12 and 9-3).
//!
//! Numbers that are polynomials of sizes, parameters and loop variables are kept as [`Size`]s, which the compiler reasons about
//! as whole numbers without bounds. That is right as long as none leaves its type. So each function has *limits* for its
//! arguments, under which none of its polynomials can ([`crate::ir::bounds`]); calls with larger arguments run the plain
//! function ([`super::entry`]). A polynomial that would leave its type even under the smallest limits is no `Size`, but wraps.

mod bits;
mod checked;
mod convert;
mod methods;
mod quotient;
mod trip;

use super::ast::{BinaryOp, Scalar};
use super::entry::limit;
use super::expr::plain;
use super::lower::Lower;
use crate::ir::bounds::{COUNTED, LARGEST};
use crate::ir::{Binary, Class, Const, Op, Size, Value};

/// Polynomials of a higher degree are computed step by step.
const MAX_DEGREE: usize = 3;

/// The operands of a comparison, exchanged.
fn mirrored(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Lt => BinaryOp::Gt,
        BinaryOp::Le => BinaryOp::Ge,
        BinaryOp::Gt => BinaryOp::Lt,
        BinaryOp::Ge => BinaryOp::Le,
        BinaryOp::Eq | BinaryOp::Ne | BinaryOp::And | BinaryOp::Or => op,
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => op,
        BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor | BinaryOp::Shl | BinaryOp::Shr => op,
    }
}

impl Lower<'_> {
    /// Whether a polynomial cannot leave a type; if a smaller limit for arguments would help, this is counted.
    fn fits(&mut self, size: &Size, of: Scalar) -> bool {
        let symbols = &self.builder.func.symbols;
        let largest = |value: Value| match self.parameters.get(&value) {
            Some(scalar) => limit(*scalar, symbols.limits()).map(|limit| u128::from(limit.unsigned_abs())),
            None => self.counters.contains(&value).then_some(COUNTED),
        };
        // What has no bound has none under another limit either.
        let Some(magnitude) = symbols.magnitude(size, &largest) else { return false };
        match of.bits() {
            Some((64, _)) | None => {
                self.wrapping += usize::from(magnitude > LARGEST);
                magnitude <= LARGEST
            }
            Some((bits, true)) => magnitude < 1 << (bits - 1),
            Some((bits, false)) => magnitude < 1 << bits && symbols.never_negative(size),
        }
    }

    /// Sums and products of sizes are sizes.
    fn polynomial(&mut self, op: BinaryOp, (a, b): (Value, Value), of: Scalar) -> Option<Size> {
        let (a, b) = (self.known_size(a)?, self.known_size(b)?);
        let size = match op {
            BinaryOp::Add => a.add(b),
            BinaryOp::Sub => a.sub(b),
            BinaryOp::Mul => a.mul(b),
            BinaryOp::Div | BinaryOp::Rem | BinaryOp::And | BinaryOp::Or => return None,
            BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor | BinaryOp::Shl | BinaryOp::Shr => return None,
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => return None,
        };
        (size.degree() <= MAX_DEGREE && self.fits(&size, of)).then_some(size)
    }

    /// Whether a `usize` is known to be below 2^63. What the arguments decide is a condition of the entry.
    pub(super) fn is_natural(&mut self, value: Value) -> bool {
        let Some(size) = self.known_size(value).cloned() else { return false };
        if let Some(number) = size.as_constant() {
            return number >= 0;
        }
        let symbols = &self.builder.func.symbols;
        if symbols.never_negative(&size) || self.entry.iter().any(|known| symbols.never_negative(&size.sub(known))) {
            return true;
        }
        let decided = symbols.is_made_of(&size, &|v| self.parameters.contains_key(&v));
        if decided {
            self.demand(size);
        }
        decided
    }

    /// Makes it a condition of the entry that a size is not negative.
    fn demand(&mut self, size: Size) {
        let least = size.add_const(-size.constant_term());
        if let Some(sym) = least.as_sym() {
            self.builder.func.symbols.get_mut(sym).at_least.push(Size::constant(-size.constant_term()));
        }
        self.entry.push(size);
    }

    pub(super) fn int(&mut self, value: i64) -> Value {
        self.scalar(Op::Const(Const::Int(value)), Class::Index)
    }

    pub(super) fn index(&mut self, op: Binary, a: Value, b: Value) -> Value {
        self.scalar(Op::Binary(op, a, b), Class::Index)
    }

    pub(super) fn logic(&mut self, op: Binary, a: Value, b: Value) -> Value {
        self.scalar(Op::Binary(op, a, b), Class::Logical)
    }

    pub(super) fn select(&mut self, cond: Value, then: Value, els: Value) -> Value {
        let class = self.class_of(then);
        self.scalar(Op::Select(cond, then, els), class)
    }

    /// An operator between two whole numbers of type `of`, but no shift.
    pub(super) fn whole_binary(&mut self, op: BinaryOp, a: Value, b: Value, of: Scalar) -> Value {
        if let Some(size) = self.polynomial(op, (a, b), of) {
            return self.whole(size);
        }
        match op {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => {
                let value = self.index(plain(op), a, b);
                self.narrow(value, of)
            }
            BinaryOp::Div | BinaryOp::Rem => self.quotient(op, (a, b), of),
            BinaryOp::BitAnd => self.index(Binary::BitAnd, a, b),
            BinaryOp::BitOr => self.index(Binary::BitOr, a, b),
            BinaryOp::BitXor => self.index(Binary::BitXor, a, b),
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
                let unsigned = of.is_wide_unsigned();
                if unsigned { self.unsigned_comparison(op, a, b) } else { self.logic(plain(op), a, b) }
            }
            // Of `bool`s, and with another second operand.
            BinaryOp::And | BinaryOp::Or | BinaryOp::Shl | BinaryOp::Shr => self.logic(plain(op), a, b),
        }
    }

    /// A number brought into its type, as a cast from 64 bits does.
    pub(super) fn narrow(&mut self, value: Value, of: Scalar) -> Value {
        match of.bits() {
            Some((64, _)) | None => value,
            Some((bits, true)) => {
                let by = self.int(64 - i64::from(bits));
                let high = self.index(Binary::Shl, value, by);
                self.index(Binary::Shr, high, by)
            }
            Some((bits, false)) => {
                let mask = self.int((1 << bits) - 1);
                self.index(Binary::BitAnd, value, mask)
            }
        }
    }

    pub(super) fn unsigned_comparison(&mut self, op: BinaryOp, a: Value, b: Value) -> Value {
        if matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
            return self.logic(plain(op), a, b);
        }
        match (self.is_natural(a), self.is_natural(b)) {
            (true, true) => self.logic(plain(op), a, b),
            (false, true) => {
                let zero = self.int(0);
                let compared = self.logic(plain(op), a, b);
                // What is negative here is larger than what is not.
                let less = matches!(op, BinaryOp::Lt | BinaryOp::Le);
                let (sign, joined) = if less { (Binary::Ge, Binary::And) } else { (Binary::Lt, Binary::Or) };
                let sign = self.logic(sign, a, zero);
                self.logic(joined, sign, compared)
            }
            (true, false) => self.unsigned_comparison(mirrored(op), b, a),
            (false, false) => {
                let least = self.int(i64::MIN);
                let (a, b) = (self.index(Binary::BitXor, a, least), self.index(Binary::BitXor, b, least));
                self.logic(plain(op), a, b)
            }
        }
    }

    /// The larger or smaller of two whole numbers.
    pub(super) fn whole_extremum(&mut self, max: bool, a: Value, b: Value, of: Scalar) -> Value {
        let signed = !of.is_wide_unsigned() || self.is_natural(a) && self.is_natural(b);
        if !signed {
            let less = self.unsigned_comparison(BinaryOp::Lt, a, b);
            return if max { self.select(less, b, a) } else { self.select(less, a, b) };
        }
        if let (Some(x), Some(y)) = (self.known_size(a).cloned(), self.known_size(b).cloned()) {
            let size = self.extremum(max, x, y);
            return self.whole(size);
        }
        self.index(if max { Binary::Max } else { Binary::Min }, a, b)
    }

    pub(super) fn is_natural_pair(&mut self, a: Value, b: Value) -> bool {
        self.is_natural(a) && self.is_natural(b)
    }
}
