//! Domains with bounds: triangles, trapezoids and bands within a box, and every so many points of rows. Chunks are rows of the box, as many as hold about the same number of points.
//!
//! How many points a row has only the kernel knows. Of domains with many rows some are asked, one of each block of rows, at places that do not
//! follow a period of the inner loops.

use std::ops::Range;

use super::{Chunk, Division, Domain, Row, is_parallel, is_short, spread, wanted, width};
use crate::isa::{AnyKernel, Available, Kernel};

/// Rows that are asked for their points, at most.
const ASKED: usize = 1024;

impl<const N: usize> Row<N> {
    /// The part of the row whose innermost index is not below `from` and below `to`.
    #[inline(always)]
    pub fn clipped(self, from: i64, to: i64) -> Row<N> {
        let start = self.at[N - 1] as i64;
        let (from, to) = (from.max(start), to.min(start + self.len as i64));
        let mut at = self.at;
        if from >= to {
            return Row { at, len: 0 };
        }
        at[N - 1] = from as usize;
        Row { at, len: (to - from) as usize }
    }

    /// The points of the row whose innermost indices leave the same remainder by `step` as `same`: the first of them, and how many.
    #[inline(always)]
    pub fn every(self, step: usize, same: i64) -> Row<N> {
        let mut at = self.at;
        let behind = (same - at[N - 1] as i64).rem_euclid(step as i64) as usize;
        at[N - 1] += behind;
        Row { at, len: self.len.saturating_sub(behind).div_ceil(step) }
    }
}

/// Runs `kernel` over the points of a box that are within its bounds: `within` says which of a row are. As [`launch`](super::launch) otherwise.
#[inline]
pub fn launch_within<K: Kernel, const N: usize>(
    kernel: &K,
    extents: [usize; N],
    weight: u32,
    within: impl Fn(Row<N>) -> Row<N>,
) {
    bounded(kernel, Domain::nest(extents), weight, &|row| points_of(row, extents, &within));
}

/// The same for a kernel that takes so many rows together where it can, and packs what they share.
#[inline]
pub fn launch_within_bands<K: Kernel, const N: usize>(
    kernel: &K,
    (extents, rows): ([usize; N], usize),
    weight: u32,
    within: impl Fn(Row<N>) -> Row<N>,
) {
    let domain = Domain::nest(extents).banded(rows).shared();
    bounded(kernel, domain, weight, &|row| points_of(row, extents, &within));
}

/// How many points a row has.
#[inline(always)]
fn points_of<const N: usize>(row: &Chunk, extents: [usize; N], within: &impl Fn(Row<N>) -> Row<N>) -> usize {
    row.rows(extents).next().map_or(0, |row| within(row).len)
}

fn bounded(kernel: &dyn AnyKernel, domain: Domain, weight: u32, points: &dyn Fn(&Chunk) -> usize) {
    if is_short(&domain, weight) {
        return kernel.compute(&domain.whole(), Available::now());
    }
    let divide = |part: &Chunk, weight: u64, threads: usize| divide((part, &domain), points, weight, threads);
    spread((domain, &[domain.whole()]), weight, &divide, kernel);
}

/// Chunks of a part of a box, given the points of one row of it.
fn divide(
    (part, domain): (&Chunk, &Domain),
    points: &dyn Fn(&Chunk) -> usize,
    weight: u64,
    threads: usize,
) -> Division {
    let row = |row: usize| {
        let row = part.outer.start + row;
        points(&Chunk { outer: row..row + 1, inner: part.inner.clone() })
    };
    let area = Area::of(part.outer.len(), &row);
    let work = area.total().saturating_mul(weight);
    let chunks = if is_parallel(work) {
        area.chunks(part, domain.sharing(wanted(work, threads), part, threads), domain.band)
    } else {
        None
    };
    Division::Listed(chunks.unwrap_or_default())
}

/// A list with room for so many; none if there is no memory for them.
fn room<T>(many: usize) -> Option<Vec<T>> {
    let mut list = Vec::new();
    list.try_reserve_exact(many).ok()?;
    Some(list)
}

/// The points of the rows of a domain.
struct Area {
    /// The end of each block of rows, and the points up to there.
    ends: Vec<(usize, u64)>,
}

