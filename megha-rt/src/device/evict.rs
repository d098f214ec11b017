//! Arrays leave the device where a launch has no room beside them.
//!
//! The table knows which copies are current, so an eviction is never wrong: a copy of what the host has is dropped, what only the device has is copied to the
//! host first, or computed again later where that is cheaper ([`super::recompute`]), and neither is copied again as long as it is current. Which array goes is decided by what it costs: those that nothing needs any
//! more, then the one with the most bytes and statements to its next use ([`super::future`]) for a second of the link, to the host if need be and
//! back if it is read again. Arrays of the launch itself stay, and so do those that belong to somebody else.

use std::time::Duration;

use super::copies::Copies;
use super::future::NextUse;
use super::held::Held;
use super::schedule::Side;
use super::table::{Place, Table};
use super::{Failure, Outcome};
use crate::trace;

/// Arrays that were computed again instead of copied to the host and back.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Recomputed {
    /// How often one was.
    pub arrays: u64,
    /// Bytes that did not move for it, to the host and back.
    pub bytes: u64,
    /// What the launches are estimated to have taken.
    pub time: Duration,
}

/// What left a device before it was given up, because memory was needed for something else.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Spilled {
    /// Arrays that left.
    pub arrays: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Bytes of those that were copied to the host for it.
    pub written_back: u64,
    /// Parts into which kernels were cut that had no room as wholes.
    pub boxes: u64,
    /// Most steps of a loop over time that went through the device at once,
    pub steps: u64,
    /// and the bands in which all of them did.
    pub bands: u64,
    /// Arrays that left and were computed again.
    pub recomputed: Recomputed,
}

impl Table {
    /// A launch of these arrays is about to be prepared: memory that the last one may have been given goes back.
    pub fn begin_launch(&mut self) {
        let device = self.device().clone();
        for (address, bytes) in self.retired.drain(..) {
            device.free(address);
            self.left.gives(bytes);
        }
    }

    /// Runs something of the device on these arrays, with so many bytes more: others leave where there is no room beside them. An allocation that fails all the
    /// same, because somebody else has the memory, lets more of them leave; `run` has then done nothing that counts, and does it again.
    pub fn with_room(
        &mut self,
        places: &[Place],
        more: u64,
        run: &mut dyn FnMut(&mut Table) -> Outcome<()>,
    ) -> Outcome<()> {
        self.begin_launch();
        loop {
            // without room an upload would be for nothing
            if !self.make_room(places, more)? {
                let wanted = self.lacks(places).saturating_add(more);
                return Err(Failure::OutOfMemory { wanted });
            }
            if !self.guard.engage() {
                let reason = "the call has written to its caller's arrays".to_owned();
                return Err(Failure::Operation { operation: "launch", reason });
            }
            let left = self.spilled.arrays;
            let preparing = std::mem::replace(&mut self.preparing, true);
            let outcome = run(self);
            self.preparing = preparing;
            let Err(Failure::OutOfMemory { .. }) = outcome else {
                self.left.reaches(more);
                return outcome;
            };
            if !self.make_room(places, more)? || self.spilled.arrays == left {
                return outcome;
            }
        }
    }

    /// Lets arrays leave until there is room for these ones and so many bytes more, as far as that is known; `false`, and nothing leaves, if it would not help.
    pub fn make_room(&mut self, places: &[Place], more: u64) -> Outcome<bool> {
        let bytes = self.lacks(places).saturating_add(more);
        let device = self.device().clone();
        if self.left.has(&*device, bytes) {
            return Ok(true);
        }
        let may_leave =
            |(key, held): &(&usize, &Held)| !held.stays() && !places.iter().any(|place| place.key() == **key);
        let all: u64 = self.held.iter().filter(may_leave).map(|(_, held)| device.takes(held.length())).sum();
        if !self.left.would_have(&*device, bytes, all) {
            return Ok(false);
        }
        while !self.left.has(&*device, bytes) {
            let rated = self
                .held
                .iter()
                .filter(may_leave)
                .map(|(key, held)| ((self.future.is_spilled(*key), self.worth(*key, held)), *key));
            let Some((_, key)) = rated.max_by(|((out_a, (a, used_a)), _), ((out_b, (b, used_b)), _)| {
                out_a.cmp(out_b).then(a.total_cmp(b)).then(used_b.cmp(used_a))
            }) else {
                return Ok(false);
            };
            self.evict(key, bytes)?;
        }
        Ok(true)
    }

