//! A call of a compiled function that may use a device: what its launches and its host code ask for.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use megha_base::cuts::Cuts;
use megha_base::plan::block::{Block, Task};
use megha_base::plan::{KernelPlan, Role};

use super::ahead::Ahead;
use super::decide::{Basis, Execution, Host};
use super::future::Future;
use super::guard::Guard;
use super::held::{Held, Share};
use super::in_rows;
use super::job::Arrival;
use super::learn::Case;
use super::placements::{Placed, Placements};
use super::program::Program;
use super::run::{Streamed, Work, Worth, chunks};
use super::schedule::Side;
use super::table::{Place, Table};
use super::tiles::Pace;
use super::together::Together;
use super::{Arg, Chosen, Device, Failure, Outcome, Placement};
use crate::copy::copied_around;
use crate::cuts;
use crate::fault::Fault;
use crate::launch::Chunk;
use crate::memory::Buf;
use crate::per_thread::PerThread;
use crate::watch::{self, Watch};
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

impl Launch<'_> {
    pub(super) fn arrival(&self) -> Arrival<'_> {
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

/// Whether a device did the launch. If not, the arrays are ready for the CPU.
///
/// # Errors
/// [`ErrorKind::Device`]: what only the device has cannot be had from it.
#[cold]
pub fn offer(launch: Launch<'_>) -> Result<bool> {
    let offer = |session: &mut Session| session.offer(&launch).inspect_err(|failure| session.lost(failure));
    let outcome = Session::beside(offer);
    outcome.unwrap_or(Ok(false)).map_err(|failure| failed(&failure, launch.site))
}

/// As [`offer`] for a launch that is all of a step of a loop over time: it may wait till [`settle`].
///
/// # Errors
/// As [`offer`].
pub(crate) fn offer_step(launch: Launch<'_>) -> Result<bool> {
    let take = |session: &mut Session| session.take_step(&launch).inspect_err(|failure| session.lost(failure));
    let taken = Session::beside(take).unwrap_or(Ok(false)).map_err(|failure| failed(&failure, launch.site))?;
    if taken { Ok(true) } else { offer(launch) }
}

/// Runs the steps that wait.
///
/// # Errors
/// [`ErrorKind::Device`]: the device failed when arrays were half new.
pub(crate) fn settle(site: &Site) -> Result<()> {
    if !active() {
        return Ok(());
    }
    Session::beside(Session::settle).unwrap_or(Ok(())).map_err(|failure| failed(&failure, site))
}

/// Whether the call in progress may use a device. What follows is asked only then.
#[inline(always)]
pub fn active() -> bool {
    watch::by(Watch::Device)
}

/// Decides where the kernels of a block run that is about to.
#[cold]
pub fn decide(program: &'static Program, block: usize, given: Given<'_>) {
    Session::with(|session| session.decide(program, block, &given, None));
}

/// Decides the same for a block that is all of a loop over time whose launches may wait, each step so many rows behind the one before. If so, they are to
/// be noted ([`Later`](super::Later)), and what they need is estimated to be this.
#[cold]
pub(crate) fn decide_in_time(program: &'static Program, block: usize, given: &Given<'_>, slope: i64) -> Option<Pace> {
    Session::beside(|session| session.decide(program, block, given, Some(slope))).flatten()
}

/// Says that what the call in progress returns stays where it is.
pub fn results_stay() {
    if active() {
        Session::with(|session| session.stays = true);
    }
}

/// The parts of the kernel that the CPU is about to run, if it does not run it as a whole.
#[inline(always)]
pub(crate) fn rest() -> Option<Vec<Chunk>> {
    if active() { Session::with(|session| session.rest.take()).flatten() } else { None }
}

/// Says that a kernel on the CPU has ended.
#[inline(always)]
pub(crate) fn kernel_ended() {
    if active() {
        Session::with(Session::kernel_ended);
    }
}

/// Says that the host makes so many multiplications in a library: the clock of a simulated device goes on by what they are estimated to take.
#[inline(always)]
pub(crate) fn host_multiplies(number: impl FnOnce() -> u64) {
    if active() {
        let seconds = Host::guess(rayon::current_num_threads()).library(number() as f64);
        Session::with(|session| session.device.host_worked(Duration::from_secs_f64(seconds)));
    }
}

/// Says that the host copies or fills memory of so many bytes, those read and those written: the clock of a simulated device goes on as above.
pub(super) fn host_moves(device: &dyn Device, bytes: u64) {
    let seconds = Host::guess(rayon::current_num_threads()).seconds(0.0, bytes as f64);
    device.host_worked(Duration::from_secs_f64(seconds));
}

/// A copy that the host makes of its own array.
fn copied<L: Layout, T: Copy, const N: usize>(view: View<'_, L, T, N>) -> Array<L, T, N> {
    Session::with(|session| host_moves(&*session.device, 2 * view.place().length()));
    view.to_owned()
}

