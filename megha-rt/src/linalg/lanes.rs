//! Registers full of numbers, for the product of matrices.
//!
//! The product needs some twenty sums in registers from one term to the next. Of arrays of numbers LLVM keeps fewer there, whatever the
//! instruction set has; of values of the vector types it keeps all.

use super::Real;

/// Numbers that one instruction multiplies and adds.
pub trait Lanes<T: Real>: Copy {
    /// How many.
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

    /// `self + a * b`, rounded once.
    ///
    /// # Safety
    /// The machine has the instruction set.
    unsafe fn plus_product(self, a: Self, b: Self) -> Self;
}

/// Lines, and elements of each, that are turned in registers.
pub const SIDE: usize = 4;

/// Numbers that can be turned.
pub trait Turn: Copy {
    /// Puts the first elements of lines into memory, element by element: `SIDE` of each line, `apart` from one to the next.
    ///
    /// # Safety
    /// The elements lie there, and there is room.
    unsafe fn turn(lines: [*const Self; SIDE], to: *mut Self, apart: usize);
}

/// What every machine has.
pub type Plain<T> = [T; 4];

impl<T: Real> Lanes<T> for Plain<T> {
    const LEN: usize = 4;

    #[inline(always)]
    unsafe fn load(from: *const T) -> Self {
        // SAFETY: the caller's promise.
        unsafe { from.cast::<Self>().read() }
    }

    #[inline(always)]
    unsafe fn all(value: T) -> Self {
        [value; 4]
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut T) {
        // SAFETY: the caller's promise.
        unsafe { to.cast::<Self>().write(self) }
    }

    #[inline(always)]
    unsafe fn plus_product(self, a: Self, b: Self) -> Self {
        std::array::from_fn(|l| self[l].plus_product(a[l], b[l]))
    }
}

#[cfg(not(target_arch = "x86_64"))]
impl<T: Real> Turn for T {
    #[inline(always)]
    unsafe fn turn(lines: [*const T; SIDE], to: *mut T, apart: usize) {
        for k in 0..SIDE {
            for (l, line) in lines.iter().enumerate() {
                // SAFETY: the caller's promise.
                unsafe { to.add(k * apart + l).write(*line.add(k)) };
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{
        __m256, __m256d, __m512, __m512d, _mm256_fmadd_pd, _mm256_fmadd_ps, _mm256_loadu_pd, _mm256_loadu_ps,
        _mm256_set1_pd, _mm256_set1_ps, _mm256_storeu_pd, _mm256_storeu_ps, _mm512_fmadd_pd, _mm512_fmadd_ps,
        _mm512_loadu_pd, _mm512_loadu_ps, _mm512_set1_pd, _mm512_set1_ps, _mm512_storeu_pd, _mm512_storeu_ps,
    };

    use std::arch::x86_64::{
        _mm_loadu_pd, _mm_loadu_ps, _mm_movehl_ps, _mm_movelh_ps, _mm_storeu_pd, _mm_storeu_ps, _mm_unpackhi_pd,
        _mm_unpackhi_ps, _mm_unpacklo_pd, _mm_unpacklo_ps,
    };

    use super::{Lanes, SIDE, Turn};

    // Registers of 16 bytes: every machine has them, and stores bound what more would gain.
    impl Turn for f64 {
        #[inline(always)]
        unsafe fn turn([a, b, c, d]: [*const f64; SIDE], to: *mut f64, apart: usize) {
            for k in (0..SIDE).step_by(2) {
                // SAFETY: the caller's promise.
                unsafe {
                    let [a, b, c, d] = [a, b, c, d].map(|line| _mm_loadu_pd(line.add(k)));
                    let to = to.add(k * apart);
                    _mm_storeu_pd(to, _mm_unpacklo_pd(a, b));
                    _mm_storeu_pd(to.add(2), _mm_unpacklo_pd(c, d));
                    _mm_storeu_pd(to.add(apart), _mm_unpackhi_pd(a, b));
                    _mm_storeu_pd(to.add(apart + 2), _mm_unpackhi_pd(c, d));
                }
            }
        }
    }

    impl Turn for f32 {
        #[inline(always)]
        unsafe fn turn(lines: [*const f32; SIDE], to: *mut f32, apart: usize) {
            // SAFETY: the caller's promise.
            unsafe {
                let [a, b, c, d] = lines.map(|line| _mm_loadu_ps(line));
                let (ab, cd) = (_mm_unpacklo_ps(a, b), _mm_unpacklo_ps(c, d));
                let (ab_high, cd_high) = (_mm_unpackhi_ps(a, b), _mm_unpackhi_ps(c, d));
                _mm_storeu_ps(to, _mm_movelh_ps(ab, cd));
                _mm_storeu_ps(to.add(apart), _mm_movehl_ps(cd, ab));
                _mm_storeu_ps(to.add(2 * apart), _mm_movelh_ps(ab_high, cd_high));
                _mm_storeu_ps(to.add(3 * apart), _mm_movehl_ps(cd_high, ab_high));
            }
        }
    }

    macro_rules! lanes {
        ($($vector:ident of $len:literal $t:ident: $load:ident $all:ident $store:ident $fused:ident)*) => {$(
            impl Lanes<$t> for $vector {
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
                unsafe fn plus_product(self, a: Self, b: Self) -> Self {
                    // SAFETY: the caller's promise.
                    unsafe { $fused(a, b, self) }
                }
            }
        )*};
    }
    lanes! {
        __m256d of 4 f64: _mm256_loadu_pd _mm256_set1_pd _mm256_storeu_pd _mm256_fmadd_pd
        __m256 of 8 f32: _mm256_loadu_ps _mm256_set1_ps _mm256_storeu_ps _mm256_fmadd_ps
        __m512d of 8 f64: _mm512_loadu_pd _mm512_set1_pd _mm512_storeu_pd _mm512_fmadd_pd
        __m512 of 16 f32: _mm512_loadu_ps _mm512_set1_ps _mm512_storeu_ps _mm512_fmadd_ps
    }
}
