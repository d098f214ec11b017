//! Which processor a thread runs on.
//!
//! A system wakes a thread where it slept last, or beside the one that wakes it, and evens out who runs where within some milliseconds, when
//! a launch may be over. On two virtual processors (Linux 6.18), 98 of 269 launches of 2 to 12 ms had a helper 0.4 ms late, and 15 had none, while
//! one processor was idle. So a thread that finds itself on the processor of the caller that it helps sleeps for a moment: the system wakes it on
//! an idle one. And the caller lets one run that has not come ([`crate::crew::Member::keep_apart`]). Then 0 of 274 were late.
//!
//! Nothing says where a thread may run: that is its owner's affair, and some services may not ask for it.

use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

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
        let same = current() == Some(self.0.load(Ordering::Relaxed));
        if same {
            thread::sleep(MOMENT);
        }
        same
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
        assert!((0..100).filter(|_| seen()).count() > 50);
        place.0.store(NOWHERE - 1, Ordering::Relaxed);
        assert!(!place.leave(), "on a processor that there is not");
    }
}
