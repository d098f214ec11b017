//! Element-wise operations: on scalars, and mapped over arrays with implicit expansion.

use super::datum::{Array, Datum, Elements, Scalar, for_each_class};
use super::failure::{Failure, Run};
use crate::ir::{Binary, Class, Unary};
use megha_base::float::Float;
use megha_base::int::{self, Integer};
use megha_base::math;
use std::sync::Arc;

/// Applies a function of scalars to each element; operands are scalars or agree in each dimension up to ones.
pub(super) fn map<const N: usize>(
    class: Class,
    operands: [&Datum; N],
    f: impl Fn([Scalar; N]) -> Run<Scalar>,
) -> Run<Datum> {
    if operands.iter().all(|d| matches!(d, Datum::Scalar(_))) {
        return f(elements(&operands, &[0; N])?).map(Datum::Scalar);
    }
    let dims = expanded(&operands)?;
    let numel = dims.iter().product();
    let text = || Failure::malformed("an operation on text");
    let mut out = Elements::zeros(class, numel).ok_or_else(text)?;
    let mut at = vec![0; dims.len()];
    for i in 0..numel {
        let positions = operands.map(|d| position(d, &at));
        if !out.set(i, f(elements(&operands, &positions)?)?) {
            return Err(Failure::malformed(format!("the elements are not of class {}", class.name())));
        }
        advance(&mut at, &dims);
    }
    let array = Array::new(dims, out).ok_or_else(|| Failure::malformed("sizes and elements differ"))?;
    Ok(Datum::Array(Arc::new(array)))
}

fn elements<const N: usize>(operands: &[&Datum; N], positions: &[usize; N]) -> Run<[Scalar; N]> {
    let mut out = [Scalar::Logical(false); N];
    for ((slot, operand), at) in out.iter_mut().zip(operands).zip(positions) {
        *slot = operand.get(*at).ok_or_else(|| Failure::malformed("an operand has no such element"))?;
    }
    Ok(out)
}

/// The next position of an odometer whose first digit turns fastest.
pub(super) fn advance(at: &mut [usize], dims: &[usize]) {
    for (digit, dim) in at.iter_mut().zip(dims) {
        *digit += 1;
        if *digit < *dim {
            return;
        }
        *digit = 0;
    }
}

fn position(datum: &Datum, at: &[usize]) -> usize {
    let mut stride = 1;
    let mut position = 0;
    for (i, dim) in at.iter().zip(datum.dims()) {
        position += if *dim == 1 { 0 } else { i * stride };
        stride *= dim;
    }
    position
}

fn expanded(operands: &[&Datum]) -> Run<Vec<usize>> {
    let rank = operands.iter().map(|d| d.dims().len()).max().unwrap_or(2);
    let mut dims = vec![1; rank];
    for datum in operands {
        for (out, own) in dims.iter_mut().zip(datum.dims()) {
            match (*out, *own) {
                (1, _) => *out = *own,
                (a, b) if a == b || b == 1 => {}
                (a, b) => return Err(Failure::malformed(format!("sizes {a} and {b} do not expand to each other"))),
            }
        }
    }
    Ok(dims)
}

fn unsupported(name: &str, class: Class) -> Failure {
    Failure::malformed(format!("{name} is not defined on class {}", class.name()))
}

/// A function of one number.
pub(super) fn unary(op: Unary, a: Scalar) -> Run<Scalar> {
    macro_rules! by_class {
        ($($class:ident $t:ty),*) => {
            match a {
                Scalar::Double(x) => float_unary(op, x),
                Scalar::Single(x) => single_unary(op, x),
                Scalar::Logical(x) => match op {
                    Unary::Not => Some(Scalar::Logical(!x)),
                    _ => predicate_of_whole(op),
                },
                Scalar::Index(x) => match op {
                    Unary::Neg => Some(Scalar::Index(x.wrapping_neg())),
                    Unary::Abs => Some(Scalar::Index(x.wrapping_abs())),
                    Unary::Sign => Some(Scalar::Index(x.signum())),
                    _ => predicate_of_whole(op),
                },
                $(Scalar::$class(x) => match op {
                    Unary::Neg => Some(Scalar::$class(Integer::neg(x))),
                    Unary::Abs => Some(Scalar::$class(Integer::abs(x))),
                    Unary::Sign => Some(Scalar::$class(Integer::sign(x))),
                    Unary::Floor | Unary::Ceil | Unary::Round | Unary::Fix | Unary::Rint => Some(a),
                    Unary::Not => Some(Scalar::Logical(x == 0)),
                    _ => predicate_of_whole(op),
                },)*
            }
        };
    }
    let result = by_class!(Int8 i8, Int16 i16, Int32 i32, Int64 i64, UInt8 u8, UInt16 u16, UInt32 u32, UInt64 u64);
    result.ok_or_else(|| unsupported(op.name(), a.class()))
}

