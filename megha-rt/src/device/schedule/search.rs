//! The search for a placement: Algorithm 2, then downhill.

use std::collections::HashSet;

use super::Side;
use super::engines::{Clocks, Costs};

/// So many nodes that can run on the device are placed by trying all placements.
const ALL: usize = 7;
/// Of so many, those that the bounds do not exclude are tried as well, as long as there is time.
const SWEPT: usize = 10;
/// Graphs of more nodes get no descent.
const LARGEST: usize = 60;
/// Starts of nodes that are computed in the whole search, which happens at run time: about 0.2 ms.
const WORK: usize = 5_000;

/// The best placement found.
pub(super) fn placement(costs: &Costs, clocks: &mut Clocks<'_>) -> Vec<Side> {
    let mut search = Search { costs, clocks, best: vec![Side::Cpu; costs.len()], length: f64::INFINITY };
    search.consider(vec![Side::Cpu; costs.len()]);
    if !costs.movable.contains(&true) {
        return search.best;
    }
    search.consider(costs.possible(&vec![Side::Gpu; costs.len()]));
    if costs.len() <= LARGEST {
        Descent::new(&mut search).run();
    } else {
        let greedy = algorithm2(costs, search.clocks);
        search.consider(greedy);
    }
    search.best
}

/// Assignment of processors (MEGHA, Algorithm 2). A copy of a value that stays counts only for its part of the rounds.
fn algorithm2(costs: &Costs, clocks: &mut Clocks<'_>) -> Vec<Side> {
    let mut written = vec![false; costs.data()];
    costs.writes.iter().flatten().for_each(|d| written[*d as usize] = true);
    let share = |d: usize| if written[d] { 1.0 } else { 1.0 / costs.repeat };
    let mut sides = vec![Side::Cpu; costs.len()];
    clocks.reset();
    loop {
        let ready = clocks.ready();
        let next = (0..ready.len()).max_by(|a, b| {
            let [a, b] = [*a, *b].map(|at| ready[at] as usize);
            costs.skew(a).total_cmp(&costs.skew(b)).then(b.cmp(&a))
        });
        let Some(next) = next else { return sides };
        let node = ready[next] as usize;
        if costs.movable[node] && clocks.end_on(node, Side::Gpu, &share) <= clocks.end_on(node, Side::Cpu, &share) {
            sides[node] = Side::Gpu;
        }
        clocks.run(next, sides[node], &share);
    }
}

struct Search<'s, 'c> {
    costs: &'s Costs,
    clocks: &'s mut Clocks<'c>,
    best: Vec<Side>,
    length: f64,
}

impl Search<'_, '_> {
    /// Keeps the placement if it is the best so far.
    fn consider(&mut self, sides: Vec<Side>) {
        let length = self.clocks.length(&sides, self.length);
        if length < self.length {
            (self.best, self.length) = (sides, length);
        }
    }
}

/// A change of a placement.
#[derive(Clone, Copy)]
enum Move {
    Flip(u64),
    ToGpu(u64),
    ToCpu(u64),
}

impl Move {
    fn apply(self, placement: u64) -> u64 {
        match self {
            Move::Flip(nodes) => placement ^ nodes,
            Move::ToGpu(nodes) => placement | nodes,
            Move::ToCpu(nodes) => placement & !nodes,
        }
    }
}

/// Placements as sets of nodes on the device.
struct Descent<'d, 's, 'c> {
    search: &'d mut Search<'s, 'c>,
    movable: u64,
    seen: HashSet<u64>,
    sides: Vec<Side>,
}

impl<'d, 's, 'c> Descent<'d, 's, 'c> {
    fn new(search: &'d mut Search<'s, 'c>) -> Self {
        let movable = (0..search.costs.len()).filter(|n| search.costs.movable[*n]).fold(0, |set, n| set | 1 << n);
        let sides = vec![Side::Cpu; search.costs.len()];
        Descent { search, movable, seen: HashSet::from([0, movable]), sides }
    }

