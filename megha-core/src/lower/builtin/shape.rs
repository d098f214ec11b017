//! Functions about sizes, and functions that rearrange elements.

use super::{Call, Handler, Results, value};
use crate::diag::Code;
use crate::ir::{Class, Op, Size, Sub, Type, Value};
use crate::lower::facts::{Facts, Stored};
use crate::lower::text::Piece;
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
    "full",
    "transpose",
    "ctranspose",
    "fliplr",
    "flipud",
    "horzcat",
    "vertcat",
    "cat",
    "squeeze",
    "isnumeric",
    "islogical",
    "kron",
    "isfloat",
    "isinteger",
    "issparse",
    "isrow",
    "iscolumn",
    "issquare",
];

pub(super) fn find(name: &str) -> Option<Handler> {
    Some(match name {
        "size" => size,
        "numel" | "length" | "ndims" | "rows" | "columns" => measure,
        "isempty" | "isscalar" | "ismatrix" | "isnumeric" | "islogical" | "isfloat" | "isinteger" | "issparse" => {
            predicate
        }
        "isvector" | "isrow" | "iscolumn" | "issquare" => orientation,
        "reshape" => reshape,
        "full" => full,
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
        "squeeze" => squeeze,
        "kron" => kron,
        _ => return None,
    })
}

fn size(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 1, usize::MAX)?;
    let array = lower.expr_value(&call.args[0])?;
    let sizes = lower.sizes_of(array);
    let size = |axis: usize| sizes.get(axis).cloned().unwrap_or(Size::constant(1));
    if call.args.len() > 1 {
        let mut asked = Vec::new();
        for arg in &call.args[1..] {
            for axis in lower.axes_argument(arg)? {
                asked.push(lower.double_of_size(&size(axis)));
            }
        }
        if call.wanted > 1 {
            return Ok(asked.into_iter().map(Operand::Value).collect());
        }
        return value(lower.concat(1, asked, call.span)?);
    }
    if call.wanted > 1 {
        // The last result takes all remaining dimensions.
        let mut out = Vec::new();
        for axis in 0..call.wanted {
            let mut d = size(axis);
            if axis + 1 == call.wanted {
                d = (axis + 1..sizes.len()).fold(d, |n, a| n.mul(&size(a)));
            }
            out.push(Operand::Value(lower.double_of_size(&d)));
        }
        return Ok(out);
    }
    let parts = sizes.iter().map(|size| lower.double_of_size(size)).collect();
    value(lower.concat(1, parts, call.span)?)
}

fn measure(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 1, 1)?;
    let array = lower.expr_value(&call.args[0])?;
    let ty = lower.builder.func.ty(array).clone();
    let size = match call.name {
        "numel" => ty.numel(),
        "rows" => lower.sizes_of(array).swap_remove(0),
        "columns" => lower.sizes_of(array).swap_remove(1),
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
    let operand = lower.expr(&call.args[0])?;
    if matches!(call.name, "isnumeric" | "islogical" | "isfloat") {
        lower.class_is_settled(&operand, call.args[0].span)?;
    }
    let array = match operand {
        Operand::Value(v) if !lower.facts(v).characters => v,
        Operand::Value(v) if !matches!(call.name, "isnumeric" | "islogical") => v,
        Operand::Text(text) if !matches!(call.name, "isnumeric" | "islogical") => lower.codes(&text, call.span)?,
        Operand::Message(pieces) if call.name == "isempty" && !pieces.iter().any(has_characters) => {
            lower.message_codes(&pieces, call.span)
        }
        _ => return value(lower.truth_constant(false)),
    };
    let ty = lower.builder.func.ty(array).clone();
    let known = match call.name {
        "isscalar" if ty.is_scalar() => Some(true),
        "ismatrix" => Some(ty.ndims() == 2),
        "isnumeric" => Some(ty.class != Class::Logical),
        "islogical" => Some(ty.class == Class::Logical),
        "isfloat" => Some(ty.class.is_float() || ty.class == Class::Complex),
        "isinteger" => Some(ty.class.is_integer()),
        "issparse" => Some(false),
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
        _ => value(compare(lower, ty.numel(), 1)),
    }
}

/// Whether a piece of a text is known to have characters.
fn has_characters(piece: &Piece) -> bool {
    matches!(piece, Piece::Text(text) if !text.is_empty())
}

