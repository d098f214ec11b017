//! What this machine can do at most: prints `BANDWIDTH PEAK`, the gigabytes a second that a copy reads and writes (or that a sum reads, if
//! that is more), and the billions of additions and multiplications a second of fused multiply-adds in registers, each the best of several turns.
//!
//! ```text
//! rustc -C opt-level=3 -C target-cpu=native limits.rs && ./limits THREADS
//! ```

use std::hint::black_box;
use std::thread::scope;
use std::time::Instant;

/// Doubles of an array: 128 MiB, more than caches hold.
const LENGTH: usize = 1 << 24;
/// Accumulators of a thread: enough registers of any width for two multiply-adds a cycle that take four.
const LANES: usize = 96;
const ROUNDS: usize = 4_000_000;
const TURNS: usize = 5;

fn main() {
    let threads = std::env::args().nth(1).and_then(|word| word.parse().ok()).expect("a number of threads");
    let (from, mut to) = (vec![1.0f64; LENGTH], vec![2.0f64; LENGTH]);
    let part = LENGTH / threads;
    let copied = 16e-9 * LENGTH as f64
        / best(|| {
            scope(|scope| {
                for (from, to) in from.chunks(part).zip(to.chunks_mut(part)) {
                    scope.spawn(|| to.copy_from_slice(from));
                }
            });
        });
    let read = 8e-9 * LENGTH as f64
        / best(|| {
            scope(|scope| from.chunks(part).for_each(|part| _ = scope.spawn(|| black_box(sum(part)))));
        });
    let operations = 2e-9 * (threads * LANES * ROUNDS) as f64
        / best(|| {
            scope(|scope| (0..threads).for_each(|_| _ = scope.spawn(|| black_box(multiply_add(black_box(0.5))))));
        });
    println!("{:.2} {operations:.2}", copied.max(read));
}

/// The least seconds of several turns.
fn best(mut turn: impl FnMut()) -> f64 {
    let seconds = |_| {
        let begun = Instant::now();
        turn();
        begun.elapsed().as_secs_f64()
    };
    (0..TURNS).map(seconds).fold(f64::INFINITY, f64::min)
}

fn sum(numbers: &[f64]) -> f64 {
    let mut lanes = [0.0f64; 64];
    for numbers in numbers.chunks_exact(lanes.len()) {
        for (lane, number) in lanes.iter_mut().zip(numbers) {
            *lane += number;
        }
    }
    lanes.iter().sum()
}

fn multiply_add(factor: f64) -> f64 {
    let mut lanes = [1.0f64; LANES];
    for _ in 0..ROUNDS {
        for lane in &mut lanes {
            *lane = lane.mul_add(factor, 0.25);
        }
    }
    lanes.iter().sum()
}
