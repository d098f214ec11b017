//! The loops and blocks with labels around a statement: which of them `break` and `continue` are about, and where the value goes with which
//! `break` leaves a `loop` or a block.

use super::Converter;
use super::ends::Goal;
use crate::offload::ast::{Block, ExprKind, Ident, Stmt, StmtKind};
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{ExprBlock, ExprBreak, ExprClosure, ExprForLoop, ExprLoop, ExprWhile, Item, Label, Lifetime};

/// A loop around the current statement.
pub struct Around {
    /// Its label, with the macro that this is from.
    label: Option<(String, String)>,
    /// How many loops of the AST it is.
    loops: u32,
    /// Where its value goes.
    goal: Option<Goal>,
    /// Whether it is a block, which only its label names.
    is_block: bool,
}

impl Around {
    /// A loop that Rust does not write as one, and so has no label.
    pub fn made(loops: u32) -> Self {
        Self { label: None, loops, goal: None, is_block: false }
    }
}

impl Converter {
    /// The body of a loop that takes so many loops of the loop AST.
    pub fn loop_body(&mut self, body: &syn::Block, label: Option<&Label>, loops: u32) -> Block {
        self.body_to(body, label, (loops, None))
    }

    fn body_to(&mut self, body: &syn::Block, label: Option<&Label>, (loops, goal): (u32, Option<Goal>)) -> Block {
        let label = label.map(|label| named(&label.name));
        self.around.push(Around { label, loops, goal, is_block: false });
        let body = self.block(body);
        self.around.pop();
        body
    }

    /// A `loop`, and where its value goes, if it has one.
    pub fn endless(&mut self, endless: &ExprLoop, goal: Option<Goal>) -> StmtKind {
        let cond = self.made(ExprKind::Bool(true), &endless.loop_token);
        let body = self.body_to(&endless.body, endless.label.as_ref(), (1, goal));
        StmtKind::While { cond, body }
    }

    /// A block with a label, and where its value goes, if it has one: a loop of one iteration, which `break` leaves.
    pub fn labelled(&mut self, block: &ExprBlock, goal: Option<&Goal>) -> Option<StmtKind> {
        let label = block.label.as_ref().map(|label| named(&label.name));
        self.around.push(Around { label, loops: 1, goal: goal.cloned(), is_block: true });
        let body = match goal {
            Some(goal) => self.block_to(&block.block, goal),
            None => Some(self.block(&block.block)),
        };
        self.around.pop();
        let at = &block.label;
        let variable = Ident { text: "_".into(), span: self.span(at) };
        let [from, to] = [0, 1].map(|end| self.made(ExprKind::Int(end, None), at));
        Some(StmtKind::For { variable, from, to, inclusive: false, adaptors: Vec::new(), body: body? })
    }

    /// `break`, with a value too.
    pub fn break_out(&mut self, jump: &ExprBreak, out: &mut Vec<Stmt>) -> Option<()> {
        let label = jump.label.as_ref();
        if let Some(value) = &jump.expr {
            let goal = self.around.iter().rev().find(|around| is_meant(around, label)).and_then(|l| l.goal.clone());
            let Some(goal) = goal else {
                let help = "write `let y = loop { .. break value; }`, or assign the value before `break`";
                self.refuse(value, "`break` with a value that nothing takes", help);
                return None;
            };
            match &goal {
                Goal::Numbers(into) if into.len() == 1 => {
                    let number = self.expr(value)?;
                    self.numbers_to(vec![number], &goal, value, out)?;
                }
                Goal::Numbers(_) | Goal::Array(_) => self.bring(value, &goal, out)?,
            }
        }
        let kind = StmtKind::Break(self.target(label, jump, true)?);
        out.push(Stmt { kind, span: self.span(jump) });
        Some(())
    }

    /// How many loops of the AST further out the loop is that `break` or `continue` is about.
    pub fn target(&mut self, label: Option<&Lifetime>, jump: &impl ToTokens, breaks: bool) -> Option<u32> {
        let mut depth = 0;
        for around in self.around.iter().rev() {
            if is_meant(around, label) {
                return Some(depth + if breaks { around.loops - 1 } else { 0 });
            }
            depth += around.loops;
        }
        self.refuse(jump, "there is no loop that this leaves", "it stands in the body of a loop");
        None
    }
}

fn named(label: &Lifetime) -> (String, String) {
    (label.ident.to_string(), super::scope::mark(&label.ident))
}

fn is_meant(around: &Around, label: Option<&Lifetime>) -> bool {
    match label {
        Some(label) => around.label == Some(named(label)),
        None => !around.is_block,
    }
}

/// Whether a `loop` is left with a value.
pub fn gives_value(endless: &ExprLoop) -> bool {
    let mut values = Values { label: endless.label.as_ref().map(|label| &label.name), inside: 0, found: false };
    values.visit_block(&endless.body);
    values.found
}

/// Whether a block with a label has a value: at its end, or in a `break` that leaves it.
pub fn labelled_value(block: &ExprBlock) -> bool {
    let label = block.label.as_ref().map(|label| &label.name);
    let mut values = Values { label, inside: 1, found: false };
    values.visit_block(&block.block);
    values.found
}

/// Looks for a `break` with a value out of a loop.
struct Values<'e> {
    label: Option<&'e Lifetime>,
    /// How many loops inside of it there are around.
    inside: u32,
    found: bool,
}

impl Values<'_> {
    fn deeper(&mut self, walk: impl FnOnce(&mut Self)) {
        self.inside += 1;
        walk(self);
        self.inside -= 1;
    }
}

impl<'e> Visit<'e> for Values<'_> {
    fn visit_expr_break(&mut self, jump: &'e ExprBreak) {
        let meant = match &jump.label {
            None => self.inside == 0,
            Some(label) => self.label.is_some_and(|own| own.ident == label.ident),
        };
        self.found |= meant && jump.expr.is_some();
        visit::visit_expr_break(self, jump);
    }

    fn visit_expr_loop(&mut self, inner: &'e ExprLoop) {
        self.deeper(|this| visit::visit_expr_loop(this, inner));
    }

    fn visit_expr_while(&mut self, inner: &'e ExprWhile) {
        self.deeper(|this| visit::visit_expr_while(this, inner));
    }

    fn visit_expr_for_loop(&mut self, inner: &'e ExprForLoop) {
        self.deeper(|this| visit::visit_expr_for_loop(this, inner));
    }

    fn visit_expr_closure(&mut self, _: &'e ExprClosure) {}

    fn visit_item(&mut self, _: &'e Item) {}
}
