//! Why an edge was not collapsed.

use std::collections::BTreeMap;

use super::graph::{EdgeKind, Graph, Node};
use super::partition::{Extent, Link, Partition};
use super::weights::{EdgeWeight, Params};

/// An edge that joins two clusters, and what kept them apart.
#[derive(Clone, Debug, PartialEq)]
pub struct Stopped {
    /// The end that comes first in program order.
    pub from: Node,
    /// The other end.
    pub to: Node,
    /// What makes the two neighbours.
    pub kind: EdgeKind,
    /// `benefit_e`, which the composition forgoes.
    pub benefit: f64,
    /// The first condition that merging the two clusters would break.
    pub stop: Stop,
}

/// A condition that forbids the merge of two clusters, in the order in which they are examined.
#[derive(Clone, Debug, PartialEq)]
pub enum Stop {
    /// The statement is not GPU friendly.
    NotFriendly(Node),
    /// The two statements have different iteration spaces.
    Spaces(Node, Node),
    /// A fusion-preventing edge, with the reason that the caller gave for it.
    Prevented(Node, Node, String),
    /// The two clusters depend on each other through this statement, which is in neither.
    Cycle(Node),
    /// Equation 3.2.1: the merged kernel would use `needed` registers.
    Registers {
        /// The left side of the equation.
        needed: u64,
        /// `R_max`.
        limit: u64,
    },
    /// Equation 3.2.4: the merged kernel would need `needed` memory.
    Memory {
        /// The left side of the equation.
        needed: u128,
        /// `M_max`.
        limit: u128,
    },
    /// The merge is legal, but the edges it would collapse have no positive benefit together.
    NoBenefit(f64),
}

impl Stopped {
    /// One sentence for the user, with the statements' labels.
    pub fn describe(&self, graph: &Graph) -> String {
        let quote = |n: Node| format!("`{}`", graph.label(n));
        let why = match &self.stop {
            Stop::NotFriendly(n) => format!("{} is not GPU friendly", quote(*n)),
            Stop::Spaces(a, b) => format!("{} and {} have different iteration spaces", quote(*a), quote(*b)),
            Stop::Prevented(a, b, reason) if (*a, *b) == (self.from, self.to) => reason.clone(),
            Stop::Prevented(a, b, reason) => {
                format!("that would put {} and {} in one kernel, and {reason}", quote(*a), quote(*b))
            }
            Stop::Cycle(n) => {
                format!("{} runs between them and is in neither kernel, so they would wait for each other", quote(*n))
            }
            Stop::Registers { needed, limit } => {
                format!("the kernel would use {needed} registers, and the limit is {limit}")
            }
            Stop::Memory { needed, limit } => {
                format!("the kernel would need {needed} units of memory, and the limit is {limit}")
            }
            Stop::NoBenefit(benefit) => format!("it would gain nothing (benefit {benefit})"),
        };
        format!("{} and {} stay apart: {why}", quote(self.from), quote(self.to))
    }
}

/// The edges between different groups, each with the condition that forbids collapsing it.
pub(super) fn stopped(graph: &Graph, params: &Params, edges: &[EdgeWeight], partition: &Partition) -> Vec<Stopped> {
    let mut between_groups: BTreeMap<(usize, usize), Stop> = BTreeMap::new();
    let mut all = Vec::new();
    for e in edges {
        let (a, b) = (partition.group_of(e.from.index()), partition.group_of(e.to.index()));
        if a == b {
            continue;
        }
        let stop = pair_apart(graph, e.from, e.to).unwrap_or_else(|| {
            let groups = (a.min(b), a.max(b));
            between_groups.entry(groups).or_insert_with(|| groups_apart(graph, params, groups, partition)).clone()
        });
        all.push(Stopped { from: e.from, to: e.to, kind: e.kind, benefit: e.benefit, stop });
    }
    all
}

fn groups_apart(graph: &Graph, params: &Params, (a, b): (usize, usize), partition: &Partition) -> Stop {
    let link = partition.group(a).links.get(&b).copied().unwrap_or_default();
    let (x, y) = (&partition.group(a).extent, &partition.group(b).extent);
    members_apart(graph, x, y).unwrap_or_else(|| limits(params, partition, x, y, link))
}

/// The first pair of members that no cluster may hold.
fn members_apart(graph: &Graph, x: &Extent, y: &Extent) -> Option<Stop> {
    if !x.forbidden.intersects(&y.members) {
        return None;
    }
    let node = |i: usize| Node(i as u32);
    let mut pairs = x.members.iter().flat_map(|i| y.members.iter().map(move |j| (node(i.min(j)), node(i.max(j)))));
    pairs.find_map(|(i, j)| pair_apart(graph, i, j))
}

/// The condition that forbids any cluster to hold both statements; `a` comes first in program order.
fn pair_apart(graph: &Graph, a: Node, b: Node) -> Option<Stop> {
    let solitary = [a, b].into_iter().find_map(|n| alone(graph, n.index()).map(|reason| (n, reason)));
    match solitary {
        Some((_, Alone::Isolated(reason))) => return Some(Stop::Prevented(a, b, reason.to_owned())),
        Some((n, Alone::NotFriendly)) => return Some(Stop::NotFriendly(n)),
        None => {}
    }
    if let Some(reason) = graph.prevented.get(&(a, b)) {
        return Some(Stop::Prevented(a, b, reason.clone()));
    }
    (graph.statements[a.index()].space != graph.statements[b.index()].space).then_some(Stop::Spaces(a, b))
}

/// Why a statement forms a cluster of its own.
pub(super) enum Alone<'a> {
    NotFriendly,
    Isolated(&'a str),
}

/// Why the statement numbered `node` joins no other, if so.
pub(super) fn alone(graph: &Graph, node: usize) -> Option<Alone<'_>> {
    if !graph.statements[node].friendly {
        return Some(Alone::NotFriendly);
    }
    graph.isolated.get(&Node(node as u32)).map(|reason| Alone::Isolated(reason))
}

/// What stops two groups whose members may share a cluster.
fn limits(params: &Params, partition: &Partition, x: &Extent, y: &Extent, link: Link) -> Stop {
    if let Some(through) = x.cycle_with(y) {
        return Stop::Cycle(Node(through as u32));
    }
    let needed = x.regs_with(y, link);
    if needed > params.reg_max {
        return Stop::Registers { needed, limit: params.reg_max };
    }
    let needed = x.scal_with(y, link) + x.nonscal_with(y, &partition.sizes);
    if needed > params.mem_max {
        return Stop::Memory { needed, limit: params.mem_max };
    }
    Stop::NoBenefit(link.benefit)
}
