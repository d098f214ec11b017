//! Tests of bounds leave nests whose loops gather.
//!
//! A nest that becomes kernels has its tests before it, where that can be said of all iterations ([`super::checks`]); one that runs in order keeps them at each
//! access, and so what comes before a fault is done. Where a loop would hold an element ([`super::held`]) or rows would go together ([`super::jam`]) but for
//! the tests, they are made before the nest too.

use super::contents::contents;
use super::held::fixed;
use super::jam::parts;
use super::{checks, replace_loops, stores_all, without_checks};
use crate::ir::{Func, Op, Region, Stmt, Sub};
use crate::kernels::accesses::Definitions;

/// Takes the tests out of such nests of a function.
pub(crate) fn run(func: &mut Func) {
    let is_tested = |op: &Op| matches!(op, Op::Index { checked: true, .. } | Op::Store { checked: true, .. });
    if !func.body.any(|op| matches!(op, Op::For { body, .. } if body.any(is_tested))) {
        return;
    }
    replace_loops(func, hoisted);
}

/// A nest behind its tests.
fn hoisted(func: &mut Func, defs: &Definitions, stmt: &Stmt) -> Option<Vec<Stmt>> {
    let Op::For { init, body, .. } = &stmt.op else { return None };
    let contents = contents(func, stmt).ok().filter(|contents| !contents.checks.is_empty())?;
    if !stores_all(&contents, init.len()) {
        return None;
    }
    let plan = checks::plan(func, defs, defs.scope_of(body.params[0])?, &contents);
    let tested = without_checks(stmt, &plan);
    let gathers = |op: &Op| matches!(op, Op::For { body, .. } if gathers(func, defs, body));
    if !gathers(&tested.op) && !tested.any(gathers) {
        return None;
    }
    let mut out = checks::hoisted(func, &plan.hoisted);
    out.push(tested);
    Some(out)
}

/// Whether a loop stores always the same element, or has a loop in it that hands on scalars.
fn gathers(func: &Func, defs: &Definitions, body: &Region) -> bool {
    let is_fixed = |sub: &Sub| match sub {
        Sub::At(value) => fixed(func, defs, body, *value).is_some(),
        Sub::All | Sub::Vector(_) | Sub::Range { .. } => false,
    };
    let is_kept = |stmt: &Stmt| matches!(&stmt.op, Op::Store { subs, checked: false, .. } if subs.iter().all(is_fixed));
    body.stmts.iter().any(is_kept) || parts(body).is_some()
}
