//! Polynomials with integer coefficients: subscripts in which a size is multiplied with a loop variable.

use super::expr::{LinExpr, Var};

/// A product of variables, in order; empty for the constant term.
pub type Product = Vec<Var>;

/// A sum of integer multiples of products of variables, in canonical form: products ascend, each occurs once and no coefficient is
/// zero, so `==` is equality of polynomials.
///
/// Operations return `None` where a coefficient leaves the range of `i64`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Polynomial {
    terms: Vec<(Product, i64)>,
}

impl From<&LinExpr> for Polynomial {
    fn from(expr: &LinExpr) -> Self {
        let constant = Some((Vec::new(), expr.constant_term())).filter(|(_, c)| *c != 0);
        Self { terms: constant.into_iter().chain(expr.terms().map(|(var, c)| (vec![var], c))).collect() }
    }
}

impl Polynomial {
    /// The sum of multiples of products, of which one may occur repeatedly.
    pub fn from_terms(terms: impl IntoIterator<Item = (Product, i64)>) -> Option<Self> {
        let mut sorted: Vec<(Product, i64)> = terms.into_iter().collect();
        sorted.iter_mut().for_each(|(product, _)| product.sort_unstable());
        sorted.sort();
        let mut merged: Vec<(Product, i64)> = Vec::with_capacity(sorted.len());
        for (product, coefficient) in sorted {
            match merged.last_mut() {
                Some((last, sum)) if *last == product => *sum = sum.checked_add(coefficient)?,
                _ => merged.push((product, coefficient)),
            }
        }
        merged.retain(|(_, coefficient)| *coefficient != 0);
        Some(Self { terms: merged })
    }

    /// The terms: product and coefficient.
    pub fn terms(&self) -> impl Iterator<Item = (&Product, i64)> {
        self.terms.iter().map(|(product, c)| (product, *c))
    }

