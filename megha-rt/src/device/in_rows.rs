//! Launches that wait for those behind them, because one entry runs them all row by row ([`megha_base::plan::InRow`]).
//!
//! Launches come one by one. One that is the first of such an entry gets memory and what it reads, but is not started; if the next ones are the others, on the same rows and
//! in memory that is as the compiler assumed, the entry is started with the last of them. Else each is started by its own entry ([`super::together`]). A failure then leaves what
//! they make current nowhere.

use std::cell::Cell;

use megha_base::plan::block::{Block, Node, Task};
use megha_base::plan::{InRow, KernelPlan, Role, Rows, Share};

use super::placements::Placements;
use super::program::Program;
use super::run::Work;
use super::schedule::Side;
use super::session::{Given, Launch, Session};
use super::table::{Place, Table};
use super::together::Together;
use super::{Arg, Failure, Outcome, Queue};
use crate::{Order, cuts};

thread_local! {
    static APART: Cell<bool> = const { Cell::new(false) };
}

/// Runs `body`, in which kernels that go through the same rows are launched apart: for tests. Results do not change.
pub fn rows_apart<R>(body: impl FnOnce() -> R) -> R {
    struct Restore(bool);
    impl Drop for Restore {
        fn drop(&mut self) {
            APART.set(self.0);
        }
    }
    let _restore = Restore(APART.replace(true));
    body()
}

/// Launches that wait.
pub(super) struct InRows {
    program: &'static Program,
    order: Order,
    /// The entry that may run them.
    name: String,
    rows: Rows,
    launches: Vec<Noted>,
    /// The number of each array in the entry, and where it is.
    places: Vec<(usize, Place)>,
    /// Bytes of memory that they take beside their arrays if each is started by its own entry.
    scratch: u64,
}

/// A launch whose arrays are on the device.
struct Noted {
    kernel: usize,
    sizes: Vec<i64>,
    scalars: Vec<Arg>,
    places: Vec<Place>,
}

/// The share of a kernel in an entry for an order of memory.
fn own_share(plan: &KernelPlan, order: Order) -> Option<&Share> {
    plan.in_row.as_ref()?.orders[order as usize].as_ref()
}

fn unknown() -> Failure {
    Failure::Operation { operation: "launch", reason: "its plan says nothing of rows".to_owned() }
}

impl Noted {
    fn work<'w>(&'w self, waiting: &InRows) -> Outcome<(&'static KernelPlan, Work<'w>)> {
        let plan = waiting.program.kernel(self.kernel).ok_or_else(unknown)?;
        let work = Work::new((waiting.program, self.kernel), waiting.order, (&self.sizes, &self.scalars));
        Ok((plan, work.ok_or_else(unknown)?))
    }
}

impl InRows {
    fn of(launch: &Launch<'_>, share: &Share) -> Self {
        let Launch { program, order, .. } = *launch;
        let (rows, launches, places) = (Rows::default(), Vec::new(), Vec::new());
        Self { program, order, name: share.entry.name.clone(), rows, launches, places, scratch: 0 }
    }

    /// Whether a launch is the next one.
    fn goes_on_with(&self, (in_row, share): (&InRow, &Share), launch: &Launch<'_>) -> bool {
        let same = std::ptr::eq(self.program, launch.program) && self.order == launch.order;
        same && self.name == share.entry.name && self.launches.len() == in_row.place
    }

    fn push(&mut self, in_row: &InRow, launch: &Launch<'_>) {
        self.places.extend(in_row.arrays.iter().copied().zip(launch.arrays.iter().copied()));
        let (sizes, scalars, places) = (launch.sizes.to_vec(), launch.scalars.to_vec(), launch.arrays.to_vec());
        self.launches.push(Noted { kernel: launch.kernel, sizes, scalars, places });
    }

    /// Starts the entry that runs all of them; the share is that of any.
    fn run(&self, table: &mut Table, share: &Share) -> Outcome<()> {
        let device = table.device().clone();
        let mut args = Vec::new();
        for noted in &self.launches {
            let (plan, work) = noted.work(self)?;
            let share = own_share(plan, self.order).ok_or_else(unknown)?;
            let own = work.arguments_beside_others(table, &share.entry, &noted.places)?;
            for (slot, arg) in share.slots.iter().zip(own) {
                if args.len() <= *slot {
                    args.resize(slot + 1, Arg::I64(0));
                }
                args[*slot] = arg;
            }
        }
        let shape = share.launch(self.rows).ok_or_else(unknown)?;
        let module = device.load(self.program.ptx())?;
        device.launch(Queue::Compute, module, &self.name, shape, &args)
    }

    /// Starts each by its own entry.
    pub(super) fn one_by_one(&self, table: &mut Table, placements: &Placements) -> Outcome<()> {
        for (at, noted) in self.launches.iter().enumerate() {
            let timer = placements.timer(self.program, Task::Kernel(noted.kernel));
            let (_, work) = noted.work(self)?;
            work.run_prepared(table, &noted.places, timer.as_ref()).inspect_err(|_| self.spoil(at, table))?;
        }
        Ok(())
    }

    /// Says that nobody has what the launches from one on were to make.
    fn spoil(&self, from: usize, table: &mut Table) {
        for noted in &self.launches[from..] {
            let Some(plan) = self.program.kernel(noted.kernel) else { continue };
            let made = plan.arrays.iter().zip(&noted.places).filter(|(array, _)| array.role != Role::In);
            made.for_each(|(_, place)| table.spoiled(*place));
        }
    }
}

