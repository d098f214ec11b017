//! Linear expressions with integer coefficients.

use std::fmt;

/// An integer variable: a loop variable or a parameter. The number is the caller's to choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Var(pub u32);

impl fmt::Display for Var {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "x{}", self.0)
    }
}

/// A sum of integer multiples of variables and an integer constant, in canonical form: variables ascend and no
/// coefficient is zero, so `==` is equality of functions.
///
/// Operations return `None` where a coefficient leaves the range of `i64`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct LinExpr {
    terms: Vec<(Var, i64)>,
    constant: i64,
}

impl LinExpr {
    /// A number.
    pub fn constant(value: i64) -> Self {
        Self { terms: Vec::new(), constant: value }
    }

    /// One variable.
    pub fn var(var: Var) -> Self {
        Self { terms: vec![(var, 1)], constant: 0 }
    }

    /// The sum of `coefficient * variable` over `terms`, in which a variable may occur repeatedly, and a constant.
    pub fn from_terms(terms: impl IntoIterator<Item = (Var, i64)>, constant: i64) -> Option<Self> {
        let mut sorted: Vec<(Var, i64)> = terms.into_iter().collect();
        sorted.sort_by_key(|(var, _)| *var);
        let mut merged: Vec<(Var, i64)> = Vec::with_capacity(sorted.len());
        for (var, coefficient) in sorted {
            match merged.last_mut() {
                Some((last, sum)) if *last == var => *sum = sum.checked_add(coefficient)?,
                _ => merged.push((var, coefficient)),
            }
        }
        merged.retain(|(_, coefficient)| *coefficient != 0);
        Some(Self { terms: merged, constant })
    }

    /// The variables that occur, ascending, with their coefficients.
    pub fn terms(&self) -> impl Iterator<Item = (Var, i64)> + '_ {
        self.terms.iter().copied()
    }

    /// The constant term.
    pub fn constant_term(&self) -> i64 {
        self.constant
    }

    /// The coefficient of a variable, zero if it does not occur.
    pub fn coefficient(&self, var: Var) -> i64 {
        self.terms.binary_search_by_key(&var, |(v, _)| *v).map_or(0, |at| self.terms[at].1)
    }

    /// The number, if no variable occurs.
    pub fn as_constant(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// The sum.
    pub fn checked_add(&self, other: &Self) -> Option<Self> {
        Self::from_terms(self.terms().chain(other.terms()), self.constant.checked_add(other.constant)?)
    }

    /// The difference.
    pub fn checked_sub(&self, other: &Self) -> Option<Self> {
        self.checked_add(&other.checked_scale(-1)?)
    }

    /// The sum with a number.
    pub fn checked_offset(&self, by: i64) -> Option<Self> {
        Some(Self { terms: self.terms.clone(), constant: self.constant.checked_add(by)? })
    }

    /// The product with a number.
    pub fn checked_scale(&self, by: i64) -> Option<Self> {
        if by == 0 {
            return Some(Self::default());
        }
        let terms = self.terms.iter().map(|(v, c)| Some((*v, c.checked_mul(by)?))).collect::<Option<_>>()?;
        Some(Self { terms, constant: self.constant.checked_mul(by)? })
    }

    /// The product, if it is linear: `None` when a variable occurs in both, as in a symbolic stride `n * i`.
    pub fn checked_mul(&self, other: &Self) -> Option<Self> {
        match (self.as_constant(), other.as_constant()) {
            (_, Some(by)) => self.checked_scale(by),
            (Some(by), None) => other.checked_scale(by),
            (None, None) => None,
        }
    }

    /// The value when each variable has the given one; `None` on overflow of `i64`.
    pub fn eval(&self, value: &impl Fn(Var) -> i64) -> Option<i64> {
        let mut sum = i128::from(self.constant);
        for (var, coefficient) in self.terms() {
            sum = sum.checked_add(i128::from(coefficient) * i128::from(value(var)))?;
        }
        i64::try_from(sum).ok()
    }

    /// The text with each variable written by `name`: `2*i - j + 1`.
    pub fn display_with(&self, name: &dyn Fn(Var) -> String) -> String {
        let mut text = String::new();
        for (var, coefficient) in self.terms() {
            push_term(&mut text, coefficient, &name(var));
        }
        if self.constant != 0 || text.is_empty() {
            push_term(&mut text, self.constant, "");
        }
        text
    }
}

/// Appends `+ coefficient*name` to a sum, or the bare coefficient when `name` is empty.
pub(super) fn push_term(text: &mut String, coefficient: i64, name: &str) {
    text.push_str(match (text.is_empty(), coefficient < 0) {
        (true, true) => "-",
        (true, false) => "",
        (false, true) => " - ",
        (false, false) => " + ",
    });
    match (coefficient.unsigned_abs(), name) {
        (magnitude, "") => text.push_str(&magnitude.to_string()),
        (1, name) => text.push_str(name),
        (magnitude, name) => text.push_str(&format!("{magnitude}*{name}")),
    }
}

impl fmt::Display for LinExpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.display_with(&|v| v.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expr(terms: &[(u32, i64)], constant: i64) -> LinExpr {
        LinExpr::from_terms(terms.iter().map(|(v, c)| (Var(*v), *c)), constant).unwrap()
    }

    #[test]
    fn terms_are_canonical() {
        assert_eq!(expr(&[(2, 3), (1, 1), (2, -3)], 4), expr(&[(1, 1)], 4));
        assert_eq!(expr(&[(1, 2)], 0).checked_sub(&expr(&[(1, 2)], 5)), Some(LinExpr::constant(-5)));
        assert_eq!(expr(&[(1, 2), (7, 9)], 0).coefficient(Var(7)), 9);
    }

    #[test]
    fn a_symbolic_stride_is_refused() {
        let (n, i) = (LinExpr::var(Var(0)), LinExpr::var(Var(1)));
        assert_eq!(n.checked_mul(&i), None);
        assert_eq!(n.checked_mul(&LinExpr::constant(3)), n.checked_scale(3));
        assert_eq!(LinExpr::constant(3).checked_mul(&n), n.checked_scale(3));
    }

    #[test]
    fn overflow_is_reported() {
        let huge = expr(&[(0, i64::MAX)], 0);
        assert_eq!(huge.checked_add(&LinExpr::var(Var(0))), None);
        assert_eq!(expr(&[(0, i64::MIN)], 0).checked_scale(-1), None);
        assert_eq!(huge.eval(&|_| 2), None);
    }

    #[test]
    fn text() {
        assert_eq!(expr(&[(0, -1), (1, 2), (2, -3)], -4).to_string(), "-x0 + 2*x1 - 3*x2 - 4");
        assert_eq!(LinExpr::default().to_string(), "0");
        assert_eq!(LinExpr::constant(i64::MIN).to_string(), "-9223372036854775808");
    }
}
