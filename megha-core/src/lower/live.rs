//! Which variables are live after each statement: φ-values are made for live variables only (MEGHA 3.1.2).
//!
//! A backward analysis over the syntax tree of one function. Loops are iterated until nothing changes.

use super::append::AppendAxes;
use crate::hash::HashMap;
use crate::matlab::ast::{Access, AccessKind, Expr, ExprKind, Function, LValue, OutTarget, Param, Stmt, StmtKind};
use crate::source::Span;
use std::collections::BTreeSet;

/// A set of variable names.
pub(super) type Names = BTreeSet<String>;

/// The live sets of a function's statements, by their spans.
#[derive(Debug, Clone, Default)]
pub(super) struct Liveness {
    after: HashMap<Span, Names>,
    /// At the start of each iteration.
    head: HashMap<Span, Names>,
    /// Not liveness, but known of the same function: how it appends to variables.
    pub appends: AppendAxes,
}

impl Liveness {
    /// Analyses a function; its outputs are live at the end and at each `return`.
    pub fn of(function: &Function) -> Self {
        let mut live = Self { appends: super::append::axes(&function.body), ..Self::default() };
        let outputs: Names = function.outputs.iter().map(|o| o.text.clone()).collect();
        let mut walk = Walk { live: &mut live, ret: outputs.clone(), brk: Vec::new() };
        walk.block(&function.body, outputs);
        live
    }

    /// Variables whose value may be used after the statement at this span.
    pub fn after(&self, span: Span) -> Names {
        self.after.get(&span).cloned().unwrap_or_default()
    }

    /// Variables whose value at the start of an iteration of this loop may be used.
    pub fn at_head(&self, span: Span) -> Names {
        self.head.get(&span).cloned().unwrap_or_default()
    }
}

struct Walk<'a> {
    live: &'a mut Liveness,
    ret: Names,
    /// For each enclosing loop: live after it, live at its next iteration.
    brk: Vec<(Names, Names)>,
}

impl Walk<'_> {
    fn block(&mut self, stmts: &[Stmt], mut live: Names) -> Names {
        for stmt in stmts.iter().rev() {
            self.live.after.insert(stmt.span, live.clone());
            live = self.stmt(stmt, live);
        }
        live
    }

    fn stmt(&mut self, stmt: &Stmt, mut live: Names) -> Names {
        match &stmt.kind {
            StmtKind::Expr(e) => uses(e, &mut live),
            StmtKind::Assign { target, op, value } => {
                if op.is_none() {
                    kill(target, &mut live);
                } else {
                    live.insert(target.name.text.clone());
                }
                target_uses(target, &mut live);
                uses(value, &mut live);
            }
            StmtKind::MultiAssign { targets, value } => {
                let places = || targets.iter().filter_map(|t| if let OutTarget::Place(l) = t { Some(l) } else { None });
                places().for_each(|l| kill(l, &mut live));
                places().for_each(|l| target_uses(l, &mut live));
                uses(value, &mut live);
            }
            StmtKind::If { branches, otherwise } => {
                let after = live.clone();
                let mut rest = self.block(otherwise.as_deref().unwrap_or(&[]), after.clone());
                for branch in branches.iter().rev() {
                    rest.extend(self.block(&branch.body, after.clone()));
                    uses(&branch.cond, &mut rest);
                }
                return rest;
            }
            StmtKind::Switch { subject, cases, otherwise } => {
                let mut all = self.block(otherwise.as_deref().unwrap_or(&[]), live.clone());
                for case in cases {
                    all.extend(self.block(&case.body, live.clone()));
                    uses(&case.pattern, &mut all);
                }
                uses(subject, &mut all);
                return all;
            }
            StmtKind::For { target, range, body, .. } => {
                let mut head = self.loop_body(stmt.span, body, (None, Some(target)), &live);
                head.extend(live);
                uses(range, &mut head);
                return head;
            }
            StmtKind::While { cond, body } => {
                let mut head = self.loop_body(stmt.span, body, (Some(cond), None), &live);
                // An iteration starts with the condition.
                uses(cond, &mut head);
                self.live.head.insert(stmt.span, head.clone());
                head.extend(live);
                return head;
            }
            StmtKind::DoUntil { body, cond } => return self.loop_body(stmt.span, body, (Some(cond), None), &live),
            StmtKind::Break => return self.brk.last().map_or(live, |(after, _)| after.clone()),
            StmtKind::Continue => return self.brk.last().map_or(live, |(_, head)| head.clone()),
            StmtKind::Return => return self.ret.clone(),
            StmtKind::Try { body, handler, .. } | StmtKind::UnwindProtect { body, cleanup: handler } => {
                let handled = self.block(handler, live.clone());
                live.extend(handled);
                return self.block(body, live);
            }
            StmtKind::Global(_) | StmtKind::Persistent(_) | StmtKind::Command { .. } => {}
        }
        live
    }

    /// The variables live at the start of the body, found by iteration. A loop variable is assigned before the body.
    fn loop_body(
        &mut self,
        span: Span,
        body: &[Stmt],
        (cond, target): (Option<&Expr>, Option<&LValue>),
        after: &Names,
    ) -> Names {
        let mut end = after.clone();
        if let Some(cond) = cond {
            uses(cond, &mut end);
        }
        loop {
            self.brk.push((after.clone(), end.clone()));
            let mut head = self.block(body, end.clone());
            self.brk.pop();
            if let Some(target) = target {
                kill(target, &mut head);
            }
            let before = end.len();
            end.extend(head.iter().cloned());
            if end.len() == before {
                self.live.head.insert(span, head.clone());
                return head;
            }
        }
    }
}

