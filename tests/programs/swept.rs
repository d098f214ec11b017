//! The six programs on devices of ever less memory.

use ndarray::ArrayD;

use super::common::golden::Golden;
use super::octave::inputs;
use super::pressed::{noise, number};
use super::sweeping::{Sweep, bits};
use super::{PROGRAMS, Program, views};

/// Arguments of a call that takes some time.
fn large(program: &str) -> Vec<ArrayD<f64>> {
    let positive = |rows: usize, columns: usize| noise(rows, columns).mapv(|x| 1.1 + x);
    match program {
        "bscholes" => (0..5).map(|_| positive(6000, 1)).collect(),
        "clos" => vec![ArrayD::from_shape_fn(vec![64, 64], |i| f64::from(u8::from((i[0] + 1) % 64 == i[1])))],
        "fdtd" => [1, 1, 1, 14, 14, 10, 6].map(number).into(),
        "filter_bank" => vec![noise(2000, 1), noise(16, 4)],
        "matmul" => vec![noise(64, 60), noise(60, 68)],
        "nb3d" => {
            let [softening, dt] = [0.05, 0.01].map(|x| ArrayD::from_elem(vec![1, 1], x));
            vec![noise(96, 3), noise(96, 3), positive(96, 1), softening, dt, number(6)]
        }
        _ => panic!("there is no program `{program}`"),
    }
}

#[test]
fn scarce_memory_never_makes_a_call_slower_than_the_cpu_alone() {
    let mut sweep = Sweep::new();
    let length = |arrays: &Vec<ArrayD<f64>>| arrays.iter().map(ArrayD::len).sum::<usize>();
    for program @ Program { name, call, .. } in &PROGRAMS {
        let calls = Golden::all(name).into_iter().map(|golden| inputs(program, &golden));
        for (what, arguments) in [(*name, calls.max_by_key(length).unwrap()), ("larger", large(name))] {
            sweep.add(what, &|| bits(&call(&views(&arguments)).unwrap()));
        }
    }
    sweep.check();
}
