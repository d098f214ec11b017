//! What a launch did.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use super::config::Model;
use crate::exec::Work;
use crate::exec::traffic::Traffic;
use crate::form::Program;

/// Counts of one launch.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Report {
    /// The entry.
    pub kernel: String,
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
    /// Memory traffic.
    pub traffic: Traffic,
    /// How long the model says that it takes.
    pub time: Duration,
}

impl Report {
    pub(crate) fn of(kernel: &str, program: &Program, work: &Work, threads: u64, model: &Model) -> Report {
        let mut report = Report {
            kernel: kernel.to_string(),
            threads,
            instructions: BTreeMap::new(),
            thread_instructions: 0,
            warp_instructions: 0,
            lines: BTreeMap::new(),
            flops32: 0,
            flops64: 0,
            traffic: work.traffic,
            time: Duration::ZERO,
        };
        for ((function, threads), warps) in program.functions.iter().zip(&work.threads).zip(&work.warps) {
            for ((info, threads), warps) in function.info.iter().zip(threads).zip(warps) {
                // parts of an instruction have no name
                if *warps > 0 && !info.name.is_empty() {
                    *report.instructions.entry(info.name.to_string()).or_default() += threads;
                    *report.lines.entry(info.line).or_default() += threads;
                    report.thread_instructions += threads;
                    report.warp_instructions += warps;
                    report.flops32 += threads * u64::from(info.flops32);
                    report.flops64 += threads * u64::from(info.flops64);
                }
            }
        }
        report.time = report.modelled(model);
        report
    }

    /// The time of the kernel by the roofline of [`Model`].
    fn modelled(&self, model: &Model) -> Duration {
        let sector = crate::memory::region::SECTOR as u64;
        let share = (self.threads as f64 / model.resident_threads.max(1) as f64).min(1.0);
        let terms = [
            (self.flops32, model.flops32),
            (self.flops64, model.flops64),
            // a warp takes the time of 32 threads
            (self.warp_instructions * 32, model.instructions),
            (self.traffic.sectors * sector, model.cache_bandwidth),
            (self.traffic.unique_sectors * sector, model.memory_bandwidth),
        ];
        let longest = terms.into_iter().map(|(amount, rate)| Model::at_rate(amount, rate * share)).max();
        model.launch_latency + longest.unwrap_or_default()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let t = &self.traffic;
        writeln!(f, "{}: {} threads, {:?}", self.kernel, self.threads, self.time)?;
        writeln!(f, "  {} instructions of threads, {} of warps", self.thread_instructions, self.warp_instructions)?;
        writeln!(f, "  {} flops in single, {} in double precision", self.flops32, self.flops64)?;
        writeln!(
            f,
            "  global: {} bytes loaded, {} stored, {} requests, {} sectors, {} of them different",
            t.global_loaded, t.global_stored, t.global_requests, t.sectors, t.unique_sectors
        )?;
        writeln!(
            f,
            "  shared: {} bytes loaded, {} stored, {} requests, {} bank conflicts",
            t.shared_loaded, t.shared_stored, t.shared_requests, t.bank_conflicts
        )?;
        writeln!(f, "  local: {} bytes; {} atomic operations", t.local, t.atomics)?;
        for (name, count) in &self.instructions {
            writeln!(f, "  {count:>12} {name}")?;
        }
        Ok(())
    }
}
