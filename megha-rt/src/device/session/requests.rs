//! What generated code and host code ask of the call in progress. Nothing is done, and little asked, where there is none with a device. What is done with a session is compiled once,
//! in this crate: whoever asks from generic code does so through a function that is not.

use std::time::Duration;

use super::super::decide::Host;
use super::super::program::Program;
use super::super::table::Place;
use super::super::tiles::Pace;
use super::super::{Device, Failure};
use super::{Given, Launch, Session};
use crate::copy::copied_around;
use crate::launch::Chunk;
use crate::memory::Buf;
use crate::watch::{self, Watch};
use crate::{Array, Error, ErrorKind, Layout, Result, Site, View};

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
/// be noted ([`Later`](crate::device::Later)), and what they need is estimated to be this.
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
pub(in super::super) fn host_moves(device: &dyn Device, bytes: u64) {
    let seconds = Host::guess(rayon::current_num_threads()).seconds(0.0, bytes as f64);
    device.host_worked(Duration::from_secs_f64(seconds));
}

/// A copy that the host makes of its own array.
fn copied<L: Layout, T: Copy, const N: usize>(view: View<'_, L, T, N>) -> Array<L, T, N> {
    Session::with(|session| host_moves(&*session.device, 2 * view.place().length()));
    view.to_owned()
}

/// Makes the host's array current before host code reads it, if a device may have it.
///
/// # Errors
/// [`ErrorKind::Device`]: the device does not give it back.
#[cold]
pub fn fetch(place: Place, site: &Site) -> Result<()> {
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
    fetch(view.place(), &COPY)?;
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
#[cold]
pub fn wrote(place: Place) {
    Session::with(|session| session.written_on_host(place));
}

/// Says that memory is the caller's, which the call in progress updates.
#[cold]
pub(crate) fn guarded(place: Place) {
    Session::with(|session| session.table.guard.add(place));
}

/// Makes the caller's arrays what they were before the call in progress, which has failed.
pub(crate) fn restore() {
    Session::with(|session| session.table.guard.restore());
}

/// Says that memory of the host goes back to where it came from.
#[inline(always)]
pub(crate) fn forget<T>(start: *const T) {
    if active() {
        forgotten(start as usize);
    }
}

#[cold]
fn forgotten(start: usize) {
    Session::with(|session| session.forget(start));
}

#[cold]
pub(in super::super) fn failed(failure: &Failure, site: &Site) -> Error {
    let reason = failure.to_string();
    let kind = match failure {
        Failure::Absent { .. } => ErrorKind::NoDevice { reason },
        Failure::OutOfMemory { .. } | Failure::Operation { .. } | Failure::Lost { .. } => ErrorKind::Device { reason },
    };
    Error::new(kind, site)
}
