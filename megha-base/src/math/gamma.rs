//! `gamma`.
//!
//! Method: Stirling's formula `sqrt(2 pi) z^(z - 1/2) e^-z S(1/z)` for `z >= 8` with a minimax polynomial for `S` (the series is in
//! NIST Digital Library of Mathematical Functions, 5.11.3), the power as `exp((z - 1/2) log z - z)` with exponent and logarithm in
//! double-double. Smaller arguments are moved up to `z = v + n` and the result divided by `v (v + 1) .. (v + n - 1)`; negative
//! ones are reflected, `gamma(x) gamma(1 - x) = pi / sin(pi x)` (5.5.3 there). Both end in one division of double-doubles.
//!
//! Generated from `megha-core/src/math/gamma.mir`, where changes belong.
#![cfg_attr(rustfmt, rustfmt_skip)]

use super::coefficients::{PI_HI, PI_LO, SQRT_2_PI_HI, SQRT_2_PI_LO, stirling_tail};
use super::double_double::{divide, fast_two_sum, scale, two_prod, two_sum};
use super::exp::exp_unscaled;
use super::power::{log_extended, parity};
use super::trig::{cos_parts, sin_minor};

/// `(a + a_lo) (b + b_lo)`, but for the product of the low parts.
#[inline(always)]
fn multiply_double_double(a: f64, a_lo: f64, b: f64, b_lo: f64) -> (f64, f64) {
    let (product, product_lo) = two_prod(a, b);
    let minor = product_lo + a.mul_add(b_lo, a_lo * b);
    fast_two_sum(product, minor)
}

/// `v + v_lo + i` if `i < n`, else one.
#[inline(always)]
fn rising_factor(v: f64, v_lo: f64, i: f64, n: f64) -> (f64, f64) {
    let (sum, rest) = two_sum(v, i);
    let counts = i < n;
    let hi = if counts { sum } else { 1.0 };
    let lo = if counts { rest + v_lo } else { 0.0 };
    (hi, lo)
}

/// `(v + v_lo) (v + v_lo + 1) .. (v + v_lo + n - 1)` for `n` up to 8, the product as a tree.
#[inline(always)]
fn rising_product(v: f64, v_lo: f64, n: f64) -> (f64, f64) {
    let (f0, f0_lo) = rising_factor(v, v_lo, 0.0, n);
    let (f1, f1_lo) = rising_factor(v, v_lo, 1.0, n);
    let (f2, f2_lo) = rising_factor(v, v_lo, 2.0, n);
    let (f3, f3_lo) = rising_factor(v, v_lo, 3.0, n);
    let (f4, f4_lo) = rising_factor(v, v_lo, 4.0, n);
    let (f5, f5_lo) = rising_factor(v, v_lo, 5.0, n);
    let (f6, f6_lo) = rising_factor(v, v_lo, 6.0, n);
    let (f7, f7_lo) = rising_factor(v, v_lo, 7.0, n);
    let (p01, p01_lo) = multiply_double_double(f0, f0_lo, f1, f1_lo);
    let (p23, p23_lo) = multiply_double_double(f2, f2_lo, f3, f3_lo);
    let (p45, p45_lo) = multiply_double_double(f4, f4_lo, f5, f5_lo);
    let (p67, p67_lo) = multiply_double_double(f6, f6_lo, f7, f7_lo);
    let (p03, p03_lo) = multiply_double_double(p01, p01_lo, p23, p23_lo);
    let (p47, p47_lo) = multiply_double_double(p45, p45_lo, p67, p67_lo);
    multiply_double_double(p03, p03_lo, p47, p47_lo)
}

