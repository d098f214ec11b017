//! Where the kernels of a block run: estimates, and the schedule that is shortest by them.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use megha_base::plan::SizeExpr;
use megha_base::plan::block::{Block, Data, Node};
use megha_base::tree::{CHUNK, LANES};

use super::Rates;
use super::schedule::{self, Graph, Side};
use super::table::{Place, Table};

/// What the processors do in a second, as far as an estimate before any measurement goes.
#[derive(Debug, Clone, Copy)]
pub struct Host {
    /// Simple operations of all threads.
    operations: f64,
    /// Bytes of memory.
    memory: f64,
}

impl Host {
    /// Vector registers hold four doubles or more; a thread does some two vector operations in a nanosecond.
    pub fn guess(threads: usize) -> Host {
        let threads = threads.max(1) as f64;
        Host { operations: 8e9 * threads, memory: 10e9 * threads.min(8.0) }
    }

    /// Seconds for so many operations on so many bytes.
    pub fn seconds(&self, operations: f64, bytes: f64) -> f64 {
        (operations / self.operations).max(bytes / self.memory)
    }
}

/// Threads that a device needs to be busy; with fewer it is slower in proportion.
const FULL: f64 = 131_072.0;
/// Instructions of a device for a simple operation, addresses and loops included.
const INSTRUCTIONS: f64 = 2.0;

/// What decisions depend on: the block, the device, sizes by powers of the fourth root of two, where arrays are, and how often the block ran.
type Key = (usize, u64, Vec<u32>, Vec<(bool, bool)>, u32);

/// Decisions taken already.
#[derive(Default)]
pub struct Decisions(Mutex<HashMap<Key, Vec<Side>>>);

/// An execution of a block.
pub struct Execution<'e> {
    /// Its number in the program.
    pub number: usize,
    /// The block.
    pub block: &'e Block,
    /// The values of its symbols.
    pub sizes: &'e [i64],
    /// The arrays that exist before it.
    pub places: &'e [Place],
    /// How often it is expected to run in a row.
    pub repeat: u64,
}

impl Execution<'_> {
    fn size(&self, size: &SizeExpr) -> f64 {
        size.eval(&|symbol| self.sizes.get(symbol).copied().unwrap_or(0)).max(0) as f64
    }

    fn bytes(&self, data: &Data) -> f64 {
        data.dims.iter().map(|d| self.size(d)).product::<f64>() * data.element.bytes() as f64
    }

    /// The sides of the block's nodes: decided before for like circumstances, or now.
    pub fn sides(&self, decisions: &Decisions, table: &Table, rates: &Rates, host: &Host) -> Vec<Side> {
        let bucket = |size: &i64| (4.0 * (*size.max(&1) as f64).log2()) as u32;
        let key = (
            self.number,
            fingerprint(rates, host),
            self.sizes.iter().map(bucket).collect(),
            self.places.iter().map(|p| (table.on_host(*p), table.on_device(*p))).collect(),
            self.repeat.max(1).ilog2(),
        );
        let mut decided = decisions.0.lock().unwrap_or_else(PoisonError::into_inner);
        decided.entry(key).or_insert_with(|| schedule::assign(&self.graph(table, rates, host)).sides).clone()
    }

    /// The block with estimates of its times.
    pub fn graph(&self, table: &Table, rates: &Rates, host: &Host) -> Graph {
        let copy = |bytes: f64, rate: f64| rates.copy.as_secs_f64() + bytes / rate;
        let mut places = self.places.iter();
        let data = self.block.data.iter().map(|data| {
            let place = if data.before { places.next() } else { None };
            let bytes = self.bytes(data);
            schedule::Data {
                upload: copy(bytes, rates.upload),
                download: copy(bytes, rates.download),
                on_cpu: place.is_some_and(|p| table.on_host(*p)),
                on_gpu: place.is_some_and(|p| table.on_device(*p)),
                needed: data.after,
            }
        });
        let data = data.collect();
        let nodes = self.block.nodes.iter().map(|node| self.node(node, rates, host)).collect();
        Graph { data, nodes, repeat: self.repeat.max(1) as f64 }
    }

    /// Bytes of the arrays that a node reads and writes.
    fn touched(&self, node: &Node) -> f64 {
        node.reads.iter().chain(&node.writes).map(|d| self.bytes(&self.block.data[*d])).sum()
    }

    /// Seconds that the CPU is estimated to take for a node.
    pub fn on_cpu(&self, node: &Node, host: &Host) -> f64 {
        host.seconds(self.size(&node.work), self.touched(node))
    }

    fn node(&self, node: &Node, rates: &Rates, host: &Host) -> schedule::Node {
        let (bytes, work) = (self.touched(node), self.size(&node.work));
        // A reduction's second kernel combines chunks; a lane of a chunk is one thread's.
        let (kernels, share) = if node.reduces { (2.0, CHUNK as f64 / LANES as f64) } else { (1.0, 1.0) };
        let full = (self.size(&node.points) / share / FULL).clamp(LANES as f64 / FULL, 1.0);
        let each = (bytes / rates.memory).max(work * INSTRUCTIONS / rates.flops64) / full;
        schedule::Node {
            cpu: self.on_cpu(node, host),
            gpu: node.kernel.map(|_| kernels * rates.launch.as_secs_f64() + each),
            reads: node.reads.clone(),
            writes: node.writes.clone(),
        }
    }
}

/// A number for what a device and the processors are estimated to do.
fn fingerprint(rates: &Rates, host: &Host) -> u64 {
    let times = [rates.launch, rates.copy].map(|t| t.as_secs_f64());
    let rates =
        [rates.memory, rates.flops64, rates.flops32, rates.upload, rates.download, host.operations, host.memory];
    let mix = |sum: u64, x: &f64| (sum ^ x.to_bits()).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23);
    rates.iter().chain(&times).fold(0, mix)
}
