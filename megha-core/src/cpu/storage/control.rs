//! Variables that branches and loops share.

use crate::hash::HashSet;

use super::{Frame, Item, Label, Slot, Walk, Why};
use crate::cpu::transfer::{How, Transfer};
use crate::ir::numbering::{NumberedRegion, NumberedStmt};
use crate::ir::{Terminator, Value};

impl<'f> Walk<'_, 'f> {
    pub(super) fn branch(
        &mut self,
        stmt: NumberedStmt<'f>,
        cond: Value,
        arms: [NumberedRegion<'f>; 2],
        items: &mut Vec<Item<'f>>,
    ) {
        let mut bodies = arms.map(|arm| {
            let mut items = Vec::new();
            for value in self.liveness.dead_on_entry(arm).to_vec() {
                if let Some(slot) = self.reusable(value, self.func.ty(value)).filter(|_| self.is_array(value)) {
                    items.push(Item::Free(slot));
                }
            }
            self.enter();
            items.extend(self.stmts(arm));
            self.scopes.pop();
            items
        });
        self.choose_results(stmt, &arms, items);
        for (arm, body) in arms.into_iter().zip(&mut bodies) {
            match &arm.term {
                Terminator::Yield(values) => {
                    let to: Vec<Slot> = stmt.results.iter().map(|r| self.slot_of[r]).collect();
                    self.transfer(arm, values, &to, body);
                }
                _ => self.leave(arm, body),
            }
        }
        let [then, els] = bodies;
        items.push(Item::If(cond, then, els));
        for result in &stmt.results {
            if self.is_array(*result) && self.liveness.dies_at(stmt, *result) {
                items.push(Item::Free(self.slot_of[result]));
            }
        }
        self.known(&stmt.results, items);
    }

    /// Gives each result of an `If` a variable: that of a value which an arm yields where it is free, else a new one.
    pub(super) fn choose_results(
        &mut self,
        stmt: NumberedStmt<'_>,
        arms: &[NumberedRegion<'_>; 2],
        items: &mut Vec<Item<'f>>,
    ) {
        let live = self.liveness.live_after(stmt).filter(|v| !stmt.results.contains(v));
        let mut occupied: HashSet<Slot> = live.filter_map(|v| self.slot_of.get(&v).copied()).collect();
        for (number, result) in stmt.results.iter().enumerate() {
            let yielded = arms.iter().filter_map(|arm| match &arm.term {
                Terminator::Yield(values) => values.get(number).copied(),
                _ => None,
            });
            let found = yielded.filter_map(|v| self.reusable(v, self.func.ty(*result)));
            let found = found
                .filter(|slot| !occupied.contains(slot) && self.scopes.contains(&self.slots[slot.0].scope))
                .find(|slot| self.slots[slot.0].mutable || self.is_array(*result));
            match found {
                Some(slot) => self.share(*result, slot),
                None => {
                    let slot = self.new_slot(*result);
                    self.slots[slot.0].mutable = self.is_array(*result);
                    items.push(Item::Declare(slot));
                }
            }
            occupied.insert(self.slot_of[result]);
        }
    }

    /// Chooses the variables of a loop's carried values and gives them their first values.
    pub(super) fn carry(
        &mut self,
        stmt: NumberedStmt<'_>,
        init: &[Value],
        regions: &[NumberedRegion<'_>],
        items: &mut Vec<Item<'f>>,
    ) -> Vec<Slot> {
        let mut free = Vec::new();
        regions.iter().for_each(|r| crate::cpu::liveness::free_values(r, &mut free));
        let mut read = Vec::new();
        free.iter().for_each(|v| self.inlined.variables(*v, &mut read));
        let mut carried = Vec::new();
        for (value, result) in init.iter().zip(&stmt.results) {
            let dead = !self.liveness.is_live_after(stmt, *value) && !read.contains(value);
            let slot = self.reusable(*value, self.func.ty(*result)).filter(|s| dead && !carried.contains(s));
            // Another initial value may still be written from this variable.
            let mut others = Vec::new();
            init.iter().filter(|v| *v != value).for_each(|v| self.inlined.variables(*v, &mut others));
            let slot = slot.filter(|_| !others.contains(value));
            let slot = slot.unwrap_or_else(|| {
                let to = self.new_slot(*result);
                self.copied(*value, *result, true, Why::UsedAgain);
                items.push(Item::Assign(vec![Transfer { to, from: *value, how: How::Copy }], true));
                to
            });
            self.share(*result, slot);
            carried.push(slot);
        }
        carried
    }

    pub(super) fn open_loop(&mut self, carried: Vec<Slot>) -> Label {
        let label = Label(self.labels);
        self.labels += 1;
        self.loops.push(Frame { label, carried });
        label
    }

    /// The items of a loop's region whose carried values are its parameters after the first `skip`.
    pub(super) fn in_body(&mut self, region: NumberedRegion<'f>, carried: &[Slot], skip: usize) -> Vec<Item<'f>> {
        for (param, slot) in region.params[skip..].iter().zip(carried) {
            self.slot_of.insert(*param, *slot);
        }
        self.enter();
        let mut items = Vec::new();
        self.known(&region.params[skip..], &mut items);
        items.extend(self.stmts(region));
        let is_condition = region.params.first().is_some_and(|p| self.pinned.contains(p));
        match &region.term {
            Terminator::Yield(_) if is_condition => {}
            Terminator::Yield(values) => self.transfer(region, values, carried, &mut items),
            _ => self.leave(region, &mut items),
        }
        self.scopes.pop();
        items
    }

    pub(super) fn close_loop(
        &mut self,
        stmt: NumberedStmt<'_>,
        init: &[Value],
        carried: &[Slot],
        items: &mut Vec<Item<'f>>,
    ) {
        self.loops.pop();
        for (result, slot) in stmt.results.iter().zip(carried) {
            self.slot_of.insert(*result, *slot);
        }
        for value in self.liveness.dying(stmt) {
            let Some(slot) = self.slot_of.get(value).copied() else { continue };
            let moved = init.contains(value) && carried.contains(&slot);
            if self.is_array(*value) && !self.slots[slot.0].borrowed && !moved && !self.pinned.contains(value) {
                items.push(Item::Free(slot));
            }
        }
        self.known(&stmt.results, items);
    }
}
