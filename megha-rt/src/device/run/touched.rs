//! The elements of its arrays that a launch finds and stores, by the plan's access maps, as far as they are known to be fewer than all.

use megha_base::access::{Access, Known};
use megha_base::plan::Role;
use megha_base::region::{MAX_RANK, Region};

use super::super::extent::{Elements, Shape};
use super::super::table::Place;
use super::Work;

/// Elements of one array.
#[derive(Debug)]
pub struct Touched {
    /// Those that have to be there before the launch.
    pub found: Elements,
    /// Those that are current on the device alone after it.
    pub stored: Elements,
}

impl Work<'_> {
    /// What the kernel does with an array that it reads or updates; `None` if that may be anything.
    pub fn touches(&self, at: usize, place: Place) -> Option<Touched> {
        let array = &self.plan.arrays[at];
        match array.role {
            Role::In | Role::Update(_) if array.dims.len() <= MAX_RANK => {}
            Role::In | Role::Update(_) | Role::Fresh | Role::Reduced | Role::Flag(_) => return None,
        }
        let (symbol, scalar) = (|symbol: usize| self.sizes[symbol], |value: usize| self.scalar(value));
        let known = Known { symbol: &symbol, scalar: &scalar };
        let shape = Shape::new(array.sizes(&symbol), self.order, array.element.bytes());
        if u64::try_from(shape.bytes()) != Ok(place.length()) {
            return None;
        }
        let whole = self.whole();
        let [read, write, sum] = [Access::Read, Access::Write, Access::Accumulate]
            .map(|access| self.plan.touched_by((at, access), &whole, &known));
        if !sum.is_empty() {
            return None;
        }
        // Where it is not sure that an element is stored, the one that was there before stays; a check that fails ends an iteration early.
        let sure = write.is_exact() && self.plan.checks.is_empty();
        let found = if sure || write.is_empty() { read } else { read.union(&write) };
        let elements = |region: Region| Elements { shape: shape.clone(), region: region.as_it_is() };
        Some(Touched { found: elements(found), stored: elements(write) })
    }
}
