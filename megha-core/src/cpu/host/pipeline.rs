//! Loops whose iterations overlap, as closures that `rt::pipeline` runs on several threads.
//!
//! A pass has proven that iterations may overlap, of the loop as it was then ([`crate::ir::Pipelined`]). Here it is looked at as it has become: what stands before the steps of an
//! iteration and between them computes scalars and reads no array that the loop stores; steps cannot fail, and touch the loop's arrays by elements, which are at hand. Any other loop
//! runs in order.

use super::apart::{Act, stays_inside};
use super::{Host, is_element};
use crate::cpu::body::Body;
use crate::cpu::host::uses::Uses;
use crate::cpu::storage::Item;
use crate::ir::{Kind, Op, Pipelined, Stmt, Value};

impl<'f> Host<'_> {
    /// Writes a loop, if its iterations may overlap.
    pub(super) fn overlap(&mut self, body: &mut Body<'f>, (counter, trip): (Value, &str), items: &[Item<'f>]) -> bool {
        let Some(pipelined) = body.func.pipelined.get(&counter) else { return false };
        let Some(shared) = self.shared_by(body, pipelined, items) else { return false };
        body.code.open("{");
        shared.iter().for_each(|name| body.code.line(format!("let {name} = rt::pipeline::Shared::new(&mut {name});")));
        let work: Vec<String> = pipelined.work.iter().map(|factor| body.size(factor).text()).collect();
        let [number, turn] = ["k", "turn"].map(|name| body.names.fresh(name));
        let work = work.join(", ");
        body.code.open(format!("rt::pipeline::run({trip}, &[{work}], &move |{number}, {turn}| {{"));
        for name in &shared {
            body.code.line(format!("let mut {name} = unsafe {{ {name}.cells() }};"));
        }
        body.iteration(self, counter, number, |body, host| {
            let mut starts = pipelined.starts.iter();
            for item in items {
                if let Item::For(_, step, ..) = item
                    && let Some(start) = starts.next()
                {
                    let start = body.size(start).text();
                    body.code.line(format!("{turn}.begin({start});"));
                    host.steps_of.insert(*step, turn.clone());
                }
                body.item(host, item);
            }
        });
        body.code.close("});");
        body.code.close("}");
        true
    }

    /// The arrays whose elements iterations share, if they may overlap.
    fn shared_by(&self, body: &Body<'f>, pipelined: &Pipelined, items: &[Item<'f>]) -> Option<Vec<String>> {
        let (mut all, mut between) = (Uses::default(), Uses::default());
        let mut steps = 0;
        for item in items {
            all.items(body, std::slice::from_ref(item));
            match item {
                Item::For(_, _, trip, _) => {
                    steps += 1;
                    between.expression(body, *trip);
                }
                item => between.items(body, std::slice::from_ref(item)),
            }
        }
        let are_apart = !between.elements.iter().any(|name| all.stored.contains(name)) && between.stored.is_empty();
        // Nothing leaves an iteration of the steps either, which would not tell of its end.
        let stays = |item: &Item<'_>| match item {
            Item::For(_, _, _, inner) => stays_inside(inner, &mut Vec::new(), &mut |act| computes(body, &act)),
            other => stays_inside(std::slice::from_ref(other), &mut Vec::new(), &mut |act| computes(body, &act)),
        };
        if steps != pipelined.starts.len() || !all.whole.is_empty() || !are_apart || !items.iter().all(stays) {
            return None;
        }
        let is_cell = |name: &String| self.cursors.iter().flatten().any(|(cell, stored)| *stored && cell == name);
        let mut shared: Vec<String> = all.elements.iter().filter(|name| is_cell(name)).cloned().collect();
        shared.sort();
        all.stored.iter().all(|name| shared.contains(name)).then_some(shared)
    }
}

/// Whether an iteration computes scalars of its own by it or touches elements of arrays, and it cannot fail.
fn computes(body: &Body<'_>, act: &Act<'_>) -> bool {
    match act {
        Act::Stmt(stmt) => is_safe(body, stmt),
        // Assignments to variables from outside count as uses of them as a whole.
        Act::Assign(list) => list.iter().all(|transfer| is_scalar(body, transfer.from)),
        Act::While => false,
    }
}

fn is_safe(body: &Body<'_>, stmt: &Stmt) -> bool {
    let is_own = |result: &Value| body.storage.slot(*result).and_then(|slot| body.slot_text(slot)).is_none();
    let reads = |op: &Op| match op {
        Op::Index { subs, checked, .. } => is_element(subs) && !checked,
        Op::Const(_) | Op::Size(_) => true,
        op => op.kind() == Kind::Elementwise,
    };
    match &stmt.op {
        Op::Store { subs, value, checked, .. } => is_element(subs) && !checked && is_scalar(body, *value),
        op => reads(op) && stmt.results.iter().all(|result| is_scalar(body, *result) && is_own(result)),
    }
}

fn is_scalar(body: &Body<'_>, value: Value) -> bool {
    body.func.ty(value).is_scalar()
}
