//! `diff`: differences of parts of an array along its dimensions.

use super::shape::part;
use super::{Call, Handler, Results, value};
use crate::diag::Code;
use crate::ir::{Binary, Class, Op, Size, Sub, Type, Value};
use crate::lower::facts::Facts;
use crate::lower::{Lower, Lowered};

pub(super) const NAMES: &[&str] = &["diff"];

pub(super) fn find(name: &str) -> Option<Handler> {
    NAMES.contains(&name).then_some(diff)
}

/// `diff(x)`, `diff(x, k)`, `diff(x, k, dim)`: the differences of neighbours, k times over.
fn diff(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 1, 3)?;
    let mut array = lower.expr_value(&call.args[0])?;
    let times = match call.args.get(1) {
        Some(arg) => {
            let v = lower.expr_value(arg)?;
            lower.constant_of(v).filter(|k| k.fract() == 0.0 && (0.0..=16.0).contains(k))
        }
        None => Some(1.0),
    };
    let Some(times) = times else {
        return lower.stop(Code::NotConstant, call.span, "the order of `diff` must be a known whole number up to 16");
    };
    let mut axis = call.args.get(2).map(|arg| lower.axis_argument(arg)).transpose()?;
    let ty = lower.builder.func.ty(array).clone();
    if axis.is_none() && times > 1.0 && !ty.is_scalar() {
        // Where the elements do not suffice, Octave goes on along other dimensions.
        let along = lower.default_axis(&ty);
        let text = format!("differences of order {times} need more than {times} elements");
        at_least(lower, call, &ty.dim(along), times as i64 + 1, &text)?;
        axis = Some(along);
    }
    for _ in 0..times as usize {
        array = neighbour_differences(lower, call, array, axis)?;
    }
    value(array)
}

/// Tests that a size has a least value, when running if it is not known.
fn at_least(lower: &mut Lower<'_>, call: &Call<'_>, size: &Size, least: i64, text: &str) -> Lowered<()> {
    let spare = size.add_const(-least);
    if lower.never_negative(&spare) {
        return Ok(());
    }
    if size.as_constant().is_some() {
        return lower.stop(Code::SizeMismatch, call.span, text);
    }
    let (count, least) = (lower.index_value(size), lower.builder.int(least));
    let op = Op::Binary(Binary::Ge, count, least);
    let enough = lower.emit(op, Type::scalar(Class::Logical), Facts::default());
    lower.builder.effect(Op::Assert(enough, text.into()));
    lower.passed(spare);
    Ok(())
}

fn neighbour_differences(lower: &mut Lower<'_>, call: &Call<'_>, array: Value, axis: Option<usize>) -> Lowered<Value> {
    let array = lower.convert_number(array);
    let ty = lower.builder.func.ty(array).clone();
    if ty.is_scalar() {
        let mut none = vec![Size::constant(if axis.is_some() { 1 } else { 0 }); 2];
        if let Some(size) = axis.and_then(|axis| none.get_mut(axis)) {
            *size = Size::constant(0);
        }
        return Ok(lower.filled(0.0, Class::Double, none));
    }
    let axis = match axis {
        Some(axis) if axis >= ty.ndims() => {
            return lower.stop(Code::AlwaysFails, call.span, "diff: DIM must be a valid dimension");
        }
        Some(axis) => axis,
        None => lower.default_axis(&ty),
    };
    let len = lower.size_from(ty.dim(axis).add_const(-1));
    let mut shorter = ty.clone();
    shorter.dims[axis] = len.clone();
    let shorter = Type::array(shorter.class, shorter.dims);
    let mut sides = Vec::new();
    for offset in [1, 0] {
        let start = lower.builder.int(offset);
        let mut subs = vec![Sub::All; ty.dims.len()];
        subs[axis] = Sub::Range { start, step: 1, len: len.clone() };
        sides.push(part(lower, call, array, subs, shorter.clone()));
    }
    lower.binary(Binary::Sub, sides[0], sides[1], "`diff`", call.span)
}
