//! The names that a function mentions: those of the functions that it may call are among them, also those that it calls by
//! a text, as `feval` does.

use std::collections::BTreeSet;

use super::ast::{Expr, ExprKind, Function, Stmt, StmtKind};
use super::walk::{self, Visitor};

/// All names that occur as values in the statements of a function, its declarations and its nested functions.
pub fn of_function(function: &Function) -> BTreeSet<String> {
    let mut found = Mentions::default();
    walk::stmts(&function.body, &mut found);
    for declaration in function.arguments.iter().flat_map(|block| &block.declarations) {
        declaration.validators.iter().chain(&declaration.default).for_each(|value| walk::expr(value, &mut found));
    }
    let nested = function.nested.iter().flat_map(of_function);
    found.names.into_iter().chain(nested).collect()
}

/// All names that occur as values in statements.
pub fn of_block(stmts: &[Stmt]) -> BTreeSet<String> {
    let mut found = Mentions::default();
    walk::stmts(stmts, &mut found);
    found.names
}

/// All names that occur as values in an expression.
pub fn of_expr(expr: &Expr) -> BTreeSet<String> {
    let mut found = Mentions::default();
    walk::expr(expr, &mut found);
    found.names
}

#[derive(Default)]
struct Mentions {
    names: BTreeSet<String>,
}

impl Visitor for Mentions {
    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Ident(name) => drop(self.names.insert(name.clone())),
            ExprKind::FuncHandle(name) => drop(self.names.insert(name.text.clone())),
            ExprKind::Str { text, .. } => drop(self.names.insert(text.clone())),
            _ => {}
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        if let StmtKind::Command { name, .. } = &stmt.kind {
            self.names.insert(name.text.clone());
        }
    }
}
