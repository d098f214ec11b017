//! Compiled code against the reference interpreter.

use megha_core::interp::Order;
use megha_core::ir::{Lib, Module, Op, Region};
use ndarray::ArrayViewD;

use super::common::golden::{Golden, distance};
use super::interpreted::lowered;
use super::programs::{COMPILED, Call};
use super::reference::{array, equal, interpret};
use super::{all_programs, golden, refused};

/// How far results may be from each other where a library transforms.
const TOLERANCE: f64 = 1e-10;

/// Whether the region has Fourier transforms, in which a library adds in an order of its own.
fn uses_library(region: &Region) -> bool {
    region
        .stmts
        .iter()
        .any(|stmt| matches!(stmt.op, Op::Lib(Lib::Fourier, _)) || stmt.op.regions().into_iter().any(uses_library))
}

/// Every program that is not refused is compiled here.
#[test]
fn all_are_compiled() {
    let compiled = |program: &String| COMPILED.iter().any(|(name, _)| name == program);
    let missing: Vec<String> = all_programs().into_iter().filter(|p| refused(p).is_none() && !compiled(p)).collect();
    assert!(missing.is_empty(), "not listed in programs.rs: {missing:?}");
}

#[test]
fn compiled_code_is_the_reference_interpreter() {
    let mut wrong = Vec::new();
    for (program, call) in COMPILED {
        match lowered(program) {
            Ok(outcome) => {
                let module = &outcome.module;
                wrong.extend(golden(program).iter().filter_map(|golden| compare(*call, module, golden).err()));
            }
            Err(code) => wrong.push(format!("{program} is refused with {code}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Whether a call ends alike both ways, with results that are equal to the bit unless a library computes them.
fn compare(call: Call, module: &Module, golden: &Golden) -> Result<(), String> {
    let inputs: Vec<ArrayViewD<f64>> = golden.inputs().map(|a| a.view()).collect();
    let wanted = interpret(module, &inputs, Order::Forward, &mut std::io::sink());
    let (got, wanted) = match (call(&inputs), wanted) {
        (Ok(got), Ok(wanted)) => (got, wanted),
        (Err(_), Err(_)) => return Ok(()),
        (got, wanted) => return Err(format!("{}: {got:?}, the interpreter gives {wanted:?}", golden.name)),
    };
    let library = module.funcs.iter().any(|func| uses_library(&func.body));
    for ((name, _), (got, wanted)) in golden.outputs().iter().zip(got.iter().zip(&wanted)) {
        let wanted = array(wanted, got.ndim());
        let same = if library { distance(got, &wanted) <= TOLERANCE } else { equal(got, &wanted) };
        if !same {
            return Err(format!("{}: `{name}` is {got:?}, not {wanted:?}", golden.name));
        }
    }
    Ok(())
}
