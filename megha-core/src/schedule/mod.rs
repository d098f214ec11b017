//! How kernels run: what back ends are told, and what that is decided from.

pub mod access;
pub mod cost;
pub mod domain;
pub mod footprint;
pub mod latency;
pub mod order;
pub mod sweep;
mod weight;

pub use weight::weight;

use crate::ir::verify::Verified;
use megha_base::plan::KernelPlan;

/// What a back end for devices makes of a module; the code for the CPU carries it and offers each launch to it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DeviceCode {
    /// The text that devices load.
    pub text: String,
    /// What runs the entries of the text.
    pub plans: Vec<KernelPlan>,
}

/// A back end for devices.
pub type DeviceBackend = fn(Verified<'_>) -> DeviceCode;
