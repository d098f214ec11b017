//! Kernels that go through the same rows, in one entry on a device: the same bits as the CPU's, one launch, and no more memory traffic than the rows.

#[path = "../common/failing.rs"]
#[allow(dead_code, reason = "shared with tests that use more of it")]
mod failing;
#[path = "../bands/fields.rs"]
#[allow(dead_code, reason = "shared with tests that use more of it")]
mod fields;
mod programs;
#[path = "../common/reference.rs"]
#[allow(dead_code, reason = "shared with tests that use more of it")]
mod reference;
#[path = "../strips/programs.rs"]
#[allow(dead_code, reason = "shared with tests that use more of it")]
mod strips;

use std::sync::Arc;

use fields::{digest, filled};
use megha::device::sim::SimDevice;
use megha::device::{Placement, with};
use megha::rt::device::rows_apart;
use megha_sim::{Checks, Config, Operation, Traffic};
use ndarray::ArrayD;
use programs::{KEPT_BESIDE, OF_NEIGHBOURS, PROGRAMS, Program};

fn device() -> Arc<SimDevice> {
    Arc::new(SimDevice::new(SimDevice::standard()))
}

/// So many rows of so many elements, and what else the program takes.
fn arguments(program: &Program, [rows, elements]: [usize; 2], rows_first: bool) -> Vec<ArrayD<f64>> {
    let turned = |[a, b]: [usize; 2]| if program.rows_first { [a, b] } else { [b, a] };
    let matrices = (0..program.matrices).map(|k| filled(&turned([rows, elements]), k, rows_first));
    matrices.chain((0..program.vectors).map(|k| filled(&turned([1, elements]), 7 + k, rows_first))).collect()
}

/// What a program makes on the CPU.
fn wanted(program: &Program, given: &[ArrayD<f64>]) -> Vec<ArrayD<f64>> {
    with(device(), Placement::Cpu, || (program.call)(given).unwrap())
}

/// What it makes on a device, and the entries that ran there.
fn on_device(program: &Program, given: &[ArrayD<f64>]) -> (Vec<ArrayD<f64>>, Vec<(String, Traffic)>) {
    let device = device();
    let got = with(device.clone(), Placement::Gpu, || (program.call)(given).unwrap());
    assert_eq!(device.mistakes(), [""; 0], "{}", program.name);
    (got, device.traffic())
}

/// Runs something, with kernels that go through the same rows launched apart. A thread of a pool makes large calls itself.
fn apart_on_this_thread<R: Send>(run: impl FnOnce() -> R + Send) -> R {
    rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap().install(|| rows_apart(run))
}

fn is_in_one(entries: &[(String, Traffic)]) -> bool {
    matches!(entries, [(name, _)] if name.contains("_rows_"))
}

/// Rows of one element, of one warp, of several, of one chunk and of two, and where the last thread of a round has none.
const LENGTHS: [usize; 10] = [2, 3, 31, 32, 33, 256, 257, 1000, 4097, 5100];

