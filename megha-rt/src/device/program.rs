//! The kernels of a compiled module for devices: texts in the program, read when a device is first used.

use std::sync::OnceLock;

use megha_base::plan::KernelPlan;
use megha_base::plan::block::Block;

use super::decide::Decisions;

/// Plans and PTX of a module's kernels.
pub struct Program {
    plans: &'static str,
    blocks: &'static str,
    ptx: &'static str,
    kernels: OnceLock<Vec<KernelPlan>>,
    decoded: OnceLock<Vec<Block>>,
    decisions: OnceLock<Decisions>,
}

impl Program {
    /// The program of these texts: [`KernelPlan::encode`] of all kernels, [`Block::encode`] of all blocks, PTX.
    pub const fn new(plans: &'static str, blocks: &'static str, ptx: &'static str) -> Program {
        Program { plans, blocks, ptx, kernels: OnceLock::new(), decoded: OnceLock::new(), decisions: OnceLock::new() }
    }

    /// A block.
    pub fn block(&self, number: usize) -> Option<&Block> {
        self.decoded.get_or_init(|| Block::decode_all(self.blocks).unwrap_or_default()).get(number)
    }

    /// What was decided for its blocks.
    pub(super) fn decisions(&self) -> &Decisions {
        self.decisions.get_or_init(Decisions::default)
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