fn predicate_of_whole(op: Unary) -> Option<Scalar> {
    match op {
        Unary::IsNan | Unary::IsInf => Some(Scalar::Logical(false)),
        Unary::IsFinite => Some(Scalar::Logical(true)),
        _ => None,
    }
}

/// What is exact and what has a form of its own is computed in `single`; the rest in `double` and rounded once.
fn single_unary(op: Unary, x: f32) -> Option<Scalar> {
    if let Some(y) = single_math(op, x) {
        return Some(Scalar::Single(y));
    }
    Some(match float_unary(op, x.into())? {
        Scalar::Double(y) => Scalar::Single(y as f32),
        other => other,
    })
}

/// The functions that round and have a form for singles.
fn single_math(op: Unary, x: f32) -> Option<f32> {
    Some(match op {
        Unary::Sqrt => x.sqrt(),
        Unary::Exp => math::exp_single(x),
        Unary::Expm1 => math::expm1_single(x),
        Unary::Log => math::log_single(x),
        Unary::Log1p => math::log1p_single(x),
        Unary::Log2 => math::log2_single(x),
        Unary::Log10 => math::log10_single(x),
        Unary::Sin => math::sin_single(x),
        Unary::Cos => math::cos_single(x),
        Unary::Tan => math::tan_single(x),
        Unary::Asin => math::asin_single(x),
        Unary::Acos => math::acos_single(x),
        Unary::Atan => math::atan_single(x),
        Unary::Sinh => math::sinh_single(x),
        Unary::Cosh => math::cosh_single(x),
        Unary::Tanh => math::tanh_single(x),
        Unary::Erf => math::erf_single(x),
        Unary::Erfc => math::erfc_single(x),
        Unary::Asinh => math::asinh_single(x),
        Unary::Acosh => math::acosh_single(x),
        Unary::Atanh => math::atanh_single(x),
        Unary::Gamma => return None,
        // Those are exact in either class.
        Unary::Not | Unary::IsNan | Unary::IsInf | Unary::IsFinite | Unary::Neg | Unary::Abs => return None,
        Unary::Sign | Unary::Floor | Unary::Ceil | Unary::Round | Unary::Fix | Unary::Rint => return None,
    })
}

fn float_unary(op: Unary, x: f64) -> Option<Scalar> {
    Some(Scalar::Double(match op {
        Unary::Not => return Some(Scalar::Logical(x == 0.0)),
        Unary::IsNan => return Some(Scalar::Logical(x.is_nan())),
        Unary::IsInf => return Some(Scalar::Logical(x.is_infinite())),
        Unary::IsFinite => return Some(Scalar::Logical(x.is_finite())),
        Unary::Neg => -x,
        Unary::Abs => x.abs(),
        Unary::Sign => x.sign(),
        Unary::Floor => x.floor(),
        Unary::Ceil => x.ceil(),
        Unary::Round => Float::round(x),
        Unary::Fix => Float::fix(x),
        Unary::Rint => Float::rint(x),
        Unary::Sqrt => x.sqrt(),
        Unary::Exp => math::exp(x),
        Unary::Expm1 => math::expm1(x),
        Unary::Log => math::log(x),
        Unary::Log1p => math::log1p(x),
        Unary::Log2 => math::log2(x),
        Unary::Log10 => math::log10(x),
        Unary::Sin => math::sin(x),
        Unary::Cos => math::cos(x),
        Unary::Tan => math::tan(x),
        Unary::Asin => math::asin(x),
        Unary::Acos => math::acos(x),
        Unary::Atan => math::atan(x),
        Unary::Sinh => math::sinh(x),
        Unary::Cosh => math::cosh(x),
        Unary::Tanh => math::tanh(x),
        Unary::Asinh => math::asinh(x),
        Unary::Acosh => math::acosh(x),
        Unary::Atanh => math::atanh(x),
        Unary::Erf => math::erf(x),
        Unary::Erfc => math::erfc(x),
        Unary::Gamma => math::gamma(x),
    }))
}

