//! Which entry of a kernel is the fastest, by measurement: auto-tuning at run time (M. J. Voss and R. Eigenmann, "High-level adaptive program optimization with ADAPT", 2001).
//!
//! All entries of a kernel make the same bits, and a model says which one takes least ([`megha_base::plan::KernelPlan::ways_for`]). Of a kernel that runs often the others run now and
//! then in its place, and are timed by the device's stamps, as long as what this takes longer stays below a fiftieth of the time that the kernel has taken. The fastest is what
//! launches of that size take from then on: of the same kernel, order of memory and power of two of bytes. An entry that cannot take a launch, as its arrays do
//! not lie as it needs, leaves it to the model's choice.
//!
//! What was found is kept across runs in a file for each device, beside the measured times ([`super::learn`]). `MEGHA_TUNED` names a file that came with the program
//! and is asked where this one says nothing. `megha tune` makes it: with `MEGHA_TUNE` in its environment a program measures all entries at once, and
//! what it finds goes to the file of that name.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::kept::Kept;
use super::{Device, Outcome, Queue, Stamp};

mod text;

/// How often an entry is measured; the least time counts, as what comes between makes a launch longer only.
const TIMES: u32 = 3;
/// An entry that took so many times longer than the fastest, twice, is not measured again.
const HOPELESS: f64 = 1.5;
/// Entries that are measured for a size at most.
const TRIED: usize = 5;
/// The share of a kernel's time by which trials may take longer: one in so many.
const SHARE: f64 = 50.0;
/// Sizes that are kept at most.
const MOST: usize = 4096;
/// Timings that the device has not finished at most.
const PENDING: usize = 16;
/// The least time between two writings.
const PAUSE: Duration = Duration::from_millis(100);

/// What one entry is the fastest for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Case {
    /// The program's fingerprint.
    pub program: u64,
    /// Which of its kernels.
    pub kernel: usize,
    /// The order of memory, as plans number them.
    pub order: usize,
    /// The power of two of the bytes of its arrays.
    pub size: u8,
}

/// What a launch is chosen by.
#[derive(Debug, PartialEq)]
pub struct Ways {
    /// The entries that can take it, by number, and the time that the model gives each, the least first.
    pub by_time: Vec<(usize, f64)>,
    /// Bytes of the arrays that the kernel reads and of those that it makes.
    pub bytes: u64,
}

impl Ways {
    /// The one that the model would take.
    pub fn first(&self) -> usize {
        self.by_time.first().map_or(0, |(way, _)| *way)
    }
}

/// What is known of an entry.
#[derive(Debug, Clone, Copy)]
struct Measured {
    way: usize,
    count: u32,
    least: f64,
    /// Whether a launch of it is timed that the device has not finished.
    under_way: bool,
}

/// The search for the fastest entry. The unit of time is what the model gives the launch's first choice: sizes of one power of two differ by up to two.
#[derive(Debug, Default)]
struct Trial {
    /// Time that launches have taken, and by how much those took longer that were made to measure.
    spent: f64,
    lost: f64,
    measured: Vec<Measured>,
    winner: Option<usize>,
}

impl Trial {
    fn found(way: usize) -> Trial {
        Trial { winner: Some(way), ..Trial::default() }
    }

    /// The entry for the next launch; with the time that it is expected to lose if it is to be timed, which it may be or not.
    fn next(&mut self, ways: &[(usize, f64)], share: f64, may_time: bool) -> (usize, Option<f64>) {
        let [(first, estimate), others @ ..] = &ways[..ways.len().min(TRIED)] else { return (0, None) };
        if let Some(winner) = self.winner {
            let fits = ways.iter().any(|(way, _)| *way == winner);
            return (if fits { winner } else { *first }, None);
        }
        if others.is_empty() {
            return (*first, None);
        }
        let own = *self.of(*first);
        if own.count < TIMES {
            let times = may_time && !own.under_way;
            self.of(*first).under_way |= times;
            return (*first, times.then_some(0.0));
        }
        let best = self.best();
        self.spent += best.least;
        let mut is_over = true;
        for (way, other) in others {
            let of = *self.of(*way);
            if of.count >= TIMES || of.count >= 2 && of.least > HOPELESS * best.least {
                continue;
            }
            is_over = false;
            let expected = if of.count > 0 { of.least } else { own.least * other / estimate };
            let loses = (expected - best.least).max(0.0);
            if may_time && !of.under_way && self.lost + loses <= self.spent * share {
                self.of(*way).under_way = true;
                self.lost += loses;
                return (*way, Some(loses));
            }
        }
        if is_over {
            self.winner = Some(best.way);
        }
        (best.way, None)
    }

