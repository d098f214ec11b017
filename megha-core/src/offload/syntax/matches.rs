//! `match` on whole numbers, `bool`s and tuples of them, as a chain of `if`s.

use super::Converter;
use super::expr::plain;
use super::names::{Found, Space};
use super::scope::Meaning;
use crate::offload::ast::{BinaryOp, Block, Expr as Ast, ExprKind, Stmt, StmtKind};
use syn::{Expr, ExprMatch, Pat, RangeLimits};

/// An arm: the condition, if it has one, and what is done.
struct Arm {
    cond: Option<Ast>,
    body: Block,
}

impl Converter {
    /// A `match` that stands alone.
    pub fn match_statement(&mut self, matched: &ExprMatch, out: &mut Vec<Stmt>) -> Option<()> {
        let span = self.span(matched);
        let held = self.scrutinee(matched, out)?;
        let arms = self.arms(matched, &held, false);
        let mut rest = Block::default();
        for arm in arms.into_iter().rev() {
            rest = match arm.cond {
                Some(cond) => {
                    let kind = StmtKind::If { cond, then: arm.body, els: rest };
                    Block { stmts: vec![Stmt { kind, span }], value: None }
                }
                None => arm.body,
            };
        }
        match &rest.stmts[..] {
            [Stmt { kind: StmtKind::If { .. }, .. }] => out.extend(rest.stmts),
            _ => out.push(Stmt { kind: StmtKind::Block(rest), span }),
        }
        Some(())
    }

    /// A `match` with a value.
    pub fn match_value(&mut self, matched: &ExprMatch) -> Option<ExprKind> {
        let mut stmts = Vec::new();
        let held = self.scrutinee(matched, &mut stmts)?;
        let mut rest: Option<Block> = None;
        for arm in self.arms(matched, &held, true).into_iter().rev() {
            rest = Some(match (arm.cond, rest) {
                (Some(cond), Some(els)) => {
                    let value = self.made(ExprKind::If(Box::new(cond), arm.body, els), matched);
                    Block { stmts: Vec::new(), value: Some(Box::new(value)) }
                }
                // The patterns cover everything, so the last arm needs no condition.
                (_, _) => arm.body,
            });
        }
        let mut rest = rest?;
        // The scrutinee comes first, then what the arms are.
        if rest.stmts.is_empty() {
            rest.stmts = stmts;
            return Some(ExprKind::Block(rest));
        }
        let value = self.made(ExprKind::Block(rest), matched);
        Some(ExprKind::Block(Block { stmts, value: Some(Box::new(value)) }))
    }

    /// What is matched, in variables of the loop AST.
    fn scrutinee(&mut self, matched: &ExprMatch, out: &mut Vec<Stmt>) -> Option<Vec<String>> {
        let values = self.results(&matched.expr)?;
        Some(values.into_iter().map(|value| self.hold(value, "matched", &*matched.expr, out)).collect())
    }

    /// The arms in order up to the first that matches everything; the last is made one, as patterns cover everything.
    fn arms(&mut self, matched: &ExprMatch, held: &[String], value: bool) -> Vec<Arm> {
        let mut arms = Vec::new();
        for arm in &matched.arms {
            let depth = self.scope.len();
            let (pat, guard) = match &arm.pat {
                Pat::Guard(guarded) => (&*guarded.pat, Some(&*guarded.guard)),
                pat => (pat, None),
            };
            let cond = self.condition(pat, held);
            let guard = match guard {
                Some(guard) => self.expr(guard).map(Some),
                None => Some(None),
            };
            let body = self.arm_body(&arm.body, value);
            self.scope.truncate(depth);
            let (Some(cond), Some(guard)) = (cond, guard) else { continue };
            let cond = match (cond, guard) {
                (Some(cond), Some(guard)) => {
                    let kind = ExprKind::Binary(BinaryOp::And, Box::new(cond), Box::new(guard));
                    Some(self.made(kind, &arm.pat))
                }
                (cond, guard) => cond.or(guard),
            };
            let all = cond.is_none();
            arms.push(Arm { cond, body });
            if all {
                break;
            }
        }
        if let Some(last) = arms.last_mut() {
            last.cond = None;
        }
        arms
    }

    fn arm_body(&mut self, body: &Expr, value: bool) -> Block {
        match plain(body) {
            Expr::Block(block) if block.label.is_none() && value => self.value_block(&block.block),
            Expr::Block(block) if block.label.is_none() => self.block(&block.block),
            other if value && self.has_value(other) => {
                Block { stmts: Vec::new(), value: self.expr(other).map(Box::new) }
            }
            other => {
                let mut block = Block::default();
                // `()` does nothing; what is refused is reported.
                if !matches!(other, Expr::Tuple(unit) if unit.elems.is_empty()) {
                    let _ = self.statement(other, &mut block.stmts);
                }
                if value {
                    self.never(&mut block, other);
                }
                block
            }
        }
    }

