//! Carried scalars that no iteration reads and that the iteration number determines, as the loop variable itself, which
//! MATLAB keeps after the loop: their value after the last iteration is computed behind the loop. It may be made of elements of arrays
//! that the loop does not store into, and may be kept from the iteration before under a condition that is the same in all. A
//! scalar that sizes are made of stays where arrays of these sizes are carried.

use crate::hash::{HashMap, HashSet};
use crate::ir::size::SymDef;
use crate::ir::{Binary, Class, Const, Func, Loc, Op, Region, Size, Stmt, Terminator, Type, Value};
use crate::kernels::accesses::Definitions;
use crate::kernels::dead::leaves;
use crate::nests::contents::is_pure;

/// Takes such values out of all loops of a function, innermost loops first.
pub(super) fn run(func: &mut Func) {
    let defs = Definitions::of(func);
    let mut body = std::mem::take(&mut func.body);
    body.rewrite(&mut |mut stmt, out| {
        let after = take_out(func, &defs, &mut stmt);
        out.push(stmt);
        out.extend(after);
    });
    func.body = body;
}

/// Removes carried values from a loop; gives the statements that compute them.
fn take_out(func: &mut Func, defs: &Definitions, stmt: &mut Stmt) -> Vec<Stmt> {
    let Op::For { trip, init, body } = &mut stmt.op else { return Vec::new() };
    if leaves(body, 0) {
        return Vec::new();
    }
    let Some(last) = defs.trip_size(*trip).map(|size| size.add_const(-1)) else { return Vec::new() };
    let mut slice =
        Slice { func, loc: stmt.loc, counter: body.params[0], last, done: HashMap::default(), stmts: Vec::new() };
    let mut after = Vec::new();
    for at in (0..init.len()).rev() {
        let (param, result) = (body.params[at + 1], stmt.results[at]);
        let Terminator::Yield(next) = &body.term else { return after };
        let is_size = slice.func.symbols.values().any(|v| v == param || v == result);
        if !slice.func.ty(param).is_scalar()
            || is_size
            || uses(body, param) > kept(slice.func, body, (param, next[at]), &mut Vec::new())
        {
            continue;
        }
        let before = slice.stmts.len();
        slice.done.insert(param, init[at]);
        let Some(value) = slice.value(&[body], next[at]) else {
            slice.stmts.truncate(before);
            slice.done.retain(|_, v| defs.scope_of(*v).is_some());
            slice.done.remove(&param);
            continue;
        };
        after.extend(slice.chosen(*trip, value, init[at], result));
        stmt.results.remove(at);
        body.params.remove(at + 1);
        if let Terminator::Yield(next) = &mut body.term {
            next.remove(at);
        }
        // Where it is kept it has been kept from the start.
        replace(body, param, init.remove(at));
    }
    after
}

/// How often the value that the next iteration gets keeps the carried one by a condition that does not change in the loop.
fn kept(func: &Func, body: &Region, (param, next): (Value, Value), seen: &mut Vec<Value>) -> usize {
    if next == param {
        return 1;
    }
    if seen.contains(&next) {
        return 0;
    }
    seen.push(next);
    let Some(stmt) = body.stmts.iter().find(|s| s.results.contains(&next)) else { return 0 };
    match stmt.op {
        Op::Select(cond, a, b) if is_invariant(func, body, cond) => {
            [a, b].into_iter().map(|value| kept(func, body, (param, value), seen)).sum()
        }
        Op::If { cond, ref then, ref els } if is_invariant(func, body, cond) => {
            let at = stmt.results.iter().position(|r| *r == next).unwrap_or_default();
            let yields = |arm: &Region| arm.term.values().get(at) == Some(&param);
            usize::from(yields(then)) + usize::from(yields(els))
        }
        _ => 0,
    }
}

fn replace(region: &mut Region, old: Value, new: Value) {
    let by = |v: &mut Value| {
        if *v == old {
            *v = new;
        }
    };
    for stmt in &mut region.stmts {
        stmt.op.for_each_operand_mut(&mut |v| by(v));
        stmt.op.regions_mut().into_iter().for_each(|nested| replace(nested, old, new));
    }
    region.term.values_mut().iter_mut().for_each(by);
}

/// Whether a value is the same in all iterations.
fn is_invariant(func: &Func, body: &Region, value: Value) -> bool {
    if body.params.contains(&value) {
        return false;
    }
    let Some(stmt) = body.stmts.iter().find(|s| s.results.contains(&value)) else { return !defines(body, value) };
    let mut same = is_pure(&stmt.op);
    stmt.op.for_each_operand(&mut |v| same = same && is_invariant(func, body, v));
    if let Op::Size(size) = &stmt.op {
        func.symbols.for_each_value(size, &mut |v| same = same && is_invariant(func, body, v));
    }
    same
}

/// How often a region uses a value.
pub(super) fn uses(region: &Region, value: Value) -> usize {
    let mut count = 0;
    region.for_each_use(&mut |used| count += usize::from(used == value));
    count
}

