//! The iteration domain of reduction kernels: blocks, and the orders in which their elements come.

use std::ops::Range;

use super::tree::{CHUNK, LANES, is_plain};
use crate::element::unravel;
use crate::launch::{Chunk, Domain, TILE, Tiles};
use crate::layout::{Layout, Order};
use crate::subscript::indices;

/// Neighbouring reductions that a kernel computes together when the reduced extent is not contiguous, where there are as many for each thread: their lanes (512 KiB
/// in double precision) stay in the second-level cache, and a row of them is four pages of memory. Of 4096 by 4096 doubles two threads of a Zen 3 read a page at a time in
/// 6.3 ms, two in 5.6 and four in 5.1, as long as the same memory one element after the other; of a Zen 4 two in 5.9 and four in 5.1.
pub const WIDTH: usize = 2048;
/// Elements of a lane that come after each other, if the reduced extent is not contiguous.
const ROWS: usize = 8;
/// Elements of a lane that enter it together.
pub const BAND: usize = ROWS;
/// Neighbours of each that are read at a time. Of rows that were read one after the other, or 128 neighbours at a time, memory gave a quarter and half
/// of what it gives along itself (4096 by 4096 doubles, two threads: 16, 7 and, so, 5 ms, for 4.3).
const FEW: usize = 32;
/// Elements of a block that a second-level cache may hold: these are read in tiles.
const CACHED: usize = 1 << 16;
/// Elements of a run ([`Block::runs`]): with more, memory would wait where several reductions read them one after the other (sum and extreme of 1e7 doubles: 1.09
/// times as long with 1024, 1.03 so).
const RUN: usize = 256;

/// The shape of a reduction in memory order, outermost first: `outer` times `extent` times `inner` elements, of which `extent`
/// are combined. `inner` is 1 where the reduced extent is contiguous.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Space {
    pub(super) outer: usize,
    extent: usize,
    pub(super) inner: usize,
}

/// One task of a reduction kernel: one chunk of the tree, for one position outside the reduced extent and for `inner` (up to
/// [`WIDTH`]) neighbouring positions inside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// Position outside the reduced extent.
    pub outer: usize,
    /// Elements of the reduced extent.
    pub range: Range<usize>,
    /// Neighbouring positions.
    pub inner: Range<usize>,
    /// Where the block's first partial result goes.
    pub(super) slot: usize,
    /// Elements of the whole reduced extent.
    extent: usize,
}

impl Block {
    /// Whether elements combine in the plain order.
    #[inline(always)]
    pub(super) fn is_plain(&self) -> bool {
        is_plain(self.extent)
    }

    /// Its elements for [`super::LaneRows`]: the logical index of each along the reduced extent, and at most [`crate::TILE`] neighbours. `ROWS` elements
    /// of a lane come after each other, a few neighbours of each, so that memory is read in as many places at the same time; those of one
    /// reduction and lane are in order.
    #[inline(always)]
    pub fn walk(&self) -> Walk {
        let Block { range, inner, .. } = self;
        let few = if range.len() * inner.len() < CACHED { TILE } else { FEW };
        let group = if inner.is_empty() { range.end } else { range.start };
        Walk { end: range.end, inner: inner.clone(), few, group, first: group, at: inner.start, e: group }
    }

    /// Its elements for [`super::LaneRows::push_band`]: the first of up to `BAND` elements of a lane that come after each other, and how many there
    /// are. Each comes with all neighbours of the block.
    #[inline(always)]
    pub fn bands(&self) -> impl Iterator<Item = (usize, usize)> {
        let Range { start, end } = if self.inner.is_empty() { 0..0 } else { self.range.clone() };
        (start..end).step_by(LANES * BAND).flat_map(move |group| {
            let lanes = group..end.min(group + LANES);
            lanes.map(move |first| (first, (end - first).div_ceil(LANES).min(BAND)))
        })
    }

    /// The block's part of the reduced extent in tiles of at most [`crate::TILE`].
    #[inline(always)]
    pub fn tiles(&self) -> Tiles {
        Tiles::of(self.range.clone())
    }

    /// The same in longer runs, for elements that lie in memory.
    #[inline(always)]
    pub fn runs(&self) -> Tiles {
        self.tiles().longer(RUN)
    }
}

