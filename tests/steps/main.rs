//! Loops over time on a device, some steps at once: the same bits as the CPU's, and about as many launches fewer.

#[path = "../common/failing.rs"]
#[allow(dead_code, reason = "shared with tests that use more of it")]
mod failing;
#[path = "../bands/fields.rs"]
mod fields;
mod programs;
#[path = "../common/reference.rs"]
#[allow(dead_code, reason = "shared with tests that use more of it")]
mod reference;

use std::sync::Arc;

use fields::{digest, filled};
use megha::device::sim::SimDevice;
use megha::device::{Placement, with};
use megha::rt::device::some_at_once;
use megha_sim::{Checks, Config, Operation};
use ndarray::ArrayD;
use programs::{PROGRAMS, Program};

fn device() -> Arc<SimDevice> {
    Arc::new(SimDevice::new(SimDevice::standard()))
}

fn arguments(program: &Program, shape: &[usize], rows_first: bool) -> Vec<ArrayD<f64>> {
    (0..program.arrays).map(|k| filled(shape, k, rows_first)).collect()
}

/// A call on a device, some steps at once if they can: its results, and the kernels that were launched.
fn on_device(program: &Program, arguments: &[ArrayD<f64>], steps: usize) -> (u64, u64) {
    let device = device();
    let run = || some_at_once(true, || digest(&(program.call)(arguments, steps as f64).unwrap()));
    let got = with(device.clone(), Placement::Gpu, run);
    assert_eq!(device.mistakes(), [""; 0], "{}", program.name);
    (got, device.simulator().operations(Operation::Launch))
}

