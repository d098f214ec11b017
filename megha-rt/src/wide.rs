//! Register tiles: a few rows of a kernel's points at a time, whose sums stay in registers while a sequential loop runs.
//!
//! What they read is packed first ([`crate::panels`]). Of arrays of numbers LLVM keeps few in registers, of values of the vector types it keeps all,
//! hence [`Wide`]. Operations are rounded one by one, each lane's in the program's order: results are those of the plain loop.

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

/// Points of a row that a register tile has at most.
pub const SHORT: usize = 32;

/// The points of a row of a register tile: vector registers, and what they compute.
///
/// # Safety
/// A value's memory is `LEN` numbers in their order.
pub unsafe trait Wide<T>: Copy {
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

    /// Products with others and sums with `added`, rounded once.
    ///
    /// # Safety
    /// The machine has the instruction set.
    unsafe fn fused(self, other: Self, added: Self) -> Self;
}

/// Several registers.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Several<V, const N: usize>([V; N]);

// SAFETY: an array has its elements' memory.
unsafe impl<T: Copy, V: Wide<T>, const N: usize> Wide<T> for Several<V, N> {
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

    #[inline(always)]
    unsafe fn fused(self, other: Self, added: Self) -> Self {
        // SAFETY: the caller's promise.
        Several(std::array::from_fn(|v| unsafe { self.0[v].fused(other.0[v], added.0[v]) }))
    }
}

/// The points of a row of a tile of six rows, for each instruction set: with the packed ones they fill its registers.
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

/// The points of a row of a tile of six rows, for each instruction set.
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
#[repr(transparent)]
pub struct Plain<T>([T; 4]);

#[cfg(not(target_arch = "x86_64"))]
// SAFETY: it is an array of these numbers.
unsafe impl<T: crate::linalg::Real> Wide<T> for Plain<T> {
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

    #[inline(always)]
    unsafe fn fused(self, other: Self, added: Self) -> Self {
        Plain(std::array::from_fn(|l| added.0[l].plus_product(self.0[l], other.0[l])))
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::Wide;
    use std::arch::x86_64::*;

    /// The baseline has no instruction for it.
    macro_rules! one_by_one {
        ($($name:ident: $vector:ident of $len:literal $t:ident)*) => {$(
            #[inline(always)]
            unsafe fn $name(a: $vector, b: $vector, c: $vector) -> $vector {
                // SAFETY: a register has these numbers' memory.
                unsafe {
                    let [a, b, c]: [[$t; $len]; 3] = std::mem::transmute([a, b, c]);
                    std::mem::transmute(std::array::from_fn::<$t, $len, _>(|l| a[l].mul_add(b[l], c[l])))
                }
            }
        )*};
    }
    one_by_one! { two_doubles: __m128d of 2 f64 four_singles: __m128 of 4 f32 }

    macro_rules! wide {
        ($($vector:ident of $len:literal $t:ident: $load:ident $all:ident $store:ident $plus:ident $minus:ident $times:ident $over:ident $fused:ident)*) => {$(
            // SAFETY: so the vendor has it.
            unsafe impl Wide<$t> for $vector {
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

                #[inline(always)]
                unsafe fn fused(self, other: Self, added: Self) -> Self {
                    // SAFETY: the caller's promise.
                    unsafe { $fused(self, other, added) }
                }
            }
        )*};
    }
    wide! {
        __m128d of 2 f64: _mm_loadu_pd _mm_set1_pd _mm_storeu_pd _mm_add_pd _mm_sub_pd _mm_mul_pd _mm_div_pd two_doubles
        __m128 of 4 f32: _mm_loadu_ps _mm_set1_ps _mm_storeu_ps _mm_add_ps _mm_sub_ps _mm_mul_ps _mm_div_ps four_singles
        __m256d of 4 f64: _mm256_loadu_pd _mm256_set1_pd _mm256_storeu_pd _mm256_add_pd _mm256_sub_pd _mm256_mul_pd _mm256_div_pd _mm256_fmadd_pd
        __m256 of 8 f32: _mm256_loadu_ps _mm256_set1_ps _mm256_storeu_ps _mm256_add_ps _mm256_sub_ps _mm256_mul_ps _mm256_div_ps _mm256_fmadd_ps
        __m512d of 8 f64: _mm512_loadu_pd _mm512_set1_pd _mm512_storeu_pd _mm512_add_pd _mm512_sub_pd _mm512_mul_pd _mm512_div_pd _mm512_fmadd_pd
        __m512 of 16 f32: _mm512_loadu_ps _mm512_set1_ps _mm512_storeu_ps _mm512_add_ps _mm512_sub_ps _mm512_mul_ps _mm512_div_ps _mm512_fmadd_ps
    }
}

/// The values of a variable of another class for the points of a row of a register tile.
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

/// A variable's values as registers, of which each number can be reached too.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Lane<V, T>(V, PhantomData<T>);

impl<T: Copy + Default, V: Wide<T>> Lane<V, T> {
    /// Values before their first use.
    ///
    /// # Safety
    /// The machine has the instruction set.
    #[inline(always)]
    pub unsafe fn clear() -> Self {
        // SAFETY: the caller's promise.
        Lane(unsafe { V::all(T::default()) }, PhantomData)
    }

    /// The registers of several rows.
    #[inline(always)]
    pub fn registers<const ROWS: usize>(rows: &[Self; ROWS]) -> [V; ROWS] {
        let mut registers = [rows[0].0; ROWS];
        for row in 1..ROWS {
            registers[row] = rows[row].0;
        }
        registers
    }

    /// Takes the values of several rows from registers.
    #[inline(always)]
    pub fn set<const ROWS: usize>(rows: &mut [Self; ROWS], registers: [V; ROWS]) {
        for row in 0..ROWS {
            rows[row].0 = registers[row];
        }
    }
}

impl<T, V: Wide<T>> Deref for Lane<V, T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: `V` promises it.
        unsafe { std::slice::from_raw_parts(std::ptr::from_ref(&self.0).cast(), V::LEN) }
    }
}

impl<T, V: Wide<T>> DerefMut for Lane<V, T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: `V` promises it, and any numbers are a value.
        unsafe { std::slice::from_raw_parts_mut(std::ptr::from_mut(&mut self.0).cast(), V::LEN) }
    }
}
