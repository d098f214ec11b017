//! Lengths and strides that loops make smaller: all bits are those of the plain loops, and numbers that wrap do as Rust's.

#![allow(clippy::manual_div_ceil, reason = "the forms that people write")]

use super::both;
use proptest::prelude::*;

both! {
    /// Halves are added up.
    pub fn by_halves(least: usize, mut n: usize, x: &mut [f64]) -> usize {
        while n > least && n > 1 {
            let half = n.div_ceil(2);
            for i in 0..n / 2 {
                x[i] += x[half + i];
            }
            n = half;
        }
        n
    }

    /// A comb of strides, as of a sort of Shell's or a transform.
    pub fn by_strides(mut n: usize, x: &mut [f64]) -> usize {
        let mut rounds = 0;
        n = n.min(x.len());
        let mut step = n / 2;
        while step > 0 {
            for i in 0..step {
                let (a, b) = (x[i], x[i + step]);
                x[i] = a + b;
                x[i + step] = a - b;
            }
            step >>= 1;
            rounds += 1;
        }
        rounds
    }

    /// A counted loop around it, and names that stand for it.
    pub fn by_thirds(levels: usize, n: usize, x: &mut [f64]) -> usize {
        let mut left = n.min(x.len());
        for level in 0..levels {
            let third = left / 3;
            let next = third.min(left & 0xff);
            for i in 0..third {
                x[i] = x[i] * 0.5 + x[i + third] + level as f64;
            }
            left = next;
        }
        left
    }

    /// Rounded up, in the ways that are written without `div_ceil`.
    pub fn rounded_up(mut n: usize, x: &mut [f64]) -> usize {
        n = n.min(x.len());
        let mut rounds = 0;
        while n > 1 {
            let half = (n + 1) / 2;
            for i in 0..n / 2 {
                x[i] += x[half + i];
            }
            if rounds % 3 == 0 {
                n -= n / 2;
            } else if rounds % 3 == 1 {
                n = n - (n >> 1);
            } else {
                n = half;
            }
            rounds += 1;
        }
        rounds
    }

    /// By shifts, thirds of it.
    pub fn shifted_up(mut n: usize, x: &mut [f64]) -> usize {
        n = n.min(x.len());
        let mut rounds = 0;
        while n > 2 {
            let quarter = (3 + n) >> 2;
            for i in 0..quarter {
                x[i] = x[i] * 0.5 + x[i + quarter];
            }
            n = (n + 2) / 3;
            rounds += 1;
        }
        rounds
    }

    /// It grows again, which is no such loop.
    pub fn up_and_down(mut n: usize, x: &mut [f64]) -> usize {
        let mut rounds = 0;
        while n > 1 && rounds < 9 {
            n = n / 2 + 1;
            for i in 0..n.min(x.len()) / 2 {
                x[i] += x[n.min(x.len()) - 1 - i];
            }
            rounds += 1;
        }
        n
    }

    /// Below zero it wraps: any number of rounds.
    pub fn wrapping(n: usize, x: &mut [f64]) -> usize {
        let mut left = n;
        let mut rounds = 0;
        while rounds < 5 {
            left = left.wrapping_sub(3);
            if left < x.len() {
                x[left] += 1.0;
            }
            rounds += 1;
        }
        left
    }
}

fn run(f: impl Fn(&mut [f64]) -> usize, len: usize) -> (usize, Vec<u64>) {
    let mut x: Vec<f64> = (0..len).map(|i| ((i * 7919) % 101) as f64 / 8.0 - 5.0).collect();
    let result = f(&mut x);
    (result, x.into_iter().map(f64::to_bits).collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn numbers_shrink(len in 0..200usize, part in 0..=200usize, few in 0..9usize) {
        let n = len * part / 200;
        prop_assert_eq!(run(|x| plain::by_halves(few, n, x), len), run(|x| fast::by_halves(few, n, x), len));
        for n in [n, usize::MAX, 1 << 63, 3] {
            prop_assert_eq!(run(|x| plain::by_strides(n, x), len), run(|x| fast::by_strides(n, x), len));
            prop_assert_eq!(run(|x| plain::by_thirds(few, n, x), len), run(|x| fast::by_thirds(few, n, x), len));
            prop_assert_eq!(run(|x| plain::wrapping(n, x), len), run(|x| fast::wrapping(n, x), len));
        }
        for n in [n, usize::MAX] {
            prop_assert_eq!(run(|x| plain::rounded_up(n, x), len), run(|x| fast::rounded_up(n, x), len));
            prop_assert_eq!(run(|x| plain::shifted_up(n, x), len), run(|x| fast::shifted_up(n, x), len));
        }
        prop_assert_eq!(run(|x| plain::up_and_down(n, x), len), run(|x| fast::up_and_down(n, x), len));
    }
}

/// Several threads, and a length beyond which elements are missing panics as the plain loop does.
#[test]
fn long_halves() {
    let len = 3_000_001;
    assert_eq!(run(|x| plain::by_halves(1, len, x), len), run(|x| fast::by_halves(1, len, x), len));
    for n in [12, usize::MAX - 1, 1 << 63] {
        let outcome = std::panic::catch_unwind(|| fast::by_halves(1, n, &mut [0.0; 10]));
        assert!(outcome.is_err(), "{n}");
    }
}
