//! Functions that make arrays and constants.

use super::{Call, Handler, Results, value};
use crate::diag::Code;
use crate::ir::{Class, Op, Size, Type};
use crate::lower::Lower;
use crate::lower::facts::{Facts, Stored};

pub(super) const NAMES: &[&str] = &[
    "zeros", "ones", "eye", "linspace", "repmat", "pi", "Inf", "inf", "NaN", "nan", "NA", "eps", "true", "false",
    "realmax", "realmin", "intmax", "intmin", "meshgrid", "ndgrid", "colon", "e",
];

pub(super) fn find(name: &str) -> Option<Handler> {
    Some(match name {
        "zeros" | "ones" | "true" | "false" | "Inf" | "inf" | "NaN" | "nan" | "NA" | "pi" | "e" => filled,
        "eps" => eps,
        "realmax" => |l, c| constant(l, c, f64::MAX, f32::MAX),
        "realmin" => |l, c| constant(l, c, f64::MIN_POSITIVE, f32::MIN_POSITIVE),
        "intmax" | "intmin" => int_limit,
        "eye" => eye,
        "linspace" => linspace,
        "repmat" => repmat,
        "meshgrid" => |l, c| grid(l, c, true),
        "ndgrid" => |l, c| grid(l, c, false),
        "colon" => colon,
        _ => return None,
    })
}

fn constant(lower: &mut Lower<'_>, call: &Call<'_>, double: f64, single: f32) -> Results {
    let (args, class) = lower.trailing_class(call.args)?;
    if !args.is_empty() || !matches!(class, None | Some(Class::Double | Class::Single)) {
        call.arity(lower, 0, 0)?;
    }
    let number = lower.number(if class == Some(Class::Single) { f64::from(single) } else { double });
    value(lower.convert(number, class.unwrap_or(Class::Double)))
}

fn filled(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    let (args, class) = lower.trailing_class(call.args)?;
    let number = match call.name {
        "ones" | "true" => 1.0,
        "Inf" | "inf" => f64::INFINITY,
        "NaN" | "nan" | "NA" => f64::NAN,
        "pi" => std::f64::consts::PI,
        "e" => std::f64::consts::E,
        _ => 0.0,
    };
    let class = class.unwrap_or(if matches!(call.name, "true" | "false") { Class::Logical } else { Class::Double });
    let dims = lower.size_arguments(args)?;
    let before = lower.here(call.span);
    let array = lower.filled(number, class, dims);
    lower.builder.set_loc(before);
    value(array)
}

fn eps(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    let (args, class) = lower.trailing_class(call.args)?;
    if args.is_empty() {
        let single = class == Some(Class::Single);
        let number = lower.number(if single { f64::from(f32::EPSILON) } else { f64::EPSILON });
        return value(if single { lower.convert(number, Class::Single) } else { number });
    }
    call.arity(lower, 1, 1)?;
    let v = call.values(lower)?;
    lower.call_inner("eps_of", v, call.span, 1)
}

fn int_limit(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    let (args, class) = lower.trailing_class(call.args)?;
    let class = class.unwrap_or(Class::Int32);
    let Some((bits, signed)) = class.int_bits().filter(|_| args.is_empty()) else {
        return lower.stop(
            Code::UnknownClass,
            call.span,
            format!("`{}` takes the name of an integer class", call.name),
        );
    };
    let high = if signed { i64::MAX >> (64 - bits) } else { ((u64::MAX) >> (64 - bits)) as i64 };
    let low = if signed { i64::MIN >> (64 - bits) } else { 0 };
    let number = if call.name == "intmax" { high } else { low };
    if class == Class::UInt64 && number != 0 {
        // Constants of the IR are signed: the largest one comes from the double 2^64, which saturates.
        let above = lower.number(2f64.powi(64));
        let facts = Facts { nonnegative: true, integral: true, ..Facts::default() };
        return value(lower.emit(Op::Convert(above), Type::scalar(class), facts));
    }
    let float = if signed { number as f64 } else { number as u64 as f64 };
    let facts = Facts { constant: Some(float), nonnegative: float >= 0.0, integral: true, ..Facts::default() };
    value(lower.emit(Op::Const(crate::ir::Const::Int(number)), Type::scalar(class), facts))
}

fn eye(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    let (args, class) = lower.trailing_class(call.args)?;
    let class = class.unwrap_or(Class::Double);
    let dims = lower.size_arguments(args)?;
    if dims.len() > 2 {
        return lower.stop(Code::Unsupported, call.span, "`eye` makes matrices only");
    }
    let ty = Type::array(class, dims);
    if ty.is_scalar() {
        return value(lower.filled(1.0, class, Vec::new()));
    }
    let before = lower.here(call.span);
    let result = lower.emit(Op::Eye, ty, Facts { nonnegative: true, integral: true, ..Facts::default() });
    lower.builder.set_loc(before);
    lower.is_stored(result, Stored::Diagonal);
    value(result)
}

