//! Loops that are parted, also where the later statement's loop comes first, and triangles that are turned round: all bits are those of the
//! plain loops.

use super::{Lay, base, both, cut, cut_mut, lay};
use ndarray::{Array2, ArrayView2, ArrayViewMut2};
use proptest::prelude::*;

both! {
    /// PolyBench's product with a symmetric matrix of which one half is given.
    pub fn of_lower_half(a: ArrayView2<f64>, b: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        for i in 0..a.nrows() {
            for j in 0..b.ncols() {
                let mut t = 0.0;
                for k in 0..i {
                    c[[k, j]] += 1.5 * b[[i, j]] * a[[i, k]];
                    t += b[[k, j]] * a[[i, k]];
                }
                c[[i, j]] = 1.2 * c[[i, j]] + 1.5 * b[[i, j]] * a[[i, i]] + 1.5 * t;
            }
        }
    }

    /// The other half, whose rows do not begin at zero: only the sums are parted.
    pub fn of_upper_half(a: ArrayView2<f64>, b: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        for i in 0..a.nrows() {
            for j in 0..b.ncols() {
                let mut t = 0.0;
                for k in i + 1..a.nrows() {
                    c[[k, j]] += b[[i, j]] * a[[i, k]];
                    t += b[[k, j]] * a[[i, k]];
                }
                c[[i, j]] = 1.2 * c[[i, j]] + b[[i, j]] * a[[i, i]] + t;
            }
        }
    }

    /// The sum reads what the same loop stores: nothing may be parted.
    pub fn of_sums_so_far(a: ArrayView2<f64>, b: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        for i in 0..a.nrows() {
            for j in 0..b.ncols() {
                let mut t = 0.0;
                for k in 0..i {
                    c[[k, j]] += b[[i, j]] * a[[i, k]];
                    t += c[[k, j]] * a[[i, k]];
                }
                c[[i, j]] += t;
            }
        }
    }

    /// What is stored uses the sum so far.
    pub fn by_sums_so_far(a: ArrayView2<f64>, b: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        for i in 0..a.nrows() {
            for j in 0..b.ncols() {
                let mut t = 0.25;
                for k in 0..i {
                    t += b[[k, j]] * a[[i, k]];
                    c[[k, j]] += t * a[[i, k]];
                }
                c[[i, j]] += t;
            }
        }
    }

    /// Under conditions, with two sums: whether the element exists is tested where the condition holds, so nothing moves.
    pub fn of_some(a: ArrayView2<f64>, b: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        for i in 0..a.nrows() {
            for j in 0..b.ncols() {
                let (mut t, mut largest) = (0.0, -1.0);
                for k in 0..i {
                    if a[[i, k]] > 0.5 {
                        c[[k, j]] -= b[[i, j]] / a[[i, k]];
                    }
                    t += b[[k, j]];
                    if b[[k, j]] > largest {
                        largest = b[[k, j]];
                    }
                }
                c[[i, j]] = 0.5 * c[[i, j]] + t - largest;
            }
        }
    }

    /// Columns go before rows, and the half is read along its diagonals.
    pub fn columns_first(a: ArrayView2<f64>, b: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        for i in 0..a.nrows() {
            for k in 0..i {
                for j in 0..b.ncols() {
                    c[[k, j]] = c[[k, j]] / 2.0 + b[[i, j]] * a[[i - k, k]];
                }
            }
        }
    }

    /// Of all rows with one of the first ones, later ones with fewer.
    pub fn from_behind(a: ArrayView2<f64>, b: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        let n = a.nrows();
        for i in 0..n {
            for k in 0..n - i {
                for j in 0..b.ncols() {
                    c[[k, j]] = c[[k, j]] / 2.0 + b[[i, j]] * a[[i, k]];
                }
            }
        }
    }

    /// Each row of the first array needs that of the second from the iteration before: the second goes first.
    pub fn second_first(a: ArrayView2<f64>, mut b: ArrayViewMut2<f64>, mut c: ArrayViewMut2<f64>) {
        for i in 1..a.nrows() {
            for j in 0..a.ncols() {
                c[[i, j]] = b[[i - 1, j]] * 2.0;
                b[[i, j]] = a[[i, j]] + 1.0;
            }
        }
    }

    /// Three in a row, each behind the next, and the last before the first of the next row: they stay together.
    pub fn in_a_circle(a: ArrayView2<f64>, mut b: ArrayViewMut2<f64>, mut c: ArrayViewMut2<f64>) {
        for i in 1..a.nrows() {
            for j in 1..a.ncols() {
                c[[i, j]] = b[[i - 1, j]] * 2.0;
                b[[i, j]] = a[[i, j]] + c[[i - 1, j - 1]];
            }
        }
    }

    /// A sum for each row beside one for each column, which the same loop stores: parted, each is parallel.
    pub fn both_products(a: ArrayView2<f64>, mut b: ArrayViewMut2<f64>, mut c: ArrayViewMut2<f64>) {
        let (n, m) = a.dim();
        for i in 0..n {
            let mut t = 0.0;
            for j in 0..m {
                c[[0, j]] += a[[i, j]] * 0.75;
                t += a[[i, j]] * a[[0, j]];
            }
            if m > 0 {
                b[[i, 0]] = t;
            }
        }
    }

    /// The third needs the second, the first the third of the row before, and one reads what another overwrites later.
    pub fn three_of_them(a: ArrayView2<f64>, mut b: ArrayViewMut2<f64>, mut c: ArrayViewMut2<f64>) {
        for i in 1..a.nrows() - 1 {
            for j in 0..a.ncols() {
                c[[i, j]] += b[[i - 1, j]];
                b[[i, j]] = 3.0 * b[[i + 1, j]];
                b[[i, j]] += a[[i, j]];
            }
        }
    }
}

