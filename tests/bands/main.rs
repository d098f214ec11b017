//! Loops over time run band by band: the same bits for bands and blocks of steps of any size, any number of threads, both orders of memory.

mod programs;

use megha::rt::bands;
use ndarray::{ArrayD, IxDyn, ShapeBuilder};
use programs::{PROGRAMS, Program};

/// Widths of bands and heights of blocks; some are wider and higher than all.
const SHAPES: [(usize, usize); 7] = [(1, 1), (1, 3), (2, 2), (3, 1), (4, 3), (2, 50), (64, 2)];

/// Numbers without a pattern that the sizes share.
fn filled(shape: &[usize], seed: u64, rows_first: bool) -> ArrayD<f64> {
    let mut array = ArrayD::zeros(IxDyn(shape).set_f(!rows_first));
    for (at, x) in array.indexed_iter_mut() {
        let mix = |n: u64, d: usize| n.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(at[d] as u64 + 1);
        *x = (((0..shape.len()).fold(seed, mix) >> 33) % 2001) as f64 / 1000.0 - 1.0;
    }
    array
}

fn bits(results: &[ArrayD<f64>]) -> Vec<u64> {
    results.iter().flat_map(|array| array.iter().map(|x| x.to_bits())).collect()
}

/// Compares a program's results in bands with those step by step; how many launches of a step ran in bands.
fn check(program: &Program, shape: &[usize], (steps, rows_first): (usize, bool)) -> u64 {
    let arguments: Vec<_> = (0..program.arrays).map(|k| filled(shape, k, rows_first)).collect();
    let run = || bits(&(program.call)(&arguments, steps as f64));
    let wanted = run();
    let mut launches = 0;
    for threads in [1, 2, 4] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        for (width, height) in SHAPES {
            let (got, noted) = pool.install(|| bands::within(width, height, run));
            let what = format!("{} {shape:?} {steps} steps, rows first {rows_first}", program.name);
            assert_eq!(got, wanted, "{what}: width {width}, height {height}, {threads} threads");
            launches = noted / steps.max(1) as u64;
        }
    }
    launches
}

#[test]
fn bands_make_what_steps_make() {
    let mut wrong = Vec::new();
    for program in &PROGRAMS {
        for shape in program.shapes {
            let cases = [0, 1, 2, 7].into_iter().flat_map(|steps| [(steps, false), (steps, true)]);
            let launches: Vec<u64> = cases.map(|case| check(program, shape, case)).collect();
            let wanted = [0, 0].into_iter().chain([program.launches; 6]);
            if !launches.iter().copied().eq(wanted) {
                wrong.push(format!("{} {shape:?}: {launches:?} launches in bands", program.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