    /// Notes the time of a launch, or that it will never be known.
    fn took(&mut self, way: usize, time: Option<f64>, expected: f64) {
        let measured = self.of(way);
        measured.under_way = false;
        let Some(time) = time else { return };
        measured.count += 1;
        measured.least = measured.least.min(time);
        let loses = (time - self.best().least).max(0.0);
        self.lost += loses - expected;
    }

    fn of(&mut self, way: usize) -> &mut Measured {
        let at = self.measured.iter().position(|measured| measured.way == way);
        let at = at.unwrap_or_else(|| {
            self.measured.push(Measured { way, count: 0, least: f64::INFINITY, under_way: false });
            self.measured.len() - 1
        });
        &mut self.measured[at]
    }

    /// The fastest so far; of two that are as fast the one that was tried first, which the model prefers.
    fn best(&self) -> Measured {
        let none = Measured { way: 0, count: 0, least: f64::INFINITY, under_way: false };
        self.measured.iter().fold(none, |best, other| if other.least < best.least { *other } else { best })
    }
}

/// A launch between two stamps.
#[derive(Debug)]
struct Pending {
    case: Case,
    way: usize,
    loses: f64,
    unit: f64,
    stamps: [Stamp; 2],
}

#[derive(Debug, Default)]
struct State {
    trials: HashMap<Case, Trial>,
    pending: Vec<Pending>,
    /// What the files say; not read before something is asked.
    known: Option<HashMap<Case, usize>>,
    /// Found, and not written yet.
    unsaved: Vec<(Case, usize)>,
    saved: Option<Instant>,
}

/// What was found for a device.
#[derive(Debug)]
pub struct Tuned {
    /// The device's name in files; none if nothing is kept.
    name: Option<String>,
    kept: Option<Kept>,
    /// A file that came with the program.
    given: Option<Kept>,
    /// The share of a kernel's time that trials may take.
    share: f64,
    /// The least time between two writings.
    pause: Duration,
    state: Mutex<State>,
}

/// The value of an environment variable that says something.
fn variable(name: &str) -> Option<std::ffi::OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

impl Tuned {
    /// For the device of this name.
    pub fn of(name: Option<String>) -> Tuned {
        let named = |variable: std::ffi::OsString| Kept::at(Path::new(&variable));
        let into = variable("MEGHA_TUNE").map(named);
        let share = if into.is_some() { f64::MAX } else { 1.0 / SHARE };
        let own = || name.as_ref().and_then(|name| Kept::named(&format!("variants-{name}")));
        Tuned::new(name.clone(), into.or_else(own), variable("MEGHA_TUNED").map(named), share)
    }

