//! Along which dimension a function appends to a variable: `x = [x, v]` and `x(:, k) = v` add columns, `x = [x; v]` and
//! `x(k, :) = v` rows. `[]` has no orientation of its own, so where it meets another array this says which size is zero.

use crate::hash::HashMap;
use crate::matlab::ast::{AccessKind, Expr, ExprKind, LValue, Stmt, StmtKind};

/// By variable the axis, from zero.
pub(super) type AppendAxes = HashMap<String, usize>;

/// The axes of all variables that these statements append to.
pub(super) fn axes(stmts: &[Stmt]) -> AppendAxes {
    let mut found = AppendAxes::default();
    block(stmts, &mut found);
    found
}

fn block(stmts: &[Stmt], found: &mut AppendAxes) {
    for stmt in stmts {
        match &stmt.kind {
            StmtKind::Assign { target, value, .. } => {
                if let Some(axis) = assigned(target, value) {
                    found.entry(target.name.text.clone()).or_insert(axis);
                }
            }
            StmtKind::If { branches, otherwise } => {
                branches.iter().for_each(|b| block(&b.body, found));
                otherwise.iter().for_each(|b| block(b, found));
            }
            StmtKind::Switch { cases, otherwise, .. } => {
                cases.iter().for_each(|c| block(&c.body, found));
                otherwise.iter().for_each(|b| block(b, found));
            }
            StmtKind::For { body, .. } | StmtKind::While { body, .. } | StmtKind::DoUntil { body, .. } => {
                block(body, found);
            }
            _ => {}
        }
    }
}

fn assigned(target: &LValue, value: &Expr) -> Option<usize> {
    match target.accesses.as_slice() {
        [] => in_brackets(&target.name.text, value),
        [access] => match &access.kind {
            AccessKind::Paren(args) => match args.as_slice() {
                [row, _] if matches!(row.kind, ExprKind::Colon) => Some(1),
                [_, column] if matches!(column.kind, ExprKind::Colon) => Some(0),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

/// `[.., x, ..]` or `[..; x; ..]`, or the functions that mean the same.
fn in_brackets(name: &str, value: &Expr) -> Option<usize> {
    let is_name = |expr: &Expr| matches!(&expr.kind, ExprKind::Ident(n) if n == name);
    if let ExprKind::Apply { callee, args } = &value.kind {
        let ExprKind::Ident(function) = &callee.kind else { return None };
        let axis = match (function.as_str(), args.first().map(|a| &a.kind)) {
            ("horzcat", _) => 1,
            ("vertcat", _) => 0,
            ("cat", Some(ExprKind::Number { value, .. })) if *value == 1.0 || *value == 2.0 => *value as usize - 1,
            _ => return None,
        };
        return args.iter().any(is_name).then_some(axis);
    }
    let ExprKind::Matrix { rows } = &value.kind else { return None };
    let row = rows.iter().find(|row| row.iter().any(is_name))?;
    match (rows.len(), row.len()) {
        (1, 2..) => Some(1),
        (2.., 1) => Some(0),
        _ => None,
    }
}
