//! The lanes of a chunk, in registers or in the first-level cache.

use std::marker::PhantomData;
use std::mem::MaybeUninit;

use super::op::Op;
use super::tree::{LANES, fold};

/// The lanes of one chunk of one reduction, for a reduced extent that a kernel walks element by element.
pub struct Lanes<T, O> {
    lanes: [T; LANES],
    op: PhantomData<O>,
}

impl<T: Copy, O: Op<T>> Lanes<T, O> {
    /// Lanes before the first element.
    #[inline(always)]
    pub fn new() -> Self {
        Lanes { lanes: [O::IDENTITY; LANES], op: PhantomData }
    }

    /// Adds consecutive elements, the first of which has a logical index divisible by [`LANES`] (as tiles' do).
    #[inline(always)]
    pub fn push(&mut self, values: &[T]) {
        let (groups, rest) = values.as_chunks::<LANES>();
        let mut lanes = self.lanes; // a copy of known size that only whole groups touch stays in registers
        for group in groups {
            lanes = std::array::from_fn(|l| O::combine(lanes[l], group[l]));
        }
        self.lanes = lanes;
        for (lane, &value) in self.lanes.iter_mut().zip(rest) {
            *lane = O::combine(*lane, value);
        }
    }

    /// The chunk's value.
    #[inline(always)]
    pub fn fold(self) -> T {
        fold(self.lanes, O::combine)
    }
}

impl<T: Copy, O: Op<T>> Default for Lanes<T, O> {
    fn default() -> Self {
        Self::new()
    }
}

/// The lanes of one chunk of `WIDTH` neighbouring reductions, for a reduced extent that is not contiguous: the kernel walks
/// along the neighbours and adds one element to each. Lanes come to be with their first element: a short extent, such as that of three
/// columns, neither fills nor folds the others, which would change nothing.
pub struct LaneRows<T, O, const WIDTH: usize> {
    lanes: [MaybeUninit<[T; WIDTH]>; LANES],
    /// The lanes that there are, from the first on.
    used: usize,
    op: PhantomData<O>,
}

impl<T: Copy, O: Op<T>, const WIDTH: usize> LaneRows<T, O, WIDTH> {
    /// Lanes before the first element.
    #[inline(always)]
    pub fn new() -> Self {
        LaneRows { lanes: [const { MaybeUninit::uninit() }; LANES], used: 0, op: PhantomData }
    }

    /// Adds element `e` (logical index along the reduced extent) of `values.len() <= WIDTH` neighbouring reductions.
    #[inline(always)]
    pub fn push(&mut self, e: usize, values: &[T]) {
        let at = e % LANES;
        while self.used <= at {
            self.lanes[self.used].write([O::IDENTITY; WIDTH]);
            self.used += 1;
        }
        // SAFETY: the loop has written the lane, if no earlier call did.
        let lane = unsafe { self.lanes[at].assume_init_mut() };
        for (lane, &value) in lane[..values.len()].iter_mut().zip(values) {
            *lane = O::combine(*lane, value);
        }
    }

    /// The chunk's values, one for each of the first `out.len()` neighbours.
    #[inline(always)]
    pub fn fold_into(&mut self, out: &mut [T]) {
        let width = out.len();
        let lanes = &mut self.lanes[..self.used];
        let mut half = LANES / 2;
        while half > 0 {
            let (low, high) = lanes.split_at_mut(half.min(lanes.len()));
            for (l, h) in low.iter_mut().zip(&*high) {
                // SAFETY: the lanes that there are have been written.
                let (l, h) = unsafe { (l.assume_init_mut(), h.assume_init_ref()) };
                for (a, &b) in l[..width].iter_mut().zip(&h[..width]) {
                    *a = O::combine(*a, b);
                }
            }
            half /= 2;
        }
        match lanes.first() {
            // SAFETY: as above.
            Some(first) => out.copy_from_slice(&unsafe { first.assume_init_ref() }[..width]),
            None => out.fill(O::IDENTITY),
        }
    }
}

impl<T: Copy, O: Op<T>, const WIDTH: usize> Default for LaneRows<T, O, WIDTH> {
    fn default() -> Self {
        Self::new()
    }
}
