//! Calls of so little work that the plain function is sooner done than the compiled one is entered.

use std::cell::Cell;

use crate::{device, watch};

/// The estimated work of the largest launch of a call (points times weights, as of [`crate::is_little`]) up to which the plain function is faster. That has no entry and no
/// launches, so this is more than a single launch's limit.
const LITTLE_CALL: i64 = 560;

thread_local! {
    static ASKED: Cell<bool> = const { Cell::new(false) };
}

/// Whether a call is of little work and nobody watches what runs, so that the plain function may do it. `launches` says whether the compiled one has kernels,
/// which a device might run, and `checked` whether the crate that has the plain one is built with debug assertions.
///
/// Not so in an unoptimised build, as these have, where plain loops are no faster: so tests see the compiled function, and subscripts that are out of bounds are told in its words.
#[inline]
pub fn is_little_call(work: i64, launches: bool, checked: bool) -> bool {
    if checked {
        return ASKED.get() && work <= LITTLE_CALL;
    }
    work <= LITTLE_CALL && !watch::is_watched() && !(launches && device::may_be_chosen())
}

/// Runs `body`, in which calls of little work run the plain function in an unoptimised build too: for tests.
pub fn within<R>(body: impl FnOnce() -> R) -> R {
    struct Restore(bool);
    impl Drop for Restore {
        fn drop(&mut self) {
            ASKED.set(self.0);
        }
    }
    let _restore = Restore(ASKED.replace(true));
    body()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn little_calls_are_plain_where_a_test_asks_for_it() {
        let of = |work| is_little_call(work, false, true);
        assert!(!of(0));
        assert_eq!(within(|| [0, LITTLE_CALL, LITTLE_CALL + 1, i64::MAX].map(of)), [true, true, false, false]);
    }
}
