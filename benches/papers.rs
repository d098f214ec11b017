//! The kernels of the papers (`examples/offload/kernels`): plain, offloaded, and by hand with rayon, on one and two threads, and on the
//! simulated device.
//!
//! ```text
//! cargo bench -p megha --bench papers [NAME|=WHOLE NAME] [--results=FOLDER]
//! ```
//! With `--results`, those of the first call of the plain form are written, and nothing is timed.
//!
//! Rows first. Times are medians of one run in which all forms take turns; results are compared first. The plain loop has one thread. Of the
//! device it is the time by the simulator's clock: of the kernels, and of all with copies there and back.

#[path = "papers/by_hand.rs"]
mod by_hand;
#[path = "../examples/offload/cases.rs"]
mod cases;
#[path = "../examples/offload/given.rs"]
mod given;
#[path = "../examples/offload/kernels/mod.rs"]
mod kernels;
#[path = "papers/turns.rs"]
mod turns;

use cases::cases;
use given::{Given, Lay};
use turns::{Forms, Table};

macro_rules! forms {
    ($($name:ident: $($kernels:ident)::+;)*) => { $(mod $name { super::cases!($($kernels)::+); })* };
}
forms! {
    double_plain: crate::kernels::double::plain;
    double_offloaded: crate::kernels::double::offloaded;
    double_by_hand: crate::by_hand::double;
    single_plain: crate::kernels::single::plain;
    single_offloaded: crate::kernels::single::offloaded;
    single_by_hand: crate::by_hand::single;
}

/// Sizes: on processors, and on the device, which is simulated.
fn sizes(name: &str) -> [usize; 2] {
    match name {
        "product" | "2mm" | "rank-k" | "rank-2k" => [512, 256],
        "mv" | "tmv" | "mvt" => [2048, 512],
        "distances" => [4096, 1024],
        "cp" => [256, 128],
        "mri-q" | "mri-fhd" => [1024, 512],
        "gravity" => [1024, 512],
        "reduction" => [1 << 22, 1 << 18],
        _ => [1024, 256],
    }
}

fn main() {
    let table = Table::new();
    for (bits, plain, offloaded, by_hand) in [
        ("f64", double_plain::ALL, double_offloaded::ALL, double_by_hand::ALL),
        ("f32", single_plain::ALL, single_offloaded::ALL, single_by_hand::ALL),
    ] {
        for (((name, plain), (_, offloaded)), (_, by_hand)) in plain.into_iter().zip(offloaded).zip(by_hand) {
            let ([size, on_device], given) = (sizes(name), Given { lay: Lay::Rows });
            let forms = || Forms {
                plain: plain(given, size),
                offloaded: offloaded(given, size),
                by_hand: by_hand(given, size),
            };
            // Sines are Megha's own.
            let epsilon = if name.starts_with("mri") { 1e-3 } else { 0.0 };
            table.row(&format!("{name} {bits}"), epsilon, forms, || offloaded(given, on_device));
        }
    }
}
