//! Compiled code on the simulated device, with all its checks, against the CPU: equal to the bit.

use std::sync::Arc;

use expect_test::expect;
use megha::device::sim::SimDevice;
use megha::device::{Device, Placement, Queue, with};
use ndarray::{ArrayD, ArrayViewD, Slice};

use super::common::golden::Golden;
use super::failing::{each_operation, instant};
use super::golden;
use super::interpreted::lowered;
use super::programs::{COMPILED, Call};
use super::reference::equal;
use super::transfers::{HEAD, line};

#[test]
fn where_a_kernel_runs_does_not_matter() {
    all_compare(&|| SimDevice::new(SimDevice::standard()), Placement::Gpu);
}

/// A device with room for few arrays takes some kernels of a program and leaves others, so arrays go back and forth.
#[test]
fn a_full_device_leaves_kernels_to_the_cpu() {
    use Placement::{Auto, Gpu};
    for (memory, placement) in [(512, Auto), (1024, Auto), (4096, Auto), (1024, Gpu), (3072, Gpu)] {
        let mut config = instant().simulator().config().clone();
        config.memory = memory;
        all_compare(&|| SimDevice::new(config.clone()), placement);
    }
}

/// Kernels on both sides in all mixtures, so that they begin early, wait for each other and fetch each other's arrays in all ways.
#[test]
fn kernels_placed_by_lot_change_nothing() {
    for seed in 0..8 {
        all_compare(&|| SimDevice::new(SimDevice::standard()).by_lot(seed), Placement::Auto);
    }
}

/// Compares all calls of all programs, in both memory orders and with arguments that are not contiguous.
fn all_compare(device: &dyn Fn() -> SimDevice, placement: Placement) {
    let mut wrong = Vec::new();
    for (program, call) in COMPILED {
        for golden in golden(program) {
            let inputs: Vec<ArrayViewD<f64>> = golden.inputs().map(|a| a.view()).collect();
            let rows: Vec<ArrayD<f64>> = inputs.iter().map(|a| a.as_standard_layout().into_owned()).collect();
            let apart: Vec<[ArrayD<f64>; 2]> = rows.iter().map(|a| [2, -3].map(|step| spread(a, step))).collect();
            let [forwards, backwards] = [(0, 2), (1, -3)].map(|(which, step)| {
                apart.iter().map(|a| a[which].slice_each_axis(|_| Slice::new(0, None, step))).collect()
            });
            let rows: Vec<ArrayViewD<f64>> = rows.iter().map(|a| a.view()).collect();
            wrong.extend(
                [inputs, rows, forwards, backwards]
                    .iter()
                    .filter_map(|inputs| compare(*call, inputs, &golden.name, (Arc::new(device()), placement)).err()),
            );
        }
    }
    assert!(wrong.is_empty(), "{} calls differ:\n{}", wrong.len(), wrong.join("\n"));
}

/// An array of which every `step`-th element along each axis is this one's.
fn spread(array: &ArrayD<f64>, step: isize) -> ArrayD<f64> {
    let shape: Vec<usize> = array.shape().iter().map(|extent| extent * step.unsigned_abs()).collect();
    let mut apart = ArrayD::from_elem(shape, -77.0);
    apart.slice_each_axis_mut(|_| Slice::new(0, None, step)).assign(array);
    apart
}

/// Arguments without elements: what the CPU does with them, be it an error, the device does too.
#[test]
fn empty_arguments() {
    let mut wrong = Vec::new();
    for (program, call) in COMPILED {
        let golden = &golden(program)[0];
        for axes in [[true, false], [false, true], [true, true]] {
            let empty = |a: &ArrayD<f64>| {
                let shape = a.shape().iter().enumerate();
                let shape: Vec<usize> = shape.map(|(d, n)| if *n > 1 && axes[d % 2] { 0 } else { *n }).collect();
                ArrayD::zeros(shape)
            };
            let inputs: Vec<ArrayD<f64>> =
                golden.inputs().map(|a| if a.len() > 1 { empty(a) } else { a.clone() }).collect();
            let inputs: Vec<ArrayViewD<f64>> = inputs.iter().map(|a| a.view()).collect();
            let device = Arc::new(SimDevice::new(SimDevice::standard()));
            wrong.extend(compare(*call, &inputs, &format!("{program} of nothing"), (device, Placement::Gpu)).err());
        }
    }
    assert!(wrong.is_empty(), "{} calls differ:\n{}", wrong.len(), wrong.join("\n"));
}

