//! Copies of arrays in another order, block by block, so that neither side is walked across its lines for long. Of the elements' type only the size
//! matters, so this is compiled once, in this crate, and not for each type, rank and order of a user's.

use std::mem::MaybeUninit;

use crate::isa::{Isa, Kernel};
use crate::launch::{Chunk, Domain, launch};

/// Side of the square blocks: 32 lines of the source stay in the first-level cache.
const BLOCK: usize = 32;
/// Loops at most: arrays of more dimensions are copied in parts.
const RANK: usize = 6;

/// Copies elements that lie `strides` apart, in loops of `extents`, outermost first, one behind the other.
///
/// # Safety
/// From `start` on the strides reach elements of type `T`, initialised and written by nobody meanwhile; at `to` there is room for all, ours alone.
pub(crate) unsafe fn repack<T>(extents: &[usize], (start, strides): (*const u8, &[isize]), to: *mut u8) {
    const { assert!(matches!(size_of::<T>(), 1 | 2 | 4 | 8 | 16), "no element has another size") };
    // SAFETY: the caller's promises.
    unsafe { in_parts(size_of::<T>(), extents, (start, strides), to) }
}

/// As [`repack`], of elements of so many bytes.
unsafe fn in_parts(bytes: usize, extents: &[usize], (start, strides): (*const u8, &[isize]), to: *mut u8) {
    if extents.len() > RANK {
        let part: usize = extents[1..].iter().product();
        for at in 0..extents[0] {
            // SAFETY: the part of the array at one index of its outermost loop, and the part of the copy for it.
            unsafe {
                let from = start.offset(at as isize * strides[0] * bytes as isize);
                in_parts(bytes, &extents[1..], (from, &strides[1..]), to.add(at * part * bytes));
            }
        }
        return;
    }
    let (mut all, mut apart) = ([1; RANK], [0; RANK]);
    all[RANK - extents.len()..].copy_from_slice(extents);
    apart[RANK - extents.len()..].copy_from_slice(strides);
    match bytes {
        1 => Repack::<1> { start: start.cast(), to: to.cast(), extents: all, strides: apart }.launch(),
        2 => Repack::<2> { start: start.cast(), to: to.cast(), extents: all, strides: apart }.launch(),
        4 => Repack::<4> { start: start.cast(), to: to.cast(), extents: all, strides: apart }.launch(),
        8 => Repack::<8> { start: start.cast(), to: to.cast(), extents: all, strides: apart }.launch(),
        _ => Repack::<16> { start: start.cast(), to: to.cast(), extents: all, strides: apart }.launch(),
    }
}

/// Bytes of an element, at any address.
type Element<const S: usize> = MaybeUninit<[u8; S]>;

struct Repack<const S: usize> {
    start: *const Element<S>,
    to: *mut Element<S>,
    /// By loop, outermost first.
    extents: [usize; RANK],
    /// Of the source, in elements.
    strides: [isize; RANK],
}

// SAFETY: shared reading of the source, and writing of elements that no other thread writes.
unsafe impl<const S: usize> Sync for Repack<S> {}

impl<const S: usize> Repack<S> {
    /// The loop, counted from the outermost, along which the source's neighbours are closest, the innermost excepted.
    fn near(&self) -> usize {
        let long = (0..RANK - 1).filter(|&d| self.extents[d] > 1);
        long.min_by_key(|&d| self.strides[d].abs()).unwrap_or(RANK - 2)
    }

    /// Extents with `near` counted in blocks.
    fn blocks(&self) -> [usize; RANK] {
        let (mut extents, near) = (self.extents, self.near());
        extents[near] = extents[near].div_ceil(BLOCK);
        extents
    }

    fn launch(&self) {
        launch(self, Domain::nest(self.blocks()), 4 * BLOCK as u32);
    }
}

impl<const S: usize> Kernel for Repack<S> {
    #[inline(always)]
    fn run<I: Isa>(&self, chunk: &Chunk) {
        let near = self.near();
        for block in chunk.rows(self.blocks()).flat_map(|row| row.pieces(BLOCK)) {
            let mut at = block.at;
            for n in block.at[near] * BLOCK..self.extents[near].min((block.at[near] + 1) * BLOCK) {
                at[near] = n;
                let (mut from, mut to) = (0, 0);
                for d in 0..RANK {
                    from += at[d] as isize * self.strides[d];
                    to = to * self.extents[d] + at[d];
                }
                for i in 0..block.len {
                    // SAFETY: `at` and the `block.len` points after it lie within the extents, and no other block holds them.
                    unsafe { *self.to.add(to + i) = *self.start.offset(from + i as isize * self.strides[RANK - 1]) };
                }
            }
        }
    }
}
