//! What a compiled function did: a summary of each call, and with `MEGHA_TRACE` a file that shows all of them in time.

mod counts;
mod json;
mod log;

use std::time::{Duration, Instant};

pub use counts::last_run;
pub(crate) use counts::{Counted, allocated, launched};
use counts::{Fresh, seldom};
pub(crate) use json::Value;
pub(crate) use log::{Lane, begin, device_span, is_off, note, on, span};

use crate::device::schedule::Side;
use crate::device::{self, Moved, Recomputed, Spilled};
use crate::isa::Level;

/// Summary of one call of a compiled function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    /// The function's MATLAB name.
    pub function: &'static str,
    /// Kernels launched on the CPU, on one thread or several.
    pub kernels: u64,
    /// Of those, the ones that used several threads.
    pub parallel: u64,
    /// Points of all their iteration domains: elements that are made, or that reductions take.
    pub points: u64,
    /// Bytes of arrays allocated, results included.
    pub bytes_allocated: u64,
    /// Most threads used by a kernel.
    pub threads: usize,
    /// The instruction set of the kernels.
    pub isa: Level,
    /// Kernels that ran on a device.
    pub device_kernels: u64,
    /// Arrays copied to and from the device.
    pub moved: Moved,
    /// Most bytes of arrays on the device after a kernel of it.
    pub device_bytes: u64,
    /// Most bytes of the device's memory that the call had, partial results and what allocations are rounded to included.
    pub device_peak: u64,
    /// Arrays that left the device because there was no room beside them.
    pub spilled: Spilled,
    /// What the schedules of its blocks were estimated to take, where there was a choice between the CPU and a device.
    pub scheduled: Duration,
}

impl std::fmt::Display for Run {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{}: {} {} on the CPU ({:?}, {} in parallel on {} threads), {} points, {} bytes allocated",
            self.function,
            self.kernels,
            if self.kernels == 1 { "kernel" } else { "kernels" },
            self.isa,
            self.parallel,
            self.threads,
            self.points,
            self.bytes_allocated
        )?;
        if self.device_kernels == 0 && self.moved == Moved::default() {
            return Ok(());
        }
        let Moved { uploads, bytes_up, downloads, bytes_down, .. } = self.moved;
        write!(
            f,
            "; {} {} on a device, {bytes_up} bytes up in {uploads} {}, {bytes_down} down in {downloads}, at most {} bytes there",
            self.device_kernels,
            if self.device_kernels == 1 { "kernel" } else { "kernels" },
            if uploads == 1 { "copy" } else { "copies" },
            self.device_bytes
        )?;
        if self.spilled.arrays > 0 {
            let Spilled { arrays, bytes, written_back, .. } = self.spilled;
            write!(f, ", {bytes} bytes of {arrays} arrays spilled, {written_back} of them written back")?;
        }
        if self.spilled.recomputed.arrays > 0 {
            let Recomputed { arrays, bytes, time } = self.spilled.recomputed;
            write!(f, ", arrays computed again {arrays} times in about {time:.1?} instead of moving {bytes} bytes")?;
        }
        if self.spilled.boxes > 0 {
            write!(f, ", kernels without room in {} parts", self.spilled.boxes)?;
        }
        if self.spilled.steps > 0 {
            let Spilled { steps, bands, .. } = self.spilled;
            write!(f, ", up to {steps} steps of a loop at once in {bands} bands")?;
        }
        if self.scheduled > Duration::ZERO { write!(f, ", scheduled for {:.1?}", self.scheduled) } else { Ok(()) }
    }
}

/// Runs `body` with fresh counters; a thread that takes up another call while it waits for its own keeps both apart.
#[inline]
pub(crate) fn record(function: &'static str, body: impl FnOnce()) -> Counted {
    let begun = begin();
    let fresh = Fresh::new();
    body();
    let outermost = fresh.is_outermost();
    let counted = fresh.end(function);
    if let Some(begun) = begun {
        recorded(begun, function, counted.run(), outermost);
    }
    counted
}

/// Notes a call that began then.
#[cold]
fn recorded(begun: Instant, function: &str, run: Run, outermost: bool) {
    span(begun, Lane::Host, ("call", function), &[("summary", Value::Text(&run.to_string()))]);
    if outermost {
        device::collect();
        log::flush();
    }
}

/// Writes what was noted so far.
#[cold]
pub(crate) fn written() {
    log::flush();
}

