//! The product that all blocked factorisations are made of, and its operands.
//!
//! `TALL` rows of the left factor lie together for each inner index, and `WIDE` columns of the right one (Goto and van de Geijn, Anatomy of
//! high-performance matrix multiplication, 2008): the loop over the inner index then loads in order and keeps all sums in registers.

use crate::memory;
use std::ops::Range;

/// Rows of a tile.
pub(super) const TALL: usize = 8;
/// Columns of a tile.
pub(super) const WIDE: usize = 8;

/// A tile, column by column.
pub(super) type Tile = [[f64; TALL]; WIDE];

/// The product of `TALL` rows and `WIDE` columns, each element added up in the order of the inner index.
#[inline(always)]
pub(super) fn tile(left: &[f64], right: &[f64]) -> Tile {
    // Columns by name: of an array of them LLVM keeps no more than four in registers.
    let zero = [0.0; TALL];
    let (mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h) = (zero, zero, zero, zero, zero, zero, zero, zero);
    let (left, right) = (left.as_chunks::<TALL>().0, right.as_chunks::<WIDE>().0);
    for (left, right) in left.iter().zip(right) {
        add_multiple(&mut a, left, right[0]);
        add_multiple(&mut b, left, right[1]);
        add_multiple(&mut c, left, right[2]);
        add_multiple(&mut d, left, right[3]);
        add_multiple(&mut e, left, right[4]);
        add_multiple(&mut f, left, right[5]);
        add_multiple(&mut g, left, right[6]);
        add_multiple(&mut h, left, right[7]);
    }
    [a, b, c, d, e, f, g, h]
}

#[inline(always)]
fn add_multiple(sums: &mut [f64; TALL], left: &[f64; TALL], factor: f64) {
    for i in 0..TALL {
        sums[i] += left[i] * factor;
    }
}

/// The rows of a matrix as left factors: panel by panel `TALL` rows, in each column after column. What is missing of the last
/// panel's rows is zero.
pub(super) struct Panels {
    depth: usize,
    elements: Vec<f64>,
}

impl Panels {
    /// Rows `top ..` of columns of `rows` elements.
    #[inline(always)]
    pub(super) fn of_rows(columns: &[f64], rows: usize, top: usize) -> Self {
        let depth = columns.len() / rows.max(1);
        let count = (rows - top).div_ceil(TALL);
        let mut elements = memory::zeros(count * depth * TALL);
        for (k, column) in columns.chunks_exact(rows).enumerate() {
            for (p, part) in column[top..].chunks(TALL).enumerate() {
                elements[(p * depth + k) * TALL..][..part.len()].copy_from_slice(part);
            }
        }
        Self { depth, elements }
    }

    /// The rows of the transpose of some rows of columns of `rows` elements: a panel is `TALL` columns.
    #[inline(always)]
    pub(super) fn of_columns(columns: &[f64], rows: usize, range: Range<usize>) -> Self {
        let (depth, count) = (range.len(), (columns.len() / rows).div_ceil(TALL));
        let mut elements = memory::zeros(count * depth * TALL);
        for (columns, panel) in columns.chunks(TALL * rows).zip(elements.chunks_exact_mut((depth * TALL).max(1))) {
            transpose::<TALL>(columns, rows, range.clone(), panel);
        }
        Self { depth, elements }
    }

    /// Inner indices: the columns of the matrix.
    pub(super) fn depth(&self) -> usize {
        self.depth
    }

    #[inline(always)]
    pub(super) fn iter(&self) -> impl Iterator<Item = &[f64]> {
        self.elements.chunks_exact((self.depth * TALL).max(1))
    }
}

/// Puts some rows of at most `N` columns, of `rows` elements each, into `out` row by row; what columns are missing there stays.
#[inline(always)]
pub(super) fn transpose<const N: usize>(columns: &[f64], rows: usize, range: Range<usize>, out: &mut [f64]) {
    if columns.len() == N * rows {
        let columns: [&[f64]; N] = std::array::from_fn(|j| &columns[j * rows + range.start..][..range.len()]);
        for (i, row) in out.chunks_exact_mut(N).enumerate().take(range.len()) {
            (0..N).for_each(|j| row[j] = columns[j][i]);
        }
    } else {
        for (j, column) in columns.chunks_exact(rows).enumerate() {
            out.chunks_exact_mut(N).zip(&column[range.clone()]).for_each(|(row, x)| row[j] = *x);
        }
    }
}

/// Puts rows of `WIDE` elements back into at most as many columns, from row `top` on.
#[inline(always)]
pub(super) fn put_back(packed: &[f64], columns: &mut [f64], rows: usize, top: usize) {
    for (j, column) in columns.chunks_exact_mut(rows).enumerate() {
        for (x, row) in column[top..].iter_mut().zip(packed.chunks_exact(WIDE)) {
            *x = row[j];
        }
    }
}

/// Subtracts a tile from rows `top ..` of columns, as far as there are rows and columns.
#[inline(always)]
pub(super) fn subtract(sums: &Tile, columns: &mut [f64], rows: usize, top: usize) {
    for (column, sums) in columns.chunks_exact_mut(rows).zip(sums) {
        match column[top..].first_chunk_mut::<TALL>() {
            Some(part) => (0..TALL).for_each(|i| part[i] -= sums[i]),
            None => column[top..].iter_mut().zip(sums).for_each(|(x, sum)| *x -= sum),
        }
    }
}

/// Subtracts a tile from rows of `WIDE` elements, as far as there are rows.
#[inline(always)]
pub(super) fn subtract_packed(sums: &Tile, packed: &mut [f64]) {
    for (i, row) in packed.chunks_exact_mut(WIDE).take(TALL).enumerate() {
        for j in 0..WIDE {
            row[j] -= sums[j][i];
        }
    }
}

/// Row `i` of rows of `WIDE` elements minus multiples of others, in their order, and perhaps divided.
#[inline(always)]
pub(super) fn reduce_row(
    packed: &mut [f64],
    i: usize,
    others: impl Iterator<Item = (usize, f64)>,
    divisor: Option<f64>,
) {
    let rows = packed.as_chunks_mut::<WIDE>().0;
    let mut row = rows[i];
    for (k, factor) in others {
        (0..WIDE).for_each(|j| row[j] -= factor * rows[k][j]);
    }
    if let Some(divisor) = divisor {
        row.iter_mut().for_each(|x| *x /= divisor);
    }
    rows[i] = row;
}
