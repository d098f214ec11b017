//! Where host code must ask for arrays that a device may have: global data transfers (MEGHA, section 3.2.4) as data flow.
//!
//! A kernel may run on a device; the run-time system then knows which copy of an array is current. Host code does not ask at each
//! access. For each array variable this pass follows two facts forward: its host copy *may be stale* (a kernel that may have run
//! on the device has written it) and the device *may hold* a copy (a kernel that may have run there has used it). That is the thesis's
//! lattice of locations, for a placement that only the run knows. Before host code reads a variable that may be stale, [`Item::Fetch`] is
//! put; before host code writes one that the device may hold, [`Item::Wrote`]. What an update is about to change may be a copy that was made for it on either
//! side, which then is what is asked for. An array that is filled is on neither side until somebody needs it. What a loop needs and none of its kernels touches is
//! fetched before the loop: the edge into the loop is split, not the one around it. Of an array of which a statement reads elements
//! only these are asked for ([`Item::FetchElement`]); the rest of it stays stale.

use crate::hash::{HashMap, HashSet};

use super::inline::Inlined;
use super::liveness::used_by;
use super::storage::{Item, Label, Slot, Storage};
use super::transfer::{How, Transfer};
use crate::ir::{Func, Loc, Op, Stmt, Sub, Value};

/// What is known of a variable; variables that are not mentioned are current on the host, and only there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct At {
    /// The host's copy may be stale.
    stale: bool,
    /// The device may hold a copy.
    held: bool,
    /// The variable holds nothing on some way.
    dead: bool,
}

/// What host code is about to read.
#[derive(Default)]
struct Wants<'f> {
    arrays: Vec<Slot>,
    /// Single elements, with the variables of their arrays; one comes after those that its subscripts read.
    elements: Vec<(Slot, &'f Op)>,
}

/// What is known at a place; nothing where control does not get.
#[derive(Debug, Clone, Default)]
struct State {
    slots: HashMap<Slot, At>,
    unreachable: bool,
}

/// Puts the requests among the items of a function. `on_device` says of a kernel or another statement whether a device can run it.
pub fn place<'f>(func: &'f Func, inlined: &Inlined<'f>, storage: &mut Storage<'f>, on_device: &dyn Fn(&Stmt) -> bool) {
    let items = std::mem::take(&mut storage.items);
    let params = func.params.iter().filter_map(|p| storage.slot(p.value).map(|slot| (p.value, slot)));
    let arrays = params.filter(|(value, _)| !func.ty(*value).is_scalar());
    // An argument may be one that stayed on the device after an earlier call.
    let slots = arrays.map(|(_, slot)| (slot, At { stale: true, held: true, dead: false })).collect();
    let state = State { slots, unreachable: false };
    let loc = func.body.stmts.first().map_or(Loc::new(0), |stmt| stmt.loc);
    let mut walk = Walk { func, inlined, storage, on_device, state, leaving: Vec::new(), copies: Vec::new(), loc };
    storage.items = walk.items(items);
}

/// The values that an operation uses.
fn used(op: &Op) -> Vec<Value> {
    let mut operands = Vec::new();
    used_by(op, &mut operands);
    operands
}

/// The join over ways into one place.
fn join(into: &mut State, other: &State) {
    if other.unreachable {
        return;
    }
    if into.unreachable {
        into.clone_from(other);
    }
    for (slot, at) in &other.slots {
        let here = into.slots.entry(*slot).or_default();
        here.stale |= at.stale;
        here.held |= at.held;
        here.dead |= at.dead;
    }
}

struct Walk<'w, 'f> {
    func: &'f Func,
    inlined: &'w Inlined<'f>,
    storage: &'w Storage<'f>,
    on_device: &'w dyn Fn(&Stmt) -> bool,
    state: State,
    /// The states in which loops are left or continued.
    leaving: Vec<(Label, State)>,
    /// The variables that the items just before have given copies of others: the statement behind them updates these copies.
    copies: Vec<Slot>,
    loc: Loc,
}

