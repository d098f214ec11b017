//! Copies of parts of arrays: what a kernel reads and is not on the device goes there, what it has stored comes back, and nothing else
//! (jit4GPU, Garg & Amaral 2012, section 4, with regions for its descriptors).
//!
//! An array has memory of the device for all of its elements, each in its place, of which some are current. Elements move as rows, or with what lies
//! between them where the clock says that this is cheaper. What only one side has is never overwritten: what is copied beside the elements that
//! were asked for is current on the side that it comes from.

use megha_base::region::{Copy, Costs, Region, Transfer};

use super::copies::{finish, receive, upload};
use super::extent::{Elements, Extent};
use super::held::{Held, Leaving};
use super::schedule::Side;
use super::table::{Place, Table};
use super::{Address, Download, Outcome, Queue, Rows};

/// What an array is on both sides once a kernel has stored some of its elements.
#[derive(Debug)]
pub struct Stored {
    stale: Extent,
    device: Extent,
}

impl Table {
    /// Whether the device may still want other elements of an array than those that a launch touches, and lacks all of it: then all of it goes there at
    /// once, in one copy.
    pub fn may_be_wanted(&self, place: Place) -> bool {
        self.held.get(&place.key()).is_none_or(|held| !held.is_current()) && self.future.is_read_again(place.key())
    }

    /// The device's copy with these elements current, for a kernel that reads them.
    pub fn upload_elements(&mut self, place: Place, elements: &Elements) -> Outcome<Address> {
        self.send_elements(place, elements)?;
        self.arrived(place)
    }

    /// Starts copies to the device of what it lacks of these elements, for kernels that are to follow.
    pub fn send_elements(&mut self, place: Place, elements: &Elements) -> Outcome<()> {
        if place.length() == 0 || self.on_device(place) {
            return Ok(());
        }
        self.make_real(place, &[])?;
        let held = self.held.get(&place.key());
        if held.is_some_and(|held| held.length() >= place.length() && held.is_current() && held.device.covers(elements))
        {
            return Ok(());
        }
        if held.is_some_and(|held| held.lent) {
            // others may be about to read it
            self.fetch(place)?;
            self.retire(place.key());
        }
        let Some(missing) = self.missing(place, elements) else { return self.send(place) };
        if self.held.get(&place.key()).is_some_and(|held| held.stale.meets(&missing)) {
            self.fetch(place)?;
        }
        let all = self.on_host(place);
        if all && self.held.get(&place.key()).is_some_and(Held::is_current) {
            // who asks for other elements than the first time may do so again
            return self.send(place);
        }
        let spare = if all { elements.shape.whole() } else { Region::empty() };
        let transfer = self.transfer(Side::Gpu, &missing, &spare);
        if transfer.copies.len() > MOST_COPIES || all && transfer.cost > self.whole(Side::Gpu, place) {
            return self.send(place);
        }
        let moved = Elements { shape: elements.shape.clone(), region: transfer.moved };
        let bytes: i64 = transfer.copies.iter().map(Copy::length).sum();
        let extent = self.held.get(&place.key()).map_or(Extent::Nothing.with(&moved), |held| held.device.with(&moved));
        match extent {
            Some(extent) if !(all && moved.are_nearly_all(bytes.unsigned_abs())) => {
                self.send_copies(place, &transfer.copies, extent)
            }
            Some(_) | None => self.send(place),
        }
    }

    /// What the device lacks of these elements; `None` if that is not known, or all that there is would be filled.
    fn missing(&self, place: Place, elements: &Elements) -> Option<Elements> {
        if self.blanks.has(place) {
            return None;
        }
        let shape = elements.shape.clone();
        let Some(held) = self.held.get(&place.key()) else {
            return Some(Elements { shape, region: elements.region.clone() });
        };
        match &held.device {
            _ if held.length() != place.length() => None,
            Extent::Nothing => Some(Elements { shape, region: elements.region.clone() }),
            Extent::Part(own) if own.shape == shape => {
                Some(Elements { shape, region: elements.region.difference(&own.region) })
            }
            Extent::Part(_) | Extent::All => None,
        }
    }

