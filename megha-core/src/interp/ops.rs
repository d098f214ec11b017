//! Operations without control flow.

use super::datum::{Datum, Scalar};
use super::elementwise::{self, map};
use super::failure::{ErrorKind, Failure, Run};
use super::frame::Frame;
use super::{array, fourier, linear, message, order, reduce, subscript};
use crate::ir::{Check, Class, Const, Lib, Op, Stmt, Type, Value};
use megha_base::int::Integer;

/// How many elements an operation computes or reads, beyond the statement itself.
pub(super) fn work(frame: &Frame<'_>, stmt: &Stmt) -> Run<u64> {
    let numel = |v: Value| frame.get(v).map(|d| d.numel() as u64);
    Ok(match &stmt.op {
        Op::Reduce(_, a, _) => numel(*a)?,
        Op::Store { value, .. } => numel(*value)?,
        Op::Lib(lib, args) if lib.multiplies() => linear::product_work(&frame.all(args)?),
        Op::Lib(lib, args) if lib.factors() || matches!(lib, Lib::LeftDivide | Lib::RightDivide) => {
            linear::solve_work(&frame.all(args)?)
        }
        _ => match stmt.results.first().map(|r| frame.func.ty(*r)) {
            Some(ty) if !ty.is_scalar() => frame.dims(ty)?.iter().fold(1, |n, d| n.saturating_mul(*d as u64)),
            _ => 0,
        },
    })
}

/// Carries out an operation.
pub(super) fn run(frame: &mut Frame<'_>, stmt: &Stmt) -> Run<Vec<Datum>> {
    match &stmt.op {
        Op::Assert(condition, Check { text, .. }) => match frame.logical(*condition)? {
            true => Ok(Vec::new()),
            false => Err(Failure::error(ErrorKind::Assert, text.clone())),
        },
        Op::SameSize(a, b, text) => match (frame.size(a)?, frame.size(b)?) {
            (a, b) if a == b => Ok(Vec::new()),
            (a, b) => {
                let message = format!("{text}: the sizes {a} and {b} must be equal");
                Err(Failure::error(ErrorKind::SizeMismatch, message))
            }
        },
        Op::Store { array, subs, value, checked } => {
            subscript::store(frame, stmt, (*array, subs, *value), *checked).map(|array| vec![array])
        }
        Op::Put(out, subs, value) => {
            let value = frame.scalar(*value)?;
            let subs = indices(frame, subs)?;
            super::kernel::state(frame)?.put(*out, &subs, value)?;
            Ok(Vec::new())
        }
        Op::Accumulate(out, value) => {
            let value = frame.scalar(*value)?;
            super::kernel::state(frame)?.accumulate(*out, value)?;
            Ok(Vec::new())
        }
        _ => {
            let &[result] = stmt.results.as_slice() else {
                return Err(Failure::malformed("this operation has one result"));
            };
            let ty = frame.func.ty(result);
            value(frame, &stmt.op, ty).map(|v| vec![if ty.is_scalar() { collapsed(v) } else { v }])
        }
    }
}

/// A 1-by-1 array as the scalar that its type says it is (the product of a row and a column, say).
fn collapsed(datum: Datum) -> Datum {
    match (&datum, datum.numel(), datum.get(0)) {
        (Datum::Array(_), 1, Some(scalar)) => Datum::Scalar(scalar),
        _ => datum,
    }
}

/// The values of `Index` scalars.
pub(super) fn indices(frame: &Frame<'_>, subs: &[Value]) -> Run<Vec<i64>> {
    subs.iter().map(|s| frame.index(*s)).collect()
}

