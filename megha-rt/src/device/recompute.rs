//! Arrays that are computed again instead of copied to the host and back (Kirisame et al., *Dynamic Tensor Rematerialization*, 2021; Peng et al., *Capuchin*, 2020).
//!
//! An array that only the device has, and that one launch has made in full from arrays that are still there, may be *dropped* where it has to leave:
//! when it is needed next the launch is repeated. That is done where the launch, and the copies of what it reads and the device lacks by then,
//! take less than the link does for the array. It costs nothing in safety that other arrays of the device do not cost:
//!
//! - What a dropped array is made from is real: an array from which a dropped one is made is not dropped itself (chains have one link). Where it is
//!   about to be written, on either side, or to be freed, the dropped array is made again before.
//! - Versions ([`super::recipe`]) say whether what is read is what it was. Where that is not so, the array is lost as one of which a device had the only copy, and the
//!   function runs again; a wrong number is never given.
//! - Where the launch cannot be repeated at once, for want of memory or because an operation fails, the recipe stays, and whoever asks next tries again.
//!   If the device is gone, so is all that only it has, dropped or not.
//! - An array is dropped only where the block in progress reads it again on the device, and not where what a call returns stays on the device.

use std::cell::Cell;

use super::evict::Recomputed;
use super::held::Held;
use super::recipe::Recipe;
use super::schedule::Side;
use super::table::{Place, Table};
use super::{Failure, Outcome};
use crate::trace;

thread_local! {
    static WHEREVER: Cell<bool> = const { Cell::new(false) };
}

/// Runs `body`, in which every array that has to leave a device and can be computed again is dropped, whatever that costs and whatever is known of its next use: for
/// tests. Results do not change.
pub fn recomputed_wherever<R>(body: impl FnOnce() -> R) -> R {
    struct Restore(bool);
    impl Drop for Restore {
        fn drop(&mut self) {
            WHEREVER.set(self.0);
        }
    }
    let _restore = Restore(WHEREVER.replace(true));
    body()
}

/// Whether arrays are computed again wherever they can be.
pub(super) fn is_forced() -> bool {
    WHEREVER.get()
}

impl Table {
    /// Prepares a launch of arrays of which each is read or written, or both: what is read is real, and nothing is dropped any more that is made from what is written.
    pub fn before_launch(&mut self, arrays: &mut dyn FnMut() -> Vec<(Place, [bool; 2])>) -> Outcome<()> {
        if self.recipes.is_empty() {
            return Ok(());
        }
        let arrays = arrays();
        let all: Vec<Place> = arrays.iter().map(|(place, _)| *place).collect();
        for (place, _) in arrays.iter().filter(|(_, [reads, _])| *reads) {
            self.make_real(*place, &all)?;
        }
        for (place, _) in arrays.iter().filter(|(_, [_, writes])| *writes) {
            self.make_real_from(place.key(), &all)?;
        }
        // From here on nothing is dropped that is made from what is written, whatever leaves for this launch. What was made of the arrays themselves is no recipe any more.
        arrays.iter().filter(|(_, [_, writes])| *writes).for_each(|(place, _)| self.recipes.changed(place.key()));
        Ok(())
    }

    /// The array at an address is about to be written or freed by the host. What is made from it and cannot be made now is lost.
    pub(super) fn before_change(&mut self, key: usize) {
        if !self.recipes.is_empty() {
            // whoever asks for what is lost fails
            let _ = self.make_real_from(key, &[]);
            self.recipes.changed(key);
        }
    }

    /// Makes the dropped arrays again that are made from the one at an address.
    fn make_real_from(&mut self, key: usize, beside: &[Place]) -> Outcome<()> {
        let dropped = self.recipes.made_from(key);
        dropped.into_iter().try_for_each(|place| self.make_real(place, beside))
    }

