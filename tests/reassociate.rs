//! Reassociation: sums under `#[offload(reassociate)]` are those of MATLAB's `sum`, to the bit, on any number of threads; what is needed on the way keeps the plain
//! function's order. `parallel` in an attribute asserts that the loop became one of a kernel.

use ndarray::{Array, Array1, Array2, ArrayView1, ArrayView2, ArrayViewMut1, ShapeBuilder, s};

megha::matlab! {
    function s = matlab_dot(x, y)
    arguments
        x (n,1) double
        y (n,1) double
    end
    s = sum(x .* y);
    end

    function s = matlab_all(a)
    arguments
        a (n,m) double
    end
    s = sum(a(:));
    end
}

#[megha::offload(reassociate, parallel)]
fn dot(x: ArrayView1<f64>, y: ArrayView1<f64>, start: f64) -> f64 {
    let mut s = start;
    for i in 0..x.len() {
        s += x[i] * y[i];
    }
    s
}

#[megha::offload(reassociate, parallel)]
fn all(a: ArrayView2<f64>) -> f64 {
    let mut s = 0.0;
    for i in 0..a.nrows() {
        for j in 0..a.ncols() {
            s += a[[i, j]];
        }
    }
    s
}

#[megha::offload(reassociate, parallel)]
fn two_sums(x: ArrayView1<f32>, mut out: ArrayViewMut1<f32>) -> (f32, f32) {
    let (mut s, mut difference) = (0.0, 1.0);
    for i in 0..x.len() {
        s += x[i].abs();
        out[i] = x[i] * 2.0;
        difference -= x[i];
    }
    (s, difference)
}

#[megha::offload(reassociate)]
fn recurrence(mut x: ArrayViewMut1<f64>) -> f64 {
    let mut s = 0.0;
    for i in 1..x.len() {
        x[i] -= 0.5 * x[i - 1];
        s += x[i];
    }
    s
}

#[megha::offload(reassociate)]
fn running(x: ArrayView1<f64>, mut out: ArrayViewMut1<f64>) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        s += x[i];
        out[i] = s;
    }
    s
}

#[megha::offload(reassociate)]
fn triangle(a: ArrayView2<f64>) -> f64 {
    let mut s = 0.0;
    for i in 0..a.nrows() {
        for j in 0..i {
            s += a[[i, j]];
        }
    }
    s
}

/// Numbers of which other orders give other sums.
fn number(i: usize) -> f64 {
    ((i * 7919) % 1009) as f64 / 31.0 - 11.0 + 1e-9 * i as f64
}

fn close(a: f64, b: f64, size: f64) -> bool {
    (a - b).abs() <= 1e-11 * size.max(1.0)
}

#[test]
fn a_sum_is_that_of_an_array() {
    let mut other_order = 0;
    for n in [0, 1, 2, 7, 64, 1000, 40_000, 1_000_003] {
        let x = Array1::from_shape_fn(n, number);
        let y = x.mapv(|x| x * 0.3 + 1.0);
        let wanted = if n == 0 { 0.0 } else { matlab_dot(&x, &y).unwrap() };
        assert_eq!(dot(x.view(), y.view(), 0.0), wanted, "{n}");
        assert_eq!(dot(x.view(), y.view(), 5.5), 5.5 + wanted, "{n}");
        let plain: f64 = x.iter().zip(&y).map(|(x, y)| x * y).sum();
        assert!(close(plain, wanted, n as f64 * 200.0), "{n}: {plain} and {wanted}");
        other_order += usize::from(plain != wanted);
        let (x, y) = (x.slice(s![..;3]), y.slice(s![..;3]));
        let packed = dot(x.to_owned().view(), y.to_owned().view(), 0.0);
        assert_eq!(dot(x, y, 0.0), packed, "a view with steps");
    }
    assert!(other_order > 2, "the numbers show the order");
}

#[test]
fn a_sum_over_two_loops_is_that_of_a_matrix() {
    for (rows, columns) in [(0, 5), (5, 0), (1, 1), (3, 4), (200, 301), (1000, 700)] {
        let a = Array2::from_shape_fn((rows, columns), |(i, j)| number(i * columns + j));
        let turned = Array::from_shape_fn((rows, columns).f(), |at| a[at]);
        let wanted = if a.is_empty() { 0.0 } else { matlab_all(&a).unwrap() };
        assert_eq!(all(a.view()), wanted, "{rows} by {columns}");
        assert_eq!(all(turned.view()), wanted, "columns first");
    }
}

#[test]
fn several_sums_and_an_array() {
    for n in [0, 1, 5, 3000, 300_000] {
        let x = Array1::from_shape_fn(n, |i| (number(i) / 64.0) as f32);
        let mut out = Array1::zeros(n);
        let (sum, difference) = two_sums(x.view(), out.view_mut());
        assert_eq!(out, x.mapv(|x| x * 2.0));
        let exact = |f: &dyn Fn(f64) -> f64| x.iter().map(|x| f(f64::from(*x))).sum::<f64>();
        let off = |found: f32, wanted: f64| (f64::from(found) - wanted).abs() > 1e-6 * (1.0 + exact(&f64::abs));
        assert!(!off(sum, exact(&f64::abs)) && !off(difference, 1.0 - exact(&|x| x)), "{n}: {sum} {difference}");
    }
}

#[test]
fn what_is_used_on_the_way_keeps_its_order() {
    for n in [0, 1, 2, 100, 5000] {
        let x = Array1::from_shape_fn(n, number);
        let (mut out, mut sum, mut plain) = (Array1::zeros(n), 0.0, Vec::new());
        for x in &x {
            sum += x;
            plain.push(sum);
        }
        assert_eq!(running(x.view(), out.view_mut()), sum);
        assert_eq!(out.to_vec(), plain);
    }
}

#[test]
fn beside_a_recurrence() {
    for n in [0, 1, 2, 100, 5000] {
        let mut x = Array1::from_shape_fn(n, number);
        let (mut plain, mut sum) = (x.clone(), 0.0);
        for i in 1..n {
            plain[i] -= 0.5 * plain[i - 1];
            sum += plain[i];
        }
        assert!(close(recurrence(x.view_mut()), sum, n as f64 * 11.0));
        assert_eq!(x, plain);
    }
}

#[test]
fn loops_of_other_lengths() {
    for n in [0, 1, 2, 60, 500] {
        let a = Array2::from_shape_fn((n, n), |(i, j)| number(i * n + j));
        let plain: f64 = (0..n).flat_map(|i| (0..i).map(move |j| (i, j))).map(|at| a[at]).sum();
        assert!(close(triangle(a.view()), plain, (n * n) as f64 * 11.0), "{n}");
    }
}
