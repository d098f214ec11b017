//! Calls whose launches are cut into parts at random: wherever the parts run and in whatever order, they make the same bits.

use std::sync::Arc;

use megha::device::sim::SimDevice;
use megha::device::{Placement, with};
use megha::rt::cuts;
use megha_sim::Operation;

use super::failing::{Results, assert_alike, assert_given_back};

/// Ways to cut the launches of a call.
pub const SEEDS: [u64; 2] = [1, 2];

/// Asserts that a call gives the same on processors, on the simulated device, and on both, whole and in parts; how many launches the device
/// had for the whole call and in parts.
pub fn assert_parts(name: &str, call: &dyn Fn() -> Results) -> [u64; 2] {
    let device = || Arc::new(SimDevice::new(SimDevice::standard()));
    let wanted = call();
    let mut launches = [0; 2];
    for seed in SEEDS {
        let what = format!("{name}, cut by {seed}");
        assert_alike(&what, Placement::Auto, &cuts::within(seed, call), &wanted);
        let sides = [
            (device(), Placement::Gpu),
            (Arc::new(SimDevice::new(SimDevice::standard()).by_lot(seed)), Placement::Auto),
        ];
        for (device, placement) in sides {
            let got = with(device.clone(), placement, || cuts::within(seed, call));
            assert_alike(&what, Placement::Auto, &got, &wanted);
            assert_eq!(device.mistakes(), [""; 0], "{what}");
            assert_given_back(&what, &device);
            launches[1] += device.simulator().operations(Operation::Launch);
        }
    }
    let whole = device();
    assert_alike(name, Placement::Auto, &with(whole.clone(), Placement::Gpu, call), &wanted);
    launches[0] = whole.simulator().operations(Operation::Launch);
    launches
}
