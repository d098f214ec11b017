//! The form of an exported function whose arrays stay where they are: `f_resident`, from and to `megha::Array`.

use super::Export;
use super::expr::rust_type;
use super::shared::Shared;
use super::source::{Code, Names};
use super::wrapper::{check_arguments, document, tuple, work};
use crate::ir::{Module, Param, Type};

/// The name of the function.
pub fn name(export: &Export) -> String {
    format!("{}_resident", export.name)
}

fn resident(ty: &Type) -> String {
    let class = rust_type(ty.class);
    if ty.is_scalar() { class.into() } else { format!("rt::device::Resident<{class}, {}>", ty.dims.len()) }
}

/// Writes the function.
pub fn write(shared: &mut Shared, code: &mut Code, module: &Module, export: &Export) {
    let func = &module.funcs[export.func.index()];
    let mut names = Names::default();
    let params: Vec<(String, &Param)> = func.params.iter().map(|p| (names.fresh(&p.name), p)).collect();
    let is_count = |at: usize| export.counts.get(at).is_some_and(|count| *count);
    let list = |counts: bool| {
        let each = |(at, (name, param)): (usize, &(String, &Param))| {
            let ty = func.ty(param.value);
            let class = if counts && is_count(at) { "usize".to_owned() } else { resident(ty) };
            format!("{name}: {}{class}", if ty.is_scalar() { "" } else { "&" })
        };
        params.iter().enumerate().map(each).collect::<Vec<_>>().join(", ")
    };
    let results = tuple(func.results.iter().map(resident));
    document(code, func, export);
    code.line("///");
    code.line("/// Arrays that a device has stay there: a chain of such calls moves nothing.");
    code.open(format!("pub fn {}({}) -> rt::Result<{results}> {{", name(export), list(true)));
    for (_, (name, _)) in params.iter().enumerate().filter(|(at, _)| is_count(*at)) {
        code.line(format!("let {name} = {name} as f64;"));
    }
    let known = check_arguments(shared, code, func, &params, &mut names);
    let kept = names.fresh(&format!("kept_{}", export.name));
    let args: Vec<&str> = params.iter().map(|(name, _)| name.as_str()).collect();
    let arrays = params.iter().filter(|(_, p)| !func.ty(p.value).is_scalar());
    let votes: Vec<String> = arrays.map(|(name, _)| format!("{name}.order()")).collect();
    let work = work(func, &known);
    code.open(format!("rt::enter({:?}, {work}, || match rt::decide([{}]) {{", func.name, votes.join(", ")));
    code.line(format!("rt::Order::ColMajor => {kept}::<rt::ColMajor>({}),", args.join(", ")));
    code.line(format!("rt::Order::RowMajor => {kept}::<rt::RowMajor>({}),", args.join(", ")));
    code.close("})");
    code.close("}");
    code.line("\n");
    code.open(format!("fn {kept}<L: rt::Layout>({}) -> rt::Result<{results}> {{", list(false)));
    code.line("rt::device::results_stay();");
    let mut views = Vec::new();
    for (name, param) in &params {
        if func.ty(param.value).is_scalar() {
            views.push(name.clone());
        } else {
            code.line(format!("let {name} = {name}.pack::<L>()?;"));
            views.push(format!("{name}.view()"));
        }
    }
    let outs: Vec<String> = (0..func.results.len()).map(|number| format!("r{number}")).collect();
    let body = shared.function(export.func.index());
    code.line(format!("let {} = {body}::<L>({})?;", tuple(outs.iter().cloned()), views.join(", ")));
    let given = outs.iter().zip(&func.results).map(|(out, ty)| match ty.is_scalar() {
        true => out.clone(),
        false => format!("rt::device::Resident::keep({out})"),
    });
    code.line(format!("Ok({})", tuple(given)));
    code.close("}");
    code.line("\n");
}
