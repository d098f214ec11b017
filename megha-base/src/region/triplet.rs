//! Triplets: arithmetic progressions of whole numbers, what a section has in each dimension (`start : step : last` of Fortran and MATLAB).

/// The numbers `start + k*step`, k = 0 .. count-1, of those that may be subscripts of an array: below 2^62, so that differences have 64 bits. Of one number the step is 1, of no number all three say so: equal sets are equal values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Triplet {
    start: i64,
    step: i64,
    count: i64,
}

/// No subscript is further from zero.
const FAR: i64 = (1 << 62) - 1;

/// What is left of a triplet, in at most this many pieces; see [`Triplet::difference`].
pub(super) const PIECES: usize = 8;

impl Triplet {
    /// No number.
    pub const EMPTY: Self = Self { start: 0, step: 1, count: 0 };
    /// Zero alone: what a section has in dimensions beyond its rank.
    pub const ZERO: Self = Self { start: 0, step: 1, count: 1 };

    /// So many numbers from `start` on; none if `count` is not positive.
    ///
    /// # Panics
    /// If several numbers have a step that is not positive.
    pub fn new(start: i64, step: i64, count: i64) -> Self {
        let step = if count == 1 { 1 } else { step };
        assert!(step > 0 || count <= 0, "a triplet's step is positive");
        let near = start >= -FAR && count.checked_mul(step).is_some_and(|length| length <= FAR - start.max(0));
        match count {
            ..=0 => Self::EMPTY,
            _ if near => Self { start, step, count },
            _ => Self::clipped(start.into(), step, count),
        }
    }

    /// Those of some numbers that are below 2^62.
    fn clipped(start: i128, step: i64, count: i64) -> Self {
        let (wide, far) = (i128::from(step), i128::from(FAR));
        let skipped = (-far - start + wide - 1).div_euclid(wide).max(0);
        let first = start + skipped * wide;
        let left = (i128::from(count) - skipped).min((far - first).div_euclid(wide) + 1);
        // What is left is between the bounds.
        match (i64::try_from(first), i64::try_from(left)) {
            (Ok(start), Ok(count @ 1..)) => Self { start, step: if count == 1 { 1 } else { step }, count },
            _ => Self::EMPTY,
        }
    }

    /// All numbers from `start` to before `end`.
    pub fn range(start: i64, end: i64) -> Self {
        let start = start.max(-FAR);
        Self::new(start, 1, end.min(FAR + 1).saturating_sub(start))
    }

    /// The first number.
    pub fn start(&self) -> i64 {
        self.start
    }

    /// The difference of neighbours.
    pub fn step(&self) -> i64 {
        self.step
    }

    /// How many numbers.
    pub fn count(&self) -> i64 {
        self.count
    }

    /// The last number; below `start` if there is none.
    pub fn last(&self) -> i64 {
        self.start + (self.count - 1) * self.step
    }

    /// Whether there is no number.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Whether a number is among them.
    pub fn contains(&self, number: i64) -> bool {
        let within =
            |from: i64| (0..=(self.count - 1) * self.step).contains(&from) && (self.step == 1 || from % self.step == 0);
        number.checked_sub(self.start).is_some_and(within)
    }

    /// Whether all numbers of another triplet are among them.
    pub fn covers(&self, other: &Self) -> bool {
        let ends = || self.contains(other.start) && self.contains(other.last());
        other.is_empty() || (ends() && (other.count == 1 || other.step % self.step == 0))
    }

    /// The numbers of both; two progressions meet in one.
    pub fn intersection(&self, other: &Self) -> Self {
        if self.is_empty() || other.is_empty() {
            return Self::EMPTY;
        }
        let (low, high) = (self.start.max(other.start), self.last().min(other.last()));
        if low > high {
            return Self::EMPTY;
        }
        if self.step == 1 && other.step == 1 {
            return Self { start: low, step: 1, count: high - low + 1 };
        }
        let Some((first, step)) = meet(self, other) else { return Self::EMPTY };
        // The first of them that is not below.
        let first = low + (first - low).rem_euclid(step);
        if first > high { Self::EMPTY } else { Self::new(first, step, (high - first) / step + 1) }
    }

