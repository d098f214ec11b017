//! Megha compiles array code to fused CPU and GPU kernels while `cargo build` runs.
//!
//! [`matlab!`] takes MATLAB (inline, as a string or from a file) and gives typed Rust functions; `#[offload]` takes Rust
//! loops. Compiled functions return [`Result`], whose errors say of which [kind](ErrorKind) they are; they take any arrays of
//! [`ndarray`], and the form `f_resident` takes [`Array`].

pub use megha_macros::{matlab, offload};
/// What compiled functions call: only they rely on it.
#[doc(hidden)]
pub use megha_rt as rt;
#[cfg(feature = "cudarc")]
pub use megha_rt::cudarc;
pub use megha_rt::device::Resident as Array;
pub use megha_rt::ndarray;
pub use megha_rt::{Error, ErrorKind, Input, Level, Order, Outside, Result, Run, Site, c64, last_run};

/// The memory that arrays of compiled functions take.
pub mod memory {
    pub use megha_rt::memory::{current, peak, recycle, reset_peak, set_limit, trim};
}

/// What programs print.
pub mod output {
    pub use megha_rt::output::captured;
}

/// Random numbers.
pub mod random {
    pub use megha_rt::random::seed;
}

/// Which device computes, and what is known of devices.
pub mod device {
    pub use megha_rt::device::Builder;
    #[cfg(feature = "cust")]
    pub use megha_rt::device::DeviceMemory;
    #[cfg(any(feature = "cudarc", feature = "cust"))]
    pub use megha_rt::device::Refused;
    #[doc(hidden)]
    pub use megha_rt::device::*;
    pub use megha_rt::device::{
        Address, Arg, Chosen, Device, Download, Event, Failure, Kernels, Kind, Module, Outcome, Placement, Ptx, Queue,
        Rates, Stamp, Unavailable, current, notes, strict, unavailable, with,
    };
}

/// The README's examples are compiled and run as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
