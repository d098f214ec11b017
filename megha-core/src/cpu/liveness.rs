//! Which values die where: backward liveness over the structured regions of a function.
//!
//! A loop's back edge makes every value that is defined outside the loop and used in it live through the whole loop. As control is
//! structured, one backward walk with the set at each loop's head known beforehand (the values free in the loop) suffices.

use crate::hash::{HashMap, HashSet};

use super::inline::Inlined;
use crate::ir::{Op, Region, Stmt, Terminator, Value};

/// For each statement and region of a function: what is dead or live afterwards. Kernel bodies are not entered.
pub struct Liveness {
    dies: HashMap<*const Stmt, Vec<Value>>,
    live_after: HashMap<*const Stmt, HashSet<Value>>,
    leaves: HashMap<*const Region, HashSet<Value>>,
    unused_on_entry: HashMap<*const Region, Vec<Value>>,
}

impl Liveness {
    /// Analyses the outermost region of a function or kernel. The result is about this very region: statements are known by their
    /// addresses.
    pub fn of(region: &Region, inlined: &Inlined<'_>) -> Self {
        let mut walk = Walk { inlined, found: Self::empty(), loops: Vec::new() };
        walk.region(region, &HashSet::default());
        walk.found
    }

    fn empty() -> Self {
        Self {
            dies: HashMap::default(),
            live_after: HashMap::default(),
            leaves: HashMap::default(),
            unused_on_entry: HashMap::default(),
        }
    }

    /// The operands and results of a statement that nothing uses later.
    pub fn dying(&self, stmt: &Stmt) -> &[Value] {
        self.dies.get(&std::ptr::from_ref(stmt)).map_or(&[], Vec::as_slice)
    }

    /// Whether the value is dead once the statement, which uses or defines it, has run.
    pub fn dies_at(&self, stmt: &Stmt, value: Value) -> bool {
        self.dying(stmt).contains(&value)
    }

    /// Whether the value is used after a statement with regions (in a later iteration of a loop around it, too).
    pub fn is_live_after(&self, stmt: &Stmt, value: Value) -> bool {
        self.live_after.get(&std::ptr::from_ref(stmt)).is_some_and(|live| live.contains(&value))
    }

    /// The values live after a statement with regions.
    pub fn live_after(&self, stmt: &Stmt) -> impl Iterator<Item = Value> + '_ {
        self.live_after.get(&std::ptr::from_ref(stmt)).into_iter().flatten().copied()
    }

    /// Whether the value is used after control has left the region at its end.
    pub fn outlives(&self, region: &Region, value: Value) -> bool {
        self.leaves.get(&std::ptr::from_ref(region)).is_some_and(|live| live.contains(&value))
    }

    /// For an arm of an `If`: values that are last used in the other arm, so dead at the start of this one.
    pub fn dead_on_entry(&self, region: &Region) -> &[Value] {
        self.unused_on_entry.get(&std::ptr::from_ref(region)).map_or(&[], Vec::as_slice)
    }
}

/// The loops around a place.
struct Frame {
    /// Live at the start of each iteration, the carried values not counted. It is what is live where the loop is left, too: what is
    /// defined outside ends behind the loop, whichever way leads there.
    head: HashSet<Value>,
}

struct Walk<'w, 'f> {
    inlined: &'w Inlined<'f>,
    found: Liveness,
    loops: Vec<Frame>,
}

impl Walk<'_, '_> {
    /// Walks a region backward from what is live after a `Yield` at its end; returns what is live on entry.
    fn region(&mut self, region: &Region, after: &HashSet<Value>) -> HashSet<Value> {
        let mut live = self.target(&region.term, after);
        self.found.leaves.insert(region, live.clone());
        live.extend(self.expanded(region.term.values().to_vec()));
        for stmt in region.stmts.iter().rev() {
            self.stmt(stmt, &mut live);
        }
        for param in &region.params {
            live.remove(param);
        }
        live
    }

    /// What is live where a terminator leads to.
    fn target(&self, term: &Terminator, after: &HashSet<Value>) -> HashSet<Value> {
        let frame = |depth: u32| self.loops.len().checked_sub(1 + depth as usize).and_then(|at| self.loops.get(at));
        match term {
            Terminator::Yield(_) => after.clone(),
            Terminator::Break(depth, _) | Terminator::Continue(depth, _) => {
                frame(*depth).map(|f| f.head.clone()).unwrap_or_default()
            }
            Terminator::Return(_) | Terminator::Unreachable => HashSet::default(),
        }
    }

