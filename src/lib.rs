//! Megha compiles array code to fused CPU and GPU kernels while `cargo build` runs.
