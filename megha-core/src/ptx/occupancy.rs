//! How much of a processor of a GPU blocks of a kernel can fill at once, by their threads, registers and shared memory.

/// What the blocks on one processor (streaming multiprocessor) share, by compute capability: CUDA C++ Programming Guide, "Technical
/// Specifications per Compute Capability".
struct Processor {
    /// 90 for `sm_90`.
    capability: u32,
    /// Most threads.
    threads: u32,
    /// Most blocks.
    blocks: u32,
    /// Bytes of shared memory.
    shared: u64,
    /// Of these what the system takes for each block.
    reserved: u64,
    /// In multiples of how many bytes it is given to a block.
    unit: u64,
}

/// The capabilities that `.ci/ptx` assembles for.
const PROCESSORS: [Processor; 5] = [
    Processor { capability: 70, threads: 2048, blocks: 32, shared: 96 << 10, reserved: 0, unit: 256 },
    Processor { capability: 75, threads: 1024, blocks: 16, shared: 64 << 10, reserved: 0, unit: 256 },
    Processor { capability: 80, threads: 2048, blocks: 32, shared: 164 << 10, reserved: 1 << 10, unit: 128 },
    Processor { capability: 90, threads: 2048, blocks: 32, shared: 228 << 10, reserved: 1 << 10, unit: 128 },
    Processor { capability: 100, threads: 2048, blocks: 32, shared: 228 << 10, reserved: 1 << 10, unit: 128 },
];
/// Registers of a processor.
const REGISTERS: u32 = 1 << 16;
/// Most registers of a thread; `ptxas` spills what is more.
const MOST_REGISTERS: u32 = 255;
/// Registers of a thread are given in multiples of this,
const REGISTER_UNIT: u32 = 8;
/// and warps have them in fours, one for each scheduler.
const SCHEDULERS: u32 = 4;
const WARP: u32 = 32;

/// What a block takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Block {
    /// Its threads.
    pub threads: u32,
    /// Registers of each of them.
    pub registers: u32,
    /// Bytes of shared memory.
    pub shared: u64,
}

impl Block {
    /// For each compute capability, the share of a processor's threads that blocks like this one fill, in percent, rounded down.
    pub fn occupancy(self) -> Vec<(u32, u32)> {
        PROCESSORS.iter().map(|p| (p.capability, self.blocks_on(p) * self.warps() * WARP * 100 / p.threads)).collect()
    }

    fn warps(self) -> u32 {
        self.threads.max(1).div_ceil(WARP)
    }

    fn blocks_on(self, processor: &Processor) -> u32 {
        let registers = self.registers.clamp(1, MOST_REGISTERS).next_multiple_of(REGISTER_UNIT) * WARP;
        let warps = REGISTERS / registers / SCHEDULERS * SCHEDULERS;
        let shared = (self.shared + processor.reserved).next_multiple_of(processor.unit).max(1);
        let by_shared = u32::try_from(processor.shared / shared).unwrap_or(u32::MAX);
        [processor.blocks, processor.threads / WARP / self.warps(), warps / self.warps(), by_shared]
            .into_iter()
            .fold(u32::MAX, u32::min)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn percent(registers: u32, shared: u64) -> [u32; 5] {
        let all = Block { threads: 256, registers, shared }.occupancy();
        std::array::from_fn(|n| all[n].1)
    }

    /// The figures of NVIDIA's occupancy calculator.
    #[test]
    fn registers_and_shared_memory_limit_it() {
        assert_eq!(percent(32, 0), [100; 5]);
        assert_eq!(percent(33, 0), [75, 100, 75, 75, 75]);
        assert_eq!(percent(72, 0), [37, 75, 37, 37, 37]);
        assert_eq!(percent(300, 0), [12, 25, 12, 12, 12]);
        assert_eq!(percent(32, 16 << 10), [75, 100, 100, 100, 100]);
        assert_eq!(percent(32, 48 << 10), [25, 25, 37, 50, 50]);
    }

    #[test]
    fn small_blocks_are_limited_by_their_number() {
        let all = Block { threads: 32, registers: 16, shared: 0 }.occupancy();
        assert_eq!(all, [(70, 50), (75, 50), (80, 50), (90, 50), (100, 50)]);
    }
}
