//! The clusters while they grow: groups of statements, the quotient graph between them, and what a merge would cost.

use std::collections::BTreeMap;

use super::bitset::BitSet;
use super::graph::{EdgeKind, Graph};
use super::weights::Weights;

/// All edges between two groups as one, with the sums of their weights: collapsing one of them absorbs the others.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Link {
    pub(super) benefit: f64,
    /// Σ `reg_e`.
    pub(super) reg: u64,
    /// −Σ `mem_e`: what the merge takes off the memory of scalarizable variables.
    pub(super) freed: u128,
}

impl Link {
    pub(super) fn plus(self, other: Link) -> Link {
        Link { benefit: self.benefit + other.benefit, reg: self.reg + other.reg, freed: self.freed + other.freed }
    }
}

/// A set of statements with everything that legality and cost of a further merge depend on.
#[derive(Clone, Debug)]
pub(super) struct Extent {
    pub(super) members: BitSet,
    /// The nodes that may not share a cluster with a member, whatever else is merged.
    pub(super) forbidden: BitSet,
    /// The nodes of other groups that must run after a member, directly or through other groups.
    pub(super) after: BitSet,
    /// The nodes of other groups that must run before a member.
    pub(super) before: BitSet,
    /// The non-scalarizable variables referenced.
    pub(super) used: BitSet,
    /// The left side of Equation 3.2.1.
    pub(super) regs: u64,
    /// `M_scal` (Equation 3.2.2).
    pub(super) scal: u128,
    /// `M_nonscal` (Equation 3.2.3).
    pub(super) nonscal: u128,
    /// Σ `benefit_e` of the edges inside.
    pub(super) benefit: f64,
}

impl Extent {
    /// A node outside both sets on a path from one to the other, which a merge would close to a cycle.
    pub(super) fn cycle_with(&self, other: &Extent) -> Option<usize> {
        BitSet::first_between(
            [&self.after, &other.after],
            [&self.before, &other.before],
            [&self.members, &other.members],
        )
    }

    pub(super) fn regs_with(&self, other: &Extent, link: Link) -> u64 {
        self.regs + other.regs + link.reg
    }

    pub(super) fn nonscal_with(&self, other: &Extent, sizes: &[u64]) -> u128 {
        self.nonscal + other.used.minus(&self.used).map(|a| u128::from(sizes[a])).sum::<u128>()
    }

    pub(super) fn scal_with(&self, other: &Extent, link: Link) -> u128 {
        self.scal + other.scal - link.freed
    }

    /// Both sets as one.
    pub(super) fn join(&self, other: &Extent, link: Link, sizes: &[u64]) -> Extent {
        let union = |a: &BitSet, b: &BitSet| {
            let mut u = a.clone();
            u.union_with(b);
            u
        };
        let members = union(&self.members, &other.members);
        let mut after = union(&self.after, &other.after);
        let mut before = union(&self.before, &other.before);
        after.subtract(&members);
        before.subtract(&members);
        Extent {
            members,
            after,
            before,
            forbidden: union(&self.forbidden, &other.forbidden),
            used: union(&self.used, &other.used),
            regs: self.regs_with(other, link),
            scal: self.scal_with(other, link),
            nonscal: self.nonscal_with(other, sizes),
            benefit: self.benefit + other.benefit + link.benefit,
        }
    }
}

/// A node of the quotient graph.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) extent: Extent,
    /// The neighbours, by group number.
    pub(super) links: BTreeMap<usize, Link>,
}

/// The quotient graph. A group is numbered by its first statement; what is stored under other numbers is dead.
#[derive(Clone, Debug)]
pub(super) struct Partition {
    groups: Vec<Group>,
    group_of: Vec<usize>,
    /// By array number.
    pub(super) sizes: Vec<u64>,
}

impl Partition {
    /// Every statement by itself.
    pub(super) fn singletons(graph: &Graph, weights: &Weights) -> Partition {
        let n = graph.statements.len();
        let sizes: Vec<u64> = graph.arrays.iter().map(|a| a.size).collect();
        let [after, before] = reachability(n, weights);
        let forbidden = forbidden(graph);
        let extents =
            after.into_iter().zip(before).zip(forbidden).enumerate().map(|(i, ((after, before), forbidden))| {
                let weight = &weights.nodes[i];
                let mut members = BitSet::new(n);
                members.insert(i);
                let mut used = BitSet::new(sizes.len());
                weight.used.iter().for_each(|a| used.insert(a.index()));
                let nonscal = used.iter().map(|a| u128::from(sizes[a])).sum();
                let regs = u64::from(weight.reg);
                Extent { members, forbidden, after, before, used, regs, scal: weight.mem, nonscal, benefit: 0.0 }
            });
        let mut groups: Vec<Group> = extents.map(|extent| Group { extent, links: BTreeMap::new() }).collect();
        for e in &weights.edges {
            let link = Link { benefit: e.benefit, reg: e.scalarized.len() as u64, freed: e.mem.unsigned_abs() };
            groups[e.from.index()].links.insert(e.to.index(), link);
            groups[e.to.index()].links.insert(e.from.index(), link);
        }
        Partition { groups, group_of: (0..n).collect(), sizes }
    }

