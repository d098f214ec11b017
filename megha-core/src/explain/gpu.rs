//! What kernels need on a GPU: how their iterations lie on the threads, registers and shared memory, and how many threads these leave room for.

use std::collections::HashMap;

use crate::ptx::Ptx;
use megha_base::plan::KernelPlan;

/// A line for each kernel, numbered as in [`explain`](super::explain), by function. The registers are an estimate.
pub fn on_gpu(ptx: &Ptx) -> String {
    if ptx.kernels.is_empty() {
        return String::new();
    }
    let mut text = "\nOn a GPU (columns first)\n".to_owned();
    let mut numbers: HashMap<&str, u32> = HashMap::new();
    for plan in &ptx.kernels {
        let number = numbers.entry(&plan.function).or_default();
        *number += 1;
        text += &format!("  kernel {number} of {}: {}\n", plan.function, needs(ptx, plan));
    }
    text
}

fn needs(ptx: &Ptx, plan: &KernelPlan) -> String {
    let entry = &plan.entries[0];
    let layout = entry.grid.text(&plan.symbols);
    let Some(block) = ptx.block(entry) else { return layout };
    let shared = match block.shared {
        0 => String::new(),
        bytes => format!(", {bytes} bytes of shared memory a block"),
    };
    let fills: Vec<String> = block.occupancy().iter().map(|(sm, percent)| format!("sm_{sm} {percent}")).collect();
    let (registers, fills) = (block.registers, fills.join(", "));
    format!("{layout}; about {registers} registers a thread{shared}; occupancy in percent: {fills}")
}
