//! Eliminations that look left, which become such that look right: all bits are those of the plain loops, and none of a matrix that is
//! longer or wider than what is eliminated changes.

use super::{Lay, base, both, cut_mut, lay};
use ndarray::{Array2, ArrayViewMut2};
use proptest::prelude::*;

both! {
    /// PolyBench's, of all rows, or of those from `from` on.
    pub fn lu(mut a: ArrayViewMut2<f64>, from: usize) {
        for i in from..a.nrows() {
            for j in from..i {
                for k in from..j {
                    a[[i, j]] -= a[[i, k]] * a[[k, j]];
                }
                a[[i, j]] /= a[[j, j]];
            }
            for j in i..a.nrows() {
                for k in from..i {
                    a[[i, j]] -= a[[i, k]] * a[[k, j]];
                }
            }
        }
    }

    /// Column by column (Crout): the diagonal is in the lower half.
    pub fn by_columns(mut a: ArrayViewMut2<f64>) {
        for j in 0..a.nrows() {
            for i in 0..=j {
                for k in 0..i {
                    a[[i, j]] -= a[[i, k]] * a[[k, j]];
                }
            }
            for i in j + 1..a.nrows() {
                for k in 0..j {
                    a[[i, j]] -= a[[i, k]] * a[[k, j]];
                }
                a[[i, j]] /= a[[j, j]];
            }
        }
    }

    /// Only the nearest diagonals: the bounds of the sums do not begin with zero.
    pub fn banded(mut a: ArrayViewMut2<f64>, width: usize) {
        for i in 0..a.nrows() {
            for j in i.saturating_sub(width)..i {
                for k in i.saturating_sub(width)..j {
                    a[[i, j]] -= a[[i, k]] * a[[k, j]];
                }
                a[[i, j]] /= a[[j, j]];
            }
            for j in i..a.nrows().min(i + width) {
                for k in i.saturating_sub(width)..i {
                    a[[i, j]] -= a[[i, k]] * a[[k, j]];
                }
            }
        }
    }

    /// Of the first columns only: the sums end before the smaller of two numbers.
    pub fn partial(mut a: ArrayViewMut2<f64>, width: usize) {
        for i in 0..a.nrows() {
            for j in 0..i.min(width) {
                for k in 0..j {
                    a[[i, j]] -= a[[i, k]] * a[[k, j]];
                }
                a[[i, j]] /= a[[j, j]];
            }
            for j in i.min(width)..a.nrows() {
                for k in 0..i.min(width) {
                    a[[i, j]] -= a[[i, k]] * a[[k, j]];
                }
            }
        }
    }

    /// With a condition, and a second matrix.
    pub fn with_pivots(mut a: ArrayViewMut2<f64>, mut pivots: ArrayViewMut2<f64>, limit: f64) {
        for i in 0..a.nrows() {
            for j in 0..i {
                for k in 0..j {
                    a[[i, j]] -= a[[i, k]] * a[[k, j]];
                }
                let (x, pivot) = (a[[i, j]], a[[j, j]]);
                a[[i, j]] = if pivot.abs() > limit { x / pivot } else { x };
                pivots[[i, j]] = a[[j, j]];
            }
            for j in i..a.nrows() {
                for k in 0..i {
                    a[[i, j]] -= a[[i, k]] * a[[k, j]];
                }
            }
        }
    }

    /// The sums are in scalars.
    pub fn gathered(mut a: ArrayViewMut2<f64>) {
        for i in 0..a.nrows() {
            for j in 0..i {
                let mut w = a[[i, j]];
                for k in 0..j {
                    w -= a[[i, k]] * a[[k, j]];
                }
                a[[i, j]] = w / a[[j, j]];
            }
            for j in i..a.nrows() {
                let mut w = a[[i, j]];
                for k in 0..i {
                    w -= a[[i, k]] * a[[k, j]];
                }
                a[[i, j]] = w;
            }
        }
    }

    /// Likewise, but the sum reads the element itself as it was before.
    pub fn with_itself(mut a: ArrayViewMut2<f64>) {
        for i in 0..a.nrows() {
            for j in 0..i {
                let mut w = a[[i, j]];
                for k in 0..=j {
                    w -= 0.125 * a[[i, k]] * a[[k, j]];
                }
                a[[i, j]] = w / a[[j, j]];
            }
            for j in i..a.nrows() {
                let mut w = a[[i, j]];
                for k in 0..i {
                    w -= a[[i, k]] * a[[k, j]];
                }
                a[[i, j]] = w;
            }
        }
    }

    /// A statement reads what a later one of the same row changes: the order in which a time does them is not that of the program.
    pub fn scaled_before(mut a: ArrayViewMut2<f64>) {
        for i in 0..a.nrows() {
            for j in i..a.nrows() {
                for k in 0..i {
                    a[[i, j]] -= a[[i, k]] * a[[k, j]];
                }
            }
            for j in i + 1..a.nrows() {
                for k in 0..i {
                    a[[j, i]] -= a[[j, k]] * a[[k, i]];
                }
                a[[j, i]] /= a[[i, i]];
            }
        }
    }
}

