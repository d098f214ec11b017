//! Narrow elements on the simulated device: with many of them a thread takes neighbours, whole and in parts, and the bits are those of the CPU.

use std::sync::Arc;

use megha::device::sim::SimDevice;
use megha::device::{Placement, with};
use megha::rt::cuts;
use megha_sim::Engine;
use ndarray::{Array1, Array2, ShapeBuilder};

megha::matlab! {
    function [y, above] = narrow(x, z, limit)
    arguments
        x (m,n) single
        z (m,n) single
        limit (1,1) single
    end
    y = x .* limit + z;
    above = y > x;
    end

    function y = bytes(x)
    arguments
        x (n,1) uint8
    end
    y = x + 7;
    end
}

/// The names of the entries that ran.
fn entries(device: &SimDevice) -> Vec<String> {
    let spans = device.simulator().timeline().into_iter();
    spans.filter(|span| span.engine == Engine::Compute).map(|span| span.name).collect()
}

fn on_device<T>(call: impl Fn() -> T) -> (T, Vec<String>) {
    let device = Arc::new(SimDevice::new(SimDevice::standard()));
    let made = with(device.clone(), Placement::Gpu, call);
    assert_eq!(device.mistakes(), [""; 0]);
    let entries = entries(&device);
    (made, entries)
}

#[test]
fn rows_of_whole_vectors_have_neighbours() {
    for (shape, whole) in [((1024, 513), true), ((513, 512), false), ((64, 64), false)] {
        let value = |(i, j): (usize, usize)| ((i * 31 + j * 17) % 1009) as f32 - 500.0;
        let x = Array2::from_shape_fn(shape.f(), value);
        let z = x.mapv(|x| x * 0.25 + 3.0);
        let call = || narrow(&x, &z, 1.5).unwrap();
        let wanted = call();
        let (got, entries) = on_device(call);
        assert_eq!(got, wanted);
        assert_eq!(entries.iter().any(|name| name.contains("_v")), whole, "{shape:?}: {entries:?}");
        let (got, _) = cuts::within(7, || on_device(call));
        assert_eq!(got, wanted, "in parts");
    }
}

#[test]
fn bytes_have_several() {
    for n in [1 << 22, (1 << 22) + 5] {
        let x: Array1<u8> = (0..n).map(|k| (k % 251) as u8).collect();
        let call = || bytes(&x).unwrap();
        let wanted = call();
        let (got, entries) = on_device(call);
        assert_eq!(got, wanted);
        assert!(entries.iter().any(|name| name.contains("_v")), "{entries:?}");
    }
}
