//! `accumarray`: sums of values by their places.
//!
//! The sums of a place are added in the order of the values, so one thread adds. What can be done for several elements at once, conversion and test of
//! the places, is done for a tile before. Whole numbers whose sums stay below 2^53 have the same sums in any order: of one such value for all places,
//! as where they are counted, several threads add parts into sums of their own.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use megha_base::memory::gathered;

use crate::isa::{Isa, Kernel, dispatch};
use crate::launch::{Chunk, Domain, TILE, is_parallel, share};
use crate::layout::Layout;
use crate::memory::Buf;
use crate::{Array, Error, ErrorKind, Result, Site, View, subscript};

/// Simple operations that a place takes.
const WEIGHT: u64 = 4;
/// Up to this whole numbers and their sums are doubles.
const MAX_WHOLE: f64 = (1_u64 << 53) as f64;

/// What is added.
#[derive(Clone, Copy)]
pub enum Values<'v> {
    /// The same for each place.
    One(f64),
    /// As many as there are places.
    Each(&'v [f64]),
}

/// A column of this shape with the sums of the values by their places, which count from one.
///
/// # Errors
/// A place that is not a whole number or lies outside; other values than places; no memory.
pub fn sums_at<L: Layout>(
    places: View<'_, L, f64, 2>,
    values: Values<'_>,
    shape: [usize; 2],
    site: &Site,
) -> Result<Array<L, f64, 2>> {
    let mut sums = Array::<L, f64, 2>::zeros(shape, site)?;
    let places = places.as_slice();
    let values = match values {
        Values::Each([one]) => Values::One(*one),
        Values::Each(list) if list.len() != places.len() => {
            let kind = ErrorKind::Reshape { from: vec![list.len()], to: vec![places.len()] };
            return Err(Error::new(kind, site));
        }
        values => values,
    };
    let extent = sums.len();
    let wrong = match values {
        Values::One(value) => sums_of_one(places, value, sums.as_mut_slice()),
        values => added(places, values, sums.as_mut_slice()),
    };
    match places.get(wrong) {
        None => Ok(sums),
        Some(place) => {
            subscript::whole(*place, site)?;
            Err(Error::new(ErrorKind::outside(*place, 1, extent), site))
        }
    }
}

/// How many of the places, which count from one, are each of a column of this shape. All are in it.
///
/// # Errors
/// No memory.
pub fn counts_at<L: Layout>(places: View<'_, L, f64, 2>, shape: [usize; 2], site: &Site) -> Result<Array<L, f64, 2>> {
    sums_at(places, Values::One(1.0), shape, site)
}

/// As [`added`] for one value.
fn sums_of_one(places: &[f64], value: f64, sums: &mut [f64]) -> usize {
    let exact = value.fract() == 0.0 && value.abs() * places.len() as f64 <= MAX_WHOLE;
    let threads = if is_parallel(WEIGHT * places.len() as u64) { rayon::current_num_threads() } else { 1 };
    // A thread's sums are made and added up.
    if threads == 1 || !exact || sums.len().saturating_mul(2 * threads) > places.len() {
        return added(places, Values::One(value), sums);
    }
    let parts = gathered(places.chunks(places.len().div_ceil(threads)));
    let own = gathered(parts.iter().map(|_| Mutex::new((Buf::filled(sums.len(), 0.0), usize::MAX))));
    share(parts.len(), threads, &|at| {
        let mut own = own[at].lock().unwrap_or_else(PoisonError::into_inner);
        let (sums, wrong) = &mut *own;
        *wrong = added(parts[at], Values::One(value), sums.as_mut_slice());
    });
    let (mut before, mut wrong) = (0, usize::MAX);
    for (own, part) in own.into_iter().zip(parts) {
        let (own, at) = own.into_inner().unwrap_or_else(PoisonError::into_inner);
        sums.iter_mut().zip(own.as_slice()).for_each(|(sum, own)| *sum += own);
        wrong = wrong.min(at.saturating_add(before));
        before += part.len();
    }
    wrong
}

/// Adds values by their places; the number of the first place that is none, or one above all numbers.
fn added(places: &[f64], values: Values<'_>, sums: &mut [f64]) -> usize {
    let extent = sums.len();
    let adding = Adding { places, values, sums: sums.as_mut_ptr(), extent, wrong: AtomicUsize::new(usize::MAX) };
    dispatch(&adding, &Domain::flat(places.len()).whole());
    adding.wrong.into_inner()
}

/// The additions, all in one chunk.
struct Adding<'a> {
    places: &'a [f64],
    values: Values<'a>,
    sums: *mut f64,
    extent: usize,
    /// The number of the first place that is none, or above all numbers.
    wrong: AtomicUsize,
}

// SAFETY: one thread runs the one chunk.
unsafe impl Sync for Adding<'_> {}

