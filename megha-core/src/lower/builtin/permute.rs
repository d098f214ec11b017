//! `permute` and `ipermute`: the dimensions of an array in another order.
//!
//! It is one kernel that reads each element where it was, so it fuses with what makes the array and with what uses the result. A matrix is
//! transposed, and where only dimensions of one element move, no element does.

use super::{Call, Handler, Results, value};
use crate::diag::Code;
use crate::ir::{Class, Kernel, Mem, Op, Out, Terminator, Type, Value};
use crate::lower::facts::Facts;
use crate::lower::{Lower, Lowered};

pub(super) const NAMES: &[&str] = &["permute", "ipermute"];

pub(super) fn find(name: &str) -> Option<Handler> {
    NAMES.contains(&name).then_some(permute)
}

fn permute(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 2, 2)?;
    let array = lower.expr_value(&call.args[0])?;
    let given = lower.expr_value(&call.args[1])?;
    let axis = |number: f64| (number >= 1.0 && number.fract() == 0.0).then(|| number as usize - 1);
    let known = lower.known_elements(given).unwrap_or_default();
    let mut order: Vec<usize> = known.into_iter().map(axis).collect::<Option<_>>().unwrap_or_default();
    let mut sorted = order.clone();
    sorted.sort_unstable();
    if sorted.iter().enumerate().any(|(d, a)| *a != d) || order.len() < 2 {
        return lower.stop(
            Code::Unsupported,
            call.args[1].span,
            "`permute` needs a known order of the dimensions, such as [2 1 3]",
        );
    }
    if call.name == "ipermute" {
        order = sorted.iter().map(|axis| order.iter().position(|a| a == axis).unwrap_or(*axis)).collect();
    }
    if lower.builder.func.ty(array).dims.len() > order.len() {
        return lower.stop(Code::Unsupported, call.span, "`permute` needs as many numbers as the array has dimensions");
    }
    value(permuted(lower, call, array, &order)?)
}

/// The array with the dimensions of these numbers, from zero, in this order.
fn permuted(lower: &mut Lower<'_>, call: &Call<'_>, array: Value, order: &[usize]) -> Lowered<Value> {
    let ty = lower.builder.func.ty(array).clone();
    let wanted = Type::array(ty.class, order.iter().map(|a| ty.dim(*a)).collect());
    let long: Vec<usize> = order.iter().copied().filter(|a| !ty.dim(*a).is_one()).collect();
    let Facts { nonnegative, integral, zero, characters, .. } = lower.facts(array);
    let facts = Facts { nonnegative, integral, zero, characters, ..Facts::default() };
    let (source, moves) = match ty.dims.len() {
        ..=2 if !long.is_sorted() => (lower.transpose(array, call.span)?, false),
        _ => (array, !long.is_sorted()),
    };
    if !moves && wanted == *lower.builder.func.ty(source) {
        return Ok(source);
    }
    if moves && lower.is_complex(source) {
        let (re, im) = lower.parts(source);
        let (re, im) = (permuted(lower, call, re, order)?, permuted(lower, call, im, order)?);
        return lower.complex(re, im, call.span);
    }
    let before = lower.here(call.span);
    let op = if moves { Op::Kernel(Box::new(kernel(lower, source, order))) } else { Op::Reshape(source) };
    let result = lower.emit(op, wanted, facts);
    lower.builder.set_loc(before);
    Ok(result)
}

/// Each element of the result from where it was.
fn kernel(lower: &mut Lower<'_>, array: Value, order: &[usize]) -> Kernel {
    let ty = lower.builder.func.ty(array).clone();
    let wanted = Type::array(ty.class, order.iter().map(|a| ty.dim(*a)).collect());
    let domain: Vec<_> = wanted.dims.iter().filter(|d| !d.is_one()).cloned().collect();
    let (mark, params) = lower.open_region(domain.iter().map(|_| Type::scalar(Class::Index)).collect());
    let mut numbers = params.into_iter();
    let mut own = Vec::new();
    for dim in &wanted.dims {
        let number = if dim.is_one() { None } else { numbers.next() };
        own.push(number.unwrap_or_else(|| lower.builder.int(0)));
    }
    let mut from = Vec::new();
    for axis in 0..ty.dims.len() {
        let place = order.iter().position(|a| *a == axis).and_then(|place| own.get(place).copied());
        from.push(place.unwrap_or_else(|| lower.builder.int(0)));
    }
    let element = lower.builder.push(Op::Load(Mem::In(array), from), Type::scalar(ty.class));
    lower.builder.effect(Op::Put(0, own, element));
    let body = lower.close_region(mark, Terminator::Yield(Vec::new()));
    lower.kernels += 1;
    Kernel { id: lower.kernels, domain, outs: vec![Out::Fresh], body }
}