impl Area {
    /// Asks some of the rows for their points.
    fn of(rows: usize, points: &dyn Fn(usize) -> usize) -> Self {
        let blocks = rows.min(ASKED);
        let (mut ends, mut start, mut sum) = (room(blocks).unwrap_or_default(), 0, 0_u64);
        let blocks = blocks.min(ends.capacity());
        for block in 1..=blocks {
            let end = (rows as u128 * block as u128 / blocks as u128) as usize;
            // The fractional parts of multiples of the golden ratio lie evenly, whatever the period.
            let place = (block as u32).wrapping_mul(0x9e37_79b9);
            let row = start + (((end - start) as u128 * u128::from(place)) >> 32) as usize;
            sum = sum.saturating_add((points(row) as u64).saturating_mul((end - start) as u64));
            ends.push((end, sum));
            start = end;
        }
        Self { ends }
    }

    fn total(&self) -> u64 {
        self.ends.last().map_or(0, |(_, sum)| *sum)
    }

    /// About `wanted` chunks: bands of rows, and where there are too few rows, pieces of these. None if there is no memory for them.
    fn chunks(&self, part: &Chunk, wanted: usize, band: usize) -> Option<Vec<Chunk>> {
        let bands = self.bands(wanted.max(1), band)?;
        let pieces = if bands.len() >= wanted { 1 } else { wanted.div_ceil(bands.len().max(1)) };
        let (width, end) = (width(part.inner.len(), pieces), part.inner.end);
        let cut = |rows: &Range<usize>| {
            let outer = part.outer.start + rows.start..part.outer.start + rows.end;
            let piece = move |left| Chunk { outer: outer.clone(), inner: left..(left + width).min(end) };
            part.inner.clone().step_by(width).map(piece)
        };
        let mut chunks = room(bands.len() * part.inner.len().div_ceil(width))?;
        chunks.extend(bands.iter().flat_map(cut));
        Some(chunks)
    }

    /// All rows, in at most so many ranges that have about the same number of points, of whole bands of rows.
    fn bands(&self, wanted: usize, band: usize) -> Option<Vec<Range<usize>>> {
        let rows = self.ends.last().map_or(0, |(end, _)| *end);
        let share = |k: usize| (u128::from(self.total()) * k as u128 / wanted as u128) as u64;
        let (mut bands, mut start) = (room(wanted)?, 0);
        let cut = |k: usize| self.row_after(share(k)).next_multiple_of(band).min(rows);
        for end in (1..wanted).map(cut).chain([rows]) {
            if end > start {
                bands.push(start..end);
                start = end;
            }
        }
        Some(bands)
    }

