//! Generalised eigenvalues by QZ steps (C. B. Moler and G. W. Stewart, SIAM J. Numer. Anal. 10, 1973; Golub and Van Loan, Matrix Computations,
//! 4th edition, 7.7), with the shifts, the tests of what is negligible and the signs of LAPACK's `hgeqz`.

use super::pencil::{Pencil, make_zero_below, turn_columns_back, turn_rows};
use super::pencil_block::{Two, eigenvalues_of_two};
use super::qz_double::double_step;
use super::rotation::{Rotation, TwoByTwo};
use super::square::{Square, length_of, turn};
use crate::memory;

/// After so many steps without an eigenvalue the shift is another, lest the iteration go round in a circle.
const STEPS_OF_A_CIRCLE: usize = 10;

/// A pair on the way to its generalised Schur form.
pub(super) struct Qz {
    pub pencil: Pencil,
    /// The numerators of the eigenvalues, which are over `beta`.
    pub re: Vec<f64>,
    pub im: Vec<f64>,
    pub beta: Vec<f64>,
    size_a: f64,
    size_b: f64,
}

/// What is in the last rows that are left.
enum Last {
    One,
    /// A block from this row on that does not fall apart.
    From(usize),
}

impl Qz {
    /// The generalised Schur form of a reduced pair, if vectors are wanted, and the eigenvalues; `None` if the iterations do not converge.
    #[inline(always)]
    pub fn of(pencil: Pencil) -> Option<Self> {
        let (n, low, high) = (pencil.a.n, pencil.low, pencil.high);
        let [size_a, size_b] = [&pencil.a, &pencil.b].map(|m| norm(m, low, high));
        let mut qz =
            Self { pencil, re: memory::zeros(n), im: memory::zeros(n), beta: memory::zeros(n), size_a, size_b };
        (high + 1..n).for_each(|k| qz.finish(k, 0));
        let most_steps = 30 * (high + 1 - low);
        let (mut end, mut steps, mut fruitless, mut shift) = (high + 1, 0, 0, 0.0);
        while end > low {
            let last = end - 1;
            steps += 1;
            if steps > most_steps {
                return None;
            }
            match qz.split(last) {
                Last::One => {
                    let top = qz.top(low);
                    qz.finish(last, top);
                    end = last;
                    (fruitless, shift) = (0, 0.0);
                }
                Last::From(first) => {
                    fruitless += 1;
                    if qz.step(first, last, fruitless, &mut shift) {
                        end = first;
                        (fruitless, shift) = (0, 0.0);
                    }
                }
            }
        }
        (0..low).for_each(|k| qz.finish(k, 0));
        Some(qz)
    }

    /// The first row that is turned, given that of the block: with vectors all are.
    fn top(&self, first: usize) -> usize {
        if self.pencil.right.is_some() { 0 } else { first }
    }

    /// Where the columns end that are turned.
    fn columns(&self, last: usize) -> usize {
        if self.pencil.right.is_some() { self.pencil.a.n } else { last + 1 }
    }

    fn zero_in_b(&self) -> f64 {
        (f64::EPSILON * self.size_b).max(f64::MIN_POSITIVE)
    }

    /// Whether the element of A left of the diagonal counts as zero in a row.
    fn is_small(&self, k: usize) -> bool {
        let a = &self.pencil.a;
        let near = a[(k, k)].abs() + a[(k - 1, k - 1)].abs();
        a[(k, k - 1)].abs() <= (f64::EPSILON * near).max(f64::MIN_POSITIVE)
    }

    /// A number in row k, with a positive diagonal of B.
    fn finish(&mut self, k: usize, top: usize) {
        let Pencil { a, b, right, .. } = &mut self.pencil;
        if b[(k, k)] < 0.0 {
            let top = if right.is_some() { top } else { k };
            for m in [&mut *a, &mut *b] {
                m.column_mut(k)[top..=k].iter_mut().for_each(|x| *x = -*x);
            }
            if let Some(right) = right {
                right.column_mut(k).iter_mut().for_each(|x| *x = -*x);
            }
        }
        (self.re[k], self.im[k], self.beta[k]) = (a[(k, k)], 0.0, b[(k, k)]);
    }

