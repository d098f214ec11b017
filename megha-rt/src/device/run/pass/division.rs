//! How launches that wait are divided: into steps that go through the device at once, and these into bands.

use super::super::super::later::Waiting;
use super::super::super::table::Place;
use super::super::super::tiles::{Pace, Tiling};
use super::super::super::{Device, Rates};
use super::arrays::Gathered;

/// Steps that say what the arrays of a loop are: its states take turns in a few places.
const TURNS: usize = 3;

/// Launches as they go through.
pub struct Division<'p> {
    pub tiling: Tiling,
    /// The steps that go at once, one after the other.
    pub chunks: Vec<Chunk<'p>>,
    /// What is on the device as a whole.
    pub wholes: Vec<Place>,
    /// The bytes of each of its buffers, of which there are two.
    pub buffers: Vec<u64>,
}

/// Steps that go at once.
pub struct Chunk<'p> {
    pub launches: &'p [Waiting],
    pub gathered: Gathered,
    /// The first band and the one behind the last.
    pub bands: (i64, i64),
}

impl<'p> Division<'p> {
    /// The best one for which there is room.
    pub fn of(
        (device, rates): (&dyn Device, &Rates),
        launches: &'p [Waiting],
        (slope, pace): (i64, Pace),
        available: u64,
    ) -> Option<Division<'p>> {
        let (first, last) = (launches.first()?.turn.step, launches.last()?.turn.step);
        let until = |steps: usize| launches.partition_point(|waiting| waiting.turn.step < first + steps);
        let shape = Gathered::of(&launches[..until(TURNS)])?.shape(device, (slope, until(1)));
        let mut tiling = shape.best((last - first + 1, pace), (device, rates), available)?;
        loop {
            let division = Division::by(tiling, launches)?;
            let whole = division.wholes.iter().map(|place| device.takes(place.length())).sum::<u64>();
            if division.ring(device).saturating_add(whole) <= available {
                return Some(division);
            }
            // steps may differ
            match (tiling.width, tiling.steps) {
                (1, 1) => return None,
                (1, steps) => tiling.steps = steps / 2,
                (width, _) => tiling.width = width - (width / 16).max(1),
            }
        }
    }

    fn by(tiling: Tiling, launches: &'p [Waiting]) -> Option<Division<'p>> {
        let mut division = Division { tiling, chunks: Vec::new(), wholes: Vec::new(), buffers: Vec::new() };
        let mut left = launches;
        while let Some(first) = left.first() {
            let end = first.turn.step + tiling.steps;
            let (own, others) = left.split_at(left.partition_point(|waiting| waiting.turn.step < end));
            let chunk = Chunk::of(own, tiling.width)?;
            for (number, window) in chunk.gathered.windows.iter().enumerate() {
                let bytes = window.bytes(tiling.width);
                match division.buffers.get_mut(number) {
                    Some(own) => *own = bytes.max(*own),
                    None => division.buffers.push(bytes),
                }
            }
            for place in &chunk.gathered.wholes {
                if !division.wholes.contains(place) {
                    division.wholes.push(*place);
                }
            }
            division.chunks.push(chunk);
            left = others;
        }
        let stored = |place: &Place| division.chunks.iter().any(|chunk| chunk.gathered.stores(*place));
        let stays = !division.wholes.iter().any(stored);
        stays.then_some(division)
    }

    pub fn ring(&self, device: &dyn Device) -> u64 {
        self.buffers.iter().map(|bytes| 2 * device.takes(*bytes)).fold(0, u64::saturating_add)
    }

    pub fn bands(&self) -> u64 {
        self.chunks.iter().map(|chunk| (chunk.bands.1 - chunk.bands.0).unsigned_abs()).sum()
    }
}

impl<'p> Chunk<'p> {
    fn of(launches: &'p [Waiting], width: i64) -> Option<Chunk<'p>> {
        let mut rows = (i64::MAX, i64::MIN);
        for waiting in launches {
            let work = waiting.work()?;
            let low = waiting.turn.first + waiting.turn.shift;
            let count = waiting.along.map_or(1, |along| work.whole().loops[along].1);
            // A launch without rows may begin anywhere.
            if count > 0 {
                rows = (rows.0.min(low), rows.1.max(low + count));
            }
        }
        let rows = if rows.0 < rows.1 { rows } else { (0, 1) };
        let bands = (rows.0.div_euclid(width), (rows.1 - 1).div_euclid(width) + 1);
        Some(Chunk { launches, gathered: Gathered::of(launches)?, bands })
    }
}
