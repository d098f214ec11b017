//! Kernels: the groups of statements that become one loop nest each (MEGHA thesis, section 3.2.1).

mod body;
pub mod compose;
pub mod form;
pub mod index_arrays;
mod index_form;
mod merge;
pub mod report;
pub mod reuse;
mod unit;
