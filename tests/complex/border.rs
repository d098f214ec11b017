//! Complex arguments and results of compiled functions.

use megha::c64;
use ndarray::Array2;

megha::matlab! {
    r#"
    function w = twist(z, a)
        w = z .* exp(1i * a) + 2i;
    end
    function [x1, x2] = quadratic(a, b, c)
        d = sqrt(b^2 - 4*a*c);
        x1 = (-b + d) / (2*a);
        x2 = (-b - d) / (2*a);
    end
    function s = power_of(z)
        s = real(sum(z .* conj(z)));
    end
    "#,
    fn twist(z: c64[n, m], a: f64) -> w: c64[n, m],
    fn quadratic(a: f64, b: f64, c: f64) -> (x1: c64, x2: c64),
    fn power_of(z: c64[n, 1]) -> s: f64,
}

fn c(re: f64, im: f64) -> c64 {
    c64::new(re, im)
}

#[test]
fn arguments_and_results() {
    let z = Array2::from_shape_fn((3, 2), |(i, j)| c(i as f64, j as f64));
    let w = twist(&z, 0.5).unwrap();
    let turn = c(0.5f64.cos(), 0.5f64.sin());
    for (w, z) in w.iter().zip(&z) {
        assert!((w - (z * turn + c(0.0, 2.0))).norm() < 1e-15);
    }
    assert_eq!(twist(z.t(), 0.5).unwrap(), w.t());
    assert_eq!(power_of(vec![c(3.0, 4.0), c(0.0, 1.0)]).unwrap(), 26.0);
}

#[test]
fn roots_that_are_declared_complex() {
    assert_eq!(quadratic(1.0, 2.0, 5.0).unwrap(), (c(-1.0, 2.0), c(-1.0, -2.0)));
    assert_eq!(quadratic(1.0, -3.0, 2.0).unwrap(), (c(2.0, 0.0), c(1.0, 0.0)));
}
