//! Sizes in declarations: polynomials over names.

use std::collections::BTreeMap;

use crate::lower::DimSpec;
use crate::matlab::ast::{BinaryOp, Expr, ExprKind, UnaryOp};

/// Products of names with their coefficients; no zero coefficients.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Poly(BTreeMap<Vec<String>, i64>);

impl Poly {
    /// A number.
    pub fn constant(value: i64) -> Self {
        Self::default().plus(Vec::new(), value)
    }

    /// A name.
    pub fn name(name: &str) -> Self {
        Self::default().plus(vec![name.to_owned()], 1)
    }

    fn plus(mut self, product: Vec<String>, by: i64) -> Self {
        let sum = self.0.get(&product).copied().unwrap_or(0).saturating_add(by);
        if sum == 0 {
            self.0.remove(&product);
        } else {
            self.0.insert(product, sum);
        }
        self
    }

    /// The sum with `sign` times `other`.
    pub fn add(self, other: Self, sign: i64) -> Self {
        other.0.into_iter().fold(self, |sum, (product, c)| sum.plus(product, c.saturating_mul(sign)))
    }

    /// The product.
    pub fn mul(&self, other: &Self) -> Self {
        let mut out = Self::default();
        for (left, c) in &self.0 {
            for (right, d) in &other.0 {
                let mut product: Vec<String> = left.iter().chain(right).cloned().collect();
                product.sort_unstable();
                out = out.plus(product, c.saturating_mul(*d));
            }
        }
        out
    }

    /// The size of an `arguments` block, such as `n + 1`; the part of no known form if there is one.
    pub fn from_matlab(expr: &Expr) -> Result<Self, &Expr> {
        match &expr.kind {
            ExprKind::Number { value, imaginary: false } if value.fract() == 0.0 && *value < 1e15 => {
                Ok(Self::constant(*value as i64))
            }
            ExprKind::Ident(name) => Ok(Self::name(name)),
            ExprKind::Unary { op: UnaryOp::Minus, operand } => Ok(Self::default().add(Self::from_matlab(operand)?, -1)),
            ExprKind::Binary { op, lhs, rhs } => {
                let (left, right) = (Self::from_matlab(lhs)?, Self::from_matlab(rhs)?);
                match op {
                    BinaryOp::Add => Ok(left.add(right, 1)),
                    BinaryOp::Sub => Ok(left.add(right, -1)),
                    BinaryOp::MatMul | BinaryOp::Mul => Ok(left.mul(&right)),
                    _ => Err(expr),
                }
            }
            _ => Err(expr),
        }
    }

    /// The terms, as the front end takes them.
    pub fn into_spec(self) -> DimSpec {
        DimSpec::Named(if self.0.is_empty() { BTreeMap::from([(Vec::new(), 0)]) } else { self.0 })
    }
}

/// The text of a declared size: `2*m*n + 1`, `:`.
pub fn show(dim: &DimSpec) -> String {
    let DimSpec::Named(terms) = dim else { return ":".into() };
    let mut text = String::new();
    let (constants, products): (Vec<_>, Vec<_>) = terms.iter().partition(|(product, _)| product.is_empty());
    for (product, c) in products.into_iter().chain(constants) {
        let body = match (product.is_empty(), c.unsigned_abs()) {
            (true, magnitude) => magnitude.to_string(),
            (false, 1) => product.join("*"),
            (false, magnitude) => format!("{magnitude}*{}", product.join("*")),
        };
        text.push_str(match (text.is_empty(), *c < 0) {
            (true, true) => "-",
            (true, false) => "",
            (false, true) => " - ",
            (false, false) => " + ",
        });
        text.push_str(&body);
    }
    if text.is_empty() { "0".into() } else { text }
}
