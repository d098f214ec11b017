//! A Rust file as the command sees it: what of it Megha compiles, and what came of that.

use super::macros::outcome;
use super::{Outcome, load};
use crate::diag::{Diagnostic, Diagnostics};
use crate::offload::syntax::of_file::{self, Found, Given, compiled, find, given};
use crate::offload::{Body, LoopNote};
use crate::passes::{PassLog, run_passes};
use crate::source::{SourceFile, SourceMap, Span};
use megha_base::recursion::on_deep_stack;
use std::path::Path;

/// What came of a Rust file.
#[derive(Debug)]
pub struct RustFile {
    /// Its text.
    pub sources: SourceMap,
    /// Mistakes, but for those in calls of `matlab!`, which have their own.
    pub diags: Diagnostics,
    /// What was compiled, in order.
    pub parts: Vec<Part>,
}

/// Something that Megha compiles.
#[derive(Debug)]
pub enum Part {
    /// An offloaded function.
    Offloaded(Offloaded),
    /// A call of `matlab!`.
    Matlab(Box<Outcome>),
}

/// An offloaded function, for one instance of its type parameters.
#[derive(Debug)]
pub struct Offloaded {
    /// Its name.
    pub name: String,
    /// What the type parameters stand for, as in "`T` = f32"; empty without any.
    pub instance: String,
    /// Its forms, the first whose condition holds to be chosen; the last is for all calls.
    pub forms: Vec<Form>,
    /// The places of loops and what became of them, in the order of the source.
    pub loops: Vec<(Span, LoopNote)>,
}

/// A form of an offloaded function.
#[derive(Debug)]
pub struct Form {
    /// What was assumed of the arguments, in the program's words.
    pub assumed: Option<String>,
    /// The generated module and the call of it.
    pub code: String,
    /// The stages of the compiler.
    pub outcome: Outcome,
}

impl Form {
    fn new(body: Body, function: &of_file::Offloaded, sources: &SourceMap, dump: bool) -> Self {
        let Body { module, call, condition, assumed, compiled, .. } = body;
        let condition = condition.map_or_else(String::new, |condition| format!("if {condition} "));
        let mut log = compiled.log;
        if dump {
            log = PassLog { dump, ..PassLog::default() };
            // They have run before, to the same end.
            drop(run_passes(&mut compiled.lowered.clone(), &mut log));
        }
        let (lowered, module_after, spans) = (compiled.lowered, compiled.module, function.spans.clone());
        let empty = Outcome::empty(sources.clone(), Diagnostics::new());
        let outcome = Outcome { lowered, module: module_after, spans, log, ..empty };
        Self { assumed, code: format!("{condition}{{\n{module}\n{call}\n}}\n"), outcome }
    }
}

/// Compiles what a Rust file has for Megha. `dump`: texts after each pass are kept.
///
/// # Errors
/// Why it cannot be read, in words.
pub fn read(path: &Path, dump: bool) -> Result<RustFile, String> {
    let mut sources = SourceMap::new();
    let main = load::read(path, &mut sources)?;
    let mut file = RustFile { sources: sources.clone(), diags: Diagnostics::new(), parts: Vec::new() };
    let Some(source) = sources.get(main) else { return Ok(file) };
    // Positions of syntax mean something on the thread that has parsed it only.
    on_deep_stack(|| match find(source, path) {
        Ok(found) => {
            let given = given(source);
            found.into_iter().for_each(|found| file.add(found, (source, &given), dump));
        }
        Err(wrong) => file.report(wrong),
    });
    Ok(file)
}

impl RustFile {
    fn add(&mut self, found: Found, (source, given): (&SourceFile, &Given), dump: bool) {
        match found {
            Found::Function(marked) => {
                let (done, wrong) = compiled(&marked, given, source);
                self.report(wrong);
                for mut one in done {
                    let bodies = std::mem::take(&mut one.bodies);
                    let form = |body| Form::new(body, &one, &self.sources, dump);
                    let forms = bodies.into_iter().map(form).collect();
                    let of_file::Offloaded { name, instance, loops, .. } = one;
                    self.parts.push(Part::Offloaded(Offloaded { name, instance, forms, loops }));
                }
            }
            Found::Call(input) => self.parts.push(Part::Matlab(Box::new(outcome(&input, dump)))),
        }
    }

    fn report(&mut self, wrong: Vec<Diagnostic>) {
        wrong.into_iter().for_each(|diagnostic| self.diags.push(diagnostic));
    }
}
