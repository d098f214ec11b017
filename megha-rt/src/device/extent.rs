//! Which elements of a copy of an array are meant: none, some, or all.
//!
//! What copies hold is never said to be more than it is: a union that would take more sections than a region has is none, and whoever asked for it
//! makes the whole array current.

use megha_base::region::{Layout, Region};

use crate::Order;

/// How the elements of an array are numbered, and where they lie in its memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    /// Its sizes.
    pub sizes: Vec<i64>,
    /// Where its elements are.
    pub layout: Layout,
}

impl Shape {
    /// An array of these sizes, whose elements have so many bytes.
    pub fn new(sizes: Vec<i64>, order: Order, element: u64) -> Shape {
        let element = element as i64;
        let layout = match order {
            Order::ColMajor => Layout::columns_first(&sizes, element),
            Order::RowMajor => Layout::rows_first(&sizes, element),
        };
        Shape { sizes, layout }
    }

    /// Bytes of all elements.
    pub fn bytes(&self) -> i64 {
        self.sizes.iter().fold(self.layout.element, |bytes: i64, size| bytes.saturating_mul(*size))
    }

    /// All elements.
    pub fn whole(&self) -> Region {
        Region::whole(&self.sizes)
    }
}

/// Some elements of an array.
#[derive(Debug, Clone)]
pub struct Elements {
    /// How they are numbered.
    pub shape: Shape,
    /// Their numbers.
    pub region: Region,
}

impl Elements {
    /// Bytes of them.
    pub fn bytes(&self) -> u64 {
        self.region.count().saturating_mul(self.shape.layout.element).unsigned_abs()
    }

    /// Whether so many bytes are so nearly all of the array that all of them may as well be copied.
    pub fn are_nearly_all(&self, bytes: u64) -> bool {
        bytes.saturating_mul(11) >= self.shape.bytes().unsigned_abs().saturating_mul(10)
    }
}

/// Elements of a copy.
#[derive(Debug, Clone, Default)]
pub enum Extent {
    /// None.
    #[default]
    Nothing,
    /// These.
    Part(Box<Elements>),
    /// All.
    All,
}

impl Extent {
    /// Whether it is none.
    pub fn is_nothing(&self) -> bool {
        matches!(self, Extent::Nothing)
    }

    /// Whether it is all.
    pub fn is_all(&self) -> bool {
        matches!(self, Extent::All)
    }

    /// Whether these elements are among them.
    pub fn covers(&self, elements: &Elements) -> bool {
        match self {
            Extent::Nothing => elements.region.is_empty(),
            Extent::Part(own) => own.shape == elements.shape && own.region.covers(&elements.region),
            Extent::All => true,
        }
    }

    /// Whether some of these elements may be among them.
    pub fn meets(&self, elements: &Elements) -> bool {
        match self {
            Extent::Nothing => false,
            Extent::Part(own) => own.shape != elements.shape || own.region.meets(&elements.region),
            Extent::All => true,
        }
    }

    /// With these elements, if that can be said exactly.
    pub fn with(&self, elements: &Elements) -> Option<Extent> {
        let region = match self {
            Extent::Nothing => elements.region.clone().as_it_is(),
            Extent::Part(own) if own.shape == elements.shape => own.region.union(&elements.region.clone().as_it_is()),
            Extent::Part(_) => return None,
            Extent::All => return Some(Extent::All),
        };
        if region.is_empty() {
            return Some(Extent::Nothing);
        }
        // A hull covers what is not there.
        if !region.is_exact() {
            return None;
        }
        if region.covers(&elements.shape.whole()) {
            return Some(Extent::All);
        }
        let shape = elements.shape.clone();
        Some(Extent::Part(Box::new(Elements { shape, region })))
    }

    /// Bytes of them, if all are so many.
    pub fn bytes(&self, all: u64) -> u64 {
        match self {
            Extent::Nothing => 0,
            Extent::Part(own) => own.bytes(),
            Extent::All => all,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Elements, Extent, Shape};
    use crate::Order;
    use megha_base::region::{Region, Section, Triplet};

    /// What a region cannot say exactly is no extent, and not all of the array where its hull covers that.
    #[test]
    fn hulls_are_not_called_all() {
        let shape = Shape::new(vec![1000], Order::RowMajor, 8);
        let every = |step: i64, count: i64| {
            let region = Region::from(Section::new(&[Triplet::new(0, step, count)]));
            Elements { shape: shape.clone(), region }
        };
        let ninths = Extent::Nothing.with(&every(9, 112)).expect("one section");
        assert!(!ninths.with(&every(2, 500)).is_some_and(|both| both.is_all()));
    }
}
