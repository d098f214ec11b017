//! `a * b` on matrices and vectors of any strides.

use std::mem::MaybeUninit;

use megha_base::memory::tested;

use super::{Real, mismatch, routine, vector};
use crate::array::{Array, Fresh, Packed};
use crate::input::Strided;
use crate::layout::{ColMajor, Layout};
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
    match (m, n) {
        (0..2, 0..2) => {}
        (_, 1) => return vector::multiply(c.fill(), a, elements(b).view().as_slice()),
        (1, _) => return vector::multiply(c.fill(), b.permuted([1, 0]), elements(a).view().as_slice()),
        _ => {}
    }
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

/// The elements of a vector, one after the other.
fn elements<T: Real>(vector: Strided<'_, T, 2>) -> Packed<'_, ColMajor, T, 2> {
    vector.pack()
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
    // SAFETY: the caller's promise.
    unsafe { routine::accumulate([m, n, p], c, keep, a, b, scale, threads) };
    if let Some(begun) = begun {
        trace::ran(begun, "matrix product", m * n, threads);
    }
}

#[cfg(all(test, feature = "gemm"))]
mod tests {
    use std::thread;

    use gemm_common::gemm::L2_SLAB;

    use super::*;
    use crate::{ColMajor, Input, RowMajor, Vector};

    const SITE: Site = Site { path: "test.m", line: 1, column: 1, text: "a * b" };

    /// Products of every kind that the crate `gemm` tells apart.
    fn products() -> Vec<f64> {
        let shapes = [(40, 40, 40), (64, 64, 60), (4000, 8, 8), (8, 4000, 8), (16, 16, 1000), (8, 8, 4000), (5, 3, 2)];
        let mut last = Vec::new();
        for (m, n, p) in shapes {
            let a = ndarray::Array2::from_shape_fn((m, p), |(i, j)| ((i * 7 + j) % 11) as f64);
            let b = ndarray::Array2::from_shape_fn((p, n), |(i, j)| ((i + j * 5) % 13) as f64);
            let [af, bf] = [&a, &b].map(|x| x.t().as_standard_layout().into_owned().reversed_axes());
            for (a, b) in [(a.view(), b.view()), (af.view(), bf.view())] {
                let (a, b) = (a.strided(Vector::Column), b.strided(Vector::Column));
                last.extend(product::<ColMajor, f64>(a, b, &SITE).unwrap().into_ndarray().into_iter().take(2));
                last.extend(product::<RowMajor, f64>(a, b, &SITE).unwrap().into_ndarray().into_iter().take(2));
            }
        }
        last
    }

    struct Late;

    impl Drop for Late {
        fn drop(&mut self) {
            assert!(L2_SLAB.try_with(|_| ()).is_err(), "the memory is gone before");
            assert_eq!(products(), thread::spawn(products).join().unwrap());
        }
    }

    #[test]
    fn products_work_while_thread_locals_are_destroyed() {
        thread_local! {
            static LATE: Late = const { Late };
        }
        thread::spawn(|| {
            LATE.with(|_| ());
            // Registered behind the other one, and so destroyed before it.
            L2_SLAB.with(|_| ());
        })
        .join()
        .unwrap();
    }
}
