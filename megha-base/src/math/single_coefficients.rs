//! Polynomials and split constants of the functions of singles. Computed by `docs/math/remez.py`; do not edit.
//!
//! As in `coefficients`; the errors are those of the rounded coefficients.
//!
//! Generated from `megha-core/src/math/single_coefficients.mir`, where changes belong.
#![cfg_attr(rustfmt, rustfmt_skip)]

/// `(e^r - 1 - r) / r^2` in `r`.
/// Weighted error 2^-28.1 on [-0.346608, 0.346608].
#[inline(always)]
pub(super) fn exp_tail_single(x: f32) -> f32 {
    let x2 = x * x;
    let c0 = x.mul_add(0.16666521, 0.49999994);
    let c2 = x.mul_add(0.008368714, 0.04166839);
    (x2 * x2).mul_add(0.0013814481, c2.mul_add(x2, c0))
}

/// `(log(1 + f) - f + f^2/2) / f^3` in `f`.
/// Weighted error 2^-28.3 on [-0.292923, 0.414255].
#[inline(always)]
pub(super) fn log_tail_single(x: f32) -> f32 {
    let x2 = x * x;
    let x4 = x2 * x2;
    let c0 = x.mul_add(-0.2500001, 0.33333313);
    let c2 = x.mul_add(-0.16667993, 0.20002119);
    let c4 = x.mul_add(-0.12405608, 0.14219536);
    let c6 = x.mul_add(-0.11675644, 0.11888332);
    let e0 = c6.mul_add(x2, c4).mul_add(x4, c2.mul_add(x2, c0));
    (x4 * x4).mul_add(0.06746229, e0)
}

/// `(log2(1 + f) - f / ln 2) / f^2` in `f`.
/// Weighted error 2^-28.7 on [-0.292923, 0.414255].
#[inline(always)]
pub(super) fn log2_tail_single(x: f32) -> f32 {
    let x2 = x * x;
    let x4 = x2 * x2;
    let c0 = x.mul_add(0.48089802, -0.7213475);
    let c2 = x.mul_add(0.28857106, -0.36067414);
    let c4 = x.mul_add(0.20511737, -0.24046387);
    let c6 = x.mul_add(0.17169796, -0.17900045);
    let e0 = c6.mul_add(x2, c4).mul_add(x4, c2.mul_add(x2, c0));
    x.mul_add(0.097015016, -0.16845).mul_add(x4 * x4, e0)
}

/// `(log10(1 + f) - f / ln 10) / f^2` in `f`.
/// Weighted error 2^-27.5 on [-0.292923, 0.414255].
#[inline(always)]
pub(super) fn log10_tail_single(x: f32) -> f32 {
    let x2 = x * x;
    let x4 = x2 * x2;
    let c0 = x.mul_add(0.14476474, -0.21714725);
    let c2 = x.mul_add(0.08686854, -0.108573735);
    let c4 = x.mul_add(0.06174648, -0.07238684);
    let c6 = x.mul_add(0.051686235, -0.053884506);
    let e0 = c6.mul_add(x2, c4).mul_add(x4, c2.mul_add(x2, c0));
    let c8 = x.mul_add(0.02920443, -0.050708503);
    c8.mul_add(x4 * x4, e0)
}

/// `(atanh(s) / s - 1 - s^2/3) / s^4` in `s^2`.
/// Weighted error 2^-36.2 on [1e-09, 0.0294402].
#[inline(always)]
pub(super) fn log_far_tail_single(x: f32) -> f32 {
    x.mul_add(0.1170854, 0.14273603).mul_add(x, 0.20000076)
}

/// `(sin r - r) / r^3` in `r^2`.
/// Weighted error 2^-27.3 on [1e-09, 0.618701].
#[inline(always)]
pub(super) fn sin_tail_single(x: f32) -> f32 {
    let c1 = x.mul_add(-0.00019516332, 0.0083321715);
    c1.mul_add(x, -0.16666655)
}

/// `(cos r - 1 + r^2/2) / r^4` in `r^2`.
/// Weighted error 2^-31.1 on [1e-09, 0.618701].
#[inline(always)]
pub(super) fn cos_tail_single(x: f32) -> f32 {
    let c1 = x.mul_add(2.4437397e-5, -0.0013887358);
    c1.mul_add(x, 0.041666646)
}

