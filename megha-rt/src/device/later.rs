//! Launches of a loop over time that wait, for a device through which some steps go at once (`run/pass.rs`).
//!
//! When a launch is noted its arrays are made current on the host, and what the device has of those that it changes is given up: so whoever runs the
//! launches finds them as the CPU would. What the device does not do, the CPU does.

use megha_base::plan::Role;

use super::program::Program;
use super::run::{Passed, Work};
use super::session::{Launch, Session, failed};
use super::table::Place;
use super::tiles::{self, Pace};
use super::{Arg, Failure, Outcome, Placement};
use crate::{Order, Result, Site, trace};

/// When a launch runs, and on which rows.
#[derive(Debug, Clone, Copy)]
pub struct Turn {
    /// Which of the CPU's loops goes over the rows, the outermost being 0; `usize::MAX` if all of the launch belongs to one row.
    pub axis: usize,
    /// The row of the arrays that belongs to the loop's first iteration.
    pub first: i64,
    /// By how many rows it is behind.
    pub shift: i64,
    /// The number of its step.
    pub step: usize,
}

/// A launch that waits.
pub struct Waiting {
    program: &'static Program,
    kernel: usize,
    order: Order,
    sizes: Vec<i64>,
    scalars: Vec<Arg>,
    pub(super) arrays: Vec<Place>,
    /// The loop of the plan's domain over its rows.
    pub(super) along: Option<usize>,
    pub(super) turn: Turn,
}

impl Waiting {
    /// The launch with its plan.
    pub(super) fn work(&self) -> Option<Work<'_>> {
        Work::new((self.program, self.kernel), self.order, (&self.sizes, &self.scalars))
    }
}

/// The launches that wait.
pub struct Later {
    launches: Vec<Waiting>,
    /// By how many rows a step is behind the one before.
    slope: i64,
    /// What a step needs.
    pub pace: Pace,
    /// The number of the step to which the host has come.
    pub step: usize,
    /// The place in the source of the first.
    site: Site,
    /// Whether the CPU does not know all of them.
    pub alone: bool,
}

impl Later {
    /// None yet.
    pub fn new(slope: i64, pace: Pace) -> Later {
        let site = Site { path: "", line: 0, column: 0, text: "" };
        Later { launches: Vec::new(), slope, pace, step: 0, site, alone: false }
    }

    /// Whether none waits.
    pub fn is_empty(&self) -> bool {
        self.launches.is_empty()
    }

    /// The host begins a step; whether so many wait that they should run before.
    pub fn begin_step(&mut self) -> bool {
        self.step += usize::from(!self.is_empty());
        self.launches.len() >= tiles::MOST
    }

    /// Notes a launch; `false`, and nothing has happened, if it cannot wait.
    ///
    /// # Errors
    /// [`crate::ErrorKind::Device`]: what only the device has cannot be had from it.
    pub fn note(&mut self, launch: &Launch<'_>, turn: Turn) -> Result<bool> {
        let note = |session: &mut Session| session.note(launch, turn).inspect_err(|failure| session.lost(failure));
        let noted = Session::with(note).unwrap_or(Ok(None)).map_err(|failure| failed(&failure, launch.site))?;
        let Some(waiting) = noted else { return Ok(false) };
        if self.launches.is_empty() {
            self.site = *launch.site;
        }
        self.launches.push(waiting);
        Ok(true)
    }

    /// Runs all that wait on the device; `false` if it has done none, and the CPU is to do them.
    ///
    /// # Errors
    /// [`crate::ErrorKind::Device`]: the device failed when arrays were half new.
    pub fn run(&mut self) -> Result<bool> {
        let launches = std::mem::take(&mut self.launches);
        self.step = 0;
        let run = |session: &mut Session| {
            session.run_waiting(&launches, (self.slope, self.pace)).inspect_err(|failure| session.lost(failure))
        };
        let done = Session::with(run).unwrap_or(Ok(false)).map_err(|failure| failed(&failure, &self.site))?;
        if !done && self.alone {
            let reason = "the device failed, and the launches are not noted for the CPU".to_owned();
            return Err(failed(&Failure::Operation { operation: "launch", reason }, &self.site));
        }
        Ok(done)
    }
}

impl Drop for Later {
    fn drop(&mut self) {
        Session::with(|session| session.waits = false);
    }
}

impl Session {
    /// A launch that may wait, with its arrays on the host.
    fn note(&mut self, launch: &Launch<'_>, turn: Turn) -> Outcome<Option<Waiting>> {
        let Some(plan) = launch.program.kernel(launch.kernel) else { return Ok(None) };
        let along = match (turn.axis, &plan.host) {
            (usize::MAX, _) => None,
            (axis, Some(nests)) => {
                let nest = &nests[launch.order as usize];
                let Some(along) = nest.outer.iter().chain(&nest.inner).nth(axis) else { return Ok(None) };
                Some(*along)
            }
            (_, None) => return Ok(None),
        };
        let (sizes, scalars, arrays) = (launch.sizes.to_vec(), launch.scalars.to_vec(), launch.arrays.to_vec());
        let Launch { program, kernel, order, .. } = *launch;
        let waiting = Waiting { program, kernel, order, sizes, scalars, arrays, along, turn };
        let can_wait =
            arrays_fit(plan.arrays.len(), launch) && waiting.work().is_some_and(|work| work.can_wait(&waiting));
        if !can_wait || !self.table.guard.engage() {
            return Ok(None);
        }
        (self.running, self.ahead) = (None, None);
        let roles: Vec<&Role> = plan.arrays.iter().map(|array| &array.role).collect();
        self.bring_home(&roles, launch.arrays)?;
        self.waits = true;
        Ok(Some(waiting))
    }

    /// Runs launches some steps at once; whether it did.
    fn run_waiting(&mut self, launches: &[Waiting], (slope, pace): (i64, Pace)) -> Outcome<bool> {
        self.waits = false;
        let Some(basis) = &self.basis else { return Ok(false) };
        let rates = basis.rates;
        (self.running, self.ahead) = (None, None);
        match super::run::pass(&mut self.table, launches, (slope, pace), &rates)? {
            Passed::Done => {
                launches.iter().for_each(|_| trace::offloaded(self.table.bytes()));
                Ok(true)
            }
            Passed::Not(failure) => {
                // what no device has room for no wish puts there
                let memory = matches!(failure, Failure::OutOfMemory { .. });
                if self.placement == Placement::Gpu && !memory {
                    return Err(failure);
                }
                trace::fell_back("steps at once", &failure);
                Ok(false)
            }
        }
    }
}

fn arrays_fit(number: usize, launch: &Launch<'_>) -> bool {
    number == launch.arrays.len() && launch.fault.is_none()
}