    fn new(name: Option<String>, kept: Option<Kept>, given: Option<Kept>, share: f64) -> Tuned {
        // Who measures all at once may end right after.
        let pause = if share < 1.0 { PAUSE } else { Duration::ZERO };
        Tuned { name, kept, given, share, pause, state: Mutex::default() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn read(&self) -> HashMap<Case, usize> {
        let own = |section: &text::Section| Some(&section.device) == self.name.as_ref();
        let files = self.given.iter().chain(&self.kept);
        let sections = files.filter_map(|kept| kept.read("the fastest entries", text::parse)).flatten();
        sections.filter(own).flat_map(|section| section.winners).collect()
    }

    /// The entry for a launch; with the time that it is expected to lose if it is to be timed.
    fn next(&self, case: Case, ways: &[(usize, f64)]) -> (usize, Option<f64>) {
        let mut state = self.state();
        let State { trials, pending, known, unsaved, .. } = &mut *state;
        let full = trials.len() >= MOST && !trials.contains_key(&case);
        if ways.len() < 2 || full {
            return (ways.first().map_or(0, |(way, _)| *way), None);
        }
        let trial = trials.entry(case).or_insert_with(|| {
            let known = known.get_or_insert_with(|| self.read());
            known.get(&case).map_or_else(Trial::default, |way| Trial::found(*way))
        });
        let before = trial.winner;
        let next = trial.next(ways, self.share, pending.len() < PENDING);
        if let (None, Some(winner)) = (before, trial.winner) {
            unsaved.push((case, winner));
        }
        next
    }

    /// Notes the times of the launches that the device has finished, and keeps what was found.
    pub fn settle(&self, device: &dyn Device) {
        let mut state = self.state();
        let State { trials, pending, .. } = &mut *state;
        pending.retain(|pending| match device.between(pending.stamps[0], pending.stamps[1]) {
            Ok(None) => true,
            Ok(time) => told(trials, pending, time),
            Err(_) => told(trials, pending, None),
        });
        self.keep(&mut state);
    }

    /// Writes what was found, unless it has just been written.
    fn keep(&self, state: &mut State) {
        let due = !state.unsaved.is_empty() && state.saved.is_none_or(|at| at.elapsed() >= self.pause);
        if let (Some(kept), Some(name), true) = (&self.kept, &self.name, due) {
            let found = std::mem::take(&mut state.unsaved);
            state.saved = Some(Instant::now());
            let mut sections = kept.read("the fastest entries", text::parse).unwrap_or_default();
            text::add(&mut sections, name, &found);
            kept.write(&text::print(&sections));
        }
    }
}

/// Notes the time of a launch, if it is known; it waits for that no longer.
fn told(
    trials: &mut HashMap<Case, Trial>,
    Pending { case, way, loses, unit, .. }: &Pending,
    time: Option<Duration>,
) -> bool {
    if let Some(trial) = trials.get_mut(case) {
        trial.took(*way, time.map(|time| time.as_secs_f64() / unit), *loses);
    }
    false
}

/// Chooses the entries of a kernel's launches.
pub struct Tuner<'t> {
    tuned: &'t Tuned,
    program: u64,
    kernel: usize,
}

/// A launch that is timed.
pub struct Timed {
    case: Case,
    way: usize,
    loses: f64,
    unit: f64,
    begun: Stamp,
}

impl<'t> Tuner<'t> {
    /// For a kernel of the program with this fingerprint.
    pub fn new(tuned: &'t Tuned, program: u64, kernel: usize) -> Tuner<'t> {
        Tuner { tuned, program, kernel }
    }

    /// The entry for a launch in an order of memory, and what times it if it is to be timed.
    pub fn begin(&self, device: &dyn Device, order: usize, ways: &Ways) -> Outcome<(usize, Option<Timed>)> {
        let Tuner { tuned, program, kernel } = *self;
        let case = Case { program, kernel, order, size: ways.bytes.max(1).ilog2() as u8 };
        let (way, loses) = tuned.next(case, &ways.by_time);
        let Some(loses) = loses else { return Ok((way, None)) };
        let begun = device.stamp(Queue::Compute);
        if begun.is_err() {
            tuned.gives_up(case, way, loses);
        }
        let unit = ways.by_time.first().map_or(1.0, |(_, time)| *time);
        Ok((way, Some(Timed { case, way, loses, unit, begun: begun? })))
    }

    /// The launch is in the queue.
    pub fn end(&self, device: &dyn Device, Timed { case, way, loses, unit, begun }: Timed) {
        match device.stamp(Queue::Compute) {
            Ok(end) => self.tuned.state().pending.push(Pending { case, way, loses, unit, stamps: [begun, end] }),
            Err(_) => self.tuned.gives_up(case, way, loses),
        }
    }
}

impl Tuned {
    /// A launch whose time will not be known.
    fn gives_up(&self, case: Case, way: usize, loses: f64) {
        if let Some(trial) = self.state().trials.get_mut(&case) {
            trial.took(way, None, loses);
        }
    }
}

#[cfg(test)]
mod tests;
