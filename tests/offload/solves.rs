//! Rows that gather what rows before them give, of which several go together, and elements that loops gather in: all bits are those of the plain loops.

use super::{base, both, cut, lay};
use ndarray::{Array1, ArrayView2, ArrayViewMut1, s};
use proptest::prelude::*;

both! {
    /// A triangular system, which gathers in its elements.
    pub fn solved(a: ArrayView2<f64>, mut x: ArrayViewMut1<f64>) {
        for i in 0..x.len() {
            for j in 0..i {
                x[i] -= a[[i, j]] * x[j];
            }
            x[i] /= 2.0 + a[[i, i]];
        }
    }

    /// The same in a scalar.
    pub fn summed(a: ArrayView2<f64>, mut x: ArrayViewMut1<f64>) {
        for i in 0..x.len() {
            let mut sum = 0.5 * x[i];
            for j in 0..i {
                sum -= a[[i, j]] * x[j];
            }
            x[i] = sum;
        }
    }

    /// The first element may not exist.
    pub fn unit(a: ArrayView2<f64>, mut x: ArrayViewMut1<f64>) {
        for i in 0..x.len() {
            for j in 0..i {
                x[i] -= a[[i, j]] * x[j];
            }
        }
    }

    /// Each row is two elements longer and gives two.
    pub fn by_twos(a: ArrayView2<f64>, mut x: ArrayViewMut1<f64>) {
        for i in 0..x.len() / 2 {
            let (mut sum, factor) = (0.25, 0.5 * a[[i, i]]);
            for j in 0..2 * i {
                sum += factor * x[j];
            }
            x[2 * i] = sum;
            x[2 * i + 1] -= 0.5 * sum;
        }
    }

    /// Rows that begin later: what the last three gave is not needed.
    pub fn behind(a: ArrayView2<f64>, mut x: ArrayViewMut1<f64>) {
        for i in 3..x.len() {
            let mut sum = x[i];
            for j in 0..i - 3 {
                sum -= a[[i, j]] * x[j];
            }
            x[i] = sum;
        }
    }

    /// The longest chain: a branch, and a comparison instead of a sum.
    pub fn longest(a: ArrayView2<f64>, mut x: ArrayViewMut1<f64>) {
        for i in 0..x.len() {
            let mut best = 0.0;
            for j in 0..i {
                if a[[i, j]] > 0.25 && x[j] > best {
                    best = x[j];
                }
            }
            x[i] = best + 1.0;
        }
    }

    /// Two sums, four rows.
    pub fn two_sums(a: ArrayView2<f64>, mut x: ArrayViewMut1<f64>) {
        for i in 0..x.len() {
            let (mut plus, mut minus) = (0.0, 1.0);
            for j in 0..i {
                plus += a[[i, j]] * x[j];
                minus -= a[[j, i]] * x[j];
            }
            x[i] = plus / (4.0 + minus * minus);
        }
    }

    /// A row reads what it stores itself.
    pub fn own(a: ArrayView2<f64>, mut x: ArrayViewMut1<f64>) {
        for i in 0..x.len() {
            let mut sum = 0.0;
            for j in 0..=i {
                sum += a[[i, j]] * x[j];
            }
            x[i] = sum;
        }
    }

    /// The newest element comes first.
    pub fn newest_first(a: ArrayView2<f64>, mut x: ArrayViewMut1<f64>) {
        for i in 0..x.len() {
            let mut sum = x[i];
            for j in 0..i {
                sum -= a[[i, j]] * x[i - 1 - j];
            }
            x[i] = sum;
        }
    }

    /// What a row begins with comes from the one before.
    pub fn handed_on(a: ArrayView2<f64>, mut x: ArrayViewMut1<f64>) {
        for i in 1..x.len() {
            let mut sum = x[i - 1];
            for j in 0..i {
                sum -= a[[i, j]] * x[j];
            }
            x[i] = sum;
        }
    }

    /// A row stores what the next begins with.
    pub fn given_on(a: ArrayView2<f64>, mut x: ArrayViewMut1<f64>) {
        for i in 0..x.len() - 1 {
            let mut sum = x[i];
            for j in 0..i {
                sum -= a[[i, j]] * x[j];
            }
            x[i + 1] = sum;
        }
    }

    /// The element may be one of those that are added.
    pub fn perhaps_own(k: usize, n: usize, mut x: ArrayViewMut1<f64>) {
        for i in 0..n {
            x[k] += x[i];
        }
    }

    /// It is none of them.
    pub fn between(k: usize, n: usize, mut x: ArrayViewMut1<f64>) {
        for i in 0..n {
            x[2 * k + 1] += x[2 * i];
        }
    }

    /// Through two loops.
    pub fn of_all(k: usize, a: ArrayView2<f64>, mut x: ArrayViewMut1<f64>) {
        for i in 0..a.nrows() {
            for j in 0..a.ncols() {
                x[k] = 0.5 * x[k] + a[[i, j]];
            }
        }
    }
}

