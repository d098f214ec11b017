//! `megha explain FILE.rs`: what became of a file's offloaded functions and calls of `matlab!`.

use super::{stage_text, text};
use crate::output::{say, tell};
use crate::{End, Stage, colour};
use megha_core::diag::{Diagnostics, render_all};
use megha_core::driver::rust_file::{Form, Offloaded, Part, read};
use megha_core::explain::{Options, offloaded, title};
use megha_core::schedule::Optimisations;
use megha_core::source::SourceMap;
use std::io::{stderr, stdout};
use std::path::Path;

/// Prints a stage, or what became of each loop.
pub fn run(path: &Path, (stage, optimisations): (Option<Stage>, Optimisations), signatures: &[String]) -> End {
    if !signatures.is_empty() {
        return End::Refused("types are in a Rust file; `--sig` is for MATLAB".into());
    }
    let mut file = match read(path, stage == Some(Stage::Passes)) {
        Ok(file) => file,
        Err(why) => return End::Refused(why),
    };
    if file.parts.is_empty() && !file.diags.has_errors() {
        return End::Refused(format!("`{}` holds no `#[offload]` functions and no `matlab!`", path.display()));
    }
    if stage == Some(Stage::Ast) && file.parts.iter().all(|part| matches!(part, Part::Offloaded(_))) {
        return End::Refused("offloaded functions have no tree but Rust's own".into());
    }
    let mut well = show(&file.diags, &file.sources);
    let mut texts = Vec::new();
    for part in &mut file.parts {
        match part {
            Part::Offloaded(_) if stage == Some(Stage::Ast) => {}
            Part::Offloaded(function) => texts.push(of_function(function, (stage, optimisations), &file.sources)),
            Part::Matlab(outcome) => {
                let found = text(outcome, (stage, optimisations));
                well &= show(&outcome.diags, &outcome.sources);
                texts.extend(found);
            }
        }
    }
    say(format_args!("{}", texts.join("\n")));
    if well { End::Well } else { End::Mistakes }
}

/// Shows mistakes and warnings; whether there are no mistakes.
fn show(diags: &Diagnostics, sources: &SourceMap) -> bool {
    tell(format_args!("{}", render_all(diags, sources, colour(&stderr()))));
    !diags.has_errors()
}

/// An offloaded function.
fn of_function(
    function: &Offloaded,
    (stage, optimisations): (Option<Stage>, Optimisations),
    sources: &SourceMap,
) -> String {
    let Some(stage) = stage else {
        return offloaded(function, sources, Options { bold: colour(&stdout()), ..Options::default() });
    };
    let named = function.forms.len() > 1 || !function.instance.is_empty();
    let forms = function.forms.iter().map(|form| {
        let title = if named || stage == Stage::Rust { heading(function, form, stage) } else { String::new() };
        title + &of_form(form, (stage, optimisations))
    });
    forms.collect::<Vec<_>>().join("\n")
}

/// Which form this is, as a comment.
fn heading(function: &Offloaded, form: &Form, stage: Stage) -> String {
    let sign = if matches!(stage, Stage::Rust | Stage::Ptx) { "//" } else { "#" };
    let which = match (&form.assumed, function.forms.len()) {
        (Some(test), _) => format!(", if {test}"),
        (None, 1) => String::new(),
        (None, _) => ", in other calls".into(),
    };
    format!("{sign} {}{which}\n", title(function))
}

fn of_form(form: &Form, (stage, optimisations): (Stage, Optimisations)) -> String {
    match stage {
        Stage::Rust => form.code.clone(),
        stage => stage_text(&form.outcome, (stage, optimisations)).unwrap_or_default(),
    }
}
