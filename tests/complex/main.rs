//! Programs with complex numbers, compiled, against GNU Octave and against the reference interpreter.
//!
//! The programs are in `matlab`, Octave's results in `tests/golden`, made by `make.m`. A complex array `z` is kept there as
//! two, `real(z)` and `imag(z)`; these are also the names of its parts in the intermediate representation.

mod border;
#[path = "../common/mod.rs"]
mod common;
mod programs;

use common::golden::{Golden, distance};
use megha_core::diag::render_all;
use megha_core::driver::{Job, Outcome, compile};
use megha_core::interp::{self, Datum, Options};
use megha_core::ir::{FuncId, Lib, Module, Op, Region};
use ndarray::{ArrayD, IxDyn, ShapeBuilder};
use programs::PROGRAMS;
use std::path::Path;

/// How far a result may be from Octave's, relative in the 2-norm.
const TOLERANCE: f64 = 1e-10;

/// How far compiled code may be from the interpreter where a library transforms.
const LIBRARY: f64 = 1e-13;

fn lowered(name: &str) -> Outcome {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/complex/matlab/{name}.m"));
    let outcome = compile(Job::file(&path).unwrap());
    assert!(outcome.is_ok(), "{}", render_all(&outcome.diags, &outcome.sources, false));
    outcome
}

/// The results of the interpreter, by name.
fn interpret(module: &Module, golden: &Golden) -> Vec<(String, ArrayD<f64>)> {
    let func = &module.funcs[0];
    let argument = |p: &megha_core::ir::Param| {
        let array = golden.input(&p.name);
        match func.ty(p.value).is_scalar() {
            true => Datum::double(array[[0, 0]]),
            false => Datum::doubles(array.shape(), array.t().iter().copied().collect()).unwrap(),
        }
    };
    let arguments = func.params.iter().map(argument).collect();
    let results = interp::run(module, FuncId::new(0), arguments, &Options::default(), &mut std::io::sink());
    let array = |d: Datum| ArrayD::from_shape_vec(IxDyn(d.dims()).f(), d.to_doubles().unwrap()).unwrap();
    func.result_names.iter().cloned().zip(results.unwrap().into_iter().map(array)).collect()
}

fn has_transform(region: &Region) -> bool {
    region.stmts.iter().any(|s| {
        let transform = matches!(s.op, Op::Lib(Lib::Fourier, _));
        transform || s.op.regions().into_iter().any(has_transform)
    })
}

/// The parts of a complex result are one result: its size is that of both.
fn octave_distance(results: &[(String, ArrayD<f64>)], at: usize, golden: &Golden) -> f64 {
    let (name, got) = &results[at];
    match name.strip_prefix("imag(") {
        Some(_) => 0.0,
        None if name.starts_with("real(") => {
            let stacked = |a: &ArrayD<f64>, b: &ArrayD<f64>| ndarray::stack(ndarray::Axis(0), &[a.view(), b.view()]);
            let wanted = stacked(golden.output(name), golden.output(&results[at + 1].0)).unwrap();
            stacked(got, &results[at + 1].1).map_or(f64::INFINITY, |got| distance(&got, &wanted))
        }
        None => distance(got, golden.output(name)),
    }
}

#[test]
fn results_are_those_of_octave() {
    for (name, call) in PROGRAMS {
        let outcome = lowered(name);
        for golden in Golden::all(name) {
            let names = &outcome.module.funcs[0].result_names;
            let compiled: Vec<_> = names.iter().cloned().zip(call(&golden).unwrap()).collect();
            for (how, results) in [("compiled", compiled), ("interpreted", interpret(&outcome.lowered, &golden))] {
                for at in 0..results.len() {
                    let error = octave_distance(&results, at, &golden);
                    assert!(error <= TOLERANCE, "{} {how}: `{}` is off by {error:e}", golden.name, results[at].0);
                }
            }
        }
    }
}

#[test]
fn compiled_code_is_the_reference_interpreter() {
    for (name, call) in PROGRAMS {
        let outcome = lowered(name);
        let transform = has_transform(&outcome.lowered.funcs[0].body);
        for golden in Golden::all(name) {
            let compiled = call(&golden).unwrap();
            for module in [&outcome.lowered, &outcome.module] {
                for ((result, wanted), got) in interpret(module, &golden).iter().zip(&compiled) {
                    let near = transform && distance(got, wanted) <= LIBRARY;
                    assert!(got == wanted || near, "{}: `{result}` is {got}, not {wanted}", golden.name);
                }
            }
        }
    }
}
