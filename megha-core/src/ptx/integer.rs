//! MATLAB's integer classes (saturating, rounding half away from zero; `megha_base::int` is the definition) and the compiler's wrapping
//! `Index`. Classes up to 16 bits are computed in 32 bits, where no sum and no product of two of them overflows; of 32 bits products are computed in 64.

use super::emit::Emitter;
use super::inst::{Arith, Bank, Compare, Inst, Operand, Ty};
use crate::ir::{Binary, Class, Unary};
use Operand::Int;

/// An integer class: its bits, whether it has a sign, and the type of its registers.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    bits: u32,
    signed: bool,
    /// The type of its registers.
    pub ty: Ty,
}

impl Kind {
    /// The kind of an integer class.
    pub fn of(class: Class) -> Option<Self> {
        let (bits, signed) = class.int_bits()?;
        let ty = match (bits, signed) {
            (64, true) => Ty::S64,
            (64, false) => Ty::U64,
            (_, true) => Ty::S32,
            (_, false) => Ty::U32,
        };
        Some(Self { bits, signed, ty })
    }

    /// The least value, as bits.
    pub fn min(self) -> i64 {
        if self.signed { i64::MIN >> (64 - self.bits) } else { 0 }
    }

    /// The greatest value, as bits.
    pub fn max(self) -> i64 {
        if self.signed { i64::MAX >> (64 - self.bits) } else { (u64::MAX >> (64 - self.bits)) as i64 }
    }

    /// Whether its numbers have 64 bits.
    pub fn is_wide(self) -> bool {
        self.bits == 64
    }

    /// The bits of its registers.
    fn word(self) -> Ty {
        if self.is_wide() { Ty::B64 } else { Ty::B32 }
    }

    /// The unsigned type of the same width, in which magnitudes are computed.
    fn unsigned(self) -> Ty {
        if self.is_wide() { Ty::U64 } else { Ty::U32 }
    }

    /// The value in 64 bits.
    pub fn widen(self, e: &mut Emitter, a: Operand) -> Operand {
        match self.ty {
            Ty::S32 => e.convert(Ty::S64, Ty::S32, a),
            Ty::U32 => e.convert(Ty::S64, Ty::U32, a),
            _ => a,
        }
    }

    /// A signed number of 32 bits clamped to a class that has no more.
    pub fn clamp_short(self, e: &mut Emitter, a: Operand) -> Operand {
        if self.bits == 32 && self.signed {
            return a;
        }
        let low = e.arith(Arith::Max, Ty::S32, &[a, Int(self.min())]);
        if self.bits == 32 { low } else { e.arith(Arith::Min, Ty::S32, &[low, Int(self.max())]) }
    }

    /// A signed number of 64 bits clamped to the class, in its register.
    pub fn clamp(self, e: &mut Emitter, a: Operand) -> Operand {
        match self.ty {
            Ty::S64 => a,
            Ty::U64 => e.arith(Arith::Max, Ty::S64, &[a, Int(0)]),
            ty => {
                let low = e.arith(Arith::Max, Ty::S64, &[a, Int(self.min())]);
                let both = e.arith(Arith::Min, Ty::S64, &[low, Int(self.max())]);
                e.convert(ty, Ty::S64, both)
            }
        }
    }
}

/// A function of one number of an integer class.
pub fn unary(e: &mut Emitter, op: Unary, kind: Kind, a: Operand) -> Option<Operand> {
    let ty = kind.ty;
    Some(match op {
        Unary::Neg => sub(e, kind, Int(0), a),
        Unary::Abs if !kind.signed => a,
        Unary::Abs => {
            let negated = sub(e, kind, Int(0), a);
            e.arith(Arith::Max, ty, &[a, negated])
        }
        Unary::Sign => sign(e, ty, a),
        Unary::Floor | Unary::Ceil | Unary::Round | Unary::Fix | Unary::Rint => a,
        Unary::Not => e.compare(Compare::Eq, ty, a, Int(0)),
        Unary::IsNan | Unary::IsInf => Int(0),
        Unary::IsFinite => Int(1),
        _ => return None,
    })
}

/// -1, 0 or 1.
fn sign(e: &mut Emitter, ty: Ty, a: Operand) -> Operand {
    let positive = e.compare(Compare::Gt, ty, a, Int(0));
    let one = e.select(ty, positive, Int(1), Int(0));
    if !ty.is_signed() {
        return one;
    }
    let negative = e.compare(Compare::Lt, ty, a, Int(0));
    e.select(ty, negative, Int(-1), one)
}

