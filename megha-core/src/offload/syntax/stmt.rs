//! Statements.

use super::Converter;
use super::around::{gives_value, labelled_value};
use super::arrays::place;
use super::describe::describe;
use super::expr::{compound, plain};
use crate::offload::ast::{BinaryOp, Block, Expr as Ast, ExprKind, Place, Stmt, StmtKind};
use quote::ToTokens;
use syn::{Expr, ExprAssign, ExprBinary, ExprIf, ExprReturn, ExprWhile};

impl Converter {
    /// A block.
    pub fn block(&mut self, block: &syn::Block) -> Block {
        self.block_with(block, &mut |this, value, converted| {
            converted.value = this.expr(value).map(Box::new);
            Some(())
        })
    }

    /// A block, with what is done with its value.
    pub fn block_with(
        &mut self,
        block: &syn::Block,
        value: &mut dyn FnMut(&mut Self, &Expr, &mut Block) -> Option<()>,
    ) -> Block {
        let depth = self.scope.len();
        let mut converted = Block::default();
        self.items(block, &mut converted.stmts);
        for (at, stmt) in block.stmts.iter().enumerate() {
            let is_last = at + 1 == block.stmts.len();
            let before = self.problems.len();
            let done = match stmt {
                syn::Stmt::Local(local) => self.local(local, &mut converted.stmts),
                syn::Stmt::Expr(expr, None) if is_last && self.has_value(expr) => value(self, expr, &mut converted),
                syn::Stmt::Expr(expr, _) => self.statement(expr, &mut converted.stmts),
                syn::Stmt::Item(_) => Some(()),
                syn::Stmt::Macro(call) if is_last && call.semi_token.is_none() && self.is_matches(&call.mac) => {
                    let expr = Expr::Macro(syn::ExprMacro { attrs: Vec::new(), mac: call.mac.clone() });
                    value(self, &expr, &mut converted)
                }
                syn::Stmt::Macro(call) => self.macro_statement(&call.mac, call, &mut converted.stmts),
            };
            if done.is_none() && self.problems.len() == before {
                self.lost(stmt);
            }
        }
        self.scope.truncate(depth);
        converted
    }

    /// A statement, which may become several.
    pub fn statement(&mut self, expr: &Expr, out: &mut Vec<Stmt>) -> Option<()> {
        let before = self.problems.len();
        let done = self.statement_kind(expr, out);
        if done.is_none() && self.problems.len() == before {
            self.lost(expr);
        }
        done
    }

    fn statement_kind(&mut self, expr: &Expr, out: &mut Vec<Stmt>) -> Option<()> {
        let span = self.span(expr);
        let kind = match expr {
            Expr::Assign(assign) => return self.assignment(assign, out),
            Expr::Binary(binary) => return self.compound(binary, out),
            Expr::ForLoop(counted) => return self.for_loop(counted, out),
            Expr::While(conditional) => self.while_loop(conditional),
            Expr::Loop(endless) => Some(self.endless(endless, None)),
            Expr::If(branch) => {
                let mut before = Vec::new();
                let kind = self.branch(branch, &mut before);
                if !before.is_empty() {
                    before.extend(kind.map(|kind| Stmt { kind, span }));
                    out.push(Stmt { kind: StmtKind::Block(Block { stmts: before, value: None }), span });
                    return Some(());
                }
                kind
            }
            Expr::Match(matched) => return self.match_statement(matched, out),
            Expr::Block(block) if block.label.is_none() => Some(StmtKind::Block(self.block(&block.block))),
            Expr::Block(block) => self.labelled(block, None),
            Expr::Break(jump) => return self.break_out(jump, out),
            Expr::Continue(jump) => self.target(jump.label.as_ref(), jump, false).map(StmtKind::Continue),
            Expr::Return(end) => self.returned(end, out),
            Expr::MethodCall(call) => return self.method_statement(call, out),
            Expr::Call(_) if self.is_done(expr) => return Some(()),
            Expr::Call(call) if self.is_swap(call) => return self.mem_swap(call, out),
            Expr::Call(call) => return self.call_statement(call, out),
            Expr::Macro(call) => return self.macro_statement(&call.mac, call, out),
            Expr::Group(group) => return self.statement(&group.expr, out),
            Expr::Paren(paren) => return self.statement(&paren.expr, out),
            Expr::Tuple(unit) if unit.elems.is_empty() => return Some(()),
            other => {
                let (what, help) = describe(other);
                self.refuse(other, format!("{what} not taken"), help);
                None
            }
        };
        out.push(Stmt { kind: kind?, span });
        Some(())
    }

