//! MATLAB subscripts in host code: one-based, of any numeric class, checked.

use crate::view::unravel;
use crate::{Error, ErrorKind, Result, Site};

/// A number used as a one-based index.
pub trait Subscript: Copy {
    /// The zero-based index, if the number is whole and at least 1; any such index too large for memory becomes `usize::MAX`.
    fn zero_based(self) -> Option<usize>;
    /// The number, for messages.
    fn value(self) -> f64;
    /// The list as doubles, if that is what they are.
    fn doubles(list: &[Self]) -> Option<&[f64]> {
        let _ = list;
        None
    }
}

impl Subscript for f64 {
    #[inline(always)]
    fn zero_based(self) -> Option<usize> {
        let index = self as usize; // saturates; NaN becomes 0
        if index as f64 == self && index >= 1 { Some(index - 1) } else { None }
    }
    #[inline(always)]
    fn value(self) -> f64 {
        self
    }
    fn doubles(list: &[f64]) -> Option<&[f64]> {
        Some(list)
    }
}

impl Subscript for f32 {
    #[inline(always)]
    fn zero_based(self) -> Option<usize> {
        f64::from(self).zero_based()
    }
    #[inline(always)]
    fn value(self) -> f64 {
        f64::from(self)
    }
}

macro_rules! integer_subscript {
    ($($t:ty)*) => {$(
        impl Subscript for $t {
            #[inline(always)]
            fn zero_based(self) -> Option<usize> {
                usize::try_from(self).ok()?.checked_sub(1)
            }
            #[inline(always)]
            fn value(self) -> f64 {
                self as f64
            }
        }
    )*};
}
integer_subscript!(i8 i16 i32 i64 u8 u16 u32 u64 usize);

/// The indices of one element access on an array of rank `N`: a tuple with one number for each dimension, or `(k,)`, which
/// counts columns first.
pub trait Subscripts<const N: usize>: Copy {
    /// Zero-based indices within `shape`.
    ///
    /// # Errors
    /// A number that is not whole, or is outside its dimension.
    fn resolve(self, shape: [usize; N], site: &Site) -> Result<[usize; N]>;

    /// Zero-based indices that may pass the end of `shape`, for a store that makes the array grow. A single index extends the
    /// dimension that MATLAB extends: the only one longer than 1 (the second when there is none).
    ///
    /// # Errors
    /// A number that is not whole or is below 1; a single index past the end of an array that is not a vector.
    fn resolve_unbounded(self, shape: [usize; N], site: &Site) -> Result<[usize; N]>;
}

/// The zero-based form of index number `dim` (from 1), which must be below `extent`.
///
/// # Errors
/// An index that is not a whole number, or is outside the dimension.
#[inline(always)]
pub fn check(index: impl Subscript, dim: usize, extent: usize, site: &Site) -> Result<usize> {
    match index.zero_based() {
        Some(zero_based) if zero_based < extent => Ok(zero_based),
        _ => Err(bad_index(index.value(), dim, extent, site)),
    }
}

#[inline(always)]
fn positive(index: impl Subscript, dim: usize, extent: usize, site: &Site) -> Result<usize> {
    match index.zero_based() {
        Some(zero_based) if zero_based < usize::MAX >> 4 => Ok(zero_based),
        _ => Err(bad_index(index.value(), dim, extent, site)),
    }
}

#[cold]
#[inline(never)]
fn bad_index(index: f64, dim: usize, extent: usize, site: &Site) -> Error {
    let kind = if index.is_infinite() || index.fract() == 0.0 {
        ErrorKind::outside(index, dim, extent)
    } else {
        ErrorKind::not_whole(index)
    };
    Error::new(kind, site)
}