    /// The variables that occur, perhaps repeatedly.
    pub fn variables(&self) -> impl Iterator<Item = Var> + '_ {
        self.terms.iter().flat_map(|(product, _)| product).copied()
    }

    /// The largest number of variables in one product.
    pub fn degree(&self) -> usize {
        self.terms.iter().map(|(product, _)| product.len()).max().unwrap_or(0)
    }

    /// The same as a linear expression, if it is one.
    pub fn as_linear(&self) -> Option<LinExpr> {
        let constant = self.terms.iter().find(|(product, _)| product.is_empty()).map_or(0, |(_, c)| *c);
        let linear = self.terms.iter().filter(|(product, _)| !product.is_empty());
        let one = |(product, c): &(Product, i64)| if let [var] = product[..] { Some((var, *c)) } else { None };
        LinExpr::from_terms(linear.map(one).collect::<Option<Vec<_>>>()?, constant)
    }

    /// The sum.
    pub fn checked_add(&self, other: &Self) -> Option<Self> {
        Self::from_terms(self.terms.iter().chain(&other.terms).cloned())
    }

    /// The difference.
    pub fn checked_sub(&self, other: &Self) -> Option<Self> {
        self.checked_add(&other.checked_scale(-1)?)
    }

    /// The product with a number.
    pub fn checked_scale(&self, by: i64) -> Option<Self> {
        let terms = self.terms.iter().map(|(product, c)| Some((product.clone(), c.checked_mul(by)?)));
        Self::from_terms(terms.collect::<Option<Vec<_>>>()?)
    }

    /// The product.
    pub fn checked_mul(&self, other: &Self) -> Option<Self> {
        let mut terms = Vec::with_capacity(self.terms.len() * other.terms.len());
        for (a, x) in &self.terms {
            for (b, y) in &other.terms {
                terms.push(([a.as_slice(), b.as_slice()].concat(), x.checked_mul(*y)?));
            }
        }
        Self::from_terms(terms)
    }

    /// The polynomials of which the first, times a variable, and the second are the sum; the second is without the variable.
    pub fn split(&self, var: Var) -> (Self, Self) {
        let (mut factor, mut rest) = (Vec::new(), Vec::new());
        for (product, c) in &self.terms {
            match product.iter().position(|v| *v == var) {
                Some(at) => {
                    let mut others = product.clone();
                    others.remove(at);
                    factor.push((others, *c));
                }
                None => rest.push((product.clone(), *c)),
            }
        }
        factor.sort();
        (Self { terms: factor }, Self { terms: rest })
    }

    /// The polynomial with another one in place of a variable.
    pub fn substitute(&self, var: Var, by: &Self) -> Option<Self> {
        if self.variables().all(|v| v != var) {
            return Some(self.clone());
        }
        let (factor, rest) = self.split(var);
        factor.substitute(var, by)?.checked_mul(by)?.checked_add(&rest)
    }

    /// The value when each variable has the given one; `None` on overflow of `i64`.
    pub fn eval(&self, value: &impl Fn(Var) -> i64) -> Option<i64> {
        self.terms.iter().try_fold(0i64, |sum, (product, c)| {
            let term = product.iter().try_fold(*c, |term, var| term.checked_mul(value(*var)))?;
            sum.checked_add(term)
        })
    }

    /// The text with each variable written by `name`: `i*m + j + 1`.
    pub fn display_with(&self, name: &dyn Fn(Var) -> String) -> String {
        let constant_last = self.terms.iter().filter(|(p, _)| !p.is_empty());
        let mut text = String::new();
        for (product, coefficient) in constant_last.chain(self.terms.iter().filter(|(p, _)| p.is_empty())) {
            let of_sum = |text: String| if text.contains(' ') { format!("({text})") } else { text };
            let names: Vec<String> = product.iter().map(|var| of_sum(name(*var))).collect();
            super::expr::push_term(&mut text, *coefficient, &names.join("*"));
        }
        if text.is_empty() { "0".into() } else { text }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn var(number: u32) -> Polynomial {
        Polynomial::from(&LinExpr::var(Var(number)))
    }

    fn number(value: i64) -> Polynomial {
        Polynomial::from(&LinExpr::constant(value))
    }

    #[test]
    fn products_are_canonical() {
        let (i, m) = (var(0), var(1));
        let sum = i.checked_add(&number(1)).unwrap();
        let product = sum.checked_mul(&m).unwrap();
        assert_eq!(product, m.checked_mul(&sum).unwrap());
        assert_eq!(product.checked_sub(&m).unwrap(), i.checked_mul(&m).unwrap());
        assert_eq!(product.checked_sub(&product).unwrap(), Polynomial::default());
        assert_eq!((product.degree(), product.as_linear()), (2, None));
        assert_eq!(sum.as_linear(), LinExpr::var(Var(0)).checked_offset(1));
        assert_eq!(product.display_with(&|v| ["i", "m"][v.0 as usize].into()), "i*m + m");
    }

    #[test]
    fn a_variable_gives_way_to_an_expression() {
        // i*i*m + i with m - 1 for i
        let (i, m) = (var(0), var(1));
        let square = i.checked_mul(&i).and_then(|s| s.checked_mul(&m)).and_then(|s| s.checked_add(&i)).unwrap();
        let last = m.checked_sub(&number(1)).unwrap();
        let replaced = square.substitute(Var(0), &last).unwrap();
        for m in 0..5 {
            assert_eq!(replaced.eval(&|_| m), Some((m - 1) * (m - 1) * m + m - 1));
        }
    }

    #[test]
    fn overflow_is_reported() {
        let huge = Polynomial::from_terms([(vec![Var(0)], i64::MAX)]).unwrap();
        assert_eq!(huge.checked_mul(&number(2)), None);
        assert_eq!(huge.checked_add(&var(0)), None);
        assert_eq!(huge.eval(&|_| 2), None);
    }
}
