//! The Megha compiler, a plain library: source text in, typed kernels and Rust code out.

pub mod affine;
pub mod cpu;
pub mod diag;
pub mod driver;
pub mod interp;
pub mod ir;
pub mod kernels;
pub mod lower;
pub mod matlab;
pub mod offload;
pub mod passes;
pub mod rules;
pub mod simplify;
pub mod source;
