//! Sizes that a test has found equal are one size from there on.
//!
//! In `function c = f(a, b)` arguments have sizes of their own. Lowering tests `size(a, 1)` against `size(b, 1)` where `a + b` wants them equal, and writes that
//! operand in the other's sizes. What is computed from `b` alone stays in those of `b`: it runs over other points as far as a later pass can tell, so it is not
//! composed with what is computed from `a`, and a variable of a loop that holds both in turn is written in other sizes each round. Behind a test of two sizes of arguments
//! this pass has the first for both: in the types and operations of all that follows, and in the bounds of its symbols. Values from before the test are written in the new sizes
//! right behind it, results in the old ones where they leave.
//!
//! A test that a loop makes first in each round holds in all of it, and tells nothing where there is no round. Such a loop goes into an `if` on its number of
//! iterations, behind its tests (`lift.rs`); without one it leaves its variables as they were.

use crate::hash::{HashMap, HashSet};
use crate::ir::{Func, Loc, Op, Region, Size, Stmt, Sym, SymDef, Terminator, Type, Value};
use crate::kernels::accesses::symbol;

mod lift;
#[cfg(test)]
mod tests;

/// Unites the sizes of a function's arguments where tests allow it.
pub fn run(func: &mut Func) {
    let is_useful = |op: &Op| matches!(op, Op::SameSize(a, b, _) if arguments(func, a, b).is_some());
    if !func.body.any(is_useful) {
        return;
    }
    let mut body = std::mem::take(&mut func.body);
    lift::run(func, &mut body);
    unite(func, &mut body, &HashMap::default());
    drop_same(func, &mut body);
    func.body = body;
}

/// Unites sizes behind the tests of a region, and in the ways of its `if`s. What a loop tests behind other work stays in it: what it carries has its sizes outside too.
/// `around` has the numbers that are sizes there.
fn unite(func: &mut Func, region: &mut Region, around: &HashMap<Value, Size>) {
    let (mut known, mut at) = (around.clone(), 0);
    while let Some(stmt) = region.stmts.get_mut(at) {
        at += 1;
        known.extend(as_size(stmt));
        match &mut stmt.op {
            Op::If { then, els, .. } => [then, els].into_iter().for_each(|way| unite(func, way, &known)),
            Op::SameSize(a, b, _) => {
                if let Some(pair) = arguments(func, a, b) {
                    behind(func, region, at, (pair, &known));
                }
            }
            _ => {}
        }
    }
}

/// Two sizes of arguments that are not the same, the one that was defined first in front.
fn arguments(func: &Func, a: &Size, b: &Size) -> Option<[Sym; 2]> {
    let of_argument = |size: &Size| size.as_sym().filter(|sym| matches!(func.symbols.get(*sym).def, SymDef::Dim(..)));
    let (a, b) = (of_argument(a)?, of_argument(b)?);
    (a != b).then(|| [a.min(b), a.max(b)])
}

/// Has `kept` for `gone` in the statements of a region from number `at` on.
fn behind(func: &mut Func, region: &mut Region, at: usize, ([kept, gone], known): ([Sym; 2], &HashMap<Value, Size>)) {
    let mut rest = Region { stmts: region.stmts.split_off(at), ..Region::default() };
    let mut defined = HashSet::default();
    rest.defined(&mut defined);
    let sizes = renamed_symbols(func, &defined, HashMap::from_iter([(gone, Size::sym(kept))]));
    let changes = |(_, size): &(Value, Size)| substituted(size, &sizes) != *size;
    let numbers = rest.stmts.iter().filter_map(as_size).filter(changes).collect();
    let mut old = Old { types: HashMap::default(), numbers };
    for value in defined {
        if let Some(ty) = renamed(func.ty(value), &sizes) {
            old.types.insert(value, std::mem::replace(&mut func.types[value.index()], ty));
        }
    }
    rest.walk_mut(&mut |stmt: &mut Stmt| stmt.op.for_each_size_mut(&mut |size| *size = substituted(size, &sizes)));
    let mut entering = HashMap::default();
    for value in rest.free_values() {
        if let Some(ty) = renamed(func.ty(value), &sizes) {
            entering.insert(value, written(func, value, &ty, &mut region.stmts));
        } else if let Some(size) =
            known.get(&value).map(|size| substituted(size, &sizes)).filter(|new| *new != known[&value])
        {
            entering.insert(value, number(func, value, size, &mut region.stmts));
        }
    }
    rename(&mut rest, &entering);
    rest.map_regions(&mut |inner| {
        if matches!(inner.term, Terminator::Return(_)) {
            leave(func, inner, &old);
        }
    });
    region.stmts.append(&mut rest.stmts);
    leave(func, region, &old);
}

