//! Stores that may enlarge arrays: the form of a function in which they do not, and the one for all arguments, against GNU Octave.

use ndarray::{Array2, ShapeBuilder};

megha::matlab! {
    function [v, total] = edged(N, u)
    arguments
        N (1,1) double
        u (n,n) double
    end
    v = zeros(size(u));
    v(1, 2:N-1) = 1.0;
    for j = 2:N-1
        v(j, 1) = u(1, 1) + j;
        v(j, 2) = v(j-1, 1) * 2;
    end
    total = sum(v(:));
    end

    function y = chosen(usual, L, N)
    arguments
        usual (1,1) logical
        L (1,m) double
        N (1,1) double
    end
    y = L;
    for i = 1:N
        if usual, y(i) = i; end
    end
    end
}

/// The generated code has variables of its own.
#[test]
fn parameters_may_have_any_name() {
    let row = |list: &[f64]| Array2::from_shape_vec((1, list.len()), list.to_vec()).unwrap();
    for (usual, n, want) in [
        (true, 4.0, row(&[1.0, 2.0, 3.0, 4.0])),
        (true, 2.0, row(&[1.0, 2.0, 9.0])),
        (false, 2.0, row(&[7.0, 8.0, 9.0])),
        (false, 4.0, row(&[7.0, 8.0, 9.0])),
    ] {
        assert_eq!(chosen(usual, row(&[7.0, 8.0, 9.0]), n).unwrap(), want, "{usual} {n}");
    }
}

/// Rows and columns of `u`, the number, rows and columns of `v`, its sum, and the sum of its elements times their numbers.
const OCTAVE: [(usize, f64, usize, usize, f64, f64); 36] = [
    (1, 0.0, 1, 1, 0.0, 0.0),
    (1, 1.0, 1, 1, 0.0, 0.0),
    (1, 2.0, 1, 1, 0.0, 0.0),
    (1, 2.5, 1, 1, 0.0, 0.0),
    (1, 3.0, 2, 2, 3.25, 7.5),
    (1, 3.5, 2, 2, 3.25, 7.5),
    (1, 4.0, 3, 3, 12.0, 52.25),
    (1, 5.0, 4, 4, 23.75, 141.75),
    (1, 6.0, 5, 5, 38.5, 291.0),
    (1, 7.0, 6, 6, 56.25, 515.0),
    (1, -1.0, 1, 1, 0.0, 0.0),
    (2, 0.0, 2, 2, 0.0, 0.0),
    (2, 1.0, 2, 2, 0.0, 0.0),
    (2, 2.0, 2, 2, 0.0, 0.0),
    (2, 2.5, 2, 2, 0.0, 0.0),
    (2, 3.0, 2, 2, 3.25, 7.5),
    (2, 3.5, 2, 2, 3.25, 7.5),
    (2, 4.0, 3, 3, 12.0, 52.25),
    (2, 5.0, 4, 4, 23.75, 141.75),
    (2, 7.0, 6, 6, 56.25, 515.0),
    (3, 2.5, 3, 3, 0.0, 0.0),
    (3, 3.0, 3, 3, 3.25, 8.5),
    (3, 4.0, 3, 3, 12.0, 52.25),
    (3, 5.0, 4, 4, 23.75, 141.75),
    (3, 6.0, 5, 5, 38.5, 291.0),
    (3, -1.0, 3, 3, 0.0, 0.0),
    (5, 0.0, 5, 5, 0.0, 0.0),
    (5, 2.0, 5, 5, 0.0, 0.0),
    (5, 2.5, 5, 5, 0.0, 0.0),
    (5, 3.0, 5, 5, 3.25, 10.5),
    (5, 3.5, 5, 5, 3.25, 10.5),
    (5, 4.0, 5, 5, 12.0, 67.25),
    (5, 5.0, 5, 5, 23.75, 158.75),
    (5, 6.0, 5, 5, 38.5, 291.0),
    (5, 7.0, 6, 6, 56.25, 515.0),
    (5, -1.0, 5, 5, 0.0, 0.0),
];

#[test]
fn arrays_are_as_large_as_in_octave() {
    for (n, number, rows, columns, total, weighted) in OCTAVE {
        for columns_first in [true, false] {
            let u = Array2::from_shape_fn((n, n).set_f(columns_first), |(i, j)| (1 + i + j * n) as f64 / 4.0);
            let (v, sum) = edged(number, &u).unwrap();
            let numbered = v.t().iter().enumerate().map(|(k, x)| x * (k + 1) as f64).sum::<f64>();
            assert_eq!((v.dim(), sum, numbered), ((rows, columns), total, weighted), "{n} {number}");
        }
    }
    let none = Array2::<f64>::zeros((0, 0));
    assert_eq!(edged(1.0, &none).unwrap().0.dim(), (1, 0));
    let error = edged(4.0, &none).unwrap_err().to_string();
    assert!(error.contains("u(1, 1)"), "{error}");
    let error = edged(f64::NAN, Array2::<f64>::zeros((3, 3))).unwrap_err().to_string();
    assert!(error.contains("NaN"), "{error}");
    for number in [f64::NEG_INFINITY, -1e300] {
        assert_eq!(edged(number, Array2::<f64>::ones((3, 3))).unwrap().1, 0.0);
    }
}
