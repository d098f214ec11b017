//! Arrays leave the device where a launch has no room beside them.
//!
//! The table knows which copies are current, so an eviction is never wrong: a copy of what the host has is dropped, what only the device has is copied to the
//! host first, and neither is copied again as long as it is current. Which array goes is decided by what it costs: those that nothing needs any
//! more, then the one with the most bytes and statements to its next use ([`super::future`]) for a second of the link, to the host if need be and
//! back if it is read again. Arrays of the launch itself stay, and so do those that belong to somebody else.

use super::held::Held;
use super::schedule::Side;
use super::table::{Place, Table};
use super::{Failure, Outcome};
use crate::trace;

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
            let outcome = run(self);
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

    /// How much is gained for a second of copies if an array leaves, and when it was used last.
    fn worth(&self, key: usize, held: &Held) -> (f64, u64) {
        let next = self.future.next_use(key);
        let seconds = |side: Side| {
            let bytes = held.length() as f64;
            self.copies.as_ref().map_or(bytes, |copies| copies.seconds(side, bytes))
        };
        let back = if held.only_here() > 0 { seconds(Side::Cpu) } else { 0.0 };
        let again =
            if next.reads && held.is_current() && !self.blanks.has(held.place()) { seconds(Side::Gpu) } else { 0.0 };
        // a copy of no use, and one that is only written next, cost nothing
        (held.length() as f64 * (next.distance + 1.0) / (back + again).max(1e-12), held.used())
    }

    /// An array leaves.
    fn evict(&mut self, key: usize, wanted: u64) -> Outcome<()> {
        let Some(held) = self.held.get(&key) else { return Ok(()) };
        let (place, dirty, bytes) = (held.place(), held.only_here(), held.length());
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
            trace::evicted(bytes, dirty > 0, &reason);
        }
        Ok(())
    }
}
