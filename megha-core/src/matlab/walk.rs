//! Visits everything in statements, in source order.

use super::ast::{AccessKind, Expr, ExprKind, LValue, OutTarget, Stmt, StmtKind};

/// What a walk does on its way; nested parts are visited after what holds them.
pub(crate) trait Visitor {
    /// An expression, whether or not it is part of another.
    fn expr(&mut self, _: &Expr) {}
    /// What an assignment writes.
    fn target(&mut self, _: &LValue) {}
    /// A statement, nested or not.
    fn stmt(&mut self, _: &Stmt) {}
}

/// Visits statements.
pub(crate) fn stmts(list: &[Stmt], to: &mut impl Visitor) {
    list.iter().for_each(|stmt| visit(stmt, to));
}

fn visit(stmt: &Stmt, to: &mut impl Visitor) {
    to.stmt(stmt);
    match &stmt.kind {
        StmtKind::Expr(value) => expr(value, to),
        StmtKind::Assign { target, value, .. } => {
            place(target, to);
            expr(value, to);
        }
        StmtKind::MultiAssign { targets, value } => {
            for target in targets {
                if let OutTarget::Place(target) = target {
                    place(target, to);
                }
            }
            expr(value, to);
        }
        StmtKind::If { branches, otherwise } => {
            for branch in branches {
                expr(&branch.cond, to);
                stmts(&branch.body, to);
            }
            otherwise.iter().for_each(|body| stmts(body, to));
        }
        StmtKind::For { target, range, body, .. } => {
            place(target, to);
            expr(range, to);
            stmts(body, to);
        }
        StmtKind::While { cond, body } => {
            expr(cond, to);
            stmts(body, to);
        }
        StmtKind::DoUntil { body, cond } => {
            stmts(body, to);
            expr(cond, to);
        }
        StmtKind::Switch { subject, cases, otherwise } => {
            expr(subject, to);
            for case in cases {
                expr(&case.pattern, to);
                stmts(&case.body, to);
            }
            otherwise.iter().for_each(|body| stmts(body, to));
        }
        StmtKind::Try { body, handler, .. } | StmtKind::UnwindProtect { body, cleanup: handler } => {
            stmts(body, to);
            stmts(handler, to);
        }
        StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Return
        | StmtKind::Global(_)
        | StmtKind::Persistent(_)
        | StmtKind::Command { .. } => {}
    }
}

fn place(target: &LValue, to: &mut impl Visitor) {
    to.target(target);
    for access in &target.accesses {
        match &access.kind {
            AccessKind::Paren(args) | AccessKind::Brace(args) => args.iter().for_each(|arg| expr(arg, to)),
            AccessKind::DynamicField(field) => expr(field, to),
            AccessKind::Field(_) => {}
        }
    }
}

/// Visits an expression.
pub(crate) fn expr(whole: &Expr, to: &mut impl Visitor) {
    to.expr(whole);
    let all = |list: &[Expr], to: &mut _| list.iter().for_each(|part| expr(part, to));
    match &whole.kind {
        ExprKind::Unary { operand, .. } | ExprKind::Transpose { operand, .. } => expr(operand, to),
        ExprKind::Binary { lhs, rhs, .. } | ExprKind::ShortCircuit { lhs, rhs, .. } => {
            expr(lhs, to);
            expr(rhs, to);
        }
        ExprKind::Range { start, step, stop } => {
            expr(start, to);
            step.iter().for_each(|step| expr(step, to));
            expr(stop, to);
        }
        ExprKind::Matrix { rows } | ExprKind::Cell { rows } => rows.iter().for_each(|row| all(row, to)),
        ExprKind::Apply { callee, args } | ExprKind::BraceIndex { callee, args } => {
            expr(callee, to);
            all(args, to);
        }
        ExprKind::Field { object, .. } => expr(object, to),
        ExprKind::DynamicField { object, field } => {
            expr(object, to);
            expr(field, to);
        }
        ExprKind::AnonFn { body, .. } => expr(body, to),
        ExprKind::Ident(_)
        | ExprKind::FuncHandle(_)
        | ExprKind::Str { .. }
        | ExprKind::Number { .. }
        | ExprKind::Wide(_)
        | ExprKind::Integer { .. }
        | ExprKind::Colon
        | ExprKind::End => {}
    }
}
