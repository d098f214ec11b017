//! What arrays hold before a call; the compiled crate has this file too.

use super::random::Random;

/// Numbers at which something may go wrong.
const SPECIAL: [f64; 10] =
    [-0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e-310, 0.1, -1.0, 9_223_372_036_854_775_808.0, 1e17];

/// The element of an array (its number among the parameters) with this number, columns first, in calls of size `n`. Many are whole and
/// below `n`, so that they can be subscripts.
pub fn element(seed: u64, array: usize, at: usize, n: usize) -> f64 {
    let mut random = Random::new(seed ^ (array as u64) << 40 ^ (at as u64) << 20 ^ n as u64);
    match random.below(20) {
        0 => SPECIAL[random.below(SPECIAL.len())],
        1..=11 => random.below(n.max(1)) as f64,
        _ => random.below(33) as f64 / 4.0 - 4.0,
    }
}

/// A number that stands for a list of others (FNV-1a).
pub fn digest(numbers: impl IntoIterator<Item = u64>) -> u64 {
    let bytes = numbers.into_iter().flat_map(u64::to_le_bytes);
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