/// A function of two numbers of one integer class; comparisons are not among them.
pub fn binary(e: &mut Emitter, op: Binary, kind: Kind, a: Operand, b: Operand) -> Option<Operand> {
    let (ty, bits) = (kind.ty, kind.word());
    Some(match op {
        Binary::Add => add(e, kind, a, b),
        Binary::Sub => sub(e, kind, a, b),
        Binary::Mul => mul(e, kind, a, b),
        Binary::Div => div(e, kind, a, b),
        Binary::Pow => pow(e, kind, a, b),
        Binary::Mod => modulo(e, kind, a, b),
        Binary::Rem => rem(e, kind, a, b),
        Binary::Min => e.arith(Arith::Min, ty, &[a, b]),
        Binary::Max => e.arith(Arith::Max, ty, &[a, b]),
        Binary::BitAnd => e.arith(Arith::And, bits, &[a, b]),
        Binary::BitOr => e.arith(Arith::Or, bits, &[a, b]),
        Binary::BitXor => e.arith(Arith::Xor, bits, &[a, b]),
        Binary::Shl => shl(e, kind, a, b),
        Binary::Shr if kind.is_wide() => shift(e, Arith::Shr, ty, a, b),
        Binary::Shr => e.arith(Arith::Shr, ty, &[a, short_amount(b)]),
        _ => return None,
    })
}

/// A shift to the left, after which a short class has what its bits are alone.
fn shl(e: &mut Emitter, kind: Kind, a: Operand, by: Operand) -> Operand {
    if kind.is_wide() {
        return shift(e, Arith::Shl, kind.word(), a, by);
    }
    let moved = e.arith(Arith::Shl, kind.word(), &[a, short_amount(by)]);
    match (kind.bits, kind.signed) {
        (32, _) => moved,
        (bits, false) => e.arith(Arith::And, kind.word(), &[moved, Int((1 << bits) - 1)]),
        (bits, true) => {
            let up = e.arith(Arith::Shl, kind.word(), &[moved, Int(i64::from(32 - bits))]);
            e.arith(Arith::Shr, kind.ty, &[up, Int(i64::from(32 - bits))])
        }
    }
}

/// An amount in a register of 32 bits, which PTX clamps as the IR does: a negative one counts as unsigned.
fn short_amount(by: Operand) -> Operand {
    match by {
        Int(by) => Int((by as u64).min(32) as i64),
        by => by,
    }
}

/// An operation of operands of 16 bits or less, done in 32 bits and clamped.
fn shortly(e: &mut Emitter, op: Arith, kind: Kind, a: Operand, b: Operand) -> Operand {
    if kind.bits == 16 && !kind.signed && op == Arith::Mul {
        // The product may exceed 2^31, but not 2^32.
        let exact = e.arith(op, Ty::U32, &[a, b]);
        return e.arith(Arith::Min, Ty::U32, &[exact, Int(kind.max())]);
    }
    let exact = e.arith(op, Ty::S32, &[a, b]);
    kind.clamp_short(e, exact)
}

/// A product of narrow operands, done in 64 bits and clamped.
fn widely(e: &mut Emitter, op: Arith, kind: Kind, a: Operand, b: Operand) -> Operand {
    let (a, b) = (kind.widen(e, a), kind.widen(e, b));
    let exact = e.arith(op, Ty::S64, &[a, b]);
    if kind.bits == 32 && !kind.signed && op == Arith::Mul {
        // The product may exceed 2^63, but not 2^64.
        let clamped = e.arith(Arith::Min, Ty::U64, &[exact, Int(kind.max())]);
        return e.convert(kind.ty, Ty::S64, clamped);
    }
    kind.clamp(e, exact)
}

/// The end of a signed class on the side of `negative`.
fn end(e: &mut Emitter, kind: Kind, negative: Operand) -> Operand {
    e.select(kind.ty, negative, Int(kind.min()), Int(kind.max()))
}

/// `a + b`, clamped.
pub fn add(e: &mut Emitter, kind: Kind, a: Operand, b: Operand) -> Operand {
    if kind.bits < 32 {
        return shortly(e, Arith::Add, kind, a, b);
    }
    let sum = plain(e, Arith::Add, kind, a, b);
    if !kind.signed {
        let wrapped = e.compare(Compare::Lt, kind.ty, sum, a);
        return e.select(kind.ty, wrapped, Int(kind.max()), sum);
    }
    // Both operands differ in sign from the sum.
    let words = [a, b].map(|x| e.arith(Arith::Xor, kind.word(), &[x, sum]));
    overflowed(e, kind, words, a, sum)
}

