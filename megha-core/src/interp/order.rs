//! `find` and `sort`.

use std::cmp::Ordering;

use super::array::{array, element};
use super::datum::{Datum, Elements, Scalar};
use super::elementwise::collect;
use super::failure::{Failure, Run};
use super::subscript;
use crate::ir::{Class, Lib};
use megha_base::order::{Ordered, permutation, place};

/// The numbers of the true elements, in a vector of these sizes.
pub(super) fn find(operands: &[Datum], dims: Vec<usize>) -> Run<Datum> {
    let [mask] = operands else { return Err(Failure::malformed("`find` takes one mask")) };
    let mut found = Vec::new();
    for k in 0..mask.numel() {
        if element(mask, k)? == Scalar::Logical(true) {
            found.push((k + 1) as f64);
        }
    }
    found.truncate(dims.iter().product());
    array(dims, Elements::Double(found))
}

/// The elements along an axis in order, or where each of them was.
pub(super) fn sort(lib: Lib, a: &Datum, axis: usize, descending: bool) -> Run<Datum> {
    let Datum::Array(source) = a else { return Err(Failure::malformed("a scalar is sorted")) };
    let stride: usize = source.dims.iter().take(axis).product();
    let length = source.dim(axis);
    let mut out = vec![Scalar::Double(0.0); source.elements.len()];
    let lines = (0..out.len()).filter(|i| (i / stride).is_multiple_of(length));
    for start in lines {
        let lane: Vec<Element> =
            (0..length).map(|k| element(a, start + k * stride).map(Element)).collect::<Run<_>>()?;
        for (k, from) in permutation(&lane, descending).into_iter().enumerate() {
            let place = Scalar::Double((from + 1) as f64);
            out[start + k * stride] = if lib == Lib::Sort { lane[from].0 } else { place };
        }
    }
    let class = if lib == Lib::Sort { a.class() } else { Class::Double };
    array(source.dims.clone(), collect(class, out.into_iter().map(Ok))?)
}

/// The two middle elements of each line along an axis.
pub(super) fn middle(a: &Datum, axis: usize) -> Run<Datum> {
    let Datum::Array(source) = a else { return Err(Failure::malformed("the middle of a scalar")) };
    let sorted = sort(Lib::Sort, a, axis, false)?;
    let stride: usize = source.dims.iter().take(axis).product();
    let length = source.dim(axis);
    let mut dims = source.dims.clone();
    *dims.get_mut(axis).ok_or_else(|| Failure::malformed("the middle along no dimension"))? = 2;
    let pick = |at: usize| {
        let (within, line, second) = (at % stride, at / stride / 2, at / stride % 2);
        let place = |k: usize| within + (line * length + k) * stride;
        let largest = element(&sorted, place(length.wrapping_sub(1)))?;
        let chosen = element(&sorted, place(if second == 1 { length / 2 } else { length.saturating_sub(1) / 2 }))?;
        // Of equal zeros any may stand in the middle.
        let value = if largest.to_f64().is_nan() { f64::NAN } else { chosen.to_f64() + 0.0 };
        Ok(if a.class() == Class::Single { Scalar::Single(value as f32) } else { Scalar::Double(value) })
    };
    let picked: Vec<Run<Scalar>> = (0..dims.iter().product()).map(pick).collect();
    array(dims, collect(a.class(), picked)?)
}

/// How many elements of a table do not stand behind each of the values.
pub(super) fn lookup(table: &Datum, values: &Datum) -> Run<Datum> {
    let (Some(table), Some(list)) = (table.to_doubles(), values.to_doubles()) else {
        return Err(Failure::malformed("`lookup` takes doubles"));
    };
    let places = list.iter().map(|x| place(&table, *x) as f64).collect();
    array(values.dims().to_vec(), Elements::Double(places))
}

/// The sums of the values of each place, in their order.
pub(super) fn sums_at(places: &Datum, values: &Datum, dims: Vec<usize>) -> Run<Datum> {
    let (Some(places), Some(values)) = (places.to_doubles(), values.to_doubles()) else {
        return Err(Failure::malformed("sums of what are no doubles"));
    };
    if values.len() != 1 && values.len() != places.len() {
        return Err(Failure::malformed("as many values as places are summed"));
    }
    let mut sums = vec![0.0; dims.iter().product()];
    for (k, place) in places.into_iter().enumerate() {
        let place = subscript::test(subscript::from_one(Scalar::Double(place), true)?, sums.len(), true, Some(0))?;
        sums[place] += values[if values.len() == 1 { 0 } else { k }];
    }
    array(dims, Elements::Double(sums))
}

/// How many of the places, which are there, are each of them.
pub(super) fn counts_at(places: &Datum, dims: Vec<usize>) -> Run<Datum> {
    sums_at(places, &Datum::Scalar(Scalar::Double(1.0)), dims)
}

/// A number of any one class, in the order of its class.
#[derive(Clone, Copy)]
struct Element(Scalar);

impl Ordered for Element {
    fn order(self, other: Self) -> Ordering {
        match (self.0.to_wide(), other.0.to_wide()) {
            (Some(a), Some(b)) => a.cmp(&b),
            _ => self.0.to_f64().order(other.0.to_f64()),
        }
    }
}
