//! The iteration domain of a launch, the chunks that it is divided into, and the rows, bands and tiles of these.

use std::ops::Range;

use super::TILE;

/// Rows for which it costs little to pack what they share: an element costs about as much as eight rows.
const SHARED_ROWS: usize = 192;

/// The iteration domain of a kernel: `outer` rows of `inner` points each. The inner points of a row are consecutive in
/// memory for the arrays that the kernel walks along its innermost loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Domain {
    pub(super) outer: usize,
    pub(super) inner: usize,
    /// Elements that all points stand for: a reduction's points are chunks of them.
    pub(super) elements: usize,
    /// Rows that a kernel takes together, if it can.
    pub(super) band: usize,
    /// Points of a row that a chunk holds at least, if there are as many for each thread.
    pub(super) run: usize,
    /// Rows that a chunk holds at least, if there are as many for each thread.
    shared: usize,
}

impl Domain {
    /// A domain of `len` points in one row, for a kernel whose arrays all have one shape.
    pub fn flat(len: usize) -> Domain {
        Domain { outer: 1, inner: len, elements: len, band: 1, run: TILE, shared: 1 }
    }

    /// A nest of `N` DOALL loops; `extents` are their trip counts, outermost first.
    #[inline]
    pub fn nest<const N: usize>(extents: [usize; N]) -> Domain {
        match extents.as_slice() {
            &[inner] => Domain { outer: usize::from(inner > 0), inner, elements: inner, band: 1, run: TILE, shared: 1 },
            several => Domain::of(several),
        }
    }

    fn of(extents: &[usize]) -> Domain {
        if extents.contains(&0) {
            // The others may be more than can be counted.
            return Domain { outer: 0, inner: 0, elements: 0, band: 1, run: TILE, shared: 1 };
        }
        let (inner, outer) = extents.split_last().map_or((1, &[][..]), |(&i, o)| (i, o));
        let outer = outer.iter().fold(1, |product: usize, n| product.saturating_mul(*n));
        Domain { outer, inner, elements: outer.saturating_mul(inner), band: 1, run: TILE, shared: 1 }
    }

    /// The same domain, of which the points are groups of so many elements in all.
    pub(crate) fn grouping(self, elements: usize) -> Domain {
        Domain { elements, ..self }
    }

    /// The same domain for a kernel that takes so many rows together where it can ([`Chunk::bands`]): chunks hold whole bands.
    pub fn banded(self, rows: usize) -> Domain {
        Domain { band: rows.max(1), ..self }
    }

    /// The same domain for a kernel that packs what rows share: chunks hold as many rows as it takes to pay for that.
    pub fn shared(self) -> Domain {
        Domain { shared: SHARED_ROWS, ..self }
    }

    /// The same domain for a kernel that reads so many points of a row at a stretch: chunks hold as many, where there are enough for all threads.
    pub(crate) fn in_runs(self, points: usize) -> Domain {
        Domain { run: points.max(TILE), ..self }
    }

    /// How many chunks of a part, of so many wanted, hold as many rows as share something: as many for each thread, for they are few.
    pub(super) fn sharing(&self, wanted: usize, part: &Chunk, threads: usize) -> usize {
        let few = (part.outer.len() / self.shared).max(1).next_multiple_of(threads.max(1));
        if self.shared == 1 { wanted } else { wanted.min(few) }
    }

    /// Points in the domain.
    pub fn len(&self) -> usize {
        self.outer.saturating_mul(self.inner)
    }

    /// Elements that the points stand for.
    pub(crate) fn elements(&self) -> usize {
        self.elements
    }

    /// How many rows, and points in each.
    pub(crate) fn extents(&self) -> [usize; 2] {
        [self.outer, self.inner]
    }

    /// Whether there is nothing to compute.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The domain as one chunk.
    pub fn whole(&self) -> Chunk {
        Chunk { outer: 0..self.outer, inner: 0..self.inner }
    }
}

/// A division of a chunk into `bands * pieces` smaller ones of `rows` rows and `width` inner points.
pub(super) struct Cut {
    pub(super) whole: Chunk,
    pub(super) rows: usize,
    pub(super) width: usize,
    pub(super) pieces: usize,
    pub(super) bands: usize,
}

impl Cut {
    pub(super) fn count(&self) -> usize {
        self.bands * self.pieces
    }

    pub(super) fn chunk(&self, index: usize) -> Chunk {
        let (band, piece) = (index / self.pieces, index % self.pieces);
        let Chunk { outer, inner } = &self.whole;
        let (top, left) = (outer.start + band * self.rows, inner.start + piece * self.width);
        Chunk { outer: top..(top + self.rows).min(outer.end), inner: left..(left + self.width).min(inner.end) }
    }
}

