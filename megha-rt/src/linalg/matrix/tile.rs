//! Some rows and columns of a product, whose sums stay in registers.

use std::ops::Range;

use super::pack::Panel;
use super::{Lanes, Product, Real};

/// Columns of the narrower tile, for what is left of the wide ones.
const NARROW: usize = 4;
/// Rows and columns that are added up at once without packing.
const SMALL: usize = 4;

impl<T: Real> Product<T> {
    /// Adds some terms to a tile of the result, or begins it.
    ///
    /// # Safety
    /// The factors hold the terms of as many rows and columns; the result is this thread's there. The machine has the instruction set.
    #[inline(always)]
    pub(super) unsafe fn tile<V: Lanes<T>, const WIDE: usize>(
        &self,
        left: Panel<T>,
        right: *const T,
        rows: Range<usize>,
        columns: Range<usize>,
        terms: Range<usize>,
    ) {
        let task = Task { left, right, apart: WIDE, rows, columns, terms };
        // SAFETY: the caller's promise.
        unsafe {
            match (left.width / V::LEN, task.columns.len() <= NARROW) {
                (1, false) => self.update::<V, 1, WIDE>(&task),
                (2, false) => self.update::<V, 2, WIDE>(&task),
                (_, false) => self.update::<V, 3, WIDE>(&task),
                (1, true) => self.update::<V, 1, NARROW>(&task),
                (2, true) => self.update::<V, 2, NARROW>(&task),
                (_, true) => self.update::<V, 3, NARROW>(&task),
            }
        }
    }

    #[inline(always)]
    unsafe fn update<V: Lanes<T>, const TALL: usize, const WIDE: usize>(&self, task: &Task<T>) {
        let (out, [down, along]) = self.out;
        let out = out.wrapping_offset(task.rows.start as isize * down + task.columns.start as isize * along);
        let whole = down == 1 && task.rows.len() == TALL * V::LEN && task.columns.len() == WIDE;
        // SAFETY: the caller's promise.
        unsafe {
            match whole {
                true => task.whole::<V, TALL, WIDE>(out, along),
                false => task.edge::<V, TALL, WIDE>(out, [down, along]),
            }
        }
    }
}

/// Most rows of a tile: three registers of 64 bytes of singles.
const MOST: usize = 48;

/// What a tile is made of.
struct Task<T> {
    left: Panel<T>,
    /// Packed columns, term by term.
    right: *const T,
    /// From one term of the columns to the next.
    apart: usize,
    rows: Range<usize>,
    columns: Range<usize>,
    terms: Range<usize>,
}

impl<T: Real> Task<T> {
    /// Adds to a tile of which all rows, neighbours in memory, and columns are the result's.
    #[inline(always)]
    unsafe fn whole<V: Lanes<T>, const TALL: usize, const WIDE: usize>(&self, out: *mut T, along: isize) {
        let at = |r: usize, c: usize| out.wrapping_offset((r * V::LEN) as isize + c as isize * along);
        // SAFETY: the tile is in the result, and this thread's; the machine has the instruction set.
        unsafe {
            let mut sums = [[V::all(T::ZERO); TALL]; WIDE];
            if self.terms.start > 0 {
                sums = std::array::from_fn(|c| std::array::from_fn(|r| V::load(at(r, c))));
            }
            sums = self.added(sums);
            for (c, column) in sums.iter().enumerate() {
                for (r, sum) in column.iter().enumerate() {
                    sum.store(at(r, c));
                }
            }
        }
    }

