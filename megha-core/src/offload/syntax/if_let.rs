//! `if let`: what an `Option` of an iterator or of an end of an array holds, and patterns of numbers.

use super::Converter;
use super::expr::plain;
use super::optional::Found;
use crate::offload::ast::{Block, Expr as Ast, Stmt};
use syn::{Expr, ExprLet, Pat};

impl Converter {
    /// The condition of an `if`, and its first way with the names that the condition gives.
    pub fn opened<B: Opened>(
        &mut self,
        cond: &Expr,
        out: &mut Vec<Stmt>,
        then: &mut dyn FnMut(&mut Self) -> B,
    ) -> Option<(Ast, B)> {
        let Expr::Let(tested) = plain(cond) else {
            // What is wrong with the block is said too.
            let (cond, then) = (self.expr(cond), then(self));
            return Some((cond?, then));
        };
        let depth = self.scope.len();
        let mut first = Vec::new();
        let cond = self.let_condition(tested, out, &mut first);
        let mut block = cond.is_some().then(|| then(self));
        self.scope.truncate(depth);
        if let Some(block) = &mut block {
            block.precede(first);
        }
        cond.zip(block)
    }

    /// Whether a pattern matches; what gives its names comes first in the block behind.
    fn let_condition(&mut self, tested: &ExprLet, out: &mut Vec<Stmt>, first: &mut Vec<Stmt>) -> Option<Ast> {
        let Some(inner) = in_some(&tested.pat) else { return self.matched(&tested.expr, &tested.pat, None, out) };
        let Found { found, passed } = self.found(&tested.expr, out, first)?;
        self.bind_passed(inner, &passed, first)?;
        Some(self.variable(&found, tested))
    }
}

/// The pattern in `Some(..)`.
pub fn in_some(pat: &Pat) -> Option<&Pat> {
    match pat {
        Pat::TupleStruct(some) if some.path.is_ident("Some") && some.elems.len() == 1 => some.elems.first(),
        _ => None,
    }
}

/// A block, or one that there may be.
pub trait Opened {
    /// Puts statements in front.
    fn precede(&mut self, first: Vec<Stmt>);
}

impl Opened for Block {
    fn precede(&mut self, first: Vec<Stmt>) {
        self.stmts.splice(0..0, first);
    }
}

impl Opened for Option<Block> {
    fn precede(&mut self, first: Vec<Stmt>) {
        if let Some(block) = self {
            block.precede(first);
        }
    }
}
