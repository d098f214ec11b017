//! The second front end: Rust loop nests over ndarray views, `#[megha::offload]`.
//!
//! [`syntax`] turns a function's syntax into a plain [`ast::Function`], whose names and types are resolved
//! ([`types`]); it is lowered to the IR, goes through the same passes and code generation as MATLAB, and gets a new
//! body. What holds against the plain Rust function:
//!
//! * Arithmetic, square roots, `abs`, rounding, `mul_add`, `powi`, `min` and `max` give the same bits. Transcendental
//!   functions are Megha's own (at most 2 ulp from the exact result); Rust leaves their last bits open too.
//! * An access out of bounds is a panic that names the array and the subscript; most are found before any work.
//!   Views that had to be copied, as they are not contiguous, then keep their old contents.
//! * Whole numbers wrap as in a release build; a range of 2^63 or more numbers, which such an overflow makes, is a panic.
//! * A call whose whole numbers or arrays are so large that subscripts might leave 64 bits runs the plain function,
//!   and so does one of little work (`little`).

mod assigned;
pub mod ast;
mod complex;
mod entry;
mod expr;
mod guards;
mod in_place;
mod little;
mod loops;
mod lower;
mod methods;
mod remainder;
mod shrinking;
mod statements;
mod structured;
mod swap;
pub mod syntax;
pub mod types;
mod whole;
mod words;
mod wrapper;

use crate::cpu::{InPlace, Options, Position, generate_in_place};
use crate::diag::Code;
use crate::ir::verify::verify;
use crate::ir::{Func, FuncId, Loc, Module};
use crate::passes::{PassLog, run_passes};
use crate::schedule::{DeviceBackend, Schedules};
use crate::{contract, reassociate};
use ast::{Function, SpanId};
pub use entry::Entry;
use guards::Assumption;
pub use loops::{Guarded, LoopNote};

/// A mistake in an offloaded function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Its entry in the catalogue.
    pub code: Code,
    /// What it is about.
    pub span: SpanId,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// What the user can do.
    pub help: Option<String>,
}

impl Problem {
    /// What is wrong, with names as the program has them.
    pub fn said(&self) -> String {
        shown(&self.message)
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} [{}]", self.said(), self.code)?;
        match &self.help {
            Some(help) => write!(f, "\nhelp: {help}"),
            None => Ok(()),
        }
    }
}

/// A text with names as the program has them.
fn shown(text: &str) -> String {
    let mut parts = text.split('#');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.trim_start_matches(|c: char| c.is_ascii_digit()))
}

/// A function that went through the passes.
#[derive(Debug, Clone)]
pub struct Compiled {
    /// The function alone, before the passes.
    pub lowered: Module,
    /// The same after them.
    pub module: Module,
    /// What must hold of a call's arguments.
    pub entry: Entry,
    /// What the passes did.
    pub log: PassLog,
    /// The types of its names.
    types: types::Types,
}

/// Compiles as far as the verified module.
///
/// # Errors
/// All mistakes in the function.
pub fn compile(function: &Function) -> Result<Compiled, Vec<Problem>> {
    compile_assuming(function, &[])
}

/// The same, where this holds of the arguments.
fn compile_assuming(function: &Function, assumed: &[Assumption]) -> Result<Compiled, Vec<Problem>> {
    let function = &structured::run(function);
    let types = types::Types::of(function)?;
    let (mut func, entry) = lower::lower(function, &types, assumed)?;
    if function.rounding.contract {
        contract::run(&mut func);
    }
    if function.rounding.reassociate {
        let in_order = func.clone();
        reassociate::run(&mut func);
        let compiled = compiled(function, types.clone(), func, entry.clone())?;
        if !reassociate::stores_terms(&compiled.module.funcs[0]) {
            return Ok(compiled);
        }
        func = in_order;
    }
    compiled(function, types, func, entry)
}

