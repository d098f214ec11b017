//! Functions about sizes, and functions that rearrange elements.

use super::{Call, Handler, Results, value};
use crate::diag::Code;
use crate::ir::{Class, Op, Size, Sub, Type, Value};
use crate::lower::facts::Facts;
use crate::lower::{Lower, Lowered, Operand};

pub(super) const NAMES: &[&str] = &[
    "size",
    "numel",
    "length",
    "ndims",
    "rows",
    "columns",
    "isempty",
    "isscalar",
    "isvector",
    "ismatrix",
    "reshape",
    "transpose",
    "ctranspose",
    "fliplr",
    "flipud",
    "horzcat",
    "vertcat",
    "cat",
    "diff",
    "squeeze",
    "feval",
    "nargin",
    "nargout",
    "isnumeric",
    "islogical",
    "kron",
    "deal",
    "isfloat",
    "isinteger",
    "isrow",
    "iscolumn",
    "issquare",
    "permute",
    "narginchk",
    "nargchk",
];

pub(super) fn find(name: &str) -> Option<Handler> {
    Some(match name {
        "size" => size,
        "numel" | "length" | "ndims" | "rows" | "columns" => measure,
        "isempty" | "isscalar" | "isvector" | "ismatrix" | "isnumeric" | "islogical" | "isfloat" | "isinteger" => {
            predicate
        }
        "isrow" | "iscolumn" | "issquare" => orientation,
        "permute" => permute,
        "deal" => deal,
        "narginchk" | "nargchk" => check_argument_count,
        "reshape" => reshape,
        "transpose" | "ctranspose" => |l, c| {
            c.arity(l, 1, 1)?;
            let v = c.values(l)?[0];
            let conjugate = c.name == "ctranspose" && l.is_complex(v);
            let v = if conjugate { l.conjugate(v, c.span)? } else { v };
            value(l.transpose(v, c.span)?)
        },
        "fliplr" => |l, c| flip(l, c, 1),
        "flipud" => |l, c| flip(l, c, 0),
        "horzcat" | "vertcat" | "cat" => concatenate,
        "diff" => diff,
        "squeeze" => squeeze,
        "feval" => feval,
        "nargin" | "nargout" => argument_count,
        "kron" => kron,
        _ => return None,
    })
}

fn size(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 1, 2)?;
    let array = lower.expr_value(&call.args[0])?;
    let ty = lower.builder.func.ty(array).clone();
    if let Some(axis) = call.args.get(1) {
        let axis = lower.axis_argument(axis)?;
        return value(lower.double_of_size(&ty.dim(axis)));
    }
    if call.wanted > 1 {
        // The last result takes all remaining dimensions.
        let mut out = Vec::new();
        for axis in 0..call.wanted {
            let mut d = ty.dim(axis);
            if axis + 1 == call.wanted {
                d = (axis + 1..ty.ndims()).fold(d, |n, a| n.mul(&ty.dim(a)));
            }
            out.push(Operand::Value(lower.double_of_size(&d)));
        }
        return Ok(out);
    }
    let parts = (0..ty.ndims()).map(|a| lower.double_of_size(&ty.dim(a))).collect();
    value(lower.concat(1, parts, call.span)?)
}

fn measure(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 1, 1)?;
    let array = lower.expr_value(&call.args[0])?;
    let ty = lower.builder.func.ty(array).clone();
    let size = match call.name {
        "numel" => ty.numel(),
        "rows" => ty.dim(0),
        "columns" => ty.dim(1),
        "ndims" => Size::constant(ty.ndims() as i64),
        _ => length(lower, &ty),
    };
    value(lower.double_of_size(&size))
}

/// The largest size; 0 if any is 0.
fn length(lower: &mut Lower<'_>, ty: &Type) -> Size {
    let others: Vec<&Size> = ty.dims.iter().filter(|d| !d.is_one()).collect();
    match others[..] {
        [] => Size::constant(1),
        [only] => only.clone(),
        _ => {
            let longest = others.iter().fold(Size::constant(0), |m, d| lower.size_max(m, (*d).clone()));
            let numel = ty.numel();
            // min(longest, numel * longest) is 0 for an empty array and the longest side otherwise.
            lower.size_min(longest.clone(), numel.mul(&longest))
        }
    }
}

