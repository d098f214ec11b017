//! Whether results may depend on where they are computed.
//!
//! Kernels give the same bits everywhere, those for matrix products too. A device's library for these does not: it adds in another order. By default it is used where it
//! is there; in the strict mode it is not.

use std::cell::Cell;
use std::sync::OnceLock;

thread_local! {
    static SCOPED: Cell<bool> = const { Cell::new(false) };
}

static PROCESS: OnceLock<bool> = OnceLock::new();

/// Runs `body`, whose calls of compiled functions on this thread give the same bits with and without a device.
///
/// The environment variable `MEGHA_STRICT=1` says so for the whole process.
pub fn strict<R>(body: impl FnOnce() -> R) -> R {
    /// Puts back what was there before, also when `body` panics.
    struct Restore(bool);
    impl Drop for Restore {
        fn drop(&mut self) {
            SCOPED.set(self.0);
        }
    }
    let _restore = Restore(SCOPED.replace(true));
    body()
}

/// Whether the calling thread asks for the same bits everywhere.
pub(crate) fn is_strict() -> bool {
    SCOPED.get() || *PROCESS.get_or_init(|| std::env::var_os("MEGHA_STRICT").is_some_and(|wish| wish == "1"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scope_ends() {
        let outside = is_strict();
        assert!(strict(|| strict(is_strict) && is_strict()));
        let panicked = std::panic::catch_unwind(|| strict(|| panic!("in the scope")));
        assert!(panicked.is_err() && is_strict() == outside);
    }
}
