//! The forms of `matlab!` and what their functions do with unusual arguments: errors, empty arrays, special numbers.

use megha::rt::ErrorKind;
use ndarray::{Array1, Array2, Array3, Axis, array};

// Functions inline, with their types in `arguments` blocks.
megha::matlab! {
    function y = saxpy(a, x, y0)
    arguments
        a  (1,1) double
        x  (n,1) double
        y0 (n,1) double
    end
    y = a .* x + y0;
    end

    function [small, large] = bounds(x)
    arguments
        x (1,n) double
    end
    small = min(x);
    large = max(x);
    end

    function y = roots(x)
    arguments
        x (:,:) double
    end
    y = sqrt(x);
    end

    function r = correlations(S)
    arguments
        S (n,n) double
    end
    n = size(S, 1);
    r = zeros(n);
    for i = 1:n
        for j = 1:n
            r(i, j) = S(i, j) / sqrt(S(i, i) * S(j, j));
        end
    end
    end

    function y = windows(x, w)
    arguments
        x (1,n) double
        w (1,m) double
    end
    y = zeros(1, numel(x) - numel(w));
    for i = 1:numel(y)
        for k = 1:numel(w)
            y(i) = y(i) + sqrt(w(k)) * sqrt(x(i + k));
        end
    end
    end

    function y = pick(x, k)
    arguments
        x (n,1) double
        k (1,1) double
    end
    y = x(k);
    end

    function y = both(x, y0)
    arguments
        x  (:,1) double
        y0 (:,1) double
    end
    y = x + y0;
    end

    function price = checked(price)
    arguments
        price (1,1) double
    end
    if price < 0
        error("price:negative", "the price %g is below zero", price);
    end
    end

    function y = table(x)
    arguments
        x (m,n) double
    end
    y = 1 ./ x - abs(x);
    end

    function y = sometimes(x)
    arguments
        x (1,1) double
    end
    if x > 0
        y = 1;
        return
    end
    if x < -5
        y = 2;
    end
    end
}

// A string, for what Rust's own lexer refuses.
megha::matlab!(
    r#"
    function c = outer(x, y)
        c = x * y';  % doesn't
    end
    "#,
    fn outer(x: f64[m, 1], y: f64[n, 1]) -> c: f64[m, n],
    pub fn outer as square_outer(x: f64[n, 1], y: f64[n, 1]) -> c: f64[n, n],
);

megha::matlab!(
    r#"
    function [p, q, r] = products(A, b, x, y)
        p = A \ b;
        q = x ^ 2;
        r = x * y;
    end
    "#,
    fn products(A: f64[n, n], b: f64[k, 1], x: f64[1, m], y: f64[h, 1]),
);

// A file, with its types from here.
megha::matlab!(file "../examples/matlab/matmul.m", fn matmul as product(a: f64[m, k], b: f64[k, n]) -> c: f64[m, n]);

#[test]
fn inline_functions() {
    let y = saxpy(2.0, [1.0, 2.0, 3.0], vec![10.0, 20.0, 30.0]).unwrap();
    assert_eq!(y, array![[12.0], [24.0], [36.0]]);
    assert_eq!(bounds([3.0, -1.0, 2.0]).unwrap(), (-1.0, 3.0));
}

#[test]
fn expressions_over_variables() {
    let spot = array![[90.0], [100.0], [110.0]];
    let strike = Array1::from_elem(3, 100.0);
    let rate = 0.0;
    let call = megha::matlab!(|spot: f64[n, 1], strike: f64[n, 1], rate: f64| -> call {
        call = max(spot - exp(-rate) .* strike, 0);
    });
    assert_eq!(call.unwrap(), array![[0.0], [0.0], [10.0]]);

    // Several results; numbers in and out; other classes.
    let count = 7_usize;
    let (half, whole) = megha::matlab!(|count: usize| -> (half, whole) {
        half = count / 2;
        whole = int32(half);
    })
    .unwrap();
    assert_eq!((half, whole), (3.5, 4_i32));
    // The variables are borrowed, not taken.
    assert_eq!((spot.len(), strike.len()), (3, 3));
}

