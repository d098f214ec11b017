//! What the thesis would copy: the global data transfer insertion of MEGHA (section 3.2.4), and the naive scheme that it is compared with
//! (figure 3.9), counted over a run of the reference interpreter.
//!
//! Every kernel is on the device, everything else on the host. A *MATLAB basic block* is a run of statements between control. The
//! values of the SSA form are the thesis's variables; where control brings a value into another (carried values, results of
//! an `If`), the transfer on the edge is that of the value that comes. Scalars reach kernels as parameters and are copied to the host only.
//!
//! Where the thesis leaves a choice, the one with fewer copies is taken: only edges that the run takes are joined, only values
//! that are still used are moved, and a side that has a value keeps it until it is written.

use std::collections::{BTreeMap, HashMap, HashSet};

use megha::rt::device::Moved;
use megha_core::interp::{Datum, Event, Order};
use megha_core::ir::{Func, Mem, Module, Op, Region, Stmt, Terminator, Value};
use ndarray::ArrayViewD;

use super::reference::interpret_watched;

/// Numbers of copies and bytes.
#[derive(Debug, Default, Clone, Copy)]
pub struct Copies {
    pub copies: u64,
    pub bytes: u64,
}

impl Copies {
    fn add(&mut self, bytes: u64) {
        if bytes > 0 {
            self.copies += 1;
            self.bytes += bytes;
        }
    }
}

/// The thesis's lattice, in its order: the join of two locations is the greater one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum At {
    Unknown,
    Both,
    Device,
    Host,
}

impl At {
    fn on(self, side: At) -> bool {
        self == side || self == At::Both
    }
}

/// A block, by the region or the statement with regions that control comes from.
type Block = usize;
/// The values that control brings into others.
type Bound = Vec<(Value, Value)>;

/// What a block does with values, in order: where, whether it writes, and how long the value is then.
struct Access {
    value: Value,
    side: At,
    writes: bool,
}

/// What all visits of a block have in common.
#[derive(Default)]
struct Summary {
    /// Where values are expected when it begins.
    assumed: BTreeMap<Value, At>,
    /// Where values are when it ends.
    guaranteed: BTreeMap<Value, At>,
    /// The values that are copied in it.
    within: Vec<Value>,
    /// What the naive scheme copies.
    naive: Vec<Value>,
}

/// One time that a block runs.
struct Visit {
    block: Block,
    bound: Bound,
    accesses: Vec<Access>,
}

/// A statement with regions that runs, and the values that are carried in it.
struct Open {
    stmt: usize,
    is_loop: bool,
    /// The region of a loop's condition.
    cond: Option<usize>,
    carried: Vec<Value>,
}

/// A run, as it is told by the interpreter.
pub struct Recorded {
    scalars: HashSet<Value>,
    /// How long an element of each value is.
    element: HashMap<Value, u64>,
    bytes: HashMap<Value, u64>,
    visits: Vec<Visit>,
    open: Vec<Open>,
}

fn address<T>(part: &T) -> usize {
    std::ptr::from_ref(part).addr()
}

/// The arrays of the function that a kernel reads.
fn loads(region: &Region, out: &mut Vec<Value>) {
    for stmt in &region.stmts {
        if let Op::Load(Mem::In(array), _) = &stmt.op {
            out.push(*array);
        }
        stmt.op.regions().into_iter().for_each(|region| loads(region, out));
    }
}

impl Recorded {
    /// Nothing has run.
    pub fn new(func: &Func) -> Self {
        let all = || func.types.iter().enumerate().map(|(number, ty)| (Value::new(number), ty));
        let scalars = all().filter(|(_, ty)| ty.is_scalar()).map(|(value, _)| value).collect();
        let element = all().map(|(value, ty)| (value, ty.class.bytes())).collect();
        Self { scalars, element, bytes: HashMap::new(), visits: Vec::new(), open: Vec::new() }
    }

    /// Takes up what happened.
    pub fn record(&mut self, event: &Event<'_>) {
        match event {
            Event::Kernel(run) => {
                let mut read: Vec<Value> = run.kernel.outs.iter().filter_map(|out| out.updated()).collect();
                loads(&run.kernel.body, &mut read);
                read.retain(|value| !self.scalars.contains(value));
                read.iter().for_each(|value| self.access(*value, At::Device, false));
                self.write(run.stmt, run.results.unwrap_or_default(), At::Device);
            }
            Event::Ran(stmt, results) => {
                assert!(!matches!(stmt.op, Op::Call(..)), "one function is counted");
                stmt.op.for_each_operand(&mut |value| self.access(value, At::Host, false));
                self.write(stmt, results, At::Host);
            }
            Event::Begins(stmt) => self.begins(stmt),
            Event::Enters(region, params) => {
                params.iter().zip(&region.params).for_each(|(datum, value)| self.size(*value, datum));
                self.enters(region);
            }
            Event::Leaves(region) => self.leaves(region),
            Event::Ends(stmt, results) => {
                results.iter().zip(&stmt.results).for_each(|(datum, value)| self.size(*value, datum));
                while self.open.last().is_some_and(|open| open.stmt != address(*stmt)) {
                    self.open.pop();
                }
                let carried = self.open.pop().map_or_else(Vec::new, |open| open.carried);
                self.block(address(*stmt), stmt.results.iter().copied().zip(carried).collect());
            }
        }
    }

