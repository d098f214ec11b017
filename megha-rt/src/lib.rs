//! The run-time system of Megha: what compiled functions call.
//!
//! The shape of the code that calls this crate is described in `docs/generated-code.md`.
#![allow(
    unsafe_code,
    reason = "kernels on several threads write disjoint parts of arrays; each block says why it is sound"
)]

mod array;
pub mod bands;
pub mod calls;
pub mod check;
mod choice;
pub mod clock;
mod columns;
pub mod complex;
mod copy;
mod crew;
pub mod cuts;
pub mod device;
mod element;
mod enter;
mod error;
pub mod facts;
pub mod fallback;
pub mod fault;
mod filled;
#[cfg(feature = "fourier")]
pub mod fourier;
pub mod index;
mod input;
pub mod instance;
mod isa;
mod lane;
mod launch;
mod layout;
pub mod linalg;
pub mod little;
pub mod memory;
mod noted;
pub mod order;
pub mod output;
mod pages;
pub mod panels;
mod per_thread;
pub mod pipeline;
mod processor;
pub mod random;
pub mod reduce;
mod repack;
mod resize;
mod stack;
pub mod stream;
pub mod strips;
pub mod subscript;
pub mod sums_at;
pub mod sums_of_ndarray;
pub mod text;
mod trace;
mod view;
mod watch;
pub mod whole;
mod wide;

pub use array::{Array, Fresh, Packed};
pub use calls::apart;
pub use choice::{put_back, zero};
pub use columns::Columns;
pub use copy::copied_around;
#[cfg(feature = "cudarc")]
pub use cudarc;
pub use element::{Cells, unravel};
pub use enter::{enter, enter_in_place};
pub use error::{Error, ErrorKind, Outside, Result, Site};
pub use filled::Written;
pub use input::{Input, Strided, StridedMut, Vector};
pub use isa::{Avx2, Avx512, Baseline, Isa, Kernel, Level};
pub use lane::Lane;
pub use launch::{
    Band, Bands, Chunk, Domain, InTiles, Row, Rows, TILE, Tile, Tiles, in_tiles, is_little, is_little_to_pack, launch,
    launch_parts, launch_within, launch_within_bands, repeated,
};
pub use layout::{ColMajor, Layout, Order, RowMajor, decide};
pub use little::is_little_call;
pub use megha_base::float::Float;
pub use megha_base::int::Integer;
pub use megha_base::math;
pub use ndarray;
pub use num_complex::Complex64 as c64;
pub use resize::enlarged;
pub use subscript::{extent, indices, only_columns, only_rows, polynomial};
pub use trace::{Run, last_run};
pub use view::{Out, View};
pub use wide::{Lane as WideLane, Short, Wide};
