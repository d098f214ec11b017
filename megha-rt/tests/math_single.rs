//! The functions of singles against those of doubles, which are within an ulp of the double's: never more than 2 ulp of the single off, and
//! the same at special values. Each function is held to a bound just above what all its arguments show.
//!
//! The tests take one argument in some 65,000. `cargo test --release -p megha-rt --test math_single -- --ignored` takes all 2^32, a
//! minute a function.

#![allow(unsafe_code)] // loops with target features are entered after these were found

use megha_rt::math;

/// How many arguments are computed at a time.
const LENGTH: usize = 4096;

/// The functions' values at as many arguments: those of the single, and those of the double.
type Values = fn(&[f32; LENGTH], &mut [f32; LENGTH], &mut [f64; LENGTH]);

/// A function, as compiled for this processor and as compiled for any.
#[derive(Clone, Copy)]
struct Function {
    name: &'static str,
    /// In ulp.
    bound: f64,
    fast: Values,
    plain: fn(f32) -> f32,
}

macro_rules! functions {
    ($($name:ident $single:ident <= $bound:literal;)+) => {
        [$({
            #[inline(always)]
            fn values(x: &[f32; LENGTH], y: &mut [f32; LENGTH], want: &mut [f64; LENGTH]) {
                for i in 0..LENGTH {
                    y[i] = math::$single(x[i]);
                }
                for i in 0..LENGTH {
                    want[i] = math::$name(f64::from(x[i]));
                }
            }
            #[cfg(target_arch = "x86_64")]
            fn fast(x: &[f32; LENGTH], y: &mut [f32; LENGTH], want: &mut [f64; LENGTH]) {
                #[target_feature(enable = "avx2,fma")]
                fn inner(x: &[f32; LENGTH], y: &mut [f32; LENGTH], want: &mut [f64; LENGTH]) {
                    values(x, y, want);
                }
                if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                    // SAFETY: the processor has these features.
                    unsafe { inner(x, y, want) }
                } else {
                    values(x, y, want);
                }
            }
            #[cfg(not(target_arch = "x86_64"))]
            use values as fast;
            Function { name: stringify!($name), bound: $bound, fast, plain: math::$single }
        }),+]
    };
}

const FUNCTIONS: [Function; 23] = functions! {
    exp exp_single <= 1.1;
    expm1 expm1_single <= 1.6;
    log log_single <= 1.0;
    log2 log2_single <= 1.3;
    log10 log10_single <= 1.2;
    log1p log1p_single <= 1.0;
    sin sin_single <= 1.6;
    cos cos_single <= 1.6;
    tan tan_single <= 1.5;
    asin asin_single <= 1.7;
    acos acos_single <= 1.2;
    atan atan_single <= 1.5;
    sinh sinh_single <= 1.1;
    cosh cosh_single <= 1.0;
    tanh tanh_single <= 1.4;
    asinh asinh_single <= 1.3;
    acosh acosh_single <= 1.2;
    atanh atanh_single <= 1.1;
    erf erf_single <= 1.6;
    erfc erfc_single <= 1.8;
    round round_single <= 0.0;
    fix fix_single <= 0.0;
    sign sign_single <= 0.0;
};

/// The spacing of singles at `y`.
fn ulp(y: f64) -> f64 {
    let exponent = (y.abs().to_bits() >> 52).clamp(1023 - 126, 1023 + 127);
    f64::from_bits((exponent - 23) << 52)
}

/// How far a single is from a value, in ulp; infinite where one is NaN or the signs differ. Infinity counts as 2^128.
fn error(got: f32, want: f64) -> f64 {
    if got.is_nan() || want.is_nan() {
        return if got.is_nan() && want.is_nan() { 0.0 } else { f64::INFINITY };
    }
    if got.is_sign_negative() != want.is_sign_negative() {
        return f64::INFINITY;
    }
    let (got, want) = (f64::from(got), want.clamp(-2f64.powi(128), 2f64.powi(128)));
    (got.clamp(-2f64.powi(128), 2f64.powi(128)) - want).abs() / ulp(want)
}

