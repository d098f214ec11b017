//! Corrections of estimates by what is measured.
//!
//! For each kernel of a program, side and size (work by powers of two) it is noted how many times longer than estimated the kernel took: by
//! events on the device, by the clock on the CPU. The correction is the median of the last measurements, so that a cold start or an
//! interruption does not count, and it changes only where it is off by much, because every change makes placements be decided again. A side
//! that was never tried, while the other one was measured, may be faster than estimated; `decide` tries it where that costs little.
//! Copies are measured like kernels, by their direction and the power of two of their bytes, and are the same for all programs.
//! Corrections are kept across runs, in a file for each device, version of its driver and number of threads.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use megha_base::plan::block::Task;

use super::kept::Kept;
use super::schedule::Side;
use super::tuned::Tuned;
use super::{Device, Queue, Stamp};

mod text;

/// Measurements of which the median counts.
const RECENT: usize = 5;
/// Fewer than so many measurements change nothing.
const ENOUGH: usize = 3;
/// A correction changes if it is off by more than this.
const LARGE: f64 = 1.25;
/// A size that was not measured is corrected as the nearest one, if it is at most so many powers of two away.
const NEAR: u8 = 4;
/// Once the last measurements are full, a device's kernel is timed once in so many launches.
const SELDOM: u32 = 16;
/// Most corrections of a program.
const MOST: usize = 1024;
/// Most timings that the device has not finished.
const PENDING: usize = 64;
/// The least time between two writings of a program's corrections.
const PAUSE: Duration = Duration::from_millis(100);

/// The program of copies: no fingerprint is that.
const COPIES: u64 = 0;

/// What is measured: a kernel or product on a side, at a size, or a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Case {
    /// The program's fingerprint.
    pub program: u64,
    /// Which of its kernels or products; of copies, which the host sees to, that of the host.
    pub task: Task,
    /// Where it runs; of copies, where they go.
    pub side: Side,
    /// The power of two of its work, or of a copy's bytes.
    pub size: u8,
}

impl Case {
    /// A copy of so many bytes to a side.
    pub fn copy(to: Side, bytes: f64) -> Case {
        Case { program: COPIES, task: Task::Host, side: to, size: bytes.max(1.0).log2() as u8 }
    }

    fn queue(self) -> Queue {
        match (self.task, self.side) {
            (Task::Host, Side::Gpu) => Queue::Upload,
            (Task::Host, Side::Cpu) => Queue::Download,
            _ => Queue::Compute,
        }
    }
}

/// A measured ratio of times.
#[derive(Debug, Clone, Default)]
struct Ratio {
    recent: [f64; RECENT],
    count: usize,
    /// How often it was asked whether to measure.
    asked: u32,
    /// What is used.
    applied: Option<f64>,
}

impl Ratio {
    /// A ratio of an earlier run.
    fn known(ratio: f64) -> Ratio {
        Ratio { recent: [ratio; RECENT], count: ENOUGH, asked: 0, applied: Some(ratio) }
    }

    /// Adds a measurement; whether what is used changes.
    fn add(&mut self, ratio: f64) -> bool {
        self.recent[self.count % RECENT] = ratio;
        self.count += 1;
        if self.count < ENOUGH {
            return false;
        }
        let median = self.median();
        let off = self.applied.is_none_or(|used| (median / used).max(used / median) > LARGE);
        if off {
            self.applied = Some(median);
        }
        off
    }

    fn median(&self) -> f64 {
        let mut recent = self.recent;
        let recent = &mut recent[..self.count.min(RECENT)];
        recent.sort_unstable_by(f64::total_cmp);
        recent[(recent.len() - 1) / 2]
    }
}

/// A launch whose time the device will tell.
struct Pending {
    case: Case,
    estimate: f64,
    stamps: [Stamp; 2],
}

