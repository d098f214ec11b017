//! What moves between host and device in loops: copies and fills of arrays are work of the side that has them.

#[path = "../common/failing.rs"]
#[allow(dead_code, reason = "shared with tests that use more of it")]
mod failing;
mod programs;
#[path = "../common/reference.rs"]
#[allow(dead_code, reason = "shared with tests that use more of it")]
mod reference;

use std::sync::Arc;

use megha::device::sim::SimDevice;
use megha::device::{Placement, with};
use megha_sim::Operation;
use ndarray::{Array2, ArrayD};
use programs::{PROGRAMS, Program, some_columns};

/// Numbers without a pattern.
pub fn field(rows: usize, columns: usize) -> Array2<f64> {
    Array2::from_shape_fn((rows, columns), |(i, j)| ((i * 7 + j * 13) as f64 * 0.37).sin())
}

fn device() -> Arc<SimDevice> {
    Arc::new(SimDevice::new(SimDevice::standard()))
}

/// A call's results, what it moved and how many kernels the device ran, by the placement.
fn run(program: &Program, (n, steps): (usize, f64), placement: Placement) -> (Vec<ArrayD<f64>>, megha::rt::Run) {
    let device = device();
    let call = || {
        let results = (program.call)(n, steps).unwrap();
        (results, megha::last_run().unwrap())
    };
    let (results, last) = with(device.clone(), placement, call);
    assert_eq!(device.mistakes(), [""; 0], "{}", program.name);
    assert_eq!(last.device_kernels > 0, device.simulator().operations(Operation::Launch) > 0, "{}", program.name);
    (results, last)
}

fn same(got: &[ArrayD<f64>], wanted: &[ArrayD<f64>]) -> bool {
    let bits = |list: &[ArrayD<f64>]| -> Vec<u64> { list.iter().flat_map(|a| a.iter().map(|x| x.to_bits())).collect() };
    bits(got) == bits(wanted)
}

/// Nothing moves in a step: each array goes up once and comes back once, however many steps there are.
#[test]
fn steps_move_nothing() {
    let mut wrong = Vec::new();
    for program in &PROGRAMS {
        let wanted = |steps: u8| with(device(), Placement::Cpu, || (program.call)(9, f64::from(steps)).unwrap());
        for steps in [0, 1, 2, 7] {
            let (got, last) = run(program, (9, f64::from(steps)), Placement::Gpu);
            assert!(same(&got, &wanted(steps)), "{} of {steps} steps", program.name);
            let moved = [last.moved.uploads, last.moved.downloads];
            if steps == 7 && moved != program.moved {
                wrong.push(format!("{}: {moved:?} copies up and down, not {:?}", program.name, program.moved));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The twenty steps of a Jacobi iteration on a million points run where they are faster, which is on the device.
#[test]
fn large_iterations_are_placed_on_the_device() {
    for program in PROGRAMS.iter().filter(|program| program.is_large) {
        let (got, last) = run(program, (512, 3.0), Placement::Auto);
        assert!(same(&got, &with(device(), Placement::Cpu, || (program.call)(512, 3.0).unwrap())), "{}", program.name);
        let moved = [last.moved.uploads, last.moved.downloads];
        assert!(
            last.device_kernels >= 3 && moved[0] <= program.moved[0] && moved[1] <= program.moved[1],
            "{}: {last}",
            program.name
        );
    }
}

/// Kernels on both sides in all mixtures: an array is where it is needed, whoever filled or copied it.
#[test]
fn any_mixture_gives_the_same() {
    for program in &PROGRAMS {
        let wanted = with(device(), Placement::Cpu, || (program.call)(70, 5.0).unwrap());
        for seed in 0..40 {
            let device = Arc::new(SimDevice::new(SimDevice::standard()).by_lot(seed));
            let got = with(device.clone(), Placement::Auto, || (program.call)(70, 5.0).unwrap());
            assert_eq!(device.mistakes(), [""; 0], "{} by lot {seed}", program.name);
            assert!(same(&got, &wanted), "{} by lot {seed}", program.name);
            device.simulator().synchronize_all().unwrap();
            assert_eq!(device.simulator().memory().used, 0, "{} by lot {seed}: memory is not given back", program.name);
        }
    }
}

/// Every operation of the device fails once, in turn, alone or with the whole device: the results are still right.
#[test]
fn failures_change_nothing() {
    for program in &PROGRAMS {
        failing::each_operation(program.name, &|| (program.call)(9, 3.0));
    }
}

/// A device of so many bytes that is worth using as soon as it has room, but not if all has to go through it in each step.
fn small(bytes: u64) -> Arc<SimDevice> {
    let mut config = SimDevice::standard();
    let model = &mut config.model;
    (model.launch_latency, model.copy_latency, model.issue, model.row) = Default::default();
    (model.to_device, model.from_device, model.memory_bandwidth, model.flops64) = (1e9, 1e9, 1e30, 1e30);
    config.memory = bytes;
    Arc::new(SimDevice::new(config))
}

/// Where a step's arrays do not fit they are not sent in each step, but once for many; where they do the steps run there.
#[test]
fn what_does_not_fit_is_not_sent_in_each_step() {
    // two states of 400 by 400 numbers
    let needed = 2 * 400 * 400 * 8;
    for program in PROGRAMS.iter().filter(|program| program.name.starts_with("jacobi")) {
        let wanted = with(device(), Placement::Cpu, || (program.call)(400, 30.0).unwrap());
        for (bytes, fits) in [(needed / 2, false), (needed - 4096, false), (needed + 4096, true)] {
            let device = small(bytes);
            let got = with(device.clone(), Placement::Auto, || (program.call)(400, 30.0).unwrap());
            assert_eq!(device.mistakes(), [""; 0], "{}", program.name);
            assert!(same(&got, &wanted), "{}", program.name);
            let last = megha::last_run().unwrap();
            let what = format!("{} on {bytes} bytes: {last}", program.name);
            if fits {
                assert_eq!([last.moved.uploads, last.device_kernels], [2, 30], "{what}");
            } else {
                assert!(last.moved.bytes_up <= needed && last.moved.bytes_down <= needed, "{what}");
                assert_eq!(last.spilled.steps, if last.device_kernels == 0 { 0 } else { 30 }, "{what}");
            }
        }
    }
}

/// Memory that somebody else takes after the call has asked is missed once, and not in each step.
#[test]
fn a_failure_is_remembered() {
    for program in PROGRAMS.iter().filter(|program| program.name.starts_with("jacobi")) {
        let wanted = with(device(), Placement::Cpu, || (program.call)(200, 30.0).unwrap());
        // less than what is asked for beforehand, and too little for many steps at once
        let device = small(16 * 200 * 8);
        let got = with(device.clone(), Placement::Auto, || (program.call)(200, 30.0).unwrap());
        assert!(same(&got, &wanted), "{}", program.name);
        let last = megha::last_run().unwrap();
        assert!(last.moved.uploads <= 1 && last.device_kernels == 0, "{}: {last}", program.name);
    }
}

/// A kernel costs what it touches of an array, not the whole array: a few columns of a large one stay where they are.
#[test]
fn a_few_columns_stay_on_the_cpu() {
    let wanted = with(device(), Placement::Cpu, || some_columns(1500, 12.0));
    let device = device();
    let got = with(device.clone(), Placement::Auto, || some_columns(1500, 12.0));
    let last = megha::last_run().unwrap();
    assert!(same(&got, &wanted) && last.kernels >= 12, "{last}");
    assert_eq!([last.device_kernels, last.moved.uploads], [0, 0], "{last}");
}
