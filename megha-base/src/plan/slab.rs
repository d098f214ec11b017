//! What a part of a kernel needs of each array as a run of memory: planes across the dimension whose neighbours are farthest apart.
//!
//! A slab is contiguous and has the strides of the array, so it is one copy, and an entry takes it as the address where the array would begin
//! ([`super::window`] has boxes in general). It is what a kernel that is larger than a device goes through memory in, part by part.

use super::{KernelPlan, Part};
use crate::access::{Access, Known};
use crate::region::Region;

/// Planes of an array, from the first to before the second.
pub type Planes = (i64, i64);

/// What a part does with the planes of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slab {
    /// Those that it touches.
    pub touched: Planes,
    /// Those of which it stores something.
    pub written: Planes,
    /// Whether it stores every element of these.
    pub all: bool,
}

impl KernelPlan {
    /// The dimension of an array whose neighbours are farthest apart, of those with more than one element, in the order of an entry.
    fn slowest(&self, sizes: &[i64], order: usize) -> Option<usize> {
        let long = |d: &usize| sizes[*d] != 1;
        if order == 0 { (0..sizes.len()).rev().find(long) } else { (0..sizes.len()).find(long) }
    }

    /// How many planes an array has, and how many elements each; one of all where it cannot be held in part.
    pub fn planes(&self, array: usize, order: usize, known: &Known<'_>) -> (i64, i64) {
        let sizes = self.arrays[array].sizes(known.symbol);
        let all = sizes.iter().fold(1, |n: i64, size| n.saturating_mul((*size).max(0)));
        match self.slowest(&sizes, order).filter(|_| self.may_be_windowed(array)) {
            Some(axis) if all > 0 => (sizes[axis], all / sizes[axis]),
            _ => (1, all),
        }
    }

    /// How far the planes of an array that iterations access are from their row, the least and the most. The row is `first` and the number of the iteration
    /// along a loop of the domain, or `first` alone. `None` where that is not the same for all rows, or the array cannot be held in planes.
    pub fn reach(
        &self,
        array: usize,
        order: usize,
        (along, first): (Option<usize>, i64),
        known: &Known<'_>,
    ) -> Option<(i64, i64)> {
        let sizes = self.arrays[array].sizes(known.symbol);
        let axis = self.slowest(&sizes, order).filter(|_| self.may_be_windowed(array))?;
        let mut reach: Option<(i64, i64)> = None;
        for map in self.accesses.iter().filter(|map| map.array == array) {
            let subscript = map.subscripts[axis].as_ref()?;
            let (constant, factors) = subscript.evaluated(known);
            let moves = factors.into_iter().filter(|(_, factor)| *factor != 0);
            if !moves.eq(along.map(|along| (along, 1))) {
                return None;
            }
            let far = constant - first;
            reach = Some(reach.map_or((far, far), |(least, most)| (far.min(least), far.max(most))));
        }
        reach
    }

