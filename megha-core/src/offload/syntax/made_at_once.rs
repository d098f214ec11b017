//! What makes an `Option` at once: `first`, `last` and `get` of arrays, `checked_add` and its like of whole numbers.

use super::Converter;
use super::expr::plain;
use super::iterate::Item;
use super::optional::Maybe;
use crate::offload::ast::{BinaryOp, ExprKind, Stmt};
use crate::offload::types::Method;
use syn::{Expr, ExprMethodCall};

impl Converter {
    /// `a.first()` and `a.last()`
    pub fn is_end(&self, call: &ExprMethodCall) -> bool {
        matches!(&call.method.to_string()[..], "first" | "last")
            && call.args.is_empty()
            && self.is_array(&call.receiver)
    }

    /// `a.get(i)`, but no part of an array.
    pub fn is_got(&self, call: &ExprMethodCall) -> bool {
        let of_one = |at: &Expr| !matches!(plain(at), Expr::Range(_));
        call.method == "get" && call.args.len() == 1 && call.args.iter().all(of_one) && self.is_array(&call.receiver)
    }

    /// The first or the last element of an array.
    pub fn end_of(&mut self, call: &ExprMethodCall, out: &mut Vec<Stmt>) -> Option<Maybe> {
        let view = self.known_view(&call.receiver, &mut Some(out))?;
        if view.free().len() != 1 {
            self.refuse(call, "this is no array of one dimension", "write subscripts");
            return None;
        }
        let len = self.extent_of(&view, 0, call);
        let zero = self.made(ExprKind::Int(0, None), call);
        let any = self.made(ExprKind::Binary(BinaryOp::Ne, Box::new(len.clone()), Box::new(zero.clone())), call);
        let found = self.hold(any, "found", call, out);
        let place = match call.method == "last" {
            true => {
                let one = self.made(ExprKind::Int(1, None), call);
                self.method_of(len, "saturating_sub", one, call)
            }
            false => zero,
        };
        let place = self.held_usize(place, "at", call, out);
        let value = Item::Element { view, at: vec![place], mutable: false };
        Some(Maybe { found, value, making: Vec::new() })
    }

    /// `a.get(i)`, `a.get((i, j))`, `a.get([i, j])`: an element, if it is in bounds.
    pub fn got(&mut self, call: &ExprMethodCall, out: &mut Vec<Stmt>) -> Option<Maybe> {
        let view = self.known_view(&call.receiver, &mut Some(out))?;
        let written: Vec<&Expr> = match plain(call.args.first()?) {
            Expr::Tuple(list) => list.elems.iter().collect(),
            Expr::Array(list) => list.elems.iter().collect(),
            one => vec![one],
        };
        if written.len() != view.free().len() {
            self.refuse(call, "this is no subscript for each dimension of the array", "name each of them");
            return None;
        }
        let mut at = Vec::new();
        let mut inside = self.made(ExprKind::Bool(true), call);
        for (axis, sub) in written.into_iter().enumerate() {
            let sub = self.expr(sub)?;
            let own = self.held_usize(sub, "at", call, out);
            let (bound, extent) = (self.variable(&own, call), self.extent_of(&view, axis, call));
            let below = self.made(ExprKind::Binary(BinaryOp::Lt, Box::new(bound), Box::new(extent)), call);
            inside = if axis == 0 { below } else { self.both_of(inside, below, call) };
            at.push(own);
        }
        let found = self.hold(inside, "found", call, out);
        Some(Maybe { found, value: Item::Element { view, at, mutable: false }, making: Vec::new() })
    }

    /// `a.checked_add(b)` and its like: in the loop AST the method says whether there is a value.
    pub fn checked(&mut self, call: &ExprMethodCall, op: BinaryOp, out: &mut Vec<Stmt>) -> Option<Maybe> {
        let (a, b) = (self.expr(&call.receiver)?, self.expr(call.args.first()?)?);
        let (a, b) = (self.hold(a, "left", call, out), self.hold(b, "right", call, out));
        let (left, right) = (self.variable(&a, call), self.variable(&b, call));
        let fits = self.method_of(left, &call.method.to_string(), right, call);
        let found = self.hold(fits, "found", call, out);
        let (left, right) = (self.variable(&a, call), self.variable(&b, call));
        let value = self.made(ExprKind::Binary(op, Box::new(left), Box::new(right)), call);
        let mut making = Vec::new();
        let value = Item::Number(self.hold(value, "checked", call, &mut making));
        Some(Maybe { found, value, making })
    }
}

/// What the method tests and computes, if it is `checked_add` or one of its like.
pub fn checked(call: &ExprMethodCall) -> Option<BinaryOp> {
    match Method::from_name(&call.method.to_string())? {
        Method::Fits(op) if call.args.len() == 1 => Some(op),
        _ => None,
    }
}
