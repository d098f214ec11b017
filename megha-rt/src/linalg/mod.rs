//! Matrix products, factorisations and solves.
//!
//! All have the same bits on any number of threads, with any instruction set and in either memory order: products of matrices
//! (`matrix`) are chains of fused multiply-adds, products with a vector (`vector`) add by lanes, factorisations and solves
//! (`megha_base::dense`) round one operation after the other in a fixed order.

mod bits;
mod factors;
mod lanes;
mod matrix;
mod pool;
mod product;
mod vector;

use std::ops::{Add, Div, Mul, Neg, Sub};

use lanes::{Lanes, Turn};

pub use factors::{cholesky, eigenvalues, eigenvectors, inverse, lu, qr, singular_values};
pub(crate) use product::multiply;
pub use product::{Target, product};

use megha_base::plan::Element;

use crate::array::Array;
use crate::device::host_multiplies;
use crate::input::Strided;
use crate::layout::{ColMajor, Layout};
use crate::view::View;
use crate::{Error, ErrorKind, Result, Site, trace, watch};

/// The real floating-point classes: `f64` (double) and `f32` (single).
pub trait Real:
    Copy
    + Send
    + Sync
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + ndarray::LinalgScalar
    + Turn
    + 'static
{
    /// The class as plans name it.
    const ELEMENT: Element;
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
    /// The largest number.
    const MOST: Self;
    /// The product of two such numbers, or larger ones, is not rounded to 0.
    const LEAST_TERM: Self;
    /// As many as AVX2 multiplies at once.
    type Avx2: Lanes<Self>;
    /// As many as AVX-512 multiplies at once.
    type Avx512: Lanes<Self>;

    /// `self + a * b`, rounded once.
    fn plus_product(self, a: Self, b: Self) -> Self;

    /// Writes `a * b` to all elements of `to`, which has its shape. A function of each class, which only this crate compiles.
    #[doc(hidden)]
    fn multiply(to: Target<'_, Self>, a: Strided<'_, Self, 2>, b: Strided<'_, Self, 2>);

    /// Writes numbers that compare with 0 as the elements of `a * b` do.
    #[doc(hidden)]
    fn multiply_to_compare(to: Target<'_, Self>, a: Strided<'_, Self, 2>, b: Strided<'_, Self, 2>);
}

macro_rules! real {
    ($($t:ident $element:ident $avx2:ident $avx512:ident $least:literal)*) => {$(
        impl Real for $t {
            const ELEMENT: Element = Element::$element;
            const ZERO: $t = 0.0;
            const ONE: $t = 1.0;
            const MOST: $t = $t::MAX;
            const LEAST_TERM: $t = $least;
            #[cfg(target_arch = "x86_64")]
            type Avx2 = std::arch::x86_64::$avx2;
            #[cfg(target_arch = "x86_64")]
            type Avx512 = std::arch::x86_64::$avx512;
            #[cfg(not(target_arch = "x86_64"))]
            type Avx2 = lanes::Plain<$t>;
            #[cfg(not(target_arch = "x86_64"))]
            type Avx512 = lanes::Plain<$t>;

            #[inline(always)]
            fn plus_product(self, a: $t, b: $t) -> $t {
                a.mul_add(b, self)
            }

            fn multiply(to: Target<'_, $t>, a: Strided<'_, $t, 2>, b: Strided<'_, $t, 2>) {
                product::write(to, a, b);
            }

            fn multiply_to_compare(to: Target<'_, $t>, a: Strided<'_, $t, 2>, b: Strided<'_, $t, 2>) {
                product::write_to_compare(to, a, b);
            }
        }
    )*};
}
// The roots of the smallest numbers that are not subnormal: 2^-511 and 2^-63.
real!(f64 F64 __m256d __m512d 1.4916681462400413e-154 f32 F32 __m256 __m512 1.0842022e-19);

/// `a * b`.
///
/// # Errors
/// Columns of `a` that differ in number from rows of `b`; no memory for the product.
pub fn matmul<L: Layout, T: Real>(a: View<'_, L, T, 2>, b: View<'_, L, T, 2>, site: &Site) -> Result<Array<L, T, 2>> {
    product(a.strided(), b.strided(), site)
}

/// Numbers that compare with 0 as the elements of `a * b` do: equal to it, greater, less, or neither.
///
/// # Errors
/// As [`matmul`].
pub fn matmul_to_compare<L: Layout, T: Real>(
    a: View<'_, L, T, 2>,
    b: View<'_, L, T, 2>,
    site: &Site,
) -> Result<Array<L, T, 2>> {
    product::made(a.strided(), b.strided(), T::multiply_to_compare, site)
}

/// `a * b` of a row and a column, as a number.
///
/// # Errors
/// As [`matmul`].
#[inline]
pub fn dot<L: Layout, T: Real>(a: View<'_, L, T, 2>, b: View<'_, L, T, 2>, site: &Site) -> Result<T> {
    if a.len() == b.len() && a.len() <= vector::SHORT && a.shape()[0] == 1 && b.shape()[1] == 1 && !watch::is_watched()
    {
        trace::launched(1);
        return Ok(vector::dot(a.as_slice(), b.as_slice()));
    }
    Ok(matmul(a, b, site)?.as_slice()[0])
}

/// `a \ b`: the solution of `a * x = b`, by LU with partial pivoting for a square `a`. Where a pivot is zero, which a warning says, and
/// where `a` is not square it is that of least squares, by QR with column pivoting (the shortest where there are several).
///
/// # Errors
/// Different numbers of rows; no memory for the solution.
pub fn solve<L: Layout>(a: View<'_, L, f64, 2>, b: View<'_, L, f64, 2>, site: &Site) -> Result<Array<L, f64, 2>> {
    if a.shape()[0] != b.shape()[0] {
        return Err(mismatch(a.shape(), b.shape(), "both must have the same number of rows", site));
    }
    host_multiplies(|| (a.len() * (a.shape()[1] + b.shape()[1])) as u64);
    Ok(in_order_of(factors::solve_columns(a.strided(), b.strided(), site)?))
}

/// `b / a`: the solution of `x * a = b`, as `(a.' \ b.').'`.
///
/// # Errors
/// Different numbers of columns; no memory for the solution.
pub fn solve_right<L: Layout>(b: View<'_, L, f64, 2>, a: View<'_, L, f64, 2>, site: &Site) -> Result<Array<L, f64, 2>> {
    if a.shape()[1] != b.shape()[1] {
        return Err(mismatch(b.shape(), a.shape(), "both must have the same number of columns", site));
    }
    host_multiplies(|| (a.len() * (a.shape()[0] + b.shape()[0])) as u64);
    let [a, b] = [a, b].map(|x| x.strided().permuted([1, 0]));
    let x = factors::solve_columns(a, b, site)?;
    Ok(x.view().strided().permuted([1, 0]).copy::<L>())
}

/// A column-major array in the order of `L`; no copy if that is its order.
fn in_order_of<L: Layout>(x: Array<ColMajor, f64, 2>) -> Array<L, f64, 2> {
    let shape = x.shape();
    match L::ORDER {
        crate::Order::ColMajor => Array::from_buf(x.into_buf(), shape),
        crate::Order::RowMajor => x.view().strided().copy::<L>(),
    }
}

#[cold]
fn mismatch(left: [usize; 2], right: [usize; 2], rule: &'static str, site: &Site) -> Error {
    Error::new(ErrorKind::MatrixMismatch { left: left.to_vec(), right: right.to_vec(), rule }, site)
}
