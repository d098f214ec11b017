//! Arithmetic of whole arrays, element by element: `let c = &a + &b * 2.0;`, `y.assign(&(&a - &b))`, `x += &(&v * dt);`.
//!
//! What ndarray computes one operation after the other in arrays of its own is computed element by element here, with the same roundings. An
//! array of fewer dimensions goes along the last ones of the others; where ndarray would repeat a dimension of one, the plain function runs.

use super::Converter;
use super::expr::plain;
use super::local_arrays::Made;
use super::scope::{Form, View};
use crate::offload::ast::{BinaryOp, Expr as Ast, ExprKind, Neutral, Stmt, StmtKind};
use syn::{BinOp, Expr, UnOp};

/// An expression of arrays, their parts made and numbers computed.
enum Whole {
    Array(View),
    Number(String),
    Negative(Box<Whole>),
    Operator(BinaryOp, Box<Whole>, Box<Whole>),
}

impl Converter {
    /// Whether an expression is arithmetic of whole arrays.
    pub fn is_elementwise(&self, expr: &Expr) -> bool {
        match plain(expr) {
            Expr::Reference(reference) if reference.mutability.is_none() => self.is_elementwise(&reference.expr),
            Expr::Unary(unary) => matches!(unary.op, UnOp::Neg(_)) && self.is_whole_array(&unary.expr),
            Expr::Binary(binary) => {
                arithmetic(&binary.op).is_some()
                    && (self.is_whole_array(&binary.left) || self.is_whole_array(&binary.right))
            }
            _ => false,
        }
    }

    /// An array of ndarray, or arithmetic of such.
    fn is_whole_array(&self, expr: &Expr) -> bool {
        self.is_array(expr) || self.is_elementwise(expr)
    }

    /// What arithmetic of whole arrays comes to, as an array of its own.
    pub fn elementwise(&mut self, expr: &Expr, mutable: bool, out: &mut Vec<Stmt>) -> Option<View> {
        let whole = self.whole_of(expr, out)?;
        let mut views = Vec::new();
        whole.arrays(&mut views);
        let shape = views.iter().max_by_key(|view| view.free().len()).map(|view| (*view).clone())?;
        let rank = shape.free().len();
        for view in &views {
            let missing = rank - view.free().len();
            for axis in 0..view.free().len() {
                let (a, b) = (self.extent_of(&shape, axis + missing, expr), self.extent_of(view, axis, expr));
                out.push(Stmt { kind: StmtKind::Alike(a, b), span: self.span(expr) });
            }
        }
        let dims = (0..rank).map(|axis| self.extent_of(&shape, axis, expr)).collect();
        let fill = self.made(ExprKind::Neutral(Neutral::Zero), expr);
        let view = self.array_local("made", mutable, Made::filled(None, dims, fill, Form::Ndarray), expr, out)?;
        self.made_straight(&view, views.into_iter().cloned().collect());
        self.each(&view, None, expr, out, |this, counters| this.element_in(&whole, counters, expr))?;
        Some(view)
    }

    fn whole_of(&mut self, expr: &Expr, out: &mut Vec<Stmt>) -> Option<Whole> {
        match plain(expr) {
            array if self.is_array(array) => {
                let view = self.known_view(array, &mut Some(out))?;
                if view.form != Form::Ndarray {
                    self.refuse(
                        array,
                        "arithmetic of whole arrays is that of ndarray's",
                        "write a loop over the elements",
                    );
                    return None;
                }
                Some(Whole::Array(view))
            }
            whole if self.is_elementwise(whole) => match whole {
                Expr::Reference(reference) => self.whole_of(&reference.expr, out),
                Expr::Unary(unary) => Some(Whole::Negative(Box::new(self.whole_of(&unary.expr, out)?))),
                Expr::Binary(binary) => {
                    let (a, b) = (self.whole_of(&binary.left, out), self.whole_of(&binary.right, out));
                    Some(Whole::Operator(arithmetic(&binary.op)?, Box::new(a?), Box::new(b?)))
                }
                _ => None,
            },
            number => {
                let value = self.expr(number)?;
                Some(Whole::Number(self.hold(value, "operand", number, out)))
            }
        }
    }

    /// What it is at the counters of the array that it comes to.
    fn element_in(&mut self, whole: &Whole, counters: &[String], at: &Expr) -> Ast {
        match whole {
            Whole::Array(view) => self.counted(view, &counters[counters.len() - view.free().len()..], at),
            Whole::Number(own) => self.variable(own, at),
            Whole::Negative(inner) => {
                let inner = self.element_in(inner, counters, at);
                self.made(ExprKind::Neg(Box::new(inner)), at)
            }
            Whole::Operator(op, a, b) => {
                let (a, b) = (self.element_in(a, counters, at), self.element_in(b, counters, at));
                self.made(ExprKind::Binary(*op, Box::new(a), Box::new(b)), at)
            }
        }
    }
}

impl Whole {
    fn arrays<'a>(&'a self, found: &mut Vec<&'a View>) {
        match self {
            Self::Array(view) => found.push(view),
            Self::Number(_) => {}
            Self::Negative(inner) => inner.arrays(found),
            Self::Operator(_, a, b) => [a, b].into_iter().for_each(|part| part.arrays(found)),
        }
    }
}

fn arithmetic(op: &BinOp) -> Option<BinaryOp> {
    Some(match op {
        BinOp::Add(_) => BinaryOp::Add,
        BinOp::Sub(_) => BinaryOp::Sub,
        BinOp::Mul(_) => BinaryOp::Mul,
        BinOp::Div(_) => BinaryOp::Div,
        _ => return None,
    })
}
