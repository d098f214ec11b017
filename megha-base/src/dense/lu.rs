//! LU factorisation with partial pivoting.
//!
//! Right-looking and blocked (Golub and Van Loan, Matrix Computations, 4th edition, 3.2.11 and 3.4); a panel is halved recursively
//! (Toledo 1997). The next panel is factored by the thread that brings it up to date, while others still work on the columns
//! behind it. What is not blocked adds up products column by column and multiplies by the pivot's reciprocal, as OpenBLAS
//! does: a determinant near zero then has the sign that Octave finds.

use super::tile::{Panels, TALL, WIDE, put_back, reduce_row, subtract, subtract_packed, tile, transpose};
use super::{Machine, PANEL, UNBLOCKED, Work};
use crate::memory;

/// Columns of a panel that are factored without halving it.
const LEAF: usize = 8;
/// Columns behind a panel that are one item of work.
const BLOCK: usize = 16;

/// Replaces a matrix with so many rows by its factors: U, and below the diagonal L without its ones. The result says for each
/// column with which row the one of its number was exchanged.
pub fn factor(a: &mut [f64], rows: usize, machine: &impl Machine) -> Vec<usize> {
    let columns = a.len() / rows.max(1);
    let steps = rows.min(columns);
    let mut pivots = memory::copies(0, steps);
    if steps < UNBLOCKED {
        if steps > 0 {
            let whole = Block { columns: a, pivots: &mut pivots };
            machine.each(vec![whole], 0, &Small(rows));
        }
        return pivots;
    }
    let mut done = 0;
    let mut step = None;
    while done < columns {
        let width = PANEL.min(steps - done);
        let (panel, others) = a[done * rows..].split_at_mut(width * rows);
        let mut items = vec![Block { columns: panel, pivots: &mut pivots[done..done + width] }];
        if done > 0 {
            memory::extend(
                &mut items,
                others.chunks_mut(BLOCK * rows).map(|columns| Block { columns, pivots: &mut [] }),
            );
        }
        let operations = 2 * PANEL * (rows - done) * (columns - done);
        machine.each(items, operations, &Step { rows, top: done, before: step.take() });
        if width == 0 {
            break;
        }
        let factored = &a[done * rows..(done + width) * rows];
        step = Some(Elimination::new(factored, rows, done, memory::copied(&pivots[done..done + width])));
        done += width;
    }
    let left: Vec<_> = memory::gathered(a[..steps * rows].chunks_mut(PANEL * rows).enumerate());
    machine.each(left, rows * steps, &Exchanges { rows, pivots: &pivots });
    pivots
}

/// The rows in the order that exchanges bring them into.
pub fn row_order(pivots: &[usize], rows: usize) -> Vec<usize> {
    let mut order: Vec<usize> = memory::gathered(0..rows);
    pivots.iter().enumerate().for_each(|(k, &pivot)| order.swap(k, pivot));
    order
}

/// The first column whose pivot is zero, of a square matrix that has been factored.
pub fn zero_pivot(factors: &[f64], n: usize) -> Option<usize> {
    factors.iter().step_by(n + 1).position(|&pivot| pivot == 0.0)
}

/// Columns, and where to put the pivots if they are to be factored.
struct Block<'a> {
    columns: &'a mut [f64],
    pivots: &'a mut [usize],
}

/// Factors a matrix of so many rows as one.
struct Small(usize);

impl Work<Block<'_>> for Small {
    #[inline(always)]
    fn run(&self, block: Block<'_>) {
        leaf(block.columns, self.0, 0, block.pivots);
    }
}

/// Brings blocks up to date by the panel before, if there is one, and factors the block that is the next panel.
struct Step {
    rows: usize,
    top: usize,
    before: Option<Elimination>,
}

impl Work<Block<'_>> for Step {
    #[inline(always)]
    fn run(&self, block: Block<'_>) {
        if let Some(before) = &self.before {
            before.apply(block.columns);
        }
        if !block.pivots.is_empty() {
            panel(block.columns, self.rows, self.top, block.pivots);
        }
    }
}

/// The exchanges of later panels in the columns of each.
struct Exchanges<'a> {
    rows: usize,
    pivots: &'a [usize],
}

impl Work<(usize, &mut [f64])> for Exchanges<'_> {
    #[inline(always)]
    fn run(&self, (number, columns): (usize, &mut [f64])) {
        let first = (PANEL * (number + 1)).min(self.pivots.len());
        exchange(columns, self.rows, first, &self.pivots[first..]);
    }
}

#[inline(always)]
fn exchange(columns: &mut [f64], rows: usize, first: usize, pivots: &[usize]) {
    for column in columns.chunks_exact_mut(rows) {
        pivots.iter().enumerate().for_each(|(k, &pivot)| column.swap(first + k, pivot));
    }
}

/// What a factored panel does to the columns behind it.
struct Elimination {
    rows: usize,
    top: usize,
    pivots: Vec<usize>,
    lower: Panels,
}

impl Elimination {
    #[inline(always)]
    fn new(factored: &[f64], rows: usize, top: usize, pivots: Vec<usize>) -> Self {
        Self { rows, top, pivots, lower: Panels::of_rows(factored, rows, top) }
    }