/// Counts a launch on so many threads.
pub(crate) fn kernel(points: usize, threads: usize) {
    launched(points);
    if threads > 1 {
        seldom(|run| {
            run.parallel += 1;
            run.threads = run.threads.max(threads);
        });
    }
}

/// Notes that a kernel of a device was launched, with so many bytes of arrays there.
pub(crate) fn offloaded(bytes: u64) {
    seldom(|run| {
        run.device_kernels += 1;
        run.device_bytes = run.device_bytes.max(bytes);
    });
}

/// Notes what the schedule of a block is estimated to take.
pub(crate) fn scheduled(seconds: f64) {
    let time = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
    seldom(|run| run.scheduled = run.scheduled.saturating_add(time));
}

/// Notes what the part of a call that had a device copied.
pub(crate) fn moved(moved: &Moved) {
    seldom(|run| {
        run.moved.uploads += moved.uploads;
        run.moved.bytes_up += moved.bytes_up;
        run.moved.downloads += moved.downloads;
        run.moved.bytes_down += moved.bytes_down;
        run.moved.naive += moved.naive;
    });
}

/// Notes what left the device of the part of a call that had one, and the most bytes that it had there.
pub(crate) fn spilled(spilled: &Spilled, peak: u64) {
    if peak > 0 {
        seldom(|run| {
            run.device_peak = run.device_peak.max(peak);
            run.spilled.arrays += spilled.arrays;
            run.spilled.bytes += spilled.bytes;
            run.spilled.written_back += spilled.written_back;
            run.spilled.boxes += spilled.boxes;
            run.spilled.steps = run.spilled.steps.max(spilled.steps);
            run.spilled.bands += spilled.bands;
            let (own, more) = (&mut run.spilled.recomputed, &spilled.recomputed);
            (own.arrays, own.bytes) = (own.arrays + more.arrays, own.bytes + more.bytes);
            own.time = own.time.saturating_add(more.time);
        });
    }
}

/// Notes that an array leaves a device, where so many bytes are wanted.
pub(crate) fn evicted(bytes: u64, how: &str, reason: &str) {
    if on() {
        let known = [("bytes", Value::Count(bytes)), ("how", Value::Text(how)), ("reason", Value::Text(reason))];
        note("eviction", "spilled array", &known);
    }
}

/// Notes that a device has computed an array of so many bytes again, in about so many seconds.
pub(crate) fn recomputed(kernel: &str, bytes: u64, seconds: f64) {
    if on() {
        let reason =
            format!("it had left the device, and the link would take longer; {:.1} us are estimated", seconds * 1e6);
        note(
            "eviction",
            kernel,
            &[("bytes", Value::Count(bytes)), ("how", Value::Text("computed again")), ("reason", Value::Text(&reason))],
        );
    }
}

/// Notes that so many steps of a loop over time went through the device at once, in so many bands of so many rows.
pub(crate) fn at_once(steps: u64, (bands, rows): (u64, i64)) {
    if on() {
        let known = [
            ("steps", Value::Count(steps)),
            ("bands", Value::Count(bands)),
            ("rows of a band", Value::Count(rows.unsigned_abs())),
            (
                "reason",
                Value::Text(
                    "the arrays of the loop do not fit the device: each plane is copied once for all these steps",
                ),
            ),
        ];
        note("decision", "steps at once", &known);
    }
}

/// Notes where a kernel is to run, for a CPU that would take so many seconds for it, in a block that is expected to run so often.
pub(crate) fn placed(name: &str, side: Side, (seconds, repeat): (f64, u64)) {
    if on() {
        let side = if side == Side::Cpu { "CPU" } else { "device" };
        let reason = format!("the schedule of its block is shortest so; {:.1} us on the CPU", seconds * 1e6);
        let known =
            [("on", Value::Text(side)), ("reason", Value::Text(&reason)), ("times in a row", Value::Count(repeat))];
        note("decision", name, &known);
    }
}

/// Notes that the CPU runs a kernel because a device did not.
pub(crate) fn fell_back(kernel: &str, why: &device::Failure) {
    if on() {
        note("fallback", kernel, &[("reason", Value::Text(&format!("on the CPU: {why}")))]);
    }
}

/// Notes a kernel of the CPU that began then.
#[cold]
pub(crate) fn ran(begun: Instant, kernel: &str, points: usize, threads: usize) {
    let known = [("points", Value::Count(points as u64)), ("threads", Value::Count(threads as u64))];
    span(begun, Lane::Host, ("kernel", kernel), &known);
}
