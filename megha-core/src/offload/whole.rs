//! Whole numbers: Rust's `usize` and `i64` on the IR's `Index`.
//!
//! Both have the bits that Rust gives them in a release build; where they differ (comparisons, quotients, extremes, conversions
//! to floats, lengths of ranges), a `usize` that is not known to be below 2^63 is treated as the unsigned number it is
//! (H. S. Warren, *Hacker's Delight*, 2-12 and 9-3).
//!
//! Numbers that are polynomials of sizes, parameters and loop variables are kept as [`Size`]s, which the compiler reasons about
//! as whole numbers without bounds. That is right as long as none leaves 64 bits. So each function has *limits* for its
//! arguments, under which none of its polynomials can ([`crate::ir::bounds`]); calls with larger arguments run the plain
//! function ([`Entry`]). A polynomial that would leave 64 bits even under the smallest limits is no `Size`, but wraps.

use super::ast::{BinaryOp, Expr, Scalar};
use super::lower::Lower;
use crate::ir::bounds::{COUNTED, LARGEST};
use crate::ir::size::Limits;
use crate::ir::{Binary, Class, Const, Op, Size, SymDef, Type, Unary, Value};

/// Polynomials of a higher degree are computed step by step.
const MAX_DEGREE: usize = 3;

/// The limits for numbers and for arrays' elements that are tried, as powers of two, from the most generous on: an array of 2^40 numbers takes
/// 8 TiB; products of two or three arguments need smaller ones.
const POWERS: [(u32, u32); 7] = [(40, 40), (30, 40), (35, 35), (30, 30), (20, 40), (20, 30), (20, 20)];

/// The limits that are tried.
pub(super) fn limits() -> impl Iterator<Item = Limits> {
    POWERS.into_iter().map(|(numbers, elements)| Limits { numbers: 1 << numbers, elements: 1 << elements })
}

/// 2^63 as a `Double`.
const TWO_63: f64 = 9_223_372_036_854_775_808.0;

/// What must hold of a call's arguments; else the plain function is right and the compiled one may not be.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Entry {
    /// What whole numbers and arrays are not larger than.
    pub limits: Limits,
    /// Sizes that are zero or more, over the parameters: values of `usize` that a subtraction gives.
    pub not_negative: Vec<Size>,
}

/// The operands of a comparison, exchanged.
fn mirrored(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Lt => BinaryOp::Gt,
        BinaryOp::Le => BinaryOp::Ge,
        BinaryOp::Gt => BinaryOp::Lt,
        BinaryOp::Ge => BinaryOp::Le,
        other => other,
    }
}

