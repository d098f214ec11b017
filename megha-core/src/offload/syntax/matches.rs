//! `match` on whole numbers, `bool`s and tuples of them, as a chain of `if`s, and on an `Option`, as `if let`.

use super::Converter;
use super::expr::plain;
use super::if_let::in_some;
use super::names::{Found, Space};
use super::outer::words;
use super::scope::Meaning;
use crate::offload::ast::{BinaryOp, Block, Expr as Ast, ExprKind, Stmt, StmtKind};
use syn::parse::{Parse, ParseStream};
use syn::{Expr, ExprMatch, Macro, Pat, RangeLimits, Token};

/// An arm: the condition, if it has one, and what is done.
struct Arm {
    cond: Option<Ast>,
    body: Block,
}

/// The contents of `matches!`.
struct Matches {
    value: Expr,
    pat: Pat,
    guard: Option<Expr>,
}

impl Parse for Matches {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let value = input.parse()?;
        input.parse::<Token![,]>()?;
        let pat = Pat::parse_multi_with_leading_vert(input)?;
        let guard = if input.parse::<Option<Token![if]>>()?.is_some() { Some(input.parse()?) } else { None };
        input.parse::<Option<Token![,]>>()?;
        Ok(Self { value, pat, guard })
    }
}

impl Converter {
    /// A `match` that stands alone.
    pub fn match_statement(&mut self, matched: &ExprMatch, out: &mut Vec<Stmt>) -> Option<()> {
        self.match_into(matched, out, &mut |this, body| this.arm_body(body, false))
    }

    /// A `match` whose arms become these blocks.
    pub fn match_into(
        &mut self,
        matched: &ExprMatch,
        out: &mut Vec<Stmt>,
        body: &mut dyn FnMut(&mut Self, &Expr) -> Block,
    ) -> Option<()> {
        let span = self.span(matched);
        if let Some((opened, some, none)) = option_arms(matched) {
            let mut before = Vec::new();
            let (cond, then) = self.opened(&opened, &mut before, &mut |this| body(this, some))?;
            let els = body(self, none);
            before.push(Stmt { kind: StmtKind::If { cond, then, els }, span });
            out.push(Stmt { kind: StmtKind::Block(Block { stmts: before, value: None }), span });
            return Some(());
        }
        let held = self.scrutinee(&matched.expr, out)?;
        let arms = self.arms(matched, &held, body);
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
        if let Some((opened, some, none)) = option_arms(matched) {
            let (cond, then) = self.opened(&opened, &mut stmts, &mut |this| this.arm_body(some, true))?;
            let els = self.arm_body(none, true);
            let value = Some(Box::new(self.made(ExprKind::If(Box::new(cond), then, els), matched)));
            return Some(ExprKind::Block(Block { stmts, value }));
        }
        let held = self.scrutinee(&matched.expr, &mut stmts)?;
        let mut rest: Option<Block> = None;
        let arms = self.arms(matched, &held, &mut |this, body| this.arm_body(body, true));
        for arm in arms.into_iter().rev() {
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
    fn scrutinee(&mut self, matched: &Expr, out: &mut Vec<Stmt>) -> Option<Vec<String>> {
        let values = self.results(matched)?;
        Some(values.into_iter().map(|value| self.hold(value, "matched", matched, out)).collect())
    }

    /// Whether a pattern matches a value, and a condition behind it holds. Its names are seen from here on.
    pub fn matched(&mut self, value: &Expr, pat: &Pat, guard: Option<&Expr>, out: &mut Vec<Stmt>) -> Option<Ast> {
        let held = self.scrutinee(value, out)?;
        let cond = self.condition(pat, &held);
        let guard = match guard {
            Some(guard) => self.expr(guard).map(Some),
            None => Some(None),
        };
        let all = self.made(ExprKind::Bool(true), pat);
        Some(self.both(cond?, guard?, pat).unwrap_or(all))
    }

    /// Whether a macro is `matches!` of Rust.
    pub fn is_matches(&self, mac: &Macro) -> bool {
        let words = words(&mac.path);
        let own = matches!(
            &words.iter().map(|word| &word[..]).collect::<Vec<_>>()[..],
            ["matches"] | ["std" | "core", "matches"]
        );
        own && !self.outer.has_macro("matches")
    }

    /// `matches!(value, pattern if guard)`
    pub fn matches(&mut self, call: &syn::ExprMacro) -> Option<Ast> {
        let Ok(Matches { value, pat, guard }) = syn::parse2(call.mac.tokens.clone()) else {
            self.refuse(call, "`matches!` takes a value and a pattern", "write `matches!(value, pattern)`");
            return None;
        };
        let (mut stmts, depth) = (Vec::new(), self.scope.len());
        let cond = self.matched(&value, &pat, guard.as_ref(), &mut stmts);
        self.scope.truncate(depth);
        let value = Some(Box::new(cond?));
        Some(self.made(ExprKind::Block(Block { stmts, value }), call))
    }

    /// Both of two conditions that there may be.
    fn both(&mut self, a: Option<Ast>, b: Option<Ast>, at: &Pat) -> Option<Ast> {
        match (a, b) {
            (Some(a), Some(b)) => Some(self.made(ExprKind::Binary(BinaryOp::And, Box::new(a), Box::new(b)), at)),
            (a, b) => a.or(b),
        }
    }

    /// The arms in order up to the first that matches everything; the last is made one, as patterns cover everything.
    fn arms(
        &mut self,
        matched: &ExprMatch,
        held: &[String],
        body: &mut dyn FnMut(&mut Self, &Expr) -> Block,
    ) -> Vec<Arm> {
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
            let body = body(self, &arm.body);
            self.scope.truncate(depth);
            let (Some(cond), Some(guard)) = (cond, guard) else { continue };
            let cond = self.both(cond, guard, &arm.pat);
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
                all = self.both(all, cond, pat);
            }
            return Some(all);
        }
        let name = held.first()?.clone();
        match pat {
            Pat::Wild(_) => Some(None),
            Pat::Paren(inner) => self.condition(&inner.pat, held),
            Pat::Ident(ident) if ident.subpat.is_some() && ident.by_ref.is_none() && ident.mutability.is_none() => {
                self.mean(&ident.ident, Meaning::Number(name));
                self.condition(&ident.subpat.as_ref()?.1, held)
            }
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
                Meaning::Array(_) | Meaning::Element(_) | Meaning::Lent(_) | Meaning::Tuple(_) => false,
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

/// `match option { Some(x) => a, None => b }` as `if let Some(x) = option`, and its two ways.
fn option_arms(matched: &ExprMatch) -> Option<(Expr, &Expr, &Expr)> {
    let is_none = |pat: &Pat| match pat {
        Pat::Wild(_) => true,
        Pat::Ident(name) => name.ident == "None",
        _ => false,
    };
    let [first, second] = &matched.arms.iter().collect::<Vec<_>>()[..] else { return None };
    let (some, none) = match (in_some(&first.pat), in_some(&second.pat)) {
        (Some(_), None) if is_none(&second.pat) => (first, second),
        (None, Some(_)) if matches!(&first.pat, Pat::Ident(_)) && is_none(&first.pat) => (second, first),
        _ => return None,
    };
    let (pat, value) = (&some.pat, &matched.expr);
    Some((syn::parse_quote!(let #pat = #value), &some.body, &none.body))
}
