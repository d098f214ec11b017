//! Iterators that come to an `Option`, `min`, `max`, `min_by`, `max_by`, `reduce`, `position` and `find`, `first`, `last` and `get` of arrays, and
//! `checked_add` and its like of whole numbers, with what takes the value out: `unwrap`, `expect`, `unwrap_or`, `is_some` and `is_none`.
//!
//! A `bool` says whether there is a value, and variables hold it: one for each number that the iterator gives, so that behind `enumerate` an
//! element is kept with its position. Of equals `min` keeps the first and `max` the last, as in Rust.

use super::Converter;
use super::around::Around;
use super::expr::plain;
use super::iterate::Item;
use super::made_at_once::checked;
use super::order::{Order, Way, order};
use super::reduce::{Step, is_iterator, step};
use super::stages::{Passed, Stage, stages};
use crate::offload::ast::{BinaryOp, Block, Expr as Ast, ExprKind, Neutral, Scalar, Stmt, StmtKind};
use syn::{Expr, ExprClosure, ExprMethodCall};

/// What to write in the place of an `Option` that is not taken.
pub const OPTIONS: &str = "`first`, `last` and `get` of arrays are, `find`, `position`, `min_by`, `max_by`, `reduce` of iterators, and `checked_add`, `checked_sub`, \
                           `checked_mul`, `checked_div`, `checked_rem` of whole numbers, behind `if let Some(x) =`, `unwrap_or` and their like";

