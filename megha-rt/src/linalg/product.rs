//! `a * b` on matrices and vectors of any strides.

use std::mem::MaybeUninit;

use gemm::Parallelism;
use megha_base::memory::tested;

use super::{Real, mismatch};
use crate::array::{Array, Fresh};
use crate::input::Strided;
use crate::layout::Layout;
use crate::{Result, Site, trace};

/// Multiplications below which a product stays on one thread.
const PARALLEL_WORK: usize = 1 << 18;
/// Multiplications from which on the factors may be packed.
const PACKED_WORK: usize = 1 << 12;
/// Bytes that a thread may pack.
const PACKED: usize = 4 << 20;

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
    // The library packs blocks of the factors into memory of its own, a few MiB for each thread, which it cannot be refused.
    if m * n * p >= PACKED_WORK {
        tested(threads * PACKED.min((m + n + 64) * (p + 64) * 2 * size_of::<T>()));
    }
    let parallelism = if parallel { Parallelism::Rayon(threads) } else { Parallelism::None };
    let (c, [c_row, c_column]) = c;
    let (a, [a_row, a_column]) = a;
    let (b, [b_row, b_column]) = b;
    // SAFETY: the caller's promise.
    unsafe {
        gemm::gemm(
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
