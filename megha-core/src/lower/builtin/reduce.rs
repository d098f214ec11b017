//! Functions that combine elements.

use super::{Call, Handler, Results, value};
use crate::diag::Code;
use crate::ir::{Binary, Class, Op, ReduceOp, Size, Type, Unary, Value};
use crate::lower::brackets::Hollow;
use crate::lower::facts::Facts;
use crate::lower::{Lower, Lowered, Operand};
use crate::matlab::ast::ExprKind;
use crate::source::Span;

pub(super) const NAMES: &[&str] = &[
    "sum", "prod", "max", "min", "any", "all", "mean", "dot", "norm", "cumsum", "cumprod", "sumsq", "mtimes",
    "mldivide", "mrdivide",
];

pub(super) fn find(name: &str) -> Option<Handler> {
    Some(match name {
        "sum" => |l, c| plain(l, c, ReduceOp::Sum),
        "prod" => |l, c| plain(l, c, ReduceOp::Prod),
        "any" => |l, c| plain(l, c, ReduceOp::Any),
        "all" => |l, c| plain(l, c, ReduceOp::All),
        "sumsq" => sumsq,
        "max" => |l, c| extremum(l, c, ReduceOp::Max, Binary::Max),
        "min" => |l, c| extremum(l, c, ReduceOp::Min, Binary::Min),
        "mean" => mean,
        "dot" => dot,
        "norm" => norm,
        "cumsum" | "cumprod" => cumulative,
        "mtimes" | "mldivide" | "mrdivide" => matrix,
        _ => return None,
    })
}

