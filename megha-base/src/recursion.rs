//! How deep calls may nest, as Octave limits it, and a stack for programs that walk structures of that depth.

use std::sync::{Mutex, PoisonError};

/// So many functions may be active, the one that is called from outside included (Octave's `max_recursion_depth`).
pub const MAX_DEPTH: usize = 256;

/// What a call beyond that depth says.
pub const EXCEEDED: &str = "max_recursion_depth exceeded: calls nest more than 256 deep";

/// The stack of [`on_deep_stack`]. The system gives memory only to the part that is used.
const STACK: usize = MAX_DEPTH << 20;

/// Runs `work` on a thread whose stack has a MiB for each of [`MAX_DEPTH`] calls, or here if there is no room for one.
///
/// # Panics
/// If `work` panics.
pub fn on_deep_stack<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    // A thread that cannot be started has not taken the work.
    let work = Mutex::new(Some(work));
    let take = || work.lock().unwrap_or_else(PoisonError::into_inner).take().expect("the work is done once");
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().stack_size(STACK);
        match builder.spawn_scoped(scope, || take()()) {
            Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(_) => take()(),
        }
    })
}