/// What to write for symbols, of those too that are made of the ones in `sizes`. Symbols of values that are defined there get their bounds anew.
fn renamed_symbols(func: &mut Func, defined: &HashSet<Value>, mut sizes: HashMap<Sym, Size>) -> HashMap<Sym, Size> {
    let known: Vec<_> = func.symbols.iter().map(|(sym, data)| (sym, data.clone())).collect();
    for (sym, data) in known {
        let new = |list: &[Size]| list.iter().map(|size| substituted(size, &sizes)).collect::<Vec<_>>();
        let (at_least, at_most) = (new(&data.at_least), new(&data.at_most));
        let of = |make: fn(Size, Size) -> SymDef, a, b| make(substituted(a, &sizes), substituted(b, &sizes));
        let def = match &data.def {
            SymDef::Dim(..) => continue,
            SymDef::Value(value) => {
                if defined.contains(value) {
                    let data = func.symbols.get_mut(sym);
                    (data.at_least, data.at_most) = (at_least, at_most);
                }
                continue;
            }
            SymDef::Max(a, b) => of(SymDef::Max, a, b),
            SymDef::Min(a, b) => of(SymDef::Min, a, b),
            SymDef::FloorDiv(a, b) => of(SymDef::FloorDiv, a, b),
        };
        if def != data.def {
            sizes.insert(sym, Size::sym(symbol(func, def, at_least, at_most)));
        }
    }
    sizes
}

fn substituted(size: &Size, sizes: &HashMap<Sym, Size>) -> Size {
    size.substitute(&mut |sym| sizes.get(&sym).cloned().unwrap_or_else(|| Size::sym(sym)))
}

/// A type in the new sizes, if these are others.
fn renamed(ty: &Type, sizes: &HashMap<Sym, Size>) -> Option<Type> {
    let dims: Vec<Size> = ty.dims.iter().map(|size| substituted(size, sizes)).collect();
    (dims != ty.dims).then(|| Type { dims, ..ty.clone() })
}

/// A value in the sizes of a type. They change one after the other, which tells kernels that elements stay where they are.
fn written(func: &mut Func, mut value: Value, ty: &Type, out: &mut Vec<Stmt>) -> Value {
    let loc = out.last().map_or(Loc::new(0), |stmt| stmt.loc);
    for (axis, size) in ty.dims.iter().enumerate() {
        if func.ty(value).dims[axis] != *size {
            let new = func.new_like(value);
            func.types[new.index()].dims[axis] = size.clone();
            out.push(Stmt { results: vec![new], op: Op::Reshape(value), loc });
            value = new;
        }
    }
    value
}

/// What values were before.
struct Old {
    types: HashMap<Value, Type>,
    /// The sizes that numbers were.
    numbers: HashMap<Value, Size>,
}

/// The size that a statement makes a number of. Such a number says which size it is where a value of that size leaves with it.
fn as_size(stmt: &Stmt) -> Option<(Value, Size)> {
    if let Op::Size(size) = &stmt.op { Some((stmt.results[0], size.clone())) } else { None }
}

/// A number that is a size, as another size.
fn number(func: &mut Func, value: Value, size: Size, out: &mut Vec<Stmt>) -> Value {
    let loc = out.last().map_or(Loc::new(0), |stmt| stmt.loc);
    let new = func.new_like(value);
    out.push(Stmt { results: vec![new], op: Op::Size(size), loc });
    new
}

/// Values leave a region in their old sizes.
fn leave(func: &mut Func, region: &mut Region, old: &Old) {
    for value in region.term.values_mut() {
        if let Some(ty) = old.types.get(value) {
            *value = written(func, *value, ty, &mut region.stmts);
        } else if let Some(size) = old.numbers.get(value) {
            *value = number(func, *value, size.clone(), &mut region.stmts);
        }
    }
}

/// Puts other values in the place of those from before. What a function returns keeps its sizes.
fn rename(region: &mut Region, new: &HashMap<Value, Value>) {
    let put = |value: &mut Value| *value = new.get(value).copied().unwrap_or(*value);
    region.map_regions(&mut |inner| {
        inner.stmts.iter_mut().for_each(|stmt| stmt.op.for_each_operand_mut(&mut |value| put(value)));
        if !matches!(inner.term, Terminator::Return(_)) {
            inner.term.values_mut().iter_mut().for_each(put);
        }
    });
}

/// Drops tests of a size against itself, and what writes a value in the sizes that it has.
fn drop_same(func: &mut Func, body: &mut Region) {
    let mut same: HashMap<Value, Value> = HashMap::default();
    body.map_regions(&mut |region| {
        region.stmts.retain(|stmt| match (&stmt.op, &stmt.results[..]) {
            (Op::SameSize(a, b, _), _) => a != b,
            (Op::Reshape(of), [result]) if func.ty(*of) == func.ty(*result) => {
                let of = same.get(of).copied().unwrap_or(*of);
                if func.names[of.index()].is_none() {
                    func.names[of.index()] = func.names[result.index()].clone();
                }
                same.insert(*result, of);
                false
            }
            _ => true,
        });
        let put = |value: &mut Value| *value = same.get(value).copied().unwrap_or(*value);
        region.stmts.iter_mut().for_each(|stmt| stmt.op.for_each_operand_mut(&mut |value| put(value)));
        region.term.values_mut().iter_mut().for_each(put);
    });
}