fn linspace(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 2, 3)?;
    let v = call.values(lower)?;
    if !lower.is_scalar(v[0]) || !lower.is_scalar(v[1]) {
        return lower.stop(Code::NotScalar, call.span, "`linspace` needs single numbers as limits");
    }
    let n = match v.get(2) {
        Some(n) => {
            let n = lower.whole_number(*n, "the number of points", call.span)?;
            lower.size_max(n, Size::constant(0))
        }
        None => Size::constant(100),
    };
    let before = lower.here(call.span);
    let result = if v[..2].iter().any(|v| lower.is_complex(*v)) {
        let [(a, c), (b, d)] = [v[0], v[1]].map(|v| lower.parts(v));
        let (re, im) = (lower.linspace(a, b, n.clone()), lower.linspace(c, d, n));
        lower.paired(re, im)
    } else {
        let single = v[..2].iter().any(|v| lower.class(*v) == Class::Single);
        let (a, b) = (lower.convert(v[0], Class::Double), lower.convert(v[1], Class::Double));
        let row = lower.linspace(a, b, n);
        lower.convert(row, if single { Class::Single } else { Class::Double })
    };
    lower.builder.set_loc(before);
    value(result)
}

/// `repmat(a, m, n, ..)`: each dimension of size d and its count m become two dimensions d, m that are read as one.
fn repmat(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 2, usize::MAX)?;
    let array = lower.expr_value(&call.args[0])?;
    let counts = lower.size_arguments(&call.args[1..])?;
    let ty = lower.builder.func.ty(array).clone();
    let rank = counts.len().max(ty.ndims());
    let one = Size::constant(1);
    let (mut split, mut repeated, mut result) = (Vec::new(), Vec::new(), Vec::new());
    for axis in 0..rank {
        let (d, m) = (ty.dim(axis), counts.get(axis).cloned().unwrap_or(one.clone()));
        result.push(d.mul(&m));
        if d.is_one() || m.is_one() {
            split.push(d.clone());
            repeated.push(d.mul(&m));
        } else {
            split.extend([d.clone(), one.clone()]);
            repeated.extend([d, m]);
        }
    }
    let old = lower.facts(array);
    let facts = Facts { nonnegative: old.nonnegative, integral: old.integral, ..Facts::default() };
    let before = lower.here(call.span);
    let class = ty.class;
    let whole = Type::array(class, result);
    let spread = Type::array(class, split);
    let source = if spread == ty { array } else { lower.emit(Op::Reshape(array), spread.clone(), facts.clone()) };
    let repeated = Type::array(class, repeated);
    let filled =
        if repeated == spread { source } else { lower.emit(Op::Fill(source), repeated.clone(), facts.clone()) };
    let out = if repeated == whole { filled } else { lower.emit(Op::Reshape(filled), whole, facts) };
    lower.builder.set_loc(before);
    value(out)
}

/// `[X, Y] = meshgrid(x, y)`, three outputs for three vectors; `[X, Y, ..] = ndgrid(x, y, ..)`.
fn grid(lower: &mut Lower<'_>, call: &Call<'_>, mesh: bool) -> Results {
    call.arity(lower, 1, if mesh { 3 } else { usize::MAX })?;
    let mut vectors = call.values(lower)?;
    if vectors.len() == 1 {
        let rank = call.wanted.max(2);
        vectors = vec![vectors[0]; rank];
    }
    if call.wanted > vectors.len() {
        return lower.stop(
            Code::ResultCount,
            call.span,
            format!("`{}` of {} vectors has as many results", call.name, vectors.len()),
        );
    }
    // In a mesh grid the first vector runs along the second dimension and the second along the first.
    let axis_of = |v: usize| if mesh && v < 2 { 1 - v } else { v };
    let mut dims = vec![Size::constant(1); vectors.len()];
    for (i, v) in vectors.iter().enumerate() {
        dims[axis_of(i)] = lower.builder.func.ty(*v).numel();
    }
    let before = lower.here(call.span);
    let mut out = Vec::new();
    for (i, v) in vectors.iter().enumerate().take(call.wanted.max(1)) {
        let class = lower.class(*v);
        let facts = Facts { nonnegative: lower.facts(*v).nonnegative, ..Facts::default() };
        let mut own = vec![Size::constant(1); vectors.len()];
        own[axis_of(i)] = dims[axis_of(i)].clone();
        let along = Type::array(class, own);
        let source = if lower.builder.func.ty(*v) == &along {
            *v
        } else {
            lower.emit(Op::Reshape(*v), along.clone(), facts.clone())
        };
        let whole = Type::array(class, dims.clone());
        let result = if along == whole { source } else { lower.emit(Op::Fill(source), whole, facts) };
        out.push(crate::lower::Operand::Value(result));
    }
    lower.builder.set_loc(before);
    Ok(out)
}

fn colon(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 2, 3)?;
    let (first, last) = (&call.args[0], &call.args[call.args.len() - 1]);
    let step = (call.args.len() == 3).then(|| &call.args[1]);
    let bounds = lower.range_bounds(first, step, last, call.span)?;
    value(lower.range_array(&bounds))
}
