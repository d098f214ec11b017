//! What kernels need on a GPU: how their iterations lie on the threads, registers and shared memory, and how many threads these leave room for.

use crate::hash::HashMap;

use super::names::Names;
use crate::ir::{Module, Op, Region, Size, Sym};
use crate::lower::SpanTable;
use crate::ptx::Ptx;
use crate::ptx::occupancy::Block;
use crate::source::SourceMap;
use megha_base::plan::{KernelPlan, SizeExpr};

/// A line for each kernel of a module and one for what combines its chunks, numbered as in [`explain`](super::explain), by function, and one for each matrix product. The
/// registers are an estimate.
pub fn on_gpu(ptx: &Ptx, module: &Module, sources: &SourceMap, spans: &SpanTable) -> String {
    let mut text = String::new();
    let mut numbers: HashMap<&str, u32> = HashMap::default();
    for plan in &ptx.kernels {
        let number = numbers.entry(&plan.function).or_default();
        *number += 1;
        let names = Names::new(&module.funcs[plan.function_number], &[], sources, spans);
        text += &format!("  kernel {number} of {}: {}\n", plan.function, needs(ptx, plan, &names));
    }
    for func in &module.funcs {
        products(&func.body, &Names::new(func, &[], sources, spans), &mut text);
    }
    if text.is_empty() { text } else { format!("\nOn a GPU (columns first)\n{text}") }
}

/// A line for each matrix product of a region.
fn products(region: &Region, names: &Names<'_>, text: &mut String) {
    region.walk(&mut |stmt| {
        if matches!(stmt.op, Op::Lib(lib, _) if lib.multiplies()) {
            let place = names.line(stmt.loc).map_or_else(String::new, |line| format!(", line {line}"));
            let what = names.text(stmt.loc).map_or_else(|| "matrix product".to_owned(), |text| format!("`{text}`"));
            let by = match names.func.ty(stmt.results[0]).is_scalar() {
                true => "the CPU, as the result is one number",
                false => {
                    "cuBLAS where that is installed and estimated to be done sooner, copies included; else, and in the strict mode, \
                     by the CPU"
                }
            };
            *text += &format!("  product {what} of {}{place}: by {by}\n", names.func.name);
        }
    });
}

fn needs(ptx: &Ptx, plan: &KernelPlan, names: &Names<'_>) -> String {
    let entry = &plan.entries[0];
    let layout = entry.grid.text(&plan.domain, &|size| names.size(&polynomial(size)));
    let Some(block) = ptx.block(entry) else { return layout };
    let second = plan.combine.as_ref().and_then(|[entry, _]| ptx.block(entry));
    let second = second.map_or_else(String::new, |block| {
        format!("\n    where there are several chunks, a second one: {}", takes(block))
    });
    format!("{layout}; {}{second}", takes(block))
}

/// What a block takes.
fn takes(block: Block) -> String {
    let shared = match block.shared {
        0 => String::new(),
        bytes => format!(", {bytes} bytes of shared memory a block"),
    };
    let fills: Vec<String> = block.occupancy().iter().map(|(sm, percent)| format!("sm_{sm} {percent}")).collect();
    let (registers, fills) = (block.registers, fills.join(", "));
    format!("about {registers} registers a thread{shared}; occupancy in percent: {fills}")
}

/// A size of a plan as one of the function: the symbols of both have the same numbers.
pub(super) fn polynomial(size: &SizeExpr) -> Size {
    let product = |(factor, symbols): &(i64, Vec<usize>)| {
        symbols.iter().fold(Size::constant(*factor), |product, symbol| product.mul(&Size::sym(Sym::new(*symbol))))
    };
    size.terms.iter().map(product).fold(Size::constant(0), |sum, term| sum.add(&term))
}
