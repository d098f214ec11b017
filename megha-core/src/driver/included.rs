//! Scripts that a program runs by their names: their statements stand where the name stood, as if they were written there.
//!
//! A script with a `return`, which ends the script alone, stays a name that means nothing.

use std::collections::BTreeMap;

use super::load::Unit;
use super::nested::{assigned, own};
use crate::matlab::ast::{ExprKind, Stmt, StmtKind};
use crate::matlab::walk::{self, Visitor};

type Scripts = BTreeMap<String, Vec<Stmt>>;

/// Puts the statements of the scripts among `units`, but the first, where their names are statements.
pub fn put_in_place(units: &mut [Unit]) {
    let scripts: Scripts = units.iter().skip(1).filter_map(script).collect();
    if scripts.is_empty() {
        return;
    }
    for unit in units {
        for function in &mut unit.program.functions {
            let variables: Vec<String> = own(function).chain(assigned(&function.body)).collect();
            replace(&mut function.body, &scripts, &variables);
        }
        let variables: Vec<String> = assigned(&unit.program.script).into_iter().collect();
        replace(&mut unit.program.script, &scripts, &variables);
    }
}

/// The name and the statements of a script that others can run.
fn script(unit: &Unit) -> Option<(String, Vec<Stmt>)> {
    let name = unit.path.as_deref()?.file_stem()?.to_str()?.to_owned();
    let mut returns = Returns(false);
    walk::stmts(&unit.program.script, &mut returns);
    (!unit.program.script.is_empty() && !returns.0).then(|| (name, unit.program.script.clone()))
}

struct Returns(bool);

impl Visitor for Returns {
    fn stmt(&mut self, stmt: &Stmt) {
        self.0 |= matches!(stmt.kind, StmtKind::Return);
    }
}

/// `others`: names that are no scripts here, variables and the scripts that run already.
fn replace(body: &mut Vec<Stmt>, scripts: &Scripts, others: &[String]) {
    for mut stmt in std::mem::take(body) {
        let name = run_by(&stmt).filter(|name| !others.iter().any(|other| other == name));
        match name.and_then(|name| scripts.get_key_value(name)) {
            Some((name, statements)) => {
                let mut statements = statements.clone();
                replace(&mut statements, scripts, &[others, std::slice::from_ref(name)].concat());
                body.extend(statements);
            }
            None => {
                blocks(&mut stmt).into_iter().for_each(|block| replace(block, scripts, others));
                body.push(stmt);
            }
        }
    }
}

/// The name that a statement consists of.
fn run_by(stmt: &Stmt) -> Option<&str> {
    match &stmt.kind {
        StmtKind::Expr(expr) => match &expr.kind {
            ExprKind::Ident(name) => Some(name),
            _ => None,
        },
        _ => None,
    }
}

/// The blocks of a statement.
fn blocks(stmt: &mut Stmt) -> Vec<&mut Vec<Stmt>> {
    match &mut stmt.kind {
        StmtKind::If { branches, otherwise } => branches.iter_mut().map(|b| &mut b.body).chain(otherwise).collect(),
        StmtKind::Switch { cases, otherwise, .. } => cases.iter_mut().map(|c| &mut c.body).chain(otherwise).collect(),
        StmtKind::For { body, .. } | StmtKind::While { body, .. } | StmtKind::DoUntil { body, .. } => vec![body],
        StmtKind::Try { body, handler, .. } | StmtKind::UnwindProtect { body, cleanup: handler } => vec![body, handler],
        _ => Vec::new(),
    }
}
