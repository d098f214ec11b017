//! Loops of few iterations within sequential ones: host code computes them itself, and does what the kernels do, to the bit.

use megha::rt::{cuts, last_run};
use ndarray::{Array1, Array2, ArrayView2, ArrayViewMut1, ArrayViewMut2, ShapeBuilder};

use super::both;

both! {
    pub fn power(steps: usize, a: ArrayView2<f64>, mut x: ArrayViewMut1<f64>, mut y: ArrayViewMut1<f64>) {
        for _t in 0..steps {
            for i in 0..a.nrows() {
                y[i] = 0.0;
                for j in 0..a.ncols() {
                    y[i] += a[[i, j]] * x[j];
                }
            }
            for i in 0..a.nrows() {
                x[i] = 0.01 * y[i];
            }
        }
    }
    pub fn stencil(steps: usize, mut a: ArrayViewMut2<f64>, mut b: ArrayViewMut2<f64>) {
        for t in 0..steps {
            for i in 1..a.nrows() - 1 {
                for j in 1..a.ncols() - 1 {
                    let x = a[[i - 1, j]] + a[[i, j + 1]] * t as f64;
                    b[[i, j]] = if x > 3.0 { x - a[[i, j]] } else { -x };
                }
            }
            for i in 1..a.nrows() - 1 {
                for j in 1..a.ncols() - 1 {
                    a[[i, j]] = 0.5 * b[[i, j]];
                }
            }
        }
    }
    pub fn eliminate(mut a: ArrayViewMut2<f64>) {
        for k in 0..a.nrows() {
            for i in k + 1..a.nrows() {
                for j in k + 1..a.nrows() {
                    a[[i, j]] -= a[[i, k]] * a[[k, j]] / a[[k, k]];
                }
            }
        }
    }
    pub fn triangles(steps: usize, mut a: ArrayViewMut2<f64>, mut b: ArrayViewMut2<f64>) {
        for _t in 0..steps {
            for i in 0..a.nrows() {
                for j in i..a.nrows() {
                    b[[i, j]] = a[[i, j]] + 1.5 * a[[j, i]];
                }
            }
            for i in 0..a.nrows() {
                for j in 0..i {
                    a[[i, j]] = 0.25 * b[[j, i]];
                }
            }
        }
    }
}

megha::matlab! {
    function [s, p, m, d] = reduced(A)
    arguments
        A (n,m) double
    end
    s = zeros(1, size(A, 2));
    p = zeros(1, size(A, 2));
    m = zeros(1, size(A, 2));
    d = zeros(1, size(A, 2));
    for j = 1:size(A, 2)
        s(j) = sum(A(:, j) .* A(:, 1));
        p(j) = prod(A(:, j) + 0.5);
        m(j) = max(abs(A(:, j)));
        d(j) = transpose(A(:, j)) * A(:, 1);
    end
    end
}

fn matrix(n: usize, columns_first: bool) -> Array2<f64> {
    let element = |(i, j): (usize, usize)| ((i * 7 + j * 13) % 31) as f64 / 31.0 - 0.4 + if i == j { 2.0 } else { 0.0 };
    Array2::from_shape_fn((n, n).set_f(columns_first), element)
}

fn bits<'a>(array: impl IntoIterator<Item = &'a f64>) -> Vec<u64> {
    array.into_iter().map(|x| x.to_bits()).collect()
}

/// Holds a function against its plain form, as it is and with all of its launches divided, which are launches then however short.
fn check<S: Clone>(state: &S, all: impl Fn(&S) -> Vec<u64>, plain: impl Fn(&mut S), fast: impl Fn(&mut S)) {
    let done = |run: &dyn Fn(&mut S)| {
        let mut state = state.clone();
        run(&mut state);
        all(&state)
    };
    let want = done(&plain);
    assert_eq!(done(&fast), want);
    let launches = last_run().unwrap().kernels;
    assert_eq!(done(&|state| cuts::within(7, || fast(state))), want);
    assert_eq!(last_run().unwrap().kernels, launches, "launches count alike");
}

#[test]
fn few_points_are_as_many() {
    for (n, f) in (2..=12).chain([17, 40]).flat_map(|n| [(n, false), (n, true)]) {
        let (m, v) = (matrix(n, f), Array1::from_shape_fn(n, |i| i as f64 - 1.5));
        let two = (m.clone(), matrix(n, f) * 0.5);
        let both = |(a, b): &(Array2<f64>, Array2<f64>)| bits(a.iter().chain(b));
        check(
            &(v.clone(), v.clone()),
            |(x, y)| bits(x.iter().chain(y)),
            |(x, y)| plain::power(3, m.view(), x.view_mut(), y.view_mut()),
            |(x, y)| fast::power(3, m.view(), x.view_mut(), y.view_mut()),
        );
        check(
            &two,
            both,
            |(a, b)| plain::stencil(4, a.view_mut(), b.view_mut()),
            |(a, b)| fast::stencil(4, a.view_mut(), b.view_mut()),
        );
        check(
            &two,
            both,
            |(a, b)| plain::triangles(3, a.view_mut(), b.view_mut()),
            |(a, b)| fast::triangles(3, a.view_mut(), b.view_mut()),
        );
        check(&m, |a| bits(a), |a| plain::eliminate(a.view_mut()), |a| fast::eliminate(a.view_mut()));
    }
}

/// Sums of few elements are those of a plain loop, and short ones those of launches.
#[test]
fn few_elements_are_reduced_as_many() {
    for n in [1, 2, 5, 31, 32, 33, 64, 129, 200] {
        for f in [false, true] {
            let a = Array2::from_shape_fn((n, 3).set_f(f), |(i, j)| ((i * 5 + j * 11) % 17) as f64 / 8.0 - 0.9);
            let all = || {
                let (s, p, m, d) = reduced(&a).unwrap();
                bits(s.iter().chain(&p).chain(&m).chain(&d))
            };
            let here = all();
            let launches = last_run().unwrap().kernels;
            assert_eq!(cuts::within(5, all), here, "{n}");
            assert_eq!(last_run().unwrap().kernels, launches, "{n}");
            if n <= 32 {
                let sum = |j: usize| (0..n).fold(0.0, |sum, i| sum + a[[i, j]] * a[[i, 0]]);
                assert_eq!(here[..3], bits(&[sum(0), sum(1), sum(2)]), "{n}");
            }
        }
    }
}
