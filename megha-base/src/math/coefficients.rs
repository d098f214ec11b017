//! Polynomials and split constants. Computed by `docs/math/remez.py`; do not edit.
//!
//! The polynomials are evaluated by Estrin's scheme in fused steps (G. Estrin, Proc. Western Joint Computer Conf. 1960;
//! J.-M. Muller, Elementary Functions, 3rd ed., section 5.5): as many multiplications as Horner's rule and a few squarings, but
//! a chain of only `log2 N` steps. A vectorised loop keeps few iterations in flight, so this latency is what it pays.
//!
//! Generated from `megha-core/src/math/coefficients.mir`, where changes belong.
#![cfg_attr(rustfmt, rustfmt_skip)]

/// `(e^r - 1 - r) / r^2` in `r`.
/// Weighted minimax error 2^-64.0 on [-0.346608, 0.346608].
#[inline(always)]
pub(super) fn exp_tail(x: f64) -> f64 {
    let x2 = x * x;
    let x4 = x2 * x2;
    let c0 = x.mul_add(0.16666666666666682, 0.5);
    let c2 = x.mul_add(0.008333333333317037, 0.041666666666666095);
    let c4 = x.mul_add(0.0001984126989637686, 0.0013888888889115577);
    let c6 = x.mul_add(2.75572348690539e-6, 2.480158692675888e-5);
    let e0 = c6.mul_add(x2, c4).mul_add(x4, c2.mul_add(x2, c0));
    let c8 = x.mul_add(2.5112034322254837e-8, 2.7557581736269575e-7);
    let q8 = x2.mul_add(2.0826661080053036e-9, c8);
    q8.mul_add(x4 * x4, e0)
}

/// `(sinh r - r) / r^3` in `r^2`.
/// Weighted minimax error 2^-61.7 on [1e-09, 0.120137].
#[inline(always)]
pub(super) fn sinh_tail(x: f64) -> f64 {
    let x2 = x * x;
    let c0 = x.mul_add(0.008333333333321615, 0.16666666666666677);
    let c2 = x.mul_add(2.7557244183478027e-6, 0.00019841269886157584);
    (x2 * x2).mul_add(2.5109044167472857e-8, c2.mul_add(x2, c0))
}

/// `(cosh r - 1 - r^2/2) / r^4` in `r^2`.
/// Weighted minimax error 2^-70.0 on [1e-09, 0.120137].
#[inline(always)]
pub(super) fn cosh_tail(x: f64) -> f64 {
    let x2 = x * x;
    let c0 = x.mul_add(0.001388888888887348, 0.041666666666666685);
    let c2 = x.mul_add(2.755725223498979e-7, 2.4801587348758366e-5);
    (x2 * x2).mul_add(2.0921632039944532e-9, c2.mul_add(x2, c0))
}

/// `(2 atanh(s) - 2 s) / s^3` in `s^2`.
/// Weighted minimax error 2^-58.5 on [1e-09, 0.0294402].
#[inline(always)]
pub(super) fn log_tail(x: f64) -> f64 {
    let x2 = x * x;
    let c0 = x.mul_add(0.39999999999414615, 0.6666666666666734);
    let c2 = x.mul_add(0.2222219856986404, 0.28571428742411753);
    let c4 = x.mul_add(0.15314044276752228, 0.18183564536795152);
    let q4 = x2.mul_add(0.14796020783443944, c4);
    q4.mul_add(x2 * x2, c2.mul_add(x2, c0))
}

/// `1 / d` in `d`, where Newton's iteration begins.
/// Weighted minimax error 2^-9.6 on [1.70711, 2.41421].
#[inline(always)]
pub(super) fn log_reciprocal(x: f64) -> f64 {
    let c1 = x.mul_add(0.11686289071326848, -0.7224441133556709);
    c1.mul_add(x, 1.4777559147244488)
}

