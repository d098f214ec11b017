//! Copies between device and host through pinned buffers, which alone the device copies at full speed and beside other work.
//!
//! Copies are cut into pieces. While a piece of an upload is under way, the next is put into its buffer. The pieces of a download all have
//! buffers when it begins, since its source may change as soon as the queue has passed it; while one arrives, those before it are delivered.

use std::collections::HashMap;

use super::super::{Address, Download, Event, Failure, Outcome, Queue, Rows};
use super::driver::SUCCESS;
use super::pool::Pool;
use super::{CudaDevice, State};

/// Bytes of a piece; few in tests, so that they see several pieces.
const PIECE: usize = if cfg!(test) { 64 << 10 } else { 8 << 20 };
/// The smallest buffer.
const SMALLEST: u64 = 64 << 10;
/// Most bytes of buffers; beyond, an upload waits for its earlier pieces, and a download goes to ordinary memory.
const LIMIT: u64 = 1 << 30;
/// Bytes from which on several threads fill or empty a buffer: one alone reads memory slower than the device takes it.
const PARALLEL: usize = if cfg!(miri) { 1 << 12 } else { 2 << 20 };
const MOST_THREADS: usize = 4;

/// The pinned buffers, and the downloads that have begun.
pub(super) struct Staging {
    /// By the address in the host's memory.
    pool: Pool<Event>,
    downloads: HashMap<u64, Pending>,
    tickets: u64,
}

/// Where a download arrives.
enum Pending {
    /// In pinned buffers, piece by piece, each once its event has been passed.
    Pinned(Vec<(Buffer, Event)>),
    /// In ordinary memory, where there was no pinned memory: it has arrived.
    Plain(Vec<u8>),
}

/// A pinned buffer in use.
#[derive(Clone, Copy)]
struct Buffer {
    address: u64,
    length: usize,
}

impl Buffer {
    fn start(self) -> *mut u8 {
        std::ptr::with_exposed_provenance_mut(self.address as usize)
    }
}

impl Staging {
    pub(super) fn new() -> Staging {
        Staging { pool: Pool::new(), downloads: HashMap::new(), tickets: 0 }
    }

    pub(super) fn all(&self) -> impl Iterator<Item = *mut u8> {
        self.pool.all().into_iter().map(|address| std::ptr::with_exposed_provenance_mut(address as usize))
    }

    /// A buffer is free after an event.
    fn leave(&mut self, buffer: Buffer, after: Event) {
        if let Some(bytes) = self.pool.end_use(buffer.address) {
            self.pool.leave(buffer.address, bytes, after);
        }
    }

    fn ticket(&mut self, pending: Pending, bytes: usize) -> Download {
        let ticket = self.tickets;
        self.tickets += 1;
        self.downloads.insert(ticket, pending);
        Download { ticket, bytes }
    }
}

impl CudaDevice {
    /// Uploads; the values are taken before this returns.
    pub(super) fn send(&self, queue: Queue, to: Address, from: &[u8]) -> Outcome<()> {
        for (number, piece) in from.chunks(PIECE).enumerate() {
            let buffer = self.buffer(&mut self.state(), "upload", piece.len())?;
            // SAFETY: the buffer is in use by this call alone, at least as long as the piece, and nobody else's memory.
            let staged = unsafe { std::slice::from_raw_parts_mut(buffer.start(), piece.len()) };
            // without the lock: several threads may fill buffers
            transfer(staged, piece);
            let to = to.0 + (number * PIECE) as u64;
            let state = &mut *self.state();
            let issued = self.issue(state, "upload", queue, |driver, stream| {
                // SAFETY: reasons 1 to 4.
                unsafe { (driver.copy_to_device)(to, buffer.start().cast(), buffer.length, stream) }
            });
            self.end_of_use(state, queue, buffer)?;
            issued?;
        }
        Ok(())
    }

    /// A buffer is free when its queue has passed what it holds now.
    fn end_of_use(&self, state: &mut State, queue: Queue, buffer: Buffer) -> Outcome<()> {
        match self.point(&mut state.queues, queue) {
            Ok(end) => {
                state.staging.leave(buffer, end);
                Ok(())
            }
            Err(failure) => {
                // SAFETY: reasons 1 and 2.
                let code = unsafe { (self.driver.synchronize_stream)(self.stream(queue)) };
                // a buffer that may still be in use is kept until the device is dropped
                self.check("synchronisation", code)?;
                if let Some(bytes) = state.staging.pool.end_use(buffer.address) {
                    state.staging.pool.lose(bytes);
                    self.unpin(buffer.start())?;
                }
                Err(failure)
            }
        }
    }

