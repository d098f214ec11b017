//! Loop nests and array accesses, as the dependence test sees them.

use super::expr::{LinExpr, Var};
use super::polynomial::Polynomial;
use super::system::System;

/// One loop: an integer variable between two inclusive bounds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loop {
    /// The loop variable. Its order is the order of execution: a loop that counts down or by a stride is described by
    /// its iteration number, and its subscripts by expressions in that number.
    pub var: Var,
    /// The first value, affine in outer loop variables and parameters.
    pub lower: LinExpr,
    /// The last value, affine in outer loop variables and parameters.
    pub upper: LinExpr,
}

/// A variable that has its own value in each iteration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Local {
    /// The variable.
    pub var: Var,
    /// Whether the assumptions determine it: a dependence by way of one that they do not is only assumed.
    pub determined: bool,
}

/// The iteration domain of a statement: its loops, outermost first, and what else is known.
///
/// Variables that are neither a loop's nor local are parameters: numbers that stay the same throughout the nest.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Domain {
    /// The loops, outermost first.
    pub loops: Vec<Loop>,
    /// Variables with a value of its own in each iteration, such as a quotient of a loop variable; the assumptions say which.
    pub locals: Vec<Local>,
    /// Further constraints over loop variables and parameters: sizes that are not negative, conditions of an `if`,
    /// second bounds of a loop.
    pub assumptions: System,
}

impl Domain {
    /// A domain without assumptions.
    pub fn new(loops: impl IntoIterator<Item = Loop>) -> Self {
        Self { loops: loops.into_iter().collect(), ..Self::default() }
    }

    /// Whether all subscripts of an access are known functions of the iteration.
    pub(super) fn determines(&self, access: &Access) -> bool {
        let open = |var: Var| self.locals.iter().any(|l| l.var == var && !l.determined);
        access.subscripts.iter().all(|subscript| match subscript {
            Subscript::Affine(expr) => !expr.terms().any(|(var, _)| open(var)),
            Subscript::Strided(sum) => !sum.variables().any(open),
            Subscript::Unanalysable => false,
        })
    }

    /// The same domain with one more assumption, `expr >= 0`.
    pub fn assuming(mut self, expr: LinExpr) -> Self {
        self.assumptions.require_nonnegative(expr);
        self
    }
}

/// Whether an access reads or writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AccessKind {
    /// The element is used.
    Read,
    /// The element is defined.
    Write,
}

/// The index in one dimension of an access.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subscript {
    /// Linear in loop variables and parameters.
    Affine(LinExpr),
    /// Linear in loop variables, of which some are multiplied with parameters: `i*m + j`.
    Strided(Polynomial),
    /// Anything else, a product of variables or an index array: it may take any value in any iteration.
    Unanalysable,
}

/// An access to an array, one subscript per dimension.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Access {
    /// Whether it reads or writes.
    pub kind: AccessKind,
    /// The subscripts, first dimension first.
    pub subscripts: Vec<Subscript>,
}

impl Access {
    /// A read with affine subscripts.
    pub fn read(subscripts: impl IntoIterator<Item = LinExpr>) -> Self {
        Self::affine(AccessKind::Read, subscripts)
    }

    /// A write with affine subscripts.
    pub fn write(subscripts: impl IntoIterator<Item = LinExpr>) -> Self {
        Self::affine(AccessKind::Write, subscripts)
    }

    /// The variables of all subscripts, perhaps repeatedly.
    pub fn variables(&self) -> impl Iterator<Item = Var> + '_ {
        self.subscripts.iter().flat_map(|subscript| match subscript {
            Subscript::Affine(expr) => expr.terms().map(|(var, _)| var).collect::<Vec<_>>(),
            Subscript::Strided(sum) => sum.variables().collect(),
            Subscript::Unanalysable => Vec::new(),
        })
    }

    fn affine(kind: AccessKind, subscripts: impl IntoIterator<Item = LinExpr>) -> Self {
        Self { kind, subscripts: subscripts.into_iter().map(Subscript::Affine).collect() }
    }
}
