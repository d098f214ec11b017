//! Sections: boxes with steps, a triplet for each dimension of an array (Havlak & Kennedy 1991 call them regular sections).

use super::Sections;
use super::triplet::Triplet;

/// The most dimensions that a section has.
pub const MAX_RANK: usize = 6;

/// A triplet for each dimension; dimensions beyond an array's rank hold zero alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Section {
    dims: [Triplet; MAX_RANK],
}

impl Section {
    /// What is in all of these triplets; without any, the one element of a scalar.
    ///
    /// # Panics
    /// With more than [`MAX_RANK`] of them.
    pub fn new(dims: &[Triplet]) -> Self {
        let mut section = Self { dims: [Triplet::ZERO; MAX_RANK] };
        section.dims[..dims.len()].copy_from_slice(dims);
        section
    }

    /// The triplets, [`MAX_RANK`] of them.
    pub fn dims(&self) -> &[Triplet] {
        &self.dims
    }

    /// How many elements; beyond 2^63 what fits.
    pub fn count(&self) -> i64 {
        self.dims.iter().fold(1, |n, d| n.saturating_mul(d.count()))
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.dims.iter().any(Triplet::is_empty)
    }

    /// Whether an element is in it; subscripts from zero.
    pub fn contains(&self, at: &[i64]) -> bool {
        self.dims.iter().enumerate().all(|(d, triplet)| triplet.contains(at.get(d).copied().unwrap_or(0)))
    }

    /// Whether another section is within it.
    pub fn covers(&self, other: &Self) -> bool {
        other.is_empty() || self.dims.iter().zip(&other.dims).all(|(a, b)| a.covers(b))
    }

    /// The elements of both.
    pub fn intersection(&self, other: &Self) -> Option<Self> {
        let mut common = *self;
        for (own, theirs) in common.dims.iter_mut().zip(&other.dims) {
            if own != theirs {
                *own = own.intersection(theirs);
            }
            if own.is_empty() {
                return None;
            }
        }
        Some(common)
    }

    /// The least section that covers both.
    pub fn hull(&self, other: &Self) -> Self {
        let mut hull = *self;
        hull.dims.iter_mut().zip(&other.dims).for_each(|(own, theirs)| *own = own.hull(theirs));
        hull
    }

    /// The same section with another triplet in one dimension.
    pub fn with(mut self, dim: usize, triplet: Triplet) -> Self {
        self.dims[dim] = triplet;
        self
    }

    /// The union of two sections without a common element, if it is one: they differ in one dimension, and there it is a triplet.
    pub(super) fn joined(&self, other: &Self) -> Option<Self> {
        let mut apart = None;
        for d in 0..MAX_RANK {
            if self.dims[d] != other.dims[d] && apart.replace(d).is_some() {
                return None;
            }
        }
        let d = apart?;
        Some(self.with(d, self.dims[d].joined(&other.dims[d])?))
    }

    /// Appends what is not in `other`, in sections without common elements; says whether these are all, or elements of `other` stay in.
    pub(super) fn difference(&self, other: &Self, pieces: &mut Sections) -> bool {
        let Some(common) = self.intersection(other) else {
            pieces.push(*self);
            return true;
        };
        let mut exact = true;
        let mut rest = *self;
        for d in 0..MAX_RANK {
            if rest.dims[d] == common.dims[d] {
                continue;
            }
            let (parts, all) = rest.dims[d].difference(&common.dims[d]);
            exact &= all;
            parts.iter().filter(|p| !p.is_empty()).for_each(|p| pieces.push(rest.with(d, *p)));
            rest.dims[d] = common.dims[d];
        }
        exact
    }
}
