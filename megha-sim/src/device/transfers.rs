//! Copies and fills: what they touch, how long they take, and the bytes.

use std::time::Duration;

use super::clock::{Engine, Seen};
use super::config::Model;
use super::fault::Operation;
use super::launch::Ptr;
use super::order::Touch;
use super::{Device, State, Stream};
use crate::Error;

/// A copy or fill in words and what it touches.
struct Transfer {
    name: &'static str,
    engine: Engine,
    time: Duration,
    touches: Vec<Touch>,
}

/// The rows of a two-dimensional copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rows {
    /// Bytes of each.
    pub bytes: usize,
    /// How many there are.
    pub count: usize,
    /// Bytes from the beginning of one to that of the next in the host's memory.
    pub host_pitch: usize,
    /// The same in the device's.
    pub device_pitch: usize,
}

impl Rows {
    /// Bytes from the first to the end of the last.
    fn extent(&self, pitch: usize) -> usize {
        if self.count == 0 { 0 } else { (self.count - 1) * pitch + self.bytes }
    }
}

impl Device {
    /// Copies from the host.
    pub fn copy_in(&self, stream: Stream, to: Ptr, from: &[u8]) -> Result<(), Error> {
        let state = &mut *self.state();
        let stream = Self::known(state, stream)?;
        state.injection.begin(Operation::Copy)?;
        let (at, offset) = state.place("copy in", to, from.len())?;
        let base = state.memory.regions[at].base;
        let time = self.copy_time(from.len(), self.config.model.to_device);
        let touches = vec![Touch::part(base, (offset, from.len()), true)];
        self.issue(state, stream, &Transfer { name: "copy in", engine: Engine::In, time, touches })?;
        state.write(at, offset, from);
        Ok(())
    }

    /// Copies rows from the host, which are so far apart on either side; `from` begins with the first and ends with the last.
    pub fn copy_rows_in(&self, stream: Stream, to: Ptr, from: &[u8], rows: Rows) -> Result<(), Error> {
        let state = &mut *self.state();
        let stream = Self::known(state, stream)?;
        state.injection.begin(Operation::Copy)?;
        let (at, offset) = state.place("copy in", to, rows.extent(rows.device_pitch))?;
        let base = state.memory.regions[at].base;
        let time = self.rows_time(&rows, self.config.model.to_device);
        let touches = vec![Touch::part(base, (offset, rows.extent(rows.device_pitch)), true)];
        self.issue(state, stream, &Transfer { name: "copy in", engine: Engine::In, time, touches })?;
        for row in 0..rows.count {
            state.write(at, offset + row * rows.device_pitch, &from[row * rows.host_pitch..][..rows.bytes]);
        }
        Ok(())
    }

    /// Copies rows to the host, which are so far apart on either side.
    pub fn copy_rows_out(&self, stream: Stream, to: &mut [u8], from: Ptr, rows: Rows) -> Result<(), Error> {
        let state = &mut *self.state();
        let stream = Self::known(state, stream)?;
        state.injection.begin(Operation::Copy)?;
        let (at, offset) = state.place("copy out", from, rows.extent(rows.device_pitch))?;
        let region = &state.memory.regions[at];
        let (base, written) = (region.base, region.written.as_ref());
        for row in 0..rows.count {
            let first = offset + row * rows.device_pitch;
            if written.is_some_and(|written| !written.contains(first, rows.bytes)) {
                let place = "partly where nothing was written".to_string();
                return Err(Error::Address { operation: "copy out", address: from.0, bytes: rows.bytes, place });
            }
            to[row * rows.host_pitch..][..rows.bytes].copy_from_slice(&region.bytes[first..first + rows.bytes]);
        }
        let time = self.rows_time(&rows, self.config.model.from_device);
        let touches = vec![Touch::part(base, (offset, rows.extent(rows.device_pitch)), false)];
        self.issue(state, stream, &Transfer { name: "copy out", engine: Engine::Out, time, touches })
    }

    fn rows_time(&self, rows: &Rows, rate: f64) -> Duration {
        let count = u32::try_from(rows.count).unwrap_or(u32::MAX);
        self.copy_time(rows.bytes * rows.count, rate) + self.config.model.row * count.saturating_sub(1)
    }

    /// Copies to the host.
    pub fn copy_out(&self, stream: Stream, to: &mut [u8], from: Ptr) -> Result<(), Error> {
        let state = &mut *self.state();
        let stream = Self::known(state, stream)?;
        state.injection.begin(Operation::Copy)?;
        let (at, offset) = state.place("copy out", from, to.len())?;
        let region = &state.memory.regions[at];
        let (base, written) = (region.base, region.written.as_ref());
        if written.is_some_and(|written| !written.contains(offset, to.len())) {
            let place = "partly where nothing was written".to_string();
            return Err(Error::Address { operation: "copy out", address: from.0, bytes: to.len(), place });
        }
        to.copy_from_slice(&region.bytes[offset..offset + to.len()]);
        let time = self.copy_time(to.len(), self.config.model.from_device);
        let touches = vec![Touch::part(base, (offset, to.len()), false)];
        self.issue(state, stream, &Transfer { name: "copy out", engine: Engine::Out, time, touches })
    }