type Solve = fn(ArrayView2<f64>, ArrayViewMut1<f64>);

const ALL: [(&str, Solve, Solve); 11] = [
    ("solved", plain::solved, fast::solved),
    ("summed", plain::summed, fast::summed),
    ("unit", plain::unit, fast::unit),
    ("by_twos", plain::by_twos, fast::by_twos),
    ("behind", plain::behind, fast::behind),
    ("longest", plain::longest, fast::longest),
    ("two_sums", plain::two_sums, fast::two_sums),
    ("own", plain::own, fast::own),
    ("newest_first", plain::newest_first, fast::newest_first),
    ("handed_on", plain::handed_on, fast::handed_on),
    ("given_on", plain::given_on, fast::given_on),
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn rows_together(n in 1..45usize, step in 1..3usize, lay in lay(), seed in 0..100u64) {
        let (a, given) = (base(n, n, lay, seed), base(n, step, lay, seed + 1));
        let given = Array1::from_iter(cut(&given, lay).iter().map(|x| x - 0.5));
        for (name, plain, fast) in ALL {
            let run = |f: Solve| {
                let mut x = given.clone();
                f(cut(&a, lay), x.slice_mut(s![..n * step;step]));
                x.mapv(f64::to_bits)
            };
            prop_assert_eq!(run(plain), run(fast), "{} of {}", name, n);
        }
    }

    #[test]
    fn elements_that_gather(n in 0..20usize, m in 0..20usize, k in 0..20usize, lay in lay(), seed in 0..100u64) {
        let a = base(n, m, lay, seed);
        let given = Array1::from_iter((0..41).map(|x| f64::from(x as u32) * 0.37 - 3.0));
        let run = |f: &dyn Fn(ArrayViewMut1<f64>)| {
            let mut x = given.clone();
            f(x.view_mut());
            x.mapv(f64::to_bits)
        };
        prop_assert_eq!(run(&|x| plain::perhaps_own(k, n, x)), run(&|x| fast::perhaps_own(k, n, x)));
        prop_assert_eq!(run(&|x| plain::between(k, n, x)), run(&|x| fast::between(k, n, x)));
        prop_assert_eq!(run(&|x| plain::of_all(k, cut(&a, lay), x)), run(&|x| fast::of_all(k, cut(&a, lay), x)));
    }
}

/// A loop without iterations touches no element, whatever its number.
#[test]
fn no_element_where_there_is_nothing_to_add() {
    let mut none = Array1::<f64>::zeros(0);
    fast::perhaps_own(7, 0, none.view_mut());
    fast::between(1 << 20, 0, none.view_mut());
    fast::between(usize::MAX / 4, 0, none.view_mut());
    fast::of_all(3, ndarray::Array2::zeros((0, 5)).view(), none.view_mut());
    fast::of_all(3, ndarray::Array2::zeros((5, 0)).view(), none.view_mut());
}