/// The largest error of a function at every `stride`th bit pattern from `first` on, and where, leaving out what is rounded correctly;
/// asserts that both forms agree, if asked to.
fn worst(function: Function, first: u64, stride: u64, compare: bool) -> (f64, f32) {
    let mut worst = (0.0, 0.0);
    let (mut y, mut want) = ([0.0; LENGTH], [0.0; LENGTH]);
    for from in (first..1 << 32).step_by(LENGTH * stride as usize) {
        let x: [f32; LENGTH] = std::array::from_fn(|i| f32::from_bits((from + i as u64 * stride) as u32));
        (function.fast)(&x, &mut y, &mut want);
        for i in 0..LENGTH {
            if y[i].to_bits() != (want[i] as f32).to_bits() {
                let off = error(y[i], want[i]);
                worst = if off > worst.0 { (off, x[i]) } else { worst };
            }
            let plain = if compare { (function.plain)(x[i]) } else { y[i] };
            assert!(plain.to_bits() == y[i].to_bits() || plain.is_nan() && y[i].is_nan(), "{} {}", function.name, x[i]);
        }
    }
    worst
}

#[track_caller]
fn check(function: Function, (off, at): (f64, f32)) {
    let Function { name, bound, .. } = function;
    assert!(off <= bound, "{name}({at:e}) is {off:.3} ulp off, more than {bound}");
}

#[test]
fn functions_of_singles_are_close_to_those_of_doubles() {
    for function in FUNCTIONS {
        check(function, worst(function, 12_345, 65_537, true));
    }
}

/// The singles nearest to whole numbers of quarter turns, where little of the angle remains: all that are moderate, and the one of all singles
/// that comes nearest, for its size.
#[test]
fn angles_near_quarter_turns_keep_their_accuracy() {
    let quarter = |k: i32| (f64::from(k) * std::f64::consts::FRAC_PI_2) as f32;
    let angles: Vec<f32> = (1..83_400).map(quarter).chain([16_367_173.0 * 2f32.powi(72)]).collect();
    for function in FUNCTIONS.into_iter().filter(|function| ["sin", "cos", "tan"].contains(&function.name)) {
        let (mut y, mut want) = ([0.0; LENGTH], [0.0; LENGTH]);
        for part in angles.chunks(LENGTH) {
            (function.fast)(&std::array::from_fn(|i| part[i % part.len()]), &mut y, &mut want);
            (0..part.len()).for_each(|i| check(function, (error(y[i], want[i]), part[i])));
        }
    }
}

#[test]
#[ignore = "all arguments: a minute a function, optimised"]
fn functions_of_singles_are_close_everywhere() {
    let threads = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    for function in FUNCTIONS {
        let parts = std::thread::scope(|scope| {
            let part = |first| scope.spawn(move || worst(function, first, threads, false));
            let parts: Vec<_> = (0..threads).map(part).collect();
            parts.into_iter().map(|part| part.join().unwrap()).collect::<Vec<_>>()
        });
        let (off, at) = parts.into_iter().fold((0.0, 0.0), |a, b| if b.0 > a.0 { b } else { a });
        println!("{}: {off:.3} ulp at {at:e}", function.name);
        check(function, (off, at));
    }
}

/// Arguments at which something begins or ends.
fn edges() -> Vec<f32> {
    let tiny = f32::from_bits(1);
    let ends = [0.0, tiny, 3.0 * tiny, f32::MIN_POSITIVE, f32::MIN_POSITIVE - tiny, f32::MAX, f32::INFINITY, f32::NAN];
    let exponents = [88.72283, 88.72284, 87.33655, 103.27893, 103.97207, 103.97208, 104.0, 89.41598, 89.41599, 2000.0];
    let others =
        [0.5, 1.0, 1.0 - f32::EPSILON / 2.0, 1.0 + f32::EPSILON, 2.0, 3.93, 10.05, 10.1, 131_072.0, 131_072.02, 1e30];
    let positive = ends.into_iter().chain(exponents).chain(others);
    positive.flat_map(|x| [x, -x]).collect()
}

/// Where the double's value rounds to zero, an infinity, NaN or the argument, the single's is the same.
#[test]
fn special_values_are_exact() {
    for Function { name, plain, fast, .. } in FUNCTIONS {
        let edges = edges();
        let x: [f32; LENGTH] = std::array::from_fn(|i| edges[i % edges.len()]);
        let (mut y, mut want) = ([0.0; LENGTH], [0.0; LENGTH]);
        fast(&x, &mut y, &mut want);
        for i in 0..edges.len() {
            let (got, rounded) = (plain(x[i]), want[i] as f32);
            let special = rounded == 0.0 || !rounded.is_finite() || want[i] == f64::from(x[i]);
            let same = got.to_bits() == rounded.to_bits() || got.is_nan() && rounded.is_nan();
            assert!(same || !special && error(got, want[i]) < 2.0, "{name}({:e}) = {got:e}, not {:e}", x[i], want[i]);
        }
    }
}

