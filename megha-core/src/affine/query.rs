//! Questions to a system that reduce to feasibility.

use super::expr::{LinExpr, Var};
use super::omega;
use super::problem::{GaveUp, Problem, Row};
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
        let negation = expr.checked_scale(-1)?.checked_offset(-1)?;
        match omega::feasibility(self.bounded(Some(&negation))) {
            Feasibility::Feasible => Some(false),
            Feasibility::Infeasible => Some(true),
            Feasibility::Unknown => None,
        }
    }

    /// The smallest and largest value of an expression over the integer solutions; `None` if unknown.
    ///
    /// Unbounded sides are recognised on the recession cone; on the others bisection finds the extreme value that an
    /// integer solution attains.
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
    let least = problem.objective.take().ok_or(GaveUp)?;
    let greatest: Row = least.iter().map(|entry| -entry).collect();
    let lower = minimum(&problem, &least)?;
    let upper = minimum(&problem, &greatest)?.map(|value| -value);
    let narrow = |bound: Option<i128>| bound.and_then(|value| i64::try_from(value).ok());
    Ok(Bounds::Between(narrow(lower), narrow(upper)))
}

/// The least value of a form over a feasible problem without equalities; `None` if there is none.
///
/// Over a nonempty rational polyhedron a form is unbounded exactly if it can be negative on the recession cone, whose
/// rows are those of the polyhedron without constants; on a cone, rational and integer points are alike.
fn minimum(problem: &Problem, form: &Row) -> Result<Option<i128>, GaveUp> {
    let at_most = |problem: &Problem, bound: i128| {
        let mut below = problem.clone();
        let mut row: Row = form.iter().map(|entry| -entry).collect();
        row[0] += bound;
        below.nonnegative.push(row);
        is_feasible(below)
    };
    let mut cone = problem.clone();
    cone.nonnegative.iter_mut().for_each(|row| row[0] = 0);
    if at_most(&cone, form[0] - 1)? {
        return Ok(None);
    }
    // Go from zero in doubling steps, down while the form still gets lower or up until it is attained at all; `last` and
    // `next` then enclose the least value, and bisection finds it.
    let downwards = at_most(problem, 0)?;
    let away = |steps: i128| if downwards { -steps } else { steps };
    let (mut last, mut next) = (0, 1);
    while at_most(problem, away(next))? == downwards {
        (last, next) = (next, 2 * next);
        if next > i128::from(u64::MAX) {
            return Err(GaveUp);
        }
    }
    let (mut too_low, mut enough) = if downwards { (away(next), away(last)) } else { (away(last), away(next)) };
    while enough - too_low > 1 {
        let middle = too_low + (enough - too_low) / 2;
        if at_most(problem, middle)? {
            enough = middle;
        } else {
            too_low = middle;
        }
    }
    Ok(Some(enough))
}

fn is_feasible(problem: Problem) -> Result<bool, GaveUp> {
    match omega::feasibility(problem) {
        Feasibility::Feasible => Ok(true),
        Feasibility::Infeasible => Ok(false),
        Feasibility::Unknown => Err(GaveUp),
    }
}
