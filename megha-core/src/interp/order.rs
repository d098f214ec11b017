//! `find` and `sort`.

use std::cmp::Ordering;

use super::array::{array, element};
use super::datum::{Datum, Elements, Scalar};
use super::elementwise::collect;
use super::failure::{Failure, Run};
use crate::ir::{Class, Lib};
use megha_base::order::{Ordered, permutation};

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
