//! Which processor a thread runs on.
//!
//! A system wakes a thread where it slept last, or beside the one that wakes it, and evens out who runs where within some milliseconds, when
//! a launch may be over. On two virtual processors (Linux 6.18), 98 of 269 launches of 2 to 12 ms had a helper 0.4 ms late, and 15 had none, while
//! one processor was idle. So a thread that finds itself on the processor of the caller that it helps sleeps for a moment: the system wakes it on
//! an idle one. And the caller lets one run that has not come ([`crate::crew::Member::keep_apart`]). Then 0 of 274 were late.
//!
//! But Linux looks for an idle processor only while few have been busy of late, which it finds out now and then (`SIS_UTIL` in its
//! `kernel/sched/features.h`): on those two, after other threads had kept both busy, it woke helpers on the caller's processor again and again, and time loops of 2.8 ms took
//! 4.8 in half of the calls. A thread that is still there after its sleep, or has one other processor to go to, asks for any other one, and takes
//! that back at once, so it may run where it might before (and, as Linux remembers who asked, not on processors that its owner adds later). A sandbox may end who asks for it, so nobody does in one.

use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

use ask::Others;

/// How long a thread sleeps that wants another processor: as short as the system has it, which is some 50 microseconds.
const MOMENT: Duration = Duration::from_nanos(1);

/// Not seen.
const NOWHERE: u32 = u32::MAX;

/// The number of the processor that this thread runs on, if the system tells.
#[cfg(all(target_os = "linux", not(miri)))]
fn current() -> Option<u32> {
    // SAFETY: it takes nothing and gives a number.
    let number = unsafe { libc::sched_getcpu() };
    u32::try_from(number).ok()
}

/// The number of the processor that this thread runs on, which is not known here.
#[cfg(not(all(target_os = "linux", not(miri))))]
fn current() -> Option<u32> {
    None
}

/// Asking for a processor.
#[cfg(all(target_os = "linux", not(miri)))]
mod ask {
    use std::mem::zeroed;
    use std::sync::OnceLock;

    const SIZE: usize = size_of::<libc::cpu_set_t>();

    /// Other processors than the one that a thread is on.
    pub struct Others {
        allowed: libc::cpu_set_t,
        others: libc::cpu_set_t,
    }

    impl Others {
        /// Those that this thread may run on, if it may ask for them.
        pub fn than(processor: u32) -> Option<Self> {
            // SAFETY: a set of processors is an array of bits.
            let mut allowed: libc::cpu_set_t = unsafe { zeroed() };
            // SAFETY: the set has that size, and 0 is this thread.
            let known = may_ask() && unsafe { libc::sched_getaffinity(0, SIZE, &raw mut allowed) } == 0;
            let place = usize::try_from(processor).ok().filter(|place| known && *place < 8 * SIZE)?;
            let mut others = allowed;
            // SAFETY: the set has a bit for it.
            unsafe { libc::CPU_CLR(place, &mut others) };
            Some(Self { allowed, others })
        }

        /// How many there are.
        pub fn count(&self) -> usize {
            // SAFETY: it reads the set.
            usize::try_from(unsafe { libc::CPU_COUNT(&self.others) }).unwrap_or(0)
        }

        /// Moves this thread to one of them, if there is one.
        pub fn take(&self) {
            // SAFETY: sets of that size. Without others the first call fails and has no effect; the second one allows what was allowed before.
            unsafe {
                libc::sched_setaffinity(0, SIZE, &raw const self.others);
                libc::sched_setaffinity(0, SIZE, &raw const self.allowed);
            }
        }
    }

    /// Whether no filter of system calls (seccomp) is there that might end a thread which asks for a processor. One that a program has been started with is seen in a
    /// file, since it may forbid to ask for filters too.
    fn may_ask() -> bool {
        static MAY: OnceLock<bool> = OnceLock::new();
        let status = || std::fs::read_to_string("/proc/thread-self/status").unwrap_or_default();
        let free = |line: &str| line.strip_prefix("Seccomp:").is_some_and(|mode| mode.trim() == "0");
        // SAFETY: it takes nothing more and gives a number.
        *MAY.get_or_init(|| status().lines().any(free)) && unsafe { libc::prctl(libc::PR_GET_SECCOMP) } == 0
    }
}

/// Where a thread may run is not known here.
#[cfg(not(all(target_os = "linux", not(miri))))]
mod ask {
    pub enum Others {}

    impl Others {
        pub fn than(_: u32) -> Option<Self> {
            None
        }

        pub fn count(&self) -> usize {
            match *self {}
        }

        pub fn take(&self) {
            match *self {}
        }
    }
}

/// Where a thread was last seen.
#[derive(Debug)]
pub struct Place(AtomicU32);

impl Default for Place {
    fn default() -> Self {
        Self(AtomicU32::new(NOWHERE))
    }
}

impl Place {
    /// That thread is here.
    pub fn here(&self) {
        // Others read it meanwhile, so it is written where it changes only.
        let here = current().unwrap_or(NOWHERE);
        if self.0.load(Ordering::Relaxed) != here {
            self.0.store(here, Ordering::Relaxed);
        }
    }

    /// Lets the system find another processor for this thread if that thread was seen on the same one; whether it was.
    pub fn leave(&self) -> bool {
        let here = || current().filter(|here| *here == self.0.load(Ordering::Relaxed));
        let Some(place) = here() else { return false };
        let others = Others::than(place);
        match others.as_ref().map(Others::count) {
            Some(0) => return false,
            Some(1) => others.iter().for_each(Others::take),
            // Among several the system knows best which one is idle.
            Some(2..) | None => {
                thread::sleep(MOMENT);
                if let Some(others) = here().and_then(Others::than) {
                    others.take();
                }
            }
        }
        true
    }
}

#[cfg(all(test, target_os = "linux", not(miri)))]
mod tests {
    use super::*;

    #[test]
    fn a_thread_leaves_the_place_where_it_is() {
        let place = Place::default();
        assert!(!place.leave(), "nobody was seen");
        // The system may move a thread at any time, so not each time tells.
        let seen = || {
            place.here();
            place.leave()
        };
        let others = || current().and_then(Others::than).map(|others| others.count());
        let before = others();
        let left = || seen() && current() != Some(place.0.load(Ordering::Relaxed));
        match before {
            // There is no other place.
            Some(0) => assert!((0..100).all(|_| !seen())),
            Some(1..) => assert!((0..100).filter(|_| left()).count() > 50),
            None => assert!((0..100).filter(|_| seen()).count() > 50),
        }
        assert_eq!(others(), before, "it may run where it might");
        place.0.store(NOWHERE - 1, Ordering::Relaxed);
        assert!(!place.leave(), "on a processor that there is not");
    }
}
