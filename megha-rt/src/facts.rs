//! What a declaration promises of a number, checked on entry.

use crate::fault::{Cause, failed};
use crate::{Error, Result, Site};

/// Checks that argument `name` is whole (if `integer`) and within the bounds, both included.
///
/// # Errors
/// [`crate::ErrorKind::Check`] that names the argument, its value and what it must be.
#[inline]
pub fn number(
    name: &'static str,
    value: f64,
    integer: bool,
    at_least: Option<i64>,
    at_most: Option<i64>,
    site: &Site,
) -> Result<()> {
    let whole = !integer || (value.is_finite() && value.fract() == 0.0);
    let above = at_least.is_none_or(|least| value >= least as f64);
    let below = at_most.is_none_or(|most| value <= most as f64);
    if whole && above && below {
        return Ok(());
    }
    Err(broken(name, value, integer, [at_least, at_most], site))
}

/// What was promised and is not so.
#[cold]
#[inline(never)]
fn broken(name: &str, value: f64, integer: bool, [at_least, at_most]: [Option<i64>; 2], site: &Site) -> Error {
    let kind = if integer { "a whole number" } else { "a number" };
    let bounds = match (at_least, at_most) {
        (Some(least), Some(most)) => format!(" from {least} to {most}"),
        (Some(least), None) => format!(" of at least {least}"),
        (None, Some(most)) => format!(" of at most {most}"),
        (None, None) => String::new(),
    };
    failed(Cause::Other, &format!("argument `{name}` is {value}, but must be {kind}{bounds}"), site)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SITE: Site = Site { path: "f.m", line: 1, column: 1, text: "k" };

    #[test]
    fn bounds_and_wholeness() {
        assert!(number("k", 2.0, true, Some(2), Some(9), &SITE).is_ok());
        for bad in [1.0, 10.0, 2.5, f64::NAN, f64::INFINITY] {
            let message = number("k", bad, true, Some(2), Some(9), &SITE).unwrap_err().to_string();
            assert!(message.contains("must be a whole number from 2 to 9"), "{message}");
        }
        assert!(number("k", f64::NAN, false, Some(0), None, &SITE).is_err());
        assert!(number("k", f64::INFINITY, true, None, None, &SITE).is_err());
    }
}
