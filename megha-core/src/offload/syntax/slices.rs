//! Parts of arrays by ranges: `&s[a..b]` and `split_at` of slices and vectors, `a.slice(s![1..-1, j, ..])` of ndarray.
//!
//! A part begins where a variable of the loop AST says. That a range lies in the array is tested where the part is made, as Rust and ndarray do
//! it; of ndarray a range that ends before its start is empty.

use super::Converter;
use super::expr::{plain, whole};
use super::scope::{Form, View};
use super::stretches::Len;
use crate::offload::ast::{BinaryOp, Expr as Ast, ExprKind, Scalar, Stmt};
use quote::ToTokens;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Expr, ExprIndex, ExprMacro, ExprMethodCall, ExprRange, RangeLimits, Token, UnOp};

/// The variables that hold the start and the end of a range, where it has them.
type Ends = (Option<String>, Option<String>);

/// The `s![..]` by which a method of ndarray cuts out a part.
pub fn ranges(call: &ExprMethodCall) -> Option<&ExprMacro> {
    let cuts = matches!(&call.method.to_string()[..], "slice" | "slice_mut") && call.args.len() == 1;
    match call.args.first().map(plain) {
        Some(Expr::Macro(ranges)) if cuts && ranges.mac.path.segments.last()?.ident == "s" => Some(ranges),
        _ => None,
    }
}

/// The `n` of `-n` in `s![..]`, which counts from the end; `-0` does not.
fn from_end(bound: &Expr, view: &View) -> Option<usize> {
    match plain(bound) {
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) && view.form == Form::Ndarray => {
            whole(&unary.expr).filter(|back| *back > 0)
        }
        _ => None,
    }
}

/// A part of `s![..]`: a range or a number, and a step.
struct Cut {
    at: Expr,
    step: i64,
}

impl Parse for Cut {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let at = input.parse()?;
        let mut step = 1;
        if input.parse::<Option<Token![;]>>()?.is_some() {
            let back = input.parse::<Option<Token![-]>>()?.is_some();
            let by = input.parse::<syn::LitInt>()?.base10_parse::<i64>()?;
            if by == 0 {
                return Err(input.error("ndarray fails of steps of zero"));
            }
            step = if back { -by } else { by };
        }
        Ok(Self { at, step })
    }
}

impl Converter {
    /// `s[a..b]`
    pub fn part_by_range(
        &mut self,
        index: &ExprIndex,
        range: &ExprRange,
        before: &mut Option<&mut Vec<Stmt>>,
    ) -> Option<View> {
        before.as_ref()?;
        let view = self.known_view(&index.expr, before)?;
        if view.form == Form::Ndarray {
            self.refuse(index, "arrays of ndarray have no parts by `[i..j]`", "write `a.slice(s![i..j])`");
            return None;
        }
        let out = before.as_mut()?;
        let ends = self.ends_of(range, (&view, 0), index, out)?;
        self.part_between(&view, 0, ends, index, out)
    }

    /// `a.slice(s![a..b, j, ..])`
    pub fn part_by_ranges(&mut self, call: &ExprMethodCall, before: &mut Option<&mut Vec<Stmt>>) -> Option<View> {
        let cuts = ranges(call)?;
        before.as_ref()?;
        let mut view = self.known_view(&call.receiver, before)?;
        let out = before.as_mut()?;
        let Ok(cuts) = Punctuated::<Cut, Token![,]>::parse_terminated.parse2(cuts.mac.tokens.clone()) else {
            let help = "write ranges and numbers, and steps as numbers, `s![..;2]`";
            self.refuse(call, "this is not taken in `s![..]`", help);
            return None;
        };
        if cuts.len() != view.free().len() {
            self.refuse(call, "`s![..]` has as many parts as the array has dimensions", "write `..` for all of one");
            return None;
        }
        let mut axis = 0;
        for Cut { at, step } in &cuts {
            view = match plain(at) {
                Expr::Range(range) => {
                    let ends = self.ends_of(range, (&view, axis), call, out)?;
                    let part = self.part_between(&view, axis, ends, call, out)?;
                    axis += 1;
                    if *step == 1 { part } else { self.in_steps(&part, axis - 1, *step, call, out)? }
                }
                number => {
                    let number = self.counted_from_end(number, (&view, axis), call, out)?;
                    self.line_at(&view, axis, number, call, out)?
                }
            };
        }
        Some(view.lent(call.method.to_string().ends_with("mut")))
    }

    /// The part of which each element is so many from the one before; below zero it begins with the last.
    fn in_steps(
        &mut self,
        view: &View,
        axis: usize,
        step: i64,
        at: &ExprMethodCall,
        out: &mut Vec<Stmt>,
    ) -> Option<View> {
        let len = self.extent_of(view, axis, at);
        let mut from = None;
        if step < 0 {
            let one = self.made(ExprKind::Int(1, None), at);
            let last = self.method_of(len.clone(), "saturating_sub", one, at);
            from = Some(self.held_usize(last, "last", at, out));
        }
        let by = self.made(ExprKind::Int(step.unsigned_abs().into(), None), at);
        let count = self.method_of(len, "div_ceil", by, at);
        let len = Len::Held(self.held_usize(count, "size", at, out));
        Some(view.stepped(axis, from, step, len)?.lent(view.mutable))
    }