#[test]
fn strings_and_files() {
    let (x, y) = ([1.0, 2.0], [3.0, 4.0, 5.0]);
    assert_eq!(outer(x, y).unwrap(), array![[3.0, 4.0, 5.0], [6.0, 8.0, 10.0]]);
    assert_eq!(square_outer(x, x).unwrap(), array![[1.0, 2.0], [2.0, 4.0]]);
    let a = array![[1.0, 2.0], [3.0, 4.0]];
    assert_eq!(product(&a, a.t()).unwrap(), array![[5.0, 11.0], [11.0, 25.0]]);
}

/// The text of an error and the line of this file that it names.
fn explained<T: std::fmt::Debug>(result: megha::Result<T>) -> (String, u32) {
    let error = result.unwrap_err();
    assert!(error.site().path.ends_with("forms.rs"), "{error}");
    (error.to_string(), error.site().line)
}

/// The line of this file on which the text stands for the first time.
fn line_of(text: &str) -> u32 {
    let at = include_str!("forms.rs").lines().position(|line| line.contains(text));
    at.map_or(0, |at| at as u32 + 1)
}

#[test]
fn a_wrong_shape_names_the_argument_and_both_shapes() {
    let text = saxpy(1.0, [1.0, 2.0, 3.0], [1.0]).unwrap_err().to_string();
    assert!(text.starts_with("argument `y0` is 1-by-1, but must be (n,1), which is 3-by-1 here\n  in "), "{text}");
    let text = saxpy(1.0, Array2::zeros((3, 2)), [1.0]).unwrap_err().to_string();
    assert!(text.starts_with("argument `x` is 3-by-2, but must be (n,1)"), "{text}");
    let text = product(Array2::zeros((2, 3)), Array2::zeros((4, 5))).unwrap_err().to_string();
    assert!(text.starts_with("argument `b` is 4-by-5, but must be (k,n), which is 3-by-5 here"), "{text}");
}

#[test]
fn sizes_that_only_show_at_run_time() {
    assert_eq!(both([1.0, 2.0], [3.0, 4.0]).unwrap(), array![[4.0], [6.0]]);
    let (text, line) = explained(both([1.0, 2.0], [1.0, 2.0, 3.0]));
    assert_eq!(line, line_of("y = x + y0"), "{text}");
    assert!(text.contains("x + y0") && text.contains('2') && text.contains('3'), "{text}");
}

#[test]
fn failures_of_the_program() {
    let (text, line) = explained(roots(array![[4.0, -9.0]]));
    assert_eq!(line, line_of("y = sqrt(x);"), "{text}");
    assert!(text.contains("sqrt") && text.contains("complex"), "{text}");

    for k in [0.0, 4.0, 1.5] {
        let (text, line) = explained(pick([1.0, 2.0, 3.0], k));
        // A subscript that is no whole number is found where `k` comes in.
        let place = if k == 1.5 { "function y = pick(x, k)" } else { "y = x(k);" };
        assert_eq!(line, line_of(place), "{text}");
        assert!(text.contains(&k.to_string()), "{text}");
    }

    assert_eq!(checked(2.0).unwrap(), 2.0);
    let error = checked(-2.5).unwrap_err();
    let ErrorKind::User { message, .. } = error.kind() else { panic!("{error}") };
    assert_eq!(message, "the price -2.5 is below zero");
    assert_eq!(error.site().line, line_of("error(\"price:negative\""));
}

#[test]
fn empty_arrays() {
    assert_eq!(saxpy(1.0, Vec::new(), Array1::zeros(0)).unwrap().shape(), [0, 1]);
    assert_eq!(roots(Array2::zeros((0, 3))).unwrap().shape(), [0, 3]);
    assert_eq!(roots(Array2::zeros((3, 0))).unwrap().shape(), [3, 0]);
    assert_eq!(product(Array2::zeros((2, 0)), Array2::zeros((0, 3))).unwrap(), Array2::zeros((2, 3)));
    assert_eq!(outer(Vec::new(), [1.0]).unwrap().shape(), [0, 1]);
    let (text, _) = explained(pick(Vec::new(), 1.0));
    assert!(text.contains('1') && text.contains('0'), "{text}");
}

