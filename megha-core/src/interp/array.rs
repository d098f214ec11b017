//! Operations that make arrays or rearrange their elements.

use super::datum::{Array, Datum, Elements, Scalar};
use super::elementwise::{advance, collect, convert};
use super::failure::{Failure, Run};
use super::frame::{Frame, shape};
use crate::ir::{Class, Op, Size, Type, Value, Written};
use megha_base::range;
use std::sync::Arc;

/// An array of these sizes; an internal error if the elements are another number.
pub(super) fn array(dims: Vec<usize>, elements: Elements) -> Run<Datum> {
    let (text, len) = (shape(&dims), elements.len());
    match Array::new(dims, elements) {
        Some(array) => Ok(Datum::Array(Arc::new(array))),
        None => Err(Failure::malformed(format!("{len} elements for an array of sizes {text}"))),
    }
}

/// The result of such an operation; `ty` is its static type.
pub(super) fn value(frame: &Frame<'_>, op: &Op, ty: &Type) -> Run<Datum> {
    match op {
        Op::Fill(a) => {
            let (source, dims) = (frame.get(*a)?, frame.dims(ty)?);
            let (own, mut at) = (source.dims().to_vec(), vec![0; dims.len()]);
            let mut elements = Vec::new();
            for _ in 0..dims.iter().product() {
                let from: Vec<usize> = own.iter().zip(&at).map(|(d, k)| if *d == 1 { 0 } else { *k }).collect();
                elements.push(element(source, offset(&own, &from)));
                advance(&mut at, &dims);
            }
            array(dims, collect(ty.class, elements)?)
        }
        Op::FillAround { a, boxes } => filled_around(frame, *a, boxes, ty),
        Op::Range { start, step } => {
            progression(frame.scalar(*start)?, frame.scalar(*step)?, ty.class, row(frame, ty)?)
        }
        Op::Linspace(a, b) => {
            let (first, last, n) = (frame.scalar(*a)?, frame.scalar(*b)?, row(frame, ty)?);
            let element = |k| range::linspace_element(first.to_f64(), last.to_f64(), k, n as i64);
            array(vec![1, n], collect(ty.class, (0..n as i64).map(|k| convert(Scalar::Double(element(k)), ty.class)))?)
        }
        Op::Eye => {
            let dims = frame.dims(ty)?;
            let [rows, columns] = dims[..] else { return Err(Failure::malformed("an identity matrix has two sizes")) };
            let element = |i: usize| convert(Scalar::Logical(i % rows == i / rows), ty.class);
            array(vec![rows, columns], collect(ty.class, (0..rows * columns).map(element))?)
        }
        Op::Transpose(a) => transpose(frame.get(*a)?),
        Op::Reshape(a) => reshape(frame, frame.get(*a)?, ty),
        Op::Resize(a) => resize(frame.get(*a)?, &frame.dims(ty)?),
        Op::Concat(axis, parts) => concat(*axis, &frame.all(parts)?, ty.class),
        _ => super::ops::misplaced(op),
    }
}

/// An array of one number, with others where the boxes are: what holds anything must not be what it would be.
fn filled_around(frame: &Frame<'_>, of: Value, boxes: &[Written], ty: &Type) -> Run<Datum> {
    let dims = frame.dims(ty)?;
    let (of, anything) = (frame.scalar(of)?, convert(Scalar::Double(f64::NAN), ty.class)?);
    let anything = if ty.class.is_float() { anything } else { convert(Scalar::Double(f64::MAX), ty.class)? };
    let sizes = |list: &[Size]| list.iter().map(|size| frame.size(size)).collect::<Run<Vec<i64>>>();
    let mut known = Vec::with_capacity(boxes.len());
    for Written { first, count, rounds } in boxes {
        if sizes(rounds)?.iter().all(|rounds| *rounds > 0) {
            known.push((sizes(first)?, sizes(count)?));
        }
    }
    let (mut at, mut elements) = (vec![0; dims.len()], Vec::new());
    for _ in 0..dims.iter().product() {
        let place = |axis: usize| at.get(axis).map_or(0, |at| *at as i64);
        let is_inside = |(first, count): &(Vec<i64>, Vec<i64>)| {
            (0..first.len()).all(|axis| (0..count[axis]).contains(&(place(axis) - first[axis])))
        };
        elements.push(Ok(if known.iter().any(is_inside) { anything } else { of }));
        advance(&mut at, &dims);
    }
    array(dims, collect(ty.class, elements)?)
}

/// The length of a row.
fn row(frame: &Frame<'_>, ty: &Type) -> Run<usize> {
    match frame.dims(ty)?[..] {
        [1, n] => Ok(n),
        _ => Err(Failure::malformed("a range is a row")),
    }
}

