//! Small arithmetic of subscripts and sizes in compiled code.

use crate::layout::{Layout, Order};
use crate::{Error, ErrorKind, Result, Site};

/// A size as the extent of a dimension: negative ones are empty.
#[inline(always)]
pub fn extent(size: i64) -> usize {
    size.max(0) as usize
}

/// `l` in column-major order, 0 in row-major order: the progress of a number whose loop is innermost in the former only.
#[inline(always)]
pub fn only_columns<L: Layout>(l: usize) -> i64 {
    if matches!(L::ORDER, Order::ColMajor) { l as i64 } else { 0 }
}

/// `l` in row-major order, 0 in column-major order.
#[inline(always)]
pub fn only_rows<L: Layout>(l: usize) -> i64 {
    if matches!(L::ORDER, Order::RowMajor) { l as i64 } else { 0 }
}

/// The number as an integer, if it is one of magnitude below 2^53.
#[inline(always)]
pub fn try_whole(value: f64) -> Option<i64> {
    const LARGEST: f64 = (1u64 << 53) as f64;
    let whole = value as i64;
    (whole as f64 == value && value.abs() < LARGEST).then_some(whole)
}

/// The number as an integer.
///
/// # Errors
/// [`ErrorKind::NotAnInteger`] unless it is a whole number of magnitude below 2^53.
#[inline(always)]
pub fn whole(value: f64, site: &Site) -> Result<i64> {
    try_whole(value).ok_or_else(|| not_whole(value, site))
}

#[cold]
fn not_whole(value: f64, site: &Site) -> Error {
    Error::new(ErrorKind::NotAnInteger { index: value }, site)
}

/// The quotient, rounded down; 0 for a divisor of 0.
#[inline(always)]
pub fn div(a: i64, b: i64) -> i64 {
    if b == 0 {
        return 0;
    }
    let quotient = a.wrapping_div(b);
    if a.wrapping_rem(b) != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient }
}

/// The remainder with the divisor's sign; the dividend for a divisor of 0.
#[inline(always)]
pub fn modulo(a: i64, b: i64) -> i64 {
    if b == 0 {
        return a;
    }
    let rest = a.wrapping_rem(b);
    if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest }
}

/// The remainder with the dividend's sign; the dividend for a divisor of 0.
#[inline(always)]
pub fn rem(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { a.wrapping_rem(b) }
}

/// The power by squaring, wrapping; 0 for a negative exponent, except of 1 and -1.
pub fn pow(base: i64, exponent: i64) -> i64 {
    match (base, exponent) {
        (1, _) => 1,
        (-1, e) => 1 - 2 * (e & 1),
        (_, e) if e < 0 => 0,
        (b, e) => b.wrapping_pow(u32::try_from(e).unwrap_or(u32::MAX)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_floors() {
        for (a, b, q, m) in [(7, 2, 3, 1), (-7, 2, -4, 1), (7, -2, -4, -1), (-7, -2, 3, -1), (5, 0, 0, 5)] {
            assert_eq!((div(a, b), modulo(a, b)), (q, m));
        }
    }

    #[test]
    fn whole_numbers() {
        assert_eq!(try_whole(-3.0), Some(-3));
        for bad in [0.5, f64::NAN, f64::INFINITY, 9007199254740992.0] {
            assert_eq!(try_whole(bad), None);
        }
    }
}
