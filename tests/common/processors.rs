//! Work that is shared out over all processors. By threads of its own: those of the run-time system take up other work while one waits.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// What comes of so many numbers, in their order.
pub fn on_all_processors<T: Send>(count: usize, of: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let (next, list) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                return;
            }
            let done = of(number);
            list.lock().expect("no thread panics with the lock").push((number, done));
        }
    };
    thread::scope(|scope| {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        (0..threads).for_each(|_| drop(scope.spawn(work)));
    });
    let mut list = list.into_inner().expect("no thread panics with the lock");
    list.sort_by_key(|(number, _)| *number);
    list.into_iter().map(|(_, done)| done).collect()
}