fn progression(start: Scalar, step: Scalar, class: Class, n: usize) -> Run<Datum> {
    let element = |k: i64| match (start, step) {
        (Scalar::Index(a), Scalar::Index(s)) => convert(Scalar::Index(a.wrapping_add(s.wrapping_mul(k))), class),
        (Scalar::Double(a), Scalar::Double(s)) => Ok(Scalar::Double(range::range_element(a, s, k))),
        (Scalar::Single(a), Scalar::Single(s)) => Ok(Scalar::Single(a + k as f32 * s)),
        _ => Err(Failure::malformed("the bounds of a range are both floats of its class, or both index")),
    };
    array(vec![1, n], collect(class, (0..n as i64).map(element))?)
}

/// The element of an operand; an internal error past its end.
pub(super) fn element(datum: &Datum, at: usize) -> Run<Scalar> {
    datum.get(at).ok_or_else(|| Failure::malformed(format!("an operand has no element {at}")))
}

fn transpose(a: &Datum) -> Run<Datum> {
    let Datum::Array(source) = a else { return Ok(a.clone()) };
    let [rows, columns] = source.dims[..] else { return Err(Failure::malformed("only matrices are transposed")) };
    let elements = (0..rows * columns).map(|i| element(a, i / columns + (i % columns) * rows));
    array(vec![columns, rows], collect(a.class(), elements)?)
}

fn reshape(frame: &Frame<'_>, a: &Datum, ty: &Type) -> Run<Datum> {
    if ty.is_scalar() {
        return match a.numel() {
            1 => element(a, 0).map(Datum::Scalar),
            n => Err(Failure::malformed(format!("{n} elements become a scalar"))),
        };
    }
    let elements = match a {
        Datum::Array(source) => source.elements.clone(),
        Datum::Scalar(_) | Datum::Text(_) => collect(a.class(), [element(a, 0)])?,
    };
    array(frame.dims(ty)?, elements)
}

/// The elements at the same subscripts of a larger array of zeros.
fn resize(a: &Datum, dims: &[usize]) -> Run<Datum> {
    let source = a.dims();
    // Trailing sizes of 1 are left out: 0-by-0-by-0 becomes 1-by-4.
    let size = |axis: usize| dims.get(axis).copied().unwrap_or(1);
    if (0..source.len()).any(|axis| source[axis] > size(axis)) {
        return Err(Failure::malformed(format!("an array of sizes {} shrinks to {}", shape(source), shape(dims))));
    }
    let zero = convert(Scalar::Logical(false), a.class())?;
    let zeros = std::iter::repeat_n(Ok(zero), dims.iter().product());
    let mut elements = collect(a.class(), zeros)?;
    let mut at = vec![0; source.len()];
    for k in 0..a.numel() {
        if !elements.set(offset(dims, &at), element(a, k)?) {
            return Err(Failure::malformed("an element has no place in the larger array"));
        }
        advance(&mut at, source);
    }
    array(dims.to_vec(), elements)
}

fn concat(axis: usize, parts: &[Datum], class: Class) -> Run<Datum> {
    let size = |d: &Datum, axis: usize| d.dims().get(axis).copied().unwrap_or(1);
    let rank = parts.iter().map(|p| p.dims().len()).max().unwrap_or(2).max(axis + 1);
    let Some(first) = parts.first() else { return Err(Failure::malformed("a concatenation of nothing")) };
    let mut dims: Vec<usize> = (0..rank).map(|d| size(first, d)).collect();
    dims[axis] = parts.iter().map(|p| size(p, axis)).sum();
    if parts.iter().any(|p| (0..rank).any(|d| d != axis && size(p, d) != dims[d])) {
        return Err(Failure::malformed("the sizes of concatenated blocks differ"));
    }
    let mut at = vec![0; rank];
    let mut elements = Vec::new();
    for _ in 0..dims.iter().product() {
        elements.push(block_element(parts, axis, &at));
        advance(&mut at, &dims);
    }
    array(dims, collect(class, elements)?)
}

/// The element at a position of blocks side by side.
fn block_element(parts: &[Datum], axis: usize, at: &[usize]) -> Run<Scalar> {
    let mut before = 0;
    for part in parts {
        let along = part.dims().get(axis).copied().unwrap_or(1);
        if at[axis] < before + along {
            let mut at = at.to_vec();
            at[axis] -= before;
            return element(part, offset(part.dims(), &at));
        }
        before += along;
    }
    Err(Failure::malformed("a concatenation has no such element"))
}

/// The number of the element at a position, columns first.
pub(super) fn offset(dims: &[usize], at: &[usize]) -> usize {
    let strides = dims.iter().scan(1, |stride, dim| Some(std::mem::replace(stride, *stride * dim)));
    strides.zip(at).map(|(stride, i)| stride * i).sum()
}
