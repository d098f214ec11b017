//! Register tiles: a few rows of a kernel's points at a time, whose sums stay in registers while a sequential loop runs.
//!
//! What a row of points reads in each iteration is the same for all these rows, so it is packed into a [`Panel`] first, which lies in the
//! second-level cache (K. Goto and R. A. van de Geijn, "Anatomy of high-performance matrix multiplication", 2008). Of arrays of numbers
//! LLVM keeps few in registers, of values of the vector types it keeps all, hence [`Wide`]. Operations are rounded one by one, each
//! lane's in the program's order: results are those of the plain loop.

use std::mem::MaybeUninit;
use std::ops::{Deref, DerefMut};

use crate::launch::{Band, Chunk, Row};
use crate::memory::Buf;

/// Points of a row that a register tile has at most.
pub const SHORT: usize = 32;
/// Iterations that are packed together where a point's elements are neighbours in memory: a line.
const LINE: usize = 8;
/// Bytes of a line of memory.
const ALIGNED: usize = 64;

/// The points of a row of a register tile: vector registers, and what they compute.
pub trait Wide<T>: Copy {
    /// How many numbers.
    const LEN: usize;

    /// Neighbours in memory.
    ///
    /// # Safety
    /// All `LEN` lie there; the machine has the instruction set.
    unsafe fn load(from: *const T) -> Self;

    /// Copies of one number.
    ///
    /// # Safety
    /// The machine has the instruction set.
    unsafe fn all(value: T) -> Self;

    /// Puts them into memory.
    ///
    /// # Safety
    /// All `LEN` have room there; the machine has the instruction set.
    unsafe fn store(self, to: *mut T);

    /// Sums.
    ///
    /// # Safety
    /// The machine has the instruction set.
    unsafe fn plus(self, other: Self) -> Self;

    /// Differences.
    ///
    /// # Safety
    /// The machine has the instruction set.
    unsafe fn minus(self, other: Self) -> Self;

    /// Products.
    ///
    /// # Safety
    /// The machine has the instruction set.
    unsafe fn times(self, other: Self) -> Self;

    /// Quotients.
    ///
    /// # Safety
    /// The machine has the instruction set.
    unsafe fn over(self, other: Self) -> Self;
}

/// Several registers.
#[derive(Clone, Copy)]
pub struct Several<V, const N: usize>([V; N]);

impl<T: Copy, V: Wide<T>, const N: usize> Wide<T> for Several<V, N> {
    const LEN: usize = {
        assert!(V::LEN * N <= SHORT);
        V::LEN * N
    };

    #[inline(always)]
    unsafe fn load(from: *const T) -> Self {
        // SAFETY: the caller's promise.
        Several(std::array::from_fn(|v| unsafe { V::load(from.add(v * V::LEN)) }))
    }

    #[inline(always)]
    unsafe fn all(value: T) -> Self {
        // SAFETY: the caller's promise.
        Several([unsafe { V::all(value) }; N])
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut T) {
        for (v, register) in self.0.into_iter().enumerate() {
            // SAFETY: the caller's promise.
            unsafe { register.store(to.add(v * V::LEN)) };
        }
    }

    #[inline(always)]
    unsafe fn plus(self, other: Self) -> Self {
        // SAFETY: the caller's promise.
        Several(std::array::from_fn(|v| unsafe { self.0[v].plus(other.0[v]) }))
    }

    #[inline(always)]
    unsafe fn minus(self, other: Self) -> Self {
        // SAFETY: the caller's promise.
        Several(std::array::from_fn(|v| unsafe { self.0[v].minus(other.0[v]) }))
    }

    #[inline(always)]
    unsafe fn times(self, other: Self) -> Self {
        // SAFETY: the caller's promise.
        Several(std::array::from_fn(|v| unsafe { self.0[v].times(other.0[v]) }))
    }

    #[inline(always)]
    unsafe fn over(self, other: Self) -> Self {
        // SAFETY: the caller's promise.
        Several(std::array::from_fn(|v| unsafe { self.0[v].over(other.0[v]) }))
    }
}

/// The points of a row of a tile of four rows, for each instruction set: with the packed ones they fill its registers.
#[cfg(target_arch = "x86_64")]
pub mod tiles {
    use super::Several;
    use std::arch::x86_64::{__m128, __m128d, __m256, __m256d, __m512, __m512d};

