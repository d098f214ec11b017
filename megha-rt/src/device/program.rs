//! The kernels of a compiled module for devices: texts in the program, read when a device is first used.

use std::sync::OnceLock;

use megha_base::plan::KernelPlan;

/// Plans and PTX of a module's kernels.
pub struct Program {
    plans: &'static str,
    ptx: &'static str,
    kernels: OnceLock<Vec<KernelPlan>>,
}

impl Program {
    /// The program of these texts, made by [`KernelPlan::encode`] and by the compiler.
    pub const fn new(plans: &'static str, ptx: &'static str) -> Program {
        Program { plans, ptx, kernels: OnceLock::new() }
    }

    /// The plan of a kernel.
    pub fn kernel(&self, number: usize) -> Option<&KernelPlan> {
        self.kernels.get_or_init(|| KernelPlan::decode_all(self.plans).unwrap_or_default()).get(number)
    }

    /// The PTX text.
    pub fn ptx(&self) -> &'static str {
        self.ptx
    }
}
