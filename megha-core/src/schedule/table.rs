//! The schedules of a module's kernels.

use super::default::{default, other_reductions, side_by_side};
use super::halos;
use super::levels::{Schedule, Target};
use super::order::Memory;
use super::subject::{Subject, subjects};
use super::tiles;
use super::turned;
use super::vectors;
use super::verify::verify;
use crate::hash::HashMap;
use crate::ir::{FuncId, Module};

/// A kernel of a module: its function, and its number there.
pub type Key = (FuncId, u32);

/// The schedules of all kernels of a module, for each target and order of memory: the one for any sizes, then others that are faster where there
/// are many points.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Schedules {
    of: HashMap<(Key, Target, Memory), Vec<Schedule>>,
}

/// The most that a kernel has beside the one for any sizes.
const OTHERS: usize = 4;

/// Others for a device.
fn others(subject: &Subject<'_>, memory: Memory) -> Vec<Schedule> {
    let all =
        [tiles::schedules, turned::schedules, halos::schedules, vectors::schedules, other_reductions, side_by_side];
    all.into_iter().flat_map(|others| others(subject, memory)).take(OTHERS).collect()
}

impl Schedules {
    /// Those that kernels get where nobody asks for others.
    pub fn of(module: &Module) -> Self {
        let mut table = Self::default();
        for (at, func) in module.funcs.iter().enumerate() {
            for subject in subjects(func) {
                for (target, memory) in Target::ALL.into_iter().flat_map(|t| Memory::ALL.map(|m| (t, m))) {
                    let key = ((FuncId::new(at), subject.kernel.id), target, memory);
                    let others = match target {
                        Target::Cpu => Vec::new(),
                        Target::Gpu => others(&subject, memory),
                    };
                    let all = [default(&subject, target, memory)].into_iter().chain(others);
                    table.of.insert(key, all.collect());
                }
            }
        }
        table
    }

    /// The schedule of a kernel.
    pub fn get(&self, kernel: Key, target: Target, memory: Memory) -> Option<&Schedule> {
        self.all(kernel, target, memory).first()
    }

    /// The schedule of a kernel, and others for many points.
    pub fn all(&self, kernel: Key, target: Target, memory: Memory) -> &[Schedule] {
        self.of.get(&(kernel, target, memory)).map_or(&[], Vec::as_slice)
    }

    /// Both schedules of a kernel: columns first, rows first.
    pub fn both(&self, kernel: Key, target: Target) -> Option<[&Schedule; 2]> {
        let [columns, rows] = Memory::ALL.map(|memory| self.get(kernel, target, memory));
        Some([columns?, rows?])
    }

    /// The other schedules of a kernel for many points, in pairs: columns first, rows first.
    pub fn variants(&self, kernel: Key, target: Target) -> Vec<[&Schedule; 2]> {
        let both = Memory::ALL.map(|memory| self.all(kernel, target, memory));
        let most = both.iter().map(|all| all.len()).max().unwrap_or(0);
        // where one order has fewer, the one for any sizes stands in
        let pair = |at: usize| Some([both[0].get(at).or(both[0].first())?, both[1].get(at).or(both[1].first())?]);
        (1..most).filter_map(pair).collect()
    }

    /// Gives a kernel another schedule instead of all that it has, for the target and the order of memory that this one names.
    ///
    /// # Errors
    /// What is wrong with it; then nothing changes.
    pub fn set(&mut self, module: &Module, kernel: Key, schedule: Schedule) -> Result<(), Vec<String>> {
        let (func, number) = kernel;
        let subjects = module.funcs.get(func.index()).map(subjects).unwrap_or_default();
        let Some(subject) = subjects.iter().find(|s: &&Subject<'_>| s.kernel.id == number) else {
            return Err(vec![format!("there is no kernel {number}")]);
        };
        verify(&schedule, subject)?;
        self.of.insert((kernel, schedule.target, schedule.memory), vec![schedule]);
        Ok(())
    }
}
