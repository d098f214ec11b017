//! Arrays of one number but for boxes of elements that the program is about to store.
//!
//! `zeros(n, m)` is how MATLAB asks for memory. The compiler knows of boxes of elements which are stored before anything reads them (`fills` in
//! `megha-core` says why that is so); here is cleared what these boxes leave, with the sizes at hand: a box of which a loop has no iterations is empty. What is left of an array
//! is cut into boxes along the slowest dimension first, so the largest of them are one piece of memory each. Nothing is gained where they touch as many lines of the caches as
//! the whole array has; it is filled then.
//!
//! Memory that the operating system has just cleared is left alone altogether: the first to touch a page, which takes longest, are then the threads of the kernels. That holds
//! for blocks that are so large that the allocator keeps none of them, unless the cache of blocks ([`crate::memory`]) has one.

use std::ops::Range;

use crate::copy::{self, MUCH, Start, by_pieces};
use crate::launch::share;
use crate::layout::{Layout, elements};
use crate::memory::{Buf, ZeroBytes};
use crate::{Array, Result, Site, pages};

/// A box of elements of an array, as far as it lies in the array.
#[derive(Debug, Clone, Copy)]
pub struct Written<'a, const N: usize> {
    /// The first element.
    pub first: [i64; N],
    /// How many elements in each dimension; none if one of them is not positive.
    pub count: [i64; N],
    /// There are none if one of these is not positive.
    pub rounds: &'a [i64],
}

/// A box in elements from zero, by dimension.
type Boxed<const N: usize> = [Range<usize>; N];

/// Smaller arrays are filled sooner than looked at, in bytes.
const LITTLE: usize = 1 << 12;
/// Bytes of a line of the caches.
const LINE: usize = 64;
/// Of about as many pieces as this the array is filled as a whole.
const MOST: usize = 32;