/// Whether a call gives the same on the device, which finds nothing to complain of.
fn compare(
    call: Call,
    inputs: &[ArrayViewD<f64>],
    name: &str,
    (device, placement): (Arc<SimDevice>, Placement),
) -> Result<(), String> {
    let wanted = call(inputs);
    let got = with(device.clone(), placement, || call(inputs));
    let mistakes = device.mistakes();
    if !mistakes.is_empty() {
        return Err(format!("{name}: {}", mistakes.join("; ")));
    }
    for queue in [Queue::Compute, Queue::Upload, Queue::Download] {
        let waited = device.record(queue).and_then(|event| device.synchronize(event));
        waited.map_err(|failure| format!("{name}: {failure}"))?;
    }
    if device.simulator().memory().used != 0 {
        return Err(format!("{name}: memory of the device is not given back"));
    }
    match (&got, &wanted) {
        (Ok(got), Ok(wanted)) if got.iter().zip(wanted).all(|(got, wanted)| equal(got, wanted)) => Ok(()),
        (Err(got), Err(wanted)) if got == wanted => Ok(()),
        _ => Err(format!("{name}: {got:?}, on the CPU {wanted:?}")),
    }
}

/// Those of MEGHA's twelve programs that are not in `tests/programs`.
pub const OTHERS: [&str; 6] = ["capr", "crni", "dich", "edit", "fiff", "nb1d"];

/// A call of one of them with few operations.
pub fn small(program: &str) -> Golden {
    let small = ["capr-n8", "crni-3x2", "dich-4x4", "edit-kitten", "fiff-3x2", "nb1d-n2"];
    golden(program).into_iter().find(|golden| small.contains(&golden.name.as_str())).expect("a small call")
}

/// Every operation of the device fails once, in turn, alone or with the whole device: the results are still right.
#[test]
fn a_device_that_fails_changes_nothing() {
    for (program, call) in COMPILED.iter().filter(|(program, _)| OTHERS.contains(program)) {
        let golden = small(program);
        let inputs: Vec<ArrayViewD<f64>> = golden.inputs().map(|a| a.view()).collect();
        each_operation(program, &|| call(&inputs));
    }
}

/// What moves between host and device: at most what the thesis's scheme moves, and the reduction against the naive one (MEGHA, figure 3.9).
#[test]
fn little_is_moved() {
    let mut table = HEAD.to_owned();
    for (program, call) in COMPILED.iter().filter(|(program, _)| OTHERS.contains(program)) {
        let largest = |g: &Golden| g.outputs().iter().map(|(_, a)| a.len()).sum::<usize>();
        let golden = golden(program).into_iter().filter(|g| g.error().is_none()).max_by_key(largest).expect("a call");
        let inputs: Vec<ArrayViewD<f64>> = golden.inputs().map(|a| a.view()).collect();
        let device = Arc::new(SimDevice::new(SimDevice::standard()));
        with(device, Placement::Gpu, || call(&inputs)).expect("a result");
        let moved = megha::last_run().expect("a call").moved;
        let module = lowered(program).expect("a program that compiles").module;
        table += &line(&golden.name, &module, &inputs, &moved);
    }
    expect![[r#"
        call             copies    bytes  thesis    bytes   naive    bytes  reduction
        capr-n8               1      648      1      648      1      648        1.0
        crni-17x9            27     4728     29     6104     54    36704        7.8
        dich-21x13            1     2184      5    10920      7    15288        7.0
        edit-random           1    11152      2    22304      3    33456        3.0
        fiff-24x40            1     7680      2    15360     79   606720       79.0
        nb1d-n9              87     1016    656    41984   3772   266336      262.1
    "#]]
    .assert_eq(&table);
}
