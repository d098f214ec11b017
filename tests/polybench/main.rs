//! PolyBench/C 4.2's thirty kernels as they are naturally written in Rust, with nothing but the attribute added, equal the plain functions by
//! `==`: at several sizes, on arrays in both memory orders, with and without a simulated device.
#![allow(clippy::all, reason = "functions as they may be written")]

mod blas;
mod data;
mod kernels;
mod medley;
mod solvers;
mod stencils;

#[path = "../common/swept.rs"]
#[allow(dead_code, reason = "shared with tests that use more of it")]
mod sweeping;
#[path = "../common/twice.rs"]
mod twice;

use std::panic::Location;

use twice::{Case, Given, all, both, form};

/// Compares both forms, on the processor and with a device, and sweeps the memory of one for a larger call.
#[track_caller]
fn same(case: Case, sizes: &[usize]) {
    twice::same(case, sizes);
    let (place, largest) = (Location::caller(), sizes.iter().max().copied().unwrap_or(0));
    let mut sweep = sweeping::Sweep::new();
    sweep.add(&format!("{}:{}", place.file(), place.line()), &|| {
        case(true, Given { columns_first: false }, 3 * largest)
    });
    sweep.check();
}
