//! Runs the kernels of the papers, plain and with `#[megha::offload]`, compares their results and times them.
//!
//! ```text
//! cargo run --release --example offload [KERNEL ...]
//! ```
//! `MEGHA_DEVICE` says where, as for every program; the kernels are in `examples/offload/kernels`.

mod cases;
mod given;
mod kernels;

use std::time::Instant;

use cases::{Case, cases};
use given::{Given, Lay};

mod double_plain {
    super::cases!(crate::kernels::double::plain);
}
mod double_offloaded {
    super::cases!(crate::kernels::double::offloaded);
}
mod single_plain {
    super::cases!(crate::kernels::single::plain);
}
mod single_offloaded {
    super::cases!(crate::kernels::single::offloaded);
}

/// Calls of each are timed so often; the first is compared.
const CALLS: usize = 5;

/// Orders of the matrices of kernels that do much with each element, of those that do little, and lengths of vectors.
fn size(name: &str) -> usize {
    match name {
        "product" | "2mm" | "rank-k" | "rank-2k" | "cp" => 384,
        "reduction" => 1 << 20,
        _ => 1500,
    }
}

/// Results of the first call and the least time of a call, in milliseconds.
fn run(case: Case, n: usize) -> (Vec<Vec<f64>>, f64) {
    let mut work = case(Given { lay: Lay::Rows }, n);
    let (mut results, mut least) = (Vec::new(), f64::INFINITY);
    for call in 0..CALLS {
        let start = Instant::now();
        work.call();
        least = least.min(1e3 * start.elapsed().as_secs_f64());
        if call == 0 {
            results = work.results();
        }
    }
    (results, least)
}

/// The largest difference, of the largest number.
fn difference(a: &[Vec<f64>], b: &[Vec<f64>]) -> f64 {
    let pairs = || a.iter().flatten().zip(b.iter().flatten());
    let largest = pairs().fold(f64::MIN_POSITIVE, |most, (x, _)| most.max(x.abs()));
    pairs().fold(0.0, |most, (x, y)| f64::max(most, (x - y).abs())) / largest
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    println!("{:<20}{:>12}{:>12}{:>8}  results", "", "plain", "offloaded", "ratio");
    for (bits, plain, offloaded) in
        [("f64", double_plain::ALL, double_offloaded::ALL), ("f32", single_plain::ALL, single_offloaded::ALL)]
    {
        for ((name, plain), (_, offloaded)) in plain.into_iter().zip(offloaded) {
            if !wanted.is_empty() && !wanted.iter().any(|word| word == name) {
                continue;
            }
            let ((expected, plain), (found, offloaded)) = (run(plain, size(name)), run(offloaded, size(name)));
            let same = match difference(&expected, &found) {
                0.0 => "equal".to_owned(),
                some => format!("differ by {some:.0e}"),
            };
            println!("{name:<12}{bits:<8}{plain:>9.3} ms{offloaded:>9.3} ms{:>8.2}  {same}", plain / offloaded);
        }
    }
}
