//! A MATLAB file through the whole compiler; what the interpreter computes from an accepted one is the same before and
//! after the passes.
#![no_main]

#[path = "../../tests/mutants/check.rs"]
mod check;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Err(complaint) = check::check("fuzz.m", text) {
        panic!("{complaint}");
    }
});