fn predicate(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 1, 1)?;
    let array = match lower.expr(&call.args[0])? {
        Operand::Value(v) => v,
        _ => return value(lower.truth_constant(false)),
    };
    let ty = lower.builder.func.ty(array).clone();
    let known = match call.name {
        "isscalar" if ty.is_scalar() => Some(true),
        "isvector" if ty.is_vector() && ty.dims.len() <= 2 => Some(true),
        "ismatrix" => Some(ty.ndims() == 2),
        "isnumeric" => Some(ty.class != Class::Logical),
        "islogical" => Some(ty.class == Class::Logical),
        "isfloat" => Some(ty.class.is_float() || ty.class == Class::Complex),
        "isinteger" => Some(ty.class.is_integer()),
        "isempty" => match ty.numel() {
            n if n.as_constant() == Some(0) => Some(true),
            n if lower.never_negative(&n.add_const(-1)) => Some(false),
            _ => None,
        },
        _ => None,
    };
    if let Some(known) = known {
        return value(lower.truth_constant(known));
    }
    let compare = |l: &mut Lower<'_>, n: Size, with: i64| {
        let n = l.index_value(&n);
        let c = l.builder.int(with);
        l.emit(Op::Binary(crate::ir::Binary::Eq, n, c), Type::scalar(Class::Logical), Facts::default())
    };
    match call.name {
        "isempty" => value(compare(lower, ty.numel(), 0)),
        "isscalar" => value(compare(lower, ty.numel(), 1)),
        _ => lower.stop(Code::Unsupported, call.span, format!("`{}` cannot be decided when compiling", call.name)),
    }
}

/// `isrow`, `iscolumn`, `issquare`: two sizes are equal, or one of them is one.
fn orientation(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 1, 1)?;
    let Operand::Value(array) = lower.expr(&call.args[0])? else {
        return value(lower.truth_constant(call.name == "isrow"));
    };
    let ty = lower.builder.func.ty(array).clone();
    let one = Size::constant(1);
    let (a, b) = match call.name {
        "isrow" => (ty.dim(0), one),
        "iscolumn" => (ty.dim(1), one),
        _ => (ty.dim(0), ty.dim(1)),
    };
    let difference = a.sub(&b);
    if ty.ndims() > 2 || difference.as_constant().is_some() {
        return value(lower.truth_constant(ty.ndims() == 2 && difference.as_constant() == Some(0)));
    }
    let (a, b) = (lower.index_value(&a), lower.index_value(&b));
    value(lower.emit(Op::Binary(crate::ir::Binary::Eq, a, b), Type::scalar(Class::Logical), Facts::default()))
}

/// `permute(x, [..])` of up to three dimensions.
fn permute(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    use crate::matlab::ast::ExprKind;
    call.arity(lower, 2, 2)?;
    let array = lower.expr_value(&call.args[0])?;
    let mut order = Vec::new();
    if let ExprKind::Matrix { rows } = &call.args[1].kind {
        for element in rows.iter().flatten() {
            order.push(lower.axis_argument(element)?);
        }
    }
    let mut sorted = order.clone();
    sorted.sort_unstable();
    if sorted.iter().enumerate().any(|(d, a)| *a != d) || !(2..=3).contains(&order.len()) {
        return lower.stop(
            Code::Unsupported,
            call.args[1].span,
            "`permute` needs a known order of two or three dimensions, such as [2 1 3]",
        );
    }
    let ndims = lower.builder.func.ty(array).dims.len();
    match order[..] {
        _ if ndims > order.len() => {
            lower.stop(Code::Unsupported, call.span, "`permute` needs as many numbers as the array has dimensions")
        }
        [0, 1] | [0, 1, 2] => value(array),
        _ if ndims <= 2 => permute_matrix(lower, call, array, &order),
        _ => {
            let order: Vec<Value> = order.iter().map(|a| lower.number((a + 1) as f64)).collect();
            lower.call_inner("permute_three", [vec![array], order].concat(), call.span, 1)
        }
    }
}

/// A matrix, transposed if its dimensions change places, with a dimension of size one where the order has the third.
fn permute_matrix(lower: &mut Lower<'_>, call: &Call<'_>, array: Value, order: &[usize]) -> Results {
    let ty = lower.builder.func.ty(array).clone();
    let place = |axis: usize| order.iter().position(|a| *a == axis);
    let source = if place(1) < place(0) { lower.transpose(array, call.span)? } else { array };
    let wanted = Type::array(ty.class, order.iter().map(|a| ty.dim(*a)).collect());
    if wanted == *lower.builder.func.ty(source) {
        return value(source);
    }
    let old = lower.facts(array);
    let facts = Facts { nonnegative: old.nonnegative, integral: old.integral, ..Facts::default() };
    value(lower.emit(Op::Reshape(source), wanted, facts))
}

/// `[a, b] = deal(x, y)`, or one argument for all.
fn deal(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    let wanted = call.wanted.max(1);
    let given = lower.arguments(call.args)?;
    match given.len() {
        1 => Ok(vec![given[0].clone(); wanted]),
        n if n == wanted => Ok(given),
        n => lower.stop(Code::ResultCount, call.span, format!("`deal` gives {n} values to {wanted} variables")),
    }
}