    fn stmt(&mut self, stmt: &Stmt, live: &mut HashSet<Value>) {
        let mut used = Vec::new();
        let after = (!stmt.op.regions().is_empty()).then(|| live.clone());
        if after.is_some() {
            stmt.results.iter().for_each(|result| _ = live.remove(result));
            self.inside(stmt, live, &mut used);
        } else {
            used_by(&stmt.op, &mut used);
        }
        let mut used = self.expanded(used);
        used.extend(&stmt.results);
        used.sort_unstable();
        used.dedup();
        let later = after.as_ref().unwrap_or(live);
        let dying = used.iter().copied().filter(|v| !later.contains(v)).collect();
        self.found.dies.insert(stmt, dying);
        if let Some(after) = after {
            self.found.live_after.insert(stmt, after);
        }
        stmt.results.iter().for_each(|result| _ = live.remove(result));
        live.extend(used.into_iter().filter(|v| !stmt.results.contains(v)));
    }

    /// Walks the regions of a statement, `live` being live behind it without its results; appends what it uses.
    fn inside(&mut self, stmt: &Stmt, live: &HashSet<Value>, used: &mut Vec<Value>) {
        match &stmt.op {
            Op::If { cond, then, els } => {
                let ins = [then, els].map(|arm| self.region(arm, live));
                for (arm, own, other) in [(then, &ins[0], &ins[1]), (els, &ins[1], &ins[0])] {
                    let dead = other.difference(own).filter(|v| !live.contains(v)).copied();
                    let mut dead: Vec<Value> = dead.collect();
                    dead.sort_unstable();
                    self.found.unused_on_entry.insert(&**arm, dead);
                }
                used.push(*cond);
                used.extend(ins.into_iter().flatten());
            }
            Op::For { body, .. } => {
                self.repeated(&[body], live);
                stmt.op.for_each_operand(&mut |v| used.push(v));
                free_values(body, used);
            }
            Op::While { cond, body, .. } => {
                self.repeated(&[cond, body], live);
                stmt.op.for_each_operand(&mut |v| used.push(v));
                [cond, body].into_iter().for_each(|r| free_values(r, used));
            }
            op => used_by(op, used),
        }
    }

    /// With the variables that the values written in place read, which are read where those values are used.
    fn expanded(&self, mut used: Vec<Value>) -> Vec<Value> {
        let mut read = Vec::new();
        used.iter().for_each(|v| self.inlined.variables(*v, &mut read));
        used.extend(read);
        used
    }

    /// Walks the regions of a loop, `after` being live behind it.
    fn repeated(&mut self, regions: &[&Region], after: &HashSet<Value>) {
        let mut free = Vec::new();
        regions.iter().for_each(|r| free_values(r, &mut free));
        let mut head: HashSet<Value> = after.iter().copied().chain(self.expanded(free)).collect();
        // A way out may lead past what is behind this loop, which may be an error.
        head.extend(self.loops.last().iter().flat_map(|around| &around.head));
        self.loops.push(Frame { head: head.clone() });
        for region in regions {
            self.region(region, &head);
        }
        self.loops.pop();
    }
}

/// The values that a statement without host regions uses, those inside a kernel included.
pub fn used_by(op: &Op, used: &mut Vec<Value>) {
    op.for_each_operand(&mut |v| used.push(v));
    if let Op::Kernel(kernel) = op {
        free_values(&kernel.body, used);
    }
}

/// Appends the values that a region uses and does not define.
pub fn free_values(region: &Region, out: &mut Vec<Value>) {
    let (mut defined, mut used) = (HashSet::default(), Vec::new());
    collect(region, &mut defined, &mut used);
    used.retain(|v| !defined.contains(v));
    used.sort_unstable();
    used.dedup();
    out.extend(used);
}

fn collect(region: &Region, defined: &mut HashSet<Value>, used: &mut Vec<Value>) {
    defined.extend(&region.params);
    for stmt in &region.stmts {
        stmt.op.for_each_operand(&mut |v| used.push(v));
        stmt.op.regions().into_iter().for_each(|r| collect(r, defined, used));
        defined.extend(&stmt.results);
    }
    used.extend(region.term.values());
}
