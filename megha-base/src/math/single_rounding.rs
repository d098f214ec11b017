//! `round`, `fix`, `sign` and `hypot` of singles, as in `rounding`.
//!
//! Generated from `megha-core/src/math/single_rounding.mir`, where changes belong.
#![cfg_attr(rustfmt, rustfmt_skip)]

use super::single_arithmetic::SIGN_BIT_SINGLE;

/// `magnitude` (not negative) with the sign bit of `sign`.
#[inline(always)]
fn copy_sign_single(magnitude: f32, sign: f32) -> f32 {
    let cleared = (magnitude.to_bits() as i64) & 0x7fff_ffff;
    let sign_only = (sign.to_bits() as i64) & SIGN_BIT_SINGLE;
    f32::from_bits((cleared | sign_only) as u32)
}

/// `x` without its fraction (towards zero); keeps the sign of zero. Exact.
#[inline(always)]
pub fn fix_single(x: f32) -> f32 {
    copy_sign_single(x.abs().floor(), x)
}

/// The integer nearest to `x`, halves away from zero; keeps the sign of zero. Exact.
#[inline(always)]
pub fn round_single(x: f32) -> f32 {
    // The largest single below one half: adding it never carries 0.49999997 up to one.
    let raised = x.abs() + 0.49999997;
    copy_sign_single(raised.floor(), x)
}

/// `-1`, `0` or `1` by the sign of `x`; zero of either sign gives `0`, NaN stays NaN.
#[inline(always)]
pub fn sign_single(x: f32) -> f32 {
    let not_positive = if x < 0.0 { -1.0_f32 } else { 0.0 };
    let signed = if x > 0.0 { 1.0 } else { not_positive };
    if x.is_nan() { x } else { signed }
}

/// `sqrt(x^2 + y^2)` without overflow or underflow on the way, within 1.3 ulp.
///
/// `Inf` if either argument is infinite, even where the other is NaN; else NaN if either is.
#[inline(always)]
pub fn hypot_single(x: f32, y: f32) -> f32 {
    let a = x.abs();
    let b = y.abs();
    let a_larger = a > b;
    let large = if a_larger { a } else { b };
    let small = if a_larger { b } else { a };
    // Below 2^-50 both go up by 2^90, above 2^60 down by 2^70.
    let up = large < 8.881784e-16;
    let down = large > 1.1529215e18;
    let lowered = if down { 8.4703295e-22_f32 } else { 1.0 };
    let factor = if up { 1.2379401e27 } else { lowered };
    let raised_back = if down { 1.1805916e21_f32 } else { 1.0 };
    let back = if up { 8.077936e-28 } else { raised_back };
    let p = large * factor;
    let q = small * factor;
    let value = p.mul_add(p, q * q).sqrt() * back;
    let defined = if a.is_nan() | b.is_nan() { f32::NAN } else { value };
    let infinite = (a == f32::INFINITY) | (b == f32::INFINITY);
    if infinite { f32::INFINITY } else { defined }
}
