//! Compiled code on the simulated device, with all its checks, against the CPU: equal to the bit.

use std::sync::Arc;
use std::time::Duration;

use expect_test::expect;
use megha::device::sim::SimDevice;
use megha::device::{Device, Placement, Queue, with};
use ndarray::{ArrayD, ArrayViewD};

use super::common::golden::Golden;
use super::golden;
use super::programs::{COMPILED, Call};
use super::reference::equal;

#[test]
fn where_a_kernel_runs_does_not_matter() {
    all_compare(&|| SimDevice::new(SimDevice::standard()), Placement::Gpu);
}

/// A device with room for few arrays takes some kernels of a program and leaves others, so arrays go back and forth.
#[test]
fn a_full_device_leaves_kernels_to_the_cpu() {
    for memory in [512, 1024, 4096] {
        let mut config = SimDevice::standard();
        let model = &mut config.model;
        (model.launch_latency, model.copy_latency, model.issue) = (Duration::ZERO, Duration::ZERO, Duration::ZERO);
        (model.to_device, model.from_device, model.memory_bandwidth, model.flops64) = (1e30, 1e30, 1e30, 1e30);
        config.memory = memory;
        all_compare(&|| SimDevice::new(config.clone()), Placement::Auto);
    }
}

/// Kernels on both sides in all mixtures, so that they begin early, wait for each other and fetch each other's arrays in all ways.
#[test]
fn kernels_placed_by_lot_change_nothing() {
    for seed in 0..6 {
        all_compare(&|| SimDevice::new(SimDevice::standard()).by_lot(seed), Placement::Auto);
    }
}

/// Compares all calls of all programs, in both memory orders.
fn all_compare(device: &dyn Fn() -> SimDevice, placement: Placement) {
    let mut wrong = Vec::new();
    for (program, call) in COMPILED {
        for golden in golden(program) {
            let inputs: Vec<ArrayViewD<f64>> = golden.inputs().map(|a| a.view()).collect();
            let rows: Vec<ArrayD<f64>> = inputs.iter().map(|a| a.as_standard_layout().into_owned()).collect();
            let rows: Vec<ArrayViewD<f64>> = rows.iter().map(|a| a.view()).collect();
            wrong.extend(
                [inputs, rows]
                    .iter()
                    .filter_map(|inputs| compare(*call, inputs, &golden, (Arc::new(device()), placement)).err()),
            );
        }
    }
    assert!(wrong.is_empty(), "{} calls differ:\n{}", wrong.len(), wrong.join("\n"));
}

/// Whether a call gives the same on the device, which finds nothing to complain of.
fn compare(
    call: Call,
    inputs: &[ArrayViewD<f64>],
    golden: &Golden,
    (device, placement): (Arc<SimDevice>, Placement),
) -> Result<(), String> {
    let wanted = call(inputs);
    let got = with(device.clone(), placement, || call(inputs));
    let mistakes = device.mistakes();
    if !mistakes.is_empty() {
        return Err(format!("{}: {}", golden.name, mistakes.join("; ")));
    }
    for queue in [Queue::Compute, Queue::Upload, Queue::Download] {
        let waited = device.record(queue).and_then(|event| device.synchronize(event));
        waited.map_err(|failure| format!("{}: {failure}", golden.name))?;
    }
    if device.simulator().memory().used != 0 {
        return Err(format!("{}: memory of the device is not given back", golden.name));
    }
    match (&got, &wanted) {
        (Ok(got), Ok(wanted)) if got.iter().zip(wanted).all(|(got, wanted)| equal(got, wanted)) => Ok(()),
        (Err(got), Err(wanted)) if got == wanted => Ok(()),
        _ => Err(format!("{}: {got:?}, on the CPU {wanted:?}", golden.name)),
    }
}

/// Those of MEGHA's twelve programs that are not in `tests/programs`.
const OTHERS: [&str; 6] = ["capr", "crni", "dich", "edit", "fiff", "nb1d"];

/// What moves between host and device, against a scheme that moves each kernel's arrays there and back (MEGHA, figure 3.9).
#[test]
fn little_is_moved() {
    let mut table = "call                 copies    bytes    naive   reduction\n".to_owned();
    for (program, call) in COMPILED.iter().filter(|(program, _)| OTHERS.contains(program)) {
        let largest = |g: &Golden| g.outputs().iter().map(|(_, a)| a.len()).sum::<usize>();
        let golden = golden(program).into_iter().filter(|g| g.error().is_none()).max_by_key(largest).expect("a call");
        let inputs: Vec<ArrayViewD<f64>> = golden.inputs().map(|a| a.view()).collect();
        let device = Arc::new(SimDevice::new(SimDevice::standard()));
        with(device, Placement::Gpu, || call(&inputs)).expect("a result");
        let moved = megha::rt::last_run().expect("a call").moved;
        let (copies, bytes) = (moved.uploads + moved.downloads, moved.bytes_up + moved.bytes_down);
        let reduction = moved.naive as f64 / bytes.max(1) as f64;
        table += &format!("{:<20}{copies:>7}{bytes:>9}{:>9}{reduction:>11.1}\n", golden.name, moved.naive);
    }
    expect![[r#"
        call                 copies    bytes    naive   reduction
        capr-n8                  18    11664    11664        1.0
        crni-17x9                54    29088    37928        1.3
        dich-21x13                5    10920    19656        1.8
        edit-random               2    22304    44608        2.0
        fiff-24x40                4    30720   614400       20.0
        nb1d-n9                2137   101384   319472        3.2
    "#]]
    .assert_eq(&table);
}
