//! Devices that fail: each single operation in turn, and the results are those of the CPU.

use std::sync::Arc;

use megha::device::sim::SimDevice;
use megha::device::{Device, Placement, Queue, with};
use megha::rt::ErrorKind;
use megha_sim::Operation;
use ndarray::ArrayD;

use super::reference::equal;

/// The results of a call, all arrays.
pub type Results = megha::Result<Vec<ArrayD<f64>>>;

/// A device that is worth using for any size: nothing takes time on it.
pub fn instant() -> Arc<SimDevice> {
    let mut config = SimDevice::standard();
    let model = &mut config.model;
    (model.launch_latency, model.copy_latency, model.issue, model.row) = Default::default();
    (model.to_device, model.from_device, model.memory_bandwidth, model.flops64) = (1e30, 1e30, 1e30, 1e30);
    Arc::new(SimDevice::new(config))
}

/// Asserts that two calls ended alike; where all kernels have to run on the device, an error may say that it failed.
pub fn assert_alike(what: &str, placement: Placement, got: &Results, wanted: &Results) {
    let same = match (got, wanted) {
        (Ok(got), Ok(wanted)) => got.iter().zip(wanted).all(|(got, wanted)| equal(got, wanted)),
        (Err(got), _) if placement == Placement::Gpu && matches!(got.kind(), ErrorKind::Device { .. }) => true,
        (got, wanted) => got == wanted,
    };
    assert!(same, "{what}, {placement:?}: {got:?}, on the CPU {wanted:?}");
}

/// Asserts that all memory of a device was given back, unless the device is lost.
pub fn assert_given_back(what: &str, device: &SimDevice) {
    let ends = [Queue::Compute, Queue::Upload, Queue::Download].map(|queue| device.record(queue));
    if ends.into_iter().all(|end| end.and_then(|end| device.synchronize(end)).is_ok()) {
        assert_eq!(device.simulator().memory().used, 0, "{what}: memory of the device is not given back");
    }
}

/// Lets every operation of the device that the call needs fail once, alone or with the whole device. Asserts that the call uses the device.
pub fn each_operation(name: &str, call: &dyn Fn() -> Results) {
    assert!(each_operation_if_any(name, call) > 0, "{name}: nothing ran on the device");
}

/// The same for a call that may not use the device; how many kernels ran there.
pub fn each_operation_if_any(name: &str, call: &dyn Fn() -> Results) -> u64 {
    let kinds = [Operation::Allocate, Operation::Copy, Operation::Load, Operation::Launch, Operation::Synchronize];
    let (wanted, healthy) = (call(), instant());
    assert_alike(name, Placement::Auto, &with(healthy.clone(), Placement::Auto, call), &wanted);
    for (kind, fragile) in kinds.into_iter().flat_map(|kind| [(kind, false), (kind, true)]) {
        let times = healthy.simulator().operations(kind);
        for (nth, placement) in (1..=times).flat_map(|nth| [(nth, Placement::Auto), (nth, Placement::Gpu)]) {
            let what = format!("{name}: {kind} {nth} of {times}");
            let device = instant();
            if fragile {
                device.make_fragile();
            }
            device.simulator().fail(kind, nth);
            assert_alike(&what, placement, &with(device.clone(), placement, call), &wanted);
            assert_eq!(device.mistakes(), [""; 0], "{what}");
            assert_given_back(&what, &device);
        }
    }
    healthy.simulator().operations(Operation::Launch)
}
