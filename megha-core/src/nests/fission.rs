//! Loops that store into arrays and hand on scalars too, parted in two.
//!
//! ```text
//! for k { c(k) = c(k) + x * a(k);  t = t + b(k) * a(k) }
//!     becomes   for k { c(k) = c(k) + x * a(k) }  for k { t = t + b(k) * a(k) }
//! ```
//!
//! What hands on a scalar stays one statement of the nest, and all that stands in it with it. It is parted where neither half uses what the other
//! makes, so that they may go to different loops (`distribute`); where they do not, the nest is left as it was.

use super::tree::{Frame, Loop, Node, is_movable};
use crate::hash::HashSet;
use crate::ir::{Op, Region, Stmt, Terminator, Value};
use crate::kernels::dead::leaves;

/// The nest with such loops parted, if there are any.
pub(super) fn run(frame: &Frame<'_>, whole: &Loop) -> Option<Loop> {
    let mut has_parted = false;
    let new = parted(frame, whole, &[], &mut has_parted);
    has_parted.then_some(new)
}

fn parted(frame: &Frame<'_>, whole: &Loop, outer: &[Value], has_parted: &mut bool) -> Loop {
    let here = [outer, &[whole.counter]].concat();
    let mut body = Vec::with_capacity(whole.body.len());
    for node in &whole.body {
        match node {
            Node::Loop(inner) => body.push(Node::Loop(parted(frame, inner, &here, has_parted))),
            Node::Stmt(stmt) => match halves(frame, stmt, &here) {
                Some(halves) => {
                    *has_parted = true;
                    body.extend(halves);
                }
                None => body.push(node.clone()),
            },
        }
    }
    Loop { body, ..whole.clone() }
}

/// Whether no two halves of a loop are still in the same loop.
pub(super) fn is_apart(part: &Loop) -> bool {
    let is_half_of =
        |stmt: &Stmt, counter: Value| matches!(&stmt.op, Op::For { body, .. } if body.params[0] == counter);
    let has_half = |counter| part.body.iter().any(|node| matches!(node, Node::Stmt(stmt) if is_half_of(stmt, counter)));
    part.body.iter().all(|node| match node {
        Node::Loop(inner) => !has_half(inner.counter) && is_apart(inner),
        Node::Stmt(_) => true,
    })
}

/// A loop's stores, and its scalars.
fn halves(frame: &Frame<'_>, stmt: &Stmt, outer: &[Value]) -> Option<[Node; 2]> {
    let Op::For { trip, init, body } = &stmt.op else { return None };
    let Terminator::Yield(values) = &body.term else { return None };
    let params = &body.params[1..];
    let (arrays, scalars): (Vec<usize>, Vec<usize>) =
        (0..params.len()).partition(|at| frame.contents.version.contains_key(&params[*at]));
    if arrays.is_empty() || scalars.is_empty() || leaves(body, 0) || !body.stmts.iter().all(is_movable) {
        return None;
    }
    let of = |list: &[Value]| -> Vec<Value> { scalars.iter().map(|at| list[*at]).collect() };
    let (handed_on, after) = (of(params), of(values));
    let stores: Vec<usize> = (0..body.stmts.len()).filter(|at| stores(&body.stmts[*at])).collect();
    let storing = needed(frame, body, &stores, &[]);
    let gathering = needed(frame, body, &[], &after);
    let mut uses_scalars = false;
    nodes(body, &storing)
        .for_each(|node| node.uses(frame.func, &mut |value| uses_scalars |= handed_on.contains(&value)));
    let stored: Vec<usize> = arrays.iter().filter_map(|at| frame.array(params[*at])).collect();
    let touches = |at: &usize| touches(frame, &body.stmts[*at], &stored);
    if uses_scalars || gathering.iter().any(touches) {
        return None;
    }
    let head = frame.head(stmt, outer)?;
    let array_loop = Loop { body: nodes(body, &storing).collect(), copied: true, ..head };
    let region = Region {
        params: [vec![body.params[0]], handed_on].concat(),
        stmts: gathering.iter().map(|at| body.stmts[*at].clone()).collect(),
        term: Terminator::Yield(after),
    };
    let op = Op::For { trip: *trip, init: of(init), body: Box::new(region) };
    let scalar_loop = Stmt { results: of(&stmt.results), op, loc: stmt.loc };
    Some([Node::Loop(array_loop), Node::Stmt(scalar_loop)])
}

fn nodes(body: &Region, chosen: &[usize]) -> impl Iterator<Item = Node> {
    chosen.iter().map(|at| Node::Stmt(body.stmts[*at].clone()))
}

/// The statements of a body that these statements and values need, themselves among them, in order.
fn needed(frame: &Frame<'_>, body: &Region, stmts: &[usize], values: &[Value]) -> Vec<usize> {
    let mut wanted: HashSet<Value> = values.iter().copied().collect();
    let mut chosen = Vec::new();
    for (at, stmt) in body.stmts.iter().enumerate().rev() {
        if stmts.contains(&at) || stmt.results.iter().any(|result| wanted.contains(result)) {
            Node::Stmt(stmt.clone()).uses(frame.func, &mut |value| {
                wanted.insert(value);
            });
            chosen.push(at);
        }
    }
    chosen.reverse();
    chosen
}

fn stores(stmt: &Stmt) -> bool {
    stmt.any(|op| matches!(op, Op::Store { .. }))
}

/// Whether a statement reads one of these arrays, or stores into it.
fn touches(frame: &Frame<'_>, stmt: &Stmt, arrays: &[usize]) -> bool {
    stmt.any(|op| {
        let (Op::Index { array, .. } | Op::Store { array, .. }) = op else { return false };
        frame.array(*array).is_some_and(|number| arrays.contains(&number))
    })
}
