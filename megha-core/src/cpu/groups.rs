//! A kernel's body cut into groups: loops over points, and sequential loops around them.

use std::collections::HashSet;

use super::body::{Body, leaves};
use super::host::weight;
use super::kernel::Nest;
use super::storage::{Item, Slot};
use crate::ir::{Op, Value};

/// A part of a kernel's body.
pub enum Group<'a, 'f> {
    /// One loop over the points of a row.
    Points(Vec<&'a Item<'f>>),
    /// A sequential loop that is the same at every point: its counter, number of iterations and body.
    Loop(Value, Value, Vec<Group<'a, 'f>>),
}

/// Cuts items into groups.
pub fn group<'a, 'f>(nest: &Nest<'f>, items: &'a [Item<'f>]) -> Vec<Group<'a, 'f>> {
    let mut groups = Vec::new();
    let mut points: Vec<&Item<'f>> = Vec::new();
    for item in items {
        match item {
            Item::For(label, counter, trip, inner)
                if nest.maps.is_counter(*counter) && !leaves(inner, *label) && !nest.checks && !jumps(inner) =>
            {
                if !points.is_empty() {
                    groups.push(Group::Points(std::mem::take(&mut points)));
                }
                groups.push(Group::Loop(*counter, *trip, group(nest, inner)));
            }
            Item::Return(_) => {}
            item => points.push(item),
        }
    }
    if !points.is_empty() {
        groups.push(Group::Points(points));
    }
    groups
}

/// Most calls of costly functions in one loop over points. A processor looks ahead over some 250 instructions, of which such a function
/// takes 80 to 130 in a chain of dependent steps: with two in a loop it would hardly begin a point before the one before it
/// ends, and they spill the vector registers.
const COSTLY: usize = 1;

/// Cuts long runs of statements, so that each loop over points holds few costly functions; what lives from one loop to the next goes
/// through a tile in the first-level cache.
pub fn split<'a, 'f>(nest: &Nest<'f>, body: &Body<'f>, groups: Vec<Group<'a, 'f>>) -> Vec<Group<'a, 'f>> {
    if nest.checks {
        return groups;
    }
    let mut out = Vec::new();
    for group in groups {
        match group {
            Group::Loop(counter, trip, inner) => out.push(Group::Loop(counter, trip, split(nest, body, inner))),
            Group::Points(items) => {
                let (mut run, mut so_far) = (Vec::new(), 0);
                for item in items {
                    let more = costly(body, item);
                    if so_far > 0 && more > 0 && so_far + more > COSTLY {
                        out.push(Group::Points(std::mem::take(&mut run)));
                        so_far = 0;
                    }
                    so_far += more;
                    run.push(item);
                }
                out.push(Group::Points(run));
            }
        }
    }
    out
}

/// How many costly functions an item calls at each point.
fn costly(body: &Body<'_>, item: &Item<'_>) -> usize {
    fn of_op(body: &Body<'_>, op: &Op) -> usize {
        let mut count = usize::from(weight(op) >= 20);
        op.for_each_operand(&mut |v| count += body.inlined.get(v).map_or(0, |op| of_op(body, op)));
        count
    }
    let of_value = |v: Value| body.inlined.get(v).map_or(0, |op| of_op(body, op));
    let all = |items: &[Item<'_>]| items.iter().map(|i| costly(body, i)).sum::<usize>();
    match item {
        Item::Stmt(stmt) => of_op(body, &stmt.op),
        Item::Assign(list, _) => list.iter().map(|t| of_value(t.from)).sum(),
        Item::If(cond, a, b) => of_value(*cond) + all(a) + all(b),
        Item::For(_, _, _, inner) => all(inner),
        Item::While(_, test, cond, inner) => of_value(*cond) + all(test) + all(inner),
        _ => 0,
    }
}

/// Whether a top-level `break` or `continue` stands among the items, outside any nested loop.
fn jumps(items: &[Item<'_>]) -> bool {
    items.iter().any(|item| match item {
        Item::Break(_) | Item::Continue(_) => true,
        Item::If(_, a, b) => jumps(a) || jumps(b),
        _ => false,
    })
}

/// Calls `f` on the items of each loop over points.
pub fn visit<'a, 'f>(groups: &[Group<'a, 'f>], f: &mut impl FnMut(&[&'a Item<'f>])) {
    for group in groups {
        match group {
            Group::Points(items) => f(items),
            Group::Loop(_, _, inner) => visit(inner, f),
        }
    }
}

/// The variables that an item reads or writes.
pub fn touch(body: &Body<'_>, item: &Item<'_>, out: &mut HashSet<Slot>) {
    let value = |v: Value, out: &mut HashSet<Slot>| {
        let mut read = Vec::new();
        body.inlined.variables(v, &mut read);
        out.extend(read.into_iter().filter_map(|v| body.storage.slot(v)));
    };
    match item {
        Item::Stmt(stmt) => {
            stmt.op.for_each_operand(&mut |v| value(v, out));
            out.extend(stmt.results.iter().filter_map(|r| body.storage.slot(*r)));
        }
        Item::Declare(slot) | Item::Free(slot) => drop(out.insert(*slot)),
        Item::Assign(list, _) => list.iter().for_each(|t| {
            out.insert(t.to);
            value(t.from, out);
        }),
        Item::If(cond, a, b) => {
            value(*cond, out);
            a.iter().chain(b).for_each(|i| touch(body, i, out));
        }
        Item::For(_, _, trip, inner) => {
            value(*trip, out);
            inner.iter().for_each(|i| touch(body, i, out));
        }
        Item::While(_, test, cond, inner) => {
            value(*cond, out);
            test.iter().chain(inner).for_each(|i| touch(body, i, out));
        }
        _ => {}
    }
}
