//! Loops over time run band by band: the same bits for bands and blocks of steps of any size, any number of threads, both orders of memory.

mod fields;
#[path = "../common/outside.rs"]
mod outside;
mod programs;
mod random;
#[path = "../common/reference.rs"]
#[allow(dead_code, reason = "shared with tests that use more of it")]
mod reference;

use fields::{digest, filled};
use megha::rt::bands;
use programs::{GROWING, PROGRAMS, Program};

/// Widths of bands and heights of blocks; some are wider and higher than all.
const SHAPES: [(usize, usize); 7] = [(1, 1), (1, 3), (2, 2), (3, 1), (4, 3), (2, 50), (64, 2)];

/// Compares a program's results in bands with those step by step; how many launches of a step ran in bands.
fn check(program: &Program, shape: &[usize], (steps, rows_first): (usize, bool)) -> u64 {
    let arguments: Vec<_> = (0..program.arrays).map(|k| filled(shape, k, rows_first)).collect();
    let run = || digest(&(program.call)(&arguments, steps as f64));
    let wanted = run();
    let (mut launches, mut of_lines) = (0, 0);
    for threads in [1, 2, 4] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        for ((width, height), inside) in SHAPES.into_iter().flat_map(|shape| [(shape, false), (shape, true)]) {
            let cut = bands::Shape { width, height, inside };
            let (got, [noted, lines]) = pool.install(|| bands::within(cut, run));
            let what = format!("{} {shape:?} {steps} steps, rows first {rows_first}", program.name);
            assert_eq!(got, wanted, "{what}: {cut:?}, {threads} threads");
            launches = noted / steps.max(1) as u64;
            assert!(lines == 0 || inside && shape.len() > 2, "{what}: {cut:?}");
            of_lines += lines;
        }
    }
    assert_eq!(of_lines > 0, launches > 0 && shape.len() > 2, "{} {shape:?} {steps} steps", program.name);
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

/// How often the loop inside runs is known in the loop around it alone, which so is not part of it.
#[test]
fn loops_of_changing_lengths() {
    for shape in GROWING.shapes {
        for rows_first in [false, true] {
            // Seven runs of steps, 28 in all.
            assert_eq!(check(&GROWING, shape, (7, rows_first)), 28 / 7, "{shape:?}");
        }
    }
}
