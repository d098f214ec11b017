//! Complex numbers where eigenvectors are found by substitution.

/// The real and the imaginary part.
pub(super) type Number = (f64, f64);

/// The sum of the magnitudes of the parts.
#[inline(always)]
pub(super) fn size((re, im): Number) -> f64 {
    re.abs() + im.abs()
}

#[inline(always)]
pub(super) fn away_from_zero(x: Number, least: f64) -> Number {
    if size(x) < least { (least, 0.0) } else { x }
}

#[inline(always)]
pub(super) fn minus(x: Number, y: Number) -> Number {
    (x.0 - y.0, x.1 - y.1)
}

#[inline(always)]
pub(super) fn product(x: Number, y: Number) -> Number {
    (x.0 * y.0 - x.1 * y.1, x.0 * y.1 + x.1 * y.0)
}

/// By R. L. Smith's method (1962), which does not square the divisor.
#[inline(always)]
pub(super) fn quotient(x: Number, y: Number) -> Number {
    if y.1 == 0.0 {
        return (x.0 / y.0, x.1 / y.0);
    }
    if y.0.abs() >= y.1.abs() {
        let ratio = y.1 / y.0;
        let divisor = y.0 + y.1 * ratio;
        ((x.0 + x.1 * ratio) / divisor, (x.1 - x.0 * ratio) / divisor)
    } else {
        let ratio = y.0 / y.1;
        let divisor = y.0 * ratio + y.1;
        ((x.0 * ratio + x.1) / divisor, (x.1 * ratio - x.0) / divisor)
    }
}

/// Two equations, by elimination that begins with the largest element.
pub(super) struct Elimination {
    rows: [[Number; 2]; 2],
    /// Row and column of the largest element.
    pivot: (usize, usize),
    factor: Number,
    last: Number,
}

impl Elimination {
    /// The pivots are at least of a size.
    #[inline(always)]
    pub fn of(mut rows: [[Number; 2]; 2], least: f64) -> Self {
        let (p, q) = [(0, 1), (1, 0), (1, 1)]
            .into_iter()
            .fold((0, 0), |best, at| if size(rows[at.0][at.1]) > size(rows[best.0][best.1]) { at } else { best });
        rows[p][q] = away_from_zero(rows[p][q], least);
        let factor = quotient(rows[1 - p][q], rows[p][q]);
        let last = away_from_zero(minus(rows[1 - p][1 - q], product(factor, rows[p][1 - q])), least);
        Self { rows, pivot: (p, q), factor, last }
    }

    /// The size of the smaller pivot.
    #[inline(always)]
    pub fn smallest(&self) -> f64 {
        size(self.last).min(size(self.rows[self.pivot.0][self.pivot.1]))
    }

    #[inline(always)]
    pub fn solve(&self, sides: [Number; 2]) -> [Number; 2] {
        let (p, q) = self.pivot;
        let first = self.rows[p];
        let mut x = [(0.0, 0.0); 2];
        x[1 - q] = quotient(minus(sides[1 - p], product(self.factor, sides[p])), self.last);
        x[q] = quotient(minus(sides[p], product(first[1 - q], x[1 - q])), first[q]);
        x
    }
}
