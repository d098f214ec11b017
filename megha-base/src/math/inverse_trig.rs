//! `asin`, `acos`, `atan` and `atan2`.
//!
//! Method: `asin` and `acos` use a minimax polynomial on `[0, 1/2]` and the half-angle identity
//! `acos(x) = 2 asin(sqrt((1 - x) / 2))` above, with the square root's remainder carried (K. C. Ng's scheme in FDLIBM). `atan2`
//! turns the angle by 0, `pi/4` or `pi/2` so that the tangent is at most `tan(pi/8)`; `atan` is `atan2` against one.
//!
//! Generated from `megha-core/src/math/inverse_trig.mir`, where changes belong.
#![cfg_attr(rustfmt, rustfmt_skip)]

use super::coefficients::{HALF_PI_1, HALF_PI_2, PI_HI, PI_LO, asin_tail, atan_tail};
use super::double_double::{fast_two_sum, two_sum, with_sign_of};

/// `asin(s)` for `s = |x|` up to one half (`near`), else for `s = sqrt((1 - |x|) / 2)`; the low part holds all but `s`.
#[inline(always)]
fn asin_of_half(magnitude: f64) -> (bool, f64, f64) {
    let near = magnitude < 0.5;
    let z = if near { magnitude * magnitude } else { 0.5 * (1.0 - magnitude) };
    let root = z.sqrt();
    // What the square root lost: (z - root^2) / (2 root).
    let minus_root = -root;
    let remainder = minus_root.mul_add(root, z) / (root + root);
    let s = if near { magnitude } else { root };
    let correction = if near | (z == 0.0) { 0.0 } else { remainder };
    let lo = (s * z).mul_add(asin_tail(z), correction);
    (near, s, lo)
}

/// The inverse sine of `x` in radians, within 1 ulp.
///
/// `asin(-0) = -0`; NaN outside `[-1, 1]`, where MATLAB's value is complex.
#[inline(always)]
pub fn asin(x: f64) -> f64 {
    let (near, s, s_lo) = asin_of_half(x.abs());
    // Far from zero: pi/2 - 2 asin(s).
    let minus_twice = -2.0 * s;
    let (lead, lead_lo) = fast_two_sum(HALF_PI_1, minus_twice);
    let low = 2.0_f64.mul_add(-s_lo, HALF_PI_2);
    let value = if near { s + s_lo } else { lead + (lead_lo + low) };
    with_sign_of(value, x)
}

/// The inverse cosine of `x` in radians, within 1 ulp.
///
/// NaN outside `[-1, 1]`, where MATLAB's value is complex.
#[inline(always)]
pub fn acos(x: f64) -> f64 {
    let (near, s, s_lo) = asin_of_half(x.abs());
    let negative = x < 0.0;
    // Near zero: pi/2 - asin x. Far: 2 asin(s), or pi minus that.
    let far_base = if negative { PI_HI } else { 0.0 };
    let far_base_lo = if negative { PI_LO } else { 0.0 };
    let base = if near { HALF_PI_1 } else { far_base };
    let base_lo = if near { HALF_PI_2 } else { far_base_lo };
    let near_factor = if negative { 1.0_f64 } else { -1.0 };
    let far_factor = if negative { -2.0_f64 } else { 2.0 };
    let factor = if near { near_factor } else { far_factor };
    let (lead, lead_lo) = fast_two_sum(base, factor * s);
    let minor = lead_lo + factor.mul_add(s_lo, base_lo);
    lead + minor
}

/// The tangent of `pi / 8`, about; where the turns change need not be exact.
const TAN_EIGHTH: f64 = 0.414213562373095;

