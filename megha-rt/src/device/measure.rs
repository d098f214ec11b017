//! What a device can do at most, measured on it and kept across runs.
//!
//! The ceilings are measured through the same interface that compiled functions use: a copy through the device's staging buffers and not
//! the bus's promise, a launch with its waiting. Each is the best of several rounds.

use std::time::{Duration, Instant};

use megha_base::plan::Launch;

use super::{Address, Arg, Device, Failure, Module, Outcome, Queue, Rates};

mod keep;
mod ptx;

pub use super::kept::notes;

/// How much is measured: rates at growing scales, up to the first at which a round takes long enough.
#[derive(Debug, Clone, Copy)]
struct Effort {
    scales: &'static [u32],
    /// Rounds at each scale, of which the best counts.
    rounds: u32,
}

/// Some tenths of a second on hardware, and not for ever on a slow device.
const FULL: Effort = Effort { scales: &[1, 8, 64, 512, 2048], rounds: 5 };
/// Launches in a row, of which each delays the next.
const ROW: u32 = 32;
/// A round that takes so long hides the launch.
const LONG_ENOUGH: Duration = Duration::from_millis(1);
/// Bytes of the arrays that are copied within the device, at scale 1 and at most.
const ARRAY: [u64; 2] = [512 << 10, 256 << 20];
/// Bytes that are copied from and to the host.
const TRANSFER: [u64; 2] = [128 << 10, 64 << 20];
/// Blocks of 256 threads that multiply and add, at scale 1, and how often each thread goes around its loop.
const BLOCKS: u32 = 16;
const TURNS: u32 = 64;

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
            super::kept::note(format!("the rates of {} could not be measured: {failure}", device.name()));
            None
        }
    }
}

/// Measures a device.
///
/// # Errors
/// Any operation that fails.
pub fn measure(device: &dyn Device) -> Outcome<Rates> {
    measure_with(device, &FULL)
}

fn measure_with(device: &dyn Device, effort: &Effort) -> Outcome<Rates> {
    let mut bench = Bench { device, module: device.load(ptx::TEXT)?, effort: *effort, blocks: Vec::new() };
    let (launch, copy) = (bench.launches(1)?, bench.smallest_copy()?);
    let queued = bench.queued(launch)?;
    Ok(Rates {
        memory: bench.memory()?,
        flops64: bench.flops("fma64")?,
        flops32: bench.flops("fma32")?,
        upload: bench.upload()?,
        download: bench.download()?,
        launch,
        queued,
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

    /// So many launches in a row.
    fn launches(&mut self, number: u32) -> Outcome<Duration> {
        let run = || (0..number).try_for_each(|_| self.start("nothing", 1, &[]));
        self.best(Queue::Compute, 4 * self.effort.rounds, run)
    }

    /// What each further launch adds to one.
    fn queued(&mut self, launch: Duration) -> Outcome<Duration> {
        let row = self.launches(ROW)?;
        Ok((row.saturating_sub(launch) / (ROW - 1)).clamp(Duration::from_nanos(1), launch))
    }

    fn smallest_copy(&mut self) -> Outcome<Duration> {
        let to = self.allocate(256)?;
        self.best(Queue::Upload, 4 * self.effort.rounds, || self.device.upload(Queue::Upload, to, &[0; 8]))
    }

    /// The rate at the scale that takes long enough: `run` measures one scale, and says how much was done and in which time.
    fn rate(&mut self, mut run: impl FnMut(&mut Self, u32) -> Outcome<(f64, Duration)>) -> Outcome<f64> {
        let mut rate = 0.0;
        for scale in self.effort.scales {
            let outcome = run(self, *scale);
            self.release();
            let (amount, time) = match outcome {
                // a larger scale may need more memory than is free
                Err(Failure::OutOfMemory { .. }) if rate > 0.0 => break,
                outcome => outcome?,
            };
            rate = amount / time.as_secs_f64();
            if time >= LONG_ENOUGH {
                break;
            }
        }
        Ok(rate)
    }

    /// Bytes a second that are read and written by a kernel that copies.
    fn memory(&mut self) -> Outcome<f64> {
        self.rate(|bench, scale| {
            let bytes = scaled(ARRAY, scale);
            let [from, to] = [bench.allocate(bytes)?, bench.allocate(bytes)?];
            bench.device.fill(Queue::Compute, from, &[1], bytes)?;
            let args = [Arg::Address(to), Arg::Address(from), Arg::U64(bytes / 8)];
            let blocks = bytes.div_ceil(8 * 256).min(1 << 16) as u32;
            let time = bench.best(Queue::Compute, bench.effort.rounds, || bench.start("copy", blocks, &args))?;
            Ok((2.0 * bytes as f64, time))
        })
    }

    /// Operations a second in chains of multiply-adds.
    fn flops(&mut self, entry: &str) -> Outcome<f64> {
        self.rate(|bench, scale| {
            let blocks = BLOCKS * scale;
            let threads = u64::from(blocks) * 256;
            let args = [Arg::Address(bench.allocate(threads * 8)?), Arg::U32(TURNS)];
            let time = bench.best(Queue::Compute, bench.effort.rounds, || bench.start(entry, blocks, &args))?;
            Ok(((threads * u64::from(TURNS) * ptx::FLOPS_OF_A_TURN) as f64, time))
        })
    }

    fn upload(&mut self) -> Outcome<f64> {
        self.rate(|bench, scale| {
            let values = vec![1u8; scaled(TRANSFER, scale) as usize];
            let to = bench.allocate(values.len() as u64)?;
            let run = || bench.device.upload(Queue::Upload, to, &values);
            Ok((values.len() as f64, bench.best(Queue::Upload, bench.effort.rounds, run)?))
        })
    }

    fn download(&mut self) -> Outcome<f64> {
        self.rate(|bench, scale| {
            let mut values = vec![1u8; scaled(TRANSFER, scale) as usize];
            let (device, length) = (bench.device, values.len());
            let from = bench.allocate(length as u64)?;
            device.fill(Queue::Download, from, &[1], length as u64)?;
            let run = || {
                let download = device.begin_download(Queue::Download, from, length)?;
                device.finish_download(download, &mut values)
            };
            Ok((length as f64, bench.best(Queue::Download, bench.effort.rounds, run)?))
        })
    }
}

/// The first of two numbers times a scale, at most the second.
fn scaled([one, most]: [u64; 2], scale: u32) -> u64 {
    (one * u64::from(scale)).min(most)
}

#[cfg(all(test, feature = "sim"))]
mod tests;
