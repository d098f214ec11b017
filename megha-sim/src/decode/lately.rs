//! Texts that were read lately: a program that opens a device again and again loads the same ones each time, and to read one takes longer
//! than most of its launches.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use super::{Program, Result};

/// How many texts are kept.
const KEPT: usize = 32;

/// A text, whether it must say how it rounds, and what it reads as.
type Entry = (String, bool, Arc<Program>);

/// The last one first.
static LATELY: Mutex<VecDeque<Entry>> = Mutex::new(VecDeque::new());

/// Reads a module, or finds what it was read as. Mistakes are not kept.
pub(crate) fn program(text: &str, rounding_required: bool) -> Result<Arc<Program>> {
    if let Some(found) = found(text, rounding_required) {
        return Ok(found);
    }
    let program = Arc::new(super::program(text, rounding_required)?);
    put((text.to_owned(), rounding_required, program.clone()));
    Ok(program)
}

fn found(text: &str, rounding_required: bool) -> Option<Arc<Program>> {
    let mut lately = LATELY.lock().unwrap_or_else(PoisonError::into_inner);
    let at = lately.iter().position(|(known, required, _)| *required == rounding_required && known == text)?;
    let entry = lately.remove(at)?;
    let program = entry.2.clone();
    lately.push_front(entry);
    Some(program)
}

fn put(entry: Entry) {
    let mut lately = LATELY.lock().unwrap_or_else(PoisonError::into_inner);
    lately.push_front(entry);
    lately.truncate(KEPT);
}
