//! What a launch did.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use super::config::Model;
use crate::exec::Work;
use crate::exec::traffic::Traffic;
use crate::form::Program;

/// Bytes of shared memory that a pass over its banks reaches.
const PASS: u64 = 128;

/// Counts of one launch.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Report {
    /// The entry.
    pub kernel: String,
    /// Blocks.
    pub blocks: u64,
    /// Threads of all blocks.
    pub threads: u64,
    /// Executions by threads, of each instruction with its modifiers.
    pub instructions: BTreeMap<String, u64>,
    /// Their sum.
    pub thread_instructions: u64,
    /// Executions by warps, whatever the number of active lanes.
    pub warp_instructions: u64,
    /// Executions by threads, of each line of the PTX text.
    pub lines: BTreeMap<u32, u64>,
    /// Floating-point operations in single precision; `fma` is two, division and roots are eight.
    pub flops32: u64,
    /// The same in double precision.
    pub flops64: u64,
    /// Fused multiply-adds in single precision in whose time the arithmetic is done, by all lanes of the warps.
    pub slots32: u64,
    /// The same in double precision.
    pub slots64: u64,
    /// Floating-point operations of tensor cores in double precision.
    pub tensor64: u64,
    /// Memory traffic.
    pub traffic: Traffic,
    /// How long the model says that it takes.
    pub time: Duration,
}

impl Report {
    pub(crate) fn of(
        kernel: &str,
        program: &Program,
        work: &Work,
        [blocks, threads]: [u64; 2],
        model: &Model,
    ) -> Report {
        // names are copied once for all places where an instruction stands
        let mut instructions: BTreeMap<&str, u64> = BTreeMap::new();
        let mut report = Report {
            kernel: kernel.to_string(),
            blocks,
            threads,
            instructions: BTreeMap::new(),
            thread_instructions: 0,
            warp_instructions: 0,
            lines: BTreeMap::new(),
            flops32: 0,
            flops64: 0,
            slots32: 0,
            slots64: 0,
            tensor64: 0,
            traffic: work.traffic,
            time: Duration::ZERO,
        };
        for ((function, threads), warps) in program.functions.iter().zip(&work.threads).zip(&work.warps) {
            for ((info, threads), warps) in function.info.iter().zip(threads).zip(warps) {
                // parts of an instruction have no name
                if *warps > 0 && !info.name.is_empty() {
                    *instructions.entry(&info.name).or_default() += threads;
                    *report.lines.entry(info.line).or_default() += threads;
                    report.thread_instructions += threads;
                    report.warp_instructions += warps;
                    report.flops32 += threads * u64::from(info.flops32);
                    report.flops64 += threads * u64::from(info.flops64);
                    report.slots32 += warps * 32 * u64::from(info.flops32.div_ceil(2));
                    report.slots64 += warps * 32 * u64::from(info.flops64.div_ceil(2));
                    report.tensor64 += warps * u64::from(info.tensor64);
                }
            }
        }
        report.instructions = instructions.into_iter().map(|(name, threads)| (name.to_string(), threads)).collect();
        report.time = report.time_by(model);
        report
    }

    /// How long it would take on a device of this [`Model`]: what a kernel does is the same on all.
    pub fn time_by(&self, model: &Model) -> Duration {
        let sector = crate::memory::region::SECTOR as u64;
        let filled = self.filled_processors(model);
        let own = filled * self.busy_share(model);
        let terms = [
            (2 * self.slots32, model.flops32 * own),
            (2 * self.slots64, model.flops64 * own),
            // one takes many cycles, so a warp or two keep a scheduler's tensor core busy
            (self.tensor64, model.tensor64 * filled),
            // a warp takes the time of 32 threads
            (self.warp_instructions * 32, model.instructions * own),
            (self.traffic.shared_passes * PASS, model.shared_bandwidth * own),
            (self.traffic.sectors * sector, model.cache_bandwidth * self.share_of_memory(model.cached_threads)),
            (
                self.traffic.unique_sectors * sector,
                model.memory_bandwidth * self.share_of_memory(model.resident_threads),
            ),
        ];
        let longest = terms.into_iter().map(|(amount, rate)| Model::at_rate(amount, rate)).max();
        model.launch_latency + longest.unwrap_or_default()
    }

    /// How much of a rate of memory, which so many threads reach, those reach that wait for what they load. What goes on beside them does not wait.
    fn share_of_memory(&self, most: u64) -> f64 {
        let threads = (self.threads as f64 * self.width() / most.max(1) as f64).min(1.0);
        let beside = self.traffic.sectors_beside as f64 / self.traffic.sectors.max(1) as f64;
        1.0 / (beside + (1.0 - beside) / threads)
    }

    /// The most blocks that a processor has.
    fn most_blocks(&self, model: &Model) -> u64 {
        self.blocks.div_ceil(model.processors.max(1)).max(1)
    }

    /// How much of all processors the blocks keep busy: the one with most blocks ends last.
    fn filled_processors(&self, model: &Model) -> f64 {
        self.blocks as f64 / (self.most_blocks(model) * model.processors.max(1)) as f64
    }

    /// How much of what a processor can do its threads keep busy.
    fn busy_share(&self, model: &Model) -> f64 {
        let threads = self.most_blocks(model) * self.threads / self.blocks.max(1);
        (threads as f64 / model.busy_threads.max(1) as f64).min(1.0)
    }

    /// Bytes of global memory that a thread has under way with a request, in those of an access that moves one double; at least one.
    fn width(&self) -> f64 {
        let Traffic { global_loaded, global_stored, global_requests, .. } = self.traffic;
        let lanes = 32 * global_requests.max(1);
        ((global_loaded + global_stored) as f64 / lanes as f64 / 8.0).max(1.0)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let t = &self.traffic;
        writeln!(f, "{}: {} threads, {:?}", self.kernel, self.threads, self.time)?;
        writeln!(f, "  {} instructions of threads, {} of warps", self.thread_instructions, self.warp_instructions)?;
        let (single, double, tensor) = (self.flops32, self.flops64, self.tensor64);
        writeln!(f, "  {single} flops in single, {double} in double precision, {tensor} of tensor cores")?;
        writeln!(
            f,
            "  global: {} bytes loaded, {} stored, {} requests, {} sectors, {} of them different",
            t.global_loaded, t.global_stored, t.global_requests, t.sectors, t.unique_sectors
        )?;
        writeln!(
            f,
            "  shared: {} bytes loaded, {} stored, {} requests, {} passes, {} bank conflicts",
            t.shared_loaded, t.shared_stored, t.shared_requests, t.shared_passes, t.bank_conflicts
        )?;
        writeln!(f, "  local: {} bytes; {} atomic operations", t.local, t.atomics)?;
        for (name, count) in &self.instructions {
            writeln!(f, "  {count:>12} {name}")?;
        }
        Ok(())
    }
}
