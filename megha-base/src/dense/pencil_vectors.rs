//! Eigenvectors of a generalised Schur form, by back substitution (C. B. Moler and G. W. Stewart 1973; LAPACK's `tgevc`, which decides the
//! angle of complex vectors).

use super::number::{Elimination, Number, away_from_zero, minus, product, quotient, size};
use super::pencil::Pencil;
use super::pencil_block::eigenvalues_of_two;
use super::square::Square;
use super::triangle_vectors::add_products;
use crate::memory;

/// Where an element is larger, the vector is scaled. A step makes it larger by at most the reciprocal of a rounding error.
const LARGEST: f64 = 1e100;

/// The eigenvectors, the real and the imaginary part of each complex pair in its two columns. Their largest element has the size one.
#[inline(always)]
pub(super) fn pencil_vectors(pencil: &Pencil, right: &Square) -> Square {
    let n = right.n;
    let norms = [&pencil.a, &pencil.b].map(|m| largest_sum(m).max(f64::MIN_POSITIVE));
    let mut out = Square { n, elements: memory::zeros(n * n) };
    let mut k = n;
    while k > 0 {
        k -= 1;
        let pair = k > 0 && pencil.a[(k, k - 1)] != 0.0;
        k -= usize::from(pair);
        let (re, rest) = out.column_and_rest(k);
        let found = if pair { Some(pair_solution(pencil, k, norms)) } else { solution(pencil, k, norms) };
        let Some(x) = found else {
            re[k] = 1.0;
            continue;
        };
        let part = |of: fn(&Number) -> f64| memory::gathered(x.iter().map(of));
        add_products(re, right, &part(|x| x.0));
        let im = &mut rest[..if pair { n } else { 0 }];
        add_products(im, right, &part(|x| x.1));
        let of_im = im.iter().copied().chain(std::iter::repeat(0.0));
        let most = re.iter().zip(of_im).fold(0.0, |most: f64, (x, y)| most.max(x.abs() + y.abs()));
        re.iter_mut().chain(im).for_each(|x| *x /= most);
    }
    out
}

/// The largest sum of the magnitudes of a column.
fn largest_sum(m: &Square) -> f64 {
    (0..m.n).map(|j| m.column(j).iter().map(|x| x.abs()).sum()).fold(0.0, f64::max)
}

/// That of the real eigenvalue in row k; none where the row is zero in both matrices.
#[inline(always)]
fn solution(pencil: &Pencil, k: usize, [norm_a, norm_b]: [f64; 2]) -> Option<Vec<Number>> {
    let (s, p) = (pencil.a[(k, k)], pencil.b[(k, k)]);
    if s.abs() <= f64::MIN_POSITIVE && p.abs() <= f64::MIN_POSITIVE {
        return None;
    }
    let most = (s.abs() / norm_a).max(p.abs() / norm_b);
    let system = System { pencil, by_a: p / norm_b / most / norm_a, by_b: (s / norm_a / most / norm_b, 0.0) };
    let mut x = memory::copies((0.0, 0.0), k + 1);
    x[k].0 = 1.0;
    system.take_away(&mut x, k, k);
    system.substitute(&mut x, k, [norm_a, norm_b]);
    Some(x)
}

/// That of the eigenvalue with a positive imaginary part in rows k and k + 1, where B is diagonal.
#[inline(always)]
fn pair_solution(pencil: &Pencil, k: usize, [norm_a, norm_b]: [f64; 2]) -> Vec<Number> {
    let (s, p, l) = (&pencil.a, &pencil.b, k + 1);
    let two = eigenvalues_of_two([s[(k, k)], s[(k, l)], s[(l, k)], s[(l, l)]], [p[(k, k)], p[(k, l)], p[(l, l)]]);
    let most = (two.scale * norm_a).max(size((two.first, two.im)) * norm_b);
    let system = System { pencil, by_a: two.scale / most, by_b: (two.first / most, two.im / most) };
    let mut x = memory::copies((0.0, 0.0), k + 2);
    let (below, here) = (system.element(l, k), system.element(l, l));
    if size(below) >= size(here) {
        x[l] = (1.0, 0.0);
        x[k] = quotient((-here.0, -here.1), below);
    } else {
        let above = system.element(k, k);
        x[k] = (1.0, 0.0);
        x[l] = quotient((-above.0, -above.1), (system.by_a * s[(k, l)], 0.0));
    }
    system.take_away(&mut x, k, k);
    system.take_away(&mut x, k, l);
    system.substitute(&mut x, k, [norm_a, norm_b]);
    x
}

/// The matrix `by_a * A - by_b * B`.
struct System<'a> {
    pencil: &'a Pencil,
    by_a: f64,
    by_b: Number,
}

impl System<'_> {
    #[inline(always)]
    fn element(&self, i: usize, j: usize) -> Number {
        let (s, p) = (self.pencil.a[(i, j)], self.pencil.b[(i, j)]);
        (self.by_a * s - self.by_b.0 * p, -self.by_b.1 * p)
    }

    /// Takes the column of what is known in row j from the rows before this one.
    #[inline(always)]
    fn take_away(&self, x: &mut [Number], before: usize, j: usize) {
        let known = x[j];
        for (i, x) in x[..before].iter_mut().enumerate() {
            *x = minus(*x, product(self.element(i, j), known));
        }
    }

    /// Solves the rows before this one for what they hold.
    #[inline(always)]
    fn substitute(&self, x: &mut [Number], end: usize, [norm_a, norm_b]: [f64; 2]) {
        let size_of_both = (self.by_a.abs() * norm_a).max(size(self.by_b) * norm_b);
        let least = (f64::EPSILON * size_of_both).max(f64::MIN_POSITIVE);
        let mut j = end;
        while j > 0 {
            let below = j;
            j -= 1;
            if j > 0 && self.pencil.a[(j, j - 1)] != 0.0 {
                j -= 1;
                let row = |i| [self.element(i, j), self.element(i, j + 1)];
                let found = Elimination::of([row(j), row(j + 1)], least).solve([x[j], x[j + 1]]);
                x[j..below].copy_from_slice(&found);
                self.take_away(x, j, j + 1);
            } else {
                x[j] = quotient(x[j], away_from_zero(self.element(j, j), least));
            }
            self.take_away(x, j, j);
            if x[j..below].iter().any(|x| size(*x) > LARGEST) {
                x.iter_mut().for_each(|x| *x = (x.0 / LARGEST, x.1 / LARGEST));
            }
        }
    }
}