    /// The least triplet that covers both.
    pub fn hull(&self, other: &Self) -> Self {
        if self.is_empty() || other.is_empty() {
            return if self.is_empty() { *other } else { *self };
        }
        let (start, last) = (self.start.min(other.start), self.last().max(other.last()));
        let dense = |t: &Self| t.step == 1 && t.count > 1;
        if dense(self) || dense(other) {
            return Self { start, step: 1, count: last - start + 1 };
        }
        let own = |t: &Self| if t.count == 1 { 0 } else { t.step };
        let step = gcd(gcd(own(self), own(other)), (self.start - other.start).abs()).max(1);
        Self::new(start, step, (last - start) / step + 1)
    }

    /// The union of two triplets without a common number, if it is one.
    pub(super) fn joined(&self, other: &Self) -> Option<Self> {
        let hull = self.hull(other);
        (hull.count == self.count + other.count).then_some(hull)
    }

    /// The numbers that are not in `other`, in pieces without common numbers, and whether these are all: where more than [`PIECES`] would
    /// be needed, numbers of `other` stay in.
    pub(super) fn difference(&self, other: &Self) -> ([Self; PIECES], bool) {
        let mut pieces = [Self::EMPTY; PIECES];
        let common = self.intersection(other);
        if common.is_empty() {
            pieces[0] = *self;
            return (pieces, true);
        }
        let steps = |distance: i64| if self.step == 1 { distance } else { distance / self.step };
        let before = steps(common.start - self.start);
        pieces[0] = Self::new(self.start, self.step, before);
        pieces[1] = Self::new(common.last() + self.step, self.step, steps(self.last() - common.last()));
        // Between the first and the last common number, those that are common stand at every so many places.
        let every = if common.count == 1 { 1 } else { steps(common.step) };
        let exact = every < PIECES as i64;
        if exact {
            for k in 1..every {
                pieces[1 + k as usize] = Self::new(common.start + k * self.step, common.step, common.count - 1);
            }
        } else {
            pieces[2] = Self::new(common.start, self.step, (common.count - 1) * every + 1);
        }
        (pieces, exact)
    }

    /// The same numbers, further on.
    pub fn shifted(&self, by: i64) -> Self {
        if self.is_empty() {
            *self
        } else {
            Self::clipped(i128::from(self.start) + i128::from(by), self.step, self.count)
        }
    }
}

/// A number that both progressions, continued in both directions, have, and the step of all that they have; `None` if they have none.
fn meet(a: &Triplet, b: &Triplet) -> Option<(i64, i64)> {
    if a.step == 1 {
        return Some((b.start, b.step));
    }
    if b.step == 1 {
        return Some((a.start, a.step));
    }
    let distance = b.start - a.start;
    if a.step == b.step {
        return (distance % a.step == 0).then_some((a.start, a.step));
    }
    // a.start + x*a.step = b.start modulo b.step: Euclid's algorithm gives x.
    let (divisor, inverse) = bezout(a.step, b.step);
    if distance % divisor != 0 {
        return None;
    }
    let modulus = i128::from(b.step / divisor);
    let x = (i128::from(distance / divisor) * i128::from(inverse)).rem_euclid(modulus);
    let step = i128::from(a.step) * modulus;
    // Steps whose common multiple is beyond 64 bits meet once at most in what these number.
    let first = i128::from(a.start) + x * i128::from(a.step);
    Some((i64::try_from(first).ok()?, i64::try_from(step).unwrap_or(i64::MAX)))
}

/// The greatest common divisor of two numbers that are not negative.
pub(crate) fn gcd(mut a: i64, mut b: i64) -> i64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The greatest common divisor d of two positive numbers, and an x with a*x = d modulo b.
fn bezout(a: i64, b: i64) -> (i64, i64) {
    let (mut old, mut new) = ((a, 1), (b, 0));
    while new.0 != 0 {
        let quotient = old.0 / new.0;
        (old, new) = (new, (old.0 - quotient * new.0, old.1 - quotient * new.1));
    }
    old
}