    /// Adds to a tile at the edge of the result, or of one whose rows lie apart.
    #[inline(always)]
    unsafe fn edge<V: Lanes<T>, const TALL: usize, const WIDE: usize>(&self, out: *mut T, [down, along]: [isize; 2]) {
        let (rows, columns) = (self.rows.len(), self.columns.len());
        let at = |r: usize, c: usize| out.wrapping_offset(r as isize * down + c as isize * along);
        let mut tile = [[T::ZERO; MOST]; WIDE];
        // SAFETY: these rows and columns are in the result, and this thread's; the machine has the instruction set.
        unsafe {
            if self.terms.start > 0 {
                for (c, column) in tile.iter_mut().enumerate().take(columns) {
                    (0..rows).for_each(|r| column[r] = *at(r, c));
                }
            }
            let part = |c: usize, r: usize| tile[c][r * V::LEN..][..V::LEN].as_ptr();
            let sums =
                self.added::<V, TALL, WIDE>(std::array::from_fn(|c| std::array::from_fn(|r| V::load(part(c, r)))));
            for (sums, column) in sums.iter().zip(&mut tile) {
                for (r, sum) in sums.iter().enumerate() {
                    sum.store(column[r * V::LEN..][..V::LEN].as_mut_ptr());
                }
            }
            for (c, column) in tile.iter().enumerate().take(columns) {
                (0..rows).for_each(|r| at(r, c).write(column[r]));
            }
        }
    }

    /// The sums with all terms added, in order.
    #[inline(always)]
    unsafe fn added<V: Lanes<T>, const TALL: usize, const WIDE: usize>(
        &self,
        mut sums: [[V; TALL]; WIDE],
    ) -> [[V; TALL]; WIDE] {
        let (mut left, mut right) = (self.left.start, self.right);
        for _ in 0..self.terms.len() {
            // SAFETY: the panels hold as many rows and columns of each term; the machine has the instruction set.
            unsafe {
                let rows: [V; TALL] = std::array::from_fn(|r| V::load(left.add(r * V::LEN)));
                for (c, sums) in sums.iter_mut().enumerate() {
                    let factor = V::all(*right.add(c));
                    for (sum, row) in sums.iter_mut().zip(rows) {
                        *sum = sum.plus_product(row, factor);
                    }
                }
            }
            (left, right) = (left.wrapping_offset(self.left.step), right.wrapping_add(self.apart));
        }
        sums
    }
}

/// The whole product, of few rows, columns and terms, straight from memory.
#[inline(always)]
pub(super) fn direct<T: Real>(product: &Product<T>) {
    let (rows, columns) = (product.left.count, product.right.count);
    let (whole_rows, whole_columns) = (rows / SMALL * SMALL, columns / SMALL * SMALL);
    for column in (0..whole_columns).step_by(SMALL) {
        for row in (0..whole_rows).step_by(SMALL) {
            small::<T, SMALL, SMALL>(product, row, column);
        }
        for row in whole_rows..rows {
            small::<T, 1, SMALL>(product, row, column);
        }
    }
    for column in whole_columns..columns {
        for row in (0..whole_rows).step_by(SMALL) {
            small::<T, SMALL, 1>(product, row, column);
        }
        for row in whole_rows..rows {
            small::<T, 1, 1>(product, row, column);
        }
    }
}

#[inline(always)]
fn small<T: Real, const TALL: usize, const WIDE: usize>(product: &Product<T>, row: usize, column: usize) {
    let Product { left, right, out: (out, [down, along]), .. } = product;
    let mut sums = [[T::ZERO; TALL]; WIDE];
    for k in 0..product.inner {
        // SAFETY: the rows and columns are the factors'.
        let rows: [T; TALL] = std::array::from_fn(|r| unsafe { *left.at(row + r, k) });
        for (c, sums) in sums.iter_mut().enumerate() {
            // SAFETY: as above.
            let factor = unsafe { *right.at(column + c, k) };
            for (sum, row) in sums.iter_mut().zip(rows) {
                *sum = sum.plus_product(row, factor);
            }
        }
    }
    for (c, sums) in sums.iter().enumerate() {
        for (r, sum) in sums.iter().enumerate() {
            let at = (row + r) as isize * down + (column + c) as isize * along;
            // SAFETY: the result has these rows and columns, and they are this thread's.
            unsafe { out.offset(at).write(*sum) };
        }
    }
}
