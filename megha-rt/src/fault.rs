//! Checks that fail inside kernels: the failure of the first iteration, whatever the threads do.

use std::sync::atomic::{AtomicU64, Ordering};

pub use megha_base::cause::Cause;

use crate::error::Outside;
use crate::{Error, ErrorKind, Result, Site};

/// The failed check of the lowest iteration so far.
pub struct Fault {
    first: AtomicU64,
}

const NONE: u64 = u64::MAX;
/// Bits that number the checks of one kernel.
const ID_BITS: u32 = 12;

impl Fault {
    /// Nothing has failed.
    #[allow(clippy::new_without_default, reason = "a fault is always made for one launch")]
    pub fn new() -> Fault {
        Fault { first: AtomicU64::new(NONE) }
    }

    /// Check number `id` failed in this iteration, counted in the order of the loops' numbers, first axis fastest.
    #[cold]
    #[inline(never)]
    pub fn record(&self, iteration: i64, id: u64) {
        self.first.fetch_min((iteration as u64) << ID_BITS | id, Ordering::Relaxed);
    }

    /// What a device recorded: the failed check of its lowest iteration, or that there was none.
    pub(crate) fn note(&self, first: u64) {
        self.first.fetch_min(first, Ordering::Relaxed);
    }

    /// After the launch: the error of the first iteration that failed. `checks` are place and text of each check.
    ///
    /// # Errors
    /// The text of the check, as an error of the kind that its cause says.
    pub fn check(&self, checks: &[(&Site, Cause, &str)]) -> Result<()> {
        match self.first.load(Ordering::Relaxed) {
            NONE => Ok(()),
            first => {
                let (site, cause, text) = checks[(first & ((1 << ID_BITS) - 1)) as usize];
                Err(failed(cause, text, site))
            }
        }
    }
}

/// The error of a failed check.
#[cold]
pub fn failed(cause: Cause, text: &str, site: &Site) -> Error {
    Error::new(ErrorKind::failed(cause, text.to_owned()), site)
}

/// Ends a function that has no `Result`, as the plain Rust loop would have: by a panic. Subscripts count from zero here.
///
/// # Panics
/// Always.
#[cold]
pub fn panic(error: &Error) -> ! {
    let site = error.site();
    match error.kind() {
        ErrorKind::OutOfBounds { at: Some(Outside { index, dim, extent }), .. } => {
            let axis = dim.saturating_sub(1);
            panic!(
                "subscript {} is out of bounds of axis {axis}, which has {extent} elements\n  in {site}",
                index - 1.0
            )
        }
        _ => panic!("{error}"),
    }
}

/// Checks that two sizes agree; `operation` says of what.
///
/// # Errors
/// [`ErrorKind::SizeMismatch`] naming the operation and both sizes.
#[inline]
pub fn same_size(left: i64, right: i64, operation: &str, site: &Site) -> Result<()> {
    if left == right {
        return Ok(());
    }
    let (left, right) = (vec![left.max(0) as usize], vec![right.max(0) as usize]);
    Err(Error::new(ErrorKind::SizeMismatch { operation: operation.to_owned(), left, right }, site))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SITE: Site = Site { path: "f.m", line: 1, column: 1, text: "x(k)" };

    #[test]
    fn sizes_that_differ_are_told_with_a_way_out() {
        assert!(same_size(3, 3, "`+`", &SITE).is_ok());
        let message = |left, right| same_size(left, right, "`+`", &SITE).unwrap_err().to_string();
        assert_eq!(message(3, 4), "`+`: the sizes 3 and 4 must be equal\n  in `x(k)` at f.m:1:1");
        assert!(
            message(3, 1).contains("must be equal; to repeat an array")
                && message(1, 0).contains("and 0 must be equal\n")
        );
    }

    #[test]
    fn the_lowest_iteration_wins() {
        let fault = Fault::new();
        assert!(fault.check(&[]).is_ok());
        fault.record(7, 0);
        fault.record(3, 1);
        fault.record(5, 0);
        let error = fault.check(&[(&SITE, Cause::Other, "zero"), (&SITE, Cause::Bounds, "one")]).unwrap_err();
        assert!(error.to_string().starts_with("one"), "{error}");
        assert!(matches!(error.kind(), ErrorKind::OutOfBounds { at: None, .. }));
    }
}