/// The angle, from 0 to `pi / 2`, of the vector `(d, n)` with `n`, `d` not negative, not both zero and neither so large
/// that their sum overflows.
#[inline(always)]
fn first_quadrant_angle(n: f64, d: f64) -> (f64, f64) {
    let low = n < TAN_EIGHTH * d;
    let high = d < TAN_EIGHTH * n;
    // Turned by pi/4 the tangent is (n - d) / (n + d), by pi/2 it is -d / n.
    let minus_d = -d;
    let (difference, difference_lo) = two_sum(n, minus_d);
    let (sum, sum_lo) = two_sum(n, d);
    let not_low_numerator = if high { minus_d } else { difference };
    let numerator = if low { n } else { not_low_numerator };
    let exact = low | high;
    let numerator_lo = if exact { 0.0 } else { difference_lo };
    let not_low_denominator = if high { n } else { sum };
    let denominator = if low { d } else { not_low_denominator };
    let denominator_lo = if exact { 0.0 } else { sum_lo };
    // The quotient as a double-double, by its remainder.
    let t = numerator / denominator;
    let lead_remainder = (-t).mul_add(denominator, numerator);
    let minor_remainder = t.mul_add(-denominator_lo, numerator_lo);
    let t_lo = (lead_remainder + minor_remainder) / denominator;
    // The angle of the turn.
    let not_low_turn = if high { HALF_PI_1 } else { 0.5 * HALF_PI_1 };
    let turn = if low { 0.0 } else { not_low_turn };
    let not_low_turn_lo = if high { HALF_PI_2 } else { 0.5 * HALF_PI_2 };
    let turn_lo = if low { 0.0 } else { not_low_turn_lo };
    let z = t * t;
    let (hi, lead_lo) = fast_two_sum(turn, t);
    // atan(t + t_lo) = atan t + t_lo / (1 + z), and that is t_lo (1 - z) as far as t_lo can tell.
    let minus_t_lo = -t_lo;
    let tail = (z * t).mul_add(atan_tail(z), z.mul_add(minus_t_lo, t_lo));
    (hi, lead_lo + (tail + turn_lo))
}

/// The inverse tangent of `x` in radians, within 1 ulp.
///
/// `atan(-0) = -0`, `atan(Inf) = pi/2`, `atan(-Inf) = -pi/2`, NaN stays NaN.
#[inline(always)]
pub fn atan(x: f64) -> f64 {
    let magnitude = x.abs();
    // Beyond 2^100 the angle is pi/2 to the last bit.
    let huge = magnitude > 1.2676506002282294e30;
    let capped = if huge { 1.2676506002282294e30 } else { magnitude };
    let (angle, angle_lo) = first_quadrant_angle(capped, 1.0);
    // A tiny argument is its own tangent to the last bit.
    let tiny = magnitude < 1e-30;
    let positive = if tiny { magnitude } else { angle + angle_lo };
    with_sign_of(positive, x)
}

/// The angle in radians of the vector from the origin to `(x, y)`, in `[-pi, pi]`, within 1 ulp (a subnormal angle within 1
/// ulp of the subnormal spacing).
///
/// Signed zeros and infinities follow IEEE 754-2019, section 9.2.1: `atan2(0, -0) = pi`, `atan2(-0, 0) = -0`,
/// `atan2(Inf, -Inf) = 3 pi/4`. NaN if either argument is NaN.
#[inline(always)]
pub fn atan2(y: f64, x: f64) -> f64 {
    let abs_y = y.abs();
    let abs_x = x.abs();
    // An infinite side dwarfs a finite one; two infinite sides are equal.
    let y_infinite = abs_y == f64::INFINITY;
    let x_infinite = abs_x == f64::INFINITY;
    let infinite = y_infinite | x_infinite;
    let y_side = if y_infinite { 1.0_f64 } else { 0.0 };
    let x_side = if x_infinite { 1.0_f64 } else { 0.0 };
    let n_finite = if infinite { y_side } else { abs_y };
    let d_finite = if infinite { x_side } else { abs_x };
    // Far from one, both are scaled by the same power of two, so that neither the sum nor a remainder leaves the range.
    let steep = n_finite > d_finite;
    let larger = if steep { n_finite } else { d_finite };
    let up = if larger < 7.888609052210118e-31 { 4.149515568880993e180_f64 } else { 1.0 };
    let factor = if larger > 4.149515568880993e180 { 2.409919865102884e-181 } else { up };
    let n = n_finite * factor;
    let (angle, angle_lo) = first_quadrant_angle(n, d_finite * factor);
    // Two zeros have no quotient, but the angle zero.
    let level = n == 0.0;
    let hi = if level { 0.0 } else { angle };
    let lo = if level { 0.0 } else { angle_lo };
    // In the left half-plane: pi minus the angle.
    let (flipped, flipped_lo) = fast_two_sum(PI_HI, -hi);
    let left_value = flipped + (flipped_lo + (PI_LO - lo));
    let x_sign = (x.to_bits() as i64 as u64).wrapping_shr(63) as i64;
    let value = if x_sign == 1 { left_value } else { hi + lo };
    if x.is_nan() | y.is_nan() { f64::NAN } else { with_sign_of(value, y) }
}
