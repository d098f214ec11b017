//! Random programs: GNU Octave, the reference interpreter before and after the passes, compiled code, and kernels on the simulated
//! device agree.
//!
//! The programs come from numbers (`generate`). All their arithmetic is exact, so results compare with `==`. Octave's
//! results are in `tests/golden/random.txt`, which `tests/golden/random.m` makes from what the ignored test
//! `write_programs` writes.

#[path = "../gpu/device.rs"]
mod device;
#[path = "../common/golden.rs"]
#[allow(dead_code, reason = "shared with tests that use more of it")]
mod golden;
#[path = "../common/reference.rs"]
#[allow(dead_code, reason = "shared with tests that use more of it")]
mod reference;

mod compiled;
mod generate;
mod simulated;

use std::collections::HashMap;
use std::fmt::Write;
use std::path::Path;

use megha_core::diag::{self, Severity};
use megha_core::driver::{Job, Outcome, compile};
use megha_core::interp::{Datum, Order};
use megha_core::ir::Module;
use megha_core::source::SourceMap;
use ndarray::{Array2, ArrayD};

/// Programs that Octave has run.
const GOLDEN: std::ops::Range<u64> = 0..500;
/// The whole numbers that programs are called with.
const SIZES: [usize; 2] = [3, 5];

/// A program with the signature that Rust gives it.
fn source(program: &generate::Program) -> String {
    let (name, results) = (&program.name, program.results.join(", "));
    format!("{}% megha: pub fn {name}(n: usize, v: f64[1, n], A: f64[n, n]) -> ({results})\n", program.text)
}

/// The program of a number, compiled.
fn program(seed: u64) -> Outcome {
    let program = generate::program(seed);
    let mut sources = SourceMap::new();
    let main = sources.add(format!("{}.m", program.name), source(&program));
    let outcome = compile(Job::text(sources, main));
    let errors = outcome.diags.sorted().into_iter().any(|d| d.severity == Severity::Error);
    assert!(!errors, "{}\n{}", diag::render_all(&outcome.diags, &outcome.sources, false), program.text);
    outcome
}

/// The arguments `v` and `A` of a call, as `random.m` makes them.
fn arguments(n: usize) -> (Array2<f64>, Array2<f64>) {
    let v = Array2::from_shape_fn((1, n), |(_, j)| ((j + 1) * 7 % 11) as f64);
    let a = Array2::from_shape_fn((n, n), |(i, j)| ((j * n + i + 1) * 5 % 13) as f64);
    (v, a)
}

/// All arguments of a call.
fn inputs(n: usize) -> [ArrayD<f64>; 3] {
    let (v, a) = arguments(n);
    [ArrayD::from_elem(vec![1, 1], n as f64), v.into_dyn(), a.into_dyn()]
}

fn interpret(module: &Module, n: usize) -> Result<Vec<Datum>, String> {
    let arguments = inputs(n);
    let arguments = arguments.each_ref().map(|a| a.view());
    let results = reference::interpret(module, &arguments, Order::Forward, &mut Vec::new());
    results.map_err(|failure| failure.to_string())
}

/// A result by its sizes, its sum, and its sum weighted by the elements' numbers: all exact.
fn digest(datum: &Datum) -> String {
    let mut dims = datum.dims().to_vec();
    dims.resize(dims.len().max(2), 1);
    let elements = datum.to_doubles().expect("a result is no text");
    let sum = |terms: &mut dyn Iterator<Item = f64>| terms.fold(0.0, |sum, x| sum + x);
    let weighted = sum(&mut elements.iter().zip(1..).map(|(x, k)| x * f64::from(k)));
    format!("{}x{} {} {weighted}", dims[0], dims[1], sum(&mut elements.iter().copied()))
}

#[test]
fn octave_agrees() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/random.txt");
    let text = std::fs::read_to_string(path).expect("Octave's results are there");
    let expected: HashMap<&str, &str> = text.lines().filter_map(|line| line.split_once(": ")).collect();
    let mut wrong = String::new();
    for seed in GOLDEN {
        let outcome = program(seed);
        for n in SIZES {
            let key = format!("p{seed} {n}");
            let results = interpret(&outcome.lowered, n).map(|list| list.iter().map(digest).collect::<Vec<_>>());
            let found = results.map_or_else(|error| error, |list| list.join(" | "));
            if expected.get(key.as_str()) != Some(&found.as_str()) {
                let _ = writeln!(wrong, "{key}: {found}\n  Octave: {:?}", expected.get(key.as_str()));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Writes the programs of `octave_agrees` to the folder that `MEGHA_RANDOM` names, for `tests/golden/random.m`.
#[test]
#[ignore = "makes input for Octave, checks nothing"]
fn write_programs() {
    let Some(folder) = std::env::var_os("MEGHA_RANDOM") else { return };
    for seed in GOLDEN {
        let program = generate::program(seed);
        let path = Path::new(&folder).join(format!("{}.m", program.name));
        std::fs::write(path, &program.text).expect("the program can be written");
    }
}