/// `(atanh(s) / s - 1 - s^2/3) / s^4` in `s^2`.
/// Weighted minimax error 2^-73.4 on [1e-09, 0.0294402].
#[inline(always)]
pub(super) fn log_far_tail(x: f64) -> f64 {
    let x2 = x * x;
    let c0 = x.mul_add(0.14285714285720996, 0.19999999999999993);
    let c2 = x.mul_add(0.09090909402059041, 0.1111111110908353);
    let c4 = x.mul_add(0.06668091279316299, 0.0769228040878583);
    let c6 = x.mul_add(0.05985183406552959, 0.058386407094297724);
    c6.mul_add(x2, c4).mul_add(x2 * x2, c2.mul_add(x2, c0))
}

/// `(sin r - r) / r^3` in `r^2`.
/// Weighted minimax error 2^-58.0 on [1e-09, 0.617467].
#[inline(always)]
pub(super) fn sin_tail(x: f64) -> f64 {
    let x2 = x * x;
    let c0 = x.mul_add(0.008333333333322372, -0.16666666666666632);
    let c2 = x.mul_add(2.755731367897325e-6, -0.00019841269829771978);
    let c4 = x.mul_add(1.5896669716215342e-10, -2.50507560132906e-8);
    c4.mul_add(x2 * x2, c2.mul_add(x2, c0))
}

/// `(cos r - 1 + r^2/2) / r^4` in `r^2`.
/// Weighted minimax error 2^-64.2 on [1e-09, 0.617467].
#[inline(always)]
pub(super) fn cos_tail(x: f64) -> f64 {
    let x2 = x * x;
    let c0 = x.mul_add(-0.0013888888888874068, 0.0416666666666666);
    let c2 = x.mul_add(-2.7557314341052266e-7, 2.480158728944511e-5);
    let c4 = x.mul_add(-1.1359561238981523e-11, 2.087572166802836e-9);
    c4.mul_add(x2 * x2, c2.mul_add(x2, c0))
}

/// `(atan t - t) / t^3` in `t^2`.
/// Weighted minimax error 2^-59.5 on [1e-09, 0.171744].
#[inline(always)]
pub(super) fn atan_tail(x: f64) -> f64 {
    let x2 = x * x;
    let x4 = x2 * x2;
    let c0 = x.mul_add(0.19999999999953683, -0.333333333333332);
    let c2 = x.mul_add(0.11111110783886144, -0.14285714280205733);
    let c4 = x.mul_add(0.07692060388014489, -0.09090897768817198);
    let c6 = x.mul_add(0.058478989898186624, -0.06663105710441956);
    let e0 = c6.mul_add(x2, c4).mul_add(x4, c2.mul_add(x2, c0));
    let c8 = x.mul_add(0.0380650949020311, -0.05039337093601708);
    let q8 = x2.mul_add(-0.017907480138232523, c8);
    q8.mul_add(x4 * x4, e0)
}

/// `(asin s - s) / s^3` in `s^2`.
/// Weighted minimax error 2^-59.8 on [1e-09, 0.2501].
#[inline(always)]
pub(super) fn asin_tail(x: f64) -> f64 {
    let x2 = x * x;
    let x4 = x2 * x2;
    let c0 = x.mul_add(0.07499999999970083, 0.16666666666666763);
    let c2 = x.mul_add(0.030381942674734822, 0.04464285717529865);
    let c4 = x.mul_add(0.01735159527326294, 0.02237221591982449);
    let c6 = x.mul_add(0.011397274778115862, 0.01398102100022351);
    let e0 = c6.mul_add(x2, c4).mul_add(x4, c2.mul_add(x2, c0));
    let c8 = x.mul_add(0.0036718673101228086, 0.010789413949107983);
    let c10 = x.mul_add(-0.02111761864689368, 0.021791348225117236);
    let e8 = x4.mul_add(0.03270267135770154, c10.mul_add(x2, c8));
    e8.mul_add(x4 * x4, e0)
}

