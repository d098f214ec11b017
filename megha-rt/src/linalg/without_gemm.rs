//! The product of two matrices by ndarray, on any strides: where the gemm crates are not built.

use ndarray::{ArrayView2, ArrayViewMut2, Axis, ShapeBuilder, linalg::general_mat_mul};

use super::Real;

/// `c = keep * c + scale * a * b` on one thread; the three extents are those of `c`, and the inner one.
///
/// # Safety
/// Each pointer with its strides reaches all elements of its matrix; `c` overlaps neither factor, and nothing else refers to it. The
/// strides of `c` are not negative.
pub unsafe fn accumulate<T: Real>(
    [m, n, p]: [usize; 3],
    (c, [c_row, c_column]): (*mut T, [isize; 2]),
    keep: T,
    a: (*const T, [isize; 2]),
    b: (*const T, [isize; 2]),
    scale: T,
    _threads: usize,
) {
    // SAFETY: the caller's promise.
    unsafe {
        let shape = (m, n).strides((c_row.unsigned_abs(), c_column.unsigned_abs()));
        let mut c = ArrayViewMut2::from_shape_ptr(shape, c);
        general_mat_mul(scale, &view([m, p], a), &view([p, n], b), keep, &mut c);
    }
}

/// A matrix of any strides.
///
/// # Safety
/// The pointer with the strides reaches all elements, which nothing changes while the view lives.
unsafe fn view<'a, T>([rows, columns]: [usize; 2], (start, strides): (*const T, [isize; 2])) -> ArrayView2<'a, T> {
    // ndarray takes the first element in memory and then turns axes around.
    let before = |len: usize, stride: isize| if stride < 0 { (len.max(1) - 1) as isize * stride } else { 0 };
    let first = start.wrapping_offset(before(rows, strides[0]) + before(columns, strides[1]));
    let shape = (rows, columns).strides((strides[0].unsigned_abs(), strides[1].unsigned_abs()));
    // SAFETY: the caller's promise.
    let mut view = unsafe { ArrayView2::from_shape_ptr(shape, first) };
    for (axis, stride) in strides.into_iter().enumerate() {
        if stride < 0 {
            view.invert_axis(Axis(axis));
        }
    }
    view
}
