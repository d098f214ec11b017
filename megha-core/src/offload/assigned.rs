//! Which variables statements assign to: those that a loop carries and a branch joins.

use super::ast::{Block, Child, Expr, Place, Stmt, StmtKind};
use super::lower::Lower;
use std::collections::BTreeSet;

impl Lower<'_> {
    /// The variables from outside that blocks assign to.
    pub(super) fn carried(&self, blocks: &[&Block]) -> Vec<usize> {
        let mut assigned = BTreeSet::new();
        blocks.iter().for_each(|block| self.assigned(block, &mut assigned));
        assigned.into_iter().filter(|v| self.env.contains_key(v)).collect()
    }

    /// Whether a block assigns to a variable.
    pub(super) fn assigns(&self, block: &Block, variable: usize) -> bool {
        self.carried(&[block]).contains(&variable)
    }

    fn assigned(&self, block: &Block, found: &mut BTreeSet<usize>) {
        block.stmts.iter().for_each(|stmt| self.assigned_by(stmt, found));
        if let Some(value) = &block.value {
            self.assigned_in(value, found);
        }
    }

    fn assigned_by(&self, stmt: &Stmt, found: &mut BTreeSet<usize>) {
        if let StmtKind::Assign { place: Place::Variable(name) | Place::Element { array: name, .. }, .. } = &stmt.kind {
            found.insert(self.types.variable(name.span));
        }
        if let StmtKind::Swap(a, b) = &stmt.kind {
            found.extend([a, b].map(|name| self.types.variable(name.span)));
        }
        stmt.children(&mut |child| self.assigned_child(child, found));
    }

    fn assigned_in(&self, expr: &Expr, found: &mut BTreeSet<usize>) {
        expr.children(&mut |child| self.assigned_child(child, found));
    }

    fn assigned_child(&self, child: Child<'_>, found: &mut BTreeSet<usize>) {
        match child {
            Child::Expr(expr) => self.assigned_in(expr, found),
            Child::Block(block) => self.assigned(block, found),
        }
    }
}
