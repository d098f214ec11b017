//! The clock beside figures that others measured on hardware: what `docs/gpu.md` (*Simulated cards*) says of it.
//!
//! Published figures, each of the kernel as it is here:
//! - copies and a stencil along a line: D. Ernst, *gpu-benches* (github.com/te42kyfo/gpu-benches), `gpu-stream/a100_40.txt`, by the share of a processor's threads that are at work,
//!   `cuda-stream/a100_80.txt` and `h100_pcie.txt`;
//! - transpositions: *Optimizing GPU Matrix Transpose* (yencal.github.io, 2025), an H100 SXM, after M. Harris, *An Efficient Matrix Transpose in CUDA C/C++* (NVIDIA, 2013);
//! - products: S. Boehm, *How to Optimize a CUDA Matmul Kernel* (siboehm.com, 2022), kernels 2 and 3, an RTX A6000 of 30 Tflop/s.

mod common;
#[path = "calibration/kernels.rs"]
mod kernels;

use std::time::Duration;

use kernels::{DIRECT, FIVE_POINTS, TILED, copy, naive, transposition};
use megha_sim::{Arg, Checks, Config, Device, Launch, Model, Ptr, Report, Stream};

/// Runs an entry `k` once on arrays of so many bytes; what it did, and the contents of the last one.
fn run(ptx: &str, launch: Launch, arrays: &[Vec<u8>], sizes: &[u32]) -> (Report, Vec<u8>) {
    let device = Device::new(Config { checks: Checks::none(), ..Config::default() });
    let module = common::load(&device, ptx);
    let place = |bytes: &Vec<u8>| {
        let at = device.alloc(bytes.len()).unwrap();
        device.copy_in(Stream::DEFAULT, at, bytes).unwrap();
        at
    };
    let places: Vec<Ptr> = arrays.iter().map(place).collect();
    let sizes = sizes.iter().map(|size| Arg::U32(*size));
    let args: Vec<Arg> = places.iter().map(|at| Arg::Ptr(*at)).chain(sizes).collect();
    let report = device.launch(Stream::DEFAULT, &module, "k", launch, &args).unwrap();
    let mut last = vec![0; arrays[arrays.len() - 1].len()];
    device.copy_out(Stream::DEFAULT, &mut last, places[places.len() - 1]).unwrap();
    (report, last)
}

/// A rate without the launch: so much in a second, in billions.
fn billions(amount: f64, report: &Report, model: &Model) -> f64 {
    let time: Duration = report.time_by(model) - model.launch_latency;
    amount / time.as_secs_f64() / 1e9
}

fn words(count: usize) -> Vec<u8> {
    (0..count as u32).flat_map(u32::to_le_bytes).collect()
}

/// Transposes `n` by `n` words; what it did.
fn transpose(ptx: &str, [n, rows]: [u32; 2]) -> Report {
    let elements = (n * n) as usize;
    let launch = Launch { grid: [n / 32, n / 32, 1], block: [32, rows, 1], shared: 0 };
    let (report, out) = run(ptx, launch, &[words(elements), vec![0; 4 * elements]], &[n]);
    let of = |at: usize| u32::from_le_bytes(out[4 * at..4 * at + 4].try_into().unwrap());
    let n = n as usize;
    assert!((0..elements).all(|at| of(at) as usize == at % n * n + at / n));
    report
}

/// The four transpositions of the publication: a thread for each word in place, through a tile, through a padded tile, four words for each thread.
fn transpositions(n: u32) -> [Report; 4] {
    let ptx = [naive(), transposition(32, 32), transposition(33, 32), transposition(33, 8)];
    let rows = [32, 32, 32, 8];
    std::array::from_fn(|at| transpose(&ptx[at], [n, rows[at]]))
}

/// Gigabytes a second of a copy of doubles by so many threads.
fn copied(threads: u32, model: &Model) -> f64 {
    let n: u32 = 1 << 21;
    let (report, _) = run(&copy(), Launch::linear(threads / 256, 256), &[vec![1; 8 << 21], vec![0; 8 << 21]], &[n]);
    billions(16.0 * f64::from(n), &report, model)
}

