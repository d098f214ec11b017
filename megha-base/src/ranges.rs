//! Live ranges on a device, and which of them are spilled so that all that is live at once fits (MEGHA, section 4.1).
//!
//! The program points are the statements of a block; sizes are known when it runs, so all of this is done then. A *range* is the part of the program in
//! which the device has a current copy of an array: from where it is sent or made to its last use there, and around the loop where the block runs again.
//! Ranges are rounded to intervals, so the sets that are live together are the maximal cliques of an interval graph, found in one sweep
//! over the ends of intervals (Algorithm 4, `cliques.rs`). Where a clique is larger than the budget, gaps between uses are given up until all
//! fit (Algorithm 3, `spill.rs`), by each of two priorities: the thesis's, size over the number of transfers (Equation 4.1.4), which spills a range in all of its gaps, and
//! bytes and distance to the next use over the seconds of the link (Belady, weighted by how often the block runs), which spills single gaps.
//! Gaps that turn out not to be needed are taken back. From the plan of both that is predicted to move for fewer seconds a short search goes on for a better one (`search.rs`), so where few
//! ranges compete the best choice of gaps is found. It is the same in all rounds: arrays of which one has to leave do not take turns.
//! Where what made an array can be repeated at the end of a gap for less than its copies take, the gap costs that (`again.rs`).
//!
//! What is here knows no device: bytes, seconds and points come from outside, for one device. Several have a plan each.

mod again;
mod cliques;
mod of_block;
mod search;
mod spill;

pub use cliques::{Clique, cliques};
pub use of_block::Placed;

/// Who uses an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum User {
    /// A kernel or product of the device.
    Device,
    /// The host: what it reads comes down, what it writes makes the device's copy void.
    Host,
}

/// A use of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Use {
    /// The point.
    pub point: usize,
    /// Who.
    pub user: User,
    /// Whether its elements are read.
    pub reads: bool,
    /// Whether they are written.
    pub writes: bool,
}

/// An array of a program.
#[derive(Debug, Clone, Default)]
pub struct Array {
    /// Bytes that it takes on the device.
    pub bytes: u64,
    /// Seconds of a copy to the device.
    pub upload: f64,
    /// Seconds of a copy to the host.
    pub download: f64,
    /// Whether the host has a current copy at the start.
    pub on_host: bool,
    /// Whether the device has one.
    pub on_device: bool,
    /// Whether the host reads it after the program.
    pub needed: bool,
    /// Whether it exists before the program.
    pub exists: bool,
    /// Whether it exists after the program: the next round, as the same or another array, or what comes after all of them finds it where it is left.
    pub stays: bool,
    /// Its uses in the order of the program, at most one for each point.
    pub uses: Vec<Use>,
    /// The gaps at whose end it may be computed again.
    pub again: Vec<Again>,
}

/// A gap within a round at whose end an array may be computed again instead of coming back.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Again {
    /// The last use before the gap.
    pub after: usize,
    /// The first use behind it.
    pub before: usize,
    /// Seconds of the kernel, and of copies of what it reads and is not on the device by then.
    pub seconds: f64,
}

/// A program for one device.
#[derive(Debug, Clone, Default)]
pub struct Program {
    /// Bytes that each point takes beside its arrays.
    pub scratch: Vec<u64>,
    /// The arrays.
    pub arrays: Vec<Array>,
    /// How often it runs in a row; at least 1.
    pub rounds: f64,
    /// Bytes that there are.
    pub budget: u64,
}

/// Two uses on the device, or an end of the program, between which an array may leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gap {
    /// The array.
    pub array: usize,
    /// The last use before it; `None` at the start.
    pub after: Option<usize>,
    /// The first use behind it; `None` if there is none in this round.
    pub before: Option<usize>,
}

