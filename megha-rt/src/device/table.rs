//! Which arrays of the host have a copy on the device, and which of both is current: the truth under all plans.

use std::collections::HashMap;
use std::sync::Arc;

use super::blank::Blanks;
use super::copies::{Copies, download, finish, receive, upload};
use super::evict::Spilled;
use super::extent::Extent;
use super::future::Future;
use super::guard::Guard;
use super::held::{Held, Leaving, Share};
use super::recipe::Recipes;
use super::room::Room;
use super::session::host_moves;
use super::{Address, Device, Download, Event, Failure, Outcome, Queue, Rows};

/// The memory of an array of the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Its first byte.
    start: *mut u8,
    /// Its length.
    bytes: usize,
}

// SAFETY: it is an address and a length; whoever reads or writes there promises that nobody else does.
unsafe impl Send for Place {}
// SAFETY: as above.
unsafe impl Sync for Place {}

impl Place {
    /// Memory that holds numbers and stays where it is as long as the array lives.
    #[inline(always)]
    pub(crate) fn new<T>(start: *const T, shape: &[usize]) -> Place {
        Place::of(start.cast_mut().cast(), shape, size_of::<T>())
    }

    /// Only devices ask for it: compiled once, and not for each array of a launch.
    fn of(start: *mut u8, shape: &[usize], element: usize) -> Place {
        Place { start, bytes: shape.iter().product::<usize>() * element }
    }

    /// The same memory, of which only so much counts.
    pub(crate) fn shortened(self, bytes: usize) -> Place {
        Place { bytes: bytes.min(self.bytes), ..self }
    }

    /// Whether it begins where the other one does.
    pub(super) fn begins_with(self, other: Place) -> bool {
        self.start == other.start && self.bytes > 0
    }

    /// Whether both have a byte in common.
    pub(super) fn meets(self, other: Place) -> bool {
        self.key() < other.key() + other.bytes && other.key() < self.key() + self.bytes
    }

    /// Its length in bytes.
    pub(super) fn length(self) -> u64 {
        self.bytes as u64
    }

    /// A part of it: the first byte, counted from its own, and its length.
    pub(super) fn part(self, (first, bytes): (usize, usize)) -> Place {
        let first = first.min(self.bytes);
        Place { start: self.start.wrapping_add(first), bytes: bytes.min(self.bytes - first) }
    }

    /// By what it is found.
    pub(super) fn key(self) -> usize {
        self.start as usize
    }

    /// The elements for a copy to the device.
    ///
    /// # Safety
    /// They are initialised, and nobody writes them during `'a`.
    pub(super) unsafe fn read<'a>(self) -> &'a [u8] {
        // SAFETY: the caller's promise; numbers have no padding.
        unsafe { std::slice::from_raw_parts(self.start, self.bytes) }
    }

    /// The elements for a copy to the host.
    ///
    /// # Safety
    /// Nobody else reads or writes them during `'a`.
    #[allow(clippy::mut_from_ref, reason = "a place is an address")]
    pub(super) unsafe fn write<'a>(self) -> &'a mut [u8] {
        // SAFETY: the caller's promise; the memory is allocated, and bytes that are written need not be initialised before.
        unsafe { std::slice::from_raw_parts_mut(self.start, self.bytes) }
    }
}

/// Bytes of an array that are copied as soon as one of its elements: what a bus moves in a fraction of what a copy takes to begin.
const SHORT: usize = 32 << 10;
/// Elements that the host reads of an array before all of it is copied: whoever reads more probably reads many.
const MOST_ELEMENTS: u32 = 4;

/// Bytes and numbers of copies.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Moved {
    /// Copies to the device.
    pub uploads: u64,
    /// Bytes to the device.
    pub bytes_up: u64,
    /// Copies to the host.
    pub downloads: u64,
    /// Bytes to the host.
    pub bytes_down: u64,
    /// Bytes that a scheme without memory would move: for each kernel, what it reads to the device and what it makes to the host.
    pub naive: u64,
}

