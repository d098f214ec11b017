//! Reductions: one fixed tree, followed by kernels along contiguous and strided extents and by the reference.

mod blocks;
mod lanes;
mod op;
pub use megha_base::tree;

pub(crate) use blocks::combined;
pub use blocks::{Block, Partials, PartialsOut, Space, WIDTH};
pub use lanes::{LaneRows, Lanes};
pub use op::{All, Any, Indexed, Max, Min, Op, Prod, Sum};
