//! The k-level look-ahead of Algorithm 1: which edges at a cluster are best collapsed together.

use super::bitset::BitSet;
use super::partition::{Extent, Link, Partition};
use super::weights::Params;

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
    let mut search = Search { partition, params, best: Vec::new(), best_gain: 0.0 };
    let mut trial = Trial {
        extent: group.extent.clone(),
        picked: Vec::new(),
        closed: group.extent.members.clone(),
        gain: 0.0,
        frontier: group.links.iter().map(|(&g, &link)| (g, link)).collect(),
    };
    search.close_hopeless(&mut trial);
    search.explore(&trial, params.look_ahead);
    search.best
}

/// The groups merged so far with the start, as if they were collapsed.
struct Trial {
    extent: Extent,
    /// Without the start.
    picked: Vec<usize>,
    /// Groups not to merge any more: merged already, covered by an earlier branch, or hopeless.
    closed: BitSet,
    gain: f64,
    /// The groups at the edges that could be collapsed next, by ascending number.
    frontier: Vec<(usize, Link)>,
}

struct Search<'a> {
    partition: &'a Partition,
    params: &'a Params,
    best: Vec<usize>,
    best_gain: f64,
}

impl Search<'_> {
    fn explore(&mut self, trial: &Trial, depth: usize) {
        if depth == 0 {
            return;
        }
        let mut ranked: Vec<&(usize, Link)> = trial.frontier.iter().collect();
        ranked.sort_by(|a, b| b.1.benefit.total_cmp(&a.1.benefit).then(a.0.cmp(&b.0)));
        if !trial.picked.is_empty() {
            ranked.truncate(self.params.breadth);
        }
        for &&(group, link) in &ranked {
            let gain = trial.gain + link.benefit;
            if gain > self.best_gain && self.is_legal(&trial.extent, group, link) {
                self.best_gain = gain;
                self.best = trial.picked.iter().copied().chain([group]).collect();
            }
        }
        if depth > 1 {
            for (i, &&(group, link)) in ranked.iter().take(self.params.breadth).enumerate() {
                let next = self.extend(trial, group, link, ranked[..i].iter().map(|edge| edge.0));
                self.explore(&next, depth - 1);
            }
        }
    }

    fn is_legal(&self, extent: &Extent, group: usize, link: Link) -> bool {
        let other = &self.partition.group(group).extent;
        extent.cycle_with(other).is_none()
            && extent.regs_with(other, link) <= self.params.reg_max
            && extent.nonscal_with(other, &self.partition.sizes) + extent.scal_with(other, link) <= self.params.mem_max
    }

    fn extend(&self, trial: &Trial, group: usize, link: Link, earlier: impl Iterator<Item = usize>) -> Trial {
        let added = self.partition.group(group);
        let mut next = Trial {
            extent: trial.extent.join(&added.extent, link, &self.partition.sizes),
            picked: trial.picked.iter().copied().chain([group]).collect(),
            closed: trial.closed.clone(),
            gain: trial.gain + link.benefit,
            frontier: Vec::new(),
        };
        earlier.chain([group]).for_each(|g| next.closed.insert(g));
        let mut links = added.links.clone();
        for &(g, l) in &trial.frontier {
            let sum = links.entry(g).or_default();
            *sum = sum.plus(l);
        }
        next.frontier = links.into_iter().collect();
        self.close_hopeless(&mut next);
        next
    }

    /// Closes the groups at the frontier that no larger set makes legal: past a fusion-preventing edge, over the limit of
    /// registers, or over the limit of memory by non-scalarizable variables alone. (A cycle may be absorbed, and
    /// scalarizable variables may vanish, when more is merged.)
    fn close_hopeless(&self, trial: &mut Trial) {
        let Trial { extent, closed, frontier, .. } = trial;
        frontier.retain(|&(g, link)| {
            let other = &self.partition.group(g).extent;
            let hopeful = !closed.contains(g)
                && !extent.forbidden.intersects(&other.members)
                && extent.regs_with(other, link) <= self.params.reg_max
                && extent.nonscal_with(other, &self.partition.sizes) <= self.params.mem_max;
            if !hopeful {
                closed.insert(g);
            }
            hopeful
        });
    }
}
