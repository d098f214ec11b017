//! Compiled code on the simulated device, with all its checks, against the CPU: equal to the bit.

use std::sync::Arc;

use megha::device::sim::SimDevice;
use megha::device::{Device, Placement, Queue, with};
use ndarray::{ArrayD, ArrayViewD};

use super::common::golden::Golden;
use super::golden;
use super::programs::{COMPILED, Call};
use super::reference::equal;

#[test]
fn where_a_kernel_runs_does_not_matter() {
    let mut wrong = Vec::new();
    for (program, call) in COMPILED {
        for golden in golden(program) {
            let inputs: Vec<ArrayViewD<f64>> = golden.inputs().map(|a| a.view()).collect();
            let rows: Vec<ArrayD<f64>> = inputs.iter().map(|a| a.as_standard_layout().into_owned()).collect();
            let rows: Vec<ArrayViewD<f64>> = rows.iter().map(|a| a.view()).collect();
            wrong.extend([inputs, rows].iter().filter_map(|inputs| compare(*call, inputs, &golden).err()));
        }
    }
    assert!(wrong.is_empty(), "{} calls differ:\n{}", wrong.len(), wrong.join("\n"));
}

/// Whether a call gives the same on the device, which finds nothing to complain of.
fn compare(call: Call, inputs: &[ArrayViewD<f64>], golden: &Golden) -> Result<(), String> {
    let wanted = call(inputs);
    let device = Arc::new(SimDevice::new(SimDevice::standard()));
    let got = with(device.clone(), Placement::Gpu, || call(inputs));
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
