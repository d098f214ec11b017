//! The math functions against golden values: `tests/math/*.txt`, written by `docs/math/ulp_table.py golden` with mpmath.
//!
//! A line is the arguments, the correctly rounded result (hexadecimal bits all) and what that lacks of the exact one, in
//! 2^-15 ulp. A third of the points are the worst of a large random search, so a loss of accuracy anywhere shows here.

use megha_rt::math;

/// The golden points of one function with `N` arguments.
fn golden<const N: usize>(text: &str) -> Vec<([f64; N], f64, f64)> {
    let bits = |field: &str| f64::from_bits(u64::from_str_radix(field, 16).expect("hexadecimal"));
    text.lines()
        .map(|line| {
            let fields: Vec<&str> = line.split(' ').collect();
            assert_eq!(fields.len(), N + 2, "{line}");
            let rest: f64 = fields[N + 1].parse().expect("a decimal integer");
            (std::array::from_fn(|i| bits(fields[i])), bits(fields[N]), rest / 32768.0)
        })
        .collect()
}

/// The spacing of doubles at `y`.
fn ulp(y: f64) -> f64 {
    let exponent = ((y.to_bits() >> 52) & 0x7ff).max(1);
    if exponent > 52 { f64::from_bits((exponent - 52) << 52) } else { f64::from_bits(1 << (exponent - 1)) }
}

/// Asserts that `f` errs by no more than `bound` ulp on every golden point.
fn check<const N: usize>(name: &str, text: &str, bound: f64, f: impl Fn([f64; N]) -> f64) {
    let points = golden::<N>(text);
    assert!(points.len() > 300, "{name}: only {} golden points", points.len());
    for (x, want, rest) in points {
        let got = f(x);
        let error = ((got - want) / ulp(want) - rest).abs();
        assert!(error <= bound, "{name}{x:?} = {got:e}, want {want:e}: off by {error:.3} ulp, bound {bound}");
    }
}

macro_rules! ulp_tests {
    ($($name:ident($($x:ident),+) <= $bound:literal;)+) => {
        $(
            #[test]
            fn $name() {
                let text = include_str!(concat!("math/", stringify!($name), ".txt"));
                check(stringify!($name), text, $bound, |[$($x),+]| math::$name($($x),+));
            }
        )+
    };
}

ulp_tests! {
    exp(x) <= 1.05;
    exp2(x) <= 0.9;
    expm1(x) <= 1.1;
    log(x) <= 0.9;
    log2(x) <= 0.8;
    log10(x) <= 0.7;
    log1p(x) <= 0.7;
    sin(x) <= 0.9;
    cos(x) <= 0.9;
    tan(x) <= 1.0;
    asin(x) <= 0.7;
    acos(x) <= 0.7;
    atan(x) <= 0.75;
    sinh(x) <= 0.8;
    cosh(x) <= 0.8;
    tanh(x) <= 0.8;
    asinh(x) <= 0.8;
    acosh(x) <= 0.8;
    atanh(x) <= 0.8;
    erf(x) <= 1.7;
    erfc(x) <= 1.7;
    gamma(x) <= 0.9;
    pow(x, y) <= 0.75;
    atan2(y, x) <= 0.75;
    hypot(x, y) <= 0.6;
}