/// `(atan t - t) / t^3` in `t^2`.
/// Weighted error 2^-28.1 on [1e-09, 0.2501].
#[inline(always)]
pub(super) fn atan_tail_single(x: f32) -> f32 {
    let x2 = x * x;
    let c0 = x.mul_add(0.19999498, -0.33333328);
    let c2 = x.mul_add(0.10942218, -0.14272234);
    let c4 = x.mul_add(0.038782697, -0.07988506);
    c4.mul_add(x2 * x2, c2.mul_add(x2, c0))
}

/// `(asin s - s) / s^3` in `s^2`.
/// Weighted error 2^-27.3 on [1e-09, 0.2501].
#[inline(always)]
pub(super) fn asin_tail_single(x: f32) -> f32 {
    let x2 = x * x;
    let c0 = x.mul_add(0.074952334, 0.16666754);
    let c2 = x.mul_add(0.024141476, 0.04547824);
    (x2 * x2).mul_add(0.04222974, c2.mul_add(x2, c0))
}

/// `(sinh r - r) / r^3` in `r^2`.
/// Weighted error 2^-30.9 on [1e-09, 0.120137].
#[inline(always)]
pub(super) fn sinh_tail_single(x: f32) -> f32 {
    let c1 = x.mul_add(0.00019904961, 0.008333289);
    c1.mul_add(x, 0.16666667)
}

/// `(cosh r - 1 - r^2/2) / r^4` in `r^2`.
/// Weighted error 2^-33.2 on [1e-09, 0.120137].
#[inline(always)]
pub(super) fn cosh_tail_single(x: f32) -> f32 {
    x.mul_add(0.00139354, 0.04166646)
}

/// `(tanh a - a) / a^3` in `a^2`.
/// Weighted error 2^-27.7 on [1e-09, 0.3025].
#[inline(always)]
pub(super) fn tanh_near_single(x: f32) -> f32 {
    let x2 = x * x;
    let c0 = x.mul_add(0.13332602, -0.3333332);
    let c2 = x.mul_add(0.021077808, -0.05385387);
    (x2 * x2).mul_add(-0.006282539, c2.mul_add(x2, c0))
}

/// `-ln(erfc a) / a - 1` in `a`.
/// Weighted error 2^-27.0 on [1e-06, 3.93].
#[inline(always)]
pub(super) fn erf_exponent_single(x: f32) -> f32 {
    let x2 = x * x;
    let x4 = x2 * x2;
    let c2 = x.mul_add(-0.019117696, 0.102771275);
    let q0 = c2.mul_add(x2, x.mul_add(0.6366198, 0.12837917));
    let c4 = x.mul_add(0.0017993503, -0.0002530588);
    let c6 = x.mul_add(0.00016747981, -0.00074068306);
    let e0 = c6.mul_add(x2, c4).mul_add(x4, q0);
    let c8 = x.mul_add(1.1932854e-6, -2.1354379e-5);
    c8.mul_add(x4 * x4, e0)
}

/// `erf(x) / x - 1` in `x^2`.
/// Weighted error 2^-26.8 on [1e-09, 0.64].
#[inline(always)]
pub(super) fn erf_near_single(x: f32) -> f32 {
    let x2 = x * x;
    let c0 = x.mul_add(-0.37612605, 0.12837917);
    let c2 = x.mul_add(-0.026822107, 0.11283143);
    let c4 = x.mul_add(-0.00065495935, 0.005087438);
    c4.mul_add(x2 * x2, c2.mul_add(x2, c0))
}

/// The constant term of `(1 + 2x) exp(x^2) erfc(x)` in `t = (x - 3) / (x + 3)` (part 1 of 2).
pub(super) const ERFC_SCALED_CONSTANT_HI_SINGLE: f32 = 1.253008;

/// The constant term of `(1 + 2x) exp(x^2) erfc(x)` in `t = (x - 3) / (x + 3)` (part 2 of 2).
pub(super) const ERFC_SCALED_CONSTANT_LO_SINGLE: f32 = 5.1121532e-8;

