//! Reductions: one fixed tree, followed by kernels along contiguous and strided extents and by the reference.

mod blocks;
mod lanes;
mod op;
mod partials;
pub use megha_base::tree;

pub use blocks::{Block, Space, WIDTH};
pub use lanes::{LaneRows, Lanes};
pub use op::{All, Any, Indexed, Max, Min, Op, Prod, Sum};
pub(crate) use partials::combined;
pub use partials::{Partials, PartialsOut};
