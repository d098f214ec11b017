//! The six programs of `examples/matlab` as a Rust user would write them without Megha.
//!
//! `operators` is the *ndarray operator form*: whole-array operators, slices and maps, which
//! run on one thread and allocate their temporaries. `loops` is a plain loop nest.

pub mod bscholes;
pub mod clos;
pub mod fdtd;
pub mod filter;
pub mod matmul;
pub mod nb3d;
