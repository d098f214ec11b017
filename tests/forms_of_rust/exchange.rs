//! `std::mem::swap`: arrays of the function's own, parameters and what they refer to, numbers.

use super::{SIZES, all, both, form, same};
use ndarray::{Array1, Array2, ArrayViewMut2};
use std::mem;
use std::mem::swap;

both! {
    pub fn own_arrays(x: &Array2<f64>, out: &mut Array2<f64>, steps: usize) {
        let (n, m) = x.dim();
        let mut now = Array2::<f64>::zeros((n, m));
        let mut next = Array2::<f64>::zeros((n, m));
        now.assign(x);
        next.assign(x);
        for _ in 0..steps {
            for i in 1..n.max(1) - 1 {
                for j in 1..m.max(1) - 1 {
                    next[[i, j]] = 0.25 * (now[[i - 1, j]] + now[[i + 1, j]] + now[[i, j - 1]] + now[[i, j + 1]]);
                }
            }
            std::mem::swap(&mut now, &mut next);
        }
        out.assign(&now);
    }

    pub fn own_vectors(x: &[f64], steps: usize) -> f64 {
        let mut now = x.to_vec();
        let mut next = vec![0.0; x.len()];
        let mut t = 0;
        while t < steps {
            for i in 0..x.len() {
                let left = if i > 0 { now[i - 1] } else { 0.0 };
                next[i] = now[i] * 0.5 + left;
            }
            mem::swap(&mut now, &mut next);
            t += 1;
        }
        let mut sum = 0.0;
        for v in &now {
            sum += v;
        }
        sum
    }

    pub fn views<'a>(mut now: ArrayViewMut2<'a, f64>, mut next: ArrayViewMut2<'a, f64>, steps: usize) -> f64 {
        for t in 0..steps {
            for i in 0..now.nrows() {
                for j in 1..now.ncols() {
                    next[[i, j]] = now[[i, j - 1]] + (t + 1) as f64;
                }
            }
            mem::swap(&mut now, &mut next);
            if now.nrows() > 0 && now.ncols() > 0 && now[[0, 0]] > 100.0 {
                return now[[0, 0]];
            }
        }
        if now.len() > 0 { now[[0, now.ncols() - 1]] } else { -1.0 }
    }

    pub fn slices<'a>(mut now: &'a mut [f64], mut next: &'a mut [f64], steps: usize) {
        for _ in 0..steps {
            for i in 0..now.len() {
                next[i] = now[now.len() - 1 - i] * 0.5 + 1.0;
            }
            (now, next) = (next, now);
        }
    }

    pub fn references(a: &mut Array2<f64>, b: &mut Array2<f64>, steps: usize) {
        for _ in 0..steps {
            for i in 0..a.nrows() {
                for j in 0..a.ncols() {
                    a[[i, j]] = a[[i, j]] * 2.0 - b[[i, j]];
                }
            }
            mem::swap(a, b);
        }
    }

    pub fn once(a: &mut Array1<f64>, b: &mut Array1<f64>) {
        mem::swap(a, b);
    }

    pub fn vectors(a: &mut Vec<f64>, b: &mut Vec<f64>) {
        for i in 0..a.len() {
            b[i] += a[i];
        }
        std::mem::swap(a, b);
        for i in 0..a.len() {
            a[i] *= 3.0;
        }
    }

    pub fn numbers(x: &mut [f64], y: &mut [f64]) -> f64 {
        let (mut low, mut high) = (3.0, 1.0);
        for i in 0..x.len() {
            if x[i] > y[i] {
                mem::swap(&mut x[i], &mut y[i]);
            }
            mem::swap(&mut low, &mut high);
        }
        x.swap_with_slice(y);
        low - high
    }
}

#[test]
fn what_is_exchanged_is() {
    same(
        |offloaded, given, n| {
            let x = given.matrix(n, n + 1, 1);
            let mut out = given.matrix(n, n + 1, 2);
            let mut all = Vec::new();
            for steps in [0, 1, 2, 5] {
                form!(offloaded, own_arrays(&x, &mut out, steps));
                let line = given.vector(n, 3);
                let sum = form!(offloaded, own_vectors(line.as_slice().unwrap(), steps));
                let (mut a, mut b) = (given.matrix(n, n + 1, 4), given.matrix(n, n + 1, 5));
                let last = form!(offloaded, views(a.view_mut(), b.view_mut(), steps));
                let (mut v, mut w) = (given.vector(n, 6).to_vec(), given.vector(n, 7).to_vec());
                form!(offloaded, slices(&mut v, &mut w, steps));
                let (mut c, mut d) = (given.matrix(n, n + 1, 8), given.matrix(n, n + 1, 9));
                form!(offloaded, references(&mut c, &mut d, steps));
                let low = form!(offloaded, numbers(&mut v, &mut w));
                let (mut e, mut f) = (given.vector(n, 10), given.vector(n, 11));
                form!(offloaded, once(&mut e, &mut f));
                let (mut g, mut h) = (v.clone(), w.clone());
                form!(offloaded, vectors(&mut g, &mut h));
                all.extend(all!(out, [sum], a, b, [last], v, w, c, d, [low], e, f, g, h));
            }
            all
        },
        &SIZES,
    );
}

#[test]
fn parts_of_larger_arrays_are_exchanged() {
    same(
        |offloaded, given, n| {
            let (mut a, mut b) = (given.matrix(n + 3, 2 * n + 4, 1), given.matrix(2 * n, n + 2, 2));
            let mut first = a.slice_mut(ndarray::s![1..n + 1, ..;2]);
            let last = form!(offloaded, views(first.view_mut(), b.slice_mut(ndarray::s![..;2, ..]), 3));
            all!(a, b, [last])
        },
        &SIZES,
    );
}

#[megha::offload]
fn by_an_imported_name(mut x: Array1<f64>, steps: usize) -> f64 {
    let mut y = Array1::zeros(x.len());
    for _ in 0..steps {
        y[0] = x[0] + 1.0;
        swap(&mut x, &mut y);
    }
    x[0]
}

#[test]
fn imported_names_are_known() {
    assert_eq!(by_an_imported_name(Array1::from_elem(2, 5.0), 3), 8.0);
}

#[test]
fn arrays_of_other_shapes_are_exchanged() {
    for offloaded in [false, true] {
        let (mut a, mut b) = (Array1::ones(3), Array1::zeros(5));
        form!(offloaded, once(&mut a, &mut b));
        assert_eq!((a.len(), b.len(), a[4], b[2]), (5, 3, 0.0, 1.0));
    }
}
