//! The math functions at their special values, and the promise that every instruction set gives the same bits.

#![allow(unsafe_code)] // one call into a function with target features, after they were found

use megha_rt::math;

/// Calls `$apply!(name, ..)` with the names of the functions of one argument.
macro_rules! with_unary_names {
    ($apply:ident) => {
        $apply!(
            exp, exp2, expm1, log, log2, log10, log1p, sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, asinh, acosh,
            atanh, erf, erfc, gamma, round, fix
        )
    };
}

macro_rules! table {
    ($($name:ident),+) => { [$((stringify!($name), math::$name)),+] };
}

/// A function of one argument and its name.
type Named = (&'static str, fn(f64) -> f64);

/// Every function of one argument.
const UNARY: [Named; 24] = with_unary_names!(table);

/// Equal to the bit, or both NaN.
fn same(got: f64, want: f64) -> bool {
    got.to_bits() == want.to_bits() || (got.is_nan() && want.is_nan())
}

#[track_caller]
fn assert_same(got: f64, want: f64) {
    assert!(same(got, want), "got {got:e}, want {want:e}");
}

#[test]
fn nan_gives_nan() {
    for (name, f) in UNARY {
        assert!(f(f64::NAN).is_nan() && f(-f64::NAN).is_nan(), "{name}");
    }
    for f in [math::atan2, math::hypot, math::modulo, math::remainder] {
        assert!(f(f64::NAN, 1.0).is_nan() && f(1.0, f64::NAN).is_nan());
    }
}

#[test]
fn odd_functions_mirror_and_keep_zeros_and_subnormals() {
    let odd = ["sin", "tan", "asin", "atan", "sinh", "tanh", "asinh", "atanh", "erf", "round", "fix"];
    for (name, f) in UNARY.iter().filter(|(name, _)| odd.contains(name)) {
        for x in [0.0, 1e-5, 0.3, 0.5, 0.77, 1.0, 2.5, 20.0, 700.0, 1e22, 1e300] {
            assert!(same(f(-x), -f(x)), "{name}({x})");
        }
    }
    let identity = ["expm1", "log1p", "sin", "tan", "asin", "atan", "sinh", "tanh", "asinh", "atanh"];
    for (name, f) in UNARY.iter().filter(|(name, _)| identity.contains(name)) {
        for x in [0.0, -0.0, f64::from_bits(1), -f64::from_bits(3), 1e-310, -1e-300] {
            assert!(same(f(x), x), "{name}({x:e}) = {:e}", f(x));
        }
    }
}

const INF: f64 = f64::INFINITY;

#[test]
fn exponentials_overflow_and_underflow() {
    assert_same(math::exp(-INF), 0.0);
    assert_same(math::exp(INF), INF);
    assert!(math::exp(709.782712893384).is_finite());
    assert_same(math::exp(709.782712893385), INF);
    assert_same(math::exp(-745.1332191019411), f64::from_bits(1));
    assert_same(math::exp(-745.1332191019412), 0.0);
    assert_same(math::exp2(-1074.0), f64::from_bits(1));
    assert_same(math::exp2(1024.0), INF);
    assert_same(math::expm1(-INF), -1.0);
    assert_same(math::expm1(INF), INF);
    assert_same(math::sinh(-INF), -INF);
    assert_same(math::cosh(-INF), INF);
    assert_same(math::tanh(-INF), -1.0);
}

#[test]
fn logarithms_at_the_ends_of_their_domain() {
    for f in [math::log, math::log2, math::log10] {
        assert_same(f(0.0), -INF);
        assert_same(f(-0.0), -INF);
        assert_same(f(INF), INF);
        assert_same(f(-1.0), f64::NAN);
        assert_same(f(-INF), f64::NAN);
        assert_same(f(1.0), 0.0);
    }
    assert_same(math::log2(f64::from_bits(1)), -1074.0);
    assert_same(math::log1p(-1.0), -INF);
    assert_same(math::log1p(INF), INF);
    assert_same(math::log1p(-1.5), f64::NAN);
}

#[test]
fn trigonometric_functions_at_special_values() {
    let moderate = [math::sin_moderate, math::cos_moderate, math::tan_moderate];
    for f in [math::sin, math::cos, math::tan].into_iter().chain(moderate) {
        assert_same(f(INF), f64::NAN);
        assert_same(f(-INF), f64::NAN);
    }
    assert_same(math::cos(0.0), 1.0);
    assert_same(math::asin(1.0), std::f64::consts::FRAC_PI_2);
    assert_same(math::asin(1.0000000000000002), f64::NAN);
    assert_same(math::acos(1.0), 0.0);
    assert_same(math::acos(-1.0), std::f64::consts::PI);
    assert_same(math::acos(-1.5), f64::NAN);
    assert_same(math::atan(-INF), -std::f64::consts::FRAC_PI_2);
}

#[test]
fn error_functions_and_hypot_at_special_values() {
    assert_same(math::erf(-0.0), -0.0);
    assert_same(math::erf(-INF), -1.0);
    assert_same(math::erfc(INF), 0.0);
    assert_same(math::erfc(-INF), 2.0);
    assert_same(math::erfc(-0.0), 1.0);
    assert_same(math::hypot(INF, f64::NAN), INF);
    assert_same(math::hypot(3e300, 4e300), 5e300);
    assert_same(math::hypot(3e-320, 4e-320), 5e-320);
    assert_same(math::hypot(-0.0, 0.0), 0.0);
}

#[test]
fn inverse_hyperbolic_functions_at_special_values() {
    assert_same(math::asinh(-INF), -INF);
    assert_same(math::acosh(1.0), 0.0);
    assert_same(math::acosh(INF), INF);
    assert_same(math::acosh(0.9999999999999999), f64::NAN);
    assert_same(math::acosh(-INF), f64::NAN);
    assert_same(math::atanh(1.0), INF);
    assert_same(math::atanh(-1.0), -INF);
    assert_same(math::atanh(1.0000000000000002), f64::NAN);
    assert_same(math::atanh(INF), f64::NAN);
}

#[test]
fn gamma_at_special_values() {
    assert_same(math::gamma(0.0), INF);
    assert_same(math::gamma(-0.0), -INF);
    assert_same(math::gamma(INF), INF);
    // Octave's choice at the poles; C's is NaN.
    for x in [-1.0, -2.0, -170.0, -1e300, -INF] {
        assert_same(math::gamma(x), INF);
    }
    assert!(math::gamma(171.6243769563027).is_finite());
    assert_same(math::gamma(171.62437695630274), INF);
    assert_same(math::gamma(5e-309), INF);
    assert_same(math::gamma(-184.5), -0.0);
    assert_same(math::gamma(-185.5), 0.0);
    assert_same(math::gamma(-1e15 - 0.5), -0.0);
    assert_same(math::gamma(-1e15 - 1.5), 0.0);
}

/// `n!`, from its decimal digits (the lowest first), correctly rounded.
fn factorial(n: u64) -> f64 {
    let mut digits = vec![1u64];
    for k in 2..=n {
        let mut carry = 0;
        for digit in &mut digits {
            carry += *digit * k;
            *digit = carry % 10;
            carry /= 10;
        }
        while carry > 0 {
            digits.push(carry % 10);
            carry /= 10;
        }
    }
    let text: String = digits.iter().rev().map(u64::to_string).collect();
    text.parse().expect("decimal digits")
}

#[test]
fn gamma_of_whole_numbers_is_the_factorial() {
    for n in 0..=170 {
        let (got, want) = (math::gamma(n as f64 + 1.0), factorial(n));
        let exact = n <= 22;
        assert!(if exact { same(got, want) } else { close(got, want) }, "gamma({n} + 1) = {got:e}, want {want:e}");
    }
    assert_same(math::gamma(172.0), INF);
}

/// Within one unit in the last place of a value from the platform's library, whose special values follow IEEE 754.
fn close(got: f64, want: f64) -> bool {
    same(got, want) || (got.to_bits().abs_diff(want.to_bits()) <= 1)
}

#[test]
fn pow_and_atan2_follow_ieee_754_on_special_pairs() {
    let values = [0.0, 1.0, 2.0, 3.0, 0.5, 1.5, 1e300, 1e-300, 9007199254740991.0, 9007199254740992.0];
    let values: Vec<f64> = values.into_iter().chain([INF, f64::NAN, f64::MAX, f64::from_bits(1)]).collect();
    for (x, y) in values.iter().flat_map(|x| values.iter().map(move |y| (*x, *y))) {
        for (x, y) in [(x, y), (-x, y), (x, -y), (-x, -y)] {
            let (got, want) = (math::pow(x, y), x.powf(y));
            assert!(close(got, want), "pow({x:e}, {y:e}) = {got:e}, want {want:e}");
            let (got, want) = (math::atan2(x, y), x.atan2(y));
            assert!(close(got, want), "atan2({x:e}, {y:e}) = {got:e}, want {want:e}");
        }
    }
}

#[test]
fn powers_are_exact() {
    for n in 0..=22 {
        let power: f64 = format!("1e{n}").parse().expect("a number");
        assert_same(math::log10(power), f64::from(n));
        assert_same(math::pow(10.0, f64::from(n)), power);
    }
    for n in -1074..1024 {
        let power = math::exp2(f64::from(n));
        assert_same(math::log2(power), f64::from(n));
        assert_same(math::pow(2.0, f64::from(n)), power);
    }
}

/// Values printed by GNU Octave 7.3 for the same calls, the signs of zeros found by their reciprocals.
#[test]
fn modulo_is_that_of_octave() {
    let cases = [
        (5.0, 0.0, 5.0),
        (-0.0, 0.0, -0.0),
        (-3.0, 3.0, 0.0),
        (3.0, -3.0, -0.0),
        (0.3, 0.1, 0.0),
        (0.3, -0.1, -0.0),
        (-1.0, 3.0, 2.0),
        (5.0, -3.0, -1.0),
        (2.1, 0.1, 0.0),
        (-2.1, 0.1, 0.0),
        (5.3, 2.1, 1.0999999999999996),
        (-1e-20, 3.0, 3.0),
        (1e20, 3.0, 0.0),
        (0.0, -3.0, -0.0),
        (-0.0, 3.0, 0.0),
        (5.0, INF, f64::NAN),
        (INF, 3.0, f64::NAN),
    ];
    for (x, y, want) in cases {
        let got = math::modulo(x, y);
        assert!(same(got, want), "mod({x}, {y}) = {got}, want {want}");
    }
}

/// Values printed by GNU Octave 7.3, as above.
#[test]
fn remainder_is_that_of_octave() {
    let cases = [
        (-3.0, 3.0, -0.0),
        (3.0, -3.0, 0.0),
        (0.3, 0.1, 0.0),
        (-0.3, 0.1, -0.0),
        (-1.0, 3.0, -1.0),
        (5.0, -3.0, 2.0),
        (-2.1, 0.1, -0.0),
        (-1e-20, 3.0, -1e-20),
        (0.0, -3.0, 0.0),
        (-0.0, 3.0, -0.0),
        (5.0, 0.0, f64::NAN),
        (5.0, INF, f64::NAN),
    ];
    for (x, y, want) in cases {
        let got = math::remainder(x, y);
        assert!(same(got, want), "rem({x}, {y}) = {got}, want {want}");
    }
}

#[test]
fn rounding_is_half_away_from_zero() {
    let cases = [
        (0.5, 1.0),
        (-0.5, -1.0),
        (0.49999999999999994, 0.0),
        (-0.4, -0.0),
        (2.5, 3.0),
        (1e300, 1e300),
        (4503599627370495.5, 4503599627370496.0),
        (4503599627370497.0, 4503599627370497.0),
        (9007199254740991.0, 9007199254740991.0),
        (-INF, -INF),
    ];
    for (x, want) in cases {
        assert_same(math::round(x), want);
    }
    for (x, want) in [(2.7, 2.0), (-2.7, -2.0), (-0.3, -0.0), (-INF, -INF)] {
        assert_same(math::fix(x), want);
    }
    for (x, want) in [(-0.0, 0.0), (5.0, 1.0), (-INF, -1.0), (f64::NAN, f64::NAN)] {
        assert_same(math::sign(x), want);
    }
}

/// A fixed sequence of arguments: a quarter of any magnitude, the rest from one to two thousand downwards (xorshift).
fn arguments() -> Vec<f64> {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let point = |i: i32, bits: u64| {
        if i % 4 == 0 { f64::from_bits(bits) } else { bits as i64 as f64 / 2f64.powi(63 - i % 12) }
    };
    (0..20_000).map(|i| point(i, next())).collect()
}

#[test]
fn moderate_forms_give_the_same_bits() {
    for x in arguments().into_iter().filter(|x| x.abs() <= math::MODERATE_LIMIT) {
        assert_same(math::sin_moderate(x), math::sin(x));
        assert_same(math::cos_moderate(x), math::cos(x));
        assert_same(math::tan_moderate(x), math::tan(x));
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn by_vectors(x: &[f64], y: &[f64]) -> Vec<([f64; 24], f64)> {
    macro_rules! row {
        ($($name:ident),+) => { |(&x, &y): (&f64, &f64)| ([$(math::$name(x)),+], math::pow(x.abs(), y)) };
    }
    x.iter().zip(y).map(with_unary_names!(row)).collect()
}

/// The same functions with FMA hardware and vectors, and without (the baseline this test is built for).
#[cfg(target_arch = "x86_64")]
#[test]
fn instruction_sets_agree_to_the_bit() {
    if !(is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")) {
        return;
    }
    let x = arguments();
    let y: Vec<f64> = x.iter().rev().copied().collect();
    // SAFETY: both features were just found.
    let rows = unsafe { by_vectors(&x, &y) };
    for ((&x, &y), (row, power)) in x.iter().zip(&y).zip(rows) {
        for ((name, f), got) in UNARY.iter().zip(row) {
            assert!(same(got, f(x)), "{name}({x:e})");
        }
        assert!(same(power, math::pow(x.abs(), y)), "pow({x:e}, {y:e})");
    }
}