    /// Starts these copies, after which the device has so much of the array.
    fn send_copies(&mut self, place: Place, copies: &[Copy], extent: Extent) -> Outcome<()> {
        let address = match self.held.get(&place.key()) {
            Some(held) => {
                let address = held.address;
                self.upload_after_all()?;
                address
            }
            None => self.room(place)?,
        };
        let device = self.device().clone();
        let sent = copies.iter().try_for_each(|copy| {
            let (at, rows) = rows_of(copy);
            // SAFETY: the host's array is current but for elements that are not copied, hence initialised; compiled functions do nothing else meanwhile.
            let from = unsafe { place.part((at, rows.extent())).read() };
            let to = Address(address.0 + at as u64);
            match rows.count {
                1 => upload(&*device, self.copies.as_ref(), to, from)?,
                _ => device.upload_rows(Queue::Upload, to, from, rows)?,
            }
            self.moved.uploads += 1;
            self.moved.bytes_up += rows.length() as u64;
            Ok(())
        });
        let event =
            sent.and_then(|()| if copies.is_empty() { Ok(None) } else { device.record(Queue::Upload).map(Some) });
        let event = self.all_after_upload(event)?;
        if let Some(held) = self.held.get_mut(&place.key()) {
            held.device = extent;
            held.arriving = event.or(held.arriving);
            if event.is_some() {
                // who takes the copy as a whole waits for these too
                held.made = None;
            }
        }
        Ok(())
    }

    /// The device's copy for a kernel that stores some elements and has to find others, and what is current where afterwards.
    pub fn upload_to_store(
        &mut self,
        place: Place,
        (found, stored): (&Elements, &Elements),
    ) -> Outcome<(Address, Stored)> {
        self.settle(place)?;
        self.send_elements(place, found)?;
        if !self.on_device(place) && self.is_dear_to_fetch(place, stored) {
            // with all of it there, it comes back in one copy
            self.send(place)?;
        }
        if self.blanks.has(place) && !self.on_host(place) {
            // nothing was filled on the host
            return Ok((self.arrived(place)?, Stored { stale: Extent::All, device: Extent::All }));
        }
        let sides = match self.held.get(&place.key()) {
            Some(held) => held.stale.with(stored).zip(held.device.with(stored)),
            None => Some(Default::default()),
        };
        let Some((stale, device)) = sides else { return self.upload_to_store_whole(place, stored) };
        let all = device.is_all() && stored.are_nearly_all(stale.bytes(place.length()));
        Ok((self.arrived(place)?, Stored { stale: if all { Extent::All } else { stale }, device }))
    }

    /// The same where what is current cannot be said by elements: first the array becomes current on both sides.
    fn upload_to_store_whole(&mut self, place: Place, stored: &Elements) -> Outcome<(Address, Stored)> {
        self.fetch(place)?;
        self.send(place)?;
        let stale = Extent::Nothing.with(stored).unwrap_or(Extent::All);
        Ok((self.arrived(place)?, Stored { stale, device: Extent::All }))
    }

    /// A kernel of the device has stored elements of the array.
    pub fn stored_on_device(&mut self, place: Place, stored: Stored) {
        self.recipes.changed(place.key());
        self.blanks.forget(place.key());
        if let Some(held) = self.held.get_mut(&place.key()) {
            (held.stale, held.device, held.made, held.elements) = (stored.stale, stored.device, None, 0);
        }
    }

    /// Starts the copies to the host of the elements that only the device has of an array.
    pub(super) fn begin_elements(&mut self, place: Place) -> Outcome<Vec<Leaving>> {
        if self.held.get(&place.key()).is_some_and(|held| held.arriving.is_some()) {
            // What lies between the elements may come with them.
            self.arrived(place)?;
        }
        let Some(held) = self.held.get(&place.key()) else { return Ok(Vec::new()) };
        let Extent::Part(stale) = &held.stale else { return Ok(Vec::new()) };
        let spare = match &held.device {
            Extent::All => stale.shape.whole(),
            Extent::Part(own) if own.shape == stale.shape => own.region.clone(),
            Extent::Part(_) | Extent::Nothing => stale.region.clone(),
        };
        let transfer = self.transfer(Side::Cpu, stale, &spare);
        let (device, address, made) = (self.device().clone(), held.address, held.made);
        let made = made.map_or_else(|| device.record(Queue::Compute), Ok)?;
        let mut begun = Vec::new();
        for copy in &transfer.copies {
            let (at, rows) = rows_of(copy);
            match receive(&*device, &mut self.moved, (Address(address.0 + at as u64), rows), Some(made)) {
                Ok(download) => begun.push(Leaving { download, at, rows }),
                Err(failure) => {
                    begun.into_iter().for_each(|leaving| self.dispose(leaving.download));
                    return Err(failure);
                }
            }
        }
        Ok(begun)
    }