impl Lower<'_> {
    /// The dimension along which MATLAB combines when none is named: the first whose size is not one.
    /// A size that is one only at run time would choose another: that is an error then, never another sum.
    pub fn default_axis(&mut self, ty: &Type) -> usize {
        self.never_one_row(
            ty,
            "a matrix of one row is combined along the row unless the dimension is named, as in sum(x, 1)",
        );
        ty.dims.iter().position(|d| !d.is_one()).unwrap_or(0)
    }

    /// The larger or smaller of two operands; of sizes it is a size, of truth values a truth value.
    fn larger(&mut self, op: Binary, a: Value, b: Value, call: &Call<'_>) -> Lowered<Value> {
        if [a, b].iter().all(|v| self.class(*v) == Class::Logical) {
            let op = if op == Binary::Max { Binary::Or } else { Binary::And };
            return self.binary(op, a, b, &format!("`{}`", call.name), call.span);
        }
        if let (Some(x), Some(y), true) =
            (self.whole_of(a), self.whole_of(b), self.class(a) == Class::Double && self.class(b) == Class::Double)
            && self.constant_of(a).is_none_or(|_| self.constant_of(b).is_none())
        {
            let size = if op == Binary::Max { self.size_max(x, y) } else { self.size_min(x, y) };
            return Ok(self.double_of_size(&size));
        }
        let (a, b) = self.in_integer_class(a, b);
        // Of two zeros the first stays: in Octave that of an array beside a number, and the second of two numbers.
        let (a, b) = if self.is_scalar(a) { (b, a) } else { (a, b) };
        self.binary(op, a, b, &format!("`{}`", call.name), call.span)
    }

    /// Two operands of which one is of an integer class, both in that class: remainders and extremes convert first, where
    /// sums and products round their result.
    pub fn in_integer_class(&mut self, a: Value, b: Value) -> (Value, Value) {
        match (self.class(a), self.class(b)) {
            (x, y) if x.is_integer() && !y.is_integer() && y != Class::Complex => (a, self.convert(b, x)),
            (x, y) if y.is_integer() && !x.is_integer() && x != Class::Complex => (self.convert(a, y), b),
            _ => (a, b),
        }
    }

    /// Sums and products of an integer class are doubles, as Octave has them.
    fn addend(&mut self, array: Value) -> Value {
        if self.class(array).is_integer() { self.convert(array, Class::Double) } else { self.convert_number(array) }
    }

    /// Combines along the axes; `None` for all.
    pub fn reduce(&mut self, op: ReduceOp, array: Value, axes: &[usize]) -> Value {
        let truth = matches!(op, ReduceOp::Any | ReduceOp::All);
        let array = if truth { self.logical(array) } else { self.convert_number(array) };
        let ty = self.builder.func.ty(array).clone();
        let axes: Vec<usize> = axes.iter().copied().filter(|a| *a < ty.dims.len()).collect();
        if op == ReduceOp::Sum && self.is_complex(array) {
            return self.complex_sum_along(array, &axes);
        }
        if ty.is_scalar() || axes.is_empty() {
            return if op == ReduceOp::Sum { self.added_to_zero(array) } else { array };
        }
        let dims = ty
            .dims
            .iter()
            .enumerate()
            .map(|(a, d)| if axes.contains(&a) { Size::constant(1) } else { d.clone() })
            .collect();
        let old = self.facts(array);
        let facts = Facts { nonnegative: old.nonnegative || truth, integral: old.integral, ..Facts::default() };
        self.emit(Op::Reduce(op, array, axes), Type::array(ty.class, dims), facts)
    }

    /// The sum of one element: it begins at +0, so it is no -0.
    fn added_to_zero(&mut self, array: Value) -> Value {
        let before = self.builder.loc();
        let span = self.spans.span(before).unwrap_or_default();
        let zero = self.number(0.0);
        // A number fits any array.
        let sum = self.binary(Binary::Add, zero, array, "`sum`", span).unwrap_or(array);
        self.builder.set_loc(before);
        sum
    }

    /// The axes that `f(x)`, `f(x, dim)`, `f(x, [2 3])` and `f(x, 'all')` combine.
    fn axes(&mut self, ty: &Type, arg: Option<&crate::matlab::ast::Expr>) -> Lowered<Vec<usize>> {
        let axis = match arg {
            None => self.default_axis(ty),
            Some(arg) if matches!(&arg.kind, ExprKind::Str { text, .. } if text == "all") => {
                return Ok((0..ty.dims.len()).collect());
            }
            Some(arg) => {
                let mut axes = self.axes_argument(arg)?;
                axes.sort_unstable();
                let count = axes.len();
                axes.dedup();
                match axes[..] {
                    [axis] if count == 1 => axis,
                    _ if count == axes.len() => return Ok(axes),
                    _ => return self.stop(Code::Unsupported, arg.span, "a dimension stands here twice"),
                }
            }
        };
        // Along its columns a 0-by-0 array has one sum, 0, rather than none: MATLAB's one exception.
        let brackets = ty.dims.len() == 2 && ty.dims.iter().all(|d| d.as_constant() == Some(0));
        Ok(if brackets && axis == 0 { vec![0, 1] } else { vec![axis] })
    }
}

fn plain(lower: &mut Lower<'_>, call: &Call<'_>, op: ReduceOp) -> Results {
    call.arity(lower, 1, 2)?;
    call.one_result(lower)?;
    let mut array = lower.expr_value(&call.args[0])?;
    if call.args.len() == 1 {
        lower.never_brackets(array, call.name, call.span);
    }
    if matches!(op, ReduceOp::Sum | ReduceOp::Prod) {
        array = lower.addend(array);
    } else if op == ReduceOp::Any && lower.class(array).is_float() {
        // For `any` NaN is not true, for `all` it is.
        let (magnitude, zero) = (lower.unary(Unary::Abs, array, call.span)?, lower.number(0.0));
        array = lower.binary(Binary::Gt, magnitude, zero, call.name, call.span)?;
    }
    let ty = lower.builder.func.ty(array).clone();
    let axes = lower.axes(&ty, call.args.get(1))?;
    if lower.is_complex(array) {
        return value(lower.complex_reduce(op, array, &axes, call.span)?);
    }
    let before = lower.here(call.span);
    let result = lower.reduce(op, array, &axes);
    lower.builder.set_loc(before);
    value(result)
}

