//! The types that operations give their results. The parser fills in types that a text leaves out by these rules, and the
//! verifier holds the written ones against them, so there is one definition of both.

use super::{Class, Op, ReduceOp, Size, Sub, Type, Value};

/// The type of the one result of an operation, where operands determine it. `None` if they do not (the class of a
/// conversion or of bits, the sizes of a fill), if the operation has not exactly one result, or if the operands do not fit together.
/// `ty` gives the types of operands.
pub fn result_type<'a>(op: &Op, ty: &impl Fn(Value) -> Option<&'a Type>) -> Option<Type> {
    Some(match op {
        Op::Const(c) => Type::scalar(c.default_class()),
        Op::Size(_) | Op::ToIndex(_) | Op::Bits(_) => Type::scalar(Class::Index),
        Op::Unary(op, a) => {
            let operand = ty(*a)?;
            operand.with_class(op.class(operand.class))
        }
        Op::Binary(op, a, b) => {
            let (a, b) = (ty(*a)?, ty(*b)?);
            Type { class: op.class(a.class), dims: expand(&[a, b])? }
        }
        Op::Select(c, a, b) => {
            let a = ty(*a)?;
            Type { class: a.class, dims: expand(&[ty(*c)?, a, ty(*b)?])? }
        }
        Op::Fma(a, b, c) => {
            let operands = [ty(*a)?, ty(*b)?, ty(*c)?];
            Type { class: operands[2].class, dims: expand(&operands)? }
        }
        Op::Index { array, subs, .. } => index_type(ty(*array)?, subs, ty)?,
        Op::Store { array, .. } => ty(*array)?.clone(),
        Op::Transpose(a) => {
            let a = ty(*a)?;
            match a.dims.as_slice() {
                [] => a.clone(),
                [rows, columns] => Type { class: a.class, dims: vec![columns.clone(), rows.clone()] },
                _ => return None,
            }
        }
        Op::Concat(axis, parts) => concat_type(*axis, &parts.iter().map(|v| ty(*v)).collect::<Option<Vec<_>>>()?)?,
        Op::Reduce(op, a, axes) => {
            let a = ty(*a)?;
            reduced(reduced_class(*op, a.class), &a.dims, axes)
        }
        Op::Scan(_, a, _) => ty(*a)?.clone(),
        Op::Load(super::Mem::In(array), _) => Type::scalar(ty(*array)?.class),
        Op::Convert(_)
        | Op::FromBits(_)
        | Op::Complex(..)
        | Op::Part(..)
        | Op::Fill(_)
        | Op::FillAround { .. }
        | Op::Range { .. }
        | Op::Linspace(..) => {
            return None;
        }
        Op::Eye | Op::Reshape(_) | Op::Resize(_) | Op::Lib(..) | Op::Call(..) | Op::Text(..) => return None,
        Op::Assert(..) | Op::SameSize(..) | Op::Raise { .. } | Op::Print(..) | Op::Display(..) => return None,
        Op::Ambient(..) | Op::If { .. } | Op::For { .. } | Op::While { .. } | Op::Kernel(_) => return None,
        Op::Load(super::Mem::Out(_), _) | Op::Put(..) | Op::Accumulate(..) => return None,
    })
}

/// The sizes of an element-wise result: in each dimension the size that all operands have which do not have the constant
/// one there (implicit expansion; scalars fit everything). `None` if two sizes are not known to be equal.
pub fn expand(operands: &[&Type]) -> Option<Vec<Size>> {
    let rank = operands.iter().map(|t| t.dims.len()).max()?;
    (0..rank)
        .map(|axis| {
            let mut sizes = operands.iter().map(|t| t.dim(axis)).filter(|d| !d.is_one());
            let first = sizes.next().unwrap_or(Size::constant(1));
            sizes.all(|d| d == first).then_some(first)
        })
        .collect()
}

/// How many elements a subscript selects along a dimension of this size.
pub fn sub_len<'a>(sub: &Sub, dim: &Size, ty: &impl Fn(Value) -> Option<&'a Type>) -> Option<Size> {
    Some(match sub {
        Sub::All => dim.clone(),
        Sub::At(_) => Size::constant(1),
        Sub::Range { len, .. } => len.clone(),
        Sub::Vector(v) => ty(*v)?.numel(),
    })
}

