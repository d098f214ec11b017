//! Statements over whole arrays and parts of them.

use super::{SIZES, all, both, form, same};
use ndarray::{Array2, Array3, ArrayView1, ArrayView2, ArrayViewMut1, ArrayViewMut2};

both! {
    pub fn fills(mut a: ArrayViewMut2<f64>, x: &mut [f64], value: f64) {
        a.fill(value * 2.0);
        x.fill(1.0);
        for i in 0..a.nrows() {
            a.row_mut(i).fill(i as f64);
        }
        for j in (0..a.ncols()).step_by(2) {
            a.column_mut(j).fill(-1.0);
        }
    }

    pub fn assigns(a: ArrayView2<f64>, mut b: ArrayViewMut2<f64>, x: ArrayView1<f64>) {
        b.assign(&a);
        for i in 0..b.nrows() {
            if i % 2 == 0 {
                b.row_mut(i).assign(&x);
            }
        }
    }

    pub fn compounds(a: &Array2<f64>, b: &mut Array2<f64>, c: &mut Array3<f64>) {
        *b += a;
        *b *= 2.0;
        *c -= 1.0;
        *b /= a;
    }

    pub fn lines(a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>) {
        for i in 0..a.nrows() {
            let row = a.row(i);
            let mut sum = 0.0;
            for j in 0..row.len() {
                sum += row[j];
            }
            let column = a.column(0);
            y[i] = sum + column[i];
        }
    }

    pub fn swaps(x: &mut [f64], mut a: ArrayViewMut2<f64>) {
        let n = x.len();
        for i in 0..n / 2 {
            x.swap(i, n - 1 - i);
        }
        for i in 1..a.nrows() {
            for j in 0..a.ncols() {
                a.swap([i - 1, j], [i, j]);
            }
        }
    }

    pub fn maps(mut a: ArrayViewMut2<f64>, scale: f64) {
        a.mapv_inplace(|x| x * scale + 1.0);
        a.map_inplace(|x| *x -= 0.5);
    }

    pub fn copies(a: &Array2<f64>, b: &mut Array2<f64>) {
        let old = a.to_owned();
        let first = a.row(0).to_owned();
        for i in 0..a.nrows() {
            for j in 0..a.ncols() {
                b[[i, j]] = old[[i, j]] + first[j];
            }
        }
    }
}

#[test]
fn filled_and_assigned() {
    same(
        |offloaded, given, n| {
            let (mut a, mut x) = (given.matrix(n, n + 3, 1), given.vector(n, 2).to_vec());
            form!(offloaded, fills(a.view_mut(), &mut x, 0.75));
            let (b, row) = (given.matrix(n, n + 3, 3), given.vector(n + 3, 4));
            let mut c = given.matrix(n, n + 3, 5);
            form!(offloaded, assigns(b.view(), c.view_mut(), row.view()));
            all!(a, x, c)
        },
        &SIZES,
    );
}

#[test]
fn operators_on_whole_arrays() {
    same(
        |offloaded, given, n| {
            let (a, mut b, mut c) = (given.matrix(n, n + 1, 1), given.matrix(n, n + 1, 2), given.solid([n, 2, 3], 3));
            form!(offloaded, compounds(&a, &mut b, &mut c));
            form!(offloaded, maps(b.view_mut(), 0.5));
            all!(b, c)
        },
        &SIZES,
    );
}

/// ndarray repeats what has an extent of one, and panics at anything else that does not fit: both forms do.
#[test]
fn other_shapes_are_ndarrays_business() {
    let a = Array2::from_elem((1, 3), 2.0);
    let [want, found] = [false, true].map(|offloaded| {
        let (mut b, mut c) = (Array2::from_elem((4, 3), 1.0), Array3::zeros((1, 1, 1)));
        form!(offloaded, compounds(&a, &mut b, &mut c));
        b
    });
    assert_eq!(want, found);
    for offloaded in [false, true] {
        let (mut b, mut c) = (Array2::from_elem((4, 2), 1.0), Array3::zeros((1, 1, 1)));
        let run = std::panic::AssertUnwindSafe(|| form!(offloaded, compounds(&a, &mut b, &mut c)));
        assert!(std::panic::catch_unwind(run).is_err(), "{offloaded}");
    }
}

#[test]
fn rows_and_columns() {
    same(
        |offloaded, given, n| {
            let (a, mut y) = (given.matrix(n, n + 1, 1), given.vector(n, 2));
            form!(offloaded, lines(a.view(), y.view_mut()));
            all!(y)
        },
        &SIZES,
    );
    same(
        |offloaded, given, n| {
            let (mut x, mut a) = (given.vector(n, 1).to_vec(), given.matrix(n, n + 1, 2));
            form!(offloaded, swaps(&mut x, a.view_mut()));
            let mut b = given.matrix(n, n + 1, 3);
            if n > 0 {
                form!(offloaded, copies(&a, &mut b));
            }
            all!(x, a, b)
        },
        &SIZES,
    );
}
