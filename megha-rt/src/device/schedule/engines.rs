//! The list schedule of a placement on the four resources.

use super::{Graph, Side};

/// Ready nodes that are compared at each step: more only in graphs so wide that it does not matter.
const WINDOW: usize = 64;

/// No estimate is taken to be more seconds than this, so that sums stay finite.
const MOST: f64 = 1e15;

/// A graph, ready to be scheduled many times.
pub(super) struct Costs {
    pub times: Vec<[f64; 2]>,
    /// Whether the device can run the node.
    pub movable: Vec<bool>,
    /// Whether the device may begin with it before the host comes to it.
    early: Vec<bool>,
    /// Whether its copies begin only then.
    waits: Vec<bool>,
    pub reads: Vec<Vec<u32>>,
    pub writes: Vec<Vec<u32>>,
    /// For each node the last one before it that guards what follows.
    guard: Vec<Option<u32>>,
    /// Nodes that wait for this one.
    succs: Vec<Vec<u32>>,
    /// How many nodes each one waits for.
    preds: Vec<u32>,
    /// Seconds from the start of the node to the end of the last that waits for it, without copies, each where it is faster.
    rank: Vec<f64>,
    /// Seconds of a copy to each side.
    copies: Vec<[f64; 2]>,
    /// Whether each side has a copy at the start.
    present: Vec<[bool; 2]>,
    needed: Vec<u32>,
    /// Values that later rounds begin with, and of which values these are the last round's.
    again: Vec<(u32, u32)>,
    pub repeat: f64,
    lag: f64,
}

/// A number that can be computed with, at least `least`.
fn sound(number: f64, least: f64) -> f64 {
    if number.is_nan() { least } else { number.clamp(least, MOST) }
}

/// Which values take the places of others in later rounds.
fn again(data: &[super::Data]) -> Vec<(u32, u32)> {
    let others = data.iter().enumerate().filter_map(|(at, data)| Some((at as u32, data.again? as u32)));
    others.filter(|(at, from)| at != from).collect()
}

fn seconds(estimate: f64) -> f64 {
    sound(estimate, 0.0)
}

fn distinct(indices: &[usize]) -> Vec<u32> {
    let mut list: Vec<u32> = Vec::with_capacity(indices.len());
    for &at in indices {
        if !list.contains(&(at as u32)) {
            list.push(at as u32);
        }
    }
    list
}

impl Costs {
    pub fn new(graph: &Graph) -> Costs {
        let (nodes, data) = (&graph.nodes, &graph.data);
        let movable = nodes.iter().map(|n| n.gpu.is_some()).collect();
        let times: Vec<_> = nodes.iter().map(|n| [seconds(n.cpu), seconds(n.gpu.unwrap_or(MOST))]).collect();
        let reads: Vec<_> = nodes.iter().map(|n| distinct(&n.reads)).collect();
        let writes: Vec<_> = nodes.iter().map(|n| distinct(&n.writes)).collect();
        let mut last = None;
        let guard = nodes.iter().enumerate().map(|(at, node)| {
            let before = last;
            if node.guards {
                last = Some(at as u32);
            }
            before
        });
        let guard: Vec<Option<u32>> = guard.collect();
        let (succs, preds) = dependences((&reads, &writes), &guard, data.len());
        let mut rank = vec![0.0f64; nodes.len()];
        for n in (0..nodes.len()).rev() {
            let below = succs[n].iter().fold(0.0f64, |most, s| most.max(rank[*s as usize]));
            rank[n] = times[n][0].min(times[n][1]) + below;
        }
        let anywhere = |on_cpu: bool, on_gpu: bool| if on_cpu || on_gpu { [on_cpu, on_gpu] } else { [true, true] };
        Costs {
            times,
            movable,
            early: nodes.iter().map(|n| n.early).collect(),
            waits: nodes.iter().map(|n| n.waits).collect(),
            reads,
            writes,
            guard,
            succs,
            preds,
            rank,
            copies: data.iter().map(|d| [seconds(d.download), seconds(d.upload)]).collect(),
            present: data.iter().map(|d| anywhere(d.on_cpu, d.on_gpu)).collect(),
            needed: (0..data.len() as u32).filter(|d| data[*d as usize].needed).collect(),
            again: again(data),
            repeat: sound(graph.repeat, 1.0),
            lag: seconds(graph.lag),
        }
    }

