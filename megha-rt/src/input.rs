//! Arguments of compiled functions: ndarray arrays and views of any order and stride.

use std::marker::PhantomData;
use std::ptr::NonNull;

use ndarray::{ArrayBase, Data, Dim, Dimension, Ix1};

use crate::array::{Array, Packed};
use crate::device::Place;
use crate::layout::{Layout, Order};
use crate::memory::Buf;
use crate::repack::repack;
use crate::view::{Out, View};

/// How a one-dimensional argument is read where MATLAB has only matrices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Vector {
    /// As `(n,1)`.
    Column,
    /// As `(1,n)`.
    Row,
}

/// What a compiled function takes for an array argument of class `T` and rank `N`: arrays and views of ndarray, owned or
/// borrowed, and for rank 2 also one-dimensional ones, slices and vectors.
pub trait Input<T, const N: usize> {
    /// The argument's elements where they lie; a one-dimensional one becomes a column or a row as `vector` says.
    fn strided(&self, vector: Vector) -> Strided<'_, T, N>;
}

impl<T, const N: usize, X: Input<T, N> + ?Sized> Input<T, N> for &X {
    #[inline]
    fn strided(&self, vector: Vector) -> Strided<'_, T, N> {
        (**self).strided(vector)
    }
}

impl<T, S: Data<Elem = T>, const N: usize> Input<T, N> for ArrayBase<S, Dim<[usize; N]>>
where
    Dim<[usize; N]>: Dimension,
{
    #[inline]
    fn strided(&self, _: Vector) -> Strided<'_, T, N> {
        let shape = std::array::from_fn(|d| self.shape()[d]);
        let strides = std::array::from_fn(|d| self.strides()[d]);
        Strided { start: self.as_ptr(), shape, strides, life: PhantomData }
    }
}

impl<T, S: Data<Elem = T>> Input<T, 2> for ArrayBase<S, Ix1> {
    #[inline]
    fn strided(&self, vector: Vector) -> Strided<'_, T, 2> {
        Strided::vector(self.as_ptr(), self.len(), self.strides()[0], vector)
    }
}

impl<T> Input<T, 2> for [T] {
    #[inline]
    fn strided(&self, vector: Vector) -> Strided<'_, T, 2> {
        Strided::vector(self.as_ptr(), self.len(), 1, vector)
    }
}

impl<T, const K: usize> Input<T, 2> for [T; K] {
    #[inline]
    fn strided(&self, vector: Vector) -> Strided<'_, T, 2> {
        self.as_slice().strided(vector)
    }
}

impl<T> Input<T, 2> for Vec<T> {
    #[inline]
    fn strided(&self, vector: Vector) -> Strided<'_, T, 2> {
        self.as_slice().strided(vector)
    }
}

/// An array with any distance between neighbours, for reading.
pub struct Strided<'a, T, const N: usize> {
    start: *const T,
    shape: [usize; N],
    strides: [isize; N],
    life: PhantomData<&'a [T]>,
}

impl<T, const N: usize> Clone for Strided<'_, T, N> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T, const N: usize> Copy for Strided<'_, T, N> {}
// SAFETY: shared access only, as through `&[T]`.
unsafe impl<T: Sync, const N: usize> Send for Strided<'_, T, N> {}
// SAFETY: as above.
unsafe impl<T: Sync, const N: usize> Sync for Strided<'_, T, N> {}

impl<T> Strided<'_, T, 2> {
    #[inline]
    fn vector(start: *const T, len: usize, stride: isize, vector: Vector) -> Self {
        let (shape, strides) = match vector {
            Vector::Column => ([len, 1], [stride, 0]),
            Vector::Row => ([1, len], [0, stride]),
        };
        Strided { start, shape, strides, life: PhantomData }
    }
}

impl<'a, T, const N: usize> Strided<'a, T, N> {
    /// An array from its parts.
    ///
    /// # Safety
    /// Every element that `shape` and `strides` reach from `start` is initialised and lives unchanged for `'a`.
    pub(crate) unsafe fn from_parts(start: *const T, shape: [usize; N], strides: [isize; N]) -> Self {
        Strided { start, shape, strides, life: PhantomData }
    }

    /// Extent of each dimension.
    #[inline]
    pub fn shape(&self) -> [usize; N] {
        self.shape
    }

    /// Where element (1, 1, ..) lies.
    pub(crate) fn start(&self) -> *const T {
        self.start
    }

    /// Distance between neighbours along each dimension.
    pub(crate) fn strides(&self) -> [isize; N] {
        self.strides
    }

    /// The memory order, for [`crate::decide`]; `None` for vectors, which have none. Of an array that is dense in neither order, the
    /// dimension with the closer neighbours decides.
    #[inline]
    pub fn order(&self) -> Option<Order> {
        // where a vector is known as such this is all that is left of it
        if N <= 2 && self.shape.iter().any(|&extent| extent <= 1) { None } else { order_of(&self.shape, &self.strides) }
    }

    /// Whether memory is that of a dense array in `order`. Dimensions of extent 1 may have any stride.
    #[inline]
    fn is_dense(&self, order: Order) -> bool {
        (N == 2 && self.shape[1] == 1 && self.strides[0] == 1) || is_dense(order, &self.shape, &self.strides)
    }
}

