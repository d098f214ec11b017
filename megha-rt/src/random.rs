//! The random numbers of compiled functions: one stream for the process (see [`megha_base::random`]).

pub use megha_base::random::bits;
use megha_base::random::{Stream, permutation, seed_of};

use crate::device::replay;
use crate::layout::Layout;
use crate::{Array, Result, Site};
use std::sync::{Mutex, MutexGuard, PoisonError};

static STREAM: Mutex<Stream> = Mutex::new(Stream::new(megha_base::random::DEFAULT_SEED));

fn stream() -> MutexGuard<'static, Stream> {
    // A stream is a plain value: no panic leaves it half changed.
    STREAM.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Begins the random numbers of a seed. They depend on the seed and on the order in which programs draw, not on threads.
pub fn seed(seed: u64) {
    *stream() = Stream::new(seed);
}

/// Begins the random numbers of the seed that a program gives.
pub fn seed_number(number: f64) {
    seed(seed_of(number));
}

/// The key of the next array of random numbers.
pub fn draw() -> i64 {
    replay::drawn(|| stream().next_key())
}

/// A random order of 1 .. n as a row.
///
/// # Errors
/// No memory.
pub fn order<L: Layout>(key: i64, n: i64, site: &Site) -> Result<Array<L, f64, 2>> {
    let list = permutation(key, usize::try_from(n).unwrap_or(0));
    crate::whole::row(&list, site)
}