fn sumsq(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 1, 2)?;
    let array = lower.expr_value(&call.args[0])?;
    let array = lower.addend(array);
    let ty = lower.builder.func.ty(array).clone();
    let axes = lower.axes(&ty, call.args.get(1))?;
    let square = if lower.is_complex(array) {
        let (re, im) = lower.parts(array);
        let re = lower.binary(Binary::Mul, re, re, "`sumsq`", call.span)?;
        let im = lower.binary(Binary::Mul, im, im, "`sumsq`", call.span)?;
        lower.binary(Binary::Add, re, im, "`sumsq`", call.span)?
    } else {
        lower.binary(Binary::Mul, array, array, "`sumsq`", call.span)?
    };
    value(lower.reduce(ReduceOp::Sum, square, &axes))
}

fn extremum(lower: &mut Lower<'_>, call: &Call<'_>, reduce: ReduceOp, binary: Binary) -> Results {
    call.arity(lower, 1, 3)?;
    if call.wanted > 1 {
        return extremum_places(lower, call, reduce);
    }
    let array = lower.expr_value(&call.args[0])?;
    let placeholder =
        |i: usize| matches!(call.args.get(i).map(|a| &a.kind), Some(ExprKind::Matrix { rows }) if rows.is_empty());
    if lower.is_complex(array) {
        if call.args.len() != 2 {
            return extremum_places(lower, call, reduce);
        }
        let what = format!("`{}`", call.name);
        return lower.not_for_complex(&what, "compare real(..), imag(..) or abs(..)", call.span);
    }
    if call.args.len() == 2 && !placeholder(1) {
        let other = lower.expr_value(&call.args[1])?;
        return value(lower.larger(binary, array, other, call)?);
    }
    let ty = lower.builder.func.ty(array).clone();
    let axes = lower.axes(&ty, call.args.get(2))?;
    let extent = axes.iter().fold(Size::constant(1), |n, a| n.mul(&ty.dim(*a)));
    if !ty.is_scalar() && !lower.never_negative(&extent.add_const(-1)) {
        if extent.as_constant() == Some(0) {
            // Of no elements there is no extreme: as many as there were.
            return value(array);
        }
        let count = lower.index_value(&extent);
        let zero = lower.builder.int(0);
        let some = lower.emit(Op::Binary(Binary::Gt, count, zero), Type::scalar(Class::Logical), Facts::default());
        lower.assert_all(some, format!("{} of no elements has no value", call.name), call.span);
    }
    let reduce = match reduce {
        ReduceOp::Max if ty.class == Class::Logical => ReduceOp::Any,
        ReduceOp::Min if ty.class == Class::Logical => ReduceOp::All,
        op => op,
    };
    let before = lower.here(call.span);
    let result = lower.reduce(reduce, array, &axes);
    lower.builder.set_loc(before);
    value(result)
}

/// `[m, i] = max(x)`: the extremes and their places.
fn extremum_places(lower: &mut Lower<'_>, call: &Call<'_>, reduce: ReduceOp) -> Results {
    let array = lower.expr_value(&call.args[0])?;
    let ty = lower.builder.func.ty(array).clone();
    let axis = match call.args.get(2) {
        Some(arg) => lower.axis_argument(arg)?,
        None if call.args.len() == 1 => lower.default_axis(&ty),
        None => return lower.stop(Code::ResultCount, call.span, "the extreme of two operands has no place"),
    };
    let truth = ty.class == Class::Logical;
    let array = lower.convert_number(array);
    let dimension = lower.number((axis + 1) as f64);
    let sign = lower.number(if reduce == ReduceOp::Max { 1.0 } else { -1.0 });
    let inner = if lower.is_complex(array) { "complex_extremes" } else { "extreme_places" };
    let mut results = lower.call_inner(inner, vec![array, dimension, sign], call.span, call.wanted)?;
    if let Some(Operand::Value(extreme)) = results.first_mut().filter(|_| truth) {
        *extreme = lower.logical(*extreme);
    }
    Ok(results)
}

