//! What keeps a subscript from being analysed.

use super::AffineView;
use super::definitions::Def;
use crate::ir::{Binary, Class, Value};

/// Why a number is no linear expression of loop variables and parameters, nor bound to them by linear constraints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Obstacle {
    /// It comes from an element of this array.
    Element(Value),
    /// It is a product of numbers that vary.
    Product,
    /// It is a quotient or remainder by a number that is not a positive constant, or of one that may be negative.
    Quotient,
    /// What is computed may be too large to be exact.
    Large,
    /// It is computed in another way.
    Other,
}

impl AffineView<'_> {
    /// The obstacle that is met first on the way to a number; `None` if it can be analysed.
    pub fn obstacle(&mut self, value: Value) -> Option<Obstacle> {
        let known = match self.defs.class(value) {
            Some(Class::Index) => self.expr(value),
            _ => self.whole(value),
        };
        if known.is_some() || self.polynomial(value).is_some() {
            return None;
        }
        let sum = if self.defs.class(value) == Some(Class::Index) { self.sum_of_products(value) } else { None };
        if sum.is_some_and(|sum| self.has_strides(&sum)) {
            return Some(Obstacle::Large);
        }
        let first = |view: &mut Self, from: &[Value]| from.iter().find_map(|v| view.obstacle(*v));
        Some(match self.definition(value).clone() {
            Def::Element(array) => Obstacle::Element(array),
            Def::Binary(op, a, b) => first(self, &[a, b]).unwrap_or(match op {
                Binary::Mul => Obstacle::Product,
                Binary::Div | Binary::Mod | Binary::Rem | Binary::Divu | Binary::Remu => Obstacle::Quotient,
                Binary::Add | Binary::Sub => Obstacle::Large,
                _ => Obstacle::Other,
            }),
            Def::Size(size) => {
                let mut values = Vec::new();
                self.symbols.for_each_value(&size, &mut |v| values.push(v));
                first(self, &values).unwrap_or(Obstacle::Product)
            }
            Def::Choice(_, a, b) => first(self, &[a, b]).unwrap_or(Obstacle::Other),
            Def::Unary(_, of) | Def::Convert(of) | Def::ToIndex(of) => first(self, &[of]).unwrap_or(Obstacle::Other),
            Def::Int(_)
            | Def::Float(_)
            | Def::Bool(_)
            | Def::Fill(_)
            | Def::Counter(_)
            | Def::Argument
            | Def::Other => Obstacle::Other,
        })
    }
}
