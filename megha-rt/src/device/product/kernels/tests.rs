use std::sync::Arc;

use megha_sim::Config;

use super::super::super::sim::SimDevice;
use super::*;
use crate::linalg::{self, Real};
use crate::{Array, ColMajor, Site, View};

const SITE: Site = Site { path: "", line: 0, column: 0, text: "a * b" };
/// Rows, columns, terms: one, less and more than tiles and stages, their sizes, no tile whole.
const SIZES: [[usize; 3]; 12] = [
    [1, 1, 1],
    [2, 2, 1],
    [3, 5, 2],
    [64, 64, 8],
    [65, 63, 9],
    [17, 130, 33],
    [130, 3, 7],
    [2, 70, 100],
    [1, 70, 100],
    [70, 1, 100],
    [33, 1, 7],
    [1, 300, 3],
];

fn sim(compute_capability: u32) -> SimDevice {
    SimDevice::new(Config { compute_capability, ..SimDevice::standard() })
}

/// Numbers of all kinds: of different magnitude, tiny ones whose products underflow, zeros of both signs, infinities and NaN.
fn numbers(count: usize, kind: usize) -> Vec<f64> {
    let mut state = 7 + kind as u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    };
    let mut number = || {
        let uniform = next() as f64 / f64::from(1 << 30) - 1.0;
        match (kind, next() % 40) {
            (0, power) => uniform * f64::from(1 << (power % 20)),
            (1, power) => uniform * 2f64.powi(-60 - power as i32),
            (2, power) => uniform * 2f64.powi(-520 - power as i32),
            (_, 0..4) => 0.0,
            (_, 4..8) => -0.0,
            (_, 8) if next() % 30 == 0 => f64::INFINITY,
            (_, 9) if next() % 30 == 0 => f64::NAN,
            _ => uniform,
        }
    };
    (0..count).map(|_| number()).collect()
}

/// What a class needs to be sent and compared.
trait Number: Real {
    const CLASS: &str;

    fn of(number: f64) -> Self;
    fn bits(self) -> u64;
    fn bytes(self) -> Vec<u8>;
    fn read(bytes: &[u8]) -> Self;
}

macro_rules! class {
    ($($t:ident)*) => {$(
        impl Number for $t {
            const CLASS: &str = stringify!($t);

            fn of(number: f64) -> $t {
                number as $t
            }

            fn bits(self) -> u64 {
                if self.is_nan() { u64::MAX } else { self.to_bits().into() }
            }

            fn bytes(self) -> Vec<u8> {
                self.to_ne_bytes().into()
            }

            fn read(bytes: &[u8]) -> $t {
                $t::from_ne_bytes(bytes.try_into().unwrap())
            }
        }
    )*};
}
class!(f64 f32);

fn send<T: Number>(device: &SimDevice, values: &[T]) -> Address {
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.bytes()).collect();
    let address = device.allocate(bytes.len() as u64).unwrap();
    device.upload(Queue::Compute, address, &bytes).unwrap();
    address
}

/// The product of two matrices that lie columns first, made by a device.
fn made<T: Number>(device: &SimDevice, [m, n, k]: [usize; 3], a: &[T], b: &[T]) -> Vec<T> {
    let factors = [send(device, a), send(device, b)];
    let bytes = m * n * size_of::<T>();
    let product = device.allocate(bytes as u64).unwrap();
    let extents = [m, n, k].map(|extent| extent as i32);
    device.kernels().start(device, &Product { element: T::ELEMENT, extents, factors, product }).unwrap();
    let mut out = vec![0; bytes];
    let download = device.begin_download(Queue::Compute, product, bytes).unwrap();
    device.finish_download(download, &mut out).unwrap();
    [product, factors[0], factors[1]].into_iter().for_each(|address| device.free(address));
    out.chunks(size_of::<T>()).map(T::read).collect()
}

fn of_the_cpu<T: Number>([m, n, k]: [usize; 3], a: &[T], b: &[T]) -> Vec<T> {
    let (a, b) = (View::<ColMajor, _, 2>::new(a, [m, k]), View::new(b, [k, n]));
    let product: Array<ColMajor, T, 2> = linalg::matmul(a, b, &SITE).unwrap();
    product.as_slice().to_vec()
}

fn compare<T: Number>(device: &SimDevice, size: [usize; 3], kind: usize) {
    let [m, n, k] = size;
    let values: Vec<T> = numbers(m * k + k * n, kind).into_iter().map(T::of).collect();
    let (a, b) = values.split_at(m * k);
    let bits = |values: Vec<T>| values.into_iter().map(T::bits).collect::<Vec<_>>();
    let (got, wanted) = (bits(made(device, size, a, b)), bits(of_the_cpu(size, a, b)));
    let differ: Vec<_> = (0..got.len()).filter(|at| got[*at] != wanted[*at]).take(5).collect();
    assert!(differ.is_empty(), "{} {size:?}, numbers {kind}: elements {differ:?}", T::CLASS);
}

