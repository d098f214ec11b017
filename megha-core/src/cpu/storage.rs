//! Out of SSA: the variables that hold the values of a function, and what is moved or copied between them.
//!
//! Values that a structured join relates (carried values of loops, results of an `If`, an array before and after an update) share a
//! variable where their lives allow it, so updates happen in place. Moving an array between variables costs nothing; a *copy* of an
//! array is made only where an array is updated, or carried into a loop, while its old state is still used. Compare the coalescing of
//! φ-congruence classes (Sreedhar et al., "Translating Out of Static Single Assignment Form", SAS 1999): since control is structured
//! here and moves are free, one forward walk over exact liveness suffices.

mod control;
mod old_state;
mod second_place;

use crate::hash::{HashMap, HashSet};

use super::inline::Inlined;
use super::liveness::Liveness;
use super::transfer::{How, Transfer, sequence};
use crate::ir::numbering::{NumberedRegion, NumberedStmt};
use crate::ir::{Func, Loc, Op, Region, Stmt, SymData, SymDef, Terminator, Type, Value};
use crate::kernels::old_state::OldState;
use old_state::reads_old_state;
use second_place::{Stored, stored_box};

/// A variable of the generated function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slot(pub usize);

/// What is known of a variable.
#[derive(Debug, Clone)]
pub struct SlotData {
    /// The first value it holds; gives it its name.
    pub first: Value,
    /// Type of the first value. All have its class and rank; an array brings its sizes along.
    pub ty: Type,
    /// Whether it is the caller's array: read only.
    pub borrowed: bool,
    /// Whether it changes after its definition.
    pub mutable: bool,
    scope: usize,
}

/// An array that is copied.
#[derive(Debug, Clone, Copy)]
pub struct Copied {
    /// What is copied.
    pub array: Value,
    /// What is in the copy next.
    pub into: Value,
    /// Whether all of it is copied; else what is stored next is left out.
    pub whole: bool,
    /// Why.
    pub why: Why,
    /// The statement.
    pub loc: Loc,
}

/// Why an array is copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// It is the caller's.
    Callers,
    /// It is used again as it was.
    UsedAgain,
    /// The kernel that updates it reads elements as they were that other points store.
    OldState,
}

/// A loop, for `break` and `continue`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Label(pub usize);

/// The loops around a block, as far as they say how often it runs.
#[derive(Debug, Clone, Default)]
pub struct Rounds {
    /// The numbers of iterations and the counters of those that count, outermost first; only what lies inside the innermost other one.
    pub counted: Vec<(Value, Value)>,
    /// Whether there is a loop with a condition.
    pub conditional: bool,
    /// The numbers of iterations of the loops behind it in which the next block is, if that is known to it.
    pub following: Vec<Value>,
}

