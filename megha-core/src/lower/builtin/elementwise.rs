//! Element-wise functions.

use super::{Call, Handler, Results, value};
use crate::diag::Code;
use crate::ir::{Binary, Class, Unary, Value};
use crate::lower::Lower;

pub(super) const NAMES: &[&str] = &[
    "abs", "sign", "floor", "ceil", "round", "fix", "isnan", "isinf", "isfinite", "exp", "expm1", "sin", "cos", "tan",
    "atan", "sinh", "cosh", "tanh", "asinh", "erf", "erfc", "gamma", "sqrt", "log", "log1p", "log2", "log10", "asin",
    "acos", "acosh", "atanh", "mod", "rem", "atan2", "hypot", "power", "plus", "minus", "times", "rdivide", "ldivide",
    "eq", "ne", "lt", "le", "gt", "ge", "and", "or", "xor", "not", "uminus", "uplus", "double", "single", "logical",
    "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "realsqrt", "reallog",
];

pub(super) fn find(name: &str) -> Option<Handler> {
    if unary(name).is_some() {
        return Some(call_unary);
    }
    if name == "log2" {
        return Some(|l, c| if c.wanted == 2 { parts(l, c) } else { call_real(l, c) });
    }
    if real_unary(name).is_some() {
        return Some(call_real);
    }
    if bounded_unary(name).is_some() {
        return Some(call_bounded);
    }
    if binary(name).is_some() {
        return Some(call_binary);
    }
    if Class::from_matlab_name(name).is_some_and(|c| c != Class::Char) {
        return Some(call_class);
    }
    Some(match name {
        "not" => |l, c| {
            c.arity(l, 1, 1)?;
            let v = c.values(l)?[0];
            let logical = l.tested_logical(v, c.span)?;
            value(l.not(logical))
        },
        "uminus" => |l, c| {
            c.arity(l, 1, 1)?;
            let v = c.values(l)?[0];
            value(l.unary(Unary::Neg, v, c.span)?)
        },
        "uplus" => |l, c| {
            c.arity(l, 1, 1)?;
            let v = c.values(l)?[0];
            value(l.convert_number(v))
        },
        "power" => |l, c| {
            c.arity(l, 2, 2)?;
            let v = c.values(l)?;
            value(l.power(v[0], v[1], "`power`", c.span)?)
        },
        "ldivide" => |l, c| {
            c.arity(l, 2, 2)?;
            let v = c.values(l)?;
            value(l.binary(Binary::Div, v[1], v[0], "`ldivide`", c.span)?)
        },
        _ => return None,
    })
}

fn unary(name: &str) -> Option<Unary> {
    Some(match name {
        "abs" => Unary::Abs,
        "sign" => Unary::Sign,
        "floor" => Unary::Floor,
        "ceil" => Unary::Ceil,
        "round" => Unary::Round,
        "fix" => Unary::Fix,
        "isnan" => Unary::IsNan,
        "isinf" => Unary::IsInf,
        "isfinite" => Unary::IsFinite,
        "exp" => Unary::Exp,
        "expm1" => Unary::Expm1,
        "sin" => Unary::Sin,
        "cos" => Unary::Cos,
        "tan" => Unary::Tan,
        "atan" => Unary::Atan,
        "sinh" => Unary::Sinh,
        "cosh" => Unary::Cosh,
        "tanh" => Unary::Tanh,
        "asinh" => Unary::Asinh,
        "erf" => Unary::Erf,
        "erfc" => Unary::Erfc,
        "gamma" => Unary::Gamma,
        _ => return None,
    })
}

/// Functions that are real where the argument is not negative.
fn real_unary(name: &str) -> Option<Unary> {
    Some(match name {
        "sqrt" | "realsqrt" => Unary::Sqrt,
        "log" | "reallog" => Unary::Log,
        "log1p" => Unary::Log1p,
        "log2" => Unary::Log2,
        "log10" => Unary::Log10,
        _ => return None,
    })
}

/// `[f, e] = log2(x)`
fn parts(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 1, 1)?;
    let x = call.values(lower)?;
    lower.call_inner("binary_parts", x, call.span, 2)
}

/// Functions that are real on an interval.
fn bounded_unary(name: &str) -> Option<(Unary, f64, f64)> {
    Some(match name {
        "asin" => (Unary::Asin, -1.0, 1.0),
        "acos" => (Unary::Acos, -1.0, 1.0),
        "acosh" => (Unary::Acosh, 1.0, f64::INFINITY),
        "atanh" => (Unary::Atanh, -1.0, 1.0),
        _ => return None,
    })
}

fn binary(name: &str) -> Option<Binary> {
    Some(match name {
        "mod" => Binary::Mod,
        "rem" => Binary::Rem,
        "atan2" => Binary::Atan2,
        "hypot" => Binary::Hypot,
        "plus" => Binary::Add,
        "minus" => Binary::Sub,
        "times" => Binary::Mul,
        "rdivide" => Binary::Div,
        "eq" => Binary::Eq,
        "ne" => Binary::Ne,
        "lt" => Binary::Lt,
        "le" => Binary::Le,
        "gt" => Binary::Gt,
        "ge" => Binary::Ge,
        "and" => Binary::And,
        "or" => Binary::Or,
        "xor" => Binary::Xor,
        _ => return None,
    })
}