/// The arrays of a call that have copies on a device.
pub struct Table {
    device: Arc<dyn Device>,
    pub(super) held: HashMap<usize, Held>,
    /// The arrays that have only been filled.
    pub blanks: Blanks,
    /// How much memory the device has left for the call.
    pub left: Room,
    /// Memory that nothing uses from the next launch on, and how much it is.
    pub(super) retired: Vec<(Address, u64)>,
    /// What left because something else needed its memory.
    pub spilled: Spilled,
    /// When arrays are used next.
    pub future: Future,
    /// How arrays were made that can be made again.
    pub(super) recipes: Recipes,
    /// Whether a launch is being prepared: nothing leaves, and no memory goes back.
    pub(super) preparing: bool,
    /// How many times copies were used.
    uses: u64,
    /// What was copied so far.
    pub moved: Moved,
    /// What copies are measured by, from the first decision on.
    pub copies: Option<Copies>,
    /// What copies are estimated to take where they are not measured.
    pub(super) link: Option<Copies>,
    /// The arrays of the caller that the call updates.
    pub guard: Guard,
}

impl Table {
    /// Nothing is on the device.
    pub fn new(device: Arc<dyn Device>) -> Table {
        let (held, blanks, left, retired) = (HashMap::new(), Blanks::default(), Room::default(), Vec::new());
        let (moved, spilled, future, recipes, guard) = Default::default();
        let (preparing, uses, copies, link) = (false, 0, None, None);
        Table {
            device,
            held,
            blanks,
            left,
            retired,
            spilled,
            future,
            recipes,
            preparing,
            uses,
            moved,
            copies,
            link,
            guard,
        }
    }

    /// The device.
    pub fn device(&self) -> &Arc<dyn Device> {
        &self.device
    }

    /// Whether the device's copy of an array is current.
    pub fn on_device(&self, place: Place) -> bool {
        place.bytes == 0
            || self.held.get(&place.key()).is_some_and(|held| held.device.is_all() && held.bytes >= place.bytes)
    }

    /// Whether only the device has an array, all of it.
    pub fn is_only_on_device(&self, place: Place) -> bool {
        self.on_device(place) && self.held.get(&place.key()).is_some_and(|held| held.stale.is_all())
    }

    /// Bytes of all copies on the device.
    pub fn bytes(&self) -> u64 {
        self.held.values().map(|held| held.bytes as u64).sum()
    }

    /// Whether the host's array is current.
    pub fn on_host(&self, place: Place) -> bool {
        self.blanks.on_host(place)
            && self.held.get(&place.key()).is_none_or(Held::is_on_host)
            && !self.recipes.is_dropped(place.key())
    }

    /// Whether the host and the device have an array, or can make it without a copy.
    pub fn present(&self, place: Place) -> [bool; 2] {
        let blank = self.blanks.has(place);
        let host = blank || self.on_host(place);
        // What neither has all of counts where the newer part is.
        [host, blank || self.on_device(place) || !host]
    }

    /// Whether an array, an earlier state of another one, can stand for a copy of it: it is on the host if that one is, and the device has
    /// nothing of it if it has nothing of that one.
    pub fn stands_for(&self, earlier: Place, place: Place) -> bool {
        let known = |place: Place| self.blanks.has(place) || self.held.contains_key(&place.key());
        let dropped = [earlier, place].iter().any(|place| self.recipes.is_dropped(place.key()));
        !dropped && (self.on_host(earlier) || !self.on_host(place)) && (known(place) || !known(earlier))
    }

    /// Bytes that the device still lacks for these arrays.
    pub fn lacks(&self, places: &[Place]) -> u64 {
        let there = |place: &Place| self.held.get(&place.key()).is_some_and(|held| held.bytes >= place.bytes);
        let first = |at: usize| !places[..at].iter().any(|other| other.key() == places[at].key());
        let missing = (0..places.len()).filter(|at| first(*at) && !there(&places[*at]));
        missing.filter(|at| places[*at].bytes > 0).map(|at| self.device.takes(places[at].bytes as u64)).sum()
    }

    /// The device's current copy, for a kernel that reads it.
    pub fn upload(&mut self, place: Place) -> Outcome<Address> {
        self.send(place)?;
        self.arrived(place)
    }