impl Kernel for Adding<'_> {
    #[inline(always)]
    fn run<I: Isa>(&self, chunk: &Chunk) {
        let extent = self.extent as i64;
        // SAFETY: the sums have this many elements, and nobody else has them.
        let sums = unsafe { std::slice::from_raw_parts_mut(self.sums, self.extent) };
        let mut at = [0_i64; TILE];
        for tile in chunk.tiles() {
            let places = &self.places[tile.clone()];
            if !subscript::places(places, &mut at[..places.len()], extent) {
                let is_wrong = |place: &&f64| !subscript::try_whole(**place).is_some_and(|at| at >= 1 && at <= extent);
                let first = places.iter().take_while(|place| !is_wrong(place)).count();
                return self.wrong.store(tile.start + first, Ordering::Relaxed);
            }
            let at = &at[..places.len()];
            match self.values {
                Values::One(value) => {
                    for at in at {
                        // SAFETY: `places` found all places inside.
                        unsafe { *sums.get_unchecked_mut(*at as usize) += value };
                    }
                }
                Values::Each(values) => {
                    let values = &values[tile.start..tile.start + at.len()];
                    for (at, value) in at.iter().zip(values) {
                        // SAFETY: as above.
                        unsafe { *sums.get_unchecked_mut(*at as usize) += value };
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Values, sums_at};
    use crate::{Array, ColMajor, ErrorKind, Level, Result, Site};

    const SITE: Site = Site { path: "f.m", line: 1, column: 1, text: "accumarray(p, v)" };

    fn sums(places: &[f64], values: Values<'_>, extent: usize) -> Result<Vec<f64>> {
        let mut list = Array::<ColMajor, f64, 2>::filled([places.len(), 1], 0.0, &SITE)?;
        list.as_mut_slice().copy_from_slice(places);
        Ok(sums_at(list.view(), values, [extent, 1], &SITE)?.as_slice().to_vec())
    }

    #[test]
    fn values_are_added_in_their_order() {
        let places: Vec<f64> = (0..1000).map(|k| f64::from(k * 7 % 13 + 1)).collect();
        let values: Vec<f64> = (0..1000).map(|k| f64::from(k).sin()).collect();
        let mut wanted = vec![0.0; 14];
        places.iter().zip(&values).for_each(|(place, value)| wanted[*place as usize - 1] += value);
        for level in Level::available() {
            level.limit();
            assert_eq!(sums(&places, Values::Each(&values), 14).unwrap(), wanted);
        }
        Level::best().limit();
        assert_eq!(sums(&[2.0, 3.0, 2.0], Values::One(1.5), 3).unwrap(), [0.0, 3.0, 1.5]);
        assert_eq!(sums(&[2.0, 2.0], Values::Each(&[4.0]), 2).unwrap(), [0.0, 8.0]);
        assert!(sums(&[], Values::One(1.0), 0).unwrap().is_empty());
    }

    #[test]
    fn whole_numbers_are_added_in_parts() {
        let places: Vec<f64> = (0..400_000).map(|k| f64::from(k * 7 % 13 + 1)).collect();
        let mut counts = vec![0.0; 14];
        places.iter().for_each(|place| counts[*place as usize - 1] += 1.0);
        for (value, exact) in
            [(1.0, true), (-3.0, true), (0.1, false), (2f64.powi(40) + 1.0, false), (f64::INFINITY, false)]
        {
            let mut wanted = vec![0.0; 14];
            places.iter().for_each(|place| wanted[*place as usize - 1] += value);
            assert_eq!(sums(&places, Values::One(value), 14).unwrap(), wanted, "{value}");
            assert!(!exact || wanted.iter().zip(&counts).all(|(sum, count)| *sum == value * count));
        }
        for at in [3, 250_000, 399_999] {
            let mut wrong = places.clone();
            (wrong[at], wrong[399_999]) = (15.0, 0.5);
            let error = sums(&wrong, Values::One(1.0), 14).unwrap_err();
            let wanted = if at == 399_999 { ErrorKind::not_whole(0.5) } else { ErrorKind::outside(15.0, 1, 14) };
            assert_eq!(error.kind(), &wanted);
        }
    }

    #[test]
    fn the_first_wrong_place_is_named() {
        let kind = |places: &[f64]| sums(places, Values::One(1.0), 3).map_err(|e| e.kind().clone()).unwrap_err();
        assert_eq!(kind(&[1.0, 2.5, 9.0]), ErrorKind::not_whole(2.5));
        for outside in [0.0, 4.0, -2.0] {
            assert_eq!(kind(&[3.0, outside]), ErrorKind::outside(outside, 1, 3));
        }
        assert!(matches!(kind(&[f64::NAN]), ErrorKind::NotAnInteger { .. }));
        assert!(matches!(kind(&[1e300]), ErrorKind::NotAnInteger { .. }));
        assert!(sums(&[1.0, 2.0], Values::Each(&[1.0, 2.0, 3.0]), 3).is_err());
    }
}
