//! Which matrices Octave stores as their diagonal or as an order of rows. Their elements are those of any other matrix, but their
//! display names them so.
//!
//! `eye(n)`, `diag(v)` and S of `[U, S, V] = svd(A)` are stored as their diagonal. Transposes, negatives, sums, products and quotients of such matrices are so
//! too, and products with a number; `P` of `[L, U, P] = lu(A)` is an order of rows, as are its transpose, inverse and products with
//! others. Element-wise operators make full matrices of them, and so does whatever leads round a loop or through a branch.

use super::facts::{Facts, Stored};
use super::{Lower, Operand};
use crate::ir::{Class, Value};
use crate::matlab::ast::{BinaryOp, Expr, ExprKind, UnaryOp};

impl Lower<'_> {
    /// Remembers how a matrix is stored.
    pub fn is_stored(&mut self, value: Value, stored: Stored) {
        let ty = self.builder.func.ty(value);
        let some = ty.dims.len() == 2 && ty.dims.iter().all(|d| d.as_constant() != Some(0));
        if some && ty.class.is_float() {
            self.learn(value, Facts { stored, ..self.facts(value) });
        }
    }

    /// The result of a binary operator.
    pub fn stored_by_binary(&mut self, op: BinaryOp, a: Value, b: Value, result: Value) {
        let (x, y) = (self.facts(a).stored, self.facts(b).stored);
        let number = |v: Value| self.is_scalar(v) && matches!(self.class(v), Class::Double | Class::Logical);
        let (left, right) = (x == Stored::Diagonal, y == Stored::Diagonal);
        let diagonal = match op {
            BinaryOp::Add | BinaryOp::Sub => left && right,
            BinaryOp::MatMul => left && (right || number(b)) || number(a) && right,
            BinaryOp::MatRightDiv => left && (right || number(b)),
            BinaryOp::MatLeftDiv => (left || number(a)) && right,
            BinaryOp::MatPow => left && number(b),
            _ => false,
        };
        if diagonal {
            self.is_stored(result, Stored::Diagonal);
        }
        if op == BinaryOp::MatMul && x == Stored::Permutation && y == Stored::Permutation {
            self.is_stored(result, Stored::Permutation);
        }
    }

    /// The result of a sign.
    pub fn stored_by_sign(&mut self, op: UnaryOp, operand: Value, result: Value) {
        if self.facts(operand).stored == Stored::Diagonal && op != UnaryOp::Not {
            self.is_stored(result, Stored::Diagonal);
        }
    }

    /// The result of a transpose.
    pub fn stored_by_transpose(&mut self, operand: Value, result: Value) {
        let stored = self.facts(operand).stored;
        if stored != Stored::Full {
            self.is_stored(result, stored);
        }
    }

    /// The result of subscripts: the first rows and columns of a diagonal, unless they are one number.
    pub fn stored_by_index(&mut self, array: Value, args: &[Expr], result: Value) {
        let [rows, columns] = args else { return };
        let diagonal = self.facts(array).stored == Stored::Diagonal;
        if diagonal && starts_at_one(rows) && starts_at_one(columns) && !self.is_scalar(result) {
            self.is_stored(result, Stored::Diagonal);
        }
    }

    /// The results of a call: `diag` of a vector, the inverse of such a matrix, the second result of `svd`, the third of `lu`.
    pub fn stored_by_call(&mut self, name: &str, args: &[Operand], results: &[Operand]) {
        match (name, args, results) {
            ("diag", [Operand::Value(x)], [Operand::Value(result)])
                if self.builder.func.ty(*x).is_vector() && !self.is_scalar(*x) =>
            {
                self.is_stored(*result, Stored::Diagonal);
            }
            ("inv", [Operand::Value(x)], [Operand::Value(result)]) if self.facts(*x).stored == Stored::Permutation => {
                self.is_stored(*result, Stored::Permutation);
            }
            ("svd", _, [_, Operand::Value(s), ..]) if !self.is_scalar(*s) => self.is_stored(*s, Stored::Diagonal),
            ("lu", _, [_, _, Operand::Value(order)]) => self.is_stored(*order, Stored::Permutation),
            _ => {}
        }
    }
}

/// `:`, `1` or `1:n`
fn starts_at_one(subscript: &Expr) -> bool {
    match &subscript.kind {
        ExprKind::Colon => true,
        ExprKind::Number { value, imaginary: false } => *value == 1.0,
        ExprKind::Range { start, step: None, .. } => starts_at_one(start),
        _ => false,
    }
}
