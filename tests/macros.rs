//! The forms of `matlab!`, compiled and run.

use ndarray::{Array1, Array2, array};

megha::matlab! {
    % A comment with 100% of what % may hold.
    function y = saxpy(a, x, y0)
    arguments
        a  (1,1) double
        x  (n,1) double
        y0 (n,1) double
    end
    y = scaled(a, x) ... the rest follows
        + y0;
    end

    function [total, largest] = both(x)
    arguments
        x (n,m) double {mustBeNonnegative}
    end
    total = sum(sum(x));
    largest = max(max(x));
    end

    function y = scaled(a, x)
    y = a .* x;
    end
}

megha::matlab!(
    r#"
function c = outer(x, y)
    % Rust's own lexer refuses the next line outside a string.
    c = x * y';
end
"#,
    fn outer(x: f64[n, 1], y: f64[m, 1]) -> c: f64[n, m],
    pub fn outer as outer_single(x: f32[n], y: f32[m]) -> c: f32[n, m],
);

megha::matlab!(file "matlab/steps.m");

megha::matlab!(file "matlab/steps.m", fn steps as coarse_steps(first: f64, count: usize) -> y: f64[1, count]);

#[test]
fn functions_in_place() {
    let y = saxpy(2.0, &array![1.0, 2.0], &array![10.0, 20.0]).unwrap();
    assert_eq!(y, array![[12.0], [24.0]]);
    assert_eq!(both(&array![[1.0, 5.0], [2.0, 0.5]]).unwrap(), (8.5, 5.0));
}

#[test]
fn a_validator_is_tested_before_the_work() {
    let error = both(&array![[1.0, -5.0]]).unwrap_err().to_string();
    assert!(error.contains("`x` must be nonnegative") && error.contains("tests/macros.rs:19"), "{error}");
}

#[test]
fn shapes_that_do_not_fit_are_errors_with_names() {
    let error = saxpy(2.0, &array![1.0, 2.0], &array![1.0]).unwrap_err().to_string();
    assert!(error.contains("y0") && error.contains("(n,1)"), "{error}");
}

#[test]
fn statements_over_variables() {
    let spot = Array1::from_vec(vec![90.0, 110.0]);
    let strike = &spot - 5.0;
    let rate = 0.5;
    let call = megha::matlab!(|spot: f64[n, 1], strike: f64[n, 1], rate: f64| -> call {
        call = max(spot - exp(-rate) .* strike, 0);
    })
    .unwrap();
    assert_eq!(call.dim(), (2, 1));
    assert!((call[[0, 0]] - (90.0 - (-0.5f64).exp() * 85.0)).abs() < 1e-12);

    let (view, k) = (&spot.view(), 3usize);
    let (sum, row): (f64, Array2<f64>) =
        megha::matlab!(|view: f64[n, 1], k: usize| -> (sum_, row: f64[1, k]) { sum_ = sum(view); row = ones(1, k); })
            .unwrap();
    assert_eq!((sum, row.dim()), (200.0, (1, 3)));
}

#[test]
fn strings_and_renamed_signatures() {
    let c = outer(&array![1.0, 2.0], &array![3.0, 4.0, 5.0]).unwrap();
    assert_eq!(c, array![[3.0, 4.0, 5.0], [6.0, 8.0, 10.0]]);
    let c = outer_single(&array![1.0f32], &array![0.5f32]).unwrap();
    assert_eq!(c, array![[0.5f32]]);
}

#[test]
fn files_with_a_default_and_a_function_beside() {
    assert_eq!(steps(1.0, 3, 0.5).unwrap(), array![[1.0, 1.5, 2.0]]);
    assert_eq!(coarse_steps(1.0, 3).unwrap(), array![[1.0, 3.0, 5.0]], "the step left out is 2");
    let error = steps(1.0, 3, 0.0).unwrap_err().to_string();
    assert!(error.contains("`step` must be nonzero") && error.contains("steps.m:8"), "{error}");
}
