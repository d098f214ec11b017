//! Threads that stay at hand from one launch to the next.
//!
//! A thread that sleeps takes tens of microseconds to wake, and a launch pays that twice: until the others begin, and until the
//! caller hears that they are done. A launch of 50,000 options takes no longer itself. So a thread that has helped with a launch
//! lingers: it waits for the next one, awake, as long as waking it would take ([`LINGER`]; waiting as long as what one
//! avoids costs at most twice the best choice: A. R. Karlin, M. S. Manasse, L. Rudolph, D. D. Sleator, "Competitive snoopy
//! caching", Algorithmica 3, 1988), and the caller waits awake for the last of them. Both yield to whoever else
//! wants the processor.
//!
//! Each thread has a number, the caller 0, and keeps it while it lingers, so that a loop over launches can give it the same part in each.
//! A thread that the system has woken on the caller's processor gets another one ([`crate::processor`]).
//!
//! The threads are the crew's own, as many as launches have asked for, and sleep when nothing comes. Threads of `rayon`'s pool would have to go back to it now and then,
//! since others may want them; two took turns on one processor then, and a step of k-means took 1.38 ms for 1.22.
//!
//! One launch at a time has the crew; another one that comes from another thread meanwhile takes the way of `rayon`'s pool, and so does one
//! that comes from a thread of a pool, which may have fewer threads.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use crossbeam_utils::CachePadded;

use crate::processor::Place;

/// How long a thread stays awake for the next launch.
const LINGER: Duration = Duration::from_micros(50);
/// How often a thread sees to it in a launch that it has a processor of its own.
const CARE: u32 = 8;
/// How long the caller stays awake for the last thread of its launch.
const PATIENCE: Duration = Duration::from_micros(200);

/// Of the gate: whether threads may join the launch.
const OPEN: u64 = 1 << 31;
/// Of the gate: how many threads are at work. The bits above [`OPEN`] number the launches.
const WORKERS: u64 = OPEN - 1;

/// What a thread does in a launch: it takes chunks until none is left.
type Work<'a> = dyn Fn(&Member) + Sync + 'a;

/// A thread at work for a launch.
pub struct Member<'l> {
    number: usize,
    /// How often it still sees to its processor.
    care: Cell<u32>,
    /// The launch, unless the pool shares it out.
    launch: Option<&'l Launch>,
}

impl<'l> Member<'l> {
    fn new(number: usize, launch: Option<&'l Launch>) -> Self {
        Self { number, care: Cell::new(CARE), launch }
    }

    /// Its number: the launch's caller has 0, and no two that work for it at a time have the same, but for those behind the 64th. Most are below
    /// the number of threads.
    pub fn number(&self) -> usize {
        self.number
    }

    /// Sees to it that no two threads have one processor while another one is idle; to be called from time to time.
    pub fn keep_apart(&self) {
        let Some(launch) = self.launch else { return };
        if self.number == 0 {
            launch.place.here();
        }
        if self.care.get() == 0 {
            return;
        }
        if self.number > 0 {
            return self.note(launch.place.leave());
        }
        // One that has not come may wait for this processor.
        if launch.come.load(Ordering::Relaxed) < launch.others {
            thread::yield_now();
            self.note(true);
        }
    }

    /// Lets a little time pass for what another thread of the launch does.
    pub fn wait(&self) {
        // On the caller's processor this thread would keep the caller from it.
        self.keep_apart();
        wait_awake();
    }

    fn note(&self, did: bool) {
        self.care.set(self.care.get() - u32::from(did));
    }
}