    /// Copies within the device; source and target may overlap.
    pub fn copy_within(&self, stream: Stream, to: Ptr, from: Ptr, bytes: usize) -> Result<(), Error> {
        let state = &mut *self.state();
        let stream = Self::known(state, stream)?;
        state.injection.begin(Operation::Copy)?;
        let (source, from) = state.place("copy within", from, bytes)?;
        let (target, to) = state.place("copy within", to, bytes)?;
        let bases = [source, target].map(|at| state.memory.regions[at].base);
        // each byte is read and written
        let time =
            self.config.model.launch_latency + Model::at_rate(2 * bytes as u64, self.config.model.memory_bandwidth);
        let touches = vec![Touch::part(bases[0], (from, bytes), false), Touch::part(bases[1], (to, bytes), true)];
        self.issue(state, stream, &Transfer { name: "copy within", engine: Engine::Compute, time, touches })?;
        let (values, written) = state.read(source, from, bytes);
        state.write(target, to, &values);
        state.mark(target, to, written.as_deref());
        Ok(())
    }

    /// Copies from another device of the same host, whose streams it is not ordered with except by events.
    pub fn copy_from(&self, stream: Stream, to: Ptr, other: &Device, from: Ptr, bytes: usize) -> Result<(), Error> {
        if std::ptr::eq(self, other) {
            return self.copy_within(stream, to, from, bytes);
        }
        let (values, written, source) = {
            let other = &mut *other.state();
            let (at, offset) = other.place("copy from", from, bytes)?;
            let (values, written) = other.read(at, offset, bytes);
            (values, written, Touch::part(other.memory.regions[at].base, (offset, bytes), false))
        };
        // one lock after the other: two devices that copy from each other must not wait for each other
        let mut guard = self.state();
        let state = &mut *guard;
        let stream = Self::known(state, stream)?;
        state.injection.begin(Operation::Copy)?;
        let (at, offset) = state.place("copy from", to, bytes)?;
        let base = state.memory.regions[at].base;
        let time = self.copy_time(bytes, self.config.model.peer);
        let touches = vec![Touch::part(base, (offset, bytes), true)];
        let stamp =
            self.issue_stamped(state, stream, &Transfer { name: "copy from", engine: Engine::In, time, touches })?;
        let number = state.clock.streams[stream].number;
        state.write(at, offset, &values);
        state.mark(at, offset, written.as_deref());
        drop(guard);
        if self.config.checks.stream_order {
            other.state().order.note(source, "copy from", number, &stamp)?;
        }
        Ok(())
    }

    /// Sets every byte.
    pub fn fill(&self, stream: Stream, to: Ptr, byte: u8, bytes: usize) -> Result<(), Error> {
        self.fill_each(stream, to, (&vec![byte; bytes], bytes), 1)
    }

    /// Writes the same bytes so many times, one time so many bytes after the other.
    pub fn fill_each(
        &self,
        stream: Stream,
        to: Ptr,
        (element, pitch): (&[u8], usize),
        count: usize,
    ) -> Result<(), Error> {
        let state = &mut *self.state();
        let stream = Self::known(state, stream)?;
        state.injection.begin(Operation::Copy)?;
        let bytes = count.saturating_sub(1).saturating_mul(pitch) + element.len();
        let (at, offset) = state.place("fill", to, bytes)?;
        let base = state.memory.regions[at].base;
        let time = self.config.model.launch_latency + Model::at_rate(bytes as u64, self.config.model.memory_bandwidth);
        let touches = vec![Touch::part(base, (offset, bytes), true)];
        self.issue(state, stream, &Transfer { name: "fill", engine: Engine::Compute, time, touches })?;
        (0..count).for_each(|k| state.write(at, offset + k * pitch, element));
        Ok(())
    }

    fn copy_time(&self, bytes: usize, rate: f64) -> Duration {
        self.config.model.copy_latency + Model::at_rate(bytes as u64, rate)
    }

    fn issue(&self, state: &mut State, stream: usize, transfer: &Transfer) -> Result<(), Error> {
        self.issue_stamped(state, stream, transfer).map(drop)
    }

    fn issue_stamped(&self, state: &mut State, stream: usize, transfer: &Transfer) -> Result<Seen, Error> {
        let Transfer { name, engine, time, touches } = transfer;
        let stamp = state.clock.issue(stream, *engine, name, self.config.model.issue, *time);
        self.note(state, stream, name, touches.clone(), &stamp)?;
        Ok(stamp)
    }
}

impl State {
    /// The region and offset of a range of memory.
    pub(super) fn place(&self, operation: &'static str, ptr: Ptr, bytes: usize) -> Result<(usize, usize), Error> {
        self.memory.locate(ptr.0, bytes, 0).ok_or_else(|| {
            let place = self.memory.neighbourhood(ptr.0);
            Error::Address { operation, address: ptr.0, bytes, place }
        })
    }

    pub(super) fn write(&mut self, at: usize, offset: usize, bytes: &[u8]) {
        let region = &mut self.memory.regions[at];
        region.bytes[offset..offset + bytes.len()].copy_from_slice(bytes);
        if let Some(written) = &mut region.written {
            written.insert(offset, bytes.len());
        }
    }

    /// Bytes, and which of them were written.
    pub(super) fn read(&self, at: usize, offset: usize, bytes: usize) -> (Vec<u8>, Option<Vec<bool>>) {
        let region = &self.memory.regions[at];
        let written = region.written.as_ref().map(|written| written.slice(offset, bytes));
        (region.bytes[offset..offset + bytes].to_vec(), written)
    }

    /// Makes a copy as uninitialised as its source.
    fn mark(&mut self, at: usize, offset: usize, flags: Option<&[bool]>) {
        if let (Some(written), Some(flags)) = (&mut self.memory.regions[at].written, flags) {
            written.assign(offset, flags);
        }
    }
}