    fn size(&mut self, value: Value, datum: &Datum) {
        self.bytes.insert(value, datum.dims().iter().product::<usize>() as u64 * self.element[&value]);
    }

    fn write(&mut self, stmt: &Stmt, results: &[Datum], side: At) {
        for (value, datum) in stmt.results.iter().zip(results) {
            self.size(*value, datum);
            self.access(*value, side, true);
        }
    }

    fn access(&mut self, value: Value, side: At, writes: bool) {
        if let Some(visit) = self.visits.last_mut() {
            visit.accesses.push(Access { value, side, writes });
        }
    }

    fn block(&mut self, block: Block, bound: Bound) {
        self.visits.push(Visit { block, bound, accesses: Vec::new() });
    }

    fn begins(&mut self, stmt: &Stmt) {
        let (reads, carried, cond) = match &stmt.op {
            Op::If { cond, .. } => (Some(*cond), Vec::new(), None),
            Op::For { trip, init, .. } => (Some(*trip), init.clone(), None),
            Op::While { init, cond, .. } => (None, init.clone(), Some(address(&**cond))),
            _ => unreachable!("a statement with regions"),
        };
        reads.into_iter().for_each(|value| self.access(value, At::Host, false));
        let is_loop = !matches!(stmt.op, Op::If { .. });
        self.open.push(Open { stmt: address(stmt), is_loop, cond, carried });
    }

    fn enters(&mut self, region: &Region) {
        let Some(open) = self.open.last_mut() else {
            // the function's arguments are on the host
            self.block(0, Vec::new());
            region.params.iter().for_each(|value| self.access(*value, At::Host, true));
            return self.block(address(region), Vec::new());
        };
        // the number of the iteration comes first where the loop counts
        let (counter, params) = region.params.split_at(region.params.len() - open.carried.len());
        let bound = params.iter().copied().zip(open.carried.iter().copied()).collect();
        if open.cond == Some(address(region)) {
            open.carried = params.to_vec();
        }
        self.block(address(region), bound);
        counter.iter().for_each(|value| self.access(*value, At::Host, true));
    }

    fn leaves(&mut self, region: &Region) {
        match &region.term {
            Terminator::Return(values) => values.iter().for_each(|value| self.access(*value, At::Host, false)),
            Terminator::Yield(values) => match self.open.last_mut() {
                Some(open) if open.cond == Some(address(region)) => {
                    values.iter().for_each(|value| self.access(*value, At::Host, false));
                }
                Some(open) => open.carried.clone_from(values),
                None => {}
            },
            Terminator::Break(depth, values) | Terminator::Continue(depth, values) => {
                let mut left = *depth;
                while let Some(open) = self.open.last_mut() {
                    if open.is_loop && left == 0 {
                        open.carried.clone_from(values);
                        return;
                    }
                    left -= u32::from(open.is_loop);
                    self.open.pop();
                }
            }
            Terminator::Unreachable => {}
        }
    }
}

/// What each scheme copies in a run.
pub struct Schemes {
    /// MEGHA's global data transfer insertion.
    pub thesis: Copies,
    /// At the beginning of each block what its kernels read is copied to the device, and at its end what they made to the host.
    pub naive: Copies,
}

impl Recorded {
    /// Counts what the schemes would have copied.
    pub fn schemes(&self) -> Schemes {
        let summaries = self.summaries();
        let live = self.live(&summaries);
        let (starts, ends) = self.locations(&summaries, &live);
        let mut schemes = Schemes { thesis: Copies::default(), naive: Copies::default() };
        let mut before: Option<Block> = None;
        for visit in &self.visits {
            let summary = &summaries[&visit.block];
            let bytes = |value: Value| self.bytes.get(&value).copied().unwrap_or(0);
            for value in &live[&visit.block] {
                let Some(before) = before else { break };
                let from = source(visit, *value);
                let at = *ends[&before].get(&from).expect("a value that is made");
                let wanted = starts[&visit.block].get(value).copied().unwrap_or(At::Unknown);
                let sides = [At::Host, At::Device].into_iter().filter(|side| wanted.on(*side) && !at.on(*side));
                sides.for_each(|_| schemes.thesis.add(bytes(from)));
            }
            summary.within.iter().for_each(|value| schemes.thesis.add(bytes(*value)));
            summary.naive.iter().for_each(|value| schemes.naive.add(bytes(*value)));
            before = Some(visit.block);
        }
        schemes
    }

    fn summaries(&self) -> BTreeMap<Block, Summary> {
        let mut summaries = BTreeMap::new();
        for visit in &self.visits {
            summaries.entry(visit.block).or_insert_with(|| self.summary(&visit.accesses));
        }
        summaries
    }

