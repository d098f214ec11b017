//! What became of a function, and the line that says so.

use megha_core::diag::Severity;
use megha_core::driver::{Outcome, Plan, declarable_type, untyped};
use megha_core::ir::Func;
use megha_core::matlab::ast::Function;
use megha_core::source::Span;

/// What became of a function.
pub enum State {
    /// With its signature in Rust.
    Compiles(String),
    /// The same, with types that nobody declared.
    Assumed(String),
    /// As part of the functions that call it.
    Part(String),
    /// Parameters without types.
    Untyped(Vec<String>),
    /// Its own mistakes.
    Mistakes,
    /// Mistakes elsewhere.
    Waits,
}

impl State {
    /// What became of it in this outcome.
    pub fn of(function: &Function, outcome: &Outcome) -> Self {
        let name = &function.name.text;
        let inside =
            |f: &Function, at: Span| at.file == f.span.file && f.span.start <= at.start && at.start <= f.span.end;
        let errors = || outcome.diags.sorted().into_iter().filter(|d| d.severity == Severity::Error);
        let mut spans = errors().flat_map(|d| d.notes.iter().filter_map(|(at, _)| *at).chain([d.span]));
        if spans.any(|at| inside(function, at)) {
            return Self::Mistakes;
        }
        if let Some(plan) = outcome.plans.iter().find(|p| p.function.name.text == *name) {
            let functions = || outcome.units.iter().flat_map(|u| &u.program.functions);
            if errors().any(|d| !functions().any(|f| inside(f, d.span))) {
                // In a signature, most likely its own.
                return Self::Mistakes;
            }
            let func = outcome.lowered.funcs.iter().find(|f| f.name == plan.name.text);
            return func.map_or(Self::Waits, |f| Self::Compiles(signature_text(plan, f)));
        }
        let callers = outcome.plans.iter().filter(|p| outcome.reaches(p, name));
        let callers: Vec<&str> = callers.map(|p| p.name.text.as_str()).collect();
        match callers.is_empty() {
            true => Self::Untyped(untyped(function).into_iter().map(str::to_owned).collect()),
            false => Self::Part(callers.join(", ")),
        }
    }

    /// The line that says so.
    pub fn line(&self, name: &str, shades: &Shades) -> String {
        let Shades { good, bad, open, plain } = shades;
        match self {
            Self::Compiles(signature) => format!("{good}compiles{plain}  {signature}"),
            Self::Assumed(signature) => format!("{good}compiles{plain}  {signature}  (types assumed)"),
            Self::Part(callers) => format!("{good}compiles{plain}  {name}, as part of {callers}"),
            Self::Untyped(list) if list.is_empty() => {
                format!("{open}no types{plain}  {name}; add a comment `% megha: fn {name}()` to compile it")
            }
            Self::Untyped(list) => format!("{open}no types{plain}  {name}: parameters {}", list.join(", ")),
            Self::Mistakes => format!("{bad}mistakes{plain}  {name}"),
            Self::Waits => format!("{bad}mistakes{plain}  {name}: in what it needs"),
        }
    }
}

/// The signature of a compiled function as Rust sees it, with the sizes found for its results.
fn signature_text(plan: &Plan, func: &Func) -> String {
    let params = plan.params.iter().zip(func.declared_params()).map(|((name, count), p)| {
        let ty = declarable_type(func, &p.ty);
        format!("{name}: {}", if *count { "usize" } else { &ty })
    });
    let results = func.declared_results().into_iter().map(|r| format!("{}: {}", r.name, declarable_type(func, &r.ty)));
    let (params, results): (Vec<String>, Vec<String>) = (params.collect(), results.collect());
    let results = if let [one] = &results[..] { one.clone() } else { format!("({})", results.join(", ")) };
    format!("fn {}({}) -> {results}", plan.name.text, params.join(", "))
}

/// Colours, or nothing.
pub struct Shades {
    good: &'static str,
    bad: &'static str,
    open: &'static str,
    plain: &'static str,
}

impl Shades {
    /// Colours if wanted.
    pub fn new(colour: bool) -> Self {
        match colour {
            true => Self { good: "\x1b[1;32m", bad: "\x1b[1;31m", open: "\x1b[1;33m", plain: "\x1b[0m" },
            false => Self { good: "", bad: "", open: "", plain: "" },
        }
    }
}
