//! The random numbers of compiled functions: one stream for the process (see [`megha_base::random`]).

pub use megha_base::random::bits;
use megha_base::random::{Stream, permutation_by, seed_of, uniform};

use crate::device::replay;
use crate::isa::{Isa, Kernel};
use crate::launch::{Chunk, Domain, launch};
use crate::layout::{ColMajor, Layout};
use crate::view::Out;
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
    let mut uniforms = Array::<ColMajor, f64, 1>::uninit([usize::try_from(n).unwrap_or(0)], site)?;
    let len = uniforms.len();
    launch(&Uniforms { key, out: uniforms.fill() }, Domain::flat(len), 20);
    // SAFETY: the launch wrote every element.
    let uniforms = unsafe { uniforms.assume_init() };
    let uniforms = uniforms.as_slice();
    crate::whole::row(&permutation_by(len, |element| uniforms[element]), site)
}

/// The uniform numbers of a call's elements: by themselves, as that can be done for several at once.
struct Uniforms<'a> {
    key: i64,
    out: Out<'a, ColMajor, f64, 1>,
}

impl Kernel for Uniforms<'_> {
    #[inline(always)]
    fn run<I: Isa>(&self, chunk: &Chunk) {
        let (key, from) = (self.key, chunk.inner.start);
        // SAFETY: the elements belong to this chunk.
        let out = unsafe { self.out.flat(from, chunk.inner.len()) };
        for (k, out) in out.iter_mut().enumerate() {
            *out = uniform(key, (from + k) as i64);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::order;
    use crate::{RowMajor, Site};

    const SITE: Site = Site { path: "f.m", line: 1, column: 1, text: "randperm(n)" };

    #[test]
    fn an_order_is_that_of_the_definition() {
        for n in [0, 1, 2, 1000, 60_000] {
            let made = order::<RowMajor>(7, n, &SITE).unwrap();
            assert_eq!(made.as_slice(), megha_base::random::permutation(7, n as usize), "{n}");
        }
    }
}
