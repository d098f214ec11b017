//! Entering a compiled function: its threads, its device, and a second attempt on the CPU where the device fails.

use crate::device::{self, Chosen, Placement, Session, replay};
use crate::memory;
use crate::stack;
use crate::trace::{self, Value};
use crate::{Error, ErrorKind, Result};

/// Runs a compiled function's body on its caller's thread, unless its stack is small: launches that are large enough call others to help (`crew`).
///
/// The body's kernels may run on a device. Where that fails and takes results with it, the body runs once more, on the CPU: it changes
/// nothing but what it returns, and what it printed and drew is not printed and drawn again.
///
/// # Errors
/// Those of the body.
#[inline]
pub fn enter<R: Send>(name: &'static str, mut body: impl FnMut() -> Result<R> + Send) -> Result<R> {
    let mut result = None;
    entered(name, Insist::AsAsked, &mut || kept(&mut body, &mut result))?;
    Ok(result.expect("the body has run"))
}

/// [`enter`] for a body that updates arrays of its caller, which [`crate::StridedMut::lend`] lends to it, and has no way to say that a device
/// failed: it then always runs again on the CPU, on the arrays as they were.
///
/// # Errors
/// Those of the body.
#[inline]
pub fn enter_in_place<R: Send>(name: &'static str, mut body: impl FnMut() -> Result<R> + Send) -> Result<R> {
    let mut result = None;
    entered(name, Insist::Never, &mut || kept(&mut body, &mut result))?;
    Ok(result.expect("the body has run"))
}

/// Runs a body and keeps its result. What else there is to a call is not generic, so that a user's build does not compile it for each function.
///
/// # Errors
/// Those of the body.
#[inline(always)]
pub(crate) fn kept<R>(body: &mut impl FnMut() -> Result<R>, result: &mut Option<R>) -> Result<()> {
    *result = Some(body()?);
    Ok(())
}

fn entered(name: &'static str, insist: Insist, body: Body<'_>) -> Result<()> {
    if is_plain() {
        return here(name, body);
    }
    attempts(name, insist, &|run| traced(name, run), body)
}

/// Whether a call has nothing to do but to run its body where the caller is.
fn is_plain() -> bool {
    !stack::is_small() && !device::may_be_chosen() && !device::active() && !replay::is_noted()
}

/// Runs a body where the caller is. A call on small arrays takes little longer than this.
///
/// # Errors
/// Those of the body.
fn here(name: &'static str, body: Body<'_>) -> Result<()> {
    let mut result = Ok(());
    trace::record(name, || result = memory::caught(name, body)).publish();
    result
}

/// Whether the failure of a device is an error.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Insist {
    /// Where all kernels have to run on the device.
    AsAsked,
    /// The CPU makes up for it.
    Never,
}

/// The body of a compiled function, whose result somebody keeps.
type Body<'b> = &'b mut (dyn FnMut() -> Result<()> + Send);

/// Runs one part of a call on the right thread.
type On<'o> = &'o dyn Fn(&mut (dyn FnMut() + Send)) -> Result<()>;

/// Runs `body` with the device of this thread, and again on the CPU if that fails; `on` says on which thread.
///
/// # Errors
/// Those of `on` and of the body.
pub(crate) fn attempts(name: &'static str, insist: Insist, on: On<'_>, body: Body<'_>) -> Result<()> {
    let mut result = Ok(());
    let mut attempt = || {
        result = memory::caught(name, body);
        let failure = |e: &Error| matches!(e.kind(), ErrorKind::Device { .. } | ErrorKind::NoDevice { .. });
        !result.as_ref().is_err_and(failure)
    };
    match device::current().filter(|(_, placement)| *placement != Placement::Cpu) {
        None => on(&mut || replay::apart(&mut || _ = attempt()))?,
        Some(chosen) => with_device((name, insist), chosen, on, &mut attempt)?,
    }
    result
}

/// The attempts where there is a device; `attempt` says whether the device did what it should.
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

/// Runs a part of a call where the caller is, or on a thread of the pool if the caller's stack is small.
///
/// # Errors
/// None: other ways to run a part ([`On`]) have some.
fn traced(name: &'static str, body: &mut (dyn FnMut() + Send)) -> Result<()> {
    // This thread may have taken up the call while it waits for a kernel of another one, which has a device.
    let mut run = move || trace::record(name, || device::within(None, &mut *body));
    let moves = stack::is_small() && rayon::current_thread_index().is_none();
    let counted = if moves { rayon::join(run, || ()).0 } else { run() };
    counted.publish();
    Ok(())
}