/// What leaves the device where.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Plan {
    /// The gaps in which arrays are not there.
    pub spills: Vec<Gap>,
    /// How many ranges were live where too much was.
    pub candidates: usize,
    /// The points that do not fit even alone.
    pub over: Vec<usize>,
    /// Seconds of all copies of all rounds.
    pub seconds: f64,
    /// Seconds of those that spilling adds.
    pub extra: f64,
    /// Most bytes at a point that fits.
    pub peak: u64,
    /// By which priority the gaps were chosen.
    pub by: Priority,
}

/// What decides which range is spilled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Priority {
    /// Size over the number of transfers (MEGHA, Equation 4.1.4).
    Transfers,
    /// Bytes and points to the next use over seconds of the link.
    #[default]
    NextUse,
    /// Neither: a choice that is better than those of both.
    Trial,
}

impl Gap {
    /// The points within it: so far from the start, and from where on to the end.
    fn points(&self, points: usize) -> [std::ops::Range<usize>; 2] {
        match (self.after, self.before) {
            (Some(after), Some(before)) if after < before => [after + 1..before, 0..0],
            // around the end of a round
            (Some(after), Some(before)) => [0..before, after + 1..points],
            (Some(after), None) => [0..0, after + 1..points],
            (None, Some(before)) => [0..before, 0..0],
            (None, None) => [0..points, 0..0],
        }
    }
}

impl Program {
    /// The number of points.
    fn points(&self) -> usize {
        self.scratch.len()
    }

    /// Whether the program runs again, so that what is live at its end and its beginning is live between.
    fn repeats(&self) -> bool {
        self.rounds > 1.0
    }

    /// Gives the gaps in which an array that is not spilled is on the device.
    fn for_each_gap(&self, array: usize, give: &mut dyn FnMut(Gap)) {
        let Array { uses, on_device, exists, stays, .. } = &self.arrays[array];
        let on = |use_: &&Use| use_.user == User::Device;
        let (first, last) = (uses.iter().find(on).map(|u| u.point), uses.iter().rfind(on).map(|u| u.point));
        let (Some(first), Some(last)) = (first, last) else {
            // it was left there, and the host may still void it
            let void = uses.iter().find(|u| u.writes).map(|u| u.point);
            if *on_device {
                give(Gap { array, after: None, before: void });
            }
            return;
        };
        let written_before = uses.iter().take_while(|u| u.point < first).any(|u| u.writes);
        let written_after = uses.iter().any(|u| u.point > last && u.writes);
        let around = self.repeats() && *exists && *stays && !written_before && !written_after;
        if around {
            give(Gap { array, after: Some(last), before: Some(first) });
        } else if *on_device && !written_before {
            give(Gap { array, after: None, before: Some(first) });
        }
        let mut device = None;
        for use_ in uses {
            match (use_.user, device) {
                (User::Device, Some(after)) => {
                    // neighbours have no point between them
                    if use_.point > after + 1 {
                        give(Gap { array, after: Some(after), before: Some(use_.point) });
                    }
                    device = Some(use_.point);
                }
                (User::Device, None) => device = Some(use_.point),
                (User::Host, _) if use_.writes => device = None,
                (User::Host, _) => {}
            }
        }
        if !around && *stays && !written_after {
            give(Gap { array, after: Some(last), before: None });
        }
    }

    /// These gaps.
    fn gaps(&self, array: usize) -> Vec<Gap> {
        let mut gaps = Vec::new();
        self.for_each_gap(array, &mut |gap| gaps.push(gap));
        gaps
    }

    /// Whether an array is on the device at each point, if it leaves in these gaps.
    pub fn there(&self, array: usize, spills: &[Gap]) -> Vec<bool> {
        let mut there = vec![false; self.points()];
        let uses = self.arrays[array].uses.iter().filter(|u| u.user == User::Device);
        uses.for_each(|u| there[u.point] = true);
        for gap in self.gaps(array).iter().filter(|gap| !spills.contains(gap)) {
            gap.points(self.points()).into_iter().flatten().for_each(|point| there[point] = true);
        }
        there
    }

    /// Whether an array that a round makes is one that the next round begins with.
    fn hands_on(&self, number: usize) -> bool {
        self.repeats() && self.arrays[number].stays && !self.arrays[number].exists
    }

