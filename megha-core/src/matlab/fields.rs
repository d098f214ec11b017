//! Fields of structs as variables of their own: `p.a` becomes the variable `p.a`, a name that no text can give a variable otherwise.
//!
//! What is left of [`ExprKind::Field`] afterwards is a field of something that is no variable, or of an array of structs.

use super::ast::{Access, AccessKind, Expr, ExprKind, Function, LValue, OutTarget, Program, Stmt, StmtKind};

/// Rewrites all functions and statements of a file.
pub(crate) fn as_variables(program: &mut Program) {
    program.functions.iter_mut().for_each(function);
    block(&mut program.script);
}

fn function(function: &mut Function) {
    block(&mut function.body);
    function.nested.iter_mut().for_each(self::function);
}

fn block(stmts: &mut [Stmt]) {
    for stmt in stmts {
        match &mut stmt.kind {
            StmtKind::Expr(value) => expr(value),
            StmtKind::Assign { target, value, .. } => {
                place(target);
                expr(value);
            }
            StmtKind::MultiAssign { targets, value } => {
                for target in targets {
                    if let OutTarget::Place(target) = target {
                        place(target);
                    }
                }
                expr(value);
            }
            StmtKind::If { branches, otherwise } => {
                for branch in branches {
                    expr(&mut branch.cond);
                    block(&mut branch.body);
                }
                otherwise.iter_mut().for_each(|body| block(body));
            }
            StmtKind::For { target, range, body, .. } => {
                place(target);
                expr(range);
                block(body);
            }
            StmtKind::While { cond, body } | StmtKind::DoUntil { body, cond } => {
                expr(cond);
                block(body);
            }
            StmtKind::Switch { subject, cases, otherwise } => {
                expr(subject);
                for case in cases {
                    expr(&mut case.pattern);
                    block(&mut case.body);
                }
                otherwise.iter_mut().for_each(|body| block(body));
            }
            StmtKind::Try { body, handler, .. } | StmtKind::UnwindProtect { body, cleanup: handler } => {
                block(body);
                block(handler);
            }
            StmtKind::Global(_)
            | StmtKind::Persistent(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return
            | StmtKind::Command { .. } => {}
        }
    }
}

/// `p.a(i) = e`: a part of the variable `p.a`.
fn place(target: &mut LValue) {
    while let Some(Access { kind: AccessKind::Field(field), .. }) = target.accesses.first() {
        target.name.text = format!("{}.{}", target.name.text, field.text);
        target.accesses.remove(0);
    }
    for Access { kind, .. } in &mut target.accesses {
        match kind {
            AccessKind::Paren(args) | AccessKind::Brace(args) => args.iter_mut().for_each(expr),
            AccessKind::DynamicField(name) => expr(name),
            AccessKind::Field(_) => {}
        }
    }
}

fn expr(e: &mut Expr) {
    match &mut e.kind {
        ExprKind::Number { .. }
        | ExprKind::Wide(_)
        | ExprKind::Integer { .. }
        | ExprKind::Str { .. }
        | ExprKind::Ident(_)
        | ExprKind::Colon
        | ExprKind::End
        | ExprKind::FuncHandle(_) => {}
        ExprKind::Unary { operand, .. } | ExprKind::Transpose { operand, .. } => expr(operand),
        ExprKind::Binary { lhs, rhs, .. } | ExprKind::ShortCircuit { lhs, rhs, .. } => {
            expr(lhs);
            expr(rhs);
        }
        ExprKind::Range { start, step, stop } => {
            expr(start);
            step.iter_mut().for_each(|step| expr(step));
            expr(stop);
        }
        ExprKind::Matrix { rows } | ExprKind::Cell { rows } => rows.iter_mut().flatten().for_each(expr),
        ExprKind::Apply { callee, args } | ExprKind::BraceIndex { callee, args } => {
            expr(callee);
            args.iter_mut().for_each(expr);
        }
        ExprKind::DynamicField { object, field } => {
            expr(object);
            expr(field);
        }
        ExprKind::AnonFn { body, .. } => expr(body),
        ExprKind::Field { object, name } => {
            expr(object);
            if let ExprKind::Ident(variable) = &object.kind {
                e.kind = ExprKind::Ident(format!("{variable}.{}", name.text));
            }
        }
    }
}