    /// Waits for copies to the host and puts what arrives into its places, as far as the host's array goes.
    pub(super) fn deliver(&mut self, place: Place, begun: Vec<Leaving>) -> Outcome<()> {
        let mut outcome = Ok(());
        for Leaving { download, at, rows } in begun {
            if outcome.is_err() {
                self.dispose(download);
                continue;
            }
            // SAFETY: the array is the compiled function's own, which waits here; its kernels on the CPU have ended.
            let to = unsafe { place.part((at, rows.extent())).write() };
            outcome = self.deliver_rows(download, rows, to);
        }
        outcome
    }

    fn deliver_rows(&self, download: Download, rows: Rows, to: &mut [u8]) -> Outcome<()> {
        if rows.count == 1 && to.len() == rows.bytes {
            return finish(&**self.device(), download, to);
        }
        let mut packed = vec![0; download.bytes];
        finish(&**self.device(), download, &mut packed)?;
        for (start, row) in rows.starts().zip(packed.chunks_exact(rows.bytes)) {
            // the host's array may be shorter
            let end = to.len().min(start + rows.bytes);
            if start < end {
                to[start..end].copy_from_slice(&row[..end - start]);
            }
        }
        Ok(())
    }

    /// Whether it takes longer to bring stored elements back without what lies between them than to send all of the array and bring that back.
    fn is_dear_to_fetch(&self, place: Place, stored: &Elements) -> bool {
        let back = self.transfer(Side::Cpu, stored, &stored.region);
        back.copies.len() > MOST_COPIES || back.cost > self.whole(Side::Gpu, place) + self.whole(Side::Cpu, place)
    }

    /// The seconds of one copy of an array to a side.
    fn whole(&self, to: Side, place: Place) -> f64 {
        let costs = self.costs(to);
        costs.copy + place.length() as f64 * costs.byte
    }

    fn costs(&self, to: Side) -> Costs {
        let (device, rates) = (self.device(), self.device().rates());
        let rate = if to == Side::Gpu { rates.upload } else { rates.download };
        Costs { copy: rates.copy.as_secs_f64(), row: device.row().as_secs_f64(), byte: 1.0 / rate }
    }

    /// The cheapest way for elements to a side, by the device's clock.
    fn transfer(&self, to: Side, elements: &Elements, spare: &Region) -> Transfer {
        let layout = &elements.shape.layout;
        elements.region.transfer((layout, layout), &elements.shape.sizes, &self.costs(to), spare)
    }
}

/// The most copies that elements move in: each takes memory that is locked for it, and a call of the driver.
const MOST_COPIES: usize = 64;

/// The byte at which a copy begins on either side, and its rows.
fn rows_of(copy: &Copy) -> (usize, Rows) {
    let [at, bytes, count, pitch] = [copy.from, copy.bytes, copy.rows, copy.from_pitch].map(|n| n.max(0) as usize);
    (at, Rows { bytes, count, pitch })
}

#[cfg(all(test, feature = "sim"))]
mod tests {
    use std::sync::Arc;

    use megha_sim::Operation;

    use super::super::Device;
    use super::super::copies::receive;
    use super::super::sim::SimDevice;
    use super::*;

    /// Of several copies to the device one fails: those before it may still be under way, and what the device has of the array is read behind them.
    #[test]
    fn copies_of_which_one_has_failed_are_waited_for() {
        let device = Arc::new(SimDevice::new(SimDevice::standard()));
        let mut table = Table::new(device.clone());
        let values = [1.0f64; 64];
        let place = Place::new(values.as_ptr(), &[64]);
        let row = |from: i64| Copy { from, to: from, bytes: 128, rows: 1, from_pitch: 0, to_pitch: 0 };
        device.simulator().fail(Operation::Copy, 2);
        table.send_copies(place, &[row(0), row(256)], Extent::All).unwrap_err();
        let address = table.room(place).unwrap();
        let begun = receive(&*device, &mut table.moved, (address, Rows::one(128)), None).unwrap();
        device.finish_download(begun, &mut [0; 128]).unwrap();
        assert_eq!(device.mistakes(), [""; 0]);
    }
}
