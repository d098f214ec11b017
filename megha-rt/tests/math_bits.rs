//! The math functions give the bits that they have always given: a digest over 120,000 arguments of each.
//!
//! What one version of a program computed, the next computes too; and the definitions, which are written in the compiler's IR
//! and generated as Rust, may be rearranged only where no rounding changes. A deliberate change of a method changes its line here;
//! the failing test prints the new one.

use megha_rt::math;

const POINTS: usize = 120_000;

/// Pairs of arguments, the same each time (xorshift): every fourth of any magnitude, the others uniform over ranges of a width
/// from `2^-11` to `2^12`; a few special values first.
fn arguments() -> impl Iterator<Item = (f64, f64)> {
    let special = [0.0, 1.0, 0.5, 2.0, 1e300, 1e-300, f64::MAX, f64::MIN_POSITIVE, f64::from_bits(1), f64::INFINITY];
    let signed: Vec<f64> = special.into_iter().flat_map(|x| [x, -x]).chain([f64::NAN]).collect();
    let pairs: Vec<(f64, f64)> = signed.iter().flat_map(|&x| signed.iter().map(move |&y| (x, y))).collect();
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let mut point = move |i: usize| match (i % 4, next()) {
        (0, bits) => f64::from_bits(bits),
        (_, bits) => bits.cast_signed() as f64 / 2f64.powi(74 - (i % 24) as i32),
    };
    pairs.into_iter().chain((0..).map(move |i| (point(i), point(i + i / 7)))).take(POINTS)
}

/// The FNV-1a digest of the results' bits, all NaNs alike.
fn digest(f: impl Fn(f64, f64) -> f64) -> u64 {
    arguments().map(|(x, y)| f(x, y)).fold(0xcbf2_9ce4_8422_2325, |hash, value| {
        let bits = if value.is_nan() { f64::NAN.to_bits() } else { value.to_bits() };
        (hash ^ bits).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

macro_rules! digests {
    ($of:ident: $($name:ident = $digest:literal;)+) => {
        $(
            #[test]
            fn $name() {
                let got = $of(math::$name);
                assert_eq!(got, $digest, "the digest of {} is now {got:#x}", stringify!($name));
            }
        )+
    };
}

fn unary(f: fn(f64) -> f64) -> u64 {
    digest(|x, _| f(x))
}

digests! {
    unary:
    exp = 0x36b2_8f03_6e3b_ef04;
    exp2 = 0x0339_464d_469c_19ac;
    expm1 = 0x8bc4_2c83_1f82_0806;
    log = 0x7010_0b15_8e80_977f;
    log2 = 0xdcdc_762e_917f_7e0e;
    log10 = 0x97bc_121a_6b9c_1dd8;
    log1p = 0xf57e_3d30_3681_2f5b;
    sin = 0x9955_7607_b9ab_b939;
    cos = 0x0a1d_e02f_5819_636c;
    tan = 0xad8b_0c25_d652_5517;
    sin_moderate = 0xc52e_f57a_28ef_c0ef;
    cos_moderate = 0x2358_2d15_3f3f_4821;
    tan_moderate = 0x97d2_0abc_014f_c089;
    asin = 0x2aea_f8c3_fd2e_d78f;
    acos = 0x0a0e_df2a_80f4_764b;
    atan = 0x44e7_e490_49f2_7f32;
    sinh = 0x1a17_3d86_2762_86ee;
    cosh = 0x12f7_13d0_fb19_c905;
    tanh = 0x90d8_3c75_0443_d5cb;
    erf = 0xc588_5f11_5650_9c83;
    erfc = 0x8fe4_a7fb_c635_436c;
    round = 0xb67a_6203_521a_2773;
    fix = 0x0499_caed_ceb6_c855;
    sign = 0xe61d_157b_1934_6225;
}

fn binary(f: fn(f64, f64) -> f64) -> u64 {
    digest(f)
}

digests! {
    binary:
    pow = 0xb43b_85c7_9786_a23a;
    atan2 = 0xd040_3233_32b7_fbb7;
    hypot = 0x23f5_abbb_26a8_1fae;
    modulo = 0x1c23_5c97_138a_074a;
    remainder = 0x6dec_f927_03dd_d1bd;
}
