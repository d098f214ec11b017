//! Entering a compiled function: its threads, its device, and a second attempt on the CPU where the device fails.

use crate::device::{self, Chosen, Placement, Session, replay};
use crate::launch::PARALLEL_WORK;
use crate::trace::{self, Value};
use crate::{ErrorKind, Result};

/// How much the body of a compiled function has to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// One or two launches, of whatever size.
    FewLaunches,
    /// More of them; an estimate of all their elements times weights.
    Estimated(u64),
    /// Nobody knows; it is taken to be much.
    Unknown,
}

impl Work {
    /// Whether it is enough for the thread pool. Few launches do better outside: to enter and to leave the pool takes a thread's waking each.
    fn fills_threads(self) -> bool {
        match self {
            Work::FewLaunches => false,
            Work::Estimated(work) => work >= PARALLEL_WORK,
            Work::Unknown => true,
        }
    }
}

/// Runs a compiled function's body. With enough work for several threads, the body runs inside the thread pool, so that each launch in it
/// costs a tenth of a microsecond rather than ten or twenty to wake the pool.
///
/// The body's kernels may run on a device. Where that fails and takes results with it, the body runs once more, on the CPU: it changes
/// nothing but what it returns, and what it printed and drew is not printed and drawn again.
///
/// # Errors
/// Those of the body.
pub fn enter<R: Send>(name: &'static str, work: Work, body: impl FnMut() -> Result<R> + Send) -> Result<R> {
    attempts(name, Insist::AsAsked, &|run| in_pool(name, work, run), body)
}

/// [`enter`] for a body that updates arrays of its caller, which [`crate::StridedMut::lend`] lends to it, and has no way to say that a device
/// failed: it then always runs again on the CPU, on the arrays as they were.
///
/// # Errors
/// Those of the body.
pub fn enter_in_place<R: Send>(name: &'static str, work: Work, body: impl FnMut() -> Result<R> + Send) -> Result<R> {
    attempts(name, Insist::Never, &|run| in_pool(name, work, run), body)
}

/// Whether the failure of a device is an error.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Insist {
    /// Where all kernels have to run on the device.
    AsAsked,
    /// The CPU makes up for it.
    Never,
}

/// Runs one part of a call on the right thread.
type On<'o> = &'o dyn Fn(&mut (dyn FnMut() + Send)) -> Result<()>;

/// Runs `body` with the device of this thread, and again on the CPU if that fails; `on` says on which thread.
///
/// # Errors
/// Those of `on` and of the body.
pub(crate) fn attempts<R: Send>(
    name: &'static str,
    insist: Insist,
    on: On<'_>,
    mut body: impl FnMut() -> Result<R> + Send,
) -> Result<R> {
    let mut result = None;
    let mut attempt = || {
        let outcome = body();
        let failed = outcome.as_ref().is_err_and(|e| matches!(e.kind(), ErrorKind::Device { .. }));
        result = Some(outcome);
        !failed
    };
    match device::current().filter(|(_, placement)| *placement != Placement::Cpu) {
        None => on(&mut || replay::apart(&mut || _ = attempt()))?,
        Some(chosen) => with_device((name, insist), chosen, on, &mut attempt)?,
    }
    result.expect("the body has run")
}

/// The attempts where there is a device; `attempt` says whether the device did what it should. Not generic, as it is long.
#[cold]
fn with_device(
    (name, insist): (&'static str, Insist),
    chosen: Chosen,
    on: On<'_>,
    attempt: &mut (dyn FnMut() -> bool + Send),
) -> Result<()> {
    let (mut done, mut effects) = (true, replay::Effects::default());
    let (placement, strict) = (chosen.1, device::is_strict());
    on(&mut || {
        let session = Session::new(chosen.clone(), strict);
        let mut first = || {
            done = attempt();
            if !done {
                device::restore();
            }
        };
        device::within(Some(session), &mut || replay::recording(&mut effects, &mut first));
    })?;
    if done || (placement == Placement::Gpu && insist == Insist::AsAsked) {
        return Ok(());
    }
    trace::note("fallback", name, &[("reason", Value::Text("the device failed with results on it: all on the CPU"))]);
    on(&mut || device::within(None, &mut || replay::replaying(&mut effects, &mut || _ = attempt())))
}

/// Runs a part of a call in the thread pool if that pays, or where the caller is.
///
/// # Errors
/// None: other ways to run a part ([`On`]) have some.
fn in_pool(name: &'static str, work: Work, body: &mut (dyn FnMut() + Send)) -> Result<()> {
    let mut traced = move || trace::record(name, body);
    let inside = rayon::current_thread_index().is_some();
    trace::publish(if inside || !work.fills_threads() { traced() } else { rayon::join(traced, || ()).0 });
    Ok(())
}
