//! The builtin functions against GNU Octave: the calls of `tests/golden/builtins/cases.txt`, in the reference interpreter.
//!
//! Each call becomes a function of the inputs that it names, whose sizes are not known when compiling. It is run before and after
//! the passes; there the access maps of its kernels are compared with what they touch.

mod compiled;
#[path = "../common/footprint.rs"]
#[allow(dead_code, reason = "shared with tests that use more of it")]
mod footprint;
mod table;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use footprint::Footprints;
use megha_core::diag::render_all;
use megha_core::driver::{Job, Outcome, Wanted, compile, signature};
use megha_core::interp::{self, Datum, Options, Watch};
use megha_core::ir::{FuncId, Module};
use megha_core::source::SourceMap;
use table::{Case, Input, Table};

/// The largest difference between what the interpreter and Octave compute, relative to Octave's largest element.
const TOLERANCE: f64 = 1e-12;

fn compiled(case: &Case, inputs: &[&Input]) -> Outcome {
    let names: Vec<&str> = inputs.iter().map(|i| i.name.as_str()).collect();
    let results: Vec<String> = (1..=case.results).map(|k| format!("result{k}")).collect();
    let (names, results) = (names.join(", "), results.join(", "));
    let text = format!("function [{results}] = f({names})\n  [{results}] = {};\nend\n{}", case.call, case.callee());
    let types: Vec<String> = inputs.iter().map(|i| format!("{}: {}", i.name, i.rust_type())).collect();
    let mut sources = SourceMap::new();
    let main = sources.add("case.m", text);
    let declaration = format!("fn f({})", types.join(", "));
    let length = declaration.len();
    let id = sources.add("signature", declaration);
    let mut job = Job::text(sources, main);
    let signature = signature::parse(job.sources.get(id).unwrap(), 0..length, &mut job.diags);
    compile(Job { wanted: Wanted::Signatures(signature.into_iter().collect()), ..job })
}

fn run(module: &Module, inputs: &[&Input], watch: &mut Watch<'_>) -> Result<Vec<Datum>, String> {
    let func = &module.funcs[0];
    let arguments = func.params.iter().zip(inputs).map(|(p, i)| i.datum(func.ty(p.value).is_scalar())).collect();
    let options = Options { max_touched: 50_000, ..Options::default() };
    let results = interp::run_watched(module, FuncId::new(0), arguments, &options, &mut std::io::sink(), watch);
    results.map_err(|f| f.to_string())
}

/// What is wrong with a case.
fn judge(case: &Case, inputs: &[Input]) -> Result<(), String> {
    let inputs: Vec<&Input> = inputs.iter().filter(|i| case.mentions(&i.name)).collect();
    let outcome = compiled(case, &inputs);
    let wanted = match &case.expected {
        Ok(wanted) => wanted,
        Err(_) if !outcome.is_ok() || run(&outcome.lowered, &inputs, &mut |_| {}).is_err() => return Ok(()),
        Err(octave) => return Err(format!("should fail: {octave}")),
    };
    if !outcome.is_ok() {
        return Err(render_all(&outcome.diags, &outcome.sources, false));
    }
    let mut footprints = Footprints::of(&outcome.module);
    for (when, module) in [("lowered", &outcome.lowered), ("after the passes", &outcome.module)] {
        let mut watch = |event: &interp::Event<'_>| {
            if std::ptr::eq(module, &outcome.module) {
                footprints.watch(module, event);
            }
        };
        let results = run(module, &inputs, &mut watch).map_err(|e| format!("{when}: {e}"))?;
        for (result, wanted) in results.iter().zip(wanted) {
            wanted.compare(result, TOLERANCE).map_err(|e| format!("{when}: {e}"))?;
        }
    }
    match footprints.wrong.is_empty() {
        true => Ok(()),
        false => Err(footprints.wrong.join("\n")),
    }
}

/// The cases that fail, each with what is wrong, judged on all processors.
fn failures(cases: &[&Case], inputs: &[Input]) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut failures = Vec::new();
        while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Err(why) = judge(case, inputs) {
                failures.push(format!("{}\n    {}", case.text, why.trim_end().replace('\n', "\n    ")));
            }
        }
        failures
    };
    thread::scope(|scope| {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("no case panics")).collect()
    })
}

#[test]
fn calls_give_what_octave_gives() {
    let table = Table::load();
    let only = std::env::var("CASE").unwrap_or_default();
    let cases: Vec<&Case> = table.cases.iter().filter(|c| c.text.contains(&only)).collect();
    let failures = failures(&cases, &table.inputs);
    assert!(failures.is_empty(), "{} calls differ:\n{}", failures.len(), failures.join("\n"));
}
