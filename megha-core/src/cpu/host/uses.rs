//! How the statements of a loop use arrays: by elements, or whole.

use crate::hash::HashSet;

use super::super::body::Body;
use super::super::storage::Item;
use super::is_element;
use crate::ir::{Op, Stmt, Value};

/// How the statements of a loop use arrays.
#[derive(Default)]
pub(super) struct Uses {
    pub elements: HashSet<String>,
    pub stored: HashSet<String>,
    pub whole: HashSet<String>,
}

impl Uses {
    pub fn items(&mut self, body: &Body<'_>, items: &[Item<'_>]) {
        for item in items {
            match item {
                Item::Stmt(stmt) => self.stmt(body, stmt),
                Item::Assign(list, _) => {
                    for t in list {
                        self.whole_value(body, t.from);
                        self.expression(body, t.from);
                        self.whole.extend(body.slot_text(t.to));
                    }
                }
                Item::Free(slot) | Item::Fetch(slot, _) | Item::Wrote(slot) => self.whole.extend(body.slot_text(*slot)),
                Item::Return(values) => values.iter().for_each(|(v, _)| self.whole_value(body, *v)),
                Item::If(cond, a, b) | Item::While(_, a, cond, b) => {
                    self.expression(body, *cond);
                    [a, b].into_iter().for_each(|items| self.items(body, items));
                }
                Item::For(_, _, trip, b) => {
                    self.expression(body, *trip);
                    self.items(body, b);
                }
                Item::Declare(_)
                | Item::FetchElement(..)
                | Item::Plan { .. }
                | Item::Sizes(_)
                | Item::Break(_)
                | Item::Continue(_)
                | Item::Unreachable => {}
            }
        }
    }

    fn name(body: &Body<'_>, value: Value) -> Option<String> {
        let slot = body.storage.slot(value)?;
        (!body.func.ty(value).is_scalar()).then(|| body.slot_text(slot)).flatten()
    }

    fn whole_value(&mut self, body: &Body<'_>, value: Value) {
        self.whole.extend(Self::name(body, value));
    }

    fn stmt(&mut self, body: &Body<'_>, stmt: &Stmt) {
        let mut operands = Vec::new();
        crate::cpu::liveness::used_by(&stmt.op, &mut operands);
        for value in operands.iter().copied() {
            self.expression(body, value);
        }
        match &stmt.op {
            Op::Index { array, subs, .. } if is_element(subs) => self.elements.extend(Self::name(body, *array)),
            Op::Store { array, subs, value, .. } if is_element(subs) => {
                self.elements.extend(Self::name(body, *array));
                self.elements.extend(Self::name(body, stmt.results[0]));
                self.stored.extend(Self::name(body, *array));
                self.whole_value(body, *value);
            }
            _ => operands.iter().chain(&stmt.results).for_each(|v| self.whole_value(body, *v)),
        }
    }

    /// Those of a value that is written where it is used.
    pub fn expression(&mut self, body: &Body<'_>, value: Value) {
        let Some(op) = body.inlined.get(value) else { return };
        if let Op::Index { array, .. } = op {
            self.elements.extend(Self::name(body, *array));
        }
        op.for_each_operand(&mut |v| self.expression(body, v));
    }
}