#[test]
fn one_element() {
    assert_eq!(saxpy(3.0, [2.0], [1.0]).unwrap(), array![[7.0]]);
    assert_eq!(bounds([5.0]).unwrap(), (5.0, 5.0));
    assert_eq!(outer([2.0], [3.0]).unwrap(), array![[6.0]]);
    assert_eq!(both([1.0], [2.0]).unwrap(), array![[3.0]]);
}

#[test]
fn special_numbers() {
    let inf = f64::INFINITY;
    let y = table(array![[inf, -inf, 0.0], [-0.0, f64::NAN, 1.0]]).unwrap();
    assert_eq!(y[[0, 0]], -inf);
    assert_eq!(y[[0, 1]], -inf);
    assert_eq!((y[[0, 2]], y[[1, 0]]), (inf, -inf));
    assert!(y[[1, 1]].is_nan());
    assert_eq!(y[[1, 2]], 0.0);
    let y = saxpy(-1.0, [0.0, -0.0], [-0.0, -0.0]).unwrap();
    assert!(y[[0, 0]].is_sign_negative() && y[[1, 0]].is_sign_positive());
    assert_eq!(roots(array![[-0.0]]).unwrap()[[0, 0]].to_bits(), (-0.0_f64).to_bits());
    assert!(roots(array![[f64::NAN]]).unwrap()[[0, 0]].is_nan());
    // NaN is left out by min and max.
    assert_eq!(bounds([f64::NAN, 2.0, 1.0]).unwrap(), (1.0, 2.0));
    let (small, large) = bounds([f64::NAN]).unwrap();
    assert!(small.is_nan() && large.is_nan());
}

#[test]
fn slices_of_larger_arrays() {
    let cube = Array3::from_shape_fn((4, 3, 2), |(i, j, k)| (i * 6 + j * 2 + k) as f64);
    let plane = cube.index_axis(Axis(2), 1);
    assert_eq!(roots(plane).unwrap(), plane.mapv(f64::sqrt));
    let column = plane.column(1);
    assert_eq!(saxpy(2.0, column, column).unwrap().column(0), column.mapv(|x| 3.0 * x));
}

/// A way that leaves a function early, and one that ends it, without a value of the result.
#[test]
fn a_result_that_some_ways_do_not_assign() {
    assert_eq!(sometimes(3.0).unwrap(), 1.0);
    assert_eq!(sometimes(-6.0).unwrap(), 2.0);
    let (text, _) = explained(sometimes(-1.0));
    assert!(text.contains("`y` has no value"), "{text}");
}

/// Sizes with different names, which may be equal when the function runs: equal, a vector of one element, and different.
#[test]
fn products_of_sizes_that_only_the_run_compares() {
    let a = array![[2.0, 0.0], [0.0, 4.0]];
    let (p, q, r) = products(&a, [2.0, 2.0], [3.0], [5.0]).unwrap();
    assert_eq!((p, q, r), (array![[1.0], [0.5]], array![[9.0]], 15.0));
    for (b, x, y) in [(vec![1.0], vec![3.0], vec![5.0]), (vec![1.0; 2], vec![3.0; 2], vec![5.0; 2])] {
        let (text, _) = explained(products(&a, b, x, y));
        assert!(text.contains('1') && text.contains('2'), "{text}");
    }
    assert!(products(&a, [1.0, 1.0], [3.0], [5.0, 1.0]).is_err());
}

