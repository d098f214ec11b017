//! What a course gives at each position of its loops, several things at once above all.

use super::Converter;
use super::course::{Course, Source};
use super::iterate::Item;
use super::scope::View;
use super::stages::Passed;
use crate::offload::ast::{Adaptor, BinaryOp, Block, Expr as Ast, ExprKind, Stmt, StmtKind};
use syn::Expr;

impl Converter {
    /// A source of one loop: its range, and what it gives at the value of a counter.
    pub fn linear(
        &mut self,
        source: Source,
        counter: &str,
        at: &Expr,
        stmts: &mut Vec<Stmt>,
        out: &mut Vec<Stmt>,
    ) -> Option<(Ast, Ast, bool, Item)> {
        let zero = self.made(ExprKind::Int(0, None), at);
        match source {
            Source::Range(from, to, inclusive) => Some((from, to, inclusive, Item::Number(counter.to_owned()))),
            Source::Elements(view, mutable) => {
                let to = self.extent_of(&view, 0, at);
                Some((zero, to, false, Item::Element { view, at: vec![counter.to_owned()], mutable }))
            }
            Source::Indexed(view, mutable) => {
                let to = self.extent_of(&view, 0, at);
                let element = Item::Element { view, at: vec![counter.to_owned()], mutable };
                Some((zero, to, false, Item::Tuple(vec![Item::Number(counter.to_owned()), element])))
            }
            Source::Lines(view, axis) => {
                let to = self.extent_of(&view, axis, at);
                Some((zero, to, false, Item::Line(view.fixed(axis, counter.to_owned())?)))
            }
            Source::Stretches(view, cut, size) => {
                let (to, item) = self.stretch_at((&view, cut, size), counter, at, stmts)?;
                Some((zero, to, false, item))
            }
            Source::Tuples(views) => {
                let to = self.extent_of(views.first()?, 0, at);
                let each = |view| Item::Element { view, at: vec![counter.to_owned()], mutable: false };
                Some((zero, to, false, Item::Tuple(views.into_iter().map(each).collect())))
            }
            Source::Zip(..) | Source::Enumerate(_) | Source::Chain(..) => {
                let (len, item) = self.positioned(Course { source, adaptors: Vec::new() }, counter, at, stmts, out)?;
                Some((zero, len, false, item))
            }
        }
    }

    /// The length of a course of one loop, and what it gives at a position.
    pub fn positioned(
        &mut self,
        course: Course,
        position: &str,
        at: &Expr,
        stmts: &mut Vec<Stmt>,
        out: &mut Vec<Stmt>,
    ) -> Option<(Ast, Item)> {
        let Course { source, adaptors } = course;
        if self.dimensions(&source) != 1 {
            return self.not_alike(at);
        }
        match source {
            // What the source gives, at another position.
            source @ (Source::Range(..) | Source::Enumerate(_) | Source::Zip(..) | Source::Chain(..))
                if !adaptors.is_empty() =>
            {
                let (moved, mut from_there) = (self.fresh("k"), Vec::new());
                let inner = Course { source, adaptors: Vec::new() };
                let (len, item) = self.positioned(inner, &moved, at, &mut from_there, out)?;
                let len = self.moved(len, adaptors, (position, &moved), at, stmts, out)?;
                stmts.append(&mut from_there);
                Some((len, item))
            }
            Source::Enumerate(inner) => {
                let (len, item) = self.positioned(*inner, position, at, stmts, out)?;
                Some((len, Item::Tuple(vec![Item::Number(position.to_owned()), item])))
            }
            Source::Zip(first, second) => {
                let (a, one) = self.positioned(*first, position, at, stmts, out)?;
                let (b, other) = self.positioned(*second, position, at, stmts, out)?;
                let method = self.named("min", at);
                let kind = ExprKind::Method { receiver: Box::new(a), method, args: vec![b] };
                Some((self.made(kind, at), Item::Tuple(vec![one, other])))
            }
            Source::Elements(..)
            | Source::Lines(..)
            | Source::Indexed(..)
            | Source::Stretches(..)
            | Source::Tuples(_) => {
                let moved = self.fresh("k");
                let mut from_there = Vec::new();
                let (_, len, _, item) = self.linear(source, &moved, at, &mut from_there, out)?;
                let len = self.moved(len, adaptors, (position, &moved), at, stmts, out)?;
                stmts.append(&mut from_there);
                Some((len, item))
            }
            Source::Range(from, to, false) if from.kind == ExprKind::Int(0, None) => {
                Some((to, Item::Number(position.to_owned())))
            }
            Source::Chain(first, second) => self.chained([*first, *second], position, at, stmts, out),
            Source::Range(from, to, true) => {
                let to = self.behind(to, at, out)?;
                self.positioned(Course { source: Source::Range(from, to, false), adaptors }, position, at, stmts, out)
            }
            Source::Range(from, to, false) => {
                // The numbers are of the range's type, and so is the position.
                let first = self.hold(from, "first", at, out);
                let [from, first] = [&first, &first].map(|first| self.variable(first, at));
                let len = self.method_of(to, "saturating_sub", from, at);
                let held = self.hold(len, "length", at, out);
                let (len, place) = (self.variable(&held, at), self.variable(position, at));
                let number = self.made(ExprKind::Binary(BinaryOp::Add, Box::new(first), Box::new(place)), at);
                let number = self.hold(number, "number", at, stmts);
                Some((len, Item::Number(number)))
            }
        }
    }