/// Whether some kernels of a block, one behind the other on the device, go through the same rows, which fit as far as is known. What launches pass is not known where they
/// cannot begin early.
pub(super) fn has_rows(program: &Program, block: &Block, sides: &[Side], given: &Given<'_>) -> bool {
    let join = |before: Option<(usize, Option<Rows>)>, (node, side): (&Node, &Side)| {
        let (Task::Kernel(kernel), Side::Gpu) = (node.task, side) else { return None };
        let plan = program.kernel(kernel)?;
        let in_row = plan.in_row.as_ref().filter(|_| own_share(plan, given.order).is_some())?;
        let before = before.filter(|(next, _)| *next == in_row.place);
        if before.is_none() && in_row.place != 0 {
            return None;
        }
        let rows = match &node.passed {
            None => None,
            Some(passed) => {
                let at = |symbol: usize| passed.sizes.get(symbol).and_then(|at| given.passed.get(*at));
                let size = |symbol: usize| at(symbol).copied().unwrap_or(0);
                Some(plan.rows_with(given.order as usize, before.and_then(|(_, rows)| rows), &size)?)
            }
        };
        Some((in_row.place + 1, rows, in_row.of))
    };
    let mut before = None;
    block.nodes.iter().zip(sides).any(|node| {
        let joined = join(before, node);
        before = joined.map(|(next, rows, _)| (next, rows));
        joined.is_some_and(|(next, _, of)| next == of)
    })
}

impl Session {
    /// The rows of the launches that wait and this one, if it may wait with them or, where none does, as the first.
    pub(super) fn joins(&mut self, launch: &Launch<'_>, plan: &KernelPlan) -> Option<Rows> {
        let (in_row, share) = plan.in_row.as_ref().zip(own_share(plan, launch.order))?;
        let before = match &self.together {
            None if in_row.place == 0 => None,
            Some(Together::Rows(waiting)) if waiting.goes_on_with((in_row, share), launch) => Some(waiting),
            None | Some(Together::Rows(_) | Together::Steps(_)) => return None,
        };
        if self.ahead.is_some() || self.table.recipes.some_dropped() || APART.get() || cuts::drawn(|_| ()).is_some() {
            return None;
        }
        let sizes = |symbol: usize| launch.sizes.get(symbol).copied().unwrap_or(0);
        let rows = plan.rows_with(launch.order as usize, before.map(|waiting| waiting.rows), &sizes)?;
        let own: Vec<(usize, Place)> = in_row.arrays.iter().copied().zip(launch.arrays.iter().copied()).collect();
        let others = before.map_or(&[][..], |waiting| &waiting.places);
        let fits = |(number, place): &(usize, Place), (other, at): &(usize, Place)| {
            let same = place.key() == at.key();
            let is_changed = in_row.changed.contains(number) || in_row.changed.contains(other);
            same == (number == other) || (same && !is_changed)
        };
        own.iter().all(|array| own.iter().chain(others).all(|other| fits(array, other))).then_some(rows)
    }

    /// Lets a launch wait that joins those that do, or runs all of them with it if it is the last. Whether it did.
    pub(super) fn wait_in_rows(
        &mut self,
        (plan, work): (&KernelPlan, &Work<'_>),
        launch: &Launch<'_>,
        rows: Rows,
    ) -> Outcome<bool> {
        let Some((in_row, share)) = plan.in_row.as_ref().zip(own_share(plan, launch.order)) else { return Ok(false) };
        if !self.noted(work, launch)? {
            self.settle()?;
            return Ok(false);
        }
        let mut waiting = match self.together.take() {
            Some(Together::Rows(waiting)) => waiting,
            None | Some(Together::Steps(_)) => InRows::of(launch, share),
        };
        waiting.rows = rows;
        waiting.scratch += work.scratch(&*self.device);
        waiting.push(in_row, launch);
        if waiting.launches.len() < in_row.of {
            self.together = Some(Together::Rows(waiting));
            return Ok(true);
        }
        match waiting.run(&mut self.table, share) {
            Ok(()) => Ok(true),
            Err(failure) if failure.is_final() => {
                waiting.spoil(0, &mut self.table);
                Err(failure)
            }
            // nothing has begun
            Err(_) => waiting.one_by_one(&mut self.table, &self.placements).map(|()| true),
        }
    }

    /// Makes the arrays of a launch ready and counts what it makes as made; `false`, and nothing has happened, where something would have to leave the device for it: it might be
    /// what the launches that wait are about to make.
    fn noted(&mut self, work: &Work<'_>, launch: &Launch<'_>) -> Outcome<bool> {
        let waiting = match &self.together {
            Some(Together::Rows(waiting)) => waiting.scratch,
            Some(Together::Steps(_)) | None => 0,
        };
        let scratch = work.scratch(&*self.device).saturating_add(waiting);
        let bytes = self.table.lacks(launch.arrays).saturating_add(scratch);
        if !self.table.left.has(&*self.device, bytes) || !self.table.guard.engage() {
            return Ok(false);
        }
        self.table.begin_launch();
        match work.prepare(&mut self.table, launch.arrays) {
            Ok(()) => {
                work.note_recipe(&mut self.table, launch);
                Ok(true)
            }
            Err(Failure::OutOfMemory { .. }) => Ok(false),
            Err(failure) => Err(failure),
        }
    }
}