#[test]
fn loops_that_can_fail_run_inside_kernels() {
    let s = array![[4.0, 1.0], [3.0, 9.0]];
    assert_eq!(correlations(&s).unwrap(), array![[1.0, 1.0 / 6.0], [0.5, 1.0]]);
    assert_eq!(correlations(s.reversed_axes()).unwrap(), array![[1.0, 0.5], [1.0 / 6.0, 1.0]]);
    let error = correlations(array![[4.0, 1.0], [3.0, -9.0]]).unwrap_err();
    assert!(error.to_string().contains("complex"), "{error}");
    assert_eq!(windows([1.0, 4.0, 9.0, 16.0], [1.0, 4.0]).unwrap(), array![[8.0, 11.0]]);
    assert!(windows([1.0, 4.0, 9.0, -16.0], [1.0, 4.0]).is_err());
}

// Names that the generated code has uses for itself.
megha::matlab! {
    function [layout, t, mut] = convolved(kernel, DEVICE, t_part)
    arguments
        kernel (1,n) double
        DEVICE (1,:) double
        t_part (1,1) double
    end
    kernel = kernel * t_part;
    layout = zeros(size(DEVICE));
    for k = 1:numel(kernel)
        layout(k) = DEVICE(k) * kernel(k);
    end
    t = sum(layout);
    mut = cumsum(layout + DEVICE);
    end
}

#[test]
fn names_of_the_generated_code_are_names_like_others() {
    let (layout, t, mutable) = convolved(array![1.0, 2.0], array![3.0, 4.0, 5.0], 2.0).unwrap();
    assert_eq!(layout, array![[6.0, 16.0, 0.0]]);
    assert_eq!(t, 22.0);
    assert_eq!(mutable, array![[9.0, 29.0, 34.0]]);
}

// Arrays that are used last on the way out of a loop, or before a function that is expanded returns early.
megha::matlab! {
    function s = until_large(a, n)
    arguments
        a (1,:) double
        n (1,1) double
    end
    x = sort(a);
    s = 0;
    for k = 1:n
        if x(k) > 3
            s = s + sum(x);
            break;
        end
        s = s + x(k);
    end
    end

    function s = early_twice(a, n)
    arguments
        a (1,:) double
        n (1,1) double
    end
    s = 0;
    for j = 1:2
        x = sort(a) * j;
        s = s + first_ones(n, x);
    end
    end

    function t = first_ones(n, x)
    t = 0;
    if n <= 0
        return
    end
    for k = 1:n
        t = t + x(k);
    end
    return
    end

    function t = early_array(a, n)
    arguments
        a (1,:) double
        n (1,1) double
    end
    t = changed(n, sort(a));
    end

    function t = changed(n, x)
    if n <= 0
        t = x;
        return
    end
    x(1) = n;
    t = x;
    end
}

#[test]
fn arrays_end_behind_loops_that_are_left() {
    let a = array![5.0, 1.0, 2.0, 4.0];
    assert_eq!(until_large(&a, 2.0).unwrap(), 3.0);
    assert_eq!(until_large(&a, 4.0).unwrap(), 15.0);
    assert_eq!(early_twice(&a, 2.0).unwrap(), 9.0);
    assert_eq!(early_twice(&a, 0.0).unwrap(), 0.0);
    assert_eq!(early_array(&a, 0.0).unwrap(), array![[1.0, 2.0, 4.0, 5.0]]);
    assert_eq!(early_array(&a, 9.0).unwrap(), array![[9.0, 2.0, 4.0, 5.0]]);
}

megha::matlab! {
    "function [fixed, made, short, chosen] = titles(k)
       fixed = 'Poisson';
       made = ['case ' num2str(k)];
       short = 'x';
       if k > 2
         chosen = 'large';
       elseif k > 1
         chosen = 'small';
       else
         chosen = '';
       end
     end",
    fn titles(k: f64),
}

