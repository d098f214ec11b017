//! Subscripts with symbolic strides, such as `i*m + j`, as polynomials.
//!
//! Sums and products modulo 2^64 are those of whole numbers, modulo 2^64; so it is only what a polynomial comes to that must not leave
//! 64 bits, not what is computed on the way.

use super::definitions::Def;
use super::{AffineView, Atom};
use crate::affine::{LinExpr, Polynomial, Subscript, Var};
use crate::ir::bounds::LARGEST;
use crate::ir::{Binary, Size, Value};

/// Of more factors there are few programs, and many ways to take a subscript apart.
const MOST_FACTORS: usize = 4;

impl AffineView<'_> {
    /// An `Index` value as a subscript.
    pub(super) fn subscript(&mut self, value: Value) -> Subscript {
        match self.expr(value) {
            Some(expr) => Subscript::Affine(expr),
            None => self.polynomial(value).map_or(Subscript::Unanalysable, Subscript::Strided),
        }
    }

    /// An `Index` value as a polynomial: a linear expression, or one whose terms and sum stay within 64 bits in whatever iteration is run, and in
    /// each of whose products one factor at most varies; `None` if it is none.
    pub fn polynomial(&mut self, value: Value) -> Option<Polynomial> {
        if let Some(linear) = self.expr(value) {
            return self.expanded(&linear);
        }
        self.sum_of_products(value).filter(|sum| self.has_strides(sum) && self.stays_exact(sum))
    }

    /// Whether in each product one factor at most varies.
    pub(super) fn has_strides(&self, sum: &Polynomial) -> bool {
        let varies = |var: &&Var| match self.atom(**var) {
            Atom::Value(value) => self.varies(*value),
            Atom::Symbol(sym) => self.size_varies(&Size::sym(*sym)),
            Atom::Product(_) => false,
            Atom::Trip(_) | Atom::Quotient(..) => true,
        };
        sum.terms().all(|(product, _)| product.iter().filter(varies).count() <= 1)
    }

    /// An `Index` value as a polynomial, modulo 2^64.
    pub(super) fn sum_of_products(&mut self, value: Value) -> Option<Polynomial> {
        if let Some(known) = self.known_sums.get(&value) {
            return known.clone();
        }
        let found = self.find_sum_of_products(value);
        self.known_sums.insert(value, found.clone());
        found
    }

    fn find_sum_of_products(&mut self, value: Value) -> Option<Polynomial> {
        if let Some(linear) = self.expr(value) {
            return self.expanded(&linear);
        }
        let found = match self.definition(value) {
            Def::Size(size) => self.polynomial_of_size(size),
            Def::Binary(op @ (Binary::Add | Binary::Sub | Binary::Mul), a, b) => {
                let (a, b) = (self.sum_of_products(*a)?, self.sum_of_products(*b)?);
                match op {
                    Binary::Add => a.checked_add(&b),
                    Binary::Sub => a.checked_sub(&b),
                    _ => a.checked_mul(&b),
                }
            }
            _ => None,
        };
        found.filter(|sum| sum.degree() <= MOST_FACTORS)
    }

    /// A linear expression in which products of symbols are no variables of their own.
    pub fn expanded(&mut self, expr: &LinExpr) -> Option<Polynomial> {
        let mut sum = Polynomial::from(&LinExpr::constant(expr.constant_term()));
        for (var, coefficient) in expr.terms() {
            let factor = match self.atom(var).clone() {
                Atom::Product(syms) => {
                    let product = syms.iter().fold(Size::constant(1), |product, s| product.mul(&Size::sym(*s)));
                    self.polynomial_of_size(&product)?
                }
                Atom::Value(_) | Atom::Symbol(_) | Atom::Trip(_) | Atom::Quotient(..) => {
                    Polynomial::from(&LinExpr::var(var))
                }
            };
            sum = sum.checked_add(&factor.checked_scale(coefficient)?)?;
        }
        Some(sum)
    }

    /// Whether an expression over what stays the same is known not to be negative, by what is known of its symbols.
    pub fn is_natural(&self, sum: &Polynomial) -> bool {
        let mut size = Size::default();
        for (product, coefficient) in sum.terms() {
            let mut factors = Size::constant(1);
            for var in product {
                let sym = match self.atom(*var) {
                    Atom::Value(value) => self.defs.symbol_of(*value),
                    Atom::Symbol(sym) => Some(*sym),
                    Atom::Product(_) | Atom::Trip(_) | Atom::Quotient(..) => None,
                };
                let Some(sym) = sym else { return false };
                factors = factors.mul(&Size::sym(sym));
            }
            size = size.plus(coefficient, &factors);
        }
        self.symbols.never_negative(&size)
    }

    /// A size as a polynomial.
    pub fn polynomial_of_size(&mut self, size: &Size) -> Option<Polynomial> {
        let mut sum = Polynomial::default();
        for (monomial, coefficient) in size.terms() {
            let mut product = Polynomial::from(&LinExpr::constant(coefficient));
            for sym in monomial {
                product = product.checked_mul(&Polynomial::from(&self.symbol(*sym)?))?;
            }
            sum = sum.checked_add(&product)?;
        }
        Some(sum)
    }

    /// Whether the magnitudes of the terms add up to no more than what is exact.
    pub fn stays_exact(&self, sum: &Polynomial) -> bool {
        let magnitude = sum.terms().try_fold(0u128, |all, (product, coefficient)| {
            let product = self.product_magnitude(product)?;
            Some(all.saturating_add(product.saturating_mul(coefficient.unsigned_abs().into())))
        });
        magnitude.is_some_and(|magnitude| magnitude <= LARGEST)
    }

    fn product_magnitude(&self, product: &[Var]) -> Option<u128> {
        let (mut size, mut others) = (Size::constant(1), 1u128);
        for var in product {
            let symbol = match self.atom(*var) {
                Atom::Value(value) => self.defs.symbol_of(*value).map(Size::sym),
                Atom::Symbol(sym) => Some(Size::sym(*sym)),
                Atom::Product(syms) => Some(syms.iter().fold(Size::constant(1), |p, s| p.mul(&Size::sym(*s)))),
                Atom::Trip(_) | Atom::Quotient(..) => None,
            };
            match symbol {
                Some(symbol) => size = size.mul(&symbol),
                None => others = others.saturating_mul(self.magnitude(&LinExpr::var(*var))?),
            }
        }
        Some(self.size_magnitude(&size)?.saturating_mul(others))
    }
}
