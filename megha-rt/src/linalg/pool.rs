//! The machine of dense factorisations: the thread pool, and the best instruction set.

use std::sync::{Mutex, PoisonError};

use megha_base::dense::{Machine, Work};

use crate::crew;
use crate::isa::work;

/// Operations below which items stay on one thread.
const PARALLEL_OPERATIONS: usize = 1 << 18;

/// The threads of the pool that the calling thread is of, or of the global one.
pub(super) struct Pool;

impl Machine for Pool {
    fn each<I: Send, W: Work<I>>(&self, items: Vec<I>, operations: usize, todo: &W) {
        let threads = rayon::current_num_threads().min(items.len());
        if threads < 2 || operations < PARALLEL_OPERATIONS {
            items.into_iter().for_each(|item| work(todo, item));
        } else {
            let items = Mutex::new(items.into_iter());
            let next = || items.lock().unwrap_or_else(PoisonError::into_inner).next();
            crew::together(threads - 1, &|member| {
                while let Some(item) = next() {
                    member.keep_apart();
                    work(todo, item);
                }
            });
        }
    }
}