/// Which NaN it is, Rust leaves open.
fn bits(x: &f64) -> u64 {
    if x.is_nan() { u64::MAX } else { x.to_bits() }
}

/// A matrix in whose elimination nothing grows beyond bounds, but for some with zeros and infinities.
fn matrix(n: usize, more: usize, lay: Lay, seed: u64) -> Array2<f64> {
    let mut a = base(n, n + more, lay, seed);
    let (rows, cols) = a.dim();
    for at in 0..rows.min(cols) {
        a[[at, at]] += 2.0 * n as f64;
    }
    if seed.is_multiple_of(3) && rows > 2 && cols > 2 {
        a[[1, 1]] = 0.0;
        a[[2, 1]] = -0.0;
        a[[0, 2]] = f64::INFINITY;
    }
    a
}

fn same_bits(of: &Array2<f64>, lay: Lay, plain: impl Fn(ArrayViewMut2<f64>), fast: impl Fn(ArrayViewMut2<f64>)) {
    let (mut want, mut got) = (of.clone(), of.clone());
    plain(cut_mut(&mut want, lay));
    fast(cut_mut(&mut got, lay));
    assert_eq!(want.map(bits), got.map(bits));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn of_squares(n in 0..24usize, more in 0..3usize, from in 0..26usize, lay in lay(), seed in 0..100u64) {
        let a = matrix(n, more, lay, seed);
        same_bits(&a, lay, |a| plain::lu(a, 0), |a| fast::lu(a, 0));
        same_bits(&a, lay, |a| plain::lu(a, from), |a| fast::lu(a, from));
        same_bits(&a, lay, plain::by_columns, fast::by_columns);
        same_bits(&a, lay, plain::scaled_before, fast::scaled_before);
        same_bits(&a, lay, plain::gathered, fast::gathered);
        same_bits(&a, lay, plain::with_itself, fast::with_itself);
    }

    #[test]
    fn of_bands(n in 0..24usize, width in 0..26usize, lay in lay(), seed in 0..100u64) {
        let a = matrix(n, 0, lay, seed);
        same_bits(&a, lay, |a| plain::banded(a, width), |a| fast::banded(a, width));
        same_bits(&a, lay, |a| plain::partial(a, width), |a| fast::partial(a, width));
    }

    #[test]
    fn with_conditions(n in 0..24usize, lay in lay(), seed in 0..100u64, limit in 0.0..3.0) {
        let a = matrix(n, 0, lay, seed);
        let run = |f: fn(ArrayViewMut2<f64>, ArrayViewMut2<f64>, f64)| {
            let (mut a, mut pivots) = (a.clone(), Array2::zeros(a.dim()));
            f(cut_mut(&mut a, lay), cut_mut(&mut pivots, lay), limit);
            (a.map(bits), pivots.map(bits))
        };
        prop_assert_eq!(run(plain::with_pivots), run(fast::with_pivots));
    }
}

#[test]
fn on_several_threads() {
    for lay in [Lay::Rows, Lay::Columns] {
        let a = matrix(170, 2, lay, 1);
        same_bits(&a, lay, |a| plain::lu(a, 0), |a| fast::lu(a, 0));
        same_bits(&a, lay, plain::by_columns, fast::by_columns);
        same_bits(&a, lay, plain::gathered, fast::gathered);
    }
}
