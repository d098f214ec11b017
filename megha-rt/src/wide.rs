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
    /// Fewer registers, or a part of one, for rows of fewer points; the least is its own part.
    type Part: Wide<T>;

    /// Neighbours in memory.
    ///
    /// # Safety
    /// All `LEN` lie there; the machine has the instruction set.
    unsafe fn load(from: *const T) -> Self;

    /// The first `len` of them; the others are zero.
    ///
    /// # Safety
    /// `len` lie there, and `len` is at most `LEN`; the machine has the instruction set.
    unsafe fn load_some(from: *const T, len: usize) -> Self;

    /// A row of at most `LEN`; what it lacks is zero.
    ///
    /// # Safety
    /// The row has no more; the machine has the instruction set.
    #[inline(always)]
    unsafe fn load_row(row: &[T]) -> Self {
        // SAFETY: the row's numbers lie there.
        unsafe {
            if row.len() == Self::LEN { Self::load(row.as_ptr()) } else { Self::load_some(row.as_ptr(), row.len()) }
        }
    }

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
    type Part = V;

    #[inline(always)]
    unsafe fn load(from: *const T) -> Self {
        // SAFETY: the caller's promise.
        Several(std::array::from_fn(|v| unsafe { V::load(from.add(v * V::LEN)) }))
    }

    #[inline(always)]
    unsafe fn load_some(from: *const T, len: usize) -> Self {
        let some = |v: usize| {
            let before = len.min(v * V::LEN);
            // SAFETY: these are a part of what the caller promises.
            unsafe { V::load_some(from.add(before), (len - before).min(V::LEN)) }
        };
        Several(std::array::from_fn(some))
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
    type Part = Self;

    #[inline(always)]
    unsafe fn load(from: *const T) -> Self {
        // SAFETY: the caller's promise.
        Plain(unsafe { from.cast::<[T; 4]>().read() })
    }

    #[inline(always)]
    unsafe fn load_some(from: *const T, len: usize) -> Self {
        // SAFETY: the caller's promise.
        Plain(std::array::from_fn(|l| if l < len { unsafe { from.add(l).read() } } else { T::ZERO }))
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

    /// The baseline has no loads under a mask.
    macro_rules! first {
        ($($name:ident: $vector:ident of $len:literal $t:ident)*) => {$(
            #[inline(always)]
            unsafe fn $name(from: *const $t, len: usize) -> $vector {
                let number = |l: usize| if l < len {
                    // SAFETY: the caller's promise.
                    unsafe { from.add(l).read() }
                } else {
                    0.0
                };
                // SAFETY: a register has these numbers' memory.
                unsafe { std::mem::transmute(std::array::from_fn::<$t, $len, _>(number)) }
            }
        )*};
    }
    first! { first_of_two: __m128d of 2 f64 first_of_four: __m128 of 4 f32 }

    /// Of a mask of AVX2 the sign of each number counts: a window on eight of these is one.
    static SIGNS: [i64; 8] = [-1, -1, -1, -1, 0, 0, 0, 0];
    static SIGNS_OF_SINGLES: [i32; 16] = [-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0];

    #[inline(always)]
    unsafe fn some_of_four_doubles(from: *const f64, len: usize) -> __m256d {
        // SAFETY: the window lies in the table; of memory only what the mask names is read, which the caller promises.
        unsafe { _mm256_maskload_pd(from, _mm256_loadu_si256(SIGNS.as_ptr().add(4 - len).cast())) }
    }

    #[inline(always)]
    unsafe fn some_of_eight_singles(from: *const f32, len: usize) -> __m256 {
        // SAFETY: as above.
        unsafe { _mm256_maskload_ps(from, _mm256_loadu_si256(SIGNS_OF_SINGLES.as_ptr().add(8 - len).cast())) }
    }

    #[inline(always)]
    unsafe fn some_of_eight_doubles(from: *const f64, len: usize) -> __m512d {
        // SAFETY: of memory only what the mask names is read, which the caller promises.
        unsafe { _mm512_maskz_loadu_pd((0xff_u32 >> (8 - len)) as u8, from) }
    }

    #[inline(always)]
    unsafe fn some_of_sixteen_singles(from: *const f32, len: usize) -> __m512 {
        // SAFETY: as above.
        unsafe { _mm512_maskz_loadu_ps((0xffff_u32 >> (16 - len)) as u16, from) }
    }

    macro_rules! wide {
        ($($vector:ident of $len:literal $t:ident: $part:ident $load:ident $some:ident $all:ident $store:ident $plus:ident $minus:ident $times:ident $over:ident $fused:ident)*) => {$(
            // SAFETY: so the vendor has it.
            unsafe impl Wide<$t> for $vector {
                const LEN: usize = $len;
                type Part = $part;

                #[inline(always)]
                unsafe fn load(from: *const $t) -> Self {
                    // SAFETY: the caller's promise.
                    unsafe { $load(from) }
                }

                #[inline(always)]
                unsafe fn load_some(from: *const $t, len: usize) -> Self {
                    // SAFETY: the caller's promise.
                    unsafe { $some(from, len) }
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
        __m128d of 2 f64: __m128d _mm_loadu_pd first_of_two _mm_set1_pd _mm_storeu_pd _mm_add_pd _mm_sub_pd _mm_mul_pd _mm_div_pd two_doubles
        __m128 of 4 f32: __m128 _mm_loadu_ps first_of_four _mm_set1_ps _mm_storeu_ps _mm_add_ps _mm_sub_ps _mm_mul_ps _mm_div_ps four_singles
        __m256d of 4 f64: __m128d _mm256_loadu_pd some_of_four_doubles _mm256_set1_pd _mm256_storeu_pd _mm256_add_pd _mm256_sub_pd _mm256_mul_pd _mm256_div_pd _mm256_fmadd_pd
        __m256 of 8 f32: __m128 _mm256_loadu_ps some_of_eight_singles _mm256_set1_ps _mm256_storeu_ps _mm256_add_ps _mm256_sub_ps _mm256_mul_ps _mm256_div_ps _mm256_fmadd_ps
        __m512d of 8 f64: __m256d _mm512_loadu_pd some_of_eight_doubles _mm512_set1_pd _mm512_storeu_pd _mm512_add_pd _mm512_sub_pd _mm512_mul_pd _mm512_div_pd _mm512_fmadd_pd
        __m512 of 16 f32: __m256 _mm512_loadu_ps some_of_sixteen_singles _mm512_set1_ps _mm512_storeu_ps _mm512_add_ps _mm512_sub_ps _mm512_mul_ps _mm512_div_ps _mm512_fmadd_ps
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

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::isa::{Isa, Kernel, Level};
    use crate::launch::{Chunk, Domain};

    /// Reads rows of all lengths with registers of all sizes.
    struct Rows<'a> {
        numbers: &'a [f32],
        wrong: Mutex<Vec<(usize, usize)>>,
    }

    impl Rows<'_> {
        #[inline(always)]
        fn check<T: Copy + Default + PartialEq, V: Wide<T>>(&self, numbers: &[T]) {
            for len in 0..=V::LEN {
                let from = numbers.len() - len;
                // SAFETY: the row is no longer than the registers.
                let lane = Lane::<V, T>(unsafe { V::load_row(&numbers[from..]) }, PhantomData);
                let right = (0..V::LEN).all(|l| lane[l] == numbers.get(from + l).copied().unwrap_or_default());
                if !right {
                    self.wrong.lock().unwrap().push((V::LEN, len));
                }
            }
        }
    }

    impl Kernel for Rows<'_> {
        #[inline(always)]
        fn run<I: Isa>(&self, _: &Chunk) {
            let doubles: Vec<f64> = self.numbers.iter().map(|x| f64::from(*x)).collect();
            self.check::<f64, I::Doubles>(&doubles);
            self.check::<f64, <I::Doubles as Wide<f64>>::Part>(&doubles);
            self.check::<f64, <<I::Doubles as Wide<f64>>::Part as Wide<f64>>::Part>(&doubles);
            self.check::<f32, I::Singles>(self.numbers);
            self.check::<f32, <I::Singles as Wide<f32>>::Part>(self.numbers);
            self.check::<f32, <<I::Singles as Wide<f32>>::Part as Wide<f32>>::Part>(self.numbers);
        }
    }

    #[test]
    fn parts_of_registers_hold_what_rows_have() {
        let numbers: Vec<f32> = (0..40).map(|k| k as f32 + 1.0).collect();
        let before = Level::current();
        for level in Level::available() {
            level.limit();
            let rows = Rows { numbers: &numbers, wrong: Mutex::default() };
            crate::isa::dispatch(&rows, &Domain::flat(1).whole());
            assert_eq!(rows.wrong.into_inner().unwrap(), [], "{level:?}");
        }
        before.limit();
    }
}
