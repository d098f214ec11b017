//! Copies of arrays in another order, block by block, so that neither side is walked across its lines for long; rows that lie in one piece on both
//! sides are copied as they are. Of the elements' type only the size matters, so this is compiled once, in this crate, and not for each type, rank
//! and order of a user's.

use std::cmp::Reverse;
use std::mem::MaybeUninit;

use crate::isa::{Isa, Kernel};
use crate::launch::{Chunk, Domain, launch};

/// Points of a block along the loop in which the source's neighbours are closest.
const BLOCK: usize = 32;
/// Bytes of a line of memory: a block is as wide in the target, as lines of the source whose addresses differ by a power of two share few places in
/// the first-level cache.
const LINE: usize = 64;
/// Loops at most: arrays of more dimensions are copied in parts.
const RANK: usize = 6;

/// Where elements lie: the first of them, and in each dimension the distance of neighbours in elements.
type Side<'s, P> = (P, &'s [isize]);

/// Copies the elements of an array of this shape.
///
/// # Safety
/// The strides of the source reach elements of type `T`, initialised and written by nobody meanwhile; those of the target reach places for
/// elements, no two of them the same and all ours alone.
pub(crate) unsafe fn repack<T>(shape: &[usize], from: Side<'_, *const T>, to: Side<'_, *mut T>) {
    const { assert!(matches!(size_of::<T>(), 1 | 2 | 4 | 8 | 16), "no element has another size") };
    if !shape.contains(&0) {
        // SAFETY: the caller's promises.
        unsafe { in_parts(size_of::<T>(), shape, (from.0.cast(), from.1), (to.0.cast(), to.1)) }
    }
}

/// As [`repack`], of elements of so many bytes, of which there are some.
unsafe fn in_parts(bytes: usize, shape: &[usize], from: Side<'_, *const u8>, to: Side<'_, *mut u8>) {
    if shape.len() > RANK {
        for at in 0..shape[0] as isize {
            // SAFETY: the parts of both sides at one index of their first dimension.
            unsafe {
                let from = (from.0.offset(at * from.1[0] * bytes as isize), &from.1[1..]);
                let to = (to.0.offset(at * to.1[0] * bytes as isize), &to.1[1..]);
                in_parts(bytes, &shape[1..], from, to);
            }
        }
        return;
    }
    match bytes {
        1 => Repack::<1>::of(shape, from, to).launch(),
        2 => Repack::<2>::of(shape, from, to).launch(),
        4 => Repack::<4>::of(shape, from, to).launch(),
        8 => Repack::<8>::of(shape, from, to).launch(),
        _ => Repack::<16>::of(shape, from, to).launch(),
    }
}

/// Bytes of an element, at any address.
type Element<const S: usize> = MaybeUninit<[u8; S]>;

struct Repack<const S: usize> {
    from: *const Element<S>,
    to: *mut Element<S>,
    /// The loops, outermost first, that inside along which the target's neighbours are closest: how long they are,
    extents: [usize; RANK],
    /// and the distance of neighbours in the source and in the target.
    strides: [[isize; RANK]; 2],
}

// SAFETY: shared reading of the source, and writing of elements that no other thread writes.
unsafe impl<const S: usize> Sync for Repack<S> {}

impl<const S: usize> Repack<S> {
    fn of(shape: &[usize], from: Side<'_, *const u8>, to: Side<'_, *mut u8>) -> Self {
        let mut loops: Vec<usize> = (0..shape.len()).collect();
        // Dimensions of one element, whose strides say nothing, are outside.
        loops.sort_by_key(|d| (shape[*d] > 1, Reverse(to.1[*d].unsigned_abs())));
        let (mut extents, mut strides) = ([1; RANK], [[0; RANK]; 2]);
        let mut at = RANK;
        // A loop that goes on where the one inside of it ends, on both sides, is part of that.
        for d in loops.into_iter().rev() {
            let (len, steps) = (shape[d], [from.1[d], to.1[d]]);
            let goes_on = |side: usize| strides[side][at] * extents[at] as isize == steps[side];
            if at < RANK && (0..2).all(goes_on) {
                extents[at] *= len;
                continue;
            }
            at -= 1;
            (extents[at], strides[0][at], strides[1][at]) = (len, steps[0], steps[1]);
        }
        Self { from: from.0.cast(), to: to.0.cast(), extents, strides }
    }

    /// Whether neighbours of the innermost loop lie next to each other on both sides, and fill a line: a shorter row is no call worth.
    fn is_straight(&self) -> bool {
        self.strides.iter().all(|strides| strides[RANK - 1] == 1) && self.extents[RANK - 1] >= LINE / S
    }

    /// The loop along which the source's neighbours are closest, the innermost excepted.
    fn near(&self) -> usize {
        let [from, _] = self.strides;
        let long = (0..RANK - 1).filter(|&d| self.extents[d] > 1);
        long.min_by_key(|&d| from[d].unsigned_abs()).unwrap_or(RANK - 2)
    }

    /// The loops with that one counted in blocks.
    fn blocks(&self) -> [usize; RANK] {
        let (mut extents, near) = (self.extents, self.near());
        extents[near] = extents[near].div_ceil(BLOCK);
        extents
    }

    /// Where a point is on both sides.
    ///
    /// # Safety
    /// The loops have it.
    #[inline(always)]
    unsafe fn at(&self, point: [usize; RANK]) -> (*const Element<S>, *mut Element<S>) {
        let [from, to] = self.strides.map(|by| (0..RANK).map(|d| point[d] as isize * by[d]).sum());
        // SAFETY: both sides have an element for each point of the loops.
        unsafe { (self.from.offset(from), self.to.offset(to)) }
    }

    fn launch(&self) {
        if self.is_straight() {
            launch(self, Domain::nest(self.extents), 4);
        } else {
            let points = self.extents[self.near()].min(BLOCK);
            launch(self, Domain::nest(self.blocks()), 4 * points as u32);
        }
    }

    /// Copies rows as they are.
    #[inline(always)]
    fn rows(&self, chunk: &Chunk) {
        for row in chunk.rows(self.extents) {
            // SAFETY: the loops have the row, and no other thread writes it; the target's elements are ours alone, so none is the source's.
            unsafe {
                let (from, to) = self.at(row.at);
                to.copy_from_nonoverlapping(from, row.len);
            }
        }
    }

    #[inline(always)]
    fn in_blocks(&self, chunk: &Chunk) {
        let (near, [from, to]) = (self.near(), self.strides.map(|by| by[RANK - 1]));
        for block in chunk.rows(self.blocks()).flat_map(|row| row.pieces(LINE / S)) {
            let mut at = block.at;
            for n in block.at[near] * BLOCK..self.extents[near].min((block.at[near] + 1) * BLOCK) {
                at[near] = n;
                // SAFETY: the loops have the point.
                let (from_row, to_row) = unsafe { self.at(at) };
                for i in 0..block.len as isize {
                    // SAFETY: as above; no other block holds the point.
                    unsafe { *to_row.offset(i * to) = *from_row.offset(i * from) };
                }
            }
        }
    }
}

impl<const S: usize> Kernel for Repack<S> {
    #[inline(always)]
    fn run<I: Isa>(&self, chunk: &Chunk) {
        if self.is_straight() { self.rows(chunk) } else { self.in_blocks(chunk) }
    }
}

#[cfg(test)]
mod tests;
