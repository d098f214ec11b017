//! Square matrices, columns first, as the computations of eigenvalues work on them.

use crate::memory;
use std::ops::{Index, IndexMut};

use super::rotation::Rotation;

/// A square matrix of order `n`.
pub(super) struct Square {
    pub n: usize,
    pub elements: Vec<f64>,
}

impl Square {
    pub fn of(elements: &[f64], n: usize) -> Self {
        Self { n, elements: memory::copied(elements) }
    }

    pub fn identity(n: usize) -> Self {
        let mut out = Self { n, elements: memory::zeros(n * n) };
        (0..n).for_each(|i| out[(i, i)] = 1.0);
        out
    }

    #[inline(always)]
    pub fn column(&self, j: usize) -> &[f64] {
        &self.elements[j * self.n..(j + 1) * self.n]
    }

    #[inline(always)]
    pub fn column_mut(&mut self, j: usize) -> &mut [f64] {
        &mut self.elements[j * self.n..(j + 1) * self.n]
    }

    /// Two columns, of which the first is before the second.
    #[inline(always)]
    pub fn two_columns(&mut self, j: usize, k: usize) -> (&mut [f64], &mut [f64]) {
        let (before, from) = self.elements.split_at_mut(k * self.n);
        (&mut before[j * self.n..(j + 1) * self.n], &mut from[..self.n])
    }

    /// A column and all that follow it, which lie one behind the other.
    #[inline(always)]
    pub fn column_and_rest(&mut self, j: usize) -> (&mut [f64], &mut [f64]) {
        self.elements[j * self.n..].split_at_mut(self.n)
    }

    /// Exchanges rows and columns p and q.
    pub fn exchange(&mut self, p: usize, q: usize) {
        if p == q {
            return;
        }
        self.exchange_columns(p, q);
        self.exchange_rows(p, q);
    }

    pub fn exchange_columns(&mut self, p: usize, q: usize) {
        for i in 0..self.n {
            self.elements.swap(i + p * self.n, i + q * self.n);
        }
    }

    pub fn exchange_rows(&mut self, p: usize, q: usize) {
        for j in 0..self.n {
            self.elements.swap(p + j * self.n, q + j * self.n);
        }
    }

    /// Whether it equals its transpose.
    pub fn is_symmetric(&self) -> bool {
        (0..self.n).all(|j| (0..j).all(|i| self[(i, j)] == self[(j, i)]))
    }

    /// The largest magnitude of an element.
    pub fn largest(&self) -> f64 {
        self.elements.iter().fold(0.0, |most: f64, x| most.max(x.abs()))
    }

    /// Takes a power of two out of elements whose squares would overflow or vanish, so that the largest is about the nearest limit, and
    /// returns it. LAPACK does not go further, and some of its tests are absolute.
    pub fn moderate(&mut self) -> f64 {
        let largest = self.largest();
        let limit = if largest > LARGEST { LARGEST } else { SMALLEST };
        if largest == 0.0 || !largest.is_finite() || (SMALLEST..=LARGEST).contains(&largest) {
            return 1.0;
        }
        let factor = 2.0_f64.powi((largest.log2() - limit.log2()).round() as i32);
        self.elements.iter_mut().for_each(|x| *x /= factor);
        factor
    }
}

/// LAPACK's `geev` leaves matrices as they are whose largest element is between these.
const SMALLEST: f64 = 6.717876107567089e-139;
const LARGEST: f64 = 1.0 / SMALLEST;

impl Index<(usize, usize)> for Square {
    type Output = f64;

    #[inline(always)]
    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        &self.elements[i + j * self.n]
    }
}

impl IndexMut<(usize, usize)> for Square {
    #[inline(always)]
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
        &mut self.elements[i + j * self.n]
    }
}

/// Turns two columns in their plane: the first becomes cosine x + sine y, the second cosine y - sine x.
#[inline(always)]
pub(super) fn turn(x: &mut [f64], y: &mut [f64], Rotation { cosine, sine }: Rotation) {
    for (x, y) in x.iter_mut().zip(y) {
        (*x, *y) = (cosine * *x + sine * *y, cosine * *y - sine * *x);
    }
}

/// The length of (f, g).
#[inline(always)]
pub(super) fn length_of(f: f64, g: f64) -> f64 {
    let square = f * f + g * g;
    if square > 1e-280 && square < 1e290 { square.sqrt() } else { crate::math::hypot(f, g) }
}