/// `erf(x) / x - 1` in `x^2`.
/// Weighted minimax error 2^-57.0 on [1e-09, 1].
#[inline(always)]
pub(super) fn erf_near(x: f64) -> f64 {
    let x2 = x * x;
    let x4 = x2 * x2;
    let c0 = x.mul_add(-0.3761263890318355, 0.12837916709551256);
    let c2 = x.mul_add(-0.026866170643275605, 0.11283791670945248);
    let c4 = x.mul_add(-0.000854832598954996, 0.005223977607419531);
    let c6 = x.mul_add(-1.4924744614970265e-5, 0.00012055295317127395);
    let e0 = c6.mul_add(x2, c4).mul_add(x4, c2.mul_add(x2, c0));
    let c8 = x.mul_add(-1.6209173735124423e-7, 1.6447517250215454e-6);
    let c10 = x.mul_add(-7.801185417065367e-10, 1.3722970914581696e-8);
    c10.mul_add(x2, c8).mul_add(x4 * x4, e0)
}

/// The numerator of `-ln(erfc a) / a - 1`, in `a`.
/// Weighted error of the quotient 2^-58.9 on [1e-09, 5.93].
#[inline(always)]
pub(super) fn erf_exponent_numerator(x: f64) -> f64 {
    let x2 = x * x;
    let x4 = x2 * x2;
    let c0 = x.mul_add(0.851065153500759, 0.12837916709551256);
    let c2 = x.mul_add(1.0802341779930418, 1.336916959561371);
    let c4 = x.mul_add(0.16509151721534163, 0.5306313369871577);
    let c6 = x.mul_add(0.0032411115990833485, 0.031524156159393676);
    let e0 = c6.mul_add(x2, c4).mul_add(x4, c2.mul_add(x2, c0));
    (x4 * x4).mul_add(0.00011806873009927697, e0)
}

/// The denominator of `-ln(erfc a) / a - 1`, in `a`.
/// Weighted error of the quotient 2^-58.9 on [1e-09, 5.93].
#[inline(always)]
pub(super) fn erf_exponent_denominator(x: f64) -> f64 {
    let x2 = x * x;
    let c0 = x.mul_add(1.6704063905760669, 1.0);
    let c2 = x.mul_add(0.631365001831239, 1.329893502133106);
    let c4 = x.mul_add(0.034323126578528436, 0.18832300626271414);
    let c6 = x.mul_add(0.00011808978852379537, 0.003356761791488924);
    c6.mul_add(x2, c4).mul_add(x2 * x2, c2.mul_add(x2, c0))
}

/// The constant term of `(1 + 2x) exp(x^2) erfc(x)` in `t = (x - 3.75) / (x + 3.75)`.
pub(super) const ERFC_SCALED_CONSTANT: f64 = 1.2375126308378275;

/// The other terms, over `x`, of `(1 + 2x) exp(x^2) erfc(x)` in `t = (x - 3.75) / (x + 3.75)`.
/// Weighted minimax error 2^-59.3 on [-1, 0.758454].
#[inline(always)]
pub(super) fn erfc_scaled_slope(x: f64) -> f64 {
    let x2 = x * x;
    let x4 = x2 * x2;
    let x8 = x4 * x4;
    let c0 = x.mul_add(0.0035854154854630046, -0.140240598585547);
    let c2 = x.mul_add(-0.10880393014166391, 0.08227673849014898);
    let c4 = x.mul_add(-0.0586933985916207, 0.0923043211602855);
    let c6 = x.mul_add(-0.00974657953414212, 0.02836227741971153);
    let e0 = c6.mul_add(x2, c4).mul_add(x4, c2.mul_add(x2, c0));
    let c8 = x.mul_add(0.0002937134970395843, 0.0017556258538599168);
    let c10 = x.mul_add(5.164984157710026e-5, -0.0002901541375494286);
    let c12 = x.mul_add(-1.1446237181501673e-5, 2.238466720638185e-5);
    let c14 = x.mul_add(1.7553424050589894e-6, -9.752141100051933e-7);
    let e8 = c14.mul_add(x2, c12).mul_add(x4, c10.mul_add(x2, c8));
    let c16 = x.mul_add(-2.624954826229575e-7, -5.344105159600422e-8);
    let c18 = x.mul_add(4.0418938367516604e-8, 1.811982752168087e-8);
    let c20 = x.mul_add(-4.893975580847285e-9, 1.2846848630102427e-10);
    let q20 = x2.mul_add(-9.320660061355663e-10, c20);
    let e16 = q20.mul_add(x4, c18.mul_add(x2, c16));
    e16.mul_add(x8 * x8, e8.mul_add(x8, e0))
}

