//! Arrays whose sizes only the run knows, in compiled functions: against what GNU Octave gives.

use ndarray::{Array2, array};

megha::matlab! {
    function [p, k] = primes_by_trial(n)
    arguments
        n (1,1) double
    end
    p = [];
    k = 0;
    for i = 2:n
        isp = true;
        for j = 1:numel(p)
            if p(j)^2 > i, break; end
            if mod(i, p(j)) == 0
                isp = false;
                break;
            end
        end
        if ~isp, continue; end
        p(end+1) = i;
        k = k + 1;
    end
    end

    function [a, b] = exchanged(n)
    arguments
        n (1,1) double
    end
    a = 1; b = [1 2];
    for i = 1:n
        t = a; a = b; b = t;
        a(end+1) = i;
        if i == 5
            b(numel(b) + 3) = 7;
        end
    end
    end

    function x = until_large(x, limit)
    arguments
        x (1,n) double
        limit (1,1) double
    end
    while sum(x) < limit
        for k = 1:numel(x)
            x(k) = x(k) + x(1);
            if x(k) > 9, x(1) = 1; end
        end
    end
    end

    function x = left_early(n)
    arguments
        n (1,1) double
    end
    x = [];
    for i = 1:n
        for j = 1:i
            x = [x; i * j];
            if numel(x) > 4
                x = [x; -1];
                return
            end
        end
    end
    x = [x; -2];
    end

    function [x, k] = squares_below(limit)
    arguments
        limit (1,1) double
    end
    x = zeros(1, 4);
    k = 0;
    while (k + 1)^2 < limit
        k = k + 1;
        x(k) = k^2;
    end
    end

    function y = scattered(y, p, v)
    arguments
        y (n,1) double
        p (m,1) double
        v (m,1) double
    end
    for i = 1:numel(p)
        y(p(i)) = v(i);
    end
    end

    function counts = counted(b, n)
    arguments
        b (m,1) double
        n (1,1) double
    end
    counts = zeros(1, n);
    for i = 1:numel(b)
        counts(b(i)) = counts(b(i)) + 1;
    end
    end

    function [A, s] = triangle(n)
    arguments
        n (1,1) double
    end
    A = 1;
    for i = 1:n
        A = [A, A(:, end) + i];
        A = [A; sum(A, 1)];
    end
    s = sum(A(:));
    end
}

megha::matlab!(
    r#"
    function [a, first, c] = kept(v, n)
    a = [];
    first = [];
    for i = 1:numel(v)
        if v(i) > 0
            a = [a; v(i)];
        end
        if i <= n
            first = [first, v(i)];
        end
    end
    c = n + 1;
    end
    "#,
    fn kept(v: f64[k, 1], n: usize) -> (a: f64[k, 1], first: f64, c: f64[:, :]),
);

fn row(values: &[f64]) -> Array2<f64> {
    Array2::from_shape_vec((1, values.len()), values.to_vec()).unwrap()
}

#[test]
fn a_row_grows_until_a_break() {
    let (p, k) = primes_by_trial(30.0).unwrap();
    assert_eq!((p, k), (row(&[2.0, 3.0, 5.0, 7.0, 11.0, 13.0, 17.0, 19.0, 23.0, 29.0]), 10.0));
    assert_eq!(primes_by_trial(1.0).unwrap().0.len(), 0);
}

#[test]
fn growing_arrays_are_exchanged() {
    let (a, b) = exchanged(6.0).unwrap();
    assert_eq!(a, row(&[1.0, 2.0, 4.0, 0.0, 0.0, 7.0, 6.0]));
    assert_eq!(b, row(&[1.0, 2.0, 1.0, 3.0, 5.0]));
    assert_eq!(exchanged(0.0).unwrap(), (row(&[1.0]), row(&[1.0, 2.0])));
}

#[test]
fn a_function_is_left_while_an_array_grows() {
    assert_eq!(left_early(9.0).unwrap(), array![[1.0], [2.0], [4.0], [3.0], [6.0], [-1.0]]);
    assert_eq!(left_early(1.0).unwrap(), array![[1.0], [-2.0]]);
}

#[test]
fn a_loop_tests_the_whole_of_what_it_stores_by_elements() {
    assert_eq!(until_large(array![1.0, 2.0, 3.0], 40.0).unwrap(), array![[1.0, 26.0, 15.0]]);
}

