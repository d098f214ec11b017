//! `megha explain`: how a program is compiled.

use crate::output::{say, tell};
use std::io::{stderr, stdout};
use std::path::Path;

use super::check::State;
use super::memory::Memory;
use super::{End, RUNTIME, Stage, assumed, colour, job};
use megha_core::diag::{Code, render_all};
use megha_core::driver::{Job, Outcome, Wanted, compile, ptx, refusal, rust};
use megha_core::explain::{self, Options};
use megha_core::matlab::print;
use megha_core::passes::{PASSES, before_loops};
use megha_core::schedule::Schedules;

/// Prints a stage, or what the passes have to say.
pub fn run(path: &Path, (stage, memory): (Option<Stage>, &Memory), signatures: &[String]) -> End {
    let mut job = match job(path, signatures) {
        Ok(job) => job,
        Err(why) => return End::Refused(why),
    };
    if stage == Some(Stage::Ast) {
        job.wanted = Wanted::Known;
    }
    job.dump = stage == Some(Stage::Passes);
    let again = job.clone();
    let mut outcome = compile(job);
    if let Some((signature, assumed)) = with_assumed_types(&outcome, &again) {
        tell(format_args!("{}: {signature}  (types assumed)\n\n", path.display()));
        outcome = assumed;
    }
    let text = match stage {
        Some(Stage::Ast) => Some(print(&outcome.units[0].program)),
        Some(Stage::Ir) => outcome.is_ok().then(|| outcome.lowered.to_string()),
        Some(Stage::Passes) => outcome.is_ok().then(|| passes_text(&outcome)),
        Some(Stage::Kernels) => outcome.is_ok().then(|| outcome.module.to_string()),
        Some(Stage::Maps) => {
            outcome.is_ok().then(|| explain::access_maps(&outcome.module, &outcome.sources, &outcome.spans))
        }
        Some(Stage::Nests) => outcome.is_ok().then(|| {
            let mut module = outcome.lowered.clone();
            before_loops(&mut module);
            explain::nests(&module, &outcome.sources, &outcome.spans)
        }),
        Some(Stage::Schedules) => outcome.is_ok().then(|| {
            let table = Schedules::of(&outcome.module);
            explain::schedules(&outcome.module, &table, &outcome.sources, &outcome.spans)
        }),
        Some(Stage::Rust) => rust(&mut outcome, RUNTIME),
        Some(Stage::Ptx) => ptx_text(&outcome),
        None if memory.is_asked() => match memory.text(&mut outcome) {
            Ok(text) => text,
            Err(why) => return End::Refused(why),
        },
        None => outcome.is_ok().then(|| explanation(&outcome)),
    };
    tell(format_args!("{}", render_all(&outcome.diags, &outcome.sources, colour(&stderr()))));
    match text {
        Some(text) => {
            say(format_args!("{text}"));
            if outcome.is_ok() { End::Well } else { End::Mistakes }
        }
        None => End::Mistakes,
    }
}

/// A program whose only mistake is that its function has no types, compiled for those that `megha check` assumes.
fn with_assumed_types(outcome: &Outcome, job: &Job) -> Option<(String, Outcome)> {
    let mut mistakes = outcome.diags.sorted().into_iter();
    let untyped = !outcome.is_ok() && mistakes.all(|d| d.code == Code::MissingType);
    let function = outcome.units[0].program.functions.first().filter(|_| untyped)?;
    let best = assumed::best(function, outcome, job)?;
    match State::of(function, &best) {
        State::Compiles(signature) => Some((signature, best)),
        _ => None,
    }
}

/// What became of each function.
fn explanation(outcome: &Outcome) -> String {
    let options = Options { bold: colour(&stdout()), ..Options::default() };
    let text = explain::explain(&outcome.module, &outcome.log, &outcome.sources, &outcome.spans, options);
    let gpu = ptx(outcome).map(|ptx| explain::on_gpu(&ptx, &outcome.module, &outcome.sources, &outcome.spans));
    text + &gpu.unwrap_or_default()
}

/// Each pass with its time and the module after it, if it changed anything.
fn passes_text(outcome: &Outcome) -> String {
    let (mut text, mut before) = (String::new(), outcome.lowered.to_string());
    for (pass, entry) in PASSES.iter().zip(&outcome.log.entries) {
        let after = entry.text.clone().unwrap_or_default();
        text += &format!("# {} ({:.2} ms): {}\n", entry.name, entry.time.as_secs_f64() * 1e3, pass.reason);
        text += if after == before { "# changes nothing\n" } else { &after };
        text.push('\n');
        before = after;
    }
    text
}

/// The PTX, with a comment for each kernel that has none.
fn ptx_text(outcome: &Outcome) -> Option<String> {
    let ptx = ptx(outcome)?;
    let refused = ptx.refused.iter().map(|r| format!("\n// {}\n", refusal(outcome, r)));
    Some(ptx.text + &refused.collect::<String>())
}
