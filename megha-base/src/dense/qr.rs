//! QR factorisation by blocks of Householder's reflections, 1 - V T V' (Schreiber and Van Loan, A storage-efficient WY representation for
//! products of Householder transformations, 1989).
//!
//! The next panel is reduced by the thread that brings it up to date, while others still work on the columns behind it.

use super::reflection::{dot, reflect as reflect_column, reflector};
use super::tile::{Panels, TALL, WIDE, subtract, tile, transpose};
use super::{Machine, PANEL, Work};
use crate::memory;

/// Some reflections one after the other, of rows `top ..`.
pub struct Block {
    top: usize,
    /// V and its transpose.
    tall: Panels,
    wide: Panels,
    /// T, columns first, upper triangular.
    factors: Vec<f64>,
}

/// Replaces a matrix with so many rows by R, with zeros below the diagonal; the result is Q as reflections.
pub fn reflect(a: &mut [f64], rows: usize, machine: &impl Machine) -> Vec<Block> {
    let columns = a.len() / rows.max(1);
    let steps = rows.min(columns);
    let mut blocks: Vec<Block> = Vec::new();
    let mut done = 0;
    while done < columns && rows > 0 {
        let width = PANEL.min(steps - done);
        let (panel, others) = a[done * rows..].split_at_mut(width * rows);
        let mut reduced = None;
        let mut items = vec![(panel, Some(&mut reduced))];
        if done > 0 {
            memory::extend(&mut items, others.chunks_mut(WIDE * rows).map(|columns| (columns, None)));
        }
        let operations = 4 * PANEL * (rows - done) * (columns - done);
        machine.each(items, operations, &Step { rows, top: done, before: blocks.last() });
        if width == 0 {
            break;
        }
        memory::extend(&mut blocks, reduced);
        done += width;
    }
    blocks
}

/// Puts the first columns of Q, of so many rows, into `q`.
pub fn orthogonal(blocks: &[Block], rows: usize, q: &mut [f64], machine: &impl Machine) {
    let columns = q.len() / rows.max(1);
    q.fill(0.0);
    (0..columns).for_each(|j| q[j * rows + j] = 1.0);
    let items: Vec<_> = memory::gathered(q.chunks_mut((WIDE * rows).max(1)).enumerate());
    let operations = blocks.iter().map(|b| 4 * PANEL * (rows - b.top) * (columns.saturating_sub(b.top))).sum();
    machine.each(items, operations, &Columns { blocks, rows });
}

/// Multiplies columns of so many rows by Q from the left.
pub(super) fn multiply(blocks: &[Block], rows: usize, columns: &mut [f64], machine: &impl Machine) {
    let operations = blocks.iter().map(|b| 4 * PANEL * (rows - b.top)).sum::<usize>() * (columns.len() / rows.max(1));
    // Of which number the columns are does not matter to blocks that begin before all that have any.
    let items: Vec<_> = memory::gathered(columns.chunks_mut((WIDE * rows).max(1)).map(|columns| (rows, columns)));
    machine.each(items, operations, &Columns { blocks, rows });
}

/// Brings columns up to date by the block before, if there is one, and reduces those of the next panel.
struct Step<'a> {
    rows: usize,
    top: usize,
    before: Option<&'a Block>,
}

impl Work<(&mut [f64], Option<&mut Option<Block>>)> for Step<'_> {
    #[inline(always)]
    fn run(&self, (columns, reduced): (&mut [f64], Option<&mut Option<Block>>)) {
        if let Some(before) = self.before {
            before.apply(columns, self.rows, true);
        }
        if let Some(reduced) = reduced
            && !columns.is_empty()
        {
            *reduced = Some(Block::of(columns, self.rows, self.top));
        }
    }
}

/// Columns of Q out of those of the identity: a block does not change columns before its first row.
struct Columns<'a> {
    blocks: &'a [Block],
    rows: usize,
}

impl Work<(usize, &mut [f64])> for Columns<'_> {
    #[inline(always)]
    fn run(&self, (number, columns): (usize, &mut [f64])) {
        let end = (number + 1) * WIDE;
        for block in self.blocks.iter().rev().filter(|block| block.top < end) {
            block.apply(columns, self.rows, false);
        }
    }
}