/// `a - b`, clamped.
fn sub(e: &mut Emitter, kind: Kind, a: Operand, b: Operand) -> Operand {
    if kind.bits < 32 {
        return shortly(e, Arith::Sub, kind, a, b);
    }
    let difference = plain(e, Arith::Sub, kind, a, b);
    if !kind.signed {
        let below = e.compare(Compare::Lt, kind.ty, a, b);
        return e.select(kind.ty, below, Int(0), difference);
    }
    let words = [b, difference].map(|x| e.arith(Arith::Xor, kind.word(), &[a, x]));
    overflowed(e, kind, words, a, difference)
}

/// An operation that wraps.
fn plain(e: &mut Emitter, op: Arith, kind: Kind, a: Operand, b: Operand) -> Operand {
    e.pure(kind.ty.bank(), |dst| Inst::Arith { op, ty: kind.ty, dst, args: vec![a, b] }).into()
}

/// The end of the class on the side of `a` if both words have their sign bit set, else the result.
fn overflowed(e: &mut Emitter, kind: Kind, words: [Operand; 2], a: Operand, result: Operand) -> Operand {
    let both = e.arith(Arith::And, kind.word(), &words);
    let over = e.compare(Compare::Lt, kind.ty, both, Int(0));
    let negative = e.compare(Compare::Lt, kind.ty, a, Int(0));
    let limit = end(e, kind, negative);
    e.select(kind.ty, over, limit, result)
}

/// `a * b`, clamped.
pub fn mul(e: &mut Emitter, kind: Kind, a: Operand, b: Operand) -> Operand {
    if kind.bits < 32 {
        return shortly(e, Arith::Mul, kind, a, b);
    }
    if !kind.is_wide() {
        return widely(e, Arith::Mul, kind, a, b);
    }
    let low = e.pure(Bank::B64, |dst| Inst::Arith { op: Arith::Mul, ty: kind.ty, dst, args: vec![a, b] }).into();
    let high = e.arith(Arith::MulHigh, kind.ty, &[a, b]);
    if !kind.signed {
        let over = e.compare(Compare::Ne, Ty::U64, high, Int(0));
        return e.select(Ty::U64, over, Int(-1), low);
    }
    let sign = e.arith(Arith::Shr, Ty::S64, &[low, Int(63)]);
    let over = e.compare(Compare::Ne, Ty::S64, high, sign);
    let signs = e.arith(Arith::Xor, Ty::B64, &[a, b]);
    let negative = e.compare(Compare::Lt, Ty::S64, signs, Int(0));
    let limit = end(e, kind, negative);
    e.select(kind.ty, over, limit, low)
}

/// The magnitude as an unsigned number of the same width.
fn magnitude(e: &mut Emitter, kind: Kind, a: Operand) -> Operand {
    if !kind.signed {
        return a;
    }
    let negated = e.arith(Arith::Neg, kind.ty, &[a]);
    let negative = e.compare(Compare::Lt, kind.ty, a, Int(0));
    e.select(kind.ty, negative, negated, a)
}

/// `a / b` rounded half away from zero, by magnitudes.
fn div(e: &mut Emitter, kind: Kind, a: Operand, b: Operand) -> Operand {
    let (ty, unsigned) = (kind.ty, kind.unsigned());
    let by_zero = e.compare(Compare::Eq, ty, b, Int(0));
    let divisor = e.select(ty, by_zero, Int(1), b);
    let (n, d) = (magnitude(e, kind, a), magnitude(e, kind, divisor));
    let q = e.arith(Arith::Div, unsigned, &[n, d]);
    let r = e.arith(Arith::Rem, unsigned, &[n, d]);
    let rest = e.arith(Arith::Sub, unsigned, &[d, r]);
    let up = e.compare(Compare::Ge, unsigned, r, rest);
    let more = e.arith(Arith::Add, unsigned, &[q, Int(1)]);
    let rounded = e.select(unsigned, up, more, q);
    let positive_end = e.compare(Compare::Gt, ty, a, Int(0));
    let by_zero_value = match kind.signed {
        true => {
            let none = e.compare(Compare::Eq, ty, a, Int(0));
            let side = e.select(ty, positive_end, Int(kind.max()), Int(kind.min()));
            e.select(ty, none, Int(0), side)
        }
        false => e.select(ty, positive_end, Int(kind.max()), Int(0)),
    };
    let value = if kind.signed {
        let signs = e.arith(Arith::Xor, kind.word(), &[a, divisor]);
        let negative = e.compare(Compare::Lt, ty, signs, Int(0));
        let capped = e.arith(Arith::Min, unsigned, &[rounded, Int(kind.max())]);
        let negated = e.arith(Arith::Neg, ty, &[rounded]);
        e.select(ty, negative, negated, capped)
    } else {
        rounded
    };
    e.select(ty, by_zero, by_zero_value, value)
}

