//! Arrays of a caller that a compiled function updates: kept as they were, in case that it must run again.
//!
//! A device that fails may take results with it. Before any kernel ran on it nothing can be lost, so nothing is kept: a call that
//! the CPU does alone costs no copies. A call that has by then written to its caller's arrays gets no device any more, unless it must have one.

use super::table::Place;

/// The arrays that a call's caller has lent.
#[derive(Default)]
pub(super) struct Guard {
    arrays: Vec<(Place, Option<Vec<u8>>)>,
    /// Whether a kernel may have run on the device.
    engaged: bool,
    /// Whether an array was written before that.
    written: bool,
}

impl Guard {
    /// No array yet. If kernels have to run on the device, all arrays are kept.
    pub fn new(engaged: bool) -> Guard {
        Guard { engaged, ..Guard::default() }
    }

    /// Adds an array, which nobody has written.
    pub fn add(&mut self, place: Place) {
        self.arrays.push((place, None));
    }

    /// Whether a kernel may run on the device.
    pub fn engage(&mut self) -> bool {
        self.engaged |= !self.written;
        self.engaged
    }

    /// The host is about to write this memory.
    pub fn before_write(&mut self, place: Place) {
        let Some((own, kept)) = self.arrays.iter_mut().find(|(own, _)| own.begins_with(place)) else { return };
        if !self.engaged {
            self.written = true;
        } else if kept.is_none() {
            // SAFETY: the caller's array is initialised, and the call that has it is the one that is about to write it.
            *kept = Some(unsafe { own.read() }.to_vec());
        }
    }

    /// Makes the arrays what they were.
    pub fn restore(&mut self) {
        for (place, kept) in self.arrays.drain(..) {
            if let Some(kept) = kept {
                // SAFETY: the call that has failed had the array alone, and has ended.
                unsafe { place.write() }.copy_from_slice(&kept);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is left of an array after a failure, if it was written before and after a kernel ran on the device.
    fn left(must: bool, early: bool, late: bool) -> (bool, [f64; 2]) {
        let mut array = [1.0, 2.0];
        let place = Place::new(array.as_mut_ptr(), &[2]);
        let mut guard = Guard::new(must);
        guard.add(place);
        let write = |guard: &mut Guard, value: f64| {
            guard.before_write(place);
            // SAFETY: the array is ours.
            let bytes = unsafe { place.write() };
            bytes[8..].copy_from_slice(&value.to_le_bytes());
        };
        if early {
            write(&mut guard, 5.0);
        }
        let engaged = guard.engage();
        if late {
            write(&mut guard, 7.0);
        }
        guard.restore();
        (engaged, array)
    }

    #[test]
    fn arrays_are_kept_where_they_can_be_needed() {
        assert_eq!(left(false, false, true), (true, [1.0, 2.0]));
        assert_eq!(left(false, true, false), (false, [1.0, 5.0]), "no device, nothing lost");
        assert_eq!(left(true, true, true), (true, [1.0, 2.0]));
        assert_eq!(left(true, false, false), (true, [1.0, 2.0]));
    }
}
