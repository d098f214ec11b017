//! From array versions to memory: `Index` and `Store` of single elements become `Load` and `Put`, and the arrays disappear
//! from what loops and `If`s hand on.

use crate::ir::{Func, Mem, Op, Region, Stmt, Sub, Value};
use crate::nests::checks::{Plan, assertions};
use crate::nests::contents::Contents;

/// Converts the body of a kernel whose out-variables are the carried arrays, in order.
pub(super) fn to_memory(func: &mut Func, contents: &Contents, plan: &Plan, region: &mut Region) {
    let mut stmts = Vec::with_capacity(region.stmts.len());
    for mut stmt in std::mem::take(&mut region.stmts) {
        if let Some(test) = stmt.results.first().and_then(|key| plan.in_place.get(key)) {
            stmts.extend(assertions(func, test, stmt.loc));
        }
        if stmt.results.first().is_some_and(|key| contents.unused.contains(key)) {
            continue;
        }
        element(contents, &mut stmt);
        without_arrays(func, &mut stmt);
        for nested in stmt.op.regions_mut() {
            to_memory(func, contents, plan, nested);
        }
        stmts.push(stmt);
    }
    region.stmts = stmts;
}

fn element(contents: &Contents, stmt: &mut Stmt) {
    let at = |subs: &[Sub]| -> Vec<Value> { subs.iter().filter_map(Sub::value).collect() };
    match &stmt.op {
        Op::Index { array, subs, .. } => {
            let mem = contents.version.get(array).map_or(Mem::In(*array), |out| Mem::Out(*out));
            stmt.op = Op::Load(mem, at(subs));
        }
        Op::Store { array, subs, value, .. } => {
            if let Some(out) = contents.version.get(array) {
                stmt.op = Op::Put(*out, at(subs), *value);
                stmt.results.clear();
            }
        }
        _ => {}
    }
}

/// Removes all arrays from the values that a statement and its regions hand on.
fn without_arrays(func: &Func, stmt: &mut Stmt) {
    let scalar = |v: &Value| func.ty(*v).is_scalar();
    stmt.results.retain(scalar);
    if let Op::For { init, .. } | Op::While { init, .. } = &mut stmt.op {
        init.retain(scalar);
    }
    for region in stmt.op.regions_mut() {
        region.params.retain(scalar);
        end_without_arrays(func, region);
    }
}

fn end_without_arrays(func: &Func, region: &mut Region) {
    use crate::ir::Terminator::{Break, Continue, Return, Unreachable, Yield};
    match &mut region.term {
        Yield(values) | Break(_, values) | Continue(_, values) | Return(values) => {
            values.retain(|v| func.ty(*v).is_scalar());
        }
        Unreachable => {}
    }
}
