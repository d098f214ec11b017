//! A plan that moves for fewer seconds than those of the priorities, by trying what else could leave.
//!
//! Branch and bound: at the first point where too much is one of the gaps over it has to be given up, the cheapest first, and those that were tried before stay. Giving up
//! more never costs less, so what costs as much as the best plan already leads to no better one. All choices are tried where they are few; else as many as
//! there is time for while a program waits.

use super::spill::Spilling;
use super::{Plan, Priority};

/// So many gaps are looked at: about 20 microseconds.
const WORK: usize = 1200;
/// One that is given up takes as long as looking at so many.
const TRIED: usize = 8;

/// A search.
pub(super) struct Search<'p> {
    spilling: Spilling<'p>,
    /// Points that do not fit in any case.
    over: Vec<usize>,
    /// Gaps that are not given up here, since that was tried.
    kept: Vec<bool>,
    /// Seconds of each array's copies.
    seconds: Vec<f64>,
    least: f64,
    found: Option<Vec<usize>>,
    work: usize,
}

impl<'p> Search<'p> {
    /// A plan that is better than this one, if one is found, for a program of which nothing is spilled yet.
    pub fn better(spilling: Spilling<'p>, plan: Plan) -> Plan {
        let (gaps, seconds) = (spilling.gaps(), spilling.seconds().to_vec());
        let over = plan.over.clone();
        let mut search =
            Search { spilling, over, kept: vec![false; gaps], seconds, least: plan.seconds, found: None, work: 0 };
        let all = search.seconds.iter().sum();
        search.go(0, all);
        let Search { mut spilling, found, .. } = search;
        let Some(found) = found else { return plan };
        found.into_iter().for_each(|at| spilling.set(at, true));
        let better = spilling.taken_back(Priority::Trial);
        if better.seconds < plan.seconds { better } else { plan }
    }

    /// Goes on from a point with copies of so many seconds.
    fn go(&mut self, from: usize, all: f64) {
        let mut points = from..self.spilling.points();
        let Some(point) = points.find(|point| self.spilling.excess(*point) > 0 && !self.over.contains(point)) else {
            (self.least, self.found) = (all, Some(self.spilling.out()));
            return;
        };
        let mut choices = self.spilling.choices(point, &self.kept);
        self.work += choices.len() + 1;
        choices.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        for (_, at) in &choices {
            // what has left comes back
            let back = self.spilling.back(*at);
            if self.work < WORK && all + back < self.least {
                self.work += TRIED;
                self.give_up(*at, point, all);
            }
            self.kept[*at] = true;
        }
        choices.iter().for_each(|(_, at)| self.kept[*at] = false);
    }

    fn give_up(&mut self, at: usize, point: usize, all: f64) {
        let array = self.spilling.array(at);
        self.spilling.set(at, true);
        let seconds = self.spilling.seconds_of(array);
        let before = std::mem::replace(&mut self.seconds[array], seconds);
        let with = all - before + seconds;
        if with < self.least * (1.0 - 1e-9) {
            self.spilling.price(array);
            self.go(point, with);
        }
        self.seconds[array] = before;
        self.spilling.set(at, false);
        self.spilling.price(array);
    }
}