    /// `s.split_at(k)`: what is before and what is behind.
    pub fn split(&mut self, call: &ExprMethodCall, out: &mut Vec<Stmt>) -> Option<[View; 2]> {
        let view = self.known_view(&call.receiver, &mut Some(out))?.lent(call.method == "split_at_mut");
        let middle = self.expr(call.args.first()?)?;
        let middle = self.held_usize(middle, "middle", call, out);
        let before = self.part_between(&view, 0, (None, Some(middle.clone())), call, out)?;
        let behind = self.part_between(&view, 0, (Some(middle), None), call, out)?;
        Some([before, behind])
    }

    /// The ends of a range along a dimension, computed once.
    fn ends_of(
        &mut self,
        range: &ExprRange,
        along: (&View, usize),
        at: &impl ToTokens,
        out: &mut Vec<Stmt>,
    ) -> Option<Ends> {
        let mut start = None;
        if let Some(written) = &range.start {
            let value = self.counted_from_end(written, along, at, out)?;
            start = Some(self.held_usize(value, "start", at, out));
        }
        let Some(written) = &range.end else { return Some((start, None)) };
        let closed = matches!(range.limits, RangeLimits::Closed(_));
        if closed && let Some(back) = from_end(written, along.0) {
            // `..=-n` ends before the last n - 1.
            let value = self.before_end(back - 1, along, at, out);
            return Some((start, Some(self.held_usize(value, "end", at, out))));
        }
        let mut value = self.counted_from_end(written, along, at, out)?;
        if closed {
            // It is tested before one is added, as the largest number has none behind it.
            let last = self.held_usize(value, "last", at, out);
            let (view, axis) = along;
            let (bound, extent) = (self.variable(&last, at), self.extent_of(view, axis, at));
            let inside = self.made(ExprKind::Binary(BinaryOp::Lt, Box::new(bound), Box::new(extent)), at);
            self.in_bounds(inside, at, out);
            let (last, one) = (self.variable(&last, at), self.made(ExprKind::Int(1, None), at));
            value = self.made(ExprKind::Binary(BinaryOp::Add, Box::new(last), Box::new(one)), at);
        }
        Some((start, Some(self.held_usize(value, "end", at, out))))
    }

    /// A bound of a range; `-n` in `s![..]` counts from the end.
    fn counted_from_end(
        &mut self,
        bound: &Expr,
        along: (&View, usize),
        at: &impl ToTokens,
        out: &mut Vec<Stmt>,
    ) -> Option<Ast> {
        match from_end(bound, along.0) {
            Some(back) => Some(self.before_end(back, along, at, out)),
            None => self.expr(bound),
        }
    }

    /// So many before the end of a dimension, which has as many.
    fn before_end(
        &mut self,
        back: usize,
        (view, axis): (&View, usize),
        at: &impl ToTokens,
        out: &mut Vec<Stmt>,
    ) -> Ast {
        let back = self.made(ExprKind::Int(back as i128, Some(Scalar::Usize)), at);
        let extent = self.extent_of(view, axis, at);
        self.at_most(back.clone(), extent.clone(), at, out);
        self.made(ExprKind::Binary(BinaryOp::Sub, Box::new(extent), Box::new(back)), at)
    }

    /// The part of a dimension between two ends, which must lie in it.
    fn part_between(
        &mut self,
        view: &View,
        axis: usize,
        (start, end): Ends,
        at: &impl ToTokens,
        out: &mut Vec<Stmt>,
    ) -> Option<View> {
        let extent = self.extent_of(view, axis, at);
        let first = start.as_ref().map(|start| self.variable(start, at));
        let last = end.as_ref().map(|end| self.variable(end, at));
        let ordered = view.form != Form::Ndarray;
        if let (Some(first), Some(last), true) = (&first, &last, ordered) {
            self.at_most(first.clone(), last.clone(), at, out);
        }
        if let (Some(first), true) = (&first, last.is_none() || !ordered) {
            self.at_most(first.clone(), extent.clone(), at, out);
        }
        if let Some(last) = &last {
            self.at_most(last.clone(), extent.clone(), at, out);
        }
        let len = match (first, last) {
            (None, None) => return Some(View { lent: true, ..view.clone() }),
            (None, Some(last)) => last,
            (Some(first), Some(last)) if !ordered => self.method_of(last, "saturating_sub", first, at),
            (Some(first), last) => {
                let last = Box::new(last.unwrap_or(extent));
                self.made(ExprKind::Binary(BinaryOp::Sub, last, Box::new(first)), at)
            }
        };
        let len = Len::Held(self.hold(len, "size", at, out));
        let part = view.stretch(axis, start, len)?;
        let form = if view.form == Form::Fixed && view.free().len() == 1 { Form::Vector } else { view.form };
        Some(View { form, lent: true, ..part })
    }

    /// Demands `a <= b`.
    fn at_most(&mut self, a: Ast, b: Ast, at: &impl ToTokens, out: &mut Vec<Stmt>) {
        let cond = self.made(ExprKind::Binary(BinaryOp::Le, Box::new(a), Box::new(b)), at);
        self.in_bounds(cond, at, out);
    }
}