/// Makes the host's array current before host code reads it. Where it lies is asked only if a device may have it.
///
/// # Errors
/// [`ErrorKind::Device`]: the device does not give it back.
#[inline(always)]
pub fn fetch(place: impl FnOnce() -> Place, site: &Site) -> Result<()> {
    if active() { fetched(place(), site) } else { Ok(()) }
}

#[cold]
fn fetched(place: Place, site: &Site) -> Result<()> {
    let fetch = |session: &mut Session| session.table.fetch(place).inspect_err(|failure| session.lost(failure));
    Session::with(fetch).unwrap_or(Ok(())).map_err(|failure| failed(&failure, site))
}

/// Makes one element of the host's array, the one so many elements behind the first, current before host code reads it.
///
/// # Errors
/// [`ErrorKind::Device`]: the device does not give it back.
#[inline(always)]
pub(crate) fn fetch_element<T>(place: Place, offset: impl FnOnce() -> usize, site: &Site) -> Result<()> {
    if active() { fetched_part(place, (offset() * size_of::<T>(), size_of::<T>()), site) } else { Ok(()) }
}

#[cold]
fn fetched_part(place: Place, part: (usize, usize), site: &Site) -> Result<()> {
    let fetch =
        |session: &mut Session| session.table.fetch_element(place, part).inspect_err(|failure| session.lost(failure));
    Session::with(fetch).unwrap_or(Ok(())).map_err(|failure| failed(&failure, site))
}

/// A copy of an array in memory of its own, of the device's copy too. What only the device has is copied there if it can, else fetched.
///
/// # Errors
/// [`ErrorKind::Device`]: the device does not give it back.
#[inline(always)]
pub fn duplicated<L: Layout, T: Copy, const N: usize>(view: View<'_, L, T, N>) -> Result<Array<L, T, N>> {
    if !active() || view.is_empty() {
        return Ok(view.to_owned());
    }
    let on_host =
        |session: &mut Session| session.table.on_host(view.place()) && !session.table.blanks.has(view.place());
    if Session::with(on_host).unwrap_or(true) {
        let array = copied(view);
        duplicate(view.place(), array.place());
        return Ok(array);
    }
    // SAFETY: the elements are the device's copy, which is fetched before the host reads them; without one the array is dropped.
    let array = unsafe { Array::from_buf(Buf::<T>::uninit(view.len()).assume_init(), view.shape()) };
    if duplicate(view.place(), array.place()) {
        return Ok(array);
    }
    fetch(|| view.place(), &COPY)?;
    Ok(copied(view))
}

/// As [`duplicated`] of an array of which an update is about to store `count` elements from `first` on: on the host these are not copied.
///
/// # Errors
/// As [`duplicated`].
#[inline(always)]
pub fn duplicated_around<L: Layout, T: Copy, const N: usize>(
    view: View<'_, L, T, N>,
    first: [usize; N],
    count: [usize; N],
) -> Result<Array<L, T, N>> {
    if active() { duplicated(view) } else { Ok(copied_around(view, first, count)) }
}

const COPY: Site = Site { path: "", line: 0, column: 0, text: "a copy of an array" };

/// Copies what the device has of an array; whether it had it and did.
#[cold]
fn duplicate(from: Place, to: Place) -> bool {
    let copy = |session: &mut Session| {
        let there = session.table.on_device(from) || session.table.blanks.has(from);
        let copied = there.then(|| session.table.duplicate(from, to));
        copied.is_some_and(|outcome| outcome.inspect_err(|failure| session.lost(failure)).is_ok())
    };
    Session::with(copy).unwrap_or(false)
}

/// Whether an array, an earlier state of another one, can stand for a copy of it where only elements differ that are about to be stored.
pub(crate) fn stands_for(earlier: Place, place: Place) -> bool {
    // launches that wait have their arrays on the host, and may be about to use the memory of both
    !active() || Session::beside(|session| session.waits || session.table.stands_for(earlier, place)).unwrap_or(false)
}

/// Says that host code is about to write the array.
#[inline(always)]
pub fn wrote(place: impl FnOnce() -> Place) {
    if active() {
        Session::with(|session| session.written_on_host(place()));
    }
}

/// Says that memory is the caller's, which the call in progress updates.
#[inline(always)]
pub(crate) fn guarded(place: impl FnOnce() -> Place) {
    if active() {
        Session::with(|session| session.table.guard.add(place()));
    }
}

/// Makes the caller's arrays what they were before the call in progress, which has failed.
pub(crate) fn restore() {
    Session::with(|session| session.table.guard.restore());
}

/// Says that memory of the host goes back to where it came from.
#[inline(always)]
pub(crate) fn forget<T>(start: *const T) {
    if active() {
        Session::with(|session| session.forget(start as usize));
    }
}

#[cold]
pub(super) fn failed(failure: &Failure, site: &Site) -> Error {
    let reason = failure.to_string();
    let kind = match failure {
        Failure::Absent { .. } => ErrorKind::NoDevice { reason },
        Failure::OutOfMemory { .. } | Failure::Operation { .. } | Failure::Lost { .. } => ErrorKind::Device { reason },
    };
    Error::new(kind, site)
}

