//! Cholesky factorisation by blocks of columns (Golub and Van Loan, Matrix Computations, 4th edition, 4.2.6): the rows above a block's
//! diagonal by substitution with the factor so far, what they leave of the diagonal square column by column.

use super::substitution::Triangle;
use super::tile::{Panels, TALL, WIDE, put_back, subtract, tile, transpose};
use super::{Machine, PANEL, UNBLOCKED, Work};
use crate::memory;

/// Replaces the upper triangle of a matrix of order n by that of R, where R' * R is the matrix, and what is below by zeros.
/// If the matrix is not positive definite, the diagonal is zero where that is found, and so is all behind it.
pub fn cholesky(a: &mut [f64], n: usize, machine: &impl Machine) {
    (0..n).for_each(|j| a[j * n + j + 1..(j + 1) * n].fill(0.0));
    let width = if n < UNBLOCKED { n.max(1) } else { PANEL };
    let mut known = Triangle::new();
    for from in (0..n).step_by(width) {
        let to = (from + width).min(n);
        let (block, behind) = a[from * n..].split_at_mut((to - from) * n);
        let mut packed = memory::zeros((to - from).next_multiple_of(WIDE) * from);
        if from > 0 {
            let items = memory::gathered(block.chunks_mut(WIDE * n).zip(packed.chunks_mut(WIDE * from)));
            machine.each(items, from * from * width, &Above { known: &known, n });
        }
        let mut positive = true;
        let diagonal = Diagonal { packed: &packed, n, from };
        machine.each(vec![(&mut *block, &mut positive)], 0, &diagonal);
        if !positive {
            behind.fill(0.0);
            return;
        }
        known.append_columns(block, n);
    }
}

/// Solves for the rows above the diagonal squares of columns, and keeps them row by row as well.
struct Above<'a> {
    known: &'a Triangle,
    n: usize,
}

impl Work<(&mut [f64], &mut [f64])> for Above<'_> {
    #[inline(always)]
    fn run(&self, (columns, packed): (&mut [f64], &mut [f64])) {
        let rows = self.known.order();
        for (columns, packed) in columns.chunks_mut(WIDE * self.n).zip(packed.chunks_exact_mut(WIDE * rows)) {
            transpose::<WIDE>(columns, self.n, 0..rows, packed);
            self.known.forward(packed, 0, false);
            put_back(packed, columns, self.n, 0);
        }
    }
}

/// Factors the diagonal square of a block of columns; tells whether it is positive definite.
struct Diagonal<'a> {
    packed: &'a [f64],
    n: usize,
    from: usize,
}

impl Work<(&mut [f64], &mut bool)> for Diagonal<'_> {
    #[inline(always)]
    fn run(&self, (block, positive): (&mut [f64], &mut bool)) {
        let Self { packed, n, from } = *self;
        let above = Panels::of_columns(block, n, 0..from);
        for (p, left) in above.iter().enumerate() {
            let pairs = block.chunks_mut(WIDE * n).zip(packed.chunks_exact((WIDE * from).max(1)));
            for (columns, right) in pairs.skip(p * TALL / WIDE) {
                subtract(&tile(left, right), columns, n, from + p * TALL);
            }
        }
        let width = block.len() / n;
        let mut lower = memory::zeros(width * width);
        for (i, column) in block.chunks_exact(n).enumerate() {
            (0..=i).for_each(|j| lower[j * width + i] = column[from + j]);
        }
        let found = columns_of(&mut lower, width);
        *positive = found == width;
        for (i, column) in block.chunks_exact_mut(n).enumerate() {
            (0..width).for_each(|j| column[from + j] = if i < found { lower[j * width + i] } else { 0.0 });
            if i >= found {
                column.fill(0.0);
            }
        }
    }
}

/// Replaces a lower triangle by its factor as far as it is positive definite: so many columns.
#[inline(always)]
fn columns_of(lower: &mut [f64], width: usize) -> usize {
    for j in 0..width {
        let (known, rest) = lower.split_at_mut(j * width);
        let column = &mut rest[j..width];
        for before in known.chunks_exact(width) {
            let factor = before[j];
            column.iter_mut().zip(&before[j..]).for_each(|(x, l)| *x -= l * factor);
        }
        if column[0].is_nan() || column[0] <= 0.0 {
            return j;
        }
        let length = column[0].sqrt();
        column[0] = length;
        column[1..].iter_mut().for_each(|x| *x /= length);
    }
    width
}