impl Lower<'_> {
    /// Whether a polynomial cannot leave 64 bits; if a smaller limit for arguments would help, this is counted.
    fn fits(&mut self, size: &Size) -> bool {
        let symbols = &self.builder.func.symbols;
        let largest = |value: Value| match (self.parameters.contains(&value), self.counters.contains(&value)) {
            (true, _) => Some(u128::from(symbols.limits().numbers.unsigned_abs())),
            (_, true) => Some(COUNTED),
            _ => None,
        };
        // What has no bound has none under another limit either.
        let magnitude = symbols.magnitude(size, &largest);
        self.wrapping += usize::from(magnitude.is_some_and(|m| m > LARGEST));
        magnitude.is_some_and(|m| m <= LARGEST)
    }

    /// Sums and products of sizes are sizes.
    fn polynomial(&mut self, op: BinaryOp, a: Value, b: Value) -> Option<Size> {
        let (a, b) = (self.known_size(a)?, self.known_size(b)?);
        let size = match op {
            BinaryOp::Add => a.add(b),
            BinaryOp::Sub => a.sub(b),
            BinaryOp::Mul => a.mul(b),
            _ => return None,
        };
        (size.degree() <= MAX_DEGREE && self.fits(&size)).then_some(size)
    }

    /// Whether a `usize` is known to be below 2^63. What the arguments decide is a condition of the entry.
    fn is_natural(&mut self, value: Value) -> bool {
        let Some(size) = self.known_size(value).cloned() else { return false };
        if let Some(number) = size.as_constant() {
            return number >= 0;
        }
        let symbols = &self.builder.func.symbols;
        if symbols.never_negative(&size) || self.entry.iter().any(|known| symbols.never_negative(&size.sub(known))) {
            return true;
        }
        let decided = symbols.is_made_of(&size, &|v| self.parameters.contains(&v));
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

    fn int(&mut self, value: i64) -> Value {
        self.scalar(Op::Const(Const::Int(value)), Class::Index)
    }

    fn index(&mut self, op: Binary, a: Value, b: Value) -> Value {
        self.scalar(Op::Binary(op, a, b), Class::Index)
    }

    fn logic(&mut self, op: Binary, a: Value, b: Value) -> Value {
        self.scalar(Op::Binary(op, a, b), Class::Logical)
    }

    fn select(&mut self, cond: Value, then: Value, els: Value) -> Value {
        let class = self.class_of(then);
        self.scalar(Op::Select(cond, then, els), class)
    }

    /// An operator between two whole numbers of type `of`.
    pub(super) fn whole_binary(&mut self, op: BinaryOp, a: Value, b: Value, of: Scalar) -> Value {
        if let Some(size) = self.polynomial(op, a, b) {
            return self.whole(size);
        }
        match (op, of) {
            (BinaryOp::Add, _) => self.index(Binary::Add, a, b),
            (BinaryOp::Sub, _) => self.index(Binary::Sub, a, b),
            (BinaryOp::Mul, _) => self.index(Binary::Mul, a, b),
            (BinaryOp::Div | BinaryOp::Rem, _) => self.quotient(op, a, b),
            (_, Scalar::Usize) => self.unsigned_comparison(op, a, b),
            _ => self.logic(op.ir(), a, b),
        }
    }

    /// Quotient or remainder of `usize` by a positive literal.
    fn quotient(&mut self, op: BinaryOp, a: Value, b: Value) -> Value {
        if self.is_natural(a) {
            return self.known_quotient(op, a, b).unwrap_or_else(|| self.index(op.ir(), a, b));
        }
        let one = self.int(1);
        let half = self.index(Binary::Shru, a, one);
        let half = self.index(Binary::Div, half, b);
        let low = self.index(Binary::Shl, half, one);
        let taken = self.index(Binary::Mul, low, b);
        let rest = self.index(Binary::Sub, a, taken);
        let more = self.unsigned_comparison(BinaryOp::Ge, rest, b);
        if op == BinaryOp::Rem {
            let less = self.index(Binary::Sub, rest, b);
            return self.select(more, less, rest);
        }
        let next = self.index(Binary::Add, low, one);
        self.select(more, next, low)
    }

    /// Quotient or remainder, as a size, of what the arguments decide.
    fn known_quotient(&mut self, op: BinaryOp, a: Value, b: Value) -> Option<Value> {
        let (size, by) = (self.known_size(a)?.clone(), self.known_size(b)?.as_constant().filter(|by| *by > 0)?);
        let decided = self.builder.func.symbols.is_made_of(&size, &|v| self.parameters.contains(&v));
        if !decided {
            return None;
        }
        let quotient = self.floor_quotient(size.clone(), by);
        match op {
            BinaryOp::Rem => {
                let rest = size.plus(-by, &quotient);
                self.fits(&rest).then(|| self.whole(rest))
            }
            _ => Some(self.whole(quotient)),
        }
    }

    fn unsigned_comparison(&mut self, op: BinaryOp, a: Value, b: Value) -> Value {
        if matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
            return self.logic(op.ir(), a, b);
        }
        match (self.is_natural(a), self.is_natural(b)) {
            (true, true) => self.logic(op.ir(), a, b),
            (false, true) => {
                let zero = self.int(0);
                let compared = self.logic(op.ir(), a, b);
                let (sign, joined) = match op {
                    BinaryOp::Lt | BinaryOp::Le => (Binary::Ge, Binary::And),
                    _ => (Binary::Lt, Binary::Or),
                };
                let sign = self.logic(sign, a, zero);
                self.logic(joined, sign, compared)
            }
            (true, false) => self.unsigned_comparison(mirrored(op), b, a),
            (false, false) => {
                let least = self.int(i64::MIN);
                let (a, b) = (self.index(Binary::BitXor, a, least), self.index(Binary::BitXor, b, least));
                self.logic(op.ir(), a, b)
            }
        }
    }

    /// The larger or smaller of two whole numbers.
    pub(super) fn whole_extremum(&mut self, max: bool, a: Value, b: Value, of: Scalar) -> Value {
        let signed = of == Scalar::I64 || self.is_natural(a) && self.is_natural(b);
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

    /// `a.saturating_sub(b)` of `usize`.
    pub(super) fn saturating_difference(&mut self, a: Value, b: Value) -> Value {
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

    fn is_natural_pair(&mut self, a: Value, b: Value) -> bool {
        self.is_natural(a) && self.is_natural(b)
    }

    /// `x as to`.
    pub(super) fn cast(&mut self, x: Value, from: Scalar, to: Scalar) -> Value {
        let is_whole = |s: Scalar| matches!(s, Scalar::I64 | Scalar::Usize);
        match (from, to) {
            _ if from == to || is_whole(from) && is_whole(to) => x,
            (Scalar::Bool, _) => {
                let (zero, one) = (self.whole(Size::constant(0)), self.whole(Size::constant(1)));
                self.select(x, one, zero)
            }
            (Scalar::Usize, _) => self.unsigned_to_float(x, to),
            (Scalar::F64 | Scalar::F32, Scalar::Usize) => self.float_to_unsigned(x, from),
            (Scalar::F64 | Scalar::F32, Scalar::I64) => {
                let nan = self.unary(Unary::IsNan, x);
                let (zero, whole) = (self.int(0), self.scalar(Op::Convert(x), Class::Index));
                self.select(nan, zero, whole)
            }
            _ => self.scalar(Op::Convert(x), super::lower::class(to)),
        }
    }

    /// The nearest float; of a number from 2^63 on twice that of its half, whose last bit stands for all that is lost.
    fn unsigned_to_float(&mut self, x: Value, to: Scalar) -> Value {
        let class = super::lower::class(to);
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
        let above = self.binary(BinaryOp::Sub, x, two_63, from);
        let above = self.scalar(Op::Convert(above), Class::Index);
        let least = self.int(i64::MIN);
        let high = self.index(Binary::Add, above, least);
        self.select(large, high, low)
    }

    /// The number of iterations of `from..to`, or `from..=to`, and what the counter has to be added to.
    pub(super) fn trip(&mut self, from: &Expr, to: &Expr, inclusive: bool) -> (Value, Value) {
        let of = self.types.scalar(from.span);
        let (from, to) = (self.expr(from), self.expr(to));
        let signed = of != Scalar::Usize || self.is_natural_pair(from, to);
        if let (true, Some(size)) = (signed, self.polynomial(BinaryOp::Sub, to, from)) {
            return (self.whole(size.add_const(i64::from(inclusive))), from);
        }
        let op = if inclusive { BinaryOp::Le } else { BinaryOp::Lt };
        let any = self.whole_binary(op, from, to, of);
        let (zero, one) = (self.int(0), self.int(1));
        let mut count = self.index(Binary::Sub, to, from);
        if inclusive {
            count = self.index(Binary::Add, count, one);
        }
        let trip = self.select(any, count, zero);
        let ends = self.logic(Binary::Ge, trip, zero);
        let message = "a range of 2^63 or more numbers: an operand of a subtraction may have been too large";
        self.builder.push_many(Op::Assert(ends, message.to_owned().into()), Vec::<Type>::new());
        // What the symbol says holds whether or not the test has been made.
        let trip = self.index(Binary::Max, trip, zero);
        self.symbol(trip, "trip", vec![Size::constant(0)], Vec::new());
        (trip, from)
    }
}

impl Entry {
    /// The conditions in Rust, over the parameters' names as `name` gives them; none if every call will do.
    pub fn condition(&self, func: &crate::ir::Func, scalars: &[bool]) -> Option<String> {
        let mut all: Vec<String> = Vec::new();
        for (param, is_whole) in func.params.iter().zip(scalars) {
            let (name, Limits { numbers, elements }) = (&param.name, self.limits);
            if !func.ty(param.value).is_scalar() {
                all.push(format!(
                    "({name}.shape().iter().filter(|d| **d != 0).product::<usize>() as u64) <= {elements}u64"
                ));
            } else if *is_whole {
                all.push(format!("({name} as i128).unsigned_abs() <= {numbers}u128"));
            }
        }
        let sizes = self.not_negative.iter();
        all.extend(sizes.map(|size| format!("({}) >= 0i128", in_rust(func, size))));
        (!all.is_empty()).then(|| all.join(" && "))
    }
}

/// A size over parameters, in 128 bits.
fn in_rust(func: &crate::ir::Func, size: &Size) -> String {
    let text = |sym| match &func.symbols.get(sym).def {
        SymDef::Dim(param, axis) => format!("({}.shape()[{axis}] as i128)", func.params[*param].name),
        SymDef::Value(value) => {
            let param = func.params.iter().find(|p| p.value == *value);
            format!("({} as i128)", param.map_or("0", |p| p.name.as_str()))
        }
        SymDef::Max(a, b) => format!("({}).max({})", in_rust(func, a), in_rust(func, b)),
        SymDef::Min(a, b) => format!("({}).min({})", in_rust(func, a), in_rust(func, b)),
        SymDef::FloorDiv(a, b) => format!("({}).div_euclid({})", in_rust(func, a), in_rust(func, b)),
    };
    let term = |(monomial, coefficient): (&Vec<crate::ir::Sym>, i64)| {
        let factors = monomial.iter().map(|sym| text(*sym));
        std::iter::once(format!("({coefficient}i128)")).chain(factors).collect::<Vec<_>>().join(" * ")
    };
    let terms: Vec<String> = size.terms().map(term).collect();
    if terms.is_empty() { "0i128".to_owned() } else { terms.join(" + ") }
}