    /// Doubles of the baseline.
    pub type BaselineDoubles = Several<__m128d, 2>;
    /// Singles of the baseline.
    pub type BaselineSingles = Several<__m128, 2>;
    /// Doubles of AVX2.
    pub type Avx2Doubles = Several<__m256d, 2>;
    /// Singles of AVX2.
    pub type Avx2Singles = Several<__m256, 2>;
    /// Doubles of AVX-512.
    pub type Avx512Doubles = Several<__m512d, 4>;
    /// Singles of AVX-512.
    pub type Avx512Singles = Several<__m512, 2>;
}

/// The points of a row of a tile of four rows, for each instruction set.
#[cfg(not(target_arch = "x86_64"))]
pub mod tiles {
    use super::Plain;

    /// Doubles of the baseline.
    pub type BaselineDoubles = Plain<f64>;
    /// Singles of the baseline.
    pub type BaselineSingles = Plain<f32>;
    /// Doubles of AVX2.
    pub type Avx2Doubles = Plain<f64>;
    /// Singles of AVX2.
    pub type Avx2Singles = Plain<f32>;
    /// Doubles of AVX-512.
    pub type Avx512Doubles = Plain<f64>;
    /// Singles of AVX-512.
    pub type Avx512Singles = Plain<f32>;
}

/// Numbers for LLVM to put into registers.
#[cfg(not(target_arch = "x86_64"))]
#[derive(Clone, Copy)]
pub struct Plain<T>([T; 4]);

#[cfg(not(target_arch = "x86_64"))]
impl<T: crate::linalg::Real> Wide<T> for Plain<T> {
    const LEN: usize = 4;

    #[inline(always)]
    unsafe fn load(from: *const T) -> Self {
        // SAFETY: the caller's promise.
        Plain(unsafe { from.cast::<[T; 4]>().read() })
    }

    #[inline(always)]
    unsafe fn all(value: T) -> Self {
        Plain([value; 4])
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut T) {
        // SAFETY: the caller's promise.
        unsafe { to.cast::<[T; 4]>().write(self.0) }
    }

    #[inline(always)]
    unsafe fn plus(self, other: Self) -> Self {
        Plain(std::array::from_fn(|l| self.0[l] + other.0[l]))
    }

    #[inline(always)]
    unsafe fn minus(self, other: Self) -> Self {
        Plain(std::array::from_fn(|l| self.0[l] - other.0[l]))
    }

    #[inline(always)]
    unsafe fn times(self, other: Self) -> Self {
        Plain(std::array::from_fn(|l| self.0[l] * other.0[l]))
    }

    #[inline(always)]
    unsafe fn over(self, other: Self) -> Self {
        Plain(std::array::from_fn(|l| self.0[l] / other.0[l]))
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::Wide;
    use std::arch::x86_64::*;

    macro_rules! wide {
        ($($vector:ident of $len:literal $t:ident: $load:ident $all:ident $store:ident $plus:ident $minus:ident $times:ident $over:ident)*) => {$(
            impl Wide<$t> for $vector {
                const LEN: usize = $len;

                #[inline(always)]
                unsafe fn load(from: *const $t) -> Self {
                    // SAFETY: the caller's promise.
                    unsafe { $load(from) }
                }

                #[inline(always)]
                unsafe fn all(value: $t) -> Self {
                    // SAFETY: the caller's promise.
                    unsafe { $all(value) }
                }

                #[inline(always)]
                unsafe fn store(self, to: *mut $t) {
                    // SAFETY: the caller's promise.
                    unsafe { $store(to, self) }
                }

                #[inline(always)]
                unsafe fn plus(self, other: Self) -> Self {
                    // SAFETY: the caller's promise.
                    unsafe { $plus(self, other) }
                }

                #[inline(always)]
                unsafe fn minus(self, other: Self) -> Self {
                    // SAFETY: the caller's promise.
                    unsafe { $minus(self, other) }
                }

                #[inline(always)]
                unsafe fn times(self, other: Self) -> Self {
                    // SAFETY: the caller's promise.
                    unsafe { $times(self, other) }
                }

                #[inline(always)]
                unsafe fn over(self, other: Self) -> Self {
                    // SAFETY: the caller's promise.
                    unsafe { $over(self, other) }
                }
            }
        )*};
    }
    wide! {
        __m128d of 2 f64: _mm_loadu_pd _mm_set1_pd _mm_storeu_pd _mm_add_pd _mm_sub_pd _mm_mul_pd _mm_div_pd
        __m128 of 4 f32: _mm_loadu_ps _mm_set1_ps _mm_storeu_ps _mm_add_ps _mm_sub_ps _mm_mul_ps _mm_div_ps
        __m256d of 4 f64: _mm256_loadu_pd _mm256_set1_pd _mm256_storeu_pd _mm256_add_pd _mm256_sub_pd _mm256_mul_pd _mm256_div_pd
        __m256 of 8 f32: _mm256_loadu_ps _mm256_set1_ps _mm256_storeu_ps _mm256_add_ps _mm256_sub_ps _mm256_mul_ps _mm256_div_ps
        __m512d of 8 f64: _mm512_loadu_pd _mm512_set1_pd _mm512_storeu_pd _mm512_add_pd _mm512_sub_pd _mm512_mul_pd _mm512_div_pd
        __m512 of 16 f32: _mm512_loadu_ps _mm512_set1_ps _mm512_storeu_ps _mm512_add_ps _mm512_sub_ps _mm512_mul_ps _mm512_div_ps
    }
}

/// One variable's values for the points of a row of a register tile.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub struct Short<T>([T; SHORT]);

macro_rules! cleared {
    ($($class:ty: $zero:expr),*) => {
        $(impl Short<$class> {
            /// Values before their first use.
            pub const CLEAR: Self = Short([$zero; SHORT]);
        })*
    };
}
cleared!(f64: 0.0, f32: 0.0, bool: false, i8: 0, i16: 0, i32: 0, i64: 0, u8: 0, u16: 0, u32: 0, u64: 0);

impl<T> Deref for Short<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T> DerefMut for Short<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}

