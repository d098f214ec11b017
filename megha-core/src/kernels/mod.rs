//! Kernels: the groups of statements that become one loop nest each (MEGHA thesis, section 3.2.1).

mod body;
pub mod compose;
pub mod form;
mod index_form;
mod merge;
pub mod report;
mod unit;
