//! Arrays from and to slices of cudarc on the device: values, addresses, and that memory goes back, whoever frees it.

use std::error::Error;
use std::sync::Arc;

use megha::device::{Device, Placement, with};
use megha::ndarray::Array1;
use megha::rt::cudarc::driver::{CudaContext, CudaSlice, DevicePtr};
use megha::{Array, Order};

use crate::cases::Size;

megha::matlab! {
    function y = scaled(x)
    arguments
        x (n,1) double
    end
    y = x .* 0.5 + 1;
    end
}

/// Times that arrays go around: more bytes than a device has, at the largest size.
const ROUNDS: usize = 300;

/// What differs, or fails; nothing if all is well.
pub fn check(device: &Arc<dyn Device>, size: Size) -> Result<(), Box<dyn Error>> {
    let elements = match size {
        Size::Small => 1_000,
        Size::Usual => 1_000_000,
        Size::Large => 20_000_000,
    };
    let host: Vec<f64> = (0..elements).map(|i| f64::from(i) * 0.37 - 3.0).collect();
    let wanted = scaled(Array1::from(host.clone()))?;
    let context = CudaContext::new(0)?;
    let [first, second] = [context.new_stream()?, context.new_stream()?];
    let address = |slice: &CudaSlice<f64>| slice.device_ptr(slice.stream()).0;
    for round in 0..ROUNDS {
        let slice = first.clone_htod(&host)?;
        let before = address(&slice);
        let x = with(device.clone(), Placement::Gpu, || Array::from_cudarc(slice, [host.len(), 1], Order::ColMajor))?;
        let y = with(device.clone(), Placement::Gpu, || scaled_resident(&x))?;
        if round % 2 == 0 {
            // freed by the device, in the slice's stream
            drop(x);
        } else if address(&x.into_cudarc(&second)?) != before {
            return Err("the slice that came back is another one".into());
        }
        let y = y.into_cudarc(&first)?;
        if round % 30 == 0 {
            let got = second.clone_dtoh(&y)?;
            // what was freed in a stream is free from then on
            first.synchronize()?;
            if got.iter().zip(&wanted).any(|(got, wanted)| got.to_bits() != wanted.to_bits()) {
                return Err(format!("round {round}: results differ from the CPU's").into());
            }
        }
    }
    context.synchronize()?;
    context.check_err()?;
    Ok(())
}
