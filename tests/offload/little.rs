//! Calls of little work, for which the plain function runs: in unoptimised builds, as these are, only where a test asks for it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use megha::rt::little;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, ArrayViewMut1, ArrayViewMut2};

use super::both;

both! {
    pub fn smooth(a: ArrayView2<f64>, mut b: ArrayViewMut2<f64>, n: usize) {
        for i in 1..n {
            for j in 0..a.ncols() {
                b[[i, j]] = 0.5 * (a[[i - 1, j]] + a[[i, j]]) - b[[i, j]];
            }
        }
    }

    pub fn wrapped(k: ArrayView1<i64>, mut x: ArrayViewMut1<i64>) {
        for i in 0..x.len() {
            x[i] = x[i].wrapping_mul(k[i]).wrapping_add(3);
        }
    }

    pub fn roots(mut x: ArrayViewMut1<f64>) {
        for i in 0..x.len() {
            x[i] = x[i].exp();
        }
    }
}

fn arrays(n: usize) -> [Array2<f64>; 2] {
    [3.0, -1.0].map(|by| Array2::from_shape_fn((n, n + 1), |(i, j)| by * (i * 5 + j) as f64 / 7.0 - 0.0))
}

#[test]
fn calls_of_little_work_are_the_plain_ones() {
    for n in [0, 1, 2, 3, 5, 40] {
        let [a, b] = arrays(n);
        let [mut plain, mut fast, mut little] = [b.clone(), b.clone(), b];
        plain::smooth(a.view(), plain.view_mut(), n);
        fast::smooth(a.view(), fast.view_mut(), n);
        little::within(|| fast::smooth(a.view(), little.view_mut(), n));
        assert_eq!((&fast, &little), (&plain, &plain), "{n}");

        let k = Array1::from_shape_fn(n, |i| i64::MAX - i as i64);
        let [mut plain, mut fast, mut little] = [(); 3].map(|()| Array1::from_shape_fn(n, |i| i64::MIN + 7 * i as i64));
        plain::wrapped(k.view(), plain.view_mut());
        fast::wrapped(k.view(), fast.view_mut());
        little::within(|| fast::wrapped(k.view(), little.view_mut()));
        assert_eq!((&fast, &little), (&plain, &plain), "{n}");
    }
}

/// What a call with a subscript out of bounds says.
fn outside(call: fn(ArrayView2<f64>, ArrayViewMut2<f64>, usize), n: usize) -> String {
    let [a, mut b] = arrays(n);
    let panic = catch_unwind(AssertUnwindSafe(|| call(a.view(), b.view_mut(), n + 1))).expect_err("out of bounds");
    panic.downcast_ref::<String>().cloned().unwrap_or_default()
}

/// The words of the panic tell which of both ran.
#[test]
fn which_calls_are_of_little_work() {
    let in_own_words = |n| outside(fast::smooth, n).contains("tests/offload/little.rs");
    assert!(in_own_words(3) && !outside(plain::smooth, 3).contains("tests/offload/little.rs"));
    assert!(!little::within(|| in_own_words(3)), "the plain one ran");
    assert!(little::within(|| in_own_words(40)), "there is much to do");
}

/// Functions whose plain form has other bits run compiled.
#[test]
fn transcendental_functions_stay_compiled() {
    let values = Array1::from_shape_fn(6, |i| 0.37 * i as f64);
    let [mut plain, mut fast, mut little] = [values.clone(), values.clone(), values];
    plain::roots(plain.view_mut());
    fast::roots(fast.view_mut());
    little::within(|| fast::roots(little.view_mut()));
    assert_eq!(fast, little);
    assert!(plain.iter().zip(&fast).all(|(plain, fast)| (plain / fast - 1.0).abs() < 1e-15));
}
