//! Sizes whose products leave 64 bits: an error, in every build, never memory that is too small for what is stored into it.

use megha::ErrorKind;
use ndarray::{Array2, ArrayView2};

megha::matlab!(
    r#"
    function y = flat(n, m)
    y = zeros(n*m, 1);
    for i = 1:n
        for j = 1:m
            y((i-1)*m + j) = 1;
        end
    end
    end

    function y = fourfold(x)
    y = zeros(4*size(x, 1), 1);
    for i = 1:size(x, 1)
        y(i) = 1;
    end
    end

    function s = total(n, m, x)
    s = 0;
    for i = 1:n*m
        s = s + x(i);
    end
    end

    function x = rounded_bounds(a, n)
    x = zeros(2*n, 1);
    for j = 1:2*n
        for i = 1:n
            if (j + 8e15) + 8e15 == (i + 8e15) + 8e15
                x(j) = a(j);
            end
        end
    end
    end

    function x = rounded_dependence(n)
    x = zeros(n, 1);
    for i = 1:n
        for j = 1:n
            if (i + 8e15) + 8e15 == (j + 8e15) + 8e15
                x(i) = x(i) + x(j) + 1;
            end
        end
    end
    end

    function t = long_range(p, q, r)
    t = 0;
    for k = 1:p*q*r
        t = t + 1;
        if t >= 3
            break
        end
    end
    end
    "#,
    fn rounded_bounds(a: f64[n, 1], n: usize) -> x,
    fn rounded_dependence(n: usize) -> x,
    fn long_range(p: usize, q: usize, r: usize) -> t,
    fn flat(n: usize, m: usize) -> y,
    fn fourfold(x: f64[n, k]) -> y,
    fn total(n: usize, m: usize, x: f64[n*m, 1]) -> s,
);

#[test]
fn products_of_sizes_do_not_wrap() {
    assert_eq!(flat(2, 3).unwrap(), Array2::ones((6, 1)));
    assert_eq!(flat(0, 1 << 40).unwrap().len(), 0);
    for (n, m) in [(1 << 32, 1 << 32), (1 << 31, 1 << 33), (1 << 33, (1 << 31) + 1), (1 << 52, 1 << 12)] {
        assert!(matches!(flat(n, m).unwrap_err().kind(), ErrorKind::OutOfMemory { .. }), "{n} {m}");
    }
}

#[test]
fn multiples_of_extents_do_not_wrap() {
    assert_eq!(fourfold(Array2::zeros((2, 1))).unwrap()[[1, 0]], 1.0);
    for rows in [1usize << 61, (1 << 61) + 1, 1 << 62, isize::MAX as usize] {
        let none = ArrayView2::<f64>::from_shape((rows, 0), &[]).unwrap();
        assert!(fourfold(none).is_err(), "{rows}");
    }
}

#[test]
fn declared_products_are_compared_exactly() {
    assert_eq!(total(2, 3, ndarray::array![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap(), 21.0);
    let none = ndarray::Array1::<f64>::zeros(0);
    let error = total(1 << 32, 1 << 32, none.view()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::SizeMismatch { .. }), "{error}");
}

/// Beyond 2^53 doubles round: what compares equal is not the same number, so a condition says less than it seems to.
#[test]
fn conditions_that_round_prove_nothing() {
    let error = rounded_bounds(ndarray::array![1.0, 2.0, 3.0], 3).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::OutOfBounds { .. }), "{error}");
    assert_eq!(rounded_dependence(6).unwrap().into_raw_vec_and_offset().0, [1.0, 1.0, 3.0, 10.0, 31.0, 1.0]);
}

#[test]
fn long_ranges_have_their_length() {
    assert_eq!(long_range(2, 1, 1).unwrap(), 2.0);
    assert_eq!(long_range(1 << 20, 1 << 20, 1 << 20).unwrap(), 3.0);
    // Octave: invalid range.
    assert!(long_range(1 << 22, 1 << 22, 1 << 20).is_err());
    assert!(long_range(1 << 22, 1 << 22, 1 << 22).is_err());
}
