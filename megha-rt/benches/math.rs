//! Nanoseconds per element of the math functions in a vectorised loop, against `std` (or the `libm` crate for `erf`, `erfc` and `gamma`).
//!
//! `cargo bench -p megha-rt --bench math`. Each loop runs over 4096 elements that stay in the cache; the fastest of many
//! repetitions counts. The loops are compiled for AVX2 and FMA, and for AVX-512 where the machine has it.

#![allow(unsafe_code)] // the loops are entered only after their target features were found

use std::hint::black_box;
use std::time::Instant;

use megha_rt::math;

const LENGTH: usize = 4096;
const REPETITIONS: usize = 400;

/// A compiled loop `y[i] = f(x[i])`.
type Loop = fn(&[f64], &mut [f64]);

/// Nanoseconds per element of `run` on `x`: the minimum, which other load on the machine disturbs least.
fn time(run: Loop, x: &[f64]) -> f64 {
    let mut y = vec![0.0; x.len()];
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
    ($features:literal, $body:expr) => {{
        fn entry(x: &[f64], y: &mut [f64]) {
            #[target_feature(enable = $features)]
            fn inner(x: &[f64], y: &mut [f64]) {
                for (y, &x) in y.iter_mut().zip(x) {
                    *y = $body(x);
                }
            }
            // SAFETY: main asks for these features before it makes any call.
            unsafe { inner(x, y) }
        }
        entry as Loop
    }};
}

/// A plain loop over `$body`, for the reference.
macro_rules! plain_loop {
    ($body:expr) => {{
        fn entry(x: &[f64], y: &mut [f64]) {
            for (y, &x) in y.iter_mut().zip(x) {
                *y = $body(x);
            }
        }
        entry as Loop
    }};
}

/// One row: a name, the range of the arguments, the loops.
struct Row {
    name: &'static str,
    range: (f64, f64),
    avx2: Loop,
    avx512: Loop,
    reference: Loop,
}

macro_rules! row {
    ($name:literal, $range:expr, $ours:expr, $reference:expr) => {
        Row {
            name: $name,
            range: $range,
            avx2: vector_loop!("avx2,fma", $ours),
            avx512: vector_loop!("avx2,fma,avx512f,avx512dq,avx512vl", $ours),
            reference: plain_loop!($reference),
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
}