/// A launch that has the crew. It lives on its caller's stack.
struct Launch {
    work: *const Work<'static>,
    caller: Thread,
    /// How many threads should help,
    others: usize,
    /// and how many have come.
    come: AtomicUsize,
    /// Where the caller was last seen.
    place: Place,
    /// What a thread that helped has panicked with.
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

/// Which of those who help a thread is, from 0. More than 64 have none of their own: all of them have 64.
#[derive(Clone, Copy)]
struct Number(u32);

impl Number {
    /// The bit that says so, if any.
    fn bit(self) -> u64 {
        1u64.checked_shl(self.0).unwrap_or(0)
    }
}

/// The threads that sleep.
#[derive(Default)]
struct Asleep {
    /// How many nobody has sent for,
    threads: usize,
    /// and how many somebody has, that have not woken yet.
    sent_for: usize,
}

struct Crew {
    /// Whether a launch has the crew.
    taken: AtomicBool,
    /// Number of the launch, whether it is open, how many threads work for it.
    gate: CachePadded<AtomicU64>,
    /// The launch; valid for a thread that the gate counts.
    launch: AtomicPtr<Launch>,
    /// Threads that linger, or have been sent for.
    at_hand: AtomicUsize,
    /// A bit for each number, from 1, that a thread that lingers has.
    numbers: AtomicU64,
    asleep: Mutex<Asleep>,
    /// Tells those that sleep that somebody has sent for them.
    bell: Condvar,
}

static CREW: Crew = Crew {
    taken: AtomicBool::new(false),
    gate: CachePadded::new(AtomicU64::new(0)),
    launch: AtomicPtr::new(std::ptr::null_mut()),
    at_hand: AtomicUsize::new(0),
    numbers: AtomicU64::new(0),
    asleep: Mutex::new(Asleep { threads: 0, sent_for: 0 }),
    bell: Condvar::new(),
};

/// Runs `work` on this thread and on about `others` more, and returns when all have returned. Any number of
/// them may come: `work` shares out what there is to do.
///
/// Panics if `work` does, on whichever thread.
pub fn together(others: usize, work: &Work<'_>) {
    if others == 0 {
        return work(&Member::new(0, None));
    }
    if rayon::current_thread_index().is_some() || CREW.taken.swap(true, Ordering::Acquire) {
        return rayon::in_place_scope(|scope| {
            (1..=others).for_each(|number| scope.spawn(move |_| work(&Member::new(number, None))));
            work(&Member::new(0, None));
        });
    }
    // SAFETY: only the lifetime changes. The pointer is read by threads that the gate counts, and `CREW.release` returns when the gate is
    // closed and counts none, before `work` ends.
    let work: *const Work<'static> = unsafe { std::mem::transmute(std::ptr::from_ref(work)) };
    let launch = Launch {
        work,
        caller: thread::current(),
        others,
        come: AtomicUsize::new(0),
        place: Place::default(),
        panic: Mutex::new(None),
    };
    launch.place.here();
    CREW.open(&launch);
    // Whatever panics from here on, be it for want of threads, the launch outlives those that have joined.
    let own = catch_unwind(AssertUnwindSafe(|| {
        CREW.send_for(others);
        launch.run(0);
    }));
    CREW.release();
    let theirs = launch.panic.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(panic) = own.err().or(theirs) {
        resume_unwind(panic);
    }
}

/// Whether a thread is awake that would help with a launch.
#[inline]
pub fn is_at_hand() -> bool {
    CREW.at_hand.load(Ordering::Relaxed) > 0
}

impl Launch {
    fn run(&self, number: usize) {
        let member = Member::new(number, Some(self));
        member.keep_apart();
        // SAFETY: the caller keeps `work` alive while a thread is counted, and so while one runs this.
        unsafe { (*self.work)(&member) }
    }
}

impl Crew {
    /// Lets threads join a launch.
    fn open(&self, launch: &Launch) {
        self.launch.store(std::ptr::from_ref(launch).cast_mut(), Ordering::Relaxed);
        let number = (self.gate.load(Ordering::Relaxed) | WORKERS | OPEN) + 1;
        // Either a thread that leaves sees this launch, or the caller sees that it has left (see `sleep`).
        self.gate.store(number | OPEN, Ordering::SeqCst);
    }