impl<'f> Walk<'_, 'f> {
    fn array(&self, value: Value) -> Option<Slot> {
        if self.func.ty(value).is_scalar() { None } else { self.storage.slot(value) }
    }

    /// Whether a statement finds its arrays itself wherever they are: a kernel for devices, a call of another function, a fill, which is made
    /// where the array is needed.
    fn looks_after_arrays(&self, stmt: &Stmt) -> bool {
        matches!(stmt.op, Op::Call(..) | Op::Fill(_) | Op::FillAround { .. }) || (self.on_device)(stmt)
    }

    /// The array variables that an expression for the value reads on the host.
    fn reads(&self, value: Value, out: &mut Vec<Slot>) {
        match self.inlined.get(value) {
            Some(op) => op.for_each_operand(&mut |v| self.reads(v, out)),
            None => out.extend(self.array(value)),
        }
    }

    /// What an expression for the value reads on the host.
    fn wants(&self, value: Value, out: &mut Wants<'f>) {
        match self.inlined.get(value) {
            Some(op) => self.wants_of(op, out),
            None => out.arrays.extend(self.array(value)),
        }
    }

    fn wants_of(&self, op: &'f Op, out: &mut Wants<'f>) {
        let element = match op {
            Op::Index { array, subs, .. } if subs.iter().all(|s| matches!(s, Sub::At(_))) => {
                subs.iter().filter_map(Sub::value).for_each(|sub| self.wants(sub, out));
                self.array(*array).filter(|_| self.inlined.get(*array).is_none())
            }
            _ => None,
        };
        match element {
            Some(slot) => out.elements.push((slot, op)),
            None => used(op).into_iter().for_each(|v| self.wants(v, out)),
        }
    }

    /// Asks for what host code is about to read.
    fn ask(&mut self, wants: Wants<'f>, items: &mut Vec<Item<'f>>) {
        self.fetch(wants.arrays, items);
        let mut asked: Vec<&Op> = Vec::new();
        for (slot, element) in wants.elements {
            let stale = self.state.slots.get(&slot).is_some_and(|at| at.stale && !at.dead);
            if stale && !asked.contains(&element) {
                asked.push(element);
                items.push(Item::FetchElement(element, self.loc));
            }
        }
    }

    fn fetch(&mut self, slots: Vec<Slot>, items: &mut Vec<Item<'f>>) {
        for slot in slots {
            if let Some(at) = self.state.slots.get_mut(&slot).filter(|at| at.stale && !at.dead) {
                at.stale = false;
                items.push(Item::Fetch(slot, self.loc));
            }
        }
    }

    fn wrote(&mut self, slot: Slot, items: &mut Vec<Item<'f>>) {
        if let Some(at) = self.state.slots.get_mut(&slot).filter(|at| at.held && !at.dead) {
            at.held = false;
            items.push(Item::Wrote(slot));
        }
    }

    fn fetch_value(&mut self, value: Value, items: &mut Vec<Item<'f>>) {
        let mut wants = Wants::default();
        self.wants(value, &mut wants);
        self.ask(wants, items);
    }

    fn items(&mut self, list: Vec<Item<'f>>) -> Vec<Item<'f>> {
        let mut out = Vec::new();
        for item in list {
            self.item(item, &mut out);
        }
        out
    }

    fn item(&mut self, item: Item<'f>, out: &mut Vec<Item<'f>>) {
        if !matches!(item, Item::Stmt(_) | Item::Assign(..)) {
            self.copies.clear();
        }
        match item {
            Item::Stmt(stmt) => self.stmt(stmt, out),
            Item::Assign(list, defines) => self.assign(list, defines, out),
            Item::Free(slot) => {
                self.state.slots.insert(slot, At { dead: true, ..At::default() });
                out.push(Item::Free(slot));
            }
            Item::Sizes(values) => {
                values.iter().for_each(|v| self.fetch_value(*v, out));
                out.push(Item::Sizes(values));
            }
            Item::If(cond, then, els) => {
                self.fetch_value(cond, out);
                let before = self.state.clone();
                let then = self.items(then);
                let after = std::mem::replace(&mut self.state, before);
                let els = self.items(els);
                join(&mut self.state, &after);
                out.push(Item::If(cond, then, els));
            }
            Item::For(label, counter, trip, body) => {
                self.fetch_value(trip, out);
                let [_, body] = self.repeated(label, (Vec::new(), None, body), out);
                out.push(Item::For(label, counter, trip, body));
            }
            Item::While(label, test, cond, body) => {
                let [test, body] = self.repeated(label, (test, Some(cond), body), out);
                out.push(Item::While(label, test, cond, body));
            }
            Item::Break(label) | Item::Continue(label) => {
                self.leaving.push((label, self.state.clone()));
                self.state = State { unreachable: true, ..State::default() };
                out.push(item);
            }
            Item::Return(values) => {
                // Arrays leave as they are; the caller knows what it needs of them.
                let numbers: Vec<Value> = values.iter().map(|(v, _)| *v).filter(|v| self.array(*v).is_none()).collect();
                numbers.into_iter().for_each(|v| self.fetch_value(v, out));
                self.state = State { unreachable: true, ..State::default() };
                out.push(Item::Return(values));
            }
            Item::Unreachable => {
                self.state = State { unreachable: true, ..State::default() };
                out.push(item);
            }
            Item::Declare(_) | Item::Plan { .. } | Item::Fetch(..) | Item::FetchElement(..) | Item::Wrote(_) => {
                out.push(item);
            }
        }
    }

    /// A loop: its condition's statements and its body, with what both need put before the loop where no kernel in it interferes.
    fn repeated(
        &mut self,
        label: Label,
        (test, cond, body): (Vec<Item<'f>>, Option<Value>, Vec<Item<'f>>),
        out: &mut Vec<Item<'f>>,
    ) -> [Vec<Item<'f>>; 2] {
        let mut uses = Uses::default();
        uses.items(self, &test);
        uses.items(self, &body);
        if let Some(cond) = cond {
            self.reads(cond, &mut uses.read);
        }
        let quiet = |list: &[Slot]| list.iter().copied().filter(|s| !uses.changing.contains(s)).collect::<Vec<_>>();
        let (read, written) = (quiet(&uses.read), quiet(&uses.written));
        self.fetch(read, out);
        written.into_iter().for_each(|slot| self.wrote(slot, out));
        // A kernel anywhere in the loop may have been the last to touch a variable when the next iteration begins.
        for slot in &uses.changing {
            let at = self.state.slots.entry(*slot).or_default();
            (at.stale, at.held) = (true, true);
        }
        let head = self.state.clone();
        let mut test = self.items(test);
        if let Some(cond) = cond {
            self.fetch_value(cond, &mut test);
        }
        let body = self.items(body);
        let left: Vec<State> = self.leaving.extract_if(.., |(l, _)| *l == label).map(|(_, state)| state).collect();
        left.iter().for_each(|state| join(&mut self.state, state));
        join(&mut self.state, &head);
        [test, body]
    }

    fn assign(&mut self, list: Vec<Transfer>, defines: bool, out: &mut Vec<Item<'f>>) {
        let mut after = Vec::new();
        for Transfer { to, from, how } in &list {
            match self.array(*from) {
                Some(slot) if *how == How::Move => {
                    after.push((*to, self.state.slots.get(&slot).copied().unwrap_or_default()));
                    if slot != *to {
                        after.push((slot, At { dead: true, ..At::default() }));
                    }
                }
                Some(slot) => {
                    // the run-time system copies what is current, on the device too
                    let At { stale, held, .. } = self.state.slots.get(&slot).copied().unwrap_or_default();
                    after.push((*to, At { stale, held: held || stale, dead: false }));
                    self.copies.push(*to);
                }
                None => self.fetch_value(*from, out),
            }
        }
        // In an exchange a variable is both left and given a new value.
        let given: HashSet<Slot> = list.iter().map(|t| t.to).collect();
        for (slot, at) in after {
            if !(at.dead && given.contains(&slot)) {
                self.state.slots.insert(slot, at);
            }
        }
        out.push(Item::Assign(list, defines));
    }

    /// An array gets other sizes where it lies; the run-time system asks for what has to move.
    fn other_sizes(&mut self, stmt: &Stmt) {
        let operand = match &stmt.op {
            Op::Reshape(array) if !self.storage.reshapes_variable(stmt) => self.array(*array),
            _ => return,
        };
        if let (Some(from), Some(to)) = (operand, self.array(stmt.results[0])) {
            let at = self.state.slots.get(&from).copied().unwrap_or_default();
            self.state.slots.insert(to, at);
        }
    }

    fn stmt(&mut self, stmt: &'f Stmt, out: &mut Vec<Item<'f>>) {
        self.loc = stmt.loc;
        let copies = std::mem::take(&mut self.copies);
        if self.storage.keeps_memory(stmt) {
            self.other_sizes(stmt);
            return out.push(Item::Stmt(stmt));
        }
        let (mut uses, mut wants) = (Uses::of(self, stmt), Wants::default());
        if self.looks_after_arrays(stmt) {
            // numbers may be elements that the host reads
            let numbers =
                used(&stmt.op).into_iter().filter(|v| self.array(*v).is_none() || self.inlined.get(*v).is_some());
            numbers.for_each(|v| self.wants(v, &mut wants));
        } else {
            self.wants_of(&stmt.op, &mut wants);
            let results = stmt.results.iter().filter_map(|r| self.array(*r));
            let updated: Vec<Slot> = results.filter(|slot| copies.contains(slot)).collect();
            if let (Op::Store { array, .. }, [_]) = (&stmt.op, &updated[..]) {
                // the copy is there already
                let original = self.array(*array);
                wants.arrays.retain(|slot| Some(*slot) != original);
            }
            wants.arrays.extend(&updated);
            uses.written.extend(updated);
        }
        self.ask(wants, out);
        uses.written.into_iter().for_each(|slot| self.wrote(slot, out));
        out.push(Item::Stmt(stmt));
        let written: Vec<Slot> = stmt.results.iter().filter_map(|r| self.array(*r)).collect();
        for slot in &written {
            self.state.slots.insert(*slot, At::default());
        }
        for slot in uses.changing {
            let at = self.state.slots.entry(slot).or_default();
            at.held = true;
            at.stale |= written.contains(&slot);
        }
    }
}

