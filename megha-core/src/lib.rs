//! The Megha compiler, a plain library: source text in, typed kernels and Rust code out.

pub mod affine;
pub mod ir;
