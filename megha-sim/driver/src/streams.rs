//! Operations in streams, which run as late as the interface allows.

use megha_sim::{Arg, Launch, Product, Ptr};

use crate::machine::{Code, ILLEGAL_ADDRESS, INVALID_HANDLE, LAUNCH_FAILED, Machine};

/// What a stream holds.
pub enum Operation {
    /// From pinned memory, which is read when it runs.
    ToDevice {
        to: u64,
        from: usize,
        bytes: usize,
    },
    /// From ordinary memory, which was read when it was issued.
    Values {
        to: u64,
        values: Vec<u8>,
    },
    ToHost {
        to: usize,
        from: u64,
        bytes: usize,
    },
    Within {
        to: u64,
        from: u64,
        bytes: usize,
    },
    /// The same bytes so many times, with so many from one time to the next.
    Fill {
        to: u64,
        element: Vec<u8>,
        pitch: usize,
        count: usize,
    },
    Launch {
        module: usize,
        entry: String,
        launch: Launch,
        args: Vec<Arg>,
    },
    /// By cuBLAS.
    Product(Product),
    /// Gives a block of memory back.
    Free {
        address: u64,
    },
    /// The record of an event with this number.
    Record {
        event: usize,
        number: usize,
    },
    /// Waits for that.
    Wait {
        event: usize,
        number: usize,
    },
}

/// An event.
#[derive(Default)]
pub struct Event {
    /// Whether it keeps times.
    pub timed: bool,
    pub records: Vec<Record>,
    /// Nobody may use it any more; what waits for it goes on waiting.
    pub destroyed: bool,
}

/// What was recorded in a stream, as the simulator's event once it has run.
pub struct Record {
    pub stream: usize,
    pub point: Option<megha_sim::Event>,
}

impl Machine {
    pub fn issue(&mut self, stream: usize, operation: Operation) -> Result<(), Code> {
        let queue = self.streams.get_mut(&stream).ok_or(INVALID_HANDLE)?;
        self.launches += u64::from(matches!(operation, Operation::Launch { .. }));
        self.products += u64::from(matches!(operation, Operation::Product(_)));
        let copies =
            matches!(operation, Operation::ToDevice { .. } | Operation::Values { .. } | Operation::ToHost { .. });
        self.copies += u64::from(copies);
        queue.waiting.push_back(operation);
        Ok(())
    }

    /// An event that was not destroyed.
    pub fn event(&mut self, event: usize) -> Result<&mut Event, Code> {
        self.events.get_mut(&event).filter(|event| !event.destroyed).ok_or(INVALID_HANDLE)
    }

    /// Whether an event's last record has run.
    pub fn passed(&mut self, event: usize) -> Result<bool, Code> {
        Ok(self.event(event)?.records.last().is_none_or(|record| record.point.is_some()))
    }

    /// The last record of an event, as the simulator's event if it has run.
    pub fn point(&self, event: usize) -> Option<&megha_sim::Event> {
        self.events.get(&event)?.records.last()?.point.as_ref()
    }

    /// Runs a stream until an event's record of this number has run; that as the simulator's event.
    pub fn run_until(&mut self, event: usize, number: usize) -> Result<Option<megha_sim::Event>, Code> {
        while let Some(record) = self.events.get(&event).and_then(|event| event.records.get(number)) {
            if record.point.is_some() {
                return Ok(record.point.clone());
            }
            if !self.step(record.stream)? {
                break;
            }
        }
        Ok(None)
    }

    /// Runs all of a stream.
    pub fn run_all(&mut self, stream: usize) -> Result<(), Code> {
        while self.step(stream)? {}
        Ok(())
    }

    /// Runs all streams.
    pub fn run_everything(&mut self) -> Result<(), Code> {
        let streams: Vec<usize> = self.streams.keys().copied().collect();
        streams.into_iter().try_for_each(|stream| self.run_all(stream))
    }

    /// Runs the next operation of a stream, and before it what it waits for; whether there was one.
    pub fn step(&mut self, number: usize) -> Result<bool, Code> {
        let Some(queue) = self.streams.get_mut(&number) else { return Ok(false) };
        let stream = queue.stream;
        let Some(operation) = queue.waiting.pop_front() else { return Ok(false) };
        let device = &self.device;
        let done = match operation {
            Operation::ToDevice { to, from, bytes } => {
                let Some(values) = self.pinned(from, bytes) else { return self.gone("a source of a copy") };
                device.copy_in(stream, Ptr(to), values)
            }
            Operation::Values { to, values } => device.copy_in(stream, Ptr(to), &values),
            Operation::ToHost { to, from, bytes } => {
                let mut values = vec![0; bytes];
                let done = device.copy_out(stream, &mut values, Ptr(from));
                // SAFETY: the caller of the copy keeps this memory for it.
                unsafe { std::ptr::copy_nonoverlapping(values.as_ptr(), to as *mut u8, bytes) };
                done
            }
            Operation::Within { to, from, bytes } => device.copy_within(stream, Ptr(to), Ptr(from), bytes),
            Operation::Fill { to, element, pitch, count } => {
                device.fill_each(stream, Ptr(to), (&element, pitch), count)
            }
            Operation::Launch { module, entry, launch, args } => {
                let Some(module) = self.modules.get(&module) else { return self.gone("a module") };
                device.launch(stream, module, &entry, launch, &args).map(drop)
            }
            Operation::Product(product) => device.multiply(stream, &product),
            Operation::Free { address } => {
                self.blocks.remove(&address);
                device.free(Ptr(address))
            }
            Operation::Record { event, number } => {
                let record = self.events.get_mut(&event).and_then(|event| event.records.get_mut(number));
                if let (Some(record), Ok(point)) = (record, device.record(stream)) {
                    record.point = Some(point);
                }
                Ok(())
            }
            Operation::Wait { event, number } => {
                let point = self.run_until(event, number)?;
                point.map_or(Ok(()), |point| self.device.wait(stream, &point))
            }
        };
        done.map(|()| true).map_err(|error| self.exception(&error))
    }

    fn pinned(&self, from: usize, bytes: usize) -> Option<&[u8]> {
        self.pinned.iter().find_map(|(start, block)| block.get(from.checked_sub(*start)?..)?.get(..bytes))
    }

    fn gone(&mut self, what: &str) -> Result<bool, Code> {
        self.mistake(format!("{what} was destroyed before it was used"));
        Err(INVALID_HANDLE)
    }

    /// An operation that failed on the device: from now on everything fails.
    fn exception(&mut self, error: &megha_sim::Error) -> Code {
        self.mistake(error.to_string());
        self.broken = if matches!(error, megha_sim::Error::Kernel(_)) { ILLEGAL_ADDRESS } else { LAUNCH_FAILED };
        self.broken
    }
}
