//! Stretches of arrays of one dimension: `windows(k)`, `chunks_exact(k)` and `chunks(k)`, each of their items a part of the array.
//!
//! The item at position `p` begins at `p` (windows) or at `p * k` (chunks). Subscripts of an item count from there; those that are not written
//! as numbers below its length are tested against that, as the item has fewer elements than the array behind it.

use super::Converter;
use super::calls::source;
use super::course::Source;
use super::expr::whole;
use super::iterate::Item;
use super::scope::{Axis, Form, Term, View};
use crate::offload::ast::{BinaryOp, Block, Expr as Ast, ExprKind, Scalar, Stmt, StmtKind};
use quote::ToTokens;
use syn::{Expr, ExprMethodCall};

/// Lengths that are written as numbers are taken as such below this.
const WRITTEN: usize = 1 << 31;

/// A part of a dimension.
#[derive(Debug, Clone)]
pub struct Stretch {
    /// It begins at the sum of these.
    pub from: Vec<Term>,
    /// How far its elements are from each other; below zero they go backwards.
    pub step: i64,
    /// How many elements it has.
    pub len: Len,
}

/// A number of elements.
#[derive(Debug, Clone)]
pub enum Len {
    /// This one.
    Written(usize),
    /// What a variable of the loop AST holds.
    Held(String),
}

/// How an array is cut.
#[derive(Debug, Clone, Copy)]
pub enum Cut {
    /// At each position.
    Windows,
    /// One behind the other, of equal length; what is left over is left out.
    Exact,
    /// One behind the other, the last perhaps shorter.
    Chunks,
}

/// How the method of this name cuts.
pub fn cut(method: &str) -> Option<Cut> {
    match method {
        "windows" => Some(Cut::Windows),
        "chunks_exact" | "chunks_exact_mut" | "exact_chunks" | "exact_chunks_mut" => Some(Cut::Exact),
        "chunks" | "chunks_mut" => Some(Cut::Chunks),
        _ => None,
    }
}

impl Converter {
    /// `s.windows(k)` and its like.
    pub fn stretches(&mut self, call: &ExprMethodCall, cut: Cut, out: &mut Vec<Stmt>) -> Option<Source> {
        let view = self.known_view(&call.receiver, &mut Some(out))?;
        if view.free().len() != 1 {
            let help = "write the loops out, with subscripts";
            self.refuse(call, "windows and chunks are taken of arrays of one dimension", help);
            return None;
        }
        let size = call.args.first()?;
        let len = match whole(size).filter(|written| (1..WRITTEN).contains(written)) {
            Some(written) => Len::Written(written),
            None => Len::Held(self.held_size(size, call, out)?),
        };
        let form = if view.form == Form::Ndarray { Form::Ndarray } else { Form::Vector };
        let view = View { form, ..view.lent(call.method.to_string().ends_with("mut")) };
        Some(Source::Stretches(view, cut, len))
    }

    /// The variable that holds a size, which must not be zero.
    fn held_size(&mut self, size: &Expr, at: &ExprMethodCall, out: &mut Vec<Stmt>) -> Option<String> {
        let value = self.expr(size)?;
        let value = self.typed(value, Some(Scalar::Usize), size);
        let held = self.hold(value, "size", size, out);
        let (size, zero) = (self.variable(&held, size), self.made(ExprKind::Int(0, None), size));
        let cond = self.made(ExprKind::Binary(BinaryOp::Ne, Box::new(size), Box::new(zero)), at);
        let message = format!("the size in `{}` is zero", source(at));
        out.push(Stmt { kind: StmtKind::Assert { cond, message }, span: self.span(at) });
        Some(held)
    }