    /// Looks for what is negligible, from the last row up. Zeros on the diagonal of B are moved to where they give an infinite eigenvalue.
    #[inline(always)]
    fn split(&mut self, last: usize) -> Last {
        let low = self.pencil.low;
        if last == low {
            return Last::One;
        }
        if self.is_small(last) {
            self.pencil.a[(last, last - 1)] = 0.0;
            return Last::One;
        }
        if self.pencil.b[(last, last)].abs() <= self.zero_in_b() {
            return self.infinite(last);
        }
        for j in (low..last).rev() {
            let first = j == low || self.is_small(j);
            if first && j > low {
                self.pencil.a[(j, j - 1)] = 0.0;
            }
            if self.pencil.b[(j, j)].abs() < self.zero_in_b() {
                self.pencil.b[(j, j)] = 0.0;
                let nearly = !first && self.two_small(j);
                return if first || nearly { self.zero_at_top(j, last, nearly) } else { self.zero_inside(j, last) };
            }
            if first {
                return Last::From(j);
            }
        }
        Last::One
    }

    /// Whether the subdiagonal's elements in rows j and j + 1 are small together.
    fn two_small(&self, j: usize) -> bool {
        let a = &self.pencil.a;
        let least = (f64::EPSILON * self.size_a).max(f64::MIN_POSITIVE);
        let unit = self.size_a.max(f64::MIN_POSITIVE);
        let (left, here) = (a[(j, j - 1)].abs(), a[(j, j)].abs());
        let most = left.max(here);
        let (left, here) = if most < 1.0 && most != 0.0 { (left / most, here / most) } else { (left, here) };
        left * (a[(j + 1, j)].abs() / unit) <= here * (least / unit)
    }

    /// The last element of B is zero: the row of A becomes that of an infinite eigenvalue.
    fn infinite(&mut self, last: usize) -> Last {
        self.pencil.b[(last, last)] = 0.0;
        let top = self.top(self.pencil.low);
        let a = &mut self.pencil.a;
        let (rotation, r) = Rotation::onto_first(a[(last, last)], a[(last, last - 1)]);
        (a[(last, last)], a[(last, last - 1)]) = (r, 0.0);
        turn_columns_back(a, last, top..last, rotation);
        turn_columns_back(&mut self.pencil.b, last, top..last, rotation);
        self.pencil.turn_right(last, rotation);
        Last::One
    }

    /// The first element of B in a block is zero: its row is split off, and so are those that follow with a zero.
    fn zero_at_top(&mut self, first: usize, last: usize, mut nearly: bool) -> Last {
        let (end, least) = (self.columns(last), self.zero_in_b());
        let Pencil { a, b, .. } = &mut self.pencil;
        for k in first..last {
            let rotation = make_zero_below(a, k, k);
            turn_rows(a, k, k + 1..end, rotation);
            turn_rows(b, k, k + 1..end, rotation);
            if std::mem::take(&mut nearly) {
                a[(k, k - 1)] *= rotation.cosine;
            }
            if b[(k + 1, k + 1)].abs() >= least {
                return if k + 1 >= last { Last::One } else { Last::From(k + 1) };
            }
            b[(k + 1, k + 1)] = 0.0;
        }
        self.infinite(last)
    }

    /// An element of B inside of a block is zero: it is moved to the end.
    fn zero_inside(&mut self, from: usize, last: usize) -> Last {
        let (end, top) = (self.columns(last), self.top(self.pencil.low));
        for k in from..last {
            let Pencil { a, b, .. } = &mut self.pencil;
            let rotation = make_zero_below(b, k, k + 1);
            turn_rows(b, k, k + 2..end, rotation);
            turn_rows(a, k, k - 1..end, rotation);
            let (rotation, r) = Rotation::onto_first(a[(k + 1, k)], a[(k + 1, k - 1)]);
            (a[(k + 1, k)], a[(k + 1, k - 1)]) = (r, 0.0);
            turn_columns_back(a, k, top..k + 1, rotation);
            turn_columns_back(b, k, top..k, rotation);
            self.pencil.turn_right(k, rotation);
        }
        self.infinite(last)
    }

    fn last_two(&self, last: usize) -> Two {
        let (a, b, k) = (&self.pencil.a, &self.pencil.b, last - 1);
        let block = [a[(k, k)], a[(k, last)], a[(last, k)], a[(last, last)]];
        eigenvalues_of_two(block, [b[(k, k)], b[(k, last)], b[(last, last)]])
    }

    /// A step on a block; tells whether it was one of two rows with complex eigenvalues, which are then known.
    #[inline(always)]
    fn step(&mut self, first: usize, last: usize, fruitless: usize, shift: &mut f64) -> bool {
        let (a, b) = (&self.pencil.a, &self.pencil.b);
        if fruitless.is_multiple_of(STEPS_OF_A_CIRCLE) {
            let (below, above) = (a[(last, last - 1)], b[(last - 1, last - 1)]);
            let least = 30.0 * (self.pencil.high + 1 - self.pencil.low) as f64 * f64::MIN_POSITIVE;
            *shift = if least * below.abs() < above.abs() { below / above } else { *shift + 1.0 / least };
            self.single_step(first, last, 1.0, *shift);
            return false;
        }
        let two = self.last_two(last);
        if two.im != 0.0 {
            if first + 1 == last {
                return self.complex_pair(first);
            }
            let (top, end) = (self.top(first), self.columns(last));
            double_step(&mut self.pencil, first, last, top..end, [self.size_a, self.size_b]);
            return false;
        }
        let distance = |x: f64| (x / two.scale * b[(last, last)] - a[(last, last)]).abs();
        let nearer = if distance(two.first) > distance(two.second) { two.second } else { two.first };
        self.single_step(first, last, two.scale, nearer);
        false
    }

