//! Corners of the language where what Octave does is not what one would expect: ranges that rounding carries to their limit, loops
//! of no iterations, characters, subscripts of scalars.

use megha::rt::output::captured;

use super::{interpreted, number};

megha::matlab!(file "corners.m");
megha::matlab!(file "classes.m");
megha::matlab!(file "always.m");

megha::matlab!(
    "function y = halved(n)\ny = 1;\nfor k = 1:n\ny = single(y) / 2;\nend\nend\n",
    fn halved(n: f64) -> y: f32,
);

megha::matlab!(
    "function y = masked(x, m)\ny = sum(x(m));\nend\n",
    fn masked(x: f64, m: bool[1, n]) -> y: f64,
);

#[test]
fn corners_are_octaves() {
    let want = include_str!("corners.txt");
    let (done, text) = captured(|| corners(3.0, 0.0, 2.0, 0.1));
    assert_eq!((text.as_str(), done), (want, Ok(())));
    for (text, done) in interpreted("corners.m", &[3.0, 0.0, 2.0, 0.1].map(number)) {
        assert_eq!(text, want);
        done.unwrap();
    }
}

#[test]
fn classes_that_change_in_loops_are_octaves() {
    let want = include_str!("classes.txt");
    let (done, text) = captured(|| classes(3.0));
    assert_eq!((text.as_str(), done), (want, Ok(())));
    for (text, done) in interpreted("classes.m", &[number(3.0)]) {
        assert_eq!(text, want);
        done.unwrap();
    }
}

#[test]
fn a_class_that_only_an_iteration_gives_needs_one() {
    assert_eq!(halved(2.0), Ok(0.25));
    let error = halved(0.0).unwrap_err().to_string();
    assert!(error.contains("gets another class in this loop, which has no iteration"), "{error}");
}

#[test]
fn a_function_without_results_may_always_fail() {
    let (done, text) = captured(always);
    assert_eq!((text.as_str(), done.unwrap_err().to_string().contains("always 2")), ("1\n", true));
    for (text, done) in interpreted("always.m", &[]) {
        assert_eq!(text, "1\n");
        assert_eq!(done.unwrap_err().message, "always 2");
    }
}

#[test]
fn a_mask_that_goes_beyond_a_scalar_is_an_error() {
    let masked = |mask: &[bool]| masked(5.0, ndarray::aview1(mask).insert_axis(ndarray::Axis(0)));
    assert_eq!(masked(&[true, false]).unwrap(), 5.0);
    assert_eq!(masked(&[false]).unwrap(), 0.0);
    assert!(masked(&[false, true]).is_err());
    assert!(masked(&[true, true]).is_err());
}