impl<T: Copy> Short<T> {
    /// The values as registers.
    ///
    /// # Safety
    /// The machine has the instruction set.
    #[inline(always)]
    pub unsafe fn wide<V: Wide<T>>(&self) -> V {
        const { assert!(V::LEN <= SHORT) };
        // SAFETY: there are as many; the caller's promise.
        unsafe { V::load(self.0.as_ptr()) }
    }

    /// Takes the values from registers.
    ///
    /// # Safety
    /// The machine has the instruction set.
    #[inline(always)]
    pub unsafe fn set<V: Wide<T>>(&mut self, values: V) {
        const { assert!(V::LEN <= SHORT) };
        // SAFETY: there is room; the caller's promise.
        unsafe { values.store(self.0.as_mut_ptr()) }
    }
}

/// What the rows of a register tile share: for each iteration of the loop an element for each point, one iteration after the other.
pub struct Panel<T: Copy> {
    memory: Buf<MaybeUninit<T>>,
    /// Elements in front of the first, which begins a line.
    skipped: usize,
    steps: usize,
}

impl<T: Copy + Default> Panel<T> {
    /// A panel of so many iterations, without memory until something is packed.
    pub fn new(steps: usize) -> Panel<T> {
        Panel { memory: Buf::<T>::uninit(0), skipped: 0, steps }
    }

    /// Gets the memory; without it the work unwinds to the function's entry.
    #[cold]
    fn begin(&mut self, width: usize) {
        self.memory = Buf::<T>::uninit(self.steps.saturating_mul(width).saturating_add(ALIGNED));
        self.skipped = self.memory.as_slice().as_ptr().align_offset(ALIGNED).min(ALIGNED);
    }

    /// Packs `element(iteration, point)` of so many points, and zeros for those that are missing of a tile. `turned` says that a point's elements are neighbours in
    /// memory from one iteration to the next.
    #[inline(always)]
    pub fn pack<V: Wide<T>>(&mut self, points: usize, turned: bool, element: impl Fn(usize, usize) -> T) {
        debug_assert!(points <= V::LEN);
        if self.memory.as_slice().is_empty() {
            self.begin(V::LEN);
        }
        let (steps, skipped) = (self.steps, self.skipped);
        let memory = &mut self.memory.as_mut_slice()[skipped..skipped + steps * V::LEN];
        if points < V::LEN {
            memory.fill(MaybeUninit::new(T::default()));
        }
        if !turned {
            for (step, row) in memory.chunks_exact_mut(V::LEN).enumerate() {
                match points == V::LEN {
                    true => (0..V::LEN).for_each(|l| _ = row[l].write(element(step, l))),
                    false => (0..points).for_each(|l| _ = row[l].write(element(step, l))),
                }
            }
            return;
        }
        for (block, rows) in memory.chunks_mut(LINE * V::LEN).enumerate() {
            for l in 0..points {
                for (step, row) in rows.chunks_exact_mut(V::LEN).enumerate() {
                    row[l].write(element(block * LINE + step, l));
                }
            }
        }
    }

