//! The six programs on devices that are too small for them.

use std::sync::Arc;

use expect_test::expect;
use megha::device::sim::SimDevice;
use megha::device::{Placement, with};
use megha::rt::Run;
use ndarray::{Array2, ArrayD};

use super::common::golden::Golden;
use super::device::call;
use super::failing::{assert_given_back, instant};
use super::octave::inputs;
use super::reference::equal;
use super::{PROGRAMS, Program, views};

/// A call on a device of so much memory: what it did, and that its results are those of the CPU.
fn run(program: &Program, arguments: &[ArrayD<f64>], memory: u64, placement: Placement) -> Run {
    let views = views(arguments);
    let wanted = (program.call)(&views).unwrap();
    let mut config = instant().simulator().config().clone();
    config.memory = memory;
    let device = Arc::new(SimDevice::new(config));
    let got = with(device.clone(), placement, || (program.call)(&views)).unwrap();
    let run = megha::last_run().unwrap();
    let what = format!("{} on {memory} bytes, {placement:?}: {run}", program.name);
    assert_eq!(device.mistakes(), [""; 0], "{what}");
    assert!(got.iter().zip(&wanted).all(|(got, wanted)| equal(got, wanted)), "{what}");
    assert_given_back(&what, &device);
    assert!(run.device_peak <= memory, "{what}: {}", run.device_peak);
    run
}

/// From twice what a call takes to a sixteenth, in both orders of memory: the same bits, wherever kernels run and however they are cut.
#[test]
fn any_memory_gives_the_same() {
    for program in &PROGRAMS {
        let largest = |arrays: &Vec<ArrayD<f64>>| arrays.iter().map(ArrayD::len).sum::<usize>();
        let calls = Golden::all(program.name).into_iter().map(|golden| inputs(program, &golden));
        for arguments in [call(program), calls.max_by_key(largest).unwrap()] {
            let all = run(program, &arguments, 1 << 30, Placement::Gpu).device_peak;
            let rows: Vec<_> = arguments.iter().map(|a| a.as_standard_layout().into_owned()).collect();
            for sixteenths in [32, 16, 15, 13, 11, 8, 6, 4, 2, 1] {
                let memory = (all * sixteenths / 16).max(256);
                run(program, &arguments, memory, Placement::Gpu);
                run(program, &rows, memory, Placement::Auto);
            }
        }
    }
}

pub fn number(value: usize) -> ArrayD<f64> {
    ArrayD::from_elem(vec![1, 1], value as f64)
}

pub fn noise(rows: usize, columns: usize) -> ArrayD<f64> {
    Array2::from_shape_fn((rows, columns), |(i, j)| ((i * 7 + j * 13) as f64 * 0.37).sin()).into_dyn()
}

/// The settings of the thesis's table 4.5, scaled: arrays as large beside memory as there (425 MB for fields of 560 by 560 by 64 and for 32 million samples
/// through four filters, in single precision). There 3 of 7 and 6 of 9 candidates are spilled, and half and seven tenths of what the naive scheme copies is
/// copied. Bodies take no memory that is worth speaking of here: the matrices of all pairs are never made.
#[test]
fn the_settings_of_the_thesis() {
    let named = |name: &str| PROGRAMS.iter().find(|program| program.name == name).unwrap();
    let fields = [number(1), number(1), number(1), number(20), number(20), number(6), number(8)];
    let samples = [noise(3000, 1), noise(16, 4)];
    let bodies = [noise(64, 3), noise(64, 3), noise(64, 1), number(1), ArrayD::from_elem(vec![1, 1], 0.01), number(8)];
    let ratio = |arrays: u64| 425e6 / arrays as f64;
    let cases = [
        ("fdtd", &fields[..], ratio(6 * 560 * 560 * 64 * 4)),
        ("filter_bank", &samples[..], ratio(5 * 32_000_000 * 4)),
        ("nb3d", &bodies[..], 0.9),
    ];
    let mut table =
        "program       memory  of all  kernels  on CPU  spilled  parts   bytes   naive  of naive\n".to_owned();
    for (name, arguments, ratio) in cases {
        let all = run(named(name), arguments, 1 << 30, Placement::Gpu);
        let memory = (all.device_peak as f64 * ratio) as u64;
        let few = run(named(name), arguments, memory, Placement::Gpu);
        let (bytes, naive) = (few.moved.bytes_up + few.moved.bytes_down, few.moved.naive);
        assert!(2 * bytes <= naive || name == "filter_bank", "{name}: {few}");
        table += &format!(
            "{name:<12}{memory:>8}{ratio:>8.2}{:>9}{:>8}{:>9}{:>7}{bytes:>8}{naive:>8}{:>10.2}\n",
            few.device_kernels,
            few.kernels,
            few.spilled.arrays,
            few.spilled.boxes,
            bytes as f64 / naive as f64
        );
    }
    expect![[r#"
        program       memory  of all  kernels  on CPU  spilled  parts   bytes   naive  of naive
        fdtd          115872    0.88       60       0       16      0  682064 4891632      0.14
        filter_bank    79900    0.66        1       0        0      5  120512  120032      1.00
        nb3d            5990    0.90       48       0       24      0   37376  208896      0.18
    "#]]
    .assert_eq(&table);
}
