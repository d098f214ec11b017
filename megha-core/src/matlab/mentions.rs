//! The names that a function mentions: those of the functions that it may call are among them, also those that it calls by
//! a text, as `feval` does.

use std::collections::BTreeSet;

use crate::matlab::ast::{Access, AccessKind, Expr, ExprKind, Function, LValue, OutTarget, Stmt, StmtKind};

/// All names that occur as values in the statements of a function, its declarations and its nested functions.
pub fn of_function(function: &Function) -> BTreeSet<String> {
    let mut found = Mentions::default();
    found.block(&function.body);
    for declaration in function.arguments.iter().flat_map(|block| &block.declarations) {
        found.all(&declaration.validators);
        declaration.default.iter().for_each(|value| found.expr(value));
    }
    let nested = function.nested.iter().flat_map(of_function);
    found.names.into_iter().chain(nested).collect()
}

/// All names that occur as values in statements.
pub fn of_block(stmts: &[Stmt]) -> BTreeSet<String> {
    let mut found = Mentions::default();
    found.block(stmts);
    found.names
}

#[derive(Default)]
struct Mentions {
    names: BTreeSet<String>,
}

impl Mentions {
    fn block(&mut self, stmts: &[Stmt]) {
        stmts.iter().for_each(|stmt| self.stmt(stmt));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Expr(value) => self.expr(value),
            StmtKind::Assign { target, value, .. } => {
                self.target(target);
                self.expr(value);
            }
            StmtKind::MultiAssign { targets, value } => {
                for target in targets {
                    if let OutTarget::Place(place) = target {
                        self.target(place);
                    }
                }
                self.expr(value);
            }
            StmtKind::If { branches, otherwise } => {
                for branch in branches {
                    self.expr(&branch.cond);
                    self.block(&branch.body);
                }
                otherwise.iter().for_each(|body| self.block(body));
            }
            StmtKind::For { target, range, body, .. } => {
                self.target(target);
                self.expr(range);
                self.block(body);
            }
            StmtKind::While { cond, body } | StmtKind::DoUntil { body, cond } => {
                self.expr(cond);
                self.block(body);
            }
            StmtKind::Switch { subject, cases, otherwise } => {
                self.expr(subject);
                for case in cases {
                    self.expr(&case.pattern);
                    self.block(&case.body);
                }
                otherwise.iter().for_each(|body| self.block(body));
            }
            StmtKind::Try { body, handler, .. } | StmtKind::UnwindProtect { body, cleanup: handler } => {
                self.block(body);
                self.block(handler);
            }
            StmtKind::Command { name, .. } => drop(self.names.insert(name.text.clone())),
            StmtKind::Break | StmtKind::Continue | StmtKind::Return | StmtKind::Global(_) | StmtKind::Persistent(_) => {
            }
        }
    }

    fn target(&mut self, target: &LValue) {
        for Access { kind, .. } in &target.accesses {
            match kind {
                AccessKind::Paren(args) | AccessKind::Brace(args) => self.all(args),
                AccessKind::DynamicField(field) => self.expr(field),
                AccessKind::Field(_) => {}
            }
        }
    }

    fn all(&mut self, list: &[Expr]) {
        list.iter().for_each(|expr| self.expr(expr));
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Ident(name) => drop(self.names.insert(name.clone())),
            ExprKind::FuncHandle(name) => drop(self.names.insert(name.text.clone())),
            ExprKind::Unary { operand, .. } | ExprKind::Transpose { operand, .. } => self.expr(operand),
            ExprKind::Binary { lhs, rhs, .. } | ExprKind::ShortCircuit { lhs, rhs, .. } => {
                self.expr(lhs);
                self.expr(rhs);
            }
            ExprKind::Range { start, step, stop } => {
                self.expr(start);
                step.iter().for_each(|step| self.expr(step));
                self.expr(stop);
            }
            ExprKind::Matrix { rows } | ExprKind::Cell { rows } => rows.iter().for_each(|row| self.all(row)),
            ExprKind::Apply { callee, args } | ExprKind::BraceIndex { callee, args } => {
                self.expr(callee);
                self.all(args);
            }
            ExprKind::Field { object, .. } => self.expr(object),
            ExprKind::DynamicField { object, field } => {
                self.expr(object);
                self.expr(field);
            }
            ExprKind::AnonFn { body, .. } => self.expr(body),
            ExprKind::Str { text, .. } => drop(self.names.insert(text.clone())),
            ExprKind::Number { .. } | ExprKind::Integer { .. } | ExprKind::Colon | ExprKind::End => {}
        }
    }
}