/// The function out of SSA: statements over variables.
#[derive(Debug)]
pub enum Item<'f> {
    /// A statement without regions, or a kernel. Arrays it updates are in the variables of its results already.
    Stmt(&'f Stmt),
    /// A variable without a value yet.
    Declare(Slot),
    /// Assignments; more than one happen at once. `true`: the variable is defined here.
    Assign(Vec<Transfer>, bool),
    /// The end of an array's life.
    Free(Slot),
    /// The host is about to read an array that a device may have changed.
    Fetch(Slot, Loc),
    /// The host is about to read one element of such an array: that of this `Index`.
    FetchElement(&'f Op, Loc),
    /// The decision where the kernels of a block run.
    Plan {
        /// The block's number.
        number: usize,
        /// The arrays that exist already, in the block's order.
        arrays: Vec<Slot>,
        /// The loops around it.
        rounds: Rounds,
    },
    /// The host is about to write an array of which a device may have a copy.
    Wrote(Slot),
    /// Values that sizes are made of have their final contents: parameters of a loop's region, or results of a join.
    Sizes(Vec<Value>),
    /// Two ways.
    If(Value, Vec<Item<'f>>, Vec<Item<'f>>),
    /// A counted loop: label, counter, number of iterations, body.
    For(Label, Value, Value, Vec<Item<'f>>),
    /// A loop with a condition: label, what computes the condition, the condition, body.
    While(Label, Vec<Item<'f>>, Value, Vec<Item<'f>>),
    /// Leaves a loop.
    Break(Label),
    /// Starts the next iteration of a loop.
    Continue(Label),
    /// Ends the function; the flag says which results may be moved out.
    Return(Vec<(Value, How)>),
    /// Control does not get here.
    Unreachable,
}

/// The variables and the statements over them.
pub struct Storage<'f> {
    /// All variables.
    pub slots: Vec<SlotData>,
    /// The function's statements.
    pub items: Vec<Item<'f>>,
    /// What is live where.
    pub liveness: Liveness,
    /// What the updates store whose arrays are copied around it, by the numbers of [`How::CopyAround`].
    pub stored: Vec<Stored>,
    /// All copies of arrays, in the order of the text.
    pub copies: Vec<Copied>,
    slot_of: HashMap<Value, Slot>,
    /// Arrays with other sizes that take over the memory of what they are made from.
    taking_over: HashSet<Value>,
    /// The arrays in other sizes that are copies before they get them.
    copied_first: HashSet<Value>,
}

impl Storage<'_> {
    /// The variable that holds the value; `None` for one that is written in place.
    pub fn slot(&self, value: Value) -> Option<Slot> {
        self.slot_of.get(&value).copied()
    }

    /// Whether two values are in one variable.
    pub fn shares(&self, a: Value, b: Value) -> bool {
        self.slot(a).is_some_and(|slot| self.slot(b) == Some(slot))
    }

    /// Whether a statement gives an array other sizes where it lies. They may be those that it has, and then nothing moves.
    pub fn keeps_memory(&self, stmt: &Stmt) -> bool {
        let result = || stmt.results[0];
        match &stmt.op {
            Op::Resize(array) => self.shares(*array, result()),
            Op::Reshape(_) => self.reshapes_variable(stmt) || self.is_borrowed(result()),
            _ => false,
        }
    }

    /// Whether a statement gives an array other sizes in its variable, which holds that array or a copy of it.
    pub fn reshapes_variable(&self, stmt: &Stmt) -> bool {
        let result = || stmt.results[0];
        matches!(&stmt.op, Op::Reshape(array) if self.shares(*array, result()) || self.copied_first.contains(&result()))
    }

    /// Whether an array with other sizes is in the memory of the one that it is made from, which ends there.
    pub fn takes_over(&self, value: Value) -> bool {
        self.taking_over.contains(&value)
    }

    /// Whether an array is the caller's, to be read only.
    pub fn is_borrowed(&self, value: Value) -> bool {
        self.slot_of.get(&value).is_some_and(|slot| self.slots[slot.0].borrowed)
    }

    /// How many times the code copies a whole array (in the text; a copy in a loop counts once).
    pub fn array_copies(&self) -> usize {
        self.copies.iter().filter(|copied| copied.whole).count()
    }
}

/// Assigns variables to the values of a function, to which its caller gives the arrays `owned`.
pub fn assign<'f>(func: &'f Func, inlined: &Inlined<'f>, owned: &HashSet<Value>) -> Storage<'f> {
    let params: Vec<Value> = func.params.iter().map(|p| p.value).collect();
    let value = |data: &SymData| if let SymDef::Value(v) = data.def { Some(v) } else { None };
    let sizes = func.symbols.iter().filter_map(|(_, data)| value(data)).collect();
    assign_slots(func, inlined, &func.body, &params, (owned, sizes))
}

/// Assigns variables to the values of a region: a function's body with its parameters, or a kernel's body.
pub fn assign_region<'f>(func: &'f Func, inlined: &Inlined<'f>, region: &'f Region, params: &[Value]) -> Storage<'f> {
    // Sizes that depend on what a kernel computes have become arithmetic.
    assign_slots(func, inlined, region, params, (&HashSet::default(), HashSet::default()))
}

fn assign_slots<'f>(
    func: &'f Func,
    inlined: &Inlined<'f>,
    region: &'f Region,
    params: &[Value],
    (owned, sizes): (&HashSet<Value>, HashSet<Value>),
) -> Storage<'f> {
    let liveness = Liveness::of(region, inlined);
    let mut walk = Walk {
        func,
        old: OldState::new(func),
        inlined,
        sizes,
        liveness,
        slots: Vec::new(),
        stored: Vec::new(),
        copies: Vec::new(),
        loc: Loc::NONE,
        slot_of: HashMap::default(),
        scopes: Vec::new(),
        next_scope: 0,
        loops: Vec::new(),
        pinned: HashSet::default(),
        labels: 0,
        taking_over: HashSet::default(),
        copied_first: HashSet::default(),
    };
    walk.enter();
    for param in params {
        let slot = walk.new_slot(*param);
        walk.slots[slot.0].borrowed = !owned.contains(param);
    }
    let outermost = walk.liveness.numbering.outermost(region);
    let mut items = walk.stmts(outermost);
    walk.leave(outermost, &mut items);
    let Walk { slots, liveness, stored, copies, slot_of, taking_over, copied_first, .. } = walk;
    Storage { slots, items, liveness, stored, copies, slot_of, taking_over, copied_first }
}

