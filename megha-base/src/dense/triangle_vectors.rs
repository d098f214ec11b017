//! Eigenvectors of a real Schur form, by back substitution (Golub and Van Loan, Matrix Computations, 4th edition, 7.6.4; LAPACK's `trevc`, which
//! decides the angle of complex vectors).

use super::number::{Elimination, Number, away_from_zero, quotient, size};
use super::square::Square;
use crate::memory;

const SMALLEST: f64 = f64::MIN_POSITIVE / f64::EPSILON;
/// Where an element would be larger, the vector is scaled.
const LARGEST: f64 = 1e290;

/// The eigenvectors of `vectors * form * vectors'`, the real and the imaginary part of each complex pair in its two columns. Their
/// largest element has about the magnitude one.
#[inline(always)]
pub(super) fn triangle_vectors(form: &Square, vectors: &Square) -> Square {
    let n = form.n;
    let norms: Vec<f64> = memory::gathered((0..n).map(|j| form.column(j)[..j].iter().map(|x| x.abs()).sum()));
    let mut out = Square { n, elements: memory::zeros(n * n) };
    let mut k = n;
    while k > 0 {
        k -= 1;
        let pair = k > 0 && form[(k, k - 1)] != 0.0;
        k -= usize::from(pair);
        let mut solution =
            Substitution { form, norms: &norms, re: memory::zeros(n), im: Vec::new(), eigenvalue: (0.0, 0.0) };
        if pair {
            solution.solve_pair(k);
            let (re, rest) = out.column_and_rest(k);
            add_products(re, vectors, &solution.re);
            add_products(&mut rest[..n], vectors, &solution.im);
            let most = re.iter().zip(&rest[..n]).fold(0.0, |most: f64, (x, y)| most.max(x.abs() + y.abs()));
            re.iter_mut().chain(&mut rest[..n]).for_each(|x| *x /= most);
        } else {
            solution.solve(k);
            let column = out.column_mut(k);
            add_products(column, vectors, &solution.re);
            let most = column.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
            column.iter_mut().for_each(|x| *x /= most);
        }
    }
    out
}

/// Adds the columns times these factors.
#[inline(always)]
pub(super) fn add_products(sum: &mut [f64], columns: &Square, factors: &[f64]) {
    let many = factors.iter().rposition(|x| *x != 0.0).map_or(0, |last| last + 1);
    for (j, &factor) in factors[..many].iter().enumerate() {
        sum.iter_mut().zip(columns.column(j)).for_each(|(sum, x)| *sum += factor * x);
    }
}

/// The solution x of (form - eigenvalue) x = 0, from its last element to the first.
struct Substitution<'a> {
    form: &'a Square,
    /// The sums of the magnitudes above each diagonal element.
    norms: &'a [f64],
    re: Vec<f64>,
    /// Empty where the eigenvalue is real.
    im: Vec<f64>,
    eigenvalue: Number,
}

impl Substitution<'_> {
    /// For the eigenvalue in row k.
    #[inline(always)]
    fn solve(&mut self, k: usize) {
        self.eigenvalue = (self.form[(k, k)], 0.0);
        self.re[k] = 1.0;
        (0..k).for_each(|i| self.re[i] = -self.form[(i, k)]);
        self.substitute(k);
    }

    /// For that with a positive imaginary part of the pair in rows k and k + 1.
    #[inline(always)]
    fn solve_pair(&mut self, k: usize) {
        let t = self.form;
        let (above, below) = (t[(k, k + 1)], t[(k + 1, k)]);
        let im = above.abs().sqrt() * below.abs().sqrt();
        self.eigenvalue = (t[(k, k)], im);
        self.im = memory::zeros(self.re.len());
        if above.abs() >= below.abs() {
            (self.re[k], self.im[k + 1]) = (1.0, im / above);
        } else {
            (self.re[k], self.im[k + 1]) = (-im / below, 1.0);
        }
        for i in 0..k {
            self.re[i] = -self.re[k] * t[(i, k)];
            self.im[i] = -self.im[k + 1] * t[(i, k + 1)];
        }
        self.substitute(k);
    }

    /// Solves the rows before this one for what they hold.
    #[inline(always)]
    fn substitute(&mut self, end: usize) {
        let t = self.form;
        let least = (f64::EPSILON * (self.eigenvalue.0.abs() + self.eigenvalue.1.abs())).max(SMALLEST * t.n as f64);
        let mut j = end;
        while j > 0 {
            j -= 1;
            if j > 0 && t[(j, j - 1)] != 0.0 {
                j -= 1;
                self.divide_two(j, least);
                self.take_away(j, j + 1);
            } else {
                self.divide(j, least);
            }
            self.take_away(j, j);
        }
    }

    #[inline(always)]
    fn number(&self, i: usize) -> Number {
        (self.re[i], self.im.get(i).copied().unwrap_or(0.0))
    }

    #[inline(always)]
    fn set(&mut self, i: usize, (re, im): Number) {
        self.re[i] = re;
        if let Some(part) = self.im.get_mut(i) {
            *part = im;
        }
    }

    /// Scales all if a number over a divisor of this size would be too large.
    #[inline(always)]
    fn make_room(&mut self, size: f64, divisor: f64) {
        if divisor < 1.0 && size > LARGEST * divisor {
            self.scale(1.0 / size);
        }
    }

    #[inline(always)]
    fn scale(&mut self, factor: f64) {
        self.re.iter_mut().chain(&mut self.im).for_each(|x| *x *= factor);
    }

    /// Divides the number in row j by the diagonal's, which is moved away from zero.
    #[inline(always)]
    fn divide(&mut self, j: usize, least: f64) {
        let divisor = away_from_zero((self.form[(j, j)] - self.eigenvalue.0, -self.eigenvalue.1), least);
        self.make_room(size(self.number(j)), size(divisor));
        self.set(j, quotient(self.number(j), divisor));
    }

    /// Solves rows j and j + 1.
    #[inline(always)]
    fn divide_two(&mut self, j: usize, least: f64) {
        let t = self.form;
        let (re, im) = self.eigenvalue;
        let rows =
            [[(t[(j, j)] - re, -im), (t[(j, j + 1)], 0.0)], [(t[(j + 1, j)], 0.0), (t[(j + 1, j + 1)] - re, -im)]];
        let two = Elimination::of(rows, least);
        let most = size(self.number(j)).max(size(self.number(j + 1)));
        self.make_room(most, two.smallest());
        let [x, y] = two.solve([self.number(j), self.number(j + 1)]);
        self.set(j, x);
        self.set(j + 1, y);
    }

    /// Takes the column of what is known in row j from the rows before this one.
    #[inline(always)]
    fn take_away(&mut self, before: usize, j: usize) {
        let most = size(self.number(j));
        if most > 1.0 && self.norms[j] > LARGEST / most {
            self.scale(1.0 / most);
        }
        let (re, im) = self.number(j);
        let column = &self.form.column(j)[..before];
        self.re.iter_mut().zip(column).for_each(|(x, t)| *x -= re * t);
        self.im.iter_mut().zip(column).for_each(|(x, t)| *x -= im * t);
    }
}