    /// Makes an array again if it is dropped; if there is room, so that these others can stay.
    pub(super) fn make_real(&mut self, place: Place, beside: &[Place]) -> Outcome<()> {
        self.existing(place)?;
        let Some(recipe) = self.recipes.take(place.key()) else { return Ok(()) };
        // what leaves meanwhile is not dropped: it may be what is about to be read
        let held_back = std::mem::replace(&mut self.recipes.held_back, true);
        let outcome = self.make_again(&recipe, beside);
        self.recipes.held_back = held_back;
        match &outcome {
            Ok(()) => self.count_again(&recipe),
            Err(_) => self.drop_copy(place.key()),
        }
        self.recipes.put_back(recipe, outcome.is_err());
        outcome
    }

    fn make_again(&mut self, recipe: &Recipe, beside: &[Place]) -> Outcome<()> {
        let unknown = || Failure::Operation { operation: "launch", reason: "it has no plan".to_owned() };
        let work = recipe.work().ok_or_else(unknown)?;
        if self.preparing {
            // there is what room the launch has that is being prepared
            return work.repeat(self, &recipe.places, recipe.at);
        }
        let own: Vec<Place> = recipe.inputs.iter().map(|(place, _)| *place).chain([recipe.place()]).collect();
        let more = work.beside(&**self.device(), recipe.at);
        let all = [&own[..], beside].concat();
        let run = &mut |table: &mut Table| work.repeat(table, &recipe.places, recipe.at);
        match self.with_room(&all, more, run) {
            Err(Failure::OutOfMemory { .. }) => self.with_room(&own, more, run),
            outcome => outcome,
        }
    }

    fn count_again(&mut self, recipe: &Recipe) {
        let bytes = recipe.place().length();
        let Recomputed { arrays, bytes: saved, time } = &mut self.spilled.recomputed;
        let seconds = std::time::Duration::try_from_secs_f64(recipe.seconds).unwrap_or_default();
        (*arrays, *saved, *time) = (*arrays + 1, *saved + 2 * bytes, *time + seconds);
        trace::recomputed(recipe.name(), bytes, recipe.seconds);
    }

    /// Seconds in which an array that has to leave can be computed again at its next use, if it may be dropped.
    pub(super) fn seconds_again(&self, key: usize, held: &Held) -> Option<f64> {
        // beside what begins early nothing is priced, and nothing may go that it takes to be there
        if self.recipes.is_empty() || self.recipes.held_back || !self.future.is_priced() {
            return None;
        }
        let recipe = self.recipes.of(key).filter(|_| held.is_only_here_as_a_whole())?;
        let is_real = |input: &Place| !self.recipes.is_dropped(input.key()) && self.existing(*input).is_ok();
        let inputs = || recipe.inputs.iter().map(|(input, _)| input);
        let can_be = recipe.place() == held.place() && inputs().all(is_real) && self.has_room_again(recipe);
        if !can_be || self.recipes.is_awaited(key) {
            return None;
        }
        if is_forced() {
            return Some(0.0);
        }
        let (copies, next) = (self.estimates()?, self.future.next_read_on_device(key)?);
        let mut seconds = recipe.seconds;
        for input in inputs() {
            if !self.future.is_the_same_until(input.key(), next) {
                return None;
            }
            if !self.on_device(*input) && !self.blanks.has(*input) {
                seconds += copies.seconds(Side::Gpu, input.length() as f64);
            }
        }
        // what the host needs in the end comes down in any case
        let down = if self.future.is_needed_after(key) { copies.seconds(Side::Cpu, held.length() as f64) } else { 0.0 };
        Some(seconds + down)
    }

    /// Whether the launch can be repeated once all has left that may.
    fn has_room_again(&self, recipe: &Recipe) -> bool {
        let takes = |place: &Place| if place.length() > 0 { self.device().takes(place.length()) } else { 0 };
        self.left.may_have(recipe.places.iter().map(takes).fold(0, u64::saturating_add))
    }
}
