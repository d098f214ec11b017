//! Walking arrays in MATLAB's linear order, columns first, whatever their memory order.

use crate::layout::{Layout, Order};
use crate::reduce::tree::CHUNK;
use crate::view::{Out, View, unravel};

/// Elements gathered at a time: whole chunks of the reduction tree, few enough to stay in the second-level cache.
const WINDOW: usize = 16 * CHUNK;
/// Rows gathered before moving on to the next column, so that their cache lines and pages are still at hand.
const BLOCK: usize = 32;

/// Reads an array's elements by their number in linear order. In column-major order that is a slice of the array; otherwise
/// windows of it are gathered into a buffer. Made by [`View::columns`], one for each thread.
pub struct Columns<'a, L: Layout, T, const N: usize> {
    view: View<'a, L, T, N>,
    window: Vec<T>,
    from: usize,
}

impl<'a, L: Layout, T: Copy, const N: usize> View<'a, L, T, N> {
    /// The array's elements by their number in linear order, for kernels that reduce over a whole array.
    #[inline(always)]
    pub fn columns(self) -> Columns<'a, L, T, N> {
        Columns { view: self, window: Vec::new(), from: 0 }
    }
}

impl<L: Layout, T: Copy, const N: usize> Columns<'_, L, T, N> {
    /// Elements `from..from + len`, which lie within one chunk of the reduction tree.
    ///
    /// # Safety
    /// `from + len` does not exceed the number of elements.
    #[inline(always)]
    pub unsafe fn tile(&mut self, from: usize, len: usize) -> &[T] {
        if matches!(L::ORDER, Order::ColMajor) {
            // SAFETY: the caller's promise.
            return unsafe { self.view.flat(from, len) };
        }
        if self.window.is_empty() || from < self.from || from + len > self.from + self.window.len() {
            self.gather(from / WINDOW * WINDOW);
        }
        &self.window[from - self.from..][..len]
    }

    /// Fills the window with the elements from number `from` on.
    #[inline(never)]
    fn gather(&mut self, from: usize) {
        let to = self.view.len().min(from + WINDOW);
        let elements = self.view.as_slice();
        let shape = self.view.shape();
        let (rows, stride) = (shape[0], self.view.stride(0));
        self.window.clear();
        megha_base::memory::reserve(&mut self.window, to - from);
        self.window.resize(to - from, elements[0]);
        self.from = from;
        for block in (0..rows).step_by(BLOCK) {
            for column in from / rows..to.div_ceil(rows) {
                let top = column * rows;
                let first = (top + block).max(from);
                let end = (top + rows.min(block + BLOCK)).min(to);
                if first >= end {
                    continue;
                }
                let place = L::offset(shape, unravel(shape, first));
                let source = elements[place..].iter().step_by(stride);
                for (slot, &value) in self.window[first - from..end - from].iter_mut().zip(source) {
                    *slot = value;
                }
            }
        }
    }
}

impl<L: Layout, T: Copy, const N: usize> Out<'_, L, T, N> {
    /// Writes `values` as the elements from number `from` on in linear order: for element-wise results of a kernel that walks
    /// in that order because it reduces over a whole array.
    ///
    /// # Safety
    /// `from + values.len()` does not exceed the number of elements, and no other thread touches these elements.
    #[inline(always)]
    pub unsafe fn store_columns(self, from: usize, values: &[T]) {
        if matches!(L::ORDER, Order::ColMajor) {
            // SAFETY: the caller's promise.
            unsafe { self.flat(from, values.len()) }.copy_from_slice(values);
            return;
        }
        for (e, &value) in values.iter().enumerate() {
            // SAFETY: element `from + e` exists and is this thread's.
            unsafe { self.set(unravel(self.shape(), from + e), value) };
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::{Array, ColMajor, Input, Layout, RowMajor, Vector};

    fn walk<L: Layout>(x: &ndarray::Array3<f64>) -> (Vec<f64>, ndarray::Array3<f64>) {
        let packed = x.strided(Vector::Column).pack::<L>();
        let site = crate::Site { path: "t", line: 1, column: 1, text: "x" };
        let mut copy = Array::<L, f64, 3>::filled(packed.view().shape(), 0.0, &site).unwrap();
        let mut columns = packed.view().columns();
        let mut seen = Vec::new();
        for tile in crate::Tiles::of(0..x.len()) {
            // SAFETY: tiles of the whole array; `copy` has its shape.
            let values = unsafe { columns.tile(tile.start, tile.len()) };
            // SAFETY: as above.
            unsafe { copy.out().store_columns(tile.start, values) };
            seen.extend_from_slice(values);
        }
        (seen, copy.into_ndarray())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 2 } else { 24 }))]

        #[test]
        fn linear_order_is_columns_first(a in 1..if cfg!(miri) { 20 } else { 300usize }, b in 0..if cfg!(miri) { 8 } else { 40usize }, c in 0usize..5) {
            let x = ndarray::Array3::from_shape_fn((a, b, c), |(i, j, k)| (i + a * (j + b * k)) as f64);
            let want: Vec<f64> = (0..x.len()).map(|e| e as f64).collect();
            prop_assert_eq!(&walk::<RowMajor>(&x), &(want.clone(), x.clone()));
            prop_assert_eq!(&walk::<ColMajor>(&x), &(want, x));
        }
    }
}