    /// The number behind the last one of a range `a..=b`, which its type must have.
    fn behind(&mut self, last: Ast, at: &Expr, out: &mut Vec<Stmt>) -> Option<Ast> {
        if let ExprKind::Int(number, Some(ty)) = &last.kind
            && ty.range().is_some_and(|(_, largest)| *number >= largest)
        {
            let help = "let it be of a wider type, as in `0..=255usize`";
            self.refuse(at, "a range up to the largest number of its type is gone through alone only", help);
            return None;
        }
        let last = self.hold(last, "last", at, out);
        let [last, before] = [&last, &last].map(|last| self.variable(last, at));
        let one = self.made(ExprKind::Int(1, None), at);
        let end = self.sum(BinaryOp::Add, last, one, at);
        let end = self.hold(end, "end", at, out);
        let [end, behind] = [&end, &end].map(|end| self.variable(end, at));
        let cond = self.made(ExprKind::Binary(BinaryOp::Gt, Box::new(end), Box::new(before)), at);
        let message = "a range up to the largest number of its type is gone through alone only".to_owned();
        out.push(Stmt { kind: StmtKind::Assert { cond, message }, span: self.span(at) });
        Some(behind)
    }

    /// What two courses give, one behind the other: numbers, or the values of elements.
    fn chained(
        &mut self,
        [first, second]: [Course; 2],
        position: &str,
        at: &Expr,
        stmts: &mut Vec<Stmt>,
        out: &mut Vec<Stmt>,
    ) -> Option<(Ast, Item)> {
        let (a, one) = self.positioned(first, position, at, stmts, out)?;
        let before = self.hold(a, "length", at, out);
        let [place, length] = [position, &before].map(|name| self.variable(name, at));
        let moved = self.made(ExprKind::Binary(BinaryOp::Sub, Box::new(place), Box::new(length)), at);
        let moved = self.hold(moved, "k", at, stmts);
        let (b, other) = self.positioned(second, &moved, at, stmts, out)?;
        let mut values = Vec::new();
        for item in [one, other] {
            if matches!(item, Item::Element { mutable: true, .. } | Item::Line(_) | Item::Tuple(_)) {
                let help = "write two loops";
                self.refuse(at, "`chain` is taken of numbers and of elements that are read", help);
                return None;
            }
            let mut block = Block::default();
            block.value = Some(Box::new(self.value_of(Passed::Item(item), at, &mut block.stmts)?));
            values.push(block);
        }
        let [place, length] = [position, &before].map(|name| self.variable(name, at));
        let is_first = self.made(ExprKind::Binary(BinaryOp::Lt, Box::new(place), Box::new(length.clone())), at);
        let (els, then) = (values.pop()?, values.pop()?);
        let value = self.made(ExprKind::If(Box::new(is_first), then, els), at);
        let number = self.hold(value, "number", at, stmts);
        let len = self.made(ExprKind::Binary(BinaryOp::Add, Box::new(length), Box::new(b)), at);
        Some((len, Item::Number(number)))
    }