    /// A step with the shift `number / scale`.
    #[inline(always)]
    fn single_step(&mut self, first: usize, last: usize, scale: f64, number: f64) {
        let (top, end) = (self.top(first), self.columns(last));
        let start = self.single_start(first, last, scale, number);
        for j in start..last {
            let Pencil { a, b, .. } = &mut self.pencil;
            let rotation = if j == start {
                let head = scale * a[(j, j)] - number * b[(j, j)];
                Rotation::onto_first(head, scale * a[(j + 1, j)]).0
            } else {
                make_zero_below(a, j, j - 1)
            };
            turn_rows(a, j, j..end, rotation);
            turn_rows(b, j, j..end, rotation);
            self.pencil.clear_b(j + 1, top, last.min(j + 2) + 1);
        }
    }

    /// Where in the block the step may begin, since two small elements follow each other.
    fn single_start(&self, first: usize, last: usize, scale: f64, number: f64) -> usize {
        let (a, b) = (&self.pencil.a, &self.pencil.b);
        let least = (f64::EPSILON * self.size_a).max(f64::MIN_POSITIVE);
        let unit = self.size_a.max(f64::MIN_POSITIVE);
        let begins = |j: &usize| {
            let (left, here) = ((scale * a[(*j, j - 1)]).abs(), (scale * a[(*j, *j)] - number * b[(*j, *j)]).abs());
            let most = left.max(here);
            let (left, here) = if most < 1.0 && most != 0.0 { (left / most, here / most) } else { (left, here) };
            (a[(j + 1, *j)] / unit * left).abs() <= least / unit * here
        };
        (first + 1..last).rev().find(begins).unwrap_or(first)
    }

    /// Makes B diagonal in two rows whose eigenvalues are complex, and notes them; false if they are real now.
    fn complex_pair(&mut self, first: usize) -> bool {
        let last = first + 1;
        let (top, end) = (self.top(first), self.columns(last));
        let Pencil { a, b, right, .. } = &mut self.pencil;
        let mut values = TwoByTwo::of(b[(first, first)], b[(first, last)], b[(last, last)]);
        if values.large < 0.0 {
            (values.large, values.small) = (-values.large, -values.small);
            values.right = Rotation { cosine: -values.right.cosine, sine: -values.right.sine };
        }
        turn_rows(a, first, first..end, values.left);
        turn_rows(b, first, last + 1..end, values.left);
        turn_pair(a, first, top..last + 1, values.right);
        turn_pair(b, first, top..first, values.right);
        let negative = values.small < 0.0;
        let diagonal = [values.large, values.small.abs()];
        (b[(first, first)], b[(first, last)], b[(last, last)]) = (diagonal[0], 0.0, diagonal[1]);
        if let Some(right) = right {
            turn_pair(right, first, 0..right.n, values.right);
        }
        if negative {
            a.column_mut(last)[top..=last].iter_mut().for_each(|x| *x = -*x);
            b.column_mut(last)[top..first].iter_mut().for_each(|x| *x = -*x);
            if let Some(right) = right {
                right.column_mut(last).iter_mut().for_each(|x| *x = -*x);
            }
        }
        let two = self.last_two(last);
        if two.im == 0.0 {
            return false;
        }
        // Both eigenvalues are over one number: LAPACK gives each another, with the same quotient.
        let (re, im) = (two.first / two.scale, two.im / two.scale);
        for (k, im) in [(first, im), (last, -im)] {
            (self.re[k], self.im[k], self.beta[k]) = (re, im, 1.0);
        }
        true
    }
}

/// Turns a column and that after it in these rows.
fn turn_pair(m: &mut Square, column: usize, rows: std::ops::Range<usize>, rotation: Rotation) {
    let (this, next) = m.two_columns(column, column + 1);
    turn(&mut this[rows.clone()], &mut next[rows], rotation);
}

/// The Frobenius norm of a block.
fn norm(m: &Square, low: usize, high: usize) -> f64 {
    (low..=high).flat_map(|j| &m.column(j)[low..=high]).fold(0.0, |sum, x| length_of(sum, *x))
}
