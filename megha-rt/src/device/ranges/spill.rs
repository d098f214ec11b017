//! Algorithm 3 of MEGHA (section 4.1.2): ranges are spilled until what is live at each point fits.
//!
//! The bytes of each point are kept, and changed where a gap is given up or taken back, so that a step costs as much as the gap is long.

use super::{Gap, Plan, Priority, Program, User};

/// A gap and what it is about to cost.
struct Candidate {
    gap: Gap,
    bytes: u64,
    out: bool,
}

/// A program while ranges of it are spilled.
pub(super) struct Spilling<'p> {
    program: &'p Program,
    /// Bytes at each point.
    live: Vec<u64>,
    /// All gaps; those of an array are neighbours.
    gaps: Vec<Candidate>,
}

impl<'p> Spilling<'p> {
    pub fn new(program: &'p Program) -> Spilling<'p> {
        let mut live = program.scratch.clone();
        let mut gaps = Vec::new();
        for (number, array) in program.arrays.iter().enumerate() {
            let on_device = array.uses.iter().filter(|u| u.user == User::Device);
            on_device.for_each(|u| live[u.point] = live[u.point].saturating_add(array.bytes));
            gaps.extend(program.gaps(number).into_iter().map(|gap| Candidate { gap, bytes: array.bytes, out: false }));
        }
        for candidate in &gaps {
            let points = candidate.gap.points(live.len()).into_iter().flatten();
            points.for_each(|point| live[point] = live[point].saturating_add(candidate.bytes));
        }
        Spilling { program, live, gaps }
    }

    /// Spills by a priority until all fits that can.
    pub fn plan(mut self, by: Priority) -> Plan {
        let candidates = self.candidates();
        for point in 0..self.live.len() {
            while self.live[point] > self.program.budget {
                let Some(at) = self.best(point, by) else { break };
                match by {
                    Priority::NextUse => self.set(at, true),
                    Priority::Transfers => {
                        let array = self.gaps[at].gap.array;
                        let whole = (0..self.gaps.len()).filter(|at| self.gaps[*at].gap.array == array);
                        whole.collect::<Vec<_>>().into_iter().for_each(|at| self.set(at, true));
                    }
                }
            }
        }
        self.take_back();
        let spills: Vec<Gap> = self.gaps.iter().filter(|c| c.out).map(|c| c.gap).collect();
        let (over, fitting): (Vec<usize>, Vec<usize>) =
            (0..self.live.len()).partition(|point| self.live[*point] > self.program.budget);
        let peak = fitting.iter().map(|point| self.live[*point]).max().unwrap_or(0);
        let seconds = self.program.seconds(&spills);
        let extra = (seconds - self.program.seconds(&[])).max(0.0);
        Plan { spills, candidates, over, seconds, extra, peak, by }
    }

    /// How many ranges are live at a point where too much is (MEGHA, Definition 5).
    fn candidates(&self) -> usize {
        let over = |point: usize| self.live[point] > self.program.budget;
        let live = |number: &usize| {
            let used = self.program.arrays[*number].uses.iter().any(|u| u.user == User::Device && over(u.point));
            let own = self.gaps.iter().filter(|c| c.gap.array == *number);
            used || own.into_iter().any(|c| c.gap.points(self.live.len()).into_iter().flatten().any(over))
        };
        (0..self.program.arrays.len()).filter(live).count()
    }

    /// An array leaves in a gap, or does not.
    fn set(&mut self, at: usize, out: bool) {
        let Candidate { gap, bytes, out: was } = &mut self.gaps[at];
        if std::mem::replace(was, out) != out {
            for point in gap.points(self.live.len()).into_iter().flatten() {
                self.live[point] = if out { self.live[point] - *bytes } else { self.live[point] + *bytes };
            }
        }
    }

    /// The gap over a point that is best given up.
    fn best(&self, point: usize, by: Priority) -> Option<usize> {
        let over = |candidate: &Candidate| {
            !candidate.out && candidate.gap.points(self.live.len()).iter().any(|points| points.contains(&point))
        };
        let found = self.gaps.iter().enumerate().filter(|(_, candidate)| over(candidate));
        let rated = found.map(|(at, candidate)| (self.priority(candidate, point, by), at));
        // the first of equals
        rated.max_by(|(a, first), (b, second)| a.total_cmp(b).then(second.cmp(first))).map(|(_, at)| at)
    }

    fn priority(&self, Candidate { gap, bytes, .. }: &Candidate, point: usize, by: Priority) -> f64 {
        let array = &self.program.arrays[gap.array];
        match by {
            Priority::Transfers => {
                let on_device = array.uses.iter().filter(|u| u.user == User::Device);
                let transfers: u32 = on_device.map(|u| u32::from(u.reads) + u32::from(u.writes)).sum();
                *bytes as f64 / f64::from(transfers.max(1))
            }
            Priority::NextUse => {
                let excess = self.live[point] - self.program.budget;
                // more than what is lacking helps as far as it is lacking
                let gain = (*bytes).min(excess) as f64 * self.distance(gap, point);
                gain / self.price(gap).max(1e-12)
            }
        }
    }

    /// Points to the next use.
    fn distance(&self, gap: &Gap, point: usize) -> f64 {
        let points = self.live.len() as f64;
        match gap.before {
            Some(before) if before > point => (before - point) as f64,
            Some(before) => before as f64 + points - point as f64,
            // nothing is known of the time after all rounds
            None => points * self.program.rounds.max(1.0) + points - point as f64,
        }
    }

    /// About how many seconds of the link a gap costs.
    fn price(&self, gap: &Gap) -> f64 {
        let array = &self.program.arrays[gap.array];
        let often = if gap.after.is_some() && gap.before.is_some() { self.program.rounds.max(1.0) } else { 1.0 };
        let read = gap.before.is_some_and(|before| array.uses.iter().any(|u| u.point == before && u.reads));
        let dirty = match gap.after {
            None => array.on_device && !array.on_host,
            Some(after) => self.is_dirty_after(gap.array, after),
        };
        // what the host reads in the end comes down once anyway
        let back = if dirty && !(gap.before.is_none() && array.needed) { array.download } else { 0.0 };
        let again = if read { array.upload } else { 0.0 };
        often * (back + again)
    }

    /// Whether the host's copy is stale after a use on the device: that writes, or one before it did and the host has not read since.
    fn is_dirty_after(&self, number: usize, point: usize) -> bool {
        let array = &self.program.arrays[number];
        let out_before = |at: usize| {
            let own = self.gaps.iter().filter(|c| c.out && c.gap.array == number);
            own.into_iter().any(|c| c.gap.before == Some(at))
        };
        let mut dirty = array.on_device && !array.on_host;
        for use_ in array.uses.iter().take_while(|u| u.point <= point) {
            match use_.user {
                User::Host => dirty = false,
                User::Device => dirty = use_.writes || dirty && !out_before(use_.point),
            }
        }
        dirty
    }

    /// Gaps that need not be given up any more are not, those that cost most first.
    fn take_back(&mut self) {
        let mut out: Vec<usize> = (0..self.gaps.len()).filter(|at| self.gaps[*at].out).collect();
        let price: Vec<f64> = self.gaps.iter().map(|c| self.price(&c.gap)).collect();
        out.sort_by(|a, b| price[*b].total_cmp(&price[*a]));
        for at in out {
            let Candidate { gap, bytes, .. } = &self.gaps[at];
            let budget = self.program.budget;
            let fits = |point: usize| self.live[point].saturating_add(*bytes) <= budget;
            if gap.points(self.live.len()).into_iter().flatten().all(fits) {
                self.set(at, false);
            }
        }
    }
}
