//! The typed function that a user calls, and the body behind it.

use std::collections::HashSet;

use super::body::Body;
use super::expr::rust_type;
use super::host::{Host, define_symbol, weight};
use super::inline::Inlined;
use super::shared::{Position, Shared};
use super::source::{Code, Names};
use super::storage;
use super::{Export, blocks, coherence, has_kernel, resident};
use crate::ir::complex::Argument;
use crate::ir::{Class, Func, FuncId, Module, Op, Param, ParamFacts, Part, Region, Size, Sym, SymDef, Type, Value};

/// Writes the body of a function: views and numbers in, owned arrays and numbers out. The parameters `owned` come as owned
/// arrays too, which the function may store into.
pub fn write_body(shared: &mut Shared, code: &mut Code, func: &Func, index: usize, owned: &HashSet<Value>) {
    let inlined = Inlined::of(func, &func.body);
    let mut storage = storage::assign(func, &inlined, owned);
    let id = FuncId::new(index);
    if shared.device.any() && has_kernel(&func.body) {
        coherence::place(func, &inlined, &mut storage, &|kernel| shared.device.number(id, kernel).is_some());
        blocks::place((id, func), &inlined, &mut storage, &mut shared.device);
    }
    let mut body = Body::new(func, inlined, storage, Names::default());
    let mut params = Vec::new();
    for param in &func.params {
        if let Some(slot) = body.storage.slot(param.value) {
            let name = body.names.fresh(&param.name);
            body.set_slot(slot, name.clone());
            params.push(match owned.contains(&param.value) {
                true => format!("mut {name}: {}", owned_type(func.ty(param.value))),
                false => format!("{name}: {}", parameter_type(func.ty(param.value))),
            });
        }
    }
    let is_view = |v: &Value| !func.ty(*v).is_scalar() && !owned.contains(v);
    let views = func.params.iter().map(|p| p.value).filter(is_view).collect();
    let name = shared.function(index).to_owned();
    let results = tuple(func.results.iter().map(owned_type));
    body.code.open(format!("fn {name}<L: rt::Layout>({}) -> rt::Result<{results}> {{", params.join(", ")));
    let mut host = Host::new(shared, id, views);
    dimension_symbols(&mut body, func);
    host.define_symbols(&mut body, None);
    for param in &func.params {
        host.define_symbols(&mut body, Some(param.value));
    }
    let items = std::mem::take(&mut body.storage.items);
    body.items(&mut host, &items);
    body.code.close("}");
    body.code.line("\n");
    code.append(body.code);
}

fn dimension_symbols(body: &mut Body<'_>, func: &Func) {
    let dims: Vec<(Sym, usize, usize)> = func
        .symbols
        .iter()
        .filter_map(|(sym, data)| if let SymDef::Dim(param, axis) = data.def { Some((sym, param, axis)) } else { None })
        .collect();
    for (sym, param, axis) in dims {
        let array = body.variable(func.params[param].value).text;
        define_symbol(body, sym, &format!("{array}.shape()[{axis}] as i64"));
    }
}

fn parameter_type(ty: &Type) -> String {
    let class = rust_type(ty.class);
    if ty.is_scalar() { class.into() } else { format!("rt::View<'_, L, {class}, {}>", ty.dims.len()) }
}

fn owned_type(ty: &Type) -> String {
    let class = rust_type(ty.class);
    if ty.is_scalar() { class.into() } else { format!("rt::Array<L, {class}, {}>", ty.dims.len()) }
}

fn result_type(ty: &Type) -> String {
    let class = rust_type(ty.class);
    match (ty.is_scalar(), ty.dims.len()) {
        (true, _) => class.into(),
        (_, rank @ 2..=6) => format!("rt::ndarray::Array{rank}<{class}>"),
        (_, rank) => format!("rt::ndarray::Array<{class}, rt::ndarray::Dim<[usize; {rank}]>>"),
    }
}

pub(super) fn tuple(list: impl Iterator<Item = String>) -> String {
    let list: Vec<String> = list.collect();
    if let [one] = &list[..] { one.clone() } else { format!("({})", list.join(", ")) }
}

/// Sizes as MATLAB declares them: `(n, 1)`, `:` where only the run knows them.
fn declared(func: &Func, ty: &Type) -> String {
    let dims: Vec<String> = ty.dims.iter().map(|d| func.symbols.tell(d).unwrap_or_else(|| ":".into())).collect();
    if dims.is_empty() { "(1,1)".into() } else { format!("({})", dims.join(",")) }
}

