//! Nanoseconds per element of the math functions in a vectorised loop, against `std` (or the `libm` crate for `erf`, `erfc` and `gamma`).
//!
//! `cargo bench -p megha-rt --bench math`. Each loop runs over 4096 elements that stay in the cache; the fastest of many
//! repetitions counts. The loops are compiled for AVX2 and FMA, and for AVX-512 where the machine has it. A second table has the
//! functions of singles, against `std` and against the double's function rounded.

#![allow(unsafe_code)] // the loops are entered only after their target features were found

use std::hint::black_box;
use std::time::Instant;

use megha_rt::math;

const LENGTH: usize = 4096;
const REPETITIONS: usize = 400;

/// A compiled loop `y[i] = f(x[i])`.
type Loop<T> = fn(&[T], &mut [T]);

/// Nanoseconds per element of `run` on `x`: the minimum, which other load on the machine disturbs least.
fn time<T: Clone + Default>(run: Loop<T>, x: &[T]) -> f64 {
    let mut y = vec![T::default(); x.len()];
    let mut best = f64::INFINITY;
    for _ in 0..REPETITIONS {
        let start = Instant::now();
        run(black_box(x), black_box(&mut y));
        best = best.min(start.elapsed().as_secs_f64());
    }
    best * 1e9 / x.len() as f64
}

/// `LENGTH` points spread evenly, but out of order, over `[low, high]`.
fn points(low: f64, high: f64) -> Vec<f64> {
    (0..LENGTH).map(|i| low + (high - low) * ((i * 1597) % LENGTH) as f64 / LENGTH as f64).collect()
}

/// A safe function that runs `$body` over the slices inside a function with the target features `$features`.
macro_rules! vector_loop {
    ($t:ty, $features:literal, $body:expr) => {{
        fn entry(x: &[$t], y: &mut [$t]) {
            #[target_feature(enable = $features)]
            fn inner(x: &[$t], y: &mut [$t]) {
                for (y, &x) in y.iter_mut().zip(x) {
                    *y = $body(x);
                }
            }
            // SAFETY: main asks for these features before it makes any call.
            unsafe { inner(x, y) }
        }
        entry as Loop<$t>
    }};
}

/// A plain loop over `$body`, for the reference.
macro_rules! plain_loop {
    ($t:ty, $body:expr) => {{
        fn entry(x: &[$t], y: &mut [$t]) {
            for (y, &x) in y.iter_mut().zip(x) {
                *y = $body(x);
            }
        }
        entry as Loop<$t>
    }};
}

/// One row: a name, the range of the arguments, the loops.
struct Row {
    name: &'static str,
    range: (f64, f64),
    avx2: Loop<f64>,
    avx512: Loop<f64>,
    reference: Loop<f64>,
}

/// One row of the functions of singles.
struct Single {
    name: &'static str,
    range: (f64, f64),
    single: Loop<f32>,
    double: Loop<f32>,
    reference: Loop<f32>,
}

macro_rules! single {
    ($name:literal, $range:expr, $single:expr, $double:expr, $reference:expr) => {
        Single {
            name: $name,
            range: $range,
            single: vector_loop!(f32, "avx2,fma", $single),
            double: vector_loop!(f32, "avx2,fma", |x| $double(f64::from(x)) as f32),
            reference: plain_loop!(f32, $reference),
        }
    };
}

macro_rules! row {
    ($name:literal, $range:expr, $ours:expr, $reference:expr) => {
        Row {
            name: $name,
            range: $range,
            avx2: vector_loop!(f64, "avx2,fma", $ours),
            avx512: vector_loop!(f64, "avx2,fma,avx512f,avx512dq,avx512vl", $ours),
            reference: plain_loop!(f64, $reference),
        }
    };
}