fn kill(target: &LValue, live: &mut Names) {
    if target.accesses.is_empty() {
        live.remove(&target.name.text);
        let fields = format!("{}.", target.name.text);
        live.retain(|name| !name.starts_with(&fields));
    }
}

fn target_uses(target: &LValue, live: &mut Names) {
    if !target.accesses.is_empty() {
        live.insert(target.name.text.clone());
    }
    for Access { kind, .. } in &target.accesses {
        match kind {
            AccessKind::Paren(args) | AccessKind::Brace(args) => args.iter().for_each(|a| uses(a, live)),
            AccessKind::Field(_) => {}
            AccessKind::DynamicField(e) => uses(e, live),
        }
    }
}

/// Adds the names that an expression mentions.
pub(super) fn uses(expr: &Expr, live: &mut Names) {
    match &expr.kind {
        ExprKind::Ident(name) => {
            live.insert(name.clone());
        }
        // exist('x') asks for a variable by its name.
        ExprKind::Str { text, .. } => drop(live.insert(text.clone())),
        ExprKind::AnonFn { params, body } => {
            let mut inner = Names::new();
            uses(body, &mut inner);
            for param in params {
                if let Param::Named(name) = param {
                    inner.remove(&name.text);
                }
            }
            live.extend(inner);
        }
        _ => each_child(expr, &mut |e| uses(e, live)),
    }
}

/// Calls `f` on each direct subexpression.
pub(super) fn each_child(expr: &Expr, f: &mut impl FnMut(&Expr)) {
    match &expr.kind {
        ExprKind::Number { .. }
        | ExprKind::Wide(_)
        | ExprKind::Integer { .. }
        | ExprKind::Str { .. }
        | ExprKind::Ident(_)
        | ExprKind::Colon
        | ExprKind::End
        | ExprKind::FuncHandle(_) => {}
        ExprKind::Unary { operand, .. } | ExprKind::Transpose { operand, .. } => f(operand),
        ExprKind::Binary { lhs, rhs, .. } | ExprKind::ShortCircuit { lhs, rhs, .. } => {
            f(lhs);
            f(rhs);
        }
        ExprKind::Range { start, step, stop } => {
            f(start);
            step.iter().for_each(|s| f(s));
            f(stop);
        }
        ExprKind::Matrix { rows } | ExprKind::Cell { rows } => rows.iter().flatten().for_each(f),
        ExprKind::Apply { callee, args } | ExprKind::BraceIndex { callee, args } => {
            f(callee);
            args.iter().for_each(f);
        }
        ExprKind::Field { object, .. } => f(object),
        ExprKind::DynamicField { object, field } => {
            f(object);
            f(field);
        }
        ExprKind::AnonFn { body, .. } => f(body),
    }
}

/// The variables that statements assign, nested ones included.
pub(super) fn assigned(stmts: &[Stmt], out: &mut Names) {
    for stmt in stmts {
        match &stmt.kind {
            StmtKind::Assign { target, .. } => {
                out.insert(target.name.text.clone());
            }
            StmtKind::MultiAssign { targets, .. } => {
                for target in targets {
                    if let OutTarget::Place(place) = target {
                        out.insert(place.name.text.clone());
                    }
                }
            }
            StmtKind::If { branches, otherwise } => {
                branches.iter().for_each(|b| assigned(&b.body, out));
                otherwise.iter().for_each(|b| assigned(b, out));
            }
            StmtKind::Switch { cases, otherwise, .. } => {
                cases.iter().for_each(|c| assigned(&c.body, out));
                otherwise.iter().for_each(|b| assigned(b, out));
            }
            StmtKind::For { target, body, .. } => {
                out.insert(target.name.text.clone());
                assigned(body, out);
            }
            StmtKind::While { body, .. } | StmtKind::DoUntil { body, .. } => assigned(body, out),
            StmtKind::Try { body, handler, .. } | StmtKind::UnwindProtect { body, cleanup: handler } => {
                assigned(body, out);
                assigned(handler, out);
            }
            StmtKind::Expr(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return
            | StmtKind::Global(_)
            | StmtKind::Persistent(_)
            | StmtKind::Command { .. } => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{diag::Diagnostics, matlab, source::SourceMap};

    fn analysed(text: &str) -> (Function, Liveness) {
        let mut sources = SourceMap::new();
        let id = sources.add("f.m", text);
        let mut diags = Diagnostics::new();
        let program = matlab::parse(sources.get(id).unwrap(), &mut diags);
        let function = program.functions[0].clone();
        let live = Liveness::of(&function);
        (function, live)
    }

    fn names(list: &[&str]) -> Names {
        list.iter().map(|n| (*n).to_owned()).collect()
    }

    /// The condition is computed before the body, which assigns its variable anew.
    #[test]
    fn a_condition_is_part_of_the_iteration() {
        let (function, live) =
            analysed("function y = f(y)\nagain = 1;\nwhile again\n again = 0; y = y - 1;\nend\nend\n");
        assert_eq!(live.at_head(function.body[1].span), names(&["again", "y"]));
        let (function, live) = analysed("function y = f(y)\ndo\n again = 0; y = y - 1;\nuntil again\nend\n");
        assert_eq!(live.at_head(function.body[0].span), names(&["y"]));
    }
}
