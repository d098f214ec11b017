//! Boxes of elements whose sizes are those of a function.

use super::operands::Field;
use super::size::Size;

/// A box of the elements of an array that a nest of loops stores.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Written {
    /// The first element, in each dimension from zero.
    pub first: Vec<Size>,
    /// How many elements in each dimension; none if one of them is not positive.
    pub count: Vec<Size>,
    /// Numbers of iterations of loops in which each element is stored anew: none is stored if one of them is not positive.
    pub rounds: Vec<Size>,
}

impl Written {
    /// All its sizes.
    pub fn each_size(&self) -> impl Iterator<Item = &Size> {
        self.first.iter().chain(&self.count).chain(&self.rounds)
    }
}

impl Field for Vec<Written> {
    fn sizes<'a>(&'a self, f: &mut impl FnMut(&'a Size)) {
        self.iter().flat_map(Written::each_size).for_each(f);
    }

    fn sizes_mut(&mut self, f: &mut impl FnMut(&mut Size)) {
        self.iter_mut().flat_map(|w| w.first.iter_mut().chain(&mut w.count).chain(&mut w.rounds)).for_each(f);
    }
}
