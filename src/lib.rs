//! Megha compiles array code to fused CPU and GPU kernels while `cargo build` runs.
//!
//! [`matlab!`] takes MATLAB (inline, as a string or from a file) and gives typed Rust functions; `#[offload]` takes Rust
//! loops. Compiled functions return [`Result`]; what they call at run time is in [`rt`].

pub use megha_macros::{matlab, offload};
pub use megha_rt as rt;
pub use megha_rt::device;
pub use megha_rt::device::Resident as Array;
pub use megha_rt::{Error, Result, Run, c64, last_run};

/// The README's examples are compiled and run as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
