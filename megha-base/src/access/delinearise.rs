//! Subscripts that count an array's elements columns first, as boxes of its index space.
//!
//! A progression whose step is a multiple of a dimension's stride moves along that dimension. If no dimension is left, the strides do not
//! overlap: Garg & Amaral's condition (2010, Definition 1) in numbers, under which elements are distinct and the box exact.

use super::evaluate::{MAX_LOOPS, Sum, sum};
use crate::region::{MAX_RANK, Region, Section, Triplet};

/// The elements with the numbers `start` and sums of the progressions, and whether all of them occur.
pub(super) fn region(start: i64, terms: &mut [(i64, i64)], sizes: &[i64]) -> (Region, bool) {
    let all = sizes.iter().fold(1i64, |n, s| n.saturating_mul(*s));
    if all <= 0 {
        return (Region::empty(), true);
    }
    if let Some(found) = along_dimensions(start, terms, sizes) {
        return found;
    }
    let Sum { triplet, exact } = sum(start, terms);
    let (first, last) = (triplet.start().max(0), triplet.last().min(all - 1));
    if first > last {
        return (Region::empty(), exact);
    }
    let full = Section::new(&std::array::from_fn::<Triplet, MAX_RANK, _>(|d| {
        sizes.get(d).map_or(Triplet::ZERO, |size| Triplet::range(0, *size))
    }));
    let mut region = Region::empty();
    stretch((first, last), sizes.len() - 1, full, sizes, &mut region);
    let exact = exact && triplet.step() == 1 && region.is_exact();
    (region, exact)
}

/// The box, if each progression moves along one dimension and none is left.
fn along_dimensions(start: i64, terms: &[(i64, i64)], sizes: &[i64]) -> Option<(Region, bool)> {
    let mut dims = [Triplet::ZERO; MAX_RANK];
    let mut exact = true;
    let mut stride: i64 = sizes.iter().product();
    let mut rest = start;
    let mut taken = [false; MAX_LOOPS];
    for d in (0..sizes.len()).rev() {
        stride /= sizes[d];
        let digit = if d == 0 { rest } else { rest.div_euclid(stride) };
        rest -= digit * stride;
        let mut own = [(0, 1); MAX_LOOPS];
        for (at, (by, times)) in terms.iter().enumerate() {
            if !taken[at] && *times > 1 && by % stride == 0 {
                taken[at] = true;
                own[at] = (by / stride, *times);
            }
        }
        let along = sum(digit, &mut own);
        if along.triplet.start() < 0 || along.triplet.last() >= sizes[d] {
            return None;
        }
        exact &= along.exact;
        dims[d] = along.triplet;
    }
    Some((Region::section(&dims), exact))
}

/// Adds neighbours from the first to the last number among the dimensions up to `d`: a part of a column, whole ones, and a part of one.
fn stretch((first, last): (i64, i64), d: usize, within: Section, sizes: &[i64], region: &mut Region) {
    let stride: i64 = sizes[..d].iter().product();
    let (low, high) = (first / stride, last / stride);
    if d == 0 || (first % stride == 0 && last % stride == stride - 1) {
        *region = region.union(&within.with(d, Triplet::range(low, high + 1)).into());
        return;
    }
    let at = |k: i64| within.with(d, Triplet::range(k, k + 1));
    if low == high {
        return stretch((first % stride, last % stride), d - 1, at(low), sizes, region);
    }
    stretch((first % stride, stride - 1), d - 1, at(low), sizes, region);
    stretch((0, last % stride), d - 1, at(high), sizes, region);
    if high - low > 1 {
        *region = region.union(&within.with(d, Triplet::range(low + 1, high)).into());
    }
}
