//! Calls: recursion, files beside each other, scripts, what is refused.

mod files;
mod library;
mod recursion;
mod refused;

use std::path::Path;

use megha_core::driver::{Job, Outcome, Wanted, compile, signature};
use megha_core::interp::{self, Datum, Options};
use megha_core::ir::{FuncId, Module};
use megha_core::source::SourceMap;

/// A text, compiled for this signature.
fn compiled(text: &str, signature: &str) -> Outcome {
    let mut sources = SourceMap::new();
    let main = sources.add("test.m", text);
    with_signature(Job::text(sources, main), signature)
}

/// A file of `tests/matlab/folder`, compiled for this signature.
fn compiled_file(name: &str, signature: &str) -> Outcome {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/matlab/folder");
    with_signature(Job::file(&folder.join(name)).unwrap(), signature)
}

fn with_signature(mut job: Job, text: &str) -> Outcome {
    let source = job.sources.add("signature", text);
    let signature = signature::parse(job.sources.get(source).unwrap(), 0..text.len(), &mut job.diags);
    compile(Job { wanted: Wanted::Signatures(signature.into_iter().collect()), ..job })
}

/// The messages, in order.
fn messages(outcome: &Outcome) -> Vec<String> {
    outcome.diags.sorted().iter().map(|d| format!("{}: {}", d.code, d.message)).collect()
}

/// The results of the first function, one number after the other, or why it failed.
fn run(outcome: &Outcome, args: &[Datum]) -> Result<Vec<f64>, String> {
    assert_eq!(messages(outcome), [""; 0]);
    let on = |module: &Module| {
        let done = interp::run(module, FuncId::new(0), args.to_vec(), &Options::default(), &mut std::io::sink());
        let numbers = |results: Vec<Datum>| results.iter().flat_map(|r| r.to_doubles().unwrap()).collect::<Vec<f64>>();
        done.map(numbers).map_err(|failure| failure.message)
    };
    let (lowered, passed) = (on(&outcome.lowered), on(&outcome.module));
    assert_eq!(lowered, passed);
    lowered
}

fn row(list: &[f64]) -> Datum {
    Datum::doubles(&[1, list.len()], list.to_vec()).unwrap()
}
