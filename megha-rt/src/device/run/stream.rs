//! A kernel that has no room as a whole goes through the device part by part (jit4GPU, Garg & Amaral 2012, section 4.4).
//!
//! While a part is computed the next one's slabs are on their way to the device and the last one's to the host: the three queues order themselves by
//! events, and a buffer is used again when its last copy or kernel is over. What is held in slabs comes from the host and goes back there, so the host
//! has it in the end; what is held as a whole is on the device as after any launch.

use std::cell::Cell;

use megha_base::plan::{Planes, Role, Slab};

use super::super::copies::{finish, receive, upload};
use super::super::session::Launch;
use super::super::table::{Place, Table};
use super::super::{Address, Arg, Download, Event, Failure, Outcome, Queue, Rows};
use super::boxes::{BUFFERS, Boxes};
use super::worth::Worth;
use super::{Addresses, Scratch, Work, note_fault};

/// How a kernel went that was streamed.
pub enum Streamed {
    /// It is done.
    Done,
    /// It was not begun, or has changed nothing that the CPU does not make again.
    Not(Failure),
}

/// The slabs of one part on the device.
struct Buffers {
    /// For each array the buffer, if it is held in slabs.
    at: Vec<Option<Address>>,
    /// When the part that had them last is over: its kernel, and its copies to the host.
    free: Option<[Event; 2]>,
    /// Its copies to the host, and where they go.
    leaving: Vec<(Download, Place)>,
}

/// A kernel under way.
struct Way<'s> {
    boxes: &'s Boxes,
    places: &'s [Place],
}

impl Way<'_> {
    /// The bytes of planes on the host.
    fn part(&self, at: usize, (first, end): Planes) -> Place {
        let each = self.boxes.planes[at] as usize;
        self.places[at].part((first.max(0) as usize * each, (end - first).max(0) as usize * each))
    }

    /// Bytes from the beginning of a buffer for a slab to these planes.
    fn offset(&self, at: usize, slab: &Slab, planes: Planes) -> u64 {
        (planes.0 - slab.touched.0).max(0).unsigned_abs() * self.boxes.planes[at]
    }
}

