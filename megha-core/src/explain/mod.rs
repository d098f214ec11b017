//! What became of a function, in words for people who know MATLAB and not compilers.
//!
//! [`explain`] follows the program's structure after the passes: loops are indented as in the source, and each kernel shows the source
//! lines it covers, the arrays it reads and writes, what it no longer needs memory for, the order of its loops, and what a point costs. At the
//! end stands which kernels share data and why they are not one. No number or name of the compiler's own appears: values without a
//! name are shown by the expression that computes them, and symbols of sizes by the sizes they stand for.

mod copies;
mod cost;
mod gpu;
mod host;
mod kernel;
mod listing;
mod maps;
mod names;
mod nests;
mod offloaded;
mod page;
mod repeat;
mod schedules;
mod versions;
mod walk;

#[cfg(test)]
mod tests;

pub use gpu::on_gpu;
pub use maps::access_maps;
pub use nests::nests;
pub use offloaded::{offloaded, title};
pub use schedules::schedules;

use crate::ir::complex::Argument;
use crate::ir::{Func, FuncId, Loc, Module, Region, Type, Version};
use crate::kernels::doall::LoopReport;
use crate::kernels::index_arrays::Replaced;
use crate::kernels::report::BlockReport;
use crate::lower::SpanTable;
use crate::passes::PassLog;
use crate::source::SourceMap;
use names::Names;
use page::Page;
use walk::Walk;

/// How an explanation looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// One line for each kernel, below the loops around it, and nothing else.
    pub brief: bool,
    /// Headings in bold, by ANSI escape sequences.
    pub bold: bool,
}

/// The log's entries about one function.
struct Records<'a> {
    blocks: &'a [BlockReport],
    replaced: &'a [Replaced],
    loops: &'a [LoopReport],
}

/// Explains the functions of a module that [`run_passes`](crate::passes::run_passes) has rewritten, one section each. Those of the
/// library, of which nothing stands in the program, are left out, and so are the general forms of functions that usually have another.
///
/// `log` is what the passes wrote, `sources` and `spans` are those of lowering. The text is the same whenever the input is.
pub fn explain(module: &Module, log: &PassLog, sources: &SourceMap, spans: &SpanTable, options: Options) -> String {
    let mut text = String::new();
    for (number, func) in module.funcs.iter().enumerate() {
        let id = FuncId::new(number);
        if number > 0 && is_of_library(&func.body) || module.is_general(id) {
            continue;
        }
        let blocks = log.blocks.get(number).map_or(&[][..], |(_, blocks)| blocks);
        let replaced = log.index_arrays.get(number).map_or(&[][..], |(_, replaced)| replaced);
        let loops = log.loops.get(number).map_or(&[][..], |(_, loops)| loops);
        if number > 0 {
            text.push('\n');
        }
        text += &function((func, module.version(id)), &Records { blocks, replaced, loops }, sources, spans, options);
    }
    text
}

/// Whether no statement has a place in the program.
fn is_of_library(body: &Region) -> bool {
    body.walk(&mut |stmt| if stmt.loc == Loc::NONE { crate::ir::Walk::Advance } else { crate::ir::Walk::Interrupt })
}

fn function(
    (func, version): (&Func, Option<&Version>),
    records: &Records<'_>,
    sources: &SourceMap,
    spans: &SpanTable,
    options: Options,
) -> String {
    let names = Names::new(func, records.blocks, sources, spans);
    let mut page = Page::new(options);
    page.heading(&heading(func, &names));
    if !options.brief {
        signature(func, &names, &mut page);
        version.iter().for_each(|version| page.list("assumes", &versions::assumed(func, version)));
    }
    let copied = copies::of(func);
    let mut walk = Walk::new(&names, records, &copied, &mut page);
    walk.function();
    if !options.brief {
        walk.apart();
        copies::list(&names, &copied, &mut page);
        if names.clamped() {
            page.blank();
            page.line("A size such as n-1 stands for 0 where it would be negative.");
        }
    }
    page.finish()
}

fn heading(func: &Func, names: &Names<'_>) -> String {
    match names.file() {
        Some(file) => format!("{}  ({file})", func.name),
        None => func.name.clone(),
    }
}

/// What goes in and out; neighbours of one type share a line.
fn signature(func: &Func, names: &Names<'_>, page: &mut Page) {
    let facts = |p: &Argument| match (func.params[p.at].facts.integer, func.params[p.at].facts.at_least) {
        (true, Some(least)) => format!("whole number, {least} or more"),
        (true, None) => "whole number".to_owned(),
        _ => type_text(&p.ty, names),
    };
    page.blank();
    let ins = func.declared_params().into_iter().map(|p| (p.name.clone(), facts(&p)));
    let outs = func.declared_results().into_iter().map(|r| (r.name, type_text(&r.ty, names)));
    page.list("takes", &together(ins));
    page.list("returns", &together(outs));
}

/// `nx+1 by ny, single`; the class `double` goes without saying.
fn type_text(ty: &Type, names: &Names<'_>) -> String {
    let class = ty.class.matlab_name();
    match (ty.is_scalar(), class) {
        (true, "double") => "number".to_owned(),
        (true, _) => class.to_owned(),
        (false, "double") => names.dims(&ty.dims),
        (false, _) => format!("{}, {class}", names.dims(&ty.dims)),
    }
}

/// Joins the names of neighbours with the same text.
fn together(list: impl Iterator<Item = (String, String)>) -> Vec<(String, String)> {
    let mut joined: Vec<(String, String)> = Vec::new();
    for (name, text) in list {
        match joined.last_mut() {
            Some((names, same)) if *same == text => {
                names.push_str(", ");
                names.push_str(&name);
            }
            _ => joined.push((name, text)),
        }
    }
    joined
}
