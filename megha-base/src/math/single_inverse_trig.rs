//! `asin`, `acos`, `atan` and `atan2` of singles.
//!
//! Method: as in `inverse_trig`, in single precision: a minimax polynomial on `[0, 1/2]` and the half-angle identity above, and turns by
//! `pi / 4` and `pi / 2`.
//!
//! Generated from `megha-core/src/math/single_inverse_trig.mir`, where changes belong.
#![cfg_attr(rustfmt, rustfmt_skip)]

use super::single_arithmetic::{SIGN_BIT_SINGLE, fast_two_sum_single, with_sign_of_single};
use super::single_coefficients::{
    HALF_PI_1_SINGLE, HALF_PI_2_SINGLE, PI_HI_SINGLE, PI_LO_SINGLE, asin_tail_single, atan_tail_single,
};

/// `asin(s)` for `s = |x|` up to one half (`near`), else for `s = sqrt((1 - |x|) / 2)`; the low part holds all but `s`.
#[inline(always)]
fn asin_of_half_single(magnitude: f32) -> (bool, f32, f32) {
    let near = magnitude < 0.5;
    let z = if near { magnitude * magnitude } else { 0.5 * (1.0 - magnitude) };
    let s = if near { magnitude } else { z.sqrt() };
    (near, s, s * z * asin_tail_single(z))
}

/// The inverse sine of `x` in radians, within 1.7 ulp.
///
/// `asin(-0) = -0`; NaN outside `[-1, 1]`, where MATLAB's value is complex.
#[inline(always)]
pub fn asin_single(x: f32) -> f32 {
    let (near, s, s_lo) = asin_of_half_single(x.abs());
    // Far from zero: pi/2 - 2 asin(s).
    let low = (-2.0_f32).mul_add(s_lo, HALF_PI_2_SINGLE);
    let far_value = HALF_PI_1_SINGLE + (-2.0_f32).mul_add(s, low);
    let value = if near { s + s_lo } else { far_value };
    with_sign_of_single(value, x)
}

/// The inverse cosine of `x` in radians, within 1.5 ulp.
///
/// NaN outside `[-1, 1]`, where MATLAB's value is complex.
#[inline(always)]
pub fn acos_single(x: f32) -> f32 {
    let (near, s, s_lo) = asin_of_half_single(x.abs());
    let negative = x < 0.0;
    // Near zero: pi/2 - asin x. Far: 2 asin(s), or pi minus that.
    let far_base = if negative { PI_HI_SINGLE } else { 0.0 };
    let far_base_lo = if negative { PI_LO_SINGLE } else { 0.0 };
    let base = if near { HALF_PI_1_SINGLE } else { far_base };
    let base_lo = if near { HALF_PI_2_SINGLE } else { far_base_lo };
    let near_factor = if negative { 1.0_f32 } else { -1.0 };
    let far_factor = if negative { -2.0_f32 } else { 2.0 };
    let factor = if near { near_factor } else { far_factor };
    let minor = factor.mul_add(s, factor.mul_add(s_lo, base_lo));
    base + minor
}

/// The angle, from 0 to `pi / 2`, of the vector `(d, n)` with `n`, `d` not negative, not both zero and neither so large
/// that their sum overflows; the low part is small against the high one, but not within half its ulp.
#[inline(always)]
fn first_quadrant_angle_single(n: f32, d: f32) -> (f32, f32) {
    // From one half to two the difference below is exact.
    let half_d = 0.5 * d;
    let low = n < half_d;
    let high = d < 0.5 * n;
    // Turned by pi/4 the tangent is (n - d) / (n + d), by pi/2 it is -d / n.
    let minus_d = -d;
    let not_low_numerator = if high { minus_d } else { n - d };
    let numerator = if low { n } else { not_low_numerator };
    let not_low_denominator = if high { n } else { n + d };
    let denominator = if low { d } else { not_low_denominator };
    let t = numerator / denominator;
    // The angle of the turn.
    let not_low_turn = if high { HALF_PI_1_SINGLE } else { 0.5 * HALF_PI_1_SINGLE };
    let turn = if low { 0.0 } else { not_low_turn };
    let not_low_turn_lo = if high { HALF_PI_2_SINGLE } else { 0.5 * HALF_PI_2_SINGLE };
    let turn_lo = if low { 0.0 } else { not_low_turn_lo };
    let z = t * t;
    let tail = (z * t).mul_add(atan_tail_single(z), turn_lo);
    let (hi, lead_lo) = fast_two_sum_single(turn, t);
    (hi, lead_lo + tail)
}

/// The inverse tangent of `x` in radians, within 1.5 ulp.
///
/// `atan(-0) = -0`, `atan(Inf) = pi/2`, `atan(-Inf) = -pi/2`, NaN stays NaN.
#[inline(always)]
pub fn atan_single(x: f32) -> f32 {
    let (angle, angle_lo) = first_quadrant_angle_single(x.abs(), 1.0);
    with_sign_of_single(angle + angle_lo, x)
}

/// The angle in radians of the vector from the origin to `(x, y)`, in `[-pi, pi]`, within 1.5 ulp.
///
/// Signed zeros and infinities follow IEEE 754-2019, section 9.2.1: `atan2(0, -0) = pi`, `atan2(-0, 0) = -0`,
/// `atan2(Inf, -Inf) = 3 pi/4`. NaN if either argument is NaN.
#[inline(always)]
pub fn atan2_single(y: f32, x: f32) -> f32 {
    let abs_y = y.abs();
    let abs_x = x.abs();
    // An infinite side dwarfs a finite one; two infinite sides are equal.
    let y_infinite = abs_y == f32::INFINITY;
    let x_infinite = abs_x == f32::INFINITY;
    let infinite = y_infinite | x_infinite;
    let y_side = if y_infinite { 1.0_f32 } else { 0.0 };
    let x_side = if x_infinite { 1.0_f32 } else { 0.0 };
    let n_finite = if infinite { y_side } else { abs_y };
    let d_finite = if infinite { x_side } else { abs_x };
    // Both are scaled so that the sum does not overflow, and half of the larger is exact.
    let steep = n_finite > d_finite;
    let larger = if steep { n_finite } else { d_finite };
    let lowered = if larger > 1.2676506e30 { 0.25_f32 } else { 1.0 };
    let factor = if larger < 7.888609e-31 { 1099511600000.0 } else { lowered };
    let n = n_finite * factor;
    let (angle, angle_lo) = first_quadrant_angle_single(n, d_finite * factor);
    // Two zeros have no quotient, but the angle zero.
    let level = n == 0.0;
    let hi = if level { 0.0 } else { angle };
    let lo = if level { 0.0 } else { angle_lo };
    // In the left half-plane: pi minus the angle.
    let (flipped, flipped_lo) = fast_two_sum_single(PI_HI_SINGLE, -hi);
    let left_value = flipped + (flipped_lo + (PI_LO_SINGLE - lo));
    let x_sign = (x.to_bits() as i64) & SIGN_BIT_SINGLE;
    let value = if x_sign != 0 { left_value } else { hi + lo };
    if x.is_nan() | y.is_nan() { f32::NAN } else { with_sign_of_single(value, y) }
}
