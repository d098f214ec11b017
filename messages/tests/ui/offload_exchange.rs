//! What `#[offload]` refuses of `std::mem::swap`.

use ndarray::{Array2, ArrayViewMut1};
use std::mem::swap;

#[megha::offload]
fn names_for_own_arrays(x: &mut [f64]) {
    let mut a = vec![0.0; 3];
    let mut b = vec![0.0; 3];
    let (mut now, mut next) = (&mut a, &mut b);
    swap(&mut now, &mut next);
    x[0] = a[0];
}

#[megha::offload]
fn shared_slices<'a>(mut a: &'a [f64], mut b: &'a [f64], y: &mut [f64]) {
    swap(&mut a, &mut b);
    y[0] = a[0];
}

#[megha::offload]
fn three_in_turn<'a>(mut a: ArrayViewMut1<'a, f64>, mut b: ArrayViewMut1<'a, f64>, mut c: ArrayViewMut1<'a, f64>) {
    swap(&mut a, &mut b);
    swap(&mut b, &mut c);
}

#[megha::offload]
fn of_other_sizes(y: &mut [f64], n: usize, m: usize) {
    let mut a = Array2::<f64>::zeros((n, m));
    let mut b = Array2::<f64>::zeros((m, n));
    swap(&mut a, &mut b);
    y[0] = a[[0, 0]];
}

#[megha::offload]
fn views_by_reference<'a>(a: &mut ArrayViewMut1<'a, f64>, b: &mut ArrayViewMut1<'a, f64>) {
    swap(a, b);
}

#[megha::offload]
fn returns_within<'a>(mut a: ArrayViewMut1<'a, f64>, mut b: ArrayViewMut1<'a, f64>) -> f64 {
    swap(&mut a, &mut b);
    let x = if a[0] > 0.0 { return 1.0 } else { b[0] };
    x
}

fn main() {}
