//! Arrays of which every element is one number: `zeros` and its like, in a call that may use a device.
//!
//! Such an array is made where somebody needs it, by the host or in the device's memory, and nothing is copied. Until then it is nowhere.

use std::collections::HashMap;

use super::session::{Session, active};
use super::table::Place;
use crate::filled::is_zero;
use crate::memory::{Buf, ZeroBytes};
use crate::{Array, Layout, Result, Site, Written};

/// The elements of arrays that have only been filled so far, by where the arrays are on the host.
#[derive(Default)]
pub struct Blanks(HashMap<usize, Blank>);

/// What an array is filled with.
#[derive(Clone, Copy)]
struct Blank {
    /// The bytes of an element, over and over.
    bytes: [u8; 8],
    element: usize,
    /// Whether the host's memory holds them.
    host: bool,
}

impl Blanks {
    /// An array holds only these elements; whether the host's memory does.
    pub fn add(&mut self, place: Place, element: &[u8], host: bool) {
        let mut bytes = [0; 8];
        let length = element.len();
        if place.length() > 0 && length <= bytes.len() {
            bytes[..length].copy_from_slice(element);
            self.0.insert(place.key(), Blank { bytes, element: length, host });
        }
    }

    /// Whether an array has only been filled.
    pub fn has(&self, place: Place) -> bool {
        self.0.contains_key(&place.key())
    }

    /// Whether the host's memory is as it should be, as far as fills go.
    pub fn on_host(&self, place: Place) -> bool {
        self.0.get(&place.key()).is_none_or(|blank| blank.host)
    }

    /// The elements of an array that has only been filled.
    pub fn element(&self, place: Place) -> Option<&[u8]> {
        self.0.get(&place.key()).map(|blank| &blank.bytes[..blank.element])
    }

    /// Fills the host's memory, if that is still to be done; whether it was.
    pub fn settle(&mut self, place: Place) -> bool {
        let Some(blank) = self.0.get_mut(&place.key()).filter(|blank| !blank.host) else { return false };
        blank.host = true;
        // SAFETY: the array is the compiled function's own, which waits here; its kernels on the CPU have ended.
        let to = unsafe { place.write() };
        let element = &blank.bytes[..blank.element];
        match element.iter().all(|byte| *byte == element[0]) {
            true => to.fill(element[0]),
            false => to.chunks_exact_mut(blank.element).for_each(|to| to.copy_from_slice(element)),
        }
        true
    }

    /// An array holds what another one does, which has only been filled; whether that is so.
    pub fn duplicate(&mut self, from: Place, to: Place) -> bool {
        let found = self.0.get(&from.key()).copied();
        self.0.extend(found.map(|blank| (to.key(), Blank { host: false, ..blank })));
        found.is_some()
    }

    /// The array at this address is something else from now on.
    pub fn forget(&mut self, key: usize) {
        self.0.remove(&key);
    }
}

/// Says that an array of the call in progress holds only these elements, and whether the host's memory does.
#[cold]
fn note(place: Place, element: &[u8], host: bool) {
    Session::with(|session| {
        session.table.recipes.changed(place.key());
        session.table.blanks.add(place, element, host);
    });
}

/// An array of `shape` filled with `value`, in a function whose arrays devices may have.
///
/// # Errors
/// [`crate::ErrorKind::OutOfMemory`].
#[inline]
pub fn filled<L: Layout, T: Copy, const N: usize>(shape: [usize; N], value: T, site: &Site) -> Result<Array<L, T, N>> {
    if !active() {
        return Array::filled(shape, value, site);
    }
    let fresh = Array::<L, T, N>::uninit(shape, site)?;
    // SAFETY: the elements are written by whoever needs them first: that of the host, before it reads them.
    let array = unsafe { fresh.assume_init() };
    // SAFETY: numbers have no padding.
    let element = unsafe { std::slice::from_raw_parts((&raw const value).cast::<u8>(), size_of::<T>()) };
    note(array.place(), element, false);
    Ok(array)
}

/// An array filled with `value` but for boxes of elements that are stored before anything reads them, in a function whose arrays devices may have: where there is one it
/// is filled as a whole, so that a device has it without a copy.
///
/// # Errors
/// [`crate::ErrorKind::OutOfMemory`].
///
/// # Safety
/// As of [`Array::filled_around`].
#[inline]
pub unsafe fn filled_around<L: Layout, T: ZeroBytes, const N: usize>(
    shape: [usize; N],
    value: T,
    boxes: &[Written<'_, N>],
    site: &Site,
) -> Result<Array<L, T, N>> {
    match active() {
        true if is_zero(&value) => zeros(shape, site),
        true => filled(shape, value, site),
        // SAFETY: the caller's promise.
        false => unsafe { Array::filled_around(shape, value, boxes, site) },
    }
}

/// `zeros`, or `false`, in a function whose arrays devices may have.
///
/// # Errors
/// [`crate::ErrorKind::OutOfMemory`].
#[inline]
pub fn zeros<L: Layout, T: ZeroBytes, const N: usize>(shape: [usize; N], site: &Site) -> Result<Array<L, T, N>> {
    if active() && Buf::<T>::is_kept(shape.iter().product()) {
        // SAFETY: zero bytes are a value of the type.
        return filled(shape, unsafe { std::mem::zeroed() }, site);
    }
    // memory of the operating system holds zeros already
    let array = Array::<L, T, N>::zeros(shape, site)?;
    if active() {
        note(array.place(), &[0; 8][..size_of::<T>()], true);
    }
    Ok(array)
}