/// A part of an iteration domain: some rows, and of each the same inner points. A launch is a list of these, of which threads compute parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    /// Flattened indices of the rows.
    pub outer: Range<usize>,
    /// Inner points of each row.
    pub inner: Range<usize>,
}

/// Consecutive points along the innermost loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row<const N: usize> {
    /// Loop indices of the first point, outermost loop first.
    pub at: [usize; N],
    /// How many points.
    pub len: usize,
}

impl Chunk {
    /// The chunks of a box of a nest whose trip counts are `extents`: of each loop, outermost first, the numbers from the first to before the
    /// second. There are as few as rows of which the loops inside are whole can be counted together.
    pub fn of_box(extents: &[usize], numbers: &[(usize, usize)]) -> Vec<Chunk> {
        if numbers.iter().any(|(low, high)| low >= high) {
            return Vec::new();
        }
        let Some((inner, loops)) = numbers.split_last() else { return vec![Domain::nest([]).whole()] };
        // Loops behind this one are whole, so its numbers are consecutive rows.
        let split = (0..loops.len()).rev().find(|k| loops[*k] != (0, extents[*k])).unwrap_or(0);
        let rows: usize = extents[..loops.len()].iter().skip(split + 1).product();
        let mut starts = vec![0];
        for (extent, (low, high)) in extents.iter().zip(loops).take(split) {
            starts = starts.iter().flat_map(|at| (*low..*high).map(move |n| at * extent + n)).collect();
        }
        let (extent, (low, high)) = loops.get(split).map_or((1, (0, 1)), |numbers| (extents[split], *numbers));
        let rows_from = |at: usize| (at * extent + low) * rows..(at * extent + high) * rows;
        starts.into_iter().map(|at| Chunk { outer: rows_from(at), inner: inner.0..inner.1 }).collect()
    }

    /// Whether it has no points.
    pub fn is_empty(&self) -> bool {
        self.outer.is_empty() || self.inner.is_empty()
    }

    /// Cuts it into about `wanted` chunks of whole bands of rows: by rows when there are enough, else each row into pieces too.
    pub(super) fn cut(&self, wanted: usize, band: usize) -> Cut {
        let (outer, inner) = (self.outer.len(), self.inner.len());
        let rows = outer.div_ceil(wanted.max(1)).max(1).next_multiple_of(band);
        let bands = outer.div_ceil(rows);
        let pieces = if bands >= wanted { 1 } else { wanted.div_ceil(bands) };
        let width = width(inner, pieces);
        Cut { whole: self.clone(), rows, width, pieces: inner.div_ceil(width), bands }
    }

    /// The rows of the chunk in a nest whose trip counts are `extents`, outermost first (the array given to [`Domain::nest`]).
    #[inline(always)]
    pub fn rows<const N: usize>(&self, extents: [usize; N]) -> Rows<N> {
        let mut at = [0; N];
        let mut rest = self.outer.start;
        for d in (0..N - 1).rev() {
            at[d] = rest % extents[d].max(1);
            rest /= extents[d].max(1);
        }
        at[N - 1] = self.inner.start;
        Rows { extents, at, left: self.outer.len(), len: self.inner.len() }
    }

    /// The rows of the chunk as [`Chunk::rows`] has them, together where `most` of them differ in the innermost loop over rows alone.
    #[inline(always)]
    pub fn bands<const N: usize>(&self, extents: [usize; N], most: usize) -> Bands<N> {
        Bands { rows: self.rows(extents), most, whole: true }
    }

    /// The same in bands of `most` rows and fewer, those of one row of the loops outside as alike in size as can be.
    #[inline(always)]
    pub fn some_rows<const N: usize>(&self, extents: [usize; N], most: usize) -> Bands<N> {
        Bands { rows: self.rows(extents), most, whole: false }
    }

    /// The inner points in tiles of at most [`TILE`], for a flat domain.
    #[inline(always)]
    pub fn tiles(&self) -> Tiles {
        Tiles::of(self.inner.clone())
    }
}

/// Iterator over the rows of a chunk, made by [`Chunk::rows`].
#[derive(Clone)]
pub struct Rows<const N: usize> {
    extents: [usize; N],
    at: [usize; N],
    left: usize,
    len: usize,
}

impl<const N: usize> Iterator for Rows<N> {
    type Item = Row<N>;

    #[inline(always)]
    fn next(&mut self) -> Option<Row<N>> {
        if self.left == 0 {
            return None;
        }
        self.left -= 1;
        let row = Row { at: self.at, len: self.len };
        for d in (0..N - 1).rev() {
            self.at[d] += 1;
            if self.at[d] < self.extents[d] {
                break;
            }
            self.at[d] = 0;
        }
        Some(row)
    }
}