/// A function of two numbers of one class.
pub(super) fn binary(op: Binary, a: Scalar, b: Scalar) -> Run<Scalar> {
    macro_rules! by_class {
        ($($class:ident $t:ty),*) => {
            match (a, b) {
                (Scalar::Double(x), Scalar::Double(y)) => {
                    comparison(op, &x, &y).or_else(|| float_binary(op, x, y).map(Scalar::Double))
                }
                (Scalar::Single(x), Scalar::Single(y)) => {
                    comparison(op, &x, &y).or_else(|| single_binary(op, x, y).map(Scalar::Single))
                }
                (Scalar::Logical(x), Scalar::Logical(y)) => {
                    comparison(op, &x, &y).or_else(|| logical_binary(op, x, y).map(Scalar::Logical))
                }
                (Scalar::Index(x), Scalar::Index(y)) => match comparison(op, &x, &y) {
                    Some(result) => Some(result),
                    None => Some(Scalar::Index(index_binary(op, x, y)?)),
                },
                $((Scalar::$class(x), Scalar::$class(y)) => {
                    comparison(op, &x, &y).or_else(|| integer_binary(op, x, y).map(Scalar::$class))
                })*
                _ => {
                    let (a, b) = (a.class().name(), b.class().name());
                    return Err(Failure::malformed(format!("{} of classes {a} and {b}", op.name())));
                }
            }
        };
    }
    let result = by_class!(Int8 i8, Int16 i16, Int32 i32, Int64 i64, UInt8 u8, UInt16 u16, UInt32 u32, UInt64 u64);
    result.ok_or_else(|| unsupported(op.name(), a.class()))
}

fn comparison<T: PartialOrd>(op: Binary, a: &T, b: &T) -> Option<Scalar> {
    Some(Scalar::Logical(match op {
        Binary::Eq => a == b,
        Binary::Ne => a != b,
        Binary::Lt => a < b,
        Binary::Le => a <= b,
        Binary::Gt => a > b,
        Binary::Ge => a >= b,
        _ => return None,
    }))
}

/// The operations that `single` does itself.
fn own_binary<T: Float + std::ops::Add<Output = T> + std::ops::Sub<Output = T> + std::ops::Mul<Output = T>>(
    op: Binary,
    a: T,
    b: T,
    quotient: T,
) -> Option<T> {
    Some(match op {
        Binary::Add => a + b,
        Binary::Sub => a - b,
        Binary::Mul => a * b,
        Binary::Div => quotient,
        Binary::Mod => a.modulo(b),
        Binary::Rem => a.rem(b),
        Binary::Min => a.min(b),
        Binary::Max => a.max(b),
        _ => return None,
    })
}

fn float_binary(op: Binary, a: f64, b: f64) -> Option<f64> {
    own_binary(op, a, b, a / b).or_else(|| math_binary(op, a, b))
}

fn single_binary(op: Binary, a: f32, b: f32) -> Option<f32> {
    own_binary(op, a, b, a / b).or_else(|| {
        Some(match op {
            Binary::Pow => math::pow_single(a, b),
            Binary::Atan2 => math::atan2_single(a, b),
            Binary::Hypot => math::hypot_single(a, b),
            _ => return None,
        })
    })
}

fn math_binary(op: Binary, a: f64, b: f64) -> Option<f64> {
    Some(match op {
        Binary::Pow => math::pow(a, b),
        Binary::Atan2 => math::atan2(a, b),
        Binary::Hypot => math::hypot(a, b),
        _ => return None,
    })
}

fn logical_binary(op: Binary, a: bool, b: bool) -> Option<bool> {
    Some(match op {
        Binary::And => a & b,
        Binary::Or => a | b,
        Binary::Xor => a ^ b,
        _ => return None,
    })
}

fn integer_binary<T: Integer>(op: Binary, a: T, b: T) -> Option<T> {
    Some(match op {
        Binary::Add => a.add(b),
        Binary::Sub => a.sub(b),
        Binary::Mul => a.mul(b),
        Binary::Div => a.div(b),
        Binary::Pow => a.pow(b),
        Binary::Mod => a.modulo(b),
        Binary::Rem => a.rem(b),
        Binary::Min => a.min(b),
        Binary::Max => a.max(b),
        Binary::BitAnd => a.bit_and(b),
        Binary::BitOr => a.bit_or(b),
        Binary::BitXor => a.bit_xor(b),
        Binary::Shl => a.shl(b),
        Binary::Shr => a.shr(b),
        _ => return None,
    })
}