    #[inline(always)]
    fn apply(&self, columns: &mut [f64]) {
        let (rows, width) = (self.rows, self.lower.depth());
        exchange(columns, rows, self.top, &self.pivots);
        let mut packed = memory::zeros(columns.len().div_ceil(rows * WIDE) * width * WIDE);
        for (columns, right) in columns.chunks_mut(WIDE * rows).zip(packed.chunks_exact_mut(width * WIDE)) {
            transpose::<WIDE>(columns, rows, self.top..self.top + width, right);
            self.forward(right);
            put_back(right, columns, rows, self.top);
        }
        for (p, left) in self.lower.iter().enumerate().skip(width.div_ceil(TALL)) {
            for (columns, right) in columns.chunks_mut(WIDE * rows).zip(packed.chunks_exact(width * WIDE)) {
                subtract(&tile(left, right), columns, rows, self.top + p * TALL);
            }
        }
    }

    /// Solves with the panel's square of L.
    #[inline(always)]
    fn forward(&self, right: &mut [f64]) {
        let width = self.lower.depth();
        for (p, left) in self.lower.iter().enumerate().take(width.div_ceil(TALL)) {
            let top = p * TALL;
            let (known, rest) = right.split_at_mut(top * WIDE);
            subtract_packed(&tile(&left[..top * TALL], known), rest);
            for i in 1..TALL.min(width - top) {
                reduce_row(rest, i, (0..i).map(|k| (k, left[(top + k) * TALL + i])), None);
            }
        }
    }
}

/// Factors columns from row `top` on, a few at a time.
#[inline(always)]
fn panel(columns: &mut [f64], rows: usize, top: usize, pivots: &mut [usize]) {
    let width = pivots.len();
    for from in (0..width).step_by(LEAF) {
        let to = (from + LEAF).min(width);
        let (before, rest) = columns.split_at_mut(from * rows);
        let (now, after) = rest.split_at_mut((to - from) * rows);
        leaf(now, rows, top + from, &mut pivots[from..to]);
        exchange(before, rows, top + from, &pivots[from..to]);
        if to < width {
            Elimination::new(now, rows, top + from, memory::copied(&pivots[from..to])).apply(after);
        }
    }
}

/// Factors columns from row `top` on, one by one: as many as there are pivots, and the part of U of those behind.
#[inline(always)]
fn leaf(columns: &mut [f64], rows: usize, top: usize, pivots: &mut [usize]) {
    for j in 0..columns.len() / rows {
        let (done, rest) = columns.split_at_mut(j * rows);
        let known = j.min(pivots.len());
        eliminate(&done[..known * rows], &mut rest[..rows], top);
        if j < pivots.len() {
            pivots[j] = top + j + largest(&rest[top + j..rows]);
            for column in columns.chunks_exact_mut(rows) {
                column.swap(top + j, pivots[j]);
            }
            divide(&mut columns[j * rows + top + j..(j + 1) * rows]);
        }
    }
}

/// What the columns before, factored from row `top` on, leave of a column.
#[inline(always)]
fn eliminate(done: &[f64], column: &mut [f64], top: usize) {
    let rows = column.len();
    let known = done.len() / rows;
    let mut upper = [0.0; UNBLOCKED];
    for i in 0..known {
        let sum = (0..i).fold(0.0, |sum, k| sum + done[k * rows + top + i] * upper[k]);
        upper[i] = column[top + i] - sum;
        column[top + i] = upper[i];
    }
    for (p, part) in column[top + known..].chunks_mut(TALL).enumerate() {
        let mut sums = [0.0; TALL];
        for (before, factor) in done.chunks_exact(rows).zip(upper) {
            let before = &before[top + known + p * TALL..][..part.len()];
            sums.iter_mut().zip(before).for_each(|(sum, x)| *sum += x * factor);
        }
        part.iter_mut().zip(sums).for_each(|(x, sum)| *x -= sum);
    }
}

/// Index of the first element of largest magnitude, or of a NaN before it.
#[inline(always)]
fn largest(column: &[f64]) -> usize {
    let mut most = [0.0; TALL];
    for part in column.chunks(TALL) {
        most.iter_mut().zip(part).for_each(|(most, x)| *most = if x.abs() > *most { x.abs() } else { *most });
    }
    let most = most.into_iter().fold(0.0, f64::max);
    let found = if most == 0.0 { column.iter().position(|x| x.is_nan()) } else { None };
    found.or_else(|| column.iter().position(|x| x.abs() == most)).unwrap_or(0)
}

/// Divides what follows the first element by it.
#[inline(always)]
fn divide(column: &mut [f64]) {
    let Some((&mut pivot, below)) = column.split_first_mut() else { return };
    if pivot.abs() >= f64::MIN_POSITIVE {
        let factor = 1.0 / pivot;
        below.iter_mut().for_each(|x| *x *= factor);
    } else if pivot != 0.0 {
        below.iter_mut().for_each(|x| *x /= pivot);
    }
}
