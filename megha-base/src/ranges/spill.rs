//! Algorithm 3 of MEGHA (section 4.1.2): ranges are spilled until what is live at each point fits.
//!
//! The bytes of each point are kept, and changed where a gap is given up or taken back, so that a step costs as much as the gap is long.

use std::ops::Range;

use super::{Array, Gap, Plan, Priority, Program, Use, User};

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
    /// The gaps of the array of which none may be given up if the host's copy is to be stale where this one begins; `None` if it is current in any case.
    stale: Option<Range<usize>>,
    /// Seconds of the copy to the host, if its copy is stale and it would not be made anyway,
    down: f64,
    /// of the copy back,
    up: f64,
    /// seconds of computing it again instead of both, if it may be,
    again: Option<f64>,
    /// and how often that is done.
    times: f64,
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
    /// The gaps over each point, one point after the other,
    over: Vec<usize>,
    /// and where those of each begin.
    begins: Vec<usize>,
    /// Seconds of each array's copies if nothing is spilled.
    seconds: Vec<f64>,
    /// How many ranges are live at a point where too much is (MEGHA, Definition 5).
    candidates: usize,
}

impl<'p> Spilling<'p> {
    pub fn new(program: &'p Program) -> Spilling<'p> {
        let (mut live, arrays) = (program.scratch.clone(), program.arrays.len());
        let (mut gaps, mut own): (Vec<Candidate>, _) = (Vec::with_capacity(2 * arrays), Vec::with_capacity(arrays));
        for (number, array) in program.arrays.iter().enumerate() {
            let (first, bytes, mut transfers) = (gaps.len(), array.bytes, 0u32);
            for use_ in array.uses.iter().filter(|u| u.user == User::Device) {
                live[use_.point] = live[use_.point].saturating_add(bytes);
                transfers += u32::from(use_.reads) + u32::from(use_.writes);
            }
            let by_transfers = bytes as f64 / f64::from(transfers.max(1));
            program.for_each_gap(number, &mut |gap| gaps.push(candidate(program, gap, by_transfers)));
            find_stale(array, first, &mut gaps[first..]);
            own.push(first..gaps.len());
        }
        let (over, begins) = over_points(&gaps, &mut live);
        let seconds = (0..arrays).map(|array| program.seconds_of(array, &[])).collect();
        let mut spilling = Spilling { program, live, gaps, own, over, begins, seconds, candidates: 0 };
        spilling.candidates = spilling.candidates();
        (0..arrays).for_each(|array| spilling.price(array));
        spilling
    }

    /// Spills by a priority until all fits that can.
    pub fn plan(mut self, by: Priority) -> Plan {
        for point in 0..self.live.len() {
            while self.live[point] > self.program.budget {
                let Some(at) = self.best(point, by) else { break };
                match by {
                    Priority::NextUse | Priority::Trial => {
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
            Priority::NextUse | Priority::Trial => {}
            // no price counted so far
            Priority::Transfers => (0..self.own.len()).for_each(|array| self.price(array)),
        }
        self.taken_back(by)
    }

    /// The plan that this is, without the gaps that need not be given up.
    pub fn taken_back(mut self, by: Priority) -> Plan {
        self.take_back();
        let spills: Vec<Gap> = self.gaps.iter().filter(|c| c.out).map(|c| c.gap).collect();
        let (mut over, mut peak) = (Vec::new(), 0);
        for (point, live) in self.live.iter().enumerate() {
            if *live > self.program.budget { over.push(point) } else { peak = peak.max(*live) }
        }
        let all: f64 = self.seconds.iter().sum();
        let mut seconds = self.seconds.clone();
        for own in spills.chunk_by(|a, b| a.array == b.array) {
            seconds[own[0].array] = self.program.seconds_of(own[0].array, own);
        }
        let seconds = seconds.iter().sum();
        let extra = f64::max(seconds - all, 0.0);
        Plan { spills, candidates: self.candidates, over, seconds, extra, peak, by }
    }

    /// The number of points.
    pub fn points(&self) -> usize {
        self.live.len()
    }

    /// The number of gaps.
    pub fn gaps(&self) -> usize {
        self.gaps.len()
    }

    /// The array of a gap.
    pub fn array(&self, at: usize) -> usize {
        self.gaps[at].gap.array
    }

    /// Seconds that a gap costs at least: those of the copies back, or of computing again.
    pub fn back(&self, at: usize) -> f64 {
        let Candidate { gap, up, again, times, .. } = &self.gaps[at];
        // around the end of a round it may have to come in the first one anyway
        let around = gap.before.is_some() && gap.after >= gap.before;
        again.map_or(*up, |again| again.min(*up)) * if around { times - 1.0 } else { *times }
    }

    /// Seconds of each array's copies if nothing is spilled.
    pub fn seconds(&self) -> &[f64] {
        &self.seconds
    }

    /// Seconds of an array's copies now.
    pub fn seconds_of(&self, array: usize) -> f64 {
        let out = self.gaps[self.own[array].clone()].iter().filter(|c| c.out);
        let out: Vec<Gap> = out.map(|c| c.gap).collect();
        self.program.seconds_of(array, &out)
    }

    /// Bytes that are too much at a point.
    pub fn excess(&self, point: usize) -> u64 {
        self.live[point].saturating_sub(self.program.budget)
    }

    /// The gaps that are given up.
    pub fn out(&self) -> Vec<usize> {
        (0..self.gaps.len()).filter(|at| self.gaps[*at].out).collect()
    }

    /// The gaps over a point that could be given up, but for those that are kept, with their prices for a byte of what is too much; none if all of them would not do.
    pub fn choices(&self, point: usize, kept: &[bool]) -> Vec<(f64, usize)> {
        let (excess, mut bytes) = (self.excess(point), 0u64);
        let mut choices = Vec::new();
        for at in &self.over[self.over(point)] {
            let candidate = &self.gaps[*at];
            if !candidate.out && !kept[*at] {
                bytes = bytes.saturating_add(candidate.bytes);
                choices.push((candidate.price / candidate.bytes.min(excess) as f64, *at));
            }
        }
        if bytes < excess { Vec::new() } else { choices }
    }

    /// The gaps over a point.
    fn over(&self, point: usize) -> Range<usize> {
        self.begins[point]..self.begins[point + 1]
    }

    /// The ranges that are live at a point where too much is.
    fn candidates(&self) -> usize {
        let too_much = |point: &usize| self.live[*point] > self.program.budget;
        let mut live = vec![false; self.own.len()];
        for point in (0..self.live.len()).filter(too_much) {
            self.over[self.over(point)].iter().for_each(|at| live[self.gaps[*at].gap.array] = true);
        }
        if self.live.iter().any(|live| *live > self.program.budget) {
            for (array, live) in self.program.arrays.iter().zip(&mut live) {
                *live |= array.uses.iter().any(|u| u.user == User::Device && too_much(&u.point));
            }
        }
        live.iter().filter(|live| **live).count()
    }

    /// An array leaves in a gap, or does not; the prices of its gaps stay.
    pub fn set(&mut self, at: usize, out: bool) {
        let Candidate { gap, bytes, out: was, .. } = &mut self.gaps[at];
        if std::mem::replace(was, out) != out {
            for point in gap.points(self.live.len()).into_iter().flatten() {
                self.live[point] = if out { self.live[point] - *bytes } else { self.live[point] + *bytes };
            }
        }
    }

    /// The one of the gaps over a point that is best given up.
    fn best(&self, point: usize, by: Priority) -> Option<usize> {
        let found = self.over[self.over(point)].iter().filter(|at| !self.gaps[**at].out);
        let rated = found.map(|at| (self.priority(&self.gaps[*at], point, by), *at));
        // the first of equals
        rated.max_by(|(a, first), (b, second)| a.total_cmp(b).then(second.cmp(first))).map(|(_, at)| at)
    }

    fn priority(&self, candidate: &Candidate, point: usize, by: Priority) -> f64 {
        let Candidate { gap, bytes, by_transfers, price, .. } = candidate;
        match by {
            Priority::Transfers => *by_transfers,
            Priority::NextUse | Priority::Trial => {
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
    pub fn price(&mut self, number: usize) {
        for at in self.own[number].clone() {
            let Candidate { stale, down, up, again, times, .. } = &self.gaps[at];
            let is_stale = stale.clone().is_some_and(|gaps| self.gaps[gaps].iter().all(|c| !c.out));
            let link = if is_stale { *down } else { 0.0 } + up;
            self.gaps[at].price = again.map_or(link, |again| again.min(link)) * times;
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

/// A gap that is not given up.
fn candidate(program: &Program, gap: Gap, by_transfers: f64) -> Candidate {
    let array = &program.arrays[gap.array];
    let (handed_on, is_last) = (program.hands_on(gap.array), gap.before.is_none());
    let use_from = |point: usize| array.uses.get(array.uses.partition_point(|u| u.point < point));
    let reads = |u: &Use| u.user == User::Device && u.reads;
    let back = gap.before.map(|before| use_from(before).is_some_and(reads));
    let next = use_from(gap.after.map_or(0, |after| after + 1));
    let next = next.or(array.uses.first().filter(|_| gap.after.is_some() && !is_last));
    // what the host reads or makes anew meanwhile, or reads in the end, comes down once anyway or never
    let by_host = next.map_or(array.needed, |u| u.user == User::Host) || is_last && array.needed;
    Candidate {
        gap,
        bytes: array.bytes,
        by_transfers,
        out: false,
        price: 0.0,
        stale: None,
        down: if by_host { 0.0 } else { array.download },
        up: if back.unwrap_or(handed_on) { array.upload } else { 0.0 },
        again: array.seconds_again(&gap),
        times: if gap.after.is_some() && (!is_last || handed_on) { program.rounds.max(1.0) } else { 1.0 },
    }
}

/// Finds for the gaps of an array, of which the first is number `first`, where the host's copy is stale: after what is made on the device, until the host reads it or the
/// array leaves.
fn find_stale(array: &Array, first: usize, own: &mut [Candidate]) {
    // the gaps that have ended, and the first of those that make the copy current if they are given up
    let (mut ended, mut since) = (0, (array.on_device && !array.on_host).then_some(0));
    // they begin in that order too, but for one around the end of a round
    let around =
        own.first().is_some_and(|c| c.gap.after.is_some() && c.gap.after >= c.gap.before && c.gap.before.is_some());
    let mut begun = usize::from(around);
    let mut stale_after = |at: Option<usize>, (ended, since): (usize, Option<usize>), own: &mut [Candidate]| {
        let stale = since.map(|since| first + since..first + ended);
        if let Some(next) = own.get_mut(begun).filter(|c| c.gap.after == at) {
            (next.stale, begun) = (stale.clone(), begun + 1);
        }
        if around && own[0].gap.after == at {
            own[0].stale = stale;
        }
    };
    stale_after(None, (ended, since), own);
    for use_ in &array.uses {
        // they come in the order of their ends
        ended += usize::from(own.get(ended).is_some_and(|c| c.gap.before == Some(use_.point)));
        since = match use_.user {
            User::Host => None,
            User::Device if use_.writes => Some(ended),
            User::Device => since,
        };
        stale_after(Some(use_.point), (ended, since), own);
    }
}

/// Adds the bytes of gaps to those of the points; the gaps over each point, one point after the other, and where those of each begin.
fn over_points(gaps: &[Candidate], live: &mut [u64]) -> (Vec<usize>, Vec<usize>) {
    let points = live.len();
    let over = |candidate: &Candidate| candidate.gap.points(points).into_iter().flatten();
    let mut begins = vec![0; points + 1];
    for candidate in gaps {
        for point in over(candidate) {
            live[point] = live[point].saturating_add(candidate.bytes);
            begins[point + 1] += 1;
        }
    }
    (0..points).for_each(|point| begins[point + 1] += begins[point]);
    let (mut next, mut all) = (begins.clone(), vec![0; begins[points]]);
    for (number, candidate) in gaps.iter().enumerate() {
        for point in over(candidate) {
            all[next[point]] = number;
            next[point] += 1;
        }
    }
    (all, begins)
}