impl Block {
    /// Reduces columns from row `top` on, by as many reflections.
    #[inline(always)]
    fn of(columns: &mut [f64], rows: usize, top: usize) -> Self {
        let (width, height) = (columns.len() / rows, rows - top);
        let mut v = memory::zeros(width * height);
        let mut scales = memory::zeros(width);
        for (j, scale) in scales.iter_mut().enumerate() {
            let (before, rest) = columns.split_at_mut((j + 1) * rows);
            let column = &mut before[j * rows + top + j..];
            let (value, tau) = reflector(column);
            for other in rest.chunks_exact_mut(rows) {
                reflect_column(column, tau, &mut other[top + j..]);
            }
            v[j * height + j..(j + 1) * height].copy_from_slice(column);
            column.fill(0.0);
            column[0] = value;
            *scale = tau;
        }
        Self::new(&v, &scales, top)
    }

    /// The reflections whose v, from row `top` on, are the columns of a matrix that is zero above its diagonal, and their taus.
    #[inline(always)]
    pub(super) fn new(v: &[f64], scales: &[f64], top: usize) -> Self {
        let width = scales.len();
        let height = v.len() / width.max(1);
        let mut factors = memory::zeros(width * width);
        for (j, &tau) in scales.iter().enumerate() {
            let (earlier, now) = v.split_at(j * height);
            add_column(&mut factors, width, earlier, &now[..height], j, tau);
        }
        let (tall, wide) = (Panels::of_rows(v, height, 0), Panels::of_columns(v, height, 0..height));
        Self { top, tall, wide, factors }
    }

    /// Subtracts V T' V' (or V T V') times the columns.
    #[inline(always)]
    fn apply(&self, columns: &mut [f64], rows: usize, transposed: bool) {
        let height = rows - self.top;
        let width = self.tall.depth();
        let mut packed = memory::zeros(height * WIDE);
        let mut products = memory::zeros(width.next_multiple_of(TALL) * WIDE);
        for columns in columns.chunks_mut(WIDE * rows) {
            transpose::<WIDE>(columns, rows, self.top..rows, &mut packed);
            for (left, products) in self.wide.iter().zip(products.chunks_exact_mut(TALL * WIDE)) {
                let sums = tile(left, &packed);
                (0..TALL * WIDE).for_each(|at| products[at] = sums[at % WIDE][at / WIDE]);
            }
            self.multiply(&mut products, transposed);
            for (p, left) in self.tall.iter().enumerate() {
                subtract(&tile(left, &products), columns, rows, self.top + p * TALL);
            }
        }
    }

    /// Rows of `WIDE` elements times T' or T, in place.
    #[inline(always)]
    fn multiply(&self, rows: &mut [f64], transposed: bool) {
        let width = self.tall.depth();
        for step in 0..width {
            let i = if transposed { width - 1 - step } else { step };
            let mut sums = [0.0; WIDE];
            for k in if transposed { 0..i + 1 } else { i..width } {
                let factor = if transposed { self.factors[i * width + k] } else { self.factors[k * width + i] };
                let row = &rows[k * WIDE..(k + 1) * WIDE];
                (0..WIDE).for_each(|j| sums[j] += factor * row[j]);
            }
            rows[i * WIDE..(i + 1) * WIDE].copy_from_slice(&sums);
        }
    }
}

/// Column `j` of T: tau on the diagonal, above it -tau T V' v.
#[inline(always)]
fn add_column(factors: &mut [f64], width: usize, earlier: &[f64], v: &[f64], j: usize, tau: f64) {
    let products: Vec<f64> = memory::gathered(earlier.chunks_exact(v.len()).map(|other| dot(&other[j..], &v[j..])));
    let (known, column) = factors.split_at_mut(j * width);
    for (k, product) in products.iter().enumerate() {
        for (i, t) in known[k * width..][..=k].iter().enumerate() {
            column[i] -= tau * t * product;
        }
    }
    column[j] = tau;
}
