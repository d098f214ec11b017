//! `a * b` on matrices and vectors of any strides.

use std::mem::MaybeUninit;

use super::matrix::{self, Lines};
use super::{Real, bits, mismatch, vector};
use crate::array::{Array, Fresh, Packed};
use crate::input::Strided;
use crate::layout::{ColMajor, Layout};
use crate::{Result, Site};

/// `a * b` for factors of any strides. A transposed factor costs nothing: pass `a.permuted([1, 0])`.
///
/// # Errors
/// Columns of `a` that differ in number from rows of `b`; no memory for the product.
pub fn product<L: Layout, T: Real>(a: Strided<'_, T, 2>, b: Strided<'_, T, 2>, site: &Site) -> Result<Array<L, T, 2>> {
    made(a, b, T::multiply, site)
}

/// How an array becomes a product.
type Multiply<T> = fn(Target<'_, T>, Strided<'_, T, 2>, Strided<'_, T, 2>);

/// [`product`] in one of its ways.
///
/// # Errors
/// As [`product`].
pub(super) fn made<L: Layout, T: Real>(
    a: Strided<'_, T, 2>,
    b: Strided<'_, T, 2>,
    multiply: Multiply<T>,
    site: &Site,
) -> Result<Array<L, T, 2>> {
    let ([m, p], [q, n]) = (a.shape(), b.shape());
    if p != q {
        return Err(mismatch(a.shape(), b.shape(), "columns of the left must equal rows of the right", site));
    }
    let mut c = Array::<L, T, 2>::uninit([m, n], site)?;
    multiply(target(&mut c), a, b);
    // SAFETY: all elements are written.
    Ok(unsafe { c.assume_init() })
}

/// Writes `a * b` to all elements of `c`, which has its rows and columns.
///
/// # Panics
/// Other shapes.
pub fn multiply<L: Layout, T: Real>(c: &mut Fresh<L, T, 2>, a: Strided<'_, T, 2>, b: Strided<'_, T, 2>) {
    T::multiply(target(c), a, b);
}

fn target<L: Layout, T: Real>(c: &mut Fresh<L, T, 2>) -> Target<'_, T> {
    let shape = c.shape();
    let strides = L::strides(shape).map(|s| s as isize);
    Target { elements: c.as_mut_slice(), shape, strides }
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
    let (left, right) = lines(a, b);
    // SAFETY: `a` reaches m by p elements and `b` p by n; `c` is m by n, with the strides of its layout, and borrowed here only.
    unsafe { matrix::multiply((c.elements.as_mut_ptr().cast(), c.strides), left, right, p) };
}

/// The rows of the left factor, and the columns of the right one.
fn lines<T>(a: Strided<'_, T, 2>, b: Strided<'_, T, 2>) -> (Lines<T>, Lines<T>) {
    let ([row, inward], [down, column]) = (a.strides(), b.strides());
    let left = Lines { start: a.start(), count: a.shape()[0], apart: row, inward };
    (left, Lines { start: b.start(), count: b.shape()[1], apart: column, inward: down })
}

/// [`write`] of numbers that compare with 0 as the product does.
pub(super) fn write_to_compare<T: Real>(c: Target<'_, T>, a: Strided<'_, T, 2>, b: Strided<'_, T, 2>) {
    let ([m, p], [q, n]) = (a.shape(), b.shape());
    assert!(p == q && c.shape == [m, n], "a product of other shapes");
    let (left, right) = lines(a, b);
    let (tall, wide) = if c.strides[0] == 1 { (left, right) } else { (right, left) };
    // SAFETY: `a` reaches m by p elements and `b` p by n; `c` is m by n and dense, with its rows or its columns one after the other, and borrowed here only.
    if !unsafe { bits::multiply(c.elements.as_mut_ptr().cast(), tall, wide, p) } {
        write(c, a, b);
    }
}

/// The elements of a vector, one after the other.
fn elements<T: Real>(vector: Strided<'_, T, 2>) -> Packed<'_, ColMajor, T, 2> {
    vector.pack()
}
