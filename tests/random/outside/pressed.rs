//! Calls on simulated devices of random memory, of whose operations none, one or two fail: the same text as on the CPU, or an error that
//! says that the device failed, and nothing is left behind.

use std::fmt;
use std::sync::Arc;

use megha_rt::device::sim::SimDevice;
use megha_rt::device::{Device, Placement, Queue, recomputed_wherever, with};
use megha_rt::{Error, ErrorKind};
use megha_sim::Operation;

/// What happened in calls; the numbers of a line of text.
#[derive(Default)]
pub struct Counts {
    calls: u64,
    launches: u64,
    spilled: u64,
    again: u64,
    failed: u64,
}

impl fmt::Display for Counts {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counts { calls, launches, spilled, again, failed } = self;
        write!(to, "{calls} {launches} {spilled} {again} {failed}")
    }
}

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

/// A device on which nothing takes time, so that it is worth using, with room for some arrays.
fn device(noise: &mut Noise) -> SimDevice {
    let mut config = SimDevice::standard();
    let model = &mut config.model;
    (model.launch_latency, model.copy_latency, model.issue, model.row) = Default::default();
    (model.to_device, model.from_device, model.memory_bandwidth, model.flops64) = (1e30, 1e30, 1e30, 1e30);
    config.memory = 256 * (1 + noise.below(16));
    SimDevice::new(config)
}

/// Makes a call as often as the environment says, a case each; what is wrong first. `wanted` is the text on the CPU.
pub fn check(
    counts: &mut Counts,
    name: &str,
    wanted: &str,
    call: &dyn Fn() -> Result<String, Error>,
) -> Result<(), String> {
    let times = std::env::var("MEGHA_RANDOM_PRESSED").ok().and_then(|n| n.parse().ok()).unwrap_or(5);
    let start = name.bytes().fold(0u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(u64::from(byte)));
    (0..times).try_for_each(|case| one(counts, start.wrapping_mul(1000) + case, wanted, call))
}

fn one(counts: &mut Counts, seed: u64, wanted: &str, call: &dyn Fn() -> Result<String, Error>) -> Result<(), String> {
    use Operation::{Allocate, Copy, Launch, Load, Synchronize};
    let noise = &mut Noise(seed);
    let mut device = device(noise);
    let placement = if noise.below(2) == 0 { Placement::Gpu } else { Placement::Auto };
    if noise.below(4) == 0 {
        device = device.by_lot(noise.below(1000));
    }
    let mut what = format!("{placement:?} on {} bytes", device.simulator().config().memory);
    for _ in 0..noise.below(3) {
        let (kind, nth) = ([Allocate, Copy, Launch, Load, Synchronize][noise.below(5) as usize], 1 + noise.below(12));
        device.simulator().fail(kind, nth);
        what += &format!(", {kind} {nth} fails");
    }
    if noise.below(3) == 0 {
        device.make_fragile();
        what += ", and all with it";
    }
    let device = Arc::new(device);
    // in every second call all is computed again that can be
    let call = || if seed % 2 == 1 { recomputed_wherever(call) } else { call() };
    let got = with(device.clone(), placement, call);
    counts.calls += 1;
    counts.launches += device.simulator().operations(Launch);
    let spilled = megha_rt::last_run().map(|run| run.spilled).unwrap_or_default();
    counts.spilled += spilled.arrays;
    counts.again += spilled.recomputed.arrays;
    match got {
        Ok(got) if got == wanted => {}
        Err(error) if placement == Placement::Gpu && matches!(error.kind(), ErrorKind::Device { .. }) => {
            counts.failed += 1
        }
        Ok(got) => return Err(format!("{what}: {got}")),
        Err(error) => return Err(format!("{what}: {error}")),
    }
    if !device.mistakes().is_empty() {
        return Err(format!("{what}: {:?}", device.mistakes()));
    }
    let ends = [Queue::Compute, Queue::Upload, Queue::Download].map(|queue| device.record(queue));
    let lost = ends.into_iter().any(|end| end.and_then(|end| device.synchronize(end)).is_err());
    let left = device.simulator().memory().used;
    if lost || left == 0 { Ok(()) } else { Err(format!("{what}: {left} bytes are not given back")) }
}