#[test]
fn steps_at_once_make_what_steps_make() {
    let mut wrong = Vec::new();
    for program in &PROGRAMS {
        for (shape, rows_first) in program.shapes.iter().flat_map(|shape| [(shape, false), (shape, true)]) {
            let given = arguments(program, shape, rows_first);
            for steps in [0, 1, 2, 3, 4, 7, 8, 9, 21] {
                let wanted = with(device(), Placement::Cpu, || digest(&(program.call)(&given, steps as f64).unwrap()));
                let (got, launches) = on_device(program, &given, steps);
                let what = format!("{} {shape:?}, {steps} steps, rows first {rows_first}", program.name);
                if got != wanted {
                    wrong.push(format!("{what}: other bits"));
                }
                let is_empty = shape.iter().any(|n| *n < program.least);
                let [mut rest, mut fewest] = [if is_empty { 0 } else { steps }, 0];
                for at_once in program.at_once.iter().chain(&[1]) {
                    (rest, fewest) = (rest % at_once, fewest + rest / at_once);
                }
                if launches != fewest as u64 {
                    wrong.push(format!("{what}: {launches} launches, not {fewest}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Shapes and numbers of steps without a pattern.
#[test]
fn any_shapes_and_numbers_of_steps() {
    let mut state = 1u64;
    let mut below = |n: u64| {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        ((state >> 33) % n) as usize
    };
    for _ in 0..60 {
        let program = &PROGRAMS[below(PROGRAMS.len() as u64)];
        let rank = program.shapes[0].len();
        let shape: Vec<usize> = (0..rank).map(|at| 1 + below([300, 40, 20][(at + rank - 1) % 3])).collect();
        let (steps, rows_first) = (below(20), below(2) == 1);
        let given = arguments(program, &shape, rows_first);
        let wanted = with(device(), Placement::Cpu, || digest(&(program.call)(&given, steps as f64).unwrap()));
        let (got, _) = on_device(program, &given, steps);
        assert_eq!(got, wanted, "{} {shape:?}, {steps} steps, rows first {rows_first}", program.name);
    }
}

/// What is no number, or has no end, spreads as far as on the CPU; zeros keep their signs.
#[test]
fn other_numbers() {
    for program in &PROGRAMS {
        let shape = program.shapes.last().unwrap();
        let mut given = arguments(program, shape, false);
        for array in &mut given {
            let specials = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0, 0.0, f64::MIN_POSITIVE / 8.0];
            array.iter_mut().step_by(17).zip(specials.iter().cycle()).for_each(|(x, special)| *x = *special);
        }
        let wanted = with(device(), Placement::Cpu, || (program.call)(&given, 9.0).unwrap());
        let got = with(device(), Placement::Gpu, || some_at_once(true, || (program.call)(&given, 9.0).unwrap()));
        let same = got.iter().zip(&wanted).all(|(got, wanted)| reference::equal(got, wanted));
        assert!(same, "{}", program.name);
    }
}

/// Each operation of the device fails once: the results are those of the CPU, or the call says that the device failed.
#[test]
fn devices_that_fail() {
    for program in &PROGRAMS[..2] {
        let given = arguments(program, &[9, 12], false);
        let call = || some_at_once(true, || (program.call)(&given, 13.0));
        failing::each_operation(program.name, &call);
    }
}

/// Each thread's launches wait for its own, on one device for all.
#[test]
fn threads_that_wait_on_one_device() {
    let device = device();
    std::thread::scope(|scope| {
        for (number, program) in PROGRAMS.iter().enumerate() {
            let device = device.clone();
            scope.spawn(move || {
                let given = arguments(program, program.shapes.last().unwrap(), number % 2 == 0);
                let call = || digest(&(program.call)(&given, 13.0).unwrap());
                let wanted = with(device.clone(), Placement::Cpu, call);
                let got = with(device, Placement::Gpu, || some_at_once(true, call));
                assert_eq!(got, wanted, "{}", program.name);
            });
        }
    });
    assert_eq!(device.mistakes(), [""; 0]);
}

/// Without memory for another state launches run one by one.
#[test]
fn little_memory() {
    let (program, given) = (&PROGRAMS[0], arguments(&PROGRAMS[0], &[64, 64], false));
    let wanted = with(device(), Placement::Cpu, || digest(&(program.call)(&given, 9.0).unwrap()));
    let mut least = [u64::MAX; 2];
    for arrays in 1..5 {
        let device = Arc::new(SimDevice::new(Config { memory: arrays << 15, ..SimDevice::standard() }));
        let run = || some_at_once(true, || digest(&(program.call)(&given, 9.0).unwrap()));
        assert_eq!(with(device.clone(), Placement::Gpu, run), wanted, "{arrays} arrays");
        let launches = device.simulator().operations(Operation::Launch);
        least[usize::from(arrays > 2)] = launches;
    }
    assert!(least[1] == 2 && least[0] > 2, "{least:?}");
}

/// Large arrays go some steps at once without being told, small ones do not.
#[test]
fn large_arrays_go_at_once() {
    let launches = |shape: &[usize], placement: Placement| {
        let device = Arc::new(SimDevice::new(Config { checks: Checks::none(), ..SimDevice::standard() }));
        let given = arguments(&PROGRAMS[0], shape, false);
        with(device.clone(), placement, || (PROGRAMS[0].call)(&given, 16.0)).unwrap();
        device.simulator().operations(Operation::Launch)
    };
    assert_eq!([Placement::Gpu, Placement::Auto].map(|placement| launches(&[512, 512], placement)), [2, 2]);
    assert_eq!([launches(&[500, 500], Placement::Gpu), launches(&[100, 3000], Placement::Gpu)], [16, 16]);
}

/// Seconds of a device's kernels, launches included, by whether some steps go at once.
fn seconds(program: &Program, shape: &[usize], steps: usize, at_once: bool) -> f64 {
    let device = Arc::new(SimDevice::new(Config { checks: Checks::none(), ..SimDevice::standard() }));
    let given = arguments(program, shape, false);
    let run = || (program.call)(&given, steps as f64).unwrap();
    with(device.clone(), Placement::Gpu, || some_at_once(at_once, run));
    let timeline = device.simulator().timeline().into_iter();
    timeline.filter(|span| span.name.contains("_k")).map(|span| (span.end - span.start).as_secs_f64()).sum()
}

/// How long a step of a point takes by the simulated clock, in parts of the time of 16 bytes from memory.
#[test]
#[ignore = "a measurement: run it with --release and --nocapture"]
fn time_of_a_step() {
    for program in &PROGRAMS {
        let Some((shape, steps)) = program.large.zip(program.at_once.first()) else { continue };
        let points = shape.iter().product::<usize>();
        let limit = (program.bytes * points * steps) as f64 / SimDevice::standard().model.memory_bandwidth;
        let [apart, at_once] = [false, true].map(|at_once| seconds(program, shape, *steps, at_once) / limit);
        println!("{} {shape:?}, {steps} steps: one by one {apart:.2} of the limit, at once {at_once:.2}", program.name);
    }
}