/// `(gamma(z) / (sqrt(2 pi) z^(z - 1/2) e^-z) - 1) z` in `1/z`.
/// Weighted minimax error 2^-64.9 on [0.00512821, 0.12505].
#[inline(always)]
pub(super) fn stirling_tail(x: f64) -> f64 {
    let x2 = x * x;
    let x4 = x2 * x2;
    let c0 = x.mul_add(0.0034722222221982013, 0.0833333333333334);
    let c2 = x.mul_add(-0.00022947229569097926, -0.002681327157428022);
    let c4 = x.mul_add(6.953445430057667e-5, 0.0007840470868806525);
    let c6 = x.mul_add(-8.489169290847376e-5, -0.0005890451575430147);
    let e0 = c6.mul_add(x2, c4).mul_add(x4, c2.mul_add(x2, c0));
    let c8 = x.mul_add(-0.0008733899251670668, 0.001067369149490998);
    c8.mul_add(x4 * x4, e0)
}

/// ln 2 with 11 trailing zero bits (part 1 of 2).
pub(super) const LN2_HI: f64 = 0.6931471805598903;

/// ln 2 with 11 trailing zero bits (part 2 of 2).
pub(super) const LN2_LO: f64 = 5.497923018708371e-14;

/// 1 / ln 2 (part 1 of 2).
pub(super) const INV_LN2_HI: f64 = 1.4426950408889634;

/// 1 / ln 2 (part 2 of 2).
pub(super) const INV_LN2_LO: f64 = 2.0355273740931033e-17;

/// 1 / ln 10 (part 1 of 2).
pub(super) const INV_LN10_HI: f64 = 0.4342944819032518;

/// 1 / ln 10 (part 2 of 2).
pub(super) const INV_LN10_LO: f64 = 1.098319650216765e-17;

/// log10 2 with 11 trailing zero bits (part 1 of 2).
pub(super) const LOG10_2_HI: f64 = 0.30102999566395283;

/// log10 2 with 11 trailing zero bits (part 2 of 2).
pub(super) const LOG10_2_LO: f64 = 2.8363394551044964e-14;

/// pi / 2 (part 1 of 3).
pub(super) const HALF_PI_1: f64 = 1.5707963267948966;

/// pi / 2 (part 2 of 3).
pub(super) const HALF_PI_2: f64 = 6.123233995736766e-17;

/// pi / 2 (part 3 of 3).
pub(super) const HALF_PI_3: f64 = -1.4973849048591698e-33;

/// 2 / pi.
pub(super) const TWO_OVER_PI: f64 = 0.6366197723675814;

