//! Where the kernels of a block run: estimates, and the schedule that is shortest by them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use megha_base::plan::block::{Block, Data, Form, Next, Node, Task};
use megha_base::plan::{Element, SizeExpr, THREADS, threads_of_lines};
use megha_base::tree::{CHUNK, LANES};

use super::copies::Copies;
use super::learn::{Case, Learned};
use super::schedule::{self, Graph, Schedule, Side};
use super::table::{Place, Table};
use super::{Device, Rates};

/// What the processors do in a second, as far as an estimate before any measurement goes.
#[derive(Debug, Clone, Copy)]
pub struct Host {
    /// Simple operations of all threads.
    operations: f64,
    /// Multiplications and additions of a matrix product.
    products: f64,
    /// Bytes of memory.
    memory: f64,
}

impl Host {
    /// Vector registers hold four doubles or more; a thread does some two vector operations in a nanosecond, and in products, whose operands
    /// stay in registers, about twice as many.
    pub fn guess(threads: usize) -> Host {
        let threads = threads.max(1) as f64;
        Host { operations: 8e9 * threads, products: 16e9 * threads, memory: 10e9 * threads.min(8.0) }
    }

    /// Seconds for so many operations on so many bytes.
    pub fn seconds(&self, operations: f64, bytes: f64) -> f64 {
        (operations / self.operations).max(bytes / self.memory)
    }
}

/// Threads that a device needs to be busy; with fewer it is slower in proportion.
const FULL: f64 = 131_072.0;
/// Seconds in which a thread of a device combines an element with those before it: a read and a write of shared memory and an operation that
/// waits for the one before, some 12 cycles at 1.7 GHz.
const STEP: f64 = 7e-9;
/// Instructions of a device for a simple operation, addresses and loops included.
const INSTRUCTIONS: f64 = 2.0;

/// What estimates go by: of a device, the processors and what was learnt of both.
pub struct Basis {
    rates: Rates,
    host: Host,
    /// Those of copies.
    pub copies: Copies,
    /// The corrections.
    pub learned: Arc<Learned>,
    /// A number for the first two and the device, by which decisions are kept.
    number: u64,
}

impl Basis {
    /// For a device beside the threads of the calling one's pool. May measure the device.
    pub fn of(device: &Arc<dyn Device>) -> Basis {
        let threads = rayon::current_num_threads();
        let (rates, host, learned) = (device.rates(), Host::guess(threads), Learned::of(device, threads));
        let times = [rates.launch, rates.copy].map(|t| t.as_secs_f64());
        let each = [rates.memory, rates.flops64, rates.flops32, rates.upload, rates.download, threads as f64];
        let mix = |sum: u64, x: &f64| (sum ^ x.to_bits()).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23);
        let number = each.iter().chain(&times).fold(learned.number(), mix);
        Basis { rates, host, copies: Copies::new(rates, &learned), learned, number }
    }
}

/// Most decisions of a program that are kept.
const MOST: usize = 4096;

/// What decisions depend on.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    block: usize,
    /// The [`Basis`].
    basis: u64,
    /// By powers of the fourth root of two.
    sizes: Vec<u32>,
    /// Whether arrays are on the host and on the device.
    places: Vec<(bool, bool)>,
    /// How often the block runs, by powers of two.
    repeat: u32,
    /// Whether the device makes matrix products, which it does not in the strict mode.
    multiplies: bool,
}

/// Where the nodes of a block run, and in which order a host issues them.
pub struct Decision {
    /// For each node.
    pub sides: Vec<Side>,
    /// Respects the dependences.
    pub order: Vec<usize>,
    /// For each node those that must be done before it.
    pub before: Vec<Vec<usize>>,
    /// Seconds that the block is estimated to take, one time of those that it runs in a row.
    pub each: f64,
}

impl Decision {
    /// Whether something may begin early: both sides have something to do, or copies to the host can run beside kernels.
    pub fn is_worth_it(&self, block: &Block) -> bool {
        let device = self.sides.iter().filter(|side| **side == Side::Gpu).count();
        let leaves = || block.data.iter().any(|data| data.next != Next::Unknown);
        device > 0 && device < self.sides.len() || device > 1 && leaves()
    }
}

/// Decisions taken already, each with the number of corrections at that time.
#[derive(Default)]
pub struct Decisions(Mutex<HashMap<Key, (u64, Arc<Decision>)>>);

/// An execution of a block.
pub struct Execution<'e> {
    /// Its number in the program.
    pub number: usize,
    /// The program's fingerprint.
    pub program: u64,
    /// The block.
    pub block: &'e Block,
    /// The values of its symbols.
    pub sizes: &'e [i64],
    /// The arrays that exist before it.
    pub places: &'e [Place],
    /// How often it is expected to run in a row.
    pub repeat: u64,
    /// Whether the device makes matrix products.
    pub multiplies: bool,
}

