//! The one path through the compiler, which macros and command line share.
//!
//! A [`Job`] names the text; [`compile`] parses it and the files beside it, finds the types of the functions that Rust gets
//! ([`signature`], `arguments` blocks, comments), lowers them, compares declared with inferred results, runs the passes and
//! verifies. The [`Outcome`] holds the module or all mistakes with the sources that they point into.

mod directive;
mod emit;
pub mod guess;
mod help;
mod included;
mod load;
pub mod macros;
mod nested;
mod poly;
mod results;
pub mod rust_file;
pub mod script;
pub mod signature;
mod spec;
mod validate;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

pub use emit::{blocks, generate, ptx, ptx_with, refusal, rust, rust_without_devices};
pub use load::Unit;
pub use results::declarable_type;
pub use signature::Signature;
pub use spec::{Plan, is_typed, untyped};

use crate::contract;
use crate::diag::{Code, Diagnostic, Diagnostics, Severity};
use crate::ir::{Assumptions, Func, FuncId, Module};
use crate::lower::{Scope, SpanTable, Specialisations, lower_function};
use crate::matlab::ast::{Function, Program};
use crate::matlab::mentions;
use crate::passes::{PassFailure, PassLog, culprit, run_passes};
use crate::source::{FileId, SourceMap, Span};
use megha_base::recursion::on_deep_stack;

/// Which functions Rust gets.
#[derive(Debug, Clone, PartialEq)]
pub enum Wanted {
    /// All whose parameters have types in an `arguments` block, or that have no parameters.
    Typed,
    /// Those with a signature in a comment; without any, the statements of a script or the first function of the file, as
    /// in MATLAB.
    File,
    /// All whose types are known, from comments or `arguments` blocks; it is no mistake if there are none.
    Known,
    /// These.
    Signatures(Vec<Signature>),
}

/// What is to be compiled.
#[derive(Debug, Clone)]
pub struct Job {
    /// The text, and whatever other texts diagnostics point into.
    pub sources: SourceMap,
    /// The program's text.
    pub main: FileId,
    /// Where it was read from, so that functions in files beside it are found.
    pub path: Option<PathBuf>,
    /// Which functions Rust gets.
    pub wanted: Wanted,
    /// Mistakes found on the way here.
    pub diags: Diagnostics,
    /// Keep the IR's text after each pass.
    pub dump: bool,
}

impl Job {
    /// A job for a file on disk.
    ///
    /// # Errors
    /// Why it cannot be read, in words.
    pub fn file(path: &Path) -> Result<Self, String> {
        let mut sources = SourceMap::new();
        let main = load::read(path, &mut sources)?;
        Ok(Self { path: Some(path.to_owned()), ..Self::text(sources, main) })
    }

    /// A job for a text that stands in `sources` already.
    pub fn text(sources: SourceMap, main: FileId) -> Self {
        Self { sources, main, path: None, wanted: Wanted::File, diags: Diagnostics::new(), dump: false }
    }
}

/// What came of a job.
#[derive(Debug)]
pub struct Outcome {
    /// All texts that diagnostics point into.
    pub sources: SourceMap,
    /// Mistakes and warnings.
    pub diags: Diagnostics,
    /// The files that were read, the named one first.
    pub units: Vec<Unit>,
    /// The functions that Rust gets, as far as their types are known; `module` holds one for each if there were no mistakes.
    pub plans: Vec<Plan>,
    /// The functions that Rust expects, whether or not they could be compiled.
    pub stubs: Vec<Stub>,
    /// The functions before the passes.
    pub lowered: Module,
    /// The functions after the passes.
    pub module: Module,
    /// The places that the module's locations stand for.
    pub spans: SpanTable,
    /// What the passes did.
    pub log: PassLog,
}

impl Outcome {
    /// What came of a text in which nothing was compiled.
    fn empty(sources: SourceMap, diags: Diagnostics) -> Self {
        Self {
            sources,
            diags,
            units: Vec::new(),
            plans: Vec::new(),
            stubs: Vec::new(),
            lowered: Module::default(),
            module: Module::default(),
            spans: SpanTable::default(),
            log: PassLog::default(),
        }
    }

    /// Whether code can be made.
    pub fn is_ok(&self) -> bool {
        !self.diags.has_errors()
    }

