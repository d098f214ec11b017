//! Floating-point arithmetic, IEEE exact with round-to-nearest-even except for the `.approx` functions, which are computed in double
//! precision and so are closer to the true value than those of hardware.

use super::{Fn1, Fn2, Fn3, map};
use crate::ptx::types::Type;

/// Instructions of one operand, named with the modifiers that choose the function.
pub(crate) fn unary(name: &str, ty: Type) -> Option<Fn1> {
    Some(match (name, ty) {
        ("neg", Type::F32) => map!(f32: a => -a),
        ("neg", Type::F64) => map!(f64: a => -a),
        ("abs", Type::F32) => map!(f32: a => a.abs()),
        ("abs", Type::F64) => map!(f64: a => a.abs()),
        ("sqrt.rn", Type::F32) => map!(f32: a => a.sqrt()),
        ("sqrt.rn", Type::F64) => map!(f64: a => a.sqrt()),
        ("rcp.rn", Type::F32) => map!(f32: a => 1.0 / a),
        ("rcp.rn", Type::F64) => map!(f64: a => 1.0 / a),
        ("sqrt.approx", Type::F32) => map!(f32: a => a.sqrt()),
        ("rcp.approx", Type::F32) => map!(f32: a => 1.0 / a),
        ("rcp.approx.ftz", Type::F64) => map!(f64: a => coarse(1.0 / flushed(a))),
        ("rsqrt.approx", Type::F32) => map!(f32: a => (1.0 / f64::from(a).sqrt()) as f32),
        ("rsqrt.approx", Type::F64) => map!(f64: a => 1.0 / a.sqrt()),
        ("ex2.approx", Type::F32) => map!(f32: a => f64::from(a).exp2() as f32),
        ("lg2.approx", Type::F32) => map!(f32: a => f64::from(a).log2() as f32),
        ("sin.approx", Type::F32) => map!(f32: a => f64::from(a).sin() as f32),
        ("cos.approx", Type::F32) => map!(f32: a => f64::from(a).cos() as f32),
        ("tanh.approx", Type::F32) => map!(f32: a => f64::from(a).tanh() as f32),
        _ => return None,
    })
}

fn flushed(a: f64) -> f64 {
    if a.is_subnormal() { 0f64.copysign(a) } else { a }
}

/// `rcp.approx.ftz.f64` delivers the upper 32 bits only.
fn coarse(a: f64) -> f64 {
    f64::from_bits(flushed(a).to_bits() & !0xffff_ffff)
}

/// Instructions of two operands.
pub(crate) fn binary(name: &str, ty: Type) -> Option<Fn2> {
    Some(match (name, ty) {
        ("add", Type::F32) => map!(f32: a, b => a + b),
        ("add", Type::F64) => map!(f64: a, b => a + b),
        ("sub", Type::F32) => map!(f32: a, b => a - b),
        ("sub", Type::F64) => map!(f64: a, b => a - b),
        ("mul", Type::F32) => map!(f32: a, b => a * b),
        ("mul", Type::F64) => map!(f64: a, b => a * b),
        ("div", Type::F32) => map!(f32: a, b => a / b),
        ("div", Type::F64) => map!(f64: a, b => a / b),
        ("min", Type::F32) => map!(f32: a, b => least32(a, b)),
        ("min", Type::F64) => map!(f64: a, b => least(a, b)),
        ("max", Type::F32) => map!(f32: a, b => -least32(-a, -b)),
        ("max", Type::F64) => map!(f64: a, b => -least(-a, -b)),
        ("min.NaN", Type::F32) => map!(f32: a, b => if a.is_nan() || b.is_nan() { f32::NAN } else { least32(a, b) }),
        ("max.NaN", Type::F32) => map!(f32: a, b => if a.is_nan() || b.is_nan() { f32::NAN } else { -least32(-a, -b) }),
        ("copysign", Type::F32) => map!(f32: a, b => b.copysign(a)),
        ("copysign", Type::F64) => map!(f64: a, b => b.copysign(a)),
        _ => return None,
    })
}

/// `min`: a NaN loses against a number, and -0.0 is less than 0.0.
#[inline(always)]
fn least(a: f64, b: f64) -> f64 {
    if a < b || b.is_nan() || a == b && a.is_sign_negative() { a } else { b }
}

#[inline(always)]
fn least32(a: f32, b: f32) -> f32 {
    if a < b || b.is_nan() || a == b && a.is_sign_negative() { a } else { b }
}

/// `fma`, which rounds once.
pub(crate) fn fused(ty: Type) -> Option<Fn3> {
    Some(match ty {
        Type::F32 => map!(f32: a, b, c => a.mul_add(b, c)),
        Type::F64 => map!(f64: a, b, c => a.mul_add(b, c)),
        _ => return None,
    })
}

/// Subnormal numbers of single precision to zeros of their sign: what `.ftz` does to operands and results.
pub(crate) fn flush32() -> Fn1 {
    map!(f32: a => if a.is_subnormal() { 0f32.copysign(a) } else { a })
}

/// What `.sat` does to results: into [0, 1], NaN to 0.
pub(crate) fn saturate(ty: Type) -> Option<Fn1> {
    Some(match ty {
        Type::F32 => map!(f32: a => if a > 0.0 { a.min(1.0) } else { 0.0 }),
        Type::F64 => map!(f64: a => if a > 0.0 { a.min(1.0) } else { 0.0 }),
        _ => return None,
    })
}
