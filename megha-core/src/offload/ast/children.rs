//! What stands directly in statements and expressions of the loop AST.

use super::{Adaptor, Block, Expr, ExprKind, Place, Stmt, StmtKind};

/// A part of a statement or expression.
#[derive(Debug, Clone, Copy)]
pub enum Child<'a> {
    /// An expression.
    Expr(&'a Expr),
    /// A block.
    Block(&'a Block),
}

impl Expr {
    /// Goes through what stands directly in it.
    pub fn children<'a>(&'a self, found: &mut dyn FnMut(Child<'a>)) {
        match &self.kind {
            ExprKind::Float(..) | ExprKind::Int(..) | ExprKind::Bool(_) | ExprKind::Variable(_) => {}
            ExprKind::Extent { .. } | ExprKind::Never | ExprKind::Neutral(_) => {}
            ExprKind::Element { subs, .. } => subs.iter().for_each(|s| found(Child::Expr(s))),
            ExprKind::Neg(a) | ExprKind::Not(a) | ExprKind::Cast(a, _) | ExprKind::Typed(a, _) => found(Child::Expr(a)),
            ExprKind::Part(_, a) => found(Child::Expr(a)),
            ExprKind::Complex(a, b) | ExprKind::Binary(_, a, b) => {
                [a, b].into_iter().for_each(|e| found(Child::Expr(e)))
            }
            ExprKind::Method { receiver, args, .. } => {
                found(Child::Expr(receiver));
                args.iter().for_each(|a| found(Child::Expr(a)));
            }
            ExprKind::If(cond, then, els) => {
                found(Child::Expr(cond));
                [then, els].into_iter().for_each(|b| found(Child::Block(b)));
            }
            ExprKind::Block(block) => found(Child::Block(block)),
        }
    }

    /// Whether it or something in it is of a kind.
    pub fn any(&self, is: &dyn Fn(&ExprKind) -> bool) -> bool {
        let mut all = is(&self.kind);
        self.children(&mut |child| {
            all = all
                || match child {
                    Child::Expr(expr) => expr.any(is),
                    Child::Block(block) => block.any(is),
                }
        });
        all
    }
}

impl Block {
    fn any(&self, is: &dyn Fn(&ExprKind) -> bool) -> bool {
        let mut all = self.value.as_ref().is_some_and(|value| value.any(is));
        for stmt in &self.stmts {
            stmt.children(&mut |child| {
                all = all
                    || match child {
                        Child::Expr(expr) => expr.any(is),
                        Child::Block(block) => block.any(is),
                    }
            });
        }
        all
    }
}

impl Stmt {
    /// Goes through what stands directly in it.
    pub fn children<'a>(&'a self, found: &mut dyn FnMut(Child<'a>)) {
        match &self.kind {
            StmtKind::Let { value, .. } => value.iter().for_each(|v| found(Child::Expr(v))),
            StmtKind::LetArray { dims, fill, .. } => dims.iter().chain([fill]).for_each(|e| found(Child::Expr(e))),
            StmtKind::Assign { place, value, .. } => {
                if let Place::Element { subs, .. } = place {
                    subs.iter().for_each(|s| found(Child::Expr(s)));
                }
                found(Child::Expr(value));
            }
            StmtKind::For { from, to, adaptors, body, .. } => {
                [from, to].into_iter().for_each(|e| found(Child::Expr(e)));
                for adaptor in adaptors {
                    if let Adaptor::StepBy(e) | Adaptor::Take(e) | Adaptor::Skip(e) = adaptor {
                        found(Child::Expr(e));
                    }
                }
                found(Child::Block(body));
            }
            StmtKind::While { cond, body } => {
                found(Child::Expr(cond));
                found(Child::Block(body));
            }
            StmtKind::If { cond, then, els } => {
                found(Child::Expr(cond));
                [then, els].into_iter().for_each(|b| found(Child::Block(b)));
            }
            StmtKind::Block(block) => found(Child::Block(block)),
            StmtKind::Break(_) | StmtKind::Continue(_) | StmtKind::Swap(..) => {}
            StmtKind::Return(values) => values.iter().for_each(|v| found(Child::Expr(v))),
            StmtKind::Assert { cond, .. } => found(Child::Expr(cond)),
            StmtKind::Alike(a, b) => [a, b].into_iter().for_each(|e| found(Child::Expr(e))),
        }
    }
}
