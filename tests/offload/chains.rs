//! Rows that are independent of each other, along which elements follow from those before: a few rows at a time, what was stored in registers.

use super::{base, both, cut, cut_mut, lay};
use ndarray::{ArrayView2, ArrayViewMut2};
use proptest::prelude::*;

both! {
    /// Of the first order, forwards and backwards again.
    pub fn there_and_back(a: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        let (n, m) = c.dim();
        for i in 0..n {
            c[[i, 0]] = a[[i, 0]];
            for j in 1..m {
                c[[i, j]] = a[[i, j]] / (1.5 + 0.25 * c[[i, j - 1]]);
            }
            c[[i, m - 1]] = 1.0;
            for j in (0..m - 1).rev() {
                c[[i, j]] = c[[i, j]] * c[[i, j + 1]] + a[[i, j]];
            }
        }
    }

    /// Of the second order, with a row of its own for each column.
    pub fn second(a: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        let (n, m) = c.dim();
        for i in 0..n {
            c[[i, 0]] = 0.5;
            c[[i, 1]] = a[[i, 1]];
            for j in 2..m {
                c[[i, j]] = a[[i, j]] + 0.5 * c[[i, j - 1]] - 0.25 * c[[i, j - 2]];
            }
        }
    }

    /// The first elements are what the array had before.
    pub fn from_before(a: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        let (n, m) = c.dim();
        for i in 0..n {
            for j in 1..m {
                c[[i, j]] = c[[i, j - 1]] * a[[i, j]] + 1.0;
            }
        }
    }

    /// An element that is stored once more under a condition, and by a constant.
    pub fn stored_again(a: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        let (n, m) = c.dim();
        for i in 0..n {
            let mut s = 0.0;
            for j in 0..m {
                s += a[[i, j]];
                c[[i, j]] = s;
                if a[[i, j]] > 0.5 {
                    c[[i, j]] = 0.0;
                }
            }
        }
    }

    /// Two elements in an iteration, which the next one may store again.
    pub fn overlapping(a: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        let (n, m) = c.dim();
        for i in 0..n {
            let mut s = 1.0;
            for j in 0..m - 1 {
                s = s * 0.5 + a[[i, j]];
                c[[i, j + 1]] = s;
                c[[i, j]] = s * 2.0 + a[[i, j]];
            }
        }
    }

    /// What is stored is the number that the iteration before left.
    pub fn one_behind(a: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        let (n, m) = c.dim();
        for i in 0..n {
            let mut last = 0.0;
            for j in 0..m {
                c[[i, j]] = last;
                last = a[[i, j]] * 3.0 - last;
            }
        }
    }

    /// A product with a triangle, in place: rows below are read as they were.
    pub fn triangle(a: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        let (n, m) = c.dim();
        for i in 0..n {
            for j in 0..m {
                for k in i + 1..n {
                    c[[i, j]] += a[[k, i.min(m - 1)]] * c[[k, j]];
                }
                c[[i, j]] *= 1.5;
            }
        }
    }

    /// The same with columns of the own row, which come before others that are stored.
    pub fn columns(a: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        let (n, m) = c.dim();
        for i in 0..n {
            for j in 0..m {
                for k in j + 1..m {
                    c[[i, j]] += a[[i, k]] * c[[i, k]];
                }
            }
        }
    }
}

type Chain = fn(ArrayView2<f64>, ArrayViewMut2<f64>);

const ALL: [(&str, Chain, Chain); 8] = [
    ("there_and_back", plain::there_and_back, fast::there_and_back),
    ("second", plain::second, fast::second),
    ("from_before", plain::from_before, fast::from_before),
    ("stored_again", plain::stored_again, fast::stored_again),
    ("overlapping", plain::overlapping, fast::overlapping),
    ("one_behind", plain::one_behind, fast::one_behind),
    ("triangle", plain::triangle, fast::triangle),
    ("columns", plain::columns, fast::columns),
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn rows_are_those_of_plain_loops(n in 0..70usize, m in 2..40usize, lay in lay(), seed in 0..100u64) {
        let a = base(n, m, lay, seed);
        for (name, plain, fast) in ALL {
            let run = |f: Chain| {
                let mut c = base(n, m, lay, seed + 1);
                f(cut(&a, lay), cut_mut(&mut c, lay));
                c.map(|x: &f64| x.to_bits())
            };
            prop_assert_eq!(run(plain), run(fast), "{} of {} by {}", name, n, m);
        }
    }
}