/// The order of [`Block::walk`].
#[derive(Debug, Clone)]
pub struct Walk {
    end: usize,
    inner: Range<usize>,
    few: usize,
    /// The first element of [`ROWS`] elements of each lane.
    group: usize,
    /// The first element of those of a lane.
    first: usize,
    /// The first neighbour.
    at: usize,
    /// The element.
    e: usize,
}

impl Iterator for Walk {
    type Item = (usize, Range<usize>);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        if self.group >= self.end {
            return None;
        }
        let item = (self.e, self.at..self.inner.end.min(self.at + self.few));
        self.e += LANES;
        if self.e >= self.end.min(self.first + LANES * ROWS) {
            self.at += self.few;
            if self.at >= self.inner.end {
                (self.at, self.first) = (self.inner.start, self.first + 1);
                if self.first >= self.end.min(self.group + LANES) {
                    self.group += LANES * ROWS;
                    self.first = self.group;
                }
            }
            self.e = self.first;
        }
        Some(item)
    }
}

impl Space {
    /// `outer` times `inner` reductions of `extent` elements each.
    pub fn new(outer: usize, extent: usize, inner: usize) -> Space {
        Space { outer, extent, inner }
    }

    /// `extent` elements combined into one: a reduction over a whole array.
    pub fn all(extent: usize) -> Space {
        Space { outer: 1, extent, inner: 1 }
    }

    /// The reduction of dimension `dim` of a dense array of `shape` in the order of `L`.
    pub fn along<L: Layout, const N: usize>(shape: [usize; N], dim: usize) -> Space {
        let inner = L::strides(shape)[dim];
        let extent = shape[dim];
        let outer = (0..N).filter(|&d| d != dim).map(|d| shape[d]).product::<usize>().checked_div(inner).unwrap_or(0);
        Space { outer, extent, inner }
    }

    /// Whether the reduced extent is contiguous: the kernel walks [`Block::tiles`] with [`super::Lanes`]; otherwise it goes
    /// along [`Block::walk`] with [`super::LaneRows`].
    #[inline(always)]
    pub fn contiguous(&self) -> bool {
        self.inner == 1
    }

    /// Elements of the reduced extent.
    #[inline(always)]
    pub fn extent(&self) -> usize {
        self.extent
    }

    /// Position in memory order of element `e` of the reduction at `outer` and `inner`.
    #[inline(always)]
    pub fn offset(&self, outer: usize, e: usize, inner: usize) -> usize {
        (outer * self.extent + e) * self.inner + inner
    }

    /// Partial results of all chunks.
    pub(super) fn partials(&self) -> usize {
        self.outer.saturating_mul(self.chunks()).saturating_mul(self.inner)
    }

    /// Chunks of the tree.
    #[inline(always)]
    pub(crate) fn chunks(&self) -> usize {
        self.extent.div_ceil(CHUNK)
    }

    /// The domain to launch on: a row for each chunk of each position outside the reduced extent, of which the points are the neighbours inside
    /// it. So a part of it are some reductions, or some chunks of them. Multiply the weight of an element with [`Space::weight`].
    pub fn domain(&self) -> Domain {
        let elements = self.outer * self.extent * self.inner;
        Domain::nest([self.outer * self.chunks(), self.inner]).grouping(elements).in_runs(WIDTH)
    }

    /// The weight of a point of that domain whose elements weigh `weight` each.
    pub fn weight(&self, weight: u32) -> u32 {
        weight.saturating_mul(u32::try_from(self.extent.min(CHUNK)).unwrap_or(u32::MAX))
    }

    /// Whether lines lie along memory and combine in the plain order: a chunk of the domain holds lines, each of one block.
    #[inline(always)]
    pub fn is_short(&self) -> bool {
        self.extent > 0 && is_plain(self.extent) && self.inner == 1
    }

    /// The lines of a chunk where they are short: of each its number, and those of the loops that count them, whose extents are `extents`.
    #[inline(always)]
    pub fn lines<L: Layout, const N: usize>(
        self,
        extents: [usize; N],
        chunk: &Chunk,
    ) -> impl Iterator<Item = (usize, [i64; N])> {
        let mut next = unravel::<L, N>(extents, chunk.outer.start);
        chunk.outer.clone().map(move |line| {
            let at = next;
            for d in 0..N {
                let dim = if matches!(L::ORDER, Order::ColMajor) { d } else { N - 1 - d };
                next[dim] += 1;
                if next[dim] < extents[dim] || d + 1 == N {
                    break;
                }
                next[dim] = 0;
            }
            (line, indices(at))
        })
    }

