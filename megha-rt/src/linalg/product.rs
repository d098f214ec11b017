//! `a * b` on matrices and vectors of any strides.

use std::mem::MaybeUninit;

use gemm_common::Parallelism;

use super::{Real, mismatch};
use crate::array::{Array, Fresh};
use crate::input::Strided;
use crate::layout::Layout;
use crate::{Result, Site, trace};

/// Multiplications below which a product stays on one thread.
const PARALLEL_WORK: usize = 1 << 18;

/// `a * b` for factors of any strides. A transposed factor costs nothing: pass `a.permuted([1, 0])`.
///
/// # Errors
/// Columns of `a` that differ in number from rows of `b`; no memory for the product.
pub fn product<L: Layout, T: Real>(a: Strided<'_, T, 2>, b: Strided<'_, T, 2>, site: &Site) -> Result<Array<L, T, 2>> {
    let ([m, p], [q, n]) = (a.shape(), b.shape());
    if p != q {
        return Err(mismatch(a.shape(), b.shape(), "columns of the left must equal rows of the right", site));
    }
    let mut c = Array::<L, T, 2>::uninit([m, n], site)?;
    multiply(&mut c, a, b);
    // SAFETY: all elements are written.
    Ok(unsafe { c.assume_init() })
}

/// Writes `a * b` to all elements of `c`, which has its rows and columns.
///
/// # Panics
/// Other shapes.
pub fn multiply<L: Layout, T: Real>(c: &mut Fresh<L, T, 2>, a: Strided<'_, T, 2>, b: Strided<'_, T, 2>) {
    let ([m, p], [q, n]) = (a.shape(), b.shape());
    assert!(p == q && c.shape() == [m, n], "a product of other shapes");
    c.as_mut_slice().fill(MaybeUninit::new(T::ZERO));
    let strides = L::strides([m, n]).map(|s| s as isize);
    // SAFETY: `a` reaches m by p elements and `b` p by n; `c` is m by n, with the strides of its layout, and borrowed here only.
    unsafe {
        accumulate(
            [m, n, p],
            (c.as_mut_slice().as_mut_ptr().cast(), strides),
            T::ZERO,
            (a.start(), a.strides()),
            (b.start(), b.strides()),
            T::ONE,
        );
    }
}

/// `c = keep * c + scale * a * b`, where `c` is `m` by `n` and the inner extent is `p`; each operand is its start and its
/// strides along rows and columns.
///
/// # Safety
/// Each pointer with its strides reaches all elements of its matrix; `c` overlaps neither factor, and nothing else refers to it.
pub(super) unsafe fn accumulate<T: Real>(
    [m, n, p]: [usize; 3],
    c: (*mut T, [isize; 2]),
    keep: T,
    a: (*const T, [isize; 2]),
    b: (*const T, [isize; 2]),
    scale: T,
) {
    if m == 0 || n == 0 || p == 0 {
        return;
    }
    let parallel = m * n * p >= PARALLEL_WORK && rayon::current_num_threads() > 1;
    let threads = if parallel { rayon::current_num_threads() } else { 1 };
    trace::kernel(m * n, threads);
    let begun = trace::begin();
    let parallelism = if parallel { Parallelism::Rayon(threads) } else { Parallelism::None };
    // The routine wants columns of the product to be the more distant ones; else the transposed product is made.
    let (c, [c_row, c_column]) = c;
    let transposed = c_column.abs() < c_row.abs();
    let flip = |(start, [row, column]): Factor<T>| (start, [column, row]);
    let (m, n, [c_row, c_column], a, b) = match transposed {
        true => (n, m, [c_column, c_row], flip(b), flip(a)),
        false => (m, n, [c_row, c_column], a, b),
    };
    let ((a, [a_row, a_column]), (b, [b_row, b_column])) = backward(p, a, b);
    // SAFETY: the caller's promise; nothing is conjugated, and `c` is read.
    unsafe {
        T::routine()(
            m,
            n,
            p,
            c,
            c_column,
            c_row,
            true,
            a,
            a_column,
            a_row,
            b,
            b_column,
            b_row,
            keep,
            scale,
            false,
            false,
            false,
            parallelism,
        );
    }
    if let Some(begun) = begun {
        trace::ran(begun, "matrix product", m * n, threads);
    }
}

/// A matrix: its start and its strides along rows and columns.
type Factor<T> = (*const T, [isize; 2]);

/// The same factors of an inner extent, whose terms are taken from the other end if the left one's columns lie backwards.
fn backward<T>(inner: usize, a: Factor<T>, b: Factor<T>) -> (Factor<T>, Factor<T>) {
    let ((a, [a_row, a_column]), (b, [b_row, b_column])) = (a, b);
    if a_column >= 0 || inner == 0 {
        return ((a, [a_row, a_column]), (b, [b_row, b_column]));
    }
    let last = (inner - 1) as isize;
    let (a, b) = (a.wrapping_offset(last * a_column), b.wrapping_offset(last * b_row));
    ((a, [a_row, -a_column]), (b, [-b_row, b_column]))
}
