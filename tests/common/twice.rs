//! Functions twice, as they are and offloaded, and what they make of arrays in both memory orders, with and without a simulated device.

use std::sync::Arc;

use megha::device::sim::SimDevice;
use megha::device::{Placement, with};
use ndarray::{Array1, Array2, Array3, ShapeBuilder};

/// The same functions twice: as they are, and offloaded.
macro_rules! both {
    ($($item:item)*) => {
        pub mod plain {
            #[allow(unused_imports, reason = "each group uses some of them")]
            use super::*;
            $($item)*
        }
        pub mod fast {
            #[allow(unused_imports, reason = "as above")]
            use super::*;
            $(#[megha::offload] $item)*
        }
    };
}
pub(crate) use both;

/// Arrays of numbers that follow from a seed, in one memory order.
#[derive(Clone, Copy)]
pub struct Given {
    /// Whether neighbours in a column are neighbours in memory.
    pub columns_first: bool,
}

impl Given {
    fn number(seed: usize, at: usize) -> f64 {
        let mixed = (at as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15 ^ (seed as u64) << 20);
        (mixed >> 11) as f64 / (1u64 << 53) as f64 + 0.125
    }

    /// A vector.
    pub fn vector(self, n: usize, seed: usize) -> Array1<f64> {
        Array1::from_shape_fn(n, |i| Self::number(seed, i))
    }

    /// A matrix.
    pub fn matrix(self, n: usize, m: usize, seed: usize) -> Array2<f64> {
        Array2::from_shape_fn((n, m).set_f(self.columns_first), |(i, j)| Self::number(seed, i * m + j))
    }

    /// An array of three dimensions.
    pub fn solid(self, [n, m, p]: [usize; 3], seed: usize) -> Array3<f64> {
        let shape = (n, m, p).set_f(self.columns_first);
        Array3::from_shape_fn(shape, |(i, j, k)| Self::number(seed, (i * m + j) * p + k))
    }

    /// A symmetric matrix whose diagonal dominates.
    pub fn dominant(self, n: usize, seed: usize) -> Array2<f64> {
        let a = self.matrix(n, n, seed);
        let shape = (n, n).set_f(self.columns_first);
        Array2::from_shape_fn(shape, |(i, j)| a[[i, j]] + a[[j, i]] + if i == j { 2.0 * n as f64 } else { 0.0 })
    }
}

/// Calls a function, plain (false) or offloaded, of a size, and gives all that it may have changed.
pub type Case = fn(bool, Given, usize) -> Vec<Vec<u64>>;

/// Bits by which numbers are compared: all NaN are alike.
pub trait Bits: Copy {
    /// The bits.
    fn bits(self) -> u64;
}

macro_rules! bits {
    ($($t:ty),*) => {$(
        impl Bits for $t {
            fn bits(self) -> u64 {
                self as u64
            }
        }
    )*};
}
bits!(i8, i16, i32, i64, isize, u8, u16, u32, u64, usize, bool);

impl Bits for f64 {
    fn bits(self) -> u64 {
        if self.is_nan() { Self::NAN.to_bits() } else { self.to_bits() }
    }
}

impl Bits for f32 {
    fn bits(self) -> u64 {
        if self.is_nan() { Self::NAN.to_bits().into() } else { self.to_bits().into() }
    }
}

/// Compares both forms, on the processor and with a device.
#[track_caller]
pub fn same(case: Case, sizes: &[usize]) {
    for columns_first in [false, true] {
        for &n in sizes {
            let given = Given { columns_first };
            let want = case(false, given, n);
            assert_eq!(want, case(true, given, n), "size {n}, columns first: {columns_first}");
            let device = Arc::new(SimDevice::new(SimDevice::standard()));
            let found = with(device.clone(), Placement::Gpu, || case(true, given, n));
            assert_eq!(want, found, "on a device: size {n}, columns first: {columns_first}");
            assert_eq!(device.mistakes(), [""; 0], "size {n}, columns first: {columns_first}");
        }
    }
}

/// The elements of all arrays, rows first.
macro_rules! all {
    ($($array:expr),*) => { vec![$($array.iter().map(|x| $crate::twice::Bits::bits(*x)).collect::<Vec<u64>>()),*] };
}
pub(crate) use all;

/// One of the two forms of a function.
macro_rules! form {
    ($offloaded:expr, $name:ident($($arg:expr),* $(,)?)) => {
        if $offloaded { fast::$name($($arg),*) } else { plain::$name($($arg),*) }
    };
}
pub(crate) use form;
