//! Arrays that are computed again at the end of a gap (Kirisame et al., *Dynamic Tensor Rematerialization*, 2021; Peng et al., *Capuchin*, 2020).
//!
//! What made the array is repeated, once: what that reads is real, is written by nobody before, and is on the device at the end of the gap, or comes there from a
//! current copy of the host.

use super::{Again, Array, Gap, Placed, Plan, Program, Use, User};

impl Array {
    /// Seconds in which the array is computed again at the end of a gap, if it may be.
    pub(super) fn seconds_again(&self, gap: &Gap) -> Option<f64> {
        let is_it = |again: &&Again| gap.after == Some(again.after) && gap.before == Some(again.before);
        self.again.iter().find(is_it).map(|again| again.seconds)
    }

    /// The same if that is cheaper than the link at the use that ends the gap, with a current copy on the host or not.
    pub(super) fn is_cheaper_again(&self, gap: &Gap, (use_, host): (&Use, bool)) -> Option<f64> {
        let again = self.seconds_again(gap).filter(|_| use_.reads)?;
        let link = self.upload + if host { 0.0 } else { self.download };
        // what the host needs as it is comes down in any case
        let later = if !host && self.comes_down_behind(use_) { self.download } else { 0.0 };
        (again + later < link).then_some(again)
    }

    /// Whether the host needs the array as it is at a use.
    fn comes_down_behind(&self, use_: &Use) -> bool {
        if use_.writes {
            return false;
        }
        let behind = self.uses.iter().find(|u| u.point > use_.point && (u.writes || u.user == User::Host));
        behind.map_or(self.needed, |u| u.user == User::Host && u.reads)
    }
}

impl Program {
    /// The gaps of a plan at whose ends arrays are computed again, and the seconds of each.
    pub fn computed_again(&self, plan: &Plan) -> Vec<(Gap, f64)> {
        let mut found: Vec<(Gap, f64)> = Vec::new();
        for own in plan.spills.chunk_by(|a, b| a.array == b.array) {
            self.walk(own[0].array, own, &mut |gap, seconds| {
                if !found.iter().any(|(known, _)| known == gap) {
                    found.push((*gap, seconds));
                }
            });
        }
        found
    }

    /// Finds the gaps at whose ends arrays of a block may be computed again.
    pub(super) fn find_again(&mut self, placed: &Placed<'_>) {
        for number in 0..self.arrays.len() {
            let mut again = Vec::new();
            self.for_each_gap(number, &mut |gap| again.extend(self.again_behind(gap, placed)));
            self.arrays[number].again = again;
        }
    }

    /// A gap, if its array may be computed again at its end.
    fn again_behind(&self, gap: Gap, placed: &Placed<'_>) -> Option<Again> {
        let (after, before) = (gap.after?, gap.before.filter(|before| gap.after < Some(*before))?);
        let made = self.arrays[gap.array].uses.iter().rfind(|u| u.point <= after && u.writes)?;
        let node = placed.block.nodes.get(made.point).filter(|node| node.can_be_repeated())?;
        let mut seconds = (placed.again)(made.point).filter(|_| made.user == User::Device)?;
        let others = placed.block.nodes[before].reads.iter().chain(&placed.block.nodes[before].writes);
        let mut there: Vec<usize> = others.copied().chain([gap.array]).collect();
        for input in &node.reads {
            let array = &self.arrays[*input];
            let mut between = array.uses.iter().filter(|u| u.point > made.point && u.point < before);
            let mut behind = array.uses.iter().filter(|u| u.point >= before);
            let lives = placed.block.data[*input].lives || behind.clone().next().is_some();
            if between.any(|u| u.writes) || !lives {
                return None;
            }
            if !behind.any(|u| u.user == User::Device) {
                let is_on_host = array.on_host && !array.uses.iter().any(|u| u.user == User::Device && u.writes);
                seconds += is_on_host.then_some(array.upload)?;
            }
            there.push(*input);
        }
        there.sort_unstable();
        there.dedup();
        let bytes = there.iter().map(|array| self.arrays[*array].bytes).fold(0, u64::saturating_add);
        (bytes <= self.budget).then_some(Again { after, before, seconds })
    }
}