    /// Whether a function may call, directly or through others, the one of this name.
    pub fn reaches(&self, plan: &Plan, name: &str) -> bool {
        callees(&plan.function, &self.units).contains(name)
    }
}

/// A function that Rust expects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stub {
    /// Its name in Rust.
    pub name: String,
    /// `pub` and the like.
    pub visibility: String,
}

impl Stub {
    fn of_signature(signature: &Signature) -> Self {
        let name = signature.rust_name().text.clone();
        Self { name, visibility: signature.visibility.clone() }
    }

    fn of_function(function: &Function) -> Self {
        Self { name: function.name.text.clone(), visibility: "pub".into() }
    }
}

/// Compiles as far as the verified module, on a stack that has room for everything that the parser lets through: trees of
/// some hundred levels, calls within calls.
pub fn compile(job: Job) -> Outcome {
    on_deep_stack(|| compile_here(job))
}

fn compile_here(job: Job) -> Outcome {
    let Job { mut sources, main, path, wanted, mut diags, dump } = job;
    let mut units = load::gather(main, path.as_deref(), &mut sources, &mut diags);
    let broken = Broken::of(&units, &diags);
    let wanted = of_file(wanted, &units[0], &sources, &mut diags);
    script::add_functions(&mut units[0].program, &wanted);
    let mut stubs = match &wanted {
        Wanted::Signatures(list) => list.iter().map(Stub::of_signature).collect(),
        _ => Vec::new(),
    };
    let mut plans = Vec::new();
    for (function, signature) in chosen(&units[0].program, main, wanted, &sources, &broken, &mut diags) {
        plans.extend(spec::plan(function, signature.as_ref(), &mut diags));
        let stub = signature.as_ref().map_or_else(|| Stub::of_function(function), Stub::of_signature);
        if !stubs.contains(&stub) {
            stubs.push(stub);
        }
    }
    let log = PassLog { dump, verify_last: !dump, ..PassLog::default() };
    let mut outcome = Outcome {
        sources,
        diags,
        units,
        plans,
        stubs,
        lowered: Module::default(),
        module: Module::default(),
        spans: SpanTable::default(),
        log,
    };
    finish(&mut outcome, &broken);
    outcome
}

/// Compiles the statements outside functions as the body of a function with the signature's parameters and results. They
/// may call the functions beside them.
pub fn compile_statements(job: Job, signature: Signature) -> Outcome {
    on_deep_stack(|| statements_here(job, &signature))
}

fn statements_here(job: Job, signature: &Signature) -> Outcome {
    let Job { mut sources, main, path, mut diags, dump, .. } = job;
    let mut units = load::gather(main, path.as_deref(), &mut sources, &mut diags);
    let function = script::function(std::mem::take(&mut units[0].program.script), signature);
    let broken = Broken { outside: diags.has_errors(), ..Broken::of(&units, &diags) };
    let plans = spec::plan(&function, Some(signature), &mut diags).into_iter().collect();
    let log = PassLog { dump, verify_last: !dump, ..PassLog::default() };
    let (lowered, module, spans) = (Module::default(), Module::default(), SpanTable::default());
    let mut outcome = Outcome { sources, diags, units, plans, stubs: Vec::new(), lowered, module, spans, log };
    finish(&mut outcome, &broken);
    outcome
}