/// The type of `array[subs]`. A single subscript counts columns first: `:` gives a column; a range or vector gives a vector
/// that lies as the array does if that is a vector, else an array shaped as the subscript, of which a range is a row.
pub fn index_type<'a>(array: &Type, subs: &[Sub], ty: &impl Fn(Value) -> Option<&'a Type>) -> Option<Type> {
    let class = array.class;
    let [sub] = subs else {
        let dims: Option<Vec<Size>> = subs.iter().zip(&array.dims).map(|(s, d)| sub_len(s, d, ty)).collect();
        return (subs.len() == array.dims.len()).then_some(Type::array(class, dims?));
    };
    let len = sub_len(sub, &array.numel(), ty)?;
    let dims = match sub {
        Sub::At(_) => return Some(Type::scalar(class)),
        Sub::All => vec![len, Size::constant(1)],
        Sub::Vector(v) if !(array.is_vector() && ty(*v)?.is_vector()) => ty(*v)?.dims.clone(),
        _ if array.is_vector() => match array.dims.iter().position(|d| !d.is_one()) {
            Some(0) => vec![len, Size::constant(1)],
            Some(axis) => (0..axis).map(|_| Size::constant(1)).chain([len]).collect(),
            None => vec![Size::constant(1), len],
        },
        _ => vec![Size::constant(1), len],
    };
    Some(Type::array(class, dims))
}

fn concat_type(axis: usize, parts: &[&Type]) -> Option<Type> {
    let first = *parts.first()?;
    let rank = parts.iter().map(|t| t.ndims()).max()?.max(axis + 1);
    let dims = (0..rank)
        .map(|d| match d == axis {
            true => Some(parts.iter().fold(Size::constant(0), |sum, t| sum.add(&t.dim(d)))),
            false => parts.iter().all(|t| t.dim(d) == first.dim(d)).then(|| first.dim(d)),
        })
        .collect::<Option<Vec<Size>>>()?;
    Some(Type::array(first.class, dims))
}

/// The class of a reduction's result.
pub fn reduced_class(op: ReduceOp, class: Class) -> Class {
    match op {
        ReduceOp::Any | ReduceOp::All => Class::Logical,
        ReduceOp::Sum | ReduceOp::Prod | ReduceOp::Min | ReduceOp::Max => class,
    }
}

/// The type that remains of these sizes when `axes` are combined.
pub fn reduced(class: Class, dims: &[Size], axes: &[usize]) -> Type {
    let keep = |(axis, dim): (usize, &Size)| if axes.contains(&axis) { Size::constant(1) } else { dim.clone() };
    Type::array(class, dims.iter().enumerate().map(keep).collect())
}

/// The sizes that are not the constant one.
pub fn long_dims(ty: &Type) -> impl Iterator<Item = &Size> {
    ty.dims.iter().filter(|d| !d.is_one())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Sym;

    fn ty(dims: &[Size]) -> Type {
        Type { class: Class::Double, dims: dims.to_vec() }
    }

    #[test]
    fn implicit_expansion() {
        let (n, m, one) = (Size::sym(Sym::new(0)), Size::sym(Sym::new(1)), Size::constant(1));
        let (column, row) = (ty(&[n.clone(), one.clone()]), ty(&[one.clone(), m.clone()]));
        assert_eq!(expand(&[&column, &row]), Some(vec![n.clone(), m.clone()]));
        assert_eq!(expand(&[&column, &ty(&[])]), Some(vec![n.clone(), one.clone()]));
        assert_eq!(expand(&[&ty(&[]), &ty(&[])]), Some(vec![]));
        assert_eq!(expand(&[&column, &ty(&[m.clone(), one.clone()])]), None);
        let cube = ty(&[one.clone(), one, n.clone()]);
        assert_eq!(expand(&[&cube, &row]), Some(vec![Size::constant(1), m, n]));
    }

    #[test]
    fn one_subscript_follows_a_vector() {
        let (n, one) = (Size::sym(Sym::new(0)), Size::constant(1));
        let sub = [Sub::Range { start: Value::new(0), step: 1, len: Size::constant(3) }];
        let none = |_: Value| None;
        let of = |dims: &[Size]| index_type(&ty(dims), &sub, &none).unwrap().dims;
        assert_eq!(of(&[n.clone(), one.clone()]), [Size::constant(3), one.clone()]);
        assert_eq!(of(&[one.clone(), n.clone()]), [one.clone(), Size::constant(3)]);
        assert_eq!(of(&[n.clone(), n.clone()]), [one.clone(), Size::constant(3)]);
        let all = index_type(&ty(&[n.clone(), n.clone()]), &[Sub::All], &none).unwrap();
        assert_eq!(all.dims, [n.mul(&n), one]);
    }
}
