//! Copies of whole arrays, by several threads where there is much to copy, and copies that leave out what is about to be stored.

use crate::launch::share;
use crate::layout::Layout;
use crate::memory::Buf;
use crate::{Array, View, stream};

/// What one thread takes at a time, in bytes.
const PIECE: usize = 1 << 18;
/// From so many bytes on several threads copy: fewer are copied by the time that another one has woken.
pub(crate) const MUCH: usize = 1 << 20;
/// So many bytes are copied at once sooner than row by row.
const LITTLE: usize = 1 << 11;

/// Memory that several threads read or write, each a part of its own.
#[derive(Clone, Copy)]
pub(crate) struct Start<P>(pub P);

// SAFETY: whoever makes one sees to it that threads touch parts that have nothing in common.
unsafe impl<P> Sync for Start<P> {}

impl<P: Copy> Start<P> {
    pub(crate) fn get(&self) -> P {
        self.0
    }
}

/// Copies bytes.
///
/// # Safety
/// `from` is valid for reads and `to` for writes of `len` bytes, and they do not overlap.
#[inline]
pub(crate) unsafe fn bytes(from: *const u8, to: *mut u8, len: usize) {
    if len < MUCH || rayon::current_num_threads() == 1 {
        // SAFETY: the caller's promise.
        return unsafe { from.copy_to_nonoverlapping(to, len) };
    }
    // SAFETY: as above.
    unsafe { many_bytes(from, to, len) }
}

/// As [`bytes`], by several threads.
///
/// # Safety
/// As for [`bytes`].
unsafe fn many_bytes(from: *const u8, to: *mut u8, len: usize) {
    let (from, to) = (Start(from), Start(to));
    by_pieces(len, &|at, len| {
        // SAFETY: the piece lies within the bytes, and no other thread gets it.
        unsafe { from.get().add(at).copy_to_nonoverlapping(to.get().add(at), len) };
    });
}

/// Makes `len` bytes zero.
///
/// # Safety
/// `start` is valid for writes of `len` bytes.
pub(crate) unsafe fn zeros(start: *mut u8, len: usize) {
    if len < MUCH || rayon::current_num_threads() == 1 {
        // SAFETY: the caller's promise.
        return unsafe { start.write_bytes(0, len) };
    }
    // Ordinary stores to a piece would fetch its lines first; of one large block the library's function knows that they need not.
    let (start, is_large) = (Start(start), stream::is_large(len));
    // SAFETY: the piece lies within the bytes, and no other thread gets it.
    by_pieces(len, &|at, len| unsafe {
        let piece = start.get().add(at);
        if is_large { stream::zeros(piece, len) } else { piece.write_bytes(0, len) }
    });
}

/// Has several threads do each of the pieces of `len` bytes: where it begins, and its length.
pub(crate) fn by_pieces(len: usize, piece: &(dyn Fn(usize, usize) + Sync)) {
    let pieces = len.div_ceil(PIECE);
    share(pieces, rayon::current_num_threads().min(pieces), &|number| {
        let at = number * PIECE;
        piece(at, PIECE.min(len - at));
    });
}

/// Memory of its own for the next state of an array, of which `count` elements from `first` on are about to be stored: the others are
/// copied. A box that lies outside of the array in part counts as empty.
pub fn copied_around<L: Layout, T: Copy, const N: usize>(
    view: View<'_, L, T, N>,
    first: [usize; N],
    count: [usize; N],
) -> Array<L, T, N> {
    let shape = view.shape();
    let from = view.as_slice();
    let inside = (0..N).all(|d| count[d] > 0 && first[d].checked_add(count[d]).is_some_and(|end| end <= shape[d]));
    if !inside || size_of_val(from) <= LITTLE {
        return view.to_owned();
    }
    let to = Buf::<T>::uninit(from.len());
    let copy = |start: usize, end: usize| {
        // SAFETY: both arrays have as many elements, and the new one overlaps nothing.
        unsafe {
            bytes(from.as_ptr().add(start).cast(), to.start().add(start).cast(), (end - start) * size_of::<T>());
        }
    };
    let mut copied = 0;
    rows::<L, N>(shape, first, count, |start, len| {
        copy(copied, start);
        copied = start + len;
    });
    copy(copied, from.len());
    // SAFETY: what is not copied is stored before it is read; without that the caller drops the array.
    Array::from_buf(unsafe { to.assume_init() }, shape)
}

