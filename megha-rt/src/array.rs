//! Owned dense arrays in one of the two memory orders.

use std::marker::PhantomData;
use std::mem::MaybeUninit;

use ndarray::{Dim, Dimension, ShapeBuilder};

use crate::device::Place;
use crate::index::Subscripts;
use crate::layout::{Layout, Order, elements};
use crate::memory::{Buf, ZeroBytes};
use crate::view::{Out, View};
use crate::{Error, ErrorKind, Result, Site};

/// An owned dense array of rank `N`, in the order of `L`.
pub struct Array<L: Layout, T: Copy, const N: usize> {
    pub(crate) buf: Buf<T>,
    pub(crate) shape: [usize; N],
    order: PhantomData<L>,
}

/// An array whose elements a kernel has yet to write.
pub type Fresh<L, T, const N: usize> = Array<L, MaybeUninit<T>, N>;

impl<L: Layout, T: Copy, const N: usize> Array<L, T, N> {
    /// An array for a kernel to fill: launch it on [`Array::fill`], then call [`Array::assume_init`].
    ///
    /// # Errors
    /// [`ErrorKind::OutOfMemory`].
    #[inline]
    pub fn uninit(shape: [usize; N], site: &Site) -> Result<Fresh<L, T, N>> {
        match elements(&shape).and_then(Buf::<T>::try_uninit) {
            Some(buf) => Ok(Array { buf, shape, order: PhantomData }),
            None => Err(out_of_memory(&shape, size_of::<T>(), site)),
        }
    }

    /// `zeros`, or `false`: memory that the operating system has cleared is not written again.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfMemory`].
    pub fn zeros(shape: [usize; N], site: &Site) -> Result<Array<L, T, N>>
    where
        T: ZeroBytes,
    {
        match elements(&shape).and_then(Buf::try_zeros) {
            Some(buf) => Ok(Array { buf, shape, order: PhantomData }),
            None => Err(out_of_memory(&shape, size_of::<T>(), site)),
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
    #[inline]
    /// Whether the memory is somebody else's.
    pub(crate) fn is_lent(&self) -> bool {
        self.buf.is_lent()
    }

    pub(crate) fn from_buf(buf: Buf<T>, shape: [usize; N]) -> Array<L, T, N> {
        debug_assert_eq!(buf.len(), shape.iter().product::<usize>());
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
        // SAFETY: the buffer has as many elements as the shape, borrowed for the view's life.
        unsafe { View::from_raw(self.buf.start(), self.shape) }
    }

    /// The memory, for devices.
    #[inline(always)]
    pub fn place(&self) -> Place {
        Place::new(self.buf.start(), &self.shape)
    }

    /// The array for writing by the threads of a launch.
    #[inline(always)]
    pub fn out(&mut self) -> Out<'_, L, T, N> {
        // SAFETY: the buffer has as many elements as the shape, borrowed mutably for the output's life.
        unsafe { Out::from_raw(self.buf.start(), self.shape) }
    }

    /// As [`Array::out`], for a kernel that writes each element at most once, of a result that nothing reads before it is returned.
    #[inline]
    pub fn out_result(&mut self) -> Out<'_, L, T, N> {
        self.out().past_caches()
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

    /// `a = reshape(a, ..)` with as many extents: nothing moves, on a device neither, where every element keeps its place in memory.
    ///
    /// # Errors
    /// [`ErrorKind::Reshape`]; [`ErrorKind::OutOfMemory`]; [`ErrorKind::Device`]: what only a device has cannot be had from it.
    #[inline]
    pub fn reshape(&mut self, shape: [usize; N], site: &Site) -> Result<()>
    where
        T: Send + Sync,
    {
        if elements(&shape) == Some(self.len()) && self.view().stays(shape) {
            self.shape = shape;
        } else {
            *self = self.view().reshape(shape, site)?.into_owned();
        }
        Ok(())
    }

    /// `reshape(a, ..)` of an array that is not used again: its memory where every element stays where it is, else a copy. A device knows arrays by their
    /// memory, so where there is one each array has its own.
    ///
    /// # Errors
    /// [`ErrorKind::Reshape`]; [`ErrorKind::OutOfMemory`].
    pub fn reshaped<const M: usize>(self, shape: [usize; M], site: &Site) -> Result<Array<L, T, M>>
    where
        T: Send + Sync,
    {
        if !crate::device::active() && elements(&shape) == Some(self.len()) && self.view().stays(shape) {
            return Ok(Array::from_buf(self.buf, shape));
        }
        Ok(self.view().reshape(shape, site)?.into_owned())
    }

    /// The array as ndarray's, without a copy, in the memory order of `L`.
    #[inline]
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
    #[inline]
    pub fn into_vector(self) -> ndarray::Array1<T> {
        ndarray::Array1::from_vec(self.buf.into_vec())
    }
}

#[cold]
#[inline(never)]
fn out_of_memory(shape: &[usize], each: usize, site: &Site) -> Error {
    Error::new(ErrorKind::out_of_memory(shape, each), site)
}

impl<L: Layout, T: Copy, const N: usize> Array<L, T, N> {
    /// The array's memory, to be written again.
    pub(crate) fn into_uninit(self) -> Fresh<L, T, N> {
        Array { buf: self.buf.into_uninit(), shape: self.shape, order: PhantomData }
    }
}

impl<L: Layout, T: Copy, const N: usize> Fresh<L, T, N> {
    /// The array as initialised.
    ///
    /// # Safety
    /// Every element has been written: the launches on [`Array::out`] covered the whole shape.
    #[inline]
    pub unsafe fn assume_init(self) -> Array<L, T, N> {
        // SAFETY: the caller's promise.
        let buf = unsafe { self.buf.assume_init() };
        Array::from_buf(buf, self.shape)
    }

    /// [`Array::out`] of an array not yet initialised.
    #[inline(always)]
    pub fn fill(&mut self) -> Out<'_, L, T, N> {
        // SAFETY: as in `out`; the contract of `Out::row` has every element written before it is read.
        unsafe { Out::from_raw(self.buf.start().cast(), self.shape) }
    }

    /// As [`Array::fill`], for a result that nothing reads before it is returned.
    #[inline]
    pub fn fill_result(&mut self) -> Out<'_, L, T, N> {
        self.fill().past_caches()
    }
}

impl<L: Layout, T: Copy, const N: usize> Clone for Array<L, T, N> {
    fn clone(&self) -> Self {
        Array { buf: Buf::copied(self.as_slice()), shape: self.shape, order: PhantomData }
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

    /// The same, where there is a device in memory of its own: a device knows arrays by their memory.
    pub fn apart(self) -> Self {
        if crate::device::active() { Packed::Owned(self.into_owned()) } else { self }
    }

    /// An array to store into: the copy if one was made, else a new one.
    pub fn into_owned(self) -> Array<L, T, N> {
        match self {
            Packed::Borrowed(view) => view.to_owned(),
            Packed::Owned(array) => array,
        }
    }
}
