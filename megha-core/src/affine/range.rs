//! The rational range of a form, by Fourier–Motzkin projection.

use super::omega::{Shadow, Work};
use super::problem::{GaveUp, Problem, Row};

/// Rows that a projection may produce; it serves as a hint where splits are wide, and must not cost more than they do.
const WORK_LIMIT: usize = 1 << 12;

/// The values that a form takes over the rational relaxation, rounded inwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Range {
    /// None at all.
    Empty,
    /// All integers between the bounds; an absent bound is infinite.
    Between(Option<i128>, Option<i128>),
}

/// The range of a form over the rational points of a problem: all columns but one, which equals the form, are projected
/// away.
pub(super) fn rational_range(problem: &Problem, form: &Row) -> Result<Range, GaveUp> {
    let mut problem = problem.clone();
    for row in problem.rows_mut() {
        row.push(0);
    }
    problem.columns += 1;
    let column = problem.columns;
    let mut definition = form.clone();
    definition.push(-1);
    problem.zero.push(definition);
    let mut work = Work::limited(WORK_LIMIT);
    loop {
        if !problem.normalise() {
            return Ok(Range::Empty);
        }
        for row in std::mem::take(&mut problem.zero) {
            problem.nonnegative.push(row.iter().map(|entry| -entry).collect());
            problem.nonnegative.push(row);
        }
        let Some(choice) = problem.cheapest_column(|other| other != column) else { break };
        problem.project(choice.column, Shadow::Real, &mut work)?;
    }
    // Rows are normalised, so the remaining coefficients are ±1.
    let lower = problem.nonnegative.iter().filter(|row| row[column] > 0).map(|row| -row[0]).max();
    let upper = problem.nonnegative.iter().filter(|row| row[column] < 0).map(|row| row[0]).min();
    Ok(Range::Between(lower, upper))
}
