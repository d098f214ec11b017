//! Sets of a kernel's loops.

/// Some of a kernel's loops.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Axes(u32);

impl Axes {
    /// This one, if it is one of the first.
    pub fn of(axis: usize) -> Option<Self> {
        (axis < 32).then(|| Self(1 << axis))
    }

    /// These and others.
    pub fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether this loop is one of them.
    pub fn contains(self, axis: usize) -> bool {
        axis < 32 && self.0 >> axis & 1 == 1
    }
}