    /// The blocks of a chunk of that domain.
    #[inline(always)]
    pub fn blocks(self, chunk: &Chunk) -> impl Iterator<Item = Block> {
        let (chunks, neighbours) = (self.chunks(), chunk.inner.clone());
        let bands = neighbours.len().div_ceil(WIDTH);
        (0..chunk.outer.len() * bands).map({
            let rows = chunk.outer.start;
            move |task| {
                let (band, row) = (task % bands, rows + task / bands);
                let (c, outer) = (row % chunks, row / chunks);
                let range = c * CHUNK..((c + 1) * CHUNK).min(self.extent);
                let start = neighbours.start + band * WIDTH;
                let inner = start..(start + WIDTH).min(neighbours.end);
                let slot = row * self.inner + start;
                Block { outer, range, slot, inner, extent: self.extent }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    /// Short lines come once, with the numbers that blocks have, wherever a chunk begins.
    #[test]
    fn lines_are_numbered_as_blocks_are() {
        fn check<L: Layout>(extents: [usize; 3]) {
            let space = Space::new(extents.iter().product(), 5, 1);
            let whole = space.domain().whole();
            for start in 0..whole.outer.end {
                let chunk = Chunk { outer: start..whole.outer.end.min(start + 7), inner: 0..1 };
                let lines: Vec<_> = space.lines::<L, 3>(extents, &chunk).collect();
                let of_block = |block: Block| (block.slot, indices(unravel::<L, 3>(extents, block.outer)));
                assert_eq!(lines, space.blocks(&chunk).map(of_block).collect::<Vec<_>>());
            }
        }
        for extents in [[2, 3, 4], [1, 5, 1], [4, 1, 2], [3, 0, 2]] {
            check::<crate::layout::RowMajor>(extents);
            check::<crate::layout::ColMajor>(extents);
        }
        assert!(Space::new(3, 32, 1).is_short() && Space::new(3, 1, 1).is_short());
        assert!(!Space::new(3, 33, 1).is_short() && !Space::new(3, 0, 1).is_short() && !Space::new(3, 4, 2).is_short());
    }

    /// So do bands.
    #[test]
    fn bands_cover_a_block_lane_by_lane() {
        for (extent, inner) in [(1, 1), (32, 2), (33, 5), (300, 1), (4096, 3), (5000, 3), (7, 0)] {
            let space = Space::new(1, extent, inner);
            for block in space.blocks(&space.domain().whole()) {
                let (mut last, mut count) = (HashMap::new(), 0);
                for (first, elements) in block.bands() {
                    assert!((1..=BAND).contains(&elements));
                    for e in (0..elements).map(|k| first + k * LANES) {
                        assert!(block.range.contains(&e));
                        let before = last.insert(e % LANES, e);
                        assert!(before.map_or(e % LANES + 1 == last.len(), |before| before < e));
                        count += 1;
                    }
                }
                assert_eq!(count, if inner > 0 { block.range.len() } else { 0 });
            }
        }
    }

    /// Each element of each reduction comes once, those of a lane in order, and lanes begin in order.
    #[test]
    fn a_walk_covers_a_block_lane_by_lane() {
        for (extent, inner) in [(1, 1), (32, 130), (33, 5), (300, 700), (4096, 600), (5000, 3)] {
            let space = Space::new(1, extent, inner);
            for block in space.blocks(&space.domain().whole()) {
                let mut last: HashMap<(usize, usize), usize> = HashMap::new();
                let (mut points, mut begun) = (0, 0);
                for (e, piece) in block.walk() {
                    assert!(block.range.contains(&e) && piece.len() <= TILE);
                    for at in piece {
                        points += 1;
                        if let Some(before) = last.insert((e % LANES, at), e) {
                            assert!(before < e);
                        } else {
                            assert_eq!(begun, e % LANES * block.inner.len() + at - block.inner.start);
                            begun += 1;
                        }
                    }
                }
                assert_eq!(points, block.range.len() * block.inner.len());
            }
        }
    }
}