/// The verified module of a function that is lowered.
fn compiled(function: &Function, types: types::Types, func: Func, entry: Entry) -> Result<Compiled, Vec<Problem>> {
    let lowered = Module::of(vec![func]);
    let mut module = lowered.clone();
    let mut log = PassLog::default();
    run_passes(&mut module, &mut log).map_err(|failure| {
        let list: Vec<String> = failure.violations.iter().map(ToString::to_string).collect();
        vec![internal(
            function,
            format!("the pass `{}` broke the intermediate form: {}", failure.pass, list.join("; ")),
        )]
    })?;
    in_place::run(&mut module.funcs[0], function, &types);
    words::run(&mut module.funcs[0], function, &types);
    Ok(Compiled { lowered, module, entry, log, types })
}

/// What takes the place of a function's body.
#[derive(Debug, Clone)]
pub struct Body {
    /// A module with the generated code.
    pub module: String,
    /// The call of it, in parentheses.
    pub call: String,
    /// What must hold for the call to be right and worth its time, in parentheses; else the plain body is to run. `None` if it always is.
    pub condition: Option<String>,
    /// What became of its loops.
    pub loops: Vec<LoopNote>,
    /// What was assumed of the arguments, in the program's words.
    pub assumed: Option<String>,
    /// What the code was made of.
    pub compiled: Compiled,
}

/// The new body of a function: its forms, each behind its condition, the first that holds to be chosen. `runtime` is the path of the run-time system, such as `::megha::rt`;
/// `position` gives the place in the source that a number stands for.
///
/// # Errors
/// All mistakes in the function.
pub fn bodies(
    function: &Function,
    runtime: &str,
    position: &dyn Fn(SpanId) -> Option<Position>,
) -> Result<Vec<Body>, Vec<Problem>> {
    let plain = compile(function)?;
    let guarded = guards::guarded(function, &plain);
    let mut plain = body(function, plain, runtime, position)?;
    let Some((compiled, assumed)) = guarded else { return Ok(vec![plain]) };
    let mut first = body(function, compiled, runtime, position)?;
    let said: Vec<String> = assumed.into_iter().map(|assumption| assumption.said(function)).collect();
    let said = said.join(" and ");
    loops::with_guard(&mut plain.loops, &first.loops, &said);
    first.assumed = Some(said);
    Ok(vec![first, plain])
}

fn body(
    function: &Function,
    compiled: Compiled,
    runtime: &str,
    position: &dyn Fn(SpanId) -> Option<Position>,
) -> Result<Body, Vec<Problem>> {
    let Compiled { module, entry, types, log, .. } = &compiled;
    let verified = verify(module).map_err(|violations| {
        let list: Vec<String> = violations.iter().map(ToString::to_string).collect();
        vec![internal(function, list.join("; "))]
    })?;
    let place = |loc: Loc| position(SpanId(loc.index().checked_sub(1)? as u32));
    let schedules = Schedules::of(module);
    let device = Some(crate::ptx::device_code as DeviceBackend);
    let options = Options { runtime, positions: &place, device, schedules: &schedules };
    let class = |number| types.class(number);
    let (params, exchanged) = (wrapper::passing(function, &class), swap::is_in(function));
    let export = InPlace { func: FuncId::new(0), params, fallible: function.fallible, exchanged };
    let module_code = generate_in_place(verified, &export, &options)
        .map_err(|problems| problems.into_iter().map(|p| internal(function, p)).collect::<Vec<_>>())?;
    let right = entry.condition(&module.funcs[0], function, &class);
    let worth = little::condition(function, &compiled, &class, runtime).map(|little| format!("!{little}"));
    let condition = worth.into_iter().chain(right).reduce(|worth, right| format!("{worth} && {right}"));
    let condition = condition.map(|condition| format!("({condition})"));
    let line = |span| position(span).map(|at| at.line);
    let loops = log.loops.first().map_or_else(Vec::new, |(_, reports)| loops::notes(function, reports, &line));
    let call = wrapper::call(function, &class, runtime);
    Ok(Body { module: module_code, call, condition, loops, assumed: None, compiled })
}

fn internal(function: &Function, message: String) -> Problem {
    let help = Some("this is a mistake in Megha, not in your program; please report it".to_owned());
    Problem { code: Code::Internal, span: function.name.span, message, help }
}