/// `isvector`, `isrow`, `iscolumn`, `issquare`: two sizes are equal, or one of them is one.
fn orientation(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 1, 1)?;
    let Operand::Value(array) = lower.expr(&call.args[0])? else {
        return value(lower.truth_constant(matches!(call.name, "isrow" | "isvector")));
    };
    let ty = lower.builder.func.ty(array).clone();
    let one = Size::constant(1);
    if call.name == "isvector" {
        let row = equal_sizes(lower, &ty, &ty.dim(0), &one);
        let column = equal_sizes(lower, &ty, &ty.dim(1), &one);
        return value(lower.emit(
            Op::Binary(crate::ir::Binary::Or, row, column),
            Type::scalar(Class::Logical),
            Facts::default(),
        ));
    }
    let (a, b) = match call.name {
        "isrow" => (ty.dim(0), one),
        "iscolumn" => (ty.dim(1), one),
        _ => (ty.dim(0), ty.dim(1)),
    };
    value(equal_sizes(lower, &ty, &a, &b))
}

/// Whether two sizes of a matrix are equal; never, if it has more than two dimensions.
fn equal_sizes(lower: &mut Lower<'_>, ty: &Type, a: &Size, b: &Size) -> Value {
    let difference = a.sub(b);
    if ty.ndims() > 2 || difference.as_constant().is_some() {
        return lower.truth_constant(ty.ndims() == 2 && difference.as_constant() == Some(0));
    }
    let (a, b) = (lower.index_value(a), lower.index_value(b));
    lower.emit(Op::Binary(crate::ir::Binary::Eq, a, b), Type::scalar(Class::Logical), Facts::default())
}

/// `full(x)`: no array is sparse, but one may be stored as its diagonal.
fn full(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 1, 1)?;
    let v = lower.expr_value(&call.args[0])?;
    if lower.facts(v).stored == Stored::Full {
        return value(v);
    }
    let (ty, facts) = (lower.builder.func.ty(v).clone(), lower.facts(v));
    value(lower.emit(Op::Reshape(v), ty, Facts { stored: Stored::Full, ..facts }))
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
    let old = lower.facts(array);
    if wanted == ty && !old.brackets {
        return value(array);
    }
    let facts = Facts { progression: None, brackets: false, ..old };
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

pub(super) fn part(lower: &mut Lower<'_>, call: &Call<'_>, array: Value, subs: Vec<Sub>, ty: Type) -> Value {
    let old = lower.facts(array);
    let Facts { nonnegative, integral, characters, .. } = old;
    let facts = Facts { nonnegative, integral, characters, ..Facts::default() };
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
    let class = lower.concat_class(&parts);
    let parts = parts.into_iter().map(|v| lower.convert(v, class)).collect();
    value(lower.concat(axis, parts, call.span)?)
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

/// `kron(a, b)`, `kron(a, b, c)`: from the left.
fn kron(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 2, usize::MAX)?;
    let v = call.values(lower)?;
    let first = v[0];
    value(v[1..].iter().try_fold(first, |a, b| kronecker(lower, call, a, *b))?)
}

/// Element (i, k) of the blocks and (j, l) of the matrix of blocks. Of integers too the result is double, not saturated.
fn kronecker(lower: &mut Lower<'_>, call: &Call<'_>, a: Value, b: Value) -> Lowered<Value> {
    let [a, b] = [a, b].map(|v| if lower.class(v).is_integer() { lower.convert(v, Class::Double) } else { v });
    let is_matrix = |ty: &Type| ty.ndims() <= 2 || ty.dim(0).mul(&ty.dim(1)).as_constant() == Some(0);
    if ![a, b].iter().all(|v| is_matrix(lower.builder.func.ty(*v))) {
        return lower.stop(Code::Unsupported, call.span, "`kron` takes matrices, not arrays of more dimensions");
    }
    let (ta, tb) = (lower.builder.func.ty(a).clone(), lower.builder.func.ty(b).clone());
    if ta.is_scalar() || tb.is_scalar() {
        return lower.binary(crate::ir::Binary::Mul, a, b, "`kron`", call.span);
    }
    let one = Size::constant(1);
    let outer = Type::array(ta.class, vec![one.clone(), ta.dim(0), one.clone(), ta.dim(1)]);
    let inner = Type::array(tb.class, vec![tb.dim(0), one.clone(), tb.dim(1)]);
    let a = lower.emit(Op::Reshape(a), outer, lower.facts(a));
    let b = lower.emit(Op::Reshape(b), inner, lower.facts(b));
    let product = lower.binary(crate::ir::Binary::Mul, a, b, "`kron`", call.span)?;
    let class = lower.class(product);
    let whole = Type::array(class, vec![ta.dim(0).mul(&tb.dim(0)), ta.dim(1).mul(&tb.dim(1))]);
    let facts = lower.facts(product);
    Ok(lower.emit(Op::Reshape(product), whole, facts))
}