    /// Ends the launch: no thread joins any more, and those that have are done on return.
    fn release(&self) {
        self.gate.fetch_and(!OPEN, Ordering::AcqRel);
        let begun = Instant::now();
        while self.gate.load(Ordering::Acquire) & WORKERS > 0 {
            if begun.elapsed() < PATIENCE { wait_awake() } else { thread::park() }
        }
        self.taken.store(false, Ordering::Release);
    }

    /// Sees to it that so many threads are at hand: wakes those that sleep, and begins those that there are not. Where the system has none to give, fewer come.
    fn send_for(&'static self, threads: usize) {
        if self.at_hand.load(Ordering::SeqCst) >= threads {
            return;
        }
        let mut asleep = self.asleep();
        // A thread goes to sleep under this lock, so none is missed that is about to.
        let missing = threads.saturating_sub(self.at_hand.load(Ordering::SeqCst));
        let woken = missing.min(asleep.threads);
        asleep.threads -= woken;
        asleep.sent_for += woken;
        self.at_hand.fetch_add(missing, Ordering::SeqCst);
        drop(asleep);
        (0..woken).for_each(|_| self.bell.notify_one());
        for _ in woken..missing {
            let begun = thread::Builder::new().name("megha".into()).spawn(|| self.serve());
            if begun.is_err() {
                self.at_hand.fetch_sub(1, Ordering::SeqCst);
            }
        }
    }

    fn asleep(&self) -> MutexGuard<'_, Asleep> {
        self.asleep.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a thread does: helps with launches, sleeps until somebody sends for it, and so on.
    fn serve(&self) -> ! {
        let mut last = 0;
        loop {
            last = self.linger(last);
            self.sleep(last);
        }
    }

    /// Helps with launches until none has come for a while; the last one that it has helped with.
    fn linger(&self, mut last: u64) -> u64 {
        let number = self.take_number();
        let mut idle = Instant::now();
        // Helps where it can before it looks at the clock: one that is slow must not keep it from the launch that it stays for.
        loop {
            match self.help(last, number) {
                Some(launch) => (last, idle) = (launch, Instant::now()),
                None if idle.elapsed() < LINGER => wait_awake(),
                None => break,
            }
        }
        self.numbers.fetch_and(!number.bit(), Ordering::Relaxed);
        last
    }

    /// Waits until somebody sends for this thread, unless a launch is open with which it has not helped.
    fn sleep(&self, last: u64) {
        let mut asleep = self.asleep();
        self.at_hand.fetch_sub(1, Ordering::SeqCst);
        if self.waits(self.gate.load(Ordering::SeqCst), last) {
            self.at_hand.fetch_add(1, Ordering::SeqCst);
            return;
        }
        asleep.threads += 1;
        while asleep.sent_for == 0 {
            asleep = self.bell.wait(asleep).unwrap_or_else(PoisonError::into_inner);
        }
        asleep.sent_for -= 1;
    }

    /// The lowest number that no thread has.
    fn take_number(&self) -> Number {
        let lowest = |taken: u64| Number(taken.trailing_ones());
        let taken =
            self.numbers.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |taken| Some(taken | lowest(taken).bit()));
        taken.map_or(Number(0), lowest)
    }

    /// Whether a launch is open that is not the `last` one that this thread has helped with.
    fn waits(&self, gate: u64, last: u64) -> bool {
        gate & OPEN != 0 && gate & !WORKERS != last
    }

    /// Works for the open launch, if it is not the `last` one that this thread has helped with; its number.
    fn help(&self, last: u64, number: Number) -> Option<u64> {
        let gate = self.gate.load(Ordering::Relaxed);
        if !self.waits(gate, last) {
            return None;
        }
        self.gate.compare_exchange(gate, gate + 1, Ordering::Acquire, Ordering::Relaxed).ok()?;
        // SAFETY: the gate counts this thread, so the launch's caller waits for it, and the launch stays where it is.
        let launch = unsafe { &*self.launch.load(Ordering::Relaxed) };
        let caller = launch.caller.clone();
        launch.come.fetch_add(1, Ordering::Relaxed);
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| launch.run(1 + number.0 as usize))) {
            *launch.panic.lock().unwrap_or_else(PoisonError::into_inner) = Some(panic);
        }
        // From here on the launch may be gone.
        if self.gate.fetch_sub(1, Ordering::AcqRel) & (OPEN | WORKERS) == 1 {
            caller.unpark();
        }
        Some(gate & !WORKERS)
    }
}

