//! The typed functions that a user calls.

use super::entry::{Entry, Place};
use super::expr::{Expr, polynomial, terms};
use super::form::{Form, into_name};
use super::shared::{Position, Shared};
use super::source::{Code, Names};
use super::{Export, has_kernels};
use crate::ir::complex::Argument;
use crate::ir::{Assumptions, Class, Func, FuncId, Module, Param, ParamFacts, Part, Quantity, Size, Sym, SymDef, Type};

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
struct Known {
    names: Vec<(Sym, String)>,
}

impl Known {
    fn text(&self, func: &Func, size: &Size) -> Option<String> {
        let known = size.symbols().all(|sym| self.names.iter().any(|(s, _)| *s == sym));
        let name = |sym: Sym| {
            let found = self.names.iter().find(|(s, _)| *s == sym).map(|(_, n)| n.clone());
            Expr::name(found.unwrap_or_else(|| func.symbols.get(sym).name.clone()))
        };
        known.then(|| match func.symbols.stays_small(size) {
            true => Expr::Sum(terms(size, &name)).text(),
            false => polynomial(size, &name).text(),
        })
    }

    fn extent(&self, func: &Func, size: &Size) -> Option<String> {
        match size.as_constant() {
            Some(n) => Some(n.max(0).to_string()),
            None => self.text(func, size).map(|text| format!("rt::extent({text})")),
        }
    }
}

/// Writes the functions that the user calls.
pub fn write(shared: &mut Shared, code: &mut Code, module: &Module, (exports, export): (&[Export], &Export)) {
    write_form(shared, code, module, export, Form::Ndarray);
    if has_resident(shared, module, export.func) {
        write_form(shared, code, module, export, Form::Resident);
    }
    if has_into(module, exports, export) {
        write_into(code, module, export);
    }
}

/// Whether a function has a form that takes arrays for its results: it gives some, and the program has no function of that name.
pub(super) fn has_into<'e>(module: &Module, exports: impl IntoIterator<Item = &'e Export>, export: &Export) -> bool {
    let results = module.funcs[export.func.index()].declared_results();
    let name = into_name(export);
    results.iter().any(|result| !result.ty.is_scalar()) && exports.into_iter().all(|other| other.name != name)
}

/// Writes the form `f_into`. It is the plain one, once the memory of the arrays in the place of its results is free to be taken; so it needs no code of its own for
/// kernels, and any shape of result will do.
fn write_into(code: &mut Code, module: &Module, export: &Export) {
    let func = &module.funcs[export.func.index()];
    let mut names = Names::default();
    let declared = func.declared_params();
    let params: Vec<(String, String)> = declared
        .iter()
        .enumerate()
        .map(|(at, argument)| {
            let ty = if is_count(export, at) { "usize".to_owned() } else { Form::Ndarray.argument(&argument.ty) };
            (names.fresh(rust_name(&argument.name)), ty)
        })
        .collect();
    let results = func.declared_results();
    let outs: Vec<(String, &Type)> = results.iter().map(|r| (names.fresh(rust_name(&r.name)), &r.ty)).collect();
    let list = params.iter().map(|(name, ty)| format!("{name}: {ty}"));
    let list = list.chain(outs.iter().map(|(name, ty)| format!("{name}: &mut {}", Form::Ndarray.result(ty))));
    let list = list.collect::<Vec<_>>().join(", ");
    let name = &export.name;
    code.line(format!(
        "/// As [`{name}`], with the results in the place of those of an earlier call, whose memory is used again."
    ));
    code.line("///");
    code.line("/// # Errors");
    code.line(format!("/// Those of [`{name}`]; the arrays for results are empty then."));
    code.line("#[inline]");
    code.open(format!("pub fn {}({list}) -> rt::Result<()> {{", into_name(export)));
    for (out, _) in outs.iter().filter(|(_, ty)| !ty.is_scalar()) {
        code.line(format!("rt::memory::recycle(::std::mem::take({out}));"));
    }
    let args = params.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ");
    let targets = tuple(outs.iter().map(|(name, _)| format!("*{name}")));
    // a parameter may have the function's name
    code.line(format!("{targets} = self::{name}({args})?;"));
    code.line("Ok(())");
    code.close("}");
    code.line("\n");
}

