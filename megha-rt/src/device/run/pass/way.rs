//! Steps that go through the device at once, band by band.

use std::cell::Cell;
use std::collections::VecDeque;

use megha_base::plan::{Entry, Grid, Planes};

use super::super::super::copies::{finish, receive, upload};
use super::super::super::later::Waiting;
use super::super::super::table::{Place, Table};
use super::super::super::{Address, Arg, Device, Download, Event, Failure, Module, Outcome, Queue, Rows};
use super::super::{Addresses, Scratch, Work};
use super::arrays::{Found, Window};
use super::division::{Chunk, Division};

/// Bands whose planes are on their way to the host at most.
const LEAVING: usize = 3;

/// Steps on their way through the device.
pub struct Way<'p> {
    division: &'p Division<'p>,
    /// The memory of all windows, for bands that take turns.
    buffers: Vec<[Address; 2]>,
    /// When what two bands share had been copied.
    copied: Option<Event>,
    /// When what left the memory of either turn had left.
    left: [Option<Event>; 2],
    /// What is on its way to the host, band by band.
    leaving: VecDeque<Vec<(Download, Place)>>,
}

/// The launches of steps that go at once, ready to start.
struct Ready<'p> {
    chunk: &'p Chunk<'p>,
    launches: Vec<Launchable<'p>>,
    /// Where the arrays are that are on the device as wholes.
    wholes: Vec<Address>,
}

/// A launch of which bands are parts.
struct Launchable<'p> {
    work: Work<'p>,
    module: Module,
    waiting: &'p Waiting,
    /// The entry for all bands: what a tile reads beyond its points lies among what they read, and so in the same planes.
    entry: &'p Entry,
}

/// A band of steps that go at once.
#[derive(Clone, Copy)]
struct Band<'r> {
    ready: &'r Ready<'r>,
    number: i64,
    /// Which of the two memories is its own.
    turn: usize,
    width: i64,
}

impl<'r> Band<'r> {
    fn windows(self) -> impl Iterator<Item = (usize, &'r Window)> {
        self.ready.chunk.gathered.windows.iter().enumerate()
    }

    /// The rows of so many bands later, those of the launches that are not behind.
    fn rows(self, later: i64) -> (i64, i64) {
        ((self.number + later) * self.width, (self.number + later + 1) * self.width)
    }

    /// The planes of a window, and those in the band before.
    fn planes(self, window: &Window) -> [Planes; 2] {
        let now = window.of_band(self.rows(0));
        let is_first = self.number == self.ready.chunk.bands.0;
        [now, if is_first { (now.0, now.0) } else { window.of_band(self.rows(-1)) }]
    }

    /// Whether planes that are sent for it take the place of some that left two bands before.
    fn overwrites(self) -> bool {
        // before the second band other steps had the memory
        self.number < self.ready.chunk.bands.0 + 2
            || self.windows().any(|(_, window)| {
                let ([now, before], earlier) = (self.planes(window), window.of_band(self.rows(-2)));
                before.1.max(now.0) - now.0 < before.0 - earlier.0
            })
    }
}

