//! Structured control flow: blocks, branches, and the frames that `break`, `continue` and `return` leave.

mod frame;
mod join;
mod patience;
mod turned;

use super::env::Binding;
use super::facts::Facts;
use super::form::Shape;
use super::live::Liveness;
use super::{Lower, Lowered, Operand};
use crate::diag::{Code, Diagnostic};
use crate::ir::build::Suspended;
use crate::ir::{Region, Terminator, Type, Value};
use crate::matlab::ast::{Expr, ExprKind, IfBranch, Stmt, StmtKind, SwitchCase};
use crate::source::Span;
pub(super) use frame::{Brought, Carried, Form, Frame, FrameKind, Jump, Misfit, Nature, Trend};
use std::rc::Rc;

/// How control leaves a block.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Flow {
    /// On to the next statement.
    Through,
    /// Somewhere else.
    Left(Terminator),
}

/// A variable that two ways assign differently.
pub(super) struct Joined {
    pub name: String,
    pub shape: Shape,
    pub at: Span,
}

impl Lower<'_> {
    /// Opens a region; the mark is to be given back when it closes.
    pub fn open_region(&mut self, params: Vec<Type>) -> (usize, Vec<Value>) {
        self.scoped.push(Vec::new());
        (self.proven.len(), self.builder.open(params))
    }

    /// Closes the innermost region; what was learned inside is forgotten.
    pub fn close_region(&mut self, mark: usize, term: Terminator) -> Region {
        self.proven.truncate(mark);
        self.forget_scoped();
        self.builder.close(term)
    }

    /// Restores the facts that held before the innermost region opened.
    fn forget_scoped(&mut self) {
        for (value, facts) in self.scoped.pop().into_iter().flatten().rev() {
            self.learn(value, facts);
        }
    }

    /// Records what is known of a value until the innermost region closes.
    pub fn learn_scoped(&mut self, value: Value, facts: Facts) {
        let old = self.facts(value);
        if let Some(scope) = self.scoped.last_mut() {
            scope.push((value, old));
        }
        self.learn(value, facts);
    }

    pub fn suspend_region(&mut self, mark: usize) -> Suspended {
        self.proven.truncate(mark);
        self.forget_scoped();
        self.builder.suspend()
    }

    /// Lowers statements one by one. A statement that fails leaves its variables poisoned and the rest goes on.
    pub fn block(&mut self, stmts: &[Stmt]) -> Flow {
        for stmt in stmts {
            let start = self.checkpoint();
            let before = self.patient_frame().map(|_| self.bindings_of(stmt));
            match self.stmt(stmt) {
                Ok(Flow::Through) => {}
                Ok(left) => return left,
                Err(_) => match (self.abandon(start), before) {
                    (Some(left), _) => return left,
                    (None, Some(before)) => self.skip(start, before),
                    (None, None) => self.poison(stmt),
                },
            }
        }
        Flow::Through
    }

    fn poison(&mut self, stmt: &Stmt) {
        let mut names = Default::default();
        super::live::assigned(std::slice::from_ref(stmt), &mut names);
        for name in names {
            self.env.set(&name, Binding::Poison, stmt.span);
        }
    }

    fn live_after(&self, span: Span) -> super::live::Names {
        self.liveness().map(|l| l.after(span)).unwrap_or_default()
    }

    /// The analysis of the function that is being lowered.
    pub fn liveness(&self) -> Option<Rc<Liveness>> {
        self.frames.iter().rev().find_map(|f| f.live.clone())
    }

    /// `if … elseif … else … end`
    pub fn if_stmt(&mut self, branches: &[IfBranch], otherwise: Option<&[Stmt]>, span: Span) -> Lowered<Flow> {
        let Some((first, rest)) = branches.split_first() else {
            return Ok(self.block(otherwise.unwrap_or(&[])));
        };
        let cond = self.condition(&first.cond)?;
        self.branch(
            cond,
            &mut |this| {
                this.assume(&first.cond, true);
                Ok(this.block(&first.body))
            },
            &mut |this| {
                this.assume(&first.cond, false);
                this.if_stmt(rest, otherwise, span)
            },
            span,
        )
    }

    /// `switch`: a chain of comparisons.
    pub fn switch_stmt(
        &mut self,
        subject: &Expr,
        cases: &[SwitchCase],
        otherwise: Option<&[Stmt]>,
        span: Span,
    ) -> Lowered<Flow> {
        let subject = match self.expr(subject)? {
            Operand::Message(pieces) => Operand::Value(self.message_codes(&pieces, subject.span)),
            operand => operand,
        };
        self.switch_cases(&subject, cases, otherwise, span)
    }

    fn switch_cases(
        &mut self,
        subject: &Operand,
        cases: &[SwitchCase],
        otherwise: Option<&[Stmt]>,
        span: Span,
    ) -> Lowered<Flow> {
        let Some((case, rest)) = cases.split_first() else {
            return Ok(self.block(otherwise.unwrap_or(&[])));
        };
        let patterns: Vec<&Expr> = match &case.pattern.kind {
            ExprKind::Cell { rows } => rows.iter().flatten().collect(),
            _ => vec![&case.pattern],
        };
        let mut matches = self.truth_constant(false);
        for pattern in patterns {
            let one = self.case_matches(subject, pattern)?;
            matches = self.binary(crate::ir::Binary::Or, matches, one, "case", pattern.span)?;
        }
        self.branch(
            matches,
            &mut |this| Ok(this.block(&case.body)),
            &mut |this| this.switch_cases(subject, rest, otherwise, span),
            span,
        )
    }

    fn case_matches(&mut self, subject: &Operand, pattern: &Expr) -> Lowered<Value> {
        let operand = self.expr(pattern)?;
        match (subject, &operand) {
            (Operand::Text(a), Operand::Text(b)) => Ok(self.truth_constant(a == b)),
            (Operand::Value(a), Operand::Value(b)) => self.case_equals(*a, *b, pattern.span),
            // Octave compares a number with the code of a character.
            (Operand::Text(text), Operand::Value(v)) | (Operand::Value(v), Operand::Text(text)) => {
                let codes = self.codes(text, pattern.span)?;
                self.case_equals(*v, codes, pattern.span)
            }
            _ => self.stop(Code::Unsupported, pattern.span, "switch and case compare numbers or texts"),
        }
    }

    /// Whether sizes and elements are equal.
    fn case_equals(&mut self, a: Value, b: Value, span: Span) -> Lowered<Value> {
        if self.is_scalar(a) && self.is_scalar(b) {
            return self.binary(crate::ir::Binary::Eq, a, b, "case", span);
        }
        match self.call_inner("isequal", vec![a, b], span, 1)?.first() {
            Some(Operand::Value(equal)) => self.truth(*equal, span),
            _ => Ok(self.truth_constant(false)),
        }
    }

    /// Two ways; a known condition leaves one.
    pub fn branch(
        &mut self,
        cond: Value,
        then: &mut dyn FnMut(&mut Self) -> Lowered<Flow>,
        els: &mut dyn FnMut(&mut Self) -> Lowered<Flow>,
        span: Span,
    ) -> Lowered<Flow> {
        if let Some(known) = self.constant_of(cond) {
            return if known != 0.0 { then(self) } else { els(self) };
        }
        self.frames.iter_mut().rev().take(1).for_each(|f| f.conditions += 1);
        let flow = self.two_ways(cond, then, els, span);
        self.frames.iter_mut().rev().take(1).for_each(|f| f.conditions -= 1);
        flow
    }

    fn two_ways(
        &mut self,
        cond: Value,
        then: &mut dyn FnMut(&mut Self) -> Lowered<Flow>,
        els: &mut dyn FnMut(&mut Self) -> Lowered<Flow>,
        span: Span,
    ) -> Lowered<Flow> {
        let before = self.env.clone();
        let values = self.builder.func.types.len();
        let (mark, _) = self.open_region(Vec::new());
        let flow = self.way(then);
        if let Flow::Left(term) = flow {
            let region = self.close_region(mark, term);
            self.env = before;
            self.push_if(cond, region, empty_region(), span);
            return els(self);
        }
        let then_known = self.proven[mark..].to_vec();
        let then_region = self.suspend_region(mark);
        let mut then_env = std::mem::replace(&mut self.env, before.clone());
        let (mark, _) = self.open_region(Vec::new());
        let flow = self.way(els);
        if let Flow::Left(term) = flow {
            let region = self.close_region(mark, term);
            let negated = self.not(cond);
            self.push_if(negated, region, empty_region(), span);
            then_region.stmts.into_iter().for_each(|s| self.builder.push_stmt(s));
            self.env = then_env;
            return Ok(Flow::Through);
        }
        let else_known = self.proven[mark..].to_vec();
        let else_region = self.suspend_region(mark);
        let live = self.live_after(span);
        let mut else_env = std::mem::take(&mut self.env);
        let then_region = self.turn(then_region, &mut then_env, &else_env, &then_known, (&live, values));
        let else_region = self.turn(else_region, &mut else_env, &then_env, &else_known, (&live, values));
        self.env = else_env;
        self.join(cond, &before, (then_region, then_env), else_region, (values, span));
        Ok(Flow::Through)
    }

    /// `break`, `continue`: leaves or goes on with the innermost loop of the program.
    pub fn leave_loop(&mut self, stmt: &Stmt) -> Lowered<Flow> {
        let word = if stmt.kind == StmtKind::Break { "break" } else { "continue" };
        match self.frames.len().checked_sub(1) {
            Some(index) if self.frames[index].kind == FrameKind::Loop => {
                if let (StmtKind::Continue, Some(cond)) = (&stmt.kind, self.frames[index].until.clone()) {
                    self.leave_if(&cond)?;
                }
                let values = self.edge_values(index);
                return Ok(Flow::Left(match stmt.kind {
                    StmtKind::Break => Terminator::Break(0, values),
                    _ => Terminator::Continue(0, values),
                }));
            }
            Some(index) if !matches!(self.frames[index].kind, FrameKind::Call { .. }) => {
                return self.leave_iteration(index, stmt.kind == StmtKind::Break).map(Flow::Left);
            }
            _ => {}
        }
        let message = format!("`{word}` stands outside a loop");
        self.report(Diagnostic::error(Code::OutsideLoop, stmt.span, message).help("`return` leaves a function"))
    }

    /// How many arguments the innermost function was given and how many of its results are used.
    pub fn call_counts(&self) -> Option<(usize, usize)> {
        self.frames.iter().rev().find_map(|f| match f.kind {
            FrameKind::Call { given, wanted, .. } => Some((given, wanted)),
            _ => None,
        })
    }

    /// `return`: the end of the innermost expanded call.
    pub fn leave_call(&mut self, span: Span) -> Lowered<Terminator> {
        let mut depth = 0;
        for index in (0..self.frames.len()).rev() {
            if let FrameKind::Call { in_loop, .. } = self.frames[index].kind {
                if !in_loop {
                    break;
                }
                let values = self.edge_values(index);
                return Ok(Terminator::Break(depth, values));
            }
            depth += u32::from(self.frames[index].is_ir_loop());
        }
        self.stop(Code::OutsideLoop, span, "`return` stands outside a function")
    }
}

fn common_facts(a: &Facts, b: &Facts) -> Facts {
    Facts { nonnegative: a.nonnegative && b.nonnegative, integral: a.integral && b.integral, ..Facts::default() }
}

pub(super) fn empty_region() -> Region {
    Region { params: Vec::new(), stmts: Vec::new(), term: Terminator::Yield(Vec::new()) }
}