    pub fn len(&self) -> usize {
        self.times.len()
    }

    pub fn data(&self) -> usize {
        self.copies.len()
    }

    /// Nodes that wait for one.
    #[cfg(test)]
    pub fn succs(&self, node: usize) -> &[u32] {
        &self.succs[node]
    }

    /// How many nodes each one waits for.
    #[cfg(test)]
    pub fn waits(&self) -> Vec<u32> {
        self.preds.clone()
    }

    /// A placement without nodes on a device that cannot run them.
    pub fn possible(&self, sides: &[Side]) -> Vec<Side> {
        sides.iter().zip(&self.movable).map(|(side, movable)| if *movable { *side } else { Side::Cpu }).collect()
    }

    /// How much better the better side is for a node (MEGHA, section 3.2.3).
    pub fn skew(&self, node: usize) -> f64 {
        let [cpu, gpu] = self.times[node];
        if self.movable[node] && cpu > 0.0 && gpu > 0.0 { (cpu / gpu).max(gpu / cpu) } else { f64::INFINITY }
    }
}

/// For each node those that wait for it, and for how many it waits.
fn dependences(
    (reads, writes): (&[Vec<u32>], &[Vec<u32>]),
    guard: &[Option<u32>],
    data: usize,
) -> (Vec<Vec<u32>>, Vec<u32>) {
    let (mut succs, mut preds) = (vec![Vec::new(); reads.len()], vec![0; reads.len()]);
    let mut writer: Vec<Option<u32>> = vec![None; data];
    let mut readers: Vec<Vec<u32>> = vec![Vec::new(); data];
    for node in 0..reads.len() {
        let mut after = |earlier: u32| {
            let list: &mut Vec<u32> = &mut succs[earlier as usize];
            if earlier != node as u32 && list.last() != Some(&(node as u32)) {
                list.push(node as u32);
                preds[node] += 1;
            }
        };
        guard[node].iter().for_each(|guard| after(*guard));
        for d in &reads[node] {
            writer[*d as usize].iter().for_each(|w| after(*w));
            readers[*d as usize].push(node as u32);
        }
        for d in &writes[node] {
            writer[*d as usize].iter().for_each(|w| after(*w));
            readers[*d as usize].iter().for_each(|r| after(*r));
            writer[*d as usize] = Some(node as u32);
            readers[*d as usize].clear();
        }
    }
    (succs, preds)
}

/// The resource of a side's nodes.
fn engine(side: Side) -> usize {
    side as usize
}

/// The resource of copies to a side.
fn link(to: Side) -> usize {
    2 + to as usize
}

/// When each resource is free and each value is there.
pub(super) struct Clocks<'c> {
    costs: &'c Costs,
    /// CPU, device, copies to the host, copies to the device.
    free: [f64; 4],
    /// When each side has a current copy; infinite if it has none.
    there: Vec<[f64; 2]>,
    /// When the last node that uses the value ends.
    used: Vec<f64>,
    waits: Vec<u32>,
    ready: Vec<u32>,
    /// When nodes end, of those that have been run.
    ended: Vec<Option<f64>>,
    /// For each node of a placement the last one of the host before it.
    behind: Vec<Option<u32>>,
    start: Vec<f64>,
    last: Vec<(f64, f64)>,
    handed_on: Vec<[f64; 2]>,
    /// That of the costs, or none while the host is ahead of the device.
    lag: f64,
    /// How many starts of nodes were computed for lengths: what they cost.
    pub work: usize,
}

