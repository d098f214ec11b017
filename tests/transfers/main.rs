//! What moves between host and device of arrays that kernels touch in part: held against the elements that a plain loop touches.

#[path = "../common/failing.rs"]
#[allow(dead_code, reason = "shared with tests that use more of it")]
mod failing;
mod patterns;
#[path = "../common/reference.rs"]
#[allow(dead_code, reason = "shared with tests that use more of it")]
mod reference;

use std::fmt::Write;
use std::sync::Arc;

use expect_test::expect;
use failing::{assert_given_back, each_operation};
use megha::device::sim::SimDevice;
use megha::device::{Moved, Placement, with};
use megha_sim::Operation;
use ndarray::ArrayD;
use patterns::{CHAINS, PATTERNS, Pattern, Spy, noise};

/// A device on which only bytes take time.
fn by_bytes() -> Arc<SimDevice> {
    let mut config = SimDevice::standard();
    let model = &mut config.model;
    (model.launch_latency, model.copy_latency, model.issue, model.row) = Default::default();
    Arc::new(SimDevice::new(config))
}

/// What a pattern moves on a device, whose results are those of the plain loop.
fn moved(pattern: &Pattern, columns: bool, device: &Arc<SimDevice>) -> (Moved, [u64; 2]) {
    let [x, y] = [0, 1].map(|at| noise(pattern.sizes[at], columns, 7 + at as u64));
    let (from, mut to) = (Spy::new(x.view()), Spy::new(y.view()));
    (pattern.plain)(&from, &mut to);
    let mut got = y.clone();
    let last = with(device.clone(), Placement::Gpu, || {
        (pattern.fast)(x.view(), got.view_mut());
        megha::last_run().expect("a call")
    });
    assert_eq!(device.mistakes(), [""; 0], "{}", pattern.name);
    assert!(device.simulator().operations(Operation::Launch) > 0, "{}: no kernel", pattern.name);
    assert_eq!((last.device_kernels, last.kernels), (1, 0), "{}: {last}", pattern.name);
    let bits = |array: ndarray::ArrayViewD<'_, f64>| array.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    assert!(bits(got.view()) == bits(to.values()), "{}", pattern.name);
    let [[read, _], [found, stored]] = [from.touched(), to.touched()];
    (last.moved, [8 * (read + found) as u64, 8 * stored as u64])
}

/// Where bytes are all that counts, no more move than have to, but for arrays that are touched nearly whole.
#[test]
fn what_is_touched_moves() {
    for (pattern, columns) in PATTERNS.iter().flat_map(|pattern| [(pattern, false), (pattern, true)]) {
        let (moved, needed) = moved(pattern, columns, &by_bytes());
        for (bytes, needed) in [(moved.bytes_up, needed[0]), (moved.bytes_down, needed[1])] {
            let name = pattern.name;
            assert!(
                bytes >= needed && 10 * bytes <= 11 * needed,
                "{name} ({columns}): {bytes}, not {needed}: {moved:?}"
            );
        }
    }
}

/// Results of a pattern's arrays, on the device that is current.
fn results(pattern: &Pattern, columns: bool) -> megha::Result<Vec<ArrayD<f64>>> {
    let [x, mut y] = [0, 1].map(|at| noise(pattern.sizes[at], columns, 7 + at as u64));
    (pattern.fast)(x.view(), y.view_mut());
    Ok(vec![y])
}

/// Kernels on both sides in all mixtures, and devices that have too little memory: arrays are what the plain loop makes of them, whichever parts of
/// them are where.
#[test]
fn any_mixture_gives_the_same() {
    for (pattern, columns) in PATTERNS.iter().chain(CHAINS).flat_map(|pattern| [(pattern, false), (pattern, true)]) {
        let [x, y] = [0, 1].map(|at| noise(pattern.sizes[at], columns, 7 + at as u64));
        let (from, mut to) = (Spy::new(x.view()), Spy::new(y.view()));
        (pattern.plain)(&from, &mut to);
        for seed in 0..24 {
            let mut config = by_bytes().simulator().config().clone();
            if seed % 3 == 2 {
                config.memory = 8 * (x.len() as u64 + y.len() as u64) * (seed % 8) / 6;
            }
            let device = Arc::new(SimDevice::new(config).by_lot(seed));
            let placement = if seed % 4 == 0 { Placement::Gpu } else { Placement::Auto };
            let got = with(device.clone(), placement, || results(pattern, columns)).unwrap();
            let what = format!("{} ({columns}) by lot {seed}", pattern.name);
            assert_eq!(device.mistakes(), [""; 0], "{what}");
            assert!(got[0].iter().zip(to.values()).all(|(a, b)| a.to_bits() == b.to_bits()), "{what}");
            assert_given_back(&what, &device);
        }
    }
}

/// Every operation of the device fails once: the arrays are what the plain loop makes of them.
#[test]
fn failures_change_nothing() {
    let all = || PATTERNS.iter().chain(CHAINS);
    for name in ["columns", "read_and_written", "stored_with_gaps", "rows_by_halves", "odd_and_even", "the_same_twice"]
    {
        let pattern = all().find(|pattern| pattern.name == name).expect("a pattern");
        each_operation(name, &|| results(pattern, false));
    }
}

/// With the times of copies and rows, what lies between comes along where that is faster.
#[test]
fn what_moves_by_the_clock() {
    let mut table = "pattern               needed: up   down  moved: up   down  copies\n".to_owned();
    for pattern in PATTERNS {
        let device = Arc::new(SimDevice::new(SimDevice::standard()));
        let (moved, [up, down]) = moved(pattern, false, &device);
        let Moved { uploads, bytes_up, downloads, bytes_down, .. } = moved;
        let all: usize = 8 * pattern.sizes.iter().map(|sizes| sizes.iter().product::<usize>()).sum::<usize>();
        assert!(bytes_up <= all as u64, "{}", pattern.name);
        let copies = uploads + downloads;
        writeln!(table, "{:<20}{up:>12}{down:>7}{bytes_up:>11}{bytes_down:>7}{copies:>8}", pattern.name).unwrap();
    }
    expect![[r#"
        pattern               needed: up   down  moved: up   down  copies
        strided                     1600   1600       3200   1600       2
        interleaved                 3200   1600       6400   1600       2
        one_of_many                  800    800      25600    800       2
        a_row                        400    400        400    400       2
        a_column                     320    320      16000    320       2
        a_block                      960    960       4000    960       2
        a_stencil                  15968  14592      16000  14592       2
        a_halo                      1168    384       1200    384       2
        columns                     2560   2560      16000   2560       2
        every_third_row             8000   8000      24000   8000       2
        rows_and_columns            4800   4800      29768   4800       2
        one_element                    8    320          8    320       2
        reversed                    1600   1600       1600   1600       2
        written_in_full             2400   2400       2400   2400       2
        written_in_part             2400   2400       2400   2400       2
        stored_with_gaps            1600   1600       1600   1600       2
        read_and_written            2400    800       4000    800       3
        two_parts                   1600    800       5600    800       2
        a_plane                     1120   1120       1120   1120       2
        transposed                  1600   1600       4800   1600       2
        a_sum_of_rows               4800     96       4800     96       2
    "#]]
    .assert_eq(&table);
}
