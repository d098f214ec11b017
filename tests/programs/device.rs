//! The six programs on the simulated device: equal to the CPU to the bit, with few copies, whatever fails.

use std::sync::Arc;

use expect_test::expect;
use megha::device::sim::SimDevice;
use megha::device::{Placement, Queue, with};
use megha_sim::{Engine, Operation, Span};
use ndarray::{ArrayD, ArrayViewD};

use super::common::golden::Golden;
use super::failing::{assert_given_back, each_operation};
use super::lowered::lowered;
use super::octave::inputs;
use super::reference::equal;
use super::transfers::{HEAD, line};
use super::{PROGRAMS, Program, matrix, views};

fn device() -> Arc<SimDevice> {
    Arc::new(SimDevice::new(SimDevice::standard()))
}

/// Asserts that the results are those of the CPU, and that the device found no mistake.
fn assert_same(what: &str, device: &SimDevice, got: &[ArrayD<f64>], wanted: &[ArrayD<f64>]) {
    assert_eq!(device.mistakes(), [""; 0], "{what}");
    assert!(got.iter().zip(wanted).all(|(got, wanted)| equal(got, wanted)), "{what}: {got:?}, on the CPU {wanted:?}");
}

/// Asserts that the summary of a call agrees with what the device did.
fn assert_counted(what: &str, device: &SimDevice, run: &megha::rt::Run) {
    let timeline = device.simulator().timeline();
    // what tries a device's tensor cores goes through the queue of kernels
    let is_sent = |span: &&Span| span.engine != Engine::In || span.stream != Queue::Compute as usize;
    let copies = |engine| timeline.iter().filter(is_sent).filter(|span| span.engine == engine).count() as u64;
    // a check's word comes down after its kernel; a reduction may take two launches
    assert!(run.moved.uploads == copies(Engine::In) && run.moved.downloads <= copies(Engine::Out), "{what}: {run}");
    assert!(run.device_kernels <= copies(Engine::Compute), "{what}: {run}");
    assert_eq!(run.device_kernels > 0, run.device_bytes > 0, "{what}: {run}");
    assert_eq!(run.device_kernels > 0, run.to_string().contains(" on a device, "), "{what}: {run}");
}

/// The smallest of a program's calls that still has some iterations.
pub fn call(program: &Program) -> Vec<ArrayD<f64>> {
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
                assert_counted(&golden.name, &device, &megha::last_run().unwrap());
            }
        }
        assert!(launches > 0, "{}: nothing ran on the device", program.name);
    }
}

/// Every operation of the device fails once, in turn, alone or with the whole device: the results are still right.
#[test]
fn a_device_that_fails_changes_nothing() {
    for program in &PROGRAMS {
        let arguments = call(program);
        each_operation(program.name, &|| (program.call)(&views(&arguments)));
    }
}

/// The same with kernels on both sides by lot, some of which begin early: nothing is lost, and all memory is given back.
#[test]
fn a_device_that_fails_beside_the_cpu_changes_nothing() {
    let kinds = [Operation::Allocate, Operation::Copy, Operation::Load, Operation::Launch, Operation::Synchronize];
    for (program, seed) in PROGRAMS.iter().flat_map(|program| [(program, 1), (program, 4), (program, 7)]) {
        let arguments = call(program);
        let views: Vec<ArrayViewD<f64>> = views(&arguments);
        let wanted = (program.call)(&views).unwrap();
        let by_lot = || Arc::new(SimDevice::new(SimDevice::standard()).by_lot(seed));
        let healthy = by_lot();
        with(healthy.clone(), Placement::Auto, || (program.call)(&views)).unwrap();
        for (kind, fragile) in kinds.into_iter().flat_map(|kind| [(kind, false), (kind, true)]) {
            for nth in 1..=healthy.simulator().operations(kind).min(40) {
                let device = by_lot();
                if fragile {
                    device.make_fragile();
                }
                device.simulator().fail(kind, nth);
                let got = with(device.clone(), Placement::Auto, || (program.call)(&views)).unwrap();
                let what = format!("{} by lot {seed}: {kind} {nth}, fragile: {fragile}", program.name);
                assert_same(&what, &device, &got, &wanted);
                device.simulator().synchronize_all().unwrap();
                assert!(fragile || device.simulator().memory().used == 0, "{what}: memory is not given back");
            }
        }
    }
}

/// A chain of calls moves its arrays to the device once and back when they are asked for.
#[test]
fn arrays_stay_where_they_are() {
    let program = PROGRAMS.iter().find(|p| p.name == "nb3d").unwrap();
    let golden = Golden::all("nb3d").into_iter().max_by_key(|g| g.input("position").len()).unwrap();
    let all = inputs(program, &golden);
    let [position, velocity, mass] = [0, 1, 2].map(|at| matrix(&all[at].view()).to_owned());
    let (softening, dt) = (all[3][[0, 0]], all[4][[0, 0]]);
    let mut wanted = (position.clone(), velocity.clone());
    for _ in 0..3 {
        wanted = super::nb3d(&wanted.0, &wanted.1, &mass, softening, dt, 2).unwrap();
    }
    let device = device();
    let copies = || device.simulator().timeline().iter().filter(|span| span.engine != Engine::Compute).count();
    let run = || -> megha::Result<_> {
        let mass = megha::Array::of(&mass);
        let (mut p, mut v) = (megha::Array::of(&position), megha::Array::of(&velocity));
        let mut before = 0;
        for round in 0..3 {
            (p, v) = super::nb3d_resident(&p, &v, &mass, softening, dt, 2)?;
            assert!(round == 0 || copies() == before, "{} copies in round {round}", copies() - before);
            assert!(p.is_on_device() && mass.is_on_device());
            before = copies();
        }
        Ok((p.to_ndarray()?, v.to_ndarray()?))
    };
    let got = with(device.clone(), Placement::Gpu, run).unwrap();
    assert_eq!(device.mistakes(), [""; 0]);
    assert_eq!(got, wanted);
}