/// The one result of an operation and its static type.
fn value(frame: &mut Frame<'_>, op: &Op, ty: &Type) -> Run<Datum> {
    match op {
        Op::Const(c) => constant(c, ty.class),
        Op::Size(size) => Ok(Datum::Scalar(Scalar::Index(frame.size(size)?))),
        Op::Unary(op, a) => map(ty.class, [frame.get(*a)?], |[a]| elementwise::unary(*op, a)),
        Op::Binary(op, a, b) => {
            map(ty.class, [frame.get(*a)?, frame.get(*b)?], |[a, b]| elementwise::binary(*op, a, b))
        }
        Op::Select(c, a, b) => {
            map(ty.class, [frame.get(*c)?, frame.get(*a)?, frame.get(*b)?], |[c, a, b]| elementwise::select(c, a, b))
        }
        Op::Convert(a) => map(ty.class, [frame.get(*a)?], |[a]| elementwise::convert(a, ty.class)),
        Op::Fma(a, b, c) => map(ty.class, [frame.get(*a)?, frame.get(*b)?, frame.get(*c)?], |[a, b, c]| fma(a, b, c)),
        Op::ToIndex(a) => to_index(frame.scalar(*a)?),
        Op::Bits(a) => match frame.scalar(*a)? {
            Scalar::Double(x) => Ok(Datum::Scalar(Scalar::Index(x.to_bits() as i64))),
            Scalar::Single(x) => Ok(Datum::Scalar(Scalar::Index(x.to_bits().into()))),
            _ => Err(Failure::malformed("the bits of a float are asked for")),
        },
        Op::FromBits(a) if ty.class == Class::Single => {
            Ok(Datum::Scalar(Scalar::Single(f32::from_bits(frame.index(*a)? as u32))))
        }
        Op::FromBits(a) => Ok(Datum::double(f64::from_bits(frame.index(*a)? as u64))),
        Op::Load(mem, subs) => super::kernel::load(frame, *mem, &indices(frame, subs)?).map(Datum::Scalar),
        Op::Index { array, subs, checked } => subscript::index(frame, *array, subs, *checked, ty),
        Op::Lib(Lib::Find, args) => order::find(&frame.all(args)?, frame.dims(ty)?),
        Op::Lib(lib, args) => library(frame, *lib, args, ty),
        Op::Reduce(op, a, axes) => reduce::reduce(*op, frame.get(*a)?, axes, ty.is_scalar()),
        Op::Scan(op, a, axis) => reduce::scan(*op, frame.get(*a)?, *axis),
        Op::Fill(_) | Op::FillAround { .. } | Op::Range { .. } | Op::Linspace(..) | Op::Eye => {
            array::value(frame, op, ty)
        }
        Op::Transpose(_) | Op::Reshape(_) | Op::Resize(_) | Op::Concat(..) => array::value(frame, op, ty),
        // Those give no value, are carried out elsewhere, or have gone when a function is lowered.
        Op::Store { .. } | Op::Put(..) | Op::Accumulate(..) | Op::Assert(..) | Op::SameSize(..) => misplaced(op),
        Op::Raise { .. } | Op::Print(..) | Op::Display(..) | Op::Text(..) | Op::Ambient(..) => misplaced(op),
        Op::If { .. } | Op::For { .. } | Op::While { .. } | Op::Kernel(_) | Op::Call(..) => misplaced(op),
        Op::Complex(..) | Op::Part(..) => misplaced(op),
    }
}

pub(super) fn misplaced(op: &Op) -> Run<Datum> {
    Err(Failure::malformed(format!("this operation cannot stand here: {op:?}")))
}

fn constant(constant: &Const, class: Class) -> Run<Datum> {
    let out_of_class = || Failure::malformed(format!("a constant {constant:?} of class {}", class.name()));
    let scalar = match constant {
        Const::Text(text) => return Ok(Datum::Text(text.as_str().into())),
        Const::Float(x) if class == Class::Double => Scalar::Double(*x),
        Const::Float(x) if class == Class::Single => Scalar::Single(*x as f32),
        Const::Int(i) if class == Class::Index => Scalar::Index(*i),
        Const::Int(i) if class.is_integer() => elementwise::convert(Scalar::Index(*i), class)?,
        Const::Bool(b) if class == Class::Logical => Scalar::Logical(*b),
        _ => return Err(out_of_class()),
    };
    match (constant, scalar.to_wide()) {
        // What was clamped is not the constant.
        (Const::Int(i), Some(kept)) if i128::from(*i) != kept => Err(out_of_class()),
        _ => Ok(Datum::Scalar(scalar)),
    }
}

fn fma(a: Scalar, b: Scalar, c: Scalar) -> Run<Scalar> {
    match (a, b, c) {
        (Scalar::Double(a), Scalar::Double(b), Scalar::Double(c)) => Ok(Scalar::Double(a.mul_add(b, c))),
        (Scalar::Single(a), Scalar::Single(b), Scalar::Single(c)) => Ok(Scalar::Single(a.mul_add(b, c))),
        _ => Err(Failure::malformed("a fused multiply-add is on three floats of one class")),
    }
}

