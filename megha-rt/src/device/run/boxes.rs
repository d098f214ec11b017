//! How a kernel that has no room as a whole is cut into parts: along the loop, or the chunks of a reduction, that moves the fewest bytes.
//!
//! What each part needs the access maps say (`megha_base::plan::Slab`). Arrays that move with the parts are held in slabs, a buffer for each of a few
//! parts that are under way; the others, results of reductions among them, are held as wholes. Parts do not depend on each other, since iterations do
//! not, as long as no two write one plane; where they do, the array is held as a whole.

use megha_base::access::Known;
use megha_base::plan::{Part, Role, Slab};

use super::super::{Arg, Device};
use super::Work;

/// Parts that are under way at once: one is sent, one computed, one brought back.
pub(in super::super) const BUFFERS: usize = 3;
/// So few parts hardly overlap.
pub(in super::super) const FEWEST: i64 = 4;
/// Most parts of a kernel: beyond, copies are so short that nothing is gained.
const MOST: i64 = 1024;

/// What is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Axis {
    /// A loop of the domain that is not reduced.
    Loop(usize),
    /// The chunks of the reduced loops.
    Chunks,
}

/// A kernel in parts.
#[derive(Debug, Clone, PartialEq)]
pub struct Boxes {
    /// The parts.
    pub parts: Vec<Part>,
    /// For each array, if it is held in slabs, the bytes of a buffer for one.
    pub buffers: Vec<Option<u64>>,
    /// For each part and array what is needed.
    pub slabs: Vec<Vec<Slab>>,
    /// Bytes of the device that arrays held as wholes take,
    pub whole: u64,
    /// and the buffers.
    pub ring: u64,
    /// Bytes of all copies.
    pub moved: u64,
    /// For each array the bytes of a plane.
    pub planes: Vec<u64>,
}

