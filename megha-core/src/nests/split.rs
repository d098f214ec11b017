//! Index-set splitting: a loop that one iteration `e` keeps in order ([`super::points`]) becomes three, `[0, e)`, `{e}` and the rest, in
//! this order, so that results stay as they are. The first and the last are parallel.
//!
//! `e` may lie outside of the loop: the first part ends with the loop, the last begins no earlier than it, and the middle has an
//! iteration only if the loop has it. Inside of the middle, which is one iteration of many, loops stay whole.

use super::Copied;
use super::points::Point;
use super::tree::{Loop, Node, Trip};
use crate::ir::{Func, Op, Size, Stmt, SymDef};
use crate::kernels::accesses::{Definitions, new_counter, symbol, symbol_of};

/// Splits loops.
pub(super) struct Split<'f> {
    pub func: &'f mut Func,
    pub defs: &'f Definitions,
    /// What loops have become; their counters are now computed.
    pub copies: Vec<Copied>,
}

impl Split<'_> {
    /// The parts of a loop and of those inside, for each of which `points` says where it is split, if it is.
    pub fn parts(&mut self, inner: Loop, points: &mut impl Iterator<Item = Option<Point>>) -> Vec<Loop> {
        let point = points.next().flatten();
        let whole = if point.is_some() { inner.body.clone() } else { Vec::new() };
        let mut body = Vec::with_capacity(inner.body.len());
        for node in inner.body {
            match node {
                Node::Loop(nested) => body.extend(self.parts(nested, points).into_iter().map(Node::Loop)),
                Node::Stmt(_) => body.push(node),
            }
        }
        let head = Loop { body: Vec::new(), ..inner };
        match point {
            None => vec![Loop { body, ..head }],
            Some(point) => self.split(&head, &point, whole, body),
        }
    }

    fn split(&mut self, head: &Loop, point: &Point, whole: Vec<Node>, body: Vec<Node>) -> Vec<Loop> {
        let at = point.at.size(self.func, self.defs);
        let trip = head.trip.size(self.func, self.defs);
        let mut parts = Vec::with_capacity(3);
        if !point.is_first {
            let before = if point.is_reached { at.clone() } else { self.least(&at, &trip) };
            parts.push(Loop { trip: Trip::Size(before), body: body.clone(), ..head.clone() });
        }
        let mut once = Size::constant(1);
        if !point.is_begun {
            once = self.least(&once, &at.add_const(1));
        }
        if !point.is_reached {
            once = self.least(&once, &trip.sub(&at));
        }
        let is_copy = head.copied || !parts.is_empty();
        parts.push(self.part(head, &once, |_| at.clone(), (whole, is_copy)));
        if !point.is_last {
            let mut start = at.add_const(1);
            if !point.is_begun {
                let least = vec![Size::default(), start.clone()];
                start = Size::sym(symbol(self.func, SymDef::Max(Size::default(), start), least, Vec::new()));
            }
            parts.push(self.part(head, &trip.sub(&start), |number| start.add(number), (body, true)));
        }
        parts
    }

    fn least(&mut self, a: &Size, b: &Size) -> Size {
        let most = vec![a.clone(), b.clone()];
        Size::sym(symbol(self.func, SymDef::Min(a.clone(), b.clone()), Vec::new(), most))
    }

    /// A loop of so many iterations with a counter of its own, in which the old counter is computed from it.
    fn part(
        &mut self,
        head: &Loop,
        trip: &Size,
        of: impl Fn(&Size) -> Size,
        (body, copied): (Vec<Node>, bool),
    ) -> Loop {
        let (counter, number) = new_counter(self.func, head.counter, trip);
        let old = of(&Size::sym(number));
        let mut copy = Copied::default();
        copy.values.insert(head.counter, counter);
        copy.symbols.insert(symbol_of(self.func, self.defs, head.counter), old.clone());
        self.copies.push(copy);
        let define = Stmt { results: vec![head.counter], op: Op::Size(old), loc: head.loc };
        let body = [vec![Node::Stmt(define)], body].concat();
        Loop { counter, trip: Trip::Size(trip.clone()), body, copied, ..head.clone() }
    }
}
