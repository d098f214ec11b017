//! A call of a compiled function that may use a device: its state, and what becomes of that as the call goes on.

mod blocks;
mod launches;
mod requests;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use megha_base::plan::Role;

use super::ahead::Ahead;
use super::decide::Basis;
use super::guard::Guard;
use super::held::{Held, Share};
use super::job::Arrival;
use super::placements::{Placed, Placements};
use super::schedule::Side;
use super::table::{Place, Table};
use super::together::Together;
use super::{Chosen, Device, Failure, Outcome, Placement};
use crate::launch::Chunk;
use crate::per_thread::PerThread;
use crate::trace;
use crate::watch::{self, Watch};
pub use blocks::Given;
pub use launches::Launch;
pub use requests::{active, decide, duplicated, duplicated_around, fetch, offer, results_stay, wrote};
pub(crate) use requests::{
    decide_in_time, fetch_element, forget, guarded, host_multiplies, kernel_ended, offer_step, rest, restore, settle,
    stands_for,
};
pub(super) use requests::{failed, host_moves};

/// The state of a call.
pub(crate) struct Session {
    pub(super) device: Arc<dyn Device>,
    pub(super) placement: Placement,
    /// Whether results must not depend on the place.
    strict: bool,
    pub(super) table: Table,
    /// What estimates go by, from the first decision on.
    pub(super) basis: Option<Basis>,
    pub(super) placements: Placements,
    /// The block in progress, if something in it can begin early.
    pub(super) ahead: Option<Ahead>,
    /// What is left of a kernel for the CPU, if it is not taken as a whole.
    rest: Option<Vec<Chunk>>,
    /// The kernel that runs on the CPU, and since when.
    pub(super) running: Option<(Placed, Instant)>,
    /// Kernels that had no room in this call and could not be cut into parts: the next round does not look for a way again.
    uncut: HashSet<(usize, usize)>,
    /// How often blocks ran in this call.
    runs: HashMap<(usize, usize), u64>,
    /// Whether what the call returns stays where it is.
    stays: bool,
    /// Whether launches of a loop over time wait.
    pub(super) waits: bool,
    /// Launches that wait for those behind them.
    pub(super) together: Option<Together>,
}

thread_local! {
    static CURRENT: PerThread<Box<Session>> = const { PerThread::new() };
}

/// Runs `body` with this session, or without any; a thread that takes up another call meanwhile keeps both apart.
pub(crate) fn within(session: Option<Box<Session>>, body: &mut dyn FnMut()) {
    struct Restore(Option<Box<Session>>, bool);
    impl Drop for Restore {
        fn drop(&mut self) {
            // also where `body` panics: the outer call goes on with its own
            let ended = CURRENT.with(|current| current.replace(self.0.take()));
            watch::replace(Watch::Device, self.1);
            if let Some(mut ended) = ended {
                ended.ahead = None;
                trace::moved(&ended.table.moved);
                trace::spilled(&ended.table.spilled, ended.table.left.peak());
                ended.placements.settle(&*ended.device);
            }
        }
    }
    let active = session.is_some();
    let _restore = Restore(CURRENT.with(|current| current.replace(session)), watch::replace(Watch::Device, active));
    body();
}

impl Session {
    /// A call that may use this device, and whether its results must not depend on the place.
    pub fn new((device, placement): Chosen, strict: bool) -> Box<Session> {
        let mut table = Table::new(device.clone());
        table.guard = Guard::new(placement == Placement::Gpu);
        Box::new(Session {
            device,
            placement,
            strict,
            table,
            basis: None,
            placements: Placements::default(),
            ahead: None,
            rest: None,
            running: None,
            uncut: HashSet::new(),
            runs: HashMap::new(),
            stays: false,
            waits: false,
            together: None,
        })
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
        active() && Session::with(lend).unwrap_or(false)
    }

    /// What the call in progress has of an array on its device, for an array that keeps it.
    pub fn take(place: Place) -> Option<(Arc<dyn Device>, Held)> {
        let take = |session: &mut Session| session.table.take(place).map(|held| (session.device.clone(), held));
        if active() { Session::with(take).flatten() } else { None }
    }

    /// Does something with the session of the call in progress. What waits in it runs before.
    pub(super) fn with<R>(run: impl FnOnce(&mut Session) -> R) -> Option<R> {
        Session::beside(|session| {
            // if it fails, whoever asks for the arrays fails
            let _ = session.settle();
            run(session)
        })
    }