    /// Where a position of a course with adaptors is in its source; gives the length that is left.
    fn moved(
        &mut self,
        len: Ast,
        adaptors: Vec<Adaptor>,
        (position, moved): (&str, &str),
        at: &Expr,
        stmts: &mut Vec<Stmt>,
        out: &mut Vec<Stmt>,
    ) -> Option<Ast> {
        let mut index = self.variable(position, at);
        let mut len = len;
        // The outermost adaptor is the last.
        let mut steps = Vec::new();
        for adaptor in adaptors {
            match adaptor {
                Adaptor::Rev => {
                    let held = self.hold(len, "length", at, out);
                    len = self.variable(&held, at);
                    steps.push((None, held));
                }
                Adaptor::Skip(count) => {
                    let held = self.hold(count, "skipped", at, out);
                    let (method, args) = (self.named("saturating_sub", at), vec![self.variable(&held, at)]);
                    len = self.made(ExprKind::Method { receiver: Box::new(len), method, args }, at);
                    steps.push((Some(BinaryOp::Add), held));
                }
                Adaptor::Take(count) => {
                    let method = self.named("min", at);
                    len = self.made(ExprKind::Method { receiver: Box::new(len), method, args: vec![count] }, at);
                }
                Adaptor::StepBy(by) => {
                    let by = self.hold(by, "step", at, out);
                    let (step, zero) = (self.variable(&by, at), self.made(ExprKind::Int(0, None), at));
                    let cond = self.made(ExprKind::Binary(BinaryOp::Ne, Box::new(step), Box::new(zero)), at);
                    let message = "`step_by` of zero".to_owned();
                    out.push(Stmt { kind: StmtKind::Assert { cond, message }, span: self.span(at) });
                    let step = self.variable(&by, at);
                    len = self.method_of(len, "div_ceil", step, at);
                    steps.push((Some(BinaryOp::Mul), by));
                }
            }
        }
        for (by, held) in steps.into_iter().rev() {
            let held = self.variable(&held, at);
            index = match by {
                Some(op) => self.sum(op, index, held, at),
                None => {
                    let one = self.made(ExprKind::Int(1, None), at);
                    let last = self.sum(BinaryOp::Sub, held, one, at);
                    self.sum(BinaryOp::Sub, last, index, at)
                }
            };
        }
        let (name, span) = (self.named(moved, at), self.span(at));
        stmts.push(Stmt { kind: StmtKind::Let { name, ty: None, mutable: false, value: Some(index) }, span });
        Some(len)
    }

    fn not_alike<T>(&mut self, at: &Expr) -> Option<T> {
        self.refuse(at, "arrays of several dimensions go with others of their shape only", "write the loops out");
        None
    }

    fn sum(&mut self, op: BinaryOp, a: Ast, b: Ast, at: &Expr) -> Ast {
        self.made(ExprKind::Binary(op, Box::new(a), Box::new(b)), at)
    }

    /// A source of several loops: the array that it goes over, and what it gives at the values of counters.
    #[allow(clippy::type_complexity, reason = "what a nest is made of")]
    pub fn nested(
        &mut self,
        source: Source,
        at: &Expr,
        out: &mut Vec<Stmt>,
    ) -> Option<(View, (Item, Vec<String>), Vec<Stmt>)> {
        let axes = self.dimensions(&source);
        let counters: Vec<String> = (0..axes).map(|axis| self.fresh(["i", "j", "k", "l"][axis.min(3)])).collect();
        let mut stmts = Vec::new();
        let (view, item) = self.at_counters(source, &counters, at, &mut stmts, out)?;
        Some((view, (item, counters), stmts))
    }

    fn at_counters(
        &mut self,
        source: Source,
        counters: &[String],
        at: &Expr,
        stmts: &mut Vec<Stmt>,
        out: &mut Vec<Stmt>,
    ) -> Option<(View, Item)> {
        match source {
            Source::Elements(view, mutable) => {
                let item = Item::Element { view: view.clone(), at: counters.to_vec(), mutable };
                Some((view, item))
            }
            Source::Indexed(view, mutable) => {
                let numbers = counters.iter().map(|counter| Item::Number(counter.clone())).collect();
                let item = Item::Element { view: view.clone(), at: counters.to_vec(), mutable };
                Some((view, Item::Tuple(vec![Item::Tuple(numbers), item])))
            }
            Source::Zip(first, second) if first.adaptors.is_empty() && second.adaptors.is_empty() => {
                let (view, one) = self.at_counters(first.source, counters, at, stmts, out)?;
                let (beside, other) = self.at_counters(second.source, counters, at, stmts, out)?;
                if view.free().len() != beside.free().len() {
                    return self.not_alike(at);
                }
                let alike = self.alike(&view, &beside, at);
                out.extend(alike);
                Some((view, Item::Tuple(vec![one, other])))
            }
            Source::Enumerate(inner) if inner.adaptors.is_empty() => {
                let (view, item) = self.at_counters(inner.source, counters, at, stmts, out)?;
                let mut number = self.variable(&counters[0], at);
                for (axis, counter) in counters.iter().enumerate().skip(1) {
                    let extent = self.extent_of(&view, axis, at);
                    let row = self.sum(BinaryOp::Mul, number, extent, at);
                    let counter = self.variable(counter, at);
                    number = self.sum(BinaryOp::Add, row, counter, at);
                }
                let held = self.hold(number, "k", at, stmts);
                Some((view, Item::Tuple(vec![Item::Number(held), item])))
            }
            Source::Range(..) | Source::Lines(..) | Source::Stretches(..) | Source::Tuples(_) => self.not_alike(at),
            Source::Zip(..) | Source::Enumerate(_) | Source::Chain(..) => self.not_alike(at),
        }
    }
}