/// Entries that a device has run.
fn ran(device: &SimDevice) -> Vec<String> {
    device.simulator().timeline().into_iter().map(|span| span.name).filter(|name| name.contains("f64")).collect()
}

#[test]
fn all_kernels_make_the_bits_of_the_cpu() {
    for capability in [70, 80, 90] {
        let device = sim(capability);
        for (size, kind) in SIZES.into_iter().flat_map(|size| (0..4).map(move |kind| (size, kind))) {
            compare::<f64>(&device, size, kind);
            compare::<f32>(&device, size, kind);
        }
        assert_eq!(device.mistakes(), [""; 0], "sm_{capability}");
    }
}

/// Large tiles, whatever the number of blocks.
#[test]
fn large_tiles_make_the_bits_of_the_cpu() {
    let ([m, n, k], device) = ([200, 150, 19], sim(90));
    let values = numbers(m * k + k * n, 0);
    let (a, b) = values.split_at(m * k);
    let singles = |values: &[f64]| values.iter().map(|value| *value as f32).collect::<Vec<_>>();
    let extents = [m, n, k].map(|extent| extent as i32);
    for (text, (name, shape)) in [(0, TENSOR[0]), (1, TENSOR[0])] {
        let factors = [send(&device, a), send(&device, b)];
        let product = send(&device, &vec![f64::NAN; m * n]);
        let wanted = Product { element: Element::F64, extents, factors, product };
        launch(&device, Kernel { text, name, tile: shape.tile }, &wanted).unwrap();
        assert_eq!(download::<f64>(&device, product, m * n), of_the_cpu([m, n, k], a, b), "{name} of text {text}");
    }
    let (element, name, shape) = FUSED[0];
    let (a, b) = (singles(a), singles(b));
    let factors = [send(&device, &a), send(&device, &b)];
    let product = send(&device, &vec![f32::NAN; m * n]);
    let kernel = Kernel { text: TEXTS.len() - 1, name, tile: shape.tile };
    launch(&device, kernel, &Product { element, extents, factors, product }).unwrap();
    assert_eq!(download::<f32>(&device, product, m * n), of_the_cpu([m, n, k], &a, &b), "{name}");
    assert_eq!(device.mistakes(), [""; 0]);
}

fn download<T: Number>(device: &SimDevice, from: Address, count: usize) -> Vec<T> {
    let mut out = vec![0; count * size_of::<T>()];
    let download = device.begin_download(Queue::Compute, from, out.len()).unwrap();
    device.finish_download(download, &mut out).unwrap();
    out.chunks(size_of::<T>()).map(T::read).collect()
}

/// What the device takes and makes decides; it is tried once.
#[test]
fn tensor_cores_are_used_where_they_make_chains() {
    for (capability, chains, tensor) in [(90, true, true), (80, true, true), (75, true, false), (90, false, false)] {
        let config = Config { compute_capability: capability, tensor_chains: chains, ..SimDevice::standard() };
        let device = SimDevice::new(config);
        for _ in 0..2 {
            compare::<f64>(&device, [5, 4, 3], 0);
        }
        let trials = usize::from(capability >= 80);
        assert_eq!(ran(&device).len(), 2 + trials, "sm_{capability}");
        let used = device.kernels().tensor(&device).unwrap();
        assert_eq!(used.is_some(), tensor, "sm_{capability}, chains: {chains}");
        assert_eq!(used.map(|text| TEXTS[text].contains("m16n8k8")), tensor.then_some(capability == 90));
    }
}

/// A failure while it is tried is a failure of the product, and it is tried again.
#[test]
fn trials_that_fail_are_made_again() {
    let device = Arc::new(sim(90));
    device.simulator().fail(megha_sim::Operation::Launch, 1);
    assert!(device.kernels().tensor(&*device).is_err());
    assert_eq!(device.kernels().tensor(&*device), Ok(Some(0)));
    assert_eq!(device.simulator().memory().used, 0, "what was taken to try is given back");
}

/// Where a driver does not translate their text, products are made without them, and it is not asked again.
#[test]
fn tensor_cores_without_a_module_are_left() {
    let device = sim(90);
    device.simulator().fail(megha_sim::Operation::Load, 1);
    for _ in 0..2 {
        compare::<f64>(&device, [5, 4, 3], 0);
        assert_eq!(device.kernels().tensor(&device), Ok(None));
    }
    assert_eq!(ran(&device).len(), 2, "products alone, no trial");
}

