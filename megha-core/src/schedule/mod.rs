//! How kernels run: what back ends are told, and what that is decided from.
//!
//! A [`Schedule`] is data: an order of loops with tiles, what shares each loop's iterations, what is kept nearer ([`levels`]). It has a
//! text ([`text`], [`parse`]), is checked against its kernel ([`verify`](mod@verify), [`legal`]), and is made for every kernel by
//! [`default`](mod@default). Back ends carry out what it says and decide nothing; what one cannot carry out it names.

pub mod access;
pub mod default;
pub mod footprint;
pub mod latency;
mod legal;
pub mod levels;
pub mod lines;
pub mod order;
pub mod parse;
pub mod subject;
pub mod table;
mod text;
pub mod verify;
mod weight;

pub use default::default;
pub use levels::{Axis, Fission, Level, LoopId, Place, Schedule, Space, Stage, Staged, Target};
pub use order::Memory;
pub use subject::{BodyLoop, Subject, subjects};
pub use table::{Key, Schedules};
pub use verify::verify;
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

/// A back end for devices, which carries out the schedules for [`Target::Gpu`].
pub type DeviceBackend = fn(Verified<'_>, &Schedules) -> DeviceCode;
