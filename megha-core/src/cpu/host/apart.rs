//! Loops that only compute scalars, as functions of their own.
//!
//! In a long function with many calls the compiler behind keeps what a loop carries in memory: calls save none of a processor's registers for
//! floating-point numbers, and the choice is made for the whole function. A sum then takes three times as long for each element as its
//! additions (Durbin's recurrence, 2000 elements: 9.2 ms for 3.3). So a loop that stores no array, and what is nested in it, is a closure that
//! `rt::apart` calls without expanding it: it gets copies of what it reads, and hands back the scalars that it assigns. Loops of a few iterations stay where
//! they are: the compiler behind writes them out, and a call takes as long as they do.

use super::is_element;
use crate::cpu::body::Body;
use crate::cpu::storage::{Item, Label};
use crate::cpu::transfer::Transfer;
use crate::ir::{Const, Kind, Op, Stmt, Value};

/// Iterations of a loop that stays where it is, at most.
const FEW: i64 = 8;

/// The scalars from outside that these parts of a loop assign, if the loop does nothing else that is seen outside of it, and assigns any. `head` is how often it runs, or
/// whether once more.
pub(super) fn assigned(body: &Body<'_>, head: Value, parts: &[&[Item<'_>]]) -> Option<Vec<String>> {
    let trip = match body.inlined.get(head) {
        Some(Op::Const(Const::Int(trip))) => Some(*trip),
        Some(Op::Size(size)) => size.as_constant(),
        _ => None,
    };
    if trip.is_some_and(|trip| trip <= FEW) {
        return None;
    }
    let mut loops = Vec::new();
    let mut names = Vec::new();
    let mut computes = |act: Act<'_>| match act {
        Act::Stmt(stmt) => computes(body, stmt, &mut names),
        Act::Assign(list) => {
            names.extend(list.iter().filter_map(|t| body.slot_text(t.to)));
            list.iter().all(|t| body.func.ty(t.from).is_scalar())
        }
        Act::While => true,
    };
    let fits = parts.iter().all(|items| stays_inside(items, &mut loops, &mut computes));
    names.sort();
    names.dedup();
    (fits && !names.is_empty()).then_some(names)
}

/// What items of a closure may do, where its purpose allows it.
pub(super) enum Act<'i> {
    Stmt(&'i Stmt),
    Assign(&'i [Transfer]),
    /// A loop with a condition; what it does is asked for by itself.
    While,
}

/// Whether items may be those of a closure: no jump leaves them but to loops of these labels and their own, no array ends or is asked of a device, and all that they do
/// `fits`.
pub(super) fn stays_inside(items: &[Item<'_>], loops: &mut Vec<Label>, fits: &mut dyn FnMut(Act<'_>) -> bool) -> bool {
    items.iter().all(|item| match item {
        Item::Stmt(stmt) => fits(Act::Stmt(stmt)),
        Item::Assign(list, _) => fits(Act::Assign(list)),
        Item::Declare(_) | Item::Sizes(_) => true,
        Item::If(_, then, els) => [then, els].into_iter().all(|arm| stays_inside(arm, loops, fits)),
        Item::For(label, _, _, inner) => {
            loops.push(*label);
            stays_inside(inner, loops, fits)
        }
        Item::While(label, test, _, inner) => {
            loops.push(*label);
            fits(Act::While) && [test, inner].into_iter().all(|part| stays_inside(part, loops, fits))
        }
        Item::Break(label) | Item::Continue(label) => loops.contains(label),
        Item::Free(_)
        | Item::Fetch(..)
        | Item::FetchElement(..)
        | Item::Plan { .. }
        | Item::Wrote(_)
        | Item::Return(_)
        | Item::Unreachable => false,
    })
}

fn computes(body: &Body<'_>, stmt: &Stmt, names: &mut Vec<String>) -> bool {
    let slots = stmt.results.iter().filter_map(|result| body.storage.slot(*result));
    names.extend(slots.filter_map(|slot| body.slot_text(slot)));
    let reads = match &stmt.op {
        Op::Index { subs, .. } => is_element(subs),
        Op::Const(_) | Op::Size(_) | Op::ToIndex(_) | Op::Assert(..) => true,
        op => op.kind() == Kind::Elementwise,
    };
    reads && stmt.results.iter().all(|result| body.func.ty(*result).is_scalar())
}
