//! Unimodular changes of columns that make coefficients small.
//!
//! Elimination of equalities leaves a skewed basis of the integer solutions, on which shadows are seldom exact and
//! enumeration is wide. Subtracting multiples of one column from another changes nothing but the basis, so the quotients
//! may come from floating point: they decide how well the basis is reduced, never what the answer is. The reduction is
//! Lagrange's for two columns, applied to all pairs (P. Q. Nguyen, B. Vallée (eds.), "The LLL Algorithm", 2010,
//! chapter 2); K. Aardal, C. Hurkens and A. Lenstra, "Solving a system of linear Diophantine equations with lower and
//! upper bounds on the variables", Mathematics of Operations Research 2000, show why it pays for bounded systems.

use super::problem::{GaveUp, Problem, combine};

/// Sweeps over all pairs of columns; each shortens some column by a constant factor.
const SWEEPS: usize = 64;

/// Quotients beyond this are not worth their rounding error; further sweeps do the rest.
const LARGEST_QUOTIENT: f64 = 1e15;

impl Problem {
    /// Changes columns until no multiple of one shortens another much. The lengths of columns are measured in rows, each
    /// weighted by the inverse of how many values it takes where that is known.
    pub fn reduce_columns(&mut self) -> Result<(), GaveUp> {
        let weights = self.row_weights();
        for _ in 0..SWEEPS {
            let mut changed = false;
            for target in 1..=self.columns {
                for source in (1..=self.columns).filter(|source| *source != target) {
                    let quotient = self.shortening_quotient(&weights, target, source);
                    if quotient != 0 {
                        self.subtract_column(target, source, quotient)?;
                        changed = true;
                    }
                }
            }
            if !changed {
                break;
            }
        }
        Ok(())
    }

    fn row_weights(&self) -> Vec<f64> {
        let mut weights: Vec<f64> =
            self.nonnegative.iter().map(|row| 1.0 / (1.0 + row[0].unsigned_abs() as f64)).collect();
        for (at, count) in self.strips() {
            (weights[at], weights[at + 1]) = (1.0 / count as f64, 1.0 / count as f64);
        }
        weights
    }

    /// The multiple of `source` to be subtracted from `target`; zero unless that makes it shorter by a clear margin.
    fn shortening_quotient(&self, weights: &[f64], target: usize, source: usize) -> i128 {
        let (mut tt, mut ts, mut ss) = (0.0, 0.0, 0.0);
        for (row, weight) in self.nonnegative.iter().zip(weights) {
            let (t, s) = (row[target] as f64 * weight, row[source] as f64 * weight);
            (tt, ts, ss) = (tt + t * t, ts + t * s, ss + s * s);
        }
        let quotient = (ts / ss).round();
        let shorter = tt - 2.0 * quotient * ts + quotient * quotient * ss;
        let worthwhile = ss > 0.0 && quotient.abs() <= LARGEST_QUOTIENT && shorter < 0.99 * tt;
        if worthwhile { quotient as i128 } else { 0 }
    }

    fn subtract_column(&mut self, target: usize, source: usize, quotient: i128) -> Result<(), GaveUp> {
        for row in self.rows_mut() {
            row[target] = combine(1, row[target], -quotient, row[source])?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_skewed_box_becomes_a_box() {
        // 0 <= u <= 9, 0 <= v <= 9 with u = 1000 x + 999 y, v = 1001 x + 1000 y: determinant 1.
        let rows = vec![vec![0, 1000, 999], vec![9, -1000, -999], vec![0, 1001, 1000], vec![9, -1001, -1000]];
        let mut p = Problem::new(2, vec![], rows);
        assert!(p.normalise());
        p.reduce_columns().unwrap();
        assert!(p.nonnegative.iter().all(|row| row[1..].iter().all(|c| c.abs() <= 1)), "{p:?}");
    }
}
