//! Mapping and scheduling: which nodes of a MATLAB basic block run on the CPU and which on the device, so that all are done soonest.
//!
//! A placement is judged by the list schedule that it has on four resources: the CPU, the device, copies to the device and copies to the
//! host, where a copy starts as soon as its value is there and its direction is free. The host comes to the nodes in program order: it runs
//! its own in that order, and starts those of the device that cannot begin before it comes to them. Placements come from Algorithm 2 of MEGHA (section
//! 3.2.3: the ready node with the highest skew goes where it is finished first), which is greedy: it does not see that a node is worth
//! moving only together with its neighbours, that a loop pays for a copy once, and that the host reads a result afterwards. So
//! [`assign`] goes downhill from its placement, from all nodes on the CPU and from all on the device, by moving nodes and groups of nodes
//! that share data. The result is never worse than any of the three.
//!
//! Times are in seconds. Nothing here knows of devices; estimates come from outside.

mod engines;
mod search;

use engines::{Clocks, Costs};

/// Where a node runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// On the host's processors.
    Cpu,
    /// On the device.
    Gpu,
}

impl Side {
    pub(super) fn other(self) -> Side {
        match self {
            Side::Cpu => Side::Gpu,
            Side::Gpu => Side::Cpu,
        }
    }
}

/// An array that nodes read or write. One that is current nowhere at the start and read before it is written is taken to be everywhere.
#[derive(Debug, Clone, PartialEq)]
pub struct Data {
    /// Seconds of a copy to the device.
    pub upload: f64,
    /// Seconds of a copy to the host.
    pub download: f64,
    /// Whether the host has a current copy at the start.
    pub on_cpu: bool,
    /// Whether the device has a current copy at the start.
    pub on_gpu: bool,
    /// Whether the host reads it after the graph.
    pub needed: bool,
    /// In later rounds it is what this one is when a round ends; else it is where it is left.
    pub again: Option<usize>,
}

/// A kernel or a statement of the host.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Seconds on the CPU.
    pub cpu: f64,
    /// Seconds on the device; `None` if only the CPU runs it.
    pub gpu: Option<f64>,
    /// The data, by index, that it reads. What it updates is in both lists.
    pub reads: Vec<usize>,
    /// The data, by index, that it writes.
    pub writes: Vec<usize>,
    /// Whether the device may begin with it before the host has come to it.
    pub early: bool,
    /// Whether nothing after it may begin before it has ended.
    pub guards: bool,
    /// Whether the copies of what it reads begin only when the host comes to it.
    pub waits: bool,
}

/// The nodes of a MATLAB basic block in program order. A node depends on earlier ones of which it reads or overwrites a result, on
/// those that read what it overwrites, and on those that guard what follows.
#[derive(Debug, Clone, PartialEq)]
pub struct Graph {
    /// The arrays.
    pub data: Vec<Data>,
    /// The nodes.
    pub nodes: Vec<Node>,
    /// How often the graph runs in a row, each time on what the last one left where it left it; at least 1.
    pub repeat: f64,
    /// Seconds from where the host comes to a node of the device to where the device can begin with it, beside what the node takes: what the host
    /// needs for each thing that it puts into a queue.
    pub lag: f64,
}

/// A placement and the schedule that it has.
#[derive(Debug, Clone, PartialEq)]
pub struct Schedule {
    /// Where each node runs.
    pub sides: Vec<Side>,
    /// When each node starts, in the first round.
    pub start: Vec<f64>,
    /// The nodes in an order in which a host that waits for its own nodes, but not for those of the device, should issue them: it
    /// respects the dependences, and what the device can begin with comes before the host's own work.
    pub order: Vec<usize>,
    /// Seconds of all rounds and of the copies of what the host needs.
    pub length: f64,
}

/// A good placement. For up to seven nodes that can run on the device it is the best, for up to ten nearly always; in graphs of up to 60
/// nodes it is a local minimum if there was time to reach one; beyond that, the best of Algorithm 2, all on the CPU, and all on the device.
pub fn assign(graph: &Graph) -> Schedule {
    let costs = Costs::new(graph);
    let mut clocks = Clocks::new(&costs);
    let sides = search::placement(&costs, &mut clocks);
    finished(&mut clocks, sides)
}

/// The schedule of a placement. Nodes that only the CPU runs are there whatever `sides` says.
pub fn schedule(graph: &Graph, sides: &[Side]) -> Schedule {
    let costs = Costs::new(graph);
    finished(&mut Clocks::new(&costs), costs.possible(sides))
}

/// The part of the time that a placement must save against all nodes on the CPU: less is lost in estimates.
const LEAST_GAIN: f64 = 0.01;

/// The seconds below which a placement is worth more than all nodes on the CPU.
pub fn worthwhile(graph: &Graph) -> f64 {
    length(graph, &vec![Side::Cpu; graph.nodes.len()]) * (1.0 - LEAST_GAIN)
}

/// The seconds that a placement takes. Nodes that only the CPU runs are there whatever `sides` says.
pub fn length(graph: &Graph, sides: &[Side]) -> f64 {
    let costs = Costs::new(graph);
    Clocks::new(&costs).length(&costs.possible(sides), f64::INFINITY)
}

fn finished(clocks: &mut Clocks<'_>, sides: Vec<Side>) -> Schedule {
    let length = clocks.length(&sides, f64::INFINITY);
    let start = clocks.starts(&sides);
    let order = clocks.issue_order(&sides, &start);
    Schedule { sides, start, order, length }
}

#[cfg(test)]
mod tests;
