//! `bitand`, `bitor`, `bitxor`. Doubles are taken as machine integers on the way, rounded and at least zero as in Octave; they must be
//! below 2^53, which is tested at run time where it is not known.

use super::{Call, Handler, Results, value};
use crate::ir::{Binary, Class, Op, Type, Unary, Value};
use crate::lower::facts::Facts;
use crate::lower::{Lower, Lowered};

pub(super) const NAMES: &[&str] = &["bitand", "bitor", "bitxor"];

/// The first number that is too large.
const LIMIT: f64 = (1u64 << 53) as f64;

pub(super) fn find(name: &str) -> Option<Handler> {
    NAMES.contains(&name).then_some(bits)
}

fn bits(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 2, 2)?;
    let v = call.values(lower)?;
    let op = match call.name {
        "bitand" => Binary::BitAnd,
        "bitor" => Binary::BitOr,
        _ => Binary::BitXor,
    };
    let mut operands = [v[0], v[1]];
    let dims = lower.expand(&mut operands, call.name, call.span)?;
    let class = match operands.map(|v| lower.class(v)) {
        [a, _] if a.is_integer() => a,
        [_, b] if b.is_integer() => b,
        [Class::Single, _] | [_, Class::Single] => Class::Single,
        [Class::Logical, Class::Logical] => Class::Logical,
        _ => Class::Double,
    };
    let inner = if class.is_float() { Class::Index } else { class };
    let before = lower.here(call.span);
    let [a, b] = operands.map(|v| machine_integer(lower, v, inner, call));
    let (a, b) = (a?, b?);
    let op = match (op, class) {
        (Binary::BitAnd, Class::Logical) => Binary::And,
        (Binary::BitOr, Class::Logical) => Binary::Or,
        (_, Class::Logical) => Binary::Xor,
        (op, _) => op,
    };
    let facts = Facts { nonnegative: class.is_float(), integral: true, ..Facts::default() };
    let combined = lower.emit(Op::Binary(op, a, b), Type { class: inner, dims: dims.clone() }, facts.clone());
    let result = if inner == class { combined } else { lower.emit(Op::Convert(combined), Type { class, dims }, facts) };
    lower.builder.set_loc(before);
    value(result)
}

/// The operand in the class in which bits are combined.
fn machine_integer(lower: &mut Lower<'_>, v: Value, class: Class, call: &Call<'_>) -> Lowered<Value> {
    if class != Class::Index {
        return Ok(lower.convert(v, class));
    }
    let v = lower.convert_number(v);
    let mut v = v;
    if !lower.facts(v).integral {
        v = lower.unary(Unary::Round, v, call.span)?;
    }
    if lower.whole_of(v).is_none() || !lower.facts(v).nonnegative {
        // Negative numbers and NaN become zero.
        let zero = lower.number(0.0);
        v = lower.binary(Binary::Max, v, zero, call.name, call.span)?;
    }
    if !lower.constant_of(v).is_some_and(|c| c < LIMIT) {
        let limit = lower.number(LIMIT);
        let fine = lower.binary(Binary::Lt, v, limit, call.name, call.span)?;
        lower.assert_all(fine, "bits of a number from 2^53", call.span);
    }
    let ty = lower.builder.func.ty(v).with_class(Class::Index);
    Ok(lower.emit(Op::Convert(v), ty, Facts { nonnegative: true, integral: true, ..Facts::default() }))
}
