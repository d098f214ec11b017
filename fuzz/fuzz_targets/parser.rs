//! Any text through lexer and parser, which report mistakes and never panic; all messages can be printed.
#![no_main]

use libfuzzer_sys::fuzz_target;
use megha_core::diag::{Diagnostics, render_all};
use megha_core::matlab::parse;
use megha_core::source::SourceMap;

fuzz_target!(|text: &str| {
    let mut sources = SourceMap::new();
    let file = sources.add("fuzz.m", text);
    let mut diags = Diagnostics::new();
    if let Some(source) = sources.get(file) {
        parse(source, &mut diags);
    }
    render_all(&diags, &sources, false);
});