/// As [`Strided::order`].
fn order_of(shape: &[usize], strides: &[isize]) -> Option<Order> {
    let mut long = (0..shape.len()).filter(|&d| shape[d] > 1).map(|d| strides[d].unsigned_abs());
    let (first, last) = (long.next()?, long.next_back()?);
    Some(if first <= last { Order::ColMajor } else { Order::RowMajor })
}

fn is_dense(order: Order, shape: &[usize], strides: &[isize]) -> bool {
    let mut dense = 1_usize;
    let mut agrees = |d: usize| {
        let fits = shape[d] == 1 || strides[d] == dense as isize;
        dense = dense.wrapping_mul(shape[d]);
        fits
    };
    let all = match order {
        Order::ColMajor => (0..shape.len()).all(&mut agrees),
        Order::RowMajor => (0..shape.len()).rev().all(&mut agrees),
    };
    all || shape.contains(&0)
}

impl<'a, T: Copy + Send + Sync, const N: usize> Strided<'a, T, N> {
    /// The argument in the order of `L`: borrowed if its memory is so, else copied (in parallel, by blocks).
    #[inline]
    pub fn pack<L: Layout>(&self) -> Packed<'a, L, T, N> {
        if !self.is_dense(L::ORDER) {
            return Packed::Owned(self.copy());
        }
        let len = self.shape.iter().product();
        if len == 0 {
            return Packed::Borrowed(View::new(&[], self.shape));
        }
        // SAFETY: a dense array occupies exactly `len` elements from `start` on, initialised and shared for `'a`.
        let elements = unsafe { std::slice::from_raw_parts(self.start, len) };
        Packed::Borrowed(View::new(elements, self.shape))
    }

    /// A copy in the order of `L`.
    pub fn copy<L: Layout>(&self) -> Array<L, T, N> {
        let mut copy = Array::from_buf(Buf::<T>::uninit(self.shape.iter().product()), self.shape);
        let strides = L::strides(self.shape).map(|stride| stride as isize);
        // SAFETY: the strides reach the source's elements, and the copy, which is dense and ours, has a place for each.
        unsafe {
            let to = copy.fill().start().cast_mut().cast();
            repack::<T>(&self.shape, (self.start, &self.strides), (to, &strides));
            copy.assume_init()
        }
    }
}

impl<'a, T: Copy, const N: usize> Strided<'a, T, N> {
    /// A dense view's elements, transposed by no more than a change of strides: dimension `d` of the result has extent `shape[d]`.
    pub(crate) fn dense<L: Layout>(view: View<'a, L, T, N>, shape: [usize; N]) -> Self {
        let strides = L::strides(shape).map(|s| s as isize);
        Strided { start: view.as_slice().as_ptr(), shape, strides, life: PhantomData }
    }

    /// The array with its dimensions in another order: dimension `d` of the result is dimension `order[d]` (`permute`, and `.'` with
    /// `[1, 0]`). Nothing moves until [`Strided::pack`].
    pub fn permuted(self, order: [usize; N]) -> Self {
        Strided { shape: order.map(|d| self.shape[d]), strides: order.map(|d| self.strides[d]), ..self }
    }
}

impl<'a, T, const N: usize> Strided<'a, T, N> {
    /// The elements from the one with subscripts `at` (from zero) on: `steps[d]` is what the subscripts gain from one element along dimension `d` to the next.
    ///
    /// # Safety
    /// All elements of the part, which is of this shape, are elements of the array.
    #[doc(hidden)]
    pub unsafe fn part<const M: usize>(
        self,
        at: [i64; N],
        steps: [[i64; N]; M],
        shape: [usize; M],
    ) -> Strided<'a, T, M> {
        let along = |subs: [i64; N]| (0..N).map(|d| subs[d] as isize * self.strides[d]).sum::<isize>();
        Strided { start: self.start.wrapping_offset(along(at)), shape, strides: steps.map(along), life: PhantomData }
    }
}

impl<'a, L: Layout, T: Copy, const N: usize> View<'a, L, T, N> {
    /// The view with explicit strides, for [`Strided::permuted`].
    pub fn strided(self) -> Strided<'a, T, N> {
        Strided::dense(self, self.shape())
    }
}

/// The memory of an argument that a compiled function writes (`ArrayViewMut`), of any order and stride.
pub struct StridedMut<'a, T, const N: usize> {
    place: Strided<'a, T, N>,
    life: PhantomData<&'a mut [T]>,
}

// SAFETY: exclusive access to elements that may move between threads.
unsafe impl<T: Send, const N: usize> Send for StridedMut<'_, T, N> {}

impl<'a, T: Copy + Send + Sync, const N: usize> StridedMut<'a, T, N> {
    /// The elements of an ndarray view.
    #[inline]
    pub fn new(mut view: ndarray::ArrayViewMut<'a, T, Dim<[usize; N]>>) -> Self
    where
        Dim<[usize; N]>: Dimension,
    {
        let shape = std::array::from_fn(|d| view.shape()[d]);
        let strides = std::array::from_fn(|d| view.strides()[d]);
        let place = Strided { start: view.as_mut_ptr().cast_const(), shape, strides, life: PhantomData };
        StridedMut { place, life: PhantomData }
    }

    /// Where the elements are.
    pub(crate) fn into_place(self) -> Strided<'a, T, N> {
        self.place
    }