    /// The number of statements.
    pub(super) fn len(&self) -> usize {
        self.group_of.len()
    }

    pub(super) fn group(&self, number: usize) -> &Group {
        &self.groups[number]
    }

    /// The number of the group that holds `node`.
    pub(super) fn group_of(&self, node: usize) -> usize {
        self.group_of[node]
    }

    /// Whether `node` is in no group with another.
    pub(super) fn is_single(&self, node: usize) -> bool {
        self.groups[self.group_of[node]].extent.members.iter().nth(1).is_none()
    }

    /// The numbers of the groups, in ascending order.
    pub(super) fn numbers(&self) -> impl Iterator<Item = usize> + '_ {
        self.group_of.iter().enumerate().filter(|&(node, &group)| node == group).map(|(node, _)| node)
    }

    /// Collapses all edges between two linked groups into one node η: edges inside are absorbed, edges to a common
    /// neighbour combine, and reachability follows. Returns the number of η.
    ///
    /// A cycle may stand between merges of one set of edges, as long as the set as a whole closes none: reachability
    /// through the cycle is then exact too.
    pub(super) fn collapse(&mut self, a: usize, b: usize) -> usize {
        let (kept, gone) = (a.min(b), a.max(b));
        let absorbed = std::mem::take(&mut self.groups[gone].links);
        let link = self.groups[kept].links.remove(&gone).unwrap_or_default();
        for (neighbour, weight) in absorbed.into_iter().filter(|&(x, _)| x != kept) {
            let links = &mut self.groups[neighbour].links;
            links.remove(&gone);
            let back = links.entry(kept).or_default();
            *back = back.plus(weight);
            let combined = *back;
            self.groups[kept].links.insert(neighbour, combined);
        }
        let eta = self.groups[kept].extent.join(&self.groups[gone].extent, link, &self.sizes);
        for node in eta.members.iter() {
            self.group_of[node] = kept;
        }
        for node in eta.before.iter() {
            let after = &mut self.groups[self.group_of[node]].extent.after;
            after.union_with(&eta.members);
            after.union_with(&eta.after);
        }
        for node in eta.after.iter() {
            let before = &mut self.groups[self.group_of[node]].extent.before;
            before.union_with(&eta.members);
            before.union_with(&eta.before);
        }
        self.groups[kept].extent = eta;
        kept
    }
}

/// For each node, the nodes that its dependence edges reach, and the nodes that reach it. Edges follow program order, so
/// one sweep in each direction suffices.
fn reachability(n: usize, weights: &Weights) -> [Vec<BitSet>; 2] {
    let mut after = vec![BitSet::new(n); n];
    let mut before = after.clone();
    let mut into: Vec<Vec<usize>> = vec![Vec::new(); n];
    let mut out = into.clone();
    for e in weights.edges.iter().filter(|e| e.kind == EdgeKind::Dependence) {
        into[e.to.index()].push(e.from.index());
        out[e.from.index()].push(e.to.index());
    }
    let close = |closure: &mut Vec<BitSet>, node: usize, neighbours: &[usize]| {
        let mut reached = BitSet::new(n);
        for &x in neighbours {
            reached.insert(x);
            reached.union_with(&closure[x]);
        }
        closure[node] = reached;
    };
    (0..n).for_each(|i| close(&mut before, i, &into[i]));
    (0..n).rev().for_each(|i| close(&mut after, i, &out[i]));
    [after, before]
}

/// For each node, the nodes that no cluster may hold together with it: fusion-preventing edges, other iteration spaces,
/// statements that stay alone.
fn forbidden(graph: &Graph) -> Vec<BitSet> {
    let n = graph.statements.len();
    let alone: Vec<bool> = (0..n).map(|i| super::explain::alone(graph, i).is_some()).collect();
    let mut sets = vec![BitSet::new(n); n];
    for (a, set) in sets.iter_mut().enumerate() {
        let space = graph.statements[a].space;
        let apart = |b: usize| alone[a] || alone[b] || graph.statements[b].space != space;
        (0..n).filter(|&b| b != a && apart(b)).for_each(|b| set.insert(b));
    }
    for (a, b) in graph.prevented.keys().map(|(a, b)| (a.index(), b.index())) {
        sets[a].insert(b);
        sets[b].insert(a);
    }
    sets
}
