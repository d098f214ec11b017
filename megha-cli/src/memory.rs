//! `megha explain --memory 8G --sizes n=40000`: what of a program's arrays a device of so much memory holds when, without running it.
//!
//! Each block is planned as the run-time system plans it (`megha_base::ranges`; MEGHA, section 4.1): with all kernels and products on the device that fit there. Where they run in
//! fact is decided by estimates of their times. Times of copies are those of a link of 25 GB/s; of kernels that may be repeated instead, those of a device of 2 TB/s and 5 Tflop/s.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

use megha_base::bytes::{parse, words};
use megha_base::plan::block::Task;
use megha_base::ranges::{Placed, Plan, Program, cliques};
use megha_core::cpu::SizedBlock;
use megha_core::driver::{Outcome, blocks};

mod chart;
mod svg;

pub use chart::Chart;

/// Allocations of devices begin at multiples of so many bytes.
const ALIGNMENT: u64 = 256;
/// Bytes a second, and seconds until the first.
const LINK: (f64, f64) = (25e9, 10e-6);
/// Bytes and operations a second of a device, with addresses and loops, and seconds of a launch.
const DEVICE: (f64, f64, f64) = (2e12, 2.5e12, 4e-6);
/// Rounds of a block that is in a loop: enough that what is alive from one to the next counts.
const ROUNDS: u64 = 10;

/// What the command asks for.
#[derive(clap::Args)]
pub struct Memory {
    /// Print what a device of so much memory (8G, 512M, bytes) holds when, and what leaves it
    #[arg(long, value_name = "BYTES", value_parser = read_bytes)]
    memory: Option<u64>,
    /// Sizes of the program for --memory, as n=40000,m=3; may be given several times
    #[arg(long, value_name = "NAME=NUMBER", value_delimiter = ',', value_parser = read_size, requires = "memory")]
    sizes: Vec<(String, i64)>,
    /// Draw what --memory prints into this file, too
    #[arg(long, value_name = "FILE.svg", requires = "memory")]
    svg: Option<std::path::PathBuf>,
}

fn read_bytes(text: &str) -> Result<u64, String> {
    parse(text).ok_or_else(|| "a number of bytes is written as 512M, 1.5G or 400000000".to_owned())
}

fn read_size(text: &str) -> Result<(String, i64), String> {
    let parts = text.split_once('=').map(|(name, number)| (name.trim(), number.trim().parse::<i64>()));
    match parts {
        Some((name, Ok(number))) if !name.is_empty() && number >= 0 => Ok((name.to_owned(), number)),
        Some(_) | None => Err("a size is written as n=40000".to_owned()),
    }
}

impl Memory {
    /// Whether it is asked for.
    pub fn is_asked(&self) -> bool {
        self.memory.is_some()
    }

    /// The text for a program; `None` if it has mistakes.
    ///
    /// # Errors
    /// Sizes are missing, or the drawing could not be written.
    pub fn text(&self, outcome: &mut Outcome) -> Result<Option<String>, String> {
        let asked = std::cell::RefCell::new(BTreeSet::new());
        let value = |name: &str| {
            asked.borrow_mut().insert(name.to_owned());
            self.sizes.iter().find(|(own, _)| own == name).map(|(_, value)| *value)
        };
        let Some(list) = blocks(outcome, &value) else { return Ok(None) };
        let asked = asked.into_inner();
        let unknown: Vec<String> =
            self.sizes.iter().filter(|(name, _)| !asked.contains(name)).map(|(name, _)| format!("`{name}`")).collect();
        if list.is_empty() {
            return Ok(Some("No kernel or matrix product of this program can run on a device.\n".to_owned()));
        }
        let lacking: BTreeSet<&String> = list.iter().filter_map(|block| block.sizes.as_ref().err()).flatten().collect();
        if !lacking.is_empty() || !unknown.is_empty() {
            return Err(what_to_give(&lacking, &unknown));
        }
        let budget = self.memory.unwrap_or(u64::MAX);
        let charts: Vec<Chart> = list.iter().enumerate().map(|(at, block)| charted(at, block, budget)).collect();
        if let Some(path) = &self.svg {
            write_svg(path, &charts)?;
        }
        let mut text = String::new();
        charts.iter().for_each(|chart| writeln!(text, "{chart}").unwrap_or(()));
        Ok(Some(text))
    }
}

/// All that is wrong with the sizes at once.
fn what_to_give(lacking: &BTreeSet<&String>, unknown: &[String]) -> String {
    let names: Vec<String> = lacking.iter().map(|name| format!("{name}=...")).collect();
    let lacking = (!names.is_empty()).then(|| format!("these sizes are to be given: --sizes {}", names.join(",")));
    let unknown = (!unknown.is_empty()).then(|| format!("no size has this name: {}", unknown.join(", ")));
    lacking.into_iter().chain(unknown).collect::<Vec<_>>().join("; ")
}

fn write_svg(path: &Path, charts: &[Chart]) -> Result<(), String> {
    std::fs::write(path, svg::drawn(charts)).map_err(|why| format!("{}: {why}", path.display()))
}

/// The plan of a block, with names.
fn charted(at: usize, sized: &SizedBlock, budget: u64) -> Chart {
    let block = &sized.block;
    let values = sized.sizes.as_deref().unwrap_or_default();
    let symbol = |symbol: usize| values.get(symbol).copied().unwrap_or(0);
    let bytes = |data: usize| {
        let data = &block.data[data];
        let elements =
            data.dims.iter().fold(1u64, |n, size| n.saturating_mul(size.eval(&symbol).max(0).unsigned_abs()));
        elements.saturating_mul(data.element.bytes()).checked_next_multiple_of(ALIGNMENT).unwrap_or(u64::MAX)
    };
    let of_node = |number: usize| {
        let node = &block.nodes[number];
        let written = node.writes.iter().filter(|d| !node.reads.contains(d));
        node.reads.iter().chain(written).fold(0, |sum: u64, d| sum.saturating_add(bytes(*d)))
    };
    let offered = |number: usize| block.nodes[number].task.is_offered();
    let seconds = |data: usize| [LINK.1 + bytes(data) as f64 / LINK.0; 2];
    let again = |number: usize| {
        let node = &block.nodes[number];
        let moved: f64 = node.reads.iter().chain(&node.writes).map(|d| bytes(*d) as f64).sum();
        let work = node.work.eval(&symbol).max(0) as f64;
        Some(DEVICE.2 + (moved / DEVICE.0).max(work / DEVICE.1))
    };
    let before = block.data.iter().filter(|data| data.before).count();
    let program = Program::of_block(&Placed {
        block,
        present: &vec![[true, false]; before],
        rounds: if sized.repeats { ROUNDS } else { 1 },
        budget,
        bytes: &bytes,
        seconds: &seconds,
        on_device: &|number| offered(number) && of_node(number) <= budget,
        again: &again,
        in_parts: &|number| matches!(block.nodes[number].task, Task::Kernel(_)) && of_node(number) > budget,
    });
    let plan = program.plan();
    Chart::new(at, sized, &program, plan)
}
