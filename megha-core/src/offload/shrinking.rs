//! Variables without sign that a loop only makes smaller: strides and lengths that are halved from round to round.
//!
//! ```text
//! let mut n = x.len();
//! while n > 1 { let half = n.div_ceil(2);  ..  n = half; }
//! ```
//!
//! In every round such a variable is no more than before the loop, so where that was a whole number below 2^63 it stays one, and what is computed from it
//! is a size as parameters are. What is assigned must be no more than the variable was at some time in the loop, by its form: quotients, those that are rounded
//! up (`(n + 1) / 2`, `n - n / 2`), remainders, shifts to the right, the smaller of two, and names for these.

use super::ast::{BinaryOp, Block, Child, Expr, ExprKind, Place, Scalar, Stmt, StmtKind};
use super::lower::Lower;
use crate::ir::{Size, Value};

/// A variable that a loop makes smaller, and what it began with.
pub(super) struct Shrinking {
    variable: usize,
    most: Size,
}

impl Lower<'_> {
    /// Those that a loop with this body carries.
    pub(super) fn shrinking(&mut self, body: &Block, carried: &[usize]) -> Vec<Shrinking> {
        let candidates = carried.iter().copied().filter(|v| self.types.class(*v) == Scalar::Usize);
        let mut found = Vec::new();
        for variable in candidates.collect::<Vec<_>>() {
            let value = self.env[&variable];
            let assigned = Assigned { lower: self, body, variable };
            if assigned.only_shrinks(body) && self.is_natural(value) {
                found.extend(self.known_size(value).cloned().map(|most| Shrinking { variable, most }));
            }
        }
        found
    }

    /// Makes the current values of such variables sizes.
    pub(super) fn bound(&mut self, shrinking: &[Shrinking]) {
        for Shrinking { variable, most } in shrinking {
            let (value, name) = (self.env[variable], self.types.variables()[*variable].name.clone());
            self.symbol(value, &name, vec![Size::constant(0)], vec![most.clone()]);
            self.shrinking.insert(value);
        }
    }

    /// Whether a size is made of parameters and of what loops make smaller.
    pub(super) fn is_decided(&self, size: &Size) -> bool {
        let is_known = |value: Value| self.parameters.contains_key(&value) || self.shrinking.contains(&value);
        self.builder.func.symbols.is_made_of(size, &is_known)
    }
}

/// The assignments to a variable in a loop's body.
struct Assigned<'a, 't> {
    lower: &'a Lower<'t>,
    body: &'a Block,
    variable: usize,
}

impl Assigned<'_, '_> {
    /// Whether a block assigns nothing to the variable that may be more than it was.
    fn only_shrinks(&self, block: &Block) -> bool {
        let value = block.value.as_deref().is_none_or(|value| self.shrinks_in(value));
        value && block.stmts.iter().all(|stmt| self.shrinks_by(stmt))
    }

    fn shrinks_by(&self, stmt: &Stmt) -> bool {
        let is_it = |span| self.lower.types.variable(span) == self.variable;
        let fine = match &stmt.kind {
            StmtKind::Assign { place: Place::Variable(name), op, value } if is_it(name.span) => match op {
                None => self.is_bounded(value),
                Some(BinaryOp::Shr | BinaryOp::BitAnd) => true,
                Some(BinaryOp::Sub) => self.is_part(value, self.variable),
                Some(BinaryOp::Div | BinaryOp::Rem) => is_positive(value),
                Some(_) => false,
            },
            StmtKind::Swap(a, b) => ![a, b].into_iter().any(|name| is_it(name.span)),
            _ => true,
        };
        let mut all = fine;
        stmt.children(&mut |child| all &= self.child(child));
        all
    }

    fn shrinks_in(&self, expr: &Expr) -> bool {
        let mut all = true;
        expr.children(&mut |child| all &= self.child(child));
        all
    }