/// How statements use array variables.
#[derive(Default)]
struct Uses {
    /// The host reads them.
    read: Vec<Slot>,
    /// The host writes them in place.
    written: Vec<Slot>,
    /// A kernel that may be on the device, or another function, uses them, or they change hands.
    changing: Vec<Slot>,
}

impl Uses {
    fn of(walk: &Walk<'_, '_>, stmt: &Stmt) -> Uses {
        let mut uses = Uses::default();
        uses.stmt(walk, stmt);
        uses
    }

    fn stmt(&mut self, walk: &Walk<'_, '_>, stmt: &Stmt) {
        if walk.storage.keeps_memory(stmt) {
            return;
        }
        let mut operands = Vec::new();
        used_by(&stmt.op, &mut operands);
        let results = stmt.results.iter().filter_map(|r| walk.array(*r));
        if walk.looks_after_arrays(stmt) {
            for value in operands {
                // numbers may be elements that the host reads
                match walk.array(value).filter(|_| walk.inlined.get(value).is_none()) {
                    Some(slot) => self.changing.push(slot),
                    None => walk.reads(value, &mut self.read),
                }
            }
            self.changing.extend(results);
        } else {
            operands.iter().for_each(|v| walk.reads(*v, &mut self.read));
            let before: Vec<Slot> = operands.iter().filter_map(|v| walk.array(*v)).collect();
            self.written.extend(results.filter(|slot| before.contains(slot)));
        }
    }