impl<'c> Clocks<'c> {
    pub fn new(costs: &'c Costs) -> Clocks<'c> {
        Clocks {
            costs,
            free: [0.0; 4],
            there: vec![[0.0; 2]; costs.data()],
            used: vec![0.0; costs.data()],
            waits: Vec::with_capacity(costs.len()),
            ready: Vec::with_capacity(costs.len()),
            ended: vec![None; costs.len()],
            behind: Vec::with_capacity(costs.len()),
            start: vec![0.0; costs.len()],
            last: Vec::new(),
            handed_on: Vec::new(),
            lag: costs.lag,
            work: 0,
        }
    }

    /// Before the first round.
    pub fn reset(&mut self) {
        for (there, present) in self.there.iter_mut().zip(&self.costs.present) {
            *there = present.map(|has| if has { 0.0 } else { f64::INFINITY });
        }
        self.restart();
    }

    /// Before a later round: everything has ended, and copies are where they are, of what a round hands on under the names of the next.
    fn again(&mut self) {
        self.handed_on.clear();
        self.handed_on.extend(self.costs.again.iter().map(|(_, from)| self.there[*from as usize]));
        for ((to, _), there) in self.costs.again.iter().zip(&self.handed_on) {
            self.there[*to as usize] = *there;
        }
        for there in self.there.iter_mut().flatten() {
            *there = if *there < f64::INFINITY { 0.0 } else { f64::INFINITY };
        }
        self.restart();
    }

    fn restart(&mut self) {
        self.free = [0.0; 4];
        self.used.fill(0.0);
        self.ended.fill(None);
        self.waits.clone_from(&self.costs.preds);
        self.ready.clear();
        self.ready.extend((0..self.costs.len() as u32).filter(|n| self.costs.preds[*n as usize] == 0));
    }

    /// Nodes that wait for no other.
    pub fn ready(&self) -> &[u32] {
        &self.ready
    }

    /// Before a round with this placement.
    fn place(&mut self, sides: &[Side]) {
        self.behind.clear();
        let mut last = None;
        for (node, side) in sides.iter().enumerate() {
            self.behind.push(last);
            if *side == Side::Cpu {
                last = Some(node as u32);
            }
        }
    }

    /// When the host has come to a ready node of the placement, or need not have, and to what guards it; `None` before that is known.
    fn reached(&self, node: usize, side: Side) -> Option<f64> {
        let guarded = self.costs.guard[node].and_then(|guard| self.ended[guard as usize]).unwrap_or(0.0);
        match self.behind[node] {
            Some(last) if side == Side::Cpu || !self.costs.early[node] => {
                self.ended[last as usize].map(|end| end.max(guarded))
            }
            _ => Some(guarded),
        }
    }

    /// The earliest start of a node to which the host comes at a time on a side, with the copies for which it has to wait. With `COMMIT` the copies are made.
    ///
    /// `share` is the part of a copy's time that counts, for values that no node writes.
    fn begin<const COMMIT: bool>(
        &mut self,
        node: usize,
        (side, reached): (Side, f64),
        share: &impl Fn(usize) -> f64,
    ) -> f64 {
        let (mut start, mut link_free) = (self.free[engine(side)].max(reached), self.free[link(side)]);
        if self.costs.waits[node] {
            link_free = link_free.max(reached);
        }
        let mut sent = 0.0;
        for d in &self.costs.reads[node] {
            let d = *d as usize;
            let mut here = self.there[d][side as usize];
            if here == f64::INFINITY {
                here = link_free.max(self.there[d][side.other() as usize])
                    + self.costs.copies[d][side as usize] * share(d);
                link_free = here;
                sent += share(d);
                if COMMIT {
                    self.there[d][side as usize] = here;
                }
            }
            start = start.max(here);
        }
        if COMMIT {
            self.free[link(side)] = link_free;
            // the host puts the copies and the launch into queues
            self.free[engine(Side::Cpu)] += if side == Side::Gpu { (1.0 + sent) * self.costs.lag } else { 0.0 };
        }
        self.costs.writes[node].iter().fold(start, |start, d| start.max(self.used[*d as usize]))
    }

    /// The end of a ready node if it ran on a side.
    pub fn end_on(&mut self, node: usize, side: Side, share: &impl Fn(usize) -> f64) -> f64 {
        self.begin::<false>(node, (side, 0.0), share) + self.costs.times[node][side as usize]
    }

    /// Runs the ready node at this place of the list.
    pub fn run(&mut self, at: usize, side: Side, share: &impl Fn(usize) -> f64) -> f64 {
        self.run_after(at, (side, 0.0), share)
    }

    /// The same, not before a time.
    fn run_after(&mut self, at: usize, (side, reached): (Side, f64), share: &impl Fn(usize) -> f64) -> f64 {
        let node = self.ready.swap_remove(at) as usize;
        let start = self.begin::<true>(node, (side, reached), share);
        let end = start + self.costs.times[node][side as usize];
        self.start[node] = start;
        self.free[engine(side)] = end;
        self.ended[node] = Some(end);
        for d in &self.costs.reads[node] {
            let used = &mut self.used[*d as usize];
            *used = used.max(end);
        }
        for d in &self.costs.writes[node] {
            self.used[*d as usize] = end;
            let there = &mut self.there[*d as usize];
            there[side as usize] = end;
            there[side.other() as usize] = f64::INFINITY;
        }
        for next in &self.costs.succs[node] {
            let waits = &mut self.waits[*next as usize];
            *waits -= 1;
            if *waits == 0 {
                self.ready.push(*next);
            }
        }
        end
    }

    /// One round. Of the ready nodes that the host has come to, or need not, the one that can start first is next; of several, the one for
    /// which most work waits. Gives up, with infinity, once it is certain to take more than `limit`.
    fn round(&mut self, sides: &[Side], limit: f64) -> f64 {
        self.place(sides);
        let mut end = 0.0f64;
        while !self.ready.is_empty() {
            let (mut best, mut first, mut most, mut reached) = (0, f64::INFINITY, 0.0, 0.0);
            let mut candidates = 0;
            for at in 0..self.ready.len() {
                let node = self.ready[at] as usize;
                // of the nodes that are left the first one is ready, and the host has come to it
                let Some(here) = self.reached(node, sides[node]) else { continue };
                let here = if sides[node] == Side::Gpu { here + self.lag } else { here };
                let start = self.begin::<false>(node, (sides[node], here), &|_| 1.0);
                let rank = self.costs.rank[node];
                if start < first || start == first && rank > most {
                    (best, first, most, reached) = (at, start, rank, here);
                }
                candidates += 1;
                if candidates == WINDOW {
                    break;
                }
            }
            self.work += candidates;
            if first + self.costs.rank[self.ready[best] as usize] > limit {
                return f64::INFINITY;
            }
            let side = sides[self.ready[best] as usize];
            end = end.max(self.run_after(best, (side, reached), &|_| 1.0));
        }
        end
    }

    /// The end of the copies of what the host needs; `end` is that of the round.
    fn deliver(&mut self, end: f64) -> f64 {
        self.last.clear();
        for d in &self.costs.needed {
            let d = *d as usize;
            if self.there[d][Side::Cpu as usize] == f64::INFINITY {
                self.last.push((self.there[d][Side::Gpu as usize], self.costs.copies[d][Side::Cpu as usize]));
            }
        }
        self.last.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let arrived = self.last.iter().fold(self.free[link(Side::Cpu)], |free, (there, copy)| free.max(*there) + copy);
        if self.last.is_empty() { end } else { end.max(arrived) }
    }

    /// The length of all rounds and the copies after them; infinite if it is more than `limit`.
    ///
    /// After the first round every later one is the same: what nodes write is then where they leave it, and what they only read is
    /// wherever it is read. Rounds are taken not to overlap.
    pub fn length(&mut self, sides: &[Side], limit: f64) -> f64 {
        self.reset();
        let first = self.round(sides, limit);
        if first == f64::INFINITY {
            return first;
        }
        if self.costs.repeat == 1.0 {
            return self.deliver(first);
        }
        self.again();
        // a host with nothing of its own to do is rounds ahead
        self.lag = if sides.contains(&Side::Cpu) { self.costs.lag } else { 0.0 };
        let later = self.round(sides, (limit - first) / (self.costs.repeat - 1.0));
        self.lag = self.costs.lag;
        if later == f64::INFINITY {
            return later;
        }
        first + (self.costs.repeat - 1.0) * later + (self.deliver(later) - later)
    }

    /// When nodes start in the first round.
    pub fn starts(&mut self, sides: &[Side]) -> Vec<f64> {
        self.reset();
        self.round(sides, f64::INFINITY);
        self.start.clone()
    }

    /// The nodes of the device as soon as all that they wait for is issued, those of the CPU in the order of their starts.
    pub fn issue_order(&mut self, sides: &[Side], start: &[f64]) -> Vec<usize> {
        self.reset();
        let mut order = Vec::with_capacity(start.len());
        while !self.ready.is_empty() {
            let urgency = |at: &usize| {
                let node = self.ready[*at] as usize;
                (sides[node] == Side::Cpu, start[node], node)
            };
            let before = |a: &(bool, f64, usize), b: &(bool, f64, usize)| {
                a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2))
            };
            let next = (0..self.ready.len()).min_by(|a, b| before(&urgency(a), &urgency(b))).unwrap_or(0);
            let node = self.ready[next] as usize;
            order.push(node);
            self.run(next, sides[node], &|_| 1.0);
        }
        order
    }
}
