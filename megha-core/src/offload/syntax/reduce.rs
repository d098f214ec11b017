//! Iterators that are brought to one number, as a loop that ends with it: `x.iter().zip(y).map(|(a, b)| a * b).sum::<f64>()`, `fold`, `any`, `all`,
//! `product` and `count`, behind any `map` and `filter`.
//!
//! The loop does what the iterator does, in its order: sums of floats begin at -0.0, and `any` and `all` leave it at the element that decides, so
//! that nothing behind it is looked at.

use super::Converter;
use super::around::Around;
use super::course::Course;
use super::ends;
use super::expr::plain;
use super::iterate::Item;
use super::stages::{Passed, Stage, stages};
use super::stretches::cut;
use crate::offload::ast::{BinaryOp, Block, Expr as Ast, ExprKind, Neutral, Scalar, Stmt, StmtKind};
use syn::{Expr, ExprClosure, ExprMethodCall, GenericArgument};

/// What an iterator comes to.
enum End<'e> {
    /// A sum or a product, of this type if it is said.
    Operator(BinaryOp, Neutral, Option<Scalar>),
    /// How many there are.
    Count,
    /// Whether it holds of one of them, or of all.
    Test(bool, &'e ExprClosure),
    /// By a function of what has come of those before.
    Fold(&'e Expr, Step<'e>),
}

/// What each element goes into.
struct Goal<'e, 'o> {
    end: &'o End<'e>,
    /// The variable of the loop AST that holds what has come so far.
    own: &'o str,
}

