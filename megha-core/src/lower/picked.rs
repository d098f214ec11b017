//! Elements of short lists whose number only the run knows: `fprintf(names{k})`, `x = parts{k}`.
//!
//! A list exists only while compiling, and its elements may be texts or arrays of different sizes. So a statement that takes
//! such an element is lowered once for each of them, in the branches of a chain of comparisons in which the number is known.

use super::control::Flow;
use super::env::Binding;
use super::live::each_child;
use super::reached::Ending;
use super::{Lower, Lowered, Operand, Stop};
use crate::ir::{Binary, Value};
use crate::matlab::ast::{Expr, ExprKind, OutTarget, Stmt, StmtKind};
use crate::source::Span;

/// A statement is lowered at most so often.
const MAX_COPIES: usize = 12;

/// An element that a statement takes.
pub(super) struct Pick {
    /// The variable that says which element, and what it is.
    number: String,
    value: Value,
    /// How many elements there are.
    count: usize,
    at: Span,
}

impl Lower<'_> {
    /// The first element of a list that a statement takes, if a variable says which one and only the run knows it.
    pub fn pick_in(&self, stmt: &Stmt) -> Option<Pick> {
        let mut found = None;
        let mut look = |expr: &Expr| self.look_for_pick(expr, &mut found);
        match &stmt.kind {
            StmtKind::Expr(expr) => look(expr),
            StmtKind::Assign { target, value, .. } if self.keeps_number(&target.name.text) => look(value),
            StmtKind::MultiAssign { targets, value } => {
                let place = |t: &OutTarget| !matches!(t, OutTarget::Place(p) if !self.keeps_number(&p.name.text));
                if targets.iter().all(place) {
                    look(value);
                }
            }
            StmtKind::If { branches, .. } => branches.iter().for_each(|b| look(&b.cond)),
            StmtKind::Switch { subject, .. } => look(subject),
            _ => {}
        }
        found
    }

    /// Whether an assignment to the variable changes no list.
    fn keeps_number(&self, name: &str) -> bool {
        !matches!(self.env.get(name), Some(Binding::Is(Operand::List(_))))
    }

    fn look_for_pick(&self, expr: &Expr, found: &mut Option<Pick>) {
        if found.is_some() || matches!(expr.kind, ExprKind::AnonFn { .. }) {
            return;
        }
        *found = self.pick(expr);
        if found.is_none() {
            each_child(expr, &mut |e| self.look_for_pick(e, found));
        }
    }

    fn pick(&self, expr: &Expr) -> Option<Pick> {
        let ExprKind::BraceIndex { callee, args } = &expr.kind else { return None };
        let (ExprKind::Ident(list), [Expr { kind: ExprKind::Ident(number), .. }]) = (&callee.kind, &args[..]) else {
            return None;
        };
        let (Some(Binding::Is(Operand::List(list))), Some(Binding::Is(Operand::Value(value)))) =
            (self.env.get(list), self.env.get(number))
        else {
            return None;
        };
        let (value, count) = (*value, list.items.len());
        let numeric = |v: Value| self.is_scalar(v) && !self.facts(v).characters;
        // Numbers of one class are a row.
        let numbers = list.items.iter().all(|item| matches!(item, Operand::Value(v) if numeric(*v)));
        let known = self.constant_of(value).is_some() || !self.is_scalar(value);
        let fits = (2..=MAX_COPIES).contains(&count) && !numbers && !known;
        fits.then(|| Pick { number: number.clone(), value, count, at: expr.span })
    }

    /// The statement for each element that it may take.
    pub fn stmt_by_element(&mut self, pick: &Pick, stmt: &Stmt) -> Lowered<Flow> {
        self.each_element(pick, 1, stmt)
    }

    fn each_element(&mut self, pick: &Pick, number: usize, stmt: &Stmt) -> Lowered<Flow> {
        if number > pick.count {
            let message = format!("`{}` is no number of an element: the list has {}", pick.number, pick.count);
            self.unreachable = true;
            self.ending = Some(Ending { identifier: "Octave:index-out-of-bounds", message, at: pick.at, raised: None });
            return Err(Stop);
        }
        let known = self.number(number as f64);
        let cond = self.binary(Binary::Eq, pick.value, known, "the subscript", pick.at)?;
        self.branch(
            cond,
            &mut |this| this.with_element(pick, known, stmt),
            &mut |this| this.each_element(pick, number + 1, stmt),
            stmt.span,
        )
    }

    /// The statement where the number of the element is known.
    fn with_element(&mut self, pick: &Pick, known: Value, stmt: &Stmt) -> Lowered<Flow> {
        let at = self.env.span(&pick.number).unwrap_or(pick.at);
        self.env.set_value(&pick.number, known, at);
        let flow = self.stmt(stmt);
        if self.env.get(&pick.number) == Some(&Binding::Is(Operand::Value(known))) {
            self.env.set_value(&pick.number, pick.value, at);
        }
        flow
    }
}