/// Whether an argument is passed as a count.
fn is_count(export: &Export, at: usize) -> bool {
    export.counts.get(at).is_some_and(|count| *count)
}

/// Whether a function has a form for arrays that stay on a device: kernels that may run there, and no numbers in pairs.
pub(super) fn has_resident(shared: &Shared, module: &Module, id: FuncId) -> bool {
    let func = &module.funcs[id.index()];
    let complex = func.declared_params().into_iter().chain(func.declared_results());
    let complex = complex.into_iter().any(|argument| argument.ty.class == Class::Complex);
    let calls = !module.reached(id).is_empty();
    let served = shared.device.serve(id, &func.body) || (shared.device.any() && calls);
    served && !complex && has_arrays(func)
}

fn write_form(shared: &mut Shared, code: &mut Code, module: &Module, export: &Export, form: Form) {
    let func = &module.funcs[export.func.index()];
    let mut names = Names::default();
    let params: Vec<(String, &Param)> = func.params.iter().map(|p| (names.fresh(rust_name(&p.name)), p)).collect();
    document(code, func, export, form);
    let declared = func.declared_params();
    let list = declared.iter().enumerate().map(|(at, argument)| {
        let ty = if is_count(export, at) { "usize".to_owned() } else { form.argument(&argument.ty) };
        format!("{}: {ty}", params[argument.at].0)
    });
    let list = list.collect::<Vec<_>>().join(", ");
    let results = tuple(func.declared_results().iter().map(|r| form.result(&r.ty)));
    if form == Form::Resident {
        // compiled where it is called, so not at all in a program that does not keep arrays on a device
        code.line("#[inline]");
    }
    code.open(format!("pub fn {}({list}) -> rt::Result<{results}> {{", form.name(export)));
    for (_, argument) in declared.iter().enumerate().filter(|(at, _)| is_count(export, *at)) {
        let name = &params[argument.at].0;
        code.line(format!("let {name} = {name} as f64;"));
    }
    if form == Form::Ndarray {
        declared.iter().for_each(|argument| place(code, argument, &params));
    }
    check_arguments(shared, code, func, &params, &mut names);
    let call = names.fresh(&format!("call_{}", form.name(export)));
    let place = match () {
        () if module.may_recurse(export.func) => Place::DeepStack(argument_site(shared, &func.name)),
        () if has_kernels(module, export.func) || shared.device.serve(export.func, &func.body) => Place::Threads,
        () => Place::Anywhere,
    };
    let arrays = params.iter().filter(|(_, p)| func.ty(p.value).order() > 1).map(|(name, _)| name.as_str()).collect();
    let args = params.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ");
    Entry { name: &func.name, place, call: &call, args, arrays }.write(code, "");
    code.close("}");
    code.line("\n");
    let assumed = module.version(export.func).map(|version| (condition(&version.assumes, &params), version.general));
    write_call(shared, code, (func, assumed), export, (&params, form, &call));
}

/// Whether the arguments are such that what a version assumes holds.
fn condition(assumes: &Assumptions, params: &[(String, &Param)]) -> String {
    let whole = assumes.whole.iter().map(|param| format!("rt::subscript::try_whole({}).is_some()", params[*param].0));
    let quantity = |quantity: &Quantity| match *quantity {
        Quantity::Extent(param, axis) => format!("{}.shape()[{axis}] as i128", params[param].0),
        Quantity::Number(param) => format!("{} as i128", params[param].0),
    };
    let sums = assumes.conditions.iter().map(|condition| {
        let terms = condition.terms.iter().map(|(of, factor)| match factor {
            1 => format!("({})", quantity(of)),
            _ => format!("{factor} * ({})", quantity(of)),
        });
        let sum: Vec<String> = terms.chain([condition.constant.to_string()]).collect();
        format!("{} >= 0", sum.join(" + "))
    });
    whole.chain(sums).collect::<Vec<_>>().join(" && ")
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
        let parts = if argument.ty.is_scalar() { format!("({name}.re, {name}.im)") } else { format!("{name}.parts()") };
        code.line(format!("let ({name}, {imag}) = {parts};"));
    }
}

