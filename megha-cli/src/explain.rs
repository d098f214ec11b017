//! `megha explain`: how a program is compiled.

mod rust_file;

use crate::output::{say, tell};
use std::io::{stderr, stdout};
use std::path::Path;

use super::check::State;
use super::memory::Memory;
use super::{End, RUNTIME, Stage, assumed, colour, job};
use megha_core::diag::{Code, render_all};
use megha_core::driver::{Job, Outcome, Wanted, compile, ptx, ptx_with, refusal, rust};
use megha_core::explain::{self, Options};
use megha_core::matlab::print;
use megha_core::passes::{PASSES, before_loops};
use megha_core::schedule::{Optimisations, Schedules};

/// Prints a stage, or what the passes have to say.
pub fn run(
    path: &Path,
    (stage, optimisations, memory): (Option<Stage>, Optimisations, &Memory),
    signatures: &[String],
) -> End {
    let takes_part = matches!(stage, Some(Stage::Schedules | Stage::Ptx));
    if optimisations != Optimisations::ALL && !takes_part {
        return End::Refused("`--without` is about GPU code: ask for `--emit schedules` or `--emit ptx`".into());
    }
    if path.extension().is_some_and(|extension| extension == "rs") {
        if memory.is_asked() {
            return End::Refused("the plan for a device's memory is one of a MATLAB program: name a .m file".into());
        }
        return rust_file::run(path, (stage, optimisations), signatures);
    }
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
    let text = match memory.is_asked() && stage.is_none() {
        true => match memory.text(&mut outcome) {
            Ok(text) => text,
            Err(why) => return End::Refused(why),
        },
        false => text(&mut outcome, (stage, optimisations)),
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

/// A stage of a MATLAB program, or what became of its functions. `None` if there are mistakes that keep it from being there.
fn text(outcome: &mut Outcome, (stage, optimisations): (Option<Stage>, Optimisations)) -> Option<String> {
    match stage {
        Some(Stage::Ast) => outcome.units.first().map(|unit| print(&unit.program)),
        Some(Stage::Rust) => rust(outcome, RUNTIME),
        Some(stage) => outcome.is_ok().then(|| stage_text(outcome, (stage, optimisations))).flatten(),
        None => outcome.is_ok().then(|| explanation(outcome)),
    }
}

/// A stage between the tree and the Rust code, which have forms of their own.
fn stage_text(outcome: &Outcome, (stage, optimisations): (Stage, Optimisations)) -> Option<String> {
    match stage {
        Stage::Ast | Stage::Rust => None,
        Stage::Ir => Some(outcome.lowered.to_string()),
        Stage::Passes => Some(passes_text(outcome)),
        Stage::Kernels => Some(outcome.module.to_string()),
        Stage::Maps => Some(explain::access_maps(&outcome.module, &outcome.sources, &outcome.spans)),
        Stage::Nests => {
            let mut module = outcome.lowered.clone();
            before_loops(&mut module);
            Some(explain::nests(&module, &outcome.sources, &outcome.spans))
        }
        Stage::Schedules => {
            let table = Schedules::with(&outcome.module, optimisations);
            Some(explain::schedules(&outcome.module, &table, &outcome.sources, &outcome.spans))
        }
        Stage::Ptx => ptx_text(outcome, optimisations),
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
fn ptx_text(outcome: &Outcome, optimisations: Optimisations) -> Option<String> {
    let ptx = ptx_with(outcome, optimisations)?;
    let refused = ptx.refused.iter().map(|r| format!("\n// {}\n", refusal(outcome, r)));
    Some(ptx.text + &refused.collect::<String>())
}
