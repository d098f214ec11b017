//! `a * b` on matrices and vectors of any strides.

use std::mem::MaybeUninit;

use super::matrix::{self, Lines};
use super::{Real, mismatch, vector};
use crate::array::{Array, Fresh, Packed};
use crate::input::Strided;
use crate::layout::{ColMajor, Layout};
use crate::{Result, Site};

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
    let shape = c.shape();
    let strides = L::strides(shape).map(|s| s as isize);
    T::multiply(Target { elements: c.as_mut_slice(), shape, strides }, a, b);
}

/// Where a product goes: dense memory in one of the two orders.
pub struct Target<'a, T> {
    elements: &'a mut [MaybeUninit<T>],
    shape: [usize; 2],
    strides: [isize; 2],
}

/// [`multiply`] without the layout as a type. Each class has this once, in this crate ([`Real::multiply`]): the blocks, tiles and
/// instruction sets of a product are thousands of lines that crates of users need not compile again.
pub(super) fn write<T: Real>(c: Target<'_, T>, a: Strided<'_, T, 2>, b: Strided<'_, T, 2>) {
    let ([m, p], [q, n]) = (a.shape(), b.shape());
    assert!(p == q && c.shape == [m, n], "a product of other shapes");
    match (m, n) {
        (_, 1) => return vector::multiply(c.elements, a, elements(b).view().as_slice()),
        (1, _) => return vector::multiply(c.elements, b.permuted([1, 0]), elements(a).view().as_slice()),
        _ => {}
    }
    let ([row, inward], [down, column]) = (a.strides(), b.strides());
    let left = Lines { start: a.start(), count: m, apart: row, inward };
    let right = Lines { start: b.start(), count: n, apart: column, inward: down };
    // SAFETY: `a` reaches m by p elements and `b` p by n; `c` is m by n, with the strides of its layout, and borrowed here only.
    unsafe { matrix::multiply((c.elements.as_mut_ptr().cast(), c.strides), left, right, p) };
}

/// The elements of a vector, one after the other.
fn elements<T: Real>(vector: Strided<'_, T, 2>) -> Packed<'_, ColMajor, T, 2> {
    vector.pack()
}
