//! What a compiled function did: kernels run, points computed, bytes allocated.

use std::cell::Cell;

use crate::device;
use crate::isa::Level;

/// Summary of one call of a compiled function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    /// The function's MATLAB name.
    pub function: &'static str,
    /// Kernels launched, on one thread or several.
    pub kernels: u64,
    /// Of those, the ones that used several threads.
    pub parallel: u64,
    /// Points of all their iteration domains (for a reduction, its chunks).
    pub points: u64,
    /// Bytes of arrays allocated, results included.
    pub bytes_allocated: u64,
    /// Most threads used by a kernel.
    pub threads: usize,
    /// The instruction set of the kernels.
    pub isa: Level,
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
        )
    }
}

thread_local! {
    /// The call in progress on this thread.
    static CURRENT: Cell<Option<Run>> = const { Cell::new(None) };
    /// The call that finished last, on the thread that made it.
    static LAST: Cell<Option<Run>> = const { Cell::new(None) };
}

/// The compiled function that this thread called last, if it called one.
pub fn last_run() -> Option<Run> {
    LAST.get()
}

/// Runs `body` with fresh counters; a thread that takes up another call while it waits for its own keeps both apart.
pub(crate) fn record(function: &'static str, body: &mut dyn FnMut()) -> Run {
    let fresh =
        Run { function, kernels: 0, parallel: 0, points: 0, bytes_allocated: 0, threads: 1, isa: Level::current() };
    let outer = CURRENT.replace(Some(fresh));
    // This thread may have taken up the call while it waits for a kernel of another one, which has a device.
    device::within(None, body);
    CURRENT.replace(outer).unwrap_or(fresh)
}

pub(crate) fn publish(run: Run) {
    LAST.set(Some(run));
}

fn update(change: impl FnOnce(&mut Run)) {
    if let Some(mut run) = CURRENT.get() {
        change(&mut run);
        CURRENT.set(Some(run));
    }
}

pub(crate) fn kernel(points: usize, threads: usize) {
    update(|run| {
        run.kernels += 1;
        run.parallel += u64::from(threads > 1);
        run.points += points as u64;
        run.threads = run.threads.max(threads);
    });
}

pub(crate) fn allocated(bytes: usize) {
    update(|run| run.bytes_allocated += bytes as u64);
}
