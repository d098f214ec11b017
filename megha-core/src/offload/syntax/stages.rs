//! What iterators do to what they go through, one thing after another: `map`, `filter` and `take_while`, in the head of `for` and before
//! `for_each` or what brings them to a number.
//!
//! A stage is code in the body of the loop, and what stands behind it is within that code, so that each element goes through all of them
//! before the next one is looked at, as in Rust.

use super::Converter;
use super::course::Course;
use super::expr::plain;
use super::iterate::Item;
use super::scope::Meaning;
use crate::offload::ast::{Block, Expr as Ast, ExprKind, Scalar, Stmt, StmtKind};
use syn::{Expr, ExprClosure, Pat};

/// What an iterator does to each thing that it goes through.
pub enum Stage<'e> {
    Map(&'e ExprClosure),
    Filter(&'e ExprClosure),
    /// It ends at the first that the closure does not hold of.
    TakeWhile(&'e ExprClosure),
    /// It begins at the first that the closure does not hold of; the variable that says whether it is still before that.
    SkipWhile(&'e ExprClosure, String),
    /// All that the closure's iterator gives.
    FlatMap(&'e ExprClosure),
}

/// What a stage hands on.
#[derive(Clone)]
pub enum Passed {
    Item(Item),
    Value(Ast),
}

/// What is done with what comes out of the last stage, in so many loops of the loop AST.
type Last<'l> = &'l mut dyn FnMut(&mut Converter, Passed, u32, &mut Vec<Stmt>) -> Option<()>;

/// What is done in each iteration, in so many loops of the loop AST.
type Body<'b> = &'b mut dyn FnMut(&mut Converter, u32, &mut Vec<Stmt>) -> Option<()>;

impl Converter {
    /// The loop nest that goes through a course and its stages; `body` is given how many loops there are.
    pub fn walk(
        &mut self,
        (course, stages): (Course, &[Stage<'_>]),
        pat: &Pat,
        at: &Expr,
        out: &mut Vec<Stmt>,
        body: Body<'_>,
    ) -> Option<()> {
        self.walk_items(course, at, out, |this, item, loops, stmts| {
            let mut last = |this: &mut Self, passed: Passed, loops: u32, stmts: &mut Vec<Stmt>| {
                this.within -= 1;
                let done = this.bind_passed(pat, &passed, stmts).and_then(|()| body(this, loops, stmts));
                this.within += 1;
                done
            };
            // The names of closures hide none of the body.
            this.within += 1;
            let done = this.through(at, stages, Passed::Item(item.clone()), loops, &mut last, stmts);
            this.within -= 1;
            done
        })
    }

    /// What is done to one thing, stage by stage, in so many loops of the loop AST.
    pub fn through(
        &mut self,
        at: &Expr,
        stages: &[Stage<'_>],
        passed: Passed,
        loops: u32,
        last: Last<'_>,
        out: &mut Vec<Stmt>,
    ) -> Option<()> {
        let Some((stage, rest)) = stages.split_first() else { return last(self, passed, loops, out) };
        let (test, els) = match stage {
            Stage::Map(closure) => {
                let value = self.applied(closure, [&passed], at, out)?;
                return self.through(at, rest, Passed::Value(value), loops, last, out);
            }
            Stage::FlatMap(closure) => return self.flattened((closure, rest), &passed, at, loops, last, out),
            Stage::SkipWhile(test, skips) => {
                let passed = self.held(passed, at, out);
                let (mut first, mut then) = (Block::default(), Block::default());
                let still = self.applied(test, [&passed], at, &mut first.stmts)?;
                let place = self.variable(skips, at);
                first.stmts.push(self.stored(place, None, still, at)?);
                self.through(at, rest, passed, loops, last, &mut then.stmts)?;
                let before = self.variable(skips, at);
                let behind = self.made(ExprKind::Not(Box::new(before.clone())), at);
                for (cond, then) in [(before, first), (behind, then)] {
                    out.push(Stmt { kind: StmtKind::If { cond, then, els: Block::default() }, span: self.span(at) });
                }
                return Some(());
            }
            Stage::Filter(test) => (test, Vec::new()),
            Stage::TakeWhile(test) => (test, vec![Stmt { kind: StmtKind::Break(loops - 1), span: self.span(at) }]),
        };
        let passed = self.held(passed, at, out);
        let cond = self.applied(test, [&passed], at, out)?;
        let (mut then, els) = (Block::default(), Block { stmts: els, value: None });
        self.through(at, rest, passed, loops, last, &mut then.stmts)?;
        out.push(Stmt { kind: StmtKind::If { cond, then, els }, span: self.span(at) });
        Some(())
    }

    /// What `flat_map` hands on: its loops stand inside of those that there are.
    fn flattened(
        &mut self,
        (closure, rest): (&ExprClosure, &[Stage<'_>]),
        passed: &Passed,
        at: &Expr,
        loops: u32,
        last: Last<'_>,
        out: &mut Vec<Stmt>,
    ) -> Option<()> {
        let depth = self.scope.len();
        let bound = closure.inputs.iter().try_for_each(|pat| self.bind_passed(pat, passed, out));
        let (source, mut inner) = stages(&closure.body);
        let course = bound.and_then(|()| self.course(source, out));
        self.begin(&mut inner, at, out);
        let done = course.and_then(|course| {
            self.walk_items(course, at, out, |this, item, own, stmts| {
                // Nothing behind it sees the names of the closure.
                let mut next = |this: &mut Self, passed: Passed, own: u32, stmts: &mut Vec<Stmt>| {
                    let names = this.scope.split_off(depth);
                    let done = this.through(at, rest, passed, loops + own, last, stmts);
                    this.scope.truncate(depth);
                    this.scope.extend(names);
                    done
                };
                this.through(at, &inner, Passed::Item(item.clone()), own, &mut next, stmts)
            })
        });
        self.scope.truncate(depth);
        done
    }

    /// Declares what stages keep from one thing to the next.
    pub fn begin(&mut self, stages: &mut [Stage<'_>], at: &Expr, out: &mut Vec<Stmt>) {
        for stage in stages {
            if let Stage::SkipWhile(_, skips) = stage {
                *skips = self.fresh("skips");
                let (name, value) = (self.named(skips, at), self.made(ExprKind::Bool(true), at));
                let kind = StmtKind::Let { name, ty: Some(Scalar::Bool), mutable: true, value: Some(value) };
                out.push(Stmt { kind, span: self.span(at) });
            }
        }
    }

    /// The value of a closure of what is passed to it; nothing else sees its names.
    pub fn applied<const N: usize>(
        &mut self,
        closure: &ExprClosure,
        passed: [&Passed; N],
        at: &Expr,
        out: &mut Vec<Stmt>,
    ) -> Option<Ast> {
        let depth = self.scope.len();
        let bound = closure.inputs.iter().zip(passed).try_for_each(|(pat, passed)| self.bind_passed(pat, passed, out));
        let value = bound.and_then(|()| self.closure_body(closure, at));
        let lends = lent(&closure.body).is_some_and(|end| matches!(self.lent(end), Some(Meaning::Element(_))));
        self.scope.truncate(depth);
        if lends {
            let help = "write `|v| *v` for its value, or assign to it in the closure";
            self.refuse(&closure.body, "a closure that hands on a reference to an element is not taken", help);
            return None;
        }
        value
    }

    /// A value that is computed once.
    pub fn held(&mut self, passed: Passed, at: &Expr, out: &mut Vec<Stmt>) -> Passed {
        match passed {
            Passed::Item(item) => Passed::Item(item),
            Passed::Value(value) => {
                let held = self.hold(value, "item", at, out);
                Passed::Value(self.variable(&held, at))
            }
        }
    }

    pub fn value_of(&mut self, passed: Passed, at: &Expr, out: &mut Vec<Stmt>) -> Option<Ast> {
        match passed {
            Passed::Value(value) => Some(value),
            Passed::Item(item) => {
                let name: syn::Ident = syn::parse_quote!(item);
                let depth = self.scope.len();
                self.bind(&syn::parse_quote!(#name), &item, out)?;
                let value = self.expr(&syn::parse_quote!(#name));
                self.scope.truncate(depth);
                if value.is_none() {
                    self.lost(at);
                }
                value
            }
        }
    }

    pub fn bind_passed(&mut self, pat: &Pat, passed: &Passed, out: &mut Vec<Stmt>) -> Option<()> {
        let value = match passed {
            Passed::Item(item) => return self.bind(pat, item, out),
            Passed::Value(value) => value,
        };
        let (name, ty) = match without_references(pat) {
            Pat::Wild(_) => {
                self.hold(value.clone(), "unused", pat, out);
                return Some(());
            }
            Pat::Type(typed) => (without_references(&typed.pat), Some(&typed.ty)),
            pat => (pat, None),
        };
        let ty = ty.and_then(|ty| self.scalar_type(ty));
        let Pat::Ident(name) = name else {
            self.refuse(pat, "this pattern is not taken here", "name the number");
            return None;
        };
        let span = self.span(name);
        let own = self.declare(&name.ident);
        let mutable = name.mutability.is_some();
        out.push(Stmt { kind: StmtKind::Let { name: own, ty, mutable, value: Some(value.clone()) }, span });
        Some(())
    }
}

/// The end of a closure's body, if it may be a reference.
fn lent(body: &Expr) -> Option<&Expr> {
    match plain(body) {
        Expr::Block(block) => match block.block.stmts.last()? {
            syn::Stmt::Expr(value, None) => lent(value),
            _ => None,
        },
        Expr::If(branch) => match branch.then_branch.stmts.last()? {
            syn::Stmt::Expr(value, None) => lent(value),
            _ => None,
        },
        other @ (Expr::Path(_) | Expr::Field(_)) => Some(other),
        _ => None,
    }
}

/// A number by reference is used as the number.
fn without_references(pat: &Pat) -> &Pat {
    match pat {
        Pat::Reference(inner) => without_references(&inner.pat),
        Pat::Paren(inner) => without_references(&inner.pat),
        other => other,
    }
}

/// What an iterator goes through at first, and the stages behind it.
pub fn stages(expr: &Expr) -> (&Expr, Vec<Stage<'_>>) {
    if let Expr::MethodCall(call) = plain(expr)
        && let Some(Expr::Closure(closure)) = call.args.first().map(plain)
        && closure.inputs.len() == 1
    {
        let stage = match &call.method.to_string()[..] {
            "map" => Stage::Map(closure),
            "filter" => Stage::Filter(closure),
            "take_while" => Stage::TakeWhile(closure),
            "skip_while" => Stage::SkipWhile(closure, String::new()),
            "flat_map" => Stage::FlatMap(closure),
            _ => return (expr, Vec::new()),
        };
        let (source, mut before) = stages(&call.receiver);
        before.push(stage);
        return (source, before);
    }
    (expr, Vec::new())
}