    /// The elements of an iteration.
    ///
    /// # Safety
    /// The panel is packed for `V` and has the iteration; the machine has the instruction set.
    #[inline(always)]
    pub unsafe fn at<V: Wide<T>>(&self, step: i64) -> V {
        debug_assert!((step as usize) < self.steps);
        // SAFETY: the caller's promise.
        unsafe { V::load(self.memory.as_slice().as_ptr().cast::<T>().add(self.skipped + step as usize * V::LEN)) }
    }
}

impl Chunk {
    /// How many points of each row register tiles take: all but a last few, for which a tile would mostly compute in vain.
    #[inline(always)]
    fn tiled(&self, width: usize) -> usize {
        let (all, last) = (self.inner.len(), self.inner.len() % width);
        if last * 4 < width { all - last } else { all }
    }

    /// What register tiles take of the chunk in parts of `width` points, of all rows; the last has those that are left.
    #[inline(always)]
    pub fn panels(&self, width: usize) -> impl Iterator<Item = Chunk> {
        let (outer, first) = (self.outer.clone(), self.inner.start);
        let end = first + self.tiled(width);
        (first..end).step_by(width).map(move |at| Chunk { outer: outer.clone(), inner: at..end.min(at + width) })
    }

    /// What they leave: rows that are no whole bands of so many, and the last points of the others.
    #[inline(always)]
    pub fn beside_panels<const N: usize>(
        &self,
        extents: [usize; N],
        most: usize,
        width: usize,
    ) -> impl Iterator<Item = Row<N>> {
        let tiled = self.tiled(width);
        let left = move |band: Band<N>| {
            let done = if band.rows == most { tiled } else { 0 };
            band.each().map(move |row| row.behind(done)).filter(|row| row.len > 0)
        };
        self.bands(extents, most).flat_map(left).flat_map(Row::tiles)
    }
}

impl<const N: usize> Row<N> {
    /// The row without its first points.
    #[inline(always)]
    fn behind(self, points: usize) -> Row<N> {
        let mut at = self.at;
        at[N - 1] += points;
        Row { at, len: self.len - points }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::launch::Domain;

    /// Panels and what is beside them are all points once.
    #[test]
    fn panels_and_the_rest_are_the_chunk() {
        for (outer, inner, width) in
            [(9, 70, 32), (3, 40, 32), (8, 39, 32), (5, 7, 8), (4, 1, 8), (12, 64, 4), (4, 0, 8)]
        {
            let extents = [2, outer, inner];
            let chunk = Chunk { outer: 1..2 * outer, ..Domain::nest(extents).whole() };
            let mut seen = vec![0; 2 * outer * inner];
            let mut see = |row: Row<3>| {
                let first = (row.at[0] * outer + row.at[1]) * inner + row.at[2];
                seen[first..first + row.len].iter_mut().for_each(|count| *count += 1);
            };
            for part in chunk.panels(width) {
                assert!(part.inner.len() <= width && part.inner.len() * 4 >= width);
                let bands = part.bands(extents, 4).filter(|band| band.rows == 4);
                bands.flat_map(Band::each).for_each(&mut see);
            }
            chunk.beside_panels(extents, 4, width).for_each(&mut see);
            let want = (0..2 * outer * inner).map(|at| usize::from(at / inner.max(1) > 0));
            assert!(seen.iter().copied().eq(want), "{outer} {inner} {width}: {seen:?}");
        }
    }

    #[test]
    fn panels_hold_elements_iteration_by_iteration_and_zeros() {
        type Registers = tiles::BaselineDoubles;
        for turned in [false, true] {
            let mut panel = Panel::<f64>::new(11);
            panel.pack::<Registers>(3, turned, |step, l| (10 * step + l) as f64);
            for step in 0..11 {
                let mut row = Short::<f64>::CLEAR;
                // SAFETY: the panel has the iteration, and every machine the baseline.
                unsafe { row.set(panel.at::<Registers>(step)) };
                let first = 10.0 * step as f64;
                assert_eq!(row[..4], [first, first + 1.0, first + 2.0, 0.0]);
            }
        }
    }
}