/// The sizes of arguments, in the wrapper's scope.
#[derive(Default)]
pub(super) struct Known {
    names: Vec<(Sym, String)>,
}

impl Known {
    /// Gives a symbol this name.
    pub(super) fn define(&mut self, sym: Sym, name: String) {
        self.names.push((sym, name));
    }

    fn text(&self, func: &Func, size: &Size) -> Option<String> {
        let known = size.symbols().all(|sym| self.names.iter().any(|(s, _)| *s == sym));
        let name = |sym: Sym| {
            let found = self.names.iter().find(|(s, _)| *s == sym).map(|(_, n)| n.clone());
            found.unwrap_or_else(|| func.symbols.get(sym).name.clone())
        };
        known.then(|| size.display_with(&name).replace('*', " * "))
    }

    fn extent(&self, func: &Func, size: &Size) -> Option<String> {
        match size.as_constant() {
            Some(n) => Some(n.max(0).to_string()),
            None => self.text(func, size).map(|text| format!("rt::extent({text})")),
        }
    }
}

/// Writes the function that the user calls.
pub fn write(shared: &mut Shared, code: &mut Code, module: &Module, export: &Export) {
    let func = &module.funcs[export.func.index()];
    let mut names = Names::default();
    let params: Vec<(String, &Param)> = func.params.iter().map(|p| (names.fresh(rust_name(&p.name)), p)).collect();
    document(code, func, export);
    let declared = func.declared_params();
    let is_count = |at: usize| export.counts.get(at).is_some_and(|count| *count);
    let list: Vec<String> = declared
        .iter()
        .enumerate()
        .map(|(at, argument)| {
            let (name, ty) = (&params[argument.at].0, &argument.ty);
            let class = if is_count(at) { "usize" } else { rust_type(ty.class) };
            if ty.is_scalar() {
                format!("{name}: {class}")
            } else {
                format!("{name}: impl rt::Input<{class}, {}>", ty.dims.len())
            }
        })
        .collect();
    let results = tuple(func.declared_results().iter().map(|r| result_type(&r.ty)));
    code.open(format!("pub fn {}({}) -> rt::Result<{results}> {{", export.name, list.join(", ")));
    for (_, argument) in declared.iter().enumerate().filter(|(at, _)| is_count(*at)) {
        let name = &params[argument.at].0;
        code.line(format!("let {name} = {name} as f64;"));
    }
    for argument in &declared {
        place(code, argument, &params);
    }
    let arrays: Vec<&(String, &Param)> = params.iter().filter(|(_, p)| !func.ty(p.value).is_scalar()).collect();
    let known = check_arguments(shared, code, func, &params, &mut names);
    let call = names.fresh(&format!("call_{}", export.name));
    let args: Vec<&str> = params.iter().map(|(name, _)| name.as_str()).collect();
    let args = args.join(", ");
    let votes: Vec<String> = arrays.iter().map(|(name, _)| format!("{name}.order()")).collect();
    let dispatch = |code: &mut Code| {
        code.line(format!("rt::Order::ColMajor => {call}::<rt::ColMajor>({args}),"));
        code.line(format!("rt::Order::RowMajor => {call}::<rt::RowMajor>({args}),"));
    };
    if module.may_recurse(export.func) {
        let site = argument_site(shared, &func.name);
        code.open(format!("rt::calls::deep({:?}, {site}, || match rt::decide([{}]) {{", func.name, votes.join(", ")));
        dispatch(code);
        code.close("})");
    } else if !has_arrays(func) {
        code.line(format!("{call}::<rt::ColMajor>({args})"));
    } else if has_kernel(&func.body) {
        let work = work(func, &known);
        code.open(format!("rt::enter({:?}, {work}, || match rt::decide([{}]) {{", func.name, votes.join(", ")));
        dispatch(code);
        code.close("})");
    } else {
        code.open(format!("match rt::decide([{}]) {{", votes.join(", ")));
        dispatch(code);
        code.close("}");
    }
    code.close("}");
    code.line("\n");
    write_call(shared, code, func, export, &params, &call, &results);
    if has_resident(shared, module, export.func) {
        resident::write(shared, code, module, export);
    }
}

