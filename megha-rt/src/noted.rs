//! Launches that are noted, with all that they work on, and run later, some rows at a time.

use std::mem::{align_of, needs_drop, size_of};

use crate::isa::{Kernel, Level, dispatch};
use crate::launch::Chunk;

/// Loops of a kernel at most.
pub(crate) const RANK: usize = 6;

/// Launches in the order of the program.
pub(crate) struct Notes<T> {
    pub launches: Vec<Noted<T>>,
    /// The kernels, one after the other.
    kernels: Vec<u64>,
}

/// A launch that is noted.
pub(crate) struct Noted<T> {
    /// Runs a chunk of the kernel that lies there.
    run: unsafe fn(*const u64, &Chunk, Level),
    /// Where the kernel is among the kernels' words.
    kernel: usize,
    extents: [usize; RANK],
    rank: usize,
    /// The loop over rows, if there is one.
    axis: Option<usize>,
    /// The row of the arrays that belongs to the first iteration of that loop.
    pub first: i64,
    /// When it runs, as far as the order does not say so.
    pub turn: T,
}

impl<T> Default for Notes<T> {
    fn default() -> Self {
        Self { launches: Vec::new(), kernels: Vec::new() }
    }
}

impl<T> Notes<T> {
    /// Notes a launch; gives the kernel back if there is no memory for it. `extents` are the trip counts of its loops, at most [`RANK`], outermost first, and
    /// `axis` is the one over rows.
    ///
    /// # Safety
    /// Until the launch has run, the memory of the kernel's arrays stays where it is.
    pub unsafe fn push<K: Kernel, const N: usize>(
        &mut self,
        extents: [usize; N],
        (axis, first): (Option<usize>, i64),
        turn: T,
        kernel: K,
    ) -> Result<(), K> {
        const { assert!(!needs_drop::<K>() && align_of::<K>() <= align_of::<u64>()) };
        let words = size_of::<K>().div_ceil(size_of::<u64>());
        if self.launches.try_reserve(1).is_err() || self.kernels.try_reserve(words).is_err() {
            return Err(kernel);
        }
        let at = self.kernels.len();
        self.kernels.resize(at + words, 0);
        // SAFETY: there are as many words, and words are aligned for the kernel, which has nothing to drop.
        unsafe { self.kernels.as_mut_ptr().add(at).cast::<K>().write(kernel) };
        let mut all = [1; RANK];
        all[..N].copy_from_slice(&extents);
        self.launches.push(Noted { run: run_kernel::<K>, kernel: at, extents: all, rank: N, axis, first, turn });
        Ok(())
    }

    /// Computes rows of a launch of these notes: those of these numbers, its first being 0.
    pub fn compute(&self, launch: &Noted<T>, (low, high): (usize, usize), level: Level) {
        if low < high {
            let kernel = self.kernels[launch.kernel..].as_ptr();
            // SAFETY: `push` has put the kernel there, and runs are of its type.
            launch.chunks((low, high), |chunk| unsafe { (launch.run)(kernel, chunk, level) });
        }
    }
}

/// Runs a chunk of a kernel.
///
/// # Safety
/// A `K` lies there.
unsafe fn run_kernel<K: Kernel>(kernel: *const u64, chunk: &Chunk, level: Level) {
    // SAFETY: the caller's promise.
    dispatch(unsafe { &*kernel.cast::<K>() }, chunk, level);
}

impl<T> Noted<T> {
    /// How many rows it has.
    pub fn rows(&self) -> i64 {
        self.axis.map_or(1, |axis| self.extents[axis] as i64)
    }

    /// The points whose number along the rows is in a range.
    fn chunks(&self, (low, high): (usize, usize), mut run: impl FnMut(&Chunk)) {
        if self.extents.contains(&0) {
            return;
        }
        // Products of extents whose product is the number of points.
        let product = |of: &[usize]| of.iter().product::<usize>();
        let last = self.rank - 1;
        let inner = self.extents[last];
        let Some(axis) = self.axis else {
            return run(&Chunk { outer: 0..product(&self.extents[..last]), inner: 0..inner });
        };
        let outer = product(&self.extents[..axis]);
        if axis == last {
            return run(&Chunk { outer: 0..outer, inner: low..high });
        }
        let (rows, below) = (self.extents[axis], product(&self.extents[axis + 1..last]));
        for at in 0..outer {
            run(&Chunk { outer: (at * rows + low) * below..(at * rows + high) * below, inner: 0..inner });
        }
    }
}
