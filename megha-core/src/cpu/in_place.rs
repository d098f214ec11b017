//! Functions that update arrays of their caller: the door of Rust loops.
//!
//! The body is that of any function, but takes the arrays that it updates as owned ones, over the caller's memory where that is
//! dense in the order of the layout. So kernels and loops store where the result belongs.

use crate::hash::HashSet;

use super::entry::{Entry, Place};
use super::expr::rust_type;
use super::shared::Shared;
use super::source::{Code, Names};
use super::wrapper::{fetch_results, tuple};
use super::{FuncId, Options, function, has_kernel, kernels, positions};
use crate::ir::verify::Verified;
use crate::ir::{Func, Param, Value};

/// How an argument reaches a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Passing {
    /// A number.
    Number,
    /// An array that is read.
    Read,
    /// An array that receives a result: the function's first results, in order.
    Update,
}

/// A function that Rust code calls with arrays to be updated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InPlace {
    /// Which function; it must be the module's only one.
    pub func: FuncId,
    /// One for each parameter.
    pub params: Vec<Passing>,
    /// Whether `run` gives its errors; else it panics.
    pub fallible: bool,
    /// Whether arrays exchange their contents, so that a result may lie in the memory of another one.
    pub exchanged: bool,
}

/// Rust source: a module `megha_offload` with a function `run` that takes numbers, `Strided` and `StridedMut` arrays, gives
/// the results that no array receives, and gives an error or panics where the function fails.
///
/// # Errors
/// As [`super::generate`].
pub fn generate_in_place(module: Verified<'_>, export: &InPlace, options: &Options<'_>) -> Result<String, Vec<String>> {
    let (device, expanded) = kernels(module, options);
    let module = module.module();
    let index = export.func.index();
    let func = &module.funcs[index];
    let mut names = Names::default();
    let body = names.fresh(&format!("body_{}", func.name));
    ["run", "call"].into_iter().for_each(|word| drop(names.fresh(word)));
    let mut shared = Shared::new(vec![body], names, positions(module, options), (device, options.schedules));
    let mut code = Code::default();
    let writer = Writer { func, export, params: params(func) };
    writer.run(&mut code);
    writer.call(&mut shared, &mut code);
    let owned: HashSet<Value> = writer.updated().map(|at| func.params[at].value).collect();
    function::write(&mut shared, &mut code, &expanded.funcs[index], index, &owned);
    if !shared.problems().is_empty() {
        return Err(shared.problems().to_vec());
    }
    let mut out = Code::default();
    out.line("#[allow(unsafe_code, unused, unused_qualifications, nonstandard_style, while_true, clippy::all, clippy::pedantic)]");
    out.open("mod megha_offload {");
    out.line(format!("use {} as rt;", options.runtime));
    out.line("\n");
    shared.write_sites(&mut out);
    shared.device.write(&mut out);
    out.append(code);
    out.append(shared.items);
    out.close("}");
    Ok(out.finish())
}

/// Names of the parameters that collide with nothing.
fn params(func: &Func) -> Vec<(String, &Param)> {
    let mut names = Names::default();
    func.params.iter().map(|p| (names.fresh(&p.name), p)).collect()
}

struct Writer<'m> {
    func: &'m Func,
    export: &'m InPlace,
    params: Vec<(String, &'m Param)>,
}

impl Writer<'_> {
    fn updated(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.params.len()).filter(|at| self.export.params[*at] == Passing::Update)
    }

    /// The parameters; `update` is what precedes the name of an array to be updated, and the type of it.
    fn list(&self, update: [&str; 2]) -> String {
        let each = self.params.iter().zip(&self.export.params).map(|((name, param), passing)| {
            let ty = self.func.ty(param.value);
            let (class, rank) = (rust_type(ty.class), ty.dims.len());
            match passing {
                Passing::Number => format!("{name}: {class}"),
                Passing::Read => format!("{name}: rt::Strided<'_, {class}, {rank}>"),
                Passing::Update => format!("{}{name}: {}rt::StridedMut<'_, {class}, {rank}>", update[0], update[1]),
            }
        });
        each.collect::<Vec<_>>().join(", ")
    }

    /// The type of the results that no array receives.
    fn rest(&self) -> String {
        let skipped = self.updated().count();
        tuple(self.func.results[skipped..].iter().map(|ty| rust_type(ty.class).to_owned()))
    }

    /// The function that chooses the memory order.
    fn run(&self, code: &mut Code) {
        let results = if self.export.fallible { format!("rt::Result<{}>", self.rest()) } else { self.rest() };
        code.open(format!("pub fn run({}) -> {results} {{", self.list(["mut ", ""])));
        let passed = |at: usize, name: &str| match self.export.params[at] {
            Passing::Update => format!("&mut {name}"),
            Passing::Number | Passing::Read => name.to_owned(),
        };
        let args: Vec<String> = self.params.iter().enumerate().map(|(at, (name, _))| passed(at, name)).collect();
        let arrays = self.params.iter().filter(|(_, param)| self.func.ty(param.value).order() > 1);
        let place = match has_kernel(&self.func.body) {
            true => Place::Updating,
            false => Place::Anywhere,
        };
        code.open("let outcome = {");
        let entry = Entry {
            name: &self.func.name,
            place,
            call: "call",
            args: args.join(", "),
            arrays: arrays.map(|(name, _)| name.as_str()).collect(),
        };
        entry.write(code, "");
        code.close("};");
        code.line(match self.export.fallible {
            true => "outcome",
            false => "outcome.unwrap_or_else(|error| rt::fault::panic(&error))",
        });
        code.close("}");
        code.line("\n");
    }

    /// The function that puts the arguments into one memory order, calls the body and puts the results in place.
    fn call(&self, shared: &mut Shared, code: &mut Code) {
        let list = self.list(["", "&mut "]);
        code.open(format!("fn call<L: rt::Layout>({list}) -> rt::Result<{}> {{", self.rest()));
        let mut args = Vec::new();
        for ((name, _), passing) in self.params.iter().zip(&self.export.params) {
            match passing {
                Passing::Number => args.push(name.clone()),
                Passing::Read => {
                    code.line(format!("let {name} = {name}.pack::<L>();"));
                    args.push(format!("{name}.view()"));
                }
                Passing::Update => args.push(format!("unsafe {{ {name}.lend::<L>() }}")),
            }
        }
        let results: Vec<String> = (0..self.func.results.len()).map(|n| format!("r{n}")).collect();
        let body = shared.function(self.export.func.index()).to_owned();
        code.line(format!("let {} = {body}::<L>({})?;", tuple(results.iter().cloned()), args.join(", ")));
        fetch_results(shared, code, self.func, &results);
        let places = results.iter().zip(self.updated()).filter(|_| self.export.exchanged);
        for (result, at) in places {
            code.line(format!("let {result} = {}.settled({result});", self.params[at].0));
        }
        for (result, at) in results.iter().zip(self.updated()) {
            code.line(format!("{}.take_back({result});", self.params[at].0));
        }
        let rest = results.iter().skip(self.updated().count()).cloned();
        code.line(format!("Ok({})", tuple(rest)));
        code.close("}");
        code.line("\n");
    }
}