/// How `fold` and `reduce` go on.
pub enum Step<'e> {
    Closure(&'e ExprClosure),
    /// By a method that a path names, `f64::max`.
    Method(Scalar, &'e syn::Ident),
}

impl Converter {
    /// The number that an iterator is brought to; `None` if the call is no such thing.
    pub fn reduced(&mut self, call: &ExprMethodCall) -> Option<Option<Ast>> {
        let (source, mut stages) = stages(&call.receiver);
        if !is_iterator(source) {
            return None;
        }
        let Some(end) = self.end(call) else {
            let help = "`sum`, `product`, `fold`, `any`, `all` and `count` are, behind `map`, `flat_map`, `filter`, `skip_while` and `take_while`, and with \
                        `unwrap` or `unwrap_or` behind them `min`, `max`, `min_by`, `max_by` with `total_cmp`, `reduce`, `position` and `find`; write \
                        anything else as a loop";
            let message = format!("`{}` of an iterator is not taken here", call.method);
            self.refuse(call, message, help);
            return Some(None);
        };
        Some(self.reduction(&Expr::MethodCall(call.clone()), source, &mut stages, end))
    }

    fn end<'e>(&mut self, call: &'e ExprMethodCall) -> Option<End<'e>> {
        let args: Vec<&Expr> = call.args.iter().map(plain).collect();
        Some(match (&call.method.to_string()[..], &args[..]) {
            ("sum", []) => End::Operator(BinaryOp::Add, Neutral::Sum, self.said(call)),
            ("product", []) => End::Operator(BinaryOp::Mul, Neutral::One, self.said(call)),
            ("count", []) => End::Count,
            ("any" | "all", [Expr::Closure(test)]) if test.inputs.len() == 1 => End::Test(call.method == "any", test),
            ("fold", [first, by]) => End::Fold(first, step(by)?),
            _ => return None,
        })
    }

    /// The type between `::<` and `>`.
    fn said(&mut self, call: &ExprMethodCall) -> Option<Scalar> {
        match call.turbofish.as_ref()?.args.first()? {
            GenericArgument::Type(ty) => self.scalar_type(ty),
            _ => None,
        }
    }

    fn reduction(&mut self, at: &Expr, source: &Expr, stages: &mut [Stage<'_>], end: End<'_>) -> Option<Ast> {
        let mut stmts = Vec::new();
        let depth = self.scope.len();
        self.within += 1;
        let course = self.course(source, &mut stmts);
        self.begin(stages, at, &mut stmts);
        self.within -= 1;
        let (shown, ty, first) = match &end {
            End::Operator(_, neutral, ty) => ("sum", *ty, self.made(ExprKind::Neutral(*neutral), at)),
            End::Count => ("count", Some(Scalar::Usize), self.made(ExprKind::Int(0, None), at)),
            End::Test(any, ..) => ("found", Some(Scalar::Bool), self.made(ExprKind::Bool(!any), at)),
            End::Fold(first, Step::Closure(..)) => ("folded", None, self.expr(first)?),
            End::Fold(first, Step::Method(ty, _)) => ("folded", Some(*ty), self.expr(first)?),
        };
        let (own, span) = (self.fresh(shown), self.span(at));
        let name = self.named(&own, at);
        stmts.push(Stmt { kind: StmtKind::Let { name, ty, mutable: true, value: Some(first) }, span });
        self.within += 1;
        let done = course.and_then(|course| self.reducing(at, course, (stages, &end), &own, &mut stmts));
        self.within -= 1;
        self.scope.truncate(depth);
        done?;
        let value = Some(Box::new(self.variable(&own, at)));
        Some(self.made(ExprKind::Block(Block { stmts, value }), at))
    }

    /// The loop.
    fn reducing(
        &mut self,
        at: &Expr,
        course: Course,
        (stages, end): (&[Stage<'_>], &End<'_>),
        own: &str,
        out: &mut Vec<Stmt>,
    ) -> Option<()> {
        self.walk_items(course, at, out, |this, item, loops, stmts| {
            // Closures have no loops around them.
            let around = std::mem::take(&mut this.around);
            this.around.push(Around::made(loops));
            let goal = Goal { end, own };
            let passed = Passed::Item(item.clone());
            let done = this.through(
                at,
                stages,
                passed,
                loops,
                &mut |this, passed, loops, stmts| this.comes_to(at, passed, &goal, loops, stmts),
                stmts,
            );
            this.around = around;
            done
        })
    }

    fn comes_to(
        &mut self,
        at: &Expr,
        passed: Passed,
        goal: &Goal<'_, '_>,
        loops: u32,
        out: &mut Vec<Stmt>,
    ) -> Option<()> {
        let Goal { end, own } = *goal;
        let place = self.variable(own, at);
        let (op, value) = match end {
            End::Operator(op, ..) => (Some(*op), self.value_of(passed, at, out)?),
            End::Count => {
                // what is counted is computed all the same
                self.held(passed, at, out);
                (Some(BinaryOp::Add), self.made(ExprKind::Int(1, None), at))
            }
            End::Test(any, test) => {
                let holds = self.applied(test, [&passed], at, out)?;
                let cond = if *any { holds } else { self.made(ExprKind::Not(Box::new(holds)), at) };
                let (decided, span) = (self.made(ExprKind::Bool(*any), at), self.span(at));
                let leave = Stmt { kind: StmtKind::Break(loops - 1), span };
                let then = Block { stmts: vec![self.stored(place, None, decided, at)?, leave], value: None };
                out.push(Stmt { kind: StmtKind::If { cond, then, els: Block::default() }, span });
                return Some(());
            }
            End::Fold(_, step) => (None, self.stepped(step, own, passed, at, out)?),
        };
        let stored = self.stored(place, op, value, at)?;
        out.push(stored);
        Some(())
    }

    /// `fold` of several numbers, which go there.
    pub fn fold_to(&mut self, call: &ExprMethodCall, goal: &ends::Goal, out: &mut Vec<Stmt>) -> Option<()> {
        let (Expr::Tuple(first), Expr::Closure(step)) = (plain(&call.args[0]), plain(&call.args[1])) else {
            return None;
        };
        let (at, depth) = (Expr::MethodCall(call.clone()), self.scope.len());
        let (source, mut stages) = stages(&call.receiver);
        self.within += 1;
        let course = self.course(source, out);
        self.begin(&mut stages, &at, out);
        let mut own = Vec::new();
        for value in &first.elems {
            let Some(value) = self.expr(value) else { continue };
            let (name, span) = (self.fresh("folded"), self.span(call));
            let ident = self.named(&name, call);
            out.push(Stmt { kind: StmtKind::Let { name: ident, ty: None, mutable: true, value: Some(value) }, span });
            own.push(name);
        }
        let done = course.filter(|_| own.len() == first.elems.len()).and_then(|course| {
            self.walk_items(course, &at, out, |this, item, loops, stmts| {
                let around = std::mem::replace(&mut this.around, vec![Around::made(loops)]);
                let mut last = |this: &mut Self, passed: Passed, _: u32, stmts: &mut Vec<Stmt>| {
                    this.folded_to(step, &own, passed, &at, stmts)
                };
                let done = this.through(&at, &stages, Passed::Item(item.clone()), loops, &mut last, stmts);
                this.around = around;
                done
            })
        });
        self.within -= 1;
        self.scope.truncate(depth);
        done?;
        let values = own.iter().map(|own| self.variable(own, call)).collect();
        self.numbers_to(values, goal, call, out)
    }

    /// What a closure makes of several numbers and an element, in the place of these.
    fn folded_to(
        &mut self,
        step: &ExprClosure,
        own: &[String],
        passed: Passed,
        at: &Expr,
        out: &mut Vec<Stmt>,
    ) -> Option<()> {
        let depth = self.scope.len();
        let so_far = Passed::Item(Item::Tuple(own.iter().cloned().map(Item::Number).collect()));
        let bound =
            step.inputs.iter().zip([&so_far, &passed]).try_for_each(|(pat, passed)| self.bind_passed(pat, passed, out));
        let values = bound.and_then(|()| self.several(&step.body, own.len(), out));
        self.scope.truncate(depth);
        for (own, value) in own.iter().zip(values?) {
            let place = self.variable(own, at);
            out.push(self.stored(place, None, value, at)?);
        }
        Some(())
    }

    /// What a function makes of what has come so far, in a variable, and of one element.
    pub fn stepped(
        &mut self,
        step: &Step<'_>,
        own: &str,
        passed: Passed,
        at: &Expr,
        out: &mut Vec<Stmt>,
    ) -> Option<Ast> {
        match step {
            Step::Closure(step) => {
                let so_far = Passed::Value(self.variable(own, at));
                self.applied(step, [&so_far, &passed], at, out)
            }
            Step::Method(_, method) => {
                let argument = self.value_of(passed, at, out)?;
                let (receiver, method) = (Box::new(self.variable(own, at)), self.named(&method.to_string(), method));
                Some(self.made(ExprKind::Method { receiver, method, args: vec![argument] }, at))
            }
        }
    }
}

/// Whether a call is `fold` of several numbers.
pub fn folds_several(call: &ExprMethodCall) -> bool {
    let args: Vec<&Expr> = call.args.iter().map(plain).collect();
    let several = matches!(&args[..], [Expr::Tuple(_), Expr::Closure(step)] if step.inputs.len() == 2);
    call.method == "fold" && several && is_iterator(stages(&call.receiver).0)
}

/// The function of two that an argument is.
pub fn step(by: &Expr) -> Option<Step<'_>> {
    match plain(by) {
        Expr::Closure(step) if step.inputs.len() == 2 => Some(Step::Closure(step)),
        Expr::Path(path) if path.path.segments.len() == 2 => {
            let [ty, method] = [0, 1].map(|at| &path.path.segments[at].ident);
            Some(Step::Method(Scalar::from_name(&ty.to_string())?, method))
        }
        _ => None,
    }
}

/// Whether this is an iterator, and no array or number.
pub fn is_iterator(expr: &Expr) -> bool {
    match plain(expr) {
        Expr::Range(_) => true,
        Expr::MethodCall(call) => match &call.method.to_string()[..] {
            "into_iter" if matches!(plain(&call.receiver), Expr::Array(_)) => true,
            method if cut(method).is_some() => true,
            "iter" | "indexed_iter" | "rows" | "columns" | "outer_iter" | "axis_iter" => true,
            "into_iter" | "copied" | "cloned" | "enumerate" | "zip" | "chain" | "rev" | "step_by" | "take" | "skip" => {
                is_iterator(&call.receiver)
            }
            _ => false,
        },
        _ => false,
    }
}