#[test]
fn a_matrix_grows_in_both_directions() {
    let (a, s) = triangle(2.0).unwrap();
    assert_eq!(a, array![[1.0, 2.0, 4.0], [1.0, 2.0, 4.0], [2.0, 4.0, 8.0]]);
    assert_eq!(s, 28.0);
}

#[test]
fn an_array_that_was_made_too_small_grows() {
    assert_eq!(squares_below(30.0).unwrap(), (row(&[1.0, 4.0, 9.0, 16.0, 25.0]), 5.0));
    assert_eq!(squares_below(5.0).unwrap(), (row(&[1.0, 4.0, 0.0, 0.0]), 2.0));
    let y = scattered([1.0, 2.0], [4.0, 1.0], [7.0, 8.0]).unwrap();
    assert_eq!(y, array![[8.0], [2.0], [0.0], [7.0]]);
}

#[test]
fn an_element_that_is_read_must_exist() {
    assert_eq!(counted([2.0, 3.0, 2.0], 3.0).unwrap(), row(&[0.0, 2.0, 1.0]));
    let past = counted([2.0, 4.0], 3.0).unwrap_err().to_string();
    assert!(past.contains("index 4 is outside dimension 2"), "{past}");
}

#[test]
fn declared_results_are_tested_when_the_program_has_run() {
    let (a, first, c) = kept(vec![1.0, 2.0], 1).unwrap();
    assert_eq!((a, first, c), (array![[1.0], [2.0]], 1.0, array![[2.0]]));
    let fewer = kept(vec![1.0, -2.0], 1).unwrap_err().to_string();
    assert!(fewer.contains("the declared size of `a`: the sizes 1 and 2 must be equal"), "{fewer}");
    assert!(kept(vec![1.0, 2.0], 2).unwrap_err().to_string().contains("the declared size of `first`"));
}

megha::matlab! {
    function Q = outer_products(X)
    arguments
        X (n,m) double
    end
    Q = 0;
    for i = 1:size(X, 1)
        Q = Q + transpose(X(i, :)) * X(i, :);
    end
    end

    function [x, steps] = halved(x, least)
    arguments
        x (n,1) double
        least (1,1) double
    end
    xold = 2;
    steps = 0;
    while norm(x - xold) > least
        xold = x;
        x = x / 2;
        steps = steps + 1;
    end
    end

    function P = power(A, n)
    arguments
        A (m,m) double
        n (1,1) double
    end
    P = 1;
    for k = 1:n
        P = P * A;
    end
    P = mldivide(2, P);
    end

    function [s, big] = chosen_rows(M, least)
    arguments
        M (n,m) double
        least (1,1) double
    end
    rows = M(find(M(:, 1) >= least), :);
    s = sum(rows);
    big = rows(rows > 4);
    end
}

#[test]
fn a_number_becomes_a_matrix_in_a_loop() {
    let q = outer_products(array![[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]).unwrap();
    assert_eq!(q, array![[35.0, 44.0], [44.0, 56.0]]);
    assert_eq!(outer_products(Array2::<f64>::zeros((0, 2))).unwrap(), array![[0.0]]);
    let (x, steps) = halved([1.0, 2.0, 4.0], 1.0).unwrap();
    assert_eq!((x, steps), (array![[0.125], [0.25], [0.5]], 3.0));
    let a = array![[4.0, 1.0], [2.0, 3.0]];
    assert_eq!(power(a.view(), 2.0).unwrap(), array![[9.0, 3.5], [7.0, 5.5]]);
    assert_eq!(power(a, 0.0).unwrap(), array![[0.5]]);
}

#[test]
fn one_row_is_summed_and_read_along_the_row() {
    let m = array![[1.0, 9.0, 2.0], [5.0, 3.0, 7.0], [6.0, 8.0, 4.0]];
    let (s, big) = chosen_rows(m.view(), 5.0).unwrap();
    assert_eq!((s, big), (row(&[11.0, 11.0, 11.0]), array![[5.0], [6.0], [8.0], [7.0]]));
    assert_eq!(chosen_rows(m, 6.0).unwrap(), (array![[18.0]], row(&[6.0, 8.0])));
}
