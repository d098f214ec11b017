//! The kernels of the papers on devices of ever less memory.

use super::cases::Case;
use super::given::{Given, Lay};
use super::sweeping::Sweep;
use super::{double_offloaded, single_offloaded};

fn sweep(all: &[(&str, Case)]) {
    let mut sweep = Sweep::new();
    for (name, case) in all {
        let n = if *name == "reduction" { 8000 } else { 64 };
        sweep.add(name, &|| {
            let mut work = case(Given { lay: Lay::Rows }, n);
            work.call();
            work.results().into_iter().map(|numbers| numbers.into_iter().map(f64::to_bits).collect()).collect()
        });
    }
    sweep.check();
}

#[test]
fn scarce_memory_never_makes_a_call_slower_than_the_cpu_alone() {
    sweep(&double_offloaded::ALL);
    if super::sweeping::all() {
        sweep(&single_offloaded::ALL);
    }
}
