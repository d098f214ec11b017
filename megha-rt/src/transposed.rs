//! Loops along memory for vectors of points that lie apart: blocks into which a few iterations' elements are transposed.
//!
//! What a vector of points has in one iteration are neighbours in a block, in the order of the points. Where there are fewer points than a vector
//! has numbers, those behind are computed in vain, and touch no memory.

use crate::wide::{SHORT, Wide};

/// So many elements of each point of a vector.
pub struct Block<V, const ELEMENTS: usize>([V; ELEMENTS]);

impl<V, const ELEMENTS: usize> Block<V, ELEMENTS> {
    /// Zeros.
    ///
    /// # Safety
    /// The machine has the instruction set.
    #[inline(always)]
    pub unsafe fn clear<T: Default>() -> Self
    where
        V: Wide<T>,
    {
        // SAFETY: the caller's promise.
        Block([unsafe { V::all(T::default()) }; ELEMENTS])
    }

    /// What the points have at an element.
    ///
    /// # Safety
    /// There is one so far.
    #[inline(always)]
    pub unsafe fn at<T>(&self, element: usize) -> V
    where
        V: Wide<T>,
    {
        debug_assert!(element < ELEMENTS);
        // SAFETY: the caller's promise.
        unsafe { *self.0.get_unchecked(element) }
    }

    /// Puts what the points have at an element.
    ///
    /// # Safety
    /// There is one so far.
    #[inline(always)]
    pub unsafe fn put<T>(&mut self, element: usize, values: V)
    where
        V: Wide<T>,
    {
        debug_assert!(element < ELEMENTS);
        // SAFETY: the caller's promise.
        unsafe { *self.0.get_unchecked_mut(element) = values }
    }

    /// Takes `element(iteration, point)` of so many iterations, mostly `ALL`, and points, from this element on.
    ///
    /// # Safety
    /// There are so many elements, and a vector has so many points.
    #[inline(always)]
    pub unsafe fn fill<T: Copy, const ALL: usize>(
        &mut self,
        first: usize,
        iterations: usize,
        points: usize,
        element: impl Fn(usize, usize) -> T,
    ) where
        V: Wide<T>,
    {
        debug_assert!(first + iterations <= ELEMENTS && points <= V::LEN);
        let start = self.0.as_mut_ptr().cast::<T>();
        // SAFETY: a vector's memory is `LEN` numbers, and the caller promises the rest.
        let put =
            |iteration, point| unsafe { *start.add((first + iteration) * V::LEN + point) = element(iteration, point) };
        if (iterations, points) == (ALL, V::LEN) {
            (0..V::LEN).for_each(|point| (0..ALL).for_each(|iteration| put(iteration, point)));
        } else {
            (0..points).for_each(|point| (0..iterations).for_each(|iteration| put(iteration, point)));
        }
    }

    /// Gives `put(iteration, point, value)` the elements of so many iterations, mostly `ALL`, and points, from this element on.
    ///
    /// # Safety
    /// There are so many elements, and a vector has so many points.
    #[inline(always)]
    pub unsafe fn each<T: Copy, const ALL: usize>(
        &self,
        first: usize,
        iterations: usize,
        points: usize,
        put: impl Fn(usize, usize, T),
    ) where
        V: Wide<T>,
    {
        debug_assert!(first + iterations <= ELEMENTS && points <= V::LEN);
        let start = self.0.as_ptr().cast::<T>();
        // SAFETY: as in `fill`.
        let give =
            |iteration, point| put(iteration, point, unsafe { *start.add((first + iteration) * V::LEN + point) });
        if (iterations, points) == (ALL, V::LEN) {
            (0..V::LEN).for_each(|point| (0..ALL).for_each(|iteration| give(iteration, point)));
        } else {
            (0..points).for_each(|point| (0..iterations).for_each(|iteration| give(iteration, point)));
        }
    }
}

/// The numbers of at most a vector, which has zeros behind them.
///
/// # Safety
/// The machine has the instruction set.
#[inline(always)]
pub unsafe fn first<T: Copy + Default, V: Wide<T>>(numbers: &[T]) -> V {
    if numbers.len() == V::LEN {
        // SAFETY: there are so many.
        return unsafe { V::load(numbers.as_ptr()) };
    }
    let mut all = [T::default(); SHORT];
    all[..numbers.len()].copy_from_slice(numbers);
    // SAFETY: no vector has more.
    unsafe { V::load(all.as_ptr()) }
}

/// Keeps the first numbers of a vector, as many as there is room for.
///
/// # Safety
/// There is room for a vector at most; the machine has the instruction set.
#[inline(always)]
pub unsafe fn keep<T: Copy + Default, V: Wide<T>>(values: V, room: &mut [T]) {
    if room.len() == V::LEN {
        // SAFETY: there is room for all.
        return unsafe { values.store(room.as_mut_ptr()) };
    }
    let mut all = [T::default(); SHORT];
    // SAFETY: no vector has more.
    unsafe { values.store(all.as_mut_ptr()) };
    room.copy_from_slice(&all[..room.len()]);
}

#[cfg(test)]
mod tests;