    /// The row before which there are so many points; rows of one block are taken for alike.
    fn row_after(&self, points: u64) -> usize {
        let block = self.ends.partition_point(|(_, sum)| *sum < points);
        let Some(&(end, sum)) = self.ends.get(block) else { return 0 };
        let (start, before) = block.checked_sub(1).map_or((0, 0), |last| self.ends[last]);
        let share = u128::from(points - before) * (end - start) as u128;
        start + share.checked_div(u128::from(sum - before)).unwrap_or(0) as usize
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::launch::in_tiles;

    #[test]
    fn rows_are_clipped() {
        let row = Row { at: [3, 10], len: 5 };
        assert_eq!(row.clipped(0, 100), row);
        assert_eq!(row.clipped(12, 14), Row { at: [3, 12], len: 2 });
        assert_eq!(row.clipped(i64::MIN, 11), Row { at: [3, 10], len: 1 });
        for (from, to) in [(15, 20), (0, 10), (13, 12), (i64::MAX, i64::MIN)] {
            assert_eq!(row.clipped(from, to).len, 0);
        }
    }

    #[test]
    fn rows_go_in_steps() {
        for (start, len, step, same) in (0..7).flat_map(|start| {
            let lens = (0..9).flat_map(move |len| (1..5).map(move |step| (start, len, step)));
            lens.flat_map(|(start, len, step)| (-6..7).map(move |same| (start, len, step, same)))
        }) {
            let numbers: Vec<usize> =
                (start..start + len).filter(|at| (*at as i64 - same).rem_euclid(step as i64) == 0).collect();
            let row = Row { at: [3, start], len }.every(step, same);
            let found: Vec<usize> = (0..row.len).map(|l| row.at[1] + step * l).collect();
            assert_eq!(found, numbers, "{start} {len} {step} {same}");
        }
        let tiles: Vec<_> = in_tiles([Row { at: [5], len: 300 }].into_iter(), 3).collect();
        assert_eq!(tiles, [(5, 128), (389, 128), (773, 44)].map(|(at, len)| Row { at: [at], len }));
    }

    /// The points of the largest of the chunks against what each would have if all were alike.
    fn imbalance(extents: [usize; 2], wanted: usize, within: &dyn Fn(Row<2>) -> Row<2>) -> f64 {
        let domain = Domain::nest(extents);
        let all = |chunk: &Chunk| chunk.rows(extents).map(|row| within(row).len).sum::<usize>();
        let points = |row: usize| all(&Chunk { outer: row..row + 1, inner: 0..domain.inner });
        let chunks = Area::of(domain.outer, &points).chunks(&domain.whole(), wanted, 1).unwrap();
        let sizes: Vec<usize> = chunks.iter().map(all).collect();
        assert_eq!(sizes.iter().sum::<usize>(), all(&domain.whole()), "all points are in one chunk each");
        let largest = sizes.iter().max().copied().unwrap_or(0);
        largest as f64 * wanted as f64 / all(&domain.whole()) as f64
    }

    #[test]
    fn chunks_hold_as_many_points() {
        for n in [400, 1000, 5000] {
            let upper = |row: Row<2>| row.clipped(row.at[0] as i64, n as i64);
            let lower = |row: Row<2>| row.clipped(0, row.at[0] as i64 + 1);
            let band = |row: Row<2>| row.clipped(row.at[0] as i64 - 2, row.at[0] as i64 + 3);
            assert!(imbalance([n, n], 16, &upper) < 1.2);
            assert!(imbalance([n, n], 16, &lower) < 1.2);
            assert!(imbalance([n, n], 16, &band) < 1.2);
        }
        // By rows the first of 16 chunks of a triangle has nearly twice its share.
        let n = 1000;
        let rows = Domain::nest([n, n]).whole().cut(16, 1);
        let first: usize = rows.chunk(0).outer.map(|i| n - i).sum();
        assert!(first * 16 > n * (n + 1) / 2 * 18 / 10);
    }

    /// A triangle in the outer two of three loops: rows without points come and go with a period.
    #[test]
    fn a_period_of_the_rows_does_not_deceive() {
        let (n, m) = (256, 64);
        let extents = [n, n, m];
        let domain = Domain::nest(extents);
        let within = |row: Row<3>| row.clipped(0, if row.at[1] >= row.at[0] { m as i64 } else { 0 });
        let points = |row: usize| {
            let chunk = Chunk { outer: row..row + 1, inner: 0..m };
            chunk.rows(extents).map(|row| within(row).len).sum::<usize>()
        };
        let area = Area::of(domain.outer, &points);
        let exact = (n * (n + 1) / 2 * m) as f64;
        assert!((area.total() as f64 / exact - 1.0).abs() < 0.05, "{}", area.total() as f64 / exact);
        for chunk in area.chunks(&domain.whole(), 8, 1).unwrap() {
            let found: usize = chunk.outer.map(points).sum();
            assert!((found as f64 * 8.0 / exact - 1.0).abs() < 0.2, "{found}");
        }
    }

    #[test]
    fn few_rows_are_cut_into_pieces() {
        let domain = Domain::nest([2, 10_000]);
        let chunks = Area::of(2, &|_| 10_000).chunks(&domain.whole(), 8, 1).unwrap();
        assert_eq!(chunks.len(), 8);
        assert!(chunks.iter().all(|chunk| chunk.outer.len() == 1));
        assert!(Area::of(0, &|_| 1).chunks(&Domain::nest([0, 5]).whole(), 8, 1).unwrap().is_empty());
        assert_eq!(Area::of(3, &|_| 0).bands(8, 1).unwrap().len(), 1);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 4 } else { 256 }))]

        /// Every row belongs to exactly one band, whatever the rows hold.
        #[test]
        fn bands_cover_the_rows_once(counts in prop::collection::vec(0usize..20, 0..60), wanted in 1usize..20, band in 1usize..6) {
            let bands = Area::of(counts.len(), &|row| counts[row]).bands(wanted, band).unwrap();
            prop_assert!(bands.iter().all(|rows| rows.start.is_multiple_of(band)));
            prop_assert!(bands.len() <= wanted);
            let rows: Vec<usize> = bands.into_iter().flatten().collect();
            prop_assert_eq!(rows, (0..counts.len()).collect::<Vec<_>>());
        }
    }
}
