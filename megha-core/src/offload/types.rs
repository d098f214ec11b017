//! Names and types of a loop AST.
//!
//! Rust infers the types of literals and of variables from their uses (`let mut sum = 0.0;` is `f32` where `f32`s are added
//! to it); so types are variables that uses unify, as in Hindley and Milner's inference, over the scalar types and
//! the two kinds of literals. What is left open becomes Rust's default, `f64` or `i32`.

mod infer;
mod methods;
mod unify;

pub use methods::{ComplexMethod, FloatMethod, MAX_POWER, Method, NumberMethod, WholeMethod};

use super::Problem;
use super::ast::{Function, Scalar, SpanId};
use crate::hash::HashMap;
use unify::{Term, Terms};

/// A variable of the function; parameters come first, in order.
#[derive(Debug, Clone)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Whether it may be assigned to, or stored into.
    pub mutable: bool,
    /// Where it is declared.
    pub span: SpanId,
    shape: Shape,
}

#[derive(Debug, Clone, Copy)]
enum Shape {
    Scalar(Term),
    Array(Term, usize),
}

/// What is known of the names and types of a function.
#[derive(Debug, Clone)]
pub struct Types {
    variables: Vec<Variable>,
    /// The variable that a use or declaration of a name means.
    uses: HashMap<SpanId, usize>,
    exprs: HashMap<SpanId, Term>,
    terms: Terms,
}

impl Types {
    /// Infers them.
    ///
    /// # Errors
    /// All mistakes: unknown names, types that do not agree, assignments to what must not change.
    pub fn of(function: &Function) -> Result<Self, Vec<Problem>> {
        infer::run(function)
    }

    /// The variables.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// The number of the variable that is used or declared here.
    pub fn variable(&self, span: SpanId) -> usize {
        self.uses.get(&span).copied().unwrap_or_default()
    }

    /// The type of an expression.
    pub fn scalar(&self, span: SpanId) -> Scalar {
        self.exprs.get(&span).map_or(Scalar::F64, |term| self.terms.scalar(*term))
    }

    /// The type of a scalar variable, or of an array's elements.
    pub fn class(&self, variable: usize) -> Scalar {
        match self.variables[variable].shape {
            Shape::Scalar(term) | Shape::Array(term, _) => self.terms.scalar(term),
        }
    }

    /// The number of dimensions of an array, 0 of a scalar.
    pub fn rank(&self, variable: usize) -> usize {
        match self.variables[variable].shape {
            Shape::Scalar(_) => 0,
            Shape::Array(_, rank) => rank,
        }
    }
}
