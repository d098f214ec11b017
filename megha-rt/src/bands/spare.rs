//! The second place of an array that a time loop updates.

use crate::array::{Array, Fresh};
use crate::device;
use crate::layout::Layout;
use crate::view::View;
use crate::{Result, Site};

/// Memory of an array's state before the last one: where the next state goes. What the loop's kernel does not store is the same in all states, so it is
/// copied once.
pub struct Spare<L: Layout, T: Copy, const N: usize>(Option<Array<L, T, N>>);

impl<L: Layout, T: Copy, const N: usize> Default for Spare<L, T, N> {
    fn default() -> Self {
        Self(None)
    }
}

impl<L: Layout, T: Copy, const N: usize> Spare<L, T, N> {
    /// A place for the next state of `view`, of which `count` elements from `first` on are about to be stored: the others are those of `view`.
    ///
    /// # Errors
    /// As [`device::duplicated_around`].
    pub fn around(&mut self, view: View<'_, L, T, N>, first: [usize; N], count: [usize; N]) -> Result<Array<L, T, N>> {
        let serves =
            |spare: &Array<L, T, N>| spare.shape() == view.shape() && device::stands_for(spare.place(), view.place());
        match self.0.take().filter(serves) {
            Some(spare) => Ok(spare),
            None => device::duplicated_around(view, first, count),
        }
    }

    /// A place for an array that a kernel writes all of.
    ///
    /// # Errors
    /// As [`Array::uninit`].
    pub fn fresh(&mut self, shape: [usize; N], site: &Site) -> Result<Fresh<L, T, N>> {
        match self.0.take().filter(|spare| spare.shape() == shape) {
            Some(spare) => Ok(spare.into_uninit()),
            None => Array::uninit(shape, site),
        }
    }

    /// Keeps a state that nobody reads any more once the launches so far have run. What a device has of it stays there.
    pub fn keep(&mut self, state: Array<L, T, N>) {
        self.0 = Some(state);
    }
}
