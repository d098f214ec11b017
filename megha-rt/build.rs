//! Sets `one_set` in unoptimised builds: kernels are then compiled for the baseline alone. Without optimisation nothing is
//! vectorised, so the copies for other instruction sets would only take time to compile.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(one_set)");
    let unoptimised = env::var("OPT_LEVEL").is_ok_and(|level| level == "0");
    if unoptimised && env::var_os("CARGO_FEATURE_ALL_SETS").is_none() {
        println!("cargo::rustc-cfg=one_set");
    }
}
