//! What kernels hold of dense arrays: [`View`] for reading, [`Out`] for writing.

use std::marker::PhantomData;
use std::mem::MaybeUninit;

use crate::array::{Array, Packed};
use crate::device::Place;
use crate::index::Subscripts;
use crate::layout::{ColMajor, Layout, Order, elements};
use crate::memory::Buf;
use crate::{Error, ErrorKind, Result, Site, stream};

/// A dense array that somebody else owns, for reading.
pub struct View<'a, L: Layout, T, const N: usize> {
    start: *const T,
    shape: [usize; N],
    life: PhantomData<(&'a [T], L)>,
}

impl<L: Layout, T, const N: usize> Clone for View<'_, L, T, N> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<L: Layout, T, const N: usize> Copy for View<'_, L, T, N> {}
// SAFETY: a view gives shared access only, as `&[T]` does.
unsafe impl<L: Layout, T: Sync, const N: usize> Send for View<'_, L, T, N> {}
// SAFETY: as above.
unsafe impl<L: Layout, T: Sync, const N: usize> Sync for View<'_, L, T, N> {}

impl<'a, L: Layout, T: Copy, const N: usize> View<'a, L, T, N> {
    /// A view of `elements`, which are in the order of `L`.
    pub(crate) fn new(elements: &'a [T], shape: [usize; N]) -> Self {
        debug_assert_eq!(elements.len(), shape.iter().product::<usize>());
        View { start: elements.as_ptr(), shape, life: PhantomData }
    }

    /// A view of dense memory.
    ///
    /// # Safety
    /// `start` leads to as many elements in the order of `L` as `shape` has, initialised and alive for `'a`; any write to one
    /// of them is ordered before or after its reads through the view.
    pub(crate) unsafe fn from_raw(start: *const T, shape: [usize; N]) -> Self {
        View { start, shape, life: PhantomData }
    }

    /// Extent of each dimension.
    #[inline(always)]
    pub fn shape(self) -> [usize; N] {
        self.shape
    }

    /// Number of elements.
    #[inline(always)]
    pub fn len(self) -> usize {
        self.shape.iter().product()
    }

    /// Whether there is no element.
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The elements in memory order.
    #[inline(always)]
    pub fn as_slice(self) -> &'a [T] {
        // SAFETY: a view is made from a slice of exactly this length that lives for `'a`.
        unsafe { std::slice::from_raw_parts(self.start, self.len()) }
    }

    /// The memory, for devices, which only read it unless it is an array of the compiled function.
    #[inline(always)]
    pub fn place(self) -> Place {
        Place::new(self.start, &self.shape)
    }

    /// The same of an array of which at most one extent is not 1: it lies alike in all orders.
    #[inline(always)]
    pub fn vector(self) -> View<'a, ColMajor, T, N> {
        debug_assert!(self.shape.iter().filter(|extent| **extent > 1).count() <= 1);
        View { start: self.start, shape: self.shape, life: PhantomData }
    }

    /// A copy in memory of its own: what a program needs before it stores into an argument.
    pub fn to_owned(self) -> Array<L, T, N> {
        Array::from_buf(Buf::copied(self.as_slice()), self.shape)
    }

    /// Distance in memory between neighbours along dimension `dim`.
    #[inline(always)]
    pub fn stride(self, dim: usize) -> usize {
        L::strides(self.shape)[dim]
    }

    /// `len` elements from zero-based `at` on, along the dimension that is contiguous in memory.
    ///
    /// # Safety
    /// `at` lies within the shape and the run does not pass the end of its dimension.
    #[inline(always)]
    pub unsafe fn row(self, at: [usize; N], len: usize) -> &'a [T] {
        // SAFETY: the caller's promise.
        unsafe { self.flat(L::offset(self.shape, at), len) }
    }

    /// `len` elements from position `from` on, in memory order.
    ///
    /// # Safety
    /// `from + len` does not exceed the number of elements.
    #[inline(always)]
    pub unsafe fn flat(self, from: usize, len: usize) -> &'a [T] {
        debug_assert!(len == 0 || from + len <= self.len(), "{from}+{len} outside {:?}", self.shape);
        // SAFETY: the caller keeps the run within the elements that live for `'a`.
        unsafe { std::slice::from_raw_parts(self.start.add(from), len) }
    }

    /// The element at zero-based `at`.
    ///
    /// # Safety
    /// Each index is less than the extent of its dimension.
    #[inline(always)]
    pub unsafe fn get_unchecked(self, at: [usize; N]) -> T {
        let offset = L::offset(self.shape, at);
        debug_assert!(offset < self.len(), "index {at:?} outside {:?}", self.shape);
        // SAFETY: indices below the extents give an offset below the number of elements.
        unsafe { *self.start.add(offset) }
    }

    /// The value of `a(i, j, ..)`, or of `a(k)` with a single index that counts columns first.
    ///
    /// # Errors
    /// An index that is not a whole number or is out of bounds.
    #[inline(always)]
    pub fn get(self, at: impl Subscripts<N>, site: &Site) -> Result<T> {
        let at = at.resolve(self.shape, site)?;
        // SAFETY: `resolve` returns indices within the shape.
        Ok(unsafe { self.get_unchecked(at) })
    }

    /// The same elements, with further dimensions of size one behind the own.
    pub fn raised<const M: usize>(self) -> View<'a, L, T, M> {
        const { assert!(M >= N) };
        let mut shape = [1; M];
        shape[..N].copy_from_slice(&self.shape);
        View { start: self.start, shape, life: PhantomData }
    }
}