#[derive(Default)]
struct State {
    /// By program.
    ratios: HashMap<u64, HashMap<Case, Ratio>>,
    pending: Vec<Pending>,
    /// The programs whose corrections the file does not have yet.
    unsaved: Vec<u64>,
    /// When those of a program were written last.
    saved: HashMap<u64, Instant>,
}

/// What was learnt of a device and a number of threads beside it.
pub struct Learned {
    number: u64,
    kept: Option<Kept>,
    state: Mutex<State>,
    changes: AtomicU64,
    tuned: Tuned,
}

/// A device, a number of threads, and what was learnt of both.
type Known = (Weak<dyn Device>, usize, Arc<Learned>);

static ALL: Mutex<Vec<Known>> = Mutex::new(Vec::new());

impl Learned {
    /// What was learnt of this device beside so many threads.
    pub fn of(device: &Arc<dyn Device>, threads: usize) -> Arc<Learned> {
        let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|(known, ..)| known.strong_count() > 0);
        let same =
            |(known, beside, _): &&Known| std::ptr::addr_eq(known.as_ptr(), Arc::as_ptr(device)) && *beside == threads;
        if let Some((.., learned)) = all.iter().find(same) {
            return learned.clone();
        }
        let kept = device.identity().and_then(|name| Kept::named(&format!("times-{name}-{threads}")));
        let learned = Arc::new(Learned { tuned: Tuned::of(device.identity()), ..Learned::new(kept) });
        all.push((Arc::downgrade(device), threads, learned.clone()));
        learned
    }

    fn new(kept: Option<Kept>) -> Learned {
        static NUMBERS: AtomicU64 = AtomicU64::new(0);
        let number = NUMBERS.fetch_add(1, Ordering::Relaxed);
        Learned { number, kept, state: Mutex::default(), changes: AtomicU64::new(0), tuned: Tuned::of(None) }
    }

    /// Which entries of kernels are the fastest.
    pub fn tuned(&self) -> &Tuned {
        &self.tuned
    }

    /// Its number in the process.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// How often a correction has changed: decisions that were taken before are to be taken again.
    pub fn changes(&self) -> u64 {
        self.changes.load(Ordering::Relaxed)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The corrections of a program; those of earlier runs are read when they are first asked for.
    fn of_program<'s>(&self, state: &'s mut State, program: u64) -> &'s mut HashMap<Case, Ratio> {
        state.ratios.entry(program).or_insert_with(|| {
            let file = self.kept.as_ref().and_then(|kept| kept.read("measured times", text::parse));
            let own = file.unwrap_or_default().into_iter().find(|section| section.program == program);
            let ratios = own.map(|section| section.ratios).unwrap_or_default();
            ratios.into_iter().map(|(case, ratio)| (case, Ratio::known(ratio))).collect()
        })
    }

    /// By how much an estimate is to be multiplied.
    pub fn correction(&self, case: Case) -> f64 {
        self.known(case, case.side).unwrap_or(1.0)
    }

    /// Whether a kernel or product was measured on the other side alone: here it may take half of what is estimated.
    pub fn is_untried(&self, case: Case) -> bool {
        self.known(case, case.side).is_none() && self.known(case, case.side.other()).is_some()
    }

    fn known(&self, case: Case, side: Side) -> Option<f64> {
        let mut state = self.state();
        let ratios = self.of_program(&mut state, case.program);
        let at = |size: u8| ratios.get(&Case { side, size, ..case }).and_then(|ratio| ratio.applied);
        let near = |far: u8| at(case.size.saturating_sub(far)).or_else(|| at(case.size.saturating_add(far)));
        (0..=NEAR).find_map(near)
    }

    /// Whether the next launch on the device, or copy, should be timed.
    pub fn wants(&self, case: Case) -> bool {
        let mut state = self.state();
        let same = state.pending.iter().filter(|pending| pending.case == case).count();
        if same >= RECENT || state.pending.len() >= PENDING {
            return false;
        }
        let ratios = self.of_program(&mut state, case.program);
        let full = ratios.len() >= MOST;
        let Some(ratio) = ratios.get_mut(&case) else { return !full };
        ratio.asked = ratio.asked.wrapping_add(1);
        ratio.count < RECENT || ratio.asked.is_multiple_of(SELDOM)
    }

    /// Notes the seconds that a kernel took.
    pub fn took(&self, case: Case, estimate: f64, seconds: f64) {
        let ratio = seconds / estimate;
        if !(ratio.is_finite() && ratio > 0.0) {
            return;
        }
        let mut state = self.state();
        let ratios = self.of_program(&mut state, case.program);
        if ratios.len() >= MOST && !ratios.contains_key(&case) {
            return;
        }
        if ratios.entry(case).or_default().add(ratio) {
            self.changes.fetch_add(1, Ordering::Relaxed);
            if !state.unsaved.contains(&case.program) {
                state.unsaved.push(case.program);
            }
        }
    }

    /// Notes a launch that lies between two stamps.
    fn will_tell(&self, case: Case, estimate: f64, stamps: [Stamp; 2]) {
        self.state().pending.push(Pending { case, estimate, stamps });
    }

    /// Notes the times of the launches that the device has finished, and keeps what has changed.
    pub fn settle(&self, device: &dyn Device) {
        self.tuned.settle(device);
        let mut pending = std::mem::take(&mut self.state().pending);
        pending.retain(|Pending { case, estimate, stamps: [from, to] }| match device.between(*from, *to) {
            Ok(Some(time)) => {
                self.took(*case, *estimate, time.as_secs_f64());
                false
            }
            Ok(None) => true,
            Err(_) => false,
        });
        let mut state = self.state();
        state.pending.append(&mut pending);
        let State { unsaved, saved, .. } = &*state;
        let due = unsaved.iter().any(|program| saved.get(program).is_none_or(|at| at.elapsed() >= PAUSE));
        if let Some(kept) = self.kept.as_ref().filter(|_| due) {
            save(kept, &mut state);
        }
    }
}