macro_rules! tuple_subscripts {
    ($n:literal: $($s:ident $d:tt),*) => {
        impl<$($s: Subscript),*> Subscripts<$n> for ($($s,)*) {
            #[inline(always)]
            fn resolve(self, shape: [usize; $n], site: &Site) -> Result<[usize; $n]> {
                Ok([$(check(self.$d, $d + 1, shape[$d], site)?),*])
            }
            #[inline(always)]
            fn resolve_unbounded(self, shape: [usize; $n], site: &Site) -> Result<[usize; $n]> {
                Ok([$(positive(self.$d, $d + 1, shape[$d], site)?),*])
            }
        }
    };
}
tuple_subscripts!(2: A 0, B 1);
tuple_subscripts!(3: A 0, B 1, C 2);
tuple_subscripts!(4: A 0, B 1, C 2, D 3);
tuple_subscripts!(5: A 0, B 1, C 2, D 3, E 4);
tuple_subscripts!(6: A 0, B 1, C 2, D 3, E 4, F 5);

impl<S: Subscript, const N: usize> Subscripts<N> for (S,) {
    #[inline(always)]
    fn resolve(self, shape: [usize; N], site: &Site) -> Result<[usize; N]> {
        let linear = check(self.0, 1, shape.iter().product(), site)?;
        Ok(unravel(shape, linear))
    }

    fn resolve_unbounded(self, shape: [usize; N], site: &Site) -> Result<[usize; N]> {
        let count = shape.iter().product();
        let linear = positive(self.0, 1, count, site)?;
        let longer = (0..N).filter(|&d| shape[d] != 1).count();
        if linear < count {
            return Ok(unravel(shape, linear));
        }
        if longer > 1 && count > 0 {
            return Err(bad_index(self.0.value(), 1, count, site));
        }
        let mut at = [0; N];
        at[(0..N).find(|&d| shape[d] > 1).unwrap_or(1)] = linear;
        Ok(at)
    }
}

/// A number used as a size (`zeros(n, m)`): negative ones count as 0.
///
/// # Errors
/// A number that is not whole or is too large for memory.
#[inline(always)]
pub fn size(value: f64, site: &Site) -> Result<usize> {
    const LARGEST: f64 = (1u64 << 48) as f64;
    if value.fract() == 0.0 && value <= LARGEST {
        return Ok(value.max(0.0) as usize);
    }
    Err(Error::new(ErrorKind::BadSize { value }, site))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SITE: Site = Site { path: "f.m", line: 1, column: 1, text: "a(i, j)" };

    #[test]
    fn indices_are_whole_and_within_bounds() {
        assert_eq!((2.0, 3i32).resolve([2, 3], &SITE), Ok([1, 2]));
        for bad in [0.0, -1.0, 3.0, f64::INFINITY, 1e300] {
            let error = (bad, 1.0).resolve([2, 3], &SITE).unwrap_err();
            assert_eq!(*error.kind(), ErrorKind::outside(bad, 1, 2));
        }
        for bad in [0.5, f64::NAN] {
            let error = (1.0, bad).resolve([2, 3], &SITE).unwrap_err();
            assert!(matches!(error.kind(), ErrorKind::NotAnInteger { .. }), "{error}");
        }
        assert!((-3i8, 1u8).resolve([2, 3], &SITE).is_err());
    }

    #[test]
    fn a_single_index_counts_columns_first() {
        assert_eq!((4.0,).resolve([3, 2], &SITE), Ok([0, 1]));
        assert_eq!((6.0,).resolve([3, 2], &SITE), Ok([2, 1]));
        assert!((7.0,).resolve([3, 2], &SITE).is_err());
    }

    #[test]
    fn a_single_index_past_the_end_extends_vectors_only() {
        assert_eq!((5.0,).resolve_unbounded([3, 1], &SITE), Ok([4, 0]));
        assert_eq!((5.0,).resolve_unbounded([1, 3], &SITE), Ok([0, 4]));
        assert_eq!((5.0,).resolve_unbounded([0, 0], &SITE), Ok([0, 4]));
        assert!((7.0,).resolve_unbounded([3, 2], &SITE).is_err());
    }

    #[test]
    fn sizes() {
        assert_eq!(size(3.0, &SITE), Ok(3));
        assert_eq!(size(-3.0, &SITE), Ok(0));
        for bad in [1.5, f64::NAN, f64::INFINITY, 1e18] {
            assert!(size(bad, &SITE).is_err());
        }
    }
}
