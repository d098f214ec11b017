//! Kernels: the groups of statements that become one loop nest each (MEGHA thesis, section 3.2.1).

pub mod accesses;
mod body;
pub mod bounds;
pub mod compose;
pub mod counters;
pub mod dead;
pub mod doall;
pub mod expansion;
pub mod form;
pub mod full_subscripts;
pub mod index_arrays;
mod index_form;
pub mod index_pieces;
pub mod invariants;
pub mod masked;
mod merge;
pub(crate) mod old_state;
pub mod rematerialise;
pub mod report;
pub mod reuse;
pub mod row_buffers;
pub mod scalar_replacement;
pub mod scans;
pub(crate) mod second_place;
mod time_loops;
mod unit;
pub mod unswitch;