    /// Starts the copies to the host of arrays that are to leave now that the launch to which the host has come is in the queue: when their memory is
    /// needed, they are over or under way.
    pub fn begin_to_spill(&mut self) {
        for place in self.future.leaving() {
            if self.held.get(&place.key()).is_some_and(|held| self.part_again(place.key(), held).is_some()) {
                continue;
            }
            // without the copy now there is one later
            let _ = self.begin_fetch(place);
        }
    }

    /// Bytes that there would be for a launch if all left that may.
    pub fn available(&mut self) -> u64 {
        let device = self.device().clone();
        let may_leave = self.held.values().filter(|held| !held.stays());
        let all = may_leave.map(|held| device.takes(held.length())).sum();
        self.left.beyond(&*device, all)
    }

    /// How much is gained for a second of copies, or of computing it again, if an array leaves, and when it was used last.
    fn worth(&self, key: usize, held: &Held) -> (f64, u64) {
        let next = self.future.next_use(key);
        let copied = self.seconds_of_copies((held, next), self.copies.as_ref());
        let cost = copied * self.part_again(key, held).unwrap_or(1.0);
        // a copy of no use, and one that is only written next, cost nothing
        (held.length() as f64 * (next.distance + 1.0) / cost.max(1e-12), held.used())
    }

    /// What part of the time of its copies to the host and back computing an array again takes, where that is better.
    fn part_again(&self, key: usize, held: &Held) -> Option<f64> {
        let again = self.seconds_again(key, held)?;
        let copied = self.seconds_of_copies((held, self.future.next_use(key)), self.estimates());
        (again < copied).then(|| again / copied)
    }

    /// What copies are estimated to take, if anything is known of it.
    pub(super) fn estimates(&self) -> Option<&Copies> {
        self.copies.as_ref().or(self.link.as_ref())
    }

    /// Seconds of the copies to the host, and back for its next use, of an array that leaves; bytes where nothing is known of copies.
    fn seconds_of_copies(&self, (held, next): (&Held, NextUse), copies: Option<&Copies>) -> f64 {
        let seconds = |side: Side| {
            let bytes = held.length() as f64;
            copies.map_or(bytes, |copies| copies.seconds(side, bytes))
        };
        let back = if held.only_here() > 0 { seconds(Side::Cpu) } else { 0.0 };
        let again =
            if next.reads && held.is_current() && !self.blanks.has(held.place()) { seconds(Side::Gpu) } else { 0.0 };
        back + again
    }

    /// An array leaves.
    fn evict(&mut self, key: usize, wanted: u64) -> Outcome<()> {
        let Some(held) = self.held.get(&key) else { return Ok(()) };
        let (place, bytes) = (held.place(), held.length());
        let again = self.part_again(key, held).is_some();
        let dirty = if again { 0 } else { held.only_here() };
        if again {
            self.recipes.drop(key);
        }
        if dirty > 0 {
            self.fetch(place)?;
        }
        self.drop_copy(key);
        self.spilled.arrays += 1;
        self.spilled.bytes += bytes;
        self.spilled.written_back += dirty;
        if trace::on() {
            let next = self.future.next_use(key).distance;
            let reason = format!("{wanted} bytes are wanted, and it is used {next} statements later");
            let how = match (again, dirty > 0) {
                (true, _) => "dropped: it is computed again",
                (false, true) => "copied to the host",
                (false, false) => "dropped: the host has it",
            };
            trace::evicted(bytes, how, &reason);
        }
        Ok(())
    }
}
