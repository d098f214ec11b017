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

/// A copy to the host for which the host waits.
pub fn download(
    device: &dyn Device,
    (moved, copies): (&mut Moved, Option<&Copies>),
    (from, made): (Address, Option<Event>),
    to: &mut [u8],
) -> Outcome<()> {
    let rows = Rows::one(to.len());
    let Some(timer) = copies.and_then(|copies| copies.timer(Side::Cpu, to.len())) else {
        return device.finish_download(receive(device, moved, (from, rows), made)?, to);
    };
    let made = made.map_or_else(|| device.record(Queue::Compute), Ok)?;
    device.synchronize(made)?;
    let begun = timer.begin(device);
    device.finish_download(receive(device, moved, (from, rows), Some(made))?, to)?;
    if let Some(begun) = begun {
        timer.end(device, begun);
    }
    Ok(())
}
