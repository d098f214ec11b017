//! Fourier transforms between kernels of a device: the CPU transforms, so what lies on the device comes to it and what it makes goes back.

use std::sync::Arc;

use megha::device::sim::SimDevice;
use megha::device::{Placement, with};
use ndarray::Array2;

use super::failing;

megha::matlab! {
    function y = windowed(x)
    arguments
        x (n,m) double
    end
    y = x .* 0.5 + 1;
    end

    function p = power(x)
    arguments
        x (n,m) double
    end
    s = fft(x);
    p = real(s) .^ 2 + imag(s) .^ 2;
    end
}

/// Numbers that are not exact.
fn numbers(rows: usize, columns: usize) -> Array2<f64> {
    Array2::from_shape_fn((rows, columns), |(i, j)| ((i * 31 + j * 7 + 1) as f64 * 0.618).sin())
}

#[test]
fn arrays_of_a_device_are_transformed_between_its_kernels() {
    for (rows, columns) in [(16, 1), (15, 4), (9, 2), (64, 3)] {
        let x = numbers(rows, columns);
        let wanted = power(windowed(&x).unwrap()).unwrap();
        let device = Arc::new(SimDevice::new(SimDevice::standard()));
        let got = with(device.clone(), Placement::Gpu, || {
            let x = windowed_resident(&megha::Array::of(&x))?;
            assert!(x.is_on_device());
            let p = power_resident(&x)?;
            let run = megha::last_run().unwrap();
            // One array comes to the host, the two parts of its transform go to the device together, and the result stays there.
            let bytes = 8 * (rows * columns) as u64;
            let moved = run.moved;
            assert_eq!((moved.downloads, moved.bytes_down), (1, bytes), "{rows} by {columns}: {run}");
            assert_eq!((moved.uploads, moved.bytes_up), (1, 2 * bytes), "{rows} by {columns}: {run}");
            assert!(run.device_kernels > 0 && p.is_on_device() && x.is_on_device());
            p.to_ndarray()
        });
        assert_eq!(got.unwrap(), wanted);
        assert_eq!(device.mistakes(), [""; 0]);
    }
    let x = numbers(6, 2);
    failing::each_operation_if_any("power", &|| power(&x).map(|p| vec![p.into_dyn()]));
}
