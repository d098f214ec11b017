//! `asin`, `acos`, `atan` and `atan2`.
//!
//! Method: `asin` and `acos` use a minimax polynomial on `[0, 1/2]` and the half-angle identity
//! `acos(x) = 2 asin(sqrt((1 - x) / 2))` above, with the square root's remainder carried (K. C. Ng's scheme in FDLIBM). `atan2`
//! turns the angle by 0, `pi/4` or `pi/2` so that the tangent is at most `tan(pi/8)`; `atan` is `atan2` against one.

use super::coefficients::{ASIN_TAIL, ATAN_TAIL, HALF_PI_1, HALF_PI_2, PI_HI, PI_LO};
use super::double_double::{DoubleDouble, fast_two_sum, polynomial, select, two_sum, with_sign_of};

/// `asin(s)` for `s = |x|` up to one half, else for `s = sqrt((1 - |x|) / 2)`; the low part holds all but `s`.
#[inline(always)]
fn asin_of_half(magnitude: f64) -> (bool, DoubleDouble) {
    let near = magnitude < 0.5;
    let z = select(near, magnitude * magnitude, 0.5 * (1.0 - magnitude));
    let root = z.sqrt();
    let remainder = (-root).mul_add(root, z) / (root + root);
    let s = select(near, magnitude, root);
    let correction = select(near | (z == 0.0), 0.0, remainder);
    (near, DoubleDouble { hi: s, lo: (s * z).mul_add(polynomial(z, &ASIN_TAIL), correction) })
}

/// The inverse sine of `x` in radians, within 1 ulp.
///
/// `asin(-0) = -0`; NaN outside `[-1, 1]`, where MATLAB's value is complex.
#[inline(always)]
pub fn asin(x: f64) -> f64 {
    let (near, angle) = asin_of_half(x.abs());
    let lead = fast_two_sum(HALF_PI_1, -2.0 * angle.hi);
    let far = lead.hi + (lead.lo + 2.0f64.mul_add(-angle.lo, HALF_PI_2));
    with_sign_of(select(near, angle.hi + angle.lo, far), x)
}

/// The inverse cosine of `x` in radians, within 1 ulp.
///
/// NaN outside `[-1, 1]`, where MATLAB's value is complex.
#[inline(always)]
pub fn acos(x: f64) -> f64 {
    let (near, angle) = asin_of_half(x.abs());
    let negative = x < 0.0;
    // Near zero: pi/2 - asin x. Far: 2 asin(s), or pi minus that.
    let base = select(near, HALF_PI_1, select(negative, PI_HI, 0.0));
    let base_lo = select(near, HALF_PI_2, select(negative, PI_LO, 0.0));
    let factor = select(near, select(negative, 1.0, -1.0), select(negative, -2.0, 2.0));
    let lead = fast_two_sum(base, factor * angle.hi);
    lead.hi + (lead.lo + factor.mul_add(angle.lo, base_lo))
}

/// The tangent of `pi / 8`, about; where the turns change need not be exact.
const TAN_EIGHTH: f64 = 0.4142135623730950;

/// The angle, from 0 to `pi / 2`, of the vector `(d, n)` with `n`, `d` not negative, not both zero and neither so large
/// that their sum overflows.
#[inline(always)]
fn first_quadrant_angle(n: f64, d: f64) -> DoubleDouble {
    let low = n < TAN_EIGHTH * d;
    let high = d < TAN_EIGHTH * n;
    let (difference, sum) = (two_sum(n, -d), two_sum(n, d));
    let numerator = select(low, n, select(high, -d, difference.hi));
    let numerator_lo = select(low | high, 0.0, difference.lo);
    let denominator = select(low, d, select(high, n, sum.hi));
    let denominator_lo = select(low | high, 0.0, sum.lo);
    let t = numerator / denominator;
    let remainder = (-t).mul_add(denominator, numerator) + t.mul_add(-denominator_lo, numerator_lo);
    let t_lo = remainder / denominator;
    let turn = select(low, 0.0, select(high, HALF_PI_1, 0.5 * HALF_PI_1));
    let turn_lo = select(low, 0.0, select(high, HALF_PI_2, 0.5 * HALF_PI_2));
    let z = t * t;
    let lead = fast_two_sum(turn, t);
    let tail = (z * t).mul_add(polynomial(z, &ATAN_TAIL), z.mul_add(-t_lo, t_lo));
    DoubleDouble { hi: lead.hi, lo: lead.lo + (tail + turn_lo) }
}

/// The inverse tangent of `x` in radians, within 1 ulp.
///
/// `atan(-0) = -0`, `atan(Inf) = pi/2`, `atan(-Inf) = -pi/2`, NaN stays NaN.
#[inline(always)]
pub fn atan(x: f64) -> f64 {
    let magnitude = x.abs();
    // Beyond 2^100 the angle is pi/2 to the last bit.
    let capped = select(magnitude > EXP2_100, EXP2_100, magnitude);
    let angle = first_quadrant_angle(capped, 1.0);
    with_sign_of(select(magnitude < TINY, magnitude, angle.hi + angle.lo), x)
}

const EXP2_100: f64 = 1267650600228229401496703205376.0;
/// Below this `atan(x)` rounds to `x`.
const TINY: f64 = 1e-30;
const EXP2_600: f64 = EXP2_100 * EXP2_100 * EXP2_100 * EXP2_100 * EXP2_100 * EXP2_100;

/// The angle in radians of the vector from the origin to `(x, y)`, in `[-pi, pi]`, within 1 ulp (a subnormal angle within 1
/// ulp of the subnormal spacing).
///
/// Signed zeros and infinities follow IEEE 754-2019, section 9.2.1: `atan2(0, -0) = pi`, `atan2(-0, 0) = -0`,
/// `atan2(Inf, -Inf) = 3 pi/4`. NaN if either argument is NaN.
#[inline(always)]
pub fn atan2(y: f64, x: f64) -> f64 {
    let (n, d) = (y.abs(), x.abs());
    // An infinite side dwarfs a finite one; two infinite sides are equal.
    let infinite = (n == f64::INFINITY) | (d == f64::INFINITY);
    let n = select(infinite, select(n == f64::INFINITY, 1.0, 0.0), n);
    let d = select(infinite, select(d == f64::INFINITY, 1.0, 0.0), d);
    let larger = select(n > d, n, d);
    // Far from one, both are scaled by the same power of two, so that neither the sum nor a remainder leaves the range.
    let factor = select(larger > EXP2_600, 1.0 / EXP2_600, select(larger < 1.0 / EXP2_100, EXP2_600, 1.0));
    let (n, d) = (n * factor, d * factor);
    let angle = first_quadrant_angle(n, d);
    let (hi, lo) = (select(n == 0.0, 0.0, angle.hi), select(n == 0.0, 0.0, angle.lo));
    let flipped = fast_two_sum(PI_HI, -hi);
    let left = x.to_bits() >> 63 == 1;
    let value = select(left, flipped.hi + (flipped.lo + (PI_LO - lo)), hi + lo);
    select(x.is_nan() | y.is_nan(), f64::NAN, with_sign_of(value, y))
}
