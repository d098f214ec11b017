//! Compiled code on the CUDA device: processes that find a simulated driver (`megha-sim/driver`) where they look for NVIDIA's.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;

use megha::device::{Builder, Device, Kind, Placement, with};
use megha::rt::ErrorKind;
use ndarray::ArrayViewD;

use super::common::golden::Golden;
use super::golden;
use super::programs::{COMPILED, Call};
use super::reference::equal;

/// Programs of MEGHA's Table 3.1 among those here.
const TWELVE: [&str; 6] = ["capr", "crni", "dich", "edit", "fiff", "nb1d"];

/// Says to `child` what it is to do.
const TASK: &str = "MEGHA_TEST_TASK";

/// A folder in which the simulated driver has the name of NVIDIA's.
fn folder() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let library = test.with_file_name("libmegha_sim_driver.so");
    let folder = std::env::temp_dir().join(format!("megha-driver-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let link = folder.join("libcuda.so.1");
    if !link.exists() {
        // another test of this process may just have made it
        let _ = std::os::unix::fs::symlink(&library, &link);
    }
    folder
}

/// Runs `child` with the simulated driver, of which one call may fail: `number:code`.
fn run(folder: &Path, task: &str, failure: Option<&str>) -> Output {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "cuda::child", "--nocapture"]);
    command.env("LD_LIBRARY_PATH", folder).env("MEGHA_CACHE", folder).env(TASK, task);
    if let Some(failure) = failure {
        command.env("MEGHA_SIM_DRIVER_FAIL", failure);
    }
    command.output().unwrap()
}

/// Asserts that a process succeeded, and that the driver found no mistake.
fn assert_fine(what: &str, output: &Output) {
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && !err.contains("simulated CUDA driver"), "{what}:\n{out}\n{err}");
}

#[test]
fn where_a_kernel_runs_does_not_matter() {
    assert_fine("all programs", &run(&folder(), "all", None));
}

/// Whatever call of the driver fails, the CPU makes up for it, or the error says so where kernels have to run on the device.
#[test]
fn a_driver_that_fails_changes_nothing() {
    let folder = folder();
    // each of the first calls, which open the device and start the first kernels; after them some from everywhere
    let numbers = (1..60).chain((60..1200).step_by(57));
    for number in numbers {
        // invalid value, out of memory, illegal address
        let failure = format!("{number}:{}", [1, 2, 700][number % 3]);
        assert_fine(&failure, &run(&folder, "some", Some(&failure)));
    }
}

/// Not a test by itself: what the other tests run in a process of its own.
#[test]
fn child() {
    let Ok(task) = std::env::var(TASK) else { return };
    let failing = std::env::var_os("MEGHA_SIM_DRIVER_FAIL").is_some();
    let opened = Builder::new(Kind::Gpu).open();
    if failing && opened.is_err() {
        return;
    }
    let (device, _) = opened.unwrap().expect("the simulated driver");
    assert_eq!(device.name(), "Simulated CUDA device");
    for (program, call) in COMPILED {
        let calls = golden(program);
        let calls = match task.as_str() {
            "all" => calls,
            _ if TWELVE.contains(program) => calls.into_iter().take(1).collect(),
            _ => Vec::new(),
        };
        calls.iter().for_each(|golden| compare(&device, failing, *call, golden));
    }
}

/// Asserts that a call gives the same on the device and on the CPU. A device that fails may say so where all kernels have to run on it.
fn compare(device: &Arc<dyn Device>, failing: bool, call: Call, golden: &Golden) {
    let inputs: Vec<ArrayViewD<f64>> = golden.inputs().map(|a| a.view()).collect();
    let wanted = call(&inputs);
    for placement in [Placement::Gpu, Placement::Auto] {
        let got = with(device.clone(), placement, || call(&inputs));
        let same = match (&got, &wanted) {
            (Ok(got), Ok(wanted)) => got.iter().zip(wanted).all(|(got, wanted)| equal(got, wanted)),
            (Err(got), Ok(_)) if failing && placement == Placement::Gpu => {
                matches!(got.kind(), ErrorKind::Device { .. })
            }
            (got, wanted) => got == wanted,
        };
        assert!(same, "{}, {placement:?}: {got:?}, on the CPU {wanted:?}", golden.name);
    }
}
