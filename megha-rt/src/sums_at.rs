//! `accumarray`: sums of values by their places.
//!
//! The sums of a place are added in the order of the values, so one thread adds. What can be done for several elements at once, conversion and test of
//! the places, is done for a tile before.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::isa::{Isa, Kernel, dispatch};
use crate::launch::{Chunk, Domain, TILE};
use crate::layout::Layout;
use crate::{Array, Error, ErrorKind, Result, Site, View, subscript};

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
    let adding =
        Adding { places, values, sums: sums.as_mut_slice().as_mut_ptr(), extent, wrong: AtomicUsize::new(usize::MAX) };
    dispatch(&adding, &Domain::flat(places.len()).whole());
    match places.get(adding.wrong.into_inner()) {
        None => Ok(sums),
        Some(place) => {
            subscript::whole(*place, site)?;
            Err(Error::new(ErrorKind::outside(*place, 1, extent), site))
        }
    }
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
