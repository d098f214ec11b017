//! The copy of an array on a device.

use std::sync::Arc;

use super::extent::Extent;
use super::table::{Moved, Place};
use super::{Address, Download, Event, Outcome, Rows};

/// An array that calls share: it has a copy on the device, and looks after its host's copy itself.
pub trait Share: Send + Sync {
    /// Makes the host's array current; what that moved.
    fn fetch(&self) -> Outcome<Moved>;
}

/// A copy to the host that has begun.
pub(super) struct Leaving {
    pub download: Download,
    /// The byte of the array at which it begins.
    pub at: usize,
    pub rows: Rows,
}

/// The copy of an array on the device, in memory for all of it.
pub struct Held {
    /// Where it is.
    pub address: Address,
    /// The array on the host.
    pub(super) place: Place,
    pub(super) bytes: usize,
    /// The elements of which the host's array is not current: the device alone has them, unless a kernel failed half-way.
    pub(super) stale: Extent,
    /// The elements of which the copy is current.
    pub(super) device: Extent,
    /// The copy to the device that kernels have to wait for.
    pub(super) arriving: Option<Event>,
    /// What made the copy; `None`: something that is in the queue.
    pub(super) made: Option<Event>,
    /// The copies to the host that have begun: of all that is stale, if any.
    pub(super) leaving: Vec<Leaving>,
    /// How many elements the host has asked for since the copy was made.
    pub(super) elements: u32,
    /// Whether the copy is somebody else's, who gives the memory back; and who fetches it.
    pub(super) lent: bool,
    pub(super) share: Option<Arc<dyn Share>>,
    /// The number of the last use.
    pub(super) used: u64,
}

impl Held {
    /// Memory of the call's own, in which nothing is yet.
    pub(super) fn new(address: Address, place: Place, used: u64) -> Held {
        let (arriving, made, leaving, share, bytes) = (None, None, Vec::new(), None, place.length() as usize);
        let (stale, device, elements, lent) = (Extent::Nothing, Extent::Nothing, 0, false);
        Held { address, place, bytes, stale, device, arriving, made, leaving, elements, lent, share, used }
    }

    /// The same copy for another call, if it is somebody else's there.
    pub(super) fn lent_to(&self, place: Place, share: Option<Arc<dyn Share>>) -> Held {
        let Held { address, bytes, arriving, made, .. } = *self;
        let (stale, device) = (self.stale.clone(), self.device.clone());
        let (leaving, elements, used, lent) = (Vec::new(), 0, 0, true);
        Held { address, place, bytes, stale, device, arriving, made, leaving, elements, lent, share, used }
    }

    /// The array on the host.
    pub(super) fn place(&self) -> Place {
        self.place
    }

    /// Bytes of the copy.
    pub(super) fn length(&self) -> u64 {
        self.bytes as u64
    }

    /// Whether the host's array is current.
    pub fn is_on_host(&self) -> bool {
        self.stale.is_nothing()
    }

    /// The host's array has become current.
    pub fn is_fetched(&mut self) {
        self.stale = Extent::Nothing;
    }

    /// Whether something of the copy is current.
    pub(super) fn is_current(&self) -> bool {
        !self.device.is_nothing()
    }

    /// Whether the device has all of it and the host nothing, and no copy is under way.
    pub(super) fn is_only_here_as_a_whole(&self) -> bool {
        let is_alone = self.device.is_all() && self.stale.is_all() && !self.lent && self.share.is_none();
        is_alone && self.leaving.is_empty() && self.arriving.is_none() && self.length() == self.place.length()
    }

    /// Bytes that the host's array has not.
    pub(super) fn only_here(&self) -> u64 {
        if self.is_current() { self.stale.bytes(self.length()) } else { 0 }
    }

    /// Whether it must not leave: it is somebody else's, or a kernel that updates it failed half-way, which must not be forgotten.
    pub(super) fn stays(&self) -> bool {
        self.lent || self.is_spoiled()
    }

    /// Whether elements of it are nowhere.
    pub(super) fn is_spoiled(&self) -> bool {
        !self.is_on_host() && !self.is_current()
    }

    /// The number of the last use.
    pub(super) fn used(&self) -> u64 {
        self.used
    }
}