/// `Index` wraps. Division by zero and negative exponents are mistakes of the compiler.
fn index_binary(op: Binary, a: i64, b: i64) -> Run<i64> {
    let by_zero = || Failure::malformed("an index is divided by zero");
    Ok(match op {
        Binary::Add => a.wrapping_add(b),
        Binary::Sub => a.wrapping_sub(b),
        Binary::Mul => a.wrapping_mul(b),
        Binary::Div => int::index_div(a, b).ok_or_else(by_zero)?,
        Binary::Mod => int::index_mod(a, b).ok_or_else(by_zero)?,
        Binary::Rem if b == 0 => return Err(by_zero()),
        Binary::Rem => a.wrapping_rem(b),
        Binary::Divu => int::index_divu(a, b).ok_or_else(by_zero)?,
        Binary::Remu => int::index_remu(a, b).ok_or_else(by_zero)?,
        Binary::Pow => match u32::try_from(b) {
            Ok(exponent) => a.wrapping_pow(exponent),
            Err(_) => return Err(Failure::malformed(format!("an index to the power {b}"))),
        },
        Binary::Min => a.min(b),
        Binary::Max => a.max(b),
        Binary::BitAnd => a & b,
        Binary::BitOr => a | b,
        Binary::BitXor => a ^ b,
        Binary::Shl => int::shl(a, b),
        Binary::Shr => int::shr(a, b),
        Binary::Shru => int::shru(a, b),
        Binary::Philox => megha_base::random::bits(a, b),
        _ => return Err(unsupported(op.name(), Class::Index)),
    })
}

pub(super) fn select(c: Scalar, a: Scalar, b: Scalar) -> Run<Scalar> {
    match c {
        Scalar::Logical(c) => Ok(if c { a } else { b }),
        _ => Err(Failure::malformed("a choice is by a logical value")),
    }
}

/// To another class, as MATLAB converts.
pub(super) fn convert(a: Scalar, class: Class) -> Run<Scalar> {
    macro_rules! to {
        ($($target:ident $t:ty),*) => {
            match class {
                Class::Double => Scalar::Double(a.to_f64()),
                Class::Single => Scalar::Single(to_single(a)),
                Class::Logical => Scalar::Logical(a.to_wide().map_or(a.to_f64() != 0.0, |i| i != 0)),
                Class::Index => Scalar::Index(to_index(a)?),
                Class::Char | Class::Complex => return Err(unsupported("a conversion", class)),
                $(Class::$target => Scalar::$target(match a.to_wide() {
                    Some(whole) => <$t>::from_wide(whole),
                    None => <$t>::from_f64(a.to_f64()),
                }),)*
            }
        };
    }
    Ok(to!(Int8 i8, Int16 i16, Int32 i32, Int64 i64, UInt8 u8, UInt16 u16, UInt32 u32, UInt64 u64))
}

/// Rounded once, also from 64-bit integers.
fn to_single(a: Scalar) -> f32 {
    match a {
        Scalar::Double(x) => x as f32,
        Scalar::Single(x) => x,
        _ => a.to_wide().unwrap_or(0) as f32,
    }
}

/// Truncation, which saturates; the number that NaN gives is open, and this one is unlike those of the compiled code.
fn to_index(a: Scalar) -> Run<i64> {
    match a.to_wide() {
        Some(whole) => {
            i64::try_from(whole).map_err(|_| Failure::malformed(format!("{whole} is converted to an index")))
        }
        None if a.to_f64().is_nan() => Ok(i64::MIN),
        None => Ok(a.to_f64() as i64),
    }
}

/// Builds elements of a class from scalars of it.
pub(super) fn collect(class: Class, list: impl IntoIterator<Item = Run<Scalar>>) -> Run<Elements> {
    macro_rules! by_class {
        ($($target:ident $t:ty),*) => {
            match class {
                $(Class::$target => {
                    let mut out: Vec<$t> = Vec::new();
                    for scalar in list {
                        match scalar? {
                            Scalar::$target(value) => out.push(value),
                            other => {
                                let (found, wanted) = (other.class().name(), class.name());
                                return Err(Failure::malformed(format!("an element of class {found}, not {wanted}")));
                            }
                        }
                    }
                    Ok(Elements::$target(out))
                })*
                Class::Char | Class::Complex => Err(Failure::malformed("an array of text or of complex numbers")),
            }
        };
    }
    for_each_class!(by_class)
}
