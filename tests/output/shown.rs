//! The display of complex numbers, of matrices that Octave stores as their diagonal, and in `format long`; lists that are known
//! when compiling, and texts that are taken apart when they have been made.

use megha::rt::output::captured;

use super::{interpreted, number};

megha::matlab!(file "shown.m");
megha::matlab!(file "lists.m");

/// What a program prints for 3 and 0.5, compiled and interpreted, is this.
fn prints(compiled: fn(f64, f64) -> megha::Result<()>, file: &str, want: &str) {
    let (done, text) = captured(|| compiled(3.0, 0.5));
    assert_eq!((text.as_str(), done), (want, Ok(())));
    for (text, done) in interpreted(file, &[3.0, 0.5].map(number)) {
        assert_eq!(text, want);
        done.unwrap();
    }
}

#[test]
fn what_is_shown_is_what_octave_shows() {
    prints(shown, "shown.m", include_str!("shown.txt"));
}

#[test]
fn lists_and_texts_are_octaves() {
    prints(lists, "lists.m", include_str!("lists.txt"));
}