/// Lets a little time pass, less if nobody else wants the processor.
pub(crate) fn wait_awake() {
    (0..16).for_each(|_| std::hint::spin_loop());
    thread::yield_now();
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts of turns that several threads share out: each is taken once.
    fn share_out(turns: usize, others: usize) -> Vec<usize> {
        let next = AtomicUsize::new(0);
        let taken: Vec<AtomicUsize> = (0..turns).map(|_| AtomicUsize::new(0)).collect();
        together(others, &|_| {
            while let Some(turn) = taken.get(next.fetch_add(1, Ordering::Relaxed)) {
                turn.fetch_add(1, Ordering::Relaxed);
            }
        });
        taken.into_iter().map(AtomicUsize::into_inner).collect()
    }

    #[test]
    fn launches_in_a_row_do_all_their_work_once() {
        let rounds = if cfg!(miri) { 20 } else { 2000 };
        for round in 0..rounds {
            assert_eq!(share_out(round % 37, 1 + round % 3), vec![1; round % 37], "round {round}");
            if round % 100 == 7 {
                // Long enough that those who linger leave.
                thread::sleep(2 * LINGER);
            }
        }
    }

    #[test]
    fn launches_of_several_callers_do_not_meet() {
        let rounds = if cfg!(miri) { 5 } else { 500 };
        thread::scope(|scope| {
            for caller in 0..3 {
                scope.spawn(move || {
                    (0..rounds).for_each(|k| assert_eq!(share_out(5 + caller, 2), vec![1; 5 + caller], "round {k}"));
                });
            }
        });
    }

    #[test]
    fn a_launch_within_a_launch_works() {
        let total = AtomicUsize::new(0);
        together(1, &|_| {
            let inner = share_out(9, 2).into_iter().sum::<usize>();
            total.fetch_add(inner, Ordering::Relaxed);
        });
        assert_eq!(total.into_inner() % 9, 0);
        assert_eq!(share_out(3, 1), [1; 3]);
    }

    /// The caller has number 0, and no two threads have one number at the same time.
    #[test]
    fn threads_have_numbers_of_their_own() {
        let at_work: Vec<AtomicUsize> = (0..=64).map(|_| AtomicUsize::new(0)).collect();
        let caller = thread::current().id();
        for _ in 0..if cfg!(miri) { 5 } else { 200 } {
            together(2, &|member| {
                let number = member.number();
                assert_eq!(number == 0, thread::current().id() == caller);
                assert_eq!(at_work[number].fetch_add(1, Ordering::AcqRel), 0, "two of number {number}");
                member.keep_apart();
                (0..100).for_each(|_| std::hint::spin_loop());
                at_work[number].fetch_sub(1, Ordering::AcqRel);
            });
        }
    }

    #[test]
    fn panics_reach_the_caller_and_the_crew_goes_on() {
        for on_caller in [true, false] {
            let caller = thread::current().id();
            let helped = AtomicBool::new(false);
            let panicked = catch_unwind(AssertUnwindSafe(|| {
                together(1, &|_| {
                    let here = thread::current().id() == caller;
                    helped.fetch_or(!here, Ordering::AcqRel);
                    if here == on_caller {
                        resume_unwind(Box::new("as told"));
                    }
                    // Another thread must have come before this one goes.
                    while here && !helped.load(Ordering::Acquire) {
                        thread::yield_now();
                    }
                });
            }));
            assert_eq!(panicked.unwrap_err().downcast_ref::<&str>(), Some(&"as told"));
            assert_eq!(share_out(11, 2), vec![1; 11]);
        }
    }
}