impl<'p> Way<'p> {
    /// With all memory that it needs.
    pub fn prepared(table: &mut Table, scratch: &mut Scratch<'_>, division: &'p Division<'p>) -> Outcome<Way<'p>> {
        for place in &division.wholes {
            table.upload(*place)?;
        }
        let mut buffers = Vec::new();
        for bytes in &division.buffers {
            let mut buffer = || scratch.allocate(*bytes);
            let both = buffer().and_then(|one| Ok([one, buffer()?]));
            if let Err(Failure::OutOfMemory { wanted }) = both {
                table.left.lacks(wanted);
            }
            buffers.push(both?);
        }
        Ok(Way { division, buffers, copied: None, left: [None; 2], leaving: VecDeque::new() })
    }

    /// Runs all steps. What is on its way when something fails goes nowhere.
    pub fn run(&mut self, table: &mut Table, delivered: &Cell<bool>) -> Outcome<()> {
        let outcome = self.chunks(table, delivered).and_then(|()| {
            while !self.leaving.is_empty() {
                self.deliver(table, delivered)?;
            }
            Ok(())
        });
        self.leaving.drain(..).flatten().for_each(|(download, _)| table.dispose(download));
        outcome
    }

    fn chunks(&mut self, table: &mut Table, delivered: &Cell<bool>) -> Outcome<()> {
        let (division, mut turn) = (self.division, 0);
        for chunk in &division.chunks {
            let ready = Ready::of(table, chunk, division.tiling.width)?;
            for number in chunk.bands.0..chunk.bands.1 {
                if self.leaving.len() >= LEAVING {
                    self.deliver(table, delivered)?;
                }
                let band = Band { ready: &ready, number, turn, width: division.tiling.width };
                self.enter(table, band, delivered)?;
                self.compute(table.device().as_ref(), band)?;
                self.leave(table, band)?;
                turn = 1 - turn;
            }
        }
        Ok(())
    }

    /// Where a plane is in one of the two memories of a window whose first plane is this.
    fn at(&self, (number, window): (usize, &Window), (turn, first): (usize, i64), plane: i64) -> Address {
        Address(self.buffers[number][turn].0 + window.length((first, plane)) as u64)
    }

    /// Brings the planes of a band to its memory.
    fn enter(&mut self, table: &mut Table, band: Band<'_>, delivered: &Cell<bool>) -> Outcome<()> {
        let device = table.device().clone();
        if let Some(copied) = self.copied.take() {
            device.wait(Queue::Upload, copied)?;
        }
        if let Some(left) = self.left[band.turn].take() {
            if band.overwrites() {
                device.wait(Queue::Upload, left)?;
            }
            device.wait(Queue::Compute, left)?;
        }
        let mut sent = false;
        for (number, window) in band.windows().filter(|(_, window)| window.sent) {
            let [now, before] = band.planes(window);
            let new = (now.0.max(before.1), now.1);
            let from = window.part(new);
            if from.length() > 0 {
                while self.leaving.iter().flatten().any(|(_, place)| place.meets(from)) {
                    self.deliver(table, delivered)?;
                }
                // SAFETY: the host's array is current since the launch was noted, but for planes that are on their way to it, of which these are none.
                let bytes = unsafe { from.read() };
                let to = self.at((number, window), (band.turn, now.0), new.0);
                upload(&*device, table.copies.as_ref(), to, bytes)?;
                table.moved.uploads += 1;
                table.moved.bytes_up += from.length();
                sent = true;
            }
        }
        if sent {
            device.wait(Queue::Compute, device.record(Queue::Upload)?)?;
        }
        for (number, window) in band.windows() {
            let [now, before] = band.planes(window);
            let bytes = window.length((now.0, before.1.min(now.1))) as u64;
            if bytes > 0 {
                let to = self.at((number, window), (band.turn, now.0), now.0);
                let from = self.at((number, window), (1 - band.turn, before.0), now.0);
                device.copy(Queue::Compute, to, from, bytes)?;
            }
        }
        self.copied = Some(device.record(Queue::Compute)?);
        Ok(())
    }

    /// Starts the launches of a band.
    fn compute(&self, device: &dyn Device, band: Band<'_>) -> Outcome<()> {
        let windows: Vec<Arg> = band
            .windows()
            .map(|(number, window)| {
                let before = window.length((0, band.planes(window)[0].0));
                Arg::Before(self.buffers[number][band.turn], before as u64)
            })
            .collect();
        let Ready { chunk, launches, wholes } = band.ready;
        for (Launchable { work, module, waiting, entry }, found) in launches.iter().zip(&chunk.gathered.found) {
            let address = |found: &Found| match *found {
                Found::Nowhere => Arg::Address(Address(0)),
                Found::Whole(number) => Arg::Address(wholes[number]),
                Found::Window(number) => windows[number],
            };
            let arrays: Vec<Arg> = found.iter().map(address).collect();
            let addresses = Addresses { arrays, partials: Vec::new(), fault: None };
            let part = work.band(waiting, band.rows(0));
            work.start(device, *module, (entry, &part), &addresses)?;
        }
        Ok(())
    }

    /// Starts the copies to the host of the planes that no later band of these steps touches.
    fn leave(&mut self, table: &mut Table, band: Band<'_>) -> Outcome<()> {
        let device = table.device().clone();
        let made = device.record(Queue::Compute)?;
        self.leaving.push_back(Vec::new());
        let is_last = band.number + 1 == band.ready.chunk.bands.1;
        for (number, window) in band.windows().filter(|(_, window)| window.stored) {
            let [now, _] = band.planes(window);
            let end = if is_last { now.1 } else { window.of_band(band.rows(1)).0.min(now.1) };
            let to = window.part((now.0, end));
            if to.length() > 0 {
                let from = self.at((number, window), (band.turn, now.0), now.0);
                let rows = Rows::one(to.length() as usize);
                let download = receive(&*device, &mut table.moved, (from, rows), Some(made))?;
                if let Some(leaving) = self.leaving.back_mut() {
                    leaving.push((download, to));
                }
            }
        }
        self.left[band.turn] = Some(device.record(Queue::Download)?);
        Ok(())
    }

    /// Waits for what left with the earliest band that has not arrived.
    fn deliver(&mut self, table: &Table, delivered: &Cell<bool>) -> Outcome<()> {
        let mut outcome = Ok(());
        for (download, to) in self.leaving.pop_front().into_iter().flatten() {
            delivered.set(true);
            // SAFETY: the array is that of a launch whose function waits here, and no plane leaves again before it has arrived.
            let arrived = finish(&**table.device(), download, unsafe { to.write() });
            outcome = outcome.and(arrived);
        }
        outcome
    }
}

impl<'p> Work<'p> {
    /// The entry for the bands of a launch: the best one of that in the middle. Vectors are left out, as windows begin at any plane.
    fn for_bands(&self, waiting: &Waiting, (device, width): (&dyn Device, i64)) -> &'p Entry {
        let (part, order) = (self.band_in_the_middle(waiting, width), self.number_of_order());
        let ways = self.plan.ways_for(&part, order, &|symbol| self.sizes[symbol], &device.ceilings());
        let mut entries = ways.into_iter().map(|(way, _)| self.plan.way(way, order));
        entries.find(|entry| !matches!(entry.grid, Grid::Vectors { .. })).unwrap_or(self.for_order(&self.plan.entries))
    }
}

impl<'p> Ready<'p> {
    fn of(table: &mut Table, chunk: &'p Chunk<'p>, width: i64) -> Outcome<Ready<'p>> {
        let device = table.device().clone();
        let wholes = chunk.gathered.wholes.iter().map(|place| table.upload(*place)).collect::<Outcome<_>>()?;
        let mut launches = Vec::new();
        for waiting in chunk.launches {
            let no_plan = || Failure::Operation { operation: "launch", reason: "it has no plan".to_owned() };
            let work = waiting.work().ok_or_else(no_plan)?;
            let module = device.load(work.ptx)?;
            let entry = work.for_bands(waiting, (&*device, width));
            launches.push(Launchable { work, module, waiting, entry });
        }
        Ok(Ready { chunk, launches, wholes })
    }
}