    fn items(&mut self, walk: &Walk<'_, '_>, items: &[Item<'_>]) {
        for item in items {
            match item {
                Item::Stmt(stmt) => self.stmt(walk, stmt),
                Item::Assign(list, _) => {
                    for t in list {
                        match walk.array(t.from) {
                            Some(from) => self.changing.extend([t.to, from]),
                            None => walk.reads(t.from, &mut self.read),
                        }
                    }
                }
                Item::Free(slot) => self.changing.push(*slot),
                Item::Return(values) => {
                    let numbers = values.iter().map(|(v, _)| *v).filter(|v| walk.array(*v).is_none());
                    numbers.for_each(|v| walk.reads(v, &mut self.read));
                }
                Item::Sizes(values) => values.iter().for_each(|v| walk.reads(*v, &mut self.read)),
                Item::If(cond, then, els) => {
                    walk.reads(*cond, &mut self.read);
                    self.items(walk, then);
                    self.items(walk, els);
                }
                Item::For(_, _, trip, body) => {
                    walk.reads(*trip, &mut self.read);
                    self.items(walk, body);
                }
                Item::While(_, test, cond, body) => {
                    self.items(walk, test);
                    walk.reads(*cond, &mut self.read);
                    self.items(walk, body);
                }
                Item::Declare(_)
                | Item::Break(_)
                | Item::Continue(_)
                | Item::Unreachable
                | Item::Plan { .. }
                | Item::Fetch(..)
                | Item::FetchElement(..)
                | Item::Wrote(_) => {}
            }
        }
    }
}