fn rows() -> Vec<Row> {
    vec![
        row!("exp", (-20.0, 20.0), math::exp, f64::exp),
        row!("expm1", (-20.0, 20.0), math::expm1, f64::exp_m1),
        row!("log", (1e-3, 1e3), math::log, f64::ln),
        row!("log1p", (-0.9, 10.0), math::log1p, f64::ln_1p),
        row!("log10", (1e-3, 1e3), math::log10, f64::log10),
        row!("sqrt", (1e-3, 1e3), f64::sqrt, f64::sqrt),
        row!("sin_moderate", (-100.0, 100.0), math::sin_moderate, f64::sin),
        row!("cos_moderate", (-100.0, 100.0), math::cos_moderate, f64::cos),
        row!("sin", (-100.0, 100.0), math::sin, f64::sin),
        row!("tan_moderate", (-100.0, 100.0), math::tan_moderate, f64::tan),
        row!("tanh", (-5.0, 5.0), math::tanh, f64::tanh),
        row!("sinh", (-5.0, 5.0), math::sinh, f64::sinh),
        row!("atan", (-5.0, 5.0), math::atan, f64::atan),
        row!("asin", (-1.0, 1.0), math::asin, f64::asin),
        row!("asinh", (-5.0, 5.0), math::asinh, f64::asinh),
        row!("acosh", (1.0, 10.0), math::acosh, f64::acosh),
        row!("atanh", (-1.0, 1.0), math::atanh, f64::atanh),
        row!("gamma", (-5.0, 20.0), math::gamma, libm::tgamma),
        row!("erf", (-4.0, 4.0), math::erf, libm::erf),
        row!("erfc", (-4.0, 10.0), math::erfc, libm::erfc),
        row!("pow(x, 2.5)", (1e-3, 1e3), |x| math::pow(x, 2.5), |x: f64| x.powf(2.5)),
    ]
}

fn singles() -> Vec<Single> {
    vec![
        single!("exp", (-20.0, 20.0), math::exp_single, math::exp, f32::exp),
        single!("expm1", (-20.0, 20.0), math::expm1_single, math::expm1, f32::exp_m1),
        single!("log", (1e-3, 1e3), math::log_single, math::log, f32::ln),
        single!("log1p", (-0.9, 10.0), math::log1p_single, math::log1p, f32::ln_1p),
        single!("log2", (1e-3, 1e3), math::log2_single, math::log2, f32::log2),
        single!("log10", (1e-3, 1e3), math::log10_single, math::log10, f32::log10),
        single!("sin_moderate", (-100.0, 100.0), math::sin_moderate_single, math::sin_moderate, f32::sin),
        single!("cos_moderate", (-100.0, 100.0), math::cos_moderate_single, math::cos_moderate, f32::cos),
        single!("sin", (-100.0, 100.0), math::sin_single, math::sin, f32::sin),
        single!("tan_moderate", (-100.0, 100.0), math::tan_moderate_single, math::tan_moderate, f32::tan),
        single!("tanh", (-5.0, 5.0), math::tanh_single, math::tanh, f32::tanh),
        single!("sinh", (-5.0, 5.0), math::sinh_single, math::sinh, f32::sinh),
        single!("atan", (-5.0, 5.0), math::atan_single, math::atan, f32::atan),
        single!("asin", (-1.0, 1.0), math::asin_single, math::asin, f32::asin),
        single!("erf", (-4.0, 4.0), math::erf_single, math::erf, libm::erff),
        single!("erfc", (-4.0, 10.0), math::erfc_single, math::erfc, libm::erfcf),
        single!("pow(x, 2.5)", (1e-3, 1e3), |x| math::pow_single(x, 2.5), |x| math::pow(x, 2.5), |x: f32| x.powf(2.5)),
    ]
}

fn main() {
    if !(is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")) {
        println!("this benchmark needs AVX2 and FMA");
        return;
    }
    let wide = is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl");
    println!("{:<14} {:>9} {:>9} {:>9} {:>7}", "function", "std ns", "AVX2 ns", "AVX512 ns", "ratio");
    for row in rows() {
        let x = points(row.range.0, row.range.1);
        let (reference, avx2) = (time(row.reference, &x), time(row.avx2, &x));
        let avx512 = if wide { format!("{:.3}", time(row.avx512, &x)) } else { "-".into() };
        println!("{:<14} {reference:>9.3} {avx2:>9.3} {avx512:>9} {:>7.1}", row.name, reference / avx2);
    }
    println!(
        "\n{:<14} {:>9} {:>9} {:>9} {:>7} {:>7}",
        "of singles", "std ns", "double ns", "ours ns", "ratio", "ratio"
    );
    for row in singles() {
        let x: Vec<f32> = points(row.range.0, row.range.1).into_iter().map(|x| x as f32).collect();
        let [reference, double, single] = [row.reference, row.double, row.single].map(|run| time(run, &x));
        let ratios = [reference / single, double / single];
        println!("{:<14} {reference:>9.3} {double:>9.3} {single:>9.3} {:>7.1} {:>7.1}", row.name, ratios[0], ratios[1]);
    }
}
