//! Single elements by zero-based `i64` subscripts, as compiled code has them.

use std::marker::PhantomData;

use crate::array::Array;
use crate::device::{Place, fetch_element};
use crate::layout::{ColMajor, Layout, Order};
use crate::view::{Out, View};
use crate::{Error, ErrorKind, Result, Site};

/// Zero-based indices of element number `linear` of an array of these extents, counted in the order of `L`.
#[inline(always)]
pub fn unravel<L: Layout, const N: usize>(shape: [usize; N], mut linear: usize) -> [usize; N] {
    let mut at = [0; N];
    for d in 0..N {
        let dim = if matches!(L::ORDER, Order::ColMajor) { d } else { N - 1 - d };
        if d + 1 == N {
            at[dim] = linear;
        } else {
            at[dim] = linear % shape[dim].max(1);
            linear /= shape[dim].max(1);
        }
    }
    at
}

/// Subscripts that lie within a shape, as places: a plain loop, for the reason that `subscript::indices` has.
#[inline(always)]
fn positions<const N: usize>(at: [i64; N]) -> [usize; N] {
    let (mut out, mut d) = ([0; N], 0);
    while d < N {
        out[d] = at[d] as usize;
        d += 1;
    }
    out
}

/// Position in memory of the element at these subscripts, which must lie within the shape.
#[inline(always)]
fn offset<L: Layout, const N: usize>(shape: [usize; N], at: [i64; N]) -> usize {
    L::offset(shape, positions(at))
}

/// Position in memory of element number `linear`, counted columns first.
#[inline(always)]
fn linear_offset<L: Layout, const N: usize>(shape: [usize; N], linear: i64) -> usize {
    match L::ORDER {
        Order::ColMajor => linear as usize,
        Order::RowMajor => L::offset(shape, unravel::<ColMajor, N>(shape, linear as usize)),
    }
}

#[inline(always)]
fn check<const N: usize>(shape: [usize; N], at: [i64; N], site: &Site) -> Result<()> {
    for d in 0..N {
        if at[d] as u64 >= shape[d] as u64 {
            return Err(outside(at[d], d + 1, shape[d], site));
        }
    }
    Ok(())
}

#[inline(always)]
fn check_linear<const N: usize>(shape: [usize; N], at: i64, site: &Site) -> Result<()> {
    let count: usize = shape.iter().product();
    if at as u64 >= count as u64 { Err(outside(at, 1, count, site)) } else { Ok(()) }
}

#[cold]
#[inline(never)]
fn outside(at: i64, dim: usize, extent: usize, site: &Site) -> Error {
    Error::new(ErrorKind::outside(at as f64 + 1.0, dim, extent), site)
}

/// The elements of an array, read and written one by one: what a loop in host code holds instead of the array.
pub struct Cells<'a, L: Layout, T, const N: usize> {
    start: *mut T,
    shape: [usize; N],
    life: PhantomData<(&'a mut [T], L)>,
}

