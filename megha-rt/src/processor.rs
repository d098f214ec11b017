//! Which processor a thread runs on.
//!
//! A system wakes a thread where it slept last, or beside the one that wakes it, and evens out who runs where within some milliseconds, when
//! a launch may be over. On two virtual processors (Linux 6.18), 61 of 275 launches of 2 to 12 ms had a helper 0.4 ms late, and 7 had none, while
//! one processor was idle. So a thread that finds itself on the processor of the caller that it helps leaves it at once, and the caller lets
//! one run that has not come ([`crate::crew::Member::keep_apart`]): then 0 of 287 were late.

use std::sync::atomic::{AtomicU32, Ordering};

#[cfg(all(target_os = "linux", not(miri)))]
mod system {
    use std::mem::{MaybeUninit, size_of};

    /// The number of the processor that this thread runs on.
    pub fn current() -> Option<u32> {
        // SAFETY: it takes nothing and gives a number.
        let number = unsafe { libc::sched_getcpu() };
        u32::try_from(number).ok().filter(|number| *number < libc::CPU_SETSIZE as u32)
    }

    /// Moves this thread, which runs on this processor, to another one if it may run on others. Where it may run stays as it is.
    pub fn leave(processor: u32) {
        if let Some(allowed) = allowed() {
            let mut others = allowed;
            // SAFETY: `current` gave the number, which is below the size of a set.
            unsafe { libc::CPU_CLR(processor as usize, &mut others) };
            // Where nothing would be left the system refuses, and the thread stays.
            if allow(&others) {
                allow(&allowed);
            }
        }
    }

    /// The processors that this thread may run on.
    fn allowed() -> Option<libc::cpu_set_t> {
        let mut set = MaybeUninit::<libc::cpu_set_t>::zeroed();
        // SAFETY: the set is as large as it says, of zeros, which is a set; 0 is this thread.
        let outcome = unsafe { libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), set.as_mut_ptr()) };
        // SAFETY: as above.
        (outcome == 0).then(|| unsafe { set.assume_init() })
    }

    /// Lets this thread run on these processors only; false if the system refuses.
    fn allow(set: &libc::cpu_set_t) -> bool {
        // SAFETY: the set is as large as it says, and the system only reads it; 0 is this thread.
        unsafe { libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), set) == 0 }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        fn count(set: &libc::cpu_set_t) -> i32 {
            // SAFETY: it reads the set.
            unsafe { libc::CPU_COUNT(set) }
        }

        #[test]
        fn a_thread_leaves_a_processor_and_may_come_back() {
            std::thread::spawn(|| {
                let before = allowed().unwrap();
                let left = || {
                    let here = current().unwrap();
                    leave(here);
                    current().unwrap() != here
                };
                // The system may move a thread at any time, so not each time tells.
                let times = (0..100).filter(|_| left()).count();
                assert!(if count(&before) > 1 { times > 50 } else { times == 0 }, "{times} times");
                assert_eq!(count(&allowed().unwrap()), count(&before));
            })
            .join()
            .unwrap();
        }

        #[test]
        fn a_thread_with_one_processor_stays_on_it() {
            std::thread::spawn(|| {
                let here = current().unwrap();
                // SAFETY: zeros are a set, and the number is below its size.
                let mut only = unsafe { MaybeUninit::<libc::cpu_set_t>::zeroed().assume_init() };
                // SAFETY: `current` gave the number, which is below the size of a set.
                unsafe { libc::CPU_SET(here as usize, &mut only) };
                assert!(allow(&only));
                leave(here);
                assert_eq!(current(), Some(here));
            })
            .join()
            .unwrap();
        }
    }
}

#[cfg(not(all(target_os = "linux", not(miri))))]
mod system {
    /// None is known here.
    pub fn current() -> Option<u32> {
        None
    }

    /// Nobody asks.
    pub fn leave(_: u32) {}
}

/// Where a thread was last seen.
#[derive(Debug)]
pub struct Place(AtomicU32);

/// Not seen.
const NOWHERE: u32 = u32::MAX;

impl Default for Place {
    fn default() -> Self {
        Self(AtomicU32::new(NOWHERE))
    }
}

impl Place {
    /// That thread is here.
    pub fn here(&self) {
        // Others read it while it is worked, so it is written where it changes only.
        let here = system::current().unwrap_or(NOWHERE);
        if self.0.load(Ordering::Relaxed) != here {
            self.0.store(here, Ordering::Relaxed);
        }
    }

    /// Moves this thread to another processor if that thread was seen on the same one; whether it was.
    pub fn leave(&self) -> bool {
        let there = self.0.load(Ordering::Relaxed);
        let same = system::current() == Some(there);
        if same {
            system::leave(there);
        }
        same
    }
}