impl Work<'_> {
    /// Runs the kernel part by part, unless it is known what that is worth and the CPU is faster.
    ///
    /// # Errors
    /// The device failed when an array was half new of which there is no other copy.
    pub fn stream(&self, table: &mut Table, launch: &Launch<'_>, worth: Option<&Worth<'_>>) -> Outcome<Streamed> {
        let device = table.device().clone();
        if !table.guard.engage() {
            let reason = "the call has written to its caller's arrays".to_owned();
            return Ok(Streamed::Not(Failure::Operation { operation: "launch", reason }));
        }
        let places: Vec<Place> = launch.arrays.iter().enumerate().map(|(at, place)| self.place(at, *place)).collect();
        let scratch = self.scratch(&*device);
        let available = table.available().saturating_sub(scratch);
        let reads = |at: usize| matches!(self.plan.arrays[at].role, Role::In | Role::Update(_));
        let sent = |at: usize| reads(at) && !table.on_device(places[at]);
        let is_worth_it = |boxes: &Boxes| worth.is_none_or(|worth| worth.is_given(self, boxes, &sent));
        let Some(boxes) = self.boxes(&*device, available).filter(is_worth_it) else {
            return Ok(Streamed::Not(Failure::OutOfMemory { wanted: table.lacks(&places).saturating_add(scratch) }));
        };
        let whole: Vec<Place> =
            places.iter().zip(&boxes.buffers).filter(|(_, slab)| slab.is_none()).map(|(p, _)| *p).collect();
        self.hand_over(table, &boxes, &places)?;
        let begun = Cell::new(false);
        let mut held = self.plan.arrays.iter().zip(&boxes.buffers);
        let updates = held.any(|(array, slab)| slab.is_some() && matches!(array.role, Role::Update(_)));
        let timer = worth.and_then(|worth| worth.timer(self, &boxes));
        let run = &mut |table: &mut Table| {
            let started = timer.as_ref().and_then(|timer| timer.begin(&*device));
            self.stream_parts(table, (launch, &places), &boxes, &begun)?;
            started.zip(timer.as_ref()).into_iter().for_each(|(started, timer)| timer.end(&*device, started));
            Ok(())
        };
        match table.with_room(&whole, boxes.ring + scratch, run) {
            Ok(()) => {
                table.spilled.boxes += boxes.parts.len() as u64;
                table.moved.naive += self.touched();
                Ok(Streamed::Done)
            }
            Err(failure) if failure.is_final() || begun.get() && updates => Err(failure),
            Err(failure) => Ok(Streamed::Not(failure)),
        }
    }

    /// Makes the host have what goes through the device in slabs.
    fn hand_over(&self, table: &mut Table, boxes: &Boxes, places: &[Place]) -> Outcome<()> {
        let in_slabs = || (0..places.len()).filter(|at| boxes.buffers[*at].is_some());
        for at in in_slabs() {
            match self.plan.arrays[at].role {
                Role::In | Role::Update(_) => table.fetch(places[at])?,
                Role::Fresh | Role::Reduced | Role::Flag(_) => {}
            }
        }
        for at in self.stored_in_slabs(boxes) {
            table.guard.before_write(places[at]);
            table.forget(places[at].key());
        }
        Ok(())
    }

    /// Runs all parts; nothing that counts has been done where there is no memory.
    fn stream_parts(
        &self,
        table: &mut Table,
        (launch, places): (&Launch<'_>, &[Place]),
        boxes: &Boxes,
        begun: &Cell<bool>,
    ) -> Outcome<()> {
        let device = table.device().clone();
        let mut scratch = Scratch::new(&*device);
        let mut arrays = vec![Address(0); places.len()];
        for (at, array) in self.plan.arrays.iter().enumerate().filter(|(at, _)| boxes.buffers[*at].is_none()) {
            arrays[at] = match array.role {
                Role::In => table.upload(places[at])?,
                Role::Update(_) => {
                    table.settle(places[at])?;
                    table.upload(places[at])?
                }
                Role::Fresh | Role::Reduced | Role::Flag(_) => table.room(places[at])?,
            };
        }
        let mut ring = Vec::new();
        let prepared = self.ring(&mut scratch, boxes, &mut ring).and_then(|()| self.prepared(&mut scratch, &arrays));
        if let Err(Failure::OutOfMemory { wanted }) = &prepared {
            table.left.lacks(*wanted);
        }
        let (module, mut addresses) = prepared?;
        let way = Way { boxes, places };
        begun.set(true);
        let through = (0..boxes.parts.len()).try_for_each(|number| {
            self.send(table, &way, number, &mut ring[number % BUFFERS])?;
            self.point_to(&way, number, &ring[number % BUFFERS], &mut addresses);
            // not its tiles, which may read beyond what the part's points do
            self.start(&*device, module, (self.for_order(&self.plan.entries), &boxes.parts[number]), &addresses)?;
            self.bring_back(table, &way, number, &mut ring[number % BUFFERS])
        });
        // each, whatever has failed: what has left comes in
        let mut finished = through;
        for buffers in &mut ring {
            finished = finished.and(deliver(table, buffers));
        }
        let whole = self.whole();
        let finished = finished.and_then(|()| {
            if let Some(combine) = self.plan.combine.as_ref().filter(|_| whole.chunks.1 > 1) {
                self.start(&*device, module, (self.for_order(combine), &whole.results()), &addresses)?;
            }
            addresses.fault.map_or(Ok(()), |word| note_fault(&*device, word, launch.fault))
        });
        let finished = finished.map_err(not_of_memory);
        let roles = self.plan.arrays.iter().map(|array| &array.role).enumerate();
        for (at, role) in roles.filter(|(at, role)| **role != Role::In && boxes.buffers[*at].is_none()) {
            match (&finished, role) {
                (Ok(()), _) => table.written_on_device(places[at]),
                (Err(_), Role::Update(_)) => table.spoiled(places[at]),
                (Err(_), _) => {}
            }
        }
        // What the kernel also reads as a whole is there under the same key, and is old now.
        for at in self.stored_in_slabs(boxes) {
            table.forget(places[at].key());
        }
        finished
    }

    /// The arrays that parts store and bring back to the host.
    fn stored_in_slabs(&self, boxes: &Boxes) -> impl Iterator<Item = usize> {
        let arrays = self.plan.arrays.iter().zip(&boxes.buffers).enumerate();
        arrays.filter(|(_, (array, slab))| slab.is_some() && array.role != Role::In).map(|(at, _)| at)
    }

    /// The buffers of all parts that are under way at once.
    fn ring(&self, scratch: &mut Scratch<'_>, boxes: &Boxes, ring: &mut Vec<Buffers>) -> Outcome<()> {
        for _ in 0..BUFFERS {
            let buffer = |bytes: &Option<u64>| bytes.map(|bytes| scratch.allocate(bytes)).transpose();
            let at = boxes.buffers.iter().map(buffer).collect::<Outcome<Vec<_>>>()?;
            ring.push(Buffers { at, free: None, leaving: Vec::new() });
        }
        Ok(())
    }

    /// Copies the slabs of a part to the device, once its buffers are free; kernels wait for that.
    fn send(&self, table: &mut Table, way: &Way<'_>, number: usize, buffers: &mut Buffers) -> Outcome<()> {
        let device = table.device().clone();
        deliver(table, buffers)?;
        for event in buffers.free.take().into_iter().flatten() {
            device.wait(Queue::Upload, event)?;
            device.wait(Queue::Compute, event)?;
        }
        let mut sent = false;
        for (at, array) in self.plan.arrays.iter().enumerate().filter(|(_, array)| array.role != Role::Fresh) {
            let Some(to) = buffers.at[at] else { continue };
            let from = way.part(at, way.boxes.slabs[number][at].touched);
            if from.length() > 0 {
                debug_assert!(matches!(array.role, Role::In | Role::Update(_)));
                // SAFETY: the host's array is current since `hand_over`, and what parts bring back lies in other planes.
                upload(&*device, table.copies.as_ref(), to, unsafe { from.read() })?;
                table.moved.uploads += 1;
                table.moved.bytes_up += from.length();
                sent = true;
            }
        }
        if sent { device.wait(Queue::Compute, device.record(Queue::Upload)?) } else { Ok(()) }
    }

    /// Lets the entry find the part's slabs: each as the address where its array would begin.
    fn point_to(&self, way: &Way<'_>, number: usize, buffers: &Buffers, addresses: &mut Addresses) {
        for (at, buffer) in buffers.at.iter().enumerate() {
            if let Some(buffer) = buffer {
                let first = way.boxes.slabs[number][at].touched.0;
                let window = Arg::Before(*buffer, first.max(0).unsigned_abs() * way.boxes.planes[at]);
                (addresses.arrays[at], addresses.partials[at]) = (window, window);
            }
        }
    }

    /// Starts the copies of what a part has stored to the host.
    fn bring_back(&self, table: &mut Table, way: &Way<'_>, number: usize, buffers: &mut Buffers) -> Outcome<()> {
        let device = table.device().clone();
        let made = device.record(Queue::Compute)?;
        for (at, array) in self.plan.arrays.iter().enumerate().filter(|(_, array)| array.role != Role::In) {
            debug_assert!(buffers.at[at].is_none() || matches!(array.role, Role::Fresh | Role::Update(_)));
            let Some(buffer) = buffers.at[at] else { continue };
            let slab = &way.boxes.slabs[number][at];
            let to = way.part(at, slab.written);
            if to.length() > 0 {
                let from = Address(buffer.0 + way.offset(at, slab, slab.written));
                let rows = Rows::one(to.length() as usize);
                let download = receive(&*device, &mut table.moved, (from, rows), Some(made))?;
                buffers.leaving.push((download, to));
            }
        }
        buffers.free = Some([made, device.record(Queue::Download)?]);
        Ok(())
    }
}

/// What fails once parts have run cannot be done again with more room.
fn not_of_memory(failure: Failure) -> Failure {
    match failure {
        Failure::OutOfMemory { .. } => Failure::Operation { operation: "launch", reason: failure.to_string() },
        Failure::Operation { .. } | Failure::Lost { .. } | Failure::Absent { .. } => failure,
    }
}

/// Waits for the copies to the host that buffers have under way.
fn deliver(table: &mut Table, buffers: &mut Buffers) -> Outcome<()> {
    let mut outcome = Ok(());
    for (download, to) in buffers.leaving.drain(..) {
        // SAFETY: the array is that of the launch, whose function waits here, and no two parts store into one plane.
        let delivered = finish(&**table.device(), download, unsafe { to.write() });
        outcome = outcome.and(delivered);
    }
    outcome
}
