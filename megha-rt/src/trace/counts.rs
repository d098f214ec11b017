//! What the call in progress on a thread has done so far, counted so that a small call and a small launch hardly notice: a few numbers where they
//! lie, and the others, which only devices and several threads change, apart.

use std::cell::{Cell, RefCell};
use std::mem::ManuallyDrop;
use std::time::Duration;

use super::Run;
use crate::device::{Moved, Recomputed, Spilled};
use crate::isa::Level;

/// What every call counts.
#[derive(Debug, Clone, Copy, Default)]
struct Often {
    kernels: u64,
    points: u64,
    bytes_allocated: u64,
}

/// What few calls count.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seldom {
    pub(super) parallel: u64,
    pub(super) threads: usize,
    pub(super) device_kernels: u64,
    pub(super) moved: Moved,
    pub(super) device_bytes: u64,
    pub(super) device_peak: u64,
    pub(super) spilled: Spilled,
    pub(super) scheduled: Duration,
}

impl Seldom {
    const NOTHING: Seldom = Seldom {
        parallel: 0,
        threads: 1,
        device_kernels: 0,
        moved: Moved { uploads: 0, bytes_up: 0, downloads: 0, bytes_down: 0, naive: 0 },
        device_bytes: 0,
        device_peak: 0,
        spilled: Spilled {
            arrays: 0,
            bytes: 0,
            written_back: 0,
            boxes: 0,
            steps: 0,
            bands: 0,
            recomputed: Recomputed { arrays: 0, bytes: 0, time: Duration::ZERO },
        },
        scheduled: Duration::ZERO,
    };
}

thread_local! {
    /// Of the call in progress on this thread; what is counted outside of calls is forgotten.
    static OFTEN: Cell<Often> = const { Cell::new(Often { kernels: 0, points: 0, bytes_allocated: 0 }) };
    /// None outside of calls, so nothing is left behind by what has no destructor, and a destructor of another thread-local may still ask.
    static SELDOM: ManuallyDrop<Cell<Option<Box<Seldom>>>> = const { ManuallyDrop::new(Cell::new(None)) };
    /// Whether a call is in progress on this thread.
    static INSIDE: Cell<bool> = const { Cell::new(false) };
    /// The call that finished last, on the thread that made it.
    static LAST: Cell<Option<Ended>> = const { Cell::new(None) };
    static LAST_SELDOM: RefCell<Option<Seldom>> = const { RefCell::new(None) };
}

/// A call that has ended.
#[derive(Debug, Clone, Copy)]
struct Ended {
    function: &'static str,
    often: Often,
    isa: Level,
}

impl Ended {
    #[cold]
    fn run(self, seldom: Option<Seldom>) -> Run {
        let Ended { function, often: Often { kernels, points, bytes_allocated }, isa } = self;
        let Seldom { parallel, threads, device_kernels, moved, device_bytes, device_peak, spilled, scheduled } =
            seldom.unwrap_or(Seldom::NOTHING);
        Run {
            function,
            kernels,
            parallel,
            points,
            bytes_allocated,
            threads,
            isa,
            device_kernels,
            moved,
            device_bytes,
            device_peak,
            spilled,
            scheduled,
        }
    }
}

/// What a call counted, for the thread that made it.
pub(crate) struct Counted(Ended, Option<Box<Seldom>>);

impl Counted {
    #[inline]
    pub(super) fn run(&self) -> Run {
        self.0.run(self.1.as_deref().copied())
    }

    /// Makes it the call that finished last on this thread.
    #[inline]
    pub(crate) fn publish(self) {
        LAST.set(Some(self.0));
        if self.1.is_some() || LAST_SELDOM.with_borrow(Option::is_some) {
            publish_seldom(self.1);
        }
    }
}

#[cold]
fn publish_seldom(seldom: Option<Box<Seldom>>) {
    LAST_SELDOM.set(seldom.map(|seldom| *seldom));
}

/// The compiled function that this thread called last, if it called one.
pub fn last_run() -> Option<Run> {
    LAST.get().map(|ended| ended.run(LAST_SELDOM.with_borrow(|seldom| *seldom)))
}

/// A call in progress with counts of its own. Those of the call that the thread takes it up within are put back at its end, also by a panic.
pub(super) struct Fresh {
    often: Often,
    seldom: Option<Box<Seldom>>,
    inside: bool,
}

impl Fresh {
    #[inline]
    pub(super) fn new() -> Fresh {
        Fresh {
            often: OFTEN.replace(Often::default()),
            seldom: SELDOM.with(|seldom| seldom.take()),
            inside: INSIDE.replace(true),
        }
    }

    /// Whether it is within no other call.
    pub(super) fn is_outermost(&self) -> bool {
        !self.inside
    }

    #[inline]
    pub(super) fn end(self, function: &'static str) -> Counted {
        Counted(Ended { function, often: OFTEN.get(), isa: Level::current() }, SELDOM.with(|seldom| seldom.take()))
    }
}

impl Drop for Fresh {
    fn drop(&mut self) {
        OFTEN.set(self.often);
        INSIDE.set(self.inside);
        // nearly always there is none
        drop(SELDOM.with(|seldom| seldom.replace(self.seldom.take())));
    }
}

/// Counts a launch of so many points on one thread.
#[inline(always)]
pub(crate) fn launched(points: usize) {
    let often = OFTEN.get();
    OFTEN.set(Often { kernels: often.kernels + 1, points: often.points.wrapping_add(points as u64), ..often });
}

/// Counts bytes of an array.
pub(crate) fn allocated(bytes: usize) {
    let often = OFTEN.get();
    OFTEN.set(Often { bytes_allocated: often.bytes_allocated.wrapping_add(bytes as u64), ..often });
}

/// Counts what few calls do.
#[cold]
pub(super) fn seldom(change: impl FnOnce(&mut Seldom)) {
    if INSIDE.get() {
        SELDOM.with(|seldom| {
            let mut counted = seldom.take().unwrap_or_else(|| Box::new(Seldom::NOTHING));
            change(&mut counted);
            seldom.set(Some(counted));
        });
    }
}