/// Whole numbers of magnitude below 2^53.
fn to_index(scalar: Scalar) -> Run<Datum> {
    const LIMIT: f64 = (1u64 << 53) as f64;
    let whole = match scalar {
        Scalar::Double(x) => (x.fract() == 0.0 && x.abs() < LIMIT).then_some(x as i64),
        Scalar::Single(_) | Scalar::Logical(_) | Scalar::Index(_) => {
            return Err(Failure::malformed("only doubles and integer classes become subscripts"));
        }
        other => other.to_wide().filter(|i| i.abs() < 1 << 53).map(<i64 as Integer>::from_wide),
    };
    match whole {
        Some(i) => Ok(Datum::Scalar(Scalar::Index(i))),
        None => {
            let message = format!("a subscript or size must be a whole number below 2^53, but is {}", scalar.to_f64());
            Err(Failure::error(ErrorKind::NotWhole, message))
        }
    }
}

fn library(frame: &Frame<'_>, lib: Lib, args: &[Value], ty: &Type) -> Run<Datum> {
    let data = frame.all(args)?;
    match (lib, data.as_slice()) {
        (Lib::MatMul | Lib::MatMulToCompare, [a, b]) => linear::product(a, b),
        (Lib::LeftDivide, [a, b]) => linear::left_divide(a, b),
        (Lib::RightDivide, [b, a]) => linear::right_divide(a, b),
        (lib, [a]) if lib.factors() => linear::factors(lib, a, &frame.dims(ty)?),
        (Lib::Eigenvalues | Lib::Eigenvectors, [a, b]) => linear::pair(lib, a, b, &frame.dims(ty)?),
        (Lib::RangeLen, [Datum::Scalar(a), Datum::Scalar(s), Datum::Scalar(b)]) => {
            match megha_base::range::range_len(a.to_f64(), s.to_f64(), b.to_f64()) {
                Some(len) => Ok(Datum::Scalar(Scalar::Index(len))),
                None => Err(Failure::error(ErrorKind::NotWhole, "this range has no finite length")),
            }
        }
        (Lib::RandPerm, [Datum::Scalar(Scalar::Index(key))]) => message::random_order(frame, *key, ty),
        (Lib::TextLength, [Datum::Text(text)]) => {
            Ok(Datum::Scalar(Scalar::Index(megha_base::text::codes(text).len() as i64)))
        }
        (Lib::TextCodes, [Datum::Text(text)]) => message::row(megha_base::text::codes(text)),
        (Lib::DateVector, [Datum::Scalar(Scalar::Double(seconds))]) => {
            message::row(megha_base::date::vector(*seconds).to_vec())
        }
        (Lib::DateSeconds, [Datum::Array(vector)]) => {
            Ok(Datum::double(megha_base::date::seconds(message::date_parts(vector))))
        }
        (Lib::Fourier, [re, im, Datum::Scalar(Scalar::Index(axis)), Datum::Scalar(Scalar::Logical(inverse))]) => {
            let axis = usize::try_from(*axis).unwrap_or(usize::MAX);
            fourier::transform([re, im], axis, *inverse, frame.dims(ty)?)
        }
        (Lib::Middle, [a, Datum::Scalar(Scalar::Index(axis))]) => {
            order::middle(a, usize::try_from(*axis).unwrap_or(usize::MAX))
        }
        (Lib::SumsAt, [places, values]) => order::sums_at(places, values, frame.dims(ty)?),
        (Lib::CountsAt, [places]) => order::counts_at(places, frame.dims(ty)?),
        (Lib::Lookup, [table, values]) => order::lookup(table, values),
        (
            Lib::Sort | Lib::SortIndex,
            [a, Datum::Scalar(Scalar::Index(axis)), Datum::Scalar(Scalar::Logical(descending))],
        ) => order::sort(lib, a, usize::try_from(*axis).unwrap_or(usize::MAX), *descending),
        _ => Err(Failure::malformed(format!("these are not the operands of {}", lib.name()))),
    }
}
