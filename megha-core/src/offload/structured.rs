//! `continue` in the form of `if`: what follows it in the iteration goes into the other branch, so that the loop's statements stay
//! what the analyses know.
//!
//! ```text
//! for i in 0..n {                            for i in 0..n {
//!     if c { a; continue; }           →          if c { a; } else { b; }
//!     b;                                     }
//! }
//! ```
//!
//! Only where the branch ends in `continue` of the innermost loop; any other stays a jump.

use super::ast::{Block, Function, Stmt, StmtKind};

/// Restructures a function.
pub(super) fn run(function: &Function) -> Function {
    let mut function = function.clone();
    block(&mut function.body, false);
    function
}

/// Restructures the loops in a block, and the block if the iteration of a loop ends behind it.
fn block(own: &mut Block, ends_iteration: bool) {
    if ends_iteration {
        restructure(own);
    }
    let last = own.stmts.len().saturating_sub(1);
    for (at, stmt) in own.stmts.iter_mut().enumerate() {
        let ends = ends_iteration && at == last;
        match &mut stmt.kind {
            StmtKind::For { body, .. } | StmtKind::While { body, .. } => block(body, true),
            StmtKind::If { then, els, .. } => [then, els].into_iter().for_each(|branch| block(branch, ends)),
            StmtKind::Block(inner) => block(inner, ends),
            StmtKind::Let { .. } | StmtKind::LetArray { .. } | StmtKind::Assign { .. } => {}
            StmtKind::Break(_) | StmtKind::Continue(_) | StmtKind::Return(_) => {}
            StmtKind::Assert { .. } | StmtKind::Alike(..) | StmtKind::Swap(..) => {}
        }
    }
}

/// A block behind which the iteration ends, of which what follows such a branch goes into the other one.
fn restructure(block: &mut Block) {
    let first = block.stmts.iter().position(|stmt| match &stmt.kind {
        StmtKind::If { then, els, .. } => ends(then) != ends(els),
        StmtKind::Continue(out) => *out == 0,
        StmtKind::Let { .. } | StmtKind::LetArray { .. } | StmtKind::Assign { .. } | StmtKind::Block(_) => false,
        StmtKind::For { .. } | StmtKind::While { .. } | StmtKind::Break(_) | StmtKind::Return(_) => false,
        StmtKind::Assert { .. } | StmtKind::Alike(..) | StmtKind::Swap(..) => false,
    });
    if let Some(at) = first {
        let rest = block.stmts.split_off(at + 1);
        match block.stmts.last_mut().map(|stmt| (&mut stmt.kind, stmt.span)) {
            Some((StmtKind::If { then, els, .. }, span)) => {
                let (leaves, stays) = if ends(then) { (then, els) } else { (els, then) };
                leaves.stmts.pop();
                // What is declared in the branch is not seen behind it.
                let inner = std::mem::take(stays);
                if !inner.stmts.is_empty() {
                    stays.stmts.push(Stmt { kind: StmtKind::Block(inner), span });
                }
                stays.stmts.extend(rest);
            }
            _ => drop(block.stmts.pop()),
        }
    }
}

/// Whether a block ends in `continue` of the innermost loop.
fn ends(block: &Block) -> bool {
    matches!(block.stmts.last().map(|stmt| &stmt.kind), Some(StmtKind::Continue(0)))
}
