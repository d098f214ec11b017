//! Errors keep their identifier, their message and their place.
#![allow(deprecated, reason = "how a warning reaches rustc: of a function that nothing defines, which a case calls")]

use megha::rt::ErrorKind;
use megha_core::interp::{ErrorKind as Kind, FailureKind};

use super::{interpreted, number};

megha::matlab!(file "faulty.m");

/// For each case: the identifier, the message, and the line that raises it. Octave's, as `make.m` shows.
const CASES: [(f64, Option<&str>, &str, &str); 12] = [
    (1.0, None, "plain text 100% \\n", "error('plain"),
    (2.0, Some("shop:price"), "price -2.5 of a: [1 2]", "error('shop:price'"),
    (3.0, None, "k is 3", "error(['k is "),
    (4.0, None, "assert (k < 4) failed", "assert(k < 4)"),
    (5.0, Some("shop:five"), "five is 5", "assert(k ~= 5"),
    (6.0, Some("Octave:invalid-fun-call"), "Invalid call to faulty", "print_usage"),
    (7.0, None, "with a break", "error(\"with"),
    (9.0, None, "svd: cannot take SVD of matrix containing Inf or NaN values", "svd(["),
    (10.0, Some("Octave:undefined-function"), "'unknown_function' undefined", "unknown_function"),
    (11.0, Some("Octave:invalid-fun-call"), "Invalid call to error", "error()"),
    (13.0, Some("shop:never"), "never 13", "error('shop:never'"),
    (14.0, Some("shop:never"), "never 14", "error('shop:never'"),
];

#[test]
fn errors_say_what_where_and_which() {
    for (case, identifier, want, place) in CASES {
        let error = faulty(case).unwrap_err();
        let ErrorKind::User { message, identifier: id } = error.kind() else { panic!("{error}") };
        assert_eq!((message.as_str(), id.as_deref()), (want, identifier), "case {case}");
        let line = include_str!("faulty.m").lines().position(|line| line.contains(place)).unwrap() + 1;
        assert_eq!(error.site().line as usize, line, "case {case}: {error}");
        assert!(error.site().path.ends_with("faulty.m"), "{error}");

        for (_, results) in interpreted("faulty.m", &[number(case)]) {
            let failure = results.unwrap_err();
            assert!(matches!(failure.kind, FailureKind::Error(Kind::Raised | Kind::Assert)), "{failure}");
            assert_eq!((failure.message.as_str(), failure.identifier.as_str()), (want, identifier.unwrap_or("")));
        }
    }
    for quiet in [8.0, 12.0] {
        assert_eq!(faulty(quiet).unwrap(), quiet);
    }
}
