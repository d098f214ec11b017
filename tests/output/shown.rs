//! The display of complex numbers, of matrices that Octave stores as their diagonal, and in `format long`.

use megha::rt::output::captured;

use super::{interpreted, number};

megha::matlab!(file "shown.m");

#[test]
fn what_is_shown_is_what_octave_shows() {
    let want = include_str!("shown.txt");
    let (done, text) = captured(|| shown(3.0, 0.5));
    assert_eq!((text.as_str(), done), (want, Ok(())));
    for (text, done) in interpreted("shown.m", &[3.0, 0.5].map(number)) {
        assert_eq!(text, want);
        done.unwrap();
    }
}
