//! Singular values of a bidiagonal matrix by implicit QR steps, without a shift where small values would lose digits by it (Demmel
//! and Kahan, Accurate singular values of bidiagonal matrices, SIAM J. Sci. Stat. Comput. 11, 1990), in the directions and by the criteria
//! that LAPACK chooses: the signs of singular vectors follow from them.

use super::rotation::{Rotation, TwoByTwo, smaller_singular_value};
use crate::memory;

/// Rounding errors relative to which what is beside the diagonal is negligible.
const ROUNDING: f64 = f64::EPSILON / 2.0;
/// Steps for all values, times the square of their number, after which there is no hope.
const MOST_STEPS: usize = 6;

/// A rotation of two neighbouring columns, by the number of the first.
pub(super) type Turn = (usize, Rotation);

/// Who has to know what is done to the columns of the left and of the right factor.
pub(super) trait Follower {
    /// Rotations one after the other.
    fn turned(&mut self, side: Side, turns: &[Turn]);
}

/// Only the values matter.
impl Follower for () {
    fn turned(&mut self, _: Side, _: &[Turn]) {}
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
}

/// An upper bidiagonal matrix that becomes diagonal.
struct Bidiagonal<'a, F> {
    d: &'a mut [f64],
    e: &'a mut [f64],
    follower: &'a mut F,
    tolerance: f64,
    /// What is smaller beside the diagonal is zero.
    threshold: f64,
    /// The first and the last row of the block of the last step, and whether its direction was down.
    block: Option<(usize, usize)>,
    down: bool,
    left: Vec<Turn>,
    right: Vec<Turn>,
}

/// Turns a lower bidiagonal matrix into an upper one.
pub(super) fn raise(d: &mut [f64], e: &mut [f64], follower: &mut impl Follower) {
    let mut turns = memory::with_room(e.len());
    for i in 0..e.len() {
        let (rotation, r) = Rotation::onto_first(d[i], e[i]);
        d[i] = r;
        e[i] = rotation.sine * d[i + 1];
        d[i + 1] *= rotation.cosine;
        memory::push(&mut turns, (i, rotation));
    }
    follower.turned(Side::Left, &turns);
}

/// Makes an upper bidiagonal matrix diagonal; tells whether that has ended. The singular values are the magnitudes of the diagonal.
pub(super) fn diagonalise(d: &mut [f64], e: &mut [f64], follower: &mut impl Follower) -> bool {
    let n = d.len();
    let tolerance = ROUNDING.powf(-0.125).clamp(10.0, 100.0) * ROUNDING;
    let mut bound = d.first().map_or(0.0, |d| d.abs());
    let mut least = bound;
    for i in 1..n {
        if least == 0.0 {
            break;
        }
        bound = d[i].abs() * (bound / (bound + e[i - 1].abs()));
        least = least.min(bound);
    }
    let squares = (n * n) as f64;
    let threshold = (tolerance * (least / (n as f64).sqrt())).max(MOST_STEPS as f64 * squares * f64::MIN_POSITIVE);
    let (left, right) = (Vec::new(), Vec::new());
    Bidiagonal { d, e, follower, tolerance, threshold, block: None, down: true, left, right }.run()
}

/// The numbers of values in descending order, by LAPACK's exchanges, which decide the order of equal ones.
pub(super) fn descending(values: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = memory::gathered(0..values.len());
    for last in (1..order.len()).rev() {
        let least = (1..=last).fold(0, |least, j| if values[order[j]] <= values[order[least]] { j } else { least });
        order.swap(least, last);
    }
    order
}

