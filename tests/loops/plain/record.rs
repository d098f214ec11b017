//! Which elements the iterations of each loop read and write, and so whether a run of it was parallel: dependences by brute force.
//!
//! A load counts only if its value came to matter, that is, if it reached a store, a subscript, a result or, as a condition or the
//! end of a range, decided whether there is one: a compiler may leave other loads out. So each value has a *source*, a node of a
//! graph whose leaves are loads.

use megha_core::offload::ast::SpanId;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// An iteration of a run of a loop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Turn {
    /// The number of the run.
    pub run: u32,
    /// The loop.
    pub span: SpanId,
    /// The iteration.
    pub iteration: u64,
}

/// The loops that run, the outermost first.
pub type Turns = Rc<[Turn]>;

/// A node of the graph of sources; zero is the source of what no load had a part in.
pub type Source = u32;

struct Access {
    array: usize,
    at: usize,
    write: bool,
    turns: Turns,
    source: Source,
}

/// What has been seen.
#[derive(Default)]
pub struct Record {
    accesses: Vec<Access>,
    /// The sources that each source is made of; those of a load are none.
    parts: Vec<[Source; 2]>,
    /// Sources that came to matter.
    roots: Vec<Source>,
    /// Loops in which an iteration read a scalar that an earlier one wrote.
    pub carry_scalars: HashSet<SpanId>,
    /// Loops that had two iterations in a run.
    pub repeated: HashSet<SpanId>,
    /// Accesses that were made, by the name of the array.
    pub made: HashSet<SpanId>,
}

impl Record {
    /// What two sources have a part in.
    pub fn join(&mut self, a: Source, b: Source) -> Source {
        if a == 0 || b == 0 || a == b {
            return a.max(b);
        }
        self.parts.push([a, b]);
        self.parts.len() as Source
    }

    /// A value comes to matter.
    pub fn matters(&mut self, source: Source) {
        if source != 0 {
            self.roots.push(source);
        }
    }

    /// A load of an element; gives the source of its value.
    pub fn load(&mut self, array: usize, at: usize, turns: &Turns) -> Source {
        self.parts.push([0, 0]);
        let source = self.parts.len() as Source;
        self.accesses.push(Access { array, at, write: false, turns: Rc::clone(turns), source });
        source
    }

    /// A store of an element.
    pub fn store(&mut self, array: usize, at: usize, turns: &Turns) {
        self.accesses.push(Access { array, at, write: true, turns: Rc::clone(turns), source: 0 });
    }

    /// A read, in the iteration `now`, of a scalar that was written in the iteration `then`.
    pub fn read_scalar(&mut self, then: &Turns, now: &Turns) {
        for (a, b) in then.iter().zip(now.iter()) {
            if a.run != b.run {
                return;
            }
            if a.iteration != b.iteration {
                self.carry_scalars.insert(b.span);
                return;
            }
        }
    }

    /// The sources that came to matter.
    fn live(&self) -> Vec<bool> {
        let mut live = vec![false; self.parts.len() + 1];
        let mut open = self.roots.clone();
        while let Some(source) = open.pop() {
            if source != 0 && !std::mem::replace(&mut live[source as usize], true) {
                open.extend(self.parts[source as usize - 1]);
            }
        }
        live
    }

    /// The loops with a run of which two iterations stored something: of others a run shows nothing.
    pub fn worked(&self) -> HashSet<SpanId> {
        let mut stored: HashMap<u32, Touched> = HashMap::new();
        let mut found = HashSet::new();
        for turn in self.accesses.iter().filter(|a| a.write).flat_map(|a| a.turns.iter()) {
            let by = stored.entry(turn.run).or_default();
            *by = by.with(turn.iteration);
            if *by == Touched::BySeveral {
                found.insert(turn.span);
            }
        }
        found
    }

    /// The loops in which one iteration wrote an element that another one read or wrote, with the array.
    pub fn conflicts(&self) -> HashMap<SpanId, usize> {
        let live = self.live();
        let mut found = HashMap::new();
        let mut touched: HashMap<(u32, usize, usize), [Touched; 2]> = HashMap::new();
        for access in self.accesses.iter().filter(|a| a.write || live[a.source as usize]) {
            for turn in access.turns.iter().filter(|t| self.repeated.contains(&t.span)) {
                if found.contains_key(&turn.span) {
                    continue;
                }
                let [reads, writes] = touched.entry((turn.run, access.array, access.at)).or_default();
                let by_others = |t: &Touched| t.with(turn.iteration) == Touched::BySeveral;
                if by_others(writes) || access.write && by_others(reads) {
                    found.insert(turn.span, access.array);
                }
                let own = if access.write { writes } else { reads };
                *own = own.with(turn.iteration);
            }
        }
        found
    }
}

/// By which iterations an element was touched.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
enum Touched {
    #[default]
    Never,
    By(u64),
    BySeveral,
}

impl Touched {
    fn with(self, iteration: u64) -> Self {
        match self {
            Self::Never => Self::By(iteration),
            Self::By(one) if one == iteration => self,
            Self::By(_) | Self::BySeveral => Self::BySeveral,
        }
    }
}
