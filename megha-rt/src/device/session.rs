//! A call of a compiled function that may use a device: what its launches and its host code ask for.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use megha_base::plan::Role;

use super::decide::{Execution, Host};
use super::program::Program;
use super::run::Work;
use super::schedule::Side;
use super::table::{Held, Place, Share, Table};
use super::{Arg, Device, Failure, Outcome, Placement};
use crate::fault::Fault;
use crate::memory::Buf;
use crate::{Array, Error, ErrorKind, Layout, Order, Result, Site, View, trace};

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
    host: Host,
    /// Where kernels are to run and the seconds that the CPU is estimated to take for them, by program and number.
    decided: HashMap<(usize, usize), (Side, f64)>,
    /// How often blocks ran in this call.
    runs: HashMap<(usize, usize), u64>,
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
        let host = Host::guess(rayon::current_num_threads());
        Session { device, placement, table, host, decided: HashMap::new(), runs: HashMap::new() }
    }

    /// Makes a copy that an array keeps known to the call in progress; `false` if that has no such device.
    pub fn lend(place: Place, (device, held): (&Arc<dyn Device>, &Held), share: Arc<dyn Share>) -> bool {
        let lend = |session: &mut Session| {
            let same = Arc::ptr_eq(device, &session.device);
            if same {
                session.table.lend(place, held, Some(share));
            }
            same
        };
        ACTIVE.get() && Session::with(lend).unwrap_or(false)
    }

    /// What the call in progress has of an array on its device, for an array that keeps it.
    pub fn take(place: Place) -> Option<(Arc<dyn Device>, Held)> {
        let take = |session: &mut Session| session.table.take(place).map(|held| (session.device.clone(), held));
        if ACTIVE.get() { Session::with(take).flatten() } else { None }
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
    let outcome = Session::with(|session| session.offer(launch).inspect_err(|failure| session.lost(failure)));
    outcome.unwrap_or(Ok(false)).map_err(|failure| failed(&failure, launch.site))
}

/// Decides where the kernels of a block run that is about to. `sizes` are the values of its symbols, `places` its arrays that exist;
/// `trip` is how often the loop around it runs, or 0.
#[inline(always)]
pub fn decide(program: &'static Program, block: usize, sizes: &[i64], places: &[Place], trip: i64) {
    if ACTIVE.get() {
        decided(program, block, (sizes, places), trip);
    }
}

#[cold]
fn decided(program: &'static Program, block: usize, arrays: (&[i64], &[Place]), trip: i64) {
    Session::with(|session| session.decide(program, block, arrays, trip));
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
    let fetch = |session: &mut Session| session.table.fetch(place).inspect_err(|failure| session.lost(failure));
    Session::with(fetch).unwrap_or(Ok(())).map_err(|failure| failed(&failure, site))
}

/// A copy of an array in memory of its own, of the device's copy too. What only the device has is copied there if it can, else fetched.
///
/// # Errors
/// [`ErrorKind::Device`]: the device does not give it back.
#[inline(always)]
pub fn duplicated<L: Layout, T: Copy, const N: usize>(view: View<'_, L, T, N>) -> Result<Array<L, T, N>> {
    if !ACTIVE.get() || view.is_empty() {
        return Ok(view.to_owned());
    }
    if Session::with(|session| session.table.on_host(view.place())).unwrap_or(true) {
        let array = view.to_owned();
        duplicate(view.place(), array.place());
        return Ok(array);
    }
    // SAFETY: the elements are the device's copy, which is fetched before the host reads them; without one the array is dropped.
    let array = unsafe { Array::from_buf(Buf::<T>::uninit(view.len()).assume_init(), view.shape()) };
    if duplicate(view.place(), array.place()) {
        return Ok(array);
    }
    fetch(view.place(), &COPY)?;
    Ok(view.to_owned())
}

const COPY: Site = Site { path: "", line: 0, column: 0, text: "a copy of an array" };

/// Copies what the device has of an array; whether it had it and did.
#[cold]
fn duplicate(from: Place, to: Place) -> bool {
    let copy = |session: &mut Session| {
        let copied = session.table.on_device(from).then(|| session.table.duplicate(from, to));
        copied.is_some_and(|outcome| outcome.inspect_err(|failure| session.lost(failure)).is_ok())
    };
    Session::with(copy).unwrap_or(false)
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

fn address(program: &'static Program) -> usize {
    std::ptr::from_ref(program) as usize
}

impl Session {
    /// A device that cannot be used any more is not offered to later calls.
    fn lost(&self, failure: &Failure) {
        if let Failure::Lost { .. } = failure {
            super::abandon(&self.device, failure);
        }
    }

    fn decide(&mut self, program: &'static Program, number: usize, (sizes, places): (&[i64], &[Place]), trip: i64) {
        let Some(block) = program.block(number).filter(|_| self.placement == Placement::Auto) else { return };
        // A loop of unknown length that has run so often is expected to run as often again.
        let runs = self.runs.entry((address(program), number)).or_default();
        let repeat = (trip.max(0).unsigned_abs()).max(*runs).max(1);
        *runs += 1;
        let execution = Execution { number, block, sizes, places, repeat };
        let sides = execution.sides(program.decisions(), &self.table, &self.device.rates(), &self.host);
        for (node, side) in block.nodes.iter().zip(&sides) {
            let Some(kernel) = node.kernel else { continue };
            let seconds = execution.on_cpu(node, &self.host);
            self.decided.insert((address(program), kernel), (*side, seconds));
            trace::placed(program.kernel(kernel), *side, (seconds, repeat));
        }
    }

    fn offer(&mut self, launch: &Launch<'_>) -> Outcome<bool> {
        let plan = launch.program.kernel(launch.kernel).filter(|plan| plan.arrays.len() == launch.arrays.len());
        let Some(plan) = plan else { return self.bring_home(&[], launch.arrays).map(|()| false) };
        let roles: Vec<&Role> = plan.arrays.iter().map(|a| &a.role).collect();
        let decided = self.decided.get(&(address(launch.program), launch.kernel)).copied();
        let allowed = decided.is_none_or(|(side, _)| side == Side::Gpu);
        if let Some(work) = Work::new(plan, launch).filter(|work| allowed && work.is_some_point()) {
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
        self.bring_home(&roles, launch.arrays)?;
        if let Some((_, seconds)) = decided {
            self.device.host_worked(Duration::from_secs_f64(seconds));
        }
        Ok(false)
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
