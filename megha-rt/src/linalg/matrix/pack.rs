//! Lines of a factor beside each other, term by term.

use std::ops::Range;

use super::{Lanes, Lines, Real};
use crate::linalg::lanes::SIDE;

/// Lines that a tile reads: `width` of them for each term, and from one term to the next `step`.
#[derive(Clone, Copy)]
pub(super) struct Panel<T> {
    pub start: *const T,
    pub step: isize,
    pub width: usize,
}

/// Packs some terms of some lines, and zeros for those that are missing of `width`.
///
/// # Safety
/// The lines reach their elements, there are no more than `width`, and `to` has room for as many terms of each. `width` is a multiple of
/// `V::LEN`, and the machine has the instruction set.
#[inline(always)]
pub(super) unsafe fn pack<T: Real, V: Lanes<T>>(
    from: &Lines<T>,
    lines: Range<usize>,
    terms: Range<usize>,
    width: usize,
    to: *mut T,
) {
    if from.apart == 1 && lines.len() == width {
        for (k, term) in terms.enumerate() {
            let from = from.at(lines.start, term);
            for l in (0..width).step_by(V::LEN) {
                // SAFETY: the caller's promise.
                unsafe { V::load(from.add(l)).store(to.add(k * width + l)) };
            }
        }
        return;
    }
    let whole = lines.len() / SIDE * SIDE;
    for l in (0..whole).step_by(SIDE) {
        let mut k = 0;
        if from.inward == 1 {
            while k + SIDE <= terms.len() {
                let side = std::array::from_fn(|s| from.at(lines.start + l + s, terms.start + k));
                // SAFETY: the caller's promise: neighbours in memory are one line's.
                unsafe { T::turn(side, to.add(k * width + l), width) };
                k += SIDE;
            }
        }
        for k in k..terms.len() {
            for s in l..l + SIDE {
                // SAFETY: the caller's promise.
                unsafe { to.add(k * width + s).write(*from.at(lines.start + s, terms.start + k)) };
            }
        }
    }
    for l in whole..width {
        for (k, term) in terms.clone().enumerate() {
            // SAFETY: the caller's promise.
            let value = if l < lines.len() { unsafe { *from.at(lines.start + l, term) } } else { T::ZERO };
            // SAFETY: the caller's promise.
            unsafe { to.add(k * width + l).write(value) };
        }
    }
}
