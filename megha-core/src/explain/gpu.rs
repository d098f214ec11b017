//! What kernels need on a GPU: how their iterations lie on the threads, registers and shared memory, and how many threads these leave room for.

use std::collections::HashMap;

use super::names::Names;
use crate::ir::{Module, Size, Sym};
use crate::lower::SpanTable;
use crate::ptx::Ptx;
use crate::source::SourceMap;
use megha_base::plan::{KernelPlan, SizeExpr};

/// A line for each kernel of a module, numbered as in [`explain`](super::explain), by function. The registers are an estimate.
pub fn on_gpu(ptx: &Ptx, module: &Module, sources: &SourceMap, spans: &SpanTable) -> String {
    if ptx.kernels.is_empty() {
        return String::new();
    }
    let mut text = "\nOn a GPU (columns first)\n".to_owned();
    let mut numbers: HashMap<&str, u32> = HashMap::new();
    for plan in &ptx.kernels {
        let number = numbers.entry(&plan.function).or_default();
        *number += 1;
        let names = Names::new(&module.funcs[plan.function_number], &[], sources, spans);
        text += &format!("  kernel {number} of {}: {}\n", plan.function, needs(ptx, plan, &names));
    }
    text
}

fn needs(ptx: &Ptx, plan: &KernelPlan, names: &Names<'_>) -> String {
    let entry = &plan.entries[0];
    let layout = entry.grid.text(&|size| names.size(&polynomial(size)));
    let Some(block) = ptx.block(entry) else { return layout };
    let shared = match block.shared {
        0 => String::new(),
        bytes => format!(", {bytes} bytes of shared memory a block"),
    };
    let fills: Vec<String> = block.occupancy().iter().map(|(sm, percent)| format!("sm_{sm} {percent}")).collect();
    let (registers, fills) = (block.registers, fills.join(", "));
    format!("{layout}; about {registers} registers a thread{shared}; occupancy in percent: {fills}")
}

/// A size of a plan as one of the function: the symbols of both have the same numbers.
fn polynomial(size: &SizeExpr) -> Size {
    let product = |(factor, symbols): &(i64, Vec<usize>)| {
        symbols.iter().fold(Size::constant(*factor), |product, symbol| product.mul(&Size::sym(Sym::new(*symbol))))
    };
    size.terms.iter().map(product).fold(Size::constant(0), |sum, term| sum.add(&term))
}
