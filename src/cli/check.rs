//! `megha check`: which functions compile, and why others do not.

use std::fmt::Write;
use std::io::{stderr, stdout};
use std::path::{Path, PathBuf};

use super::{End, colour, job};
use megha_core::diag::{Severity, render_all};
use megha_core::driver::{Job, Outcome, Plan, Wanted, compile, func_type, rust, untyped};
use megha_core::ir::Func;
use megha_core::matlab::ast::Function;
use megha_core::source::Span;

/// The way to a function from Rust.
const RUNTIME: &str = "::megha::rt";

/// What became of a file.
#[derive(Default)]
struct Verdict {
    path: PathBuf,
    compiled: usize,
    /// Functions without types.
    open: usize,
    mistaken: usize,
    failed: bool,
}

/// Checks files and the files of folders.
pub fn check(paths: &[PathBuf], signatures: &[String]) -> End {
    let mut verdicts = Vec::new();
    for path in paths {
        let files = match files(path) {
            Ok(files) => files,
            Err(why) => return End::Refused(why),
        };
        for file in files {
            match job(&file, signatures) {
                Ok(job) => verdicts.push(check_file(&file, job)),
                Err(why) => return End::Refused(why),
            }
        }
    }
    if verdicts.len() > 1 || paths.iter().any(|p| p.is_dir()) {
        print!("{}", table(&verdicts));
    }
    if verdicts.iter().all(|v| !v.failed) { End::Well } else { End::Mistakes }
}

/// The file, or the `.m` files of a folder and of the folders in it, by name.
fn files(path: &Path) -> Result<Vec<PathBuf>, String> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let unreadable = |e: std::io::Error| format!("`{}` cannot be read: {e}", path.display());
    let mut found = Vec::new();
    for entry in std::fs::read_dir(path).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let inner = entry.path();
        if entry.file_type().map_err(unreadable)?.is_dir() {
            found.extend(files(&inner)?);
        } else if inner.extension().is_some_and(|e| e == "m") {
            found.push(inner);
        }
    }
    found.sort();
    Ok(found)
}

/// Compiles a file, prints what came of its functions (with signatures from the command line, of those that they name), and
/// its mistakes to the standard error.
fn check_file(path: &Path, mut job: Job) -> Verdict {
    let signatures = job.wanted != Wanted::File;
    if !signatures {
        job.wanted = Wanted::Known;
    }
    let mut outcome = compile(job);
    rust(&mut outcome, RUNTIME);
    eprint!("{}", render_all(&outcome.diags, &outcome.sources, colour(&stderr())));
    let shades = Shades::new(colour(&stdout()));
    let mut verdict = Verdict { path: path.to_owned(), ..Verdict::default() };
    for function in &outcome.units[0].program.functions {
        let state = State::of(function, &outcome);
        if signatures && matches!(state, State::Untyped(_)) {
            continue;
        }
        match &state {
            State::Compiles(_) | State::Part(_) => verdict.compiled += 1,
            State::Untyped(_) | State::Waits => verdict.open += 1,
            State::Mistakes => verdict.mistaken += 1,
        }
        println!("{}: {}", path.display(), state.line(&function.name.text, &shades));
    }
    if outcome.units[0].program.functions.is_empty() && outcome.is_ok() {
        println!("{}: a script; `megha run` runs it", path.display());
    }
    verdict.failed = !outcome.is_ok() || verdict.open > 0;
    verdict
}

/// What became of a function.
enum State {
    /// With its signature in Rust.
    Compiles(String),
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
    fn of(function: &Function, outcome: &Outcome) -> Self {
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

    fn line(&self, name: &str, shades: &Shades) -> String {
        let Shades { good, bad, open, plain } = shades;
        match self {
            Self::Compiles(signature) => format!("{good}compiles{plain}  {signature}"),
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
        let ty = func_type(func, &p.ty);
        format!("{name}: {}", if *count { "usize" } else { &ty })
    });
    let results = func.declared_results().into_iter().map(|r| format!("{}: {}", r.name, func_type(func, &r.ty)));
    let (params, results): (Vec<String>, Vec<String>) = (params.collect(), results.collect());
    let results = if let [one] = &results[..] { one.clone() } else { format!("({})", results.join(", ")) };
    format!("fn {}({}) -> {results}", plan.name.text, params.join(", "))
}

/// Colours, or nothing.
struct Shades {
    good: &'static str,
    bad: &'static str,
    open: &'static str,
    plain: &'static str,
}

impl Shades {
    fn new(colour: bool) -> Self {
        match colour {
            true => Self { good: "\x1b[1;32m", bad: "\x1b[1;31m", open: "\x1b[1;33m", plain: "\x1b[0m" },
            false => Self { good: "", bad: "", open: "", plain: "" },
        }
    }
}

/// The files and how many of their functions compile.
fn table(verdicts: &[Verdict]) -> String {
    let width = verdicts.iter().map(|v| v.path.display().to_string().chars().count()).max().unwrap_or(0).max(5);
    let mut out = format!("\n{:width$}  {:>8}  {:>8}  {:>8}\n", "file", "compile", "no types", "mistakes");
    let mut row = |name: &str, list: &[&Verdict]| {
        let sum = |count: fn(&Verdict) -> usize| list.iter().map(|v| count(v)).sum::<usize>();
        let (compiled, open, mistaken) = (sum(|v| v.compiled), sum(|v| v.open), sum(|v| v.mistaken));
        // Writing to a String cannot fail.
        let _ = writeln!(out, "{name:width$}  {compiled:>8}  {open:>8}  {mistaken:>8}");
    };
    for verdict in verdicts {
        row(&verdict.path.display().to_string(), &[verdict]);
    }
    row("all", &verdicts.iter().collect::<Vec<_>>());
    out
}
