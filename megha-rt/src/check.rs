//! Checks of shapes: once at the start of a function or an operation, before any work.

use crate::{Error, ErrorKind, Result, Site};

/// Checks that argument `name`, declared as `declared`, has the shape `want`.
///
/// # Errors
/// [`ErrorKind::ArgumentShape`] with both shapes.
#[inline]
pub fn argument<const N: usize>(
    name: &'static str,
    declared: &'static str,
    got: [usize; N],
    want: [usize; N],
    site: &Site,
) -> Result<()> {
    if are_equal(got, want) { Ok(()) } else { Err(misfit((name, declared), &got, &want, site)) }
}

/// Whether the extents are the same. One by one: what was just written one by one cannot be read together without a wait.
#[inline]
fn are_equal<const N: usize>(left: [usize; N], right: [usize; N]) -> bool {
    left.into_iter().zip(right).all(|(left, right)| left == right)
}

#[cold]
fn misfit((name, declared): (&'static str, &'static str), got: &[usize], want: &[usize], site: &Site) -> Error {
    let why = format!(", which is {} here", crate::error::Shape(want));
    Error::new(ErrorKind::ArgumentShape { name, got: got.to_vec(), declared, why }, site)
}

/// No argument has more elements, axes without elements left out: whole numbers beyond are not exact in `f64`, and sums of products
/// of sizes could leave 64 bits.
const MOST: usize = (1 << 53) - 1;

/// Checks that the sizes of argument `name`, declared as `declared`, are such as memory could hold. An array without elements, or one that
/// repeats its elements, may claim any.
///
/// # Errors
/// [`ErrorKind::ArgumentShape`].
#[inline]
pub fn extents<const N: usize>(name: &'static str, declared: &'static str, got: [usize; N], site: &Site) -> Result<()> {
    let elements = got.iter().filter(|extent| **extent != 0).try_fold(1_usize, |n, extent| n.checked_mul(*extent));
    if elements.is_some_and(|n| n <= MOST) { Ok(()) } else { Err(too_many((name, declared), &got, site)) }
}

#[cold]
fn too_many((name, declared): (&'static str, &'static str), got: &[usize], site: &Site) -> Error {
    let why = ", and its sizes other than 0 have a product of 2^53 or more".to_owned();
    Error::new(ErrorKind::ArgumentShape { name, got: got.to_vec(), declared, why }, site)
}

/// Checks that the operands of an element-wise operation have one shape.
///
/// # Errors
/// [`ErrorKind::SizeMismatch`].
#[inline]
pub fn same<const N: usize>(left: [usize; N], right: [usize; N], site: &Site) -> Result<()> {
    if are_equal(left, right) { Ok(()) } else { Err(mismatch(&left, &right, site)) }
}

/// The shape of an element-wise operation with implicit expansion: each dimension agrees or is 1 on one side.
///
/// # Errors
/// [`ErrorKind::SizeMismatch`].
#[inline]
pub fn expand<const N: usize>(left: [usize; N], right: [usize; N], site: &Site) -> Result<[usize; N]> {
    let mut shape = left;
    for d in 0..N {
        shape[d] = match (left[d], right[d]) {
            (l, r) if l == r => l,
            (1, r) => r,
            (l, 1) => l,
            _ => return Err(mismatch(&left, &right, site)),
        };
    }
    Ok(shape)
}

/// Checks the one-based closed range `first..=last` of a slice against the dimension's extent. An empty range may lie anywhere.
///
/// # Errors
/// [`ErrorKind::OutOfBounds`] with the end that is outside.
#[inline]
pub fn range(first: i64, last: i64, dim: usize, extent: usize, site: &Site) -> Result<()> {
    if first > last || (first >= 1 && last as u64 <= extent as u64) {
        return Ok(());
    }
    let index = if first < 1 { first } else { last };
    Err(Error::new(ErrorKind::outside(index as f64, dim, extent), site))
}

#[cold]
fn mismatch(left: &[usize], right: &[usize], site: &Site) -> Error {
    Error::new(ErrorKind::shapes(left, right), site)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SITE: Site = Site { path: "f.m", line: 2, column: 9, text: "a + b" };

    #[test]
    fn expansion() {
        assert_eq!(expand([3, 1], [1, 4], &SITE), Ok([3, 4]));
        assert_eq!(expand([0, 1], [1, 1], &SITE), Ok([0, 1]));
        assert!(expand([3, 1], [2, 1], &SITE).is_err());
        assert!(expand([0, 1], [2, 1], &SITE).is_err());
    }

    #[test]
    fn ranges() {
        assert_eq!(range(1, 5, 1, 5, &SITE), Ok(()));
        assert_eq!(range(9, 8, 1, 5, &SITE), Ok(()));
        assert!(range(0, 3, 1, 5, &SITE).unwrap_err().to_string().contains("index 0"));
        assert!(range(2, 6, 1, 5, &SITE).unwrap_err().to_string().contains("index 6"));
    }

    #[test]
    fn an_argument_of_the_wrong_shape() {
        let site = Site { text: "strike", ..SITE };
        let message = argument("strike", "(n,1)", [4, 1], [5, 1], &site).unwrap_err().to_string();
        assert!(
            message.starts_with("argument `strike` is 4-by-1, but must be (n,1), which is 5-by-1 here"),
            "{message}"
        );
    }
}
