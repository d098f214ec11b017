//! Where the kernels of a block run: estimates, and the schedule that is shortest by them.

use std::sync::Arc;

use megha_base::plan::block::{Block, Data, Form, Next, Node, Task};
use megha_base::plan::{Element, SizeExpr, THREADS, threads_of_lines};
use megha_base::tree::{CHUNK, LANES};

use super::copies::Copies;
use super::learn::{Case, Learned};
use super::ranges::Plan;
use super::schedule::{self, Graph, Side};
use super::tiles::Pace;
use super::{Device, Rates};
use crate::Order;

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

    /// Seconds for so many multiplications in a library.
    pub fn library(&self, multiplications: f64) -> f64 {
        multiplications / self.products
    }

    /// Seconds for so many operations on so many bytes.
    pub fn seconds(&self, operations: f64, bytes: f64) -> f64 {
        (operations / self.operations).max(bytes / self.memory)
    }
}

/// Threads that a device needs to be busy; with fewer it is slower in proportion.
pub(super) const FULL: f64 = 131_072.0;
/// Seconds in which a thread of a device combines an element with those before it: a read and a write of shared memory and an operation that
/// waits for the one before, some 12 cycles at 1.7 GHz.
const STEP: f64 = 7e-9;
/// Seconds in which a processor of a device multiplies one term of all elements of a small tile of a product (64 by 64, by tensor cores), and what a tile takes before and
/// behind its terms.
const TERM: f64 = 18e-9;
const OF_TILE: f64 = 2e-6;
/// Instructions of a device for a simple operation, addresses and loops included.
const INSTRUCTIONS: f64 = 2.0;

/// How many times more bytes come from a device's caches than from its memory.
const CACHES: f64 = 2.0;

/// What a side that was not tried may need of its estimate, where the other one was measured.
const HOPE: f64 = 0.5;

/// What estimates are corrected by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trust {
    /// What was measured.
    Measured,
    /// The same, and a side that was not tried may be faster than estimated.
    Hope,
}

/// What estimates go by: of a device, the processors and what was learnt of both.
pub struct Basis {
    pub(super) rates: Rates,
    host: Host,
    /// Those of copies.
    pub copies: Copies,
    /// The corrections.
    pub learned: Arc<Learned>,
    /// A number for the first two and the device, by which decisions are kept.
    pub(super) number: u64,
}

impl Basis {
    /// Seconds of the host for what it puts into a queue: what an idle device waits for more than a busy one.
    pub(super) fn issue(&self) -> f64 {
        self.rates.launch.saturating_sub(self.rates.queued).as_secs_f64()
    }

    /// For a device beside the threads of the calling one's pool. May measure the device.
    pub fn of(device: &Arc<dyn Device>) -> Basis {
        let threads = rayon::current_num_threads();
        let (rates, host, learned) = (device.rates(), Host::guess(threads), Learned::of(device, threads));
        let times = [rates.launch, rates.queued, rates.copy].map(|t| t.as_secs_f64());
        let each = [rates.memory, rates.flops64, rates.flops32, rates.upload, rates.download, threads as f64];
        let mix = |sum: u64, x: &f64| (sum ^ x.to_bits()).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23);
        let number = each.iter().chain(&times).fold(learned.number(), mix);
        Basis { rates, host, copies: Copies::new(rates, &learned), learned, number }
    }
}

/// What a kernel takes on a device, in one launch or in parts.
#[derive(Debug, Clone, Copy)]
pub struct Busy {
    /// Seconds of each launch beside.
    launch: f64,
    /// Seconds with as many threads as the device needs.
    seconds: f64,
    /// The threads that there are.
    threads: f64,
    /// The threads that the device needs to be busy.
    most: f64,
    /// Seconds that a launch takes at least.
    in_order: f64,
}

impl Busy {
    /// Seconds in so many launches.
    pub fn seconds(&self, parts: f64) -> f64 {
        let full = ((self.threads / parts).max(LANES as f64) / self.most).min(1.0);
        parts * self.launch + (self.seconds / full).max(parts * self.in_order)
    }
}

/// Seconds of queues that overlap in so many parts: the longest, and what the others do for the first and the last part.
pub fn overlapped(queues: &[f64], parts: f64) -> f64 {
    let longest = queues.iter().copied().fold(0.0, f64::max);
    longest + (queues.iter().sum::<f64>() - longest) / parts
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
    /// The same of the first time, which may copy what later ones find.
    pub first: f64,
    /// For each node whether it goes through the device in parts; its side is then the CPU, where its arrays come from and go to.
    pub in_parts: Vec<bool>,
    /// What leaves the device where, if not all fits.
    pub spills: Option<Plan>,
    /// What its kernels need of a device through which the loop around it goes some steps at once; their side is then the CPU.
    pub at_once: Option<Pace>,
}