    /// Memory at a place.
    ///
    /// # Safety
    /// The elements are the caller's alone to read and write for `'a`.
    pub(crate) unsafe fn of_place(place: Strided<'a, T, N>) -> Self {
        StridedMut { place, life: PhantomData }
    }

    /// Extent of each dimension.
    #[inline]
    pub fn shape(&self) -> [usize; N] {
        self.place.shape
    }

    /// As [`Strided::order`].
    #[inline]
    pub fn order(&self) -> Option<Order> {
        self.place.order()
    }

    /// Runs `body` on the elements in the order of `L`: in place if their memory is so, else on a copy that is written back, whether
    /// `body` succeeds or not, as a loop over the array itself would have.
    pub fn with<L: Layout, R>(self, body: impl FnOnce(View<'_, L, T, N>, Out<'_, L, T, N>) -> R) -> R {
        let Strided { start, shape, strides, .. } = self.place;
        if self.place.is_dense(L::ORDER) {
            // SAFETY: the memory is dense and ours alone for `'a`; kernels keep the two to disjoint elements or to one order of use.
            let (view, out) = unsafe { (View::from_raw(start, shape), Out::from_raw(start.cast_mut(), shape)) };
            return body(view, out);
        }
        let mut copy = self.place.copy::<L>();
        let out = copy.out();
        // SAFETY: as above, on memory of our own.
        let result = body(unsafe { View::from_raw(out.start(), shape) }, out);
        let copy = copy.view().strided();
        // SAFETY: the copy has the array's shape, whose elements are ours alone to write.
        unsafe { repack::<T>(&copy.shape, (copy.start, &copy.strides), (start.cast_mut(), &strides)) };
        result
    }
}

impl<T: Copy + Send + Sync, const N: usize> StridedMut<'_, T, N> {
    /// The elements as an array in the order of `L`: over the memory itself if it is dense in that order, else a copy.
    ///
    /// # Safety
    /// The array ends its life, or is given to [`StridedMut::take_back`], before `self` does and before another array is lent.
    #[inline]
    pub unsafe fn lend<L: Layout>(&mut self) -> Array<L, T, N> {
        let Strided { start, shape, .. } = self.place;
        let len = shape.iter().product();
        match NonNull::new(start.cast_mut()) {
            Some(start) if self.place.is_dense(L::ORDER) && len > 0 => {
                if crate::device::active() {
                    crate::device::guarded(Place::new(start.as_ptr(), &shape));
                }
                // SAFETY: a dense array occupies exactly `len` elements, which are ours alone while `self` lives.
                Array::from_buf(unsafe { Buf::lent(start, len) }, shape)
            }
            _ => self.place.copy(),
        }
    }

    /// An array that is to be taken back here and may lie in memory that another array was lent: out of the way of what is
    /// stored there first.
    #[inline]
    pub fn settled<L: Layout>(&self, array: Array<L, T, N>) -> Array<L, T, N> {
        let elsewhere = !std::ptr::eq(array.as_slice().as_ptr(), self.place.start);
        if elsewhere && array.is_lent() { array.clone() } else { array }
    }

    /// Stores the elements of an array of the same shape, unless they lie here already.
    #[inline]
    pub fn take_back<L: Layout>(&mut self, array: Array<L, T, N>) {
        assert_eq!(array.shape(), self.shape(), "a result has the shape of the array that receives it");
        if !std::ptr::eq(array.as_slice().as_ptr(), self.place.start) {
            self.store(&array);
        }
    }

    /// Stores the elements of an array of the same shape that lie elsewhere.
    fn store<L: Layout>(&mut self, array: &Array<L, T, N>) {
        let Strided { start, strides, .. } = self.place;
        let from = array.view().strided();
        // SAFETY: the array has the place's shape, whose elements are ours alone to write.
        unsafe { repack::<T>(&from.shape, (from.start, &from.strides), (start.cast_mut(), &strides)) };
    }
}

const _: () = assert!(size_of::<usize>() == size_of::<i64>());

/// Numbers of 64 bits whatever their sign, as compiled code computes with them.
macro_rules! signed {
    ($($class:ty),*) => {$(
        impl<'a, const N: usize> Strided<'a, $class, N> {
            /// The same bits as numbers with sign: any are a number of either type, which have one size and alignment.
            #[inline]
            pub fn signed(self) -> Strided<'a, i64, N> {
                Strided { start: self.start.cast(), shape: self.shape, strides: self.strides, life: PhantomData }
            }
        }

        impl<'a, const N: usize> StridedMut<'a, $class, N> {
            /// As [`Strided::signed`].
            #[inline]
            pub fn signed(self) -> StridedMut<'a, i64, N> {
                StridedMut { place: self.place.signed(), life: PhantomData }
            }
        }
    )*};
}
signed!(u64, usize, isize);
