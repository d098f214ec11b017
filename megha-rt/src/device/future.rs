//! When the arrays of a call are used next, as far as the block in progress says.
//!
//! Where memory is short the array whose next use is farthest goes first (Belady). A block lists its statements and the arrays of each; places are
//! known of arrays that exist before it and of those whose launch the host has come to. A block that runs again uses what it has made or been given
//! in its next round; what it does not mention is used, if at all, once all its rounds are over.

use std::sync::Arc;

use megha_base::plan::block::{Block, Node};

use super::decide::Decision;
use super::job::Arrival;
use super::program::Program;
use super::ranges::Gap;
use super::schedule::Side;
use super::table::Place;

/// The block in progress and how far the host is in it.
#[derive(Default)]
pub struct Future {
    block: Option<(&'static Program, &'static Block)>,
    /// The first node to which the host has not come.
    next: usize,
    /// How often the block is expected to run from now on.
    rounds: u64,
    /// Where arrays are on the host.
    places: Vec<Option<Place>>,
    /// What was decided for the block.
    decision: Option<Arc<Decision>>,
    /// Seconds that each node takes on the device, where arrays may have to leave and may be computed again.
    seconds: Vec<f64>,
}

/// The next use of an array.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NextUse {
    /// How many statements of the block come before it.
    pub distance: f64,
    /// Whether it reads what the array holds now, as far as is known.
    pub reads: bool,
}

/// Statements before the use of an array of which nothing is known, beside those of the rounds that are left.
const FAR: f64 = 1e3;

impl Future {
    /// A block that is about to run so often, with the places of the arrays that exist before it.
    pub fn of(program: &'static Program, block: &'static Block, given: &[Place], rounds: u64) -> Future {
        let mut given = given.iter().copied();
        let places = block.data.iter().map(|data| if data.before { given.next() } else { None }).collect();
        let (block, rounds, seconds) = (Some((program, block)), rounds.max(1), Vec::new());
        Future { block, next: 0, rounds, places, decision: None, seconds }
    }

    /// Arrays leave as it was decided, if they have to.
    pub fn follow(&mut self, decision: Arc<Decision>) {
        self.decision = Some(decision);
    }

    /// What each node takes on the device, so that arrays may be computed again.
    pub fn price(&mut self, seconds: Vec<f64>) {
        self.seconds = seconds;
    }

    /// Whether it is known what the statements of the block in progress take on the device, so that arrays may be computed again.
    pub fn is_priced(&self) -> bool {
        !self.seconds.is_empty()
    }

    /// Seconds of the statement to which the host has come on the device, where arrays may be computed again.
    pub fn seconds(&self) -> Option<f64> {
        self.seconds.get(self.next.checked_sub(1)?).copied()
    }

    /// Whether the array at an address is to leave before the statement to which the host has come.
    pub fn is_spilled(&self, key: usize) -> bool {
        let spills = self.decision.as_ref().and_then(|decision| decision.spills.as_ref());
        let now = self.next.saturating_sub(1);
        let mine = |data: usize| self.places.get(data).copied().flatten().is_some_and(|place| place.key() == key);
        let within = |gap: &Gap| match (gap.after, gap.before) {
            (Some(after), Some(before)) if after >= before => now > after || now < before,
            (after, before) => after.is_none_or(|after| now > after) && before.is_none_or(|before| now < before),
        };
        spills.is_some_and(|plan| plan.spills.iter().any(|gap| mine(gap.array) && within(gap)))
    }

    /// The host has come to a launch or product.
    pub fn arrive(&mut self, arrival: &Arrival<'_>) {
        let Some((_, block)) = self.block.filter(|(program, _)| std::ptr::eq(*program, arrival.program)) else {
            return;
        };
        let is_it = |node: &Node| node.task == arrival.task;
        let Some(number) = block.nodes[self.next..].iter().position(is_it).map(|at| self.next + at) else { return };
        self.next = number + 1;
        let arrays = block.nodes[number].arrays.iter().zip(arrival.arrays);
        arrays.for_each(|(data, place)| self.places[*data] = Some(*place));
    }

    /// The arrays that are to leave behind the statement to which the host has come.
    pub fn leaving(&self) -> Vec<Place> {
        let spills = self.decision.as_ref().and_then(|decision| decision.spills.as_ref());
        let now = self.next.checked_sub(1);
        let gaps =
            spills.into_iter().flat_map(|plan| &plan.spills).filter(|gap| gap.after.is_some() && gap.after == now);
        gaps.filter_map(|gap| self.places.get(gap.array).copied().flatten()).collect()
    }

