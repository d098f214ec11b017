//! Which values die where: backward liveness over the structured regions of a function.
//!
//! A loop's back edge makes every value that is defined outside the loop and used in it live through the whole loop. As control is
//! structured, one backward walk with the set at each loop's head known beforehand (the values free in the loop) suffices.

use crate::hash::HashSet;

use super::inline::Inlined;
use crate::ir::numbering::{NumberedRegion, NumberedStmt, Numbering};
use crate::ir::{Op, Region, Terminator, Value};

/// For each statement and region of a function, by their numbers: what is dead or live afterwards. Kernel bodies are not entered.
pub struct Liveness {
    /// The numbers of what was analysed.
    pub numbering: Numbering,
    dies: Vec<Vec<Value>>,
    live_after: Vec<Option<HashSet<Value>>>,
    leaves: Vec<HashSet<Value>>,
    unused_on_entry: Vec<Vec<Value>>,
}

impl Liveness {
    /// Analyses the outermost region of a function or kernel.
    pub fn of(region: &Region, inlined: &Inlined<'_>) -> Self {
        let mut walk = Walk { inlined, found: Self::nothing(Numbering::of(region)), loops: Vec::new() };
        walk.region(walk.found.numbering.outermost(region), &HashSet::default());
        walk.found
    }

    fn nothing(numbering: Numbering) -> Self {
        let (stmts, regions) = (numbering.stmt_count(), numbering.region_count());
        Self {
            numbering,
            dies: vec![Vec::new(); stmts],
            live_after: vec![None; stmts],
            leaves: vec![HashSet::default(); regions],
            unused_on_entry: vec![Vec::new(); regions],
        }
    }

    /// The operands and results of a statement that nothing uses later.
    pub fn dying(&self, stmt: NumberedStmt<'_>) -> &[Value] {
        &self.dies[stmt.id.index()]
    }

    /// Whether the value is dead once the statement, which uses or defines it, has run.
    pub fn dies_at(&self, stmt: NumberedStmt<'_>, value: Value) -> bool {
        self.dying(stmt).contains(&value)
    }

    /// Whether the value is used after a statement with regions (in a later iteration of a loop around it, too).
    pub fn is_live_after(&self, stmt: NumberedStmt<'_>, value: Value) -> bool {
        self.live_after[stmt.id.index()].as_ref().is_some_and(|live| live.contains(&value))
    }

    /// The values live after a statement with regions.
    pub fn live_after(&self, stmt: NumberedStmt<'_>) -> impl Iterator<Item = Value> + '_ {
        self.live_after[stmt.id.index()].iter().flatten().copied()
    }

    /// Whether the value is used after control has left the region at its end.
    pub fn outlives(&self, region: NumberedRegion<'_>, value: Value) -> bool {
        self.leaves[region.id.index()].contains(&value)
    }

    /// For an arm of an `If`: values that are last used in the other arm, so dead at the start of this one.
    pub fn dead_on_entry(&self, region: NumberedRegion<'_>) -> &[Value] {
        &self.unused_on_entry[region.id.index()]
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
    fn region(&mut self, region: NumberedRegion<'_>, after: &HashSet<Value>) -> HashSet<Value> {
        let mut live = self.target(&region.term, after);
        self.found.leaves[region.id.index()] = live.clone();
        live.extend(self.expanded(region.term.values().to_vec()));
        for stmt in self.found.numbering.stmts(region).into_iter().rev() {
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

    fn stmt(&mut self, stmt: NumberedStmt<'_>, live: &mut HashSet<Value>) {
        let mut used = Vec::new();
        let has_regions = stmt.op.may_have_regions() && !stmt.op.regions().is_empty();
        let after = has_regions.then(|| live.clone());
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
        self.found.dies[stmt.id.index()] = dying;
        self.found.live_after[stmt.id.index()] = after;
        stmt.results.iter().for_each(|result| _ = live.remove(result));
        live.extend(used.into_iter().filter(|v| !stmt.results.contains(v)));
    }

    /// Walks the regions of a statement, `live` being live behind it without its results; appends what it uses.
    fn inside(&mut self, stmt: NumberedStmt<'_>, live: &HashSet<Value>, used: &mut Vec<Value>) {
        let regions = self.found.numbering.regions(stmt);
        match (&stmt.op, &regions[..]) {
            (Op::If { cond, .. }, &[then, els]) => {
                let ins = [then, els].map(|arm| self.region(arm, live));
                for (arm, own, other) in [(then, &ins[0], &ins[1]), (els, &ins[1], &ins[0])] {
                    let dead = other.difference(own).filter(|v| !live.contains(v)).copied();
                    let mut dead: Vec<Value> = dead.collect();
                    dead.sort_unstable();
                    self.found.unused_on_entry[arm.id.index()] = dead;
                }
                used.push(*cond);
                used.extend(ins.into_iter().flatten());
            }
            (Op::For { .. } | Op::While { .. }, _) => {
                let mut free = Vec::new();
                regions.iter().for_each(|r| free_values(r, &mut free));
                self.repeated(&regions, live, &free);
                stmt.op.for_each_operand(&mut |v| used.push(v));
                used.append(&mut free);
            }
            (op, _) => used_by(op, used),
        }
    }

    /// With the variables that the values written in place read, which are read where those values are used.
    fn expanded(&self, mut used: Vec<Value>) -> Vec<Value> {
        let mut read = Vec::new();
        used.iter().for_each(|v| self.inlined.variables(*v, &mut read));
        used.extend(read);
        used
    }

    /// Walks the regions of a loop, `after` being live behind it and `free` what the regions use and do not define.
    fn repeated(&mut self, regions: &[NumberedRegion<'_>], after: &HashSet<Value>, free: &[Value]) {
        let mut head: HashSet<Value> = after.iter().copied().chain(self.expanded(free.to_vec())).collect();
        // A way out may lead past what is behind this loop, which may be an error.
        head.extend(self.loops.last().iter().flat_map(|around| &around.head));
        self.loops.push(Frame { head: head.clone() });
        for region in regions {
            self.region(*region, &head);
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
    out.extend(region.free_values());
}
