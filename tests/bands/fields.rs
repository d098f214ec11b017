//! The fields that programs start from, and what stands for results. The crate of `random` has this file too.

use ndarray::{ArrayD, IxDyn, ShapeBuilder};

/// Numbers without a pattern that the sizes share.
pub fn filled(shape: &[usize], seed: u64, rows_first: bool) -> ArrayD<f64> {
    let mut array = ArrayD::zeros(IxDyn(shape).set_f(!rows_first));
    for (at, x) in array.indexed_iter_mut() {
        let mix = |n: u64, d: usize| n.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(at[d] as u64 + 1);
        *x = (((0..shape.len()).fold(seed, mix) >> 33) % 2001) as f64 / 1000.0 - 1.0;
    }
    array
}

/// A number that stands for all bits.
pub fn digest(results: &[ArrayD<f64>]) -> u64 {
    let numbers = results.iter().flat_map(|array| array.t().iter().map(|x| x.to_bits()).collect::<Vec<_>>());
    numbers.fold(0xcbf2_9ce4_8422_2325, |hash, x| (hash ^ x).wrapping_mul(0x0100_0000_01b3))
}
