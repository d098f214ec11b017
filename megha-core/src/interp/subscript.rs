//! Subscripts: reading and replacing elements of arrays.

use super::array::{array, element, offset};
use super::datum::{Datum, Scalar};
use super::elementwise::{advance, collect};
use super::failure::{ErrorKind, Failure, InternalKind, Run};
use super::frame::{Frame, Taker};
use crate::ir::{Stmt, Sub, Type, Value};
use std::sync::Arc;

/// `array[subs]`. The sizes with several subscripts are those that they select; with one they are the static type's, whose
/// number of elements must be that of the subscript.
pub(super) fn index(frame: &Frame<'_>, value: Value, subs: &[Sub], checked: bool, ty: &Type) -> Run<Datum> {
    let source = frame.get(value)?;
    let selected = select(frame, source.dims(), subs, checked)?;
    if ty.is_scalar() {
        return match selected.offsets[..] {
            [at] => element(source, at).map(Datum::Scalar),
            _ => Err(Failure::malformed(format!("{} elements are read as a scalar", selected.offsets.len()))),
        };
    }
    let elements = collect(source.class(), selected.offsets.iter().map(|at| element(source, *at)))?;
    let dims = if subs.len() == 1 { frame.dims(ty)? } else { selected.dims };
    array(dims, elements)
}

/// The array with the selected elements replaced, in order: of two with one subscript the later counts.
pub(super) fn store(
    frame: &mut Frame<'_>,
    stmt: &Stmt,
    (value, subs, new): (Value, &[Sub], Value),
    checked: bool,
) -> Run<Datum> {
    let selected = select(frame, frame.get(value)?.dims(), subs, checked)?;
    let new = frame.get(new)?.clone();
    let fits = match &new {
        Datum::Scalar(_) => true,
        Datum::Text(_) => false,
        Datum::Array(a) if subs.len() == 1 => a.elements.len() == selected.offsets.len(),
        Datum::Array(a) => a.dims.iter().filter(|d| **d != 1).eq(selected.dims.iter().filter(|d| **d != 1)),
    };
    let Datum::Array(mut target) = frame.take(value, Taker::of(stmt))? else {
        return Err(Failure::malformed("a store to a scalar"));
    };
    if !fits {
        let (stored, places) = (new.dims(), selected.dims);
        return Err(Failure::malformed(format!(
            "an array of sizes {stored:?} is stored to places of sizes {places:?}"
        )));
    }
    let elements = &mut Arc::make_mut(&mut target).elements;
    for (k, at) in selected.offsets.iter().enumerate() {
        let scalar = element(&new, if matches!(new, Datum::Scalar(_)) { 0 } else { k })?;
        if !elements.set(*at, scalar) {
            return Err(Failure::malformed("an element of another class is stored"));
        }
    }
    Ok(Datum::Array(target))
}

/// Which elements subscripts select.
struct Selected {
    /// How many along each subscript.
    dims: Vec<usize>,
    /// Their numbers, columns first.
    offsets: Vec<usize>,
}

fn select(frame: &Frame<'_>, dims: &[usize], subs: &[Sub], checked: bool) -> Run<Selected> {
    let extents = match subs.len() {
        1 => vec![dims.iter().product()],
        // An array does not keep sizes of 1 at its end, though its type may have them.
        n if n >= dims.len() => dims.iter().copied().chain(std::iter::repeat(1)).take(n).collect(),
        n => return Err(Failure::malformed(format!("{n} subscripts of an array with {} dimensions", dims.len()))),
    };
    let lists: Vec<Vec<usize>> = (subs.iter().zip(&extents).enumerate())
        .map(|(axis, (sub, extent))| positions(frame, sub, *extent, checked, (subs.len() > 1).then_some(axis)))
        .collect::<Run<_>>()?;
    let counts: Vec<usize> = lists.iter().map(Vec::len).collect();
    let mut at = vec![0; counts.len()];
    let mut offsets = Vec::new();
    for _ in 0..counts.iter().product() {
        let position: Vec<usize> = at.iter().zip(&lists).map(|(k, list)| list[*k]).collect();
        offsets.push(offset(&extents, &position));
        advance(&mut at, &counts);
    }
    Ok(Selected { dims: counts, offsets })
}

/// The positions that one subscript selects along its dimension.
fn positions(frame: &Frame<'_>, sub: &Sub, extent: usize, checked: bool, axis: Option<usize>) -> Run<Vec<usize>> {
    let test = |at: i64| test(at, extent, checked, axis);
    match sub {
        Sub::All => Ok((0..extent).collect()),
        Sub::At(value) => Ok(vec![test(frame.index(*value)?)?]),
        Sub::Range { start, step, len } => {
            let (start, len) = (frame.index(*start)?, frame.extent(len)?);
            // The ends decide; testing them first keeps a wrong length from being walked.
            if let Some(last) = len.checked_sub(1) {
                let far =
                    i64::try_from(last).ok().and_then(|k| k.checked_mul(*step)).and_then(|d| d.checked_add(start));
                test(start)?;
                test(far.unwrap_or(i64::MAX))?;
            }
            (0..len as i64).map(|k| test(start + k * step)).collect()
        }
        Sub::Vector(value) => {
            let list = frame.get(*value)?;
            (0..list.numel()).map(|k| test(from_one(element(list, k)?, checked)?)).collect()
        }
    }
}

/// A subscript of an index array, which counts from one.
pub(super) fn from_one(scalar: Scalar, checked: bool) -> Run<i64> {
    let value = scalar.to_f64();
    if value.fract() == 0.0 && value.abs() < 2f64.powi(53) {
        return Ok(value as i64 - 1);
    }
    let message = format!("a subscript must be a whole number, but is {value}");
    Err(match checked {
        true => Failure::error(ErrorKind::NotWhole, message),
        false => Failure::internal(InternalKind::OutOfBounds, message),
    })
}

/// A position from zero against the extent; messages count from one.
pub(super) fn test(at: i64, extent: usize, checked: bool, axis: Option<usize>) -> Run<usize> {
    if let Some(at) = usize::try_from(at).ok().filter(|at| *at < extent) {
        return Ok(at);
    }
    let of = axis.map_or("an array with".to_owned(), |axis| format!("dimension {}, which has", axis + 1));
    let message = format!("index {} is outside {of} {extent} elements", i128::from(at) + 1);
    Err(match checked {
        true => Failure::error(ErrorKind::OutOfBounds, message),
        false => Failure::internal(InternalKind::OutOfBounds, message + ", and no test was thought necessary"),
    })
}