/// Whether a function has a form for arrays that stay on a device: kernels that run there, and no numbers in pairs.
pub(super) fn has_resident(shared: &Shared, module: &Module, id: FuncId) -> bool {
    let func = &module.funcs[id.index()];
    let complex = func.declared_params().into_iter().chain(func.declared_results());
    let complex = complex.into_iter().any(|argument| argument.ty.class == Class::Complex);
    shared.device.any() && !complex && has_arrays(func) && has_kernel(&func.body) && !module.may_recurse(id)
}

/// The name of a parameter: the real part of a complex one bears the name of the whole, which it takes apart.
fn rust_name(name: &str) -> &str {
    Part::Real.whole(name).unwrap_or(name)
}

/// Where an argument's elements lie; a complex one comes apart.
fn place(code: &mut Code, argument: &Argument, params: &[(String, &Param)]) {
    let name = &params[argument.at].0;
    if !argument.ty.is_scalar() {
        let vector = if argument.ty.dims[0].is_one() { "Row" } else { "Column" };
        code.line(format!("let {name} = {name}.strided(rt::Vector::{vector});"));
    }
    if argument.ty.class == Class::Complex {
        let imag = &params[argument.at + 1].0;
        let parts = if argument.ty.is_scalar() { "(Z.re, Z.im)" } else { "Z.parts()" };
        code.line(format!("let ({name}, {imag}) = {};", parts.replace('Z', name)));
    }
}

/// Whether an array occurs.
pub(super) fn has_arrays(func: &Func) -> bool {
    func.types.iter().any(|ty| !ty.is_scalar())
}

pub(super) fn document(code: &mut Code, func: &Func, export: &Export) {
    for line in export.doc.lines() {
        code.line(format!("/// {line}").trim_end());
    }
    if !export.doc.is_empty() {
        code.line("///");
    }
    let show = |name: &str, ty: &Type| format!("`{name}` {} {}", declared(func, ty), ty.class.matlab_name());
    let text = |list: Vec<Argument>| list.iter().map(|a| show(&a.name, &a.ty)).collect::<Vec<String>>();
    let (params, results) = (text(func.declared_params()), text(func.declared_results()));
    for (title, list) in [("Arguments", params), ("Results", results)] {
        if !list.is_empty() {
            code.line(format!("/// {title}: {}.", list.join(", ")));
        }
    }
    code.line("///");
    code.line("/// # Errors");
    code.line("/// Arguments whose sizes do not fit, and whatever fails while the function runs.");
}

/// The symbols that arguments define, and the checks that the arguments have the declared sizes.
pub(super) fn check_arguments(
    shared: &mut Shared,
    code: &mut Code,
    func: &Func,
    params: &[(String, &Param)],
    names: &mut Names,
) -> Known {
    let mut known = Known::default();
    for (sym, data) in func.symbols.iter() {
        let SymDef::Dim(param, axis) = data.def else { continue };
        let name = names.fresh(&data.name);
        code.line(format!("let {name} = {}.shape()[{axis}] as i64;", params[param].0));
        known.define(sym, name);
    }
    for (number, (name, param)) in params.iter().enumerate() {
        let ty = func.ty(param.value);
        check_facts(shared, code, name, param);
        let defines = |(axis, size): (usize, &Size)| {
            let def = size.as_sym().map(|sym| &func.symbols.get(sym).def);
            def == Some(&SymDef::Dim(number, axis))
        };
        if ty.dims.iter().enumerate().all(defines) {
            continue;
        }
        let want: Option<Vec<String>> = ty.dims.iter().map(|d| known.extent(func, d)).collect();
        let Some(want) = want else { continue };
        let site = argument_site(shared, &param.name);
        let (source, declared) = (&param.name, declared(func, ty));
        let want = want.join(", ");
        code.line(format!("rt::check::argument({source:?}, {declared:?}, {name}.shape(), [{want}], {site})?;"));
    }
    known
}

fn argument_site(shared: &mut Shared, name: &str) -> String {
    shared.site_at(Position { path: String::new(), line: 0, column: 0, text: name.to_owned() })
}

fn check_facts(shared: &mut Shared, code: &mut Code, name: &str, param: &Param) {
    if param.facts == ParamFacts::default() {
        return;
    }
    let ParamFacts { integer, at_least, at_most } = param.facts;
    let site = argument_site(shared, &param.name);
    let source = &param.name;
    let (least, most) = (format!("{at_least:?}"), format!("{at_most:?}"));
    code.line(format!("rt::facts::number({source:?}, {name} as f64, {integer}, {least}, {most}, {site})?;"));
}

