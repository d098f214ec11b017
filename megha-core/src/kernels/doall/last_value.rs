//! Carried scalars that no iteration reads and that the iteration number determines, as the loop variable itself, which
//! MATLAB keeps after the loop: their value after the last iteration is computed behind the loop. A scalar that sizes are made of
//! stays where arrays of these sizes are carried.

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
        if !slice.func.ty(param).is_scalar() || uses(body, param) > 0 || is_size {
            continue;
        }
        let before = slice.stmts.len();
        let Some(value) = slice.value(body, next[at]) else {
            slice.stmts.truncate(before);
            slice.done.retain(|_, v| defs.scope_of(*v).is_some());
            continue;
        };
        let cond = slice.is_entered(*trip);
        after.append(&mut slice.stmts);
        after.push(Stmt { results: vec![result], op: Op::Select(cond, value, init[at]), loc: stmt.loc });
        init.remove(at);
        stmt.results.remove(at);
        body.params.remove(at + 1);
        if let Terminator::Yield(next) = &mut body.term {
            next.remove(at);
        }
    }
    after
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

    fn is_entered(&mut self, trip: Value) -> Value {
        let zero = self.push(Op::Const(Const::Int(0)), Class::Index);
        self.push(Op::Binary(Binary::Gt, trip, zero), Class::Logical)
    }

    /// A value of the body, computed behind it; `None` if it is no pure function of the counter and of values from
    /// outside.
    fn value(&mut self, body: &Region, value: Value) -> Option<Value> {
        if let Some(done) = self.done.get(&value) {
            return Some(*done);
        }
        if value == self.counter {
            let size = self.last.clone();
            return Some(self.push(Op::Size(size), Class::Index));
        }
        if body.params.contains(&value) {
            return None;
        }
        let Some(stmt) = body.stmts.iter().find(|s| s.results.contains(&value)) else { return Some(value) };
        if !is_pure(&stmt.op) {
            return None;
        }
        let mut op = stmt.op.clone();
        let mut complete = true;
        op.for_each_operand_mut(&mut |v| match self.value(body, *v) {
            Some(new) => *v = new,
            None => complete = false,
        });
        if let Op::Size(size) = &mut op {
            *size = self.size(body, size)?;
        }
        let class = self.func.ty(value).class;
        let new = complete.then(|| self.push(op, class))?;
        self.done.insert(value, new);
        Some(new)
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
