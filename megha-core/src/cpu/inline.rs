//! Which scalar values are written inside the expression that uses them instead of in a `let` of their own.
//!
//! Constants and sizes always are. Other pure scalars are if they are used exactly once, by a later statement of the same region,
//! with nothing in between that could change a variable the expression reads.

use crate::hash::HashMap;

use super::liveness::free_values;
use crate::ir::{Func, Kind, Mem, Op, Region, Size, Stmt, Sub, SymData, SymDef, Value};

/// Most operations in one expression: beyond that a reader wants names.
const LONGEST: usize = 8;

/// The defining operations of the values that are written in place.
#[derive(Default)]
pub struct Inlined<'f> {
    ops: HashMap<Value, &'f Op>,
}

impl<'f> Inlined<'f> {
    /// Decides for a region and all regions in it.
    pub fn of(func: &'f Func, region: &'f Region) -> Self {
        let mut uses = HashMap::default();
        count_uses(region, &mut uses);
        let value = |data: &SymData| if let SymDef::Value(v) = data.def { Some(v) } else { None };
        let size_values = func.symbols.iter().filter_map(|(_, data)| value(data)).collect();
        let mut walk = Walk { func, size_values, uses, found: Self::default(), weight: HashMap::default() };
        walk.region(region);
        walk.found
    }

    /// The operation to write where the value is used; `None` if the value is in a variable.
    pub fn get(&self, value: Value) -> Option<&'f Op> {
        self.ops.get(&value).copied()
    }

    /// Writes a value in place that is defined outside the region.
    pub fn insert(&mut self, value: Value, op: &'f Op) {
        self.ops.insert(value, op);
    }

    /// The sizes that are written in place.
    pub fn sizes(&self) -> impl Iterator<Item = &Size> {
        self.ops.values().filter_map(|op| if let Op::Size(size) = op { Some(size) } else { None })
    }

    /// Appends the variables that an expression for the value reads.
    pub fn variables(&self, value: Value, out: &mut Vec<Value>) {
        match self.get(value) {
            None => out.push(value),
            Some(op) => op.for_each_operand(&mut |v| self.variables(v, out)),
        }
    }
}

struct Walk<'f> {
    func: &'f Func,
    /// Scalars that sizes are made of: those need a variable.
    size_values: Vec<Value>,
    uses: HashMap<Value, usize>,
    found: Inlined<'f>,
    weight: HashMap<Value, usize>,
}

/// How freely an operation moves to its use.
#[derive(PartialEq)]
enum Mobility {
    Free,
    /// Not past a store or a nested region.
    Load,
    Fixed,
}

impl<'f> Walk<'f> {
    fn region(&mut self, region: &'f Region) {
        // Candidates whose single use may still come; a barrier empties the sets.
        let (mut pure, mut loads) = (HashMap::default(), HashMap::default());
        for stmt in &region.stmts {
            self.take_used(stmt, &mut pure, &mut loads);
            if stores(&stmt.op) {
                loads.clear();
            }
            let nested = stmt.op.regions();
            if !nested.is_empty() {
                pure.clear();
                loads.clear();
            }
            nested.into_iter().for_each(|r| self.region(r));
            let [result] = stmt.results[..] else { continue };
            if matches!(stmt.op, Op::Const(_) | Op::Size(_)) {
                self.found.ops.insert(result, &stmt.op);
                continue;
            }
            if self.uses.get(&result) != Some(&1) {
                continue;
            }
            match self.mobility(&stmt.op, result) {
                Mobility::Free => drop(pure.insert(result, &stmt.op)),
                Mobility::Load => drop(loads.insert(result, &stmt.op)),
                Mobility::Fixed => {}
            }
        }
        // An array that is handed on is moved, so no element is read from it afterwards.
        if region.term.values().iter().any(|v| !self.func.ty(*v).is_scalar()) {
            loads.clear();
        }
        for value in region.term.values() {
            self.take(*value, &mut pure, &mut loads);
        }
    }

    fn take_used(&mut self, stmt: &'f Stmt, pure: &mut HashMap<Value, &'f Op>, loads: &mut HashMap<Value, &'f Op>) {
        let mut used = Vec::new();
        stmt.op.for_each_operand(&mut |v| used.push(v));
        if let Op::Kernel(kernel) = &stmt.op {
            free_values(&kernel.body, &mut used);
        }
        used.into_iter().for_each(|v| self.take(v, pure, loads));
    }

    /// The use of a value: if it is a candidate still, it is written here.
    fn take(&mut self, value: Value, pure: &mut HashMap<Value, &'f Op>, loads: &mut HashMap<Value, &'f Op>) {
        let is_load = loads.contains_key(&value);
        let Some(op) = pure.remove(&value).or_else(|| loads.remove(&value)) else { return };
        let mut weight = 1;
        op.for_each_operand(&mut |v| weight += self.weight.get(&v).copied().unwrap_or(0));
        if weight <= LONGEST || is_load {
            self.found.ops.insert(value, op);
            self.weight.insert(value, weight);
        }
    }

    fn mobility(&self, op: &Op, result: Value) -> Mobility {
        if !self.func.ty(result).is_scalar() || self.size_values.contains(&result) {
            return Mobility::Fixed;
        }
        let mut scalar = true;
        op.for_each_operand(&mut |v| scalar &= self.func.ty(v).is_scalar());
        match (op.kind(), op) {
            _ if op.has_effect() => Mobility::Fixed,
            (Kind::Scalar | Kind::Elementwise, _) if scalar && !self.reads_memory(op) => Mobility::Free,
            (Kind::Elementwise, _) if scalar => Mobility::Load,
            (_, Op::Index { subs, .. }) if subs.iter().all(|s| matches!(s, Sub::At(_))) => Mobility::Load,
            (_, Op::Load(Mem::In(_), _)) => Mobility::Load,
            (Kind::Scalar | Kind::Elementwise | Kind::Whole | Kind::Access | Kind::Action | Kind::Control, _) => {
                Mobility::Fixed
            }
        }
    }

    /// Whether an operand that is itself written in place reads memory, so that the whole expression must not pass a store.
    fn reads_memory(&self, op: &Op) -> bool {
        let mut reads = false;
        op.for_each_operand(&mut |v| {
            if let Some(inner) = self.found.get(v) {
                reads |= matches!(inner, Op::Index { .. } | Op::Load(..)) || self.reads_memory(inner);
            }
        });
        reads
    }
}

/// Whether a statement without regions changes memory or can be seen from outside, so that no load may pass it.
fn stores(op: &Op) -> bool {
    matches!(op, Op::Store { .. } | Op::Put(..) | Op::Call(..) | Op::Kernel(_)) || op.has_effect()
}

/// Counts the uses of each value; a kernel's uses of an outer value count as one, since it captures the value once.
fn count_uses(region: &Region, uses: &mut HashMap<Value, usize>) {
    for stmt in &region.stmts {
        let mut used = Vec::new();
        stmt.op.for_each_operand(&mut |v| used.push(v));
        match &stmt.op {
            Op::Kernel(kernel) => {
                let mut captured = Vec::new();
                free_values(&kernel.body, &mut captured);
                let mut inside = HashMap::default();
                count_uses(&kernel.body, &mut inside);
                inside.retain(|v, _| !captured.contains(v));
                uses.extend(inside);
                used.extend(captured);
            }
            op => op.regions().into_iter().for_each(|r| count_uses(r, uses)),
        }
        for value in used {
            *uses.entry(value).or_default() += 1;
        }
    }
    for value in region.term.values() {
        *uses.entry(*value).or_default() += 1;
    }
}