/// Packs the arguments in the order of the layout, calls the body and hands the results out.
fn write_call(
    shared: &mut Shared,
    code: &mut Code,
    func: &Func,
    export: &Export,
    params: &[(String, &Param)],
    call: &str,
    results: &str,
) {
    let list: Vec<String> = params
        .iter()
        .map(|(name, p)| {
            let ty = func.ty(p.value);
            let class = rust_type(ty.class);
            if ty.is_scalar() {
                format!("{name}: {class}")
            } else {
                format!("{name}: rt::Strided<'_, {class}, {}>", ty.dims.len())
            }
        })
        .collect();
    code.open(format!("fn {call}<L: rt::Layout>({}) -> rt::Result<{results}> {{", list.join(", ")));
    let mut args = Vec::new();
    for (name, p) in params {
        if func.ty(p.value).is_scalar() {
            args.push(name.clone());
        } else {
            code.line(format!("let {name} = {name}.pack::<L>();"));
            args.push(format!("{name}.view()"));
        }
    }
    let body = shared.function(export.func.index()).to_owned();
    let outs: Vec<String> = (0..func.results.len()).map(|number| format!("r{number}")).collect();
    code.line(format!("let {} = {body}::<L>({})?;", tuple(outs.iter().cloned()), args.join(", ")));
    if shared.device.any() {
        let site = argument_site(shared, &func.name);
        for (out, _) in outs.iter().zip(&func.results).filter(|(_, ty)| !ty.is_scalar()) {
            code.line(format!("rt::device::fetch({out}.place(), {site})?;"));
        }
    }
    code.line(format!("Ok({})", tuple(func.declared_results().iter().map(|result| finished(result, &outs)))));
    code.close("}");
    code.line("\n");
}

/// A result as Rust gets it, from the variables that hold the body's results.
fn finished(result: &Argument, outs: &[String]) -> String {
    let name = &outs[result.at];
    match (result.ty.is_scalar(), result.ty.class == Class::Complex) {
        (true, false) => name.clone(),
        (false, false) => format!("{name}.into_ndarray()"),
        (true, true) => format!("rt::c64::new({name}, {})", outs[result.at + 1]),
        (false, true) => format!("rt::complex::joined({name}, {}).into_ndarray()", outs[result.at + 1]),
    }
}

/// Launches of a call that do not pay for running the call inside the thread pool (`megha_rt::launch::enter`).
const FEW_LAUNCHES: usize = 2;

/// An estimate of a function's work: the points of its kernels times their weights, loops taken to run a hundred times. 0 for few launches.
pub(super) fn work(func: &Func, known: &Known) -> String {
    if launches_at_most(&func.body).is_some_and(|launches| launches <= FEW_LAUNCHES) {
        return "0".into();
    }
    let mut terms = Vec::new();
    collect_work(func, &func.body, known, 1, &mut terms);
    if terms.is_empty() { "u64::MAX".into() } else { terms.join(" + ") }
}

/// The most launches of a call, unless it has loops or calls functions, or reduces or multiplies arrays by the run-time system.
fn launches_at_most(region: &Region) -> Option<usize> {
    let mut most = 0;
    for stmt in &region.stmts {
        most += match &stmt.op {
            Op::Kernel(_) => 1,
            Op::If { .. } => {
                stmt.op.regions().into_iter().map(launches_at_most).try_fold(0, |m, n| n.map(|n| m.max(n)))?
            }
            Op::For { .. } | Op::While { .. } | Op::Call { .. } | Op::Lib(..) | Op::Reduce(..) => return None,
            _ => 0,
        };
    }
    Some(most)
}

fn collect_work(func: &Func, region: &Region, known: &Known, times: u64, terms: &mut Vec<String>) {
    for stmt in &region.stmts {
        if let Op::Kernel(kernel) = &stmt.op {
            let points = kernel.domain.iter().fold(Size::constant(1), |n, d| n.mul(d));
            let each: u64 = kernel.body.stmts.iter().map(|s| u64::from(weight(&s.op))).sum();
            if let Some(points) = known.extent(func, &points) {
                terms.push(format!("{points} as u64 * {}", (each.max(1)) * times));
            }
            continue;
        }
        let times =
            if matches!(stmt.op, Op::For { .. } | Op::While { .. }) { times.saturating_mul(100) } else { times };
        stmt.op.regions().into_iter().for_each(|r| collect_work(func, r, known, times, terms));
    }
}