    fn returned(&mut self, end: &ExprReturn, out: &mut Vec<Stmt>) -> Option<StmtKind> {
        if self.within > 0 {
            self.refuse(
                end,
                "`return` in a helper function is not taken here",
                "let the function end in an `if` with values",
            );
            return None;
        }
        self.returns += 1;
        match &end.expr {
            None => Some(StmtKind::Return(Vec::new())),
            Some(value) => match plain(self.inside_ok(value)) {
                ends if self.result_count > 1 && !matches!(ends, Expr::Tuple(_)) => {
                    self.several(ends, self.result_count, out).map(StmtKind::Return)
                }
                _ => self.results(value).map(StmtKind::Return),
            },
        }
    }

    /// The results that an expression is: those of a tuple one by one.
    pub fn results(&mut self, value: &Expr) -> Option<Vec<Ast>> {
        match plain(self.inside_ok(value)) {
            Expr::Tuple(unit) if unit.elems.is_empty() && self.fallible => Some(Vec::new()),
            Expr::Tuple(tuple) => {
                let values: Vec<Option<Ast>> = tuple.elems.iter().map(|value| self.expr(value)).collect();
                values.into_iter().collect()
            }
            other => match self.tuple_numbers(other) {
                Some(numbers) => numbers,
                None => Some(vec![self.expr(other)?]),
            },
        }
    }