/// `narginchk(least, most)`: how many arguments are given is known.
fn check_argument_count(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 2, 3)?;
    let limits = [lower.expr_value(&call.args[0])?, lower.expr_value(&call.args[1])?].map(|v| lower.constant_of(v));
    let given = lower.call_counts().map_or(0, |(given, _)| given) as f64;
    match limits {
        [Some(least), Some(most)] if (least..=most).contains(&given) => Ok(Vec::new()),
        [Some(_), Some(_)] => {
            lower.stop(Code::ArgumentCount, call.span, format!("this function is called with {given} arguments here"))
        }
        _ => lower.stop(Code::NotConstant, call.span, format!("the limits of `{}` must be known numbers", call.name)),
    }
}

fn reshape(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 2, usize::MAX)?;
    let array = lower.expr_value(&call.args[0])?;
    let ty = lower.builder.func.ty(array).clone();
    let dims = reshape_sizes(lower, call, &ty)?;
    let numel = dims.iter().fold(Size::constant(1), |n, d| n.mul(d));
    if ty.numel().sub(&numel).as_constant().is_some_and(|d| d != 0) {
        let (a, b) = (lower.dims_text(&ty.dims), lower.dims_text(&dims));
        return lower.stop(
            Code::SizeMismatch,
            call.span,
            format!("`reshape` cannot make {b} of {a}: the number of elements differs"),
        );
    }
    lower.check_same(&ty.numel(), &numel, "`reshape`", call.span);
    let wanted = Type::array(ty.class, dims);
    if wanted == ty {
        return value(array);
    }
    let facts = Facts { progression: None, ..lower.facts(array) };
    let before = lower.here(call.span);
    let result = lower.emit(Op::Reshape(array), wanted, facts);
    lower.builder.set_loc(before);
    value(result)
}

/// The sizes for `reshape`; one may be `[]` and follows from the others if they are known.
fn reshape_sizes(lower: &mut Lower<'_>, call: &Call<'_>, ty: &Type) -> Lowered<Vec<Size>> {
    use crate::matlab::ast::ExprKind;
    let args = &call.args[1..];
    let open = args.iter().position(|a| matches!(&a.kind, ExprKind::Matrix { rows } if rows.is_empty()));
    let Some(open) = open else { return lower.size_arguments(args) };
    let mut dims = Vec::new();
    let mut known = Size::constant(1);
    for (i, arg) in args.iter().enumerate() {
        if i == open {
            dims.push(Size::constant(1));
            continue;
        }
        let v = lower.expr_value(arg)?;
        let number = lower.whole_number(v, "a size", arg.span)?;
        let d = lower.size_from(number);
        known = known.mul(&d);
        dims.push(d);
    }
    let total = ty.numel();
    dims[open] = match known.as_constant() {
        Some(c) if c > 0 => lower.size_div(total, c),
        _ if total == known => Size::constant(1),
        _ => return lower.stop(Code::Unsupported, call.span, "`[]` in reshape needs the other sizes as known numbers"),
    };
    Ok(dims)
}

fn flip(lower: &mut Lower<'_>, call: &Call<'_>, axis: usize) -> Results {
    call.arity(lower, 1, 1)?;
    let array = lower.expr_value(&call.args[0])?;
    let ty = lower.builder.func.ty(array).clone();
    if ty.is_scalar() || ty.dim(axis).is_one() {
        return value(array);
    }
    let last = lower.index_value(&ty.dim(axis).add_const(-1));
    let mut subs = vec![Sub::All; ty.dims.len()];
    subs[axis] = Sub::Range { start: last, step: -1, len: ty.dim(axis) };
    value(part(lower, call, array, subs, ty))
}

fn part(lower: &mut Lower<'_>, call: &Call<'_>, array: Value, subs: Vec<Sub>, ty: Type) -> Value {
    let old = lower.facts(array);
    let facts = Facts { nonnegative: old.nonnegative, integral: old.integral, ..Facts::default() };
    let before = lower.here(call.span);
    let result = lower.emit(Op::Index { array, subs, checked: false }, ty, facts);
    lower.builder.set_loc(before);
    result
}

fn concatenate(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 1, usize::MAX)?;
    let (axis, args) = match call.name {
        "horzcat" => (1, call.args),
        "vertcat" => (0, call.args),
        _ => (lower.axis_argument(&call.args[0])?, &call.args[1..]),
    };
    let mut parts = Vec::new();
    for arg in args {
        parts.push(lower.expr_value(arg)?);
    }
    if parts.is_empty() {
        return lower.stop(Code::ArgumentCount, call.span, "nothing to put together");
    }
    let class = lower.concat_class(&parts, call.span)?;
    let parts = parts.into_iter().map(|v| lower.convert(v, class)).collect();
    value(lower.concat(axis, parts, call.span)?)
}