    fn summary(&self, accesses: &[Access]) -> Summary {
        let mut summary = Summary::default();
        let mut written = HashSet::new();
        for Access { value, side, writes } in accesses {
            let at = summary.guaranteed.get(value).copied();
            if *writes {
                written.insert(*value);
                summary.guaranteed.insert(*value, *side);
                summary.naive.extend((*side == At::Device).then_some(*value));
                continue;
            }
            let elsewhere = at.is_none_or(|at| !at.on(*side));
            if elsewhere && *side == At::Device {
                summary.naive.push(*value);
            }
            let now = match at {
                None => *side,
                Some(at) if at.on(*side) => at,
                Some(_) => At::Both,
            };
            if written.contains(value) {
                summary.within.extend(elsewhere.then_some(*value));
            } else {
                summary.assumed.insert(*value, now);
            }
            summary.guaranteed.insert(*value, now);
        }
        summary
    }

    /// The edges that the run takes, each once.
    fn edges(&self) -> Vec<(&Visit, &Visit)> {
        let mut seen = HashSet::new();
        let pairs = self.visits.iter().zip(&self.visits[1..]);
        pairs.filter(|(from, to)| seen.insert((from.block, to.block, to.bound.clone()))).collect()
    }

    /// The values that are used after a block begins.
    fn live(&self, summaries: &BTreeMap<Block, Summary>) -> BTreeMap<Block, HashSet<Value>> {
        let assumed = |summary: &Summary| summary.assumed.keys().copied().collect();
        let mut live: BTreeMap<Block, HashSet<Value>> = summaries.iter().map(|(b, s)| (*b, assumed(s))).collect();
        let edges = self.edges();
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for (from, to) in edges.iter().rev() {
                let made: HashSet<Value> = self.made(from);
                let needed: Vec<Value> = live[&to.block].iter().map(|value| source(to, *value)).collect();
                let here = live.get_mut(&from.block).expect("a block");
                for value in needed.into_iter().filter(|value| !made.contains(value)) {
                    changed |= here.insert(value);
                }
            }
        }
        live
    }

    /// The values that a block writes; those that control brings are there when it begins.
    fn made(&self, visit: &Visit) -> HashSet<Value> {
        visit.accesses.iter().filter(|access| access.writes).map(|access| access.value).collect()
    }

    /// Equations 3.2.5 and 3.2.6: where values are when blocks begin and end.
    #[allow(clippy::type_complexity, reason = "two maps of one kind")]
    fn locations(
        &self,
        summaries: &BTreeMap<Block, Summary>,
        live: &BTreeMap<Block, HashSet<Value>>,
    ) -> (BTreeMap<Block, BTreeMap<Value, At>>, BTreeMap<Block, BTreeMap<Value, At>>) {
        let mut starts: BTreeMap<Block, _> = summaries.iter().map(|(b, s)| (*b, s.assumed.clone())).collect();
        let mut ends: BTreeMap<Block, _> = summaries.iter().map(|(b, s)| (*b, s.guaranteed.clone())).collect();
        let edges = self.edges();
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for (from, to) in &edges {
                let summary = &summaries[&to.block];
                for value in live[&to.block].iter().filter(|value| !summary.assumed.contains_key(value)) {
                    let at = ends[&from.block].get(&source(to, *value)).copied().unwrap_or(At::Unknown);
                    let start = starts.get_mut(&to.block).expect("a block").entry(*value).or_insert(At::Unknown);
                    if at > *start {
                        *start = at;
                        changed = true;
                        let end = summary.guaranteed.get(value).copied().unwrap_or(at);
                        ends.get_mut(&to.block).expect("a block").insert(*value, end);
                    }
                }
            }
        }
        (starts, ends)
    }
}

/// Where the value of a block comes from.
fn source(visit: &Visit, value: Value) -> Value {
    visit.bound.iter().find(|(to, _)| *to == value).map_or(value, |(_, from)| *from)
}

/// The head of a table of what calls copied.
pub const HEAD: &str = "call             copies    bytes  thesis    bytes   naive    bytes  reduction\n";

/// What a call copied, beside what the two schemes would have: a line of the table. Neither copies nor bytes are more than those of the thesis.
pub fn line(name: &str, module: &Module, arguments: &[ArrayViewD<f64>], moved: &Moved) -> String {
    let mut recorded = Recorded::new(&module.funcs[0]);
    let mut watch = |event: &Event<'_>| recorded.record(event);
    interpret_watched(module, arguments, Order::Forward, &mut std::io::sink(), &mut watch).expect("results");
    let Schemes { thesis, naive } = recorded.schemes();
    let own = Copies { copies: moved.uploads + moved.downloads, bytes: moved.bytes_up + moved.bytes_down };
    let mut line = format!("{name:<16}");
    for Copies { copies, bytes } in [own, thesis, naive] {
        line += &format!("{copies:>7} {bytes:>8}");
    }
    line += &format!("{:>11.1}\n", naive.bytes as f64 / own.bytes as f64);
    assert!(own.copies <= thesis.copies && own.bytes <= thesis.bytes, "{HEAD}{line}");
    line
}
