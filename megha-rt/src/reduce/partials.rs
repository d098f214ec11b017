//! The partial results of a reduction's chunks: kernels write them, the tree's upper levels combine them.

use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicBool, Ordering};

use super::blocks::{Block, Space, WIDTH};
use super::lanes::LaneRows;
use super::op::Op;
use super::tree::LANES;
use crate::array::Array;
use crate::device::{self, Place};
use crate::layout::{Layout, RowMajor};
use crate::memory::Buf;
use crate::view::Out;
use crate::{Error, ErrorKind, Result, Site};

/// Partial results that take no memory of their own.
const FEW_PARTIALS: usize = 8;

/// Where partial results lie.
enum Values<T: Copy> {
    /// So many, where the partials are: a launch of a short reduction asks for no memory.
    Few([MaybeUninit<T>; FEW_PARTIALS], usize),
    Many(Buf<MaybeUninit<T>>),
}

impl<T: Copy> Values<T> {
    /// Their memory, all of it written.
    ///
    /// # Safety
    /// It is.
    unsafe fn assume_init(self) -> Buf<T> {
        match self {
            // SAFETY: the caller's promise.
            Values::Few(mut values, len) => Buf::copied(unsafe { written(&mut values[..len]) }),
            // SAFETY: as above.
            Values::Many(buf) => unsafe { buf.assume_init() },
        }
    }
}

/// Memory that is written, as such.
///
/// # Safety
/// All of it is.
unsafe fn written<T>(memory: &mut [MaybeUninit<T>]) -> &mut [T] {
    // SAFETY: the caller's promise; the types are laid out alike.
    unsafe { std::slice::from_raw_parts_mut(memory.as_mut_ptr().cast(), memory.len()) }
}

/// The results of a reduction's chunks, filled by a kernel and then combined as the tree has it.
pub struct Partials<T: Copy> {
    space: Space,
    values: Values<T>,
    /// Whether a device has combined them.
    combined: bool,
    /// Whether a block's lanes had no memory.
    failed: AtomicBool,
}

/// [`Partials`] as the threads of a launch write them.
pub struct PartialsOut<'a, T> {
    out: Out<'a, RowMajor, T, 1>,
    failed: &'a AtomicBool,
}

impl<T> Clone for PartialsOut<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for PartialsOut<'_, T> {}

impl<T: Copy> PartialsOut<'_, T> {
    /// The partial result of this number.
    ///
    /// # Safety
    /// There is one, and nobody writes it any more.
    #[inline(always)]
    pub(crate) unsafe fn get(&self, number: usize) -> T {
        // SAFETY: the caller's promise.
        unsafe { self.out.flat(number, 1)[0] }
    }

    /// The memory, for devices, which put the results of the whole reduction there.
    #[inline(always)]
    pub fn place(self) -> Place {
        self.out.place()
    }

    /// Writes the result of a short line ([`Space::lines`]).
    ///
    /// # Safety
    /// There is a line of this number, and only one thread writes it.
    #[inline(always)]
    pub unsafe fn set(&self, line: usize, value: T) {
        // SAFETY: the caller's promise: a short line is one block, and its partial result lies at its number.
        unsafe { self.out.set([line], value) }
    }

    /// The place of a block's partial results: one for each of its `inner` positions.
    ///
    /// # Safety
    /// `block` is one of the blocks of the space that the partials were made for, and only one thread has it.
    #[inline(always)]
    #[allow(clippy::mut_from_ref, reason = "disjointness is the caller's promise")]
    pub unsafe fn of(&self, block: &Block) -> &mut [T] {
        // SAFETY: the slots of distinct blocks are distinct and within the buffer.
        unsafe { self.out.flat(block.slot, block.inner.len()) }
    }

    /// The lanes of a block of neighbours, which give its partial results. If there is no memory for them, [`Partials::combine`] says so, and
    /// the kernel has nothing left to do.
    ///
    /// # Safety
    /// As for [`PartialsOut::of`].
    #[inline(always)]
    pub unsafe fn rows<O: Op<T>>(&self, block: &Block) -> Option<LaneRows<'_, T, O>> {
        // SAFETY: the caller's promise.
        let rows = LaneRows::new(block, unsafe { self.of(block) });
        if rows.is_none() {
            self.failed.store(true, Ordering::Relaxed);
        }
        rows
    }
}

impl<T: Copy + Send + Sync> Partials<T> {
    /// Room for the partial results over `space`.
    #[inline]
    pub fn new(space: Space) -> Partials<T> {
        let len = space.partials();
        // A device knows results by their memory, from which they must not move.
        if len > FEW_PARTIALS || device::active() {
            return Self::apart(space);
        }
        let values = Values::Few([MaybeUninit::uninit(); FEW_PARTIALS], len);
        Partials { space, values, combined: false, failed: AtomicBool::new(false) }
    }

    /// The same in memory of its own.
    pub(crate) fn apart(space: Space) -> Partials<T> {
        let values = Values::Many(Buf::<T>::uninit(space.partials()));
        Partials { space, values, combined: false, failed: AtomicBool::new(false) }
    }

    /// What they are the results of.
    pub(crate) fn space(&self) -> Space {
        self.space
    }