/// Lowers what is sound, compares results, runs the passes.
fn finish(outcome: &mut Outcome, broken: &Broken) {
    let Outcome { sources, diags, units, plans, spans, lowered, module, log, .. } = outcome;
    let programs = || units.iter().flat_map(|u| &u.program.functions);
    let callees: Vec<Function> = programs().map(|f| validate::as_callee(f, diags)).collect();
    let late = |unit: &&Unit| sources.get(unit.file).is_some_and(|file| directive::late_names(file.text()));
    let scope = Scope::new(&callees).with_late_names(units.iter().filter(late).map(|unit| unit.file));
    let mut specialisations = Specialisations::after(plans.len());
    let mut general = Vec::new();
    for plan in plans.iter() {
        if broken.reaches(&plan.function, units) {
            continue;
        }
        // Its own sink: mistakes elsewhere say nothing about this function.
        let mut own = Diagnostics::new();
        let found = lower_function(&plan.function, &plan.spec, &scope, &mut specialisations, spans, &mut own);
        own.sorted().into_iter().for_each(|d| diags.push(d.clone()));
        let Some(mut found) = found else { continue };
        results::check(plan, &mut found.func, spans, diags);
        found.func.name.clone_from(&plan.name.text);
        match found.usual.and_then(|usual| fitting(plan, usual, spans)) {
            Some((usual, assumed)) => {
                found.func.name += "_general";
                general.push((FuncId::new(lowered.funcs.len()), assumed, found.func));
                lowered.funcs.push(usual);
            }
            None => lowered.funcs.push(found.func),
        }
    }
    if diags.has_errors() {
        return;
    }
    specialisations.append_to(lowered, general);
    if sources.get(units[0].file).is_some_and(|file| directive::contracts(file.text())) {
        lowered.funcs.iter_mut().for_each(contract::run);
    }
    module.clone_from(lowered);
    if let Err(failure) = run_passes(module, log) {
        report_failure(&culprit(lowered, failure), spans, diags);
    }
}

/// The usual form of a function with the tests of its declared results; `None` where it is known not to give them.
fn fitting(
    plan: &Plan,
    (mut func, assumed): (Func, Assumptions),
    spans: &mut SpanTable,
) -> Option<(Func, Assumptions)> {
    let mut refused = Diagnostics::new();
    results::check(plan, &mut func, spans, &mut refused);
    func.name.clone_from(&plan.name.text);
    (!refused.has_errors()).then_some((func, assumed))
}

fn report_failure(failure: &PassFailure, spans: &SpanTable, diags: &mut Diagnostics) {
    let culprit = if failure.pass.is_empty() { "lowering" } else { failure.pass };
    for violation in &failure.violations {
        let span = spans.span(violation.loc).unwrap_or_default();
        let message = format!("{culprit} broke a rule of the intermediate form: {violation}");
        let error = Diagnostic::error(Code::Internal, span, message);
        diags.push(error.help("this is a mistake in Megha, not in your program; please report it"));
    }
}

/// What a file by itself asks for: the signatures in its comments, else, if it is a script, its statements.
fn of_file(wanted: Wanted, unit: &Unit, sources: &SourceMap, diags: &mut Diagnostics) -> Wanted {
    if wanted != Wanted::File {
        return wanted;
    }
    let list = sources.get(unit.file).map(|f| directive::signatures(f, diags)).unwrap_or_default();
    let stem = unit.path.as_deref().and_then(Path::file_stem);
    match (stem, unit.program.script.first()) {
        _ if !list.is_empty() => Wanted::Signatures(list),
        (Some(stem), Some(first)) => Wanted::Signatures(vec![script::signature(&stem.to_string_lossy(), first.span)]),
        _ => Wanted::File,
    }
}

/// The functions that Rust gets, with their signatures.
fn chosen<'p>(
    program: &'p Program,
    main: FileId,
    wanted: Wanted,
    sources: &SourceMap,
    broken: &Broken,
    diags: &mut Diagnostics,
) -> Vec<(&'p Function, Option<Signature>)> {
    let by_name = |signatures: Vec<Signature>, diags: &mut Diagnostics| {
        let mut list = Vec::new();
        for signature in signatures {
            match program.functions.iter().find(|f| f.name.text == signature.function.text) {
                Some(function) => list.push((function, Some(signature))),
                None if broken.outside => {}
                None => diags.push(unknown_function(&signature, program)),
            }
        }
        list
    };
    // Who names functions of a script does not mean its statements.
    let named = matches!(wanted, Wanted::Signatures(_));
    let chosen = match wanted {
        Wanted::Signatures(list) => by_name(list, diags),
        Wanted::File => program.functions.first().map(|f| (f, None)).into_iter().collect(),
        Wanted::Typed => typed(program),
        Wanted::Known => {
            let list = sources.get(main).map(|f| directive::signatures(f, diags)).unwrap_or_default();
            let mut chosen = by_name(list, diags);
            let rest = program
                .functions
                .iter()
                .filter(|f| is_typed(f) || f.arguments.iter().any(|b| !b.declarations.is_empty()));
            let rest: Vec<&Function> =
                rest.filter(|f| chosen.iter().all(|(c, _)| c.name.text != f.name.text)).collect();
            chosen.extend(rest.into_iter().map(|f| (f, None)));
            return chosen;
        }
    };
    if let Some(stmt) = program.script.first().filter(|_| !named) {
        let message = "these statements belong to no function";
        let error = Diagnostic::error(Code::LooseStatements, stmt.span, message);
        diags.push(error.help("put them into a function, or give the script a signature: fn name(x: f64[n, 1]) -> y"));
    } else if chosen.is_empty() && !diags.has_errors() {
        let message = "there is no function here that Rust could call";
        diags.push(Diagnostic::error(Code::NothingExported, Span::new(main, 0, 0), message));
    }
    report_twins(&chosen, diags);
    chosen
}