/// Statements of a loop body repeated behind the loop, for its last iteration.
struct Slice<'f> {
    func: &'f mut Func,
    loc: Loc,
    counter: Value,
    /// The counter in the last iteration.
    last: Size,
    /// Values of the body and the values behind the loop that equal them.
    done: HashMap<Value, Value>,
    stmts: Vec<Stmt>,
}

impl Slice<'_> {
    fn push(&mut self, op: Op, class: Class) -> Value {
        let result = self.func.new_value(Type::scalar(class));
        self.stmts.push(Stmt { results: vec![result], op, loc: self.loc });
        result
    }

    /// The statements that make `result` the value after the last iteration, or what it was if there is none.
    fn chosen(&mut self, trip: Value, value: Value, before: Value, result: Value) -> Vec<Stmt> {
        let computed = std::mem::take(&mut self.stmts);
        let reads = computed.iter().any(|s| !is_pure(&s.op));
        let zero = self.push(Op::Const(Const::Int(0)), Class::Index);
        let entered = self.push(Op::Binary(Binary::Gt, trip, zero), Class::Logical);
        let mut all = std::mem::take(&mut self.stmts);
        let op = if reads {
            // Elsewhere what is computed there has no name.
            self.done.clear();
            let arm =
                |stmts, value| Box::new(Region { params: Vec::new(), stmts, term: Terminator::Yield(vec![value]) });
            Op::If { cond: entered, then: arm(computed, value), els: arm(Vec::new(), before) }
        } else {
            all.splice(0..0, computed);
            Op::Select(entered, value, before)
        };
        all.push(Stmt { results: vec![result], op, loc: self.loc });
        all
    }

    /// A value of the body, or of an arm of an `if` in it, computed behind it; `None` if it is no pure function of the counter, of
    /// elements, and of values from outside.
    fn value(&mut self, regions: &[&Region], value: Value) -> Option<Value> {
        if let Some(done) = self.done.get(&value) {
            return Some(*done);
        }
        if value == self.counter {
            let size = self.last.clone();
            return Some(self.push(Op::Size(size), Class::Index));
        }
        if regions[0].params.contains(&value) {
            return None;
        }
        let mut stmts = regions.iter().flat_map(|region| &region.stmts);
        let Some(stmt) = stmts.find(|s| s.results.contains(&value)) else { return Some(value) };
        if !self.func.ty(value).is_scalar() {
            return None;
        }
        let new = match &stmt.op {
            Op::If { cond, then, els } => {
                let at = stmt.results.iter().position(|r| *r == value)?;
                let cond = self.value(regions, *cond)?;
                let arms = [self.arm(regions, then, at)?, self.arm(regions, els, at)?];
                let [then, els] = arms.map(Box::new);
                self.push(Op::If { cond, then, els }, self.func.ty(value).class)
            }
            op if is_pure(op) || self.is_element(stmt) => {
                let mut op = op.clone();
                let mut complete = true;
                op.for_each_operand_mut(&mut |v| match self.value(regions, *v) {
                    Some(new) => *v = new,
                    None => complete = false,
                });
                if let Op::Size(size) = &mut op {
                    *size = self.size(regions[0], size)?;
                }
                complete.then(|| self.push(op, self.func.ty(value).class))?
            }
            _ => return None,
        };
        self.done.insert(value, new);
        Some(new)
    }

    /// The arm of an `if` that yields this one of its values.
    fn arm(&mut self, regions: &[&Region], arm: &Region, at: usize) -> Option<Region> {
        let Terminator::Yield(values) = &arm.term else { return None };
        let (outer, known) = (std::mem::take(&mut self.stmts), self.done.clone());
        let value = self.value(&[regions, &[arm]].concat(), *values.get(at)?);
        let stmts = std::mem::replace(&mut self.stmts, outer);
        self.done = known;
        Some(Region { params: Vec::new(), stmts, term: Terminator::Yield(vec![value?]) })
    }

    /// Whether a statement reads one element; the array is one of the loop's own only if `value` finds it there.
    fn is_element(&self, stmt: &Stmt) -> bool {
        let Op::Index { subs, .. } = &stmt.op else { return false };
        subs.iter().all(|sub| sub.value().is_some()) && self.func.ty(stmt.results[0]).is_scalar()
    }

    /// A size with the counter replaced; `None` if it depends on another value of the body.
    fn size(&self, body: &Region, size: &Size) -> Option<Size> {
        let symbols = &self.func.symbols;
        let inside = |v: &Value| *v != self.counter && (defines(body, *v));
        let known = size.symbols().all(|sym| match &symbols.get(sym).def {
            SymDef::Value(v) => !inside(v),
            SymDef::Dim(..) => true,
            SymDef::Max(a, b) | SymDef::Min(a, b) | SymDef::FloorDiv(a, b) => {
                [a, b].into_iter().all(|s| self.size(body, s).as_ref() == Some(s))
            }
        });
        let is_counter = |sym| symbols.get(sym).def == SymDef::Value(self.counter);
        known.then(|| size.substitute(&mut |sym| if is_counter(sym) { self.last.clone() } else { Size::sym(sym) }))
    }
}

fn defines(region: &Region, value: Value) -> bool {
    let mut defined = HashSet::default();
    region.defined(&mut defined);
    defined.contains(&value)
}
