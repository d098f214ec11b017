//! Random numbers by the counter-based generator Philox4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3, SC 2011).
//!
//! A counter-based generator is a pure function from a key and a counter to random bits, so element k of an array of random numbers
//! does not depend on the elements before it: it may be computed in any order, on any device, by any number of threads.
//! Each call of `rand` that a program executes has a key of its own, made of the seed and the number of the call; the
//! element's number (columns first) is the counter. Thus a program's numbers depend on the seed and on the order of its
//! calls only.

/// The seed of a generator that the program did not seed.
pub const DEFAULT_SEED: u64 = 0;

/// Rounds of the recommended variant.
pub const ROUNDS: usize = 10;
/// Multipliers of the two halves of the counter.
pub const MULTIPLIERS: [u32; 2] = [0xD251_1F53, 0xCD9E_8D57];
/// What the key grows by from round to round: the golden ratio and the square root of 3 less one.
pub const WEYL: [u32; 2] = [0x9E37_79B9, 0xBB67_AE85];

/// Four random words for a counter under a key.
#[inline(always)]
pub fn philox4x32(mut counter: [u32; 4], mut key: [u32; 2]) -> [u32; 4] {
    for _ in 0..ROUNDS {
        let [a, b] =
            [u64::from(MULTIPLIERS[0]) * u64::from(counter[0]), u64::from(MULTIPLIERS[1]) * u64::from(counter[2])];
        let high = |product: u64| (product >> 32) as u32;
        counter = [high(b) ^ counter[1] ^ key[0], b as u32, high(a) ^ counter[3] ^ key[1], a as u32];
        key = [key[0].wrapping_add(WEYL[0]), key[1].wrapping_add(WEYL[1])];
    }
    counter
}

/// 64 random bits for an element under a call's key; the IR's `philox`.
#[inline(always)]
pub fn bits(key: i64, element: i64) -> i64 {
    let [a, b, ..] = philox4x32([element as u32, (element >> 32) as u32, 0, 0], [key as u32, (key >> 32) as u32]);
    i64::from(b) << 32 | i64::from(a)
}

/// A number strictly between 0 and 1: the middle of one of 2^52 equal intervals.
#[inline(always)]
pub fn uniform(key: i64, element: i64) -> f64 {
    ((bits(key, element) as u64 >> 12) as f64 + 0.5) * (1.0 / (1u64 << 52) as f64)
}

/// A random order of 1 .. n (Fisher and Yates, Durstenfeld's form).
pub fn permutation(key: i64, n: usize) -> Vec<f64> {
    permutation_by(n, |element| uniform(key, element as i64))
}

/// [`permutation`] under a key whose `uniform` numbers are at hand.
pub fn permutation_by(n: usize, uniform: impl Fn(usize) -> f64) -> Vec<f64> {
    let mut list = crate::memory::gathered((1..=n).map(|k| k as f64));
    for last in (1..n).rev() {
        let other = (uniform(last) * (last + 1) as f64) as usize;
        list.swap(last, other);
    }
    list
}

/// Where a program stands in its random numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stream {
    seed: u64,
    calls: u64,
}

impl Stream {
    /// The beginning for a seed.
    pub const fn new(seed: u64) -> Self {
        Self { seed, calls: 0 }
    }

    /// The key of the next call.
    pub fn next_key(&mut self) -> i64 {
        let halves = |x: u64| [x as u32, (x >> 32) as u32];
        let [c, d] = halves(self.calls);
        self.calls += 1;
        // The last word of the counter keeps these blocks apart from those of elements.
        let [a, b, ..] = philox4x32([c, d, 0, 1], halves(self.seed));
        i64::from(b) << 32 | i64::from(a)
    }
}

impl Default for Stream {
    fn default() -> Self {
        Self::new(DEFAULT_SEED)
    }
}

/// The seed that a program's number stands for.
pub fn seed_of(number: f64) -> u64 {
    if number.is_finite() && number.fract() == 0.0 && number.abs() < 2f64.powi(63) {
        number as i64 as u64
    } else {
        number.to_bits()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_known_answers_of_philox() {
        // From the authors' test vectors (Random123, kat_vectors).
        assert_eq!(philox4x32([0; 4], [0; 2]), [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]);
        assert_eq!(philox4x32([u32::MAX; 4], [u32::MAX; 2]), [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]);
        assert_eq!(
            philox4x32([0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344], [0xa409_3822, 0x299f_31d0]),
            [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1]
        );
    }

    #[test]
    fn uniform_numbers() {
        let n = 100_000;
        let key = Stream::new(7).next_key();
        let numbers: Vec<f64> = (0..n).map(|k| uniform(key, k)).collect();
        assert!(numbers.iter().all(|x| *x > 0.0 && *x < 1.0));
        let mean = numbers.iter().sum::<f64>() / n as f64;
        let square = numbers.iter().map(|x| x * x).sum::<f64>() / n as f64;
        let lag = numbers.windows(2).map(|p| p[0] * p[1]).sum::<f64>() / n as f64;
        // Five standard deviations of each statistic.
        assert!((mean - 0.5).abs() < 5.0 * (1.0 / 12.0f64 / n as f64).sqrt(), "{mean}");
        assert!((square - 1.0 / 3.0).abs() < 5.0 * (4.0 / 45.0f64 / n as f64).sqrt(), "{square}");
        assert!((lag - 0.25).abs() < 0.005, "{lag}");
    }

    #[test]
    fn permutations() {
        let key = Stream::default().next_key();
        let list = permutation(key, 100);
        let mut sorted = list.clone();
        sorted.sort_by(f64::total_cmp);
        assert_eq!(sorted, (1..=100).map(f64::from).collect::<Vec<_>>());
        assert_ne!(list, sorted);
        assert!(permutation(key, 0).is_empty());
        // Each of the six orders of three comes as often.
        let mut stream = Stream::default();
        let mut count = std::collections::BTreeMap::new();
        for _ in 0..6000 {
            let list = permutation(stream.next_key(), 3);
            *count.entry(list.iter().map(|x| *x as u8).collect::<Vec<_>>()).or_insert(0) += 1;
        }
        assert_eq!(count.len(), 6);
        assert!(count.values().all(|n| (850..1150).contains(n)), "{count:?}");
    }

    #[test]
    fn calls_and_seeds_have_their_own_keys() {
        let (mut a, mut b) = (Stream::new(1), Stream::new(2));
        let keys = [a.next_key(), a.next_key(), b.next_key(), b.next_key()];
        assert!((1..4).all(|i| !keys[..i].contains(&keys[i])));
        assert_eq!(Stream::new(1).next_key(), keys[0]);
        assert_ne!(seed_of(0.5), seed_of(1.5));
    }
}