struct Frame {
    label: Label,
    carried: Vec<Slot>,
}

struct Walk<'w, 'f> {
    func: &'f Func,
    old: OldState<'f>,
    inlined: &'w Inlined<'f>,
    /// The `Index` scalars that sizes are made of.
    sizes: HashSet<Value>,
    liveness: Liveness,
    slots: Vec<SlotData>,
    stored: Vec<Stored>,
    copies: Vec<Copied>,
    /// The statement that is looked at.
    loc: Loc,
    slot_of: HashMap<Value, Slot>,
    /// The Rust blocks around the place, outermost first.
    scopes: Vec<usize>,
    next_scope: usize,
    loops: Vec<Frame>,
    /// Values whose variable must keep its contents although the value is dead: carried values in a loop's condition.
    pinned: HashSet<Value>,
    labels: usize,
    taking_over: HashSet<Value>,
    /// The arrays in other sizes that are copies before they get them.
    copied_first: HashSet<Value>,
}

impl<'f> Walk<'_, 'f> {
    fn enter(&mut self) {
        self.scopes.push(self.next_scope);
        self.next_scope += 1;
    }

    fn new_slot(&mut self, value: Value) -> Slot {
        let scope = self.scopes.last().copied().unwrap_or(0);
        let ty = self.func.ty(value).clone();
        self.slots.push(SlotData { first: value, ty, borrowed: false, mutable: false, scope });
        let slot = Slot(self.slots.len() - 1);
        self.slot_of.insert(value, slot);
        slot
    }

    fn is_array(&self, value: Value) -> bool {
        !self.func.ty(value).is_scalar()
    }

    /// The variable of a dead value, which a value of type `ty` may take over: sizes may differ.
    fn reusable(&self, value: Value, ty: &Type) -> Option<Slot> {
        let slot = self.slot_of.get(&value).copied().filter(|_| !self.pinned.contains(&value))?;
        let data = &self.slots[slot.0];
        let fits = data.ty.class == ty.class && data.ty.dims.len() == ty.dims.len();
        (!data.borrowed && fits).then_some(slot)
    }

    /// Says that those of the values that sizes are made of are known from here on.
    fn known(&self, values: &[Value], items: &mut Vec<Item<'f>>) {
        let sizes: Vec<Value> = values.iter().copied().filter(|v| self.sizes.contains(v)).collect();
        if !sizes.is_empty() {
            items.push(Item::Sizes(sizes));
        }
    }

    fn share(&mut self, value: Value, slot: Slot) {
        self.slots[slot.0].mutable = true;
        self.slot_of.insert(value, slot);
    }

    fn stmts(&mut self, region: NumberedRegion<'f>) -> Vec<Item<'f>> {
        let mut items = Vec::new();
        for stmt in self.liveness.numbering.stmts(region) {
            self.loc = stmt.loc;
            let regions = self.liveness.numbering.regions(stmt);
            match (&stmt.part.op, &regions[..]) {
                (Op::If { cond, .. }, &[then, els]) => self.branch(stmt, *cond, [then, els], &mut items),
                (Op::For { trip, init, .. }, &[body]) => {
                    let carried = self.carry(stmt, init, &regions, &mut items);
                    let label = self.open_loop(carried.clone());
                    let counter = self.in_body(body, &carried, 1);
                    items.push(Item::For(label, body.params[0], *trip, counter));
                    self.close_loop(stmt, init, &carried, &mut items);
                }
                (Op::While { init, .. }, &[cond, body]) => {
                    let carried = self.carry(stmt, init, &regions, &mut items);
                    let label = self.open_loop(carried.clone());
                    self.pinned.extend(&cond.params);
                    let test = self.in_body(cond, &carried, 0);
                    let value = cond.term.values()[0];
                    let body = self.in_body(body, &carried, 0);
                    items.push(Item::While(label, test, value, body));
                    self.close_loop(stmt, init, &carried, &mut items);
                }
                _ => self.simple(stmt, &mut items),
            }
        }
        items
    }

    fn simple(&mut self, stmt: NumberedStmt<'f>, items: &mut Vec<Item<'f>>) {
        if let [result] = stmt.results[..]
            && self.inlined.get(result).is_some()
        {
            return;
        }
        for (number, result) in stmt.results.iter().enumerate() {
            match (self.updated(&stmt, number), &stmt.op) {
                (Some(array), _) => self.update(stmt, array, number, items),
                (None, Op::Reshape(array)) => self.reshape(stmt, *array, items),
                (None, _) => drop(self.new_slot(*result)),
            }
        }
        items.push(Item::Stmt(stmt.part));
        self.free_dying(stmt, items);
    }

    /// An array in other sizes: in the variable of the one that it is made from where that one ends there, or in its memory if the variable's type does not
    /// fit; in a copy where it is updated or handed on.
    fn reshape(&mut self, stmt: NumberedStmt<'_>, array: Value, items: &mut Vec<Item<'f>>) {
        let result = stmt.results[0];
        let [from, to] = [array, result].map(|value| self.func.ty(value));
        let ends = self.is_array(array) && self.is_array(result) && self.liveness.dies_at(stmt, array);
        if let Some(slot) = self.reusable(array, to).filter(|_| ends) {
            return self.share(result, slot);
        }
        let slot = self.new_slot(result);
        let owned = self.slot_of.get(&array).is_some_and(|slot| !self.slots[slot.0].borrowed);
        if ends && owned && !self.pinned.contains(&array) {
            self.taking_over.insert(result);
        } else if self.is_array(array) && from.dims.len() == to.dims.len() && self.is_kept(&self.func.body, result) {
            self.slots[slot.0].mutable = true;
            self.copied(array, result, true, Why::UsedAgain);
            items.push(Item::Assign(vec![Transfer { to: slot, from: array, how: How::Copy }], true));
            self.copied_first.insert(result);
        } else {
            self.lend(array, result);
        }
    }

    /// The caller's array in other sizes is the caller's array too, if it is only read.
    fn lend(&mut self, array: Value, result: Value) {
        let slots = [array, result].map(|value| self.slot_of.get(&value).copied());
        if let [Some(of), Some(to)] = slots
            && self.loops.is_empty()
            && self.slots[of.0].borrowed
            && self.is_array(result)
            && !self.is_kept(&self.func.body, result)
        {
            self.slots[to.0].borrowed = true;
        }
    }

    /// Whether statements update an array or hand it on, in other sizes too.
    fn is_kept(&self, region: &Region, array: Value) -> bool {
        region.term.values().contains(&array) || region.stmts.iter().any(|stmt| {
            let updates = (0..stmt.results.len()).any(|number| self.updated(stmt, number) == Some(array));
            let starts = matches!(&stmt.op, Op::For { init, .. } | Op::While { init, .. } if init.contains(&array));
            let reshapes =
                matches!(&stmt.op, Op::Reshape(of) if *of == array && self.is_kept(&self.func.body, stmt.results[0]));
            updates || starts || reshapes || stmt.op.regions().into_iter().any(|inner| self.is_kept(inner, array))
        })
    }

    /// The array that result number `number` of a statement is an updated state of. What a loop appends to an array goes into that
    /// array's memory; outside of loops the room to grow would be wasted.
    fn updated(&self, stmt: &Stmt, number: usize) -> Option<Value> {
        let rank = |value: Value| self.func.ty(value).dims.len();
        match &stmt.op {
            Op::Store { array, .. } => Some(*array),
            Op::Kernel(kernel) => kernel.outs[number].updated(),
            Op::Resize(array) => Some(*array).filter(|a| rank(*a) == rank(stmt.results[number])),
            Op::Concat(_, parts) if !self.loops.is_empty() && self.is_array(stmt.results[number]) => {
                parts.first().copied().filter(|a| rank(*a) == rank(stmt.results[number]))
            }
            _ => None,
        }
    }

    /// Notes a copy, `why` being the reason unless the array is the caller's.
    fn copied(&mut self, array: Value, into: Value, whole: bool, why: Why) {
        if self.is_array(array) {
            let callers = self.slot_of.get(&array).is_some_and(|slot| self.slots[slot.0].borrowed);
            let why = if callers { Why::Callers } else { why };
            self.copies.push(Copied { array, into, whole, why, loc: self.loc });
        }
    }

    /// Puts `array` into the variable of result number `number`, which the statement then updates.
    fn update(&mut self, stmt: NumberedStmt<'_>, array: Value, number: usize, items: &mut Vec<Item<'f>>) {
        let result = stmt.results[number];
        let dead = self.liveness.dies_at(stmt, array) && !reads_old_state(&self.old, &stmt.op, array);
        let slot = self.reusable(array, self.func.ty(result)).filter(|_| dead);
        match slot {
            Some(slot) => self.share(result, slot),
            // The new array is made with room for what is copied.
            None if matches!(stmt.op, Op::Resize(_) | Op::Concat(..)) => {
                self.new_slot(result);
                if matches!(stmt.op, Op::Resize(_)) {
                    self.copied(array, result, true, Why::UsedAgain);
                }
            }
            None => {
                let to = self.new_slot(result);
                self.slots[to.0].mutable = true;
                let dies = self.liveness.dies_at(stmt, array) && !self.pinned.contains(&array);
                let stored = stored_box(self.func, self.inlined, &stmt, number);
                self.copied(array, result, stored.is_none(), if dies { Why::OldState } else { Why::UsedAgain });
                let how = match stored {
                    Some(stored) => {
                        self.stored.push(stored);
                        How::CopyAround(self.stored.len() - 1)
                    }
                    None => How::Copy,
                };
                items.push(Item::Assign(vec![Transfer { to, from: array, how }], true));
            }
        }
    }

    /// Ends the lives of arrays that a statement without regions uses last, or defines in vain.
    fn free_dying(&self, stmt: NumberedStmt<'_>, items: &mut Vec<Item<'f>>) {
        let taken_over = match stmt.op {
            Op::Reshape(array) if self.taking_over.contains(&stmt.results[0]) => Some(array),
            _ => None,
        };
        let kept: Vec<Slot> = stmt.results.iter().filter_map(|r| self.slot_of.get(r).copied()).collect();
        for value in self.liveness.dying(stmt) {
            let Some(slot) = self.slot_of.get(value).copied().filter(|_| taken_over != Some(*value)) else { continue };
            let taken = kept.contains(&slot) && !stmt.results.contains(value);
            if self.is_array(*value) && !self.slots[slot.0].borrowed && !taken && !self.pinned.contains(value) {
                items.push(Item::Free(slot));
            }
        }
    }

    /// The end of a region that is left by `Break`, `Continue` or `Return`.
    fn leave(&mut self, region: NumberedRegion<'f>, items: &mut Vec<Item<'f>>) {
        let frame = |depth: u32| &self.loops[self.loops.len() - 1 - depth as usize];
        let (depth, values, exit) = match &region.term {
            Terminator::Break(depth, values) => (*depth, values, Item::Break(frame(*depth).label)),
            Terminator::Continue(depth, values) => (*depth, values, Item::Continue(frame(*depth).label)),
            Terminator::Return(values) | Terminator::Yield(values) => {
                items.push(Item::Return(self.returned(values)));
                return;
            }
            Terminator::Unreachable => return items.push(Item::Unreachable),
        };
        let carried = frame(depth).carried.clone();
        self.transfer(region, values, &carried, items);
        items.push(exit);
    }

    /// The results of the function; an array that is the caller's, or is returned twice, is copied.
    fn returned(&mut self, values: &[Value]) -> Vec<(Value, How)> {
        let movable = |at: usize, value: &Value| {
            let borrowed = self.slot_of.get(value).is_some_and(|s| self.slots[s.0].borrowed);
            !borrowed && !values[at + 1..].contains(value)
        };
        let how = |(at, value): (usize, &Value)| (*value, if movable(at, value) { How::Move } else { How::Copy });
        let list: Vec<(Value, How)> = values.iter().enumerate().map(how).collect();
        for (value, _) in list.iter().filter(|(_, how)| *how == How::Copy) {
            self.copied(*value, *value, true, Why::UsedAgain);
        }
        list
    }

    /// Gives the variables of a join the values that leave `region`.
    fn transfer(&mut self, region: NumberedRegion<'_>, values: &[Value], to: &[Slot], items: &mut Vec<Item<'f>>) {
        let mut list = Vec::new();
        for (at, (value, slot)) in values.iter().zip(to).enumerate() {
            if self.slot_of.get(value) == Some(slot) {
                continue;
            }
            let borrowed = self.slot_of.get(value).is_some_and(|s| self.slots[s.0].borrowed);
            let again = values[at + 1..].contains(value)
                || values[..at].iter().zip(to).any(|(v, s)| v == value && self.slot_of.get(v) == Some(s));
            let copied = borrowed || again || self.liveness.outlives(region, *value) || self.pinned.contains(value);
            let how = if copied { How::Copy } else { How::Move };
            if copied {
                self.copied(*value, *value, true, Why::UsedAgain);
            }
            list.push(Transfer { to: *slot, from: *value, how });
        }
        let reads = |value: Value| {
            let mut read = Vec::new();
            self.inlined.variables(value, &mut read);
            read.into_iter().filter_map(|v| self.slot_of.get(&v).copied()).collect()
        };
        items.extend(sequence(list, reads).into_iter().map(|group| Item::Assign(group, false)));
    }
}

#[cfg(test)]
mod tests;