/// `diff(x)`, `diff(x, k)`, `diff(x, k, dim)`: the differences of neighbours, k times over.
fn diff(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 1, 3)?;
    let mut array = lower.expr_value(&call.args[0])?;
    let times = match call.args.get(1) {
        Some(arg) => {
            let v = lower.expr_value(arg)?;
            lower.constant_of(v).filter(|k| k.fract() == 0.0 && (0.0..=16.0).contains(k))
        }
        None => Some(1.0),
    };
    let Some(times) = times else {
        return lower.stop(Code::NotConstant, call.span, "the order of `diff` must be a known whole number up to 16");
    };
    let axis = call.args.get(2).map(|arg| lower.axis_argument(arg)).transpose()?;
    for _ in 0..times as usize {
        array = neighbour_differences(lower, call, array, axis)?;
    }
    value(array)
}

fn neighbour_differences(lower: &mut Lower<'_>, call: &Call<'_>, array: Value, axis: Option<usize>) -> Lowered<Value> {
    let array = lower.convert_number(array);
    let ty = lower.builder.func.ty(array).clone();
    if ty.is_scalar() {
        return Ok(lower.filled(0.0, Class::Double, vec![Size::constant(0), Size::constant(0)]));
    }
    let axis = match axis {
        Some(axis) => axis,
        None => lower.default_axis(&ty),
    };
    let len = lower.size_from(ty.dim(axis).add_const(-1));
    let mut shorter = ty.clone();
    shorter.dims[axis] = len.clone();
    let shorter = Type::array(shorter.class, shorter.dims);
    let mut sides = Vec::new();
    for offset in [1, 0] {
        let start = lower.builder.int(offset);
        let mut subs = vec![Sub::All; ty.dims.len()];
        subs[axis] = Sub::Range { start, step: 1, len: len.clone() };
        sides.push(part(lower, call, array, subs, shorter.clone()));
    }
    lower.binary(crate::ir::Binary::Sub, sides[0], sides[1], "`diff`", call.span)
}

fn squeeze(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 1, 1)?;
    let array = lower.expr_value(&call.args[0])?;
    let ty = lower.builder.func.ty(array).clone();
    if ty.dims.len() <= 2 {
        return value(array);
    }
    let dims = ty.dims.iter().filter(|d| !d.is_one()).cloned().collect();
    let facts = lower.facts(array);
    value(lower.emit(Op::Reshape(array), Type::array(ty.class, dims), facts))
}

fn feval(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    use crate::matlab::ast::ExprKind;
    call.arity(lower, 1, usize::MAX)?;
    let (first, rest) = (&call.args[0], &call.args[1..]);
    if let ExprKind::Str { text, .. } = &first.kind {
        return lower.call_name(text, rest, call.span, call.wanted);
    }
    match lower.expr(first)? {
        Operand::Function(handle) => lower.call_handle(&handle, rest, call.span, call.wanted),
        _ => lower.stop(Code::FunctionValue, first.span, "`feval` needs a function or its name"),
    }
}

fn argument_count(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 0, 0)?;
    match lower.call_counts() {
        Some((given, wanted)) => {
            let count = if call.name == "nargin" { given } else { wanted };
            value(lower.number(count as f64))
        }
        None => lower.stop(Code::Unsupported, call.span, format!("`{}` stands outside a function", call.name)),
    }
}

/// `kron(a, b)`: element (i, k) of the blocks and (j, l) of the matrix of blocks.
fn kron(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 2, 2)?;
    let v = call.values(lower)?;
    let (ta, tb) = (lower.builder.func.ty(v[0]).clone(), lower.builder.func.ty(v[1]).clone());
    if ta.is_scalar() || tb.is_scalar() {
        return value(lower.binary(crate::ir::Binary::Mul, v[0], v[1], "`kron`", call.span)?);
    }
    let one = Size::constant(1);
    let outer = Type::array(ta.class, vec![one.clone(), ta.dim(0), one.clone(), ta.dim(1)]);
    let inner = Type::array(tb.class, vec![tb.dim(0), one.clone(), tb.dim(1)]);
    let a = lower.emit(Op::Reshape(v[0]), outer, lower.facts(v[0]));
    let b = lower.emit(Op::Reshape(v[1]), inner, lower.facts(v[1]));
    let product = lower.binary(crate::ir::Binary::Mul, a, b, "`kron`", call.span)?;
    let class = lower.class(product);
    let whole = Type::array(class, vec![ta.dim(0).mul(&tb.dim(0)), ta.dim(1).mul(&tb.dim(1))]);
    let facts = lower.facts(product);
    value(lower.emit(Op::Reshape(product), whole, facts))
}
