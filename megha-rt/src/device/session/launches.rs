//! Launches that a call offers to its device: what they bring, and whether the device does them as wholes, in parts or not at all.

use megha_base::cuts::Cuts;
use megha_base::plan::block::Task;
use megha_base::plan::{KernelPlan, Role};

use super::super::job::Arrival;
use super::super::learn::Case;
use super::super::placements::Placed;
use super::super::program::Program;
use super::super::run::{Streamed, Watches, Work, Worth, chunks};
use super::super::schedule::Side;
use super::super::table::{Place, Table};
use super::super::{Arg, Failure, Outcome};
use super::Session;
use crate::fault::Fault;
use crate::launch::Chunk;
use crate::{Order, Site, cuts};

/// A launch, as generated code describes it.
pub struct Launch<'c> {
    /// The kernels of the module.
    pub program: &'static Program,
    /// Which of them.
    pub kernel: usize,
    /// The order of its arrays in memory.
    pub order: Order,
    /// The values of the plan's symbols.
    pub sizes: &'c [i64],
    /// The scalars that the plan names.
    pub scalars: &'c [Arg],
    /// The plan's arrays.
    pub arrays: &'c [Place],
    /// Where a check that fails is noted.
    pub fault: Option<&'c Fault>,
    /// The place in the source.
    pub site: &'c Site,
}

impl Launch<'_> {
    pub(in super::super) fn arrival(&self) -> Arrival<'_> {
        Arrival {
            program: self.program,
            task: Task::Kernel(self.kernel),
            order: self.order,
            sizes: self.sizes,
            scalars: self.scalars,
            product: None,
            arrays: self.arrays,
            fault: self.fault,
        }
    }
}

impl Session {
    /// Whether the device did the launch. If not, its arrays are on the host.
    pub(super) fn offer(&mut self, launch: &Launch<'_>) -> Outcome<bool> {
        let arrival = launch.arrival();
        let plan = launch.program.kernel(launch.kernel).filter(|plan| plan.arrays.len() == launch.arrays.len());
        let Some(plan) = plan else {
            self.running = None;
            self.settle()?;
            return self.bring_home(&[], launch.arrays).map(|()| false);
        };
        // what waits has its arrays where they are, and lets none leave
        if self.table.recipes.some_dropped() {
            self.settle()?;
        }
        let mut joins = self.joins(launch, plan);
        if joins.is_none() && self.together.is_some() {
            self.settle()?;
            joins = self.joins(launch, plan);
        }
        if self.comes_to(&arrival)? {
            return Ok(true);
        }
        let roles: Vec<&Role> = plan.arrays.iter().map(|a| &a.role).collect();
        let placed = self.placed(&arrival);
        let allowed = placed.is_none_or(|placed| placed.side == Side::Gpu);
        let work = Work::new((launch.program, launch.kernel), launch.order, (launch.sizes, launch.scalars));
        let checks = plan.checks.is_empty() || launch.fault.is_some();
        let work = work.filter(|work| allowed && checks && work.is_some_point());
        if let Some(work) = work {
            let done = match joins.map_or(Ok(false), |rows| self.wait_in_rows((plan, &work), launch, rows)) {
                Ok(true) => Ok(()),
                Ok(false) => self.run_there(&work, launch, placed)?,
                Err(failure) => Err(failure),
            };
            if self.is_done(&plan.entries[0].name, done)? {
                // what waits has not made yet what would be copied
                if self.together.is_none() {
                    self.table.begin_to_spill();
                }
                self.go_on(&arrival, Side::Gpu);
                return Ok(true);
            }
        }
        self.settle()?;
        self.bring_home(&roles, launch.arrays)?;
        self.rest = cuts::drawn(|cuts| cut(plan, (launch.order, launch.sizes), cuts)).flatten();
        self.runs_here(&arrival, placed);
        Ok(false)
    }

    /// Runs a launch on the device, as a whole or, if that has no room, in parts. The inner failure leaves it to the CPU.
    fn run_there(&mut self, work: &Work<'_>, launch: &Launch<'_>, placed: Option<Placed>) -> Outcome<Outcome<()>> {
        let (more, known) = (work.scratch(&*self.device), (launch.program.address(), launch.kernel));
        let timer = self.placements.timer(launch.program, Task::Kernel(launch.kernel));
        let tuner = self.placements.tuner(launch.program, launch.kernel);
        let watches = Watches { timer: timer.as_ref(), tuner: tuner.as_ref() };
        let run = &mut |table: &mut Table| work.run(table, launch, watches);
        let ready = self.table.before_launch(&mut || work.accesses(launch.arrays));
        let done = ready.and_then(|()| self.table.with_room(launch.arrays, more, run));
        if !matches!(done, Err(Failure::OutOfMemory { .. })) || self.uncut.contains(&known) {
            return Ok(done);
        }
        // what begins early goes by where arrays were
        self.ahead = None;
        let worth = placed.zip(self.basis.as_ref()).map(|(placed, basis)| {
            let Placed { case, on_cpu, busy, .. } = placed;
            let (copies, case, learned) = (&basis.copies, Case { side: Side::Gpu, ..case }, &*basis.learned);
            Worth { copies, issue: basis.issue(), busy, case, learned, on_cpu }
        });
        match work.stream(&mut self.table, launch, worth.as_ref())? {
            Streamed::Done => Ok(Ok(())),
            Streamed::Not(failure) => {
                self.uncut.insert(known);
                Ok(Err(failure))
            }
        }
    }
}

/// A kernel in parts, as the CPU runs it.
fn cut(plan: &KernelPlan, (order, sizes): (Order, &[i64]), cuts: &mut Cuts) -> Option<Vec<Chunk>> {
    let whole = plan.whole(&|symbol| sizes[symbol]);
    let lists: Option<Vec<_>> =
        plan.parts(&whole, cuts).iter().map(|part| chunks(plan, order, (&whole, part))).collect();
    Some(lists?.concat())
}
