//! Corners of the language where what Octave does is not what one would expect: ranges that rounding carries to their limit, loops
//! of no iterations, characters, subscripts of scalars.

use megha::rt::output::captured;

use super::{interpreted, number};

megha::matlab!(file "corners.m");
megha::matlab!(file "always.m");

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
