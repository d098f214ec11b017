//! PolyBench/C 4.2's thirty kernels as they are naturally written in Rust, with nothing but the attribute added, equal the plain functions by
//! `==`: at several sizes, on arrays in both memory orders, with and without a simulated device.
#![allow(clippy::all, reason = "functions as they may be written")]

mod blas;
mod data;
mod kernels;
mod medley;
mod solvers;
mod stencils;

#[path = "../common/twice.rs"]
mod twice;

use twice::{Given, all, both, form, same};
