//! Eigenvectors of symmetric matrices: Householder's reduction to tridiagonal form, then implicit QL steps (Golub and Van Loan, Matrix
//! Computations, 4th edition, 8.3; EISPACK's `tql2`).
//!
//! Vectors have a sign, and users see it, so all that decides it is LAPACK's choice for an upper triangle: the reduction begins in the last
//! column, a block of the tridiagonal form whose last element is smaller than its first is worked on from its other end, and eigenvalues are
//! put into ascending order by exchanges.

use super::reflection::reflect;
use super::rotation::Rotation;
use super::square::{Square, length_of, turn};
use super::symmetric::tridiagonal;

/// Half the distance from one to the next number.
const ROUNDING: f64 = f64::EPSILON / 2.0;

/// The eigenvectors, in columns, and their eigenvalues in ascending order of a symmetric matrix; `None` if the iterations do not
/// converge.
#[inline(always)]
pub(super) fn symmetric_eigenvectors(mut a: Square) -> Option<(Square, Vec<f64>)> {
    let n = a.n;
    let factor = a.moderate();
    // The reduction of the lower triangle begins in the first column.
    a.elements.reverse();
    let (mut d, mut e, scales) = tridiagonal(&mut a.elements, n);
    let mut vectors = product_of_reflections(&a, &scales);
    d.reverse();
    e.reverse();
    vectors.elements.reverse();
    let mut form = Tridiagonal { d, e, vectors, steps: 30 * n };
    form.diagonalize()?;
    form.sort();
    form.d.iter_mut().for_each(|value| *value *= factor);
    Some((form.vectors, form.d))
}

/// The product of the reflections whose directions are below the subdiagonal, with these scales.
#[inline(always)]
fn product_of_reflections(a: &Square, scales: &[f64]) -> Square {
    let n = a.n;
    let mut q = Square::identity(n);
    for (k, &scale) in scales.iter().enumerate().rev().filter(|(_, scale)| **scale != 0.0) {
        let direction = &a.column(k)[k + 1..];
        q.elements[(k + 1) * n..]
            .chunks_exact_mut(n)
            .for_each(|column| reflect(direction, scale, &mut column[k + 1..]));
    }
    q
}

/// A tridiagonal matrix, whose subdiagonal is `e`, and the rotations so far.
struct Tridiagonal {
    d: Vec<f64>,
    e: Vec<f64>,
    vectors: Square,
    /// How many steps may still be done.
    steps: usize,
}

/// Rows of the matrix, worked on from the first to the last or, if it is turned round, from the last to the first.
#[derive(Clone, Copy)]
struct Block {
    first: usize,
    last: usize,
    turned: bool,
}

impl Block {
    /// The row that is number i of the way.
    #[inline(always)]
    fn row(self, i: usize) -> usize {
        if self.turned { self.last - i } else { self.first + i }
    }

    /// Where the element of the subdiagonal is between numbers i and i + 1 of the way.
    #[inline(always)]
    fn between(self, i: usize) -> usize {
        if self.turned { self.last - i - 1 } else { self.first + i }
    }
}

impl Tridiagonal {
    #[inline(always)]
    fn diagonalize(&mut self) -> Option<()> {
        let n = self.d.len();
        let mut first = 0;
        while first < n {
            let last = (first..n - 1).find(|&i| self.separates(i)).unwrap_or(n - 1);
            if last + 1 < n {
                self.e[last] = 0.0;
            }
            let turned = self.d[last].abs() < self.d[first].abs();
            self.iterate(Block { first, last, turned })?;
            first = last + 1;
        }
        Some(())
    }

    #[inline(always)]
    fn separates(&self, i: usize) -> bool {
        self.e[i].abs() <= self.d[i].abs().sqrt() * self.d[i + 1].abs().sqrt() * ROUNDING
    }

    /// Steps until the subdiagonal of a block is zero.
    #[inline(always)]
    fn iterate(&mut self, block: Block) -> Option<()> {
        let end = block.last - block.first;
        let mut begin = 0;
        while begin <= end {
            let m = (begin..end).find(|&i| self.negligible(block, i)).unwrap_or(end);
            if m < end {
                self.e[block.between(m)] = 0.0;
            }
            match m - begin {
                0 => begin += 1,
                1 => {
                    self.two_rows(block.between(begin));
                    begin += 2;
                }
                _ => {
                    self.steps = self.steps.checked_sub(1)?;
                    self.step(block, begin, m);
                }
            }
        }
        Some(())
    }

