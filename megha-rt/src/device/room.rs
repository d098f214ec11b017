//! How much memory of a device a call may still take.
//!
//! A launch for which there is no room must not be tried again in each round of a loop, with its uploads. So the device is asked once how much is free, what the
//! call takes is counted, and an allocation that fails says that there was less.

use super::{Device, Failure, Outcome};

/// What asks for less is not refused beforehand: asking the device how much is free would take longer than trying.
const LITTLE: u64 = 1 << 20;
/// Neither is this part of what it may give at all.
const PART: u64 = 64;

/// The memory of a device, as far as a call knows of it.
#[derive(Default)]
pub struct Room {
    /// What the call may have in all.
    most: Option<u64>,
    /// What it has.
    taken: u64,
    /// The most that it had.
    peak: u64,
}

impl Room {
    /// Whether so many bytes more are likely to be there.
    pub fn has(&mut self, device: &dyn Device, bytes: u64) -> bool {
        bytes == 0 || self.can_have(device, self.taken.saturating_add(bytes))
    }

    /// Whether the call may have so many bytes in all. For a block that is asked and not what it lacks: its arrays may be on the device in other places
    /// than those that it names, and where it runs must not change from one round to the next.
    pub fn can_have(&mut self, device: &dyn Device, bytes: u64) -> bool {
        if self.most.is_none() && bytes < LITTLE.min(device.budget() / PART) {
            return true;
        }
        // a device that does not say how much is free may have enough
        let free = || device.memory().map_or(u64::MAX, |(free, _)| free);
        let taken = self.taken;
        bytes <= *self.most.get_or_insert_with(|| free().saturating_add(taken))
    }

    /// Whether the call may have so many bytes in all, as far as is known without asking the device.
    pub fn may_have(&self, bytes: u64) -> bool {
        self.most.is_none_or(|most| bytes <= most)
    }

    /// Memory of a device, which the call then has.
    pub fn allocate(&mut self, device: &dyn Device, bytes: u64) -> Outcome<super::Address> {
        let outcome = device.allocate(bytes);
        match &outcome {
            Ok(_) => self.takes(device.takes(bytes)),
            Err(Failure::OutOfMemory { wanted }) => self.lacks(*wanted),
            Err(_) => {}
        }
        outcome
    }

    /// So many bytes more were not there.
    pub fn lacks(&mut self, bytes: u64) {
        let less = self.taken.saturating_add(bytes).saturating_sub(1);
        self.most = Some(self.most.map_or(less, |most| most.min(less)));
    }

    /// Whether so many bytes more are likely to be there once so many are given back.
    pub fn would_have(&mut self, device: &dyn Device, bytes: u64, given: u64) -> bool {
        self.can_have(device, self.taken.saturating_sub(given).saturating_add(bytes))
    }

    /// Bytes that the call may still take once so many are given back.
    pub fn beyond(&mut self, device: &dyn Device, given: u64) -> u64 {
        // asked for if it was not yet
        self.can_have(device, u64::MAX);
        self.most.unwrap_or(u64::MAX).saturating_sub(self.taken.saturating_sub(given))
    }

    /// The call has so many bytes more, which something else has allocated.
    pub fn takes(&mut self, bytes: u64) {
        self.taken += bytes;
        self.reaches(0);
    }

    /// A launch takes so many bytes beside what the call has.
    pub fn reaches(&mut self, more: u64) {
        self.peak = self.peak.max(self.taken.saturating_add(more));
    }

    /// Most bytes that the call had.
    pub fn peak(&self) -> u64 {
        self.peak
    }

    /// The call gives so many bytes back.
    pub fn gives(&mut self, bytes: u64) {
        self.taken = self.taken.saturating_sub(bytes);
    }
}
