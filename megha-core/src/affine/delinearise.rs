//! Subscripts with symbolic strides, taken apart.
//!
//! Two accesses `a[i*m + j]` and `a[i'*m + j']` touch the same element where the *difference* `(i - i')*m + (j - j')` is zero. It is divided
//! by a *stride*, a multiple of a variable and a number (`m`, `2*m + 1`): `quotient * stride + rest`. Where the conditions of both accesses
//! prove that the rest is less than the stride in magnitude, the rest is zero and so is the quotient, which is divided further (V.
//! Maslov, "Delinearization: an efficient way to break multiloop dependence equations", PLDI 1992). Where it is less than twice the stride, as
//! of subscripts that run over into the next row, the quotient is -1, 0 or 1: each is an alternative. T. Grosser et al. ("Optimistic
//! Delinearization of Parametrically Sized Arrays", ICS 2015) guess the strides and test what they assume at run time; here all is proven, for
//! all values of the parameters, and nothing is assumed.

use super::omega;
use super::problem::{GaveUp, Problem, Row, combine};
use super::system::Feasibility;

/// A sum of multiples of products of columns, in order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Form {
    terms: Vec<(Vec<usize>, i128)>,
}

/// Rows that are zero.
type Equations = Vec<Row>;

/// Pairs of a stride's variable and number that are tried for one division.
const MOST_STRIDES: usize = 12;

/// Alternatives in which a difference may be zero.
const MOST_ALTERNATIVES: usize = 9;

impl Form {
    /// A linear form.
    pub fn of_row(row: &[i128]) -> Self {
        let terms = row.iter().enumerate().filter(|(_, c)| **c != 0);
        Self { terms: terms.map(|(at, c)| (if at == 0 { Vec::new() } else { vec![at] }, *c)).collect() }
    }

    /// `self + times * other`.
    pub fn plus(mut self, times: i128, other: &Self) -> Result<Self, GaveUp> {
        for (product, coefficient) in &other.terms {
            match self.terms.binary_search_by(|(own, _)| own.cmp(product)) {
                Ok(at) => self.terms[at].1 = combine(1, self.terms[at].1, times, *coefficient)?,
                Err(at) => self.terms.insert(at, (product.clone(), combine(times, *coefficient, 0, 0)?)),
            }
        }
        self.terms.retain(|(_, c)| *c != 0);
        Ok(self)
    }

    /// The product.
    pub fn times(&self, other: &Self) -> Result<Self, GaveUp> {
        let mut product = Self::default();
        for (a, x) in &self.terms {
            for (b, y) in &other.terms {
                let mut columns = [a.as_slice(), b.as_slice()].concat();
                columns.sort_unstable();
                let term = Self { terms: vec![(columns, combine(*x, *y, 0, 0)?)] };
                product = product.plus(1, &term)?;
            }
        }
        Ok(product)
    }

    /// The row over so many columns, if the form is linear.
    fn row(&self, columns: usize) -> Option<Row> {
        let mut row = vec![0; columns + 1];
        for (product, coefficient) in &self.terms {
            match product[..] {
                [] => row[0] = *coefficient,
                [at] => row[at] = *coefficient,
                _ => return None,
            }
        }
        Some(row)
    }

    /// The columns that occur in products with others.
    fn factors(&self) -> Vec<usize> {
        let several = self.terms.iter().filter(|(product, _)| product.len() > 1);
        let mut found: Vec<usize> = several.flat_map(|(product, _)| product).copied().collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The forms of which the first, times a column, and the second are the sum; the second is without the column.
    fn split(&self, column: usize) -> (Self, Self) {
        let (mut factor, mut rest) = (Vec::new(), Vec::new());
        for (product, coefficient) in &self.terms {
            match product.iter().position(|at| *at == column) {
                Some(at) => {
                    let mut others = product.clone();
                    others.remove(at);
                    factor.push((others, *coefficient));
                }
                None => rest.push((product.clone(), *coefficient)),
            }
        }
        factor.sort();
        (Self { terms: factor }, Self { terms: rest })
    }

    fn coefficient(&self, product: &[usize]) -> i128 {
        self.terms.binary_search_by(|(own, _)| own.as_slice().cmp(product)).map_or(0, |at| self.terms[at].1)
    }

    /// Quotient and rest of the division by a stride; none if coefficients are no multiples of the stride's factor.
    fn divided(&self, stride: Stride) -> Result<Option<(Self, Self)>, GaveUp> {
        let (factor, rest) = self.split(stride.column);
        if factor.terms.is_empty() {
            return Ok(Some((Self::default(), rest)));
        }
        // factor * column + rest = (factor / by) * (by * column + more) + rest - (factor / by) * more
        if factor.terms.iter().any(|(_, c)| c % stride.by != 0) {
            return Ok(None);
        }
        let terms = factor.terms.into_iter().map(|(product, c)| (product, c / stride.by)).collect();
        let quotient = Self { terms };
        let rest = rest.plus(-stride.more, &quotient)?;
        // The quotient may hold the column again; what is left of it then goes to the rest's division.
        let Some((more, rest)) = rest.divided_if_held(stride)? else { return Ok(None) };
        Ok(Some((quotient.plus(1, &more)?, rest)))
    }

    fn divided_if_held(self, stride: Stride) -> Result<Option<(Self, Self)>, GaveUp> {
        let held = self.terms.iter().any(|(product, _)| product.contains(&stride.column));
        if held { self.divided(stride) } else { Ok(Some((Self::default(), self))) }
    }
}

/// `by * column + more`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stride {
    column: usize,
    by: i128,
    more: i128,
}

