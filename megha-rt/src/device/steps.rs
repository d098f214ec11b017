//! Launches of a loop over time that wait until some steps go at once ([`megha_base::plan::Grid::Steps`]).
//!
//! The kernel is all of its loop, and only the last state of the array is read once the loop is over. So a launch may wait, as long as nobody else asks for an array: the table
//! counts what it makes as made, and before anything but the next step is done with the session all that waits runs ([`Together`]). Some launches run as one, the rest one by one.
//!
//! Blocks read more than their own points of the first state, so the last one goes to memory that does not hold it: where the last launch would have put it, or, where
//! the first one reads that, to new memory, which is the array's from then on.

use std::cell::Cell;

use megha_base::plan::KernelPlan;

use super::program::Program;
use super::run::Work;
use super::schedule::Side;
use super::session::{Launch, Session};
use super::table::{Place, Table};
use super::together::Together;
use super::{Arg, Failure, Outcome};
use crate::{Order, cuts};

thread_local! {
    static FORCED: Cell<Option<bool>> = const { Cell::new(None) };
}

/// Runs `body`, in which loops over time go some steps at once on a device wherever they can, however small their arrays are, or nowhere: for tests. Results
/// do not change.
pub fn some_at_once<R>(wherever: bool, body: impl FnOnce() -> R) -> R {
    struct Restore(Option<bool>);
    impl Drop for Restore {
        fn drop(&mut self) {
            FORCED.set(self.0);
        }
    }
    let _restore = Restore(FORCED.replace(Some(wherever)));
    body()
}

/// Launches that wait, of one kernel, each on what the one before makes.
pub(super) struct Pending {
    program: &'static Program,
    kernel: usize,
    order: Order,
    sizes: Vec<i64>,
    scalars: Vec<Arg>,
    /// The arrays of each.
    launches: Vec<Vec<Place>>,
}

impl Pending {
    fn of(launch: &Launch<'_>) -> Self {
        let Launch { program, kernel, order, .. } = *launch;
        Self {
            program,
            kernel,
            order,
            sizes: launch.sizes.to_vec(),
            scalars: launch.scalars.to_vec(),
            launches: Vec::new(),
        }
    }

    /// Whether a launch is the next step.
    fn goes_on_with(&self, plan: &KernelPlan, launch: &Launch<'_>) -> bool {
        let same =
            std::ptr::eq(self.program, launch.program) && self.kernel == launch.kernel && self.order == launch.order;
        let scalars = || self.scalars.iter().zip(launch.scalars).all(|(a, b)| a.same(b));
        let state = plan.state();
        let Some(last) = self.launches.last() else { return false };
        let arrays = || {
            let mut both = last.iter().zip(launch.arrays).enumerate().skip(1);
            both.all(|(at, (a, b))| if Some(at) == state { *b == last[0] } else { a == b })
        };
        same && self.sizes == launch.sizes && self.scalars.len() == launch.scalars.len() && scalars() && arrays()
    }

    /// Runs them.
    pub(super) fn settle(&self, table: &mut Table) -> Outcome<()> {
        // which of them are half new if it fails is not known
        self.run(table).inspect_err(|_| self.launches.iter().for_each(|arrays| table.spoiled(arrays[0])))
    }

    fn run(&self, table: &mut Table) -> Outcome<()> {
        let no_plan = || Failure::Operation { operation: "launch", reason: "it has no plan".to_owned() };
        let plan = self.program.kernel(self.kernel).ok_or_else(no_plan)?;
        let work =
            Work::new((self.program, self.kernel), self.order, (&self.sizes, &self.scalars)).ok_or_else(no_plan)?;
        let mut left = &self.launches[..];
        while let Some(first) = left.first() {
            let mut done = 1;
            match plan.steps_of(left.len(), self.order as usize) {
                Some((entry, steps)) if work.run_steps(table, entry, (first, left[steps - 1][0]))? => done = steps,
                _ => work.run_prepared(table, first, None)?,
            }
            left = &left[done..];
        }
        Ok(())
    }
}

impl Session {
    /// Takes a launch of a loop over time that has no other, if it may wait for the next steps. Whether it did.
    pub(super) fn take_step(&mut self, launch: &Launch<'_>) -> Outcome<bool> {
        let Some(plan) = launch.program.kernel(launch.kernel) else { return Ok(false) };
        let arrival = launch.arrival();
        let side = self.placed(&arrival).map_or(Side::Gpu, |placed| placed.side);
        let work = Work::new((launch.program, launch.kernel), launch.order, (launch.sizes, launch.scalars));
        let Some(work) = work.filter(|work| work.is_some_point() && plan.checks.is_empty()) else { return Ok(false) };
        let fits = launch.arrays.len() == plan.arrays.len() && side == Side::Gpu && self.ahead.is_none();
        let fits = fits && !self.table.recipes.some_dropped();
        let goes_on = match &self.together {
            Some(Together::Steps(pending)) => pending.goes_on_with(plan, launch),
            Some(Together::Rows(_)) | None => false,
        };
        let pays = || goes_on || work.pays_in_steps(FORCED.get());
        if !fits || !pays() || cuts::drawn(|_| ()).is_some() || !self.has_room_for(launch) {
            return Ok(false);
        }
        if !goes_on {
            self.settle()?;
        }
        self.running = None;
        self.table.future.arrive(&arrival);
        let ready = self.table.with_room(launch.arrays, 0, &mut |table| work.prepare(table, launch.arrays));
        if !self.is_done(&plan.entries[0].name, ready)? {
            self.settle()?;
            return Ok(false);
        }
        let mut pending = match self.together.take() {
            Some(Together::Steps(pending)) => pending,
            Some(Together::Rows(_)) | None => Pending::of(launch),
        };
        pending.launches.push(launch.arrays.to_vec());
        let most = plan.steps_of(usize::MAX, launch.order as usize).map_or(1, |(_, steps)| steps);
        let are_enough = pending.launches.len() >= most;
        self.together = Some(Together::Steps(pending));
        if are_enough {
            self.settle()?;
        }
        Ok(true)
    }

    /// Whether there is room for the arrays, and for another state, without any other that leaves.
    fn has_room_for(&mut self, launch: &Launch<'_>) -> bool {
        let another = launch.arrays.first().map_or(0, |place| self.device.takes(place.length()));
        let bytes = self.table.lacks(launch.arrays).saturating_add(another);
        self.table.left.has(&*self.device, bytes)
    }
}
