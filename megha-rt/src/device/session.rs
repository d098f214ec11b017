//! A call of a compiled function that may use a device: what its launches and its host code ask for.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use megha_base::plan::Role;

use super::program::Program;
use super::run::Work;
use super::table::{Place, Table};
use super::{Arg, Device, Failure, Outcome, Placement};
use crate::fault::Fault;
use crate::{Error, ErrorKind, Order, Result, Site, trace};

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

/// The state of a call.
pub(crate) struct Session {
    device: Arc<dyn Device>,
    placement: Placement,
    table: Table,
}

thread_local! {
    /// Whether the call in progress on this thread may use a device.
    static ACTIVE: Cell<bool> = const { Cell::new(false) };
    static CURRENT: RefCell<Option<Session>> = const { RefCell::new(None) };
}

/// Runs `body` with this session, or without any; a thread that takes up another call meanwhile keeps both apart.
pub(crate) fn within(session: Option<Session>, body: &mut dyn FnMut()) {
    struct Restore(Option<Session>, bool);
    impl Drop for Restore {
        fn drop(&mut self) {
            // also where `body` panics: the outer call goes on with its own
            let ended = CURRENT.replace(self.0.take());
            ACTIVE.set(self.1);
            if let Some(ended) = ended {
                trace::moved(&ended.table.moved);
            }
        }
    }
    let active = session.is_some();
    let _restore = Restore(CURRENT.replace(session), ACTIVE.replace(active));
    body();
}

impl Session {
    /// A call that may use this device.
    pub fn new(device: Arc<dyn Device>, placement: Placement) -> Session {
        let table = Table::new(device.clone());
        Session { device, placement, table }
    }

    fn with<R>(run: impl FnOnce(&mut Session) -> R) -> Option<R> {
        CURRENT.with_borrow_mut(|current| current.as_mut().map(run))
    }
}

/// Whether a device did the launch. If not, the arrays are ready for the CPU.
///
/// # Errors
/// [`ErrorKind::Device`]: what only the device has cannot be had from it.
#[inline(always)]
pub fn offer(launch: Launch<'_>) -> Result<bool> {
    if ACTIVE.get() { offered(&launch) } else { Ok(false) }
}

#[cold]
fn offered(launch: &Launch<'_>) -> Result<bool> {
    let outcome = Session::with(|session| session.offer(launch)).unwrap_or(Ok(false));
    outcome.map_err(|failure| failed(&failure, launch.site))
}

/// Makes the host's array current before host code reads it.
///
/// # Errors
/// [`ErrorKind::Device`]: the device does not give it back.
#[inline(always)]
pub fn fetch(place: Place, site: &Site) -> Result<()> {
    if ACTIVE.get() { fetched(place, site) } else { Ok(()) }
}

#[cold]
fn fetched(place: Place, site: &Site) -> Result<()> {
    Session::with(|session| session.table.fetch(place)).unwrap_or(Ok(())).map_err(|failure| failed(&failure, site))
}

/// Says that host code is about to write the array.
#[inline(always)]
pub fn wrote(place: Place) {
    if ACTIVE.get() {
        Session::with(|session| session.table.written_on_host(place));
    }
}

/// Says that memory of the host goes back to where it came from.
#[inline(always)]
pub(crate) fn forget<T>(start: *const T) {
    if ACTIVE.get() {
        Session::with(|session| session.table.forget(start as usize));
    }
}

#[cold]
fn failed(failure: &Failure, site: &Site) -> Error {
    Error::new(ErrorKind::Device { reason: failure.to_string() }, site)
}

impl Session {
    fn offer(&mut self, launch: &Launch<'_>) -> Outcome<bool> {
        let plan = launch.program.kernel(launch.kernel).filter(|plan| plan.arrays.len() == launch.arrays.len());
        let Some(plan) = plan else { return self.bring_home(&[], launch.arrays).map(|()| false) };
        let roles: Vec<&Role> = plan.arrays.iter().map(|a| &a.role).collect();
        if let Some(work) =
            Work::new(plan, launch).filter(|work| self.placement != Placement::Cpu && work.is_some_point())
        {
            match work.run(&*self.device, &mut self.table) {
                Ok(()) => {
                    trace::offloaded(self.table.bytes());
                    return Ok(true);
                }
                Err(failure @ Failure::Lost { .. }) => return Err(failure),
                Err(failure) if self.placement == Placement::Gpu => return Err(failure),
                Err(failure) => trace::fell_back(&plan.entries[0].name, &failure),
            }
        }
        self.bring_home(&roles, launch.arrays).map(|()| false)
    }

    /// Makes arrays ready for a kernel on the CPU; without roles all may be read and written.
    fn bring_home(&mut self, roles: &[&Role], places: &[Place]) -> Outcome<()> {
        for (at, place) in places.iter().enumerate() {
            let role = roles.get(at).copied();
            if matches!(role, None | Some(Role::In | Role::Update(_))) {
                self.table.fetch(*place)?;
            }
            if !matches!(role, Some(Role::In)) {
                self.table.written_on_host(*place);
            }
        }
        Ok(())
    }
}
