//! Ends of parts, and the order in which what an iterator is made of is computed.

use super::both;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, s};
use std::panic::{AssertUnwindSafe, catch_unwind};

both! {
    pub fn before(x: &[f64], i: usize) -> f64 {
        let t = &x[3..];
        t[i.wrapping_sub(1)]
    }

    pub fn stored_before(y: &mut [f64], k: usize, n: usize) {
        let t = &mut y[k..];
        for i in 0..n {
            t[i.wrapping_sub(1)] = 7.0;
        }
    }

    pub fn corner(a: ArrayView2<f64>, i: usize, j: usize) -> f64 {
        let t = a.slice(s![2.., 2..]);
        t[[i.wrapping_sub(1), j.wrapping_sub(1)]]
    }

    pub fn closed(x: &[f64], n: usize) -> f64 {
        x[..=n.wrapping_sub(1)].iter().sum::<f64>()
    }

    pub fn from_the_end(x: ArrayView1<f64>) -> usize {
        x.slice(s![..=-1]).len()
    }

    pub fn between_ends(x: ArrayView1<f64>) -> usize {
        x.slice(s![1..=-3]).len()
    }

    pub fn mapped(x: &[f64]) -> (f64, f64, f64) {
        let (mut c, mut e) = (0.0, 0.0);
        let some = x.first().map(|u| { c += 1.0; *u }).is_some();
        let v = x.first().map(|u| { e = 1.0; *u }).unwrap_or({ e += 5.0; 2.0 });
        (if some { c } else { -c }, e, v)
    }

    pub fn divided(x: &[f64], d: i64) -> bool {
        x.iter().position(|v| *v > 2.0).map(|i| 1 / (i as i64 - d)).is_none()
    }

    pub fn skipped(x: &[f64], y: &[f64]) -> f64 {
        let mut c = 0usize;
        let v = x.iter().skip({ c += 1; c }).fold({ c *= 10; c as f64 }, |a, b| a + b);
        let mut sum = v;
        for (a, b) in x.iter().take({ c += 1; c }).zip(y.iter().skip({ c %= 3; c })) {
            sum += a * b;
        }
        sum + c as f64
    }

    pub fn sides(y: &mut [f64], x: &[f64], k: usize) {
        y[k..].copy_from_slice(&x[..k]);
    }

    pub fn single(a: ArrayView2<f64>, i: usize) -> bool {
        a.slice(s![i, 1]).iter().any(|v| *v > 0.0)
    }
}

/// What a call gives, unless it panics.
fn tried<T>(call: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(call)).ok()
}

/// What a function leaves in a vector, unless it panics.
fn left(len: usize, run: impl FnOnce(&mut [f64])) -> Option<Vec<f64>> {
    let mut y = vec![0.5; len];
    tried(|| run(&mut y)).map(|()| y)
}

#[test]
fn subscripts_before_a_part_are_out_of_bounds() {
    let x: Vec<f64> = (0..6).map(f64::from).collect();
    let a = Array2::from_shape_fn((5, 4), |(i, j)| (i * 4 + j) as f64);
    for i in 0..5 {
        assert_eq!(tried(|| fast::before(&x, i)), tried(|| plain::before(&x, i)), "{i}");
        for j in 0..5 {
            let [found, wanted] = [fast::corner, plain::corner].map(|f| tried(|| f(a.view(), i, j)));
            assert_eq!(found, wanted, "{i}, {j}");
            let wanted = left(6, |y| plain::stored_before(y, i, j));
            assert_eq!(left(6, |y| fast::stored_before(y, i, j)), wanted, "{i}, {j}");
        }
    }
}

#[test]
fn parts_end_where_ranges_say() {
    for len in 0..5 {
        let x: Vec<f64> = (0..len).map(|i| i as f64 + 1.0).collect();
        let view = Array1::from(x.clone());
        let [found, wanted] = [fast::from_the_end, plain::from_the_end].map(|f| tried(|| f(view.view())));
        assert_eq!(found, wanted, "{len}");
        let [found, wanted] = [fast::between_ends, plain::between_ends].map(|f| tried(|| f(view.view())));
        assert_eq!(found, wanted, "{len}");
        for n in 0..7 {
            assert_eq!(tried(|| fast::closed(&x, n)), tried(|| plain::closed(&x, n)), "{len}, {n}");
            let wanted = left(4, |y| plain::sides(y, &x, n));
            assert_eq!(left(4, |y| fast::sides(y, &x, n)), wanted, "{len}, {n}");
        }
    }
    let a = Array2::from_shape_fn((3, 2), |(i, _)| i as f64 - 1.0);
    for i in 0..4 {
        assert_eq!(tried(|| fast::single(a.view(), i)), tried(|| plain::single(a.view(), i)), "{i}");
    }
}

#[test]
fn parts_of_iterators_are_computed_in_order() {
    for len in 0..6 {
        let x: Vec<f64> = (0..len).map(|i| i as f64 + 1.0).collect();
        let y: Vec<f64> = x.iter().map(|v| v * 0.5 + 3.0).collect();
        assert_eq!(fast::mapped(&x), plain::mapped(&x), "{len}");
        assert_eq!(fast::skipped(&x, &y), plain::skipped(&x, &y), "{len}");
        for d in 0..4 {
            assert_eq!(tried(|| fast::divided(&x, d)), tried(|| plain::divided(&x, d)), "{len}, {d}");
        }
    }
}
