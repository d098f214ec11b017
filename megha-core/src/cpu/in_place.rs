//! Functions that update arrays of their caller: the door of Rust loops.
//!
//! The body is that of any function, but takes the arrays that it updates as owned ones, over the caller's memory where that is
//! dense in the order of the layout. So kernels and loops store where the result belongs.

use super::expr::rust_type;
use super::shared::Shared;
use super::source::Code;
use super::wrapper::{Known, has_arrays, tuple, work};
use super::{FuncId, Options, has_kernel, positions, wrapper};
use crate::ir::verify::Verified;
use crate::ir::{Func, SymDef, Value};
use std::collections::HashSet;

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
}

/// Rust source: a module `megha_offload` with a function `run` that takes numbers, `Strided` and `StridedMut` arrays, gives
/// the results that no array receives, and panics where the function fails.
///
/// # Errors
/// As [`super::generate`].
pub fn generate_in_place(module: Verified<'_>, export: &InPlace, options: &Options<'_>) -> Result<String, Vec<String>> {
    let module = module.module();
    let func = &module.funcs[export.func.index()];
    let mut names = super::source::Names::default();
    let body = names.fresh(&format!("body_{}", func.name));
    ["run", "call"].into_iter().for_each(|word| drop(names.fresh(word)));
    let mut shared = Shared::new(vec![body.clone()], names, positions(module, options));
    let mut code = Code::default();
    let writer = Writer { func, export, params: params(func), body };
    writer.run(&mut code);
    writer.call(&mut code);
    let owned: HashSet<Value> = writer.updated().map(|at| func.params[at].value).collect();
    let expanded = super::expand::expand(module);
    wrapper::write_body(&mut shared, &mut code, &expanded.funcs[export.func.index()], export.func.index(), &owned);
    if !shared.problems().is_empty() {
        return Err(shared.problems().to_vec());
    }
    let mut out = Code::default();
    out.line("#[allow(unsafe_code, unused, unused_qualifications, nonstandard_style, while_true, clippy::all, clippy::pedantic)]");
    out.open("mod megha_offload {");
    out.line(format!("use {} as rt;", options.runtime));
    out.line("\n");
    shared.write_sites(&mut out);
    out.append(code);
    out.append(shared.items);
    out.close("}");
    Ok(out.finish())
}

/// Names of the parameters that collide with nothing.
fn params(func: &Func) -> Vec<String> {
    let mut names = super::source::Names::default();
    func.params.iter().map(|p| names.fresh(&p.name)).collect()
}

struct Writer<'m> {
    func: &'m Func,
    export: &'m InPlace,
    params: Vec<String>,
    body: String,
}

impl Writer<'_> {
    fn updated(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.params.len()).filter(|at| self.export.params[*at] == Passing::Update)
    }

    fn is_array(&self, at: usize) -> bool {
        self.export.params[at] != Passing::Number
    }

    fn list(&self, update: &str) -> String {
        let param = |at: usize| {
            let (name, ty) = (&self.params[at], self.func.ty(self.func.params[at].value));
            let class = rust_type(ty.class);
            match self.export.params[at] {
                Passing::Number => format!("{name}: {class}"),
                Passing::Read => format!("{name}: rt::Strided<'_, {class}, {}>", ty.dims.len()),
                Passing::Update => format!("{update}{name}: rt::StridedMut<'_, {class}, {}>", ty.dims.len()),
            }
        };
        (0..self.params.len()).map(param).collect::<Vec<_>>().join(", ")
    }

    /// The type of the results that no array receives.
    fn rest(&self) -> String {
        let skipped = self.updated().count();
        tuple(self.func.results[skipped..].iter().map(|ty| rust_type(ty.class).to_owned()))
    }

    /// The function that chooses the memory order.
    fn run(&self, code: &mut Code) {
        code.open(format!("pub fn run({}) -> {} {{", self.list(""), self.rest()));
        let mut known = Known::default();
        let mut names = super::source::Names::default();
        self.params.iter().for_each(|p| drop(names.fresh(p)));
        for (sym, data) in self.func.symbols.iter() {
            let SymDef::Dim(param, axis) = data.def else { continue };
            let name = names.fresh(&data.name);
            code.line(format!("let {name} = {}.shape()[{axis}] as i64;", self.params[param]));
            known.define(sym, name);
        }
        let arrays: Vec<&String> =
            (0..self.params.len()).filter(|at| self.is_array(*at)).map(|at| &self.params[at]).collect();
        let votes: Vec<String> = arrays.iter().map(|name| format!("{name}.order()")).collect();
        let args = self.params.join(", ");
        let (columns, rows) = (format!("call::<rt::ColMajor>({args})"), format!("call::<rt::RowMajor>({args})"));
        let choice = match has_arrays(self.func) {
            true => format!(
                "match rt::decide([{}]) {{\n    rt::Order::ColMajor => {columns},\n    rt::Order::RowMajor => {rows},\n}}",
                votes.join(", ")
            ),
            false => columns,
        };
        code.open("let outcome = {");
        match has_kernel(&self.func.body) {
            true => {
                code.line(format!("rt::enter_once({:?}, {}, || {choice})", self.func.name, work(self.func, &known)))
            }
            false => code.line(choice),
        }
        code.close("};");
        code.line("outcome.unwrap_or_else(|error| rt::fault::panic(&error))");
        code.close("}");
        code.line("\n");
    }

    /// The function that puts the arguments into one memory order, calls the body and puts the results in place.
    fn call(&self, code: &mut Code) {
        code.open(format!("fn call<L: rt::Layout>({}) -> rt::Result<{}> {{", self.list("mut "), self.rest()));
        let mut args = Vec::new();
        for (at, name) in self.params.iter().enumerate() {
            match self.export.params[at] {
                Passing::Number => args.push(name.clone()),
                Passing::Read => {
                    code.line(format!("let {name} = {name}.pack::<L>();"));
                    args.push(format!("{name}.view()"));
                }
                Passing::Update => args.push(format!("unsafe {{ {name}.lend::<L>() }}")),
            }
        }
        let results: Vec<String> = (0..self.func.results.len()).map(|n| format!("r{n}")).collect();
        let args = args.join(", ");
        code.line(format!("let {} = {}::<L>({args})?;", tuple(results.iter().cloned()), self.body));
        for (result, at) in results.iter().zip(self.updated()) {
            code.line(format!("{}.take_back({result});", self.params[at]));
        }
        let rest = results.iter().skip(self.updated().count()).cloned();
        code.line(format!("Ok({})", tuple(rest)));
        code.close("}");
        code.line("\n");
    }
}