impl Decision {
    /// Whether all that the device is to have of the block fits at once.
    pub fn is_calm(&self) -> bool {
        let fits = |plan: &Plan| plan.spills.is_empty() && plan.over.is_empty();
        self.spills.as_ref().is_none_or(fits) && !self.in_parts.contains(&true) && self.at_once.is_none()
    }

    /// Whether all of the block is the device's.
    pub fn is_all_there(&self) -> bool {
        self.sides.iter().all(|side| *side == Side::Gpu)
    }

    /// Whether something may begin early: both sides have something to do, or copies to the host can run beside kernels.
    pub fn is_worth_it(&self, block: &Block) -> bool {
        let device = self.sides.iter().filter(|side| **side == Side::Gpu).count();
        let leaves = || block.data.iter().any(|data| data.next != Next::Unknown);
        device > 0 && device < self.sides.len() || device > 1 && leaves()
    }
}

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
    /// Whether each array that exists before it is on the host and on the device.
    pub present: Vec<[bool; 2]>,
    /// How often it is expected to run in a row.
    pub repeat: u64,
    /// The block that follows it in loops, and how often that runs.
    pub next: Option<(&'e Block, u64)>,
    /// Whether a library of the device makes the matrix products.
    pub library: bool,
    /// Whether the device has room for the block's arrays, and for those of the next one.
    pub room: [bool; 2],
    /// Bytes of the device that the call may have, where there is no room for all of the block.
    pub budget: u64,
    /// Its kernels that do not fit and are not worth cutting, or cannot be, as the call has found out.
    pub uncut: Vec<usize>,
    /// The device.
    pub device: &'e dyn Device,
    /// The order of its arrays in memory.
    pub order: Order,
    /// By how many rows a step of the loop over time that it is all of is behind the one before, if its launches may wait ([`crate::bands`]).
    pub slope: Option<i64>,
}

/// Seconds of the first of several rounds: before others nothing is delivered to the host, which is ahead of a device that has all of a round.
fn first_of(mut graph: Graph, sides: &[Side]) -> f64 {
    let ahead = if sides.contains(&Side::Cpu) { 0.0 } else { graph.lag * (1.0 - 1.0 / graph.repeat) };
    graph.data.iter_mut().for_each(|data| data.needed = false);
    graph.repeat = 1.0;
    (schedule::length(&graph, sides) - ahead).max(0.0)
}