fn mean(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 1, 2)?;
    let array = lower.expr_value(&call.args[0])?;
    if call.args.len() == 1 {
        lower.never_brackets(array, call.name, call.span);
    }
    let ty = lower.builder.func.ty(array).clone();
    let axes = match call.args.get(1) {
        // Without elements Octave takes the first dimension of several.
        None if ty.numel().as_constant() == Some(0) && lower.hollow(array) != Hollow::Brackets => {
            let several = |d: &Size| d.as_constant() != Some(0) && !d.is_one();
            vec![ty.dims.iter().position(several).unwrap_or(0)]
        }
        along => lower.axes(&ty, along)?,
    };
    let before = lower.here(call.span);
    let own = matches!(ty.class, Class::Single | Class::Complex);
    let double = lower.convert(array, if own { ty.class } else { Class::Double });
    let sum = lower.reduce(ReduceOp::Sum, double, &axes);
    let count = axes.iter().fold(Size::constant(1), |n, a| n.mul(&ty.dim(*a)));
    let count = lower.double_of_size(&count);
    let result = lower.binary(Binary::Div, sum, count, "`mean`", call.span);
    lower.builder.set_loc(before);
    value(result?)
}

fn dot(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 2, 3)?;
    let (args, along) = call.args.split_at(2);
    let v = Call { args, ..*call }.values(lower)?;
    let axis = along.first().map(|arg| lower.axis_argument(arg)).transpose()?;
    let (mut a, mut b) = (v[0], v[1]);
    let (ta, tb) = (lower.builder.func.ty(a).clone(), lower.builder.func.ty(b).clone());
    if axis.is_none() && ta.is_vector() && tb.is_vector() && !ta.is_scalar() && !tb.is_scalar() {
        // Vectors of either orientation.
        a = column(lower, a);
        b = column(lower, b);
    }
    if lower.is_complex(a) {
        a = lower.conjugate(a, call.span)?;
    }
    let product = lower.binary(Binary::Mul, a, b, "`dot`", call.span)?;
    lower.by_orientation(vec![Operand::Value(product)], 1, call.span, &mut |lower, operands| {
        let [Operand::Value(product)] = operands[..] else { return Ok(operands) };
        // As in Octave, products saturate and the sum is one of doubles.
        let product = if lower.class(product).is_integer() { lower.convert(product, Class::Double) } else { product };
        let ty = lower.builder.func.ty(product).clone();
        let before = lower.here(call.span);
        let axis = axis.unwrap_or_else(|| lower.default_axis(&ty));
        let result = lower.reduce(ReduceOp::Sum, product, &[axis]);
        lower.builder.set_loc(before);
        value(result)
    })
}

fn column(lower: &mut Lower<'_>, v: Value) -> Value {
    let ty = lower.builder.func.ty(v).clone();
    let wanted = Type::array(ty.class, vec![ty.numel(), Size::constant(1)]);
    if wanted == ty { v } else { lower.emit(Op::Reshape(v), wanted, Facts::default()) }
}

/// `norm(v)`, `norm(v, 1)`, `norm(v, Inf)` of vectors, `norm(a, 'fro')`.
fn norm(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 1, 2)?;
    let given = lower.expr_value(&call.args[0])?;
    // All these norms are of the absolute values, but for that of order 2 of a matrix.
    let array = if lower.is_complex(given) { lower.modulus(given, call.span)? } else { given };
    let whole = given;
    let ty = lower.builder.func.ty(array).clone();
    let all: Vec<usize> = (0..ty.dims.len()).collect();
    let text = match call.args.get(1).map(|a| &a.kind) {
        Some(ExprKind::Str { text, .. }) => Some(text.to_ascii_lowercase()),
        _ => None,
    };
    let infinite = text.as_deref() == Some("inf");
    let frobenius = matches!(call.args.get(1).map(|a| &a.kind), Some(ExprKind::Str { text, .. }) if text == "fro");
    let given = match call.args.get(1) {
        Some(_) if infinite => Some(lower.number(f64::INFINITY)),
        Some(arg) if !frobenius => Some(lower.expr_value(arg)?),
        _ => None,
    };
    let order = given.map_or(Some(2.0), |v| lower.constant_of(v));
    let simple = matches!(order, Some(1.0 | 2.0));
    if !frobenius && (!ty.is_vector() || !simple) {
        let order = match given {
            Some(order) => order,
            None => lower.number(2.0),
        };
        let spectral = !ty.is_vector() && lower.constant_of(order) == Some(2.0);
        return lower.call_inner("general_norm", vec![if spectral { whole } else { array }, order], call.span, 1);
    }
    let before = lower.here(call.span);
    let result = match order {
        Some(2.0) => euclidean(lower, array, &all, call.span)?,
        _ => {
            let magnitude = lower.unary(Unary::Abs, array, call.span)?;
            lower.reduce(ReduceOp::Sum, magnitude, &all)
        }
    };
    lower.builder.set_loc(before);
    value(result)
}

