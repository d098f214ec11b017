//! The modules of the programs, and what they hold.

use std::path::Path;

use megha_core::cpu::{Export, Options, generate};
use megha_core::diag::render_all;
use megha_core::driver::{Job, Outcome, Wanted, compile, signature};
use megha_core::ir::verify::verify;
use megha_core::ir::{FuncId, Op, Region};
use megha_core::source::SourceMap;

use super::Program;

/// The modules of a program before and after the passes.
pub fn lowered(program: &Program) -> Outcome {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("examples/matlab/{}.m", program.name));
    let mut job = Job::file(&path).unwrap();
    let text = job.sources.add("signature", program.signature);
    let file = job.sources.get(text).unwrap();
    let signature = signature::parse(file, 0..program.signature.len(), &mut job.diags);
    let outcome = compile(Job { wanted: Wanted::Signatures(signature.into_iter().collect()), ..job });
    assert!(outcome.is_ok(), "{}", render_all(&outcome.diags, &outcome.sources, false));
    outcome
}

/// The number of kernels in a region, and how many of these are inside loops.
pub fn kernels(region: &Region) -> (usize, usize) {
    let mut count = (0, 0);
    for stmt in &region.stmts {
        if matches!(stmt.op, Op::Kernel(_)) {
            count.0 += 1;
            continue;
        }
        for (all, in_loops) in stmt.op.regions().into_iter().map(kernels) {
            count.0 += all;
            count.1 += if matches!(stmt.op, Op::For { .. } | Op::While { .. }) { all } else { in_loops };
        }
    }
    count
}

/// The Rust code of a MATLAB program that declares its arguments.
pub fn generated(text: &str) -> String {
    let mut sources = SourceMap::new();
    let main = sources.add("program.m", text.to_owned());
    let outcome = compile(Job::text(sources, main));
    assert!(outcome.is_ok(), "{}", render_all(&outcome.diags, &outcome.sources, false));
    let (func, name) = (FuncId::new(0), "f".to_owned());
    let export = Export { func, name, visibility: String::new(), doc: String::new(), counts: Vec::new() };
    let schedules = megha_core::schedule::Schedules::of(&outcome.module);
    let options = Options { runtime: "rt", positions: &|_| None, device: None, schedules: &schedules };
    generate(verify(&outcome.module).unwrap(), &[export], &options).unwrap()
}
