//! Blocks that a call comes to: what is known when one is about to run, and where its kernels are to.

use std::sync::Arc;

use megha_base::plan::block::{Block, Task};

use super::super::ahead::Ahead;
use super::super::decide::{Basis, Decision, Execution};
use super::super::future::Future;
use super::super::in_rows;
use super::super::learn::Learned;
use super::super::placements::{Placed, Placements};
use super::super::program::Program;
use super::super::recompute::is_forced;
use super::super::schedule::Side;
use super::super::table::Place;
use super::super::tiles::Pace;
use super::super::{Arg, Placement};
use super::Session;
use crate::{Order, trace};

/// What comes with an execution of a block.
pub struct Given<'c> {
    /// The order of arrays in memory.
    pub order: Order,
    /// The values of the block's symbols.
    pub sizes: &'c [i64],
    /// The arrays that exist before it.
    pub places: &'c [Place],
    /// Iterations and counter of each loop around it that counts, outermost first; only what lies inside the innermost other one.
    pub counted: &'c [(i64, i64)],
    /// Whether a loop around it has a condition.
    pub conditional: bool,
    /// Iterations of the loops behind it in which the next block is; none if that is not known.
    pub following: &'c [i64],
    /// The sizes that launches pass which may begin early.
    pub passed: &'c [i64],
    /// The scalars that they pass.
    pub scalars: &'c [Arg],
}

impl Given<'_> {
    /// How often the block is expected to run in a row from now on, if it has run so often in this call: what its counted loops have left;
    /// a loop of unknown length that has run so often is expected to run as often again, and so is a function that calls itself.
    fn repeat(&self, runs: u64) -> u64 {
        let left = self.counted.iter().fold(1, |left: i64, (trip, counter)| {
            (left - 1).saturating_mul(*trip).saturating_add(trip.saturating_sub(*counter)).max(1)
        });
        let left = left.unsigned_abs();
        if self.conditional || self.counted.is_empty() { left.max(runs) } else { left }
    }

    /// The block that follows in loops, and how often it runs there.
    fn next<'p>(&self, program: &'p Program, block: &Block) -> Option<(&'p Block, u64)> {
        let next = program.block(block.following.as_ref()?.block)?;
        let rounds = self.following.iter().fold(1, |rounds: i64, trip| rounds.saturating_mul((*trip).max(0)));
        (rounds > 0).then_some((next, rounds.unsigned_abs()))
    }
}

