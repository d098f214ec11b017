//! Matrix products, factorisations and solves.
//!
//! Products of matrices go to the routines of the `gemm` crates, whose results depend on the instruction set (it contracts to multiply-add where it can) but not on the
//! number of threads. They are the documented exception to the rule that a result is the same wherever it is computed, which
//! products with a vector (`vector`), factorisations and solves (`megha_base::dense`) keep.

mod factors;
mod pool;
mod product;
#[cfg(feature = "gemm")]
mod routine;
#[cfg(not(feature = "gemm"))]
#[path = "without_gemm.rs"]
mod routine;
mod vector;

use std::ops::{Add, Div, Mul, Neg, Sub};

pub use factors::{cholesky, eigenvalues, eigenvectors, inverse, lu, qr, singular_values};
pub(crate) use product::multiply;
pub use product::product;

use megha_base::plan::Element;

use crate::array::Array;
use crate::device::host_multiplies;
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
    + ndarray::LinalgScalar
    + 'static
{
    /// The class as plans name it.
    const ELEMENT: Element;
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
    /// The routine for products on this machine.
    #[cfg(feature = "gemm")]
    fn routine() -> Routine<Self>;
}

/// `c = keep * c + scale * a * b`: three extents; `c`, its strides along columns and rows, and whether it is read; `a` and `b` with their
/// strides; `keep` and `scale`; which of the three are conjugated; threads.
#[cfg(feature = "gemm")]
pub type Routine<T> = unsafe fn(
    usize,
    usize,
    usize,
    *mut T,
    isize,
    isize,
    bool,
    *const T,
    isize,
    isize,
    *const T,
    isize,
    isize,
    T,
    T,
    bool,
    bool,
    bool,
    gemm_common::Parallelism,
);

macro_rules! real {
    ($($t:ident $element:ident $products:ident)*) => {$(
        impl Real for $t {
            const ELEMENT: Element = Element::$element;
            const ZERO: $t = 0.0;
            const ONE: $t = 1.0;
            #[cfg(feature = "gemm")]
            fn routine() -> Routine<$t> {
                $products::gemm::$t::get_gemm_fn()
            }
        }
    )*};
}
real!(f64 F64 gemm_f64 f32 F32 gemm_f32);

/// `a * b`.
///
/// # Errors
/// Columns of `a` that differ in number from rows of `b`; no memory for the product.
pub fn matmul<L: Layout, T: Real>(a: View<'_, L, T, 2>, b: View<'_, L, T, 2>, site: &Site) -> Result<Array<L, T, 2>> {
    product(a.strided(), b.strided(), site)
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
