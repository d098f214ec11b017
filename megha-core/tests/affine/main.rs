//! The affine framework against oracles: enumeration of small boxes, isl, and the textbook cases.

mod brute;
mod classic;
mod islpy;
mod strided;

use megha_core::affine::{LinExpr, Var};

/// The expression `row[0] + Σ row[k + 1] x_k`.
fn expr(row: &[i64]) -> LinExpr {
    let terms = row[1..].iter().enumerate().map(|(at, c)| (Var(at as u32), *c));
    LinExpr::from_terms(terms, row[0]).expect("distinct variables")
}
