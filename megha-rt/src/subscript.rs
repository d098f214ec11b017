//! Small arithmetic of subscripts and sizes in compiled code.

use megha_base::int::{index_div, index_divu, index_mod, index_remu};

use crate::layout::{Layout, Order};
use crate::{Error, ErrorKind, Result, Site};

/// A size as the extent of a dimension: negative ones are empty.
#[inline(always)]
pub fn extent(size: i64) -> usize {
    if size < 0 { 0 } else { size as usize }
}

/// A size given as a sum of products, each with a factor: exact, or the nearest number of 64 bits; `i64::MAX`, which no array has, where
/// 128 bits do not hold it.
pub fn polynomial(terms: &[(i64, &[i64])]) -> i64 {
    let product = |(factor, symbols): &(i64, &[i64])| {
        symbols.iter().try_fold(i128::from(*factor), |product, symbol| product.checked_mul(i128::from(*symbol)))
    };
    let sum = terms.iter().try_fold(0_i128, |sum, term| sum.checked_add(product(term)?));
    sum.map_or(i64::MAX, |sum| sum.clamp(i64::MIN.into(), i64::MAX.into()) as i64)
}

/// Loop indices as signed numbers. A function of its own and without a closure, so that each kernel does not compile
/// `<[usize; N]>::map` anew.
#[inline(always)]
pub fn indices<const N: usize>(at: [usize; N]) -> [i64; N] {
    let (mut out, mut d) = ([0; N], 0);
    while d < N {
        out[d] = at[d] as i64;
        d += 1;
    }
    out
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
    if value.abs() < LARGEST {
        // SAFETY: the number fits; the conversion without this promise would saturate, which takes as long as the rest.
        let whole = unsafe { value.to_int_unchecked::<i64>() };
        return (whole as f64 == value).then_some(whole);
    }
    None
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
    Error::new(ErrorKind::not_whole(value), site)
}

/// Makes indices from zero of places from one; whether all lie below the extent.
#[inline(always)]
pub(crate) fn places(places: &[f64], at: &mut [i64], extent: i64) -> bool {
    const LARGEST: f64 = (1u64 << 53) as f64;
    let at = &mut at[..places.len()];
    let mut wrong = false;
    for k in 0..places.len() {
        let place = places[k];
        // NaN becomes 0 too, which is no place.
        let positive = if place > 0.0 { place } else { 0.0 };
        let small = if positive < LARGEST { positive } else { LARGEST };
        // SAFETY: between 0 and 2^53.
        let whole = unsafe { small.to_int_unchecked::<i64>() };
        wrong |= (whole as f64 != place) | (whole < 1) | (whole > extent);
        at[k] = whole - 1;
    }
    !wrong
}

/// The quotient, rounded down; 0 for a divisor of 0.
#[inline(always)]
pub fn div(a: i64, b: i64) -> i64 {
    index_div(a, b).unwrap_or(0)
}

/// The remainder with the divisor's sign; the dividend for a divisor of 0.
#[inline(always)]
pub fn modulo(a: i64, b: i64) -> i64 {
    index_mod(a, b).unwrap_or(a)
}

/// The remainder with the dividend's sign; the dividend for a divisor of 0.
#[inline(always)]
pub fn rem(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { a.wrapping_rem(b) }
}

/// The quotient of numbers without sign; 0 for a divisor of 0.
#[inline(always)]
pub fn divu(a: i64, b: i64) -> i64 {
    index_divu(a, b).unwrap_or(0)
}

/// The remainder of numbers without sign; the dividend for a divisor of 0.
#[inline(always)]
pub fn remu(a: i64, b: i64) -> i64 {
    index_remu(a, b).unwrap_or(a)
}

/// The power, which wraps; 0 for an exponent that is none.
#[inline(always)]
pub fn pow(a: i64, b: i64) -> i64 {
    u32::try_from(b).map_or(0, |b| a.wrapping_pow(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomials_are_exact_or_too_large() {
        let large = 1_i64 << 40;
        assert_eq!(polynomial(&[(3, &[5, 7]), (-4, &[2]), (1, &[])]), 98);
        assert_eq!(polynomial(&[]), 0);
        assert_eq!(polynomial(&[(1, &[large, large]), (-1, &[large, large - 1])]), large);
        assert_eq!(polynomial(&[(1, &[1 << 32, 1 << 32])]), i64::MAX);
        assert_eq!(polynomial(&[(-1, &[1 << 32, 1 << 32])]), i64::MIN);
        assert_eq!(polynomial(&[(1, &[large, large, large, large]), (-1, &[large, large, large, large])]), i64::MAX);
        assert_eq!(polynomial(&[(i64::MAX, &[i64::MIN, 0])]), 0);
    }

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