#[test]
fn what_is_exact_stays_exact() {
    for e in -149..128 {
        let x = 2f64.powi(e) as f32;
        assert_eq!(math::log2_single(x), e as f32);
        assert_eq!(math::pow_single(2.0, e as f32), x);
    }
    for e in 0..=10 {
        assert_eq!(math::log10_single(10f32.powi(e)), e as f32);
    }
    for x in -20..=20i32 {
        for y in 0..=5i32 {
            let (exact, power) = (f64::from(x).powi(y), math::pow_single(x as f32, y as f32));
            assert!(exact.abs() > 16_777_216.0 || f64::from(power) == exact, "{x}^{y} = {power}");
        }
    }
}

/// Up to the limit the moderate forms give the bits of the others.
#[test]
fn moderate_angles_give_the_same_bits() {
    let limit = math::MODERATE_LIMIT_SINGLE.to_bits();
    for bits in (0..=limit).step_by(30_011).chain([limit]) {
        for x in [f32::from_bits(bits), -f32::from_bits(bits)] {
            assert_eq!(math::sin_single(x).to_bits(), math::sin_moderate_single(x).to_bits(), "{x:e}");
            assert_eq!(math::cos_single(x).to_bits(), math::cos_moderate_single(x).to_bits(), "{x:e}");
            assert_eq!(math::tan_single(x).to_bits(), math::tan_moderate_single(x).to_bits(), "{x:e}");
        }
    }
    for f in [math::sin_moderate_single, math::cos_moderate_single, math::tan_moderate_single] {
        assert!(f(f32::INFINITY).is_nan() && f(f32::NEG_INFINITY).is_nan() && f(f32::NAN).is_nan());
    }
}

/// Bases with exponents that take them over the whole range of results, near one too, all pairs of bit patterns, and edges.
fn pairs(count: usize) -> impl Iterator<Item = (f32, f32)> {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let random = (0..count).map(move |i| {
        let (bits, part) = (next(), (next() >> 11) as f64 / 2f64.powi(53));
        let far = |x: f32| (x, ((part * 300.0 - 150.0) / f64::from(x).abs().log2()) as f32);
        match i % 4 {
            0 => (f32::from_bits(bits as u32), f32::from_bits((bits >> 32) as u32)),
            1 => far(f32::from_bits(bits as u32 & 0x7fff_ffff)),
            2 => far(1.0 + ((bits & 0xff_ffff) as f32 - 8_388_608.0) / 134_217_728.0),
            _ => (bits as u32 as f32 / 1_073_741_824.0, (part * 20.0 - 10.0) as f32),
        }
    });
    let edges =
        [edges(), [3.0, -3.0, 8_388_609.0, 16_777_216.0, 2f32.powi(31), -(2f32.powi(33)), 127.0, -149.0].into()]
            .concat();
    let grid: Vec<(f32, f32)> = edges.iter().flat_map(|x| edges.iter().map(move |y| (*x, *y))).collect();
    grid.into_iter().chain(random)
}

fn check_pairs(count: usize) {
    type Binary<T> = fn(T, T) -> T;
    let functions: [(&str, Binary<f32>, Binary<f64>, f64); 3] = [
        ("pow", math::pow_single, math::pow, 1.2),
        ("atan2", math::atan2_single, math::atan2, 1.6),
        ("hypot", math::hypot_single, math::hypot, 1.2),
    ];
    for (name, single, double, bound) in functions {
        let mut most: f64 = 0.0;
        for (x, y) in pairs(count) {
            let (got, want) = (single(x, y), double(x.into(), y.into()));
            let off = error(got, want);
            assert!(off <= bound, "{name}({x:e}, {y:e}) = {got:e}, not {want:e}: {off:.3} ulp off");
            most = most.max(off);
        }
        println!("{name}: {most:.3} ulp");
    }
}

#[test]
fn functions_of_two_singles_are_close_to_those_of_doubles() {
    check_pairs(100_000);
}

#[test]
#[ignore = "minutes, optimised"]
fn functions_of_two_singles_are_close_at_many_pairs() {
    check_pairs(50_000_000);
}