/// What moves between host and device: at most what the thesis's scheme moves, and the reduction against the naive one (MEGHA, figure 3.9).
#[test]
fn little_is_moved() {
    let mut table = HEAD.to_owned();
    for program in &PROGRAMS {
        let size = |arrays: &Vec<ArrayD<f64>>| arrays.iter().map(ArrayD::len).sum::<usize>();
        let calls = Golden::all(program.name).into_iter().map(|golden| inputs(program, &golden));
        let arguments = calls.max_by_key(size).unwrap();
        let views: Vec<ArrayViewD<f64>> = views(&arguments);
        with(device(), Placement::Gpu, || (program.call)(&views)).unwrap();
        let moved = megha::last_run().unwrap().moved;
        table += &line(program.name, &lowered(program).module, &views, &moved);
    }
    expect![[r#"
        call             copies    bytes  thesis    bytes   naive    bytes  reduction
        bscholes              9    14394      9    14394      9    14394        1.0
        clos                  2    17424     14   121968     20   174240       10.0
        fdtd                  6    26392     12    57936    256  1191296       45.1
        filter_bank           3    12032      3    12032      3    12032        1.0
        matmul                3    24568      3    24568      3    24568        1.0
        nb3d                  5     3432      5     3432    280   137280       40.0
    "#]]
    .assert_eq(&table);
}

/// Arguments that begin at the same element and are not equally long: a copy that is too short for one must stay for the other.
#[test]
fn arguments_that_share_memory() {
    let numbers: Vec<f64> = (0..35).map(|i| f64::from(i) * 0.37 - 3.0).collect();
    let part = |rows: usize, columns: usize| {
        ndarray::ArrayView2::from_shape((rows, columns), &numbers[..rows * columns]).unwrap()
    };
    for (m, k, n) in [(2, 3, 7), (7, 3, 2), (1, 5, 7), (7, 5, 1), (4, 4, 4), (0, 3, 5), (3, 0, 5), (1, 1, 1)] {
        let (a, b) = (part(m, k), part(k, n));
        let wanted = super::matmul(a, b).unwrap();
        let device = device();
        let got = with(device.clone(), Placement::Gpu, || super::matmul(a, b)).unwrap();
        assert_same(&format!("{m}x{k}x{n}"), &device, &[got.into_dyn()], &[wanted.into_dyn()]);
    }
}

/// Threads that share arrays, each calling the same function on them: every one gets what one call alone gives.
#[test]
fn threads_share_arrays() {
    let part = |seed: usize| ndarray::Array2::from_shape_fn((9, 9), |(i, j)| ((i * 9 + j + seed) as f64 * 0.37).sin());
    let (a, b) = (part(1), part(2));
    let wanted = super::matmul(&a, &b).unwrap();
    let wanted = super::matmul(&wanted, &b).unwrap();
    let device = device();
    // on the host when the threads begin, and on the device, in either order of memory
    let by_columns = |m: &ndarray::Array2<f64>| megha::Array::of(&m.t().as_standard_layout().t());
    for (a, b, there) in [
        (megha::Array::of(&a), megha::Array::of(&b), false),
        (megha::Array::of(&a), megha::Array::of(&b), true),
        (by_columns(&a), by_columns(&b), true),
    ] {
        if there {
            let made = with(device.clone(), Placement::Gpu, || super::matmul_resident(&a, &b)).unwrap();
            assert!(made.is_on_device() && a.is_on_device() && b.is_on_device());
        }
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..5 {
                        let product = with(device.clone(), Placement::Gpu, || {
                            let product = super::matmul_resident(&a, &b)?;
                            super::matmul_resident(&product, &b)
                        });
                        assert_eq!(product.unwrap().to_ndarray().unwrap(), wanted);
                    }
                });
            }
        });
    }
    assert_eq!(device.mistakes(), [""; 0]);
    assert_given_back("shared arrays", &device);
}

/// Threads that go round several devices with an array that all share: what one device has made the next one takes.
#[test]
fn threads_change_devices() {
    let a = ndarray::Array2::from_shape_fn((9, 9), |(i, j)| ((i * 9 + j) as f64 * 0.37).sin());
    let wanted = super::matmul(super::matmul(&a, &a).unwrap(), &a).unwrap();
    let (devices, a) = ([device(), device(), device()], megha::Array::of(&a));
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (devices, a, wanted) = (&devices, &a, &wanted);
            scope.spawn(move || {
                for round in 0..6 {
                    let [first, second] = [0, 1].map(|k| devices[(thread + round + k) % 3].clone());
                    let placement = if round % 2 == 0 { Placement::Gpu } else { Placement::Auto };
                    let square = with(first, placement, || super::matmul_resident(a, a)).unwrap();
                    let cube = with(second, Placement::Gpu, || super::matmul_resident(&square, a)).unwrap();
                    assert_eq!(&cube.to_ndarray().unwrap(), wanted);
                }
            });
        }
    });
    drop(a);
    for device in &devices {
        assert_eq!(device.mistakes(), [""; 0]);
        assert_given_back("devices that take turns", device);
    }
}

/// Threads that call the same functions at once, on one device.
#[test]
fn threads_share_a_device() {
    let device = device();
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                for program in &PROGRAMS {
                    let arguments = call(program);
                    let wanted = (program.call)(&views(&arguments)).unwrap();
                    let got = with(device.clone(), Placement::Gpu, || (program.call)(&views(&arguments))).unwrap();
                    assert_same(program.name, &device, &got, &wanted);
                }
            });
        }
    });
    assert_given_back("a shared device", &device);
}