    /// What a part that has iterations does with the planes of an array.
    pub fn slab(&self, array: usize, order: usize, part: &Part, known: &Known<'_>) -> Slab {
        let sizes = self.arrays[array].sizes(known.symbol);
        let (planes, each) = self.planes(array, order, known);
        let axis = self.slowest(&sizes, order).filter(|_| planes > 1);
        let Some(axis) = axis else { return Slab { touched: (0, planes), written: (0, planes), all: false } };
        let [read, write, sum] = [Access::Read, Access::Write, Access::Accumulate]
            .map(|access| self.touched_by((array, access), part, known));
        let along = |region: &Region| {
            let hull = region.hull().map(|hull| hull.dims()[axis]);
            hull.map_or((0, 0), |triplet| (triplet.start().max(0), (triplet.last() + 1).min(planes)))
        };
        let written = along(&write);
        let all = write.is_exact() && write.count() == (written.1 - written.0).saturating_mul(each);
        Slab { touched: along(&read.union(&write).union(&sum)), written, all }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::{AccessMap, Linear, Number};
    use crate::plan::{Array, Element, Role, SizeExpr};

    fn sym(number: usize) -> SizeExpr {
        SizeExpr { terms: vec![(1, vec![number])] }
    }

    /// `b(i, j) = a(i, j + 1)` for i of n and j of m - 1, where b is n by m.
    fn plan() -> KernelPlan {
        let text = "kernel 0 0 f\nsymbols n m\ndomain 1*0 1*1\ncolumns f 0 points 0 1 - ;";
        let mut plan = KernelPlan::decode_all(text).unwrap().remove(0);
        let array =
            |role| Array { value: 0, name: "a".into(), element: Element::F64, dims: vec![sym(0), sym(1)], role };
        plan.arrays = vec![array(Role::Update(1)), array(Role::In)];
        let linear = |at: usize, constant: i64| {
            let constant = Number::from(SizeExpr::constant(constant));
            Some(Linear { constant, factors: vec![(at, SizeExpr::constant(1))] })
        };
        let map = |array, access, by| AccessMap {
            array,
            access,
            must: true,
            loops: vec![],
            subscripts: vec![linear(0, 0), linear(1, by)],
        };
        plan.accesses = vec![map(0, Access::Write, 0), map(1, Access::Read, 1)];
        plan
    }

    #[test]
    fn slabs_follow_the_slowest_dimension() {
        let plan = plan();
        let symbol = |s: usize| [10, 8][s];
        let known = Known { symbol: &symbol, scalar: &|_| 0 };
        let slab = |array, order, loops: [(i64, i64); 2]| {
            let part = Part { loops: loops.to_vec(), chunks: (0, 1) };
            plan.slab(array, order, &part, &known)
        };
        // columns first: the second dimension
        assert_eq!(plan.planes(0, 0, &known), (8, 10));
        assert_eq!(slab(0, 0, [(0, 10), (2, 5)]), Slab { touched: (2, 5), written: (2, 5), all: true });
        assert_eq!(slab(1, 0, [(0, 10), (2, 5)]), Slab { touched: (3, 6), written: (0, 0), all: true });
        // some rows of these columns only
        assert_eq!(slab(0, 0, [(0, 9), (2, 5)]), Slab { touched: (2, 5), written: (2, 5), all: false });
        // rows first: the first one, of which all parts of the second touch all
        assert_eq!(plan.planes(0, 1, &known), (10, 8));
        assert_eq!(slab(0, 1, [(0, 10), (2, 5)]).touched, (0, 10));
        assert_eq!(slab(1, 1, [(3, 4), (0, 7)]).touched, (3, 4));
    }

    #[test]
    fn distances_from_rows() {
        let mut plan = plan();
        let symbol = |s: usize| [10, 8][s];
        let known = Known { symbol: &symbol, scalar: &|_| 0 };
        // columns first: rows are along the second loop
        assert_eq!(plan.reach(0, 0, (Some(1), 0), &known), Some((0, 0)));
        assert_eq!(plan.reach(1, 0, (Some(1), 0), &known), Some((1, 1)));
        assert_eq!(plan.reach(1, 0, (Some(1), 3), &known), Some((-2, -2)));
        assert_eq!(plan.reach(1, 0, (Some(0), 0), &known), None);
        assert_eq!(plan.reach(1, 0, (None, 0), &known), None);
        assert_eq!(plan.reach(1, 1, (Some(0), 0), &known), Some((0, 0)));
        let mut further = plan.accesses[1].clone();
        further.subscripts[1].as_mut().unwrap().constant = Number::from(SizeExpr::constant(-2));
        plan.accesses.push(further.clone());
        assert_eq!(plan.reach(1, 0, (Some(1), 0), &known), Some((-2, 1)));
        // one plane for all rows
        further.subscripts[1].as_mut().unwrap().factors.clear();
        plan.accesses.push(further);
        assert_eq!(plan.reach(1, 0, (Some(1), 0), &known), None);
        plan.accesses.drain(1..3);
        assert_eq!(plan.reach(1, 0, (None, 3), &known), Some((-5, -5)));
    }
}
