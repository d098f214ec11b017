//! Launches that are noted, with all that they work on, and run later, some rows at a time.

use std::mem::{align_of, needs_drop, size_of};

use crate::isa::{AnyKernel, Available, Kernel, dispatch_to};
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
    run: Run,
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

/// Runs a chunk of the kernel that lies there.
type Run = unsafe fn(*const u64, &Chunk, Available);

/// A kernel that is about to be noted. Its type is forgotten, so that noting is compiled once, in this crate.
#[derive(Clone, Copy)]
pub(crate) struct Subject<'k> {
    pub kernel: &'k dyn AnyKernel,
    run: Run,
    bytes: usize,
}

impl<'k> Subject<'k> {
    #[inline]
    pub fn of<K: Kernel>(kernel: &'k K) -> Self {
        const { assert!(!needs_drop::<K>() && align_of::<K>() <= align_of::<u64>()) };
        Self { kernel, run: run_kernel::<K>, bytes: size_of::<K>() }
    }

    /// Writes the kernel to its place.
    ///
    /// # Safety
    /// The place is that which [`Notes::push`] gave for it. Until the launch has run, the memory of the kernel's arrays stays where it is.
    pub unsafe fn put(self, place: &mut [u64]) {
        let from = std::ptr::from_ref(self.kernel).cast::<u8>();
        // SAFETY: there are as many words, which are aligned for the kernel; it has nothing to drop, so the one that is left behind is not dropped twice.
        unsafe { from.copy_to_nonoverlapping(place.as_mut_ptr().cast(), self.bytes) };
    }

    fn words(self) -> usize {
        self.bytes.div_ceil(size_of::<u64>())
    }
}

impl<T> Notes<T> {
    /// Makes room for one more launch; false if there is no memory for it.
    pub fn reserve(&mut self, subject: Subject<'_>) -> bool {
        self.launches.try_reserve(1).is_ok() && self.kernels.try_reserve(subject.words()).is_ok()
    }

    /// Notes a launch and gives the place of its kernel, to be written by [`Subject::put`] before anything runs. `extents` are the trip counts of its loops, at most [`RANK`],
    /// outermost first, and `axis` is the one over rows.
    pub fn push(
        &mut self,
        extents: &[usize],
        (axis, first): (Option<usize>, i64),
        turn: T,
        subject: Subject<'_>,
    ) -> &mut [u64] {
        let at = self.kernels.len();
        self.kernels.resize(at + subject.words(), 0);
        let mut all = [1; RANK];
        all[..extents.len()].copy_from_slice(extents);
        let rank = extents.len();
        self.launches.push(Noted { run: subject.run, kernel: at, extents: all, rank, axis, first, turn });
        &mut self.kernels[at..]
    }

    /// Computes rows of a launch of these notes: those of these numbers, its first being 0.
    pub fn compute(&self, launch: &Noted<T>, (low, high): (usize, usize)) {
        if low < high {
            let kernel = self.kernels[launch.kernel..].as_ptr();
            let set = Available::now();
            // SAFETY: `push` has put the kernel there, and runs are of its type.
            launch.chunks((low, high), |chunk| unsafe { (launch.run)(kernel, chunk, set) });
        }
    }
}

/// Runs a chunk of a kernel.
///
/// # Safety
/// A `K` lies there.
unsafe fn run_kernel<K: Kernel>(kernel: *const u64, chunk: &Chunk, set: Available) {
    // SAFETY: the caller's promise.
    dispatch_to(unsafe { &*kernel.cast::<K>() }, chunk, set);
}

impl<T> Noted<T> {
    /// How many rows it has.
    pub fn rows(&self) -> i64 {
        self.axis.map_or(1, |axis| self.extents[axis] as i64)
    }

    /// How many points it has.
    pub fn points(&self) -> usize {
        self.extents.iter().product()
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
