//! Whether ndarray adds as its version 0.17 does without a BLAS library: what compiled functions that call its `sum` and `dot` ask once.
//!
//! The numbers of the test differ so much in size that another order of the additions gives another result.

use std::sync::OnceLock;

use ndarray::ArrayView1;

/// As many as a BLAS library is called for, and some that are left over.
const COUNT: usize = 75;

/// Whether `sum` adds in the order that is known.
pub fn sums_in_known_order() -> bool {
    static KNOWN: OnceLock<bool> = OnceLock::new();
    *KNOWN.get_or_init(|| {
        let x = numbers(1);
        ArrayView1::from(&x[..]).sum().to_bits() == eight_at_once(&x).to_bits()
    })
}

/// Whether `dot` does.
pub fn dots_in_known_order() -> bool {
    static KNOWN: OnceLock<bool> = OnceLock::new();
    *KNOWN.get_or_init(|| {
        let (x, y) = (numbers(1), numbers(2));
        let products: Vec<f64> = x.iter().zip(&y).map(|(x, y)| x * y).collect();
        let single = |x: &[f64]| x.iter().map(|x| *x as f32).collect::<Vec<f32>>();
        let (short, other) = (single(&x), single(&y));
        let found = ArrayView1::from(&x[..]).dot(&ArrayView1::from(&y[..]));
        let of_singles = ArrayView1::from(&short[..]).dot(&ArrayView1::from(&other[..]));
        let singles: Vec<f32> = short.iter().zip(&other).map(|(x, y)| x * y).collect();
        found.to_bits() == eight_at_once(&products).to_bits()
            && of_singles.to_bits() == eight_at_once(&singles).to_bits()
    })
}

fn numbers(seed: u64) -> Vec<f64> {
    let number = |at: u64| {
        let mixed = (at + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15 ^ seed << 20);
        ((mixed >> 11) as f64 / (1u64 << 53) as f64 - 0.5) * 10f64.powi((mixed >> 5) as i32 % 4)
    };
    (0..COUNT as u64).map(number).collect()
}

/// ndarray's `unrolled_fold`.
fn eight_at_once<T: Copy + Default + std::ops::Add<Output = T>>(terms: &[T]) -> T {
    let (mut parts, mut sum) = ([T::default(); 8], T::default());
    let rounds = terms.chunks_exact(8);
    let rest = rounds.remainder();
    for round in rounds {
        for (part, term) in parts.iter_mut().zip(round) {
            *part = *part + *term;
        }
    }
    for pair in 0..4 {
        sum = sum + (parts[pair] + parts[pair + 4]);
    }
    rest.iter().fold(sum, |sum, term| sum + *term)
}

#[cfg(test)]
mod tests {
    use super::{dots_in_known_order, eight_at_once, numbers, sums_in_known_order};

    #[test]
    fn this_ndarray_adds_as_is_known() {
        assert!(sums_in_known_order() && dots_in_known_order());
    }

    #[test]
    fn another_order_is_seen() {
        let x = numbers(1);
        let four = |x: &[f64]| (0..4).map(|first| x.iter().skip(first).step_by(4).sum::<f64>()).sum::<f64>();
        assert_ne!(x.iter().sum::<f64>().to_bits(), eight_at_once(&x).to_bits());
        assert_ne!(four(&x).to_bits(), eight_at_once(&x).to_bits());
    }
}
