//! Code of exactly the shape that the compiler generates, written by hand: tests and benchmarks share it.
pub mod bscholes;
pub mod control;
pub mod fdtd;
pub mod math;
pub mod matmul;
pub mod sums;
