//! Sines of moderate angles.
//!
//! The reduction of an angle of any size (M. Payne and R. Hanek, 1983) takes three quarters of the time of a sine, and where points share
//! vectors each of them pays for it. Up to `rt::math::MODERATE_LIMIT` (of singles `MODERATE_LIMIT_SINGLE`) a form without it gives the same bits. So a loop over points
//! that takes sines, cosines or tangents of what is cheap to compute looks at all its angles first, and there are two forms of it.
//!
//! The test computes the angles from what is there before the loop: only pure and cheap operations, values that nothing in the loop
//! assigns to, and no element of an array that the loop may have stored before. Loops with checks or branches stay as they are.

use super::{Checks, Code, Outside, Writer};
use crate::cpu::body::Body;
use crate::cpu::expr::{Binds, Context};
use crate::cpu::storage::Item;
use crate::hash::HashSet;
use crate::ir::{Class, Effect, Mem, Op, Unary, Value};
use crate::schedule::{latency::is_costly, weight};

/// The most that the test may compute: as much as one of the functions.
const MOST: u32 = 20;

/// The two forms of a loop over points, both to be written with the same parameters.
pub(super) struct Forms {
    /// What tests one point's angles, which sets `l_far`.
    pub(super) test: Code,
    /// The body where all angles are moderate.
    pub(super) moderate: Code,
}

/// The angles of a loop over points, and the statements that compute them, in order.
struct Angles<'i, 'f> {
    of: Vec<Value>,
    needed: Vec<&'i Item<'f>>,
}

impl<'n, 'f> Writer<'n, 'f> {
    /// The forms of a loop over points with moderate angles, if the angles can be tested first.
    pub(super) fn moderate(
        &mut self,
        checks: &mut Checks<'_, 'n, 'f>,
        body: &mut Body<'f>,
        items: &[&Item<'f>],
    ) -> Option<Forms> {
        let angles = if self.nest.checks { None } else { angles(body, items) }?;
        body.moderate = true;
        let (_, moderate) = self.loop_over_points(checks, body, items);
        body.moderate = false;
        Some(Forms { test: self.test(checks, body, &angles), moderate })
    }

    fn test(&mut self, checks: &mut Checks<'_, 'n, 'f>, body: &mut Body<'f>, angles: &Angles<'_, 'f>) -> Code {
        let outer = std::mem::take(&mut body.code);
        let scope = body.enter_scope();
        angles.needed.iter().for_each(|item| body.item(checks, item));
        for angle in &angles.of {
            let class = body.func.ty(*angle).class;
            let value = body.operand(*angle).typed(class);
            let size = value.method("abs", Vec::new()).within(Binds::Or);
            let limit = if class == Class::Single { "MODERATE_LIMIT_SINGLE" } else { "MODERATE_LIMIT" };
            body.code.line(format!("l_far |= !({size} <= rt::math::{limit});"));
        }
        body.leave_scope(scope);
        body.take_used();
        std::mem::replace(&mut body.code, outer)
    }

    /// The loops of the function of a loop over points of which there are these forms.
    pub(super) fn tested_loops(&mut self, params: &[Outside], code: Code, forms: Forms) {
        self.functions.line("let mut l_far = false;");
        self.each_point(params, forms.test);
        self.functions.open("if l_far {");
        self.each_point(params, code);
        self.functions.reopen("} else {");
        self.each_point(params, forms.moderate);
        self.functions.close("}");
    }
}

/// The angles of the items' functions, unless they cannot be computed first.
fn angles<'i, 'f>(body: &Body<'f>, items: &[&'i Item<'f>]) -> Option<Angles<'i, 'f>> {
    let mut of = Vec::new();
    let mut last = 0;
    for (at, item) in items.iter().enumerate() {
        let before = of.len();
        match item {
            Item::Stmt(stmt) => angles_of(body, &stmt.op, &mut of),
            Item::Assign(list, _) => list.iter().for_each(|transfer| angles_in(body, transfer.from, &mut of)),
            Item::Declare(_) | Item::Free(_) | Item::Wrote(_) | Item::Sizes(_) => {}
            Item::If(..) | Item::For(..) | Item::While(..) | Item::Break(_) | Item::Continue(_) => return None,
            Item::Fetch(..) | Item::FetchElement(..) | Item::Plan { .. } | Item::Return(_) | Item::Unreachable => {
                return None;
            }
        }
        last = if of.len() > before { at } else { last };
    }
    if of.is_empty() {
        return None;
    }
    of.sort_unstable();
    of.dedup();
    let mut slice = Slice { body, values: HashSet::default(), work: 0, loads_state: false, cheap: true };
    of.iter().for_each(|angle| slice.value(*angle));
    let needed = slice.statements(items);
    let stores_before = items[..last].iter().any(|item| matches!(item, Item::Stmt(s) if matches!(s.op, Op::Put(..))));
    let first = slice.cheap && slice.work <= MOST && !(slice.loads_state && stores_before);
    first.then_some(Angles { of, needed })
}

/// Appends the angles of the functions in an operation and in what is written in place in it.
fn angles_of(body: &Body<'_>, op: &Op, out: &mut Vec<Value>) {
    if let Op::Unary(Unary::Sin | Unary::Cos | Unary::Tan, angle) = op {
        out.push(*angle);
    }
    op.for_each_operand(&mut |value| angles_in(body, value, out));
}

/// The same of what is written in place of a value.
fn angles_in(body: &Body<'_>, value: Value, out: &mut Vec<Value>) {
    if let Some(op) = body.inlined.get(value) {
        angles_of(body, op, out);
    }
}

/// Whether a statement's result gets a variable of its own, which nothing else is assigned to.
fn is_new(body: &Body<'_>, value: Value) -> bool {
    let own = |slot| body.slot_text(slot).is_none() && !body.storage.slots[slot.0].mutable;
    body.storage.slot(value).is_some_and(own)
}

/// What computes the angles.
struct Slice<'b, 'f> {
    body: &'b Body<'f>,
    /// The values in variables that it reads.
    values: HashSet<Value>,
    work: u32,
    /// Whether it reads an array that the kernel writes.
    loads_state: bool,
    /// Whether there are pure and cheap operations only.
    cheap: bool,
}

impl<'f> Slice<'_, 'f> {
    /// The statements of these that it consists of, with what they read.
    fn statements<'i>(&mut self, items: &[&'i Item<'f>]) -> Vec<&'i Item<'f>> {
        let mut needed = Vec::new();
        for item in items.iter().rev() {
            let Item::Stmt(stmt) = item else { continue };
            if stmt.results.iter().any(|result| self.values.contains(result)) {
                self.op(&stmt.op);
                self.cheap &= stmt.results.iter().all(|result| is_new(self.body, *result));
                needed.push(*item);
            }
        }
        needed.reverse();
        needed
    }

    fn value(&mut self, value: Value) {
        match self.body.inlined.get(value) {
            Some(op) => self.op(op),
            None => {
                self.values.insert(value);
            }
        }
    }

    fn op(&mut self, op: &Op) {
        self.work += weight(op);
        self.loads_state |= matches!(op, Op::Load(Mem::Out(_), _));
        self.cheap &= !is_costly(op) && op.effect() == Effect::None && op.regions().is_empty();
        // Other symbols may be values that the loop computes.
        op.for_each_size(&mut |size| self.cheap &= size.symbols().all(|sym| self.body.symbols.get(sym).is_some()));
        op.for_each_operand(&mut |value| self.value(value));
    }
}
