//! Loops that control does not leave to go on behind them: `loop` without a `break` of its own.

use super::children::Child;
use super::{Block, Expr, ExprKind, Stmt, StmtKind};

impl Stmt {
    /// Whether it is a loop whose condition always holds and that no `break` leaves.
    pub fn is_endless(&self) -> bool {
        match &self.kind {
            StmtKind::While { cond, body } => cond.kind == ExprKind::Bool(true) && !body.leaves(0),
            _ => false,
        }
    }

    fn leaves(&self, depth: u32) -> bool {
        let depth = match &self.kind {
            StmtKind::Break(out) => return *out == depth,
            StmtKind::For { .. } | StmtKind::While { .. } => depth + 1,
            _ => depth,
        };
        let mut found = false;
        self.children(&mut |child| found = found || child.leaves(depth));
        found
    }
}

impl Block {
    /// Whether a `break` in it leaves the loop that is so many levels out.
    fn leaves(&self, depth: u32) -> bool {
        self.stmts.iter().any(|stmt| stmt.leaves(depth)) || self.value.as_ref().is_some_and(|value| value.leaves(depth))
    }
}

impl Expr {
    fn leaves(&self, depth: u32) -> bool {
        let mut found = false;
        self.children(&mut |child| found = found || child.leaves(depth));
        found
    }
}

impl Child<'_> {
    fn leaves(&self, depth: u32) -> bool {
        match self {
            Child::Expr(expr) => expr.leaves(depth),
            Child::Block(block) => block.leaves(depth),
        }
    }
}