    /// Starts a copy to the device, for kernels that are to follow.
    pub fn send(&mut self, place: Place) -> Outcome<()> {
        if self.on_device(place) {
            return Ok(());
        }
        self.make_real(place, &[])?;
        if self.on_device(place) {
            return Ok(());
        }
        if !self.blanks.has(place) && !self.on_host(place) {
            // what only the device has of it
            self.fetch(place)?;
        }
        // Of a copy of another length all would be called current; that of somebody else is not written into beside others that read it.
        let other = |held: &Held| held.length() != place.length() || held.lent;
        if self.held.get(&place.key()).is_some_and(|held| matches!(held.device, Extent::Part(_)) && other(held)) {
            self.fetch(place)?;
            self.retire(place.key());
        }
        let held_before = self.held.contains_key(&place.key());
        let address = self.room(place)?;
        if held_before {
            self.upload_after_all()?;
        }
        if let Some(element) = self.blanks.element(place) {
            self.device.fill(Queue::Compute, address, element, place.bytes as u64)?;
            self.held.get_mut(&place.key()).into_iter().for_each(|held| held.device = Extent::All);
            return Ok(());
        }
        // SAFETY: the host's array is current since the device's is not, hence initialised; compiled functions do nothing else meanwhile.
        let sent = upload(&*self.device, self.copies.as_ref(), address, unsafe { place.read() });
        let event = self.all_after_upload(sent.and_then(|()| self.device.record(Queue::Upload)))?;
        self.moved.uploads += 1;
        self.moved.bytes_up += place.bytes as u64;
        if let Some(held) = self.held.get_mut(&place.key()) {
            held.device = Extent::All;
            held.arriving = Some(event);
        }
        Ok(())
    }

    /// Lets what is copied to the device from now on follow what its queues hold: kernels and copies that use the same memory.
    pub(super) fn upload_after_all(&self) -> Outcome<()> {
        for queue in [Queue::Compute, Queue::Download] {
            self.device.wait(Queue::Upload, self.device.record(queue)?)?;
        }
        Ok(())
    }

    /// Where copies to the device have failed, some of them may be under way of which the table does not know: what is put into queues from now on waits for them.
    pub(super) fn all_after_upload<T>(&self, sent: Outcome<T>) -> Outcome<T> {
        if sent.is_err()
            && let Ok(begun) = self.device.record(Queue::Upload)
        {
            // who cannot wait cannot launch either
            let _ = [Queue::Compute, Queue::Download].into_iter().try_for_each(|queue| self.device.wait(queue, begun));
        }
        sent
    }

    /// Memory of the device for an array that a kernel makes.
    pub fn room(&mut self, place: Place) -> Outcome<Address> {
        if place.bytes == 0 {
            return Ok(Address(0));
        }
        self.uses += 1;
        if let Some(held) = self.held.get_mut(&place.key()) {
            if held.bytes >= place.bytes && held.arriving.is_none() && held.leaving.is_empty() {
                held.used = self.uses;
                return Ok(held.address);
            }
            // The launch being prepared may have been given the address already: arguments can begin at one element.
            self.retire(place.key());
        }
        let address = self.left.allocate(&*self.device, place.bytes as u64)?;
        self.held.insert(place.key(), Held::new(address, place, self.uses));
        Ok(address)
    }

    /// Takes over what the device has made of an array before the host had a place for it.
    pub fn adopt(&mut self, place: Place, address: Address, made: Option<Event>, leaving: Option<Download>) {
        self.retire(place.key());
        self.blanks.forget(place.key());
        self.recipes.changed(place.key());
        self.uses += 1;
        let whole = Rows::one(place.bytes);
        let leaving = leaving.into_iter().map(|download| Leaving { download, at: 0, rows: whole }).collect();
        let (stale, device) = (Extent::All, Extent::All);
        let held = Held { stale, device, made, leaving, ..Held::new(address, place, self.uses) };
        self.left.takes(self.device.takes(place.bytes as u64));
        self.held.insert(place.key(), held);
    }

    /// The address of a copy, for kernels launched from here on.
    pub(super) fn arrived(&mut self, place: Place) -> Outcome<Address> {
        let Some(held) = self.held.get_mut(&place.key()) else { return Ok(Address(0)) };
        self.uses += 1;
        held.used = self.uses;
        if let Some(event) = held.arriving.take() {
            self.device.wait(Queue::Compute, event)?;
        }
        Ok(held.address)
    }

    /// A kernel of the device has written the array.
    pub fn written_on_device(&mut self, place: Place) {
        self.recipes.changed(place.key());
        self.is_on_device_alone(place);
    }

    /// The device has all of an array, and the host has it not.
    pub(super) fn is_on_device_alone(&mut self, place: Place) {
        self.blanks.forget(place.key());
        if let Some(held) = self.held.get_mut(&place.key()) {
            (held.stale, held.device, held.made, held.elements) = (Extent::All, Extent::All, None, 0);
        }
    }

