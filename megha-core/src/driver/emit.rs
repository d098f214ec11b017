//! From the verified module to Rust text and PTX.

use super::{Outcome, Plan, help};
use crate::cpu::{self, Export, Options, Position, SizedBlock};
use crate::diag::{Code, Diagnostic};
use crate::ir::verify::{Verified, verify};
use crate::ir::{FuncId, Loc};
use crate::ptx::{Ptx, Refused};
use crate::schedule::{Backend, DeviceBackend, Optimisations, Schedules};
use crate::source::SourceMap;

/// The Rust code of all functions, which finds the run-time system at the path `runtime` (such as `::megha::rt`). `None` if
/// there were mistakes, or operations without code, which are reported.
pub fn rust(outcome: &mut Outcome, runtime: &str) -> Option<String> {
    code(outcome, runtime, Some(crate::ptx::device_code))
}

/// [`rust`] without anything that has to do with devices: to measure what that costs.
pub fn rust_without_devices(outcome: &mut Outcome, runtime: &str) -> Option<String> {
    code(outcome, runtime, None)
}

fn code(outcome: &mut Outcome, runtime: &str, device: Option<DeviceBackend>) -> Option<String> {
    if !outcome.is_ok() {
        return None;
    }
    let made =
        |verified: Verified<'_>, exports: &[Export], options: &Options<'_>| cpu::generate(verified, exports, options);
    with_options(outcome, runtime, device, &made)
}

/// The blocks of all functions where sizes have these values. `None` as [`rust`].
pub fn blocks(outcome: &mut Outcome, value: &dyn Fn(&str) -> Option<i64>) -> Option<Vec<SizedBlock>> {
    if !outcome.is_ok() {
        return None;
    }
    let made = |verified: Verified<'_>, exports: &[Export], options: &Options<'_>| {
        cpu::blocks(verified, exports, options, value)
    };
    with_options(outcome, "rt", Some(crate::ptx::device_code), &made)
}

/// What is made of a module that has no mistakes.
type Made<'m, T> = &'m dyn Fn(Verified<'_>, &[Export], &Options<'_>) -> Result<T, Vec<String>>;

fn with_options<T>(
    outcome: &mut Outcome,
    runtime: &str,
    device: Option<DeviceBackend>,
    made: Made<'_, T>,
) -> Option<T> {
    let Outcome { sources, diags, plans, module, spans, .. } = outcome;
    let exports: Vec<Export> = plans.iter().enumerate().map(|(at, plan)| export(at, plan, sources)).collect();
    let place = |loc: Loc| {
        let span = spans.span(loc)?;
        let file = sources.get(span.file)?;
        let at = file.line_col(span.start);
        let text = file.slice(span).split_whitespace().collect::<Vec<_>>().join(" ");
        Some(Position { path: file.name().to_owned(), line: at.line, column: at.col, text })
    };
    let problems = match verify(module) {
        Ok(verified) => {
            let schedules = Schedules::of(module);
            let options = Options { runtime, positions: &place, device, schedules: &schedules };
            match made(verified, &exports, &options) {
                Ok(made) => return Some(made),
                Err(problems) => problems,
            }
        }
        Err(violations) => violations.iter().map(ToString::to_string).collect(),
    };
    let span = plans.first().map(|p| p.function.signature).unwrap_or_default();
    let mut error = Diagnostic::error(Code::NoCode, span, "there is no code yet for an operation of this program");
    let mut seen = std::collections::BTreeSet::new();
    for problem in problems.into_iter().filter(|p| seen.insert(p.clone())) {
        error = error.note(problem);
    }
    diags.push(error);
    None
}

fn export(at: usize, plan: &Plan, sources: &SourceMap) -> Export {
    let counts = plan.params.iter().map(|(_, count)| *count).collect();
    Export {
        func: FuncId::new(at),
        name: plan.name.text.clone(),
        visibility: plan.visibility.clone(),
        doc: help::document(&plan.function, sources),
        counts,
    }
}

/// What a back end makes of a program, under the default schedules. `None` if there were mistakes.
pub fn generate<T>(outcome: &Outcome, backend: Backend<T>) -> Option<T> {
    generate_with(outcome, Optimisations::ALL, backend)
}

/// The same with only these optimisations of the code for devices.
fn generate_with<T>(outcome: &Outcome, optimisations: Optimisations, backend: Backend<T>) -> Option<T> {
    if !outcome.is_ok() {
        return None;
    }
    let module = verify(&outcome.module).ok()?;
    Some(backend(module, &Schedules::with(&outcome.module, optimisations)))
}

/// The PTX of all kernels, and why some have none. `None` if there were mistakes.
pub fn ptx(outcome: &Outcome) -> Option<Ptx> {
    ptx_with(outcome, Optimisations::ALL)
}

/// The same with only these optimisations.
pub fn ptx_with(outcome: &Outcome, optimisations: Optimisations) -> Option<Ptx> {
    generate_with(outcome, optimisations, crate::ptx::generate)
}

/// A kernel without PTX in words: where and why.
pub fn refusal(outcome: &Outcome, refused: &Refused) -> String {
    let line = outcome.spans.span(refused.loc).and_then(|span| {
        let file = outcome.sources.get(span.file)?;
        Some(format!(" (line {})", file.line_col(span.start).line))
    });
    let Refused { function, number, reason, .. } = refused;
    format!("kernel {number} of {function}{} stays on the CPU: {reason}", line.unwrap_or_default())
}
