//! Algorithm 3 of MEGHA (section 4.1.2): ranges are spilled until what is live at each point fits.
//!
//! The bytes of each point are kept, and changed where a gap is given up or taken back, so that a step costs as much as the gap is long.

use std::ops::Range;

use super::{Gap, Plan, Priority, Program, User};

/// A gap and what it is about to cost.
#[derive(Clone)]
struct Candidate {
    gap: Gap,
    bytes: u64,
    /// Bytes over the number of transfers of all uses (Equation 4.1.4).
    by_transfers: f64,
    out: bool,
    /// About how many seconds of the link it costs.
    price: f64,
}

/// A program while ranges of it are spilled.
#[derive(Clone)]
pub(super) struct Spilling<'p> {
    program: &'p Program,
    /// Bytes at each point.
    live: Vec<u64>,
    /// All gaps; those of an array are neighbours,
    gaps: Vec<Candidate>,
    /// and these are they.
    own: Vec<Range<usize>>,
    /// Seconds of all copies if nothing is spilled.
    seconds: f64,
    /// How many ranges are live at a point where too much is (MEGHA, Definition 5).
    candidates: usize,
}

impl<'p> Spilling<'p> {
    pub fn new(program: &'p Program) -> Spilling<'p> {
        let mut live = program.scratch.clone();
        let (mut gaps, mut own): (Vec<Candidate>, Vec<Range<usize>>) = Default::default();
        for (number, array) in program.arrays.iter().enumerate() {
            let (first, bytes, mut transfers) = (gaps.len(), array.bytes, 0u32);
            for use_ in array.uses.iter().filter(|u| u.user == User::Device) {
                live[use_.point] = live[use_.point].saturating_add(bytes);
                transfers += u32::from(use_.reads) + u32::from(use_.writes);
            }
            let by_transfers = bytes as f64 / f64::from(transfers.max(1));
            program.for_each_gap(number, &mut |gap| {
                gaps.push(Candidate { gap, bytes, by_transfers, out: false, price: 0.0 });
            });
            own.push(first..gaps.len());
        }
        for candidate in &gaps {
            let points = candidate.gap.points(live.len()).into_iter().flatten();
            points.for_each(|point| live[point] = live[point].saturating_add(candidate.bytes));
        }
        let mut spilling = Spilling { program, live, gaps, own, seconds: program.seconds(&[]), candidates: 0 };
        spilling.candidates = spilling.candidates();
        (0..program.arrays.len()).for_each(|array| spilling.price(array));
        spilling
    }

    /// Spills by a priority until all fits that can.
    pub fn plan(mut self, by: Priority) -> Plan {
        for point in 0..self.live.len() {
            if self.live[point] <= self.program.budget {
                continue;
            }
            let over = |at: &usize| !self.gaps[*at].out && self.gaps[*at].gap.holds(point);
            let over: Vec<usize> = (0..self.gaps.len()).filter(over).collect();
            while self.live[point] > self.program.budget {
                let Some(at) = self.best(&over, point, by) else { break };
                match by {
                    Priority::NextUse => {
                        self.set(at, true);
                        self.price(self.gaps[at].gap.array);
                    }
                    Priority::Transfers => {
                        let whole = self.own[self.gaps[at].gap.array].clone();
                        whole.for_each(|at| self.set(at, true));
                    }
                }
            }
        }
        match by {
            Priority::NextUse => {}
            // no price counted so far
            Priority::Transfers => (0..self.own.len()).for_each(|array| self.price(array)),
        }
        self.take_back();
        let spills: Vec<Gap> = self.gaps.iter().filter(|c| c.out).map(|c| c.gap).collect();
        let (over, fitting): (Vec<usize>, Vec<usize>) =
            (0..self.live.len()).partition(|point| self.live[*point] > self.program.budget);
        let peak = fitting.iter().map(|point| self.live[*point]).max().unwrap_or(0);
        let seconds = if spills.is_empty() { self.seconds } else { self.program.seconds(&spills) };
        let extra = (seconds - self.seconds).max(0.0);
        Plan { spills, candidates: self.candidates, over, seconds, extra, peak, by }
    }

    /// The ranges that are live at a point where too much is.
    fn candidates(&self) -> usize {
        let over = |point: usize| self.live[point] > self.program.budget;
        if !(0..self.live.len()).any(over) {
            return 0;
        }
        let live = |number: &usize| {
            let used = self.program.arrays[*number].uses.iter().any(|u| u.user == User::Device && over(u.point));
            let mut own = self.gaps[self.own[*number].clone()].iter();
            used || own.any(|c| c.gap.points(self.live.len()).into_iter().flatten().any(over))
        };
        (0..self.program.arrays.len()).filter(live).count()
    }

    /// An array leaves in a gap, or does not; the prices of its gaps stay.
    fn set(&mut self, at: usize, out: bool) {
        let Candidate { gap, bytes, out: was, .. } = &mut self.gaps[at];
        if std::mem::replace(was, out) != out {
            for point in gap.points(self.live.len()).into_iter().flatten() {
                self.live[point] = if out { self.live[point] - *bytes } else { self.live[point] + *bytes };
            }
        }
    }

    /// The one of the gaps over a point that is best given up.
    fn best(&self, over: &[usize], point: usize, by: Priority) -> Option<usize> {
        let found = over.iter().filter(|at| !self.gaps[**at].out);
        let rated = found.map(|at| (self.priority(&self.gaps[*at], point, by), *at));
        // the first of equals
        rated.max_by(|(a, first), (b, second)| a.total_cmp(b).then(second.cmp(first))).map(|(_, at)| at)
    }

    fn priority(&self, candidate: &Candidate, point: usize, by: Priority) -> f64 {
        let Candidate { gap, bytes, by_transfers, price, .. } = candidate;
        match by {
            Priority::Transfers => *by_transfers,
            Priority::NextUse => {
                let excess = self.live[point] - self.program.budget;
                // more than what is lacking helps as far as it is lacking
                let gain = (*bytes).min(excess) as f64 * self.distance(gap, point);
                gain / price.max(1e-12)
            }
        }
    }

    /// Points to the next use.
    fn distance(&self, gap: &Gap, point: usize) -> f64 {
        let points = self.live.len() as f64;
        match gap.before {
            Some(before) if before > point => (before - point) as f64,
            Some(before) => before as f64 + points - point as f64,
            None if self.program.hands_on(gap.array) => points - point as f64,
            // nothing is known of the time after all rounds
            None => points * self.program.rounds.max(1.0) + points - point as f64,
        }
    }

    /// What the gaps of an array cost, which depends on those that are given up.
    fn price(&mut self, number: usize) {
        let array = &self.program.arrays[number];
        let own = &mut self.gaps[self.own[number].clone()];
        // whether the host's copy is stale: after what is made on the device, until the host reads it or the array leaves
        let mut dirty = array.on_device && !array.on_host;
        let stale_after = |at: Option<usize>, dirty: bool, own: &mut [Candidate]| {
            own.iter_mut()
                .filter(|c| c.gap.after == at)
                .for_each(|c| c.price = if dirty { array.download } else { 0.0 });
        };
        stale_after(None, dirty, own);
        for use_ in &array.uses {
            let left = own.iter().any(|c| c.out && c.gap.before == Some(use_.point));
            dirty = match use_.user {
                User::Host => false,
                User::Device => use_.writes || dirty && !left,
            };
            stale_after(Some(use_.point), dirty, own);
        }
        let (handed_on, rounds) = (self.program.hands_on(number), self.program.rounds.max(1.0));
        for Candidate { gap, price, .. } in own {
            let is_last = gap.before.is_none();
            // what the host reads in the end comes down once anyway
            *price = if is_last && array.needed { 0.0 } else { *price };
            let reads = |before: usize| array.uses.iter().any(|u| u.point == before && u.reads);
            *price += if gap.before.map_or(handed_on, reads) { array.upload } else { 0.0 };
            *price *= if gap.after.is_some() && (!is_last || handed_on) { rounds } else { 1.0 };
        }
    }

    /// Gaps that need not be given up any more are not, those that cost most first.
    fn take_back(&mut self) {
        let mut out: Vec<usize> = (0..self.gaps.len()).filter(|at| self.gaps[*at].out).collect();
        out.sort_by(|a, b| self.gaps[*b].price.total_cmp(&self.gaps[*a].price));
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