#[test]
fn large_products_have_large_tiles() {
    let product = |element, extents| Product { element, extents, factors: [Address(0); 2], product: Address(0) };
    let of = |element, extents, tensor| chosen(&product(element, extents), tensor).name;
    assert_eq!(of(Element::F64, [4096, 4096, 10], Some(0)), "product_f64_128");
    assert_eq!(of(Element::F64, [1024, 1024, 10], Some(0)), "product_f64_64");
    assert_eq!(of(Element::F64, [4096, 4096, 10], None), "product_f64_64");
    assert_eq!(of(Element::F32, [4096, 2048, 10], None), "product_f32_128");
    assert_eq!(of(Element::F32, [30, 2048, 10], None), "product_f32_64");
    assert_eq!(of(Element::F32, [1, 2048, 10], None), "vector_f32_along");
    assert_eq!(of(Element::F64, [2048, 1, 10], None), "vector_f64_across");
    assert_eq!(of(Element::F64, [1, 1, 10], Some(0)), "vector_f64_across");
}

/// A block reads each element of its lines once, no read of shared memory meets another's bank, and few instructions stand beside a multiply-add.
#[test]
fn tiles_read_what_they_need() {
    let (n, k) = (128usize, 64usize);
    for (text, (name, shape), most) in [(0, TENSOR[0], 0.18), (1, TENSOR[0], 0.28)] {
        let report = reported(text, name, shape.tile, [n, n, k]);
        let lines = 2 * n * k * size_of::<f64>();
        assert_eq!(report.traffic.sectors as usize, (lines + n * n * size_of::<f64>()).div_ceil(32), "{name}");
        assert_eq!(report.traffic.sectors_beside as usize, lines.div_ceil(32), "{name}");
        // the right factor arrives from threads of two groups of terms, which meet once, also in the two stages behind the last
        let stages = k / shape.tile.depth as usize + 2;
        let passes = stages * n * shape.tile.depth as usize * size_of::<f64>() / 128;
        assert_eq!(report.traffic.bank_conflicts, passes as u64, "{name}");
        let longer = reported(text, name, shape.tile, [n, n, 2 * k]);
        let each = (longer.thread_instructions - report.thread_instructions) as f64 / (n * n * k) as f64;
        assert!(each < most, "{name}: {each} instructions for a multiply-add");
    }
}

/// What the simulator reports of a product of doubles.
fn reported(text: usize, name: &str, tile: Tile, [m, n, k]: [usize; 3]) -> megha_sim::Report {
    let device = megha_sim::Device::new(SimDevice::standard());
    let module = device.load(TEXTS[text].as_str()).unwrap();
    let memory = |count: usize| {
        let memory = device.alloc(count * size_of::<f64>()).unwrap();
        device.copy_in(megha_sim::Stream::DEFAULT, memory, &vec![0; count * size_of::<f64>()]).unwrap();
        megha_sim::Arg::Ptr(memory)
    };
    let mut args = vec![memory(m * n), memory(m * k), memory(k * n)];
    args.extend([m, n, k].map(|extent| megha_sim::Arg::U32(extent as u32)));
    let launch = megha_sim::Launch::linear(tile.blocks([m as u32, n as u32]) as u32, tile.threads);
    device.launch(megha_sim::Stream::DEFAULT, &module, name, launch, &args).unwrap()
}

/// Large products reach three fifths of the simulated device's peak.
#[test]
#[ignore = "a measurement"]
fn shares_of_the_peak() {
    let [m, n, k] = [2816usize, 2816, 128];
    let extents = [m, n, k].map(|extent| extent as i32);
    let singles = Element::F32;
    for (element, (name, tile, text), peak, least) in [
        (Element::F64, (TENSOR[0].0, TENSOR[0].1.tile, 0), 60e12, 60.0),
        (singles, (FUSED[0].1, FUSED[0].2.tile, 2), 60e12, 60.0),
        (singles, (FUSED[1].1, FUSED[1].2.tile, 2), 60e12, 40.0),
        (Element::F64, (FUSED[2].1, FUSED[2].2.tile, 2), 30e12, 40.0),
    ] {
        let mut config = SimDevice::standard();
        config.checks = megha_sim::Checks::none();
        let latency = config.model.launch_latency;
        let device = SimDevice::new(config);
        let ones = |count: usize| send(&device, &vec![1.0f64; count]);
        let (factors, product) = ([ones(m * k), ones(k * n)], ones(m * n));
        launch(&device, Kernel { text, name, tile }, &Product { element, extents, factors, product }).unwrap();
        let span = device.simulator().timeline().pop().unwrap();
        let seconds = (span.end - span.start - latency).as_secs_f64();
        let share = 100.0 * (2 * m * n * k) as f64 / seconds / peak;
        println!("{name} of text {text}: {:.1} us, {share:.0} % of the peak", seconds * 1e6);
        assert!(share >= least, "{name}");
    }
}