    /// The numbers of the block's arrays that are at an address.
    fn at(&self, key: usize) -> impl Iterator<Item = usize> {
        let is_there = move |place: &Option<Place>| place.is_some_and(|place| place.key() == key);
        self.places.iter().enumerate().filter(move |(_, place)| is_there(place)).map(|(data, _)| data)
    }

    /// The statement of this round that uses the array at an address next, if it reads it on the device.
    pub fn next_read_on_device(&self, key: usize) -> Option<usize> {
        let (_, block) = self.block?;
        let reads = |node: &Node| self.at(key).any(|data| node.reads.contains(&data));
        let uses = |node: &Node| reads(node) || self.at(key).any(|data| node.writes.contains(&data));
        let at = self.next + block.nodes[self.next..].iter().position(uses)?;
        let (node, side) = (&block.nodes[at], self.decision.as_ref().map(|decision| decision.sides[at]));
        let is_there = node.task.is_offered() && side.is_none_or(|side| side == Side::Gpu);
        (is_there && reads(node)).then_some(at)
    }

    /// Whether the array at an address is what it is now when the host comes to a statement of this round: none before writes it, and it is
    /// used there or later, or a variable has it when the block ends.
    pub fn is_the_same_until(&self, key: usize, statement: usize) -> bool {
        let Some((_, block)) = self.block else { return false };
        let (until, from) = (&block.nodes[self.next..statement], &block.nodes[statement..]);
        let is_written = self.at(key).any(|data| until.iter().any(|node| node.writes.contains(&data)));
        let uses = |node: &Node, data: &usize| node.reads.contains(data) || node.writes.contains(data);
        let stays = |data: usize| block.data[data].lives || from.iter().any(|node| uses(node, &data));
        // what the block does not mention it does not change
        !is_written && (self.at(key).next().is_none() || self.at(key).any(stays))
    }

    /// Whether the host may need the array at an address as it is now after the block.
    pub fn is_needed_after(&self, key: usize) -> bool {
        let Some((_, block)) = self.block else { return true };
        let is_written = |data: usize| block.nodes[self.next..].iter().any(|node| node.writes.contains(&data));
        self.at(key).any(|data| block.data[data].after && !is_written(data))
    }

    /// Whether the block in progress is known to read the array at an address again.
    pub fn is_read_again(&self, key: usize) -> bool {
        let NextUse { distance, reads } = self.next_use(key);
        reads && distance < self.known()
    }

    /// Statements of the block that are left, in all its rounds.
    fn known(&self) -> f64 {
        let Some((_, block)) = self.block else { return 0.0 };
        let nodes = block.nodes.len();
        let rounds = usize::try_from(self.rounds).unwrap_or(usize::MAX);
        (rounds - 1).saturating_mul(nodes).saturating_add(nodes - self.next) as f64
    }

    /// The next use of the array at an address.
    pub fn next_use(&self, key: usize) -> NextUse {
        let Some((_, block)) = self.block else { return NextUse { distance: FAR, reads: true } };
        let nodes = block.nodes.len();
        let rounds_left = self.rounds as f64 * nodes as f64;
        let mine = |data: &usize| self.places[*data].is_some_and(|place| place.key() == key);
        if !(0..block.data.len()).any(|data| mine(&data)) {
            return NextUse { distance: rounds_left + FAR, reads: true };
        }
        let reads = |node: &Node| node.reads.iter().any(mine);
        let uses = |node: &Node| reads(node) || node.writes.iter().any(mine);
        let found = |nodes: &[Node]| nodes.iter().position(uses).map(|at| (at, reads(&nodes[at])));
        if let Some((at, reads)) = found(&block.nodes[self.next..]) {
            return NextUse { distance: at as f64, reads };
        }
        if self.rounds > 1 {
            // in the next round its place may be that of another array, which is used no sooner than the first statement
            let (at, _) = found(&block.nodes[..self.next]).unwrap_or((0, true));
            let made = block.nodes.iter().any(|node| node.writes.iter().any(mine));
            return NextUse { distance: (nodes - self.next + if made { 0 } else { at }) as f64, reads: true };
        }
        NextUse { distance: (nodes - self.next) as f64 + FAR, reads: true }
    }
}
