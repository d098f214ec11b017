//! Helper functions, in the file and inside of a function.

use super::{SIZES, all, form, same};
use ndarray::{Array2, ArrayView1, ArrayView2, ArrayViewMut1};

#[inline]
fn clipped(x: f64, low: f64, high: f64) -> f64 {
    if x < low {
        return low;
    }
    if x > high { high } else { x }
}

#[inline]
fn product(a: ArrayView1<f64>, b: ArrayView1<f64>) -> f64 {
    let mut a_sum = 0.0;
    for i in 0..a.len() {
        a_sum += a[i] * b[i];
    }
    a_sum
}

#[inline]
fn store(y: &mut ArrayViewMut1<f64>, i: usize, x: f64) {
    y[i] = x + 1.0;
}

#[megha::offload]
pub fn cube(x: f64) -> f64 {
    x * x * x
}

mod plain {
    use super::*;

    pub fn smooth(a: ArrayView2<f64>, x: ArrayView1<f64>, mut y: ArrayViewMut1<f64>) {
        fn mean(a: f64, b: f64) -> f64 {
            let sum = a + b;
            sum / 2.0
        }
        for i in 0..a.nrows() {
            let a_row = product(a.row(i), x);
            let sum = clipped(a_row, 0.5, 2.0);
            let value = mean(sum, cube(x[i]));
            store(&mut y, i, value);
        }
    }
}

mod fast {
    use super::*;

    #[megha::offload]
    pub fn smooth(a: ArrayView2<f64>, x: ArrayView1<f64>, mut y: ArrayViewMut1<f64>) {
        fn mean(a: f64, b: f64) -> f64 {
            let sum = a + b;
            sum / 2.0
        }
        for i in 0..a.nrows() {
            let a_row = product(a.row(i), x);
            let sum = clipped(a_row, 0.5, 2.0);
            let value = mean(sum, cube(x[i]));
            store(&mut y, i, value);
        }
    }
}

#[test]
fn functions_are_expanded_where_they_are_called() {
    same(
        |offloaded, given, n| {
            let (a, x): (Array2<f64>, _) = (given.matrix(n, n, 1), given.vector(n, 2));
            let mut y = given.vector(n, 3);
            form!(offloaded, smooth(a.view(), x.view(), y.view_mut()));
            all!(y)
        },
        &SIZES,
    );
}
