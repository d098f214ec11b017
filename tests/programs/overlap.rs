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

megha::matlab!(
    r#"
    function [p, q] = multiplied(a, b, c)
      p = a + 1;
      q = b * c;
    end
    "#,
    fn multiplied(a: f64[n, 1], b: f64[m, k], c: f64[k, m]) -> (p: f64[n, 1], q: f64[m, m])
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

/// Ones, of which all sums are exact: a product that is long on the CPU for its elements, not for its sums.
fn factors() -> [Array2<f64>; 2] {
    [Array2::from_elem((1024, 8), 1.0), Array2::from_elem((8, 1024), 1.0)]
}

/// A matrix product begins on the device while the CPU is at what comes before it.
#[test]
fn products_begin_early() {
    let (a, [b, c]) = (column(400_000), factors());
    let cpu = alone(Placement::Cpu, || cheap(&a));
    let wanted = multiplied(&a, &b, &c).unwrap();
    let mut seen = 0;
    for seed in 0..8 {
        let device = Arc::new(SimDevice::new(SimDevice::standard()).multiplying().by_lot(seed));
        assert_eq!(on(&device, Placement::Auto, || multiplied(&a, &b, &c)), wanted);
        let all = device.simulator().timeline();
        let kernels: Vec<_> = all.iter().filter(|span| span.engine == Engine::Compute).collect();
        // where the lot leaves the sum to the CPU and the product to the device
        if let [product] = kernels[..]
            && product.name == "matrix product"
        {
            seen += 1;
            assert!(product.start < cpu / 2, "the product begins at {:?}, the CPU ends at {cpu:?}", product.start);
            let time = device.simulator().now();
            assert!(time < cpu.mul_f64(1.1), "{time:?}, but {cpu:?} on the CPU");
        }
    }
    assert!(seen > 0, "no lot was that");
}

megha::matlab!(
    r#"
    function [x, y] = solved(a, b, t)
      y = exp(-t .^ 2) ./ (1 + t .^ 2);
      x = (a + 1) \ b;
      y = y + sqrt(y);
    end
    "#,
    fn solved(a: f64[n, n], b: f64[n, 1], t: f64[m, 1]) -> (x, y)
);

/// A system of equations, and numbers beside it.
fn system(n: usize) -> [Array2<f64>; 3] {
    let matrix = Array2::from_shape_fn((n, n), |(i, j)| if i == j { n as f64 } else { ((i * 7 + j) as f64).sin() });
    let column = |n: usize| Array2::from_shape_fn((n, 1), |(i, _)| (i as f64 * 0.37).cos());
    [matrix, column(n), column(200_000)]
}

/// A call that is the same each time.
type Call = Box<dyn Fn() + Send + Sync>;

/// Calls whose blocks take so long that the host's time for launches and allocations hardly matters, and in which all that takes time are
/// kernels, products and what libraries do: the simulated clock knows of nothing else that the host does.
fn calls() -> [(&'static str, Call); 5] {
    let both = || (column(FEW), column(MANY));
    let ((a, b), (c, d), e, [f, g]) = (both(), both(), column(400_000), factors());
    let [h, i, j] = system(300);
    [
        ("parts", Box::new(move || drop(parts(&a, &b).unwrap()))),
        ("after", Box::new(move || drop(after(&c, &d).unwrap()))),
        ("multiplied", Box::new(move || drop(multiplied(&e, &f, &g).unwrap()))),
        ("solved", Box::new(move || drop(solved(&h, &i, &j).unwrap()))),
        ("bscholes", Box::new(|| super::placement::bscholes(100_000))),
    ]
}

/// What is executed takes as long as the schedule says, wherever kernels are: as decided, and by lot.
#[test]
fn schedules_take_as_long_as_they_say() {
    let mut mixed = 0;
    for (name, call) in calls() {
        for lot in [None, Some(1), Some(2), Some(4), Some(5)] {
            let device = SimDevice::new(SimDevice::standard()).multiplying();
            let device = Arc::new(if let Some(seed) = lot { device.by_lot(seed) } else { device });
            let run = on(&device, Placement::Auto, || {
                call();
                Ok(megha::last_run().unwrap())
            });
            let took = device.simulator().now();
            let ratio = took.as_secs_f64() / run.scheduled.as_secs_f64();
            assert!((0.9..1.1).contains(&ratio), "{name}, lot {lot:?}: {took:?}, scheduled for {:?}", run.scheduled);
            mixed += usize::from(run.kernels > 0 && run.device_kernels > 0);
        }
    }
    assert!(mixed > 3, "{mixed} calls had something on both sides");
}
