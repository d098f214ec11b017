//! Who of several threads does which of many things.
//!
//! Each thread has a share of neighbouring numbers, the same one in each launch with as many, and takes from its front; one that has done its own
//! takes from the back of others. So a loop over launches finds in a processor's cache what the same thread has left there, and no thread waits while there is
//! work (E. Markatos, T. LeBlanc, "Using Processor Affinity in Loop Scheduling on Shared-Memory Multiprocessors", 1992).

use std::sync::atomic::{AtomicU64, Ordering};

use crossbeam_utils::CachePadded;

/// Shares at most; more threads have some together.
const MOST: usize = 64;

/// What is left of each share.
pub(super) struct Shares {
    /// The first number and the one behind the last. Where two threads' caches are far apart, a line that both write takes 0.2 microseconds to come over,
    /// and a launch has some 30 pieces.
    left: [CachePadded<AtomicU64>; MOST],
    shares: usize,
}

impl Shares {
    /// So many numbers, from 0, for so many threads.
    ///
    /// Panics from 2^32 numbers on: each stands for a piece of an array that is worth a thread's coming back for it.
    pub fn of(count: usize, threads: usize) -> Self {
        let shares = threads.clamp(1, MOST);
        let count = u64::from(u32::try_from(count).expect("fewer pieces than 2^32"));
        let bound = |at: usize| count * at.min(shares) as u64 / shares as u64;
        let left = std::array::from_fn(|at| AtomicU64::new(bound(at) << 32 | bound(at + 1)).into());
        Self { left, shares }
    }

    /// The next number for this thread, if any is left.
    pub fn take(&self, own: usize) -> Option<usize> {
        let own = own % self.shares;
        let others = (1..self.shares).map(|by| (own + by) % self.shares);
        self.from(own, true).or_else(|| others.into_iter().find_map(|at| self.from(at, false)))
    }

    /// A number from the front or the back of a share.
    fn from(&self, at: usize, front: bool) -> Option<usize> {
        let rest = |left: u64| {
            let (first, end) = (left >> 32, left & u64::from(u32::MAX));
            let less = || if front { (first + 1) << 32 | end } else { first << 32 | (end - 1) };
            (first < end).then(less)
        };
        // What the thing is about was there before the launch, and its end waits for all threads.
        let before = self.left[at].fetch_update(Ordering::Relaxed, Ordering::Relaxed, rest).ok()?;
        Some(if front { before >> 32 } else { (before & u64::from(u32::MAX)) - 1 } as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    #[test]
    fn a_thread_begins_with_its_own() {
        let shares = Shares::of(7, 3);
        assert_eq!([0, 1, 2].map(|own| shares.take(own)), [Some(0), Some(2), Some(4)]);
        assert_eq!([1, 1, 1, 1, 1].map(|own| shares.take(own)), [Some(3), Some(6), Some(5), Some(1), None]);
    }

    #[test]
    fn every_number_is_taken_once() {
        for (count, threads, takers) in [(0, 2, 2), (1, 2, 3), (5, 64, 4), (1000, 3, 4), (3000, 200, 4)] {
            let shares = Shares::of(count, threads);
            let all = |own: usize| std::iter::from_fn(|| shares.take(own)).collect::<Vec<_>>();
            let mut taken: Vec<usize> = thread::scope(|scope| {
                let threads: Vec<_> = (0..takers).map(|own| scope.spawn(move || all(own))).collect();
                threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
            });
            taken.sort_unstable();
            assert_eq!(taken, (0..count).collect::<Vec<_>>(), "{count} for {threads}");
        }
    }
}