/// The remainder with the sign of the dividend; 0 by zero.
fn rem(e: &mut Emitter, kind: Kind, a: Operand, b: Operand) -> Operand {
    let by_zero = e.compare(Compare::Eq, kind.ty, b, Int(0));
    let divisor = e.select(kind.ty, by_zero, Int(1), b);
    let (n, d) = (magnitude(e, kind, a), magnitude(e, kind, divisor));
    let r = e.arith(Arith::Rem, kind.unsigned(), &[n, d]);
    if !kind.signed {
        return r;
    }
    let negated = e.arith(Arith::Neg, kind.ty, &[r]);
    let negative = e.compare(Compare::Lt, kind.ty, a, Int(0));
    e.select(kind.ty, negative, negated, r)
}

/// The remainder with the sign of the divisor; the dividend by zero.
fn modulo(e: &mut Emitter, kind: Kind, a: Operand, b: Operand) -> Operand {
    let r = rem(e, kind, a, b);
    let by_zero = e.compare(Compare::Eq, kind.ty, b, Int(0));
    let with_sign = if kind.signed { floored(e, kind.ty, r, b) } else { r };
    e.select(kind.ty, by_zero, a, with_sign)
}

/// A remainder of truncation turned into the one of flooring.
fn floored(e: &mut Emitter, ty: Ty, r: Operand, divisor: Operand) -> Operand {
    let wrong = wrong_side(e, ty, r, divisor);
    let moved = e.arith(Arith::Add, ty, &[r, divisor]);
    e.select(ty, wrong, moved, r)
}

/// Whether a remainder is not zero and has another sign than the divisor.
fn wrong_side(e: &mut Emitter, ty: Ty, r: Operand, divisor: Operand) -> Operand {
    let bits = if ty.bytes() == 8 { Ty::B64 } else { Ty::B32 };
    let some = e.compare(Compare::Ne, ty, r, Int(0));
    let signs = e.arith(Arith::Xor, bits, &[r, divisor]);
    let differ = e.compare(Compare::Lt, ty, signs, Int(0));
    e.and(some, differ)
}

/// Powers by squaring. Every product is clamped: a product of clamped numbers clamps to the same end, since it is odd powers that have a
/// sign, and those of a base beyond -1 keep a magnitude of two or more. A negative exponent divides one by the power.
fn pow(e: &mut Emitter, kind: Kind, a: Operand, b: Operand) -> Operand {
    let exponent = magnitude(e, kind, b);
    let power = squaring(e, kind.ty, kind.unsigned(), a, exponent, &|e, x, y| mul(e, kind, x, y));
    if !kind.signed {
        return power;
    }
    let inverse = div(e, kind, Int(1), power);
    let negative = e.compare(Compare::Lt, kind.ty, b, Int(0));
    e.select(kind.ty, negative, inverse, power)
}

/// `base ^ exponent` by repeated squaring with this product.
fn squaring(
    e: &mut Emitter,
    ty: Ty,
    unsigned: Ty,
    base: Operand,
    exponent: Operand,
    product: &dyn Fn(&mut Emitter, Operand, Operand) -> Operand,
) -> Operand {
    let [result, square, left] = [Int(1), base, exponent].map(|init| {
        let reg = e.reg(ty.bank());
        e.assign(ty, reg, init);
        reg
    });
    let (head, end) = (e.label(), e.label());
    let bits = if ty.bytes() == 8 { Ty::B64 } else { Ty::B32 };
    e.place(head);
    e.open();
    let done = e.compare(Compare::Eq, unsigned, left.into(), Int(0));
    e.jump_if(done, true, end);
    let last = e.arith(Arith::And, bits, &[left.into(), Int(1)]);
    let odd = e.compare(Compare::Ne, unsigned, last, Int(0));
    let with = product(e, result.into(), square.into());
    let next = e.select(ty, odd, with, result.into());
    let squared = product(e, square.into(), square.into());
    let rest = e.arith(Arith::Shr, unsigned, &[left.into(), Int(1)]);
    e.assign(ty, result, next);
    e.assign(ty, square, squared);
    e.assign(ty, left, rest);
    e.close();
    e.jump(head);
    e.place(end);
    result.into()
}