fn call_unary(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 1, 1)?;
    call.one_result(lower)?;
    let v = call.values(lower)?[0];
    match unary(call.name) {
        Some(op) => value(lower.unary(op, v, call.span)?),
        None => lower.stop(Code::UnknownName, call.span, "unknown function"),
    }
}

fn call_real(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 1, 1)?;
    call.one_result(lower)?;
    let v = call.values(lower)?[0];
    match real_unary(call.name) {
        Some(op) if call.name.starts_with("real") => value(lower.tested_real_function(op, v, call.span)?),
        Some(op) => value(lower.real_function(op, v, call.span)?),
        None => lower.stop(Code::UnknownName, call.span, "unknown function"),
    }
}

fn call_bounded(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 1, 1)?;
    let v = call.values(lower)?[0];
    let Some((op, low, high)) = bounded_unary(call.name) else {
        return lower.stop(Code::UnknownName, call.span, "unknown function");
    };
    let v = lower.convert_number(v);
    if lower.is_complex(v) {
        return value(lower.unary(op, v, call.span)?);
    }
    for (limit, outside) in [(low, Binary::Lt), (high, Binary::Gt)] {
        if limit.is_finite() {
            let bound = lower.number(limit);
            let bad = lower.binary(outside, v, bound, call.name, call.span)?;
            let fine = lower.not(bad);
            lower.assert_all(fine, &format!("{} of a number outside {low} .. {high} is complex", call.name), call.span);
        }
    }
    value(lower.unary(op, v, call.span)?)
}

fn call_binary(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    let several = matches!(call.name, "plus" | "times" | "and" | "or");
    call.arity(lower, 2, if several { usize::MAX } else { 2 })?;
    let v = call.values(lower)?;
    let what = format!("`{}`", call.name);
    match binary(call.name) {
        Some(op) if v.len() > 2 => {
            let first = v[0];
            value(v[1..].iter().try_fold(first, |a, b| lower.binary(op, a, *b, &what, call.span))?)
        }
        Some(op @ (Binary::Mod | Binary::Rem)) => remainder(lower, op, call, v[0], v[1]),
        Some(op @ (Binary::Hypot | Binary::Atan2)) => {
            let (a, b) = in_float_class(lower, v[0], v[1]);
            value(lower.binary(op, a, b, &what, call.span)?)
        }
        Some(op) => value(lower.binary(op, v[0], v[1], &what, call.span)?),
        None => lower.stop(Code::UnknownName, call.span, "unknown function"),
    }
}

/// `mod` and `rem`; of a whole number that is not negative by a known positive one, the remainder is a size.
fn remainder(lower: &mut Lower<'_>, op: Binary, call: &Call<'_>, a: Value, b: Value) -> Results {
    if let (Some(x), Some(m)) = (lower.whole_of(a), lower.whole_of(b).and_then(|s| s.as_constant()))
        && m > 0
        && lower.never_negative(&x)
        && lower.is_scalar(a)
        && [a, b].iter().all(|v| lower.class(*v) == Class::Double)
    {
        let quotient = lower.size_div(x.clone(), m);
        let rest = x.sub(&quotient.scale(m));
        return value(lower.double_of_size(&rest));
    }
    let what = format!("`{}`", call.name);
    let (a, b) = lower.in_integer_class(a, b);
    value(lower.binary(op, a, b, &what, call.span)?)
}

/// Integers as numbers of the class in which a function of two real numbers computes: `single` if either operand is.
fn in_float_class(lower: &mut Lower<'_>, a: Value, b: Value) -> (Value, Value) {
    let single = [a, b].iter().any(|v| lower.class(*v) == Class::Single);
    let class = if single { Class::Single } else { Class::Double };
    let mut float = |v| if lower.class(v).is_integer() { lower.convert(v, class) } else { v };
    (float(a), float(b))
}

fn call_class(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 1, 1)?;
    let Some(class) = Class::from_matlab_name(call.name) else {
        return lower.stop(Code::UnknownClass, call.span, "unknown class");
    };
    if let Some(literal) = lower.wide_literal(class, &call.args[0]) {
        return value(literal);
    }
    let v = call.values(lower)?[0];
    if class == Class::Double && lower.is_complex(v) {
        return value(v);
    }
    if lower.facts(v).characters {
        // The numbers themselves, which print as such.
        let zero = lower.number(0.0);
        let codes = lower.binary(Binary::Add, v, zero, call.name, call.span)?;
        return value(lower.convert(codes, class));
    }
    let before = lower.here(call.span);
    let result = if class == Class::Logical { lower.tested_logical(v, call.span) } else { Ok(lower.convert(v, class)) };
    lower.builder.set_loc(before);
    value(result?)
}