    /// Does something beside what waits.
    fn beside<R>(run: impl FnOnce(&mut Session) -> R) -> Option<R> {
        CURRENT.with(|current| current.with(|session| session.as_deref_mut().map(run)))
    }
}

impl Session {
    /// A device that cannot be used any more is not offered to later calls.
    pub(super) fn lost(&self, failure: &Failure) {
        if failure.is_final() {
            super::abandon(&self.device, failure);
        }
    }

    /// Where what the host has come to is to run, if that was decided.
    pub(super) fn placed(&self, arrival: &Arrival<'_>) -> Option<Placed> {
        self.placements.of(arrival.program, arrival.task)
    }

    /// The CPU begins with what the host has come to.
    pub(super) fn runs_here(&mut self, arrival: &Arrival<'_>, placed: Option<Placed>) {
        self.go_on(arrival, Side::Cpu);
        // also what the device was to do and had no room for
        if let Some(placed) = placed {
            match self.device.host_worked(Duration::from_secs_f64(placed.estimates[Side::Cpu as usize])) {
                Some(time) => self.placements.took(placed, time),
                None => self.running = Some((placed, Instant::now())),
            }
        }
    }

    /// Whether the device did what it was to do; `false` where the CPU can do it.
    pub(super) fn is_done(&self, name: &str, outcome: Outcome<()>) -> Outcome<bool> {
        match outcome {
            Ok(()) => {
                trace::offloaded(self.table.bytes());
                Ok(true)
            }
            Err(failure) if failure.is_final() => Err(failure),
            // what no device has room for no wish puts there
            Err(failure) if self.placement == Placement::Gpu && !matches!(failure, Failure::OutOfMemory { .. }) => {
                Err(failure)
            }
            Err(failure) => {
                trace::fell_back(name, &failure);
                Ok(false)
            }
        }
    }

    /// Whether a library of the device makes matrix products, as far as the call lets it.
    pub(super) fn uses_library(&self) -> bool {
        !self.strict && self.device.library()
    }

    /// Whether what the host comes to has begun before. If not, what can begin before it does.
    pub(super) fn comes_to(&mut self, arrival: &Arrival<'_>) -> Outcome<bool> {
        self.running = None;
        self.table.future.arrive(arrival);
        let Some(ahead) = &mut self.ahead else { return Ok(false) };
        match ahead.arrive(arrival, &mut self.table) {
            Ok(Some(started)) => {
                if started {
                    trace::offloaded(self.table.bytes());
                } else {
                    ahead.go_on(&mut self.table, &self.placements);
                }
                Ok(started)
            }
            Ok(None) => {
                self.ahead = None;
                Ok(false)
            }
            Err(failure) => {
                self.ahead = None;
                if failure.is_final() { Err(failure) } else { Ok(false) }
            }
        }
    }

    /// What the host has come to was issued on a side: what waited for it on the device can begin.
    pub(super) fn go_on(&mut self, arrival: &Arrival<'_>, side: Side) {
        if let Some(ahead) = &mut self.ahead {
            ahead.issued(arrival, side, &mut self.table);
            if side == Side::Gpu {
                ahead.go_on(&mut self.table, &self.placements);
            }
        }
    }

    fn kernel_ended(&mut self) {
        if let Some((placed, begun)) = self.running.take() {
            self.placements.took(placed, begun.elapsed());
        }
        if let Some(ahead) = &mut self.ahead {
            ahead.kernel_ended();
            ahead.go_on(&mut self.table, &self.placements);
        }
    }

    fn written_on_host(&mut self, place: Place) {
        self.table.guard.before_write(place);
        self.forget(place.key());
    }

    /// What was at this address is no more.
    fn forget(&mut self, key: usize) {
        self.table.forget(key);
        if self.ahead.as_mut().is_some_and(|ahead| !ahead.goes_on_without(key)) {
            self.ahead = None;
        }
    }

    /// Makes arrays ready for a kernel on the CPU; without roles all may be read and written.
    pub(super) fn bring_home(&mut self, roles: &[&Role], places: &[Place]) -> Outcome<()> {
        for (at, place) in places.iter().enumerate() {
            let role = roles.get(at).copied();
            if matches!(role, None | Some(Role::In | Role::Update(_))) {
                self.table.fetch(*place)?;
            }
            if !matches!(role, Some(Role::In)) {
                self.written_on_host(*place);
            }
        }
        Ok(())
    }
}