impl Session {
    /// Decides where the kernels of a block run that is about to; what they need where some steps of the loop around it go through the device at once.
    pub(super) fn decide(
        &mut self,
        program: &'static Program,
        number: usize,
        given: &Given<'_>,
        slope: Option<i64>,
    ) -> Option<Pace> {
        self.ahead = None;
        let block = program.block(number)?;
        let runs = self.runs.entry((program.address(), number)).or_default();
        let repeat = given.repeat(*runs);
        *runs += 1;
        self.table.future = Future::of(program, block, given.places, repeat);
        let auto = self.placement == Placement::Auto;
        if !auto {
            // Where there is nothing to decide, it is still measured which entries are the fastest.
            self.placements.learn(|| Learned::of(&self.device, rayon::current_num_threads()));
        }
        let fingerprint = program.fingerprint();
        let next = given.next(program, block);
        let mut execution = Execution {
            number,
            program: fingerprint,
            block,
            sizes: given.sizes,
            present: Vec::new(),
            repeat,
            next,
            library: false,
            room: [true; 2],
            budget: u64::MAX,
            uncut: Vec::new(),
            device: &*self.device,
            order: given.order,
            slope,
        };
        execution.room = execution.all_bytes().map(|bytes| self.table.left.can_have(&*self.device, bytes));
        let is_pressed = execution.room.contains(&false) || is_forced();
        if !auto && slope.is_none() && !is_pressed {
            return None;
        }
        execution.present = given.places.iter().map(|p| self.table.present(*p)).collect();
        let nodes = || block.nodes.iter().chain(next.iter().flat_map(|(next, _)| &next.nodes));
        // whether the device has a library is found out only where something is multiplied
        let library = nodes().any(|node| matches!(node.task, Task::Product(_))) && self.uses_library();
        execution.library = library;
        if !execution.room[0] {
            execution.budget = self.table.available();
            let kernels = block.nodes.iter().filter_map(|node| match node.task {
                Task::Kernel(kernel) => Some(kernel),
                Task::Host | Task::Memory | Task::Product(_) => None,
            });
            execution.uncut = kernels.filter(|kernel| self.uncut.contains(&(program.address(), *kernel))).collect();
        } else if !auto && !is_pressed {
            return None;
        }
        let basis = self.basis.get_or_insert_with(|| Basis::of(&self.device));
        if auto || slope.is_some() {
            self.placements.learn(|| basis.learned.clone());
            self.table.copies.get_or_insert_with(|| basis.copies.clone());
        }
        self.table.link.get_or_insert_with(|| basis.copies.clone());
        // what stays on the device must be there in the end
        if is_pressed && !self.stays {
            let seconds = |node| execution.corrected(node, Side::Gpu, basis);
            self.table.future.price(block.nodes.iter().map(seconds).collect());
        }
        if !auto {
            return if execution.room[0] { None } else { execution.tiling(basis).map(|(_, pace)| pace) };
        }
        let decision = match self.device.lot() {
            Some(lot) => Arc::new(execution.decided_by(lot, basis)),
            None => program.decisions().of(&execution, basis),
        };
        let at_once = decision.at_once;
        trace::scheduled(decision.first);
        self.table.future.follow(decision.clone());
        execution.place(program, &mut self.placements, (&decision, basis));
        // what begins early takes memory that others may need
        let calm = decision.is_calm() && decision.is_worth_it(block);
        // where all is the device's, what begins early would only let copies to the host begin before the last launch: less than one launch for several is worth
        let calm = calm && !(decision.is_all_there() && in_rows::has_rows(program, block, &decision.sides, given));
        if calm && !self.table.recipes.some_dropped() && self.table.guard.engage() && self.settle().is_ok() {
            // what began early reads arrays where they are
            self.table.future.price(Vec::new());
            let mut ahead = Ahead::new(self.device.clone(), (program, block), decision, (given, self.stays, library));
            ahead.go_on(&mut self.table, &self.placements);
            self.ahead = Some(ahead);
            return None;
        }
        at_once
    }
}

impl Execution<'_> {
    /// Notes on which side each node runs that a device may be offered, and what it is expected to take.
    fn place(&self, program: &'static Program, placements: &mut Placements, (decision, basis): (&Decision, &Basis)) {
        for ((node, side), in_parts) in self.block.nodes.iter().zip(&decision.sides).zip(&decision.in_parts) {
            if !node.task.is_offered() {
                continue;
            }
            let side = if *in_parts { &Side::Gpu } else { side };
            let estimates = self.estimates(node, basis);
            let Some(busy) = self.busy(node, basis) else { continue };
            let (case, on_cpu) = (self.case(node, *side), self.corrected(node, Side::Cpu, basis));
            placements.decide(program, node.task, Placed { side: *side, case, estimates, on_cpu, busy });
            let name = match node.task {
                Task::Kernel(kernel) => program.kernel(kernel).map_or("a kernel", |plan| &plan.entries[0].name),
                Task::Product(_) | Task::Host | Task::Memory => "matrix product",
            };
            trace::placed(name, *side, (estimates[0], self.repeat));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_that_are_left() {
        let left = |counted: &[(i64, i64)], conditional: bool, runs: u64| {
            let (order, none) = (Order::ColMajor, [0; 0]);
            let (following, passed) = (&none[..], &none[..]);
            let given =
                Given { order, sizes: &none, places: &[], counted, conditional, following, passed, scalars: &[] };
            given.repeat(runs)
        };
        assert_eq!([0, 4, 9].map(|counter| left(&[(10, counter)], false, 7)), [10, 6, 1]);
        // two more rounds of the outer loop, and of the inner one the last three
        assert_eq!(left(&[(5, 2), (8, 5)], false, 100), 2 * 8 + 3);
        assert_eq!(left(&[(i64::MAX, 0), (i64::MAX, 0)], false, 0), i64::MAX.unsigned_abs());
        assert_eq!([left(&[(10, 4)], true, 3), left(&[(10, 4)], true, 30)], [6, 30]);
        assert_eq!([left(&[], false, 0), left(&[], true, 0), left(&[], false, 5)], [1, 1, 5]);
    }
}
