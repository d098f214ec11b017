//! Comparisons of several numbers at once, `a.dim() == b.dim()`, `(i, j) != (0, 0)`, `assert_eq!(a.shape(), [n, m])`, and of two numbers with
//! three outcomes, `a.cmp(&b)`, which are -1, 0 and 1 here, as `Ordering` has them.

use super::Converter;
use super::expr::plain;
use super::order::{Way, comparison};
use crate::offload::ast::{BinaryOp, Block, Expr as Ast, ExprKind, Scalar, Stmt};
use quote::ToTokens;
use syn::{Expr, ExprMethodCall};

impl Converter {
    /// `a == b` or `a != b`, of numbers or of several numbers at once.
    pub fn equality(&mut self, op: BinaryOp, (a, b): (&Expr, &Expr), at: &impl ToTokens) -> Option<Ast> {
        let mut stmts = Vec::new();
        match (self.numbers_of(a, at, &mut stmts), self.numbers_of(b, at, &mut stmts)) {
            (None, None) => {
                let (a, b) = (self.expr(a), self.expr(b));
                Some(self.made(ExprKind::Binary(op, Box::new(a?), Box::new(b?)), at))
            }
            (Some(a), Some(b)) => {
                let equal = self.all_equal(&a?, &b?, at);
                let kind = if op == BinaryOp::Eq { equal.kind } else { ExprKind::Not(Box::new(equal)) };
                let value = self.made(kind, at);
                Some(self.made(ExprKind::Block(Block { stmts, value: Some(Box::new(value)) }), at))
            }
            (Some(_), None) | (None, Some(_)) => {
                let other = if self.is_list(a) { b } else { a };
                self.refuse(other, "this is not taken as several numbers", "compare them one by one");
                None
            }
        }
    }

    /// Whether all numbers of two lists are equal; lists of different lengths are not.
    fn all_equal(&mut self, a: &[String], b: &[String], at: &impl ToTokens) -> Ast {
        let mut all = self.made(ExprKind::Bool(a.len() == b.len()), at);
        if a.len() != b.len() {
            return all;
        }
        for (a, b) in a.iter().zip(b) {
            let equal = self.compared(BinaryOp::Eq, a, b, at);
            all = match all.kind {
                ExprKind::Bool(true) => equal,
                _ => self.both_of(all, equal, at),
            };
        }
        all
    }

    /// Whether an expression is written as several numbers.
    fn is_list(&self, expr: &Expr) -> bool {
        match plain(expr) {
            Expr::Reference(reference) => self.is_list(&reference.expr),
            Expr::Tuple(tuple) => tuple.elems.len() > 1,
            Expr::Array(_) => true,
            Expr::MethodCall(call) => {
                matches!(&call.method.to_string()[..], "dim" | "shape" | "raw_dim") && self.is_array(&call.receiver)
            }
            other => matches!(self.item_of(other), Some(super::iterate::Item::Tuple(_))),
        }
    }

    /// Variables that hold the numbers of a list; `None` if an expression is none, or is one number.
    fn numbers_of(&mut self, expr: &Expr, at: &impl ToTokens, out: &mut Vec<Stmt>) -> Option<Option<Vec<String>>> {
        let numbers = match plain(expr) {
            Expr::Reference(reference) => return self.numbers_of(&reference.expr, at, out),
            Expr::Tuple(list) if list.elems.len() > 1 => list.elems.iter().map(|each| self.expr(each)).collect(),
            Expr::Array(list) => list.elems.iter().map(|each| self.expr(each)).collect(),
            other => match self.shape(other).or_else(|| self.dim(other).filter(|sizes| sizes.len() > 1)) {
                Some(sizes) => Some(sizes),
                None => self.tuple_numbers(other)?,
            },
        };
        let numbers: Option<Vec<Ast>> = numbers;
        Some(numbers.map(|all| all.into_iter().map(|number| self.hold(number, "compared", at, out)).collect()))
    }

    /// `a.cmp(&b)`, `a.total_cmp(&b)` and `a.partial_cmp(&b).unwrap()`; `None` if a call is no such thing.
    pub fn ordering(&mut self, call: &ExprMethodCall) -> Option<Option<Ast>> {
        let whole = Expr::MethodCall(call.clone());
        let (compared, way) = comparison(&whole)?;
        Some(self.sign_of(compared, way, &whole))
    }

    fn sign_of(&mut self, call: &ExprMethodCall, way: Way, at: &Expr) -> Option<Ast> {
        let (a, b) = (self.expr(&call.receiver)?, self.expr(call.args.first()?)?);
        let mut stmts = Vec::new();
        let (a, b) = (self.hold(a, "left", at, &mut stmts), self.hold(b, "right", at, &mut stmts));
        let (greater, less) = (self.above(way, &a, &b, at, &mut stmts), self.above(way, &b, &a, at, &mut stmts));
        let [greater, less] = [greater, less].map(|cond| self.made(ExprKind::Cast(Box::new(cond), Scalar::I8), at));
        let sign = self.made(ExprKind::Binary(BinaryOp::Sub, Box::new(greater), Box::new(less)), at);
        Some(self.made(ExprKind::Block(Block { stmts, value: Some(Box::new(sign)) }), at))
    }
}
