//! Placement of a block whose arrays do not all fit the device (MEGHA, section 4.1.6).
//!
//! The thesis maps kernels as if memory were endless, spills, and takes all of a block back to the CPU if that is then faster. Here what spilling costs counts in
//! the placement: the nodes that a spilled range waits for become dearer by its copies, and the block is placed again. A kernel that does not fit even alone may go through the device in parts
//! (`run/stream.rs`); then it takes its arrays from the host and leaves them there, as one of the CPU does. Of all placements that were considered, all on the CPU
//! among them, the one with the shortest schedule and fewest seconds of spilling counts. A loop over time may be faster still where some steps of it go through
//! the device at once (`tiles.rs`).

use megha_base::plan::block::{Data, Form, Node, Task};

use super::decide::{Basis, Decision, Execution, overlapped};
use super::ranges::{Placed, Plan, Program};
use super::run::{BUFFERS, FEWEST};
use super::schedule::{self, Graph, Side};
use super::tiles::{self, Pace, Shape, Strip, Tiling};
use crate::Order;

/// How often a block is placed again with the costs of spilling.
const AGAIN: usize = 2;
/// Of so many nodes all placements are tried,
const FEW: usize = 6;
/// of more so many.
const TRIES: usize = 64;
/// By how many planes arrays of one grid differ: values between points, and borders.
const AROUND: i64 = 16;

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

    /// Seconds of a kernel that goes through the device in parts: its copies and launches overlap.
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
        Some(overlapped(&queues, parts as f64))
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
            again: &|number| Some(self.corrected(&self.block.nodes[number], Side::Gpu, basis)),
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
        // what goes through in parts takes the memory of arrays that are there
        let kept = self.spills(&all_on_cpu, basis).extra;
        let mut best = (schedule::worthwhile(graph) + kept, all_on_cpu);
        let mut dearer = graph.clone();
        for _ in 0..=AGAIN {
            let sides = schedule::assign(&dearer).sides;
            let Some((program, plan)) = self.consider(graph, basis, (&sides, &mut best)) else { break };
            if plan.extra == 0.0 {
                break;
            }
            for (point, seconds) in program.costs(&plan) {
                let node = &mut dearer.nodes[point];
                node.gpu = node.gpu.map(|gpu| gpu + seconds / program.rounds);
            }
        }
        self.search(graph, basis, &mut best);
        best.1
    }

    /// Keeps a placement if it is shorter than the best one, with what spilling costs; its ranges and what is spilled, if it might be.
    fn consider(
        &self,
        graph: &Graph,
        basis: &Basis,
        (sides, best): (&[Side], &mut (f64, Vec<Side>)),
    ) -> Option<(Program, Plan)> {
        let length = schedule::length(graph, sides);
        if length >= best.0 {
            return None;
        }
        let program = self.ranges(sides, basis);
        let plan = program.plan();
        if plan.over.is_empty() && length + plan.extra < best.0 {
            *best = (length + plan.extra, sides.to_vec());
        }
        Some((program, plan))
    }

    /// Tries all placements of a few nodes; of more, other sides for one of them at a time, as long as that helps and there is time.
    fn search(&self, graph: &Graph, basis: &Basis, best: &mut (f64, Vec<Side>)) {
        let movable: Vec<usize> = (0..graph.nodes.len()).filter(|number| graph.nodes[*number].gpu.is_some()).collect();
        if movable.len() <= FEW {
            for set in 0..1u32 << movable.len() {
                let mut sides = vec![Side::Cpu; graph.nodes.len()];
                movable
                    .iter()
                    .enumerate()
                    .filter(|(bit, _)| set >> bit & 1 == 1)
                    .for_each(|(_, n)| sides[*n] = Side::Gpu);
                self.consider(graph, basis, (&sides, best));
            }
            return;
        }
        let mut same = 0;
        for number in movable.iter().cycle().take(TRIES) {
            let (mut sides, before) = (best.1.clone(), best.0);
            sides[*number] = sides[*number].other();
            self.consider(graph, basis, (&sides, best));
            same = if best.0 < before { 0 } else { same + 1 };
            if same == movable.len() {
                break;
            }
        }
    }

    /// This decision, or that some steps at once go through the device where that is shorter.
    pub(super) fn tiled_if_shorter(&self, plain: Decision, basis: &Basis) -> Decision {
        match self.tiling(basis) {
            Some((tiling, pace)) if tiling.each < plain.each => self.tiled((tiling, pace), plain),
            Some(_) | None => plain,
        }
    }

    /// That some steps at once go through the device.
    pub(super) fn tiled(&self, (tiling, pace): (Tiling, Pace), plain: Decision) -> Decision {
        let nodes = self.block.nodes.len();
        let (sides, in_parts) = (vec![Side::Cpu; nodes], vec![false; nodes]);
        // steps that wait are decided together
        let rounds = self.repeat.min((tiles::MOST / nodes.max(1)) as u64);
        let (each, first) = (tiling.each, tiling.each * rounds as f64);
        Decision { sides, in_parts, each, first, spills: None, at_once: Some(pace), ..plain }
    }

    /// How the loop around the block is best tiled in time, if it can be, and what its kernels need.
    pub(super) fn tiling(&self, basis: &Basis) -> Option<(Tiling, Pace)> {
        let slope = self.slope?;
        // copies are made once, and tests that touch no array are the host's in any case
        let beside = |node: &Node| match node.task {
            Task::Memory => true,
            Task::Host => node.reads.is_empty() && node.writes.is_empty(),
            Task::Kernel(_) | Task::Product(_) => false,
        };
        let nodes = || self.block.nodes.iter().filter(|node| !beside(node));
        let is_kernel = |node: &Node| matches!(node.task, Task::Kernel(_)) && node.form == Form::Points;
        if !nodes().all(is_kernel) {
            return None;
        }
        let launches = nodes().count().max(1);
        let queued = basis.rates.queued.as_secs_f64();
        let seconds = nodes().map(|node| (self.corrected(node, Side::Gpu, basis) - queued).max(0.0)).sum();
        let points = nodes().map(|node| self.size(&node.points)).sum::<f64>() / launches as f64;
        let pace = Pace { seconds, points };
        let steps = usize::try_from(self.repeat).unwrap_or(usize::MAX).min(tiles::MOST / launches);
        let best = self.shape(slope, launches).best((steps, pace), (self.device, &basis.rates), self.budget)?;
        (best.steps > 1).then_some((best, pace))
    }

    /// The block as steps of a loop, as far as it is known before its launches are: arrays with about as many planes as the others go through in windows.
    fn shape(&self, slope: i64, launches: usize) -> Shape {
        let planes = |data: &Data| {
            let mut long = data.dims.iter().map(|dim| self.size(dim) as i64).filter(|size| *size != 1);
            let slowest = if self.order == Order::ColMajor { long.next_back() } else { long.next() };
            slowest.unwrap_or(1)
        };
        let all: Vec<i64> = self.block.data.iter().map(planes).collect();
        let most = all.iter().copied().max().unwrap_or(1);
        let mut shape = Shape { strips: Vec::new(), whole: 0, slope, launches };
        for (number, (data, planes)) in self.block.data.iter().zip(all).enumerate() {
            let bytes = self.bytes(data) as u64;
            let stored = self.block.nodes.iter().any(|node| node.writes.contains(&number));
            if planes + AROUND < most {
                shape.whole += self.taken(number);
            } else if planes > 0 {
                let each = bytes / planes.unsigned_abs();
                shape.strips.push(Strip { planes, each, span: slope + 1, grows: true, sent: true, stored });
            }
        }
        shape
    }
}

#[cfg(all(test, feature = "sim"))]
mod tests;
