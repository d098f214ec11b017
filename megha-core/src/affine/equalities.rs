//! Elimination of equalities: over the integers for the Omega test, over the rationals for the front tests.

use super::problem::{GaveUp, Problem, Row, combine, content};

impl Problem {
    /// Removes all equalities, each with one column, keeping the existence of integer solutions. The problem must be
    /// normalised; false when an equality turns out to have no solution.
    pub fn eliminate_equalities(&mut self) -> Result<bool, GaveUp> {
        while let Some(at) = self.simplest_equality() {
            let row = self.zero.swap_remove(at);
            self.eliminate_equality(row)?;
            if !self.zero.is_empty() {
                self.reduce_columns()?;
            }
            if !self.normalise() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The equality whose smallest coefficient is smallest.
    fn simplest_equality(&self) -> Option<usize> {
        let smallest = |row: &Row| row[1..].iter().filter(|c| **c != 0).map(|c| c.unsigned_abs()).min();
        (0..self.zero.len()).min_by_key(|at| smallest(&self.zero[*at]))
    }

    /// Substitutes by `row`, whose content is one, changing columns unimodularly until one of them has coefficient ±1.
    fn eliminate_equality(&mut self, mut row: Row) -> Result<(), GaveUp> {
        loop {
            let nonzero = (1..row.len()).filter(|at| row[*at] != 0);
            let pivot = nonzero.min_by_key(|at| row[*at].unsigned_abs()).ok_or(GaveUp)?;
            if row[pivot].abs() == 1 {
                return self.substitute(pivot, &row);
            }
            let quotients: Row = row.iter().map(|entry| rounded_quotient(*entry, row[pivot])).collect();
            shear(&mut row, pivot, &quotients)?;
            for other in self.rows_mut() {
                shear(other, pivot, &quotients)?;
            }
        }
    }

    /// Replaces the pivot column, whose coefficient in `row` is ±1, by what `row == 0` says of it.
    fn substitute(&mut self, pivot: usize, row: &[i128]) -> Result<(), GaveUp> {
        for other in self.rows_mut() {
            let factor = other[pivot] * row[pivot];
            if factor != 0 {
                for (entry, by) in other.iter_mut().zip(row) {
                    *entry = combine(1, *entry, -factor, *by)?;
                }
            }
        }
        Ok(())
    }
}

/// `a / b` to the nearest integer.
fn rounded_quotient(a: i128, b: i128) -> i128 {
    let quotient = a.div_euclid(b);
    let remainder = a.rem_euclid(b);
    if 2 * remainder > b.abs() { quotient + b.signum() } else { quotient }
}

/// The row after `x_pivot = y - Σ q_i x_i`, with `y` in the pivot's column.
fn shear(row: &mut [i128], pivot: usize, quotients: &[i128]) -> Result<(), GaveUp> {
    let factor = row[pivot];
    if factor != 0 {
        for at in (0..row.len()).filter(|at| *at != pivot) {
            row[at] = combine(1, row[at], -factor, quotients[at])?;
        }
    }
    Ok(())
}

/// What Gauss–Jordan elimination says of a set of equalities.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Reduced {
    /// Some integer combination of the rows has no solution.
    Contradiction,
    /// Equivalent rows, each with a pivot column of its own.
    Rows(Vec<Row>),
}

/// Brings equalities into reduced echelon form, taking pivots from the last columns first, so that the rows left without
/// later columns speak of the earliest columns alone. Refutes by the gcd test on the way.
pub(super) fn gauss_jordan(rows: Vec<Row>) -> Result<Reduced, GaveUp> {
    let mut done: Vec<(usize, Row)> = Vec::with_capacity(rows.len());
    for mut row in rows {
        for (pivot, other) in &done {
            clear(&mut row, *pivot, other)?;
        }
        if !divide_by_content(&mut row) {
            return Ok(Reduced::Contradiction);
        }
        let Some(pivot) = (1..row.len()).rev().find(|at| row[*at] != 0) else { continue };
        for (_, other) in &mut done {
            clear(other, pivot, &row)?;
            if !divide_by_content(other) {
                return Ok(Reduced::Contradiction);
            }
        }
        done.push((pivot, row));
    }
    Ok(Reduced::Rows(done.into_iter().map(|(_, row)| row).collect()))
}

/// Makes the pivot's coefficient in `row` zero by a combination with `other`.
fn clear(row: &mut [i128], pivot: usize, other: &[i128]) -> Result<(), GaveUp> {
    let (factor, by) = (row[pivot], other[pivot]);
    if factor != 0 {
        for (entry, x) in row.iter_mut().zip(other) {
            *entry = combine(by, *entry, -factor, *x)?;
        }
    }
    Ok(())
}

/// False when the gcd test refutes the row.
fn divide_by_content(row: &mut [i128]) -> bool {
    let g = content(row);
    if g == 0 || row[0] % g != 0 {
        return row[0] == 0;
    }
    if g > 1 {
        row.iter_mut().for_each(|entry| *entry /= g);
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients_round_to_nearest() {
        for a in -20..=20 {
            for b in [-7, -4, -3, 2, 3, 5, 6] {
                assert!(2 * (a - rounded_quotient(a, b) * b).abs() <= i128::abs(b), "{a} / {b}");
            }
        }
    }

    #[test]
    fn coupled_rows_give_single_columns() {
        // x + y = 0 and x - y = 2.
        let reduced = gauss_jordan(vec![vec![0, 1, 1], vec![-2, 1, -1]]).unwrap();
        let Reduced::Rows(rows) = reduced else { panic!("solvable") };
        assert!(rows.iter().all(|row| row[1..].iter().filter(|c| **c != 0).count() == 1), "{rows:?}");
    }

    #[test]
    fn combined_rows_contradict() {
        // x + y = 0 and x - y = 1: 2x = 1.
        assert_eq!(gauss_jordan(vec![vec![0, 1, 1], vec![-1, 1, -1]]), Ok(Reduced::Contradiction));
        assert_eq!(gauss_jordan(vec![vec![0, 1], vec![-1, 1]]), Ok(Reduced::Contradiction));
    }
}