/// A kernel in parts, as the CPU runs it.
fn cut(plan: &KernelPlan, (order, sizes): (Order, &[i64]), cuts: &mut Cuts) -> Option<Vec<Chunk>> {
    let whole = plan.whole(&|symbol| sizes[symbol]);
    let lists: Option<Vec<_>> =
        plan.parts(&whole, cuts).iter().map(|part| chunks(plan, order, (&whole, part))).collect();
    Some(lists?.concat())
}

impl Session {
    /// A device that cannot be used any more is not offered to later calls.
    pub(super) fn lost(&self, failure: &Failure) {
        if failure.is_final() {
            super::abandon(&self.device, failure);
        }
    }

    fn decide(
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
        if !auto && slope.is_none() {
            return None;
        }
        let fingerprint = program.fingerprint();
        let next = given.next(program, block);
        let present = given.places.iter().map(|p| self.table.present(*p)).collect();
        let nodes = || block.nodes.iter().chain(next.iter().flat_map(|(next, _)| &next.nodes));
        // whether the device has a library is found out only where something is multiplied
        let library = nodes().any(|node| matches!(node.task, Task::Product(_))) && self.uses_library();
        let sizes = given.sizes;
        let mut execution = Execution {
            number,
            program: fingerprint,
            block,
            sizes,
            present,
            repeat,
            next,
            library,
            room: [true; 2],
            budget: u64::MAX,
            uncut: Vec::new(),
            device: &*self.device,
            order: given.order,
            slope,
        };
        execution.room = execution.all_bytes().map(|bytes| self.table.left.can_have(&*self.device, bytes));
        if !execution.room[0] {
            execution.budget = self.table.available();
            let kernels = block.nodes.iter().filter_map(|node| match node.task {
                Task::Kernel(kernel) => Some(kernel),
                Task::Host | Task::Memory | Task::Product(_) => None,
            });
            execution.uncut = kernels.filter(|kernel| self.uncut.contains(&(program.address(), *kernel))).collect();
        } else if !auto {
            return None;
        }
        let basis = self.basis.get_or_insert_with(|| Basis::of(&self.device));
        self.placements.learn(&basis.learned);
        self.table.copies.get_or_insert_with(|| basis.copies.clone());
        if !auto {
            return execution.tiling(basis).map(|(_, pace)| pace);
        }
        let decision = match self.device.lot() {
            Some(lot) => Arc::new(execution.decided_by(lot, basis)),
            None => program.decisions().of(&execution, basis),
        };
        let at_once = decision.at_once;
        trace::scheduled(decision.first);
        self.table.future.follow(decision.clone());
        for ((node, side), in_parts) in block.nodes.iter().zip(&decision.sides).zip(&decision.in_parts) {
            if !node.task.is_offered() {
                continue;
            }
            let side = if *in_parts { &Side::Gpu } else { side };
            let estimates = execution.estimates(node, basis);
            let Some(busy) = execution.busy(node, basis) else { continue };
            let (case, on_cpu) = (execution.case(node, *side), execution.corrected(node, Side::Cpu, basis));
            let placed = Placed { side: *side, case, estimates, on_cpu, busy };
            self.placements.decide(program, node.task, placed);
            let name = match node.task {
                Task::Kernel(kernel) => program.kernel(kernel).map_or("a kernel", |plan| &plan.entries[0].name),
                Task::Product(_) | Task::Host | Task::Memory => "matrix product",
            };
            trace::placed(name, *side, (estimates[0], repeat));
        }
        // what begins early takes memory that others may need
        let calm = decision.is_calm() && decision.is_worth_it(block);
        // where all is the device's, what begins early would only let copies to the host begin before the last launch: less than one launch for several is worth
        let calm = calm && !(decision.is_all_there() && in_rows::has_rows(program, block, &decision.sides, given));
        if calm && self.table.guard.engage() && self.settle().is_ok() {
            let mut ahead = Ahead::new(self.device.clone(), (program, block), decision, (given, self.stays, library));
            ahead.go_on(&mut self.table, &self.placements);
            self.ahead = Some(ahead);
            return None;
        }
        at_once
    }

    fn offer(&mut self, launch: &Launch<'_>) -> Outcome<bool> {
        let arrival = launch.arrival();
        let plan = launch.program.kernel(launch.kernel).filter(|plan| plan.arrays.len() == launch.arrays.len());
        let Some(plan) = plan else {
            self.running = None;
            self.settle()?;
            return self.bring_home(&[], launch.arrays).map(|()| false);
        };
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
        let work = Work::new(plan, launch.program, launch.order, (launch.sizes, launch.scalars));
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
        let run = &mut |table: &mut Table| work.run(table, launch, timer.as_ref());
        let done = self.table.with_room(launch.arrays, more, run);
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
