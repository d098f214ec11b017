//! Which column of a problem stands for which variable of a pair of accesses.

use super::access::{Access, Domain, Subscript};
use super::delinearise::Form;
use super::expr::{LinExpr, Var};
use super::pair::Pair;
use super::polynomial::Polynomial;
use super::problem::{GaveUp, Problem, Row};
use super::system::System;

/// The access whose iteration an expression is evaluated in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// The first access.
    First,
    /// The second access.
    Second,
}

/// Which column stands for which variable.
pub(super) struct Layout<'a> {
    pair: &'a Pair<'a>,
    parameters: Vec<Var>,
    /// The column of the first access's outermost loop; its loops follow in order.
    pub first_loops: usize,
    /// The column of the second access's first private loop.
    second_private: usize,
    /// The column of the first access's first local variable; those of the second follow.
    first_locals: usize,
    first_parameter: usize,
    /// The number of columns.
    pub width: usize,
}

impl<'a> Layout<'a> {
    /// The columns of a pair: distances, loops of the first access, private loops of the second, local variables, parameters.
    pub fn new(pair: &'a Pair<'a>) -> Self {
        let first_loops = 1 + pair.common;
        let second_private = first_loops + pair.first_domain.loops.len();
        let first_locals = second_private + pair.second_domain.loops.len() - pair.common;
        let first_parameter = first_locals + pair.first_domain.locals.len() + pair.second_domain.locals.len();
        let mut parameters = Vec::new();
        collect_parameters(&mut parameters, pair.first_domain, pair.first);
        collect_parameters(&mut parameters, pair.second_domain, pair.second);
        let width = first_parameter + parameters.len() - 1;
        Self { pair, parameters, first_loops, second_private, first_locals, first_parameter, width }
    }

    /// The row of an expression at the iteration of one access.
    pub fn row(&self, expr: &LinExpr, side: Side) -> Row {
        let mut row = vec![0; self.width + 1];
        row[0] = i128::from(expr.constant_term());
        for (var, coefficient) in expr.terms() {
            self.add(&mut row, var, i128::from(coefficient), side);
        }
        row
    }

    /// The form of a subscript at the iteration of one access; `None` if nothing is known of it.
    pub fn form(&self, subscript: &Subscript, side: Side) -> Result<Option<Form>, GaveUp> {
        match subscript {
            Subscript::Affine(expr) => Ok(Some(Form::of_row(&self.row(expr, side)))),
            Subscript::Strided(sum) => self.form_of_sum(sum, side).map(Some),
            Subscript::Unanalysable => Ok(None),
        }
    }

    fn form_of_sum(&self, sum: &Polynomial, side: Side) -> Result<Form, GaveUp> {
        let variable = |var: &Var| Form::of_row(&self.row(&LinExpr::var(*var), side));
        sum.terms().try_fold(Form::default(), |sum, (product, coefficient)| {
            let one = Form::of_row(&[1]);
            let product = product.iter().try_fold(one, |product, var| product.times(&variable(var)))?;
            sum.plus(i128::from(coefficient), &product)
        })
    }

    /// Adds a multiple of a variable; a common loop variable of the second access is the first's plus the distance.
    fn add(&self, row: &mut Row, var: Var, coefficient: i128, side: Side) {
        let domain = if side == Side::First { self.pair.first_domain } else { self.pair.second_domain };
        if let Some(local) = domain.locals.iter().position(|l| l.var == var) {
            let others = if side == Side::First { 0 } else { self.pair.first_domain.locals.len() };
            row[self.first_locals + others + local] += coefficient;
            return;
        }
        let Some(level) = domain.loops.iter().position(|l| l.var == var) else {
            if let Some(parameter) = self.parameters.iter().position(|p| *p == var) {
                row[self.first_parameter + parameter] += coefficient;
            }
            return;
        };
        if side == Side::Second && level >= self.pair.common {
            row[self.second_private + level - self.pair.common] += coefficient;
            return;
        }
        row[self.first_loops + level] += coefficient;
        if side == Side::Second {
            row[1 + level] += coefficient;
        }
    }

    /// Adds what holds of an iteration of one access.
    pub fn add_domain(&self, problem: &mut Problem, domain: &Domain, side: Side) {
        for l in &domain.loops {
            let mut above = self.row(&l.lower, side);
            above.iter_mut().for_each(|entry| *entry = -*entry);
            self.add(&mut above, l.var, 1, side);
            let mut below = self.row(&l.upper, side);
            self.add(&mut below, l.var, -1, side);
            problem.nonnegative.extend([above, below]);
        }
        let System { nonnegative, zero } = &domain.assumptions;
        problem.nonnegative.extend(nonnegative.iter().map(|expr| self.row(expr, side)));
        problem.zero.extend(zero.iter().map(|expr| self.row(expr, side)));
    }
}

/// Adds the variables that are neither a loop's nor local.
fn collect_parameters(parameters: &mut Vec<Var>, domain: &Domain, access: &Access) {
    let bounds = domain.loops.iter().flat_map(|l| [&l.lower, &l.upper]);
    let assumed = domain.assumptions.nonnegative.iter().chain(&domain.assumptions.zero);
    let known = bounds.chain(assumed).flat_map(LinExpr::terms).map(|(var, _)| var);
    for var in known.chain(access.variables()) {
        let is_own = domain.loops.iter().any(|l| l.var == var) || domain.locals.iter().any(|l| l.var == var);
        if !is_own && !parameters.contains(&var) {
            parameters.push(var);
        }
    }
}