    fn run(mut self) {
        if self.movable.count_ones() as usize <= ALL {
            return self.try_all();
        }
        let greedy = algorithm2(self.search.costs, self.search.clocks);
        let greedy = (0..greedy.len()).filter(|n| greedy[*n] == Side::Gpu).fold(0, |set, n| set | 1 << n);
        let moves = self.moves();
        for start in [greedy, self.movable, 0] {
            self.downhill(start, &moves);
        }
        if self.movable.count_ones() as usize <= SWEPT {
            self.try_all();
        }
    }

    fn try_all(&mut self) {
        let mut subset = self.movable;
        while subset != 0 {
            subset = (subset - 1) & self.movable;
            self.better(subset, self.search.length);
        }
    }

    /// The length of a placement if it is below `limit` and was not seen before.
    fn better(&mut self, placement: u64, limit: f64) -> Option<f64> {
        if !self.seen.insert(placement) || self.spent() || self.busy(placement) >= limit {
            return None;
        }
        for (node, side) in self.sides.iter_mut().enumerate() {
            *side = if placement >> node & 1 == 1 { Side::Gpu } else { Side::Cpu };
        }
        let length = self.search.clocks.length(&self.sides, limit);
        if length < self.search.length {
            self.search.length = length;
            self.search.best.clone_from(&self.sides);
        }
        (length < limit).then_some(length)
    }

    fn spent(&self) -> bool {
        self.search.clocks.work >= WORK
    }

    /// What a placement takes at least: the work of each side.
    fn busy(&self, placement: u64) -> f64 {
        let mut sums = [0.0; 2];
        for (node, times) in self.search.costs.times.iter().enumerate() {
            let side = (placement >> node & 1) as usize;
            sums[side] += times[side];
        }
        sums[0].max(sums[1]) * self.search.costs.repeat
    }

    fn downhill(&mut self, start: u64, moves: &[Move]) {
        let mut here = start;
        let mut length = self.better(start, f64::INFINITY).unwrap_or_else(|| self.known(start));
        let (mut at, mut tried) = (0, 0);
        // goes on where it found something, until no move helps
        while tried < moves.len() && !self.spent() {
            let next = moves[at].apply(here) & self.movable;
            tried += 1;
            if let Some(shorter) = self.better(next, length) {
                (here, length, tried) = (next, shorter, 0);
            }
            at = (at + 1) % moves.len();
        }
    }

    fn known(&mut self, placement: u64) -> f64 {
        let _ = self.seen.remove(&placement);
        self.better(placement, f64::INFINITY).unwrap_or(f64::INFINITY)
    }

    /// Single nodes, all that use an array, neighbours in the program, pairs.
    fn moves(&self) -> Vec<Move> {
        let costs = self.search.costs;
        let nodes: Vec<usize> = (0..costs.len()).filter(|n| costs.movable[*n]).collect();
        let mut moves: Vec<Move> = nodes.iter().map(|n| Move::Flip(1 << n)).collect();
        let mut users = vec![0u64; costs.data()];
        for n in &nodes {
            costs.reads[*n].iter().chain(&costs.writes[*n]).for_each(|d| users[*d as usize] |= 1 << n);
        }
        let groups = users.iter().filter(|set| set.count_ones() > 1);
        moves.extend(groups.flat_map(|set| [Move::ToGpu(*set), Move::ToCpu(*set)]));
        for width in 2..nodes.len() {
            for run in nodes.windows(width) {
                let set = run.iter().fold(0, |set, n| set | 1 << n);
                moves.extend([Move::ToGpu(set), Move::ToCpu(set)]);
            }
        }
        for (i, a) in nodes.iter().enumerate() {
            moves.extend(nodes[i + 1..].iter().map(|b| Move::Flip(1 << a | 1 << b)));
        }
        moves
    }
}