    /// A kernel that updates the array failed half-way: the device's copy is of no use. If the host's is not current either, whoever
    /// asks for the array next fails.
    pub fn spoiled(&mut self, place: Place) {
        self.recipes.changed(place.key());
        if let Some(held) = self.held.get_mut(&place.key()) {
            held.device = Extent::Nothing;
        }
    }

    /// Fails if no copy of the array is current.
    pub(super) fn existing(&self, place: Place) -> Outcome<()> {
        let reason = if self.held.get(&place.key()).is_some_and(Held::is_spoiled) {
            "a kernel that updates the array failed half-way"
        } else if self.recipes.is_lost(place.key()) {
            "what the array could be computed again from has changed"
        } else {
            return Ok(());
        };
        Err(Failure::Operation { operation: "copy", reason: reason.to_owned() })
    }

    /// Notes the point at which the device will have made the array: who waits for it does not wait for what comes later.
    pub fn is_made_here(&mut self, place: Place) -> Outcome<()> {
        let made = self.device.record(Queue::Compute)?;
        if let Some(held) = self.held.get_mut(&place.key()).filter(|held| held.is_current()) {
            held.made = Some(made);
        }
        Ok(())
    }

    /// Copies what the device has of an array to that of another one, whose host's array is current if the first one's is.
    pub fn duplicate(&mut self, from: Place, to: Place) -> Outcome<()> {
        if self.blanks.duplicate(from, to) {
            self.recipes.changed(to.key());
            return Ok(());
        }
        let (source, host) = (self.arrived(from)?, self.on_host(from));
        let target = self.room(to)?;
        self.device.copy(Queue::Compute, target, source, to.bytes as u64)?;
        self.written_on_device(to);
        if let Some(held) = self.held.get_mut(&to.key()) {
            held.stale = if host { Extent::Nothing } else { Extent::All };
        }
        Ok(())
    }

    /// Makes the host's array current.
    pub fn fetch(&mut self, place: Place) -> Outcome<()> {
        self.make_real(place, &[])?;
        if !self.on_host(place) {
            self.guard.before_write(place);
        }
        if self.blanks.settle(place) {
            host_moves(&*self.device, place.length());
        }
        let Some(held) = self.held.get_mut(&place.key()).filter(|held| !held.is_on_host()) else { return Ok(()) };
        if let Some(share) = held.share.clone() {
            held.is_fetched();
            let Moved { downloads, bytes_down, .. } = share.fetch()?;
            self.moved.downloads += downloads;
            self.moved.bytes_down += bytes_down;
            return Ok(());
        }
        let bytes = place.bytes.min(held.bytes);
        let begun = std::mem::take(&mut held.leaving);
        let (made, address, in_parts) = (held.made, held.address, !held.stale.is_all());
        let fits = |leaving: &Leaving| in_parts || leaving.rows.bytes == bytes;
        if !begun.is_empty() && begun.iter().all(fits) {
            self.deliver(place, begun)?;
        } else {
            begun.into_iter().for_each(|leaving| self.dispose(leaving.download));
            if in_parts {
                let begun = self.begin_elements(place)?;
                self.deliver(place, begun)?;
            } else {
                // SAFETY: the array is the compiled function's own, which waits here; its kernels on the CPU have ended.
                let to = unsafe { place.shortened(bytes).write() };
                download(&*self.device, (&mut self.moved, self.copies.as_ref()), (address, made), to)?;
            }
        }
        self.held.get_mut(&place.key()).into_iter().for_each(Held::is_fetched);
        Ok(())
    }

    /// Makes a part of the host's array current: its first byte and its length. Where that costs hardly less than the whole, or has
    /// been asked for before, the whole array comes.
    pub fn fetch_element(&mut self, place: Place, part: (usize, usize)) -> Outcome<()> {
        if self.on_host(place) {
            return Ok(());
        }
        let alone = |held: &&mut Held| {
            held.device.is_all()
                && held.stale.is_all()
                && held.bytes >= place.bytes
                && held.share.is_none()
                && held.leaving.is_empty()
                && held.elements < MOST_ELEMENTS
        };
        let long = place.bytes > SHORT && self.blanks.on_host(place);
        let Some(held) = self.held.get_mut(&place.key()).filter(|held| long && alone(held)) else {
            return self.fetch(place);
        };
        held.elements += 1;
        self.guard.before_write(place);
        let to = place.part(part);
        let from = (Address(held.address.0 + part.0 as u64), held.made);
        // SAFETY: as in `fetch`; the rest of the array stays what it is.
        download(&*self.device, (&mut self.moved, self.copies.as_ref()), from, unsafe { to.write() })
    }

