//! The k-level look-ahead of Algorithm 1: which edges at a cluster are best collapsed together.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::bitset::BitSet;
use super::partition::{Extent, Link, Partition};
use super::weights::Params;

/// How many edges one step examines beyond its first level. A step in a block of ordinary statements, each with a handful
/// of neighbours, needs some hundreds; the limit is for blocks in which everything is everything's neighbour.
const EFFORT: usize = 1024;

/// The groups that the most beneficial legal set of at most `k` edges at group `start` merges with it, in the order in
/// which the set connects them; empty if no set has a positive benefit. (`legalKDepthMerges` and `maxBenefit` of
/// Algorithm 1.)
///
/// Sets are enumerated by growing: each edge at the groups merged so far is collapsed in turn, and edges tried earlier
/// at a level are left to the sets that hold them. Only the set as a whole must be legal, so a merge that closes a cycle
/// alone is found together with the node the cycle goes through. Of equal benefits the set found first wins: fewer edges,
/// then program order.
pub(super) fn best_merges(partition: &Partition, params: &Params, start: usize) -> Vec<usize> {
    let group = partition.group(start);
    let mut search = Search { partition, params, best: Vec::new(), best_gain: 0.0, effort: EFFORT };
    let trial = Trial {
        extent: group.extent.clone(),
        picked: Vec::new(),
        closed: BitSet::new(partition.len()),
        gain: 0.0,
        frontier: group.links.iter().map(|(&group, &link)| Edge { group, link }).collect(),
    };
    search.explore(trial, params.look_ahead.max(1));
    search.best
}

/// All edges between the groups merged so far and one other group.
#[derive(Clone, Copy)]
struct Edge {
    group: usize,
    link: Link,
}

/// The best edge is the greatest: that of the greatest benefit, of equal ones that to the first group in program order.
impl Ord for Edge {
    fn cmp(&self, other: &Edge) -> Ordering {
        self.link.benefit.total_cmp(&other.link.benefit).then(other.group.cmp(&self.group))
    }
}

impl PartialOrd for Edge {
    fn partial_cmp(&self, other: &Edge) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Edge {
    fn eq(&self, other: &Edge) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Edge {}

/// The groups merged so far with the start, as if they were collapsed.
struct Trial {
    extent: Extent,
    /// Without the start.
    picked: Vec<usize>,
    /// Groups not to merge any more: an earlier branch covers them, or they are hopeless.
    closed: BitSet,
    gain: f64,
    /// The edges that could be collapsed next, by ascending group; some may lead to closed groups.
    frontier: Vec<Edge>,
}

struct Search<'a> {
    partition: &'a Partition,
    params: &'a Params,
    best: Vec<usize>,
    best_gain: f64,
    /// How many more edges may be examined beyond the first level.
    effort: usize,
}

impl Search<'_> {
    /// Tries every set that adds up to `depth` groups to a trial.
    fn explore(&mut self, mut trial: Trial, depth: usize) {
        if depth == 0 {
            return;
        }
        let ranked = self.ranked(&mut trial);
        for edge in &ranked {
            let gain = trial.gain + edge.link.benefit;
            if gain > self.best_gain && self.is_legal(&trial.extent, edge) {
                self.best_gain = gain;
                self.best = trial.picked.iter().copied().chain([edge.group]).collect();
            }
        }
        if depth > 1 {
            for edge in ranked.iter().take(self.params.breadth) {
                let effort = trial.frontier.len() + self.partition.group(edge.group).links.len();
                if effort > self.effort {
                    break;
                }
                self.effort -= effort;
                self.explore(self.extend(&trial, edge), depth - 1);
                trial.closed.insert(edge.group);
            }
        }
    }

    /// The hopeful edges of the frontier, best first: at the first level all of them, at others as many as are followed.
    /// Groups found hopeless are closed.
    fn ranked(&self, trial: &mut Trial) -> Vec<Edge> {
        let mut heap = BinaryHeap::with_capacity(trial.frontier.len());
        for edge in &trial.frontier {
            if trial.closed.contains(edge.group) {
                continue;
            }
            if self.is_hopeful(&trial.extent, edge) {
                heap.push(*edge);
            } else {
                trial.closed.insert(edge.group);
            }
        }
        let limit = if trial.picked.is_empty() { heap.len() } else { self.params.breadth };
        std::iter::from_fn(|| heap.pop()).take(limit).collect()
    }

    /// Whether a set with this edge can be legal: no fusion-preventing edge, registers within the limit, and memory too
    /// as far as non-scalarizable variables go. (A cycle may be absorbed, and scalarizable variables may vanish, when more
    /// is merged.)
    fn is_hopeful(&self, extent: &Extent, edge: &Edge) -> bool {
        let other = &self.partition.group(edge.group).extent;
        !extent.forbidden.intersects(&other.members)
            && extent.regs_with(other, edge.link) <= self.params.reg_max
            && self.fits(|| extent.nonscal_with(other, &self.partition.sizes))
    }

    /// Whether so much memory is within the limit; it is not computed where there is none.
    fn fits(&self, memory: impl FnOnce() -> u128) -> bool {
        self.params.mem_max == u128::MAX || memory() <= self.params.mem_max
    }

    /// Whether a hopeful edge may be the last one collapsed.
    fn is_legal(&self, extent: &Extent, edge: &Edge) -> bool {
        let other = &self.partition.group(edge.group).extent;
        let memory = || extent.nonscal_with(other, &self.partition.sizes) + extent.scal_with(other, edge.link);
        extent.cycle_with(other).is_none() && self.fits(memory)
    }

    /// The trial with one more edge collapsed.
    fn extend(&self, trial: &Trial, edge: &Edge) -> Trial {
        let added = self.partition.group(edge.group);
        let extent = trial.extent.join(&added.extent, edge.link, &self.partition.sizes);
        let outside = |g: usize| !extent.members.contains(g);
        let mut links = added.links.iter().map(|(&group, &link)| Edge { group, link }).peekable();
        let mut frontier = Vec::with_capacity(trial.frontier.len() + added.links.len());
        for &old in trial.frontier.iter().filter(|e| outside(e.group)) {
            while let Some(new) = links.next_if(|new| new.group < old.group) {
                frontier.push(new);
            }
            let absorbed = links.next_if(|new| new.group == old.group);
            frontier.push(absorbed.map_or(old, |new| Edge { link: old.link.plus(new.link), ..old }));
        }
        frontier.extend(links);
        frontier.retain(|e| outside(e.group));
        Trial {
            picked: trial.picked.iter().copied().chain([edge.group]).collect(),
            closed: trial.closed.clone(),
            gain: trial.gain + edge.link.benefit,
            extent,
            frontier,
        }
    }
}