/// Rows that a kernel takes together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Band<const N: usize> {
    /// The first row; the others follow it in the innermost loop over rows.
    pub first: Row<N>,
    /// How many there are.
    pub rows: usize,
}

impl<const N: usize> Band<N> {
    /// The rows one by one.
    #[inline(always)]
    pub fn each(self) -> impl Iterator<Item = Row<N>> {
        (0..self.rows).map(move |row| {
            let mut at = self.first.at;
            if row > 0 {
                at[N - 2] += row;
            }
            Row { at, ..self.first }
        })
    }
}

/// Iterator over bands, made by [`Chunk::bands`]: of as many rows as asked for, or of one; or by [`Chunk::some_rows`].
#[derive(Clone)]
pub struct Bands<const N: usize> {
    rows: Rows<N>,
    most: usize,
    whole: bool,
}

impl<const N: usize> Iterator for Bands<N> {
    type Item = Band<N>;

    #[inline(always)]
    fn next(&mut self) -> Option<Band<N>> {
        let left = self.rows.left;
        let first = self.rows.next()?;
        let beside = if N > 1 { left.min(self.rows.extents[N - 2] - first.at[N - 2]) } else { 1 };
        let rows = match self.whole {
            true if beside >= self.most => self.most,
            true => 1,
            false => beside.div_ceil(beside.div_ceil(self.most)),
        };
        for _ in 1..rows {
            self.rows.next();
        }
        Some(Band { first, rows })
    }
}

impl<const N: usize> Row<N> {
    /// What is left of the row behind its whole pieces of so many points.
    #[inline(always)]
    pub fn behind_pieces(self, width: usize) -> Row<N> {
        let mut at = self.at;
        at[N - 1] += self.len / width * width;
        Row { at, len: self.len % width }
    }

    /// The row in pieces of at most `width` points.
    #[inline(always)]
    pub fn pieces(self, width: usize) -> impl Iterator<Item = Row<N>> {
        (0..self.len.div_ceil(width)).map(move |p| {
            let mut at = self.at;
            at[N - 1] += p * width;
            Row { at, len: width.min(self.len - p * width) }
        })
    }

    /// The row in tiles of at most [`TILE`] points.
    #[inline(always)]
    pub fn tiles(self) -> impl Iterator<Item = Row<N>> {
        self.pieces(TILE)
    }
}

/// Rows in tiles of at most [`TILE`] points, which are `step` numbers apart.
#[inline(always)]
pub fn in_tiles<const N: usize, I: Iterator<Item = Row<N>>>(rows: I, step: usize) -> InTiles<I, N> {
    InTiles { rows, rest: Row { at: [0; N], len: 0 }, step }
}

/// Iterator made by [`in_tiles`].
pub struct InTiles<I, const N: usize> {
    rows: I,
    /// What is left of the row.
    rest: Row<N>,
    step: usize,
}

impl<const N: usize, I: Iterator<Item = Row<N>>> Iterator for InTiles<I, N> {
    type Item = Row<N>;

    #[inline(always)]
    fn next(&mut self) -> Option<Row<N>> {
        while self.rest.len == 0 {
            self.rest = self.rows.next()?;
        }
        let tile = Row { at: self.rest.at, len: TILE.min(self.rest.len) };
        self.rest.at[N - 1] += TILE * self.step;
        self.rest.len -= tile.len;
        Some(tile)
    }
}

/// Iterator over tiles of at most [`TILE`] points.
pub struct Tiles {
    rest: Range<usize>,
    most: usize,
}

impl Tiles {
    /// The tiles of a range.
    #[inline(always)]
    pub fn of(range: Range<usize>) -> Tiles {
        Tiles { rest: range, most: TILE }
    }

    /// The same with so many elements at most.
    #[inline(always)]
    pub(crate) fn longer(self, most: usize) -> Tiles {
        Tiles { most, ..self }
    }
}

impl Iterator for Tiles {
    type Item = Range<usize>;

    #[inline(always)]
    fn next(&mut self) -> Option<Range<usize>> {
        if self.rest.is_empty() {
            return None;
        }
        let end = self.rest.end.min(self.rest.start + self.most);
        let tile = self.rest.start..end;
        self.rest.start = end;
        Some(tile)
    }
}

/// The inner points of a chunk, of rows in so many pieces.
pub(super) fn width(inner: usize, pieces: usize) -> usize {
    inner.div_ceil(pieces).next_multiple_of(TILE).max(1)
}
