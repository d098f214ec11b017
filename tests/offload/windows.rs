//! Rows that go through a loop together, each an iteration later than the one before it: all bits are those of the plain loops.

use super::{base, both, cut, cut_mut, lay};
use ndarray::{Array2, ArrayView2, ArrayViewMut2};
use proptest::prelude::*;

both! {
    /// The loop that moves with the rows outside, and the other one inside.
    pub fn convolution(h: ArrayView2<f64>, x: ArrayView2<f64>, mut y: ArrayViewMut2<f64>) {
        for i in 0..y.nrows() {
            for j in 0..y.ncols() {
                let mut sum = 0.0;
                for k in 0..h.nrows() {
                    for l in 0..h.ncols() {
                        sum += h[[k, l]] * x[[i + k, j + l]];
                    }
                }
                y[[i, j]] = sum;
            }
        }
    }

    /// The other way round; the window is turned, and the sum begins and ends with the point's own numbers.
    pub fn turned(h: ArrayView2<f64>, x: ArrayView2<f64>, mut y: ArrayViewMut2<f64>) {
        let (p, q) = (h.nrows(), h.ncols());
        for j in 0..y.ncols() {
            for i in 0..y.nrows() {
                let mut sum = y[[i, j]];
                for l in 0..q {
                    for k in 0..p {
                        sum = sum * 0.5 - h[[p - 1 - k, q - 1 - l]] * x[[i + k, j + l]];
                    }
                }
                y[[i, j]] = sum * (i as f64 - 2.5);
            }
        }
    }

    /// Along one direction only: across rows, or along them, as the order of memory has it.
    pub fn one_way(h: ArrayView2<f64>, x: ArrayView2<f64>, mut y: ArrayViewMut2<f64>) {
        for i in 0..y.nrows() {
            for j in 0..y.ncols() {
                let mut sum = 1.0;
                for k in 0..h.nrows() {
                    sum += x[[i + k, j]] / (h[[k, 0]] + 3.0);
                }
                y[[i, j]] = sum;
            }
        }
    }

    /// Numbers that each row has of its own, and two windows.
    pub fn own_numbers(h: ArrayView2<f64>, x: ArrayView2<f64>, mut y: ArrayViewMut2<f64>) {
        for i in 0..y.nrows() {
            for j in 0..y.ncols() {
                let mut sum = 0.0;
                for k in 0..h.nrows() {
                    sum += (h[[k, 0]] - x[[i, k]]) * (x[[i + k, j]] - x[[i + k, j + 1]]);
                }
                y[[i, j]] = sum;
            }
        }
    }

    /// Rows that read the same, and begin with numbers of their own; with the other order of memory their points do.
    pub fn alike(h: ArrayView2<f64>, x: ArrayView2<f64>, mut y: ArrayViewMut2<f64>) {
        for i in 0..y.nrows() {
            for j in 0..y.ncols() {
                let mut sum = y[[i, j]];
                for k in 0..h.nrows() {
                    for l in 0..h.ncols() {
                        sum += h[[k, l]] * x[[k + l, j]] - x[[k + l + 1, j]];
                    }
                }
                y[[i, j]] = sum;
            }
        }
    }

    /// Windows that move by two rows for each one, or against them: no row reads what the one before it does in the iteration before.
    pub fn other_steps(h: ArrayView2<f64>, x: ArrayView2<f64>, mut y: ArrayViewMut2<f64>) {
        let (n, p) = (y.nrows(), h.nrows());
        for i in 0..n / 2 {
            for j in 0..y.ncols() {
                let (mut sum, mut other) = (0.0, 0.0);
                for k in 0..p {
                    sum += h[[k, 0]] * x[[2 * i + k, j]];
                }
                for k in 0..p {
                    other += h[[k, 0]] * x[[i + p - 1 - k, j]];
                }
                y[[i, j]] = sum - other;
            }
        }
    }

    /// Only a part of a triangle of the window.
    pub fn triangle(h: ArrayView2<f64>, x: ArrayView2<f64>, mut y: ArrayViewMut2<f64>) {
        let q = h.ncols();
        for i in 0..y.nrows() {
            for j in 0..y.ncols() {
                let mut sum = 0.0;
                for k in 0..h.nrows() {
                    for l in 0..k.min(q) {
                        sum += h[[k, l]] * x[[i + k, j + l]];
                    }
                }
                y[[i, j]] = sum;
            }
        }
    }
}

type Window = fn(ArrayView2<f64>, ArrayView2<f64>, ArrayViewMut2<f64>);

const ALL: [(&str, Window, Window); 7] = [
    ("convolution", plain::convolution, fast::convolution),
    ("turned", plain::turned, fast::turned),
    ("one_way", plain::one_way, fast::one_way),
    ("alike", plain::alike, fast::alike),
    ("own_numbers", plain::own_numbers, fast::own_numbers),
    ("other_steps", plain::other_steps, fast::other_steps),
    ("triangle", plain::triangle, fast::triangle),
];

fn same(name: &str, run: impl Fn(bool) -> Array2<f64>) {
    let bits = |x: Array2<f64>| x.mapv(f64::to_bits);
    assert_eq!(bits(run(false)), bits(run(true)), "{name}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// Of no rows and points to more than a few, with windows from nothing to some rows, in four layouts.
    #[test]
    fn rows_together_are_those_of_plain_loops(
        (n, m) in (prop_oneof![0..8usize, 8..40usize], prop_oneof![0..8usize, 8..150usize]),
        (p, q) in (0..8usize, 1..6usize),
        lay in lay(),
        seed in 0..100u64,
    ) {
        let (h, x) = (base(p, q, lay, seed), base(n + p + q + 2, m + q + 8, lay, seed + 1));
        for (name, plain, fast) in ALL {
            same(name, |offloaded| {
                let mut y = base(n, m, lay, seed + 2);
                (if offloaded { fast } else { plain })(cut(&h, lay), cut(&x, lay), cut_mut(&mut y, lay));
                y
            });
        }
    }
}