impl<L: Layout, T: ZeroBytes, const N: usize> Array<L, T, N> {
    /// An array of `shape` whose elements are `value`, but for those in the boxes: they hold anything.
    ///
    /// # Errors
    /// [`crate::ErrorKind::OutOfMemory`].
    ///
    /// # Safety
    /// Each element in the boxes is stored before it is read, and any bytes make a `T`.
    pub unsafe fn filled_around(shape: [usize; N], value: T, boxes: &[Written<'_, N>], site: &Site) -> Result<Self> {
        let is_zero = is_zero(&value);
        // Of a shape that no memory holds there is nothing to fill.
        let len = elements(&shape).unwrap_or(0);
        let bytes = len.saturating_mul(size_of::<T>());
        let is_cleared = is_zero && pages::is_cleared(bytes) && !Buf::<T>::is_kept(len);
        if !is_cleared
            && bytes > LITTLE
            && let Some(left) = left::<L, N>(shape, size_of::<T>(), boxes)
        {
            let fresh = Self::uninit(shape, site)?;
            // SAFETY: elements that are not filled here are stored before they are read: the caller's promise. A number may have any bytes.
            let array = unsafe { fresh.assume_init() };
            left.iter().for_each(|part| fill::<L, T, N>(array.buf.start(), shape, part, value, is_zero));
            return Ok(array);
        }
        if is_zero { Self::zeros(shape, site) } else { Self::filled(shape, value, site) }
    }
}

/// Whether all bytes of a number are zero.
pub(crate) fn is_zero<T: ZeroBytes>(value: &T) -> bool {
    // SAFETY: numbers have no padding.
    let bytes = unsafe { std::slice::from_raw_parts(std::ptr::from_ref(value).cast::<u8>(), size_of::<T>()) };
    bytes.iter().all(|byte| *byte == 0)
}

/// What is left of an array without boxes, as boxes that have nothing in common; `None` if it touches as much memory as the whole array.
fn left<L: Layout, const N: usize>(shape: [usize; N], each: usize, boxes: &[Written<'_, N>]) -> Option<Vec<Boxed<N>>> {
    let (mut parts, mut rest) = (Vec::with_capacity(MOST), Vec::with_capacity(MOST));
    parts.push(shape.map(|extent| 0..extent));
    for written in boxes.iter().filter_map(|written| within(shape, written)) {
        parts.drain(..).for_each(|part| cut::<L, N>(part, &written, &mut rest));
        std::mem::swap(&mut parts, &mut rest);
        if parts.len() > MOST.saturating_sub(2 * N) {
            return None;
        }
    }
    let touched = |part: &Boxed<N>| {
        let (runs, run) = runs::<L, N>(shape, part);
        runs.saturating_mul(run.saturating_mul(each).max(LINE))
    };
    let touched = parts.iter().map(touched).fold(0_usize, usize::saturating_add);
    (touched < shape.iter().product::<usize>().saturating_mul(each)).then_some(parts)
}

/// The elements of a box that the array has, if there are any.
fn within<const N: usize>(shape: [usize; N], written: &Written<'_, N>) -> Option<Boxed<N>> {
    if written.rounds.iter().any(|rounds| *rounds <= 0) {
        return None;
    }
    let side = |d: usize| {
        let (first, extent) = (written.first[d], i64::try_from(shape[d]).unwrap_or(i64::MAX));
        let end = first.saturating_add(written.count[d].max(0)).clamp(0, extent);
        first.clamp(0, end) as usize..end as usize
    };
    let found: Boxed<N> = std::array::from_fn(side);
    found.iter().all(|side| !side.is_empty()).then_some(found)
}

/// Adds what is left of a box without another one: what lies before and behind it along each dimension, the slowest first.
fn cut<L: Layout, const N: usize>(part: Boxed<N>, other: &Boxed<N>, rest: &mut Vec<Boxed<N>>) {
    let common: Boxed<N> = std::array::from_fn(|d| part[d].start.max(other[d].start)..part[d].end.min(other[d].end));
    if common.iter().any(Range::is_empty) {
        return rest.push(part);
    }
    let mut part = part;
    for d in L::permute(std::array::from_fn::<usize, N, _>(|d| d)) {
        let (before, behind) = (part[d].start..common[d].start, common[d].end..part[d].end);
        for side in [before, behind].into_iter().filter(|side| !side.is_empty()) {
            part[d] = side;
            rest.push(part.clone());
        }
        part[d] = common[d].clone();
    }
}

/// How many runs of neighbours in memory a box is, and of how many elements each.
fn runs<L: Layout, const N: usize>(shape: [usize; N], part: &Boxed<N>) -> (usize, usize) {
    let (extents, counts) = (L::permute(shape), L::permute(part.each_ref().map(Range::len)));
    let (mut runs, mut run, mut is_whole) = (1, 1, true);
    for d in (0..N).rev() {
        match is_whole {
            true => run *= counts[d],
            false => runs *= counts[d],
        }
        is_whole &= counts[d] == extents[d];
    }
    (runs, run)
}

/// Makes the elements of a box `value`.
fn fill<L: Layout, T: ZeroBytes, const N: usize>(
    start: *mut T,
    shape: [usize; N],
    part: &Boxed<N>,
    value: T,
    is_zero: bool,
) {
    let (strides, firsts) = (L::permute(L::strides(shape)), L::permute(part.each_ref().map(|side| side.start)));
    let counts = L::permute(part.each_ref().map(Range::len));
    let (count, run) = runs::<L, N>(shape, part);
    let first: usize = (0..N).map(|d| firsts[d] * strides[d]).sum();
    // The place of a run: its number in the dimensions that it does not go through.
    let place = |mut number: usize| {
        let mut place = first;
        for d in (0..N).rev().filter(|d| strides[*d] >= run) {
            place += number % counts[d] * strides[d];
            number /= counts[d];
        }
        place
    };
    let start = Start(start);
    let bytes = run * size_of::<T>();
    let threads = rayon::current_num_threads();
    // SAFETY: the run lies in the box, and so in the array, which is owned; no other thread gets it.
    let store = |at: usize, len: usize| unsafe {
        let to = start.get().add(at);
        match is_zero {
            true => to.cast::<u8>().write_bytes(0, len * size_of::<T>()),
            false => std::slice::from_raw_parts_mut(to.cast(), len).fill(std::mem::MaybeUninit::new(value)),
        }
    };
    if bytes >= MUCH && is_zero {
        // SAFETY: as for `store`.
        (0..count).for_each(|number| unsafe { copy::zeros(start.get().add(place(number)).cast(), bytes) });
    } else if bytes >= MUCH && threads > 1 {
        let each = size_of::<T>();
        (0..count).for_each(|number| by_pieces(bytes, &|at, len| store(place(number) + at / each, len / each)));
    } else if count.saturating_mul(bytes.max(LINE)) >= MUCH && threads > 1 {
        let several = (MUCH / 4 / bytes.max(LINE)).max(1);
        share(count.div_ceil(several), threads, &|group| {
            (group * several..count.min((group + 1) * several)).for_each(|number| store(place(number), run));
        });
    } else {
        (0..count).for_each(|number| store(place(number), run));
    }
}

#[cfg(test)]
mod tests;
