//! Functions that give a `Result`: what fails is an error, where a function without panics.

use super::{SIZES, all, both, form, same};
use megha::Result;
use ndarray::{ArrayView1, ArrayViewMut1};

both! {
    pub fn mean(x: ArrayView1<f64>) -> Result<f64> {
        if x.len() == 0 {
            return Ok(0.0);
        }
        let mut sum = 0.0;
        for i in 0..x.len() {
            sum += x[i];
        }
        Ok(sum / x.len() as f64)
    }

    pub fn shifted(x: ArrayView1<f64>, mut y: ArrayViewMut1<f64>, by: usize) -> megha::Result<()> {
        for i in 0..x.len() {
            y[i] = x[i + by] * 2.0;
        }
        Ok(())
    }

    pub fn several(x: &[i32], divisor: i32) -> megha::Result<(usize, i32)> {
        let mut sum = 0;
        for v in x {
            sum += v / divisor;
        }
        if sum > 10 { Ok((x.len(), sum)) } else { Ok((0, -sum)) }
    }
}

#[test]
fn results_are_given() {
    same(
        |offloaded, given, n| {
            let (x, mut y) = (given.vector(n, 1), given.vector(n, 2));
            let mean = form!(offloaded, mean(x.view())).unwrap();
            form!(offloaded, shifted(x.view(), y.view_mut(), 0)).unwrap();
            let (count, sum) = form!(offloaded, several(&vec![7; n], 3)).unwrap();
            all!(y, [mean], [count], [sum])
        },
        &SIZES,
    );
}

#[test]
fn failures_of_the_plain_body_are_errors() {
    // Numbers of this size are not computed with in the compiled form.
    let (x, mut y) = (ndarray::Array1::ones(4), ndarray::Array1::zeros(4));
    for by in [1 << 50, usize::MAX / 4] {
        let error = fast::shifted(x.view(), y.view_mut(), by).unwrap_err();
        assert!(
            error.to_string().contains("out of bounds") && error.to_string().contains("in `shifted` at"),
            "{error}"
        );
        assert!(matches!(error.kind(), megha::ErrorKind::OutOfBounds { .. }), "{error}");
    }
    assert!(fast::shifted(ArrayView1::from(&[0.0; 0]), y.view_mut(), 1 << 50).is_ok());
}

#[test]
fn failures_are_errors() {
    let (x, mut y) = (ndarray::Array1::ones(4), ndarray::Array1::zeros(4));
    let error = fast::shifted(x.view(), y.view_mut(), 1).unwrap_err();
    assert!(
        error.to_string().contains("subscript 1 of `x`, whose size is `x.len()` there, is out of bounds"),
        "{error}"
    );
    assert!(fast::several(&[1, 2], 0).unwrap_err().to_string().contains("divide by zero"));
}