/// The runs of a box's elements that lie next to each other in memory, in its order: first position and length.
fn rows<L: Layout, const N: usize>(
    shape: [usize; N],
    first: [usize; N],
    count: [usize; N],
    mut f: impl FnMut(usize, usize),
) {
    // Dimensions from the slowest to the fastest.
    let (strides, counts) = (L::permute(L::strides(shape)), L::permute(count));
    let mut start: usize = (0..N).map(|d| first[d] * L::strides(shape)[d]).sum();
    let mut at = [0; N];
    loop {
        f(start, counts[N - 1]);
        // The next row: dimensions that are at their end start again.
        let Some(moved) = (0..N - 1).rev().find(|d| at[*d] + 1 < counts[*d]) else { return };
        for d in moved + 1..N - 1 {
            start -= at[d] * strides[d];
            at[d] = 0;
        }
        at[moved] += 1;
        start += strides[moved];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ColMajor, RowMajor, Site};

    const SITE: Site = Site { path: "", line: 0, column: 0, text: "" };

    fn check<L: Layout, const N: usize>(shape: [usize; N], first: [usize; N], count: [usize; N]) {
        let mut array = Array::<L, f64, N>::filled(shape, 0.0, &SITE).unwrap();
        array.as_mut_slice().iter_mut().enumerate().for_each(|(at, x)| *x = at as f64);
        let mut copy = copied_around(array.view(), first, count);
        let len = array.len();
        let inside = |position: usize| {
            let at = crate::unravel::<L, N>(shape, position);
            (0..N).all(|d| at[d] >= first[d] && at[d] < first[d] + count[d])
        };
        let fits = (0..N).all(|d| first[d] + count[d] <= shape[d]);
        let mut skipped = 0;
        for position in (0..len).filter(|p| fits && inside(*p)) {
            // what is not copied holds anything
            copy.as_mut_slice()[position] = position as f64;
            skipped += 1;
        }
        assert_eq!(copy.as_slice(), array.as_slice(), "{shape:?} {first:?} {count:?}");
        assert_eq!(skipped, if fits { count.iter().product() } else { 0 });
    }

    #[test]
    fn all_but_a_box_is_copied() {
        for (shape, first, count) in [
            ([5, 4], [1, 1], [3, 2]),
            ([5, 4], [0, 0], [5, 4]),
            ([5, 4], [4, 0], [1, 4]),
            ([5, 4], [2, 3], [0, 1]),
            ([3, 3], [1, 1], [3, 1]),
            ([20, 30], [1, 1], [18, 28]),
            ([20, 30], [0, 29], [20, 1]),
            ([20, 30], [19, 0], [1, 30]),
        ] {
            check::<ColMajor, 2>(shape, first, count);
            check::<RowMajor, 2>(shape, first, count);
        }
        check::<ColMajor, 3>([8, 9, 10], [1, 0, 2], [2, 9, 3]);
        check::<RowMajor, 3>([8, 9, 10], [1, 1, 2], [2, 3, 3]);
        check::<ColMajor, 3>([700, 30, 20], [1, 29, 0], [698, 1, 20]);
    }

    #[test]
    fn much_is_copied_by_pieces() {
        let values: Vec<f64> = (0..3 * MUCH / 8 + 5).map(|k| k as f64).collect();
        assert_eq!(Buf::copied(&values).as_slice(), &values[..]);
    }
}
