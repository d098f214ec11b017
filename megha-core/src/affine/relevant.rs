//! Leaves out of a question what cannot decide it, before anything is dense.
//!
//! A variable that no equality holds and that inequalities bound on one side only can always be chosen far enough away, so these
//! inequalities say nothing (Pugh 1991, section 2.3, does this in the course of the elimination). Others may become one-sided by that.
//! What is known of sizes are long chains, of which a question about one subscript usually needs two or three links.

use super::expr::{LinExpr, Var};
use super::problem::Problem;
use super::system::{System, row_over, variables_of};

impl System {
    /// The problem whether the system, and `more >= 0`, has a solution, without the inequalities of one-sided variables.
    pub(super) fn bounded(&self, more: Option<&LinExpr>) -> Problem {
        let rows: Vec<&LinExpr> = self.nonnegative.iter().chain(more).collect();
        let rows = Occurrences::of(rows, &self.zero).bounded();
        let columns = variables_of(rows.iter().copied().chain(&self.zero));
        let dense = |expr: &LinExpr| row_over(expr, &columns);
        Problem::new(columns.len(), self.zero.iter().map(dense).collect(), rows.into_iter().map(dense).collect())
    }
}

/// Where variables occur in inequalities.
struct Occurrences<'e> {
    rows: Vec<&'e LinExpr>,
    dropped: Vec<bool>,
    variables: Vec<Var>,
    /// For each variable the rows that hold it.
    holding: Vec<Vec<usize>>,
    /// For each variable how many rows bound it from below, and from above.
    bounds: Vec<[usize; 2]>,
    /// Whether an equality holds it.
    pinned: Vec<bool>,
}

impl<'e> Occurrences<'e> {
    fn of(rows: Vec<&'e LinExpr>, zero: &[LinExpr]) -> Self {
        let variables = variables_of(rows.iter().copied());
        let mut this = Self {
            dropped: vec![false; rows.len()],
            holding: vec![Vec::new(); variables.len()],
            bounds: vec![[0; 2]; variables.len()],
            pinned: vec![false; variables.len()],
            variables,
            rows,
        };
        for row in 0..this.rows.len() {
            let expr = this.rows[row];
            for (var, coefficient) in expr.terms() {
                let Ok(at) = this.variables.binary_search(&var) else { continue };
                this.holding[at].push(row);
                this.bounds[at][usize::from(coefficient < 0)] += 1;
            }
        }
        for (var, _) in zero.iter().flat_map(LinExpr::terms) {
            if let Ok(at) = this.variables.binary_search(&var) {
                this.pinned[at] = true;
            }
        }
        this
    }

    fn is_one_sided(&self, at: usize) -> bool {
        let [below, above] = self.bounds[at];
        !self.pinned[at] && (below == 0) != (above == 0)
    }

    /// The rows of which each variable is bounded on both sides.
    fn bounded(mut self) -> Vec<&'e LinExpr> {
        let mut open: Vec<usize> = (0..self.variables.len()).filter(|at| self.is_one_sided(*at)).collect();
        while let Some(at) = open.pop() {
            for row in std::mem::take(&mut self.holding[at]) {
                if !std::mem::replace(&mut self.dropped[row], true) {
                    self.forget(row, &mut open);
                }
            }
        }
        self.rows.iter().zip(&self.dropped).filter(|(_, dropped)| !**dropped).map(|(row, _)| *row).collect()
    }

    fn forget(&mut self, row: usize, open: &mut Vec<usize>) {
        let expr = self.rows[row];
        for (var, coefficient) in expr.terms() {
            let Ok(at) = self.variables.binary_search(&var) else { continue };
            self.bounds[at][usize::from(coefficient < 0)] -= 1;
            if self.is_one_sided(at) {
                open.push(at);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::affine::Feasibility;

    fn expr(terms: &[(u32, i64)], constant: i64) -> LinExpr {
        LinExpr::from_terms(terms.iter().map(|(v, c)| (Var(*v), *c)), constant).unwrap()
    }

    #[test]
    fn a_chain_that_is_open_at_one_end_vanishes() {
        // x1 >= x0, x2 >= x1, .. says nothing about x0 = 3.
        let mut system = System::new();
        for v in 0..20 {
            system.require_nonnegative(expr(&[(v + 1, 1), (v, -1)], 0));
        }
        system.require_zero(expr(&[(0, 1)], -3));
        let problem = system.bounded(None);
        assert_eq!((problem.columns, problem.nonnegative.len(), problem.zero.len()), (1, 0, 1));
    }

    #[test]
    fn what_is_bounded_on_both_sides_stays() {
        // 0 <= x0 <= x1 <= 5, x2 >= x1: only the last row goes.
        let mut system = System::new();
        for row in [expr(&[(0, 1)], 0), expr(&[(1, 1), (0, -1)], 0), expr(&[(1, -1)], 5), expr(&[(2, 1), (1, -1)], 0)] {
            system.require_nonnegative(row);
        }
        assert_eq!(system.bounded(None).nonnegative.len(), 3);
        assert_eq!(system.implies(&expr(&[(0, -1)], 5)), Some(true));
        assert_eq!(system.implies(&expr(&[(0, -1)], 4)), Some(false));
        // A constraint that is added may bound the open end.
        system.require_nonnegative(expr(&[(2, -1)], -1));
        assert_eq!(system.feasibility(), Feasibility::Infeasible);
    }

    #[test]
    fn a_row_without_variables_still_counts() {
        let mut system = System::new();
        system.require_nonnegative(LinExpr::constant(-1));
        assert_eq!(system.feasibility(), Feasibility::Infeasible);
    }
}
