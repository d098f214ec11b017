//! What programs print: the standard output, the standard error for warnings, or a text that a test captures.

use std::io::Write;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::device::replay;

/// Where output goes instead of the standard output.
static CAPTURED: Mutex<Option<String>> = Mutex::new(None);
/// Held while something is captured, so that captures do not mix.
static CAPTURING: Mutex<()> = Mutex::new(());

/// A lock whose data is a plain value that no panic leaves half changed.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes a text to the standard output. What cannot be written (a closed pipe) is lost, as it is in Octave.
pub fn write(text: &str) {
    let text = replay::unprinted(text);
    match lock(&CAPTURED).as_mut() {
        Some(captured) => captured.push_str(text),
        None => drop(std::io::stdout().write_all(text.as_bytes())),
    }
}

/// Writes a text to the standard error.
pub fn write_error(text: &str) {
    drop(std::io::stderr().write_all(replay::unprinted(text).as_bytes()));
}

/// Writes a warning to the standard error.
pub fn warn(text: &str) {
    write_error(&format!("warning: {text}\n"));
}

/// Calls `f` and gives, besides its result, what compiled functions printed meanwhile, on whatever thread.
pub fn captured<T>(f: impl FnOnce() -> T) -> (T, String) {
    let _one = lock(&CAPTURING);
    *lock(&CAPTURED) = Some(String::new());
    let result = f();
    (result, lock(&CAPTURED).take().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_is_captured_in_order() {
        let (result, text) = captured(|| {
            write("a\n");
            std::thread::spawn(|| write("b")).join().unwrap();
            7
        });
        assert_eq!((result, text.as_str()), (7, "a\nb"));
    }
}