/// `gamma(z + z_lo)` as `(g + g_lo) 2^k`, for `z` from 8 to 194.
#[inline(always)]
fn stirling(z: f64, z_lo: f64) -> (f64, f64, f64) {
    let y = 1.0 / z;
    let (log, log_lo) = log_extended(z);
    // (z - 1/2) log z - z, where z - 1/2 is exact.
    let power = z - 0.5;
    let (product, product_rest) = two_prod(power, log);
    let product_lo = power.mul_add(log_lo, product_rest);
    let (sum, sum_lo) = two_sum(product, -z);
    // z_lo moves the logarithm of the whole by digamma(z) z_lo, and digamma(z) is log z - y/2 - y^2/12 to first orders.
    let twelfth = y.mul_add(0.08333333333333333, 0.5);
    let moved = (-y).mul_add(twelfth, log).mul_add(z_lo, product_lo);
    let (e, e_lo) = fast_two_sum(sum, sum_lo + moved);
    let (m, m_lo, k) = exp_unscaled(e, e_lo);
    // sqrt(2 pi) S(y) = sqrt(2 pi) + sqrt(2 pi) y T(y).
    let factor_rest = SQRT_2_PI_HI.mul_add(y * stirling_tail(y), SQRT_2_PI_LO);
    let (factor, factor_lo) = fast_two_sum(SQRT_2_PI_HI, factor_rest);
    let (g, g_lo) = multiply_double_double(m, m_lo, factor, factor_lo);
    (g, g_lo, k)
}

/// `|sin(pi x)|`.
#[inline(always)]
fn sine_of_turn(x: f64) -> (f64, f64) {
    let magnitude = x.abs();
    let fraction = magnitude - magnitude.floor();
    let half_turn = if fraction > 0.5 { 1.0 - fraction } else { fraction };
    // Every difference so far is exact; beyond a quarter the cosine of what is left to one half.
    let beyond = half_turn > 0.25;
    let t = if beyond { 0.5 - half_turn } else { half_turn };
    let (angle, angle_rest) = two_prod(t, PI_HI);
    let angle_lo = t.mul_add(PI_LO, angle_rest);
    let (c, c_minor) = cos_parts(angle, angle_lo);
    let lead = if beyond { c } else { angle };
    let minor = if beyond { c_minor } else { sin_minor(angle, angle_lo) };
    fast_two_sum(lead, minor)
}

/// The gamma function of `x`, within 1 ulp; the factorials that doubles hold, up to `gamma(23) = 22!`, are exact.
///
/// `gamma(0) = Inf`, `gamma(-0) = -Inf`, `gamma(Inf) = Inf`, NaN stays NaN. Negative integers and `-Inf` give Inf, as in Octave. It
/// overflows to Inf from 171.62437695630274 on and underflows to zero, of the right sign, below -184.
#[inline(always)]
pub fn gamma(x: f64) -> f64 {
    let negative = x < 0.0;
    let (reflected, reflected_lo) = two_sum(1.0, -x);
    // Capped where the result has overflowed or vanished long ago.
    let limit = if negative { 186.0_f64 } else { 172.0 };
    let argument = if negative { reflected } else { x };
    let beyond = argument > limit;
    let v = if beyond { limit } else { argument };
    let bounded_lo = if beyond { 0.0 } else { reflected_lo };
    let v_lo = if negative { bounded_lo } else { 0.0 };
    // The number of factors that move it up to 8.
    let distance = 8.0 - v;
    let steps = distance.ceil();
    let n = if steps < 0.0 { 0.0 } else { steps };
    let (p, p_lo) = rising_product(v, v_lo, n);
    let (z, z_rest) = two_sum(v, n);
    let (g, g_lo, k) = stirling(z, z_rest + v_lo);
    // Positive: g / p. Negative: pi p / (sin(pi x) g).
    let (pi_p, pi_p_lo) = multiply_double_double(p, p_lo, PI_HI, PI_LO);
    let (s, s_lo) = sine_of_turn(x);
    let (s_g, s_g_lo) = multiply_double_double(s, s_lo, g, g_lo);
    let numerator = if negative { pi_p } else { g };
    let numerator_lo = if negative { pi_p_lo } else { g_lo };
    let denominator = if negative { s_g } else { p };
    let denominator_lo = if negative { s_g_lo } else { p_lo };
    let (quotient, _) = divide(numerator, numerator_lo, denominator, denominator_lo);
    let exponent = if negative { -k } else { k };
    let magnitude = scale(quotient, exponent);
    // Between negative integers the sign alternates.
    let floor = x.floor();
    let (_, odd) = parity(floor);
    let value = if negative & odd { -magnitude } else { magnitude };
    // Near zero the function is 1/x to the last bit.
    let x_abs = x.abs();
    let ordinary = if x_abs < 8.673617379884035e-19 { 1.0 / x } else { value };
    // Poles on the left, and both infinities.
    let whole = floor == x;
    let is_infinite = negative & whole | (x_abs == f64::INFINITY);
    if is_infinite { f64::INFINITY } else { ordinary }
}
