//! A MATLAB file through the whole compiler to Rust text: no panic, no mistake of the compiler itself, and an end within
//! the time that libFuzzer allows.
#![no_main]

use libfuzzer_sys::fuzz_target;
use megha_core::diag::render_all;
use megha_core::driver::{Job, compile, rust};
use megha_core::source::SourceMap;

fuzz_target!(|text: &str| {
    let mut sources = SourceMap::new();
    let main = sources.add("fuzz.m", text);
    let mut outcome = compile(Job::text(sources, main));
    rust(&mut outcome, "::megha_rt");
    let messages = render_all(&outcome.diags, &outcome.sources, false);
    assert!(!messages.contains("mistake in Megha"), "{messages}");
});
