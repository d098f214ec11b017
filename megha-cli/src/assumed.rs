//! Functions without declared types, compiled for types that their own code suggests.

use super::RUNTIME;
use megha_core::diag::Severity;
use megha_core::driver::{Job, Outcome, Signature, Wanted, compile, guess, rust};
use megha_core::matlab::ast::Function;

/// A function compiled for types that it suggests: vectors are rows, or else columns. `None` if it suggests none.
pub fn best(function: &Function, outcome: &Outcome, job: &Job) -> Option<Outcome> {
    let functions: Vec<&Function> = outcome.units.iter().flat_map(|u| &u.program.functions).collect();
    let tries = [guess::Lying::Row, guess::Lying::Column].into_iter();
    let tries = tries.filter_map(|lying| guess::signature(function, &functions, lying));
    tries.map(|signature| compile_for(signature, job)).min_by_key(errors)
}

fn errors(outcome: &Outcome) -> usize {
    outcome.diags.sorted().into_iter().filter(|d| d.severity == Severity::Error).count()
}

/// The program compiled for one signature.
pub fn compile_for(signature: Signature, job: &Job) -> Outcome {
    let mut outcome = compile(Job { wanted: Wanted::Signatures(vec![signature]), ..job.clone() });
    rust(&mut outcome, RUNTIME);
    outcome
}
