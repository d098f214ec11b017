//! The iterations of rows that have not the same ones: triangles.
//!
//! Rows begin together or end together. Iterations of all rows have numbers of one kind, from 0, in which what rows share is the same: where rows begin together an
//! iteration's number is the loop's counter, and where they end together it is as far from the end. Of two rows one has all iterations of the other, so each
//! iteration of any row from the first to the last belongs to the longest.

use std::ops::Range;

use super::{Slab, Steps};
use crate::launch::{Chunk, Row};

impl<const N: usize> Row<N> {
    /// A row that counts for as many points as it has work, in a kernel whose loop has so many iterations for it, and so many on average.
    #[inline(always)]
    pub fn weighed(self, iterations: i64, average: i64) -> Row<N> {
        let [iterations, average] = [iterations, average.max(1)].map(|n| usize::try_from(n).unwrap_or(0));
        Row { len: self.len.saturating_mul(iterations) / average, ..self }
    }
}

impl Chunk {
    /// The rows of the innermost loop over rows that the chunk has, or more.
    #[inline(always)]
    fn of_innermost<const N: usize>(&self, extents: [usize; N]) -> Range<usize> {
        let many = extents[N - 2].max(1);
        let first = self.outer.start / many * many;
        if self.outer.end <= first + many { self.outer.start - first..self.outer.end - first } else { 0..many }
    }
}

/// Which iterations the rows of a chunk have.
#[derive(Debug, Clone, Copy)]
pub struct Span {
    /// The first iteration of row 0 and the one behind its last, and how many later they are for each row.
    ends: [(i64, i64); 2],
    /// What has number 0 among these.
    origin: i64,
    /// Iterations of the longest row.
    pub all: usize,
}

impl Span {
    /// Row 0 has `trip` iterations, none if it is negative, and each row so many more than the one before; `begins` says that they begin together, else they end together.
    #[inline(always)]
    pub fn of<const N: usize>((trip, more): (i64, i64), begins: bool, chunk: &Chunk, extents: [usize; N]) -> Self {
        let ends = if begins { [(0, 0), (trip, more)] } else { [(0, more.saturating_neg()), (trip, 0)] };
        let rows = chunk.of_innermost(extents);
        let [first, last] = [rows.start, rows.end.saturating_sub(1).max(rows.start)];
        let [from, to] = ends.map(|end| [first, last].map(|row| at(end, row)));
        let (origin, end) = (from[0].min(from[1]), to[0].max(to[1]));
        Span { ends, origin, all: usize::try_from(end.saturating_sub(origin)).unwrap_or(0) }
    }

    /// The loop's counter in the iteration with this number, for a row.
    #[inline(always)]
    pub fn counter(self, number: usize, row: usize) -> i64 {
        self.origin + number as i64 - self.ends[0].1 * row as i64
    }

    /// The iterations of a few rows in a block.
    #[inline(always)]
    pub fn few<const N: usize>(self, rows: Slab<N>, block: Steps) -> Few {
        let ends = self.ends.map(|(first, more)| (first - self.origin - block.first as i64, more));
        Few { ends, first: rows.first.at[N - 2], rows: rows.rows, len: block.len }
    }
}

#[inline(always)]
fn at((first, more): (i64, i64), row: usize) -> i64 {
    first.saturating_add(more.saturating_mul(row as i64))
}

/// The iterations of a few rows, numbered from the beginning of a block.
#[derive(Debug, Clone, Copy)]
pub struct Few {
    ends: [(i64, i64); 2],
    first: usize,
    rows: usize,
    len: usize,
}

impl Few {
    /// How many rows there are.
    #[inline(always)]
    pub fn rows(self) -> usize {
        self.rows
    }

    /// Those of one of the rows.
    #[inline(always)]
    pub fn of(self, row: usize) -> Range<usize> {
        let [from, to] = self.ends.map(|end| at(end, self.first + row));
        self.within(from, to)
    }

    /// Whether a row has this one.
    #[inline(always)]
    pub fn has(self, row: usize, number: usize) -> bool {
        self.of(row).contains(&number)
    }

    /// Those that any row has.
    #[inline(always)]
    pub fn any(self) -> Range<usize> {
        let [from, to] = self.outermost();
        self.within(from[0].min(from[1]), to[0].max(to[1]))
    }

    /// Those that all rows have; if there are none it is empty, where those that any has begin or within them.
    #[inline(always)]
    pub fn all(self) -> Range<usize> {
        let ([from, to], any) = (self.outermost(), self.any());
        let all = self.within(from[0].max(from[1]), to[0].min(to[1]));
        if all.is_empty() { any.start..any.start } else { all }
    }

    /// The ends of the first and of the last row.
    #[inline(always)]
    fn outermost(self) -> [[i64; 2]; 2] {
        let last = self.first + self.rows.saturating_sub(1);
        self.ends.map(|end| [self.first, last].map(|row| at(end, row)))
    }

    #[inline(always)]
    fn within(self, from: i64, to: i64) -> Range<usize> {
        let len = self.len as i64;
        let start = from.clamp(0, len);
        start as usize..to.clamp(start, len) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::launch::Domain;

    /// Rows, blocks and tiles of all sizes: each row's iterations are in one block each, with the counters that they have, and what a tile has together
    /// is what all of its rows have.
    #[test]
    fn rows_have_their_iterations_once() {
        let mut cases = 0;
        for (trip, more, begins) in
            [(0, 1, true), (-2, 1, true), (9, -1, true), (9, -1, false), (0, 1, false), (3, 2, false), (-20, 3, true)]
        {
            for (outer, extents) in [(0..7, [7, 5]), (2..5, [7, 5]), (6..7, [7, 5]), (0..0, [0, 5])] {
                let chunk = Chunk { outer: outer.clone(), ..Domain::nest(extents).whole() };
                let span = Span::of((trip, more), begins, &chunk, extents);
                for (size, together) in [(100, 6), (4, 3), (1, 2)] {
                    let mut counters = vec![Vec::new(); 7];
                    for first in (0..span.all).step_by(size) {
                        let len = size.min(span.all - first);
                        let block = Steps { first, len, begins: first == 0, ends: first + len == span.all };
                        for piece in chunk.slabs(extents).flat_map(|slab| slab.pieces(together)) {
                            let few = span.few(piece, block);
                            for row in 0..piece.rows {
                                let number = piece.first.at[0] + row;
                                counters[number].extend(few.of(row).map(|step| span.counter(first + step, number)));
                                assert!(few.of(row).all(|step| few.any().contains(&step) && few.has(row, step)));
                            }
                            let of_all = |step: &usize| (0..piece.rows).all(|row| few.has(row, *step));
                            assert!((0..len).filter(of_all).eq(few.all()), "{trip} {more} {begins} {few:?}");
                            let any = few.any();
                            assert!(any.start <= few.all().start && few.all().end <= any.end.max(any.start));
                        }
                    }
                    for (row, found) in counters.iter().enumerate().filter(|(row, _)| outer.contains(row)) {
                        let want: Vec<i64> = (0..trip + more * row as i64).collect();
                        assert_eq!(*found, want, "row {row} of {outer:?}: {trip} {more} {begins}");
                        cases += found.len();
                    }
                }
            }
        }
        assert!(cases > 500, "{cases}");
    }
}
