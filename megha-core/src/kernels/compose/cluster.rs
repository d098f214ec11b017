//! The result of kernel composition: clusters in an order in which they can run.

use std::collections::BTreeSet;

use super::explain::Stopped;
use super::graph::{Array, EdgeKind, Node};
use super::partition::Partition;
use super::weights::Weights;

/// A set of statements that becomes one kernel, or one statement that is none.
#[derive(Clone, Debug, PartialEq)]
pub struct Cluster {
    /// The statements in program order.
    pub nodes: Vec<Node>,
    /// The scalarizable variables that the cluster eliminates. (Scalarization finds the others that die inside.)
    pub eliminated: Vec<Array>,
    /// Registers: the left side of Equation 3.2.1.
    pub regs: u64,
    /// `M_scal` (Equation 3.2.2), in the unit of the array sizes.
    pub mem_scal: u128,
    /// `M_nonscal` (Equation 3.2.3), in the unit of the array sizes.
    pub mem_nonscal: u128,
    /// The sum of `benefit_e` over the edges inside.
    pub benefit: f64,
}

impl Cluster {
    /// The memory of the kernel, the left side of Equation 3.2.4.
    pub fn memory(&self) -> u128 {
        self.mem_scal + self.mem_nonscal
    }
}

/// What [`compose`](super::compose) returns.
#[derive(Clone, Debug, PartialEq)]
pub struct Clusters {
    /// All clusters, each after every cluster it depends on; where dependences leave a choice, the cluster with the
    /// earliest statement comes first.
    pub clusters: Vec<Cluster>,
    /// By node number: the position in `clusters` of the cluster that holds the statement.
    pub cluster_of: Vec<usize>,
    /// Every edge between two clusters, by ends, with what kept them apart.
    pub stopped: Vec<Stopped>,
}

impl Clusters {
    /// The objective of kernel composition: the sum of the clusters' benefits.
    pub fn benefit(&self) -> f64 {
        self.clusters.iter().map(|c| c.benefit).sum()
    }
}

/// The groups of `partition` as clusters, with the position of each node's.
pub(super) fn in_order(partition: &Partition, weights: &Weights) -> (Vec<Cluster>, Vec<usize>) {
    let order = topological(partition, weights);
    let mut cluster_of = vec![0; weights.nodes.len()];
    for (position, &group) in order.iter().enumerate() {
        partition.group(group).extent.members.iter().for_each(|node| cluster_of[node] = position);
    }
    let mut clusters: Vec<Cluster> = order.iter().map(|&group| cluster(partition, group)).collect();
    for e in &weights.edges {
        let position = cluster_of[e.from.index()];
        if position == cluster_of[e.to.index()] {
            clusters[position].eliminated.extend(&e.scalarized);
        }
    }
    clusters.iter_mut().for_each(|c| c.eliminated.sort());
    (clusters, cluster_of)
}

fn cluster(partition: &Partition, group: usize) -> Cluster {
    let extent = &partition.group(group).extent;
    Cluster {
        nodes: extent.members.iter().map(|i| Node(i as u32)).collect(),
        eliminated: Vec::new(),
        regs: extent.regs,
        mem_scal: extent.scal,
        mem_nonscal: extent.nonscal,
        benefit: extent.benefit,
    }
}

/// The numbers of the groups in a topological order of the quotient graph (Kahn's algorithm, smallest number first).
fn topological(partition: &Partition, weights: &Weights) -> Vec<usize> {
    let dependences = weights.edges.iter().filter(|e| e.kind == EdgeKind::Dependence);
    let between: BTreeSet<(usize, usize)> = dependences
        .map(|e| (partition.group_of(e.from.index()), partition.group_of(e.to.index())))
        .filter(|(a, b)| a != b)
        .collect();
    let mut waits = vec![0_usize; weights.nodes.len()];
    between.iter().for_each(|&(_, to)| waits[to] += 1);
    let mut ready: BTreeSet<usize> = partition.numbers().filter(|&g| waits[g] == 0).collect();
    let mut order = Vec::new();
    while let Some(group) = ready.pop_first() {
        order.push(group);
        for &(_, to) in between.range((group, 0)..(group + 1, 0)) {
            waits[to] -= 1;
            if waits[to] == 0 {
                ready.insert(to);
            }
        }
    }
    order
}
