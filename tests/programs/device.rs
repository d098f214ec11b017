//! The six programs on the simulated device: equal to the CPU to the bit, with few copies, whatever fails.

use std::sync::Arc;

use megha::device::sim::SimDevice;
use megha::device::{Placement, with};
use megha_sim::Operation;
use ndarray::{ArrayD, ArrayViewD};

use super::common::golden::Golden;
use super::octave::inputs;
use super::reference::equal;
use super::{PROGRAMS, Program, views};

fn device() -> Arc<SimDevice> {
    Arc::new(SimDevice::new(SimDevice::standard()))
}

/// Asserts that the results are those of the CPU, and that the device found no mistake.
fn assert_same(what: &str, device: &SimDevice, got: &[ArrayD<f64>], wanted: &[ArrayD<f64>]) {
    assert_eq!(device.mistakes(), [""; 0], "{what}");
    assert!(got.iter().zip(wanted).all(|(got, wanted)| equal(got, wanted)), "{what}: {got:?}, on the CPU {wanted:?}");
}

/// The smallest of the programs' calls, which still has some iterations.
fn call(program: &Program) -> Vec<ArrayD<f64>> {
    let calls = Golden::all(program.name).into_iter().map(|golden| inputs(program, &golden));
    let size = |arrays: &Vec<ArrayD<f64>>| arrays.iter().map(ArrayD::len).sum::<usize>();
    calls.filter(|arrays| size(arrays) > 8 || arrays.iter().all(|a| a.len() == 1)).min_by_key(size).expect("a call")
}

#[test]
fn the_device_gives_what_the_cpu_gives() {
    for program in &PROGRAMS {
        let mut launches = 0;
        for golden in Golden::all(program.name) {
            let columns = inputs(program, &golden);
            let rows: Vec<_> = columns.iter().map(|a| a.as_standard_layout().into_owned()).collect();
            for arguments in [columns, rows] {
                let views: Vec<ArrayViewD<f64>> = views(&arguments);
                let wanted = (program.call)(&views).unwrap();
                let device = device();
                let got = with(device.clone(), Placement::Gpu, || (program.call)(&views)).unwrap();
                assert_same(&golden.name, &device, &got, &wanted);
                launches += device.simulator().operations(Operation::Launch);
            }
        }
        assert!(launches > 0, "{}: nothing ran on the device", program.name);
    }
}

/// Every operation of the device fails once, in turn, alone or with the whole device: the results are still right.
#[test]
fn a_device_that_fails_changes_nothing() {
    let kinds = [Operation::Allocate, Operation::Copy, Operation::Load, Operation::Launch, Operation::Synchronize];
    for program in &PROGRAMS {
        let arguments = call(program);
        let views: Vec<ArrayViewD<f64>> = views(&arguments);
        let wanted = (program.call)(&views).unwrap();
        let healthy = device();
        with(healthy.clone(), Placement::Gpu, || (program.call)(&views)).unwrap();
        for (kind, fragile) in kinds.into_iter().flat_map(|kind| [(kind, false), (kind, true)]) {
            let times = healthy.simulator().operations(kind);
            for nth in 1..=times.min(40) {
                let what = format!("{}: {kind} {nth} of {times}", program.name);
                let device = device();
                if fragile {
                    device.make_fragile();
                }
                device.simulator().fail(kind, nth);
                let got = with(device.clone(), Placement::Auto, || (program.call)(&views)).unwrap();
                assert_same(&what, &device, &got, &wanted);
                let forced = Arc::new(SimDevice::new(SimDevice::standard()));
                forced.simulator().fail(kind, nth);
                match with(forced, Placement::Gpu, || (program.call)(&views)) {
                    Ok(got) => assert_same(&what, &device, &got, &wanted),
                    Err(error) => assert!(error.to_string().contains("the device failed"), "{what}: {error}"),
                }
            }
        }
    }
}