/// Two functions of one name in Rust.
fn report_twins(chosen: &[(&Function, Option<Signature>)], diags: &mut Diagnostics) {
    let name = |(function, signature): &(&Function, Option<Signature>)| {
        signature.as_ref().map_or(function.name.clone(), |s| s.rust_name().clone())
    };
    for (at, entry) in chosen.iter().enumerate().filter(|(_, e)| e.1.is_some()) {
        if let Some(first) = chosen[..at].iter().find(|e| name(e).text == name(entry).text) {
            let message = format!("two signatures make a Rust function `{}`", name(entry).text);
            let error = Diagnostic::error(Code::NameClash, name(entry).span, message);
            diags.push(error.note_at(name(first).span, "here first").help("rename one with `fn name as other(..)`"));
        }
    }
}

fn unknown_function(signature: &Signature, program: &Program) -> Diagnostic {
    let message = format!("the text defines no function `{}`", signature.function.text);
    let names: Vec<&str> = program.functions.iter().map(|f| f.name.text.as_str()).collect();
    let error = Diagnostic::error(Code::UnknownFunction, signature.function.span, message);
    if names.is_empty() { error } else { error.help(format!("it defines {}", names.join(", "))) }
}

/// Functions with types for all parameters; others with an `arguments` block or none to call them must get types.
fn typed(program: &Program) -> Vec<(&Function, Option<Signature>)> {
    let mut called: BTreeSet<String> = BTreeSet::new();
    for function in &program.functions {
        let mut names = mentions::of_function(function);
        names.remove(&function.name.text);
        called.extend(names);
    }
    let wanted = |f: &&Function| is_typed(f) || !called.contains(&f.name.text);
    program.functions.iter().filter(wanted).map(|f| (f, None)).collect()
}

/// Functions with syntax errors: they and what calls them are not lowered, since the mistakes that would show are not the
/// user's.
struct Broken {
    names: BTreeSet<String>,
    /// A mistake outside all functions: any function may be missing.
    outside: bool,
}

impl Broken {
    fn of(units: &[Unit], diags: &Diagnostics) -> Self {
        let mut broken = Broken { names: BTreeSet::new(), outside: false };
        let files: BTreeSet<FileId> = units.iter().map(|u| u.file).collect();
        let error = |d: &&Diagnostic| d.severity == Severity::Error && files.contains(&d.span.file);
        for diagnostic in diags.sorted().into_iter().filter(error) {
            let span = diagnostic.span;
            let holds =
                |f: &&Function| f.span.file == span.file && f.span.start <= span.start && span.start < f.span.end;
            match units.iter().flat_map(|u| &u.program.functions).find(holds) {
                Some(function) => drop(broken.names.insert(function.name.text.clone())),
                None => broken.outside = true,
            }
        }
        broken
    }

    /// Whether the function has syntax errors or may call one that has.
    fn reaches(&self, function: &Function, units: &[Unit]) -> bool {
        let is_broken = |name: &String| self.names.contains(name);
        self.outside || is_broken(&function.name.text) || callees(function, units).iter().any(is_broken)
    }
}

/// All names that a function mentions, and those that the functions of these names mention.
fn callees(function: &Function, units: &[Unit]) -> BTreeSet<String> {
    let mut seen = BTreeSet::new();
    let mut open: Vec<String> = mentions::of_function(function).into_iter().collect();
    while let Some(name) = open.pop() {
        let callee = units.iter().flat_map(|u| &u.program.functions).find(|f| f.name.text == name);
        if seen.insert(name)
            && let Some(callee) = callee
        {
            open.extend(mentions::of_function(callee));
        }
    }
    seen
}