    /// The array of the results, if it takes no more than that each launch of the reduction has run: the memory of [`Partials::apart`].
    ///
    /// # Safety
    /// Nothing reads the array before.
    pub(crate) unsafe fn whole<O: Op<T>, L: Layout, const N: usize>(
        &mut self,
        shape: [usize; N],
    ) -> Option<Array<L, T, N>> {
        let results = self.space.outer * self.space.inner;
        if self.space.chunks() == 0 {
            return Some(Array::from_buf(Buf::filled(results, O::IDENTITY), shape));
        }
        let values = match &mut self.values {
            Values::Many(_) if self.space.chunks() == 1 => {
                std::mem::replace(&mut self.values, Values::Few([MaybeUninit::uninit(); FEW_PARTIALS], 0))
            }
            Values::Few(..) | Values::Many(_) => return None,
        };
        // SAFETY: the caller's promise.
        Some(Array::from_buf(unsafe { values.assume_init() }.shortened(results), shape))
    }

    /// Says that a device has put the results where the partial results would be, or has them and will do so.
    ///
    /// # Safety
    /// It was given [`PartialsOut::place`] and has run the reduction.
    pub unsafe fn combined(&mut self) {
        self.combined = true;
    }

    /// [`Partials::combined`] for a result that the host needs at once: a number.
    ///
    /// # Errors
    /// The device does not give it.
    ///
    /// # Safety
    /// As for [`Partials::combined`].
    pub unsafe fn delivered(&mut self, site: &Site) -> Result<()> {
        self.combined = true;
        device::fetch(self.out().place(), site)
    }

    /// The partials for writing by the threads of a launch.
    #[inline]
    pub fn out(&mut self) -> PartialsOut<'_, T> {
        let out = match &mut self.values {
            Values::Few(values, len) => Out::over(&mut values[..*len]),
            Values::Many(buf) => Out::over(buf.as_mut_slice()),
        };
        PartialsOut { out, failed: &self.failed }
    }

    /// Checks that each block's lanes had memory.
    ///
    /// # Errors
    /// They had not.
    #[inline]
    pub fn complete(&self, site: &Site) -> Result<()> {
        if self.failed.load(Ordering::Relaxed) && !self.combined {
            let shape = [LANES, self.space.inner.min(WIDTH)];
            return Err(Error::new(ErrorKind::out_of_memory(&shape, size_of::<T>()), site));
        }
        Ok(())
    }

    /// The results, in memory order of the remaining positions.
    ///
    /// # Errors
    /// A block's lanes had no memory.
    ///
    /// # Safety
    /// A launch over [`Space::domain`] has written the partials of every block, unless it had no memory for lanes.
    unsafe fn combine_buf<O: Op<T>>(self, site: &Site) -> Result<Buf<T>> {
        let Space { outer, inner, .. } = self.space;
        let chunks = self.space.chunks();
        self.complete(site)?;
        if chunks == 0 {
            return Ok(Buf::filled(outer * inner, O::IDENTITY));
        }
        // SAFETY: the caller's promise.
        let partials = unsafe { self.values.assume_init() };
        if chunks == 1 || self.combined {
            return Ok(partials.shortened(outer * inner));
        }
        let (mut totals, partials) = (Buf::filled(outer * inner, O::IDENTITY), partials.as_slice());
        for (at, total) in totals.as_mut_slice().iter_mut().enumerate() {
            let (outer, at) = (at / inner, at % inner);
            *total = combined::<T, O>(chunks, |chunk| partials[(outer * chunks + chunk) * inner + at]);
        }
        Ok(totals)
    }

    /// The results as an array of `shape`: the reduced array's, with 1 for the reduced dimension.
    ///
    /// # Errors
    /// No memory.
    ///
    /// # Safety
    /// A launch over [`Space::domain`] has written the partials of every block or found no memory for its lanes, and `shape` has as many
    /// elements as there are reductions.
    pub unsafe fn combine<O: Op<T>, L: Layout, const N: usize>(
        self,
        shape: [usize; N],
        site: &Site,
    ) -> Result<Array<L, T, N>> {
        // SAFETY: the caller's promise.
        Ok(Array::from_buf(unsafe { self.combine_buf::<O>(site) }?, shape))
    }

    /// The result of a reduction over [`Space::all`].
    ///
    /// # Errors
    /// No memory.
    ///
    /// # Safety
    /// A launch over [`Space::domain`] has written the partials of every block or found no memory for its lanes.
    #[inline]
    pub unsafe fn combine_all<O: Op<T>>(self, site: &Site) -> Result<T> {
        if let (Values::Few(values, len @ 1..), false) = (&self.values, self.combined) {
            self.complete(site)?;
            let mut values = *values;
            // SAFETY: the caller's promise.
            let partials = unsafe { written(&mut values[..*len]) };
            return Ok(combined::<T, O>(*len, |chunk| partials[chunk]));
        }
        // SAFETY: the caller's promise.
        Ok(unsafe { self.combine_buf::<O>(site) }?.as_slice().first().copied().unwrap_or(O::IDENTITY))
    }
}

/// The value of a reduction whose chunks have these, by their numbers: combined by lanes, as the tree has it. Lanes without a chunk would change
/// nothing and are left out.
#[inline(always)]
pub(crate) fn combined<T: Copy, O: Op<T>>(chunks: usize, partial: impl Fn(usize) -> T) -> T {
    if chunks == 1 {
        return partial(0);
    }
    let mut lanes = [O::IDENTITY; LANES];
    (0..chunks.min(LANES)).for_each(|chunk| lanes[chunk] = partial(chunk));
    for chunk in LANES..chunks {
        lanes[chunk % LANES] = O::combine(lanes[chunk % LANES], partial(chunk));
    }
    let mut half = LANES / 2;
    while half > 0 {
        for lane in 0..half.min(chunks.saturating_sub(half)) {
            lanes[lane] = O::combine(lanes[lane], lanes[lane + half]);
        }
        half /= 2;
    }
    lanes[0]
}