impl<F: Follower> Bidiagonal<'_, F> {
    fn run(&mut self) -> bool {
        let n = self.d.len();
        let (mut end, mut steps) = (n, 0);
        while end > 1 {
            if steps > MOST_STEPS * n * n {
                return false;
            }
            let last = end - 1;
            let (first, largest) = self.block_to(last);
            if first == last {
                end -= 1;
            } else if first + 1 == last {
                self.two_by_two(first);
                end -= 2;
            } else if let Some(smallest) = self.smallest_unless_parted(first, last) {
                steps += last - first;
                let shift = self.shift(first, last, smallest, largest);
                self.step(first, last, shift);
            }
        }
        true
    }

    /// The first row of the block that ends in a row, and the largest element of the block; what is beside it becomes zero.
    fn block_to(&mut self, last: usize) -> (usize, f64) {
        let mut largest = self.d[last].abs();
        for i in (0..last).rev() {
            let beside = self.e[i].abs();
            if beside <= self.threshold {
                self.e[i] = 0.0;
                return (i + 1, largest);
            }
            largest = largest.max(self.d[i].abs()).max(beside);
        }
        (0, largest)
    }

    fn two_by_two(&mut self, i: usize) {
        let TwoByTwo { large, small, left, right } = TwoByTwo::of(self.d[i], self.e[i], self.d[i + 1]);
        (self.d[i], self.e[i], self.d[i + 1]) = (large, 0.0, small);
        self.follower.turned(Side::Right, &[(i, right)]);
        self.follower.turned(Side::Left, &[(i, left)]);
    }

    /// Chooses the direction for a block, and sets what is negligible beside its diagonal to zero: `None` if there was such. Else a lower bound of
    /// the smallest singular value.
    fn smallest_unless_parted(&mut self, first: usize, last: usize) -> Option<f64> {
        if self.block.is_none_or(|(old_first, old_last)| first > old_last || last < old_first) {
            self.down = self.d[first].abs() >= self.d[last].abs();
        }
        let (near, far) = if self.down { (first, last) } else { (last, first) };
        let at_far = if self.down { last - 1 } else { first };
        if self.e[at_far].abs() <= self.tolerance * self.d[far].abs() {
            self.e[at_far] = 0.0;
            return None;
        }
        let mut bound = self.d[near].abs();
        let mut smallest = bound;
        for k in 0..last - first {
            let (beside, next) = if self.down { (first + k, first + k + 1) } else { (last - k - 1, last - k - 1) };
            let size = self.e[beside].abs();
            if size <= self.tolerance * bound {
                self.e[beside] = 0.0;
                return None;
            }
            bound = self.d[next].abs() * (bound / (bound + size));
            smallest = smallest.min(bound);
        }
        self.block = Some((first, last));
        Some(smallest)
    }

    /// Zero where a shift would cost digits of the smallest value.
    fn shift(&self, first: usize, last: usize, smallest: f64, largest: f64) -> f64 {
        let n = self.d.len() as f64;
        if n * self.tolerance * (smallest / largest) <= ROUNDING.max(0.01 * self.tolerance) {
            return 0.0;
        }
        let (start, at) = if self.down { (self.d[first], last - 1) } else { (self.d[last], first) };
        let shift = smaller_singular_value(self.d[at], self.e[at], self.d[at + 1]);
        let ratio = shift / start.abs();
        if start != 0.0 && ratio * ratio < ROUNDING { 0.0 } else { shift }
    }

    fn step(&mut self, first: usize, last: usize, shift: f64) {
        self.left.clear();
        self.right.clear();
        let at = if self.down { last - 1 } else { first };
        match (shift == 0.0, self.down) {
            (true, true) => self.without_shift_down(first, last),
            (true, false) => self.without_shift_up(first, last),
            (false, true) => self.shifted_down(first, last, shift),
            (false, false) => self.shifted_up(first, last, shift),
        }
        if self.e[at].abs() <= self.threshold {
            self.e[at] = 0.0;
        }
        self.follower.turned(Side::Right, &self.right);
        self.follower.turned(Side::Left, &self.left);
    }

    fn without_shift_down(&mut self, first: usize, last: usize) {
        let mut one = Rotation { cosine: 1.0, sine: 0.0 };
        let mut old = one;
        for i in first..last {
            let r;
            (one, r) = Rotation::onto_first(self.d[i] * one.cosine, self.e[i]);
            if i > first {
                self.e[i - 1] = old.sine * r;
            }
            (old, self.d[i]) = Rotation::onto_first(old.cosine * r, self.d[i + 1] * one.sine);
            memory::push(&mut self.right, (i, one));
            memory::push(&mut self.left, (i, old));
        }
        let h = self.d[last] * one.cosine;
        self.d[last] = h * old.cosine;
        self.e[last - 1] = h * old.sine;
    }

    fn without_shift_up(&mut self, first: usize, last: usize) {
        let mut one = Rotation { cosine: 1.0, sine: 0.0 };
        let mut old = one;
        for i in (first + 1..=last).rev() {
            let r;
            (one, r) = Rotation::onto_first(self.d[i] * one.cosine, self.e[i - 1]);
            if i < last {
                self.e[i] = old.sine * r;
            }
            (old, self.d[i]) = Rotation::onto_first(old.cosine * r, self.d[i - 1] * one.sine);
            memory::push(&mut self.left, (i - 1, one.back()));
            memory::push(&mut self.right, (i - 1, old.back()));
        }
        let h = self.d[first] * one.cosine;
        self.d[first] = h * old.cosine;
        self.e[first] = h * old.sine;
    }

    fn shifted_down(&mut self, first: usize, last: usize, shift: f64) {
        let Self { d, e, .. } = self;
        let mut f = bulge(d[first], shift);
        let mut g = e[first];
        for i in first..last {
            let (right, r) = Rotation::onto_first(f, g);
            if i > first {
                e[i - 1] = r;
            }
            f = right.cosine * d[i] + right.sine * e[i];
            e[i] = right.cosine * e[i] - right.sine * d[i];
            g = right.sine * d[i + 1];
            d[i + 1] *= right.cosine;
            let (left, r) = Rotation::onto_first(f, g);
            d[i] = r;
            f = left.cosine * e[i] + left.sine * d[i + 1];
            d[i + 1] = left.cosine * d[i + 1] - left.sine * e[i];
            if i + 1 < last {
                g = left.sine * e[i + 1];
                e[i + 1] *= left.cosine;
            }
            memory::push(&mut self.right, (i, right));
            memory::push(&mut self.left, (i, left));
        }
        e[last - 1] = f;
    }

    fn shifted_up(&mut self, first: usize, last: usize, shift: f64) {
        let Self { d, e, .. } = self;
        let mut f = bulge(d[last], shift);
        let mut g = e[last - 1];
        for i in (first + 1..=last).rev() {
            let (left, r) = Rotation::onto_first(f, g);
            if i < last {
                e[i] = r;
            }
            f = left.cosine * d[i] + left.sine * e[i - 1];
            e[i - 1] = left.cosine * e[i - 1] - left.sine * d[i];
            g = left.sine * d[i - 1];
            d[i - 1] *= left.cosine;
            let (right, r) = Rotation::onto_first(f, g);
            d[i] = r;
            f = right.cosine * e[i - 1] + right.sine * d[i - 1];
            d[i - 1] = right.cosine * d[i - 1] - right.sine * e[i - 1];
            if i > first + 1 {
                g = right.sine * e[i - 2];
                e[i - 2] *= right.cosine;
            }
            memory::push(&mut self.left, (i - 1, left.back()));
            memory::push(&mut self.right, (i - 1, right.back()));
        }
        e[first] = f;
    }
}

/// The first element of the column that the first rotation of a step turns.
fn bulge(d: f64, shift: f64) -> f64 {
    (d.abs() - shift) * (1f64.copysign(d) + shift / d)
}