/// Whether an array occurs.
pub(super) fn has_arrays(func: &Func) -> bool {
    func.types.iter().any(|ty| !ty.is_scalar())
}

fn document(code: &mut Code, func: &Func, export: &Export, form: Form) {
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
    if let Some(remark) = form.remark() {
        code.line("///");
        code.line(format!("/// {remark}"));
    }
}

/// The symbols that arguments define.
fn sizes(code: &mut Code, func: &Func, params: &[(String, &Param)], names: &mut Names) -> Known {
    let mut known = Known::default();
    for (sym, data) in func.symbols.iter() {
        let SymDef::Dim(param, axis) = data.def else { continue };
        let name = names.fresh(&data.name);
        code.line(format!("let {name} = {}.shape()[{axis}] as i64;", params[param].0));
        known.names.push((sym, name));
    }
    known
}

/// The symbols that arguments define, and the checks that the arguments have the declared sizes.
fn check_arguments(shared: &mut Shared, code: &mut Code, func: &Func, params: &[(String, &Param)], names: &mut Names) {
    for (name, param) in params {
        let ty = func.ty(param.value);
        if ty.dims.iter().any(|size| size.as_constant().is_none()) {
            let (source, declared, site) = (&param.name, declared(func, ty), argument_site(shared, &param.name));
            code.line(format!("rt::check::extents({source:?}, {declared:?}, {name}.shape(), {site})?;"));
        }
    }
    let known = sizes(code, func, params, names);
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
    (func, assumed): (&Func, Option<(String, FuncId)>),
    export: &Export,
    (params, form, call): (&[(String, &Param)], Form, &str),
) {
    let list = params.iter().map(|(name, p)| format!("{name}: {}", form.parameter(func.ty(p.value))));
    let list = list.collect::<Vec<_>>().join(", ");
    let declared = func.declared_results();
    let results = tuple(declared.iter().map(|r| form.result(&r.ty)));
    code.open(format!("fn {call}<L: rt::Layout>({list}) -> rt::Result<{results}> {{"));
    if form == Form::Resident {
        code.line("rt::device::results_stay();");
    }
    let mut names = Names::default();
    params.iter().for_each(|(name, _)| drop(names.fresh(name)));
    let usual = names.fresh("usual");
    if let Some((condition, _)) = &assumed {
        code.line(format!("let {usual} = {condition};"));
    }
    let mut args = Vec::new();
    for (name, p) in params {
        if func.ty(p.value).is_scalar() {
            args.push(name.clone());
        } else {
            code.line(format!("let {name} = {name}.{};", form.pack()));
            args.push(format!("{name}.view()"));
        }
    }
    let body = shared.function(export.func.index()).to_owned();
    let outs: Vec<String> = (0..func.results.len()).map(|number| format!("r{number}")).collect();
    let (args, targets) = (args.join(", "), tuple(outs.iter().cloned()));
    match assumed {
        None => code.line(format!("let {targets} = {body}::<L>({args})?;")),
        Some((_, general)) => {
            let general = shared.function(general.index()).to_owned();
            code.line(format!(
                "let {targets} = if {usual} {{ {body}::<L>({args}) }} else {{ {general}::<L>({args}) }}?;"
            ));
        }
    }
    if form == Form::Ndarray {
        fetch_results(shared, code, func, &outs);
    }
    code.line(format!("Ok({})", tuple(declared.iter().map(|result| form.finished(result, &outs)))));
    code.close("}");
    code.line("\n");
}

/// Brings the arrays that a body gives to the host.
pub(super) fn fetch_results(shared: &mut Shared, code: &mut Code, func: &Func, outs: &[String]) {
    if !shared.device.any() {
        return;
    }
    let site = argument_site(shared, &func.name);
    for (out, _) in outs.iter().zip(&func.results).filter(|(_, ty)| !ty.is_scalar()) {
        code.line(super::device::fetch(out, &site));
    }
}
