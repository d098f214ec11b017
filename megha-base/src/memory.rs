//! Memory that depends on the sizes of a program's arrays: where there is none, the work unwinds to the compiled function's entry,
//! which returns an error. (`Vec` would end the process.)
//!
//! The workspaces of factorisations are made deep within, on several threads, and their callers could do nothing but pass a failure on;
//! what unwinds shows no message. In a program that is built with `panic = "abort"` a lack of memory here ends it.

pub mod room;

/// What unwinds: there is no memory for so many bytes.
#[derive(Debug, Clone, Copy)]
pub struct Exhausted {
    /// How many were asked for.
    pub bytes: usize,
    /// How many there were, if that is known.
    pub available: Option<u64>,
}

/// Gives up for want of memory.
#[cold]
pub fn exhausted(bytes: usize, available: Option<u64>) -> ! {
    std::panic::resume_unwind(Box::new(Exhausted { bytes, available }))
}

/// Blocks of fewer bytes are never refused beforehand.
const SMALL: usize = 1 << 15;

/// Gives up for want of memory where the machine does not have so many bytes.
#[inline]
fn asked(bytes: usize) {
    if bytes >= SMALL
        && let Some(available) = room::lacking(bytes, 0)
    {
        exhausted(bytes, Some(available));
    }
}

/// Makes room for more elements.
pub fn reserve<T>(list: &mut Vec<T>, more: usize) {
    if list.capacity() - list.len() >= more {
        return;
    }
    // at least doubled, so that elements move a bounded number of times
    let length = list.len().saturating_add(more).max(list.capacity().saturating_mul(2));
    let bytes = length.saturating_mul(size_of::<T>());
    asked(bytes);
    if list.try_reserve(more).is_err() {
        exhausted(bytes, None);
    }
}

/// A list with room for so many elements.
pub fn with_room<T>(len: usize) -> Vec<T> {
    let bytes = len.saturating_mul(size_of::<T>());
    asked(bytes);
    let mut list = Vec::new();
    if list.try_reserve_exact(len).is_err() {
        exhausted(bytes, None);
    }
    list
}

/// So many copies of a value.
pub fn copies<T: Clone>(value: T, len: usize) -> Vec<T> {
    let mut list = with_room(len);
    list.resize(len, value);
    list
}

/// So many zeros.
pub fn zeros(len: usize) -> Vec<f64> {
    copies(0.0, len)
}

/// A copy of a list.
pub fn copied<T: Copy>(values: &[T]) -> Vec<T> {
    let mut list = with_room(values.len());
    list.extend_from_slice(values);
    list
}

/// What an iterator gives.
pub fn gathered<T>(values: impl IntoIterator<Item = T>) -> Vec<T> {
    let values = values.into_iter();
    let mut list = with_room(values.size_hint().0);
    values.for_each(|value| push(&mut list, value));
    list
}

/// Appends an element.
#[inline]
pub fn push<T>(list: &mut Vec<T>, value: T) {
    if list.len() == list.capacity() {
        reserve(list, 1);
    }
    list.push(value);
}

/// Appends what an iterator gives.
pub fn extend<T>(list: &mut Vec<T>, values: impl IntoIterator<Item = T>) {
    let values = values.into_iter();
    reserve(list, values.size_hint().0);
    values.for_each(|value| push(list, value));
}

/// An empty text with room for so many bytes.
pub fn text(len: usize) -> String {
    let mut text = String::new();
    if text.try_reserve(len).is_err() {
        exhausted(len, None);
    }
    text
}

/// Appends to a text.
pub fn append(text: &mut String, more: &str) {
    if text.try_reserve(more.len()).is_err() {
        exhausted(text.len() + more.len(), None);
    }
    text.push_str(more);
}

/// The text of these characters.
pub fn characters(characters: impl IntoIterator<Item = char>) -> String {
    let characters = characters.into_iter();
    let mut text = text(characters.size_hint().0);
    characters.for_each(|character| append(&mut text, character.encode_utf8(&mut [0; 4])));
    text
}

/// A copy of a text.
pub fn same_text(of: &str) -> String {
    let mut copy = text(of.len());
    copy.push_str(of);
    copy
}

/// Whether there is memory for so many bytes, before what cannot say that there is not.
pub fn tested(bytes: usize) {
    drop(std::hint::black_box(with_room::<u8>(bytes)));
}
