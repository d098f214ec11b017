//! The decisions of a program that were taken, and trials.
//!
//! Decisions are kept by what they depend on, and taken again when a correction changes. A side that was never used while the other one was
//! measured may be faster than it is estimated. The placement that is best under this hope is a *trial*: it costs what it is longer, by
//! plain estimates, than the best one. All trials of a block together cost at most a fiftieth of what the block has taken so far, so a
//! program with short calls or few rounds makes none, and a long one finds out.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::decide::{Basis, Decision, Execution, Trust};
use super::schedule;

/// Most decisions of a program that are kept.
const MOST: usize = 4096;
/// The part of a block's time that trials may cost.
const TRIALS: f64 = 0.02;

/// What decisions depend on.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    block: usize,
    /// The [`Basis`].
    basis: u64,
    /// By powers of the fourth root of two.
    sizes: Vec<u32>,
    /// Whether arrays are on the host and on the device.
    present: Vec<[bool; 2]>,
    /// How often the block runs, by powers of two, and the one that follows.
    repeat: [u32; 2],
    /// Whether a library makes the matrix products, which it does not in the strict mode.
    library: bool,
    /// Whether the device has room for the block, and for the next one.
    room: [bool; 2],
    /// Where it has not: the bytes that there are, the sizes as they are, by which what is spilled is decided, and what is not cut.
    pressed: Option<(u64, Vec<i64>, Vec<usize>)>,
    /// Whether its launches may wait, and the order of its arrays, by which it is then decided how they run.
    slope: Option<(i64, usize)>,
}

impl Key {
    fn of(execution: &Execution<'_>, basis: &Basis) -> Key {
        let bucket = |size: &i64| (4.0 * (*size.max(&1) as f64).log2()) as u32;
        let next = execution.next.map_or(0, |(_, repeat)| repeat.max(1).ilog2() + 1);
        Key {
            block: execution.number,
            basis: basis.number,
            sizes: execution.sizes.iter().map(bucket).collect(),
            present: execution.present.clone(),
            repeat: [execution.repeat.max(1).ilog2(), next],
            library: execution.library,
            room: execution.room,
            pressed: (!execution.room[0])
                .then(|| (execution.budget, execution.sizes.to_vec(), execution.uncut.clone())),
            slope: execution.slope.map(|slope| (slope, execution.order as usize)),
        }
    }
}

/// What was decided.
struct Taken {
    /// How often a correction had changed.
    changes: u64,
    best: Arc<Decision>,
    /// A trial, and the seconds that it costs.
    trial: Option<(Arc<Decision>, f64)>,
}

impl Taken {
    fn now(execution: &Execution<'_>, basis: &Basis) -> Taken {
        let changes = basis.learned.changes();
        let [graph, hopeful] = [Trust::Measured, Trust::Hope].map(|trust| execution.graph_with_next(basis, trust));
        let decided = |sides: &[schedule::Side]| Arc::new(execution.decided(sides, basis));
        if !execution.room[0] {
            let sides = execution.placed_under_pressure(&graph, basis);
            let plain = execution.decided(&sides, basis);
            let best = execution.tiled_if_shorter(plain, basis);
            return Taken { changes, best: Arc::new(best), trial: None };
        }
        let mut best = schedule::assign(&graph);
        if best.length > schedule::worthwhile(&graph) {
            best = schedule::schedule(&graph, &vec![schedule::Side::Cpu; graph.nodes.len()]);
        }
        let hoped = (hopeful != graph).then(|| schedule::assign(&hopeful).sides).filter(|sides| *sides != best.sides);
        let trial = hoped.map(|sides| (decided(&sides), schedule::length(&graph, &sides) - best.length));
        Taken { changes, best: decided(&best.sides), trial }
    }
}

#[derive(Default)]
struct State {
    taken: HashMap<Key, Taken>,
    /// For each block and [`Basis`] the seconds that trials may still cost.
    allowed: HashMap<(usize, u64), f64>,
}

/// The decisions of a program.
#[derive(Default)]
pub struct Decisions(Mutex<State>);

impl Decisions {
    /// Where the nodes of a block run: decided before for like circumstances, or now.
    pub fn of(&self, execution: &Execution<'_>, basis: &Basis) -> Arc<Decision> {
        let key = Key::of(execution, basis);
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let State { taken, allowed } = &mut *state;
        if taken.len() >= MOST && !taken.contains_key(&key) {
            taken.clear();
            allowed.clear();
        }
        let known = taken.entry(key).or_insert_with(|| Taken::now(execution, basis));
        if known.changes != basis.learned.changes() {
            *known = Taken::now(execution, basis);
        }
        let allowed = allowed.entry((execution.number, basis.number)).or_default();
        *allowed += TRIALS * known.best.each;
        match &known.trial {
            Some((trial, cost)) if *cost <= *allowed => {
                *allowed -= cost.max(0.0);
                trial.clone()
            }
            _ => known.best.clone(),
        }
    }
}
