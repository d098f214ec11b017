//! Loops whose iterations overlap: DOACROSS loops (R. Cytron, "Doacross: beyond vectorization for multiprocessors", ICPP 1986).
//!
//! The body of such a loop goes through *steps*, and may go through a step as soon as the iteration before has gone through all steps up to that one. So iterations run on several
//! threads, each some steps behind the one before it: the strips of a recurrence over rows, a strip following the one to its left (`megha_core::nests::skew`).
//!
//! Iterations are taken in order, and each waits for the one before alone, which a running thread has or which is done: any number of threads come to the end. An iteration
//! counts as done only when the one before is, so what an iteration has seen done holds for all before it.
//!
//! What the loop computes does not depend on any of this.

use std::cell::Cell;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicUsize, Ordering};

use crossbeam_utils::CachePadded;

use crate::crew::{self, Member};
use crate::element::Cells;
use crate::launch::is_parallel;
use crate::layout::Layout;
use crate::trace;

/// What an iteration does. What it has been given lies behind a reference to itself, which the compiler knows that no store reaches: references to variables outside would be followed again after each.
type Body<'b> = dyn Fn(i64, &Turn<'_>) + Sync + 'b;

/// How far an iteration is that has ended.
const ENDED: i64 = i64::MAX;

/// How many steps further the iteration before must be, once one has had to wait for it: what tells of each step comes from another processor, which takes as long as a part of it.
const SLACK: i64 = 3;

/// Runs `body` for each number below `iterations`; they run as many statements together, about, as the product of `work`. It must say before each of its steps which one it is ([`Turn::begin`], [`Turn::next`]).
///
/// Panics if `body` does.
pub fn run(iterations: i64, work: &[i64], body: &Body<'_>) {
    let work = work.iter().fold(1, |work: u64, factor| work.saturating_mul((*factor).max(0) as u64));
    let threads = if is_parallel(work) { rayon::current_num_threads() } else { 1 };
    let threads = threads.min(iterations.max(1) as usize);
    let begun = trace::begin();
    // What one thread runs takes no memory.
    match (threads > 1).then(|| Loop::new(iterations)).flatten() {
        Some(all) => crew::together(threads - 1, &|member| all.take(member, body)),
        None => (0..iterations).for_each(|number| body(number, &Turn::alone())),
    }
    if let Some(begun) = begun {
        trace::ran(begun, "pipeline", iterations.max(0) as usize, threads);
        // A function without kernels has no summary at its end, which would write it.
        trace::written();
    }
}

/// The iterations of a loop.
struct Loop {
    next: AtomicUsize,
    /// How many steps each is through.
    done: Vec<CachePadded<AtomicI64>>,
    failed: AtomicBool,
}

impl Loop {
    /// None if there is no memory for it.
    fn new(iterations: i64) -> Option<Self> {
        let count = usize::try_from(iterations).ok()?;
        let mut done = Vec::new();
        done.try_reserve_exact(count).ok()?;
        done.resize_with(count, || CachePadded::new(AtomicI64::new(0)));
        Some(Self { next: AtomicUsize::new(0), done, failed: AtomicBool::new(false) })
    }

    /// Runs one iteration after the other until none is left.
    fn take(&self, member: &Member<'_>, body: &Body<'_>) {
        loop {
            member.keep_apart();
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(own) = self.done.get(number).filter(|_| !self.failed.load(Ordering::Relaxed)) else { return };
            let before = number.checked_sub(1).map(|before| &*self.done[before]);
            let turn =
                Turn { step: Cell::new(0), seen: Cell::new(0), with: Some(With { before, own, all: self, member }) };
            let outcome = catch_unwind(AssertUnwindSafe(|| {
                body(number as i64, &turn);
                turn.end();
            }));
            if let Err(panic) = outcome {
                self.failed.store(true, Ordering::Relaxed);
                if panic.is::<Left>() {
                    return;
                }
                resume_unwind(panic);
            }
        }
    }
}

/// What an iteration ends with whose neighbour has failed.
struct Left;

/// An iteration that is under way.
pub struct Turn<'l> {
    /// The number of its step.
    step: Cell<i64>,
    /// How many steps the iteration before was last seen to be through.
    seen: Cell<i64>,
    with: Option<With<'l>>,
}

/// The iterations beside one.
struct With<'l> {
    /// How far the one before is,
    before: Option<&'l AtomicI64>,
    /// and how far this one is.
    own: &'l AtomicI64,
    all: &'l Loop,
    member: &'l Member<'l>,
}

impl Turn<'_> {
    /// One that nobody waits for.
    fn alone() -> Self {
        Self { step: Cell::new(0), seen: Cell::new(ENDED), with: None }
    }

    /// Begins step number `step`: all before it are done, and when it returns, the iteration before is through it.
    #[inline]
    pub fn begin(&self, step: i64) {
        self.step.set(step);
        if let Some(with) = &self.with {
            with.own.store(step, Ordering::Release);
            if self.seen.get() <= step {
                self.seen.set(with.wait(step.saturating_add(SLACK)));
            }
        }
    }

    /// Ends a step and begins the next.
    #[inline]
    pub fn next(&self) {
        self.begin(self.step.get() + 1);
    }

    fn end(&self) {
        if let Some(with) = &self.with {
            with.wait(ENDED - 1);
            with.own.store(ENDED, Ordering::Release);
        }
    }
}

