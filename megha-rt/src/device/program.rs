//! The kernels of a compiled module for devices: texts in the program, read when a device is first used.

use std::mem::ManuallyDrop;
use std::sync::OnceLock;

use megha_base::plan::KernelPlan;
use megha_base::plan::block::Block;

use super::chosen::Chosen;
use super::decisions::Decisions;

/// Plans and PTX of a module's kernels, which are there as long as the process: a static whose type had something to drop would bring
/// the code for that into every user's crate.
pub struct Program {
    plans: &'static str,
    blocks: &'static str,
    ptx: &'static str,
    kernels: ManuallyDrop<OnceLock<Vec<(KernelPlan, Chosen)>>>,
    decoded: ManuallyDrop<OnceLock<Vec<Block>>>,
    decisions: ManuallyDrop<OnceLock<Decisions>>,
    fingerprint: OnceLock<u64>,
}

impl Program {
    /// The program of these texts: [`KernelPlan::encode`] of all kernels, [`Block::encode`] of all blocks, PTX.
    pub const fn new(plans: &'static str, blocks: &'static str, ptx: &'static str) -> Program {
        Program {
            plans,
            blocks,
            ptx,
            kernels: ManuallyDrop::new(OnceLock::new()),
            decoded: ManuallyDrop::new(OnceLock::new()),
            decisions: ManuallyDrop::new(OnceLock::new()),
            fingerprint: OnceLock::new(),
        }
    }

    /// A number for its texts, the same in every process.
    pub(super) fn fingerprint(&self) -> u64 {
        *self.fingerprint.get_or_init(|| {
            let texts = [self.plans, self.blocks, self.ptx].map(str::as_bytes);
            let words = texts.iter().flat_map(|text| text.chunks(8));
            words.fold(0, |sum, word| {
                let word = word.iter().fold(0, |word: u64, byte| word << 8 | u64::from(*byte));
                (sum ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23)
            })
        })
    }

    /// By what calls tell it from others.
    pub(super) fn address(&'static self) -> usize {
        std::ptr::from_ref(self) as usize
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
        self.known(number).map(|(plan, _)| plan)
    }

    /// The plan of a kernel, and the entries that were chosen for it.
    pub(super) fn known(&self, number: usize) -> Option<&(KernelPlan, Chosen)> {
        let kernels = self.kernels.get_or_init(|| {
            let plans = KernelPlan::decode_all(self.plans).unwrap_or_default();
            plans.into_iter().map(|plan| (plan, Chosen::default())).collect()
        });
        kernels.get(number)
    }

    /// The PTX text.
    pub fn ptx(&self) -> &'static str {
        self.ptx
    }
}