impl Execution<'_> {
    pub(super) fn size(&self, size: &SizeExpr) -> f64 {
        size.eval(&|symbol| self.sizes.get(symbol).copied().unwrap_or(0)).max(0) as f64
    }

    pub(super) fn bytes(&self, data: &Data) -> f64 {
        data.dims.iter().map(|d| self.size(d)).product::<f64>() * data.element.bytes() as f64
    }

    /// Bytes of all arrays of the block, and of the next one.
    pub fn all_bytes(&self) -> [u64; 2] {
        let own: f64 = self.block.data.iter().map(|data| self.bytes(data)).sum();
        let sizes = self.next_sizes();
        let next = self.next.map_or(0.0, |(block, _)| {
            let (present, uncut) = (Vec::new(), Vec::new());
            let next = Execution { block, sizes: &sizes, present, uncut, next: None, room: [true; 2], ..*self };
            block.data.iter().map(|data| next.bytes(data)).sum()
        });
        [own as u64, next as u64]
    }

    /// The values of the next block's symbols.
    fn next_sizes(&self) -> Vec<i64> {
        let following = self.block.following.iter().flat_map(|following| &following.sizes);
        following.map(|s| self.sizes.get(*s).copied().unwrap_or(0)).collect()
    }

    /// The decision for a placement.
    pub(super) fn decided(&self, sides: &[Side], basis: &Basis) -> Decision {
        let mut graph = self.graph(basis, Trust::Measured);
        // what the next block goes on with is delivered after that
        let handed_on = self.next.and(self.block.following.as_ref());
        handed_on.into_iter().flat_map(|next| &next.arrays).for_each(|d| graph.data[*d].needed = false);
        let schedule = schedule::schedule(&graph, &sides[..graph.nodes.len()]);
        let spills = (!self.room[0]).then(|| self.spills(&schedule.sides, basis));
        let extra = spills.as_ref().map_or(0.0, |plan| plan.extra);
        let rounds = self.repeat.max(1) as f64;
        let each = (schedule.length + extra) / rounds;
        let first = if self.repeat > 1 { first_of(graph, &schedule.sides) } else { schedule.length } + extra / rounds;
        let in_parts = self.block.nodes.iter().map(|node| self.is_in_parts(node, basis)).collect();
        let (sides, order, before) = (schedule.sides, schedule.order, self.block.before());
        Decision { sides, order, before, each, first, in_parts, spills, at_once: None }
    }

    /// The decision by the bits of a number.
    pub(super) fn decided_by(&self, lot: u64, basis: &Basis) -> Decision {
        let plain = self.decided(&self.drawn(lot), basis);
        // a bit that says nothing of a side
        let tiling = if self.room[0] || lot.count_ones().is_multiple_of(2) { None } else { self.tiling(basis) };
        match tiling {
            Some(tiling) => self.tiled(tiling, plain),
            None => plain,
        }
    }

    /// A side for each node by the bits of a number.
    pub(super) fn drawn(&self, lot: u64) -> Vec<Side> {
        // SplitMix64: neighbours of a number differ in half of the bits
        let mix = |z: u64, shift: u32, factor: u64| (z ^ z >> shift).wrapping_mul(factor);
        let bit = |number: usize| {
            let z = lot.wrapping_add((number as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
            mix(mix(z, 30, 0xbf58_476d_1ce4_e5b9), 27, 0x94d0_49bb_1331_11eb) >> 63
        };
        (0..self.block.nodes.len()).map(|number| if bit(number) == 1 { Side::Gpu } else { Side::Cpu }).collect()
    }

    /// The block with estimates of its times.
    pub fn graph(&self, basis: &Basis, trust: Trust) -> Graph {
        let mut present = self.present.iter();
        let data = self.block.data.iter().map(|data| {
            let there = if data.before { present.next() } else { None };
            let [on_cpu, on_gpu] = there.copied().unwrap_or_default();
            let bytes = self.bytes(data);
            let [download, upload] = [Side::Cpu, Side::Gpu].map(|side| basis.copies.seconds(side, bytes));
            schedule::Data { upload, download, on_cpu, on_gpu, needed: data.after, again: data.again }
        });
        let data = data.collect();
        let nodes = self.block.nodes.iter().map(|node| self.node(node, basis, trust)).collect();
        let lag = basis.issue();
        Graph { data, nodes, repeat: self.repeat.max(1) as f64, lag }
    }

    /// The same and, as one more node, the block that follows in loops: all of it on one side or the other, as far as that can be. So the
    /// block's results are left where that one is better off, if that is worth it.
    pub fn graph_with_next(&self, basis: &Basis, trust: Trust) -> Graph {
        let mut graph = self.graph(basis, trust);
        let (Some(following), Some((block, repeat))) = (&self.block.following, self.next) else { return graph };
        let sizes = self.next_sizes();
        let handed: Vec<usize> = (0..block.data.len()).filter(|d| block.data[*d].before).collect();
        let on = |side: Side| {
            let present = vec![[side == Side::Cpu, side == Side::Gpu]; handed.len()];
            let uncut = Vec::new();
            let next = Execution { block, sizes: &sizes, present, uncut, repeat, next: None, room: [true; 2], ..*self };
            let mut graph = next.graph(basis, trust);
            handed.iter().for_each(|d| graph.data[*d].needed = false);
            // as one node it has that of its first kernel
            graph.lag = 0.0;
            schedule::length(&graph, &vec![side; block.nodes.len()])
        };
        let written = |d: usize| block.nodes.iter().any(|node| node.writes.contains(&d));
        let arrays = || following.arrays.iter().zip(&handed);
        graph.nodes.push(schedule::Node {
            cpu: on(Side::Cpu),
            gpu: self.room[1].then(|| on(Side::Gpu)),
            reads: following.arrays.clone(),
            writes: arrays().filter(|(_, d)| written(**d)).map(|(own, _)| *own).collect(),
            early: false,
            guards: false,
            // what begins early is what its own block says
            waits: true,
        });
        graph
    }

    /// Bytes that a node reads and writes: those of its arrays, of each at most as many elements as a kernel has operations. So one that stores a column
    /// of a large array is not taken to go through all of it.
    fn touched(&self, node: &Node) -> f64 {
        let most = match node.task {
            Task::Kernel(_) => self.size(&node.work).max(self.size(&node.points)),
            Task::Host | Task::Memory | Task::Product(_) => f64::INFINITY,
        };
        let bytes = |d: &usize| {
            let data = &self.block.data[*d];
            self.bytes(data).min(most * data.element.bytes() as f64)
        };
        node.reads.iter().chain(&node.writes).map(bytes).sum()
    }

    /// What a kernel or product is measured as on a side.
    pub fn case(&self, node: &Node, side: Side) -> Case {
        let size = self.size(&node.work).max(1.0).log2() as u8;
        Case { program: self.program, task: node.task, side, size }
    }

    /// Seconds that a node is estimated to take on the CPU and on the device, without corrections.
    pub fn estimates(&self, node: &Node, basis: &Basis) -> [f64; 2] {
        let host = &basis.host;
        let (bytes, work) = (self.touched(node), self.size(&node.work));
        let cpu = match node.task {
            Task::Host => host.library(work).max(host.seconds(0.0, bytes)),
            Task::Memory => host.seconds(0.0, bytes),
            Task::Product(_) => (work / host.products).max(bytes / host.memory),
            Task::Kernel(_) => host.seconds(work, bytes),
        };
        [cpu, self.busy(node, basis).map_or(f64::INFINITY, |busy| busy.seconds(1.0))]
    }

    /// What a node is estimated to take on the device, if that may do it.
    pub fn busy(&self, node: &Node, Basis { rates, .. }: &Basis) -> Option<Busy> {
        let (bytes, work, points) = (self.touched(node), self.size(&node.work), self.size(&node.points));
        let (launch, most) = (rates.queued.as_secs_f64(), self.device.threads());
        match node.task {
            Task::Host => return None,
            Task::Memory => {
                return Some(Busy { launch, seconds: bytes / rates.memory, threads: most, most, in_order: 0.0 });
            }
            Task::Product(_) => {
                let single = node.writes.iter().any(|d| self.block.data[*d].element == Element::F32);
                let flops = if single { rates.flops32 } else { rates.flops64 };
                let seconds = (2.0 * work / flops).max(bytes / rates.memory);
                let in_order = if self.library { 0.0 } else { OF_TILE + TERM * work / points.max(1.0) };
                return Some(Busy { launch, seconds, threads: points, most, in_order });
            }
            Task::Kernel(_) => {}
        }
        let (kernels, threads, in_order) = match &node.form {
            Form::Points => (1.0, points, 0.0),
            // The second kernel combines chunks; a block takes a chunk.
            Form::Reduction => (2.0, points * f64::from(THREADS) / CHUNK as f64, 0.0),
            Form::Lines(longest) => (1.0, threads_of_lines(points as i64) as f64, self.size(longest) * STEP),
        };
        let through_caches = self.size(&node.traffic) / (CACHES * rates.memory);
        let seconds = (bytes / rates.memory).max(work * INSTRUCTIONS / rates.flops64).max(through_caches);
        Some(Busy { launch: kernels * launch, seconds, threads, most, in_order })
    }

    /// Seconds that a node is estimated to take on a side, with what was measured.
    pub(super) fn corrected(&self, node: &Node, side: Side, basis: &Basis) -> f64 {
        let estimate = self.estimates(node, basis)[side as usize];
        if node.task.is_offered() { estimate * basis.learned.correction(self.case(node, side)) } else { estimate }
    }

    fn node(&self, node: &Node, basis: &Basis, trust: Trust) -> schedule::Node {
        let estimates = self.estimates(node, basis);
        let fits = self.fits(node);
        let corrected = |side: Side| {
            let (estimate, case) = (estimates[side as usize], self.case(node, side));
            match trust {
                _ if !node.task.is_offered() => estimate,
                Trust::Hope if basis.learned.is_untried(case) => estimate * HOPE,
                _ => estimate * basis.learned.correction(case),
            }
        };
        let movable = match node.task {
            Task::Host => false,
            Task::Kernel(_) | Task::Memory | Task::Product(_) => true,
        };
        let in_parts = if fits { None } else { self.seconds_in_parts(node, basis) };
        schedule::Node {
            cpu: corrected(Side::Cpu).min(in_parts.unwrap_or(f64::INFINITY)),
            gpu: (movable && fits).then(|| corrected(Side::Gpu)),
            reads: node.reads.clone(),
            writes: node.writes.clone(),
            early: node.passed.is_some(),
            guards: node.guards,
            // what begins early takes memory that others may need
            waits: !self.room[0],
        }
    }
}
