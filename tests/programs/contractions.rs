//! Sums of products each factor of which lacks a dimension of the result: loops over elements in the order of the first summed dimension, whose rows share what they read.

use ndarray::{Array, Array2, Array3, Array4, ArrayView4, Dimension, ShapeBuilder};

megha::matlab!(
    r"
    function y = convolved(x, w)
    arguments
        x (n,h,v,c) single
        w (p,q,c,d) single
    end
    p = size(w, 1);
    q = size(w, 2);
    y = zeros(size(x, 1), size(x, 2) - p + 1, size(x, 3) - q + 1, size(w, 4), 'single');
    kernels = reshape(w, 1, p, q, size(w, 3), size(w, 4));
    for i = 1:size(y, 2)
        for j = 1:size(y, 3)
            y(:, i, j, :) = sum(x(:, i:i+p-1, j:j+q-1, :) .* kernels, [2, 3, 4]);
        end
    end
    end

    function [y, z] = paged(x, b)
    arguments
        x (4,5,6) double
        b (1,5,3) double
    end
    % A page has fewer dimensions than what it is taken from.
    y = sum(x(:, :, 2) .* b, 2);
    z = 0;
    for i = 1:size(x, 3)
        z = z + sum(x(:, :, i) .* b, 2);
    end
    end

    function [y, z] = alone(a, b)
    arguments
        a (n,1,1,q) double
        b (1,m,1,q) double
    end
    % Nothing is added up.
    y = sum(a .* b, 3);
    z = sum(reshape(a, size(a, 1), 1, 1, size(a, 4)) .* b, [3, 5]);
    end

    function y = long(a, b)
    arguments
        a (n,1,k) single
        b (n,m) single
    end
    % What is added up lies along memory.
    y = sum(a .* b, 1);
    end

    function [y, z] = strided(a, b, first)
    arguments
        a (n,m) double
        b (m,k) double
        first (1,1) double {mustBeInteger}
    end
    % Every other term from one on that the run says, and a factor that is turned.
    odd = b(first:2:end, :);
    y = sum(a(:, first:2:end) .* reshape(odd, 1, size(odd, 1), size(b, 2)), 2);
    c = b.';
    z = sum(a .* reshape(c.', 1, size(b, 1), size(b, 2)), 2);
    end

    function y = repeated(a, b)
    arguments
        a (n,1) double
        b (1,m) double
    end
    % No dimension is added up that either factor has.
    y = sum(repmat(a, 1, 1, 4) .* b, 3);
    end
    "
);

fn filled(k: usize) -> f32 {
    ((k * 37) % 29) as f32 / 7.0 - 2.0
}

fn lay<D: Dimension>(shape: impl ShapeBuilder<Dim = D>) -> Array<f32, D> {
    let mut k = 0;
    let mut array = Array::from_elem(shape, 0.0);
    array.iter_mut().for_each(|x| {
        *x = filled(k);
        k += 1;
    });
    array
}

/// The sums in the order that the program means.
fn plain(x: ArrayView4<f32>, w: ArrayView4<f32>) -> Array4<f32> {
    let ((n, h, v, c), (p, q, _, d)) = (x.dim(), w.dim());
    Array4::from_shape_fn((n, (h + 1).saturating_sub(p), (v + 1).saturating_sub(q), d), |(a, i, j, b)| {
        let mut sum = 0.0;
        for l in 0..c {
            for t in 0..q {
                for s in 0..p {
                    sum += x[[a, i + s, j + t, l]] * w[[s, t, l, b]];
                }
            }
        }
        sum
    })
}

/// From nothing to more rows and points than registers take at a time.
#[test]
fn convolutions_of_several_channels_are_those_of_plain_loops() {
    let sizes = [
        ([1, 4, 4, 1], [1, 1, 1], 1),
        ([8, 9, 7, 3], [3, 2, 3], 8),
        ([3, 6, 11, 2], [2, 5, 2], 33),
        ([70, 5, 5, 2], [3, 3, 2], 5),
        ([9, 4, 6, 4], [1, 3, 4], 16),
        ([2, 3, 3, 2], [4, 1, 2], 3),
        ([0, 3, 3, 2], [2, 2, 2], 3),
        ([2, 3, 3, 0], [2, 2, 0], 9),
        ([2, 3, 3, 1], [0, 2, 1], 17),
    ];
    for (x, [p, q, c], d) in sizes {
        for (columns, of_w) in [(true, true), (false, false), (true, false)] {
            let x = lay(x.set_f(columns));
            let w = lay((p, q, c, d).set_f(of_w));
            let wanted = plain(x.view(), w.view()).mapv(f32::to_bits);
            for threads in [1, 2] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let found = pool.install(|| convolved(&x, &w).unwrap());
                assert_eq!(found.mapv(f32::to_bits), wanted, "{:?} {:?}", x.dim(), w.dim());
            }
        }
    }
}

/// One kernel, which stores the result where the program does; nothing is copied out of the loops.
#[test]
fn a_convolution_is_one_kernel() {
    let (x, w) = (lay((4, 8, 8, 2).f()), lay((3, 3, 2, 5).f()));
    convolved(&x, &w).unwrap();
    let run = megha::last_run().unwrap();
    assert_eq!((run.kernels, run.points), (1, 4 * 6 * 6 * 5));
}

#[test]
fn progressions_and_turned_factors_are_read_where_they_lie() {
    let a = Array2::from_shape_fn((5, 8), |(i, j)| f64::from(filled(i * 8 + j)) / 3.0);
    let b = Array2::from_shape_fn((8, 3), |(i, j)| f64::from(filled(i + 9 * j)) / 3.0);
    for first in [1.0, 2.0, 8.0] {
        let (y, z) = strided(&a, &b, first).unwrap_or_else(|e| panic!("{e}"));
        let wanted = Array3::from_shape_fn((5, 1, 3), |(i, _, k)| {
            (first as usize - 1..8).step_by(2).fold(0.0, |sum, j| sum + a[[i, j]] * b[[j, k]])
        });
        assert_eq!(y, wanted, "{first}");
        let wanted =
            Array3::from_shape_fn((5, 1, 3), |(i, _, k)| (0..8).fold(0.0, |sum, j| sum + a[[i, j]] * b[[j, k]]));
        assert_eq!(z, wanted);
    }
}

#[test]
fn pages_are_read_where_they_lie() {
    let x = Array3::from_shape_fn((4, 5, 6), |(i, j, k)| f64::from(filled(i + 4 * j + 20 * k)));
    let b = Array3::from_shape_fn((1, 5, 3), |(_, j, k)| f64::from(filled(j + 5 * k)));
    let page = |p: usize| {
        Array3::from_shape_fn((4, 1, 3), |(i, _, k)| (0..5).fold(0.0, |sum, j| sum + x[[i, j, p]] * b[[0, j, k]]))
    };
    let (y, z) = paged(&x, &b).unwrap();
    assert_eq!(y, page(1));
    assert_eq!(z, (0..6).fold(Array3::zeros((4, 1, 3)), |sum, p| sum + page(p)));
}

#[test]
fn sums_of_nothing_but_one_element_are_products() {
    let a = Array4::from_shape_fn((3, 1, 1, 2), |(i, _, _, q)| f64::from(filled(i + 3 * q)));
    let b = Array4::from_shape_fn((1, 4, 1, 2), |(_, j, _, q)| f64::from(filled(j + 4 * q)));
    let wanted = Array4::from_shape_fn((3, 4, 1, 2), |(i, j, _, q)| a[[i, 0, 0, q]] * b[[0, j, 0, q]]);
    let (y, z) = alone(&a, &b).unwrap();
    assert_eq!((y, z), (wanted.clone(), wanted));
}

/// It stays a reduction, whose tree loses less of a million terms than a chain, which is off by some 1e-4.
#[test]
fn long_sums_along_memory_are_as_exact_as_sums_are() {
    let n = 1_000_000;
    let a = Array3::from_shape_fn((n, 1, 2).f(), |(i, ..)| 0.25 + (i % 7) as f32 / 20.0);
    let b = Array2::from_shape_fn((n, 3).f(), |(i, _)| 0.5 + (i % 3) as f32 / 10.0);
    let exact = (0..n).fold(0.0, |sum, i| sum + f64::from(a[[i, 0, 0]]) * f64::from(b[[i, 0]]));
    let y = long(&a, &b).unwrap();
    assert!(y.iter().all(|y| (f64::from(*y) / exact - 1.0).abs() < 2e-6), "{y} for {exact}");
}

#[test]
fn factors_may_be_repeated() {
    let (a, b) = (
        Array2::from_shape_fn((3, 1), |(i, _)| i as f64 + 0.5),
        Array2::from_shape_fn((1, 2), |(_, j)| j as f64 - 0.25),
    );
    let y = repeated(&a, &b).unwrap();
    assert_eq!(y, Array2::from_shape_fn((3, 2), |(i, j)| 4.0 * (a[[i, 0]] * b[[0, j]])));
}
