//! The programs on devices of ever less memory.

use ndarray::ArrayViewD;

use super::common::golden::Golden;
use super::golden;
use super::programs::COMPILED;
use super::sweeping::{Sweep, bits};

#[test]
fn scarce_memory_never_makes_a_call_slower_than_the_cpu_alone() {
    let mut sweep = Sweep::new();
    let length = |golden: &Golden| golden.outputs().iter().map(|(_, array)| array.len()).sum::<usize>();
    for (program, call) in COMPILED {
        let calls = golden(program).into_iter().filter(|golden| golden.error().is_none());
        let Some(golden) = calls.max_by_key(length) else { continue };
        let inputs: Vec<ArrayViewD<f64>> = golden.inputs().map(|a| a.view()).collect();
        sweep.add(&golden.name, &|| bits(&call(&inputs).unwrap()));
    }
    sweep.check();
}