/// A function of one `Index`.
pub fn index_unary(e: &mut Emitter, op: Unary, a: Operand) -> Option<Operand> {
    Some(match op {
        Unary::Neg => e.arith(Arith::Neg, Ty::S64, &[a]),
        Unary::Abs => e.arith(Arith::Abs, Ty::S64, &[a]),
        Unary::Sign => sign(e, Ty::S64, a),
        Unary::IsNan | Unary::IsInf => Int(0),
        Unary::IsFinite => Int(1),
        _ => return None,
    })
}

/// A function of two `Index` numbers; comparisons are not among them. Division by zero is a mistake that the IR excludes.
pub fn index_binary(e: &mut Emitter, op: Binary, a: Operand, b: Operand) -> Option<Operand> {
    let s64 = |e: &mut Emitter, op| e.arith(op, Ty::S64, &[a, b]);
    let b64 = |e: &mut Emitter, op| e.arith(op, Ty::B64, &[a, b]);
    Some(match op {
        Binary::Add => s64(e, Arith::Add),
        Binary::Sub => s64(e, Arith::Sub),
        Binary::Mul => s64(e, Arith::Mul),
        Binary::Min => s64(e, Arith::Min),
        Binary::Max => s64(e, Arith::Max),
        Binary::BitAnd => b64(e, Arith::And),
        Binary::BitOr => b64(e, Arith::Or),
        Binary::BitXor => b64(e, Arith::Xor),
        Binary::Div => {
            let (q, r) = quotient(e, a, b);
            let wrong = wrong_side(e, Ty::S64, r, b);
            let below = e.arith(Arith::Sub, Ty::S64, &[q, Int(1)]);
            e.select(Ty::S64, wrong, below, q)
        }
        Binary::Mod => {
            let (_, r) = quotient(e, a, b);
            floored(e, Ty::S64, r, b)
        }
        Binary::Rem => quotient(e, a, b).1,
        Binary::Divu => e.arith(Arith::Div, Ty::U64, &[a, b]),
        Binary::Remu => e.arith(Arith::Rem, Ty::U64, &[a, b]),
        Binary::Pow => squaring(e, Ty::S64, Ty::U64, a, b, &|e, x, y| e.arith(Arith::Mul, Ty::S64, &[x, y])),
        Binary::Shl => shift(e, Arith::Shl, Ty::B64, a, b),
        Binary::Shr => shift(e, Arith::Shr, Ty::S64, a, b),
        Binary::Shru => shift(e, Arith::Shr, Ty::U64, a, b),
        Binary::Philox => super::philox::bits(e, a, b),
        _ => return None,
    })
}

/// Truncated quotient and remainder; by -1, where PTX leaves the least number open, by negation.
fn quotient(e: &mut Emitter, a: Operand, b: Operand) -> (Operand, Operand) {
    let q = match b {
        Int(-1) => e.arith(Arith::Neg, Ty::S64, &[a]),
        Int(_) => e.arith(Arith::Div, Ty::S64, &[a, b]),
        _ => {
            let minus_one = e.compare(Compare::Eq, Ty::S64, b, Int(-1));
            let safe = e.select(Ty::S64, minus_one, Int(1), b);
            let q = e.arith(Arith::Div, Ty::S64, &[a, safe]);
            let negated = e.arith(Arith::Neg, Ty::S64, &[a]);
            e.select(Ty::S64, minus_one, negated, q)
        }
    };
    let whole = e.arith(Arith::Mul, Ty::S64, &[q, b]);
    (q, e.arith(Arith::Sub, Ty::S64, &[a, whole]))
}

/// A shift whose amount counts as unsigned; PTX clamps amounts of 64 and more as the IR does.
fn shift(e: &mut Emitter, op: Arith, ty: Ty, a: Operand, by: Operand) -> Operand {
    let amount = match by {
        Int(by) => Int((by as u64).min(64) as i64),
        _ => {
            let clamped = e.arith(Arith::Min, Ty::U64, &[by, Int(64)]);
            e.convert(Ty::U32, Ty::U64, clamped)
        }
    };
    e.arith(op, ty, &[a, amount])
}
