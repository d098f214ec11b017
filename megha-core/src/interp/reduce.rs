//! Reductions by the fixed tree, and running sums and products.

use super::array::{array, element};
use super::datum::{Datum, Scalar};
use super::elementwise::{advance, binary, collect};
use super::failure::{Failure, Run};
use crate::ir::{Class, ReduceOp};
use megha_base::float::Float;
use megha_base::int::Integer;
use megha_base::tree;

/// Combines the elements along the axes.
pub(super) fn reduce(op: ReduceOp, a: &Datum, axes: &[usize], scalar: bool) -> Run<Datum> {
    let dims = a.dims();
    let mut groups = vec![Vec::new(); reduced(dims, axes).iter().product()];
    let mut at = vec![0; dims.len()];
    for i in 0..a.numel() {
        groups[group(dims, axes, &at)].push(element(a, i)?);
        advance(&mut at, dims);
    }
    combine_groups(op, a.class(), groups, reduced(dims, axes), scalar)
}

/// The sizes that remain.
pub(super) fn reduced(dims: &[usize], axes: &[usize]) -> Vec<usize> {
    dims.iter().enumerate().map(|(axis, dim)| if axes.contains(&axis) { 1 } else { *dim }).collect()
}

/// The number, in the result, of the element that the element at a position is combined into. Walked columns first, the elements
/// of one group come in the order that the tree asks for: the first reduced axis fastest.
pub(super) fn group(dims: &[usize], axes: &[usize], at: &[usize]) -> usize {
    let (mut stride, mut number) = (1, 0);
    for (axis, (dim, i)) in dims.iter().zip(at).enumerate() {
        if !axes.contains(&axis) {
            number += stride * i;
            stride *= dim;
        }
    }
    number
}

/// The array (or scalar) of the groups' combined values.
pub(super) fn combine_groups(
    op: ReduceOp,
    class: Class,
    groups: Vec<Vec<Scalar>>,
    dims: Vec<usize>,
    scalar: bool,
) -> Run<Datum> {
    let mut values = groups.iter().map(|list| combine(op, class, list));
    if scalar && groups.len() == 1 {
        return values.next().unwrap_or_else(|| Err(Failure::malformed("no group"))).map(Datum::Scalar);
    }
    array(dims, collect(class, values)?)
}

/// The combined value of a list, by the fixed tree.
fn combine(op: ReduceOp, class: Class, list: &[Scalar]) -> Run<Scalar> {
    if list.is_empty() && matches!(op, ReduceOp::Min | ReduceOp::Max) {
        return Err(Failure::malformed(format!("{} of no elements", op.name())));
    }
    macro_rules! numbers {
        ($class:ident, $t:ty, $identity:expr, $combine:expr) => {{
            let mut values: Vec<$t> = Vec::with_capacity(list.len());
            for scalar in list {
                match scalar {
                    Scalar::$class(value) => values.push(*value),
                    other => return Err(Failure::malformed(format!("an element of class {}", other.class().name()))),
                }
            }
            Ok(Scalar::$class(tree::reference(values, $identity, $combine)))
        }};
    }
    macro_rules! float {
        ($class:ident $t:ty) => {
            match op {
                ReduceOp::Sum => numbers!($class, $t, 0.0, |a, b| a + b),
                ReduceOp::Prod => numbers!($class, $t, 1.0, |a, b| a * b),
                ReduceOp::Min => numbers!($class, $t, <$t>::NAN, <$t as Float>::min),
                ReduceOp::Max => numbers!($class, $t, <$t>::NAN, <$t as Float>::max),
                ReduceOp::Any | ReduceOp::All => Err(undefined(op, class)),
            }
        };
    }
    macro_rules! integer {
        ($($class:ident $t:ty),*) => {
            match class {
                Class::Double => float!(Double f64),
                Class::Single => float!(Single f32),
                Class::Index => match op {
                    ReduceOp::Sum => numbers!(Index, i64, 0, i64::wrapping_add),
                    ReduceOp::Prod => numbers!(Index, i64, 1, i64::wrapping_mul),
                    ReduceOp::Min => numbers!(Index, i64, i64::MAX, std::cmp::min),
                    ReduceOp::Max => numbers!(Index, i64, i64::MIN, std::cmp::max),
                    ReduceOp::Any | ReduceOp::All => Err(undefined(op, class)),
                },
                Class::Logical => match op {
                    ReduceOp::Any => numbers!(Logical, bool, false, |a, b| a | b),
                    ReduceOp::All => numbers!(Logical, bool, true, |a, b| a & b),
                    _ => Err(undefined(op, class)),
                },
                Class::Char | Class::Complex => Err(undefined(op, class)),
                $(Class::$class => match op {
                    ReduceOp::Sum => numbers!($class, $t, 0, Integer::add),
                    ReduceOp::Prod => numbers!($class, $t, 1, Integer::mul),
                    ReduceOp::Min => numbers!($class, $t, <$t>::MAX, std::cmp::min),
                    ReduceOp::Max => numbers!($class, $t, <$t>::MIN, std::cmp::max),
                    ReduceOp::Any | ReduceOp::All => Err(undefined(op, class)),
                },)*
            }
        };
    }
    integer!(Int8 i8, Int16 i16, Int32 i32, Int64 i64, UInt8 u8, UInt16 u16, UInt32 u32, UInt64 u64)
}

fn undefined(op: ReduceOp, class: Class) -> Failure {
    Failure::malformed(format!("{} is not defined on class {}", op.name(), class.name()))
}

/// Running sums, products and extremes along an axis.
pub(super) fn scan(op: ReduceOp, a: &Datum, axis: usize) -> Run<Datum> {
    let class = a.class();
    let mut values: Vec<Scalar> = (0..a.numel()).map(|i| element(a, i)).collect::<Run<_>>()?;
    let stride: usize = a.dims().iter().take(axis).product();
    let long = a.dims().get(axis).copied().unwrap_or(1);
    let combine = op.binary();
    let run = if op == ReduceOp::Sum && class.is_float() { megha_base::scan::RUN } else { usize::MAX };
    let mut failed = None;
    for line in 0..values.len().checked_div(long).unwrap_or(0) {
        let first = line / stride * stride * long + line % stride;
        let at: Vec<usize> = (0..long).map(|k| first + k * stride).collect();
        let summed = megha_base::scan::reference(at.iter().map(|i| values[*i]), run, |a, b| {
            binary(combine, a, b).unwrap_or_else(|failure| {
                failed = Some(failure);
                a
            })
        });
        at.into_iter().zip(summed).for_each(|(i, value)| values[i] = value);
    }
    match failed {
        Some(failure) => Err(failure),
        None => array(a.dims().to_vec(), collect(class, values.into_iter().map(Ok))?),
    }
}
