//! Conjunctions of linear constraints, as the callers write them.

use super::expr::{LinExpr, Var};
use super::omega;
use super::problem::{Problem, Row};

/// Whether a system has an integer solution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Feasibility {
    /// It has one.
    Feasible,
    /// It has none.
    Infeasible,
    /// Arithmetic overflowed or the work limit was reached; callers must assume a solution.
    Unknown,
}

/// A conjunction of `expr >= 0` and `expr == 0` over integer variables. Empty, it is true.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct System {
    pub(super) nonnegative: Vec<LinExpr>,
    pub(super) zero: Vec<LinExpr>,
}

impl System {
    /// The empty conjunction.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds `expr >= 0`.
    pub fn require_nonnegative(&mut self, expr: LinExpr) -> &mut Self {
        self.nonnegative.push(expr);
        self
    }

    /// Adds `expr == 0`.
    pub fn require_zero(&mut self, expr: LinExpr) -> &mut Self {
        self.zero.push(expr);
        self
    }

    /// Adds all constraints of another conjunction that it does not have.
    pub fn require(&mut self, other: &Self) -> &mut Self {
        for (own, new) in [(&mut self.nonnegative, &other.nonnegative), (&mut self.zero, &other.zero)] {
            for expr in new {
                if !own.contains(expr) {
                    own.push(expr.clone());
                }
            }
        }
        self
    }

    /// The expressions, each with whether it is required to be zero rather than not negative.
    pub fn constraints(&self) -> impl Iterator<Item = (&LinExpr, bool)> {
        self.nonnegative.iter().map(|expr| (expr, false)).chain(self.zero.iter().map(|expr| (expr, true)))
    }

    /// The variables that occur, ascending.
    pub fn variables(&self) -> Vec<Var> {
        variables_of(self.nonnegative.iter().chain(&self.zero))
    }

    /// Whether an integer solution exists; every variable is existentially quantified.
    pub fn feasibility(&self) -> Feasibility {
        omega::feasibility(self.bounded(None))
    }

    /// The rows over the given columns, which must include all variables that occur.
    pub(super) fn problem(&self, columns: &[Var]) -> Problem {
        let row = |expr: &LinExpr| row_over(expr, columns);
        Problem::new(columns.len(), self.zero.iter().map(row).collect(), self.nonnegative.iter().map(row).collect())
    }
}

/// The variables that occur in expressions, ascending.
pub(super) fn variables_of<'e>(exprs: impl IntoIterator<Item = &'e LinExpr>) -> Vec<Var> {
    let mut vars: Vec<Var> = Vec::new();
    for expr in exprs {
        vars.extend(expr.terms().map(|(var, _)| var));
    }
    vars.sort_unstable();
    vars.dedup();
    vars
}

/// The row of an expression: the constant, then one coefficient per column.
pub(super) fn row_over(expr: &LinExpr, columns: &[Var]) -> Row {
    let mut row = vec![0; columns.len() + 1];
    row[0] = i128::from(expr.constant_term());
    for (var, coefficient) in expr.terms() {
        if let Ok(at) = columns.binary_search(&var) {
            row[at + 1] = i128::from(coefficient);
        }
    }
    row
}