/// The other terms, over `x`, of `(1 + 2x) exp(x^2) erfc(x)` in `t = (x - 3) / (x + 3)`.
/// Weighted error 2^-27.6 on [-1, 0.541985].
#[inline(always)]
pub(super) fn erfc_scaled_slope_single(x: f32) -> f32 {
    let x2 = x * x;
    let x4 = x2 * x2;
    let c0 = x.mul_add(-0.047562398, -0.13562115);
    let c2 = x.mul_add(-0.11927097, 0.12964642);
    let c4 = x.mul_add(-0.02379753, 0.06829577);
    let c6 = x.mul_add(0.0020018104, 0.0025673728);
    let e0 = c6.mul_add(x2, c4).mul_add(x4, c2.mul_add(x2, c0));
    let c8 = x.mul_add(-0.0002681266, -0.0007775815);
    c8.mul_add(x4 * x4, e0)
}

/// ln 2 (part 1 of 2).
pub(super) const LN2_HI_SINGLE: f32 = 0.6931472;

/// ln 2 (part 2 of 2).
pub(super) const LN2_LO_SINGLE: f32 = -1.9046542e-9;

/// ln 2 with 8 trailing zero bits (part 1 of 2).
pub(super) const LN2_UPPER_SINGLE: f32 = 0.69314575;

/// ln 2 with 8 trailing zero bits (part 2 of 2).
pub(super) const LN2_LOWER_SINGLE: f32 = 1.4286068e-6;

/// 1 / ln 2 (part 1 of 2).
pub(super) const INV_LN2_HI_SINGLE: f32 = 1.442695;

/// 1 / ln 2 (part 2 of 2).
pub(super) const INV_LN2_LO_SINGLE: f32 = 1.925963e-8;

/// 1 / 3 (part 1 of 2).
pub(super) const THIRD_HI_SINGLE: f32 = 0.33333334;

/// 1 / 3 (part 2 of 2).
pub(super) const THIRD_LO_SINGLE: f32 = -9.934108e-9;

/// 1 / ln 10 (part 1 of 2).
pub(super) const INV_LN10_HI_SINGLE: f32 = 0.4342945;

/// 1 / ln 10 (part 2 of 2).
pub(super) const INV_LN10_LO_SINGLE: f32 = -1.010305e-8;

/// log10 2 (part 1 of 2).
pub(super) const LOG10_2_HI_SINGLE: f32 = 0.30103;

/// log10 2 (part 2 of 2).
pub(super) const LOG10_2_LO_SINGLE: f32 = -1.4320989e-8;

/// pi / 2 (part 1 of 3).
pub(super) const HALF_PI_1_SINGLE: f32 = 1.5707964;

/// pi / 2 (part 2 of 3).
pub(super) const HALF_PI_2_SINGLE: f32 = -4.371139e-8;

/// pi / 2 (part 3 of 3).
pub(super) const HALF_PI_3_SINGLE: f32 = -1.7151245e-15;

/// 2 / pi.
pub(super) const TWO_OVER_PI_SINGLE: f32 = 0.63661975;

/// pi (part 1 of 2).
pub(super) const PI_HI_SINGLE: f32 = 3.1415927;

/// pi (part 2 of 2).
pub(super) const PI_LO_SINGLE: f32 = -8.742278e-8;

/// The four words from word `first`, 0 to 3, on of eight zero bits and the bits of 2 / pi after the point, the most
/// significant first, behind a barrel shifter.
#[inline(always)]
pub(super) fn two_over_pi_window_single(first: i64) -> (i64, i64, i64, i64) {
    let by2 = first & 2 != 0;
    let s2_0 = if by2 { 0x29fc_2757_i64 } else { 0xa2_f983 };
    let s2_1 = if by2 { 0xd1f5_34dd_i64 } else { 0x6e4e_4415 };
    let s2_2 = if by2 { 0xc0db_6295_i64 } else { 0x29fc_2757 };
    let s2_3 = if by2 { 0x993c_4390_i64 } else { 0xd1f5_34dd };
    let s2_4 = if by2 { 0x41fe_5163_i64 } else { 0xc0db_6295 };
    let by1 = first & 1 != 0;
    let s1_0 = if by1 { s2_1 } else { s2_0 };
    let s1_1 = if by1 { s2_2 } else { s2_1 };
    let s1_2 = if by1 { s2_3 } else { s2_2 };
    let s1_3 = if by1 { s2_4 } else { s2_3 };
    (s1_0, s1_1, s1_2, s1_3)
}