/// The four words from word `first`, 0 to 16, on of a zero word and the bits of 2 / pi after the point, the most
/// significant first. A barrel shifter: each stage shifts by its number of words or not, and keeps as many as still count.
#[inline(always)]
pub(super) fn two_over_pi_window(first: i64) -> (i64, i64, i64, i64) {
    let by16 = first & 16 != 0;
    let s16_0 = if by16 { 0x7527_bac7_ebe5_f17b_i64 } else { 0 };
    let s16_1 = if by16 { 0x3d07_39f7_8a52_92ea } else { 0xa2f9_836e_4e44_1529_u64 as i64 };
    let s16_2 = if by16 { 0x6bfb_5fb1_1f8d_5d08 } else { 0xfc27_57d1_f534_ddc0_u64 as i64 };
    let s16_3 = if by16 { 0x5603_3046_fc7b_6bab } else { 0xdb62_9599_3c43_9041_u64 as i64 };
    let s16_4 = if by16 { 0 } else { 0xfe51_63ab_debb_c561_u64 as i64 };
    let s16_5 = if by16 { 0 } else { 0xb724_6e3a_424d_d2e0_u64 as i64 };
    let s16_6 = if by16 { 0_i64 } else { 0x649_2eea_09d1_921c };
    let s16_7 = if by16 { 0 } else { 0xfe1d_eb1c_b129_a73e_u64 as i64 };
    let s16_8 = if by16 { 0 } else { 0xe882_35f5_2ebb_4484_u64 as i64 };
    let s16_9 = if by16 { 0 } else { 0xe99c_7026_b45f_7e41_u64 as i64 };
    let s16_10 = if by16 { 0_i64 } else { 0x3991_d639_8353_39f4 };
    let s16_11 = if by16 { 0 } else { 0x9c84_5f8b_bdf9_283b_u64 as i64 };
    let s16_12 = if by16 { 0_i64 } else { 0x1ff8_97ff_de05_980f };
    let s16_13 = if by16 { 0 } else { 0xef2f_118b_5a0a_6d1f_u64 as i64 };
    let s16_14 = if by16 { 0_i64 } else { 0x6d36_7ecf_27cb_09b7 };
    let s16_15 = if by16 { 0_i64 } else { 0x4f46_3f66_9e5f_ea2d };
    let s16_16 = if by16 { 0_i64 } else { 0x7527_bac7_ebe5_f17b };
    let s16_17 = if by16 { 0_i64 } else { 0x3d07_39f7_8a52_92ea };
    let s16_18 = if by16 { 0_i64 } else { 0x6bfb_5fb1_1f8d_5d08 };
    let by8 = first & 8 != 0;
    let s8_0 = if by8 { s16_8 } else { s16_0 };
    let s8_1 = if by8 { s16_9 } else { s16_1 };
    let s8_2 = if by8 { s16_10 } else { s16_2 };
    let s8_3 = if by8 { s16_11 } else { s16_3 };
    let s8_4 = if by8 { s16_12 } else { s16_4 };
    let s8_5 = if by8 { s16_13 } else { s16_5 };
    let s8_6 = if by8 { s16_14 } else { s16_6 };
    let s8_7 = if by8 { s16_15 } else { s16_7 };
    let s8_8 = if by8 { s16_16 } else { s16_8 };
    let s8_9 = if by8 { s16_17 } else { s16_9 };
    let s8_10 = if by8 { s16_18 } else { s16_10 };
    let by4 = first & 4 != 0;
    let s4_0 = if by4 { s8_4 } else { s8_0 };
    let s4_1 = if by4 { s8_5 } else { s8_1 };
    let s4_2 = if by4 { s8_6 } else { s8_2 };
    let s4_3 = if by4 { s8_7 } else { s8_3 };
    let s4_4 = if by4 { s8_8 } else { s8_4 };
    let s4_5 = if by4 { s8_9 } else { s8_5 };
    let s4_6 = if by4 { s8_10 } else { s8_6 };
    let by2 = first & 2 != 0;
    let s2_0 = if by2 { s4_2 } else { s4_0 };
    let s2_1 = if by2 { s4_3 } else { s4_1 };
    let s2_2 = if by2 { s4_4 } else { s4_2 };
    let s2_3 = if by2 { s4_5 } else { s4_3 };
    let s2_4 = if by2 { s4_6 } else { s4_4 };
    let by1 = first & 1 != 0;
    let s1_0 = if by1 { s2_1 } else { s2_0 };
    let s1_1 = if by1 { s2_2 } else { s2_1 };
    let s1_2 = if by1 { s2_3 } else { s2_2 };
    let s1_3 = if by1 { s2_4 } else { s2_3 };
    (s1_0, s1_1, s1_2, s1_3)
}

/// pi (part 1 of 2).
pub(super) const PI_HI: f64 = 3.141592653589793;

/// pi (part 2 of 2).
pub(super) const PI_LO: f64 = 1.2246467991473532e-16;

/// sqrt(2 pi) (part 1 of 2).
pub(super) const SQRT_2_PI_HI: f64 = 2.5066282746310007;

/// sqrt(2 pi) (part 2 of 2).
pub(super) const SQRT_2_PI_LO: f64 = -1.8328579980459167e-16;

/// 1 / 3 (part 1 of 2).
pub(super) const THIRD_HI: f64 = 0.3333333333333333;

/// 1 / 3 (part 2 of 2).
pub(super) const THIRD_LO: f64 = 1.850371707708594e-17;