/// Times a launch on the device, or a copy.
pub struct Timer<'t> {
    learned: &'t Learned,
    case: Case,
    /// The seconds that it is estimated to take, without correction.
    estimate: f64,
}

impl<'t> Timer<'t> {
    /// The timer of a launch that should be timed.
    pub fn of(learned: &'t Learned, case: Case, estimate: f64) -> Option<Timer<'t>> {
        learned.wants(case).then_some(Timer { learned, case, estimate })
    }

    /// The moment before the launch. What fails here fails for the launch too, or does not matter.
    pub fn begin(&self, device: &dyn Device) -> Option<Stamp> {
        device.stamp(self.case.queue()).ok()
    }

    /// The launch is in the queue.
    pub fn end(&self, device: &dyn Device, begun: Stamp) {
        if let Ok(end) = device.stamp(self.case.queue()) {
            self.learned.will_tell(self.case, self.estimate, [begun, end]);
        }
    }
}

/// Writes the corrections that the file does not have yet, and leaves those of other programs as they are.
fn save(kept: &Kept, state: &mut State) {
    let mut sections: Vec<text::Section> = Vec::new();
    for program in std::mem::take(&mut state.unsaved) {
        state.saved.insert(program, Instant::now());
        let ratios = state.ratios.get(&program).into_iter().flatten();
        let ratios = ratios.filter_map(|(case, ratio)| ratio.applied.map(|ratio| (*case, ratio))).collect();
        sections.push(text::Section { program, ratios });
    }
    let others = kept.read("measured times", text::parse).unwrap_or_default();
    let new: Vec<u64> = sections.iter().map(|section| section.program).collect();
    sections.extend(others.into_iter().filter(|section| !new.contains(&section.program)));
    kept.write(&text::print(&mut sections));
}

#[cfg(test)]
mod tests;
