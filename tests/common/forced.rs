//! Kernels under schedules that are taken at random from all legal ones ([`megha_core::schedule::candidates`]).

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use megha_base::cuts::Cuts;
use megha_core::interp::{Event, KernelRun};
use megha_core::ir::verify::verify;
use megha_core::ir::{FuncId, Module};
use megha_core::ptx::{carries_out, generate};
use megha_core::schedule::candidates::{Bounds, Nest, candidates};
use megha_core::schedule::{Memory, Schedule, Schedules, Subject, subjects};

use super::device::Simulated;

/// Most iterations of a kernel that are simulated.
const MOST_POINTS: i64 = 20_000;
/// Schedules that are tried for a kernel until the back end carries one out.
const TRIES: usize = 100;

/// What was tried.
#[derive(Debug, Default)]
pub struct Tried {
    /// Kernels that have run under a random schedule.
    pub kernels: usize,
    /// Their runs: whole, in parts, among guards and on windows, in both orders of memory, count as one.
    pub runs: usize,
    /// Schedules by the kind of their nest, and the different ones among these.
    pub chosen: BTreeMap<Nest, (usize, BTreeSet<String>)>,
    /// Why schedules were refused, and how many.
    pub refused: BTreeMap<String, usize>,
}

impl Tried {
    /// These and others.
    pub fn and(mut self, other: Self) -> Self {
        self.kernels += other.kernels;
        self.runs += other.runs;
        for (nest, (count, texts)) in other.chosen {
            let own = self.chosen.entry(nest).or_default();
            own.0 += count;
            own.1.extend(texts);
        }
        other.refused.into_iter().for_each(|(why, count)| *self.refused.entry(why).or_default() += count);
        self
    }

    /// How many different schedules of a kind were chosen.
    pub fn different(&self, nest: Nest) -> usize {
        self.chosen.get(&nest).map_or(0, |(_, texts)| texts.len())
    }

    fn choose(&mut self, subject: &Subject<'_>, memory: Memory, cuts: &mut Cuts) -> Option<Schedule> {
        let all = candidates(subject, memory, &Bounds::ALL);
        for _ in 0..TRIES {
            let (nest, list) = &all[cuts.below(all.len() as u64) as usize];
            let schedule = &list[cuts.below(list.len() as u64) as usize];
            match carries_out(schedule, subject) {
                Ok(()) => {
                    let (count, texts) = self.chosen.entry(*nest).or_default();
                    *count += 1;
                    texts.insert(schedule.to_string());
                    return Some(schedule.clone());
                }
                // the numbers in it say of which schedule
                Err(why) => *self.refused.entry(why.replace(|c: char| c.is_ascii_digit(), "")).or_default() += 1,
            }
        }
        None
    }

    /// Schedules at random for all kernels of a module.
    fn schedules(&mut self, module: &Module, cuts: &mut Cuts) -> Schedules {
        let mut table = Schedules::of(module);
        for (at, func) in module.funcs.iter().enumerate() {
            for subject in subjects(func) {
                for memory in Memory::ALL {
                    let Some(schedule) = self.choose(&subject, memory, cuts) else { continue };
                    let key = (FuncId::new(at), subject.kernel.id);
                    let text = schedule.to_string();
                    let done = table.set(module, key, schedule);
                    done.unwrap_or_else(|wrong| panic!("{}: {}\n{text}", func.name, wrong.join("; ")));
                }
            }
        }
        table
    }
}

impl fmt::Display for Tried {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} kernels, {} runs", self.kernels, self.runs)?;
        for (nest, (count, texts)) in &self.chosen {
            writeln!(f, "  {nest:?}: {count} schedules, {} different", texts.len())?;
        }
        self.refused.iter().try_for_each(|(why, count)| writeln!(f, "  {count} refused: {why}"))
    }
}

/// The kernels of a module under schedules at random.
pub struct Forced<'m> {
    module: &'m Module,
    schedules: Schedules,
    device: Simulated,
    /// Kernels that have run in this call, and in any.
    seen: [Vec<bool>; 2],
    /// What was tried.
    pub tried: Tried,
    /// What is wrong.
    pub wrong: Vec<String>,
}

impl<'m> Forced<'m> {
    /// The schedules of a seed.
    ///
    /// # Errors
    /// A kernel that the back end refuses after all.
    pub fn new(module: &'m Module, seed: u64) -> Result<Self, String> {
        let mut tried = Tried::default();
        let schedules = tried.schedules(module, &mut Cuts::new(seed));
        let verified = verify(module).map_err(|violations| violations[0].to_string())?;
        let ptx = generate(verified, &schedules);
        if !ptx.refused.is_empty() {
            return Err(format!("kernels without PTX: {:?}", ptx.refused));
        }
        let device = Simulated::new(&ptx);
        let seen = [(); 2].map(|()| vec![false; device.kernels()]);
        Ok(Self { module, schedules, device, seen, tried, wrong: Vec::new() })
    }

    /// Begins a call.
    pub fn call(&mut self) {
        self.seen[0].fill(false);
    }

    /// Runs a kernel that the interpreter has run, the first time in a call, and holds the results against the interpreter's.
    pub fn watch(&mut self, event: &Event<'_>) {
        let Event::Kernel(run) = event else { return };
        let points = run.kernel.domain.iter().map(|d| (run.size)(d).unwrap_or(0)).product::<i64>();
        let plan = self.device.plan(self.module, run);
        if points > MOST_POINTS || std::mem::replace(&mut self.seen[0][plan], true) {
            return;
        }
        self.tried.runs += 1;
        self.tried.kernels += usize::from(!std::mem::replace(&mut self.seen[1][plan], true));
        let done = self.device.compare(plan, run);
        self.wrong.extend(done.err().map(|why| format!("{why}\n{}", self.of(run))));
    }

    /// The schedules of a kernel.
    fn of(&self, run: &KernelRun<'_>) -> String {
        let func = self.module.funcs.iter().position(|f| std::ptr::eq(f, run.func)).unwrap_or(0);
        let both = self.schedules.both((FuncId::new(func), run.kernel.id), megha_core::schedule::Target::Gpu);
        both.map_or_else(String::new, |both| both.map(ToString::to_string).concat())
    }
}