    fn child(&self, child: Child<'_>) -> bool {
        match child {
            Child::Expr(expr) => self.shrinks_in(expr),
            Child::Block(block) => self.only_shrinks(block),
        }
    }

    /// Whether an expression is no more than the variable was at some time in the loop.
    fn is_bounded(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Variable(_) => {
                let number = self.lower.types.variable(expr.span);
                number == self.variable || self.value_of(self.body, number).is_some_and(|value| self.is_bounded(value))
            }
            ExprKind::Typed(inner, Scalar::Usize) => self.is_bounded(inner),
            ExprKind::Binary(BinaryOp::Div, of, by) if self.is_rounded_up(of, whole(by)) => true,
            ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, of, by) => is_positive(by) && self.is_bounded(of),
            ExprKind::Binary(BinaryOp::Shr, of, by) => {
                let by = whole(by).and_then(|by| 1u128.checked_shl(u32::try_from(by).ok()?));
                self.is_rounded_up(of, by) || self.is_bounded(of)
            }
            ExprKind::Binary(BinaryOp::Sub, of, part) => match &of.kind {
                ExprKind::Variable(_) => self.is_bounded(of) && self.is_part(part, self.lower.types.variable(of.span)),
                _ => false,
            },
            ExprKind::Binary(BinaryOp::BitAnd, a, b) => self.is_bounded(a) || self.is_bounded(b),
            ExprKind::Method { receiver, method, args } => match (&method.text[..], &args[..]) {
                ("min", [other]) => self.is_bounded(receiver) || self.is_bounded(other),
                ("div_ceil", [by]) => is_positive(by) && self.is_bounded(receiver),
                ("saturating_sub", [_]) => self.is_bounded(receiver),
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether an expression is one that is no more and a number below a divisor: the quotient is that of the first, rounded up at most. The sum does not wrap,
    /// as all that is no more is below 2^63.
    fn is_rounded_up(&self, sum: &Expr, by: Option<u128>) -> bool {
        let ExprKind::Binary(BinaryOp::Add, a, b) = &unwrapped(sum).kind else { return false };
        let fits = |of: &Expr, number: &Expr| {
            whole(number).zip(by).is_some_and(|(number, by)| number < by.min(1 << 62)) && self.is_bounded(of)
        };
        fits(a, b) || fits(b, a)
    }

    /// Whether an expression is a quotient of a variable, or what a shift leaves of it: so it is no more.
    fn is_part(&self, expr: &Expr, variable: usize) -> bool {
        let ExprKind::Binary(op, of, by) = &unwrapped(expr).kind else { return false };
        let is_less = match op {
            BinaryOp::Div => is_positive(by),
            BinaryOp::Shr => true,
            _ => false,
        };
        is_less && matches!(of.kind, ExprKind::Variable(_)) && self.lower.types.variable(of.span) == variable
    }

    /// What a name that does not change stands for.
    fn value_of<'b>(&self, block: &'b Block, number: usize) -> Option<&'b Expr> {
        block.stmts.iter().find_map(|stmt| match &stmt.kind {
            StmtKind::Let { name, mutable: false, value: Some(value), .. } => {
                (self.lower.types.variable(name.span) == number).then_some(value)
            }
            _ => {
                let mut found = None;
                stmt.children(&mut |child| {
                    if let Child::Block(block) = child {
                        found = found.or_else(|| self.value_of(block, number));
                    }
                });
                found
            }
        })
    }
}

/// An expression without the type that is given to it.
fn unwrapped(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Typed(inner, Scalar::Usize) => unwrapped(inner),
        _ => expr,
    }
}

/// The number that an expression is as it stands.
fn whole(expr: &Expr) -> Option<u128> {
    match &expr.kind {
        ExprKind::Int(number, _) => u128::try_from(*number).ok(),
        ExprKind::Typed(inner, _) => whole(inner),
        _ => None,
    }
}

/// Whether an expression is a positive number as it stands.
fn is_positive(expr: &Expr) -> bool {
    whole(expr).is_some_and(|number| number > 0)
}
