//! Rows that go through a loop together, each with what it has read before the loop: all bits are those of the plain loops.

use super::{Lay, base, both, cut, same};
use ndarray::{ArrayView2, ArrayViewMut2};

both! {
    /// An element of its own at each point,
    pub fn of_the_point(a: ArrayView2<f64>, b: ArrayView2<f64>, mut c: ArrayViewMut2<f64>, times: usize) {
        for i in 1..c.nrows() {
            for j in 0..c.ncols() {
                c[[i, j]] = b[[i - 1, j]];
                for k in 0..times {
                    c[[i, j]] += b[[i - 1, j]] * a[[i, k]];
                }
            }
        }
    }

    /// with what else is computed of it,
    pub fn computed(a: ArrayView2<f64>, b: ArrayView2<f64>, mut c: ArrayViewMut2<f64>, times: usize) {
        for i in 0..c.nrows() {
            for j in 0..c.ncols() {
                let (x, y) = (b[[i, j]], 2.0 * b[[i, j]] + a[[j, i]]);
                let mut sum = y;
                for k in 0..times {
                    sum = (sum + y * a[[i, k]]) * x - a[[k, i]];
                }
                c[[i, j]] = sum;
            }
        }
    }

    /// one for the row and one for the column,
    pub fn of_the_lines(a: ArrayView2<f64>, b: ArrayView2<f64>, mut c: ArrayViewMut2<f64>, times: usize) {
        let n = c.ncols();
        for i in 0..c.nrows() {
            for j in 0..n {
                let (x, y) = (b[[0, j]], b[[i, n - 1 - j.min(n / 2)]]);
                let mut sum = 0.0;
                for k in 0..times {
                    sum += x * a[[i, k]] - y * a[[j, k]];
                }
                c[[i, j]] = sum;
            }
        }
    }

    /// numbers of rows and columns,
    pub fn of_numbers(a: ArrayView2<f64>, b: ArrayView2<f64>, mut c: ArrayViewMut2<f64>, times: usize) {
        for i in 0..c.nrows() {
            for j in 0..c.ncols() {
                let (x, y) = ((j * 3) as f64 * 0.1, if j % 2 == 0 { i as f64 } else { b[[i, j]] });
                let mut sum = x + y;
                for k in 0..times {
                    sum += x * a[[i, k]] - y * (a[[i, k]] + x);
                }
                c[[i, j]] = sum;
            }
        }
    }

    /// what only some points read, of an array that is only read
    pub fn of_some_points(a: ArrayView2<f64>, b: ArrayView2<f64>, mut c: ArrayViewMut2<f64>, times: usize) {
        for i in 0..c.nrows() {
            for j in 0..c.ncols() {
                let x = if a[[i, j]] > 0.0 { b[[i, j]] } else { 0.5 };
                for k in 0..times {
                    c[[i, j]] += x * a[[i, k]];
                }
            }
        }
    }

    /// or of the one that the loop writes,
    pub fn of_what_is_written(a: ArrayView2<f64>, b: ArrayView2<f64>, mut c: ArrayViewMut2<f64>, times: usize) {
        for i in 0..c.nrows() {
            for j in 0..c.ncols() {
                let mut x = 0.5;
                if b[[i, j]] > 0.0 {
                    x = c[[i, j]];
                }
                let y = c[[i, j]];
                for k in 0..times {
                    c[[i, j]] += x * a[[i, k]] - y * b[[i, k]];
                }
            }
        }
    }

    /// and in as many rounds as the row says.
    pub fn in_rounds_of_its_own(a: ArrayView2<f64>, b: ArrayView2<f64>, mut c: ArrayViewMut2<f64>, times: usize) {
        for i in 0..c.nrows() {
            for j in 0..c.ncols() {
                let x = b[[i, j]];
                let mut sum = x;
                for k in 0..i.min(times) {
                    sum += x * a[[k, j]];
                }
                for k in 0..j.min(times) {
                    sum -= x * a[[i, k]];
                }
                c[[i, j]] = sum;
            }
        }
    }
}

type Form = fn(ArrayView2<f64>, ArrayView2<f64>, ArrayViewMut2<f64>, usize);

const FORMS: [(Form, Form); 7] = [
    (plain::of_the_point, fast::of_the_point),
    (plain::computed, fast::computed),
    (plain::of_the_lines, fast::of_the_lines),
    (plain::of_numbers, fast::of_numbers),
    (plain::of_some_points, fast::of_some_points),
    (plain::of_what_is_written, fast::of_what_is_written),
    (plain::in_rounds_of_its_own, fast::in_rounds_of_its_own),
];

#[test]
fn they_do_what_the_loops_do() {
    let lays = [Lay::Rows, Lay::Columns, Lay::Strided];
    for (n, m) in [(1, 1), (5, 4), (4, 40), (40, 9), (150, 13)] {
        let side = n.max(m);
        for (lay, times) in lays.into_iter().flat_map(|lay| [0, 1, 5, side].map(|times| (lay, times))) {
            let times = times.min(side);
            let (a, b, c) = (base(side, side, lay, 1), base(side, side, lay, 2), base(n, m, lay, 3));
            let (a, b) = (cut(&a, lay), cut(&b, lay));
            for (plain, fast) in FORMS {
                same(&c, lay, |c| plain(a, b, c, times), |c| fast(a, b, c, times));
            }
        }
    }
}
