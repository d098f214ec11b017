//! Eliminations that look left, which become such that look right, or go column by column: all bits are those of the plain loops, and
//! none of a matrix that is longer or wider than what is eliminated changes.

use super::{Lay, base, both, cut_mut, lay};
use ndarray::{Array2, ArrayViewMut2, s};
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

    /// The diagonal stays as it is, so the two halves do not meet.
    pub fn without_diagonal(mut a: ArrayViewMut2<f64>) {
        for i in 0..a.nrows() {
            for j in 0..i {
                for k in 0..j {
                    a[[i, j]] -= a[[i, k]] * a[[k, j]];
                }
                a[[i, j]] /= a[[j, j]];
            }
            for j in i + 1..a.nrows() {
                for k in 0..i {
                    a[[i, j]] -= a[[i, k]] * a[[k, j]];
                }
            }
        }
    }

    /// The halves gather something else.
    pub fn by_halves(mut a: ArrayViewMut2<f64>) {
        for i in 0..a.nrows() {
            for j in 0..i {
                for k in 0..j {
                    a[[i, j]] -= a[[i, k]] * a[[k, j]];
                }
                a[[i, j]] /= a[[j, j]];
            }
            for j in i..a.nrows() {
                for k in 0..i {
                    a[[i, j]] -= 0.5 * a[[i, k]] * a[[k, j]];
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

    /// Cholesky's of the lower half: `k` goes through columns everywhere, so there is a sum in each row, and the rows of a column are parallel.
    pub fn cholesky(mut a: ArrayViewMut2<f64>) {
        for i in 0..a.nrows() {
            for j in 0..i {
                for k in 0..j {
                    a[[i, j]] -= a[[i, k]] * a[[j, k]];
                }
                a[[i, j]] /= a[[j, j]];
            }
            for k in 0..i {
                a[[i, i]] -= a[[i, k]] * a[[i, k]];
            }
            a[[i, i]] = a[[i, i]].sqrt();
        }
    }

    /// Of the upper half, with sums in scalars.
    pub fn cholesky_above(mut a: ArrayViewMut2<f64>) {
        for i in 0..a.nrows() {
            for j in 0..i {
                let mut w = a[[j, i]];
                for k in 0..j {
                    w -= a[[k, i]] * a[[k, j]];
                }
                a[[j, i]] = w / a[[j, j]];
            }
            let mut d = a[[i, i]];
            for k in 0..i {
                d -= a[[k, i]] * a[[k, i]];
            }
            a[[i, i]] = d.sqrt();
        }
    }

    /// Without roots, and of the rows and columns from `from` on only. Here `k` is a row and a column, so it stays as it is.
    pub fn cholesky_scaled(mut a: ArrayViewMut2<f64>, from: usize) {
        for i in from..a.nrows() {
            for j in from..i {
                for k in from..j {
                    a[[i, j]] -= a[[i, k]] * a[[k, k]] * a[[j, k]];
                }
                a[[i, j]] /= a[[j, j]];
            }
            for k in from..i {
                a[[i, i]] -= a[[i, k]] * a[[i, k]] * a[[k, k]];
            }
        }
    }

    /// The diagonal is in a matrix of one column, by way of a scalar, which keeps the sum and the root together: it stays as it is.
    pub fn cholesky_apart(mut a: ArrayViewMut2<f64>, mut d: ArrayViewMut2<f64>) {
        for i in 0..a.nrows() {
            for j in 0..i {
                for k in 0..j {
                    a[[i, j]] -= a[[i, k]] * a[[j, k]];
                }
                a[[i, j]] /= d[[j, 0]];
            }
            let mut w = a[[i, i]];
            for k in 0..i {
                w -= a[[i, k]] * a[[i, k]];
            }
            d[[i, 0]] = w.sqrt();
        }
    }

    /// The quotient takes the row before along: of a column only the sums are parallel.
    pub fn cholesky_chained(mut a: ArrayViewMut2<f64>) {
        for i in 1..a.nrows() {
            for j in 0..i {
                for k in 0..j {
                    a[[i, j]] -= a[[i, k]] * a[[j, k]];
                }
                a[[i, j]] = (a[[i, j]] - 0.5 * a[[i - 1, j]]) / a[[j, j]];
            }
            for k in 0..i {
                a[[i, i]] -= a[[i, k]] * a[[i, k]];
            }
        }
    }

    /// The sums of a column go on with the row before, so nothing is parallel.
    pub fn sums_of_rows_before(mut a: ArrayViewMut2<f64>) {
        for i in 1..a.nrows() {
            for j in 0..i {
                for k in 0..j {
                    a[[i, j]] -= a[[i, k]] * a[[j, k]] + 0.125 * a[[i - 1, j]];
                }
                a[[i, j]] /= a[[j, j]];
            }
            for k in 0..i {
                a[[i, i]] -= a[[i, k]] * a[[i, k]];
            }
        }
    }

    /// The sum reads columns that come later, of the row before: column by column they would not have changed yet.
    pub fn sums_of_columns_behind(mut a: ArrayViewMut2<f64>) {
        for i in 1..a.nrows() {
            for j in 0..i {
                for k in 0..j {
                    a[[i, j]] -= a[[i, k]] * a[[i - 1, i - 1 - k]];
                }
                a[[i, j]] /= a[[j, j]];
            }
            for k in 0..i {
                a[[i, i]] -= a[[i, k]] * a[[i, k]];
            }
        }
    }

    /// Each quotient is by an element of its own row that comes last, as it was.
    pub fn by_last_of_row(mut a: ArrayViewMut2<f64>) {
        for i in 0..a.nrows() {
            for j in 0..i {
                for k in 0..j {
                    a[[i, j]] -= a[[i, k]] * a[[j, k]];
                }
                a[[i, j]] /= a[[i, i]];
            }
            for k in 0..i {
                a[[i, i]] -= a[[i, k]] * a[[i, k]];
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
    fn of_squares(n in 0..80usize, more in 0..3usize, from in 0..26usize, lay in lay(), seed in 0..100u64) {
        let a = matrix(n, more, lay, seed);
        same_bits(&a, lay, |a| plain::lu(a, 0), |a| fast::lu(a, 0));
        same_bits(&a, lay, |a| plain::lu(a, from), |a| fast::lu(a, from));
        same_bits(&a, lay, plain::without_diagonal, fast::without_diagonal);
        same_bits(&a, lay, plain::by_halves, fast::by_halves);
        same_bits(&a, lay, plain::by_columns, fast::by_columns);
        same_bits(&a, lay, plain::scaled_before, fast::scaled_before);
        same_bits(&a, lay, plain::gathered, fast::gathered);
        same_bits(&a, lay, plain::with_itself, fast::with_itself);
    }

    #[test]
    fn of_symmetric(n in 0..80usize, more in 0..3usize, from in 0..26usize, lay in lay(), seed in 0..100u64) {
        let a = matrix(n, more, lay, seed);
        same_bits(&a, lay, plain::cholesky, fast::cholesky);
        same_bits(&a, lay, plain::cholesky_above, fast::cholesky_above);
        same_bits(&a, lay, |a| plain::cholesky_scaled(a, 0), |a| fast::cholesky_scaled(a, 0));
        same_bits(&a, lay, |a| plain::cholesky_scaled(a, from), |a| fast::cholesky_scaled(a, from));
        same_bits(&a, lay, plain::cholesky_chained, fast::cholesky_chained);
        same_bits(&a, lay, plain::sums_of_rows_before, fast::sums_of_rows_before);
        same_bits(&a, lay, plain::sums_of_columns_behind, fast::sums_of_columns_behind);
        same_bits(&a, lay, plain::by_last_of_row, fast::by_last_of_row);
    }

    #[test]
    fn with_a_diagonal_apart(n in 0..24usize, lay in lay(), seed in 0..100u64) {
        let a = matrix(n, 0, lay, seed);
        let run = |f: fn(ArrayViewMut2<f64>, ArrayViewMut2<f64>)| {
            let (mut a, mut d) = (a.clone(), Array2::zeros((n, 1)));
            let mut cut = cut_mut(&mut a, lay);
            f(cut.slice_mut(s![..n, ..n]), d.view_mut());
            (a.map(bits), d.map(bits))
        };
        prop_assert_eq!(run(plain::cholesky_apart), run(fast::cholesky_apart));
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
        same_bits(&a, lay, plain::cholesky, fast::cholesky);
        same_bits(&a, lay, plain::cholesky_above, fast::cholesky_above);
        same_bits(&a, lay, |a| plain::cholesky_scaled(a, 0), |a| fast::cholesky_scaled(a, 0));
        same_bits(&a, lay, plain::cholesky_chained, fast::cholesky_chained);
    }
}
