//! Reductions by the fixed tree, and cumulative sums and products.

use super::array::{array, element};
use super::datum::{Datum, Scalar};
use super::elementwise::{advance, binary, collect, convert};
use super::failure::{Failure, Run};
use crate::ir::{Binary, Class, Lib, ReduceOp};
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
    let kept: Vec<usize> = at.iter().enumerate().map(|(axis, i)| if axes.contains(&axis) { 0 } else { *i }).collect();
    super::array::offset(&reduced(dims, axes), &kept)
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

/// Running sums or products along an axis, in order.
pub(super) fn cumulative(lib: Lib, a: &Datum, axis: usize) -> Run<Datum> {
    let Datum::Array(source) = a else { return Ok(a.clone()) };
    let op = if lib == Lib::CumSum { Binary::Add } else { Binary::Mul };
    let class = a.class();
    let stride: usize = source.dims.iter().take(axis).product();
    let len = source.dim(axis);
    let mut out = super::datum::Elements::zeros(class, source.elements.len())
        .ok_or_else(|| Failure::malformed("a running sum of text"))?;
    for i in 0..source.elements.len() {
        let value = element(a, i)?;
        let value = match (i / stride) % len {
            0 => convert(value, class)?,
            _ => match out.get(i - stride) {
                Some(before) => binary(op, before, value)?,
                None => return Err(Failure::malformed("a running sum lost its start")),
            },
        };
        if !out.set(i, value) {
            return Err(Failure::malformed(format!("a running sum of class {}", class.name())));
        }
    }
    array(source.dims.clone(), out)
}
