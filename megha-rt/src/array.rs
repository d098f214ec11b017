//! Dense arrays in one of the two memory orders, and the views that kernels hold of them.

use std::marker::PhantomData;
use std::mem::MaybeUninit;

use ndarray::{Dim, Dimension, ShapeBuilder};

use crate::index::Subscripts;
use crate::layout::{ColMajor, Layout, Order};
use crate::memory::Buf;
use crate::{Error, ErrorKind, Result, Site};

/// An owned dense array of rank `N`, in the order of `L`.
pub struct Array<L: Layout, T: Copy, const N: usize> {
    buf: Buf<T>,
    shape: [usize; N],
    order: PhantomData<L>,
}

/// An array whose elements a kernel has yet to write.
pub type Fresh<L, T, const N: usize> = Array<L, MaybeUninit<T>, N>;

impl<L: Layout, T: Copy, const N: usize> Array<L, T, N> {
    /// An array for a kernel to fill: launch it on [`Array::fill`], then call [`Array::assume_init`].
    ///
    /// # Errors
    /// [`ErrorKind::OutOfMemory`].
    pub fn uninit(shape: [usize; N], site: &Site) -> Result<Fresh<L, T, N>> {
        let len = shape.iter().try_fold(1usize, |len, &extent| len.checked_mul(extent));
        match len.and_then(Buf::<T>::try_uninit) {
            Some(buf) => Ok(Array { buf, shape, order: PhantomData }),
            None => Err(Error::new(ErrorKind::OutOfMemory { shape: shape.to_vec() }, site)),
        }
    }

    /// An array of `shape` filled with `value`: `zeros`, `ones`, `inf` and their like.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfMemory`].
    pub fn filled(shape: [usize; N], value: T, site: &Site) -> Result<Array<L, T, N>> {
        Ok(Array::from_buf(Self::uninit(shape, site)?.buf.fill(value), shape))
    }

    /// An array of `shape` over `buf`, whose elements are in the order of `L`.
    pub(crate) fn from_buf(buf: Buf<T>, shape: [usize; N]) -> Array<L, T, N> {
        debug_assert_eq!(buf.len(), shape.iter().product());
        Array { buf, shape, order: PhantomData }
    }

    /// The elements' memory.
    pub(crate) fn into_buf(self) -> Buf<T> {
        self.buf
    }

    /// Extent of each dimension.
    #[inline(always)]
    pub fn shape(&self) -> [usize; N] {
        self.shape
    }

    /// Number of elements.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.buf.len()
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.buf.is_empty()
    }

    /// The elements in memory order.
    #[inline(always)]
    pub fn as_slice(&self) -> &[T] {
        self.buf.as_slice()
    }

    /// The elements in memory order, for writing.
    #[inline(always)]
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        self.buf.as_mut_slice()
    }

    /// The array for reading, as kernels and host code take it.
    #[inline(always)]
    pub fn view(&self) -> View<'_, L, T, N> {
        View::new(self.as_slice(), self.shape)
    }

    /// The array for writing by the threads of a launch.
    #[inline(always)]
    pub fn out(&mut self) -> Out<'_, L, T, N> {
        Out { start: self.buf.as_mut_slice().as_mut_ptr(), shape: self.shape, life: PhantomData }
    }

    /// `a(i, j, ..) = value` for an index that must lie within the array.
    ///
    /// # Errors
    /// An index that is not a whole number or is out of bounds.
    #[inline(always)]
    pub fn set(&mut self, at: impl Subscripts<N>, value: T, site: &Site) -> Result<()> {
        let at = at.resolve(self.shape, site)?;
        // SAFETY: `resolve` returns indices within `shape`.
        unsafe { self.set_unchecked(at, value) };
        Ok(())
    }

    /// The store of [`Array::set`] for zero-based indices that the compiler proved or checked.
    ///
    /// # Safety
    /// Each index is less than the extent of its dimension.
    #[inline(always)]
    pub unsafe fn set_unchecked(&mut self, at: [usize; N], value: T) {
        let offset = L::offset(self.shape, at);
        debug_assert!(offset < self.len(), "index {at:?} outside {:?}", self.shape);
        // SAFETY: the caller keeps each index below its extent, so the offset is below the product of the extents.
        unsafe { *self.buf.as_mut_slice().get_unchecked_mut(offset) = value }
    }

    /// `a(i, j, ..) = value` where the array grows to hold the index, as in MATLAB; new elements become `fill`.
    ///
    /// # Errors
    /// An index that is not a whole number or is below 1; [`ErrorKind::OutOfMemory`].
    pub fn store(&mut self, at: impl Subscripts<N>, value: T, fill: T, site: &Site) -> Result<()> {
        let at = at.resolve_unbounded(self.shape, site)?;
        let mut shape = self.shape;
        for d in 0..N {
            shape[d] = shape[d].max(at[d] + 1);
        }
        if shape != self.shape {
            self.resize(shape, fill, site)?;
        }
        // SAFETY: `shape` now exceeds `at` in every dimension.
        unsafe { self.set_unchecked(at, value) };
        Ok(())
    }

    /// Changes the extents; elements whose indices exist in both keep their values, others become `fill`.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfMemory`].
    pub fn resize(&mut self, shape: [usize; N], fill: T, site: &Site) -> Result<()> {
        let mut new = Array::<L, T, N>::filled(shape, fill, site)?;
        let mut common = [0; N];
        for d in 0..N {
            common[d] = shape[d].min(self.shape[d]);
        }
        let (old, out) = (self.view(), new.out());
        let by_loop = L::permute(common);
        for row in crate::Domain::nest(by_loop).whole().rows(by_loop) {
            let at = L::permute(row.at);
            // SAFETY: every index is below the extents common to both arrays, and `new` is borrowed only here.
            unsafe { out.row(at, row.len).copy_from_slice(old.row(at, row.len)) };
        }
        *self = new;
        Ok(())
    }

    /// The array as ndarray's, without a copy, in the memory order of `L`.
    pub fn into_ndarray(self) -> ndarray::Array<T, Dim<[usize; N]>>
    where
        Dim<[usize; N]>: Dimension,
        [usize; N]: ndarray::IntoDimension<Dim = Dim<[usize; N]>>,
    {
        let shape = self.shape.set_f(matches!(L::ORDER, Order::ColMajor));
        let elements = self.buf.into_vec();
        // SAFETY: the vector holds exactly the product of the extents, and both orders are dense.
        unsafe { ndarray::Array::from_shape_vec_unchecked(shape, elements) }
    }

    /// The elements as a one-dimensional ndarray array, for results declared `(n,1)` or `(1,n)`.
    pub fn into_vector(self) -> ndarray::Array1<T> {
        ndarray::Array1::from_vec(self.buf.into_vec())
    }
}