/// Five points along a line, in percent of the rate of a copy.
fn five_points(model: &Model) -> f64 {
    let n: u32 = 1 << 21;
    let launch = Launch::linear(n / 256, 256);
    let (report, _) = run(FIVE_POINTS, launch, &[vec![0; (8 << 21) + 32], vec![0; 8 << 21]], &[n]);
    100.0 * billions(16.0 * f64::from(n), &report, model) / copied(n, model)
}

/// A product of 384 by 256 and 256 by 448 singles, two rounds of blocks for each of 84 processors; billions of operations a second.
fn multiplied(ptx: &str, model: &Model) -> f64 {
    let [m, n, k] = [384u32, 448, 256];
    let launch = Launch { grid: [n / 32, m / 32, 1], block: [32, 32, 1], shared: 0 };
    let ones = |count: u32| (0..count).flat_map(|_| 1f32.to_le_bytes()).collect::<Vec<u8>>();
    let (report, out) = run(ptx, launch, &[ones(m * k), ones(k * n), vec![0; 4 * (m * n) as usize]], &[n, k]);
    assert!(out.chunks(4).all(|element| element == 256f32.to_le_bytes()));
    billions(2.0 * f64::from(m * n * k), &report, model)
}

/// An RTX A6000 at the clock that makes the 30 Tflop/s of the publication: 84 processors of 1.4 GHz, 768 GB/s; `gpu-cache/a40.txt` has 16.6 bytes a cycle and processor from its caches.
fn a6000() -> Model {
    let cycles = 84.0 * 1.4e9;
    Model {
        flops32: 256.0 * cycles,
        instructions: 128.0 * cycles,
        shared_bandwidth: 128.0 * cycles,
        cache_bandwidth: 16.6 * cycles,
        memory_bandwidth: 0.9 * 768e9,
        processors: 84,
        resident_threads: 84 * 512,
        cached_threads: 84 * 512,
        ..Model::rtx_4090()
    }
}

/// What the tile and its padding are for.
#[test]
fn tiles_and_padding_pay() {
    let [naive, tiled, padded, coarsened] = transpositions(256);
    assert!(naive.traffic.sectors > 4 * padded.traffic.sectors, "whole sectors for single words");
    let conflicts = [&naive, &tiled, &padded, &coarsened].map(|report| report.traffic.bank_conflicts);
    assert_eq!(conflicts, [0, 31 * 256 * 256 / 32, 0, 0]);
    let model = Model::h100();
    let rates = [&naive, &tiled, &padded].map(|report| billions(8.0 * 65_536.0, report, &model));
    assert!(rates[0] < rates[1] && rates[1] < rates[2], "{rates:?}");
}

/// A row for each figure: what was published, and how many times as fast the clock is. The table of `docs/gpu.md` is this one.
#[test]
#[ignore = "a measurement: run it with --release and --nocapture"]
fn table() {
    let (h100, a100, a6000) = (Model::h100(), Model::a100(), a6000());
    let row = |name: &str, published: f64, clock: f64| {
        println!("| {name} | {published:.0} | {clock:.0} | {:.2} |", clock / published);
    };
    for (share, threads, published) in [("1/8", 27_648, 548.0), ("1/4", 55_296, 954.0), ("1/2", 110_592, 1338.0)] {
        row(&format!("copy, doubles, A100, {share} of its threads, GB/s"), published, copied(threads, &a100));
    }
    for (card, published, model) in [("A100", 97.0, &a100), ("H100", 99.0, &h100)] {
        row(&format!("five points along a line, doubles, {card}, % of a copy"), published, five_points(model));
    }
    let published = [475.5, 996.1, 1693.4, 2772.4];
    let names = ["in place", "through tiles", "through padded tiles", "the same, four words a thread"];
    for ((name, published), report) in names.into_iter().zip(published).zip(transpositions(2048)) {
        let clock = billions(8.0 * 2048.0 * 2048.0, &report, &h100);
        row(&format!("transposition, singles, H100, {name}, GB/s"), published, clock);
    }
    row("product, singles, A6000, from global memory, Gflop/s", 1986.5, multiplied(DIRECT, &a6000));
    row("product, singles, A6000, tiles of 32 by 32, Gflop/s", 2980.3, multiplied(TILED, &a6000));
}