    /// The value in `Ok(..)`, where the function gives a `Result`; of what is not that, itself.
    pub fn inside_ok<'e>(&self, value: &'e Expr) -> &'e Expr {
        match plain(value) {
            Expr::Call(call) if self.fallible && self.within == 0 && call.args.len() == 1 => {
                let is_ok =
                    super::expr::name(&call.func).is_some_and(|name| name == "Ok" && self.meaning(name).is_none());
                if is_ok { &call.args[0] } else { value }
            }
            _ => value,
        }
    }

    /// Whether an expression is `Ok(())`.
    fn is_done(&self, value: &Expr) -> bool {
        self.fallible && matches!(plain(self.inside_ok(value)), Expr::Tuple(unit) if unit.elems.is_empty())
    }

    fn assignment(&mut self, assign: &ExprAssign, out: &mut Vec<Stmt>) -> Option<()> {
        if let (Expr::Tuple(places), Expr::Tuple(values)) = (plain(&assign.left), plain(&assign.right))
            && places.elems.len() == values.elems.len()
        {
            return self.tuple_assignment(places, values, out);
        }
        if let Expr::Tuple(places) = plain(&assign.left)
            && self.has_ends(&assign.right)
        {
            let values = self.several(&assign.right, places.elems.len(), out)?;
            return self.values_assigned(places, values, out);
        }
        if let Expr::Infer(_) = plain(&assign.left) {
            return self.unused(Some(&assign.right), out);
        }
        if self.is_array(&assign.left) {
            return self.array_assigned(assign, out);
        }
        if let Some(done) = self.tuple_assigned(&assign.left, &assign.right, out) {
            return done;
        }
        if let Expr::Field(field) = plain(&assign.left)
            && let Some(done) = self.part_assignment((field, None, &assign.right), out)
        {
            return done;
        }
        let value = self.expr(&assign.right);
        self.stored_at(&assign.left, (None, value), assign, out)
    }

    /// `(a, b) = (b, a);` All values are computed first.
    fn tuple_assignment(
        &mut self,
        places: &syn::ExprTuple,
        values: &syn::ExprTuple,
        out: &mut Vec<Stmt>,
    ) -> Option<()> {
        if let Some([a, b]) = self.exchange_of(places, values) {
            return self.swap_arrays(a, b, places, out);
        }
        let span = self.span(places);
        let mut held = Vec::new();
        for value in &values.elems {
            let converted = self.expr(value)?;
            let own = self.fresh("held");
            let name = self.named(&own, value);
            out.push(Stmt { kind: StmtKind::Let { name, ty: None, mutable: false, value: Some(converted) }, span });
            held.push(own);
        }
        let values = held.iter().map(|own| self.variable(own, places)).collect();
        self.values_assigned(places, values, out)
    }

    /// Values that are held, each into its place.
    fn values_assigned(&mut self, places: &syn::ExprTuple, values: Vec<Ast>, out: &mut Vec<Stmt>) -> Option<()> {
        for (target, value) in places.elems.iter().zip(values) {
            if matches!(target, Expr::Infer(_)) {
                continue;
            }
            self.stored_at(target, (None, Some(value)), places, out)?;
        }
        Some(())
    }

    fn compound(&mut self, binary: &ExprBinary, out: &mut Vec<Stmt>) -> Option<()> {
        let Some(op) = compound(&binary.op) else {
            self.refuse(binary, "this expression has no effect", "assign its value to a variable, or leave it out");
            return None;
        };
        if self.is_array(&binary.left) {
            return self.whole_compound(binary, op, out);
        }
        if let Expr::Field(field) = plain(&binary.left)
            && let Some(done) = self.part_assignment((field, Some(op), &binary.right), out)
        {
            return done;
        }
        let value = self.expr(&binary.right);
        self.stored_at(&binary.left, (Some(op), value), binary, out)
    }

    /// `place op= value`. What finds the place, as the row of `a.row_mut(i)[j]`, comes behind the value, as in Rust.
    fn stored_at(
        &mut self,
        target: &Expr,
        (op, value): (Option<BinaryOp>, Option<Ast>),
        at: &impl ToTokens,
        out: &mut Vec<Stmt>,
    ) -> Option<()> {
        let (mut place, mut value) = (self.expr(target)?, value?);
        if let ExprKind::Block(Block { stmts, value: Some(element) }) = place.kind {
            let held = self.hold(value, "stored", at, out);
            value = self.variable(&held, at);
            out.extend(stmts);
            place = *element;
        }
        let place = self.place_of(place, target)?;
        out.push(Stmt { kind: StmtKind::Assign { place, op, value }, span: self.span(at) });
        Some(())
    }

    /// The place that an expression has become; another one is refused.
    pub fn place_of(&mut self, converted: Ast, expr: &Expr) -> Option<Place> {
        let found = place(converted);
        if let Some(Place::Element { array, .. }) = &found {
            self.not_constant(&array.text, expr)?;
        }
        if found.is_none() {
            let help = "assign to a variable or to `a[[i, j]]`";
            self.refuse(expr, "only variables and elements of arrays are assigned", help);
        }
        found
    }

    /// What is read and stored into several times: what its subscripts do is done once, before.
    pub fn place_once(&mut self, expr: &Expr, out: &mut Vec<Stmt>) -> Option<Ast> {
        let mut converted = self.expr(expr)?;
        if let ExprKind::Element { subs, .. } = &mut converted.kind
            && subs.iter().any(|sub| sub.any(&has_statements))
        {
            for sub in subs {
                let held = self.hold(sub.clone(), "at", expr, out);
                *sub = self.variable(&held, expr);
            }
        }
        Some(converted)
    }

    fn while_loop(&mut self, conditional: &ExprWhile) -> Option<StmtKind> {
        if let Expr::Let(_) = plain(&conditional.cond) {
            return self.while_let(conditional);
        }
        let cond = self.expr(&conditional.cond);
        let body = self.loop_body(&conditional.body, conditional.label.as_ref(), 1);
        let cond = cond?;
        if !cond.any(&has_statements) {
            return Some(StmtKind::While { cond, body });
        }
        // The loop AST has statements in bodies only.
        let span = self.span(&conditional.cond);
        let leave = Block { stmts: vec![Stmt { kind: StmtKind::Break(0), span }], value: None };
        let test = StmtKind::If { cond, then: Block::default(), els: leave };
        let stmts = [test, StmtKind::Block(body)].map(|kind| Stmt { kind, span }).into();
        let cond = self.made(ExprKind::Bool(true), &conditional.while_token);
        Some(StmtKind::While { cond, body: Block { stmts, value: None } })
    }

    /// `while let`: each time what is tested comes first, and where the pattern does not match, the loop is left.
    fn while_let(&mut self, conditional: &ExprWhile) -> Option<StmtKind> {
        let span = self.span(&conditional.cond);
        let (mut stmts, label) = (Vec::new(), conditional.label.as_ref());
        let mut body = |this: &mut Self| this.loop_body(&conditional.body, label, 1);
        let (test, then) = self.opened(&conditional.cond, &mut stmts, &mut body)?;
        let els = Block { stmts: vec![Stmt { kind: StmtKind::Break(0), span }], value: None };
        stmts.push(Stmt { kind: StmtKind::If { cond: test, then, els }, span });
        let cond = self.made(ExprKind::Bool(true), &conditional.while_token);
        Some(StmtKind::While { cond, body: Block { stmts, value: None } })
    }

    fn branch(&mut self, branch: &ExprIf, out: &mut Vec<Stmt>) -> Option<StmtKind> {
        let opened = self.opened(&branch.cond, out, &mut |this| this.block(&branch.then_branch));
        let els = match branch.else_branch.as_ref().map(|(_, els)| plain(els)) {
            None => Block::default(),
            Some(Expr::Block(block)) => self.block(&block.block),
            Some(other) => {
                let mut stmts = Vec::new();
                self.statement(other, &mut stmts)?;
                Block { stmts, value: None }
            }
        };
        let (cond, then) = opened?;
        Some(StmtKind::If { cond, then, els })
    }

    /// Whether an expression at the end of a block is its value: not a loop or assignment, and an `if` only if its branches
    /// have values.
    pub fn has_value(&self, expr: &Expr) -> bool {
        let ends =
            |block: &syn::Block| matches!(block.stmts.last(), Some(syn::Stmt::Expr(e, None)) if self.has_value(e));
        match expr {
            Expr::Assign(_) | Expr::ForLoop(_) | Expr::While(_) | Expr::Return(_) => false,
            Expr::Loop(endless) => gives_value(endless),
            Expr::Break(_) | Expr::Continue(_) => false,
            Expr::Tuple(tuple) => !tuple.elems.is_empty(),
            Expr::Macro(call) => self.is_matches(&call.mac),
            Expr::Block(block) => ends(&block.block) || labelled_value(block),
            Expr::Binary(binary) => compound(&binary.op).is_none(),
            Expr::If(branch) => {
                let other = branch.else_branch.as_ref().is_some_and(|(_, els)| self.has_value(els));
                ends(&branch.then_branch) || other
            }
            Expr::Match(matched) => matched.arms.iter().any(|arm| self.has_value(&arm.body)),
            Expr::MethodCall(call) => !super::whole::is_statement(&call.method.to_string()),
            Expr::Call(call) => !self.is_done(expr) && !self.is_swap(call) && self.gives_value(call),
            Expr::Group(group) => self.has_value(&group.expr),
            Expr::Paren(paren) => self.has_value(&paren.expr),
            _ => true,
        }
    }

    /// `a op= b` of two places, as a statement.
    pub fn stored(&mut self, place: Ast, op: Option<BinaryOp>, value: Ast, at: &impl ToTokens) -> Option<Stmt> {
        let span = self.span(at);
        Some(Stmt { kind: StmtKind::Assign { place: super::arrays::place(place)?, op, value }, span })
    }
}

/// Whether an expression has statements in it.
pub fn has_statements(kind: &ExprKind) -> bool {
    match kind {
        ExprKind::Block(block) => !block.stmts.is_empty(),
        ExprKind::If(_, then, els) => !then.stmts.is_empty() || !els.stmts.is_empty(),
        ExprKind::Float(..) | ExprKind::Int(..) | ExprKind::Bool(_) | ExprKind::Variable(_) => false,
        ExprKind::Element { .. } | ExprKind::Extent { .. } | ExprKind::Neg(_) | ExprKind::Not(_) => false,
        ExprKind::Binary(..) | ExprKind::Method { .. } | ExprKind::Cast(..) | ExprKind::Typed(..) => false,
        ExprKind::Complex(..) | ExprKind::Part(..) => false,
        ExprKind::Never | ExprKind::Neutral(_) => false,
    }
}
