//! Placement of a block whose arrays do not all fit the device (MEGHA, section 4.1.6).
//!
//! The thesis maps kernels as if memory were endless, spills, and takes all of a block back to the CPU if that is then faster. Here what spilling costs counts in
//! the placement: the nodes that a spilled range waits for become dearer by its copies, and the block is placed again. A kernel that does not fit even alone may go through the device in parts
//! (`run/stream.rs`); then it takes its arrays from the host and leaves them there, as one of the CPU does. Of all placements that were considered, all on the CPU
//! among them, the one with the shortest schedule and fewest seconds of spilling counts.

use megha_base::plan::block::{Node, Task};

use super::decide::{Basis, Execution};
use super::ranges::{Placed, Plan, Program};
use super::run::{BUFFERS, FEWEST};
use super::schedule::{self, Graph, Side};

/// How often a block is placed again with the costs of spilling.
const AGAIN: usize = 2;

impl Execution<'_> {
    /// Whether the device has room for a node's arrays at once.
    pub(super) fn fits(&self, node: &Node) -> bool {
        self.room[0] || self.working_set(node) <= self.budget
    }

    /// Bytes that a node's arrays take on the device.
    fn working_set(&self, node: &Node) -> u64 {
        let again = |d: &&usize| !node.reads.contains(*d);
        let all = node.reads.iter().chain(node.writes.iter().filter(again));
        all.map(|d| self.taken(*d)).fold(0, u64::saturating_add)
    }

    /// Bytes that an array takes on the device.
    fn taken(&self, data: usize) -> u64 {
        match self.bytes(&self.block.data[data]) as u64 {
            0 => 0,
            bytes => self.device.takes(bytes),
        }
    }

    /// Seconds of a kernel that goes through the device in parts: the longest of the three queues, which overlap, and what the others do for the first and the last part.
    pub(super) fn seconds_in_parts(&self, node: &Node, basis: &Basis) -> Option<f64> {
        let Task::Kernel(number) = node.task else { return None };
        if self.uncut.contains(&number) {
            return None;
        }
        // each part begins copies of its own
        let parts = (BUFFERS as u64 * self.working_set(node)).div_ceil(self.budget.max(1)).max(FEWEST as u64);
        let begun = (parts - 1) as f64 * basis.rates.copy.as_secs_f64();
        let copies = |side: Side, list: &[usize]| -> f64 {
            list.iter().map(|d| basis.copies.seconds(side, self.bytes(&self.block.data[*d])) + begun).sum()
        };
        let correction = basis.learned.correction(self.case(node, Side::Gpu));
        let kernel = self.busy(node, basis)?.seconds(parts as f64) * correction;
        let queues = [copies(Side::Gpu, &node.reads), copies(Side::Cpu, &node.writes), kernel];
        let longest = queues.into_iter().fold(0.0, f64::max);
        Some(longest + (queues.into_iter().sum::<f64>() - longest) / parts as f64)
    }

    /// Whether a node that does not fit is better off in parts on the device than on the CPU.
    pub(super) fn is_in_parts(&self, node: &Node, basis: &Basis) -> bool {
        let on_cpu = || self.corrected(node, Side::Cpu, basis);
        !self.fits(node) && self.seconds_in_parts(node, basis).is_some_and(|seconds| seconds < on_cpu())
    }

    /// The live ranges that a placement has on the device.
    fn ranges(&self, sides: &[Side], basis: &Basis) -> Program {
        Program::of_block(&Placed {
            block: self.block,
            present: &self.present,
            rounds: self.repeat,
            budget: self.budget,
            bytes: &|data| self.taken(data),
            seconds: &|data| {
                [Side::Cpu, Side::Gpu].map(|side| basis.copies.seconds(side, self.bytes(&self.block.data[data])))
            },
            on_device: &|number| sides[number] == Side::Gpu && self.fits(&self.block.nodes[number]),
            in_parts: &|number| self.is_in_parts(&self.block.nodes[number], basis),
        })
    }

    /// What leaves the device where for a placement.
    pub(super) fn spills(&self, sides: &[Side], basis: &Basis) -> Plan {
        self.ranges(sides, basis).plan()
    }

    /// The placement that is best with what spilling costs.
    pub(super) fn placed_under_pressure(&self, graph: &Graph, basis: &Basis) -> Vec<Side> {
        let all_on_cpu = vec![Side::Cpu; graph.nodes.len()];
        let mut best = (schedule::worthwhile(graph), all_on_cpu);
        let mut dearer = graph.clone();
        for _ in 0..=AGAIN {
            let sides = schedule::assign(&dearer).sides;
            let program = self.ranges(&sides, basis);
            let plan = program.plan();
            let seconds = schedule::length(graph, &sides) + plan.extra;
            if plan.over.is_empty() && seconds < best.0 {
                best = (seconds, sides);
            }
            if plan.extra == 0.0 {
                break;
            }
            for (point, seconds) in program.costs(&plan) {
                let node = &mut dearer.nodes[point];
                node.gpu = node.gpu.map(|gpu| gpu + seconds / program.rounds);
            }
        }
        best.1
    }
}
