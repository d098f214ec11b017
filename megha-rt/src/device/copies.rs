//! Copies between host and device: what they are estimated to take, and how that is measured.
//!
//! A copy to the device is timed between two stamps in its queue. One to the host is delivered by the host, so it is timed from where the
//! host begins to wait for it; then its source must have been made before, which the host waits for too.

use std::sync::Arc;

use super::learn::{Case, Learned, Timer};
use super::schedule::Side;
use super::table::Moved;
use super::{Address, Device, Download, Event, Outcome, Queue, Rates, Rows};

/// What copies of a device take.
#[derive(Clone)]
pub struct Copies {
    rates: Rates,
    learned: Arc<Learned>,
}

impl Copies {
    /// By the rates of a device, and by what was learnt of it.
    pub fn new(rates: Rates, learned: &Arc<Learned>) -> Copies {
        Copies { rates, learned: learned.clone() }
    }

    /// Seconds that a copy of so many bytes to a side is estimated to take, without correction.
    fn estimate(&self, to: Side, bytes: f64) -> f64 {
        let rate = if to == Side::Gpu { self.rates.upload } else { self.rates.download };
        self.rates.copy.as_secs_f64() + bytes / rate
    }

    /// The same with correction.
    pub fn seconds(&self, to: Side, bytes: f64) -> f64 {
        self.estimate(to, bytes) * self.learned.correction(Case::copy(to, bytes))
    }

    fn timer(&self, to: Side, bytes: usize) -> Option<Timer<'_>> {
        let bytes = bytes as f64;
        Timer::of(&self.learned, Case::copy(to, bytes), self.estimate(to, bytes))
    }
}

/// Copies to the device.
pub fn upload(device: &dyn Device, copies: Option<&Copies>, to: Address, from: &[u8]) -> Outcome<()> {
    let timer = copies.and_then(|copies| copies.timer(Side::Gpu, from.len()));
    let begun = timer.as_ref().and_then(|timer| timer.begin(device));
    device.upload(Queue::Upload, to, from)?;
    if let Some((timer, begun)) = timer.zip(begun) {
        timer.end(device, begun);
    }
    Ok(())
}

/// Starts a copy to the host after what made its source; if that is not known, after all that is in the queue.
pub fn receive(
    device: &dyn Device,
    moved: &mut Moved,
    (from, rows): (Address, Rows),
    made: Option<Event>,
) -> Outcome<Download> {
    let made = made.map_or_else(|| device.record(Queue::Compute), Ok)?;
    device.wait(Queue::Download, made)?;
    let download = match rows.count {
        1 => device.begin_download(Queue::Download, from, rows.bytes)?,
        _ => device.begin_rows(Queue::Download, from, rows)?,
    };
    moved.downloads += 1;
    moved.bytes_down += rows.length() as u64;
    Ok(download)
}

/// Waits for a copy to the host. If that fails and the device is still there, the copy may be under way: what is put into queues from now on waits for it, so that nothing
/// changes its source before it is read.
pub fn finish(device: &dyn Device, download: Download, to: &mut [u8]) -> Outcome<()> {
    let arrived = device.finish_download(download, to);
    if arrived.is_err()
        && let Ok(read) = device.record(Queue::Download)
    {
        // who cannot wait cannot launch either
        let _ = device.wait(Queue::Compute, read).and_then(|()| device.wait(Queue::Upload, read));
    }
    arrived
}

/// A copy to the host for which the host waits.
pub fn download(
    device: &dyn Device,
    (moved, copies): (&mut Moved, Option<&Copies>),
    (from, made): (Address, Option<Event>),
    to: &mut [u8],
) -> Outcome<()> {
    let rows = Rows::one(to.len());
    let Some(timer) = copies.and_then(|copies| copies.timer(Side::Cpu, to.len())) else {
        return finish(device, receive(device, moved, (from, rows), made)?, to);
    };
    let made = made.map_or_else(|| device.record(Queue::Compute), Ok)?;
    device.synchronize(made)?;
    let begun = timer.begin(device);
    finish(device, receive(device, moved, (from, rows), Some(made))?, to)?;
    if let Some(begun) = begun {
        timer.end(device, begun);
    }
    Ok(())
}

#[cfg(all(test, feature = "sim"))]
mod tests {
    use megha_sim::Operation;

    use super::super::sim::SimDevice;
    use super::*;

    /// The copy may still be under way: what changes its source then comes behind it.
    #[test]
    fn a_copy_for_which_nobody_could_wait_is_read_before_its_source_changes() {
        let device = SimDevice::new(SimDevice::standard());
        let bytes = vec![7u8; 4096];
        let from = device.allocate(4096).unwrap();
        device.upload(Queue::Upload, from, &bytes).unwrap();
        let sent = device.record(Queue::Upload).unwrap();
        device.wait(Queue::Compute, sent).unwrap();
        let begun = receive(&device, &mut Moved::default(), (from, Rows::one(4096)), Some(sent)).unwrap();
        device.simulator().fail(Operation::Synchronize, 1);
        finish(&device, begun, &mut [0; 4096]).unwrap_err();
        device.fill(Queue::Compute, from, &[1], 4096).unwrap();
        assert_eq!(device.mistakes(), [""; 0]);
    }
}
