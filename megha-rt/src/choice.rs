//! Stores of a choice between a new value and what was there.
//!
//! LLVM makes masked stores of them, which are slow on some processors: shortest paths by Floyd and Warshall (512 points, `cargo bench --bench
//! nests floyd`, a Zen 3 without AVX-512) took nearly three times as long with them. It does so where it sees that the value that was loaded goes back as it
//! is; an exclusive or with a zero that it does not know as one, which changes no bit, keeps that from it.

/// Zero, in a way that no optimisation knows.
#[inline(always)]
pub fn zero() -> u64 {
    std::hint::black_box(0)
}

/// A number that a store may put back where it was.
pub trait PutBack: Copy {
    /// The number, for [`zero`].
    fn through(self, zero: u64) -> Self;
}

impl PutBack for f64 {
    #[inline(always)]
    fn through(self, zero: u64) -> Self {
        f64::from_bits(self.to_bits() ^ zero)
    }
}

impl PutBack for f32 {
    #[inline(always)]
    fn through(self, zero: u64) -> Self {
        f32::from_bits(self.to_bits() ^ zero as u32)
    }
}

/// The same number, for [`zero`].
#[inline(always)]
pub fn put_back<T: PutBack>(number: T, zero: u64) -> T {
    number.through(zero)
}

#[cfg(test)]
mod tests {
    use super::{put_back, zero};

    #[test]
    fn no_bit_changes() {
        for bits in [0, 1, 1 << 63, 0x7ff0_0000_0000_0001, 0xfff8_0000_0000_1234, u64::MAX] {
            assert_eq!(put_back(f64::from_bits(bits), zero()).to_bits(), bits);
        }
        for bits in [0, 1, 1 << 31, 0x7f80_0001, u32::MAX] {
            assert_eq!(put_back(f32::from_bits(bits), zero()).to_bits(), bits);
        }
    }
}