/// Which NaN it is, Rust leaves open.
fn bits(x: &f64) -> u64 {
    if x.is_nan() { u64::MAX } else { x.to_bits() }
}

type Product = fn(ArrayView2<f64>, ArrayView2<f64>, ArrayViewMut2<f64>);
type Pair = fn(ArrayView2<f64>, ArrayViewMut2<f64>, ArrayViewMut2<f64>);

/// The square matrix, of this order, and two with so many columns.
fn arrays(n: usize, m: usize, lay: Lay, seed: u64) -> [Array2<f64>; 3] {
    let mut all = [base(n, n, lay, seed), base(n, m, lay, seed + 1), base(n, m, lay, seed + 2)];
    for a in all.iter_mut().filter(|a| seed.is_multiple_of(3) && a.len() > 3) {
        let places = a.len();
        let mut elements = a.iter_mut();
        *elements.nth(places / 3).unwrap() = f64::INFINITY;
        *elements.nth(places / 3).unwrap() = -0.0;
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn of_triangles(n in 0..24usize, m in 0..24usize, lay in lay(), seed in 0..100u64) {
        let [a, b, c] = arrays(n, m, lay, seed);
        let run = |f: Product| {
            let mut c = c.clone();
            f(cut(&a, lay), cut(&b, lay), cut_mut(&mut c, lay));
            c.map(bits)
        };
        prop_assert_eq!(run(plain::of_lower_half), run(fast::of_lower_half));
        prop_assert_eq!(run(plain::of_upper_half), run(fast::of_upper_half));
        prop_assert_eq!(run(plain::of_sums_so_far), run(fast::of_sums_so_far));
        prop_assert_eq!(run(plain::by_sums_so_far), run(fast::by_sums_so_far));
        prop_assert_eq!(run(plain::of_some), run(fast::of_some));
        prop_assert_eq!(run(plain::columns_first), run(fast::columns_first));
        prop_assert_eq!(run(plain::from_behind), run(fast::from_behind));
    }

    #[test]
    fn of_rows(n in 2..24usize, m in 0..24usize, lay in lay(), seed in 0..100u64) {
        let a = base(n, m, lay, seed);
        let run = |f: Pair| {
            let (mut b, mut c) = (base(n, m, lay, seed + 1), base(n, m, lay, seed + 2));
            f(cut(&a, lay), cut_mut(&mut b, lay), cut_mut(&mut c, lay));
            (b.map(bits), c.map(bits))
        };
        prop_assert_eq!(run(plain::second_first), run(fast::second_first));
        prop_assert_eq!(run(plain::in_a_circle), run(fast::in_a_circle));
        prop_assert_eq!(run(plain::both_products), run(fast::both_products));
        prop_assert_eq!(run(plain::three_of_them), run(fast::three_of_them));
    }
}

#[test]
fn on_several_threads() {
    for lay in [Lay::Rows, Lay::Columns] {
        let [a, b, c] = arrays(150, 170, lay, 1);
        for (plain, fast) in [
            (plain::of_lower_half as Product, fast::of_lower_half as Product),
            (plain::of_upper_half, fast::of_upper_half),
            (plain::of_some, fast::of_some),
            (plain::from_behind, fast::from_behind),
        ] {
            let run = |f: Product| {
                let mut c = c.clone();
                f(cut(&a, lay), cut(&b, lay), cut_mut(&mut c, lay));
                c.map(bits)
            };
            assert_eq!(run(plain), run(fast));
        }
    }
}
