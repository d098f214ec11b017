//! Launches run strip by strip: the same bits for strips of any width, any number of threads, both orders of memory, rows of one chunk and of several.

#[path = "../bands/fields.rs"]
mod fields;
mod programs;

use fields::{digest, filled};
use megha::rt::strips;
use ndarray::ArrayD;
use programs::{PROGRAMS, Program, SQUARES};

/// Widths of strips; the last is wider than all.
const WIDTHS: [usize; 5] = [1, 2, 3, 7, 10_000];

/// Compares a program's results in strips with those launch by launch; how many launches ran in strips.
fn check(program: &Program, shape: &[usize], rows_first: bool) -> u64 {
    let arguments: Vec<ArrayD<f64>> = (0..program.arrays).map(|k| filled(shape, k, rows_first)).collect();
    let run = || digest(&(program.call)(&arguments));
    let wanted = run();
    let mut launches = 0;
    for threads in [1, 2, 4] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        for width in WIDTHS {
            let (got, noted) = pool.install(|| strips::within(width, run));
            let what = format!("{} {shape:?}, rows first {rows_first}", program.name);
            assert_eq!(got, wanted, "{what}: width {width}, {threads} threads");
            launches = noted;
        }
    }
    launches
}

#[test]
fn strips_make_what_launches_make() {
    let mut wrong = Vec::new();
    for program in &PROGRAMS {
        for shape in program.shapes {
            // The results of several chunks are combined by a launch of their own.
            let launches = [false, true].map(|rows_first| check(program, shape, rows_first));
            let combining = if shape.iter().any(|extent| *extent > 4096) { program.combining } else { 0 };
            if launches != [program.launches + combining; 2] {
                wrong.push(format!("{} {shape:?}: {launches:?} launches in strips", program.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What runs in strips by itself, without a test that asks for it, makes the same too.
#[test]
fn large_arrays_run_in_strips() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let mut in_strips = 0;
    for program in PROGRAMS.iter().filter(|program| program.shapes[0].len() == 2 && program.shapes != SQUARES) {
        for (shape, rows_first) in [([700, 300], false), ([700, 300], true), ([3000, 40], false)] {
            let arguments: Vec<ArrayD<f64>> = (0..program.arrays).map(|k| filled(&shape, k, rows_first)).collect();
            let run = || digest(&(program.call)(&arguments));
            // One strip of all rows is launch by launch.
            let wanted = pool.install(|| strips::within(usize::MAX, run)).0;
            let (got, noted) = pool.install(|| strips::counted(run));
            assert_eq!(got, wanted, "{} {shape:?} {rows_first}", program.name);
            in_strips += u64::from(noted > 0);
        }
    }
    assert!(in_strips >= 10, "{in_strips}");
}