/// 2^600: no square of an element that it scales down is too large, none that it scales up too small.
const SCALE: f64 = f64::from_bits((1023 + 600) << 52);

/// The square root of the sum of squares. These may be too large or too small to be represented, so besides them squares of
/// scaled elements are summed (J. L. Blue, A portable Fortran program to find the Euclidean norm of a vector, 1978; without his
/// division of the elements among the three sums, so that one pass without branches has them all).
fn euclidean(lower: &mut Lower<'_>, array: Value, axes: &[usize], span: Span) -> Lowered<Value> {
    let single = lower.class(array) == Class::Single;
    let array = lower.convert(array, Class::Double);
    let sum_of = |lower: &mut Lower<'_>, scaled: Value| -> Lowered<Value> {
        let square = lower.binary(Binary::Mul, scaled, scaled, "`norm`", span)?;
        Ok(lower.reduce(ReduceOp::Sum, square, axes))
    };
    if single {
        // Squares of singles are doubles.
        let sum = sum_of(lower, array)?;
        let root = lower.unary(Unary::Sqrt, sum, span)?;
        return Ok(lower.convert(root, Class::Single));
    }
    let sum = sum_of(lower, array)?;
    let (mut root, mut factor) = (sum, lower.number(1.0));
    for (outside, limit, scale) in [(Binary::Gt, 1e300, SCALE.recip()), (Binary::Lt, 1e-280, SCALE)] {
        let (limit, back, scale) = (lower.number(limit), lower.number(scale.recip()), lower.number(scale));
        let scaled = lower.binary(Binary::Mul, array, scale, "`norm`", span)?;
        let other = sum_of(lower, scaled)?;
        let outside = lower.binary(outside, sum, limit, "`norm`", span)?;
        root = lower.choose(outside, other, root, span)?;
        factor = lower.choose(outside, back, factor, span)?;
    }
    let root = lower.unary(Unary::Sqrt, root, span)?;
    lower.binary(Binary::Mul, root, factor, "`norm`", span)
}

fn cumulative(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 1, 2)?;
    let array = lower.expr_value(&call.args[0])?;
    let array = lower.addend(array);
    let ty = lower.builder.func.ty(array).clone();
    if ty.is_scalar() {
        return value(array);
    }
    let axis = match call.args.get(1) {
        Some(arg) => lower.axis_argument(arg)?,
        None => lower.default_axis(&ty),
    };
    let before = lower.here(call.span);
    let op = if call.name == "cumsum" { ReduceOp::Sum } else { ReduceOp::Prod };
    let long = ty.dims.get(axis).is_some_and(|d| !d.is_one());
    let result = match long {
        false => array,
        true if op == ReduceOp::Sum && lower.is_complex(array) => lower.complex_cumsum(array, axis),
        true if lower.is_complex(array) => {
            let dimension = lower.number((axis + 1) as f64);
            return lower.call_inner("complex_cumprod", vec![array, dimension], call.span, 1);
        }
        true => lower.emit(Op::Scan(op, array, axis), ty, Facts::default()),
    };
    lower.builder.set_loc(before);
    value(result)
}

fn matrix(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    use crate::matlab::ast::BinaryOp;
    call.arity(lower, 2, 2)?;
    let v = call.values(lower)?;
    let op = match call.name {
        "mtimes" => BinaryOp::MatMul,
        "mldivide" => BinaryOp::MatLeftDiv,
        _ => BinaryOp::MatRightDiv,
    };
    value(lower.binary_op(op, v[0], v[1], call.span)?)
}