    /// The condition under which a pattern matches: `None` within if it always does, without if it is not taken.
    fn condition(&mut self, pat: &Pat, held: &[String]) -> Option<Option<Ast>> {
        if let (Pat::Tuple(tuple), true) = (pat, held.len() > 1) {
            if tuple.elems.len() != held.len() {
                self.refuse(pat, "a pattern of another length than the tuple", "name each value, or `_`");
                return None;
            }
            let mut all: Option<Ast> = None;
            for (pat, held) in tuple.elems.iter().zip(held) {
                let cond = self.condition(pat, std::slice::from_ref(held))?;
                all = match (all, cond) {
                    (Some(a), Some(b)) => {
                        Some(self.made(ExprKind::Binary(BinaryOp::And, Box::new(a), Box::new(b)), pat))
                    }
                    (a, b) => a.or(b),
                };
            }
            return Some(all);
        }
        let name = held.first()?.clone();
        match pat {
            Pat::Wild(_) => Some(None),
            Pat::Paren(inner) => self.condition(&inner.pat, held),
            Pat::Ident(ident) if ident.subpat.is_none() && ident.by_ref.is_none() => {
                if self.is_constant_pattern(&ident.ident)? {
                    let ident = &ident.ident;
                    let path: Expr = syn::parse_quote!(#ident);
                    return self.equal(&name, &path);
                }
                if ident.mutability.is_some() {
                    let help = "copy it to a variable in the arm";
                    self.refuse(ident, "a mutable name in a pattern is not taken", help);
                    return None;
                }
                self.mean(&ident.ident, Meaning::Number(name));
                Some(None)
            }
            Pat::Lit(literal) => self.equal(&name, &Expr::Lit(literal.clone())),
            Pat::Path(path) => self.equal(&name, &Expr::Path(path.clone())),
            Pat::Range(range) => self.in_range(&name, range),
            Pat::Or(or) => {
                let mut any: Option<Ast> = None;
                for case in &or.cases {
                    let Some(cond) = self.condition(case, held)? else { return Some(None) };
                    any = Some(match any {
                        Some(a) => self.made(ExprKind::Binary(BinaryOp::Or, Box::new(a), Box::new(cond)), pat),
                        None => cond,
                    });
                }
                Some(any)
            }
            other => {
                let help = "numbers, ranges of them, `|`, names and `_` are taken";
                self.refuse(other, "this pattern is not taken", help);
                None
            }
        }
    }

    /// Whether a name in a pattern is compared with, as a constant is, or made.
    fn is_constant_pattern(&mut self, name: &syn::Ident) -> Option<bool> {
        if let Some(meaning) = self.meaning(name) {
            return Some(match meaning {
                Meaning::Number(_) | Meaning::Imported(_) => self.is_item(name),
                Meaning::Array(_) | Meaning::Element(_) | Meaning::Lent(_) => false,
                Meaning::Function(_) | Meaning::Closure(_) => false,
            });
        }
        let text = name.to_string();
        let by_name = super::expr::is_constant(&text);
        match self.resolve(std::slice::from_ref(&text), Space::Value) {
            Found::Item(..) => return Some(self.file_constant(&[text])),
            Found::Missing | Found::Unclear | Found::Elsewhere(_) if by_name => return Some(true),
            Found::Elsewhere(_) => {
                let message = format!("whether `{text}` is a constant here is not known");
                self.refuse(name, message, "write its value, or give the name another one");
                return None;
            }
            Found::Missing | Found::Unclear => {}
        }
        // Rust says if it is a constant nevertheless: then this is no `let`.
        self.checks.push(quote::quote!(let _ = || { struct New; let #name = New; let _ = #name; };));
        Some(false)
    }

    fn equal(&mut self, held: &str, value: &Expr) -> Option<Option<Ast>> {
        let converted = self.expr(value)?;
        let held = self.variable(held, value);
        let kind = match converted.kind {
            ExprKind::Bool(true) => held.kind,
            ExprKind::Bool(false) => ExprKind::Not(Box::new(held)),
            _ => ExprKind::Binary(BinaryOp::Eq, Box::new(held), Box::new(converted)),
        };
        Some(Some(self.made(kind, value)))
    }

    fn in_range(&mut self, held: &str, range: &syn::PatRange) -> Option<Option<Ast>> {
        let upper = if matches!(range.limits, RangeLimits::Closed(_)) { BinaryOp::Le } else { BinaryOp::Lt };
        let mut all: Option<Ast> = None;
        for (op, end) in [(BinaryOp::Ge, &range.start), (upper, &range.end)] {
            let Some(end) = end else { continue };
            let end = self.expr(end)?;
            let held = self.variable(held, range);
            let cond = self.made(ExprKind::Binary(op, Box::new(held), Box::new(end)), range);
            all = Some(match all {
                Some(a) => self.made(ExprKind::Binary(BinaryOp::And, Box::new(a), Box::new(cond)), range),
                None => cond,
            });
        }
        Some(all)
    }
}