impl With<'_> {
    /// Waits until the iteration before is through a step; gives how many it is through. Ends this iteration if another one fails, whose panic the caller of the loop gets.
    fn wait(&self, step: i64) -> i64 {
        let Some(before) = self.before else { return ENDED };
        loop {
            let done = before.load(Ordering::Acquire);
            if done > step {
                return done;
            }
            if self.all.failed.load(Ordering::Relaxed) {
                resume_unwind(Box::new(Left));
            }
            self.member.wait();
        }
    }
}

/// The elements of an array for iterations that overlap.
pub struct Shared<'a, L: Layout, T, const N: usize> {
    start: *mut T,
    shape: [usize; N],
    life: PhantomData<(&'a mut [T], L)>,
}

// SAFETY: whoever takes elements ([`Shared::cells`]) promises that no thread touches one that another writes at the time.
unsafe impl<L: Layout, T: Send + Sync, const N: usize> Sync for Shared<'_, L, T, N> {}

impl<'a, L: Layout, T: Copy, const N: usize> Shared<'a, L, T, N> {
    /// Those of a loop's array.
    pub fn new(cells: &'a mut Cells<'_, L, T, N>) -> Self {
        let (start, shape) = cells.parts();
        Self { start, shape, life: PhantomData }
    }

    /// The elements for an iteration.
    ///
    /// # Safety
    /// As long as another thread has them too, neither reads or writes an element that the other writes, but in steps of which one comes before the other.
    #[inline(always)]
    pub unsafe fn cells(&self) -> Cells<'_, L, T, N> {
        // SAFETY: the memory is borrowed for as long as this lives, and the caller's promise.
        unsafe { Cells::from_parts(self.start, self.shape) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Array, ColMajor, Site};

    const SITE: Site = Site { path: "", line: 0, column: 0, text: "" };
    const MUCH: i64 = 1 << 40;

    /// Rows of sums of the two neighbours before, in strips of ten columns.
    fn paths(rows: i64, columns: i64, work: i64) -> Vec<u64> {
        let mut table = Array::<ColMajor, u64, 2>::filled([rows as usize, columns as usize], 1, &SITE).unwrap();
        let mut cells = table.cells();
        let shared = Shared::new(&mut cells);
        run((columns + 9) / 10, &[work], &|strip, turn| {
            // SAFETY: a step touches its own row of the strip, and reads the one before and the column before it.
            let mut cells = unsafe { shared.cells() };
            turn.begin(0);
            for i in 0..rows {
                for j in 10 * strip..columns.min(10 * strip + 10) {
                    if i > 0 && j > 0 {
                        // SAFETY: the subscripts lie within the table.
                        unsafe { cells.put([i, j], cells.at([i - 1, j]).wrapping_add(cells.at([i, j - 1]))) };
                    }
                }
                turn.next();
            }
        });
        table.as_slice().to_vec()
    }

    #[test]
    fn an_iteration_stays_behind_the_one_before() {
        for (rows, columns) in [(0, 0), (1, 1), (3, 200), (200, 3), (97, 101), (40, 1000)] {
            for threads in [1, 2, 3, 8] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let found = pool.install(|| paths(rows, columns, MUCH));
                assert_eq!(found, paths(rows, columns, 0), "{rows} by {columns} on {threads} threads");
            }
            assert_eq!(paths(rows, columns, MUCH), paths(rows, columns, 0), "{rows} by {columns}");
        }
    }

    /// Strips that begin with later steps than those before, some of which have none.
    #[test]
    fn an_iteration_may_begin_with_a_later_step() {
        for threads in [1, 2, 6] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let log = std::sync::Mutex::new(Vec::new());
            pool.install(|| {
                run(6, &[MUCH], &|number, turn| {
                    let first = 3 * number;
                    turn.begin(first);
                    for step in first..if number == 3 { first } else { first + 5 } {
                        log.lock().unwrap().push((number, step));
                        turn.next();
                    }
                });
            });
            let log = log.into_inner().unwrap();
            assert_eq!(log.len(), 25);
            let at = |wanted: (i64, i64)| log.iter().position(|entry| *entry == wanted);
            for (here, (number, step)) in log.iter().enumerate() {
                let before = (0..*number).flat_map(|earlier| (0..=*step).map(move |step| (earlier, step)));
                assert!(before.filter_map(at).all(|there| there < here), "step {step} of {number}");
            }
        }
    }

    #[test]
    fn a_panic_reaches_the_caller_and_nobody_waits_for_it() {
        let panicked = catch_unwind(AssertUnwindSafe(|| {
            run(8, &[MUCH], &|number, turn| {
                turn.begin(0);
                for step in 0..100 {
                    assert!((number, step) != (2, 50), "as wanted");
                    turn.next();
                }
            });
        }));
        assert_eq!(panicked.unwrap_err().downcast_ref::<&str>(), Some(&"as wanted"));
    }

    /// A loop that a destructor runs while its thread unwinds waits as any other.
    #[test]
    fn a_thread_that_unwinds_waits_too() {
        struct Late<'f>(&'f std::sync::Mutex<Vec<u64>>);
        impl Drop for Late<'_> {
            fn drop(&mut self) {
                *self.0.lock().unwrap() = paths(97, 101, MUCH);
            }
        }
        let found = std::sync::Mutex::new(Vec::new());
        let unwound = catch_unwind(AssertUnwindSafe(|| {
            let _late = Late(&found);
            resume_unwind(Box::new("as wanted"));
        }));
        assert!(unwound.is_err());
        assert_eq!(*found.lock().unwrap(), paths(97, 101, 0));
    }
}