    /// Ends a copy to the host that has begun before a kernel changes its source.
    pub fn settle(&mut self, place: Place) -> Outcome<()> {
        let leaves = self.held.get(&place.key()).is_some_and(|held| !held.leaving.is_empty());
        if leaves { self.fetch(place) } else { Ok(()) }
    }

    /// Starts the copy to the host of what only the device has.
    pub fn begin_fetch(&mut self, place: Place) -> Outcome<()> {
        let only_there = |held: &&mut Held| held.only_here() > 0 && held.share.is_none() && held.leaving.is_empty();
        let Some(held) = self.held.get_mut(&place.key()).filter(only_there) else { return Ok(()) };
        if held.stale.is_all() {
            let rows = Rows::one(place.bytes.min(held.bytes));
            let download = receive(&*self.device, &mut self.moved, (held.address, rows), held.made)?;
            held.leaving = vec![Leaving { download, at: 0, rows }];
            return Ok(());
        }
        let begun = self.begin_elements(place)?;
        if let Some(held) = self.held.get_mut(&place.key()) {
            held.leaving = begun;
        }
        Ok(())
    }

    /// Starts the copy to the host of what the device makes and nobody has a place for.
    pub fn receive(&mut self, (from, bytes): (Address, usize), made: Event) -> Outcome<Download> {
        let rows = Rows::one(bytes);
        receive(&*self.device, &mut self.moved, (from, rows), Some(made))
    }

    /// Ends a copy to the host that nobody needs any more.
    pub fn dispose(&self, download: Download) {
        let mut nowhere = vec![0; download.bytes];
        // what fails here fails for whoever uses the device next
        let _ = finish(&*self.device, download, &mut nowhere);
    }

    fn remove(&mut self, key: usize) -> Option<Held> {
        let mut held = self.held.remove(&key)?;
        held.leaving.drain(..).for_each(|leaving| self.dispose(leaving.download));
        Some(held)
    }

    /// Makes a copy known that somebody else has.
    pub fn lend(&mut self, place: Place, held: &Held, share: Option<Arc<dyn Share>>) {
        self.recipes.changed(place.key());
        self.blanks.forget(place.key());
        self.held.insert(place.key(), held.lent_to(place, share));
    }

    /// Gives up the call's own current copy of an array, for somebody who keeps it.
    pub fn take(&mut self, place: Place) -> Option<Held> {
        debug_assert!(!self.recipes.is_dropped(place.key()), "nothing is dropped where results stay");
        self.recipes.changed(place.key());
        self.blanks.settle(place);
        self.blanks.forget(place.key());
        let held = self.remove(place.key())?;
        if !held.lent && held.is_current() {
            return Some(held);
        }
        if !held.lent {
            self.device.free(held.address);
        }
        None
    }

    /// Forgets a copy, whose memory stays until the call ends.
    pub(super) fn retire(&mut self, key: usize) {
        let own = self.remove(key).filter(|held| !held.lent);
        self.retired.extend(own.map(|held| (held.address, self.device.takes(held.bytes as u64))));
    }

    /// The array at this address is no more, or the host is about to write it: the device's copy is of no use any more.
    pub fn forget(&mut self, key: usize) {
        self.before_change(key);
        self.blanks.forget(key);
        self.drop_copy(key);
    }

    /// The call's own copy of the array at an address is no more.
    pub(super) fn drop_copy(&mut self, key: usize) {
        if let Some(held) = self.remove(key).filter(|held| !held.lent) {
            self.left.gives(self.device.takes(held.bytes as u64));
            self.device.free(held.address);
        }
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        let leaving: Vec<Leaving> = self.held.values_mut().flat_map(|held| held.leaving.drain(..)).collect();
        leaving.into_iter().for_each(|leaving| self.dispose(leaving.download));
        let own = self.held.values().filter(|held| !held.lent).map(|held| held.address);
        own.chain(self.retired.iter().map(|(address, _)| *address)).for_each(|address| self.device.free(address));
    }
}