    /// Seconds of an array's copies if it is not on the device in these gaps: those of the first round, those of a later one as often as that comes, and the last to the host.
    fn seconds_of(&self, number: usize, own: &[Gap]) -> f64 {
        self.walk(number, own, &mut |_, _| ())
    }

    /// The same; gives the gaps at whose ends it is computed again, and the seconds of that.
    fn walk(&self, number: usize, own: &[Gap], again: &mut dyn FnMut(&Gap, f64)) -> f64 {
        let array = &self.arrays[number];
        let (mut host, mut device) = (array.on_host || !array.on_device, array.on_device);
        let mut seconds = 0.0;
        // what was left on the device at the start may first leave at the end of the first round
        let rounds = [1.0, (self.rounds - 1.0).min(1.0), self.rounds - 2.0];
        for (round, times) in rounds.into_iter().enumerate().filter(|(_, times)| *times > 0.0) {
            let mut of_round = 0.0;
            for use_ in &array.uses {
                if use_.user == User::Host {
                    if use_.reads && !host {
                        of_round += array.download;
                        host = true;
                    }
                    (host, device) = (host || use_.writes, device && !use_.writes);
                    continue;
                }
                // at the very start nothing has to leave
                let begun = round > 0 || use_.point > 0;
                let left = own
                    .iter()
                    .find(|gap| gap.before == Some(use_.point) && (gap.after.is_some() || round == 0) && begun);
                if let Some(gap) = left.filter(|_| device) {
                    if let Some(seconds) = array.is_cheaper_again(gap, (use_, host)) {
                        again(gap, seconds);
                        of_round += seconds;
                    } else {
                        of_round += if host { 0.0 } else { array.download };
                        (host, device) = (true, false);
                    }
                }
                of_round += if use_.reads && !device { array.upload } else { 0.0 };
                (host, device) = (host && !use_.writes, true);
            }
            let left = own.iter().any(|gap| gap.before.is_none() && (gap.after.is_some() || round == 0));
            if left && device {
                of_round += if host { 0.0 } else { array.download };
                // in the next round it is another array, which is sent again
                of_round += if self.hands_on(number) { array.upload } else { 0.0 };
                (host, device) = (true, false);
            }
            seconds += times * of_round;
        }
        // an array that leaves around the end of each round does so at that of the last one too
        let leaves =
            |gap: &Gap| gap.before.is_some() && gap.after >= gap.before && gap.after < self.points().checked_sub(1);
        let comes_down = array.needed || own.iter().any(leaves);
        seconds + if comes_down && !host { array.download } else { 0.0 }
    }

    /// What is spilled where: by the better of both priorities, or better.
    pub fn plan(&self) -> Plan {
        let spilling = spill::Spilling::new(self);
        let first = spilling.clone().plan(Priority::NextUse);
        if first.spills.is_empty() {
            return first;
        }
        let second = spilling.clone().plan(Priority::Transfers);
        // a plan that leaves fewer points to the host is better whatever it moves
        let better = (second.over.len(), second.seconds) < (first.over.len(), first.seconds);
        search::Search::better(spilling, if better { second } else { first })
    }

    /// What each spilled gap of a plan costs, in seconds of all rounds, by the point that waits for it.
    pub fn costs(&self, plan: &Plan) -> Vec<(usize, f64)> {
        let cost = |gap: &Gap| {
            let point = gap.before.or(gap.after)?;
            let own: Vec<Gap> = plan.spills.iter().filter(|other| other.array == gap.array).copied().collect();
            let without: Vec<Gap> = own.iter().filter(|other| *other != gap).copied().collect();
            let [with, without] = [own, without].map(|gaps| self.seconds_of(gap.array, &gaps));
            Some((point, (with - without).max(0.0)))
        };
        plan.spills.iter().filter_map(cost).collect()
    }

    /// What is spilled by one priority.
    pub fn plan_by(&self, by: Priority) -> Plan {
        spill::Spilling::new(self).plan(by)
    }
}

#[cfg(test)]
mod tests;
