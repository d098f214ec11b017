//! Programs whose arrays do not fit the device: some leave it for others, and results are those of the CPU to the bit.

#[path = "../common/failing.rs"]
#[allow(dead_code, reason = "shared with tests that use more of it")]
mod failing;
mod faults;
mod placed;
mod programs;
mod recomputed;
#[path = "../common/reference.rs"]
#[allow(dead_code, reason = "shared with tests that use more of it")]
mod reference;
mod streamed;
#[path = "../common/swept.rs"]
#[allow(dead_code, reason = "shared with tests that use more of it")]
mod sweeping;
mod tiled;

use std::sync::Arc;

use expect_test::expect;
use failing::assert_given_back;
use megha::device::sim::SimDevice;
use megha::device::{Placement, Spilled, with};
use megha::rt::Run;
use ndarray::ArrayD;
use programs::{PROGRAMS, Program};
use reference::equal;

/// A device of so many bytes.
fn device(memory: u64) -> Arc<SimDevice> {
    let mut config = SimDevice::standard();
    config.memory = memory;
    Arc::new(SimDevice::new(config))
}

/// A call's results on a device, and what it did there.
fn run(program: &Program, (n, steps): (usize, f64), device: &Arc<SimDevice>, placement: Placement) -> Run {
    let wanted = with(device.clone(), Placement::Cpu, || (program.call)(n, steps).unwrap());
    let call = || (program.call)(n, steps).map(|results| (results, megha::last_run().unwrap()));
    let (got, run): (Vec<ArrayD<f64>>, Run) = with(device.clone(), placement, call).unwrap();
    let what = format!("{}, {n} rows, {placement:?}: {run}", program.name);
    assert_eq!(device.mistakes(), [""; 0], "{what}");
    assert!(got.iter().zip(&wanted).all(|(got, wanted)| equal(got, wanted)), "{what}");
    assert_given_back(&what, device);
    assert!(run.device_peak <= device.simulator().config().memory, "{what}: {} bytes", run.device_peak);
    run
}

/// Bytes of a field.
pub fn field(n: usize) -> u64 {
    (n * n * size_of::<f64>()) as u64
}

/// With room for all nothing leaves; with room for the largest kernel everything still runs on the device, and arrays leave. What moves, beside the
/// scheme without memory, which copies all that a kernel reads and makes (MEGHA, section 4.3.3).
#[test]
fn arrays_leave_for_others() {
    let mut table = "program      fields  kernels  up  down  spilled  written   bytes   naive\n".to_owned();
    for program in &PROGRAMS {
        let all = run(program, (64, 4.0), &device(1 << 30), Placement::Gpu);
        assert_eq!((all.spilled.arrays, all.kernels), (0, 0), "{}: {all}", program.name);
        for fields in [program.kernel + 1, program.kernel] {
            let few = run(program, (64, 4.0), &device(fields as u64 * field(64) + 1024), Placement::Gpu);
            assert_eq!((few.kernels, few.device_kernels), (0, all.device_kernels), "{}: {few}", program.name);
            let (moved, spilled) = (few.moved, few.spilled);
            let Spilled { arrays, written_back, .. } = spilled;
            let (bytes, naive) = (moved.bytes_up + moved.bytes_down, moved.naive);
            assert!(bytes <= naive, "{}: {few}", program.name);
            table += &format!(
                "{:<12}{fields:>7}{:>9}{:>4}{:>6}{arrays:>9}{written_back:>9}{bytes:>8}{naive:>8}\n",
                program.name, few.device_kernels, moved.uploads, moved.downloads
            );
        }
    }
    expect![[r#"
        program      fields  kernels  up  down  spilled  written   bytes   naive
        turns             4       16   4     4        0        0  262144 1572864
        turns             3       16  10    10        7   229376  655360 1572864
        example           5        4   5     4        4        0  221184  450560
        example           4        4   5     4        5     8192  221184  450560
        temporaries       7        6   1     1        0        0   65536  655360
        temporaries       6        6   1     1        0        0   65536  655360
        sums              6       13   2     6        0        0  131104 1380384
        sums              5       13   2     6        1        0  131104 1380384
    "#]]
    .assert_eq(&table);
}

/// Whatever a device has room for, from twice all arrays to a sixteenth of them, and whatever is decided: the results are right, and nothing is left behind.
#[test]
fn any_memory_gives_the_same() {
    for program in &PROGRAMS {
        let all = run(program, (40, 3.0), &device(1 << 30), Placement::Gpu).device_peak;
        for sixteenths in [32, 20, 16, 14, 12, 10, 8, 6, 4, 3, 2, 1] {
            for placement in [Placement::Gpu, Placement::Auto] {
                run(program, (40, 3.0), &device(all * sixteenths / 16), placement);
                let mut worthwhile = failing::instant().simulator().config().clone();
                worthwhile.memory = all * sixteenths / 16;
                run(program, (40, 3.0), &Arc::new(SimDevice::new(worthwhile.clone())), placement);
                for seed in 0..4 {
                    let by_lot = SimDevice::new(worthwhile.clone()).by_lot(seed * 31 + sixteenths);
                    run(program, (40, 3.0), &Arc::new(by_lot), Placement::Auto);
                }
            }
        }
    }
}

/// An operation of the device fails under pressure: the results are right or the device is said to have failed, and nothing is left behind.
#[test]
fn failures_under_pressure_change_nothing() {
    use megha_sim::Operation;
    for program in &PROGRAMS {
        let wanted = (program.call)(16, 2.0);
        let memory = program.kernel as u64 * field(16) + 1024;
        let healthy = device(memory);
        with(healthy.clone(), Placement::Gpu, || (program.call)(16, 2.0)).unwrap();
        for kind in [Operation::Allocate, Operation::Copy, Operation::Load, Operation::Launch, Operation::Synchronize] {
            for nth in 1..=healthy.simulator().operations(kind) {
                for (placement, fragile) in [(Placement::Gpu, false), (Placement::Gpu, true), (Placement::Auto, false)]
                {
                    let what = format!("{}: {kind} {nth}, fragile: {fragile}", program.name);
                    let mut config = failing::instant().simulator().config().clone();
                    config.memory = memory;
                    let device = Arc::new(SimDevice::new(config));
                    if fragile {
                        device.make_fragile();
                    }
                    device.simulator().fail(kind, nth);
                    let got = with(device.clone(), placement, || (program.call)(16, 2.0));
                    failing::assert_alike(&what, placement, &got, &wanted);
                    assert_eq!(device.mistakes(), [""; 0], "{what}");
                    assert_given_back(&what, &device);
                }
            }
        }
    }
}

/// Many calls of changing sizes on one device: each takes what it needs, and gives it back.
#[test]
fn memory_stays_flat() {
    let device = device(6 * field(40));
    for round in 0..300usize {
        let program = &PROGRAMS[round % PROGRAMS.len()];
        let n = 1 + round * 17 % 40;
        run(program, (n, (round % 3) as f64), &device, Placement::Gpu);
        let memory = device.simulator().memory();
        assert_eq!(memory.used, 0, "round {round}");
        assert!(memory.peak <= 6 * field(40), "round {round}");
    }
}
