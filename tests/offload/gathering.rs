//! Columns that gather from all columns before them, in blocks where that changes nothing: all bits are those of the plain loops.

use super::{base, both, cut, cut_mut, lay};
use ndarray::{Array1, ArrayView2, ArrayViewMut1, ArrayViewMut2};
use proptest::prelude::*;

both! {
    /// Cholesky's factorisation, column by column.
    pub fn cholesky(_l: ArrayView2<f64>, mut a: ArrayViewMut2<f64>) {
        let n = a.nrows();
        for j in 0..n {
            for i in j + 1..n {
                for k in 0..j {
                    a[[i, j]] -= a[[i, k]] * a[[j, k]];
                }
            }
            for k in 0..j {
                a[[j, j]] -= a[[j, k]] * a[[j, k]];
            }
            a[[j, j]] = (a[[j, j]].abs() + 1.0).sqrt();
            for i in j + 1..n {
                a[[i, j]] /= a[[j, j]];
            }
        }
    }

    /// The same of the upper triangle, row by row, and without roots.
    pub fn upper(_l: ArrayView2<f64>, mut a: ArrayViewMut2<f64>) {
        let n = a.nrows();
        for i in 0..n {
            for j in i + 1..n {
                for k in 0..i {
                    a[[i, j]] -= a[[k, i]] * a[[k, j]];
                }
            }
            for j in i + 1..n {
                a[[i, j]] = a[[i, j]] * 0.0625 + 0.5;
            }
        }
    }

    /// All rows of each column.
    pub fn all_rows(_l: ArrayView2<f64>, mut a: ArrayViewMut2<f64>) {
        let (n, m) = (a.nrows(), a.nrows());
        for j in 0..m {
            for i in 0..n {
                for k in 0..j {
                    a[[i, j]] -= a[[i, k]] * a[[j, k]];
                }
            }
            for i in 0..n {
                a[[i, j]] *= 0.0625;
            }
        }
    }

    /// A triangular system for each row, all of which are as long.
    pub fn solved(l: ArrayView2<f64>, mut a: ArrayViewMut2<f64>) {
        let (n, m) = (a.nrows(), l.nrows());
        for j in 0..m {
            for i in 0..n {
                for k in 0..j {
                    a[[i, j]] -= a[[i, k]] * l[[j, k]];
                }
            }
            for i in 0..n {
                a[[i, j]] /= 4.0 + l[[j, j]];
            }
        }
    }

    /// What a row has gathered is divided at once.
    pub fn divided(l: ArrayView2<f64>, mut a: ArrayViewMut2<f64>) {
        let (n, m) = (a.nrows(), l.nrows());
        for j in 0..m {
            let by = 3.0 + l[[j, j]];
            for i in 0..n {
                for k in 0..j {
                    a[[i, j]] -= a[[i, k]] * l[[j, k]];
                }
                a[[i, j]] /= by;
            }
        }
    }

    /// A column before changes once more, so what is gathered from it is another number from then on.
    pub fn changed_before(_l: ArrayView2<f64>, mut a: ArrayViewMut2<f64>) {
        let n = a.nrows();
        for j in 0..n {
            for i in j + 1..n {
                for k in 0..j {
                    a[[i, j]] -= a[[i, k]] * a[[j, k]];
                }
            }
            for i in j + 1..n {
                a[[i, j]] *= 0.0625;
            }
            if j > 0 {
                for i in j + 1..n {
                    a[[i, j - 1]] += 0.25 * a[[i, j]];
                }
            }
        }
    }

    /// The next column gets something before it gathers.
    pub fn changed_behind(_l: ArrayView2<f64>, mut a: ArrayViewMut2<f64>) {
        let n = a.nrows();
        for j in 0..n {
            for i in j + 1..n {
                for k in 0..j {
                    a[[i, j]] -= a[[i, k]] * a[[j, k]];
                }
            }
            for i in j + 1..n {
                a[[i, j]] *= 0.0625;
            }
            if j + 1 < n {
                for i in j + 2..n {
                    a[[i, j + 1]] += 0.3 * a[[i, j]];
                }
            }
        }
    }

    /// The first columns are as they are, and gathered from; there may be fewer columns than those.
    pub fn from_three(_l: ArrayView2<f64>, mut a: ArrayViewMut2<f64>) {
        let n = a.nrows();
        for j in 3..n {
            for i in j + 1..n {
                for k in 0..j {
                    a[[i, j]] -= a[[i, k]] * a[[j, k]];
                }
            }
            for i in j + 1..n {
                a[[i, j]] *= 0.0625;
            }
        }
    }

    /// A second array, which each iteration stores into.
    pub fn diagonal_apart(mut a: ArrayViewMut2<f64>, mut d: ArrayViewMut1<f64>) {
        let n = a.nrows();
        for j in 0..n {
            for i in j + 1..n {
                for k in 0..j {
                    a[[i, j]] -= a[[i, k]] * a[[j, k]];
                }
            }
            for k in 0..j {
                a[[j, j]] -= a[[j, k]] * a[[j, k]];
            }
            d[j] = (a[[j, j]].abs() + 1.0).sqrt();
            for i in j + 1..n {
                a[[i, j]] /= d[j];
            }
        }
    }

    /// The last number that comes to an element is made of itself.
    pub fn with_own(_l: ArrayView2<f64>, mut a: ArrayViewMut2<f64>) {
        let n = a.nrows();
        for j in 0..n {
            for i in j + 1..n {
                for k in 0..j + 1 {
                    a[[i, j]] -= 0.0625 * a[[i, k]] * a[[j, k]];
                }
            }
        }
    }
}

type Gathering = fn(ArrayView2<f64>, ArrayViewMut2<f64>);

const ALL: [(&str, Gathering, Gathering); 9] = [
    ("cholesky", plain::cholesky, fast::cholesky),
    ("upper", plain::upper, fast::upper),
    ("all_rows", plain::all_rows, fast::all_rows),
    ("solved", plain::solved, fast::solved),
    ("divided", plain::divided, fast::divided),
    ("changed_before", plain::changed_before, fast::changed_before),
    ("changed_behind", plain::changed_behind, fast::changed_behind),
    ("from_three", plain::from_three, fast::from_three),
    ("with_own", plain::with_own, fast::with_own),
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn blocks_are_those_of_plain_loops(n in prop_oneof![0..5usize, 0..110usize], more in 0..3usize, lay in lay(), seed in 0..100u64) {
        let l = base(n, n, lay, seed);
        for (name, plain, fast) in ALL {
            let run = |f: Gathering| {
                let mut a = base(n, n + more, lay, seed + 1);
                f(cut(&l, lay), cut_mut(&mut a, lay));
                a.map(|x: &f64| x.to_bits())
            };
            prop_assert_eq!(run(plain), run(fast), "{} of {} by {}", name, n, n + more);
        }
    }
    #[test]
    fn blocks_beside_another_array(n in prop_oneof![0..5usize, 0..110usize], lay in lay(), seed in 0..100u64) {
        let run = |f: fn(ArrayViewMut2<f64>, ArrayViewMut1<f64>)| {
            let (mut a, mut d) = (base(n, n, lay, seed), Array1::zeros(n));
            f(cut_mut(&mut a, lay), d.view_mut());
            (a.map(|x: &f64| x.to_bits()), d.map(|x: &f64| x.to_bits()))
        };
        prop_assert_eq!(run(plain::diagonal_apart), run(fast::diagonal_apart), "order {}", n);
    }
}
