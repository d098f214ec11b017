//! Loops whose length depends on loops around them: triangles, trapezoids, bands, steps, and conditions around all that a nest does.

use super::{Lay, base, both, cut, lay, same};
use megha::device::sim::SimDevice;
use megha::device::{Placement, with};
use ndarray::{Array2, ArrayView2, ArrayViewMut2};
use proptest::prelude::*;
use std::sync::Arc;

both! {
    /// The number may be as small as there are, so that the condition is no bound of the loop.
    pub fn shifted_by(s: f64, mut y: ndarray::ArrayViewMut1<f64>) {
        let n = y.len() as i64;
        let t = s as i64;
        for j in 0..y.len() {
            if (j as i64) + t < n {
                y[j] = 1.0;
            }
        }
    }

    pub fn upper(a: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        for i in 0..a.nrows() {
            for j in i..a.nrows() {
                c[[i, j]] = 2.0 * a[[i, j]] + a[[j, i]];
            }
        }
    }

    pub fn strict(a: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        let n = a.nrows();
        for i in 0..n {
            for j in i + 1..n {
                c[[j, i]] *= a[[i, j]];
            }
        }
        for i in 0..n {
            for j in 0..i {
                c[[j, i]] += a[[i, j]];
            }
        }
    }

    pub fn covariance(a: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        for i in 0..a.ncols() {
            for j in i..a.ncols() {
                let mut sum = 0.0;
                for k in 0..a.nrows() {
                    sum += a[[k, i]] * a[[k, j]];
                }
                c[[i, j]] = sum;
                c[[j, i]] = sum;
            }
        }
    }

    pub fn inner_triangle(a: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        for i in 0..a.nrows() {
            for j in 0..=i {
                for k in j..=i {
                    c[[i, j]] += a[[i, k]] * a[[k, j]];
                }
            }
        }
    }

    pub fn band(a: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        let n = a.nrows();
        for i in 0..n {
            for j in i..(i + 3).min(n) {
                c[[i, j]] = a[[i, j]] + 1.0;
            }
        }
    }

    pub fn halves(a: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        let n = a.nrows();
        for i in 0..n {
            for j in 0..(n - i) / 2 {
                c[[i, 2 * j]] = a[[i, 2 * j]] - 3.0;
            }
        }
    }

    pub fn guarded(a: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        let n = a.nrows();
        for i in 0..n {
            for j in 0..n {
                if j <= i && i + j < n && i > 1 {
                    c[[i, j]] = a[[i, j]] + 1.0;
                }
            }
        }
    }

    pub fn diagonal(a: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        for i in 0..a.nrows() {
            for j in 0..a.nrows() {
                if i == j {
                    c[[i, j]] = 4.0 * a[[i, j]];
                }
            }
        }
    }

    /// In place, the points of one colour of a board and then those of the other.
    pub fn board(a: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        let n = a.nrows().max(2);
        for colour in 0..2 {
            for j in 1..n - 1 {
                for k in 0..(n - 1 - (j + colour) % 2) / 2 {
                    let i = 1 + 2 * k + (j + colour) % 2;
                    let around = (c[[i - 1, j]] + c[[i + 1, j]]) + (c[[i, j - 1]] + c[[i, j + 1]]);
                    c[[i, j]] = 0.5 * c[[i, j]] + 0.125 * around + a[[j, i]];
                }
            }
        }
    }

    pub fn thirds(a: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        let n = a.nrows();
        for i in 0..n {
            for k in 0..(n + 2 - (2 * i) % 3) / 3 {
                let j = 3 * k + (2 * i) % 3;
                c[[i, j]] = (1.5 + a[[i, j]] * a[[j, i]]).sqrt() - 2.0 * c[[i, j]];
            }
        }
    }

    pub fn beyond(a: ArrayView2<f64>, mut c: ArrayViewMut2<f64>, extra: usize) {
        for i in 0..a.nrows() {
            for j in i..a.nrows() + extra {
                c[[i, j]] = a[[i, i]];
            }
        }
    }
}

type Form = fn(ArrayView2<f64>, ArrayViewMut2<f64>);

const FORMS: [(Form, Form); 10] = [
    (plain::covariance, fast::covariance),
    (plain::inner_triangle, fast::inner_triangle),
    (plain::upper, fast::upper),
    (plain::strict, fast::strict),
    (plain::band, fast::band),
    (plain::halves, fast::halves),
    (plain::guarded, fast::guarded),
    (plain::diagonal, fast::diagonal),
    (plain::board, fast::board),
    (plain::thirds, fast::thirds),
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn they_do_what_the_loops_do(n in 0..45usize, la in lay(), lc in lay()) {
        let (a, c) = (base(n, n, la, 1), base(n, n, lc, 2));
        for (plain, fast) in FORMS {
            same(&c, lc, |c| plain(cut(&a, la), c), |c| fast(cut(&a, la), c));
        }
    }
}

#[test]
fn on_several_threads_they_do_what_the_loops_do() {
    let n = 800;
    for (la, lc) in [(Lay::Rows, Lay::Rows), (Lay::Columns, Lay::Columns)] {
        let (a, c) = (base(n, n, la, 1), base(n, n, lc, 2));
        for (plain, fast) in &FORMS[2..] {
            same(&c, lc, |c| plain(cut(&a, la), c), |c| fast(cut(&a, la), c));
        }
    }
}

#[test]
fn on_a_device_they_do_what_the_loops_do() {
    for (n, lay) in [(0, Lay::Rows), (1, Lay::Columns), (7, Lay::Strided), (40, Lay::Rows), (40, Lay::Columns)] {
        let (a, c) = (base(n, n, lay, 1), base(n, n, lay, 2));
        for (number, (plain, fast)) in FORMS.into_iter().enumerate() {
            let device = Arc::new(SimDevice::new(SimDevice::standard()));
            let on_device = |c: ArrayViewMut2<f64>| {
                with(device.clone(), Placement::Gpu, || fast(cut(&a, lay), c));
            };
            same(&c, lay, |c| plain(cut(&a, lay), c), on_device);
            assert_eq!(device.mistakes(), [""; 0], "form {number} of {n}");
        }
    }
}

/// The test before the nest finds the one row that is too long, and nothing is stored; where no iteration is, nothing is wrong.
#[test]
fn what_is_out_of_bounds_is_found_before_any_work() {
    let a = Array2::<f64>::ones((5, 5));
    let (mut c, mut wanted) = (Array2::<f64>::zeros((5, 6)), Array2::<f64>::zeros((5, 6)));
    fast::beyond(a.view(), c.view_mut(), 1);
    plain::beyond(a.view(), wanted.view_mut(), 1);
    assert_eq!(c, wanted);
    let mut c = Array2::<f64>::zeros((5, 6));
    let wrong = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| fast::beyond(a.view(), c.view_mut(), 2)));
    assert!(wrong.is_err() && c.iter().all(|x| *x == 0.0));
    fast::beyond(Array2::<f64>::zeros((0, 0)).view(), Array2::<f64>::zeros((0, 0)).view_mut(), 0);
}

#[test]
fn conditions_on_numbers_of_any_size_are_what_they_say() {
    for s in [f64::NEG_INFINITY, -3.0, 0.0, 2.0, 1e12] {
        let (mut want, mut found) = (ndarray::Array1::zeros(5), ndarray::Array1::zeros(5));
        plain::shifted_by(s, want.view_mut());
        fast::shifted_by(s, found.view_mut());
        assert_eq!(want, found, "{s}");
    }
}