/// What an iterator keeps.
enum Pick<'e> {
    /// The largest or the least.
    Extremum { largest: bool, order: Order<'e> },
    /// What has come of all by a function of two.
    Reduce(Step<'e>),
    /// The number of the first that it holds of.
    Position(&'e ExprClosure),
    /// The first that it holds of.
    Find(&'e ExprClosure),
}

/// A value that there may be.
pub struct Maybe {
    /// The variable that says whether there is one.
    pub found: String,
    pub value: Item,
    /// What makes it where there is one.
    pub making: Vec<Stmt>,
}

/// What an `Option` holds, and the variable that says whether it does.
pub struct Found {
    pub found: String,
    pub passed: Passed,
}

/// What the loop is at, and the variables that keep it.
struct Kept {
    now: Item,
    best: Item,
    /// The variables that keep it, with those that hold what the loop is at.
    pairs: Vec<(String, String)>,
}

impl Converter {
    /// What is taken out of an `Option`; `None` if the call is no such thing.
    pub fn optional(&mut self, call: &ExprMethodCall) -> Option<Option<Ast>> {
        let (maker, maps) = self.optional_maker(call)?;
        let mut stmts = Vec::new();
        self.within += 1;
        let maybe = self.maybe(maker, &mut stmts);
        let value = maybe.and_then(|maybe| self.taken_out(call, &maybe, &maps, &mut stmts));
        self.within -= 1;
        Some(value.map(|value| {
            let value = Some(Box::new(value));
            self.made(ExprKind::Block(Block { stmts, value }), call)
        }))
    }

    /// The numbers that `unwrap` takes out of an `Option` of several, as an element behind `enumerate`; `None` if an expression is no such thing.
    pub fn optional_numbers(&mut self, expr: &Expr, out: &mut Vec<Stmt>) -> Option<Option<Vec<Ast>>> {
        let Expr::MethodCall(call) = plain(expr) else { return None };
        let (maker, maps) = self.optional_maker(call)?;
        if !maps.is_empty() || !matches!(&call.method.to_string()[..], "unwrap" | "expect") {
            return None;
        }
        self.within += 1;
        let maybe = self.maybe(maker, out);
        self.within -= 1;
        let Some(Maybe { found, value, making }) = maybe else { return Some(None) };
        self.must_be(&found, call, out);
        out.extend(making);
        let mut numbers = Vec::new();
        let Item::Tuple(items) = value else {
            self.refuse(call, "this gives one number", "give it one name");
            return Some(None);
        };
        for item in items {
            let Item::Number(own) = item else {
                self.refuse(call, "pairs within pairs are not taken here", "take one out before, with `map`");
                return Some(None);
            };
            numbers.push(self.variable(&own, call));
        }
        Some(Some(numbers))
    }

    /// What makes the `Option` that a call takes the value out of, and the `map` between.
    fn optional_maker<'e>(&self, call: &'e ExprMethodCall) -> Option<(&'e ExprMethodCall, Vec<&'e ExprClosure>)> {
        let known = matches!(
            (&call.method.to_string()[..], call.args.len()),
            ("unwrap" | "is_some" | "is_none", 0) | ("expect" | "unwrap_or", 1)
        );
        let (maker, maps) = made_by(&call.receiver)?;
        (known && self.makes(maker)).then_some((maker, maps))
    }

    /// What an `Option` holds: what makes it comes before, what `map` behind it makes of that comes first where there is a value.
    pub fn found(&mut self, expr: &Expr, before: &mut Vec<Stmt>, first: &mut Vec<Stmt>) -> Option<Found> {
        let Some((maker, maps)) = made_by(expr).filter(|(maker, _)| self.makes(maker)) else {
            self.refuse(expr, "this `Option` is not taken", OPTIONS);
            return None;
        };
        self.within += 1;
        let maybe = self.maybe(maker, before);
        let found = maybe.and_then(|Maybe { found, value, making }| {
            first.extend(making);
            let mut passed = Passed::Item(value);
            for map in maps {
                passed = Passed::Value(self.applied(map, [&passed], expr, first)?);
            }
            Some(Found { found, passed })
        });
        self.within -= 1;
        found
    }

    /// Whether a call makes an `Option` that is taken.
    fn makes(&self, maker: &ExprMethodCall) -> bool {
        self.is_end(maker)
            || self.is_got(maker)
            || checked(maker).is_some()
            || is_iterator(stages(&maker.receiver).0) && pick(maker).is_some()
    }

    fn maybe(&mut self, maker: &ExprMethodCall, out: &mut Vec<Stmt>) -> Option<Maybe> {
        if self.is_end(maker) {
            return self.end_of(maker, out);
        }
        if self.is_got(maker) {
            return self.got(maker, out);
        }
        if let Some(op) = checked(maker) {
            return self.checked(maker, op, out);
        }
        let (source, mut stages) = stages(&maker.receiver);
        self.picked(maker, (source, &mut stages), &pick(maker)?, out)
    }

    /// Demands that there is a value.
    fn must_be(&mut self, found: &str, call: &ExprMethodCall, out: &mut Vec<Stmt>) {
        let (cond, message) = (self.variable(found, call), format!("`{}` of what is `None`", call.method));
        out.push(Stmt { kind: StmtKind::Assert { cond, message }, span: self.span(call) });
    }

    /// The value of `unwrap` and its like.
    fn taken_out(
        &mut self,
        call: &ExprMethodCall,
        maybe: &Maybe,
        maps: &[&ExprClosure],
        out: &mut Vec<Stmt>,
    ) -> Option<Ast> {
        let at = Expr::MethodCall(call.clone());
        let found = self.variable(&maybe.found, call);
        let method = call.method.to_string();
        if matches!(&method[..], "is_some" | "is_none") && !maps.is_empty() {
            // What is mapped is not used, but computed.
            let mut then = Block::default();
            let value = self.mapped(maybe, maps, &at, &mut then.stmts)?;
            self.hold(value, "unused", call, &mut then.stmts);
            let kind = StmtKind::If { cond: found.clone(), then, els: Block::default() };
            out.push(Stmt { kind, span: self.span(call) });
        }
        match &method[..] {
            "is_some" => return Some(found),
            "is_none" => return Some(self.made(ExprKind::Not(Box::new(found)), call)),
            _ => {}
        }
        if method != "unwrap_or" {
            self.must_be(&maybe.found, call, out);
            return self.mapped(maybe, maps, &at, out);
        }
        // Rust computes the other value in any case, behind the one that is mapped.
        let (own, start) = (self.fresh("mapped"), self.made(ExprKind::Neutral(Neutral::Zero), call));
        self.variable_of(&own, None, start, call, out);
        let mut then = Block::default();
        let value = self.mapped(maybe, maps, &at, &mut then.stmts)?;
        let place = self.variable(&own, call);
        then.stmts.push(self.stored(place, None, value, &at)?);
        let kind = StmtKind::If { cond: found.clone(), then, els: Block::default() };
        out.push(Stmt { kind, span: self.span(call) });
        let other = self.expr(&call.args[0])?;
        let other = self.hold(other, "other", call, out);
        let [then, els] =
            [&own, &other].map(|name| Block { stmts: Vec::new(), value: Some(Box::new(self.variable(name, call))) });
        Some(self.made(ExprKind::If(Box::new(found), then, els), call))
    }

    /// The value, if there is one, behind `map`.
    fn mapped(&mut self, maybe: &Maybe, maps: &[&ExprClosure], at: &Expr, out: &mut Vec<Stmt>) -> Option<Ast> {
        out.extend(maybe.making.iter().cloned());
        let mut passed = Passed::Item(maybe.value.clone());
        for map in maps {
            passed = Passed::Value(self.applied(map, [&passed], at, out)?);
        }
        if let Passed::Item(Item::Tuple(_)) = passed {
            let help = "name them, `let (i, v) = ..;`, or take one of them out before, as in `.map(|(i, _)| i)`";
            self.refuse(at, "this gives several numbers", help);
            return None;
        }
        self.value_of(passed, at, out)
    }

    /// The loop that goes through an iterator and keeps what is picked.
    fn picked(
        &mut self,
        call: &ExprMethodCall,
        (source, stages): (&Expr, &mut [Stage<'_>]),
        pick: &Pick<'_>,
        out: &mut Vec<Stmt>,
    ) -> Option<Maybe> {
        let at = Expr::MethodCall(call.clone());
        let (found, depth) = (self.fresh("found"), self.scope.len());
        let no = self.made(ExprKind::Bool(false), call);
        self.variable_of(&found, Some(Scalar::Bool), no, call, out);
        let (declared, mut best) = (out.len(), None);
        let course = self.course(source, out);
        self.begin(stages, &at, out);
        let done = course.and_then(|course| {
            self.walk_items(course, &at, out, |this, item, loops, stmts| {
                let around = std::mem::replace(&mut this.around, vec![Around::made(loops)]);
                let mut last = |this: &mut Self, passed: Passed, loops: u32, stmts: &mut Vec<Stmt>| {
                    best = Some(this.looked_at(&at, pick, passed, (&found, loops), stmts)?);
                    Some(())
                };
                let done = this.through(&at, stages, Passed::Item(item.clone()), loops, &mut last, stmts);
                this.around = around;
                done
            })
        });
        self.scope.truncate(depth);
        done?;
        let (value, variables) = best?;
        let (ty, start) = match pick {
            Pick::Position(_) => (Some(Scalar::Usize), ExprKind::Int(0, None)),
            Pick::Extremum { .. } | Pick::Reduce(_) | Pick::Find(_) => (None, ExprKind::Neutral(Neutral::Zero)),
        };
        let mut first = Vec::new();
        for own in &variables {
            let start = self.made(start.clone(), call);
            self.variable_of(own, ty, start, call, &mut first);
        }
        out.splice(declared..declared, first);
        Some(Maybe { found, value, making: Vec::new() })
    }

    /// What is done with one element; gives what is kept and the variables that it is in.
    fn looked_at(
        &mut self,
        at: &Expr,
        pick: &Pick<'_>,
        passed: Passed,
        (found, loops): (&str, u32),
        out: &mut Vec<Stmt>,
    ) -> Option<(Item, Vec<String>)> {
        let span = self.span(at);
        let leave = Stmt { kind: StmtKind::Break(loops - 1), span };
        let branch = |cond, then, els| {
            let [then, els] = [then, els].map(|stmts| Block { stmts, value: None });
            Stmt { kind: StmtKind::If { cond, then, els }, span }
        };
        match pick {
            Pick::Position(test) => {
                let own = self.fresh("position");
                let cond = self.applied(test, [&passed], at, out)?;
                let then = vec![self.is_found(found, at)?, leave];
                out.push(branch(cond, then, Vec::new()));
                let (place, one) = (self.variable(&own, at), self.made(ExprKind::Int(1, None), at));
                out.push(self.stored(place, Some(BinaryOp::Add), one, at)?);
                Some((Item::Number(own.clone()), vec![own]))
            }
            Pick::Find(test) => {
                let passed = self.held(passed, at, out);
                let cond = self.applied(test, [&passed], at, out)?;
                let mut then = Vec::new();
                let kept = self.kept(passed, at, &mut then)?;
                self.keep(&kept, found, at, &mut then)?;
                then.push(leave);
                out.push(branch(cond, then, Vec::new()));
                Some(kept.done())
            }
            Pick::Extremum { largest, order } => {
                let kept = self.kept(passed, at, out)?;
                if let Order::Key(key) = order {
                    // Rust computes the key of the only one too.
                    let value = self.applied(key, [&Passed::Item(kept.now.clone())], at, out)?;
                    self.hold(value, "unused", at, out);
                }
                // The first is kept before any is compared, so that what is kept has its type.
                let (mut first, mut rest, mut then) = (Vec::new(), Vec::new(), Vec::new());
                self.keep(&kept, found, at, &mut first)?;
                let both = [&kept.best, &kept.now].map(|item| Passed::Item(item.clone()));
                let greater = self.greater(order, both, at, &mut rest)?;
                let better = if *largest { self.made(ExprKind::Not(Box::new(greater)), at) } else { greater };
                self.keep(&kept, found, at, &mut then)?;
                rest.push(branch(better, then, Vec::new()));
                let none = Box::new(self.variable(found, at));
                let none = self.made(ExprKind::Not(none), at);
                out.push(branch(none, first, rest));
                Some(kept.done())
            }
            Pick::Reduce(step) => {
                let kept = self.kept(passed, at, out)?;
                let [(own, now)] = &kept.pairs[..] else {
                    self.refuse(at, "`reduce` is taken of numbers", "write a loop, with one variable for each number");
                    return None;
                };
                let (mut then, mut els) = (Vec::new(), Vec::new());
                let now = Passed::Value(self.variable(now, at));
                let value = self.stepped(step, own, now, at, &mut then)?;
                let place = self.variable(own, at);
                then.push(self.stored(place, None, value, at)?);
                self.keep(&kept, found, at, &mut els)?;
                let none = Box::new(self.variable(found, at));
                let none = self.made(ExprKind::Not(none), at);
                out.push(branch(none, els, then));
                Some(kept.done())
            }
        }
    }

    fn is_found(&mut self, found: &str, at: &Expr) -> Option<Stmt> {
        let (place, yes) = (self.variable(found, at), self.made(ExprKind::Bool(true), at));
        self.stored(place, None, yes, at)
    }

    /// Keeps what the loop is at.
    fn keep(&mut self, kept: &Kept, found: &str, at: &Expr, out: &mut Vec<Stmt>) -> Option<()> {
        for (own, now) in &kept.pairs {
            let (place, value) = (self.variable(own, at), self.variable(now, at));
            out.push(self.stored(place, None, value, at)?);
        }
        out.push(self.is_found(found, at)?);
        Some(())
    }

    /// Variables for what the loop is at, and for keeping it.
    fn kept(&mut self, passed: Passed, at: &Expr, out: &mut Vec<Stmt>) -> Option<Kept> {
        let value = match passed {
            Passed::Value(value) => value,
            Passed::Item(Item::Number(own)) => self.variable(&own, at),
            Passed::Item(Item::Element { view, at: counters, .. }) => self.counted(&view, &counters, at),
            Passed::Item(Item::Line(_)) => {
                self.refuse(at, "rows and other parts of arrays are not kept", "keep its position: `enumerate` before");
                return None;
            }
            Passed::Item(Item::Tuple(items)) => {
                let mut all = Kept { now: Item::Tuple(Vec::new()), best: Item::Tuple(Vec::new()), pairs: Vec::new() };
                let (mut now, mut best) = (Vec::new(), Vec::new());
                for item in items {
                    let kept = self.kept(Passed::Item(item), at, out)?;
                    now.push(kept.now);
                    best.push(kept.best);
                    all.pairs.extend(kept.pairs);
                }
                return Some(Kept { now: Item::Tuple(now), best: Item::Tuple(best), ..all });
            }
        };
        let (now, best) = (self.hold(value, "now", at, out), self.fresh("kept"));
        let pairs = vec![(best.clone(), now.clone())];
        Some(Kept { now: Item::Number(now), best: Item::Number(best), pairs })
    }

    /// A variable of the loop AST that is assigned to.
    fn variable_of(&mut self, own: &str, ty: Option<Scalar>, start: Ast, at: &ExprMethodCall, out: &mut Vec<Stmt>) {
        let (name, span) = (self.named(own, at), self.span(at));
        out.push(Stmt { kind: StmtKind::Let { name, ty, mutable: true, value: Some(start) }, span });
    }
}

impl Kept {
    /// What is kept, and its variables.
    fn done(self) -> (Item, Vec<String>) {
        (self.best, self.pairs.into_iter().map(|(own, _)| own).collect())
    }
}

/// What makes the `Option`, and the `map` behind it.
fn made_by(expr: &Expr) -> Option<(&ExprMethodCall, Vec<&ExprClosure>)> {
    let Expr::MethodCall(call) = plain(expr) else { return None };
    match (&call.method.to_string()[..], call.args.first().map(plain)) {
        ("copied" | "cloned", None) => made_by(&call.receiver),
        ("map", Some(Expr::Closure(map))) if map.inputs.len() == 1 => {
            let (maker, mut maps) = made_by(&call.receiver)?;
            maps.push(map);
            Some((maker, maps))
        }
        _ => Some((call, Vec::new())),
    }
}

/// What the method of this name keeps.
fn pick(call: &ExprMethodCall) -> Option<Pick<'_>> {
    let args: Vec<&Expr> = call.args.iter().map(plain).collect();
    let method = call.method.to_string();
    let largest = method.starts_with("max");
    Some(match (&method[..], &args[..]) {
        ("min" | "max", []) => Pick::Extremum { largest, order: Order::Own(Way::Whole) },
        ("min_by" | "max_by", [by]) => Pick::Extremum { largest, order: order(by)? },
        ("min_by_key" | "max_by_key", [Expr::Closure(key)]) if key.inputs.len() == 1 => {
            Pick::Extremum { largest, order: Order::Key(key) }
        }
        ("reduce", [by]) => Pick::Reduce(step(by)?),
        ("position", [Expr::Closure(test)]) if test.inputs.len() == 1 => Pick::Position(test),
        ("find", [Expr::Closure(test)]) if test.inputs.len() == 1 => Pick::Find(test),
        _ => return None,
    })
}
