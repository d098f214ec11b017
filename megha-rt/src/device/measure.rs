//! What a device can do at most, measured on it and kept across runs.
//!
//! The ceilings are measured through the same interface that compiled functions use: a copy through the device's staging buffers and not
//! the bus's promise, a launch with its waiting. Each is the best of several rounds.

use std::time::{Duration, Instant};

use megha_base::plan::Launch;

use super::{Address, Arg, Device, Module, Outcome, Queue, Rates};

mod keep;
mod ptx;

pub use keep::notes;

/// How much is measured.
#[derive(Debug, Clone, Copy)]
struct Effort {
    /// Bytes of the arrays that are copied within the device.
    array: u64,
    /// Bytes that are copied from and to the host.
    transfer: usize,
    /// Blocks of 256 threads that multiply and add, and how often each goes around its loop.
    blocks: u32,
    turns: u32,
    /// Rounds, of which the best counts.
    rounds: u32,
}

/// Some tenths of a second on any device.
const FULL: Effort = Effort { array: 256 << 20, transfer: 64 << 20, blocks: 16 << 10, turns: 512, rounds: 5 };

/// The rates of a device with this version of its driver: those of an earlier run, or measured now. `None` if it cannot be measured.
pub(super) fn known_or_measured(device: &dyn Device, driver: i32) -> Option<Rates> {
    let place = keep::Place::of(device.name(), driver);
    if let Some(rates) = place.as_ref().and_then(keep::Place::read) {
        return Some(rates);
    }
    match measure(device) {
        Ok(rates) => {
            if let Some(place) = place {
                place.write(&rates);
            }
            Some(rates)
        }
        Err(failure) => {
            keep::note(format!("the rates of {} could not be measured: {failure}", device.name()));
            None
        }
    }
}

/// Measures a device.
///
/// # Errors
/// Any operation that fails.
pub fn measure(device: &dyn Device) -> Outcome<Rates> {
    let (free, _) = device.memory()?;
    measure_with(device, &Effort { array: FULL.array.min(free / 8).next_multiple_of(256), ..FULL })
}

fn measure_with(device: &dyn Device, effort: &Effort) -> Outcome<Rates> {
    let mut bench = Bench { device, module: device.load(ptx::TEXT)?, effort: *effort, blocks: Vec::new() };
    let (launch, copy) = (bench.launch()?, bench.smallest_copy()?);
    Ok(Rates {
        memory: bench.memory()?,
        flops64: bench.flops("fma64")?,
        flops32: bench.flops("fma32")?,
        upload: bench.upload()?,
        download: bench.download()?,
        launch,
        copy,
    })
}

/// A device that is measured, and the memory that this takes.
struct Bench<'d> {
    device: &'d dyn Device,
    module: Module,
    effort: Effort,
    blocks: Vec<Address>,
}

impl Drop for Bench<'_> {
    fn drop(&mut self) {
        self.release();
    }
}

impl Bench<'_> {
    fn allocate(&mut self, bytes: u64) -> Outcome<Address> {
        let block = self.device.allocate(bytes)?;
        self.blocks.push(block);
        Ok(block)
    }

    fn release(&mut self) {
        self.blocks.drain(..).for_each(|block| self.device.free(block));
    }

    /// The shortest time of several rounds, of which the first only warms up; each ends when its queue is empty.
    fn best(&self, queue: Queue, rounds: u32, mut run: impl FnMut() -> Outcome<()>) -> Outcome<Duration> {
        let mut best = Duration::MAX;
        for round in 0..=rounds {
            let start = Instant::now();
            run()?;
            self.device.synchronize(self.device.record(queue)?)?;
            if round > 0 {
                best = best.min(start.elapsed());
            }
        }
        Ok(best.max(Duration::from_nanos(1)))
    }

    fn start(&self, entry: &str, blocks: u32, args: &[Arg]) -> Outcome<()> {
        let launch = Launch { grid: [blocks, 1, 1], block: [256, 1, 1] };
        self.device.launch(Queue::Compute, self.module, entry, launch, args)
    }

    fn launch(&mut self) -> Outcome<Duration> {
        self.best(Queue::Compute, 4 * self.effort.rounds, || self.start("nothing", 1, &[]))
    }

    fn smallest_copy(&mut self) -> Outcome<Duration> {
        let to = self.allocate(256)?;
        self.best(Queue::Upload, 4 * self.effort.rounds, || self.device.upload(Queue::Upload, to, &[0; 8]))
    }

    /// Bytes a second that are read and written by a kernel that copies.
    fn memory(&mut self) -> Outcome<f64> {
        let bytes = self.effort.array;
        let [from, to] = [self.allocate(bytes)?, self.allocate(bytes)?];
        self.device.fill(Queue::Compute, from, 1, bytes)?;
        let args = [Arg::Address(to), Arg::Address(from), Arg::U64(bytes / 8)];
        let blocks = bytes.div_ceil(8 * 256).min(1 << 16) as u32;
        let time = self.best(Queue::Compute, self.effort.rounds, || self.start("copy", blocks, &args))?;
        self.release();
        Ok(2.0 * bytes as f64 / time.as_secs_f64())
    }

    /// Operations a second in chains of multiply-adds.
    fn flops(&mut self, entry: &str) -> Outcome<f64> {
        let Effort { blocks, turns, rounds, .. } = self.effort;
        let threads = u64::from(blocks) * 256;
        let args = [Arg::Address(self.allocate(threads * 8)?), Arg::U32(turns)];
        let time = self.best(Queue::Compute, rounds, || self.start(entry, blocks, &args))?;
        self.release();
        Ok((threads * u64::from(turns) * ptx::FLOPS_OF_A_TURN) as f64 / time.as_secs_f64())
    }

    fn upload(&mut self) -> Outcome<f64> {
        let (device, values) = (self.device, vec![1u8; self.effort.transfer]);
        let to = self.allocate(values.len() as u64)?;
        let time = self.best(Queue::Upload, self.effort.rounds, || device.upload(Queue::Upload, to, &values))?;
        self.release();
        Ok(values.len() as f64 / time.as_secs_f64())
    }

    fn download(&mut self) -> Outcome<f64> {
        let (device, mut values) = (self.device, vec![1u8; self.effort.transfer]);
        let from = self.allocate(values.len() as u64)?;
        device.fill(Queue::Download, from, 1, values.len() as u64)?;
        let time = self.best(Queue::Download, self.effort.rounds, || {
            let download = device.begin_download(Queue::Download, from, values.len())?;
            device.finish_download(download, &mut values)
        })?;
        self.release();
        Ok(values.len() as f64 / time.as_secs_f64())
    }
}

#[cfg(all(test, feature = "sim"))]
mod tests;
