//! `sin`, `cos` and `tan`.
//!
//! Method: reduction by `pi / 2` (see [`super::pi_reduction`]) to a double-double in `[-pi/4, pi/4]`, then minimax
//! polynomials for the tails of sine and cosine, both evaluated and one selected by the quadrant (K. C. Ng's kernels in FDLIBM, with
//! fused multiply-adds keeping the leading terms exact). The tangent divides the two as double-doubles.
//!
//! Every function exists twice. The plain one is right for every argument. The `_moderate` one leaves out the
//! reduction for `|x| > MODERATE_LIMIT`, is several times as fast in a vectorised loop, and gives the same bits up to that limit; code
//! that processes a tile of elements first asks whether all of them are moderate.

use super::coefficients::{COS_TAIL, SIN_TAIL};
use super::double_double::{DoubleDouble, divide, fast_two_sum, polynomial, select};
use super::pi_reduction::{Quadrant, reduce, reduce_moderate};

pub use super::pi_reduction::MODERATE_LIMIT;

/// The sine of `r`, `|r.hi| <= pi / 4` and a little more, as leading term and tail.
#[inline(always)]
fn sin_parts(r: DoubleDouble) -> DoubleDouble {
    let z = r.hi * r.hi;
    // sin(hi + lo) = sin hi + lo cos hi, and cos hi is 1 - z/2 as far as lo can tell.
    let tail = (z * r.hi).mul_add(polynomial(z, &SIN_TAIL), z.mul_add(-0.5 * r.lo, r.lo));
    DoubleDouble { hi: r.hi, lo: tail }
}

/// The cosine of `r`, likewise.
#[inline(always)]
fn cos_parts(r: DoubleDouble) -> DoubleDouble {
    let z = r.hi * r.hi;
    let minus_half = -0.5 * r.hi;
    let lead = minus_half.mul_add(r.hi, 1.0);
    let lost = minus_half.mul_add(r.hi, 1.0 - lead);
    let tail = (z * z).mul_add(polynomial(z, &COS_TAIL), r.hi.mul_add(-r.lo, lost));
    DoubleDouble { hi: lead, lo: tail }
}

/// Sine (`turn == 0`) or cosine (`turn == 1`) of the reduced argument, that is the sine `turn` quadrants further on.
#[inline(always)]
fn sine_of(q: Quadrant, turn: u64) -> f64 {
    let index = q.index.wrapping_add(turn);
    let (s, c) = (sin_parts(q.r), cos_parts(q.r));
    let value = select(index & 1 == 0, s.hi + s.lo, c.hi + c.lo);
    f64::from_bits(value.to_bits() ^ ((index & 2) << 62))
}

#[inline(always)]
fn tangent_of(q: Quadrant) -> f64 {
    let (s, c) = (sin_parts(q.r), cos_parts(q.r));
    let (s, c) = (fast_two_sum(s.hi, s.lo), fast_two_sum(c.hi, c.lo));
    let even = q.index & 1 == 0;
    let n = DoubleDouble { hi: select(even, s.hi, -c.hi), lo: select(even, s.lo, -c.lo) };
    let d = DoubleDouble { hi: select(even, c.hi, s.hi), lo: select(even, c.lo, s.lo) };
    divide(n, d).hi
}

/// The sine of `x` radians, within 1 ulp for every argument.
///
/// `sin(-0) = -0`; infinities and NaN give NaN.
#[inline(always)]
pub fn sin(x: f64) -> f64 {
    select(x == 0.0, x, sine_of(reduce(x), 0))
}

/// The cosine of `x` radians, within 1 ulp for every argument.
///
/// Infinities and NaN give NaN.
#[inline(always)]
pub fn cos(x: f64) -> f64 {
    sine_of(reduce(x), 1)
}

/// The tangent of `x` radians, within 1 ulp for every argument.
///
/// `tan(-0) = -0`; infinities and NaN give NaN. No double is a pole, so the value is always finite.
#[inline(always)]
pub fn tan(x: f64) -> f64 {
    select(x == 0.0, x, tangent_of(reduce(x)))
}

/// [`sin`] for `|x| <= MODERATE_LIMIT`, to the same bits; meaningless beyond, NaN for infinities and NaN.
#[inline(always)]
pub fn sin_moderate(x: f64) -> f64 {
    select(x == 0.0, x, sine_of(reduce_moderate(x), 0))
}

/// [`cos`] for `|x| <= MODERATE_LIMIT`, to the same bits; meaningless beyond, NaN for infinities and NaN.
#[inline(always)]
pub fn cos_moderate(x: f64) -> f64 {
    sine_of(reduce_moderate(x), 1)
}

/// [`tan`] for `|x| <= MODERATE_LIMIT`, to the same bits; meaningless beyond, NaN for infinities and NaN.
#[inline(always)]
pub fn tan_moderate(x: f64) -> f64 {
    select(x == 0.0, x, tangent_of(reduce_moderate(x)))
}