    #[inline(always)]
    fn negligible(&self, block: Block, i: usize) -> bool {
        let off = self.e[block.between(i)].abs();
        let product = ROUNDING * ROUNDING * self.d[block.row(i)].abs() * self.d[block.row(i + 1)].abs();
        off * off <= product + f64::MIN_POSITIVE
    }

    /// Diagonalises rows k and k + 1.
    #[inline(always)]
    fn two_rows(&mut self, k: usize) {
        let (values, turning) = two_by_two(self.d[k], self.e[k], self.d[k + 1]);
        [self.d[k], self.d[k + 1]] = values;
        self.e[k] = 0.0;
        let (x, y) = self.vectors.two_columns(k, k + 1);
        turn(x, y, turning);
    }

    /// One step with Wilkinson's shift on numbers begin to end of the way, from the end.
    #[inline(always)]
    fn step(&mut self, block: Block, begin: usize, end: usize) {
        let (row, between) = (|i| block.row(i), |i| block.between(i));
        let start = self.d[row(begin)];
        let off = self.e[between(begin)];
        let half = (self.d[row(begin + 1)] - start) / (2.0 * off);
        let mut g = self.d[row(end)] - start + off / (half + length_of(half, 1.0).copysign(half));
        let (mut cosine, mut sine, mut p) = (1.0, 1.0, 0.0);
        for i in (begin..end).rev() {
            let (f, b) = (sine * self.e[between(i)], cosine * self.e[between(i)]);
            let (rotation, r) = Rotation::onto_first(g, f);
            Rotation { cosine, sine } = rotation;
            if i + 1 < end {
                self.e[between(i + 1)] = r;
            }
            g = self.d[row(i + 1)] - p;
            let r = (self.d[row(i)] - g) * sine + 2.0 * cosine * b;
            p = sine * r;
            self.d[row(i + 1)] = g + p;
            g = cosine * r - b;
            let (x, y) = self.vectors.two_columns(between(i), between(i) + 1);
            turn(x, y, if block.turned { rotation } else { rotation.back() });
        }
        self.d[row(begin)] -= p;
        self.e[between(begin)] = g;
    }

    /// Ascending, by exchanges, which decide the order of the vectors of equal eigenvalues.
    fn sort(&mut self) {
        for i in 0..self.d.len() {
            let least = (i + 1..self.d.len()).fold(i, |k, j| if self.d[j] < self.d[k] { j } else { k });
            if least != i {
                self.d.swap(i, least);
                self.vectors.exchange_columns(i, least);
            }
        }
    }
}

/// The eigenvalues of [a, b; b, c], that of the larger magnitude first, and cosine and sine of the direction of its eigenvector.
fn two_by_two(a: f64, b: f64, c: f64) -> ([f64; 2], Rotation) {
    let (total, difference, twice) = (a + c, a - c, b + b);
    let root = length_of(difference, twice);
    let values = if total == 0.0 {
        [0.5 * root, -0.5 * root]
    } else {
        let large = 0.5 * (total + root.copysign(total));
        let (far, near) = if a.abs() > c.abs() { (a, c) } else { (c, a) };
        [large, (far / large) * near - (b / large) * b]
    };
    let along = difference + if difference >= 0.0 { root } else { -root };
    let (cosine, sine) = if along.abs() > twice.abs() {
        let cotangent = -twice / along;
        let sine = 1.0 / (1.0 + cotangent * cotangent).sqrt();
        (cotangent * sine, sine)
    } else if twice == 0.0 {
        (1.0, 0.0)
    } else {
        let tangent = -along / twice;
        let cosine = 1.0 / (1.0 + tangent * tangent).sqrt();
        (cosine, tangent * cosine)
    };
    // What was found is the other eigenvector's direction where sum and difference have one sign.
    let turned = (total >= 0.0) == (difference >= 0.0);
    (values, if turned { Rotation { cosine: -sine, sine: cosine } } else { Rotation { cosine, sine } })
}
