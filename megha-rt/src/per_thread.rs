//! What a thread keeps from the beginning of a call to its end.
//!
//! A value with a destructor is gone once the thread has destroyed its thread-locals, and who asks for it then panics: but a destructor of
//! another thread-local may call a compiled function. These have none. They are empty outside of calls, so nothing is left behind.

use std::cell::RefCell;
use std::mem::ManuallyDrop;

/// A thread's value, if a call in progress has one.
pub(crate) struct PerThread<T>(ManuallyDrop<RefCell<Option<T>>>);

impl<T> PerThread<T> {
    /// Nothing.
    pub const fn new() -> Self {
        PerThread(ManuallyDrop::new(RefCell::new(None)))
    }

    /// Puts another value, and gives the one before.
    pub fn replace(&self, value: Option<T>) -> Option<T> {
        self.0.replace(value)
    }

    /// Lets `run` see and change the value.
    #[inline]
    pub fn with<R>(&self, run: impl FnOnce(&mut Option<T>) -> R) -> R {
        run(&mut self.0.borrow_mut())
    }
}
