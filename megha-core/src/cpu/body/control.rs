//! Items in order: assignments, branches, loops.

use super::{Body, Dialect, leaves};
use crate::cpu::device;
use crate::cpu::expr::{Binds, Context, Expr, rust_type};
use crate::cpu::storage::{Item, Label, Slot};
use crate::cpu::transfer::{How, Transfer};
use crate::ir::{Class, Op, Value};

impl<'f> Body<'f> {
    /// Writes the items.
    pub fn items<D: Dialect<'f>>(&mut self, dialect: &mut D, items: &[Item<'f>]) {
        for item in items {
            self.item(dialect, item);
        }
    }

    /// Writes an item.
    pub fn item<D: Dialect<'f>>(&mut self, dialect: &mut D, item: &Item<'f>) {
        match item {
            Item::Stmt(stmt) => dialect.stmt(self, stmt),
            Item::Declare(slot) => self.declare(*slot),
            Item::Assign(list, defines) => self.assign(dialect, list, *defines),
            Item::Free(slot) => {
                if let Some(name) = self.slot_text(*slot) {
                    let line = dialect.freed(*slot, &name);
                    line.into_iter().for_each(|line| self.code.line(line));
                }
            }
            Item::Fetch(slot, loc) => {
                if let Some(name) = self.slot_text(*slot) {
                    dialect.fetch(self, &name, *loc);
                }
            }
            Item::FetchElement(element, loc) => dialect.fetch_element(self, element, *loc),
            Item::Plan { number, arrays, rounds } => {
                let names: Vec<String> = arrays.iter().filter_map(|slot| self.slot_text(*slot)).collect();
                dialect.plan(self, *number, &names, rounds);
            }
            Item::Wrote(slot) => {
                if let Some(name) = self.slot_names.get(slot) {
                    self.code.line(device::wrote(name));
                }
            }
            Item::Sizes(values) => dialect.sizes(self, values),
            Item::If(cond, then, els) => self.branch(dialect, *cond, then, els),
            Item::For(label, counter, trip, body) => self.counted(dialect, *label, *counter, *trip, body),
            Item::While(label, test, cond, body) => self.conditional(dialect, *label, test, *cond, body),
            Item::Break(label) => self.code.line(format!("break 'l{};", label.0)),
            Item::Continue(label) => self.code.line(format!("continue 'l{};", label.0)),
            Item::Return(values) => dialect.returns(self, values),
            Item::Unreachable => self.code.line("unreachable!();"),
        }
    }

    fn declare(&mut self, slot: Slot) {
        if self.slot_names.contains_key(&slot) {
            return;
        }
        let data = self.storage.slots[slot.0].clone();
        let name = self.name_slot(slot);
        let mutable = if data.mutable { "mut " } else { "" };
        let ty = if data.ty.is_scalar() { format!(": {}", rust_type(data.ty.class)) } else { String::new() };
        self.code.line(format!("let {mutable}{name}{ty};"));
    }

    fn source<D: Dialect<'f>>(&self, dialect: &D, transfer: &Transfer) -> String {
        if self.func.ty(transfer.from).is_scalar() {
            return self.text(transfer.from);
        }
        match transfer.how {
            How::Move => self.text(transfer.from),
            How::Copy => dialect.copied(self, transfer.from),
            How::CopyAround(number) => dialect.copied_around(self, transfer.from, number),
        }
    }

    fn assign<D: Dialect<'f>>(&mut self, dialect: &mut D, list: &[Transfer], defines: bool) {
        let sources: Vec<String> = list.iter().map(|t| self.source(dialect, t)).collect();
        if let ([transfer], [source]) = (list, &sources[..]) {
            let defined = defines && !self.slot_names.contains_key(&transfer.to);
            if !defined {
                let target = self.slot_target(transfer.to);
                return self.code.line(format!("{target} = {source};"));
            }
            let data = self.storage.slots[transfer.to.0].clone();
            let literal = matches!(self.inlined.get(transfer.from), Some(Op::Const(_)));
            let ty = if literal { format!(": {}", rust_type(data.ty.class)) } else { String::new() };
            let name = self.name_slot(transfer.to);
            let mutable = if data.mutable { "mut " } else { "" };
            return self.code.line(format!("let {mutable}{name}{ty} = {source};"));
        }
        let targets: Vec<String> = list.iter().map(|t| self.slot_target(t.to)).collect();
        self.code.line(format!("({}) = ({});", targets.join(", "), sources.join(", ")));
    }

    fn slot_target(&mut self, slot: Slot) -> String {
        let place = match self.slot_names.get(&slot) {
            Some(place) => place.clone(),
            None => Expr::name(self.name_slot(slot)),
        };
        self.touch(place).text()
    }

    fn block<D: Dialect<'f>>(&mut self, dialect: &mut D, items: &[Item<'f>]) {
        let scope = self.symbols.enter();
        self.items(dialect, items);
        self.symbols.leave(scope);
    }

    fn branch<D: Dialect<'f>>(&mut self, dialect: &mut D, cond: Value, then: &[Item<'f>], els: &[Item<'f>]) {
        let cond = self.operand(cond);
        let (cond, then, els) = if then.is_empty() && !els.is_empty() {
            (format!("!{}", cond.within(Binds::Prefix)), els, then)
        } else {
            (cond.text(), then, els)
        };
        self.code.open(format!("if {cond} {{"));
        self.block(dialect, then);
        if !els.is_empty() {
            self.code.reopen("} else {");
            self.block(dialect, els);
        }
        self.code.close("}");
    }

    /// How often a loop runs.
    pub fn trip(&mut self, trip: Value) -> Expr {
        // A counter that only counts to a literal would have no type.
        let trip = match self.inlined.get(trip) {
            Some(Op::Size(size)) => self.exact_size(size),
            _ => self.operand(trip),
        };
        trip.typed(Class::Index)
    }

    fn counted<D: Dialect<'f>>(
        &mut self,
        dialect: &mut D,
        label: Label,
        counter: Value,
        trip: Value,
        body: &[Item<'f>],
    ) {
        let number = trip;
        let trip = self.trip(trip);
        dialect.before_loop(self, counter, &trip.text());
        let scoped = dialect.enter_loop(self, number, &[body]);
        if !dialect.overlapping(self, (counter, &trip.text()), body) {
            let name = match &self.func.names[counter.index()] {
                Some(_) => self.fresh_name(counter),
                None => self.names.fresh("k"),
            };
            let label = if leaves(body, label) { format!("'l{}: ", label.0) } else { String::new() };
            self.code.open(format!("{label}for {name} in 0..{} {{", trip.within(Binds::Or)));
            self.iteration(dialect, counter, name, |written, dialect| written.items(dialect, body));
            self.code.close("}");
        }
        if scoped {
            dialect.leave_loop(self);
        }
        dialect.behind_loop(self, counter);
    }

    /// An iteration of a loop whose counter has this name.
    pub fn iteration<D: Dialect<'f>>(
        &mut self,
        dialect: &mut D,
        counter: Value,
        name: String,
        write: impl FnOnce(&mut Self, &mut D),
    ) {
        self.vars.insert(counter, Expr::name(name));
        self.bounded.insert(counter);
        let scope = self.symbols.enter();
        dialect.counter(self, counter);
        self.loops += 1;
        write(self, dialect);
        self.loops -= 1;
        dialect.end_iteration(self, counter);
        self.symbols.leave(scope);
    }

    fn conditional<D: Dialect<'f>>(
        &mut self,
        dialect: &mut D,
        label: Label,
        test: &[Item<'f>],
        cond: Value,
        body: &[Item<'f>],
    ) {
        let scoped = dialect.enter_loop(self, cond, &[test, body]);
        let name = if leaves(body, label) { format!("'l{}: ", label.0) } else { String::new() };
        let scope = self.symbols.enter();
        self.loops += 1;
        if test.is_empty() {
            let cond = self.operand(cond).text();
            self.code.open(format!("{name}while {cond} {{"));
        } else {
            self.code.open(format!("{name}loop {{"));
            self.items(dialect, test);
            let cond = self.operand(cond).within(Binds::Prefix);
            self.code.open(format!("if !{cond} {{"));
            self.code.line("break;");
            self.code.close("}");
        }
        self.items(dialect, body);
        self.loops -= 1;
        self.symbols.leave(scope);
        self.code.close("}");
        if scoped {
            dialect.leave_loop(self);
        }
    }
}