impl<L: Layout, T: Copy, const N: usize> Fresh<L, T, N> {
    /// The array as initialised.
    ///
    /// # Safety
    /// Every element has been written: the launches on [`Array::out`] covered the whole shape.
    pub unsafe fn assume_init(self) -> Array<L, T, N> {
        // SAFETY: the caller's promise.
        Array { buf: unsafe { self.buf.assume_init() }, shape: self.shape, order: PhantomData }
    }

    /// [`Array::out`] of an array not yet initialised.
    #[inline(always)]
    pub fn fill(&mut self) -> Out<'_, L, T, N> {
        Out { start: self.buf.as_mut_slice().as_mut_ptr().cast(), shape: self.shape, life: PhantomData }
    }
}

impl<L: Layout, T: Copy, const N: usize> Clone for Array<L, T, N> {
    fn clone(&self) -> Self {
        Array { buf: Buf::copied(self.as_slice()), shape: self.shape, order: PhantomData }
    }
}

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
        debug_assert_eq!(elements.len(), shape.iter().product());
        View { start: elements.as_ptr(), shape, life: PhantomData }
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
}

impl<'a, L: Layout, T: Copy + Send + Sync, const N: usize> View<'a, L, T, N> {
    /// The same elements under other extents (`reshape`), which count columns first in both: free in column-major order, a
    /// copy otherwise.
    ///
    /// # Errors
    /// A shape with another number of elements.
    pub fn reshape<const M: usize>(self, shape: [usize; M], site: &Site) -> Result<Packed<'a, L, T, M>> {
        if shape.iter().product::<usize>() != self.len() {
            let kind = ErrorKind::Reshape { from: self.shape.to_vec(), to: shape.to_vec() };
            return Err(Error::new(kind, site));
        }
        if matches!(L::ORDER, Order::ColMajor) {
            return Ok(Packed::Borrowed(View { start: self.start, shape, life: PhantomData }));
        }
        let strides = ColMajor::strides(shape).map(|s| s as isize);
        let columns = crate::Strided::dense(self, self.shape).pack::<ColMajor>();
        let columns = columns.view();
        // SAFETY: `columns` holds `shape`'s product of elements, here read with the strides of a dense array.
        let strided = unsafe { crate::Strided::from_parts(columns.start, shape, strides) };
        Ok(Packed::Owned(strided.copy::<L>()))
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

/// An argument in the order of `L`: the caller's memory where that is its order already, else a repacked copy.
pub enum Packed<'a, L: Layout, T: Copy, const N: usize> {
    /// The caller's memory.
    Borrowed(View<'a, L, T, N>),
    /// A repacked copy.
    Owned(Array<L, T, N>),
}

impl<L: Layout, T: Copy, const N: usize> Packed<'_, L, T, N> {
    /// The elements, for reading.
    #[inline(always)]
    pub fn view(&self) -> View<'_, L, T, N> {
        match self {
            Packed::Borrowed(view) => *view,
            Packed::Owned(array) => array.view(),
        }
    }

    /// An array to store into: the copy if one was made, else a new one.
    pub fn into_owned(self) -> Array<L, T, N> {
        match self {
            Packed::Borrowed(view) => view.to_owned(),
            Packed::Owned(array) => array,
        }
    }
}

impl<'a, L: Layout, T: Copy> Out<'a, L, T, 1> {
    /// A buffer's memory as a one-dimensional output.
    pub(crate) fn over(buf: &'a mut Buf<MaybeUninit<T>>) -> Self {
        Out { shape: [buf.len()], start: buf.as_mut_slice().as_mut_ptr().cast(), life: PhantomData }
    }
}
