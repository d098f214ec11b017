//! Memory of arrays that the caller gives back, for the results of its next calls.

use std::alloc::Layout;
use std::cell::RefCell;
use std::mem::ManuallyDrop;
use std::ptr::NonNull;

use super::{Block, SMALLEST_CACHED, release_large, size_class};

/// Gives the memory of an array that is not needed any more to results of compiled functions, which then make no fresh one of this size: its pages are there, and a
/// small array of this thread's next call needs no allocation.
///
/// ```
/// use megha_rt::{memory::recycle, ndarray::Array1};
/// recycle(Array1::<f64>::zeros(10));
/// ```
pub fn recycle<T: Copy, D: ndarray::Dimension>(array: ndarray::Array<T, D>) {
    let mut elements = ManuallyDrop::new(array.into_raw_vec_and_offset().0);
    let each = Layout::new::<T>();
    let Some(bytes) = elements.capacity().checked_mul(each.size()).filter(|bytes| *bytes > 0) else { return };
    // SAFETY: a vector allocates `capacity` elements of `T`, and this one does not free them any more.
    let block = unsafe {
        let layout = Layout::from_size_align_unchecked(bytes, each.align());
        Block { start: NonNull::new_unchecked(elements.as_mut_ptr().cast()), layout }
    };
    match bytes < SMALLEST_CACHED {
        true => spare(block),
        // nobody would ask for another size
        false if size_class(bytes) == bytes => release_large(block),
        false => block.free(),
    }
}

/// Small blocks that a thread keeps for its next calls, at most [`SPARES`].
struct Spares(RefCell<Vec<Block>>);

const SPARES: usize = 8;

thread_local! {
    static SPARE: Spares = const { Spares(RefCell::new(Vec::new())) };
}

impl Drop for Spares {
    fn drop(&mut self) {
        self.0.take().into_iter().for_each(Block::free);
    }
}

/// Keeps a small block; where the thread is about to end it is freed.
fn spare(block: Block) {
    let mut block = Some(block);
    let keep = |spares: &Spares| {
        let mut blocks = spares.0.borrow_mut();
        if blocks.len() == SPARES {
            blocks.remove(0).free();
        }
        blocks.extend(block.take());
    };
    let _ = SPARE.try_with(keep);
    block.into_iter().for_each(Block::free);
}

/// A spare block of this layout.
#[inline]
pub(super) fn take_spare(layout: Layout) -> Option<Block> {
    let take = |spares: &Spares| {
        let mut blocks = spares.0.borrow_mut();
        let found = blocks.iter().rposition(|block| block.layout == layout)?;
        Some(blocks.swap_remove(found))
    };
    SPARE.try_with(take).ok().flatten()
}

/// Frees the small blocks of this thread.
pub(super) fn trim() {
    let small = SPARE.try_with(|spares| spares.0.take()).unwrap_or_default();
    small.into_iter().for_each(Block::free);
}

#[cfg(test)]
mod tests {
    use ndarray::{Array1, Array2};

    use super::*;
    use crate::memory::Buf;

    #[test]
    fn memory_of_any_size_is_used_again() {
        for len in [1, 10, 4000, 1 << 14, 3 << 16] {
            let array = Array2::<f64>::zeros((len, 1));
            let at = array.as_ptr();
            recycle(array);
            let again = Buf::<f64>::filled(len, 1.0).into_vec();
            assert_eq!(again.as_ptr(), at, "{len}");
        }
        trim();
    }

    #[test]
    fn zeros_are_written_again() {
        recycle(Array1::from_elem(12, 7.0));
        assert!(Buf::<f64>::try_zeros(12).is_some_and(|zeros| zeros.as_slice() == [0.0; 12]));
    }

    /// Sizes that nobody asks for, memory with more room than elements, parts of arrays, none at all, and more than a thread keeps.
    #[test]
    fn whatever_is_not_kept_is_freed() {
        recycle(Array1::<f64>::zeros((1 << 16) + 1));
        recycle(Array1::from_vec(Vec::<u8>::with_capacity(100)));
        let mut part = Array1::from_vec((0..50).map(f64::from).collect());
        part.slice_collapse(ndarray::s![7..20;3]);
        recycle(part);
        recycle(Array1::<f64>::zeros(0));
        recycle(Array1::from_elem(9, ()));
        for len in 1..3 * SPARES {
            recycle(Array1::<f32>::zeros(len));
        }
        assert_eq!(SPARE.with(|spares| spares.0.borrow().len()), SPARES);
        trim();
        assert_eq!(SPARE.with(|spares| spares.0.borrow().len()), 0);
    }

    #[test]
    fn a_thread_that_ends_frees_what_it_kept() {
        std::thread::spawn(|| recycle(Array1::<f64>::zeros(3))).join().expect("it keeps one block");
    }
}
