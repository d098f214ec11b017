//! Products of matrices against the crate gemm's, in one run, in turns: seconds at best, and the ratio.
//!
//! `cargo bench -p megha-rt --bench products`; sizes may follow. `MEGHA_ISA` and `RAYON_NUM_THREADS` choose what ours may use.

#![allow(unsafe_code, reason = "the library takes pointers")]

use std::hint::black_box;
use std::time::Instant;

use gemm_common::Parallelism;
use megha_rt as rt;
use ndarray::Array2;
use rt::{ColMajor, Input, Vector};

const SITE: rt::Site = rt::Site { path: "products.rs", line: 1, column: 1, text: "a * b" };

fn seconds(run: &mut dyn FnMut()) -> f64 {
    let start = Instant::now();
    run();
    start.elapsed().as_secs_f64()
}

macro_rules! compare {
    ($name:ident $t:ident $library:ident) => {
        fn $name(n: usize, threads: usize) {
            let matrix = |seed: usize| Array2::from_shape_fn((n, n), |(i, j)| ((i * 7 + j * seed) % 13) as $t - 6.0);
            let (a, b) = (matrix(3), matrix(5));
            // Columns first.
            let (a, b) = (a.reversed_axes(), b.reversed_axes());
            let routine = $library::gemm::$t::get_gemm_fn();
            let parallelism = if threads > 1 { Parallelism::Rayon(threads) } else { Parallelism::None };
            let s = n as isize;
            let mut ours = || {
                let (a, b) = (a.strided(Vector::Column), b.strided(Vector::Column));
                black_box(rt::linalg::product::<ColMajor, $t>(a, b, &SITE).unwrap());
            };
            let mut theirs = || {
                let mut c = rt::Array::<ColMajor, $t, 2>::uninit([n, n], &SITE).unwrap();
                // SAFETY: all three have n by n elements, columns first.
                unsafe {
                    let c = c.as_mut_slice().as_mut_ptr().cast();
                    routine(
                        n,
                        n,
                        n,
                        c,
                        s,
                        1,
                        false,
                        a.as_ptr(),
                        s,
                        1,
                        b.as_ptr(),
                        s,
                        1,
                        0.0,
                        1.0,
                        false,
                        false,
                        false,
                        parallelism,
                    );
                }
                black_box(&mut c);
            };
            let mut best = [f64::INFINITY; 2];
            let repeats = ((1 << 29) / (n * n * n)).clamp(6, 20000);
            for _ in 0..repeats {
                best[0] = best[0].min(seconds(&mut ours));
                best[1] = best[1].min(seconds(&mut theirs));
            }
            let speed = best.map(|s| 2.0 * (n * n * n) as f64 / s / 1e9);
            println!(
                "{} {n:>5} {threads} threads: {:>9.4} ms {:>6.1} GF/s, gemm {:>9.4} ms {:>6.1} GF/s, ratio {:.3}",
                stringify!($t),
                best[0] * 1e3,
                speed[0],
                best[1] * 1e3,
                speed[1],
                best[1] / best[0],
            );
        }
    };
}
compare!(doubles f64 gemm_f64);
compare!(singles f32 gemm_f32);

fn main() {
    let asked: Vec<usize> = std::env::args().filter_map(|a| a.parse().ok()).collect();
    let sizes = if asked.is_empty() { vec![4, 8, 16, 24, 32, 64, 128, 256, 512, 1024, 2048] } else { asked };
    let threads = rayon::current_num_threads();
    for n in sizes {
        doubles(n, threads);
        singles(n, threads);
    }
}