    /// Starts a copy to the host.
    pub(super) fn start_receiving(
        &self,
        state: &mut State,
        queue: Queue,
        from: Address,
        rows: Rows,
    ) -> Outcome<Download> {
        let bytes = rows.length();
        if bytes == 0 {
            return Ok(state.staging.ticket(Pending::Plain(Vec::new()), 0));
        }
        let Some(buffers) = self.buffers(state, bytes)? else {
            return self.receive_plainly(state, queue, from, rows);
        };
        let mut pieces = Vec::with_capacity(buffers.len());
        let mut failure = None;
        for (number, buffer) in buffers.into_iter().enumerate() {
            // after a failure the other buffers are only given back
            let piece = (rows, number * PIECE);
            let issued = failure.is_none().then(|| self.receive_piece(state, queue, (from, piece), buffer));
            match issued {
                Some(Ok(done)) => pieces.push((buffer, done)),
                Some(Err(why)) => failure = Some(why),
                None => self.end_of_use(state, queue, buffer)?,
            }
        }
        match failure {
            None => Ok(state.staging.ticket(Pending::Pinned(pieces), bytes)),
            Some(why) => {
                pieces.into_iter().for_each(|(buffer, done)| state.staging.leave(buffer, done));
                Err(why)
            }
        }
    }

    /// Buffers for the pieces of a download; `None` if there is no room for all of them.
    fn buffers(&self, state: &mut State, bytes: usize) -> Outcome<Option<Vec<Buffer>>> {
        self.collect_buffers(state)?;
        if state.staging.pool.used() + bytes as u64 > LIMIT {
            return Ok(None);
        }
        let mut buffers = Vec::new();
        for start in (0..bytes).step_by(PIECE) {
            match self.buffer(state, "download", PIECE.min(bytes - start)) {
                Ok(buffer) => buffers.push(buffer),
                Err(failure) => {
                    buffers.iter().for_each(|buffer: &Buffer| state.staging.pool.put_back(buffer.address));
                    return match failure {
                        Failure::Operation { .. } | Failure::OutOfMemory { .. } => Ok(None),
                        lost @ (Failure::Lost { .. } | Failure::Absent { .. }) => Err(lost),
                    };
                }
            }
        }
        Ok(Some(buffers))
    }

    /// Starts the copy of a piece; the event after it. A buffer whose copy did not start is given back.
    fn receive_piece(
        &self,
        state: &mut State,
        queue: Queue,
        (from, (rows, first)): (Address, (Rows, usize)),
        buffer: Buffer,
    ) -> Outcome<Event> {
        let mut runs = rows.piece(first, buffer.length);
        let issued = runs.try_for_each(|(at, to, bytes)| {
            self.issue(state, "download", queue, |driver, stream| {
                let to = buffer.start().wrapping_add(to).cast();
                // SAFETY: reasons 1 to 4; the run ends within the buffer.
                unsafe { (driver.copy_to_host)(to, from.0 + at as u64, bytes, stream) }
            })
        });
        let done = issued.and_then(|()| self.point(&mut state.queues, queue));
        if done.is_err() {
            self.end_of_use(state, queue, buffer)?;
        }
        done
    }

    /// Without pinned memory: waits for the copy.
    fn receive_plainly(&self, state: &mut State, queue: Queue, from: Address, rows: Rows) -> Outcome<Download> {
        let bytes = rows.length();
        let mut values = Vec::new();
        let reserved = values.try_reserve_exact(bytes);
        reserved.map_err(|error| Failure::Operation { operation: "download", reason: error.to_string() })?;
        values.resize(bytes, 0u8);
        let start = values.as_mut_ptr();
        for (at, to, bytes) in rows.piece(0, bytes) {
            self.issue(state, "download", queue, |driver, stream| {
                let to = start.wrapping_add(to).cast();
                // SAFETY: reasons 1, 2 and 4; `values` lives until the stream has been waited for.
                unsafe {
                    match (driver.copy_to_host)(to, from.0 + at as u64, bytes, stream) {
                        SUCCESS => (driver.synchronize_stream)(stream),
                        code => {
                            (driver.synchronize_stream)(stream);
                            code
                        }
                    }
                }
            })?;
        }
        Ok(state.staging.ticket(Pending::Plain(values), bytes))
    }

