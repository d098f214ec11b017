//! What kernels need on a GPU: how their iterations lie on the threads, registers and shared memory.

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
        text += &format!("  kernel {number} of {}: {}\n", plan.function, needs(plan));
    }
    text
}

fn needs(plan: &KernelPlan) -> String {
    let entry = &plan.entries[0];
    let layout = entry.grid.text(&plan.symbols);
    let shared = match entry.shared_bytes {
        0 => String::new(),
        bytes => format!(", {bytes} bytes of shared memory a block"),
    };
    format!("{layout}; about {} registers a thread{shared}", entry.registers)
}
