//! The Megha compiler, a plain library: source text in, typed kernels and Rust code out.

// What unit tests share with integration tests names the crate.
#[cfg(test)]
extern crate self as megha_core;

pub mod affine;
mod compared_products;
mod congruent;
mod contract;
pub mod cpu;
pub mod diag;
pub mod driver;
pub mod early_tests;
pub mod equal_sizes;
pub mod explain;
mod fills;
pub mod hash;
pub mod interp;
pub mod ir;
pub mod kernels;
pub mod lower;
pub mod math;
pub mod matlab;
pub mod nests;
mod numbers;
pub mod offload;
pub mod passes;
mod planes;
pub mod ptx;
mod reassociate;
mod repeated_checks;
pub mod rules;
pub mod schedule;
pub mod simplify;
mod small_arrays;
pub mod source;
mod vector_products;