    /// How many stretches there are, and the one at a position.
    pub fn stretch_at(
        &mut self,
        (view, cut, size): (&View, Cut, Len),
        position: &str,
        at: &Expr,
        stmts: &mut Vec<Stmt>,
    ) -> Option<(Ast, Item)> {
        let binary = |this: &mut Self, op, a, b| this.made(ExprKind::Binary(op, Box::new(a), Box::new(b)), at);
        let extent = self.extent_of(view, 0, at);
        let each = self.len_of(&size, at);
        let (count, start, len) = match cut {
            Cut::Windows => {
                let less = match &size {
                    Len::Written(written) => self.len_of(&Len::Written(written - 1), at),
                    Len::Held(_) => {
                        let one = self.made(ExprKind::Int(1, None), at);
                        binary(self, BinaryOp::Sub, each, one)
                    }
                };
                (self.method_of(extent, "saturating_sub", less, at), position.to_owned(), size)
            }
            Cut::Exact | Cut::Chunks => {
                let place = self.variable(position, at);
                let start = binary(self, BinaryOp::Mul, place, each.clone());
                let start = self.hold(start, "start", at, stmts);
                let whole = binary(self, BinaryOp::Div, extent.clone(), each.clone());
                match cut {
                    Cut::Windows | Cut::Exact => (whole, start, size),
                    Cut::Chunks => {
                        let rest = binary(self, BinaryOp::Rem, extent.clone(), each.clone());
                        let one = self.made(ExprKind::Int(1, None), at);
                        let last = self.method_of(rest, "min", one, at);
                        let count = binary(self, BinaryOp::Add, whole, last);
                        let before = self.variable(&start, at);
                        let left = binary(self, BinaryOp::Sub, extent, before);
                        let len = self.method_of(left, "min", each, at);
                        (count, start, Len::Held(self.hold(len, "size", at, stmts)))
                    }
                }
            }
        };
        Some((count, Item::Line(view.stretch(0, Some(start), len)?)))
    }

    pub fn method_of(&mut self, receiver: Ast, method: &str, argument: Ast, at: &impl ToTokens) -> Ast {
        let method = self.named(method, at);
        self.made(ExprKind::Method { receiver: Box::new(receiver), method, args: vec![argument] }, at)
    }

    /// A number of elements.
    pub fn len_of(&mut self, len: &Len, at: &impl ToTokens) -> Ast {
        match len {
            Len::Written(written) => self.made(ExprKind::Int(*written as i128, Some(Scalar::Usize)), at),
            Len::Held(name) => self.variable(name, at),
        }
    }

    /// An element by subscripts that are written: those of stretches are tested.
    pub fn element_by(&mut self, view: &View, subs: Vec<Ast>, at: &impl ToTokens) -> Ast {
        let free = view.free();
        let subs =
            subs.into_iter().enumerate().map(|(number, sub)| match free.get(number).map(|axis| &view.axes[*axis]) {
                Some(Axis::Stretch(stretch)) => self.tested(sub, &stretch.len, at),
                Some(Axis::Free | Axis::At(_)) | None => sub,
            });
        let subs = subs.collect();
        self.element_of(view, subs, at)
    }

    /// A subscript of a stretch of this length.
    fn tested(&mut self, sub: Ast, len: &Len, at: &impl ToTokens) -> Ast {
        if let (ExprKind::Int(number, _), Len::Written(written)) = (&sub.kind, len)
            && (0..*written as i128).contains(number)
        {
            return sub;
        }
        let mut stmts = Vec::new();
        let sub = self.typed(sub, Some(Scalar::Usize), at);
        let held = self.hold(sub, "at", at, &mut stmts);
        let (bound, len) = (self.variable(&held, at), self.len_of(len, at));
        let cond = self.made(ExprKind::Binary(BinaryOp::Lt, Box::new(bound), Box::new(len)), at);
        let message = format!("`{}` is out of bounds", source(at));
        stmts.push(Stmt { kind: StmtKind::Assert { cond, message }, span: self.span(at) });
        let value = Some(Box::new(self.variable(&held, at)));
        self.made(ExprKind::Block(Block { stmts, value }), at)
    }
}