impl Execution<'_> {
    fn size(&self, size: &SizeExpr) -> f64 {
        size.eval(&|symbol| self.sizes.get(symbol).copied().unwrap_or(0)).max(0) as f64
    }

    fn bytes(&self, data: &Data) -> f64 {
        data.dims.iter().map(|d| self.size(d)).product::<f64>() * data.element.bytes() as f64
    }

    /// Where the block's nodes run: decided before for like circumstances, or now.
    pub fn decision(&self, decisions: &Decisions, table: &Table, basis: &Basis) -> Arc<Decision> {
        let bucket = |size: &i64| (4.0 * (*size.max(&1) as f64).log2()) as u32;
        let key = Key {
            block: self.number,
            basis: basis.number,
            sizes: self.sizes.iter().map(bucket).collect(),
            places: self.places.iter().map(|p| (table.on_host(*p), table.on_device(*p))).collect(),
            repeat: self.repeat.max(1).ilog2(),
            multiplies: self.multiplies,
        };
        if let Some(lot) = table.device().lot() {
            return Arc::new(self.decided(schedule::schedule(&self.graph(table, basis), &self.drawn(lot))));
        }
        let changes = basis.learned.changes();
        let mut decided = decisions.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = decided.get(&key).filter(|(then, _)| *then == changes) {
            return known.clone();
        }
        let decision = Arc::new(self.decided(schedule::assign(&self.graph(table, basis))));
        if decided.len() >= MOST {
            decided.clear();
        }
        decided.insert(key, (changes, decision.clone()));
        decision
    }

    fn decided(&self, schedule: Schedule) -> Decision {
        let each = schedule.length / self.repeat.max(1) as f64;
        Decision { sides: schedule.sides, order: schedule.order, before: self.block.before(), each }
    }

    /// A side for each node by the bits of a number.
    fn drawn(&self, lot: u64) -> Vec<Side> {
        // SplitMix64: neighbours of a number differ in half of the bits
        let mix = |z: u64, shift: u32, factor: u64| (z ^ z >> shift).wrapping_mul(factor);
        let bit = |number: usize| {
            let z = lot.wrapping_add((number as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
            mix(mix(z, 30, 0xbf58_476d_1ce4_e5b9), 27, 0x94d0_49bb_1331_11eb) >> 63
        };
        (0..self.block.nodes.len()).map(|number| if bit(number) == 1 { Side::Gpu } else { Side::Cpu }).collect()
    }

    /// The block with estimates of its times.
    pub fn graph(&self, table: &Table, basis: &Basis) -> Graph {
        let mut places = self.places.iter();
        let data = self.block.data.iter().map(|data| {
            let place = if data.before { places.next() } else { None };
            let bytes = self.bytes(data);
            schedule::Data {
                upload: basis.copies.seconds(Side::Gpu, bytes),
                download: basis.copies.seconds(Side::Cpu, bytes),
                on_cpu: place.is_some_and(|p| table.on_host(*p)),
                on_gpu: place.is_some_and(|p| table.on_device(*p)),
                needed: data.after,
            }
        });
        let data = data.collect();
        let nodes = self.block.nodes.iter().map(|node| self.node(node, basis)).collect();
        Graph { data, nodes, repeat: self.repeat.max(1) as f64 }
    }

    /// Bytes of the arrays that a node reads and writes.
    fn touched(&self, node: &Node) -> f64 {
        node.reads.iter().chain(&node.writes).map(|d| self.bytes(&self.block.data[*d])).sum()
    }

    /// What a kernel or product is measured as on a side.
    pub fn case(&self, node: &Node, side: Side) -> Case {
        let size = self.size(&node.work).max(1.0).log2() as u8;
        Case { program: self.program, task: node.task, side, size }
    }

    /// Seconds that a node is estimated to take on the CPU and on the device, without corrections.
    pub fn estimates(&self, node: &Node, Basis { rates, host, .. }: &Basis) -> [f64; 2] {
        let (bytes, work) = (self.touched(node), self.size(&node.work));
        let launch = rates.launch.as_secs_f64();
        if let Task::Product(_) = node.task {
            let single = node.writes.iter().any(|d| self.block.data[*d].element == Element::F32);
            let flops = if single { rates.flops32 } else { rates.flops64 };
            let full = (self.size(&node.points) / FULL).clamp(LANES as f64 / FULL, 1.0);
            let cpu = (work / host.products).max(bytes / host.memory);
            return [cpu, launch + (2.0 * work / flops).max(bytes / rates.memory) / full];
        }
        let points = self.size(&node.points);
        let (kernels, threads, in_order) = match &node.form {
            Form::Points => (1.0, points, 0.0),
            // The second kernel combines chunks; a block takes a chunk.
            Form::Reduction => (2.0, points * f64::from(THREADS) / CHUNK as f64, 0.0),
            Form::Lines(longest) => (1.0, threads_of_lines(points as i64) as f64, self.size(longest) * STEP),
        };
        let full = (threads / FULL).clamp(LANES as f64 / FULL, 1.0);
        let each = ((bytes / rates.memory).max(work * INSTRUCTIONS / rates.flops64) / full).max(in_order);
        [host.seconds(work, bytes), kernels * launch + each]
    }

    fn node(&self, node: &Node, basis: &Basis) -> schedule::Node {
        let estimates = self.estimates(node, basis);
        let corrected = |side: Side| {
            let estimate = estimates[side as usize];
            if node.task == Task::Host { estimate } else { estimate * basis.learned.correction(self.case(node, side)) }
        };
        let movable = match node.task {
            Task::Host => false,
            Task::Kernel(_) => true,
            Task::Product(_) => self.multiplies,
        };
        schedule::Node {
            cpu: corrected(Side::Cpu),
            gpu: movable.then(|| corrected(Side::Gpu)),
            reads: node.reads.clone(),
            writes: node.writes.clone(),
            early: node.passed.is_some(),
            guards: node.guards,
        }
    }
}