macro_rules! reading {
    () => {
        /// The element at zero-based `at`.
        ///
        /// # Safety
        /// Each subscript is at least 0 and less than the extent of its dimension.
        #[inline(always)]
        pub unsafe fn at(&self, at: [i64; N]) -> T {
            // SAFETY: the caller's promise puts the offset within the array.
            unsafe { *self.first().add(offset::<L, N>(self.shape(), at)) }
        }

        /// Element number `at`, from zero, counted columns first.
        ///
        /// # Safety
        /// `at` is at least 0 and less than the number of elements.
        #[inline(always)]
        pub unsafe fn at_linear(&self, at: i64) -> T {
            // SAFETY: the caller's promise puts the offset within the array.
            unsafe { *self.first().add(linear_offset::<L, N>(self.shape(), at)) }
        }

        /// Makes the element at zero-based `at` current before host code reads it, unless there is none.
        ///
        /// # Errors
        /// [`ErrorKind::Device`]: the device does not give it back.
        #[inline(always)]
        pub fn fetch_at(&self, at: [i64; N], site: &Site) -> Result<()> {
            match check(self.shape(), at, site) {
                Ok(()) => fetch_element::<T>(self.place(), || offset::<L, N>(self.shape(), at), site),
                Err(_) => Ok(()),
            }
        }

        /// The same for element number `at`, from zero, counted columns first.
        ///
        /// # Errors
        /// [`ErrorKind::Device`]: the device does not give it back.
        #[inline(always)]
        pub fn fetch_at_linear(&self, at: i64, site: &Site) -> Result<()> {
            match check_linear(self.shape(), at, site) {
                Ok(()) => fetch_element::<T>(self.place(), || linear_offset::<L, N>(self.shape(), at), site),
                Err(_) => Ok(()),
            }
        }

        /// The element at zero-based `at`.
        ///
        /// # Errors
        /// [`ErrorKind::OutOfBounds`].
        #[inline(always)]
        pub fn try_at(&self, at: [i64; N], site: &Site) -> Result<T> {
            check(self.shape(), at, site)?;
            // SAFETY: just checked.
            Ok(unsafe { self.at(at) })
        }

        /// Element number `at`, from zero, counted columns first.
        ///
        /// # Errors
        /// [`ErrorKind::OutOfBounds`].
        #[inline(always)]
        pub fn try_at_linear(&self, at: i64, site: &Site) -> Result<T> {
            check_linear(self.shape(), at, site)?;
            // SAFETY: just checked.
            Ok(unsafe { self.at_linear(at) })
        }
    };
}

macro_rules! writing {
    () => {
        /// Replaces the element at zero-based `at`.
        ///
        /// # Safety
        /// Each subscript is at least 0 and less than the extent of its dimension; no other thread touches the element.
        #[inline(always)]
        pub unsafe fn put(&mut self, at: [i64; N], value: T) {
            let at = offset::<L, N>(self.shape(), at);
            // SAFETY: the caller's promise puts the offset within the array.
            unsafe { *self.first_mut().add(at) = value }
        }

        /// Replaces element number `at`, from zero, counted columns first.
        ///
        /// # Safety
        /// `at` is at least 0 and less than the number of elements; no other thread touches the element.
        #[inline(always)]
        pub unsafe fn put_linear(&mut self, at: i64, value: T) {
            let at = linear_offset::<L, N>(self.shape(), at);
            // SAFETY: the caller's promise puts the offset within the array.
            unsafe { *self.first_mut().add(at) = value }
        }

        /// Replaces the element at zero-based `at`.
        ///
        /// # Errors
        /// [`ErrorKind::OutOfBounds`].
        #[inline(always)]
        pub fn try_put(&mut self, at: [i64; N], value: T, site: &Site) -> Result<()> {
            check(self.shape(), at, site)?;
            // SAFETY: just checked; host code runs on one thread.
            unsafe { self.put(at, value) };
            Ok(())
        }

        /// Replaces element number `at`, from zero, counted columns first.
        ///
        /// # Errors
        /// [`ErrorKind::OutOfBounds`].
        #[inline(always)]
        pub fn try_put_linear(&mut self, at: i64, value: T, site: &Site) -> Result<()> {
            check_linear(self.shape(), at, site)?;
            // SAFETY: just checked; host code runs on one thread.
            unsafe { self.put_linear(at, value) };
            Ok(())
        }
    };
}

impl<L: Layout, T: Copy, const N: usize> Array<L, T, N> {
    reading!();
    writing!();

    /// The elements for a loop that reads and writes them one by one.
    #[inline(always)]
    pub fn cells(&mut self) -> Cells<'_, L, T, N> {
        Cells { start: self.as_mut_slice().as_mut_ptr(), shape: self.shape(), life: PhantomData }
    }

    #[inline(always)]
    fn first(&self) -> *const T {
        self.as_slice().as_ptr()
    }

    #[inline(always)]
    fn first_mut(&mut self) -> *mut T {
        self.as_mut_slice().as_mut_ptr()
    }
}

