//! `megha check`: which functions compile, and why others do not.
//!
//! A function without declared types is compiled for types that its own code suggests (`driver::guess`), a script as a
//! function without inputs; the output says so.

mod state;

use crate::output::{say, tell};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::io::{stderr, stdout};
use std::path::{Path, PathBuf};

use super::assumed::{self, compile_for};
use super::{End, colour, job};
use megha_core::diag::{Code, Severity, render, render_dropped};
use megha_core::driver::{Job, Outcome, Wanted, compile, rust, script};
use megha_core::matlab::ast::Function;
use megha_core::source::Span;
use state::Shades;
pub use state::State;

/// What became of a file.
#[derive(Default)]
struct Verdict {
    path: PathBuf,
    compiled: usize,
    /// Functions that cannot get types.
    open: usize,
    mistaken: usize,
    /// How many attempts failed for each reason.
    reasons: BTreeMap<Code, usize>,
    /// Messages that have been shown: a file is compiled again for each function whose types are assumed.
    shown: BTreeSet<String>,
    failed: bool,
}

impl Verdict {
    fn count(&mut self, state: &State) {
        match state {
            State::Compiles(_) | State::Assumed(_) | State::Part(_) => self.compiled += 1,
            State::Untyped(_) => self.open += 1,
            State::Mistakes | State::Waits => self.mistaken += 1,
        }
    }

    /// Shows the mistakes of an attempt and counts their kinds.
    fn report(&mut self, outcome: &Outcome) {
        let mut codes = BTreeSet::new();
        for diagnostic in outcome.diags.sorted() {
            let text = render(diagnostic, &outcome.sources, colour(&stderr()));
            if self.shown.contains(&text) {
                continue;
            }
            tell(format_args!("{text}\n"));
            self.shown.insert(text);
            codes.extend((diagnostic.severity == Severity::Error).then_some(diagnostic.code));
        }
        tell(format_args!("{}", render_dropped(&outcome.diags)));
        codes.into_iter().for_each(|code| *self.reasons.entry(code).or_default() += 1);
        self.failed |= !outcome.is_ok();
    }
}

/// Checks files and the files of folders.
pub fn check(paths: &[PathBuf], signatures: &[String]) -> End {
    let mut verdicts = Vec::new();
    for path in paths {
        let files = match files(path) {
            Ok(files) => files,
            Err(why) => return End::Refused(why),
        };
        if files.is_empty() {
            return End::Refused(format!("`{}` holds no .m files", path.display()));
        }
        for file in files {
            match job(&file, signatures) {
                Ok(job) => verdicts.push(check_file(&file, job, signatures.is_empty())),
                Err(why) => return End::Refused(why),
            }
        }
    }
    if verdicts.len() > 1 || paths.iter().any(|p| p.is_dir()) {
        say(format_args!("{}{}", table(&verdicts), reasons(&verdicts)));
    }
    if verdicts.iter().all(|v| !v.failed) { End::Well } else { End::Mistakes }
}

/// The file, or the `.m` files of a folder and of the folders in it, by name. Pipes and devices in a folder, which may never end, are no
/// programs.
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
        } else if inner.extension().is_some_and(|e| e == "m") && inner.is_file() {
            found.push(inner);
        }
    }
    found.sort();
    Ok(found)
}

/// Compiles a file and prints what came of its functions (with signatures from the command line, of those that they name),
/// and its mistakes to the standard error.
fn check_file(path: &Path, mut job: Job, all: bool) -> Verdict {
    let again = job.clone();
    if all {
        job.wanted = Wanted::Known;
    }
    let mut outcome = compile(job);
    rust(&mut outcome, super::RUNTIME);
    let mut verdict = Verdict { path: path.to_owned(), ..Verdict::default() };
    verdict.report(&outcome);
    let shades = Shades::new(colour(&stdout()));
    let program = &outcome.units[0].program;
    let mut assumed: Vec<Outcome> = Vec::new();
    for function in &program.functions {
        let mut state = State::of(function, &outcome);
        if matches!(state, State::Untyped(_)) {
            if !all {
                continue;
            }
            let called = assumed.iter().map(|o| State::of(function, o)).find(|s| matches!(s, State::Part(_)));
            state = called.or_else(|| assume(function, &outcome, &again, &mut verdict, &mut assumed)).unwrap_or(state);
        }
        verdict.count(&state);
        say(format_args!("{}: {}\n", path.display(), state.line(&function.name.text, &shades)));
    }
    if all && !program.script.is_empty() {
        let state = check_script(path, again, &mut verdict);
        verdict.count(&state);
        say(format_args!("{}: {}\n", path.display(), state.line("the script", &shades)));
    }
    verdict.failed |= verdict.open > 0;
    verdict
}

/// Compiles a function for types that it suggests and shows its mistakes. `None` if it suggests none.
fn assume(
    function: &Function,
    outcome: &Outcome,
    job: &Job,
    verdict: &mut Verdict,
    compiled: &mut Vec<Outcome>,
) -> Option<State> {
    let best = assumed::best(function, outcome, job)?;
    verdict.report(&best);
    let state = match State::of(function, &best) {
        State::Compiles(signature) => State::Assumed(signature),
        state => state,
    };
    if best.is_ok() {
        compiled.push(best);
    }
    Some(state)
}

/// The statements outside functions, as a function without inputs.
fn check_script(path: &Path, job: Job, verdict: &mut Verdict) -> State {
    let name = path.file_stem().map_or("script".into(), |stem| stem.to_string_lossy());
    let outcome = compile_for(script::signature(&name, Span::new(job.main, 0, 0)), &job);
    verdict.report(&outcome);
    if outcome.is_ok() { State::Compiles("the script".into()) } else { State::Mistakes }
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

/// Why functions do not compile, the most frequent reason first.
fn reasons(verdicts: &[Verdict]) -> String {
    let mut counts: BTreeMap<Code, usize> = BTreeMap::new();
    for (code, count) in verdicts.iter().flat_map(|v| &v.reasons) {
        *counts.entry(*code).or_default() += count;
    }
    let mut list: Vec<(Code, usize)> = counts.into_iter().collect();
    list.sort_by_key(|(code, count)| (std::cmp::Reverse(*count), *code));
    let lines: Vec<String> =
        list.iter().map(|(code, count)| format!("{count:>8}  {code}  {}\n", code.title())).collect();
    if lines.is_empty() { String::new() } else { format!("\nreasons\n{}", lines.concat()) }
}