/// A text as a result is a row of the codes of its characters.
#[test]
fn texts_are_given_as_codes() {
    let text = |codes: Array2<f64>| -> String {
        assert_eq!(codes.shape()[0], 1);
        codes.iter().map(|code| char::from(*code as u8)).collect()
    };
    for (k, want) in [(3.0, "large"), (2.0, "small"), (1.0, "")] {
        let (fixed, made, short, chosen) = titles(k).unwrap();
        assert_eq!((text(fixed), text(made), short), ("Poisson".to_owned(), format!("case {k}"), 120.0));
        assert_eq!(text(chosen), want);
    }
}

// Arrays with one element along an axis that a loop's number runs along: the number is a constant there.
megha::matlab! {
    "function V = field_of_one(chi, all, a, k, n)
       [dim, N] = size(chi);
       V = zeros(dim, dim, n);
       for ti = 1:N
         V(:, :, ti) = -a * all((k - 1) * (n - 1) + ti);
       end
     end",
    fn field_of_one(chi: f64, all: f64[1, m], a: f64, k: f64, n: f64),
}

#[test]
fn numbers_along_axes_of_one_element() {
    let values = [1.0, 2.0, 4.0, 8.0];
    assert_eq!(
        field_of_one(0.5, values, 3.0, 2.0, 2.0).unwrap(),
        Array3::from_shape_vec((1, 1, 2), vec![-6.0, 0.0]).unwrap()
    );
    assert!(field_of_one(0.5, values, 3.0, 4.0, 3.0).is_err());
}

// An array that is used behind a loop which a function expanded there leaves from two loops deep, before it fails.
megha::matlab! {
    "function y = behind_search(x, limit)
       c = sort(x);
       at = searched(limit);
       y = sum(c) + c(1) + at;
     end
     function at = searched(limit)
       for i = 1:3
         for j = 1:3
           if i * j > limit
             at = i + j;
             return
           end
         end
       end
       error('not found');
     end",
    fn behind_search(x: f64[1, n], limit: f64),
}

#[test]
fn arrays_live_past_loops_that_end_in_errors() {
    assert_eq!(behind_search([3.0, 1.0, 2.0], 3.0).unwrap(), 6.0 + 1.0 + 4.0);
    let (text, _) = explained(behind_search([3.0, 1.0], 9.0));
    assert!(text.contains("not found"), "{text}");
}

// Several dimensions at once, which Octave does not have: against one after the other, of numbers whose sums are exact.
megha::matlab! {
    function [s, m, d, v, t, n] = over_dimensions(a)
    arguments
        a (n,m,k) double
    end
    along = [1 3];
    s = sum(a, [3 2]);
    m = max(a, [], [1 2]);
    d = std(a, 0, along);
    v = mean(a, along);
    t = any(a > 5, [1 2 3]);
    n = size(a, [3 1]);
    end

    function [s, m, d, v, t, n] = one_dimension_at_a_time(a)
    arguments
        a (n,m,k) double
    end
    s = sum(sum(a, 3), 2);
    m = max(max(a, [], 1), [], 2);
    v = sum(sum(a, 1), 3) / (size(a, 1) * size(a, 3));
    d = sqrt(sum(sum((a - v) .^ 2, 1), 3) / (size(a, 1) * size(a, 3) - 1));
    t = any(any(any(a > 5, 1), 2), 3);
    n = [size(a, 3), size(a, 1)];
    end
}

#[test]
fn reductions_over_several_dimensions() {
    for (rows, columns, pages) in [(3, 4, 5), (2, 1, 1), (1, 8, 2), (32, 3, 16)] {
        let a = Array3::from_shape_fn((rows, columns, pages), |(i, j, k)| ((i * 5 + j * 3 + k * 7) % 8) as f64);
        let (s, m, d, v, t, n) = over_dimensions(&a).unwrap();
        let (one_s, one_m, one_d, one_v, one_t, one_n) = one_dimension_at_a_time(&a).unwrap();
        assert_eq!((s, m, v, t, n), (one_s, one_m, one_v, one_t, one_n));
        assert!(d.iter().zip(&one_d).all(|(d, one)| (d - one).abs() <= 1e-14 * one), "{d} {one_d}");
    }
}
