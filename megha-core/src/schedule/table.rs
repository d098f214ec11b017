//! The schedules of a module's kernels.

use super::default::{other_lines, other_reductions, scheduled};
use super::halos;
use super::levels::{Schedule, Target};
use super::optimisation::{Optimisation, Optimisations};
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
    /// By which the code for devices is made.
    optimisations: Optimisations,
}

/// The most that a kernel has beside the one for any sizes.
const OTHERS: usize = 4;

/// Others for a device.
fn others(subject: &Subject<'_>, memory: Memory, on: Optimisations) -> Vec<Schedule> {
    let all: [(Optimisation, &dyn Fn() -> Vec<Schedule>); 6] = [
        (Optimisation::Tiles, &|| tiles::schedules(subject, memory, on)),
        (Optimisation::Turned, &|| turned::schedules(subject, memory)),
        (Optimisation::Halos, &|| halos::schedules(subject, memory)),
        (Optimisation::Vectors, &|| vectors::schedules(subject, memory, on)),
        (Optimisation::Forms, &|| other_reductions(subject, memory, on)),
        (Optimisation::Lines, &|| other_lines(subject, memory, on).into_iter().collect()),
    ];
    all.into_iter().filter(|(one, _)| on.has(*one)).flat_map(|(_, others)| others()).take(OTHERS).collect()
}

/// The one for any sizes, and others for a device.
fn all(subject: &Subject<'_>, (target, memory): (Target, Memory), on: Optimisations) -> Vec<Schedule> {
    let mut all = vec![scheduled(subject, (target, memory), on)];
    if target == Target::Gpu {
        all.extend(others(subject, memory, on));
        if !on.has(Optimisation::Unrolling) {
            all.iter_mut().flat_map(|schedule| &mut schedule.levels).for_each(|level| level.unroll = 1);
        }
    }
    all
}

impl Schedules {
    /// Those that kernels get where nobody asks for others.
    pub fn of(module: &Module) -> Self {
        Self::with(module, Optimisations::ALL)
    }

    /// The same with only these optimisations of the code for devices.
    pub fn with(module: &Module, optimisations: Optimisations) -> Self {
        let mut table = Self { of: HashMap::default(), optimisations };
        for (at, func) in module.funcs.iter().enumerate() {
            for subject in subjects(func) {
                for (target, memory) in Target::ALL.into_iter().flat_map(|t| Memory::ALL.map(|m| (t, m))) {
                    let key = ((FuncId::new(at), subject.kernel.id), target, memory);
                    table.of.insert(key, all(&subject, (target, memory), optimisations));
                }
            }
        }
        table
    }

    /// The optimisations by which the code for devices is made.
    pub fn optimisations(&self) -> Optimisations {
        self.optimisations
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
