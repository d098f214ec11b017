//! `megha explain`: how a program is compiled.

use std::io::{stderr, stdout};
use std::path::Path;

use super::{End, Stage, colour, job};
use megha_core::diag::render_all;
use megha_core::driver::{Outcome, Wanted, compile, ptx, refusal, rust};
use megha_core::explain::{self, Options};
use megha_core::matlab::print;

/// Prints a stage, or what the passes have to say.
pub fn run(path: &Path, stage: Option<Stage>, signatures: &[String]) -> End {
    let mut job = match job(path, signatures) {
        Ok(job) => job,
        Err(why) => return End::Refused(why),
    };
    if stage == Some(Stage::Ast) {
        job.wanted = Wanted::Known;
    }
    let mut outcome = compile(job);
    let text = match stage {
        Some(Stage::Ast) => Some(print(&outcome.units[0].program)),
        Some(Stage::Ir) => outcome.is_ok().then(|| outcome.lowered.to_string()),
        Some(Stage::Kernels) => outcome.is_ok().then(|| outcome.module.to_string()),
        Some(Stage::Rust) => rust(&mut outcome, "::megha::rt"),
        Some(Stage::Ptx) => ptx_text(&outcome),
        None => outcome.is_ok().then(|| explanation(&outcome)),
    };
    eprint!("{}", render_all(&outcome.diags, &outcome.sources, colour(&stderr())));
    match text {
        Some(text) => {
            print!("{text}");
            if outcome.is_ok() { End::Well } else { End::Mistakes }
        }
        None => End::Mistakes,
    }
}

/// What became of each function.
fn explanation(outcome: &Outcome) -> String {
    let options = Options { bold: colour(&stdout()), ..Options::default() };
    let text = explain::explain(&outcome.module, &outcome.log, &outcome.sources, &outcome.spans, options);
    text + &ptx(outcome).map(|ptx| explain::on_gpu(&ptx)).unwrap_or_default()
}

/// The PTX, with a comment for each kernel that has none.
fn ptx_text(outcome: &Outcome) -> Option<String> {
    let ptx = ptx(outcome)?;
    let refused = ptx.refused.iter().map(|r| format!("\n// {}\n", refusal(outcome, r)));
    Some(ptx.text + &refused.collect::<String>())
}
