//! Times of a kernel in three forms that take turns, and on the simulated device.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use megha::device::sim::SimDevice;
use megha::device::{Placement, with};
use megha_sim::Engine;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::cases::Work;

/// Turns end after so many seconds, or so many turns.
const ENOUGH: (f64, usize) = (1.5, 25);
/// After so many turns there are new arguments: where an array lies in physical memory decides what of it stays in a cache that is about as large, so that one form was
/// up to 20 % slower than another of the same code.
const DRAW: usize = 4;

/// A kernel in three forms, each with arguments of its own.
pub struct Forms {
    /// As Rust compiles it.
    pub plain: Work,
    /// With the attribute.
    pub offloaded: Work,
    /// With rayon.
    pub by_hand: Work,
}

/// A table, and the threads that are used: one, and two for what is written by hand, which is called inside of its pool as rayon has it fastest. On two threads compiled
/// code is called as from `main`.
pub struct Table {
    pools: [ThreadPool; 2],
}

impl Table {
    /// Prints its head.
    pub fn new() -> Self {
        let threads = format!("{:>10}{:>9}{:>7}", "offloaded", "by hand", "ratio");
        println!("{:<16}{:>10} |{:^26} |{:^26} |{:^20}", "ms", "", "one thread", "two threads", "device");
        println!("{:<16}{:>10} |{threads} |{threads} |{:>10}{:>10}", "", "plain", "kernels", "all");
        ThreadPoolBuilder::new().num_threads(2).build_global().expect("threads");
        Self { pools: [1, 2].map(|n| ThreadPoolBuilder::new().num_threads(n).build().expect("threads")) }
    }

    /// Prints the times of the forms, whose results must agree so far, and the device's for a call with other arguments. A ratio is that of
    /// the best other form to the offloaded one.
    pub fn row(&self, name: &str, epsilon: f64, forms: impl Fn() -> Forms, device: impl FnOnce() -> Work) {
        if !is_wanted(name) {
            return;
        }
        if let Some(folder) = std::env::args().find_map(|arg| arg.strip_prefix("--results=").map(PathBuf::from)) {
            return write(&folder, name, forms().plain);
        }
        let [plain, one, one_by_hand, two, two_by_hand] = self.times(name, epsilon, &forms);
        let [kernels, all] = on_device(device());
        let threads = |time: f64, by_hand: f64| {
            format!("{:>10.3}{:>9.3}{:>7.2}", 1e3 * time, 1e3 * by_hand, plain.min(by_hand) / time)
        };
        let (one, two) = (threads(one, one_by_hand), threads(two, two_by_hand));
        println!("{name:<16}{:>10.3} |{one} |{two} |{:>10.4}{:>10.4}", 1e3 * plain, 1e3 * kernels, 1e3 * all);
    }

    /// Median seconds: plain, and on each number of threads offloaded and by hand. Each form goes on with its own results, so after the first
    /// call of each with new arguments they are compared.
    fn times(&self, name: &str, epsilon: f64, forms: &dyn Fn() -> Forms) -> [f64; 5] {
        let mut times: [Vec<f64>; 5] = Default::default();
        let start = Instant::now();
        let is_enough = |turns: usize| turns >= 3 && (start.elapsed().as_secs_f64() >= ENOUGH.0 || turns >= ENOUGH.1);
        while !is_enough(times[0].len()) {
            let mut drawn = forms();
            self.compare(name, epsilon, &mut drawn);
            for _ in 0..DRAW {
                if !is_enough(times[0].len()) {
                    self.turn(&mut drawn, &mut times);
                }
            }
        }
        times.map(median)
    }

    /// Calls each form once.
    fn compare(&self, name: &str, epsilon: f64, Forms { plain, offloaded, by_hand }: &mut Forms) {
        plain.call();
        offloaded.call();
        self.pools[1].install(|| by_hand.call());
        let expected = plain.results();
        assert_near(&expected, &offloaded.results(), epsilon, name);
        assert_near(&expected, &by_hand.results(), 0.0, name);
    }

    fn turn(&self, Forms { plain, offloaded, by_hand }: &mut Forms, times: &mut [Vec<f64>; 5]) {
        let [one, two] = &self.pools;
        times[0].push(seconds(plain));
        times[1].push(one.install(|| seconds(offloaded)));
        times[2].push(one.install(|| seconds(by_hand)));
        times[3].push(seconds(offloaded));
        times[4].push(two.install(|| seconds(by_hand)));
    }
}

/// Whether the command line has a part of this name, or `=` and the whole, or no name.
fn is_wanted(name: &str) -> bool {
    let mut words = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).peekable();
    let fits = |word: String| word.strip_prefix('=').map_or(name.contains(&word), |whole| name == whole);
    words.peek().is_none() || words.any(fits)
}

/// Writes the results of a call, each as its doubles in memory order, to files that are numbered: what `benches/peers/nests` compares with.
fn write(folder: &Path, name: &str, mut plain: Work) {
    plain.call();
    for (place, result) in plain.results().iter().enumerate() {
        let bytes: Vec<u8> = result.iter().flat_map(|x| x.to_le_bytes()).collect();
        std::fs::write(folder.join(format!("{name}.{place}")), bytes).expect("a folder for results");
    }
}

fn seconds(work: &mut Work) -> f64 {
    let start = Instant::now();
    work.call();
    start.elapsed().as_secs_f64()
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Asserts that results differ by no more than a part of the largest.
fn assert_near(expected: &[Vec<f64>], found: &[Vec<f64>], epsilon: f64, name: &str) {
    for (expected, found) in expected.iter().zip(found) {
        let largest = expected.iter().fold(0.0, |most, x| f64::max(most, x.abs()));
        let near = |(x, y): (&f64, &f64)| x == y || (x - y).abs() <= epsilon * largest || (x.is_nan() && y.is_nan());
        assert!(expected.len() == found.len() && expected.iter().zip(found).all(near), "{name}: results differ");
    }
}

/// Seconds by the clock of the simulated device: of the kernels, and from the first operation to the last.
fn on_device(mut work: Work) -> [f64; 2] {
    let device = Arc::new(SimDevice::new(SimDevice::standard()));
    with(device.clone(), Placement::Gpu, || work.call());
    let spans = device.simulator().timeline();
    let kernels: Duration = spans.iter().filter(|s| s.engine == Engine::Compute).map(|s| s.end - s.start).sum();
    let (first, last) = (spans.iter().map(|s| s.start).min(), spans.iter().map(|s| s.end).max());
    let all = last.unwrap_or_default() - first.unwrap_or_default();
    [kernels, all].map(|time| time.as_secs_f64())
}
