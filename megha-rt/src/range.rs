//! MATLAB's ranges `first:step:last`, as loop bounds and as index arrays.

use crate::{Error, ErrorKind, Result, Site};

/// How many values `first:step:last` has. The last one may pass `last` by a few rounding errors of the quotient, so that
/// `0:0.1:1` has eleven; a step of 0 or NaN, or of the wrong sign, gives none.
///
/// # Errors
/// An infinite range.
#[inline]
pub fn count(first: f64, step: f64, last: f64, site: &Site) -> Result<usize> {
    if first.is_nan() || last.is_nan() || step.is_nan() || step == 0.0 {
        return Ok(0);
    }
    let steps = (last - first) / step;
    if steps < 0.0 {
        return Ok(0);
    }
    let tolerance = 2.0 * f64::EPSILON * (first.abs().max(last.abs()) / step.abs()).max(1.0);
    let count = (steps + tolerance).floor() + 1.0;
    if count < (1u64 << 53) as f64 { Ok(count as usize) } else { Err(endless(count, site)) }
}

/// Value number `index` (from 0) of the range that starts at `first`.
#[inline(always)]
pub fn value(first: f64, step: f64, index: usize) -> f64 {
    first + step * index as f64
}

#[cold]
fn endless(count: f64, site: &Site) -> Error {
    Error::new(ErrorKind::BadSize { value: count }, site)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SITE: Site = Site { path: "f.m", line: 1, column: 1, text: "a:s:b" };

    #[test]
    fn counts() {
        let count = |first, step, last| count(first, step, last, &SITE);
        assert_eq!(count(1.0, 1.0, 5.0), Ok(5));
        assert_eq!(count(1.0, 1.0, 0.0), Ok(0));
        assert_eq!(count(0.0, 0.1, 1.0), Ok(11));
        assert_eq!(count(0.0, 0.1, 0.99), Ok(10));
        assert_eq!(count(5.0, -2.0, 0.0), Ok(3));
        assert_eq!(count(2.5, 1.0, 2.5), Ok(1));
        assert_eq!(count(1.0, 0.0, 5.0), Ok(0));
        assert_eq!(count(f64::NAN, 1.0, 5.0), Ok(0));
        assert_eq!(count(1.0, f64::INFINITY, 5.0), Ok(1));
        assert!(count(1.0, 1.0, f64::INFINITY).is_err());
        for n in 1..2000 {
            assert_eq!(count(0.0, 1.0 / f64::from(n), 1.0), Ok(n as usize + 1), "0:1/{n}:1");
        }
    }
}