impl Work<'_> {
    /// The kernel in parts for which so many bytes of a device are enough, beside partial results; `None` if there is no such way.
    pub(super) fn boxes(&self, device: &dyn Device, available: u64) -> Option<Boxes> {
        let grid = &self.for_order(&self.plan.entries).grid;
        let kept = (0..self.plan.domain.len()).filter(|at| !grid.reduced().contains(at));
        let axes = kept.map(Axis::Loop).chain(grid.reduces().then_some(Axis::Chunks));
        let found = axes.filter_map(|axis| self.boxes_along(axis, device, available));
        found.min_by_key(|boxes| (boxes.moved, boxes.parts.len()))
    }

    /// As few parts along an axis as there is room for.
    fn boxes_along(&self, axis: Axis, device: &dyn Device, available: u64) -> Option<Boxes> {
        let whole = self.whole();
        let (low, high) = match axis {
            Axis::Loop(at) => whole.loops[at],
            Axis::Chunks => whole.chunks,
        };
        let most = (high - low).min(MOST);
        let mut number = FEWEST.min(most);
        while number > 1 {
            let parts = (0..number).map(|k| {
                let numbers = (low + (high - low) * k / number, low + (high - low) * (k + 1) / number);
                let mut part = whole.clone();
                match axis {
                    Axis::Loop(at) => part.loops[at] = numbers,
                    Axis::Chunks => part.chunks = numbers,
                }
                part
            });
            let boxes = self.of_parts(device, parts.collect());
            if boxes.whole.saturating_add(boxes.ring) <= available {
                return boxes.buffers.iter().any(Option::is_some).then_some(boxes);
            }
            // what is held as a whole does not shrink, buffers do with the number of parts
            if boxes.whole >= available || number == most {
                return None;
            }
            let enough = i128::from(number) * i128::from(boxes.ring) / i128::from(available - boxes.whole);
            number = i64::try_from(enough).unwrap_or(most).max(number + 1).min(most);
        }
        None
    }

    /// What these parts need.
    fn of_parts(&self, device: &dyn Device, parts: Vec<Part>) -> Boxes {
        let symbol = |symbol: usize| self.sizes[symbol];
        let scalar = |value: usize| self.scalar(value);
        let known = Known { symbol: &symbol, scalar: &scalar };
        let order = self.order as usize;
        let slabs: Vec<Vec<Slab>> = parts
            .iter()
            .map(|part| (0..self.plan.arrays.len()).map(|at| self.plan.slab(at, order, part, &known)).collect())
            .collect();
        let mut boxes = Boxes { parts, buffers: Vec::new(), slabs, whole: 0, ring: 0, moved: 0, planes: Vec::new() };
        for (at, array) in self.plan.arrays.iter().enumerate() {
            let (planes, each) = self.plan.planes(at, order, &known);
            boxes.planes.push(each.unsigned_abs() * array.element.bytes());
            let bytes = |planes: i64| (planes.max(0) * each).unsigned_abs() * array.element.bytes();
            let of_array = || boxes.slabs.iter().map(|slabs| slabs[at]);
            let longest = of_array().map(|slab| slab.touched.1 - slab.touched.0).max().unwrap_or(planes);
            let in_slabs = 2 * longest <= planes && is_apart(&array.role, of_array());
            if in_slabs {
                let buffer = device.takes(bytes(longest));
                let read =
                    |slab: Slab| if array.role == Role::Fresh { 0 } else { bytes(slab.touched.1 - slab.touched.0) };
                let moved: u64 = of_array().map(|slab| read(slab) + bytes(slab.written.1 - slab.written.0)).sum();
                boxes.moved += moved;
                boxes.ring += BUFFERS as u64 * buffer;
                boxes.buffers.push(Some(bytes(longest)));
            } else {
                boxes.whole += device.takes(self.bytes(array));
                boxes.moved += self.bytes(array);
                boxes.buffers.push(None);
            }
        }
        boxes
    }

    /// The value of a scalar that access maps mention.
    pub(super) fn scalar(&self, value: usize) -> i64 {
        let at = self.scalars.iter().position(|(own, _)| *own == value);
        match at.map(|at| self.values[at]) {
            Some(Arg::I64(number)) => number,
            Some(
                Arg::Address(_) | Arg::Before(..) | Arg::U64(_) | Arg::I32(_) | Arg::U32(_) | Arg::F64(_) | Arg::F32(_),
            )
            | None => 0,
        }
    }
}

/// Whether parts may bring back what they store of an array one by one: no two store into one plane, and what holds nothing before is stored in full.
fn is_apart(role: &Role, slabs: impl Iterator<Item = Slab>) -> bool {
    let mut written = Vec::new();
    for slab in slabs {
        let is_some = slab.written.0 < slab.written.1;
        match role {
            Role::In => {}
            Role::Fresh if is_some && !slab.all => return false,
            Role::Fresh | Role::Update(_) if is_some => written.push(slab.written),
            Role::Fresh | Role::Update(_) => {}
            // numbered as a whole
            Role::Reduced | Role::Flag(_) => return false,
        }
    }
    written.sort_unstable();
    written.windows(2).all(|two| two[0].1 <= two[1].0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_that_store_into_one_plane_are_not_apart() {
        let slab = |written, all| Slab { touched: written, written, all };
        let apart = |role: Role, slabs: &[Slab]| is_apart(&role, slabs.iter().copied());
        let two = [slab((3, 6), true), slab((0, 3), false)];
        assert!(apart(Role::Update(0), &two) && apart(Role::In, &two));
        assert!(!apart(Role::Fresh, &two) && !apart(Role::Reduced, &two) && !apart(Role::Flag(true), &two));
        assert!(!apart(Role::Update(0), &[slab((0, 4), true), slab((3, 6), true)]));
        assert!(apart(Role::Fresh, &[slab((0, 3), true), slab((2, 2), false), slab((3, 4), true)]));
    }
}
