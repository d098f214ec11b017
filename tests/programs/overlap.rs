//! CPU, device and copies at the same time, by the clock of the simulated device.

use std::sync::Arc;
use std::time::Duration;

use megha::device::sim::SimDevice;
use megha::device::{Placement, with};
use megha_sim::{Engine, Operation};
use ndarray::Array2;

megha::matlab!(
    r#"
    function [p, q] = parts(a, b)
      p = a + 1;
      q = exp(exp(-b)) .* sin(b) + cos(b);
    end
    "#,
    fn parts(a: f64[n, 1], b: f64[m, 1]) -> (p: f64[n, 1], q: f64[m, 1])
);
megha::matlab!(
    r#"
    function p = cheap(a)
      p = a + 1;
    end
    "#,
    fn cheap(a: f64[n, 1]) -> p: f64[n, 1]
);
megha::matlab!(
    r#"
    function q = dear(b)
      q = exp(exp(-b)) .* sin(b) + cos(b);
    end
    "#,
    fn dear(b: f64[m, 1]) -> q: f64[m, 1]
);
megha::matlab!(
    r#"
    function q = after(a, b)
      s = sum(a);
      q = exp(exp(-b)) .* sin(b) + s * cos(b);
    end
    "#,
    fn after(a: f64[n, 1], b: f64[m, 1]) -> q: f64[m, 1]
);
megha::matlab!(
    r#"
    function [p, q, r] = chain(a, b)
      p = a + 1;
      q = exp(exp(-b)) .* sin(b) + cos(b);
      r = sort(q);
    end
    "#,
    fn chain(a: f64[n, 1], b: f64[m, 1]) -> (p: f64[n, 1], q: f64[m, 1], r: f64[m, 1])
);

megha::matlab!(
    r#"
    function [p, q] = checked(a, at, b)
      c = a + 1;
      p = c(at);
      q = exp(exp(-b)) .* sin(b) + cos(b);
    end
    "#,
    fn checked(a: f64[n, 1], at: f64[k, 1], b: f64[m, 1]) -> (p: f64[k, 1], q: f64[m, 1])
);

fn column(n: usize) -> Array2<f64> {
    Array2::from_shape_fn((n, 1), |(i, _)| (i as f64 * 0.618_034).fract() - 0.25)
}

const FEW: usize = 150_000;
const MANY: usize = 200_000;

fn device() -> Arc<SimDevice> {
    Arc::new(SimDevice::new(SimDevice::standard()))
}

/// What a call gives, on a host of two threads.
fn on<R: Send>(device: &Arc<SimDevice>, placement: Placement, call: impl Fn() -> megha::Result<R> + Send + Sync) -> R {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let result = pool.install(|| with(device.clone(), placement, || call().unwrap()));
    assert_eq!(device.mistakes(), [""; 0]);
    result
}

/// When the operations of an engine start and end.
fn spans(device: &SimDevice, engine: Engine) -> Vec<(Duration, Duration)> {
    let all = device.simulator().timeline().into_iter();
    all.filter(|span| span.engine == engine).map(|span| (span.start, span.end)).collect()
}

/// The time of a call on one side: on the CPU beside a device that nothing is worth.
fn alone<R: Send>(side: Placement, call: impl Fn() -> megha::Result<R> + Send + Sync) -> Duration {
    let device = if side == Placement::Gpu { device() } else { Arc::new(SimDevice::new(super::placement::slow())) };
    on(&device, if side == Placement::Gpu { side } else { Placement::Auto }, call);
    device.simulator().now()
}

/// Two kernels that do not need each other, of which the first is the CPU's: the second does not wait for it.
#[test]
fn independent_parts_take_as_long_as_the_longer() {
    let (a, b) = (column(FEW), column(MANY));
    let cpu = alone(Placement::Cpu, || cheap(&a));
    let gpu = alone(Placement::Gpu, || dear(&b));
    let both = device();
    let got = on(&both, Placement::Auto, || parts(&a, &b));
    assert_eq!(got, parts(&a, &b).unwrap());
    assert_eq!(both.simulator().operations(Operation::Launch), 1, "one on each side");
    let time = both.simulator().now();
    assert!(time < cpu.max(gpu).mul_f64(1.1), "{time:?}, but {cpu:?} and {gpu:?}");
    assert!(time < (cpu + gpu).mul_f64(0.7), "{time:?}, but {cpu:?} and {gpu:?}");
    let kernel = spans(&both, Engine::Compute)[0];
    assert!(kernel.0 < cpu, "the device begins at {kernel:?}, the CPU ends at {cpu:?}");
}

/// The device's kernel needs a number that the CPU makes, and an array that is there before: that is copied meanwhile.
#[test]
fn arrays_go_to_the_device_before_the_kernel_that_reads_them() {
    let (a, b) = (column(FEW), column(MANY));
    let device = device();
    let got = on(&device, Placement::Auto, || after(&a, &b));
    assert_eq!(got, after(&a, &b).unwrap());
    let (copies, kernels) = (spans(&device, Engine::In), spans(&device, Engine::Compute));
    assert_eq!((copies.len(), kernels.len()), (1, 1), "the sum is the CPU's, the rest the device's");
    let sum = alone(Placement::Cpu, || after(&a, column(0)));
    assert!(copies[0].0 < sum / 2, "the copy begins at {:?}, the CPU's kernel ends at {sum:?}", copies[0].0);
    assert!(kernels[0].0 >= sum, "{kernels:?}, {sum:?}");
}

/// What the device makes and the host reads later comes back as soon as it is made, while the CPU is still at something else.
#[test]
fn arrays_come_back_as_soon_as_they_are_made() {
    let (a, b) = (column(FEW), column(MANY));
    let cpu = alone(Placement::Cpu, || cheap(&a));
    let mut seen = 0;
    for seed in 0..12 {
        let device = Arc::new(SimDevice::new(SimDevice::standard()).by_lot(seed));
        let got = on(&device, Placement::Auto, || chain(&a, &b));
        assert_eq!(got, chain(&a, &b).unwrap());
        let (kernels, copies) = (spans(&device, Engine::Compute), spans(&device, Engine::Out));
        // where the lot leaves the first kernel to the CPU and gives the second one, whose arrays are larger, to the device
        if kernels.len() == 1 && device.simulator().memory().peak >= 2 * 8 * MANY as u64 {
            seen += 1;
            assert!(copies[0].0 >= kernels[0].1 && copies[0].1 < cpu, "back at {:?}, {cpu:?} on the CPU", copies[0]);
        }
    }
    assert!(seen > 0, "no lot was that");
}

/// A kernel does not begin before a statement at which the call may end: that may be what makes its subscripts valid.
#[test]
fn nothing_begins_beyond_a_check() {
    let (a, b) = (column(FEW), column(MANY));
    let launched = [(FEW, true), (FEW + 1, false)].map(|(last, fine)| {
        let at = Array2::from_shape_fn((3, 1), |(i, _)| (last - i) as f64);
        let device = device();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let got = pool.install(|| with(device.clone(), Placement::Auto, || checked(&a, &at, &b)));
        assert_eq!(got, checked(&a, &at, &b));
        assert_eq!((got.is_ok(), device.mistakes()), (fine, Vec::new()));
        spans(&device, Engine::Compute).len()
    });
    assert_eq!(launched[0], launched[1] + 1, "the last kernel is worth a device");
}
