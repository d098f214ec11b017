//! Where a call's kernels are to run, and how long they take there.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use megha_base::plan::block::Task;

use super::Device;
use super::decide::Busy;
use super::learn::{Case, Learned, Timer};
use super::program::Program;
use super::schedule::Side;
use super::tuned::Tuner;

/// Where a kernel is to run.
#[derive(Clone, Copy)]
pub struct Placed {
    /// The side.
    pub side: Side,
    /// What it is measured as there.
    pub case: Case,
    /// Seconds that it is estimated to take on each side, without corrections,
    pub estimates: [f64; 2],
    /// on the CPU with them,
    pub on_cpu: f64,
    /// and on the device in one launch or in parts.
    pub busy: Busy,
}

/// Where kernels are to run, by program and task, and who is told how long they take.
#[derive(Default)]
pub struct Placements {
    decided: HashMap<(usize, Task), Placed>,
    learned: Option<Arc<Learned>>,
}

impl Placements {
    /// Where a kernel or product is to run, if that was decided.
    pub fn of(&self, program: &'static Program, task: Task) -> Option<Placed> {
        self.decided.get(&(program.address(), task)).copied()
    }

    /// Notes where one is to run.
    pub fn decide(&mut self, program: &'static Program, task: Task, placed: Placed) {
        self.decided.insert((program.address(), task), placed);
    }

    /// From now on this is told, unless something is.
    pub fn learn(&mut self, learned: impl FnOnce() -> Arc<Learned>) {
        self.learned.get_or_insert_with(learned);
    }

    /// The call has ended: notes the times of what the device has finished.
    pub fn settle(&self, device: &dyn Device) {
        if let Some(learned) = &self.learned {
            learned.settle(device);
        }
    }

    /// The timer of a launch on the device, if it should be timed.
    pub fn timer(&self, program: &'static Program, task: Task) -> Option<Timer<'_>> {
        let Placed { case, estimates, .. } = self.of(program, task)?;
        Timer::of(self.learned.as_deref()?, Case { side: Side::Gpu, ..case }, estimates[Side::Gpu as usize])
    }

    /// Who chooses the entries of a kernel on the device, if what is measured there is noted.
    pub fn tuner(&self, program: &'static Program, kernel: usize) -> Option<Tuner<'_>> {
        Some(Tuner::new(self.learned.as_deref()?.tuned(), program.fingerprint(), kernel))
    }

    /// Notes the time that a kernel took on the CPU.
    pub fn took(&self, placed: Placed, time: Duration) {
        if let Some(learned) = &self.learned {
            let Placed { case, estimates, .. } = placed;
            learned.took(Case { side: Side::Cpu, ..case }, estimates[Side::Cpu as usize], time.as_secs_f64());
        }
    }
}