impl<'a, L: Layout, T: Copy + Send + Sync, const N: usize> View<'a, L, T, N> {
    /// The same elements under other extents (`reshape`), which count columns first in both: free where each stays where it is, as always in column-major order,
    /// a copy otherwise.
    ///
    /// # Errors
    /// A shape with another number of elements; [`ErrorKind::Device`]: what only a device has, and has to move, cannot be had from it.
    pub fn reshape<const M: usize>(self, shape: [usize; M], site: &Site) -> Result<Packed<'a, L, T, M>> {
        if elements(&shape) != Some(self.len()) {
            let kind = ErrorKind::Reshape { from: self.shape.to_vec(), to: shape.to_vec() };
            return Err(Error::new(kind, site));
        }
        if self.stays(shape) {
            return Ok(Packed::Borrowed(View { start: self.start, shape, life: PhantomData }));
        }
        if crate::device::active() {
            crate::device::fetch(self.place(), site)?;
        }
        let strides = ColMajor::strides(shape).map(|s| s as isize);
        let columns = crate::Strided::dense(self, self.shape).pack::<ColMajor>();
        let columns = columns.view();
        // SAFETY: `columns` holds `shape`'s product of elements, here read with the strides of a dense array.
        let strided = unsafe { crate::Strided::from_parts(columns.start, shape, strides) };
        Ok(Packed::Owned(strided.copy::<L>()))
    }
}

impl<L: Layout, T, const N: usize> View<'_, L, T, N> {
    /// Whether under other extents, of as many elements, each stays where it is in memory: an extent of 1 does not tell where one is.
    pub(crate) fn stays<const M: usize>(&self, shape: [usize; M]) -> bool {
        let long = |extent: &usize| *extent != 1;
        matches!(L::ORDER, Order::ColMajor) || self.shape.into_iter().filter(long).eq(shape.into_iter().filter(long))
    }
}

/// Zero-based indices of the element that is number `linear` when columns come first.
#[inline(always)]
pub(crate) fn unravel<const N: usize>(shape: [usize; N], mut linear: usize) -> [usize; N] {
    let mut at = [0; N];
    for d in 0..N {
        if d + 1 == N {
            at[d] = linear;
        } else {
            at[d] = linear % shape[d].max(1);
            linear /= shape[d].max(1);
        }
    }
    at
}

/// A dense array that the threads of one launch write, each its own elements.
pub struct Out<'a, L: Layout, T, const N: usize> {
    start: *mut T,
    shape: [usize; N],
    streams: bool,
    life: PhantomData<(&'a mut [T], L)>,
}

impl<L: Layout, T, const N: usize> Clone for Out<'_, L, T, N> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<L: Layout, T, const N: usize> Copy for Out<'_, L, T, N> {}
// SAFETY: every access is `unsafe`, and its contract keeps the elements of different threads apart.
unsafe impl<L: Layout, T: Send, const N: usize> Send for Out<'_, L, T, N> {}
// SAFETY: as above.
unsafe impl<L: Layout, T: Send, const N: usize> Sync for Out<'_, L, T, N> {}