impl<L: Layout, T: Copy, const N: usize> Cells<'_, L, T, N> {
    reading!();
    writing!();

    /// The address and the shape.
    pub(crate) fn parts(&mut self) -> (*mut T, [usize; N]) {
        (self.start, self.shape)
    }

    /// The elements at this address.
    ///
    /// # Safety
    /// There is an array of this shape, which lives as long, and no thread touches an element that another one writes at the time.
    #[inline(always)]
    pub(crate) unsafe fn from_parts(start: *mut T, shape: [usize; N]) -> Self {
        Self { start, shape, life: PhantomData }
    }

    /// The memory, for devices.
    #[inline(always)]
    pub fn place(&self) -> Place {
        Place::new(self.start, &self.shape)
    }

    #[inline(always)]
    fn shape(&self) -> [usize; N] {
        self.shape
    }

    #[inline(always)]
    fn first(&self) -> *const T {
        self.start
    }

    #[inline(always)]
    fn first_mut(&mut self) -> *mut T {
        self.start
    }
}

impl<'a, L: Layout, T: Copy, const N: usize> View<'a, L, T, N> {
    reading!();

    #[inline(always)]
    fn first(&self) -> *const T {
        self.as_slice().as_ptr()
    }

    /// `len` elements from zero-based `at` on, which lie next to each other in memory.
    ///
    /// # Safety
    /// `at` lies within the shape and the run does not pass the end of its dimension; or `len` is 0.
    #[inline(always)]
    pub unsafe fn along(&self, at: [i64; N], len: usize) -> &'a [T] {
        // SAFETY: the caller's promise.
        unsafe { self.row(positions(at), len) }
    }
}

impl<'a, L: Layout, T: Copy, const N: usize> View<'a, L, T, N> {
    /// `len` elements from zero-based `at` on, where a negative subscript counts from the end of its dimension: a run along dimension
    /// `along[0]` with columns first and `along[1]` with rows first, next to each other in memory but where it passes zero. Then they are
    /// copied into the tile.
    ///
    /// # Safety
    /// Each element of the run lies within the shape, and the run does not pass the end of its dimension; or `len` is 0.
    #[inline(always)]
    pub unsafe fn turned<'t>(&self, mut at: [i64; N], along: [usize; 2], len: usize, tile: &'t mut [T]) -> &'t [T]
    where
        'a: 't,
    {
        let shape = (*self).shape();
        let dim = if matches!(L::ORDER, Order::ColMajor) { along[0] } else { along[1] };
        let before = (-at[dim]).max(0) as usize;
        for d in 0..N {
            at[d] += if at[d] < 0 { shape[d] as i64 } else { 0 };
        }
        if before == 0 || before >= len {
            // SAFETY: the caller's promise; the run passes neither zero nor the end.
            return unsafe { self.along(at, len) };
        }
        // SAFETY: the elements before zero, which are the last of the dimension.
        let last = unsafe { self.along(at, before) };
        at[dim] = 0;
        // SAFETY: the elements from zero on.
        joined(tile, [last, unsafe { self.along(at, len - before) }])
    }
}

/// Copies two runs side by side. One row in many needs it, so it is not part of the code of kernels.
#[cold]
#[inline(never)]
fn joined<'t, T: Copy>(tile: &'t mut [T], [first, second]: [&[T]; 2]) -> &'t [T] {
    let tile = &mut tile[..first.len() + second.len()];
    let (before, behind) = tile.split_at_mut(first.len());
    before.copy_from_slice(first);
    behind.copy_from_slice(second);
    tile
}

