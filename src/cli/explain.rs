//! `megha explain`: how a program is compiled.

use std::io::stderr;
use std::path::Path;

use super::{End, Stage, colour, job};
use megha_core::diag::render_all;
use megha_core::driver::{Outcome, Wanted, compile, rust};
use megha_core::matlab::print;

/// Prints a stage, or what the passes have to say.
pub fn explain(path: &Path, stage: Option<Stage>, signatures: &[String]) -> End {
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
        None => outcome.is_ok().then(|| summary(&outcome)),
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

/// The passes and how long they took.
fn summary(outcome: &Outcome) -> String {
    let names: Vec<&str> = outcome.plans.iter().map(|p| p.name.text.as_str()).collect();
    let mut text = format!("functions: {}\n", names.join(", "));
    for entry in &outcome.log.entries {
        text += &format!("{:24} {:>9.3} ms\n", entry.name, entry.time.as_secs_f64() * 1e3);
    }
    text
}