#[test]
fn one_entry_makes_what_kernels_make() {
    let mut wrong = Vec::new();
    for program in PROGRAMS.iter().chain([&OF_NEIGHBOURS]) {
        for (rows, elements) in LENGTHS.into_iter().flat_map(|elements| [(1, elements), (2, elements), (9, elements)]) {
            for rows_first in [false, true] {
                let what = format!("{} {rows} of {elements}, rows first {rows_first}", program.name);
                let given = arguments(program, [rows, elements], rows_first);
                let (got, entries) = on_device(program, &given);
                if digest(&got) != digest(&wanted(program, &given)) {
                    wrong.push(format!("{what}: other bits"));
                }
                // one row lies in one piece in either order, which the compiler does not know
                let is_one = rows_first == program.rows_first && elements <= program.longest;
                if rows > 1 && is_in_one(&entries) != is_one {
                    let names: Vec<&str> = entries.iter().map(|(name, _)| &name[..]).collect();
                    wrong.push(format!("{what}: {names:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Programs of all kinds: loops of the same kernels, rows in three dimensions, updates in place, numbers that the host asks for between.
#[test]
fn any_programs() {
    let mut in_one = Vec::new();
    for program in &strips::PROGRAMS {
        for (shape, rows_first) in program.shapes.iter().flat_map(|shape| [(shape, false), (shape, true)]) {
            let given: Vec<ArrayD<f64>> = (0..program.arrays).map(|k| filled(shape, k, rows_first)).collect();
            let what = format!("{} {shape:?}, rows first {rows_first}", program.name);
            let wanted = with(device(), Placement::Cpu, || digest(&(program.call)(&given)));
            let device = device();
            let got = with(device.clone(), Placement::Gpu, || digest(&(program.call)(&given)));
            assert_eq!(device.mistakes(), [""; 0], "{what}");
            assert_eq!(got, wanted, "{what}");
            if device.traffic().iter().any(|(name, _)| name.contains("_rows_")) && !in_one.contains(&program.name) {
                in_one.push(program.name);
            }
        }
    }
    println!("{in_one:?}");
}

/// Shapes without a pattern.
#[test]
fn any_shapes() {
    let mut state = 1u64;
    let mut below = |n: u64| {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        ((state >> 33) % n) as usize
    };
    let mut in_one = 0;
    for _ in 0..150 {
        let program = &PROGRAMS[below(PROGRAMS.len() as u64)];
        let [most_rows, most] = [[300, 40], [20, 600], [4, 12_000]][below(3)];
        let (shape, rows_first) = ([1 + below(most_rows), 1 + below(most)], below(4) > 0);
        let given = arguments(program, shape, rows_first);
        let (got, entries) = on_device(program, &given);
        in_one += u32::from(is_in_one(&entries));
        let what = format!("{} {shape:?}, rows first {rows_first}", program.name);
        assert_eq!(digest(&got), digest(&wanted(program, &given)), "{what}");
    }
    assert!(in_one > 60, "{in_one}");
}

/// What is no number, or has no end, spreads as far as on the CPU; zeros keep their signs.
#[test]
fn other_numbers() {
    let specials = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0, 0.0, f64::MIN_POSITIVE / 8.0];
    for program in &PROGRAMS {
        for (shape, step) in [([12, 40], 61), ([7, 300], 97), ([6, 2600], 2601)] {
            let mut given = arguments(program, shape, program.rows_first);
            for array in &mut given {
                array.iter_mut().step_by(step).zip(specials.iter().cycle()).for_each(|(x, special)| *x = *special);
            }
            let (got, entries) = on_device(program, &given);
            assert!(is_in_one(&entries), "{} {shape:?}", program.name);
            let same = got.iter().zip(&wanted(program, &given)).all(|(got, wanted)| reference::equal(got, wanted));
            assert!(same, "{} {shape:?}", program.name);
        }
        for special in [-0.0, f64::NAN, f64::NEG_INFINITY] {
            let mut given = arguments(program, [5, 70], program.rows_first);
            given.iter_mut().for_each(|array| array.fill(special));
            let (got, _) = on_device(program, &given);
            let same = got.iter().zip(&wanted(program, &given)).all(|(got, wanted)| reference::equal(got, wanted));
            assert!(same, "{} of {special}", program.name);
        }
    }
}

#[test]
fn nothing() {
    for program in &PROGRAMS {
        for (shape, rows_first) in [[0, 5], [5, 0], [0, 0]].into_iter().flat_map(|s| [(s, false), (s, true)]) {
            let given = arguments(program, shape, rows_first);
            let device = device();
            let got = with(device.clone(), Placement::Gpu, || (program.call)(&given));
            let wanted = with(device.clone(), Placement::Cpu, || (program.call)(&given));
            assert_eq!(device.mistakes(), [""; 0], "{} {shape:?}", program.name);
            failing::assert_alike(program.name, Placement::Auto, &got, &wanted);
        }
    }
}

/// Rows that do not fit shared memory go through an entry for each kernel.
#[test]
fn long_rows() {
    for program in &PROGRAMS {
        for elements in [program.longest, program.longest + 1, 2 * program.longest] {
            let given = arguments(program, [3, elements], program.rows_first);
            let (got, entries) = on_device(program, &given);
            assert_eq!(digest(&got), digest(&wanted(program, &given)), "{}", program.name);
            assert_eq!(is_in_one(&entries), elements == program.longest, "{} {elements}", program.name);
            let apart = entries.len() >= program.kernels && entries.iter().all(|(name, _)| !name.contains("_rows_"));
            assert!(apart != is_in_one(&entries), "{} {elements}", program.name);
        }
    }
}

/// Blocks take several rows, one after the other, where there are more than a device has places for.
#[test]
fn many_rows() {
    for program in PROGRAMS[4..].iter().chain([&OF_NEIGHBOURS]) {
        for shape in [[8 * 1056 + 5, 2], [1100, 520]] {
            let given = arguments(program, shape, program.rows_first);
            let (got, entries) = on_device(program, &given);
            assert!(is_in_one(&entries), "{}", program.name);
            assert_eq!(digest(&got), digest(&wanted(program, &given)), "{}", program.name);
        }
    }
}

/// The rows come from memory once, and the results go there once; nothing between does.
#[test]
fn rows_move_once() {
    for program in &PROGRAMS {
        let (rows, elements) = (24, 1024);
        let given = arguments(program, [rows, elements], program.rows_first);
        let (_, entries) = on_device(program, &given);
        let [(name, traffic)] = &entries[..] else { panic!("{}: {entries:?}", program.name) };
        let least = program.traffic * (rows * elements) as u64 * program.bytes;
        // beside it vectors, which each row reads anew, and a number for each row
        let vectors = program.vectors * (rows * elements) as u64 * program.bytes;
        let moved = traffic.global_loaded + traffic.global_stored;
        assert!((least + vectors..=least + vectors + 8 * rows as u64).contains(&moved), "{name}: {moved}, not {least}");
        let sectors = (least + vectors) / 32..=(least + vectors) / 32 + rows as u64;
        assert!(sectors.contains(&traffic.sectors), "{name}: {} sectors, not {sectors:?}", traffic.sectors);
        let apart = device();
        apart_on_this_thread(|| with(apart.clone(), Placement::Gpu, || (program.call)(&given).unwrap()));
        let sum: u64 = apart.traffic().iter().map(|(_, traffic)| traffic.unique_sectors).sum();
        assert_eq!(apart.traffic().len(), program.kernels, "{}", program.name);
        assert!(2 * sum > 3 * least / 32, "{name}: {sum} sectors apart");
    }
}

/// Each operation of the device fails once: the results are those of the CPU, or the call says that the device failed.
#[test]
fn devices_that_fail() {
    for program in &PROGRAMS[..5] {
        let given = arguments(program, [9, 40], program.rows_first);
        failing::each_operation(program.name, &|| (program.call)(&given));
    }
}

/// Whatever memory a device has, results are the same; with enough there is one launch.
#[test]
fn little_memory() {
    for program in &PROGRAMS {
        let given = arguments(program, [64, 64], program.rows_first);
        let wanted = digest(&wanted(program, &given));
        let mut last = 0;
        for memory in (1..14).map(|k| k << 13) {
            let device = Arc::new(SimDevice::new(Config { memory, ..SimDevice::standard() }));
            let got = with(device.clone(), Placement::Gpu, || digest(&(program.call)(&given).unwrap()));
            assert_eq!(got, wanted, "{} in {memory} bytes", program.name);
            last = device.simulator().operations(Operation::Launch);
        }
        assert_eq!(last, 1, "{}", program.name);
    }
}

/// The same where kernels are placed by estimates or by lot, and arrays leave for others while launches wait.
#[test]
fn little_memory_where_kernels_are_placed() {
    for program in PROGRAMS.iter().chain([&KEPT_BESIDE, &OF_NEIGHBOURS]) {
        let given = arguments(program, [64, 64], program.rows_first);
        let wanted = digest(&wanted(program, &given));
        let config = failing::instant().simulator().config().clone();
        for memory in (2..48).map(|k| k << 12) {
            for seed in 0..6 {
                let mut device = SimDevice::new(Config { memory, ..config.clone() });
                if seed > 0 {
                    device = device.by_lot(seed * 31 + memory);
                }
                let device = Arc::new(device);
                let got = with(device.clone(), Placement::Auto, || digest(&(program.call)(&given).unwrap()));
                assert_eq!(device.mistakes(), [""; 0], "{}", program.name);
                assert_eq!(got, wanted, "{} in {memory} bytes, {seed}", program.name);
            }
        }
    }
}

/// Where kernels are placed by estimates the large ones go through rows too.
#[test]
fn large_arrays_are_placed() {
    for program in &PROGRAMS[..4] {
        let given = arguments(program, [2048, 512], program.rows_first);
        let launches = [Placement::Gpu, Placement::Auto].map(|placement| {
            let device = Arc::new(SimDevice::new(Config { checks: Checks::none(), ..SimDevice::standard() }));
            with(device.clone(), placement, || (program.call)(&given).unwrap());
            device.simulator().operations(Operation::Launch)
        });
        assert_eq!(launches, [1, 1], "{}", program.name);
    }
}

/// Seconds of a device's kernels, launches included.
fn seconds(given: &[ArrayD<f64>], program: &Program) -> f64 {
    let device = Arc::new(SimDevice::new(Config { checks: Checks::none(), ..SimDevice::standard() }));
    with(device.clone(), Placement::Gpu, || (program.call)(given).unwrap());
    let timeline = device.simulator().timeline().into_iter();
    timeline.filter(|span| span.name.contains("_k")).map(|span| (span.end - span.start).as_secs_f64()).sum()
}

/// How long rows take by the simulated clock, in parts of the time of their bytes from memory.
#[test]
#[ignore = "a measurement: run it with --release and --nocapture"]
fn time_of_rows() {
    for program in &PROGRAMS {
        for shape in [[4096, 4096], [4096, 1024], [16_384, 256], [65_536, 64], [1 << 18, 8], [8, 5000]] {
            let given = arguments(program, shape, program.rows_first);
            let bytes = program.traffic * program.bytes * (shape[0] * shape[1]) as u64;
            let limit = bytes as f64 / SimDevice::standard().model.memory_bandwidth;
            let apart = apart_on_this_thread(|| seconds(&given, program));
            let in_one = seconds(&given, program);
            let shares = [apart, in_one].map(|seconds| 100.0 * limit / seconds);
            let [apart, in_one] = [apart, in_one].map(|seconds| 1e6 * seconds);
            let (name, [of_apart, of_one]) = (program.name, shares);
            println!("{name} {shape:?}: apart {apart:.1} us, {of_apart:.0} %; in one {in_one:.1} us, {of_one:.0} %");
        }
    }
}