impl<'a, L: Layout, T: Copy, const N: usize> Out<'a, L, T, N> {
    /// `len` elements from zero-based `at` on, which lie next to each other in memory.
    ///
    /// # Safety
    /// As [`Out::row`].
    #[inline(always)]
    #[allow(clippy::mut_from_ref, reason = "disjointness is the caller's promise")]
    pub unsafe fn along(&self, at: [i64; N], len: usize) -> &'a mut [T] {
        // SAFETY: the caller's promise.
        unsafe { self.row(positions(at), len) }
    }

    /// `len` elements from zero-based `at` on, which lie next to each other in memory and are not written as long as the slice lives.
    ///
    /// # Safety
    /// As [`Out::unwritten_row`]; or `len` is 0.
    #[inline(always)]
    pub unsafe fn unwritten(&self, at: [i64; N], len: usize) -> &'a [T] {
        // SAFETY: the caller's promise.
        unsafe { self.unwritten_row(positions(at), len) }
    }

    /// The current value of the element at zero-based `at`.
    ///
    /// # Safety
    /// Each subscript lies within its dimension, the element has been written, and no other thread writes it.
    #[inline(always)]
    pub unsafe fn at(&self, at: [i64; N]) -> T {
        // SAFETY: the caller's promise.
        unsafe { self.flat(offset::<L, N>((*self).shape(), at), 1)[0] }
    }

    /// Element number `at`, from zero, counted columns first.
    ///
    /// # Safety
    /// As [`Out::at`], for a number below that of the elements.
    #[inline(always)]
    pub unsafe fn at_linear(&self, at: i64) -> T {
        // SAFETY: the caller's promise.
        unsafe { self.flat(linear_offset::<L, N>((*self).shape(), at), 1)[0] }
    }

    /// Writes the element at zero-based `at`.
    ///
    /// # Safety
    /// Each subscript lies within its dimension, and no other thread touches the element.
    #[inline(always)]
    pub unsafe fn put(&self, at: [i64; N], value: T) {
        // SAFETY: the caller's promise.
        unsafe { self.set(positions(at), value) }
    }

    /// Writes element number `at`, from zero, counted columns first.
    ///
    /// # Safety
    /// As [`Out::put`], for a number below that of the elements.
    #[inline(always)]
    pub unsafe fn put_linear(&self, at: i64, value: T) {
        // SAFETY: the caller's promise.
        unsafe { self.flat(linear_offset::<L, N>((*self).shape(), at), 1)[0] = value }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::RowMajor;

    const SITE: Site = Site { path: "", line: 0, column: 0, text: "" };

    /// Runs of all lengths, from all places, of a 5 by 3 array that is rotated by (2, 1).
    fn turned_runs<L: Layout>(along: usize) {
        let mut array = Array::<L, f64, 2>::zeros([5, 3], &SITE).unwrap();
        for k in 0..15 {
            // SAFETY: 15 elements.
            unsafe { array.out().put_linear(k, k as f64) };
        }
        let (view, extents) = (array.view(), [5, 3]);
        for (i, j, len) in (0..5).flat_map(|i| (0..3).flat_map(move |j| (0..=5).map(move |len| (i, j, len)))) {
            if [i, j][along] + len > extents[along] {
                continue;
            }
            let mut tile = [f64::NAN; 5];
            // SAFETY: all elements of the run are within the shape, and it ends with its dimension at most.
            let run = unsafe { view.turned([i - 2, j - 1], [0, 1], len as usize, &mut tile) };
            let mut at = [i, j];
            let expected: Vec<f64> = (0..len)
                .map(|k| {
                    at[along] = [i, j][along] + k;
                    ((at[0] + 3) % 5 + (at[1] + 2) % 3 * 5) as f64
                })
                .collect();
            assert_eq!(run, expected, "{i} {j} {len}");
        }
    }

    #[test]
    fn runs_that_pass_zero_go_on_from_the_end() {
        turned_runs::<ColMajor>(0);
        turned_runs::<RowMajor>(1);
    }
}
