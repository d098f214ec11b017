//! What the reference interpreter makes of the programs.

use megha_core::diag::Severity;
use megha_core::driver::{self, Job, Outcome, compile};
use megha_core::interp::{ErrorKind, Failure, FailureKind, Order};
use ndarray::ArrayViewD;

use super::common::golden::{Golden, distance};
use super::reference::{array, equal, interpret};
use super::{all_programs, golden, path, refused};

/// How far results may be from Octave's.
const TOLERANCE: f64 = 1e-10;

/// The modules of a program, or the number of the first diagnostic that refuses it.
pub fn lowered(program: &str) -> Result<Outcome, String> {
    let mut outcome = compile(Job::file(&path(program)).unwrap());
    let code = driver::rust(&mut outcome, "::megha::rt");
    let errors = outcome.diags.sorted().into_iter().filter(|d| d.severity == Severity::Error);
    match errors.map(|d| d.code.to_string()).next() {
        Some(code) => Err(code),
        None => code.map(|_| outcome).ok_or_else(|| "no code".to_owned()),
    }
}

/// Each program compiles, or is refused as `REFUSED` says; so that list can only shrink.
#[test]
fn programs_that_compile() {
    let mut wrong = Vec::new();
    for program in all_programs() {
        match (refused(&program), lowered(&program)) {
            (None, Ok(_)) => {}
            (Some(expected), Err(code)) if expected == code => {}
            (Some(expected), Ok(_)) => wrong.push(format!("{program} compiles; it is listed under {expected}")),
            (expected, Err(code)) => wrong.push(format!("{program} is refused with {code}, not {expected:?}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn results_are_those_of_octave() {
    let mut wrong = Vec::new();
    for program in all_programs() {
        let Ok(outcome) = lowered(&program) else { continue };
        for call in golden(&program) {
            let inputs: Vec<ArrayViewD<f64>> = call.inputs().map(|a| a.view()).collect();
            let (before, after) = (&outcome.lowered, &outcome.module);
            let shuffled = Order::Shuffled(1);
            for (when, module, order) in [("before", before, Order::Forward), ("after", after, shuffled)] {
                let mut printed = Vec::new();
                let results = interpret(module, &inputs, order, &mut printed);
                let results = results.map(|r| r.iter().map(|datum| array(datum, 2)).collect());
                if let Err(why) = compare(&call, results).and_then(|()| same_text(&call, &printed)) {
                    wrong.push(format!("{} {when} the passes: {why}", call.name));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Whether the run ended as in Octave. Arrays without elements may differ in their sizes.
fn compare(call: &Golden, results: Result<Vec<ndarray::ArrayD<f64>>, Failure>) -> Result<(), String> {
    let results = match (results, call.error()) {
        (Ok(results), None) => results,
        (Ok(_), Some(error)) => return Err(format!("no error, but Octave's is: {error}")),
        (Err(failure), None) => return Err(failure.to_string()),
        (Err(failure), Some(error)) => return same_error(&failure, error),
    };
    for ((name, want), got) in call.outputs().iter().zip(results) {
        let error = distance(&got, want);
        let both_empty = got.is_empty() && want.is_empty();
        if !(both_empty || error <= TOLERANCE || equal(&got, want)) {
            return Err(format!("`{name}` {:?} is off by {error:e} from {:?}", got.shape(), want.shape()));
        }
    }
    Ok(())
}

/// An error that the program raises itself has Octave's words.
fn same_error(failure: &Failure, error: &str) -> Result<(), String> {
    match failure.kind {
        FailureKind::Error(ErrorKind::Raised) if failure.message != error => {
            Err(format!("the error is `{}`, not `{error}`", failure.message))
        }
        FailureKind::Error(_) => Ok(()),
        _ => Err(failure.to_string()),
    }
}

fn same_text(call: &Golden, printed: &[u8]) -> Result<(), String> {
    let printed = String::from_utf8_lossy(printed);
    let lines: Vec<&str> = printed.lines().collect();
    if lines == call.printed() { Ok(()) } else { Err(format!("prints {lines:?}, not {:?}", call.printed())) }
}