    /// Waits for a copy to the host and delivers it.
    pub(super) fn receive(&self, download: &Download, to: &mut [u8]) -> Outcome<()> {
        let wrong = |reason: &str| Err(Failure::Operation { operation: "download", reason: reason.into() });
        let pending = self.state().staging.downloads.remove(&download.ticket);
        let pieces = match pending {
            None => return wrong("it was not begun, or is finished"),
            Some(Pending::Plain(values)) if values.len() == to.len() => {
                to.copy_from_slice(&values);
                return Ok(());
            }
            Some(Pending::Plain(_)) => return wrong("the lengths differ"),
            Some(Pending::Pinned(pieces)) => pieces,
        };
        let fits = pieces.iter().map(|(buffer, _)| buffer.length).sum::<usize>() == to.len();
        let mut outcome = if fits { Ok(()) } else { wrong("the lengths differ") };
        let mut rest = to;
        for (buffer, done) in pieces {
            if outcome.is_ok() {
                let (piece, after) = std::mem::take(&mut rest).split_at_mut(buffer.length);
                rest = after;
                outcome = self.deliver(piece, buffer, done);
            }
            // where waiting failed, the copy may still be under way: the buffer leaves when its event has been passed
            self.state().staging.leave(buffer, done);
        }
        outcome
    }

    /// Waits for a piece of a download and copies it from its buffer.
    fn deliver(&self, to: &mut [u8], buffer: Buffer, done: Event) -> Outcome<()> {
        let point = self.state().queues.get(done);
        // without the lock: other threads go on
        point.map_or(Ok(()), |point| self.await_point("download", point))?;
        // SAFETY: the copy into the buffer is done, and the buffer is in use by this call alone.
        transfer(to, unsafe { std::slice::from_raw_parts(buffer.start(), buffer.length) });
        Ok(())
    }

    /// A buffer of at least so many bytes.
    fn buffer(&self, state: &mut State, operation: &'static str, length: usize) -> Outcome<Buffer> {
        let class = (length as u64).next_power_of_two().max(SMALLEST);
        self.collect_buffers(state)?;
        if state.staging.pool.reserved() + class > LIMIT {
            if let Some(last) = state.staging.pool.last_point().copied() {
                self.await_event(operation, &state.queues, last)?;
                self.collect_buffers(state)?;
            }
            if !state.staging.pool.has_free(class) {
                let blocks = state.staging.pool.trim();
                blocks.into_iter().try_for_each(|b| self.unpin(std::ptr::with_exposed_provenance_mut(b as usize)))?;
            }
        }
        if let Some(address) = state.staging.pool.take(class) {
            return Ok(Buffer { address, length });
        }
        let mut start = std::ptr::null_mut();
        // SAFETY: reason 1; `start` can be written; no flags.
        self.check(operation, unsafe { (self.driver.allocate_host)(&raw mut start, class as usize, 0) })?;
        // SAFETY: the driver has just given these bytes; they are set so that a slice of them may be made.
        unsafe { start.cast::<u8>().write_bytes(0, class as usize) };
        let address = start.expose_provenance() as u64;
        state.staging.pool.add(address, class);
        Ok(Buffer { address, length })
    }

    fn collect_buffers(&self, state: &mut State) -> Outcome<()> {
        let State { queues, staging, .. } = state;
        staging.pool.collect(|event| self.has_passed(queues, *event))
    }

    fn unpin(&self, start: *mut u8) -> Outcome<()> {
        // SAFETY: reason 1; the buffer came from the driver, is not in use, and is forgotten by its pool.
        self.check("free", unsafe { (self.driver.free_host)(start.cast()) })
    }
}

/// Copies bytes, by several threads where there are many. Threads of its own: a thread that waits for rayon's may take up other work
/// of its program meanwhile, which may be a call of a compiled function in the middle of this one.
fn transfer(to: &mut [u8], from: &[u8]) {
    if to.len() < PARALLEL {
        return to.copy_from_slice(from);
    }
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get).min(MOST_THREADS);
    let share = to.len().div_ceil(threads);
    std::thread::scope(|scope| {
        for (to, from) in to.chunks_mut(share).zip(from.chunks(share)) {
            let copy = move || to.copy_from_slice(from);
            scope.spawn(copy);
        }
    });
}

#[cfg(test)]
mod tests {
    #[test]
    fn all_bytes_are_transferred() {
        for length in [0, 1, super::PARALLEL - 1, super::PARALLEL, 3 * super::PARALLEL + 7] {
            let from: Vec<u8> = (0..length).map(|at| ((at * 7) >> 5) as u8).collect();
            let mut to = vec![0xff; length];
            super::transfer(&mut to, &from);
            assert!(to == from, "{length}");
        }
    }
}
