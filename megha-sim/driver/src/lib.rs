//! The interface of the CUDA driver on a simulated GPU: a stand-in for `libcuda.so.1`, and for `libcublas.so`, that tests load.
//!
//! It has the entries that `megha-rt` calls, and those that cudarc needs for contexts, streams, events and slices; no others. Operations in streams run as late as the interface allows: when somebody
//! waits for them, or asks for an event often enough. So memory of the host that is used again too early, or an event that is
//! missing, gives wrong values or a mistake here, as it may on hardware. Any call can be made to fail (`control`).
#![allow(unsafe_code, reason = "the interface is C's")]
#![allow(non_snake_case, reason = "the names are the driver's")]
#![allow(clippy::missing_safety_doc, reason = "the driver's reference says what callers must do")]
#![allow(missing_docs, reason = "the driver's reference says what entries do")]

mod blas;
mod control;
mod entries;
mod loaded;
mod machine;
mod streams;

pub use loaded::Loaded;
