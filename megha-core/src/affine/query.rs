//! Questions to a system that reduce to feasibility.

use super::expr::{LinExpr, Var};
use super::omega;
use super::problem::{GaveUp, Problem, Row};
use super::range::{Range, rational_range};
use super::system::{Feasibility, System, row_over};

/// The values an expression takes over the solutions of a system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Bounds {
    /// The system has no solution.
    Empty,
    /// Smallest and largest value; `None` where there is none, or none that fits `i64`.
    Between(Option<i64>, Option<i64>),
}

impl System {
    /// Whether every solution satisfies `expr >= 0`, decided by the infeasibility of the negation; `None` if unknown.
    pub fn implies(&self, expr: &LinExpr) -> Option<bool> {
        let columns = self.columns_with(expr);
        let mut negated = self.problem(&columns);
        let mut row: Vec<i128> = row_over(expr, &columns).iter().map(|entry| -entry).collect();
        row[0] -= 1;
        negated.nonnegative.push(row);
        match omega::feasibility(negated) {
            Feasibility::Feasible => Some(false),
            Feasibility::Infeasible => Some(true),
            Feasibility::Unknown => None,
        }
    }

    /// The smallest and largest value of an expression over the integer solutions; `None` if unknown.
    ///
    /// The rational range comes from Fourier–Motzkin projection and is then narrowed by bisection to the values that
    /// integer solutions reach.
    pub fn bounds(&self, expr: &LinExpr) -> Option<Bounds> {
        let columns = self.columns_with(expr);
        bounds_of(self.problem(&columns), row_over(expr, &columns)).ok()
    }

    /// Values of all variables that satisfy the system, each as near to zero as the earlier ones permit and rather
    /// positive than negative; `None` if it has no solution, or if none is found within the limits.
    pub fn sample(&self) -> Option<Vec<(Var, i64)>> {
        let columns = self.variables();
        let values = sample(&self.problem(&columns))?;
        columns.into_iter().zip(values).map(|(var, value)| Some((var, i64::try_from(value).ok()?))).collect()
    }

    fn columns_with(&self, expr: &LinExpr) -> Vec<Var> {
        let mut columns = self.variables();
        columns.extend(expr.terms().map(|(v, _)| v));
        columns.sort_unstable();
        columns.dedup();
        columns
    }
}

/// Values of all columns that satisfy a problem.
pub(super) fn sample(problem: &Problem) -> Option<Vec<i128>> {
    let mut problem = problem.clone();
    let mut values = Vec::with_capacity(problem.columns);
    for column in 1..=problem.columns {
        let value = nearest_to_zero(&problem, column)?;
        let mut row = vec![0; problem.columns + 1];
        (row[0], row[column]) = (-value, 1);
        problem.zero.push(row);
        values.push(value);
    }
    (is_feasible(problem) == Ok(true)).then_some(values)
}

/// The smallest value of a column that is not negative, or else the largest that is.
fn nearest_to_zero(problem: &Problem, column: usize) -> Option<i128> {
    [1, -1].into_iter().find_map(|sign| {
        let mut half = problem.clone();
        let mut unit = vec![0; problem.columns + 1];
        unit[column] = 1;
        half.nonnegative.push(unit.iter().map(|entry| sign * entry).collect());
        match (bounds_of(half, unit).ok()?, sign) {
            (Bounds::Between(Some(lower), _), 1) => Some(i128::from(lower)),
            (Bounds::Between(_, Some(upper)), -1) => Some(i128::from(upper)),
            _ => None,
        }
    })
}

/// The integer range of a form.
fn bounds_of(mut problem: Problem, objective: Row) -> Result<Bounds, GaveUp> {
    problem.objective = Some(objective);
    if !problem.normalise() || !problem.eliminate_equalities()? || !is_feasible(problem.clone())? {
        return Ok(Bounds::Empty);
    }
    problem.reduce_columns()?;
    let objective = problem.objective.take().ok_or(GaveUp)?;
    let Range::Between(lower, upper) = rational_range(&problem, &objective)? else { return Ok(Bounds::Empty) };
    let attained = |side: i128, bound: Option<i128>| match bound {
        Some(bound) => first_attained(&problem, &objective, side, bound).map(|value| i64::try_from(value).ok()),
        None => Ok(None),
    };
    Ok(Bounds::Between(attained(1, lower)?, attained(-1, upper)?))
}

/// The value nearest to `bound`, upwards for `side` 1 and downwards for -1, that a form takes over a feasible problem.
fn first_attained(problem: &Problem, form: &Row, side: i128, bound: i128) -> Result<i128, GaveUp> {
    let reaches = |steps: i128| {
        let mut near = problem.clone();
        let mut row: Row = form.iter().map(|entry| -side * entry).collect();
        row[0] += side * bound + steps;
        near.nonnegative.push(row);
        is_feasible(near)
    };
    let mut too_few = -1;
    let mut enough = 0;
    while !reaches(enough)? {
        too_few = enough;
        enough = 2 * enough + 1;
        if enough > i128::from(u64::MAX) {
            return Err(GaveUp);
        }
    }
    while enough - too_few > 1 {
        let middle = too_few + (enough - too_few) / 2;
        if reaches(middle)? {
            enough = middle;
        } else {
            too_few = middle;
        }
    }
    Ok(bound + side * enough)
}

fn is_feasible(problem: Problem) -> Result<bool, GaveUp> {
    match omega::feasibility(problem) {
        Feasibility::Feasible => Ok(true),
        Feasibility::Infeasible => Ok(false),
        Feasibility::Unknown => Err(GaveUp),
    }
}
