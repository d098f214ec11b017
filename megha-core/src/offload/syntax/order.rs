//! How `min_by`, `max_by` and their like compare: `a.total_cmp(b)`, `a.partial_cmp(b).unwrap()` and `a.cmp(b)` of two numbers that a closure makes.

use super::Converter;
use super::expr::plain;
use super::stages::Passed;
use crate::offload::ast::{BinaryOp, Expr as Ast, ExprKind, Scalar, Stmt, StmtKind};
use quote::ToTokens;
use syn::{Expr, ExprClosure, ExprMethodCall};

/// An order.
pub enum Order<'e> {
    /// Of the numbers themselves.
    Own(Way),
    /// Of the whole numbers that a closure makes of each.
    Key(&'e ExprClosure),
    /// Of what a closure makes of the one and the other.
    By(&'e ExprClosure, [&'e Expr; 2], Way),
}

/// A way to compare numbers.
#[derive(Clone, Copy)]
pub enum Way {
    /// `cmp` of whole numbers.
    Whole,
    /// `total_cmp`
    Total,
    /// `partial_cmp`, which fails of NaN.
    Partial,
}

/// The order that an argument is.
pub fn order(by: &Expr) -> Option<Order<'_>> {
    match plain(by) {
        Expr::Path(path) if path.path.segments.len() == 2 => {
            let [ty, method] = [0, 1].map(|at| path.path.segments[at].ident.to_string());
            let of_floats = Scalar::from_name(&ty).is_some_and(Scalar::is_float);
            (of_floats && method == "total_cmp").then_some(Order::Own(Way::Total))
        }
        Expr::Closure(closure) if closure.inputs.len() == 2 => {
            let (call, way) = comparison(&closure.body)?;
            Some(Order::By(closure, [&call.receiver, call.args.first()?], way))
        }
        _ => None,
    }
}

/// The call that compares two numbers, and how it does.
pub fn comparison(expr: &Expr) -> Option<(&ExprMethodCall, Way)> {
    let Expr::MethodCall(call) = plain(expr) else { return None };
    match (&call.method.to_string()[..], call.args.len()) {
        ("cmp", 1) => Some((call, Way::Whole)),
        ("total_cmp", 1) => Some((call, Way::Total)),
        ("unwrap", 0) | ("expect", 1) => match plain(&call.receiver) {
            Expr::MethodCall(inner) if inner.method == "partial_cmp" && inner.args.len() == 1 => {
                Some((inner, Way::Partial))
            }
            _ => None,
        },
        _ => None,
    }
}

impl Converter {
    /// Whether the first of two things is greater.
    pub fn greater(&mut self, order: &Order<'_>, [a, b]: [Passed; 2], at: &Expr, out: &mut Vec<Stmt>) -> Option<Ast> {
        let (a, b, way) = match order {
            Order::Own(way) => (self.value_of(a, at, out)?, self.value_of(b, at, out)?, *way),
            Order::Key(key) => (self.applied(key, [&a], at, out)?, self.applied(key, [&b], at, out)?, Way::Whole),
            Order::By(closure, [left, right], way) => {
                let depth = self.scope.len();
                let bound = closure
                    .inputs
                    .iter()
                    .zip([&a, &b])
                    .try_for_each(|(pat, passed)| self.bind_passed(pat, passed, out));
                let sides = bound.map(|()| (self.expr(left), self.expr(right)));
                self.scope.truncate(depth);
                let (left, right) = sides?;
                (left?, right?, *way)
            }
        };
        let (a, b) = (self.hold(a, "left", at, out), self.hold(b, "right", at, out));
        Some(self.above(way, &a, &b, at, out))
    }

    /// Whether the first of two numbers is greater.
    pub fn above(&mut self, way: Way, a: &str, b: &str, at: &Expr, out: &mut Vec<Stmt>) -> Ast {
        match way {
            Way::Whole => self.compared(BinaryOp::Gt, a, b, at),
            Way::Total => self.greater_in_all(a, b, at),
            Way::Partial => {
                let (above, below) = (self.compared(BinaryOp::Ge, a, b, at), self.compared(BinaryOp::Le, a, b, at));
                let cond = self.either(above, below, at);
                let message = "`partial_cmp` of NaN is `None`".to_owned();
                out.push(Stmt { kind: StmtKind::Assert { cond, message }, span: self.span(at) });
                self.compared(BinaryOp::Gt, a, b, at)
            }
        }
    }

    /// Whether a number comes behind another in the order of all floats: -NaN, the numbers, of the zeros -0.0 first, NaN.
    fn greater_in_all(&mut self, a: &str, b: &str, at: &Expr) -> Ast {
        let above = self.compared(BinaryOp::Gt, a, b, at);
        let equal = self.compared(BinaryOp::Eq, a, b, at);
        let of = |this: &mut Self, method: &str, name: &str| {
            let (receiver, method) = (Box::new(this.variable(name, at)), this.named(method, at));
            this.made(ExprKind::Method { receiver, method, args: Vec::new() }, at)
        };
        let nan = |this: &mut Self, sign: &str, name: &str| {
            let (is_nan, signed) = (of(this, "is_nan", name), of(this, sign, name));
            this.both_of(is_nan, signed, at)
        };
        let not = |this: &mut Self, cond| this.made(ExprKind::Not(Box::new(cond)), at);
        let (positive, negative) = (of(self, "is_sign_positive", a), of(self, "is_sign_negative", b));
        let zeros = self.both_of(positive, negative, at);
        let zeros = self.both_of(equal, zeros, at);
        let ahead = [(a, b, "is_sign_positive"), (b, a, "is_sign_negative")].map(|(end, other, sign)| {
            let (end, other) = (nan(self, sign, end), nan(self, sign, other));
            let other = not(self, other);
            self.both_of(end, other, at)
        });
        let [last, first] = ahead;
        let nans = self.either(last, first, at);
        let numbers = self.either(above, zeros, at);
        self.either(numbers, nans, at)
    }

    pub fn compared(&mut self, op: BinaryOp, a: &str, b: &str, at: &impl ToTokens) -> Ast {
        let (a, b) = (self.variable(a, at), self.variable(b, at));
        self.made(ExprKind::Binary(op, Box::new(a), Box::new(b)), at)
    }

    pub fn either(&mut self, a: Ast, b: Ast, at: &impl ToTokens) -> Ast {
        self.made(ExprKind::Binary(BinaryOp::Or, Box::new(a), Box::new(b)), at)
    }

    pub fn both_of(&mut self, a: Ast, b: Ast, at: &impl ToTokens) -> Ast {
        self.made(ExprKind::Binary(BinaryOp::And, Box::new(a), Box::new(b)), at)
    }
}
