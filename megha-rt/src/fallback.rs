//! The plain body of an offloaded function whose result is a [`Result`]: what panics there is an error.
//!
//! What the body may have left half done is the contents of arrays of numbers, of which every state is a good one, so unwinding past it is
//! sound for whoever goes on. The panic hook has had its say by then: it prints the message as for any panic. A program
//! that is built with `panic = "abort"` ends there.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::{Error, ErrorKind, Result, Site};

/// Runs a plain body.
///
/// # Errors
/// Those of the body, and its panics.
pub fn caught<T>(site: &'static Site, body: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(body))
        .unwrap_or_else(|payload| Err(Error::new(kind(message(payload.as_ref())), site)))
}

fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "the function panicked".to_owned())
}

/// The kind of mistake by what Rust and ndarray say of it.
fn kind(message: String) -> ErrorKind {
    match message.contains("out of bounds") {
        true => ErrorKind::OutOfBounds { message, at: None },
        false => ErrorKind::Check { message },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static SITE: Site = Site { path: "loops.rs", line: 3, column: 8, text: "f" };

    #[test]
    fn panics_become_errors() {
        let given: Result<i32> = caught(&SITE, || Ok(1));
        assert_eq!(given, Ok(1));
        let (numbers, at) = (vec![1, 2], 7);
        let error = caught(&SITE, || Ok(numbers[at])).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::OutOfBounds { .. }), "{error}");
        assert_eq!(error.to_string(), "index out of bounds: the len is 2 but the index is 7\n  in `f` at loops.rs:3:8");
        let error = caught::<()>(&SITE, || panic!("{}", "why")).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Check { message } if message == "why"), "{error}");
    }
}