impl<'a, L: Layout, T: Copy, const N: usize> Out<'a, L, T, N> {
    /// An output over dense memory.
    ///
    /// # Safety
    /// `start` leads to as many elements in the order of `L` as `shape` has, writable and alive for `'a`.
    #[inline]
    pub(crate) unsafe fn from_raw(start: *mut T, shape: [usize; N]) -> Self {
        Out { start, shape, streams: false, life: PhantomData }
    }

    /// The same output, whose kernel writes each element once and whose elements nobody reads soon: if it is large, it is written past the caches
    /// ([`crate::stream`]).
    #[inline]
    pub(crate) fn past_caches(self) -> Self {
        let bytes = self.shape.iter().product::<usize>() * size_of::<T>();
        Out { streams: stream::pays(bytes), ..self }
    }

    /// The same of an array of which at most one extent is not 1: it lies alike in all orders.
    #[inline(always)]
    pub fn vector(self) -> Out<'a, ColMajor, T, N> {
        debug_assert!(self.shape.iter().filter(|extent| **extent > 1).count() <= 1);
        Out { start: self.start, shape: self.shape, streams: self.streams, life: PhantomData }
    }

    /// Whether it is written past the caches.
    #[inline(always)]
    pub fn streams(self) -> bool {
        self.streams
    }

    /// The memory, for devices.
    #[inline(always)]
    pub fn place(self) -> Place {
        Place::new(self.start, &self.shape)
    }

    /// Where element (1, 1, ..) lies.
    pub(crate) fn start(self) -> *const T {
        self.start
    }

    /// Extent of each dimension.
    #[inline(always)]
    pub fn shape(self) -> [usize; N] {
        self.shape
    }

    /// `len` elements from zero-based `at` on, along the dimension that is contiguous in memory.
    ///
    /// # Safety
    /// `at` lies within the shape, the run does not pass the end of its dimension, no other thread and no other live slice touches these
    /// elements, and the slice is not read before it is written if the array was made by [`Array::uninit`].
    #[inline(always)]
    #[allow(clippy::mut_from_ref, reason = "disjointness is the caller's promise")]
    pub unsafe fn row(self, at: [usize; N], len: usize) -> &'a mut [T] {
        // SAFETY: the caller's promise.
        unsafe { self.flat(L::offset(self.shape, at), len) }
    }

    /// `len` elements from zero-based `at` on that nothing writes as long as the slice lives.
    ///
    /// # Safety
    /// `at` lies within the shape, the run does not pass the end of its dimension, the elements have been written, and no thread and no
    /// slice of others writes them.
    #[inline(always)]
    pub unsafe fn unwritten_row(self, at: [usize; N], len: usize) -> &'a [T] {
        // SAFETY: the caller keeps the run within the elements that live for `'a`, and all from writing them.
        unsafe { std::slice::from_raw_parts(self.start.add(L::offset(self.shape, at)), len) }
    }

    /// `len` elements from position `from` on, in memory order.
    ///
    /// # Safety
    /// `from + len` does not exceed the number of elements; otherwise as [`Out::row`].
    #[inline(always)]
    pub unsafe fn flat(self, from: usize, len: usize) -> &'a mut [T] {
        debug_assert!(from + len <= self.shape.iter().product(), "{from}+{len} outside {:?}", self.shape);
        // SAFETY: the caller keeps the run within the elements and apart from every other access.
        unsafe { std::slice::from_raw_parts_mut(self.start.add(from), len) }
    }

    /// Writes the element at zero-based `at`.
    ///
    /// # Safety
    /// Each index is less than its extent, and no other thread touches the element.
    #[inline(always)]
    pub unsafe fn set(self, at: [usize; N], value: T) {
        let offset = L::offset(self.shape, at);
        debug_assert!(offset < self.shape.iter().product(), "index {at:?} outside {:?}", self.shape);
        // SAFETY: the caller's promise.
        unsafe { *self.start.add(offset) = value }
    }
}

impl<'a, L: Layout, T: Copy> Out<'a, L, T, 1> {
    /// Memory as a one-dimensional output.
    pub(crate) fn over(memory: &'a mut [MaybeUninit<T>]) -> Self {
        Out { shape: [memory.len()], start: memory.as_mut_ptr().cast(), streams: false, life: PhantomData }
    }
}
