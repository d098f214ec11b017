//! How kernels run: what back ends are told, and what that is decided from.
//!
//! A [`Schedule`] is data: an order of loops with tiles, what shares each loop's iterations, what is kept nearer ([`levels`]). It has a
//! text (`text.rs`, [`parse`]), is checked against its kernel ([`verify`](mod@verify), `legal.rs`), and is made for every kernel by
//! [`default`](mod@default). Back ends carry out what it says and decide nothing; what one cannot carry out it names.
//!
//! ```
//! use megha_core::ir::{FuncId, parse::parse};
//! use megha_core::schedule::{Memory, Schedule, Schedules, Target};
//!
//! let module = parse(
//!     "func @twice(%x: f64[n, m]) -> (y: f64[n, m]) {
//!        sym n = dim 0 0 sym m = dim 0 1
//!        %y: f64[n, m] = kernel 0 over [n, m] into (fresh) |%i, %j| {
//!          %e = load %x[%i, %j]
//!          %d = add %e, %e
//!          put out0[%i, %j] = %d
//!        }
//!        return %y
//!      }",
//! )?;
//! let kernel = (FuncId::new(0), 0);
//! let mut schedules = Schedules::of(&module);
//! let gpu = schedules.get(kernel, Target::Gpu, Memory::ColumnMajor).unwrap();
//! assert_eq!(
//!     gpu.to_string(),
//!     "schedule on gpu, columns first\n  order    j i\n  bind     block.x i, block.y j, thread.x i, thread.y j\n"
//! );
//! // One loop over all points along the grid.
//! let flat: Schedule = "schedule on gpu, columns first
//!   order (j i)
//!   bind  block.x (j i), thread.x (j i)".parse()?;
//! assert_eq!(schedules.set(&module, kernel, flat), Ok(()));
//! // Part of a loop is no schedule.
//! let part: Schedule = "schedule on gpu, columns first\norder j i/64".parse()?;
//! assert!(schedules.set(&module, kernel, part).unwrap_err()[0].contains("`i` is missing"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod access;
pub mod ahead;
pub mod axes;
pub mod bands;
pub mod candidates;
pub mod cost;
pub mod default;
pub mod domain;
pub mod footprint;
pub mod halos;
pub mod invariant;
pub mod latency;
mod legal;
pub mod levels;
pub mod lines;
pub mod masked;
pub mod optimisation;
pub mod order;
pub mod panels;
pub mod parse;
pub mod row_groups;
pub mod steps;
pub mod strips;
pub mod subject;
pub mod sweep;
pub mod table;
mod text;
pub mod tiles;
pub mod turned;
pub mod vectors;
pub mod verify;
mod weight;
pub mod windows;

pub use default::default;
pub use levels::{Axis, Fission, Level, LoopId, Place, Schedule, Space, Stage, Staged, Sweep, Target};
pub use optimisation::{Optimisation, Optimisations};
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

/// A back end: what it makes of a verified module, whose kernels run as their schedules say.
///
/// [`crate::driver::generate`] runs one on a compiled program. The crate `examples/backend` is one outside of the workspace.
pub type Backend<T> = fn(Verified<'_>, &Schedules) -> T;

/// A back end for devices, which carries out the schedules for [`Target::Gpu`].
pub type DeviceBackend = Backend<DeviceCode>;
