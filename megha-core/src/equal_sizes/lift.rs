//! Tests of the sizes of arguments that a loop makes first in each round come before the loop.
//!
//! A test moves up as those of the function do ([`crate::early_tests`]). Where the loop has no round nothing is tested:
//! `if trip > 0 { tests; loop }`. Loops of the function's own statements are asked, not those in other loops, in which an `if` would part what belongs together.

use super::{arguments, renamed, renamed_symbols};
use crate::early_tests::lets_pass;
use crate::hash::HashMap;
use crate::ir::{Binary, Class, Const, Func, Op, Region, Size, Stmt, Sym, SymData, SymDef, Terminator, Type, Value};
use crate::kernels::accesses::symbol;

/// Moves tests out of the loops among a function's statements.
pub fn run(func: &mut Func, body: &mut Region) {
    for mut stmt in std::mem::take(&mut body.stmts) {
        let tests = first_tests(func, &mut stmt);
        match &stmt.op {
            Op::For { trip, .. } if !tests.is_empty() && !is_positive(&body.stmts, *trip) => {
                under_if(func, *trip, stmt, tests, &mut body.stmts);
            }
            _ => {
                body.stmts.extend(tests);
                body.stmts.push(stmt);
            }
        }
    }
}

/// The tests that a loop makes first, taken from it.
fn first_tests(func: &Func, stmt: &mut Stmt) -> Vec<Stmt> {
    let Op::For { body, .. } = &mut stmt.op else { return Vec::new() };
    let moves = |op: &Op| matches!(op, Op::SameSize(a, b, _) if arguments(func, a, b).is_some());
    let end = body.stmts.iter().position(|stmt| !lets_pass(&stmt.op) && !moves(&stmt.op));
    let end = end.unwrap_or(body.stmts.len());
    body.stmts.extract_if(..end, |stmt| moves(&stmt.op)).collect()
}

/// Whether a number is a constant above zero.
fn is_positive(before: &[Stmt], trip: Value) -> bool {
    let made = before.iter().find(|stmt| stmt.results.contains(&trip));
    made.is_some_and(|stmt| matches!(stmt.op, Op::Const(Const::Int(number)) if number > 0))
}

/// The loop behind its tests if it has rounds, else what it begins with.
fn under_if(func: &mut Func, trip: Value, mut stmt: Stmt, mut stmts: Vec<Stmt>, out: &mut Vec<Stmt>) {
    let Op::For { init, .. } = &stmt.op else { return };
    let els = Region { term: Terminator::Yield(init.clone()), ..Region::default() };
    let (loc, inner) = (stmt.loc, results_like(func, &stmt.results));
    let results = std::mem::replace(&mut stmt.results, inner.clone());
    stmts.push(stmt);
    let then = Region { stmts, term: Terminator::Yield(inner), ..Region::default() };
    let [zero, cond] = [Class::Index, Class::Logical].map(|class| func.new_value(Type::scalar(class)));
    out.push(Stmt { results: vec![zero], op: Op::Const(Const::Int(0)), loc });
    out.push(Stmt { results: vec![cond], op: Op::Binary(Binary::Lt, zero, trip), loc });
    let op = Op::If { cond, then: Box::new(then), els: Box::new(els) };
    out.push(Stmt { results, op, loc });
}

/// New results for a loop, like those that it had: a result may be the size of another.
fn results_like(func: &mut Func, results: &[Value]) -> Vec<Value> {
    let new: Vec<Value> = results.iter().map(|result| func.new_like(*result)).collect();
    let of = |(sym, data): (Sym, &SymData)| {
        let at = results.iter().position(|result| data.def == SymDef::Value(*result))?;
        Some((sym, new[at], data.at_least.clone(), data.at_most.clone()))
    };
    let own: Vec<_> = func.symbols.iter().filter_map(of).collect();
    let mut sizes = HashMap::default();
    for (sym, value, at_least, at_most) in own {
        sizes.insert(sym, Size::sym(symbol(func, SymDef::Value(value), at_least, at_most)));
    }
    let sizes = renamed_symbols(func, &new.iter().copied().collect(), sizes);
    for value in &new {
        if let Some(ty) = renamed(func.ty(*value), &sizes) {
            func.types[value.index()] = ty;
        }
    }
    new
}
