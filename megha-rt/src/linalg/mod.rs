//! Matrix products and solves.
//!
//! Products go to the `gemm` crate, whose results depend on the instruction set (it contracts to multiply-add where it can) but not on the
//! number of threads. They are the documented exception to the rule that a result is the same wherever it is computed.

mod lu;
mod product;
mod qr;

use std::ops::{Add, Div, Mul, Neg, Sub};

pub(crate) use product::multiply;
pub use product::product;

use megha_base::plan::Element;

use crate::array::Array;
use crate::input::Strided;
use crate::layout::{ColMajor, Layout};
use crate::view::View;
use crate::{Error, ErrorKind, Result, Site};

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
    + 'static
{
    /// The class as plans name it.
    const ELEMENT: Element;
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
    /// Distance from 1 to the next number.
    const EPSILON: Self;
    /// Square root.
    fn sqrt(self) -> Self;
    /// Absolute value.
    fn abs(self) -> Self;
    /// The nearest number to an integer.
    fn from_count(count: usize) -> Self;
}

macro_rules! real {
    ($($t:ident $element:ident)*) => {$(
        impl Real for $t {
            const ELEMENT: Element = Element::$element;
            const ZERO: $t = 0.0;
            const ONE: $t = 1.0;
            const EPSILON: $t = $t::EPSILON;
            #[inline(always)]
            fn sqrt(self) -> $t { self.sqrt() }
            #[inline(always)]
            fn abs(self) -> $t { self.abs() }
            fn from_count(count: usize) -> $t { count as $t }
        }
    )*};
}
real!(f64 F64 f32 F32);

/// `a * b`.
///
/// # Errors
/// Columns of `a` that differ in number from rows of `b`; no memory for the product.
pub fn matmul<L: Layout, T: Real>(a: View<'_, L, T, 2>, b: View<'_, L, T, 2>, site: &Site) -> Result<Array<L, T, 2>> {
    product(a.strided(), b.strided(), site)
}

/// `a \ b`: the solution of `a * x = b`, by LU with partial pivoting for a square `a`, else in the least-squares sense, by QR with
/// column pivoting (a basic solution where the rank is not full).
///
/// # Errors
/// Different numbers of rows; an exactly singular square matrix; no memory for the solution.
pub fn solve<L: Layout, T: Real>(a: View<'_, L, T, 2>, b: View<'_, L, T, 2>, site: &Site) -> Result<Array<L, T, 2>> {
    if a.shape()[0] != b.shape()[0] {
        return Err(mismatch(a.shape(), b.shape(), "both must have the same number of rows", site));
    }
    Ok(in_order_of(solve_columns(a.strided(), b.strided(), site)?))
}

/// `b / a`: the solution of `x * a = b`, as `(a.' \ b.').'`.
///
/// # Errors
/// Different numbers of columns; an exactly singular square matrix; no memory for the solution.
pub fn solve_right<L: Layout, T: Real>(
    b: View<'_, L, T, 2>,
    a: View<'_, L, T, 2>,
    site: &Site,
) -> Result<Array<L, T, 2>> {
    if a.shape()[1] != b.shape()[1] {
        return Err(mismatch(b.shape(), a.shape(), "both must have the same number of columns", site));
    }
    let x = solve_columns(a.strided().permuted([1, 0]), b.strided().permuted([1, 0]), site)?;
    Ok(x.view().strided().permuted([1, 0]).copy::<L>())
}

/// The solution of `a * x = b`, whose numbers of rows agree.
fn solve_columns<T: Real>(a: Strided<'_, T, 2>, b: Strided<'_, T, 2>, site: &Site) -> Result<Array<ColMajor, T, 2>> {
    let [rows, columns] = a.shape();
    if rows == columns { lu::solve(a.copy(), b.copy(), site) } else { qr::least_squares(a.copy(), b.copy(), site) }
}

/// A column-major array in the order of `L`; no copy if that is its order.
fn in_order_of<L: Layout, T: Real>(x: Array<ColMajor, T, 2>) -> Array<L, T, 2> {
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
