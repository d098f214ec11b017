//! Compiled code on the CUDA device, in processes that find a simulated driver (`megha-sim/driver`) where they look for NVIDIA's.
//!
//! On a machine with a GPU `MEGHA_TEST_TASK=all` (or `parts`) `gallery --exact cuda::child` does the same on the real one.

use megha::device::{Builder, Kind, Placement, with};
use ndarray::ArrayViewD;

use super::device::{OTHERS, small};
use super::driver;
use super::failing::assert_alike;
use super::golden;
use super::programs::COMPILED;

#[test]
fn where_a_kernel_runs_does_not_matter() {
    let out = driver::run("cuda::child", "all", false);
    assert!(out.contains("device: Simulated CUDA device"), "{out}");
}

#[test]
fn parts_make_what_the_whole_makes() {
    driver::run("cuda::child", "parts", false);
}

/// The device's pool keeps to its budget, with blocks of its size classes, and fragments do not add up.
#[test]
fn little_memory_changes_nothing() {
    driver::run("cuda::child", "budgets", false);
}

/// Whatever call of the driver fails, the CPU makes up for it, or the error says so where kernels have to run on the device.
#[test]
fn a_driver_that_fails_changes_nothing() {
    driver::run("cuda::child", "failing", false);
}

/// Not a test by itself: what the other tests run in a process of its own.
#[test]
fn child() {
    match driver::task().as_deref() {
        Some("all") => compare_all(),
        Some("parts") => {
            for (golden, call) in
                COMPILED.iter().flat_map(|(program, call)| golden(program).into_iter().map(move |g| (g, call)))
            {
                let inputs: Vec<ArrayViewD<f64>> = golden.inputs().map(|a| a.view()).collect();
                driver::in_parts(&golden.name, &|| call(&inputs));
            }
        }
        Some(task) => {
            for (program, call) in COMPILED.iter().filter(|(program, _)| OTHERS.contains(program)) {
                let golden = small(program);
                let inputs: Vec<ArrayViewD<f64>> = golden.inputs().map(|a| a.view()).collect();
                let call = || call(&inputs);
                if task == "budgets" {
                    driver::under_budgets(program, &call)
                } else {
                    driver::each_call(program, &call)
                }
            }
        }
        None => {}
    }
}

/// Asserts that every call gives the same on the device and on the CPU.
fn compare_all() {
    let (device, _) = Builder::new(Kind::Gpu).open().unwrap().expect("a device");
    println!("device: {}", device.name());
    for (program, call) in COMPILED {
        for golden in golden(program) {
            let inputs: Vec<ArrayViewD<f64>> = golden.inputs().map(|a| a.view()).collect();
            let wanted = call(&inputs);
            for placement in [Placement::Gpu, Placement::Auto] {
                let got = with(device.clone(), placement, || call(&inputs));
                assert_alike(&golden.name, Placement::Auto, &got, &wanted);
            }
        }
    }
}
