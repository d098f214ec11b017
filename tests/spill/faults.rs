//! Random budgets and random faults, one or two in a call: the right results or an error that says that the device failed, and nothing is left behind.

use std::ops::Range;
use std::sync::Arc;

use megha::device::sim::SimDevice;
use megha::device::{Placement, with};
use megha::rt::device::recomputed_wherever;
use megha_sim::Operation;

use super::failing::{Results, assert_alike, assert_given_back, instant};
use super::programs::PROGRAMS;

/// SplitMix64.
struct Noise(u64);

impl Noise {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mix = |z: u64, shift: u32, factor: u64| (z ^ z >> shift).wrapping_mul(factor);
        let z = mix(mix(self.0, 30, 0xbf58_476d_1ce4_e5b9), 27, 0x94d0_49bb_1331_11eb);
        (z ^ z >> 31) % n
    }
}

#[test]
fn faults_under_random_budgets() {
    faults(0..1200, |call| call());
}

/// The same where all that can be is computed again.
#[test]
fn faults_where_arrays_are_computed_again() {
    let again = faults(1200..2400, |call| recomputed_wherever(call));
    assert!(again > 100, "{again} arrays were computed again");
}

/// Calls by these seeds, each run in a way; how many arrays they have computed again.
fn faults(seeds: Range<u64>, run: fn(&dyn Fn() -> Results) -> Results) -> u64 {
    use Operation::{Allocate, Copy, Launch, Load, Synchronize};
    let (mut spilled, mut parts, mut failed, mut again) = (0, 0, 0, 0);
    for seed in seeds {
        let noise = &mut Noise(seed);
        let program = &PROGRAMS[noise.below(PROGRAMS.len() as u64) as usize];
        let (n, steps) = (1 + noise.below(30) as usize, noise.below(4) as f64);
        let wanted = (program.call)(n, steps);
        let mut config = instant().simulator().config().clone();
        config.memory = 256 + noise.below(9 * (n * n * 8) as u64 + 2048);
        let mut device = SimDevice::new(config);
        let mut placement = Placement::Gpu;
        if noise.below(2) == 0 {
            placement = Placement::Auto;
            if noise.below(2) == 0 {
                device = device.by_lot(noise.below(1000));
            }
        }
        let mut what = format!("{seed}: {} of {n} rows on {} bytes", program.name, device.simulator().config().memory);
        for _ in 0..noise.below(3) {
            let kind = [Allocate, Copy, Launch, Load, Synchronize][noise.below(5) as usize];
            let nth = 1 + noise.below(40);
            device.simulator().fail(kind, nth);
            what += &format!(", {kind} {nth} fails");
        }
        if noise.below(3) == 0 {
            device.make_fragile();
            what += ", and all with it";
        }
        let device = Arc::new(device);
        let got = with(device.clone(), placement, || run(&|| (program.call)(n, steps)));
        assert_alike(&what, placement, &got, &wanted);
        assert_eq!(device.mistakes(), [""; 0], "{what}");
        assert_given_back(&what, &device);
        if let Some(run) = megha::last_run() {
            assert!(run.device_peak <= device.simulator().config().memory, "{what}: {run}");
            again += run.spilled.recomputed.arrays;
            (spilled, parts) = (spilled + run.spilled.arrays, parts + run.spilled.boxes);
        }
        failed += usize::from(got.is_err());
    }
    // the budgets are such that all of it happens
    assert!(spilled > 100 && parts > 100 && failed > 20, "{spilled} arrays left, {parts} parts, {failed} failures");
    again
}