impl Stride {
    fn row(self, columns: usize) -> Row {
        let mut row = vec![0; columns + 1];
        (row[0], row[self.column]) = (self.more, self.by);
        row
    }
}

/// The strides by which a form may be divided: a variable times the content of what it is multiplied with, and a number with which the
/// rest has fewer terms.
fn strides(form: &Form) -> Vec<Stride> {
    let mut found = Vec::new();
    for column in form.factors() {
        let (factor, rest) = form.split(column);
        let content = factor.terms.iter().fold(0, |g, (_, c)| super::problem::gcd(g, *c));
        for by in if content > 1 { vec![content, 1] } else { vec![1] } {
            let mut add = |more| {
                let stride = Stride { column, by, more };
                if !found.contains(&stride) {
                    found.push(stride);
                }
            };
            add(0);
            for (product, coefficient) in &factor.terms {
                let own = coefficient / by;
                let other = rest.coefficient(product);
                if own != 0 && other % own == 0 {
                    add(other / own);
                }
            }
        }
    }
    found.truncate(MOST_STRIDES);
    found
}

/// The alternatives in which a form is zero where a problem holds, each as equations; `None` if they are not known.
///
/// # Errors
/// Arithmetic overflowed.
pub(super) fn alternatives(problem: &Problem, form: &Form) -> Result<Option<Vec<Equations>>, GaveUp> {
    if let Some(row) = form.row(problem.columns) {
        return Ok(Some(vec![vec![row]]));
    }
    let strides = strides(form);
    for within in [1, 2] {
        for stride in &strides {
            let Some((quotient, rest)) = form.divided(*stride)? else { continue };
            let Some(rest) = rest.row(problem.columns) else { continue };
            let stride = stride.row(problem.columns);
            if !stays_within(problem, &rest, &stride, within)? {
                continue;
            }
            let mut all = Vec::new();
            for turns in 1 - within..within {
                // rest = -turns * stride, quotient = turns
                let equation: Row = add(&rest, turns, &stride)?;
                let constant = Form { terms: vec![(Vec::new(), 1)] };
                let less = quotient.clone().plus(-turns, &constant)?;
                let mut inner = problem.clone();
                inner.zero.push(equation.clone());
                let Some(found) = alternatives(&inner, &less)? else { return Ok(None) };
                all.extend(found.into_iter().map(|rows| [vec![equation.clone()], rows].concat()));
            }
            if all.len() <= MOST_ALTERNATIVES {
                return Ok(Some(all));
            }
        }
    }
    Ok(None)
}

fn add(row: &Row, times: i128, other: &Row) -> Result<Row, GaveUp> {
    row.iter().zip(other).map(|(a, b)| combine(1, *a, times, *b)).collect()
}

/// Whether a problem implies that a row is less than so many times another one in magnitude.
fn stays_within(problem: &Problem, row: &Row, stride: &Row, times: i128) -> Result<bool, GaveUp> {
    for sign in [1, -1] {
        let signed: Row = row.iter().map(|entry| sign * entry).collect();
        let mut beyond = problem.clone();
        beyond.nonnegative.push(add(&signed, -times, stride)?);
        if omega::feasibility(beyond) != Feasibility::Infeasible {
            return Ok(false);
        }
    }
    Ok(true)
}
