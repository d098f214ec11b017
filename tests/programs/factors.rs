//! Products that read parts of arrays, and transposed ones, where they lie: the same bits as of copies, and no copies on the CPU.

use std::sync::Arc;

use megha::device::sim::SimDevice;
use megha::device::{Placement, with};
use ndarray::{Array2, Array3, ArrayView2, ShapeBuilder};

megha::matlab!(
    r"
    function [y, g, z, w] = parts(A, B, C)
    arguments
        A (n,m) double
        B (n,k) double
        C (n,k,p) double
    end
    y = A.' * B;
    X = A - mean(A, 1);
    g = X' * X;
    m = size(A, 2);
    z = zeros(m, m);
    for i = 1:m
        z(i, i:m) = A(:, i).' * A(:, i:m);
    end
    w = 0;
    for q = 1:size(C, 3)
        w = w + A(1:2:end, 1:2)' * C(1:2:end, end:-1:1, q);
    end
    end

    function [s, A] = changed(A)
    arguments
        A (n,n) double
    end
    s = 0;
    for i = 2:size(A, 1)
        P = A(1:end-1, 1:i)';
        A(1, 1) = A(1, 1) + i;
        s = s + sum(sum(P * A(1:end-1, :)));
    end
    end
    "
);

fn filled(i: usize, j: usize) -> f64 {
    ((i * 31 + j * 17) % 23) as f64 / 7.0 - 1.5
}

/// The product as `megha_rt::linalg` defines it: multiply-adds in order, or, with a vector, terms in eight lanes.
fn product(a: ArrayView2<f64>, b: ArrayView2<f64>) -> Array2<f64> {
    let (m, n) = (a.nrows(), b.ncols());
    Array2::from_shape_fn((m, n), |(i, j)| {
        let terms = (0..a.ncols()).map(|k| (a[[i, k]], b[[k, j]]));
        if m > 1 && n > 1 {
            return terms.fold(0.0, |sum: f64, (x, y)| x.mul_add(y, sum));
        }
        let mut lanes = [0.0; 8];
        terms.enumerate().for_each(|(k, (x, y))| lanes[k % 8] += x * y);
        let [a, b, c, d, e, f, g, h] = lanes;
        ((a + e) + (c + g)) + ((b + f) + (d + h))
    })
}

#[test]
fn parts_are_multiplied_as_copies() {
    for (n, m, k, p) in [(7, 5, 4, 3), (1, 1, 1, 1), (0, 3, 2, 1), (40, 33, 9, 2), (5, 2, 1, 0)] {
        for columns_first in [true, false] {
            let a = Array2::from_shape_fn((n, m).set_f(columns_first), |(i, j)| filled(i, j));
            let b = Array2::from_shape_fn((n, k).set_f(columns_first), |(i, j)| filled(j, i));
            let c = Array3::from_shape_fn((n, k, p).set_f(columns_first), |(i, j, q)| filled(i + q, j));
            if m < 2 {
                assert!(parts(&a, &b, &c).is_err(), "there is no second column");
                continue;
            }
            let call = || parts(&a, &b, &c).unwrap();
            let (y, g, z, w) = call();
            assert_eq!(y, product(a.t(), b.view()), "{n} {m} {k}");
            let means = Array2::from_shape_fn((1, m), |(_, j)| a.column(j).sum() / n as f64);
            if n < 8 {
                let x = &a - &means;
                assert_eq!(g, product(x.t(), x.view()), "{n} {m}");
            }
            for i in 0..m {
                let row = product(a.slice(ndarray::s![.., i..i + 1]).t(), a.slice(ndarray::s![.., i..]));
                let found = z.slice(ndarray::s![i..i + 1, i..]);
                if n > 0 {
                    assert!((&found - &row).iter().all(|d| d.abs() < 1e-12), "{n} {m} {i}");
                }
            }
            if p > 0 {
                let odd = a.slice(ndarray::s![..;2, ..2]);
                let sum = (0..p)
                    .fold(Array2::zeros((2, k)), |sum, q| sum + product(odd.t(), c.slice(ndarray::s![..;2, ..;-1, q])));
                assert_eq!(w, sum, "{n} {k} {p}");
            }
            let sim = Arc::new(SimDevice::new(SimDevice::standard()));
            let on_device = with(sim, Placement::Gpu, call);
            let same = on_device.0 == y && on_device.1 == g && on_device.2 == z && on_device.3 == w;
            assert!(same || n == 0, "{n} {m} {k} {p} on the device");
        }
    }
}

/// What is changed between the copy and the product is not read where it lies.
#[test]
fn parts_of_changed_arrays_are_copied() {
    let n = 6;
    let mut a = Array2::from_shape_fn((n, n).f(), |(i, j)| filled(i, j));
    let (s, last) = changed(&a).unwrap();
    let mut sum = 0.0;
    for i in 2..=n {
        let p = a.slice(ndarray::s![..n - 1, ..i]).t().to_owned();
        a[[0, 0]] += i as f64;
        sum += product(p.view(), a.slice(ndarray::s![..n - 1, ..])).sum();
    }
    assert_eq!(last, a);
    assert!((s - sum).abs() < 1e-9 * sum.abs().max(1.0), "{s} {sum}");
}
